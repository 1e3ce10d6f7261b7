//! Shooting: who may fire, and at what.

use gamecore::Seat;

use crate::board::bits;
use crate::cards::STRONGEST;
use crate::rules::LordsOfWar;
use crate::state::{Stage, State};
use crate::tables::Side;

impl LordsOfWar {
    /// Fixes the list of shooters that may be asked in this turn. They are not engaged, and what
    /// [`may_fire`] and [`useful_shooters`] say.
    #[inline(always)]
    pub(crate) fn begin_shooting(&self, state: &mut State, attacked: bool) {
        let me = state.mover;
        state.stage = Stage::Shoot;
        let able = may_fire(state, me, attacked);
        if able != 0 {
            let able = able & !self.engaged(state, me);
            let falling = under_arrows(state, me);
            state.waiting = useful_shooters(state, self.side(state, me), me, able, falling);
        }
    }
}

/// Enemies that the shooter now asked could still help to shoot down: they would live as
/// things stand, and fall if everyone fired who has them in reach.
#[inline(always)]
pub(crate) fn useful_targets(state: &State, side: &Side) -> u64 {
    let me = state.mover;
    let asked = state.waiting.trailing_zeros() as usize;
    let in_reach = side.reach(state.kind[asked], asked) & state.held(me.other());
    let mut useful = 0;
    for target in bits(in_reach) {
        let now = total_on(state, side, target);
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
#[inline(always)]
pub(crate) fn total_on(state: &State, side: &Side, target: usize) -> i32 {
    let mut total = i32::from(state.sums[state.mover.index()].at(target));
    for from in bits(state.fired) {
        let kind = state.kind[from];
        total -= i32::from(side.arrow(kind, from, target));
        if usize::from(state.target[from]) == target {
            total += i32::from(side.shot[usize::from(kind)]);
        }
    }
    total
}

/// Shooters that were not placed to attack in this turn.
#[inline(always)]
pub(crate) fn may_fire(state: &State, me: Seat, attacked: bool) -> u64 {
    let all = state.shooters[me.index()];
    // A card that attacked was placed, so there is a square to shift by.
    all & !(u64::from(attacked) << (state.placed & 63))
}

/// Enemies that fall by arrows alone.
#[inline(always)]
pub(crate) fn under_arrows(state: &State, me: Seat) -> u64 {
    state.sums[me.index()].exceeds(&state.slack) & state.held(me.other())
}

/// Those of the able shooters that take no part in a kill by arrows and have an enemy in reach
/// that would live, but might fall if all of them fired.
#[inline(always)]
pub(crate) fn useful_shooters(
    state: &State,
    side: &Side,
    me: Seat,
    able: u64,
    falling: u64,
) -> u64 {
    if able == 0 {
        return 0;
    }
    // What all of them together could add; more than the highest defence is enough.
    let most = u32::from(side.strongest_shot) * able.count_ones();
    let most = most.min(u32::from(STRONGEST) + 1) as u8;
    let reachable = state.sums[me.index()].exceeds_with(&state.slack, most);
    let wanted = reachable & !falling & state.held(me.other());
    if wanted == 0 {
        return 0;
    }
    // No branch: who is of use cannot be foreseen.
    let useful = |at: usize| {
        let kind = state.kind[at];
        let strikes = side.hits(kind, at) & falling != 0;
        let reaches = side.reach(kind, at) & wanted != 0;
        u64::from(reaches & !strikes) << at
    };
    let mut shooters = 0;
    for at in bits(able) {
        shooters |= useful(at);
    }
    shooters
}
