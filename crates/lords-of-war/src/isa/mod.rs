//! The playout, compiled for more than one instruction set; which one runs is decided once per
//! playout.

#[cfg(target_arch = "x86_64")]
mod avx2;

use gamecore::{Horizon, Rng};

use crate::board::{nth_bit, shift};
use crate::rules::LordsOfWar;
use crate::state::{HAND, HAND_LIMIT, State};
use crate::tables::{STEPS_DOWN, STEPS_UP, Side, Ways};

/// What bears on where a card may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    /// Squares held by the enemy.
    pub(crate) enemy: u64,
    /// Squares without a card.
    pub(crate) empty: u64,
    /// Those beside an own card.
    pub(crate) beside: u64,
}

/// What a playout asks of an instruction set. Everything else is compiled into the functions of
/// each set. A value of such a type proves that the processor has the instructions.
pub(crate) trait Isa: Copy {
    /// The number of the `index`-th bit of a set that has so many.
    fn nth_bit(self, set: u64, index: u32) -> usize;

    /// Where each of some cards may go, by its ways there.
    fn reached(self, approach: Approach, ways: [&Ways; HAND_LIMIT]) -> [u64; HAND];

    /// All shots of a turn: rare enough to be a function of its own.
    fn shoot(self, game: &LordsOfWar, side: &Side, state: &mut State, rng: &mut Rng) -> u32;
}

/// What every processor can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn nth_bit(self, set: u64, index: u32) -> usize {
        nth_bit(set, index)
    }

    #[inline(always)]
    fn reached(self, approach: Approach, ways: [&Ways; HAND_LIMIT]) -> [u64; HAND] {
        let Approach { enemy, empty, beside } = approach;
        // From where an arrow in each direction hits an enemy.
        let up = STEPS_UP.map(|step| shift(enemy, -i32::from(step)) & empty);
        let down = STEPS_DOWN.map(|step| shift(enemy, i32::from(step)) & empty);
        let mut sets = [0; HAND];
        for (set, ways) in sets.iter_mut().zip(ways) {
            *set = beside & ways.beside[0];
            for step in 0..4 {
                *set |= up[step] & ways.up[step] | down[step] & ways.down[step];
            }
        }
        sets
    }

    #[inline(never)]
    fn shoot(self, game: &LordsOfWar, side: &Side, state: &mut State, rng: &mut Rng) -> u32 {
        game.shoot(self, side, state, rng)
    }
}

/// AVX2 with what processors have that have it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
impl Avx2 {
    /// If the processor has it.
    #[inline]
    fn find() -> Option<Self> {
        let available = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        available.then_some(Self(()))
    }

    fn playout(self, game: &LordsOfWar, state: &mut State, rng: &mut Rng, horizon: Horizon) -> u32 {
        // SAFETY: `self` was made after all features had been found.
        unsafe { avx2::playout(self, game, state, rng, horizon) }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
impl Isa for Avx2 {
    #[inline(always)]
    fn nth_bit(self, set: u64, index: u32) -> usize {
        // SAFETY: `self` was made after all features had been found.
        unsafe { avx2::nth_bit(set, index) }
    }

    #[inline(always)]
    fn reached(self, approach: Approach, ways: [&Ways; HAND_LIMIT]) -> [u64; HAND] {
        // SAFETY: `self` was made after all features had been found.
        unsafe { avx2::reached(approach, ways) }
    }

    #[inline(always)]
    fn shoot(self, game: &LordsOfWar, side: &Side, state: &mut State, rng: &mut Rng) -> u32 {
        // SAFETY: `self` was made after all features had been found.
        unsafe { avx2::shoot(self, game, side, state, rng) }
    }
}

/// Plays uniformly random choices to the horizon.
pub(crate) fn playout(
    game: &LordsOfWar,
    state: &mut State,
    rng: &mut Rng,
    horizon: Horizon,
) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = Avx2::find() {
        return isa.playout(game, state, rng, horizon);
    }
    game.playout_loop(Portable, state, rng, horizon)
}

#[cfg(test)]
mod tests {
    use gamecore::Game as _;

    use super::*;
    use crate::options::Options;
    use crate::rules::Setup;

    /// All armies against each other under rules that take every path.
    #[test]
    fn all_instruction_sets_play_alike() {
        for rules in ["", "hold=no", "opening-draw=no,turn-limit=60", "engaged=adjacent", "table"] {
            let game = LordsOfWar::new(Options::parse(rules).expect("rules of a test"));
            for seed in 0..108 {
                let mut rng = Rng::new(seed);
                let armies = [seed % 6, seed / 6 % 6].map(|army| army as u8);
                let start = game.start(&Setup { armies }, &mut rng);
                let (mut fast, mut fast_rng) = (start, rng.clone());
                let (mut plain, mut plain_rng) = (start, rng);
                let counts = [
                    playout(&game, &mut fast, &mut fast_rng, Horizon::GAME),
                    game.playout_loop(Portable, &mut plain, &mut plain_rng, Horizon::GAME),
                ];
                assert_eq!(counts[0], counts[1]);
                assert_eq!((fast, fast_rng), (plain, plain_rng));
            }
        }
    }
}
