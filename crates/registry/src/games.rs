//! The games that a program knows, as a value made of their kits.

use std::sync::{Arc, LazyLock};

use gamecore::{MAX_BRANCHING, Notation};
use protocol::scene::{PlainScene, SceneForms};
use search::params::did_you_mean;

use crate::SpecError;
use crate::bound::Bound;
use crate::erased::AnyGame;
use crate::kit::{Kit, UnitTables};

/// A kit without the type of its game.
trait AnyKit: Send + Sync {
    fn open(&self, rules: &str) -> Result<Arc<dyn AnyGame>, SpecError>;
    fn units(&self) -> Option<UnitTables>;
}

impl<G: Notation> AnyKit for Arc<Kit<G>> {
    fn open(&self, rules: &str) -> Result<Arc<dyn AnyGame>, SpecError> {
        Ok(Arc::new(Bound::new((self.rules)(rules)?, self.clone())))
    }

    fn units(&self) -> Option<UnitTables> {
        self.units
    }
}

type MakeKit = Box<dyn FnOnce() -> Box<dyn AnyKit> + Send>;

/// A game by name, with its kit, which is made when the game is first opened. The crate that makes it compiles
/// everything generic for the game.
pub struct GameEntry {
    name: &'static str,
    kit: LazyLock<Box<dyn AnyKit>, MakeKit>,
}

impl GameEntry {
    /// The game of this kit. One that offers too many actions is refused.
    pub fn new<G: Notation>(
        kit: impl FnOnce() -> Kit<G> + Send + 'static,
    ) -> Result<Self, SpecError> {
        check(G::NAME, G::MAX_ACTIONS)?;
        let make: MakeKit = Box::new(move || Box::new(Arc::new(kit())));
        Ok(Self { name: G::NAME, kit: LazyLock::new(make) })
    }
}

/// Refuses a game that no command could name or no search could hold.
fn check(name: &str, most_actions: usize) -> Result<(), SpecError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || !name.bytes().all(plain) {
        let reason = "expected the name of a game: small letters, digits and hyphens";
        return Err(SpecError::new(name, reason));
    }
    if !(1..=MAX_BRANCHING).contains(&most_actions) {
        let reason = format!(
            "up to {most_actions} actions in one position; expected 1 to {MAX_BRANCHING}. Split an \
             action into stages, each a decision of its own"
        );
        return Err(SpecError::new(name, reason));
    }
    Ok(())
}

/// The games that a program knows: whatever is asked for by name is looked up here.
#[derive(Clone, Default)]
pub struct Registry {
    games: Vec<Arc<GameEntry>>,
}

impl Registry {
    /// The same with one more game, compiled for where this is called. One that offers too many actions is
    /// refused, and so is a second one of the same name.
    pub fn with<G: Notation>(
        self,
        kit: impl FnOnce() -> Kit<G> + Send + 'static,
    ) -> Result<Self, SpecError> {
        self.with_entry(GameEntry::new(kit)?)
    }

    /// The same with one more game. A second one of the same name is refused.
    pub fn with_entry(mut self, entry: GameEntry) -> Result<Self, SpecError> {
        if self.games.iter().any(|known| known.name == entry.name) {
            let reason = "there is a game of this name; `replacing` puts another kit in its place";
            return Err(SpecError::new(entry.name, reason));
        }
        self.games.push(Arc::new(entry));
        Ok(self)
    }

    /// The same with another kit for one of its games, for example with one more agent.
    pub fn replacing<G: Notation>(
        mut self,
        kit: impl FnOnce() -> Kit<G> + Send + 'static,
    ) -> Result<Self, SpecError> {
        let entry = GameEntry::new(kit)?;
        let place = self.games.iter().position(|known| known.name == entry.name);
        let place = place.ok_or_else(|| self.unknown(entry.name))?;
        self.games[place] = Arc::new(entry);
        Ok(self)
    }

    /// The names of all games, in the order in which they were added.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.games.iter().map(|game| game.name).collect()
    }

    /// The game of this name under these rules (a preset, `key=value,…`, or nothing for the default).
    pub fn open(&self, name: &str, rules: &str) -> Result<Arc<dyn AnyGame>, SpecError> {
        self.kit(name)?.open(rules)
    }

    /// Every game under its usual rules.
    ///
    /// # Panics
    /// If a game cannot be opened without a word about its rules.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<dyn AnyGame>> {
        let open = |game: &Arc<GameEntry>| game.kit.open("").expect("every game has usual rules");
        self.games.iter().map(open).collect()
    }

    /// Rules with the tables of units of a file put in; only some games have such tables.
    pub fn rules_with_units(
        &self,
        name: &str,
        rules: &str,
        content: &str,
    ) -> Result<String, SpecError> {
        let Some(UnitTables { key, value }) = self.kit(name)?.units() else {
            let with = self.games.iter().filter(|game| game.kit.units().is_some());
            let with: Vec<&str> = with.map(|game| game.name).collect();
            let reason = format!("has no tables of units (games that have: {})", with.join(", "));
            return Err(SpecError::new(name, reason));
        };
        if rules.split(',').any(|part| part.split_once('=').is_some_and(|(known, _)| known == key))
        {
            let reason = format!("names {key} already; give them there or in a file");
            return Err(SpecError::new(rules, reason));
        }
        let before = if rules.is_empty() { String::new() } else { format!("{rules},") };
        Ok(format!("{before}{key}={}", value(content)?))
    }

    /// What the scenes of the games hold, for who describes them.
    #[must_use]
    pub fn scene_forms(&self) -> SceneForms {
        let add =
            |forms: SceneForms, game: Arc<dyn AnyGame>| forms.and((game.presentation().forms)());
        let forms = self.all().into_iter().fold(SceneForms::default(), add);
        forms.detail::<PlainScene>("plain", "Any other game: a drawing in letters.")
    }

    fn kit(&self, name: &str) -> Result<&dyn AnyKit, SpecError> {
        let found = self.games.iter().find(|game| game.name == name);
        found.map(|game| &**game.kit).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> SpecError {
        let names = self.names();
        let near = did_you_mean(name, &names);
        SpecError::new(name, format!("no such game{near} (games: {})", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use search::Algorithm;
    use testkit::toys::{StagedNim, TicTacToe};

    use super::*;
    use crate::AgentEntry;

    fn toys() -> Registry {
        let one = Registry::default().with(|| Kit::of(TicTacToe, "three in a row", 1)).unwrap();
        one.with(|| Kit::of(StagedNim::default(), "heaps", 2)).unwrap()
    }

    fn refused(answer: Result<Registry, SpecError>) -> String {
        answer.err().expect("it is refused").to_string()
    }

    #[test]
    fn games_are_found_by_name() {
        assert_eq!(toys().names(), ["tic-tac-toe", "staged-nim"]);
        assert_eq!(toys().open("staged-nim", "").unwrap().info().opening_plies, 2);
        let error = toys().open("tic-tac", "").err().unwrap().to_string();
        assert!(error.contains("tic-tac-toe, staged-nim"), "{error}");
        let error = toys().open("staged-nim", "turns=3").err().unwrap().to_string();
        assert!(error.contains("has no rule options"), "{error}");
    }

    #[test]
    fn a_name_stands_for_one_game() {
        let again = refused(toys().with(|| Kit::of(TicTacToe, "again", 1)));
        assert!(again.contains("'tic-tac-toe'") && again.contains("replacing"), "{again}");
        let unknown = Registry::default().replacing(|| Kit::of(TicTacToe, "nothing there", 1));
        assert!(refused(unknown).contains("no such game"));
    }

    #[test]
    fn another_kit_brings_an_agent_into_a_game() {
        let own = || AgentEntry::new("own", "an agent from elsewhere", Algorithm::Scout);
        let kit = move || Kit::of(TicTacToe, "three in a row", 1).with_agent(own());
        let games = toys().replacing(kit).unwrap();
        let knows = |games: &Registry, game: &str| {
            let game = games.open(game, "").unwrap();
            game.agents().iter().any(|agent| agent.name == "own")
        };
        assert!(knows(&games, "tic-tac-toe") && !knows(&games, "staged-nim"));
        assert!(!knows(&toys(), "tic-tac-toe"));
    }

    #[test]
    fn a_game_with_too_many_actions_is_refused() {
        assert!(check("chess", MAX_BRANCHING).is_ok());
        for most in [0, MAX_BRANCHING + 1] {
            let error = check("go-19", most).unwrap_err().to_string();
            assert!(error.contains("'go-19'") && error.contains("expected 1 to 512"), "{error}");
        }
        assert!(check("Go 19", 361).unwrap_err().to_string().contains("small letters"));
    }
}
