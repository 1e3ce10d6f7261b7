//! What a depth-first agent is made of. Every variant is one value of this type.

use gamecore::{Budget, Game, Traits};

use crate::params::{Cost, ON_OFF, Param, ParamError, Values, Words};

/// Which search runs below the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Plain minimax, no cut-offs.
    Minimax,
    /// Alpha-beta, fail-soft.
    AlphaBeta,
    /// Pearl's SCOUT: EVAL and TEST.
    Scout,
    /// The pseudo-code of the 2020 Othello paper, letter by letter: a negative control.
    ScoutAsPrinted,
    /// Principal variation search (NegaScout).
    Pvs,
    /// MTD(f): a sequence of null-window searches.
    Mtdf,
}

/// In which order actions are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the game lists them.
    Fixed,
    /// Table move, action score, killers, history.
    Good,
}

/// How the transposition table is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// No table.
    Off,
    /// An entry answers only for exactly its remaining depth, so values equal plain minimax.
    Exact,
    /// An entry also answers for smaller depths: stronger play, values may differ.
    Deeper,
}

/// A depth-first agent, ready to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// When to stop.
    pub budget: Budget,
    /// Order of actions.
    pub order: Order,
    /// Table.
    pub table: TableUse,
    /// Size of the table in MiB.
    pub table_mb: usize,
    /// Search depth 1, 2, 3, … instead of the full depth at once.
    pub deepening: bool,
    /// Half width of the first window around the previous value; 0 for the full window.
    pub aspiration: i32,
    /// Noisy decisions tried beyond the horizon; 0 for none.
    pub quiescence: u32,
    /// Give every root action its exact value instead of only the best.
    pub all_roots: bool,
    /// Threads that share the table.
    pub threads: usize,
    /// `scout-as-printed` only: the constant player of the printed pseudo-code is MAX.
    pub printed_max: bool,
    /// Worlds that vote where part of the state is hidden.
    pub worlds: Option<u64>,
}

/// Deeper than this is never searched.
pub const MAX_DEPTH: u32 = 120;

const DEFAULT_DEPTH: u32 = 6;

pub(crate) const WORLDS: &str = "worlds";

/// The key of searches that ask several worlds where part of the state is hidden.
pub(crate) fn worlds_param() -> Param {
    let about = "hidden information: sampled worlds that are searched and vote; 8 if not given";
    Param::optional(WORLDS, 1, 10_000, about).costs(Cost::Time(10_000))
}

/// Why this number of worlds has no meaning in a game, if so.
pub(crate) fn refuse_worlds<G: Game>(worlds: Option<u64>, traits: Traits) -> Option<String> {
    let worlds = worlds.filter(|_| !traits.hidden)?;
    let name = G::NAME;
    Some(format!("worlds={worlds} has no meaning: nothing is hidden in {name} under these rules"))
}

const PRINTED_MAX: &Words<bool> = &[("min", false), ("max", true)];
const ALL_ROOTS: &Words<bool> = &[("best", false), ("all", true)];
const ORDER: &Words<Order> = &[("good", Order::Good), ("fixed", Order::Fixed)];
const TABLE: &Words<TableUse> =
    &[("exact", TableUse::Exact), ("deeper", TableUse::Deeper), ("off", TableUse::Off)];

impl Algorithm {
    fn is_plain(self) -> bool {
        matches!(self, Self::Minimax | Self::ScoutAsPrinted)
    }

    /// The tunables of an agent that runs this algorithm.
    #[must_use]
    pub fn params(self) -> Vec<Param> {
        let mut params = vec![
            Param::optional(
                "depth",
                1,
                i64::from(MAX_DEPTH),
                "search depth in decisions; 6 if no budget is given",
            )
            .costs(Cost::Depth { most: 60, moment: 2 }),
            Param::nodes("maximum nodes, per thread"),
            Param::ms(),
            worlds_param(),
        ];
        if self == Self::ScoutAsPrinted {
            params.push(Param::word(
                "player",
                PRINTED_MAX,
                "the player that the printed pseudo-code never changes",
            ));
            return params;
        }
        params.extend([
            Param::integer("quiescence", 0, 64, 0, "noisy decisions tried beyond the horizon"),
            Param::word_or("deepening", ON_OFF, "on", "depth 1, 2, 3, … up to the budget"),
        ]);
        if self == Self::Minimax {
            return params;
        }
        params.extend([
            Param::word("roots", ALL_ROOTS, "exact values for all root actions"),
            Param::word(
                "order",
                ORDER,
                "good: table move, action score, killers, history; fixed: as the game lists",
            ),
            Param::word(
                "table",
                TABLE,
                "transposition table; exact: only for equal depth, deeper: for play",
            ),
            Param::megabytes("table.mb", 16, "size of the table in MiB"),
            Param::threads(false, "threads that share the table, for play"),
        ]);
        if matches!(self, Self::AlphaBeta | Self::Pvs) {
            params.push(Param::integer(
                "aspiration",
                0,
                1_000_000,
                0,
                "half width of the first window around the previous value; 0: full window",
            ));
        }
        params
    }
}

impl Config {
    /// Algorithm and depth, everything else off: the textbook form.
    #[must_use]
    pub fn plain(algorithm: Algorithm, depth: u32) -> Self {
        Self {
            algorithm,
            budget: Budget { depth: Some(depth), ..Budget::default() },
            order: Order::Fixed,
            table: TableUse::Off,
            table_mb: 16,
            deepening: false,
            aspiration: 0,
            quiescence: 0,
            all_roots: false,
            threads: 1,
            printed_max: false,
            worlds: None,
        }
    }

    /// Reads resolved values and refuses combinations without meaning.
    pub fn from_values(algorithm: Algorithm, values: &Values) -> Result<Self, ParamError> {
        let number = |key: &str| values.number(key).map(|number| number as u64);
        // Not every algorithm has every key.
        let is = |key: &str, words: &Words<bool>| values.word(key, words).unwrap_or(false);
        let mut budget = values.budget();
        if budget == Budget::default() {
            budget.depth = Some(DEFAULT_DEPTH);
        }
        let config = Self {
            algorithm,
            budget,
            order: values.word("order", ORDER).unwrap_or(Order::Fixed),
            table: values.word("table", TABLE).unwrap_or(TableUse::Off),
            table_mb: number("table.mb").unwrap_or(16) as usize,
            deepening: is("deepening", ON_OFF),
            aspiration: number("aspiration").unwrap_or(0) as i32,
            quiescence: number("quiescence").unwrap_or(0) as u32,
            all_roots: is("roots", ALL_ROOTS),
            threads: number("threads").unwrap_or(1) as usize,
            printed_max: is("player", PRINTED_MAX),
            worlds: number(WORLDS),
        };
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ParamError> {
        let refuse = |reason: &str| Err(ParamError::Combination(reason.to_owned()));
        if self.algorithm == Algorithm::ScoutAsPrinted && self.budget.depth.is_none() {
            return refuse("the printed pseudo-code looks one depth ahead: it needs depth=N");
        }
        if !self.deepening && self.budget.depth.is_none() {
            return refuse(
                "without deepening a search needs depth=N: under nodes or ms alone it could not \
                 tell how deep to look",
            );
        }
        if self.threads > 1 && self.table == TableUse::Off {
            return refuse(
                "threads share their work through the table: give table=exact or deeper",
            );
        }
        if self.aspiration > 0 && !self.deepening {
            return refuse(
                "aspiration centres on the value of the depth before: needs deepening=on",
            );
        }
        if self.aspiration > 0 && self.all_roots {
            return refuse("roots=all needs the full window: give aspiration=0");
        }
        Ok(())
    }

    /// Why this agent cannot play a game with these traits, if so.
    #[must_use]
    pub fn refuses<G: Game>(&self, traits: Traits) -> Option<String> {
        if let Some(reason) = refuse_worlds::<G>(self.worlds, traits) {
            return Some(reason);
        }
        if traits.chance && self.algorithm == Algorithm::ScoutAsPrinted {
            return Some(format!(
                "the printed pseudo-code knows no chance events, and {} has them",
                G::NAME
            ));
        }
        // More than Othello has: no such game is over soon enough.
        if G::MAX_ACTIONS > 64 && self.algorithm == Algorithm::ScoutAsPrinted {
            return Some(format!(
                "the printed TEST has no limit of depth and follows lines to the end of the game, \
                 and positions of {} have up to {} actions: it would never come back",
                G::NAME,
                G::MAX_ACTIONS
            ));
        }
        None
    }

    pub(crate) fn uses_memory(&self) -> bool {
        !self.algorithm.is_plain()
    }
}
