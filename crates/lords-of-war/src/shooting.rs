//! Shooting: who may fire, and at what.

use crate::board::bits;
use crate::rules::LordsOfWar;
use crate::state::{Stage, State};

impl LordsOfWar {
    /// Fixes the list of shooters that may fire in this turn. They are not engaged, take no part in
    /// a kill by arrows, have an enemy in reach, and were not placed to attack in this turn.
    #[inline(always)]
    pub(crate) fn begin_shooting(&self, state: &mut State, attacked: bool) {
        state.stage = Stage::Shoot;
        let me = state.mover;
        let mut able = state.shooters[me.index()];
        if attacked {
            able &= !(1 << state.placed);
        }
        if able == 0 {
            return;
        }
        able &= !self.engaged(state, me);
        if able == 0 {
            return;
        }
        let enemies = state.held(me.other());
        let falling = state.sums[me.index()].exceeds(&state.slack) & enemies;
        let side = self.side(state, me);
        for at in bits(able) {
            let kind = state.kind[at];
            let kills = side.hits(kind, at) & falling != 0;
            if !kills && side.reach(kind, at) & enemies != 0 {
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
