//! The playout, compiled for more than one instruction set; which one runs is decided once per
//! playout.

pub(crate) mod blocks;

use gamecore::{Horizon, Rng};

use crate::rules::LordsOfWar;
use crate::state::State;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn playout_avx2(game: &LordsOfWar, state: &mut State, rng: &mut Rng, horizon: Horizon) -> u32 {
    game.playout_loop(state, rng, horizon)
}

/// Plays uniformly random choices to the horizon.
pub(crate) fn playout(
    game: &LordsOfWar,
    state: &mut State,
    rng: &mut Rng,
    horizon: Horizon,
) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        let available = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        if available {
            // SAFETY: every feature that the function is compiled for has just been found.
            #[allow(unsafe_code)]
            return unsafe { playout_avx2(game, state, rng, horizon) };
        }
    }
    game.playout_loop(state, rng, horizon)
}

#[cfg(test)]
mod tests {
    use gamecore::Game as _;

    use super::*;

    #[test]
    fn all_instruction_sets_play_alike() {
        let game = LordsOfWar::default();
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let start = game.start(&Default::default(), &mut rng);
            let (mut fast, mut fast_rng) = (start, rng.clone());
            let (mut plain, mut plain_rng) = (start, rng);
            let counts = [
                playout(&game, &mut fast, &mut fast_rng, Horizon::GAME),
                game.playout_loop(&mut plain, &mut plain_rng, Horizon::GAME),
            ];
            assert_eq!(counts[0], counts[1]);
            assert_eq!((fast, fast_rng), (plain, plain_rng));
        }
    }
}
