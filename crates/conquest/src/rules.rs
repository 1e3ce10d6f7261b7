//! The rules bound to their options.

use gamecore::Seat;
use gamecore::key::{fold, mix};

use crate::loadout::{Loadout, Setup};
use crate::options::Options;
use crate::reach::{Reach, path_length};
use crate::state::{HOME_ROWS, MAX_TROOPS, SIZE, STRIDE, State, bits, side};
use crate::units::{Command, Troop};

/// Conquest under its rule options.
#[derive(Clone, Debug)]
pub struct Conquest {
    pub(crate) options: Options,
    /// Commands offered in each phase.
    pub(crate) window: [u16; 4],
    /// Columns of the troop table that every move reads.
    movement: [u8; 8],
    range: [u8; 8],
}

impl Default for Conquest {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Conquest {
    /// The game under these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let mut game = Self { options, window: [0; 4], movement: [0; 8], range: [0; 8] };
        for (phase, window) in game.window.iter_mut().enumerate() {
            for command in Command::ALL {
                let phases = options.units.command(command).phases;
                if !options.command_window || phases >> phase & 1 != 0 {
                    *window |= command.bit();
                }
            }
        }
        for (kind, row) in options.units.troops.iter().enumerate() {
            game.movement[kind] = row.movement;
            game.range[kind] = row.range;
        }
        game
    }

    /// The options it was made with.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    #[inline]
    pub(crate) const fn movement(&self, kind: u8) -> u8 {
        self.movement[kind as usize & 7]
    }

    #[inline]
    pub(crate) const fn range(&self, kind: u8) -> u8 {
        self.range[kind as usize & 7]
    }

    /// How far the troop in a slot strikes.
    #[must_use]
    pub const fn range_of(&self, state: &State, slot: usize) -> u8 {
        self.range(state.kind[slot])
    }

    /// Steps of the shortest path of a troop to a square; `None` if there is none.
    #[must_use]
    pub fn steps(&self, state: &State, slot: usize, to: (u8, u8)) -> Option<u8> {
        path_length(state, state.square(slot), to, u8::MAX)
    }

    /// Squares a troop could walk to in a turn of its own, without commands.
    #[must_use]
    pub fn walkable(&self, state: &State, slot: usize) -> Vec<(u8, u8)> {
        let mut reach = Reach::EMPTY;
        reach.fill(state, state.square(slot), 0, self.movement(state.kind[slot]));
        reach.squares().collect()
    }

    /// The position with the setups on the board and no obstacles yet.
    #[must_use]
    pub fn set_up(&self, setup: &Setup) -> State {
        let mut state = State::empty();
        state.points[0] = self.options.start_points;
        for (seat, loadout) in Seat::BOTH.into_iter().zip([&setup.zero, &setup.one]) {
            state.owned[seat.index()] = loadout.commands;
            state.ready[seat.index()] = loadout.commands;
            self.place(&mut state, seat, loadout);
        }
        state
    }

    /// Puts the troops of one side on their squares: the second player as the layout is read,
    /// the first by point reflection. Placement from the back mirrors columns the other way, as
    /// the program did until April 2025.
    fn place(&self, state: &mut State, seat: Seat, loadout: &Loadout) {
        let last = SIZE - 1;
        let count = loadout.rows.len();
        let squares = loadout.rows.iter().enumerate().flat_map(|(line, squares)| {
            squares.iter().enumerate().filter_map(move |(col, troop)| Some((line, col, (*troop)?)))
        });
        for (number, (line, col, troop)) in squares.take(MAX_TROOPS).enumerate() {
            let (depth, across) = if self.options.front_first {
                (HOME_ROWS - 1 - line, last - col)
            } else {
                (HOME_ROWS - count + line, col)
            };
            let (col, row) = match seat {
                Seat::Zero => (across, depth),
                Seat::One => (last - across, last - depth),
            };
            let health = self.options.units.troop(troop).health;
            let slot = STRIDE * seat.index() + number;
            state.place(slot, troop, health, col as u8, row as u8);
        }
    }

    /// A name of the position. The turn counter is part of it: positions never repeat within a
    /// game, so graphs of positions have no cycles.
    pub(crate) fn key_of(&self, state: &State) -> u64 {
        // One troop in a word; the sum does not depend on the order, the slot is part of it.
        let mut troops = 0u64;
        for slot in bits(state.alive) {
            let word = slot as u64
                | u64::from(state.kind[slot]) << 5
                | u64::from(state.col[slot]) << 8
                | u64::from(state.row[slot]) << 13
                | u64::from(state.health[slot]) << 18
                | u64::from(state.boost[slot]) << 34;
            troops = troops.wrapping_add(mix(word));
        }
        let mut key = fold(troops, u64::from(state.alive) << 32 | u64::from(state.placed));
        for pair in state.marks.chunks(2) {
            key = fold(key, pair.iter().fold(0, |word, &marks| word << 32 | u64::from(marks)));
        }
        for seat in 0..2 {
            let mut cooldowns = u64::from(state.owned[seat]);
            for turns in state.cooldown[seat] {
                cooldowns = cooldowns << 4 | u64::from(turns);
            }
            key = fold(key, cooldowns);
        }
        key = fold(key, u64::from(state.points[0]) << 32 | u64::from(state.points[1]));
        let selected = state.selected.map_or(0, |slot| u64::from(slot) + 1);
        let scalars = state.player as u64
            | (state.phase as u64) << 1
            | (state.pending as u64) << 3
            | (state.standing as u64) << 5
            | selected << 7
            | u64::from(state.moved) << 13
            | u64::from(state.turn) << 24;
        key = fold(key, scalars);
        if self.options.obstacles > 0 || self.options.secret_commands {
            for rows in state.blocked.chunks(2) {
                key = fold(key, rows.iter().fold(0, |word, &row| word << 32 | u64::from(row)));
            }
            key = fold(key, u64::from(state.revealed[0]) << 16 | u64::from(state.revealed[1]));
        }
        key
    }
}

impl State {
    /// What a side paid for the troops it began with.
    pub(crate) fn troop_points(&self, options: &Options, seat: Seat) -> u32 {
        bits(self.placed & side(seat))
            .map(|slot| u32::from(options.units.troop(Troop::ALL[self.kind[slot] as usize]).cost))
            .sum()
    }
}
