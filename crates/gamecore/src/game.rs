//! The contract every game fulfils.
//!
//! One action is one decision. A turn may hold several decisions, so the seat to act may repeat;
//! the stage inside a turn is part of the state and of its key. Chance events are actions of
//! nobody, each with an integer weight. What a seat may know is a [`Game::View`].
//!
//! A `Game` is a value that holds validated rule options; a `State` is plain data. Whether the
//! game has chance or secrets may depend on those options, so [`Game::traits`] says it at run time.

use std::fmt::{self, Debug};
use std::hash::Hash;

use arrayvec::ArrayVec;

use crate::rng::Rng;

/// No game of ours offers more actions than this in one position.
pub const MAX_BRANCHING: usize = 512;

/// The buffer that receives the actions of one position; lives on the stack.
pub type Buf<A> = ArrayVec<A, MAX_BRANCHING>;

/// One of the two sides of a game. Which one begins is up to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// Seat 0.
    Zero,
    /// Seat 1.
    One,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Self; 2] = [Self::Zero, Self::One];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Zero => Self::One,
            Self::One => Self::Zero,
        }
    }

    /// 0 or 1, for indexing.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 1 or 2, as people count players; records and JSON say 0 or 1.
    #[must_use]
    pub const fn number(self) -> usize {
        self.index() + 1
    }

    /// The seat with this index; even numbers are seat 0.
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        if index.is_multiple_of(2) { Self::Zero } else { Self::One }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "seat {}", self.index())
    }
}

/// Who acts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This seat chooses.
    Player(Seat),
    /// Nobody chooses: an outcome is drawn by weight.
    Chance,
    /// The game has ended.
    Over,
}

/// What a game is like under its present rule options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// A seat does not see the whole state.
    pub hidden: bool,
    /// Chance events occur after the start.
    pub chance: bool,
}

/// A two-player zero-sum game of turns. See the module text for the meaning of its parts, and
/// `testkit::conformance` for the properties that every implementation must have.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position with everything that influences its future.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// One decision or one chance outcome, at most 8 bytes.
    type Action: Copy + Ord + Hash + Debug + Send + Sync;
    /// What one seat knows. The state itself where nothing is hidden.
    type View: Clone + PartialEq + Debug + Send + Sync;
    /// What the sides bring to the table (armies, loadouts); `()` where there is nothing.
    type Setup: Clone + Default + PartialEq + Debug + Send + Sync;

    /// The name used in commands, records and specs.
    const NAME: &'static str;
    /// No position has more actions; at most [`MAX_BRANCHING`].
    const MAX_ACTIONS: usize;

    /// Whether a start is a deal: what the sides bring belongs to the seats instead of the agents,
    /// and every deal is also played with the other seat beginning, so that four games are
    /// balanced in everything.
    const DEALT: bool = false;

    /// Chance and secrets under the present rule options.
    fn traits(&self) -> Traits;

    /// The first position. Shuffles and the like draw from `rng`.
    fn start(&self, setup: &Self::Setup, rng: &mut Rng) -> Self::State;

    /// Lets the other seat begin, in a first position of a game that is [`Game::DEALT`].
    fn exchange_first(&self, _start: &mut Self::State) {}

    /// Who acts next.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal actions (at a chance node: the outcomes) in ascending order, each once.
    /// There is at least one unless the game is over.
    fn actions(&self, state: &Self::State, out: &mut Buf<Self::Action>);

    /// The relative weight of an outcome at a chance node.
    fn weight(&self, _state: &Self::State, _outcome: Self::Action) -> u32 {
        1
    }

    /// Plays a legal action. Trusts its caller; [`play`] is the checked form.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// The result of a finished game for `seat`: 1 won, 0 lost, ½ drawn. The two add up to 1.
    fn payoff(&self, state: &Self::State, seat: Seat) -> f32;

    /// A 64-bit name of the position: equal states have equal keys, and different legal actions
    /// or different seats to act have different keys. Stable over runs and machines.
    fn key(&self, state: &Self::State) -> u64;

    /// The key computed afresh; differs from [`Game::key`] only in effort, for games that update
    /// their key with every action.
    fn key_from_scratch(&self, state: &Self::State) -> u64 {
        self.key(state)
    }

    /// What `seat` knows.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// A state that the owner of this view cannot tell from the true one, drawn at random.
    fn sample(&self, view: &Self::View, rng: &mut Rng) -> Self::State;

    /// Whether this action only hands over the turn because nothing else is possible.
    fn is_pass(&self, _action: Self::Action) -> bool {
        false
    }

    /// Plays uniformly random actions (chance by weight) until the game is over or the horizon is
    /// reached; says how many actions were made. Games override it with a path that lists
    /// nothing; it must draw from `rng` exactly as [`playout_by_listing`] does.
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, horizon: Horizon) -> u32 {
        playout_by_listing(self, state, rng, horizon)
    }

    /// Number of positions after exactly `depth` actions, as [`perft_by_listing`] counts them.
    /// Games override it where they can count the last ply in bulk.
    fn perft(&self, state: &Self::State, depth: u32) -> u64 {
        perft_by_listing(self, state, depth)
    }
}

/// How far a playout goes; the nearer of the two ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// Actions, chance outcomes included.
    pub actions: u32,
    /// How often the turn passes from one seat to the other: 1 is the rest of this turn.
    pub turns: u32,
}

impl Horizon {
    /// To the end of the game.
    pub const GAME: Self = Self { actions: u32::MAX, turns: u32::MAX };

    /// So many actions.
    #[must_use]
    pub const fn actions(actions: u32) -> Self {
        Self { actions, ..Self::GAME }
    }

    /// So many turns, the present one included.
    #[must_use]
    pub const fn turns(turns: u32) -> Self {
        Self { turns, ..Self::GAME }
    }
}

/// Counts actions and turns towards a [`Horizon`].
#[derive(Clone, Copy, Debug)]
pub struct Progressing {
    horizon: Horizon,
    mover: Option<Seat>,
    turns: u32,
    actions: u32,
}

impl Progressing {
    /// Nothing played yet.
    #[must_use]
    pub const fn new(horizon: Horizon) -> Self {
        Self { horizon, mover: None, turns: 0, actions: 0 }
    }

    /// Whether play goes on in a position where `turn` is to act. To be asked once before every
    /// action, each of which is followed by [`Progressing::played`].
    #[inline]
    pub fn goes_on(&mut self, turn: Turn) -> bool {
        if let Turn::Player(seat) = turn {
            self.turns += u32::from(self.mover.is_some_and(|mover| mover != seat));
            self.mover = Some(seat);
        }
        turn != Turn::Over && self.actions < self.horizon.actions && self.turns < self.horizon.turns
    }

    /// Counts one action.
    #[inline]
    pub const fn played(&mut self) {
        self.actions += 1;
    }

    /// Actions made.
    #[must_use]
    pub const fn actions(&self) -> u32 {
        self.actions
    }
}

/// The reference for [`Game::perft`]: number of positions after exactly `depth` actions. A pass is an action, a chance outcome is an
/// action, and a game that ends earlier counts as one leaf, once.
pub fn perft_by_listing<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 || game.turn(state) == Turn::Over {
        return 1;
    }
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    if depth == 1 {
        return actions.len() as u64;
    }
    actions
        .iter()
        .map(|&action| {
            let mut next = state.clone();
            game.apply(&mut next, action);
            perft_by_listing(game, &next, depth - 1)
        })
        .sum()
}

/// The reference for [`Game::playout`]: list, draw, apply. A single option takes no draw.
pub fn playout_by_listing<G: Game>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    horizon: Horizon,
) -> u32 {
    let mut progress = Progressing::new(horizon);
    while progress.goes_on(game.turn(state)) {
        let Some(action) = random_action(game, state, rng) else { break };
        game.apply(state, action);
        progress.played();
    }
    progress.actions()
}

/// One uniformly random legal action (an outcome by weight at a chance node), or `None` when the
/// game is over. A single option takes no draw.
pub fn random_action<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Option<G::Action> {
    match game.turn(state) {
        Turn::Over => None,
        Turn::Chance => Some(draw_outcome(game, state, rng)),
        Turn::Player(_) => {
            let mut actions = Buf::new();
            game.actions(state, &mut actions);
            let count = actions.len() as u32;
            Some(actions[if count == 1 { 0 } else { rng.below(count) as usize }])
        }
    }
}

/// One outcome of a chance node, drawn by weight. A single outcome takes no draw.
pub fn draw_outcome<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> G::Action {
    let mut outcomes = Buf::new();
    game.actions(state, &mut outcomes);
    if outcomes.len() == 1 {
        return outcomes[0];
    }
    let total: u32 = outcomes.iter().map(|&outcome| game.weight(state, outcome)).sum();
    let mut left = rng.below(total);
    for &outcome in &outcomes {
        let weight = game.weight(state, outcome);
        if left < weight {
            return outcome;
        }
        left -= weight;
    }
    unreachable!("the weights of the outcomes add up to their total")
}

/// The refusal of [`play`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal action {action:?}")]
pub struct IllegalAction<A: Debug> {
    /// The action that is not among the legal ones.
    pub action: A,
}

/// Plays an action after checking that it is legal.
pub fn play<G: Game>(
    game: &G,
    state: &mut G::State,
    action: G::Action,
) -> Result<(), IllegalAction<G::Action>> {
    let mut actions = Buf::new();
    if game.turn(state) != Turn::Over {
        game.actions(state, &mut actions);
    }
    if actions.binary_search(&action).is_err() {
        return Err(IllegalAction { action });
    }
    game.apply(state, action);
    Ok(())
}
