//! Troop and command tables. They are data: a designer may change every number, and the changed
//! rows are part of the rules text, so that a record can be replayed without the file.

use std::fmt::{Display, Write as _};

use gamecore::{NotationError, Read, Wrong, refuse};
use serde::Deserialize;

/// Kinds of troops.
pub const TROOPS: usize = 7;
/// Kinds of commands.
pub const COMMANDS: usize = 9;

/// A kind of troop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Troop {
    Scout,
    FootSoldier,
    Halberdier,
    Archer,
    Mage,
    Knight,
    Champion,
}

impl Troop {
    /// All kinds, in the order of the table.
    pub const ALL: [Self; TROOPS] = [
        Self::Scout,
        Self::FootSoldier,
        Self::Halberdier,
        Self::Archer,
        Self::Mage,
        Self::Knight,
        Self::Champion,
    ];

    /// The letter used in layouts.
    #[must_use]
    pub const fn letter(self) -> char {
        b"SFHAMKC"[self as usize] as char
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Scout", "Foot Soldier", "Halberdier", "Archer", "Mage", "Knight", "Champion"]
            [self as usize]
    }

    /// The kind with this letter, upper or lower case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|troop| troop.letter() == letter.to_ascii_uppercase())
    }
}

/// A command of a general.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Command {
    BattleCry,
    Stoicism,
    Regenerate,
    Bombard,
    WindsOfFate,
    Charge,
    Chastise,
    Vigilance,
    ShieldWall,
}

impl Command {
    /// All commands, in the order of the table.
    pub const ALL: [Self; COMMANDS] = [
        Self::BattleCry,
        Self::Stoicism,
        Self::Regenerate,
        Self::Bombard,
        Self::WindsOfFate,
        Self::Charge,
        Self::Chastise,
        Self::Vigilance,
        Self::ShieldWall,
    ];

    /// Its name in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "BattleCry",
            "Stoicism",
            "Regenerate",
            "Bombard",
            "WindsOfFate",
            "Charge",
            "Chastise",
            "Vigilance",
            "ShieldWall",
        ][self as usize]
    }

    /// The command of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.name() == name)
    }

    /// Whether it is aimed at an enemy troop.
    #[must_use]
    pub const fn hits_enemy(self) -> bool {
        matches!(self, Self::Bombard | Self::Chastise)
    }

    /// Its bit in a set of commands.
    #[must_use]
    pub const fn bit(self) -> u16 {
        1 << self as u8
    }
}

/// The commands in a set of bits, in order.
pub fn commands_in(set: u16) -> impl Iterator<Item = Command> {
    Command::ALL.into_iter().filter(move |command| set & command.bit() != 0)
}

/// One row of the troop table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TroopStats {
    /// Points it costs, and command points its death gives to the other side.
    pub cost: u16,
    /// Steps it can move in a turn.
    pub movement: u8,
    /// How far it strikes.
    pub range: u8,
    /// Health of a fresh troop.
    pub health: u16,
    /// Damage of one hit.
    pub damage: u16,
}

/// One row of the command table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandStats {
    /// Points it costs, in the loadout and again with each use.
    pub cost: u16,
    /// Turns until it can be used again.
    pub cooldown: u8,
    /// Phases in which it is offered, one bit each: select, move, combat, rally.
    pub phases: u8,
}

/// The tables of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// Troops by [`Troop`].
    pub troops: [TroopStats; TROOPS],
    /// Commands by [`Command`].
    pub commands: [CommandStats; COMMANDS],
}

const SELECT: u8 = 1;
const MOVE: u8 = 2;
const COMBAT: u8 = 4;
const RALLY: u8 = 8;
const PHASE_LETTERS: [(char, &str, u8); 4] =
    [('s', "select", SELECT), ('m', "move", MOVE), ('c', "combat", COMBAT), ('r', "rally", RALLY)];

const fn troop(cost: u16, movement: u8, range: u8, health: u16, damage: u16) -> TroopStats {
    TroopStats { cost, movement, range, health, damage }
}

const fn command(cost: u16, cooldown: u8, phases: u8) -> CommandStats {
    CommandStats { cost, cooldown, phases }
}

impl Default for Units {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl Units {
    /// The tables of the thesis (section 3) as its program has them.
    pub const STANDARD: Self = Self {
        troops: [
            troop(25, 6, 1, 100, 100),
            troop(50, 4, 1, 300, 100),
            troop(75, 4, 2, 200, 200),
            troop(100, 3, 6, 100, 100),
            troop(100, 4, 4, 100, 200),
            troop(100, 4, 1, 300, 300),
            troop(200, 4, 1, 500, 400),
        ],
        commands: [
            command(75, 5, COMBAT | RALLY),
            command(75, 5, COMBAT | RALLY),
            command(150, 4, COMBAT | RALLY),
            command(200, 2, COMBAT | RALLY),
            command(150, 2, SELECT | MOVE | COMBAT | RALLY),
            command(75, 5, MOVE),
            command(50, 3, COMBAT | RALLY),
            command(50, 3, COMBAT | RALLY),
            command(50, 5, COMBAT | RALLY),
        ],
    };

    /// The row of a troop.
    #[inline]
    #[must_use]
    pub const fn troop(&self, troop: Troop) -> &TroopStats {
        &self.troops[troop as usize]
    }

    /// The row of a command.
    #[inline]
    #[must_use]
    pub const fn command(&self, command: Command) -> &CommandStats {
        &self.commands[command as usize]
    }

    /// The rows that differ from the standard: `C:200/4/1/400/400+BattleCry:75/4/cr`, in the
    /// order of the tables; `standard` if none does.
    #[must_use]
    pub fn text(&self) -> String {
        let mut rows = Vec::new();
        for troop in Troop::ALL {
            let row = self.troop(troop);
            if row != Self::STANDARD.troop(troop) {
                let TroopStats { cost, movement, range, health, damage } = row;
                let letter = troop.letter();
                rows.push(format!("{letter}:{cost}/{movement}/{range}/{health}/{damage}"));
            }
        }
        for command in Command::ALL {
            let row = self.command(command);
            if row != Self::STANDARD.command(command) {
                let mut text = format!("{}:{}/{}/", command.name(), row.cost, row.cooldown);
                for (letter, _, _) in PHASE_LETTERS.iter().filter(|(.., bit)| row.phases & bit != 0)
                {
                    write!(text, "{letter}").expect("writing to a string");
                }
                rows.push(text);
            }
        }
        if rows.is_empty() { "standard".to_owned() } else { rows.join("+") }
    }

    /// Reads what [`Units::text`] writes. What is wrong is said with the row.
    pub fn parse(text: &str, wrong: Wrong<'_>) -> Read<Self> {
        let mut units = Self::STANDARD;
        if text == "standard" {
            return Ok(units);
        }
        for row in text.split('+') {
            let wrong_row = |reason: &dyn Display| wrong(&format!("'{row}': {reason}"));
            let (name, values) = row.split_once(':').ok_or_else(|| {
                wrong_row(&"expected TROOP:cost/movement/range/health/damage or COMMAND:cost/cooldown/phases")
            })?;
            let values: Vec<&str> = values.split('/').collect();
            let number = |index: usize, what: &str| {
                let value = values[index];
                let number = value.parse::<u32>();
                number.map_err(|_| wrong_row(&format!("{what} '{value}' is not a number")))
            };
            if let Some(command) = Command::from_name(name) {
                let [_, _, phases] = values[..] else {
                    return Err(wrong_row(&"a command has cost/cooldown/phases"));
                };
                let mut bits = 0;
                for letter in phases.chars() {
                    let known = PHASE_LETTERS.iter().find(|(known, ..)| *known == letter);
                    let unknown = || wrong_row(&format!("phase '{letter}' is none of s, m, c, r"));
                    bits |= known.ok_or_else(unknown)?.2;
                }
                let row = (number(0, "cost")?, number(1, "cooldown")?, bits);
                units.set_command(command, row, wrong)?;
            } else {
                let mut letters = name.chars();
                let first = letters.next().and_then(Troop::from_letter);
                let (Some(troop), None) = (first, letters.next()) else {
                    let reason = format!("'{name}' is neither a troop letter nor a command");
                    return Err(wrong(&reason));
                };
                if values.len() != 5 {
                    return Err(wrong_row(&"a troop has cost/movement/range/health/damage"));
                }
                let mut all = [0; 5];
                for (index, what) in TROOP_COLUMNS.into_iter().enumerate() {
                    all[index] = number(index, what)?;
                }
                units.set_troop(troop, all, wrong)?;
            }
        }
        Ok(units)
    }

    fn set_troop(&mut self, troop: Troop, values: [u32; 5], wrong: Wrong<'_>) -> Read<()> {
        const RANGES: [(u32, u32); 5] = [(0, 1000), (1, 19), (1, 19), (1, 10_000), (0, 10_000)];
        for ((value, range), what) in values.into_iter().zip(RANGES).zip(TROOP_COLUMNS) {
            within(&format!("{}: {what}", troop.name()), value, range, wrong)?;
        }
        let [cost, movement, range, health, damage] = values;
        self.troops[troop as usize] =
            self::troop(cost as u16, movement as u8, range as u8, health as u16, damage as u16);
        Ok(())
    }

    fn set_command(
        &mut self,
        command: Command,
        (cost, cooldown, phases): (u32, u32, u8),
        wrong: Wrong<'_>,
    ) -> Read<()> {
        let name = command.name();
        within(&format!("{name}: cost"), cost, (0, 1000), wrong)?;
        within(&format!("{name}: cooldown"), cooldown, (1, 15), wrong)?;
        self.commands[command as usize] = self::command(cost as u16, cooldown as u8, phases);
        Ok(())
    }

    /// Reads a file: tables `[troop.X]` and `[command.X]` with the columns of the rules; a row
    /// or column left out keeps its standard value.
    pub fn from_toml(content: &str) -> Read<Self> {
        let wrong = |reason: &dyn Display| NotationError::new("units", content, reason);
        let file: UnitsFile = toml::from_str(content).map_err(|error| wrong(&error))?;
        let mut units = Self::STANDARD;
        let mut seen = std::collections::BTreeSet::new();
        for (name, row) in file.troop {
            let troop = Troop::ALL
                .into_iter()
                .find(|troop| {
                    troop.name().replace(' ', "") == name || troop.letter().to_string() == name
                })
                .ok_or_else(|| wrong(&format!("[troop.{name}]: no such troop")))?;
            if !seen.insert(troop) {
                let troop = troop.name();
                refuse!(wrong, "[troop.{name}]: {troop} is given twice");
            }
            let old = *units.troop(troop);
            let values = [
                row.cost.unwrap_or(old.cost.into()),
                row.movement.unwrap_or(old.movement.into()),
                row.range.unwrap_or(old.range.into()),
                row.health.unwrap_or(old.health.into()),
                row.damage.unwrap_or(old.damage.into()),
            ];
            units.set_troop(troop, values, &wrong)?;
        }
        for (name, row) in file.command {
            let command = Command::from_name(&name)
                .ok_or_else(|| wrong(&format!("[command.{name}]: no such command")))?;
            let old = *units.command(command);
            let mut phases = old.phases;
            if let Some(names) = row.phases {
                phases = 0;
                for phase in names {
                    let known = PHASE_LETTERS.iter().find(|(_, known, _)| *known == phase);
                    let unknown = || {
                        let known = "select, move, combat, rally";
                        wrong(&format!("[command.{name}]: phase '{phase}' is none of {known}"))
                    };
                    phases |= known.ok_or_else(unknown)?.2;
                }
            }
            let cost = row.cost.unwrap_or(old.cost.into());
            let cooldown = row.cooldown.unwrap_or(old.cooldown.into());
            units.set_command(command, (cost, cooldown, phases), &wrong)?;
        }
        Ok(units)
    }
}

const TROOP_COLUMNS: [&str; 5] = ["cost", "movement", "range", "health", "damage"];

fn within(what: &str, value: u32, (min, max): (u32, u32), wrong: Wrong<'_>) -> Read<()> {
    match value {
        _ if (min..=max).contains(&value) => Ok(()),
        _ => Err(wrong(&format!("{what} {value} is not from {min} to {max}"))),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitsFile {
    #[serde(default)]
    troop: std::collections::BTreeMap<String, TroopRow>,
    #[serde(default)]
    command: std::collections::BTreeMap<String, CommandRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TroopRow {
    cost: Option<u32>,
    movement: Option<u32>,
    range: Option<u32>,
    health: Option<u32>,
    damage: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandRow {
    cost: Option<u32>,
    cooldown: Option<u32>,
    phases: Option<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Read<Units> {
        Units::parse(text, &|reason| NotationError::new("units", text, reason))
    }

    #[test]
    fn changed_rows_survive_their_text() {
        let file = "[troop.Champion]\nhealth = 400\n[troop.S]\nmovement = 7\n\
                    [command.BattleCry]\ncooldown = 4\nphases = [\"move\", \"rally\"]\n";
        let units = Units::from_toml(file).unwrap();
        assert_eq!(units.text(), "S:25/7/1/100/100+C:200/4/1/400/400+BattleCry:75/4/mr");
        assert_eq!(read(&units.text()), Ok(units));
        assert_eq!(Units::STANDARD.text(), "standard");
        assert_eq!(Units::from_toml(""), Ok(Units::STANDARD));
    }

    #[test]
    fn bad_rows_are_named() {
        let wrong = |file: &str| Units::from_toml(file).unwrap_err().reason;
        assert!(wrong("[troop.Champion]\nhealth = 0\n").contains("Champion: health 0"));
        assert!(wrong("[troop.S]\ncost = 1\n[troop.Scout]\ncost = 2\n").contains("twice"));
        assert!(wrong("[troop.Dragon]\nhealth = 1\n").contains("Dragon"));
        assert!(wrong("[troop.Scout]\nwings = 2\n").contains("wings"));
        assert!(wrong("[command.Charge]\nphases = [\"lunch\"]\n").contains("lunch"));
        for text in ["", "C", "C:1/2", "X:1/2/3/4/5", "C:a/2/3/4/5", "Charge:1/0/m", "Charge:1/2/x"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
