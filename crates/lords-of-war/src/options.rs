//! Rule options and their presets.

use gamecore::RuleKind::{Number, Switch, Text};
use gamecore::{Read, RuleOptions, Wrong, refuse, rule};

use crate::cards::Army;

/// Everything about the rules that can be chosen. The two-valued options are named after what
/// their `true` means; `RULES` has both names.
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

/// The value of `armies` when there are none but the core ones.
const CORE: &str = "core";

/// No more armies than this can be brought along.
const MOST_ARMIES: usize = 32;

impl Default for Options {
    fn default() -> Self {
        Self::RULES.usual()
    }
}

impl Options {
    /// The basic rules, with cards hidden or open, without or with the rules of classes.
    const fn basic(hidden: bool, classes: bool) -> Self {
        Self {
            hidden,
            cavalry_escapes: classes,
            berserkers_advance: classes,
            engaged_by_arrows: true,
            hold: true,
            opening_draw: true,
            turn_limit: 300,
            armies: Vec::new(),
        }
    }

    /// Every option and preset.
    pub const RULES: RuleOptions<Self> = RuleOptions {
        presets: &[
            ("basic", "open cards, as in the paper", Self::basic(false, false)),
            ("table", "hands and decks hidden, as at a table", Self::basic(true, false)),
            (
                "intermediate",
                "open cards, with the rules of cavalry and berserkers",
                Self::basic(false, true),
            ),
        ],
        options: &[
            rule("hidden", "Hands and decks are known to both, or hidden as at a table")
                .is(Switch(["yes", "no"], |o| &mut o.hidden)),
            rule("cavalry", "Engaged cavalry may retreat, unless a spear engages it")
                .is(Switch(["escapes", "plain"], |o| &mut o.cavalry_escapes)),
            rule("berserker", "A berserker follows its victim")
                .is(Switch(["advances", "plain"], |o| &mut o.berserkers_advance)),
            rule("engaged", "Engaged by an enemy arrow, or by any enemy next to it")
                .is(Switch(["arrow", "adjacent"], |o| &mut o.engaged_by_arrows)),
            rule("hold", "A shooter with a useful target may hold its shot")
                .is(Switch(["yes", "no"], |o| &mut o.hold)),
            rule("opening-draw", "A card is drawn in the first two turns too")
                .is(Switch(["yes", "no"], |o| &mut o.opening_draw)),
            rule("turn-limit", "Turns until the game is drawn").is(Number(
                1,
                10_000,
                |o| Some(o.turn_limit.into()),
                |o, turns| o.turn_limit = turns.map_or(300, |turns| turns as u16),
            )),
            rule(
                "armies",
                "Up to 32 armies beside the core ones, or in place of those of the same id",
            )
            .not_offered()
            .is(Text("core or armies", Self::read_armies, |o| Self::armies_text(&o.armies))),
        ],
    };

    /// Reads a preset, or `key=value,…`, or a preset followed by keys. Nothing is the default.
    pub fn parse(text: &str) -> Read<Self> {
        Self::RULES.parse(text)
    }

    fn read_armies(&mut self, value: &str, wrong: Wrong<'_>) -> Read<()> {
        let named = (value != CORE).then(|| value.split('|'));
        let army = |text| Army::parse(text).map_err(|error| wrong(&error));
        self.armies = named.into_iter().flatten().map(army).collect::<Result<_, _>>()?;
        if self.armies.len() > MOST_ARMIES {
            refuse!(wrong, "at most {MOST_ARMIES} armies can be brought along");
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
}

#[cfg(test)]
mod tests {
    use gamecore::Notation as _;

    use super::*;

    fn text(options: &Options) -> String {
        crate::LordsOfWar::new(options.clone()).rules_text()
    }

    #[test]
    fn every_option_survives_its_text() {
        let all = "hidden=yes,cavalry=escapes,berserker=advances,engaged=adjacent,hold=no,\
                   opening-draw=no,turn-limit=100,armies=core";
        assert_eq!(text(&Options::parse(all).unwrap()), all);
        for (name, _, preset) in Options::RULES.presets {
            assert_eq!(Options::parse(name).as_ref(), Ok(preset));
            assert_eq!(Options::parse(&text(preset)).as_ref(), Ok(preset));
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
