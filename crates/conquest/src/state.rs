//! A position, and what can be done in it, as compact plain data.

use gamecore::Seat;

use crate::units::{COMMANDS, Command, Troop};

/// Columns and rows of the board.
pub const SIZE: usize = 20;
/// Rows that belong to a side at the start.
pub const HOME_ROWS: usize = 3;
/// Troops of one side.
pub const MAX_TROOPS: usize = 10;
/// Commands of one side.
pub const MAX_COMMANDS: u32 = 4;
/// Slots of one side: a power of two, so that a side fills a register.
pub(crate) const STRIDE: usize = 16;
/// Slots of both sides. Seat 0 has the first half.
pub(crate) const SLOTS: usize = 2 * STRIDE;
/// Columns beyond the board are never free.
const BEYOND: u32 = !0 << SIZE;
/// Health a Shield Wall lets through, and what a Bombard takes.
pub(crate) const HUNDRED: u16 = 100;

/// The part of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Phase {
    Select,
    Move,
    Combat,
    Rally,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 4] = [Self::Select, Self::Move, Self::Combat, Self::Rally];

    /// Its name in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["select", "move", "combat", "rally"][self as usize]
    }
}

/// A draw that must happen before play goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Pending {
    /// None.
    Nothing,
    /// Which command Winds of Fate makes ready.
    Winds,
    /// Which troop is freed when all of a side are chastised.
    Freed,
}

/// How the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Standing {
    /// It goes on.
    Open,
    /// Seat 0 has won.
    Zero,
    /// Seat 1 has won.
    One,
    /// The limit of turns was reached.
    Drawn,
}

impl Standing {
    /// A win of this seat.
    pub(crate) const fn won(seat: Seat) -> Self {
        match seat {
            Seat::Zero => Self::Zero,
            Seat::One => Self::One,
        }
    }
}

/// A position. Slots 0–15 belong to seat 0, 16–31 to seat 1; a side fills its first slots in the
/// order of its layout and a dead troop keeps its slot, with nothing but its kind left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub(crate) col: [u8; SLOTS],
    pub(crate) row: [u8; SLOTS],
    pub(crate) kind: [u8; SLOTS],
    pub(crate) health: [u16; SLOTS],
    pub(crate) boost: [u16; SLOTS],
    /// Living troops, a bit for each slot.
    pub(crate) alive: u32,
    /// Troops that took part at the start.
    pub(crate) placed: u32,
    /// Troops that carry a command, for each command.
    pub(crate) marks: [u32; COMMANDS],
    /// Squares nobody can enter, a row a word: troops, obstacles, and all beyond the board.
    pub(crate) blocked: [u32; SIZE],
    pub(crate) points: [u32; 2],
    pub(crate) turn: u32,
    pub(crate) owned: [u16; 2],
    /// Owned commands whose cooldown is 0.
    pub(crate) ready: [u16; 2],
    /// Owned commands that the opponent has seen.
    pub(crate) revealed: [u16; 2],
    pub(crate) cooldown: [[u8; COMMANDS]; 2],
    pub(crate) player: Seat,
    pub(crate) phase: Phase,
    pub(crate) pending: Pending,
    pub(crate) standing: Standing,
    /// The slot selected this turn.
    pub(crate) selected: Option<u8>,
    /// Distance it has moved; kept only where several moves a turn are allowed.
    pub(crate) moved: u8,
}

/// Slots of a side.
#[inline]
pub(crate) const fn side(seat: Seat) -> u32 {
    0xFFFF << (STRIDE * seat as usize)
}

/// The seat a slot belongs to.
#[inline]
pub(crate) const fn owner(slot: usize) -> Seat {
    if slot < STRIDE { Seat::Zero } else { Seat::One }
}

/// The numbers of the bits that are set, ascending: the slots of a mask.
#[inline]
pub fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

impl State {
    /// An empty board before the first turn.
    pub(crate) const fn empty() -> Self {
        Self {
            col: [0; SLOTS],
            row: [0; SLOTS],
            kind: [0; SLOTS],
            health: [0; SLOTS],
            boost: [0; SLOTS],
            alive: 0,
            placed: 0,
            marks: [0; COMMANDS],
            blocked: [BEYOND; SIZE],
            points: [0; 2],
            turn: 0,
            owned: [0; 2],
            ready: [0; 2],
            revealed: [0; 2],
            cooldown: [[0; COMMANDS]; 2],
            player: Seat::Zero,
            phase: Phase::Select,
            pending: Pending::Nothing,
            standing: Standing::Open,
            selected: None,
            moved: 0,
        }
    }

    /// The seat whose turn it is.
    #[inline]
    #[must_use]
    pub const fn player(&self) -> Seat {
        self.player
    }

    /// The part of the turn.
    #[inline]
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Turns ended so far.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// How the game stands.
    #[must_use]
    pub const fn standing(&self) -> Standing {
        self.standing
    }

    /// The draw that must happen first.
    #[must_use]
    pub const fn pending(&self) -> Pending {
        self.pending
    }

    /// The slot selected this turn.
    #[inline]
    #[must_use]
    pub const fn selected(&self) -> Option<u8> {
        self.selected
    }

    /// Command points of a seat.
    #[inline]
    #[must_use]
    pub const fn points(&self, seat: Seat) -> u32 {
        self.points[seat as usize]
    }

    /// The commands of a seat, as bits.
    #[inline]
    #[must_use]
    pub const fn owned(&self, seat: Seat) -> u16 {
        self.owned[seat as usize]
    }

    /// Turns until a command is ready.
    #[inline]
    #[must_use]
    pub const fn cooldown(&self, seat: Seat, command: Command) -> u8 {
        self.cooldown[seat as usize][command as usize]
    }

    /// Slots of a seat's living troops, as bits.
    #[inline]
    #[must_use]
    pub const fn living(&self, seat: Seat) -> u32 {
        self.alive & side(seat)
    }

    /// Slots of all troops a seat began with, as bits.
    #[inline]
    #[must_use]
    pub const fn began(&self, seat: Seat) -> u32 {
        self.placed & side(seat)
    }

    /// Slots that carry a command, as bits.
    #[inline]
    #[must_use]
    pub const fn marked(&self, command: Command) -> u32 {
        self.marks[command as usize]
    }

    /// The kind of the troop in a slot.
    #[inline]
    #[must_use]
    pub const fn troop(&self, slot: usize) -> Troop {
        Troop::ALL[self.kind[slot] as usize]
    }

    /// Health of the troop in a slot, without boost; 0 if it is dead.
    #[inline]
    #[must_use]
    pub const fn health(&self, slot: usize) -> u16 {
        self.health[slot]
    }

    /// Temporary health.
    #[inline]
    #[must_use]
    pub const fn boost(&self, slot: usize) -> u16 {
        self.boost[slot]
    }

    /// Column and row of a living troop.
    #[inline]
    #[must_use]
    pub const fn square(&self, slot: usize) -> (u8, u8) {
        (self.col[slot], self.row[slot])
    }

    /// Whether a square can be entered.
    #[must_use]
    pub const fn is_free(&self, col: u8, row: u8) -> bool {
        self.blocked[row as usize] >> col & 1 == 0
    }

    /// Squares that are blocked but hold no troop, as (column, row).
    #[must_use]
    pub fn obstacles(&self) -> Vec<(u8, u8)> {
        let mut rows = self.blocked;
        for slot in bits(self.alive) {
            rows[usize::from(self.row[slot])] ^= 1 << self.col[slot];
        }
        let on = |(row, word): (usize, &u32)| {
            bits(word & !BEYOND).map(|col| (col as u8, row as u8)).collect::<Vec<_>>()
        };
        rows.iter().enumerate().flat_map(on).collect()
    }

    /// Living enemies of `seat` at a distance of at most `reach` from a square, as bits.
    #[inline(always)]
    #[must_use]
    pub fn enemies_within(&self, seat: Seat, (col, row): (u8, u8), reach: u8) -> u32 {
        let first = STRIDE * seat.other() as usize;
        let near = near_mask(
            self.col[first..first + STRIDE].try_into().expect("a side has STRIDE slots"),
            self.row[first..first + STRIDE].try_into().expect("a side has STRIDE slots"),
            col,
            row,
            reach,
        );
        near << first & self.alive
    }

    /// Steps to the nearest living enemy of `seat` if nothing were in the way; 255 if there is none.
    #[inline]
    #[must_use]
    pub fn nearest_enemy(&self, seat: Seat, (col, row): (u8, u8)) -> u8 {
        let first = STRIDE * seat.other() as usize;
        let alive = self.alive >> first;
        let mut nearest = u8::MAX;
        for slot in 0..STRIDE {
            let to = first + slot;
            let distance = self.col[to].abs_diff(col).max(self.row[to].abs_diff(row));
            let dead = u8::from(alive >> slot & 1 != 0).wrapping_sub(1);
            nearest = nearest.min(distance | dead);
        }
        nearest
    }

    /// Squares at a distance of at most `reach` from a living enemy of `seat`, a row a word.
    #[must_use]
    pub fn squares_near_enemies(&self, seat: Seat, reach: u8) -> [u32; SIZE] {
        let mut rows = [0; SIZE];
        for slot in bits(self.living(seat.other())) {
            let (col, row) = (u32::from(self.col[slot]), usize::from(self.row[slot]));
            let reach = u32::from(reach);
            let first = col.saturating_sub(reach);
            let last = (col + reach).min(SIZE as u32 - 1);
            let columns = (2u32 << last) - (1 << first);
            let near = row.saturating_sub(reach as usize)..=(row + reach as usize).min(SIZE - 1);
            for word in &mut rows[near] {
                *word |= columns;
            }
        }
        rows
    }

    /// Steps between two troops if nothing were in the way.
    #[inline]
    pub(crate) fn distance(&self, a: usize, b: usize) -> u8 {
        self.col[a].abs_diff(self.col[b]).max(self.row[a].abs_diff(self.row[b]))
    }

    /// Puts a troop on its square.
    pub(crate) fn place(&mut self, slot: usize, troop: Troop, health: u16, col: u8, row: u8) {
        self.kind[slot] = troop as u8;
        self.health[slot] = health;
        self.placed |= 1 << slot;
        self.alive |= 1 << slot;
        self.col[slot] = col;
        self.row[slot] = row;
        self.blocked[usize::from(row)] |= 1 << col;
    }

    /// Takes a troop off the board.
    #[inline]
    pub(crate) fn remove(&mut self, slot: usize) {
        self.blocked[usize::from(self.row[slot])] &= !(1 << self.col[slot]);
        self.alive &= !(1 << slot);
        for marks in &mut self.marks {
            *marks &= !(1 << slot);
        }
        self.health[slot] = 0;
        self.boost[slot] = 0;
        self.col[slot] = 0;
        self.row[slot] = 0;
    }

    /// Whether a troop carries a command.
    #[inline]
    pub(crate) const fn carries(&self, slot: usize, command: Command) -> bool {
        self.marks[command as usize] >> slot & 1 != 0
    }
}

/// Bits of the squares at a distance of at most `reach`. The loop is over bytes of one register;
/// a product then gathers eight bytes of 0 or 1 into eight bits.
#[inline(always)]
fn near_mask(cols: [u8; STRIDE], rows: [u8; STRIDE], col: u8, row: u8, reach: u8) -> u32 {
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut near = [0; STRIDE];
    for slot in 0..STRIDE {
        let distance = cols[slot].abs_diff(col).max(rows[slot].abs_diff(row));
        near[slot] = u8::from(distance <= reach);
    }
    let both = u128::from_le_bytes(near);
    let gather = |bytes: u64| bytes.wrapping_mul(GATHER) >> 56;
    (gather(both as u64) | gather((both >> 64) as u64) << 8) as u32
}

/// One decision or one outcome of a draw. The order of the kinds is the order of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

/// What an [`Action`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The selected troop goes to this square.
    Move {
        /// Column of the target.
        col: u8,
        /// Row of the target.
        row: u8,
    },
    /// The selected troop attacks the troop in this slot.
    Attack(usize),
    /// The troop in this slot is selected.
    Select(usize),
    /// A command is aimed at the troop in this slot; Winds of Fate always at slot 0.
    Command(Command, usize),
    /// The turn ends.
    End,
    /// Winds of Fate made this command ready.
    Reset(Command),
    /// The troop in this slot was freed of Chastise.
    Freed(usize),
}

const SQUARES: u16 = (SIZE * SIZE) as u16;
const ATTACKS: u16 = SQUARES;
const SELECTS: u16 = ATTACKS + SLOTS as u16;
const COMMAND: u16 = SELECTS + SLOTS as u16;
const END: u16 = COMMAND + (COMMANDS * SLOTS) as u16;
const RESETS: u16 = END + 1;
const FREED: u16 = RESETS + COMMANDS as u16;

impl Action {
    /// Ends the turn.
    pub const END: Self = Self(END);

    /// The action that does this.
    #[inline]
    #[must_use]
    pub const fn new(deed: Deed) -> Self {
        Self(match deed {
            Deed::Move { col, row } => row as u16 * SIZE as u16 + col as u16,
            Deed::Attack(slot) => ATTACKS + slot as u16,
            Deed::Select(slot) => SELECTS + slot as u16,
            Deed::Command(command, slot) => {
                COMMAND + (command as usize * SLOTS) as u16 + slot as u16
            }
            Deed::End => END,
            Deed::Reset(command) => RESETS + command as u16,
            Deed::Freed(slot) => FREED + slot as u16,
        })
    }

    /// What it does.
    #[inline]
    #[must_use]
    pub const fn deed(self) -> Deed {
        let number = self.0;
        if number < ATTACKS {
            let size = SIZE as u16;
            Deed::Move { col: (number % size) as u8, row: (number / size) as u8 }
        } else if number < SELECTS {
            Deed::Attack((number - ATTACKS) as usize)
        } else if number < COMMAND {
            Deed::Select((number - SELECTS) as usize)
        } else if number < END {
            let rest = (number - COMMAND) as usize;
            Deed::Command(Command::ALL[rest / SLOTS], rest % SLOTS)
        } else if number == END {
            Deed::End
        } else if number < FREED {
            Deed::Reset(Command::ALL[(number - RESETS) as usize])
        } else {
            Deed::Freed((number - FREED) as usize)
        }
    }
}
