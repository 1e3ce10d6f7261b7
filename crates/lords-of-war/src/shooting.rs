//! Shooting: who may fire, and at what.

use gamecore::Seat;

use crate::board::bits;
use crate::cards::STRONGEST;
use crate::rules::LordsOfWar;
use crate::state::{Stage, State};

impl LordsOfWar {
    /// Fixes the list of shooters that may be asked in this turn. They are not engaged, take no
    /// part in a kill by arrows, were not placed to attack in this turn, and have an enemy in reach
    /// that would live, but might fall if all of them fired.
    #[inline(always)]
    pub(crate) fn begin_shooting(&self, state: &mut State, attacked: bool) {
        self.begin_shooting_of(state, state.mover, attacked);
    }

    #[inline(always)]
    pub(crate) fn begin_shooting_of(&self, state: &mut State, me: Seat, attacked: bool) {
        state.stage = Stage::Shoot;
        let mut able = state.shooters[me.index()];
        if attacked {
            able &= !(1 << state.placed);
        }
        if able != 0 {
            able &= !self.engaged(state, me);
            if able != 0 {
                self.list_shooters(state, me, able);
            }
        }
    }

    fn list_shooters(&self, state: &mut State, me: Seat, able: u64) {
        let side = self.side(state, me);
        let enemies = state.held(me.other());
        let sums = &state.sums[me.index()];
        // What all of them together could add; more than the highest defence is enough.
        let most = u32::from(side.strongest_shot) * able.count_ones();
        let (falling, reachable) =
            sums.exceeds_with(&state.slack, most.min(u32::from(STRONGEST) + 1) as u8);
        let wanted = reachable & !falling & enemies;
        if wanted == 0 {
            return;
        }
        let falling = falling & enemies;
        for at in bits(able) {
            let kind = state.kind[at];
            let kills = side.hits(kind, at) & falling != 0;
            if !kills && side.reach(kind, at) & wanted != 0 {
                state.waiting |= 1 << at;
            }
        }
    }

    /// Enemies that the shooter now asked could still help to shoot down: they would live as
    /// things stand, and fall if everyone fired who has them in reach.
    pub(crate) fn useful_targets(&self, state: &State) -> u64 {
        let me = state.mover;
        let side = self.side(state, me);
        let asked = state.waiting.trailing_zeros() as usize;
        let in_reach = side.reach(state.kind[asked], asked) & state.held(me.other());
        let mut useful = 0;
        for target in bits(in_reach) {
            let now = self.total_on(state, target);
            let mut best = now;
            for from in bits(state.waiting) {
                let kind = state.kind[from];
                if side.reach(kind, from) >> target & 1 != 0 {
                    // Who fires does not strike.
                    best += i32::from(side.shot[usize::from(kind)]);
                    best -= i32::from(side.arrow(kind, from, target));
                }
            }
            let defence = 127 - i32::from(state.slack[target]);
            if now <= defence && defence < best {
                useful |= 1 << target;
            }
        }
        useful
    }

    /// Arrows of those who have not fired, and shots aimed at it.
    pub(crate) fn total_on(&self, state: &State, target: usize) -> i32 {
        let me = state.mover;
        let side = self.side(state, me);
        let mut total = i32::from(state.sums[me.index()].at(target));
        for from in bits(state.fired) {
            let kind = state.kind[from];
            total -= i32::from(side.arrow(kind, from, target));
            if usize::from(state.target[from]) == target {
                total += i32::from(side.shot[usize::from(kind)]);
            }
        }
        total
    }
}
