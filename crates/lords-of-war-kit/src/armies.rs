//! Armies of Lords of War, for commands that work on them alone.

use gamecore::Notation;
use lords_of_war::{Army, Class, LordsOfWar, core_armies};
use serde::Serialize;
use serde_json::{Map, Value};

use protocol::{LoadoutCard, SetupCard, SetupKind};
use registry::{Setups, SpecError};

/// Armies, which people choose.
pub(crate) const ARMIES: Setups<LordsOfWar> = Setups { card, draft };

/// One army, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmyReport {
    /// What `--armies` calls it.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The box it comes from; empty if it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub set: String,
    /// How many cards.
    pub cards: usize,
    /// How many of them differ.
    pub different: usize,
    /// The sum of the defences of all cards.
    pub defence: usize,
    /// Cards by class.
    pub classes: Map<String, Value>,
    /// What is unusual about it.
    pub warnings: Vec<String>,
}

impl ArmyReport {
    fn of(army: &Army) -> Self {
        let sum = |of: &dyn Fn(&lords_of_war::Card) -> usize| -> usize {
            army.cards.iter().map(|card| card.count * of(card)).sum()
        };
        let classes = Class::ALL.map(|(class, name)| {
            (name.to_owned(), sum(&|card| usize::from(card.class == class)).into())
        });
        Self {
            id: army.id.clone(),
            name: army.name.clone(),
            set: army.set.clone(),
            cards: sum(&|_| 1),
            different: army.cards.len(),
            defence: sum(&|card| usize::from(card.defence)),
            classes: classes.into_iter().collect(),
            warnings: army.warnings(),
        }
    }
}

/// The armies of the core boxes.
#[must_use]
pub fn core() -> Vec<ArmyReport> {
    core_armies().iter().map(ArmyReport::of).collect()
}

/// Those of a file; the error names the army and the card that cannot be played.
pub fn of_file(content: &str) -> Result<Vec<ArmyReport>, SpecError> {
    let armies = Army::read_file(content).map_err(SpecError::plain)?;
    Ok(armies.iter().map(ArmyReport::of).collect())
}

fn card(_: &LordsOfWar) -> SetupCard {
    SetupCard {
        kind: SetupKind::Army,
        choices: core_armies().iter().map(choice).collect(),
        default: LordsOfWar::USUAL_SETUPS.map(str::to_owned),
        troops: Vec::new(),
        commands: Vec::new(),
        budget: 0,
        max_troops: 0,
        max_commands: 0,
        columns: 0,
        rows: 0,
    }
}

fn draft(_: &LordsOfWar, text: &str) -> Result<LoadoutCard, SpecError> {
    let found = core_armies().iter().find(|army| army.id == text);
    found.map(choice).ok_or_else(|| SpecError::new(text, "expected the name of an army"))
}

fn choice(army: &Army) -> LoadoutCard {
    let ArmyReport { id, name, cards, different, warnings, .. } = ArmyReport::of(army);
    LoadoutCard {
        name,
        text: id,
        about: format!("{cards} cards, {different} different"),
        points: 0,
        faults: warnings,
        slots: Vec::new(),
        commands: Vec::new(),
    }
}
