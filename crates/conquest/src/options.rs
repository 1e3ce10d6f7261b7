//! Rule options and their presets.

use gamecore::RuleKind::{Number, NumberOrNone, Switch, Text};
use gamecore::{NotationError, Read, RuleOptions, rule};

use crate::units::Units;

/// Everything about the rules that can be chosen. The two-valued options are named after what
/// their `true` means; `RULES` has both names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Regenerate restores all health; otherwise it only marks, as in the original program.
    pub regenerate_heals: bool,
    /// A surviving defender strikes back only within its range; otherwise always.
    pub counter_in_range: bool,
    /// Shield Wall caps a hit at 100; otherwise it does nothing.
    pub shield_wall_caps: bool,
    /// Command points of the first player in the first turn.
    pub start_points: u32,
    /// The first text row of a layout is the front; otherwise the last one.
    pub front_first: bool,
    /// A Bombard that kills the last troop wins at once; otherwise at the end of the turn.
    pub bombard_wins_at_once: bool,
    /// Winds of Fate draws by a hash of the position; otherwise it is a chance event.
    pub winds_hashed: bool,
    /// The troop freed of Chastise is drawn by a hash of the position; otherwise by chance.
    pub freed_hashed: bool,
    /// A game of this many turns is drawn.
    pub turn_limit: Option<u32>,
    /// Squares that nobody can enter.
    pub obstacles: u32,
    /// Obstacles look the same from both sides.
    pub symmetric_obstacles: bool,
    /// Commands are unknown to the opponent until used.
    pub secret_commands: bool,
    /// One move a turn (thesis 6.2); otherwise moves while distance is left (thesis 3.1).
    pub one_move: bool,
    /// Moves that cannot be good are left out (thesis 6.4).
    pub trim: bool,
    /// Commands are offered only in their phases (thesis 6.5); otherwise in every phase.
    pub command_window: bool,
    /// Troops and commands.
    pub units: Units,
}

/// A limit above this is as good as none.
pub(crate) const MAX_TURNS: u32 = 1_000_000;

impl Default for Options {
    fn default() -> Self {
        Self::RULES.usual()
    }
}

impl Options {
    /// The game as the thesis describes it.
    pub const INTENDED: Self = Self {
        regenerate_heals: true,
        counter_in_range: true,
        shield_wall_caps: true,
        start_points: 0,
        front_first: true,
        bombard_wins_at_once: true,
        winds_hashed: true,
        freed_hashed: true,
        turn_limit: Some(2000),
        obstacles: 0,
        symmetric_obstacles: true,
        secret_commands: false,
        one_move: true,
        trim: true,
        command_window: true,
        units: Units::STANDARD,
    };

    /// The game as the original program plays it.
    pub const ORIGINAL: Self = Self {
        regenerate_heals: false,
        bombard_wins_at_once: false,
        turn_limit: None,
        ..Self::INTENDED
    };

    /// The best guess of what the thesis's own runs played.
    pub const THESIS: Self = Self {
        counter_in_range: false,
        start_points: 25,
        front_first: false,
        turn_limit: Some(5000),
        ..Self::ORIGINAL
    };

    /// Every option and preset.
    pub const RULES: RuleOptions<Self> = RuleOptions {
        presets: &[
            ("intended", "the game as its thesis describes it", Self::INTENDED),
            ("original", "the original program, with its slips", Self::ORIGINAL),
            ("thesis", "what the thesis's own experiments probably played", Self::THESIS),
        ],
        options: &[
            rule(
                "regenerate",
                "Regenerate heals completely, or (the original program) does nothing",
            )
            .is(Switch(["heals", "marks"], |o| &mut o.regenerate_heals)),
            rule("counter", "When a surviving defender strikes back")
                .is(Switch(["in-range", "always"], |o| &mut o.counter_in_range)),
            rule("shield-wall", "Whether Shield Wall limits a hit to 100")
                .is(Switch(["caps", "nothing"], |o| &mut o.shield_wall_caps)),
            rule("start-points", "Command points of the first player in the first turn").is(
                Number(
                    0,
                    1_000,
                    |o| Some(o.start_points),
                    |o, points| o.start_points = points.unwrap_or(0),
                ),
            ),
            rule(
                "placement",
                "Which row of a loadout is the front; back-first also mirrors columns",
            )
            .is(Switch(["front-first", "back-first"], |o| &mut o.front_first)),
            rule("bombard-kill", "When a Bombard that kills the last troop wins")
                .is(Switch(["at-once", "at-end"], |o| &mut o.bombard_wins_at_once)),
            rule(
                "winds",
                "Which command Winds of Fate makes ready: by a hash of the position, or by chance",
            )
            .is(Switch(["hashed", "random"], |o| &mut o.winds_hashed)),
            rule("freed", "Which troop is freed when all are chastised, drawn in the same ways")
                .is(Switch(["hashed", "random"], |o| &mut o.freed_hashed)),
            rule("turn-limit", "Turns until the game is drawn").is(NumberOrNone(
                1,
                MAX_TURNS,
                |o| o.turn_limit,
                |o, turns| o.turn_limit = turns,
            )),
            rule(
                "obstacles",
                "Squares on rows 4 to 15 that nobody can enter; the board stays in one piece",
            )
            .is(NumberOrNone(
                0,
                60,
                |o| Some(o.obstacles).filter(|count| *count > 0),
                |o, count| o.obstacles = count.unwrap_or(0),
            )),
            rule("symmetric-obstacles", "The same obstacles seen from both sides")
                .is(Switch(["yes", "no"], |o| &mut o.symmetric_obstacles)),
            rule("secret-commands", "Commands are unknown to the opponent until used")
                .is(Switch(["yes", "no"], |o| &mut o.secret_commands)),
            rule("moves", "One move a turn, or moves while distance is left")
                .is(Switch(["one", "many"], |o| &mut o.one_move)),
            rule("trim", "Leaves out useless commands, commands twice, and Charge without need")
                .not_offered()
                .is(Switch(["yes", "no"], |o| &mut o.trim)),
            rule("command-window", "Commands are offered in their phases only, or in every phase")
                .not_offered()
                .is(Switch(["yes", "no"], |o| &mut o.command_window)),
            rule("units", "The tables of troops and commands").not_offered().is(Text(
                "standard or changed rows, as in C:200/4/1/400/400+Charge:75/5/m",
                |o, rows, wrong| {
                    o.units = Units::parse(rows, wrong)?;
                    Ok(())
                },
                |o| o.units.text(),
            )),
        ],
    };

    /// Reads a preset, or `key=value,…`, or a preset followed by keys. Nothing is the default.
    pub fn parse(text: &str) -> Read<Self> {
        let options = Self::RULES.parse(text)?;
        if options.symmetric_obstacles && !options.obstacles.is_multiple_of(2) {
            let reason = format!(
                "{} obstacles cannot be symmetric: take an even number, or symmetric-obstacles=no",
                options.obstacles
            );
            return Err(NotationError::new("rules", text, reason));
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use gamecore::Notation as _;

    use super::*;

    fn text(options: &Options) -> String {
        crate::Conquest::new(*options).rules_text()
    }

    #[test]
    fn every_option_survives_its_text() {
        let all = "regenerate=marks,counter=always,shield-wall=nothing,start-points=25,\
                   placement=back-first,bombard-kill=at-end,winds=random,freed=random,\
                   turn-limit=none,obstacles=7,symmetric-obstacles=no,secret-commands=yes,\
                   moves=many,trim=no,command-window=no,units=C:200/4/1/400/400";
        assert_eq!(text(&Options::parse(all).unwrap()), all);
        for (name, _, preset) in Options::RULES.presets {
            assert_eq!(Options::parse(name), Ok(*preset));
            assert_eq!(Options::parse(&text(preset)), Ok(*preset));
        }
        let changed = Options::parse("thesis,turn-limit=100").unwrap();
        assert_eq!(changed, Options { turn_limit: Some(100), ..Options::THESIS });
    }

    #[test]
    fn bad_options_are_named() {
        for (text, complaint) in [
            ("thesiss", "intended, original, thesis"),
            ("winds=maybe", "hashed or random"),
            ("wind=random", "no such rule"),
            ("winds=random,original", "preset first"),
            ("turn-limit=0", "from 1 to 1000000 or none"),
            ("obstacles=61", "up to 60"),
            ("obstacles=3", "symmetric-obstacles=no"),
            ("units=Q:1/2/3/4/5", "'Q'"),
        ] {
            let error = Options::parse(text).unwrap_err().to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
