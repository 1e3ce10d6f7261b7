//! Random games. Whole games of the basic rules run turn by turn without asking for the stage,
//! the seat a constant; everything else goes from decision to decision. Both draw alike.

use gamecore::{Game as _, Horizon, Progressing, Rng, Seat};

use crate::board::nth_bit;
use crate::choices::{Choices, deployments, place_of};
use crate::combat::finish;
use crate::rules::LordsOfWar;
use crate::state::{NOWHERE, Reason, Stage, Standing, State};

/// More decisions than any game has whose turns the fast path plays: at most 44 in each.
const ALL_ACTIONS: u32 = 44 * MOST_TURNS as u32;
const MOST_TURNS: u16 = 2_000;

impl LordsOfWar {
    /// Uniformly random choices to the horizon. Compiled for each instruction set.
    #[inline(always)]
    pub(crate) fn playout_loop(&self, state: &mut State, rng: &mut Rng, horizon: Horizon) -> u32 {
        let options = &self.options;
        let basic = !options.hidden
            && !options.cavalry_escapes
            && !options.berserkers_advance
            && options.engaged_by_arrows
            && options.turn_limit <= MOST_TURNS;
        let whole = horizon.turns == u32::MAX && horizon.actions >= ALL_ACTIONS;
        let mut choices = Choices::NONE;
        // Nothing to run before the first choice, but its options are to be found.
        self.run_on(state, &mut choices);
        let mut progress = Progressing::new(horizon);
        while progress.goes_on(self.turn(state)) {
            if basic && whole && state.stage == Stage::Deploy {
                return progress.actions() + self.play_turns(state, rng);
            }
            let deed = choices.draw(rng);
            self.perform(state, deed);
            self.run_on(state, &mut choices);
            progress.played();
        }
        progress.actions()
    }

    /// From the beginning of a turn to the end of the game; says how many choices there were.
    #[inline(always)]
    fn play_turns(&self, state: &mut State, rng: &mut Rng) -> u32 {
        let mut actions = 0;
        if state.mover == Seat::One {
            actions += self.play_turn::<1>(state, rng);
        }
        while state.stage != Stage::Over {
            actions += self.play_turn::<0>(state, rng);
            if state.stage == Stage::Over {
                break;
            }
            actions += self.play_turn::<1>(state, rng);
        }
        actions
    }

    #[inline(always)]
    fn play_turn<const SEAT: usize>(&self, state: &mut State, rng: &mut Rng) -> u32 {
        let me = Seat::from_index(SEAT);
        let side = self.side(state, me);
        let mut actions = 0;
        let sets = deployments(state, side, me);
        let count: u32 = sets.iter().map(|set| set.count_ones()).sum();
        let mut attacked = false;
        if count > 0 {
            let drawn = draw(rng, count, &mut actions);
            let (place, index) = place_of(&sets, drawn);
            let at = nth_bit(sets[place], index);
            let kind = state.hand[SEAT][place];
            state.take_place_from_hand(me, place as u32);
            state.put(side, me, kind, at);
            state.placed = at as u8;
            attacked = side.hits(kind, at) & state.held[1 - SEAT] != 0;
        }
        self.begin_shooting_of(state, me, attacked);
        if state.waiting != 0 {
            actions += self.shoot(state, rng);
        }
        self.fight_of(state, me);
        if state.stage == Stage::Over {
            return actions;
        }
        let mut choices = Choices::NONE;
        self.find_retreats_of(state, me, &mut choices);
        if choices.count > 0 {
            let drawn = draw(rng, choices.count, &mut actions);
            if drawn > 0 {
                let at = nth_bit(choices.retreats(), drawn - 1);
                let kind = state.lift(side, me, at);
                state.take_in_hand(me, kind, false);
            } else if state.deck_size[SEAT] > 0 {
                state.draw_card(me);
            }
        }
        state.placed = NOWHERE;
        state.contributed = 0;
        if state.turn == self.options.turn_limit {
            finish(state, Standing::Drawn, Reason::TurnLimit);
        } else {
            state.turn += 1;
            state.mover = me.other();
            state.stage = Stage::Deploy;
        }
        actions
    }

    /// All shots of a turn.
    #[inline(never)]
    fn shoot(&self, state: &mut State, rng: &mut Rng) -> u32 {
        let mut actions = 0;
        let mut choices = Choices::NONE;
        loop {
            self.find_shots(state, &mut choices);
            if choices.count == 0 {
                return actions;
            }
            actions += u32::from(choices.count > 1);
            let deed = choices.draw(rng);
            self.perform(state, deed);
        }
    }
}

/// One of so many options; a single one takes no draw and is no choice.
#[inline(always)]
fn draw(rng: &mut Rng, count: u32, actions: &mut u32) -> u32 {
    if count == 1 {
        return 0;
    }
    *actions += 1;
    rng.below(count)
}
