//! Random games. Whole games of the basic rules run turn by turn without asking for the stage,
//! the seat a constant; everything else goes from decision to decision. Both draw alike.

use gamecore::{Game as _, Horizon, Progressing, Rng, Seat};

use crate::choices::{Choices, deployments, place_of};
use crate::combat::{contributors, enemies_gone, finish, forget_shots, remove_both};
use crate::isa::Isa;
use crate::rules::LordsOfWar;
use crate::shooting::{may_fire, under_arrows, useful_shooters, useful_targets};
use crate::state::{NOWHERE, Reason, Stage, Standing, State};
use crate::tables::Side;

/// More decisions than any game has whose turns the fast path plays: at most 44 in each.
const ALL_ACTIONS: u32 = 44 * MOST_TURNS as u32;
const MOST_TURNS: u16 = 2_000;

impl LordsOfWar {
    /// Uniformly random choices to the horizon. Compiled for each instruction set.
    #[inline(always)]
    pub(crate) fn playout_loop(
        &self,
        isa: impl Isa,
        state: &mut State,
        rng: &mut Rng,
        horizon: Horizon,
    ) -> u32 {
        let options = &self.options;
        let basic = !options.hidden
            && !options.cavalry_escapes
            && !options.berserkers_advance
            && options.engaged_by_arrows
            && options.turn_limit <= MOST_TURNS;
        let whole = horizon.turns == u32::MAX && horizon.actions >= ALL_ACTIONS;
        let mut choices = Choices::NONE;
        if !(basic && whole && state.stage == Stage::Deploy) {
            // Nothing to run before the first choice, but its options are to be found.
            self.run_on(state, &mut choices, &mut ());
        }
        let mut progress = Progressing::new(horizon);
        while progress.goes_on(self.turn(state)) {
            if basic && whole && state.stage == Stage::Deploy {
                return progress.actions() + self.play_turns(isa, state, rng);
            }
            let deed = choices.draw(rng);
            self.perform(state, deed, &mut ());
            self.run_on(state, &mut choices, &mut ());
            progress.played();
        }
        progress.actions()
    }

    /// From the beginning of a turn to the end of the game; says how many choices there were.
    #[inline(always)]
    fn play_turns(&self, isa: impl Isa, state: &mut State, rng: &mut Rng) -> u32 {
        let sides = Seat::BOTH.map(|seat| self.side(state, seat));
        let mut actions = 0;
        if state.mover == Seat::One {
            actions += self.play_turn::<1>(isa, sides, state, rng);
        }
        while state.stage != Stage::Over {
            actions += self.play_turn::<0>(isa, sides, state, rng);
            if state.stage == Stage::Over {
                break;
            }
            actions += self.play_turn::<1>(isa, sides, state, rng);
        }
        actions
    }

    #[inline(always)]
    fn play_turn<const SEAT: usize>(
        &self,
        isa: impl Isa,
        sides: [&Side; 2],
        state: &mut State,
        rng: &mut Rng,
    ) -> u32 {
        let me = Seat::from_index(SEAT);
        let side = sides[SEAT];
        let mut actions = 0;
        let sets = deployments(isa, state, side, me);
        let count: u32 = sets.iter().map(|set| set.count_ones()).sum();
        let mut attacked = false;
        if count > 0 {
            let drawn = draw(rng, count, &mut actions);
            let (place, index) = place_of(&sets, drawn);
            let at = isa.nth_bit(sets[place], index);
            let kind = state.hand[SEAT][place];
            state.take_place_from_hand(me, place as u32);
            state.put(side, me, kind, at);
            state.placed = at as u8;
            attacked = side.hits(kind, at) & state.held[1 - SEAT] != 0;
        }
        let mut engaged = state.threatened(me.other());
        let mut gone = under_arrows(state, me);
        let able = may_fire(state, me, attacked) & !engaged;
        let shooters = useful_shooters(state, side, me, able, gone);
        if shooters != 0 {
            state.waiting = shooters;
            actions += isa.shoot(self, side, state, rng);
            gone = enemies_gone(state, side, gone);
        }
        let fallen = self.fallen(state, me);
        let mut free = state.held(me) & !state.placed_bit();
        if gone | fallen != 0 {
            remove_both(state, sides, me, gone, fallen);
            if state.stage == Stage::Over {
                return actions;
            }
            engaged = state.threatened(me.other());
            free &= !engaged;
            free &= !contributors(state, side, free, gone);
        }
        forget_shots(state);
        if self.may_take_in_hand(state, me) {
            let able = free & !engaged;
            let drawn = draw(rng, 1 + able.count_ones(), &mut actions);
            if drawn > 0 {
                let at = isa.nth_bit(able, drawn - 1);
                let kind = state.lift(side, me, at);
                state.take_in_hand(me, kind, false);
            } else if state.deck_size[SEAT] > 0 {
                state.draw_card(me);
            }
        }
        state.placed = NOWHERE;
        if state.turn == self.options.turn_limit {
            finish(state, Standing::Drawn, Reason::TurnLimit);
        } else {
            state.turn += 1;
            state.mover = me.other();
        }
        actions
    }

    /// All shots of a turn. Compiled for each instruction set.
    #[inline(always)]
    pub(crate) fn shoot(
        &self,
        isa: impl Isa,
        side: &Side,
        state: &mut State,
        rng: &mut Rng,
    ) -> u32 {
        let mut actions = 0;
        while state.waiting != 0 {
            let targets = useful_targets(state, side);
            let from = state.waiting.trailing_zeros() as usize;
            state.waiting &= state.waiting - 1;
            let count = targets.count_ones();
            if count == 0 {
                continue;
            }
            let drawn = draw(rng, count + u32::from(self.options.hold), &mut actions);
            // The last option is to hold.
            if drawn < count {
                state.fired |= 1 << from;
                state.target[from] = isa.nth_bit(targets, drawn) as u8;
            }
        }
        actions
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
