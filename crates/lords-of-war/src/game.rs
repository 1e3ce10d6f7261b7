//! The game as the contract wants it.

use gamecore::{Buf, Game, Horizon, Recorder, Rng, Seat, Traits, Turn};

use crate::choices::Choices;
use crate::events::Event;
use crate::isa;
use crate::rules::{LordsOfWar, Setup};
use crate::state::{Action, Stage, Standing, State};
use crate::view::View;

impl LordsOfWar {
    /// Runs what leaves no choice.
    #[inline]
    pub(crate) fn settle(&self, state: &mut State) {
        self.settle_heard(state, &mut ());
    }

    /// The same, with somebody who hears of it.
    #[inline]
    pub(crate) fn settle_heard<R: Recorder<Event>>(&self, state: &mut State, heard: &mut R) {
        let mut choices = Choices::NONE;
        self.run_on(state, &mut choices, heard);
    }

    fn choices(&self, state: &State) -> Choices {
        let mut choices = Choices::NONE;
        // Runs nothing in a position with a choice.
        self.run_on(&mut state.clone(), &mut choices, &mut ());
        choices
    }
}

impl Game for LordsOfWar {
    type State = State;
    type Action = Action;
    type View = View;
    type Setup = Setup;

    const NAME: &'static str = "lords-of-war";
    // Six different cards on 42 squares.
    const MAX_ACTIONS: usize = 252;
    const DEALT: bool = true;

    fn traits(&self) -> Traits {
        Traits { hidden: self.options.hidden, chance: false }
    }

    fn start(&self, setup: &Setup, rng: &mut Rng) -> State {
        let orders = setup.armies.map(|index| {
            let mut order = self.unshuffled[usize::from(index)];
            rng.shuffle(&mut order);
            order
        });
        let first = Seat::from_index(rng.below(2) as usize);
        self.deal(setup.armies, first, orders.each_ref().map(|order| &order[..]))
    }

    fn exchange_first(&self, start: &mut State) {
        debug_assert_eq!((start.turn, start.stage), (1, Stage::Open), "nothing was played yet");
        start.first = start.first.other();
        start.mover = start.first;
    }

    fn turn(&self, state: &State) -> Turn {
        if state.stage == Stage::Over { Turn::Over } else { Turn::Player(state.mover) }
    }

    fn actions(&self, state: &State, out: &mut Buf<Action>) {
        self.choices(state).list(out);
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        self.perform(state, action.deed(), &mut ());
        self.settle(state);
    }

    fn payoff(&self, state: &State, seat: Seat) -> f32 {
        match state.standing {
            Standing::Zero => 1.0 - seat.index() as f32,
            Standing::One => seat.index() as f32,
            Standing::Drawn | Standing::Open => 0.5,
        }
    }

    fn key(&self, state: &State) -> u64 {
        self.key_of(state)
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        View::new(self, state, seat)
    }

    fn sample(&self, view: &View, rng: &mut Rng) -> State {
        view.sample(self, rng)
    }

    fn playout(&self, state: &mut State, rng: &mut Rng, horizon: Horizon) -> u32 {
        isa::playout(self, state, rng, horizon)
    }

    fn perft(&self, state: &State, depth: u32) -> u64 {
        if depth == 0 || state.stage == Stage::Over {
            return 1;
        }
        let choices = self.choices(state);
        if depth == 1 {
            return choices.count.into();
        }
        (0..choices.count)
            .map(|index| {
                let mut next = *state;
                self.perform(&mut next, choices.nth(index), &mut ());
                self.settle(&mut next);
                self.perft(&next, depth - 1)
            })
            .sum()
    }
}
