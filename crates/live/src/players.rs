//! Who may sit down: people, levels and agents, and what a request may make an agent do.

use gamecore::Seat;
use gamecore::capital;
use registry::{AgentSpec, AnyGame, ResolvedAgent, within_caps};

use crate::Refusal;
use protocol::Player;

/// Letters of a name at most.
pub const LONGEST_NAME: usize = 40;
/// Letters of an agent's spec at most; it is the agent's name, too.
const LONGEST_SPEC: usize = 500;

/// Somebody who sits at a seat.
pub struct Seated {
    /// Who it is.
    pub player: Player,
    /// What thinks there; `None` for a person.
    pub agent: Option<ResolvedAgent>,
}

impl Seated {
    /// Lets a player sit down to a game, or says why not. `threads` is how many an agent may use.
    pub fn new(game: &dyn AnyGame, player: &Player, threads: usize) -> Result<Self, Refusal> {
        let agent = match player {
            Player::Human { name } => {
                check_name(name)?;
                None
            }
            Player::Level { number } => {
                Some(with_all_values(game, agent(game, &level_spec(game, *number)?, threads)?))
            }
            Player::Agent { spec } => Some(agent(game, spec, threads)?),
        };
        Ok(Self { player: player.clone(), agent })
    }

    /// Lets a player sit down again to a game that was kept: the same agent as before, with as many
    /// of its threads as there are here.
    pub fn again(
        game: &dyn AnyGame,
        player: &Player,
        spec: Option<&str>,
        threads: usize,
    ) -> Result<Self, Refusal> {
        let Some(spec) = spec else { return Self::new(game, player, threads) };
        let agent = match agent(game, spec, threads) {
            Ok(agent) => agent,
            // Made on a larger machine, or wrong for another reason, which is the one to tell.
            Err(refusal) => match with_threads(game, spec, threads) {
                Some(fewer) => agent(game, &fewer, threads).map_err(|_| refusal)?,
                None => return Err(refusal),
            },
        };
        Ok(Self { player: player.clone(), agent: Some(agent) })
    }

    /// The agent's spec in its usual form.
    #[must_use]
    pub fn spec(&self) -> Option<String> {
        self.agent.as_ref().map(|agent| agent.spec.to_string())
    }
}

/// The spec with so many threads instead of its own number.
fn with_threads(game: &dyn AnyGame, spec: &str, threads: usize) -> Option<String> {
    let mut spec = AgentSpec::parse(spec, &registry::no_files).ok()?;
    let threads_key = registry::threads_key(game, &spec.name)?;
    spec.keys.retain(|(key, _)| *key != threads_key);
    spec.keys.push((threads_key, threads.to_string()));
    Some(spec.to_string())
}

/// Refuses names that are too long or hold signs that cannot be seen.
pub fn check_name(name: &str) -> Result<(), Refusal> {
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        let shown: String = name.chars().take(LONGEST_NAME).collect();
        let reason = format!(
            "the name '{shown}…': expected at most {LONGEST_NAME} letters, none of them control \
             characters"
        );
        return Err(Refusal::bad(reason));
    }
    Ok(())
}

/// The agent behind a level, under the rules of the game.
fn level_spec(game: &dyn AnyGame, number: u32) -> Result<String, Refusal> {
    let levels = game.presentation().levels;
    let index = (number as usize).checked_sub(1);
    let level = index.and_then(|index| levels.get(index)).ok_or_else(|| {
        Refusal::bad(format!(
            "level {number}: {} has levels 1 to {}",
            game.info().name,
            levels.len()
        ))
    })?;
    let hidden = level.hidden_spec.as_ref().filter(|_| game.info().hidden);
    Ok(hidden.unwrap_or(&level.spec).clone())
}

/// The agent with exact values for all actions, where it can have them: levels draw lots by them.
fn with_all_values(game: &dyn AnyGame, agent: ResolvedAgent) -> ResolvedAgent {
    if agent.values.text("roots").is_none_or(|roots| roots == "all") {
        return agent;
    }
    let mut spec = agent.spec.clone();
    spec.keys.retain(|(key, _)| key != "roots");
    spec.keys.push(("roots".to_owned(), "all".to_owned()));
    game.resolve(&spec, &registry::no_files).unwrap_or(agent)
}

/// Reads an agent and checks that it may be asked for over the network.
pub fn agent(game: &dyn AnyGame, text: &str, threads: usize) -> Result<ResolvedAgent, Refusal> {
    let no_files = |path: &str| {
        Err(std::io::Error::other(format!("'{path}': the app reads no files; use keys instead")))
    };
    if text.len() > LONGEST_SPEC {
        let reason = format!("an agent of {} letters: at most {LONGEST_SPEC}", text.len());
        return Err(Refusal::bad(reason));
    }
    let spec = AgentSpec::parse(text, &no_files)?;
    let agent = game.resolve(&spec, &no_files)?;
    within_caps(&agent, threads)?;
    Ok(agent)
}

/// The agent that gives advice: the first of the game's own that its rules allow.
pub fn adviser(game: &dyn AnyGame, threads: usize) -> Result<ResolvedAgent, Refusal> {
    let mut last = Refusal::conflict("no agent can give hints in this game");
    for spec in game.info().opponents {
        match agent(game, spec, threads) {
            Ok(agent) => return Ok(agent),
            Err(refusal) => last = refusal,
        }
    }
    Err(last)
}

/// What people call the two players: `You`, `Level 3: Club`, `mcts`.
#[must_use]
pub fn names(game: &dyn AnyGame, seats: &[Seated; 2]) -> [String; 2] {
    let presentation = game.presentation();
    let people = seats.iter().filter(|seated| seated.agent.is_none()).count();
    Seat::BOTH.map(|seat| match &seats[seat.index()].player {
        Player::Human { name } if !name.trim().is_empty() => name.trim().to_owned(),
        Player::Human { .. } if people == 1 => "You".to_owned(),
        Player::Human { .. } => capital(&seat_word(&presentation.seats[seat.index()])),
        Player::Level { number } => {
            let level = presentation.levels.get((*number as usize).wrapping_sub(1));
            let name = level.map_or("", |level| level.name.as_str());
            format!("Level {number}: {name}")
        }
        Player::Agent { spec } => seats[seat.index()].spec().unwrap_or_else(|| spec.clone()),
    })
}

/// The name of a seat without the letter that pictures in letters use: `black` of `black (X)`.
#[must_use]
pub fn seat_word(name: &str) -> String {
    name.split(" (").next().unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_kept_within_limits() {
        let game = standard::registry().open("othello", "").unwrap();
        let refused = |spec: &str| agent(&*game, spec, 2).expect_err(spec).reason;
        for (spec, word) in [
            ("exec:python3 x.py", "starts no programs"),
            ("mine.toml", "reads no files"),
            ("pvs:depth=4,eval=mine.toml", "reads no files"),
            ("mcts:ms=60001", "at most 60000"),
            ("mcts:iterations=99000000", "at most"),
            ("mcts:iterations=100,threads=3", "at most 2"),
            ("mcts:iterations=100,tree.nodes=9000000", "at most"),
            ("pvs:depth=4,table.mb=1024", "at most 256"),
            ("nobody", "no such agent"),
        ] {
            let reason = refused(spec);
            assert!(reason.contains(word), "{spec}: {reason}");
        }
        assert!(agent(&*game, "mcts:iterations=100,threads=2", 2).is_ok());
    }

    #[test]
    fn a_kept_game_of_a_larger_machine_is_opened_with_fewer_threads() {
        let game = standard::registry().open("othello", "").unwrap();
        let spec = "alphabeta:depth=2,threads=2";
        let player = Player::Agent { spec: spec.into() };
        let kept = Seated::again(&*game, &player, Some(spec), 1).unwrap();
        assert_eq!(kept.spec().unwrap(), "alphabeta:depth=2,threads=1");
    }

    #[test]
    fn it_is_known_who_decides_in_a_moment() {
        let game = standard::registry().open("othello", "").unwrap();
        for (spec, expected) in [
            ("random", true),
            ("greedy", true),
            ("mcts:ms=10", true),
            ("mcts:ms=250,iterations=1000000", true),
            ("mcts:ms=251", false),
            ("mcts:ms=15000,iterations=10", true),
            ("mcts", false),
            ("uct:iterations=450", true),
            ("uct:iterations=2500", false),
            ("plain-mcts:calls=3000", true),
            ("pvs:depth=2", true),
            ("pvs:depth=7", false),
            ("pvs:nodes=1000", true),
            ("othello-engine:depth=1,eval=paper,solve=20", false),
            ("othello-engine:ms=100,solve=20", true),
            ("mcts:iterations=1,hybrid=expand,hybrid.depth=16,solver=on", false),
            ("mcts:iterations=100,turn.plan=on,turn.bursts=1000", false),
        ] {
            let agent = agent(&*game, spec, 2).unwrap_or_else(|refusal| panic!("{refusal:?}"));
            assert_eq!(agent.values.is_short(), expected, "{spec}");
        }
    }

    #[test]
    fn players_have_names_for_people() {
        let game = standard::registry().open("othello", "").unwrap();
        let seated = |player: Player| Seated::new(&*game, &player, 1).unwrap();
        let person = |name: &str| seated(Player::Human { name: name.into() });
        assert_eq!(names(&*game, &[person(""), person("Ann")]), ["Black", "Ann"]);
        let both = [person(""), seated(Player::Agent { spec: "random".into() })];
        assert_eq!(names(&*game, &both), ["You", "random"]);
        assert!(Seated::new(&*game, &Player::Human { name: "x".repeat(41) }, 1).is_err());
        assert!(Seated::new(&*game, &Player::Level { number: 0 }, 1).is_err());
        assert!(Seated::new(&*game, &Player::Level { number: 999 }, 1).is_err());
    }
}
