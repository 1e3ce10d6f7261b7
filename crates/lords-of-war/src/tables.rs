//! What the rules look up about a card, prepared for each seat: everything already turned the way
//! the seat sits.

use gamecore::Seat;

use crate::board::{COLS, PLACES, ROWS, STEPS, STRIDE, Square};
use crate::cards::{ARMY_SIZE, Army, Card, Class};

/// Bytes of a stamp. Only the first 19 are used; a power of two is added at once.
pub(crate) const STAMP: usize = 32;
/// Where the middle of a stamp is; the squares it adds to are at most this far away.
pub(crate) const CENTRE: usize = 9;

/// Steps to the neighbours of higher number, and of lower number: a set moves by them to the right
/// or to the left.
pub(crate) const STEPS_UP: [u8; 4] = [8, 9, 1, 7];
pub(crate) const STEPS_DOWN: [u8; 4] = [7, 8, 9, 1];

/// Rows of a table by kind that needs no check of bounds.
pub(crate) const KINDS: usize = 64;
/// The row for no card, which may be placed nowhere.
pub(crate) const BLANK: usize = ARMY_SIZE;

/// How a card may come to a square: all bits where it may, else none.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Ways {
    /// An arrow points to a square so many steps up.
    pub(crate) up: [u64; 4],
    /// And so many steps down.
    pub(crate) down: [u64; 4],
    /// The first: it supports, and may stand beside any own card.
    pub(crate) beside: [u64; 4],
}

impl Ways {
    const NONE: Self = Self { up: [0; 4], down: [0; 4], beside: [0; 4] };

    fn open(&mut self, step: i32) {
        let size = step.unsigned_abs() as u8;
        let (steps, ways) =
            if step > 0 { (STEPS_UP, &mut self.up) } else { (STEPS_DOWN, &mut self.down) };
        let place = steps.iter().position(|&known| known == size).expect("a step to a neighbour");
        ways[place] = u64::MAX;
    }
}

/// The cards of an army as one seat plays them.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// What the arrows add to the attack sums around the card.
    pub(crate) stamp: [[u8; STAMP]; ARMY_SIZE],
    /// Where they may be placed.
    pub(crate) ways: [Ways; KINDS],
    /// The squares hit from the square with bit 9.
    hits: [u64; ARMY_SIZE],
    /// 127 minus the defence: added to an attack of more than the defence, it makes 128.
    pub(crate) slack: [u8; ARMY_SIZE],
    pub(crate) shot: [u8; ARMY_SIZE],
    pub(crate) strongest_shot: u8,
    /// Squares in reach of a shot, by place among the shooters and by square.
    reach: Vec<[u64; PLACES]>,
    /// Which entry of `reach`, for cards that shoot.
    reach_of: [u8; ARMY_SIZE],
    /// Sets of kinds.
    pub(crate) command: u64,
    pub(crate) cavalry: u64,
    pub(crate) spear: u64,
    pub(crate) berserker: u64,
    pub(crate) general: u8,
}

impl Side {
    pub(crate) fn new(army: &Army, seat: Seat) -> Self {
        let set = |wanted: &dyn Fn(&Card) -> bool| {
            let kinds = army.cards.iter().enumerate().filter(|(_, card)| wanted(card));
            kinds.fold(0, |set, (kind, _)| set | 1u64 << kind)
        };
        let mut side = Self {
            stamp: [[0; STAMP]; ARMY_SIZE],
            ways: [Ways::NONE; KINDS],
            hits: [0; ARMY_SIZE],
            slack: [0; ARMY_SIZE],
            shot: [0; ARMY_SIZE],
            strongest_shot: 0,
            reach: Vec::new(),
            reach_of: [0; ARMY_SIZE],
            command: set(&Card::commands),
            cavalry: set(&|card| card.class == Class::Cavalry),
            spear: set(&|card| card.class == Class::Spear),
            berserker: set(&|card| card.class == Class::Berserker),
            general: army.general(),
        };
        for (kind, card) in army.cards.iter().enumerate() {
            side.slack[kind] = 127 - card.defence;
            side.shot[kind] = card.shot;
            side.ways[kind].beside[0] = if card.supports() { u64::MAX } else { 0 };
            side.strongest_shot = side.strongest_shot.max(card.shot);
            for (direction, &strength) in card.melee.iter().enumerate() {
                if strength == 0 {
                    continue;
                }
                // The seat at the far side is turned by 180 degrees.
                let seen = (direction + 4 * seat.index()) % 8;
                let place = (CENTRE as i32 + STEPS[seen]) as usize;
                side.stamp[kind][place] = strength;
                side.hits[kind] |= 1 << place;
                side.ways[kind].open(STEPS[seen]);
            }
            if card.shot > 0 {
                side.reach_of[kind] = side.reach.len() as u8;
                side.reach.push(reach(card, seat));
            }
        }
        side
    }

    /// Squares that a card hits from a square; bits off the board may be set too.
    #[inline(always)]
    pub(crate) fn hits(&self, kind: u8, from: usize) -> u64 {
        self.hits[usize::from(kind)] << from >> CENTRE
    }

    /// Strength of the arrow that a card at one square has on another.
    #[inline(always)]
    pub(crate) fn arrow(&self, kind: u8, from: usize, to: usize) -> u8 {
        let place = (to + CENTRE).wrapping_sub(from);
        self.stamp[usize::from(kind)].get(place).copied().unwrap_or(0)
    }

    /// Squares in reach of a shooter.
    #[inline(always)]
    pub(crate) fn reach(&self, kind: u8, from: usize) -> u64 {
        self.reach[usize::from(self.reach_of[usize::from(kind)])][from]
    }
}

fn reach(card: &Card, seat: Seat) -> [u64; PLACES] {
    let mut squares = [0; PLACES];
    for row in 0..ROWS {
        for col in 0..COLS {
            for &[dx, dy] in &card.aim {
                let turned = if seat == Seat::Zero { 1 } else { -1 };
                let col_hit = col as isize + turned * isize::from(dx);
                let row_hit = row as isize + turned * isize::from(dy);
                let (Ok(col_hit), Ok(row_hit)) = (col_hit.try_into(), row_hit.try_into()) else {
                    continue;
                };
                if let Some(square) = Square::new(col_hit, row_hit) {
                    squares[row * STRIDE + col] |= square.bit();
                }
            }
        }
    }
    squares
}
