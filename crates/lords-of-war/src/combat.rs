//! Combat: one simultaneous removal, then the question who is beaten.

use gamecore::{Recorder, Seat};

use crate::board::{Square, around, bits};
use crate::events::Event;
use crate::rules::LordsOfWar;
use crate::shooting::{total_on, under_arrows};
use crate::state::{NOWHERE, Reason, Stage, Standing, State};
use crate::tables::Side;

const LOSE_CARDS: u8 = 20;
const LOSE_COMMANDS: u8 = 4;

impl LordsOfWar {
    /// Removes every card attacked by more than its defence.
    #[inline(always)]
    pub(crate) fn fight<R: Recorder<Event>>(&self, state: &mut State, heard: &mut R) {
        let me = state.mover;
        let gone = enemies_gone(state, self.side(state, me), under_arrows(state, me));
        let fallen = self.fallen(state, me);
        let fired = state.fired;
        state.stage = Stage::Retreat;
        if gone | fallen != 0 {
            let own = state.held(me) & !fallen;
            state.contributed = contributors(state, self.side(state, me), own, gone);
            self.tell_fallen(state, [(me.other(), gone), (me, fallen)], heard);
            let sides = Seat::BOTH.map(|seat| self.side(state, seat));
            remove_both(state, sides, me, gone, fallen);
        }
        forget_shots(state);
        if self.options.berserkers_advance && state.stage != Stage::Over {
            self.advance_berserkers(state, gone, fired, heard);
        }
    }

    /// Tells which cards of which side fall, and by what attack.
    #[inline(always)]
    fn tell_fallen<R: Recorder<Event>>(&self, state: &State, of: [(Seat, u64); 2], heard: &mut R) {
        for (seat, fallen) in of {
            for at in bits(fallen) {
                heard.note(|| {
                    // Only the side to move fires.
                    let attack = if seat == state.mover {
                        i32::from(state.sums[seat.other().index()].at(at))
                    } else {
                        total_on(state, self.side(state, state.mover), at)
                    };
                    let (kind, square) = (state.kind[at], Square(at as u8));
                    Event::Eliminated { seat, kind, square, attack: attack as u8 }
                });
            }
        }
    }

    /// Own cards that fall. Without advancing berserkers only the card just placed can: all others
    /// have outlived the combat before, and no arrow has come to bear on them since.
    #[inline(always)]
    pub(crate) fn fallen(&self, state: &State, me: Seat) -> u64 {
        let against = &state.sums[me.other().index()];
        if self.options.berserkers_advance {
            return against.exceeds(&state.slack) & state.held(me);
        }
        if state.placed == NOWHERE {
            return 0;
        }
        let at = usize::from(state.placed);
        u64::from(against.at(at) + state.slack[at] > 127) << at
    }

    /// Berserkers that struck a card that fell and are not engaged follow into a vacated square:
    /// the one under their strongest arrow, of equal ones the first in square order. They are asked
    /// in square order; a square already taken is not vacant any more. There is no second combat.
    fn advance_berserkers<R: Recorder<Event>>(
        &self,
        state: &mut State,
        gone: u64,
        fired: u64,
        heard: &mut R,
    ) {
        let me = state.mover;
        let side = self.side(state, me);
        let struck = state.contributed & !fired & state.held(me);
        for from in bits(struck) {
            let kind = state.kind[from];
            if side.berserker >> kind & 1 == 0 || self.engaged(state, me) >> from & 1 != 0 {
                continue;
            }
            let vacant = side.hits(kind, from) & gone & !(state.held[0] | state.held[1]);
            let Some(to) = bits(vacant).min_by_key(|&to| 255 - side.arrow(kind, from, to)) else {
                continue;
            };
            let (place, target) = (Square(from as u8), Square(to as u8));
            heard.note(|| Event::Advanced { seat: me, kind, from: place, to: target });
            state.lift(side, me, from);
            state.put(side, me, kind, to);
            // It may not retreat from where it stands now; a card just placed has moved.
            state.contributed = state.contributed & !(1 << from) | 1 << to;
            if usize::from(state.placed) == from {
                state.placed = to as u8;
            }
        }
    }
}

/// Enemies that fall; `falling` would by arrows alone, if nobody fired.
#[inline(always)]
pub(crate) fn enemies_gone(state: &State, side: &Side, falling: u64) -> u64 {
    if state.fired == 0 {
        return falling;
    }
    let mut gone = 0;
    for at in bits(state.held(state.mover.other())) {
        let falls = total_on(state, side, at) > 127 - i32::from(state.slack[at]);
        gone |= u64::from(falls) << at;
    }
    gone
}

/// Those of some own cards with an arrow on an enemy that falls, or, if they fired, their shot.
#[inline(always)]
pub(crate) fn contributors(state: &State, side: &Side, own: u64, gone: u64) -> u64 {
    let mut set = 0;
    // No branch: who strikes cannot be foreseen.
    for at in bits(around(gone) & own & !state.fired) {
        set |= u64::from(side.hits(state.kind[at], at) & gone != 0) << at;
    }
    for at in bits(state.fired & own) {
        set |= (gone >> state.target[at] & 1) << at;
    }
    set
}

/// Takes what fell off the board; the game may be over then.
#[inline(always)]
pub(crate) fn remove_both(state: &mut State, sides: [&Side; 2], me: Seat, gone: u64, fallen: u64) {
    remove(state, sides[me.index()], me, fallen);
    remove(state, sides[me.other().index()], me.other(), gone);
    if state.placed != NOWHERE && fallen >> state.placed & 1 != 0 {
        state.placed = NOWHERE;
    }
    judge(state);
}

#[inline(always)]
fn remove(state: &mut State, side: &Side, seat: Seat, set: u64) {
    for at in bits(set) {
        let kind = state.lift(side, seat, at);
        state.lost[seat.index()] += 1;
        state.lost_commands[seat.index()] += (side.command >> kind & 1) as u8;
    }
}

/// Ends the game if a side has lost too much.
#[inline(always)]
pub(crate) fn judge(state: &mut State) {
    let by_cards = |seat: Seat| state.lost(seat) >= LOSE_CARDS;
    let by_commands = |seat: Seat| state.lost_commands(seat) >= LOSE_COMMANDS;
    let beaten = Seat::BOTH.map(|seat| by_cards(seat) || by_commands(seat));
    let (standing, loser) = match beaten {
        [false, false] => return,
        [true, true] => (Standing::Drawn, None),
        [true, false] => (Standing::One, Some(Seat::Zero)),
        [false, true] => (Standing::Zero, Some(Seat::One)),
    };
    let reason = match loser {
        None => Reason::BothBeaten,
        Some(seat) if by_cards(seat) && by_commands(seat) => Reason::CardsAndCommands,
        Some(seat) if by_cards(seat) => Reason::Cards,
        Some(_) => Reason::Commands,
    };
    finish(state, standing, reason);
}

/// Ends a game.
pub(crate) fn finish(state: &mut State, standing: Standing, reason: Reason) {
    forget_turn(state);
    state.stage = Stage::Over;
    state.standing = standing;
    state.reason = reason;
}

/// Forgets what matters within a turn only.
#[inline(always)]
pub(crate) fn forget_turn(state: &mut State) {
    forget_shots(state);
    (state.placed, state.contributed) = (NOWHERE, 0);
}

#[inline(always)]
pub(crate) fn forget_shots(state: &mut State) {
    for from in bits(state.fired) {
        state.target[from] = 0;
    }
    (state.waiting, state.fired) = (0, 0);
}
