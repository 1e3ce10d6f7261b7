//! Two faults that a wrapper cannot have: states whose copies share memory, and agents that
//! remember what they should not.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use gamecore::RandomAgent;
use gamecore::{Agent, Buf, Game, Notation, NotationError, Rng, Seat, Traits, Turn};
use testkit::conformance::{Conformance, check, check_equal_views};
use testkit::toys::TicTacToe;

/// A sum that clones share.
#[derive(Clone, Debug)]
struct SharedSum(Arc<AtomicU8>);

impl SharedSum {
    fn new(sum: u8) -> Self {
        Self(Arc::new(AtomicU8::new(sum)))
    }

    fn get(&self) -> u8 {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for SharedSum {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

/// Add one or two; who reaches three has won.
#[derive(Clone)]
struct Adding;

impl Game for Adding {
    type State = SharedSum;
    type Action = u8;
    type View = SharedSum;
    type Setup = ();
    const NAME: &'static str = "adding";
    const MAX_ACTIONS: usize = 2;

    fn traits(&self) -> Traits {
        Traits::default()
    }
    fn start(&self, (): &(), _rng: &mut Rng) -> SharedSum {
        SharedSum::new(0)
    }
    fn turn(&self, state: &SharedSum) -> Turn {
        match state.get() {
            sum @ 0..3 => Turn::Player(Seat::from_index(usize::from(sum))),
            _ => Turn::Over,
        }
    }
    fn actions(&self, _state: &SharedSum, out: &mut Buf<u8>) {
        out.extend([1, 2]);
    }
    fn apply(&self, state: &mut SharedSum, action: u8) {
        state.0.fetch_add(action, Ordering::Relaxed);
    }
    fn payoff(&self, _state: &SharedSum, _seat: Seat) -> f32 {
        0.5
    }
    fn key(&self, state: &SharedSum) -> u64 {
        u64::from(state.get())
    }
    fn view(&self, state: &SharedSum, _seat: Seat) -> SharedSum {
        SharedSum::new(state.get())
    }
    fn sample(&self, view: &SharedSum, _rng: &mut Rng) -> SharedSum {
        SharedSum::new(view.get())
    }
}

impl Notation for Adding {
    fn action_text(&self, _state: &SharedSum, action: u8) -> String {
        action.to_string()
    }
    fn parse_action(&self, _state: &SharedSum, text: &str) -> Result<u8, NotationError> {
        text.parse().map_err(|_| NotationError::new("action", text, "1 or 2"))
    }
    fn position_text(&self, state: &SharedSum) -> String {
        state.get().to_string()
    }
    fn parse_position(&self, text: &str) -> Result<SharedSum, NotationError> {
        let sum = text.parse().map_err(|_| NotationError::new("position", text, "a sum"))?;
        Ok(SharedSum::new(sum))
    }
    fn picture(&self, state: &SharedSum) -> String {
        self.position_text(state)
    }
    fn ending(&self, _state: &SharedSum) -> String {
        "enough".to_owned()
    }
}

#[test]
#[should_panic(expected = "copies are deep")]
fn shared_copies_are_caught() {
    check(&Adding, &Conformance::default());
}

#[test]
#[should_panic(expected = "equal views, equal decisions")]
fn agents_that_remember_other_games_are_caught() {
    let built = AtomicU64::new(0);
    let make_agent = || -> Box<dyn Agent<TicTacToe>> {
        Box::new(RandomAgent::new(built.fetch_add(1, Ordering::Relaxed)))
    };
    check_equal_views(&TicTacToe, &make_agent, &Conformance::default());
}
