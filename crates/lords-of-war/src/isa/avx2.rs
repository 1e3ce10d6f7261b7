//! x86-64 code for AVX2 with BMI1, BMI2, LZCNT and POPCNT. All functions are safe to call from
//! functions with the same features; `super` makes sure that the processor has them.

use std::arch::x86_64::{
    __m256i, _mm_or_si128, _mm_storeu_si128, _mm256_and_si256, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set_epi64x,
    _mm256_set1_epi64x, _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_storeu_si256,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64, _pdep_u64,
};

use gamecore::{Horizon, Rng};

use super::{Approach, Avx2};
use crate::rules::LordsOfWar;
use crate::state::{HAND, State};
use crate::tables::{STEPS_DOWN, STEPS_UP, Side, Ways};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn playout(
    isa: Avx2,
    game: &LordsOfWar,
    state: &mut State,
    rng: &mut Rng,
    horizon: Horizon,
) -> u32 {
    game.playout_loop(isa, state, rng, horizon)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
pub(super) fn shoot(
    isa: Avx2,
    game: &LordsOfWar,
    side: &Side,
    state: &mut State,
    rng: &mut Rng,
) -> u32 {
    game.shoot(isa, side, state, rng)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn nth_bit(set: u64, index: u32) -> usize {
    _pdep_u64(1 << index, set).trailing_zeros() as usize
}

/// The ways of a card in lanes: four steps up, four steps down, then its way without an enemy.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn reached(approach: Approach, ways: [&Ways; 6]) -> [u64; HAND] {
    let Approach { enemy, empty, beside } = approach;
    let (enemy, empty) = (all(enemy), all(empty));
    let up = _mm256_and_si256(_mm256_srlv_epi64(enemy, lanes(&STEPS_UP.map(u64::from))), empty);
    let down = _mm256_and_si256(_mm256_sllv_epi64(enemy, lanes(&STEPS_DOWN.map(u64::from))), empty);
    let beside = lanes(&[beside, 0, 0, 0]);
    let lines = [up, down, beside];
    let [first, second, third, fourth, fifth, sixth] = ways;
    // From all lanes of a card to one lane a card.
    let front = halves(open_to(lines, first), open_to(lines, second));
    let middle = halves(open_to(lines, third), open_to(lines, fourth));
    let back = halves(open_to(lines, fifth), open_to(lines, sixth));
    let four = _mm256_or_si256(
        _mm256_permute2x128_si256::<0x20>(front, middle),
        _mm256_permute2x128_si256::<0x31>(front, middle),
    );
    let two = _mm_or_si128(_mm256_castsi256_si128(back), _mm256_extracti128_si256::<1>(back));
    let mut sets = [0; HAND];
    let (to_four, to_two) = sets.split_at_mut(4);
    // SAFETY: each store writes as many words as its slice has, four and two of four.
    #[allow(unsafe_code)]
    unsafe {
        _mm256_storeu_si256(to_four.as_mut_ptr().cast(), four);
        _mm_storeu_si128(to_two.as_mut_ptr().cast(), two);
    }
    sets
}

/// What a card can use of the squares that can be come to, by the way to them.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn open_to([up, down, beside]: [__m256i; 3], ways: &Ways) -> __m256i {
    let by_up = _mm256_and_si256(up, lanes(&ways.up));
    let by_down = _mm256_and_si256(down, lanes(&ways.down));
    let by_beside = _mm256_and_si256(beside, lanes(&ways.beside));
    _mm256_or_si256(_mm256_or_si256(by_up, by_down), by_beside)
}

/// Lane 0 and 1, joined, of each card, then lane 2 and 3.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn halves(one: __m256i, other: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_unpacklo_epi64(one, other), _mm256_unpackhi_epi64(one, other))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn all(word: u64) -> __m256i {
    _mm256_set1_epi64x(word.cast_signed())
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn lanes(words: &[u64; 4]) -> __m256i {
    let [first, second, third, fourth] = words.map(u64::cast_signed);
    _mm256_set_epi64x(fourth, third, second, first)
}
