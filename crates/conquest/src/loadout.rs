//! What a side brings to the board: troops on its three rows, and commands.

use std::fmt::{Display, Write as _};
use std::sync::LazyLock;

use gamecore::{NotationError, Read, Wrong, refuse};
use serde::Deserialize;

use crate::state::{HOME_ROWS, MAX_COMMANDS, MAX_TROOPS, SIZE};
use crate::units::{Command, Troop, Units, commands_in};

/// Points for troops and commands together.
pub const BUDGET: u32 = 1000;

const NAMED: &str = include_str!("../../../data/conquest/loadouts.toml");

/// One row of a layout.
pub(crate) type Row = [Option<Troop>; SIZE];

/// Troops, where they stand, and commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loadout {
    /// A name, for one of the thesis or of a file; empty otherwise.
    pub name: String,
    /// Up to three rows, front first.
    pub(crate) rows: Vec<Row>,
    /// Commands as bits.
    pub commands: u16,
}

/// The loadouts of both seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Of seat 0.
    pub zero: Loadout,
    /// Of seat 1.
    pub one: Loadout,
}

impl Default for Setup {
    fn default() -> Self {
        let default = &named_loadouts()[0];
        Self { zero: default.clone(), one: default.clone() }
    }
}

/// Why a loadout is not legal, and by how much.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LoadoutError {
    #[error("costs {points} points, {} above the limit of {BUDGET}", points - BUDGET)]
    TooExpensive { points: u32 },
    #[error("has {troops} troops, {} above the limit of {MAX_TROOPS}", troops - MAX_TROOPS)]
    TooManyTroops { troops: usize },
    #[error("has {commands} commands, {} above the limit of {MAX_COMMANDS}", commands - MAX_COMMANDS)]
    TooManyCommands { commands: u32 },
    #[error("has no troops; at least one is needed")]
    NoTroops,
}

impl Loadout {
    /// The troops in the order of the layout.
    pub fn troops(&self) -> impl Iterator<Item = Troop> {
        self.rows.iter().flatten().filter_map(|square| *square)
    }

    /// What it costs.
    #[must_use]
    pub fn points(&self, units: &Units) -> u32 {
        let troops: u32 = self.troops().map(|troop| u32::from(units.troop(troop).cost)).sum();
        troops + command_points(units, self.commands)
    }

    /// Everything that is wrong with it.
    #[must_use]
    pub fn faults(&self, units: &Units) -> Vec<LoadoutError> {
        let mut faults = Vec::new();
        let (points, troops) = (self.points(units), self.troops().count());
        let commands = self.commands.count_ones();
        if points > BUDGET {
            faults.push(LoadoutError::TooExpensive { points });
        }
        if troops > MAX_TROOPS {
            faults.push(LoadoutError::TooManyTroops { troops });
        }
        if troops == 0 {
            faults.push(LoadoutError::NoTroops);
        }
        if commands > MAX_COMMANDS {
            faults.push(LoadoutError::TooManyCommands { commands });
        }
        faults
    }

    /// Exact squares and commands: `@..C.C/S+Charge,BattleCry`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = "@".to_owned();
        for (number, row) in self.rows.iter().enumerate() {
            text.push_str(if number > 0 { "/" } else { "" });
            let line: String = row.iter().map(|square| square.map_or('.', Troop::letter)).collect();
            text.push_str(line.trim_end_matches('.'));
        }
        text + &self.commands_text()
    }

    /// Troops by kind and commands, without squares: `3C,2S+Charge,BattleCry`.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = String::new();
        for troop in Troop::ALL.into_iter().rev() {
            let count = self.troops().filter(|&found| found == troop).count();
            if count > 0 {
                let comma = if text.is_empty() { "" } else { "," };
                write!(text, "{comma}{count}{}", troop.letter()).expect("writing to a string");
            }
        }
        text + &self.commands_text()
    }

    fn commands_text(&self) -> String {
        let names: Vec<&str> = commands_in(self.commands).map(Command::name).collect();
        if names.is_empty() { String::new() } else { format!("+{}", names.join(",")) }
    }

    /// Reads a name of the thesis, `3C,2S+Charge,BattleCry`, or the same with `@ROW/ROW/ROW` for
    /// exact squares (then the counts may be left out). Refuses what is not legal; under the
    /// thesis's own tables its loadouts are taken as they are (one costs 1050).
    pub fn parse(text: &str, units: &Units) -> Read<Self> {
        let loadout = Self::read(text)?;
        let faults = loadout.faults(units);
        let known = || !loadout.name.is_empty() && faults == loadout.faults(&Units::default());
        if faults.is_empty() || known() {
            return Ok(loadout);
        }
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Err(NotationError::new("loadout", text.trim(), faults.join("; ")))
    }

    /// Reads the same texts, also those of loadouts that are not legal ([`Loadout::faults`]).
    pub fn read(text: &str) -> Read<Self> {
        let text = text.trim();
        if let Some(named) = named_loadouts().iter().find(|named| named.name == text) {
            return Ok(named.clone());
        }
        Self::parse_parts(text, &|reason| NotationError::new("loadout", text, reason))
    }

    /// The troops with their columns and rows, 0 being the front.
    pub fn placed(&self) -> impl Iterator<Item = (Troop, usize, usize)> {
        self.rows.iter().enumerate().flat_map(|(row, squares)| {
            let troops = squares.iter().enumerate();
            troops.filter_map(move |(column, square)| square.map(|troop| (troop, column, row)))
        })
    }

    fn parse_parts(text: &str, wrong: Wrong<'_>) -> Read<Self> {
        // `@ROWS` may stand before or behind the commands.
        let (mut counts, mut rows, mut commands) = (None, None, 0);
        let mut rest = text;
        while !rest.is_empty() {
            let sign = rest.chars().next().filter(|sign| matches!(sign, '@' | '+'));
            let body = if sign.is_some() { &rest[1..] } else { rest };
            let end = body.find(['@', '+']).unwrap_or(body.len());
            match sign {
                Some('@') if rows.is_none() => {
                    let squares = &body[..end];
                    // The last row may be closed like the others.
                    let squares = squares.strip_suffix('/').unwrap_or(squares);
                    rows = Some(parse_rows(squares.split('/'), wrong)?);
                }
                Some('+') if commands == 0 => {
                    commands = parse_commands(body[..end].split(',').map(str::trim), wrong)?;
                }
                None => counts = Some(parse_counts(&body[..end], wrong)?),
                _ => refuse!(wrong, "squares (@) and commands (+) are given once each"),
            }
            rest = &body[end..];
        }
        let rows = match (rows, counts) {
            (None, None) => return Err(wrong(&expected())),
            (None, Some(troops)) => front_row(&troops, wrong)?,
            (Some(rows), None) => rows,
            (Some(rows), Some(mut troops)) => {
                let mut placed: Vec<Troop> =
                    rows.iter().flatten().filter_map(|square| *square).collect();
                placed.sort_unstable();
                troops.sort_unstable();
                if placed != troops {
                    refuse!(wrong, "the squares hold other troops than the list");
                }
                rows
            }
        };
        Ok(Self { name: String::new(), rows, commands })
    }

    /// A loadout of rows, front first, and names of commands; it may be illegal.
    pub fn from_layout<'a>(
        rows: impl Iterator<Item = &'a str>,
        commands: impl Iterator<Item = &'a str>,
        wrong: Wrong<'_>,
    ) -> Read<Self> {
        let (rows, commands) = (parse_rows(rows, wrong)?, parse_commands(commands, wrong)?);
        Ok(Self { name: String::new(), rows, commands })
    }

    /// Reads all loadouts of a file; they may be illegal ([`Loadout::faults`]).
    pub fn read_file(content: &str) -> Read<Vec<Self>> {
        let wrong = |reason: &dyn Display| NotationError::new("loadouts", content, reason);
        let file: LoadoutFile = toml::from_str(content).map_err(|error| wrong(&error))?;
        file.loadout
            .into_iter()
            .map(|entry| {
                let name = entry.name.clone();
                let wrong = |reason: &dyn Display| wrong(&format!("loadout '{name}': {reason}"));
                let rows = entry.rows.iter().map(String::as_str);
                let commands = entry.commands.iter().map(String::as_str);
                let loadout = Self::from_layout(rows, commands, &wrong)?;
                Ok(Self { name, ..loadout })
            })
            .collect()
    }
}

impl Setup {
    /// Reads the loadout of each seat; nothing is the thesis's Default.
    pub fn parse(seats: [&str; 2], units: &Units) -> Read<Self> {
        let [zero, one] = seats.map(|text| if text.is_empty() { "Default" } else { text });
        Ok(Self { zero: Loadout::parse(zero, units)?, one: Loadout::parse(one, units)? })
    }
}

fn expected() -> String {
    let names: Vec<&str> = named_loadouts().iter().map(|loadout| loadout.name.as_str()).collect();
    format!("expected a name ({}), or troops and commands as in 3C,2S+Charge", names.join(", "))
}

fn parse_counts(text: &str, wrong: Wrong<'_>) -> Read<Vec<Troop>> {
    let mut troops = Vec::new();
    for part in text.split(',').map(str::trim) {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (count, letter) = part.split_at(digits);
        let count = if count.is_empty() { Some(1) } else { count.parse::<usize>().ok() };
        let mut letters = letter.chars();
        let troop = letters.next().and_then(Troop::from_letter);
        match (count, troop, letters.next()) {
            (Some(count @ 0..=100), Some(troop), None) => {
                troops.extend(std::iter::repeat_n(troop, count));
            }
            (Some(count), Some(_), None) => refuse!(wrong, "{count} troops are too many"),
            _ => return Err(wrong(&expected())),
        }
    }
    Ok(troops)
}

fn parse_commands<'a>(names: impl Iterator<Item = &'a str>, wrong: Wrong<'_>) -> Read<u16> {
    let mut set = 0;
    for name in names {
        let known = Command::ALL.map(Command::name).join(", ");
        let command = Command::from_name(name)
            .ok_or_else(|| wrong(&format!("no such command '{name}' ({known})")))?;
        if set & command.bit() != 0 {
            refuse!(wrong, "the command {name} is listed twice");
        }
        set |= command.bit();
    }
    Ok(set)
}

fn parse_rows<'a>(lines: impl Iterator<Item = &'a str>, wrong: Wrong<'_>) -> Read<Vec<Row>> {
    let mut rows = Vec::new();
    for line in lines {
        let mut row = [None; SIZE];
        for (col, letter) in line.chars().enumerate() {
            let Some(square) = row.get_mut(col) else {
                refuse!(wrong, "row '{line}' is longer than {SIZE} squares");
            };
            *square = Troop::from_letter(letter);
            if square.is_none() && !matches!(letter, '.' | ' ') {
                let troops = "(S F H A M K C)";
                refuse!(wrong, "'{letter}' in row '{line}' is no troop {troops} and no '.'");
            }
        }
        rows.push(row);
    }
    match rows.len() {
        0..=HOME_ROWS => Ok(rows),
        all => Err(wrong(&format!("{all} rows, {} above the limit of 3", all - HOME_ROWS))),
    }
}

/// Centred on the front row with one square between, then the next row.
fn front_row(troops: &[Troop], wrong: Wrong<'_>) -> Read<Vec<Row>> {
    const PER_ROW: usize = SIZE / 2;
    let mut rows = Vec::new();
    for line in troops.chunks(PER_ROW) {
        let mut row = [None; SIZE];
        let first = (SIZE - (2 * line.len() - 1)) / 2;
        for (number, &troop) in line.iter().enumerate() {
            row[first + 2 * number] = Some(troop);
        }
        rows.push(row);
    }
    if rows.len() > HOME_ROWS {
        return Err(wrong(&LoadoutError::TooManyTroops { troops: troops.len() }));
    }
    Ok(rows)
}

pub(crate) fn command_points(units: &Units, set: u16) -> u32 {
    commands_in(set).map(|command| u32::from(units.command(command).cost)).sum()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoadoutFile {
    #[serde(alias = "setup")]
    loadout: Vec<LoadoutRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoadoutRow {
    name: String,
    commands: Vec<String>,
    rows: Vec<String>,
    /// Remarks that some lists carry; what follows from the rest is computed.
    #[serde(rename = "index")]
    _index: Option<u32>,
    #[serde(rename = "figure")]
    _figure: Option<String>,
    #[serde(rename = "note")]
    _note: Option<String>,
    #[serde(rename = "points")]
    _points: Option<u32>,
    #[serde(rename = "troop_count")]
    _troop_count: Option<u32>,
}

/// The 31 loadouts of the thesis, in its order.
#[must_use]
pub fn named_loadouts() -> &'static [Loadout] {
    static READ: LazyLock<Vec<Loadout>> =
        LazyLock::new(|| Loadout::read_file(NAMED).expect("the built-in file is sound"));
    &READ
}

#[cfg(test)]
mod tests {
    use gamecore::Rng;

    use super::*;
    use crate::enumerate::LoadoutKind;

    const STANDARD: &Units = &Units::STANDARD;

    #[test]
    fn the_thesis_loadouts_are_sound() {
        let named = named_loadouts();
        assert_eq!(named.len(), 31);
        for loadout in named {
            let faults = loadout.faults(STANDARD);
            if loadout.name == "MeleeMeltdown" {
                assert_eq!(faults, [LoadoutError::TooExpensive { points: 1050 }]);
            } else {
                assert_eq!(faults, [], "{}", loadout.name);
            }
            let rewritten = Loadout::read(&loadout.text()).unwrap();
            assert_eq!((&rewritten.rows, rewritten.commands), (&loadout.rows, loadout.commands));
        }
    }

    #[test]
    fn compact_texts_are_read() {
        let loadout = Loadout::parse("3C,2S+Charge,BattleCry", STANDARD).unwrap();
        assert_eq!(loadout.text(), "@.....C.C.C.S.S+BattleCry,Charge");
        assert_eq!(loadout.points(STANDARD), 800);
        assert_eq!(loadout.summary(), "3C,2S+BattleCry,Charge");
        let exact = Loadout::parse("C,S@C/../...S+Charge", STANDARD).unwrap();
        assert_eq!(exact.text(), "@C//...S+Charge");
        // Every row may be closed, also the last of three.
        assert_eq!(Loadout::parse("@C/../...S/+Charge", STANDARD), Ok(exact.clone()));
        assert_eq!(Loadout::parse(&exact.text(), STANDARD), Ok(exact));
    }

    #[test]
    fn bad_loadouts_are_explained() {
        for (text, complaint) in [
            ("6C", "costs 1200 points, 200 above"),
            ("11S", "11 troops, 1 above"),
            ("C+Charge,Charge", "twice"),
            ("C+Fireball", "no such command 'Fireball'"),
            ("S+BattleCry,Stoicism,Charge,Chastise,Vigilance", "5 commands, 1 above"),
            ("", "expected a name"),
            ("Defualt", "Default"),
            ("+Charge", "expected a name"),
            ("@+Charge", "no troops"),
            ("@S/S/S/S", "4 rows, 1 above"),
            ("@X", "'X' in row"),
            ("@.....................S", "longer than 20"),
            ("2S@S", "other troops"),
            ("C+Charge+BattleCry", "once each"),
            ("999999999999999999999S", "expected a name"),
            ("5000S", "too many"),
        ] {
            let error = Loadout::parse(text, STANDARD).unwrap_err().to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }

    #[test]
    fn random_loadouts_are_legal_and_of_their_kind() {
        let mut rng = Rng::new(3);
        for kind in [LoadoutKind::All, LoadoutKind::Maximal, LoadoutKind::Exact] {
            for _ in 0..5 {
                let loadout = Loadout::random(STANDARD, kind, &mut rng).unwrap();
                assert_eq!(loadout.faults(STANDARD), []);
                if kind == LoadoutKind::Exact {
                    assert_eq!(loadout.points(STANDARD), 1000);
                }
            }
        }
    }
}
