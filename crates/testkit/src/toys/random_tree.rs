//! An artificial game without any sense: who moves, what is possible, where it ends and who wins
//! are pseudo-random functions of a point on a grid. Many paths of different length lead to one
//! point, so wrong use of a transposition table shows.

use gamecore::{Buf, Game, Notation, NotationError, Rng, Seat, Traits, Turn, key};

use super::{ending_of_winner, parse_number, payoff_of_winner};

/// The five steps; each goes away from the origin, so every game ends.
const STEPS: [(u8, u8); 5] = [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)];
/// Games do not end before this distance from the origin.
const EARLIEST_END: u8 = 4;

/// The game of one seed. An action is the number of a step, 0 to 4.
#[derive(Clone, Copy, Debug)]
pub struct RandomTree {
    seed: u64,
    size: u8,
    chance: bool,
}

/// A point of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GridPosition {
    x: u8,
    y: u8,
}

/// The properties of a point that are drawn independently.
#[derive(Clone, Copy)]
enum Draw {
    Seat,
    Chance,
    End,
    Branching,
    FirstStep,
    Weight(u8),
    Winner,
}

impl RandomTree {
    /// A game of players only; ends at the latest `size` steps from the origin (at most 100).
    #[must_use]
    pub fn new(seed: u64, size: u8) -> Self {
        assert!((1..=100).contains(&size), "the size is from 1 to 100, not {size}");
        Self { seed, size, chance: false }
    }

    /// The same with about a quarter of the points left to chance.
    #[must_use]
    pub fn with_chance(seed: u64, size: u8) -> Self {
        Self { chance: true, ..Self::new(seed, size) }
    }

    fn draw(&self, at: GridPosition, what: Draw) -> u64 {
        let what = match what {
            Draw::Seat => 0,
            Draw::Chance => 1,
            Draw::End => 2,
            Draw::Branching => 3,
            Draw::FirstStep => 4,
            Draw::Winner => 5,
            Draw::Weight(step) => 6 + u64::from(step),
        };
        key::fold(self.key(&at), what)
    }

    fn is_over(&self, at: GridPosition) -> bool {
        let distance = at.x + at.y;
        distance >= self.size
            || (distance >= EARLIEST_END && self.draw(at, Draw::End).is_multiple_of(16))
    }

    fn is_chance(&self, at: GridPosition) -> bool {
        let origin = at.x + at.y == 0;
        self.chance && !origin && self.draw(at, Draw::Chance).is_multiple_of(4)
    }

    fn winner(&self, at: GridPosition) -> Option<Seat> {
        match self.draw(at, Draw::Winner) % 5 {
            0 => None,
            other => Some(Seat::from_index(other as usize)),
        }
    }
}

impl Game for RandomTree {
    type State = GridPosition;
    type Action = u8;
    type View = GridPosition;
    type Setup = ();

    const NAME: &'static str = "random-tree";
    const MAX_ACTIONS: usize = STEPS.len();

    fn traits(&self) -> Traits {
        Traits { chance: self.chance, ..Traits::default() }
    }

    fn start(&self, (): &(), _rng: &mut Rng) -> GridPosition {
        GridPosition { x: 0, y: 0 }
    }

    fn turn(&self, &at: &GridPosition) -> Turn {
        if self.is_over(at) {
            Turn::Over
        } else if self.is_chance(at) {
            Turn::Chance
        } else {
            Turn::Player(Seat::from_index((self.draw(at, Draw::Seat) % 2) as usize))
        }
    }

    fn actions(&self, &at: &GridPosition, out: &mut Buf<u8>) {
        let steps = STEPS.len() as u64;
        let branching = 1 + self.draw(at, Draw::Branching) % steps;
        let first = self.draw(at, Draw::FirstStep) % steps;
        out.extend((0..5).filter(|&step| (u64::from(step) + steps - first) % steps < branching));
    }

    fn weight(&self, &at: &GridPosition, outcome: u8) -> u32 {
        1 + (self.draw(at, Draw::Weight(outcome)) % 4) as u32
    }

    fn apply(&self, state: &mut GridPosition, action: u8) {
        let (right, up) = STEPS[usize::from(action)];
        state.x += right;
        state.y += up;
    }

    fn payoff(&self, &at: &GridPosition, seat: Seat) -> f32 {
        payoff_of_winner(self.winner(at), seat)
    }

    fn key(&self, at: &GridPosition) -> u64 {
        key::fold(key::mix(self.seed), u64::from(at.x) << 8 | u64::from(at.y))
    }

    fn view(&self, state: &GridPosition, _seat: Seat) -> GridPosition {
        *state
    }

    fn sample(&self, view: &GridPosition, _rng: &mut Rng) -> GridPosition {
        *view
    }
}

impl Notation for RandomTree {
    fn action_text(&self, _state: &GridPosition, action: u8) -> String {
        format!("step{action}")
    }

    fn position_text(&self, state: &GridPosition) -> String {
        format!("{},{}", state.x, state.y)
    }

    fn parse_position(&self, text: &str) -> Result<GridPosition, NotationError> {
        text.split_once(',')
            .and_then(|(x, y)| {
                // One step may pass the edge by one.
                let most = self.size + 1;
                let at = GridPosition { x: parse_number(x, most)?, y: parse_number(y, most)? };
                (at.x + at.y <= most).then_some(at)
            })
            .ok_or_else(|| {
                let reason = format!("expected 'X,Y' of at most {} together", self.size + 1);
                NotationError::new("position", text, reason)
            })
    }

    fn picture(&self, state: &GridPosition) -> String {
        format!("at {},{}\n", state.x, state.y)
    }

    fn ending(&self, &at: &GridPosition) -> String {
        if self.is_over(at) { ending_of_winner(self.winner(at)) } else { String::new() }
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        vec![
            ("seed", self.seed.to_string()),
            ("size", self.size.to_string()),
            ("chance", self.chance.to_string()),
        ]
    }
}
