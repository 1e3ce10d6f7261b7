//! The game as the contract wants it.

use gamecore::{Buf, Game, Horizon, Rng, Seat, Traits, Turn};

use crate::choices::Choices;
use crate::loadout::Setup;
use crate::obstacles;
use crate::options::Options;
use crate::rules::Conquest;
use crate::state::{Action, Pending, Standing, State};
use crate::view::View;

impl Conquest {
    #[inline(always)]
    fn playout_loop(&self, state: &mut State, rng: &mut Rng, horizon: Horizon) -> u32 {
        let mut actions = 0;
        if horizon.turns == 0 {
            return 0;
        }
        let mut choices = Choices::EMPTY;
        let last_turn = state.turn.saturating_add(horizon.turns);
        while actions < horizon.actions && state.standing == Standing::Open {
            // A draw at the beginning of a turn still belongs to the one before.
            if state.turn >= last_turn && state.pending == Pending::Nothing {
                break;
            }
            self.find_choices(state, &mut choices);
            let deed = choices.draw(rng);
            self.perform(state, deed, &mut ());
            actions += 1;
        }
        actions
    }
}

impl Game for Conquest {
    type State = State;
    type Action = Action;
    type View = View;
    type Setup = Setup;

    const NAME: &'static str = "conquest";
    // 380 squares, 10 attacks, four commands on ten troops, the end.
    const MAX_ACTIONS: usize = 450;

    fn traits(&self) -> Traits {
        let Options { winds_hashed, freed_hashed, secret_commands, .. } = self.options;
        Traits { hidden: secret_commands, chance: !winds_hashed || !freed_hashed }
    }

    fn start(&self, setup: &Setup, rng: &mut Rng) -> State {
        let mut state = self.set_up(setup);
        obstacles::put(&self.options, &mut state, rng);
        state
    }

    fn turn(&self, state: &State) -> Turn {
        if state.standing != Standing::Open {
            Turn::Over
        } else if state.pending != Pending::Nothing {
            Turn::Chance
        } else {
            Turn::Player(state.player)
        }
    }

    fn actions(&self, state: &State, out: &mut Buf<Action>) {
        self.choices(state).list(out);
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        self.act(state, action);
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
        View::new(&self.options, state, seat)
    }

    fn sample(&self, view: &View, rng: &mut Rng) -> State {
        view.sample(&self.options, rng)
    }

    fn playout(&self, state: &mut State, rng: &mut Rng, horizon: Horizon) -> u32 {
        self.playout_loop(state, rng, horizon)
    }

    fn perft(&self, state: &State, depth: u32) -> u64 {
        if depth == 0 || state.standing != Standing::Open {
            return 1;
        }
        let choices = self.choices(state);
        if depth == 1 {
            return choices.count().into();
        }
        let mut actions = Buf::new();
        choices.list(&mut actions);
        actions
            .iter()
            .map(|&action| {
                let mut next = *state;
                self.act(&mut next, action);
                self.perft(&next, depth - 1)
            })
            .sum()
    }
}
