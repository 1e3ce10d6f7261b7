//! Rule options and their presets.

use gamecore::{Read, Switch, Wrong, parse_options, refuse, set_switch, switch_text};

use crate::cards::Army;

/// Everything about the rules that can be chosen. The two-valued options are named after what
/// their `true` means; `SWITCHES` has both names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Hands and decks are hidden, as at the table; the paper plays with open cards.
    pub hidden: bool,
    /// Cavalry may retreat although engaged, unless by a spear.
    pub cavalry_escapes: bool,
    /// A berserker that took part in a kill advances into the vacated square.
    pub berserkers_advance: bool,
    /// A card is engaged by enemy arrows on it; otherwise by any enemy beside it.
    pub engaged_by_arrows: bool,
    /// A shooter may hold its fire.
    pub hold: bool,
    /// Each side draws a card after its opening; otherwise hands stay at five cards.
    pub opening_draw: bool,
    /// A game of this many turns is drawn.
    pub turn_limit: u16,
    /// Armies beside the core ones, or instead of those of the same name.
    pub armies: Vec<Army>,
}

/// Two-valued options.
const SWITCHES: [Switch<Options>; 6] = [
    ("hidden", "yes", "no", |o| &mut o.hidden),
    ("cavalry", "escapes", "plain", |o| &mut o.cavalry_escapes),
    ("berserker", "advances", "plain", |o| &mut o.berserkers_advance),
    ("engaged", "arrow", "adjacent", |o| &mut o.engaged_by_arrows),
    ("hold", "yes", "no", |o| &mut o.hold),
    ("opening-draw", "yes", "no", |o| &mut o.opening_draw),
];

/// The keys in the order in which they are written.
const KEYS: [&str; 8] =
    ["hidden", "cavalry", "berserker", "engaged", "hold", "opening-draw", "turn-limit", "armies"];

/// The value of `armies` when there are none but the core ones.
const CORE: &str = "core";

/// No more armies than this can be brought along.
const MOST_ARMIES: usize = 32;

impl Default for Options {
    fn default() -> Self {
        Self::BASIC
    }
}

impl Options {
    /// The basic rules with open cards, which the paper plays.
    const BASIC: Self = Self {
        hidden: false,
        cavalry_escapes: false,
        berserkers_advance: false,
        engaged_by_arrows: true,
        hold: true,
        opening_draw: true,
        turn_limit: 300,
        armies: Vec::new(),
    };

    /// Presets by name; the first is the default.
    pub const PRESETS: [&'static str; 3] = ["basic", "table", "intermediate"];

    /// The options of a preset.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "basic" => Some(Self::BASIC),
            // As played at a table.
            "table" => Some(Self { hidden: true, ..Self::BASIC }),
            // With the rules of classes.
            "intermediate" => {
                Some(Self { cavalry_escapes: true, berserkers_advance: true, ..Self::BASIC })
            }
            _ => None,
        }
    }

    /// Reads a preset, or `key=value,…`, or a preset followed by keys. Nothing is the default.
    pub fn parse(text: &str) -> Read<Self> {
        parse_options(text, (&Self::PRESETS, Self::preset), (&KEYS, Self::set))
    }

    fn set(&mut self, key: &str, value: &str, wrong: Wrong<'_>) -> Read<()> {
        if set_switch(&SWITCHES, self, key, value, wrong)? {
            return Ok(());
        }
        match key {
            "turn-limit" => match value.parse() {
                Ok(turns @ 1..=10_000) => self.turn_limit = turns,
                _ => {
                    refuse!(wrong, "{key} is a number from 1 to 10000, not '{value}'");
                }
            },
            "armies" if value == CORE => self.armies.clear(),
            "armies" => {
                self.armies = value
                    .split('|')
                    .map(|army| Army::parse(army).map_err(|error| wrong(&error)))
                    .collect::<Result<_, _>>()?;
                if self.armies.len() > MOST_ARMIES {
                    refuse!(wrong, "at most {MOST_ARMIES} armies can be brought along");
                }
            }
            _ => refuse!(wrong, "no such rule; the keys are {}", KEYS.join(", ")),
        }
        Ok(())
    }

    /// Armies as the value of the key `armies`.
    #[must_use]
    pub fn armies_text(armies: &[Army]) -> String {
        if armies.is_empty() {
            return CORE.to_owned();
        }
        armies.iter().map(Army::text).collect::<Vec<_>>().join("|")
    }

    /// Every key with its value, in a fixed order.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let value = |key| match key {
            "turn-limit" => self.turn_limit.to_string(),
            "armies" => Self::armies_text(&self.armies),
            _ => switch_text(&SWITCHES, self, key).to_owned(),
        };
        KEYS.map(|key| (key, value(key))).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(options: &Options) -> String {
        let pairs = options.pairs().into_iter();
        pairs.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn every_option_survives_its_text() {
        let all = "hidden=yes,cavalry=escapes,berserker=advances,engaged=adjacent,hold=no,\
                   opening-draw=no,turn-limit=100,armies=core";
        assert_eq!(text(&Options::parse(all).unwrap()), all);
        for name in Options::PRESETS {
            let preset = Options::preset(name).unwrap();
            assert_eq!(Options::parse(name), Ok(preset.clone()));
            assert_eq!(Options::parse(&text(&preset)), Ok(preset));
        }
        let mut own = crate::core_armies()[3].clone();
        own.id = "newts".into();
        let rules = format!("table,armies={}|{}", own.text(), crate::core_armies()[0].text());
        let options = Options::parse(&rules).unwrap();
        assert_eq!(options.armies.len(), 2);
        assert_eq!(Options::parse(&text(&options)), Ok(options));
    }

    #[test]
    fn bad_options_are_named() {
        for (text, complaint) in [
            ("basicc", "basic, table, intermediate"),
            ("hidden=maybe", "yes or no"),
            ("hiden=yes", "no such rule"),
            ("hidden=yes,table", "preset first"),
            ("turn-limit=0", "from 1 to 10000"),
            ("armies=newts", "ID:NAME;CARD"),
            ("armies=newts:Newts;A:b:c", "NAME:RANK:CLASS"),
        ] {
            let error = Options::parse(text).unwrap_err().to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
