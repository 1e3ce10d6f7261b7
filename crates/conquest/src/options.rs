//! Rule options and their presets.

use gamecore::{
    NotationError, Read, Switch, Wrong, parse_options, refuse, set_switch, switch_text,
};

use crate::units::Units;

/// Everything about the rules that can be chosen. The two-valued options are named after what
/// their `true` means; `SWITCHES` has both names.
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

/// Two-valued options.
const SWITCHES: [Switch<Options>; 12] = [
    ("regenerate", "heals", "marks", |o| &mut o.regenerate_heals),
    ("counter", "in-range", "always", |o| &mut o.counter_in_range),
    ("shield-wall", "caps", "nothing", |o| &mut o.shield_wall_caps),
    ("placement", "front-first", "back-first", |o| &mut o.front_first),
    ("bombard-kill", "at-once", "at-end", |o| &mut o.bombard_wins_at_once),
    ("winds", "hashed", "random", |o| &mut o.winds_hashed),
    ("freed", "hashed", "random", |o| &mut o.freed_hashed),
    ("symmetric-obstacles", "yes", "no", |o| &mut o.symmetric_obstacles),
    ("secret-commands", "yes", "no", |o| &mut o.secret_commands),
    ("moves", "one", "many", |o| &mut o.one_move),
    ("trim", "yes", "no", |o| &mut o.trim),
    ("command-window", "yes", "no", |o| &mut o.command_window),
];

/// The keys in the order in which they are written.
const KEYS: [&str; 16] = [
    "regenerate",
    "counter",
    "shield-wall",
    "start-points",
    "placement",
    "bombard-kill",
    "winds",
    "freed",
    "turn-limit",
    "obstacles",
    "symmetric-obstacles",
    "secret-commands",
    "moves",
    "trim",
    "command-window",
    "units",
];

/// More obstacles than this leave no room for a battle.
const MAX_OBSTACLES: u32 = 60;
/// A limit above this is as good as none.
pub(crate) const MAX_TURNS: u32 = 1_000_000;

impl Default for Options {
    fn default() -> Self {
        Self::INTENDED
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

    /// Presets by name; the first is the default.
    pub const PRESETS: [(&'static str, Self); 3] =
        [("intended", Self::INTENDED), ("original", Self::ORIGINAL), ("thesis", Self::THESIS)];

    /// Reads a preset, or `key=value,…`, or a preset followed by keys. Nothing is the default.
    pub fn parse(text: &str) -> Read<Self> {
        let presets = Self::PRESETS.map(|(name, _)| name);
        let preset = |part: &str| {
            Self::PRESETS.into_iter().find(|(name, _)| *name == part).map(|(_, options)| options)
        };
        let options = parse_options(text, (&presets, preset), (&KEYS, Self::set))?;
        if options.symmetric_obstacles && !options.obstacles.is_multiple_of(2) {
            let reason = format!(
                "{} obstacles cannot be symmetric: take an even number, or symmetric-obstacles=no",
                options.obstacles
            );
            return Err(NotationError::new("rules", text, reason));
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, value: &str, wrong: Wrong<'_>) -> Read<()> {
        if set_switch(&SWITCHES, self, key, value, wrong)? {
            return Ok(());
        }
        let number = |max: u32| match value.parse::<u32>() {
            Ok(number) if number <= max => Ok(number),
            _ => Err(wrong(&format!("{key} is a number up to {max}, not '{value}'"))),
        };
        match key {
            "start-points" => self.start_points = number(1_000)?,
            "turn-limit" if value == "none" => self.turn_limit = None,
            "turn-limit" => match number(MAX_TURNS)? {
                0 => refuse!(wrong, "turn-limit is none, or at least 1"),
                turns => self.turn_limit = Some(turns),
            },
            "obstacles" if value == "none" => self.obstacles = 0,
            "obstacles" => self.obstacles = number(MAX_OBSTACLES)?,
            "units" => self.units = Units::parse(value, wrong)?,
            _ => refuse!(wrong, "no such rule; the keys are {}", KEYS.join(", ")),
        }
        Ok(())
    }

    /// Every key with its value, in a fixed order.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let value = |key| match key {
            "start-points" => self.start_points.to_string(),
            "turn-limit" => self.turn_limit.map_or("none".to_owned(), |turns| turns.to_string()),
            "obstacles" if self.obstacles == 0 => "none".to_owned(),
            "obstacles" => self.obstacles.to_string(),
            "units" => self.units.text(),
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
        let all = "regenerate=marks,counter=always,shield-wall=nothing,start-points=25,\
                   placement=back-first,bombard-kill=at-end,winds=random,freed=random,\
                   turn-limit=none,obstacles=7,symmetric-obstacles=no,secret-commands=yes,\
                   moves=many,trim=no,command-window=no,units=C:200/4/1/400/400";
        assert_eq!(text(&Options::parse(all).unwrap()), all);
        for (name, preset) in Options::PRESETS {
            assert_eq!(Options::parse(name), Ok(preset));
            assert_eq!(Options::parse(&text(&preset)), Ok(preset));
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
            ("turn-limit=0", "at least 1"),
            ("obstacles=61", "up to 60"),
            ("obstacles=3", "symmetric-obstacles=no"),
            ("units=Q:1/2/3/4/5", "'Q'"),
        ] {
            let error = Options::parse(text).unwrap_err().to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
