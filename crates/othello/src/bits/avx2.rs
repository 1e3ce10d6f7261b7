//! x86-64 code for AVX2 with BMI1, BMI2, LZCNT and POPCNT: the four lines through a square in the
//! four 64-bit lanes of a register.
//!
//! All functions are safe to call from functions with the same features; `super` makes sure that
//! the processor has them.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set_epi64x,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_xor_si256, _pdep_u64,
};

use super::kernels::define_kernels;
use super::portable::INNER_COLUMNS;
use super::rays::{RAYS, STEPS};
use crate::stability::AXES;

/// Discs of the side to move and of the other side, each repeated in all four lanes. Staying in
/// vector registers from move to move saves the slow way through the integer ones.
type Board = (__m256i, __m256i);

/// See [`moves`](super::moves).
///
/// # Safety
/// The processor must have the features that the function is compiled for.
#[must_use]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub fn moves(own: u64, opp: u64) -> u64 {
    board_moves(board(own, opp))
}

/// See [`flips`](super::flips).
///
/// # Safety
/// The processor must have the features that the function is compiled for.
#[must_use]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub fn flips(square: u8, own: u64, opp: u64) -> u64 {
    debug_assert!(square < 64, "the board has 64 squares");
    lowest_lane(board_flips(board(own, opp), u32::from(square)))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn lanes(values: [u64; 4]) -> __m256i {
    let [first, second, third, fourth] = values.map(u64::cast_signed);
    _mm256_set_epi64x(fourth, third, second, first)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn lowest_lane(value: __m256i) -> u64 {
    _mm_cvtsi128_si64(_mm256_castsi256_si128(value)).cast_unsigned()
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn board(own: u64, opp: u64) -> Board {
    (_mm256_set1_epi64x(own.cast_signed()), _mm256_set1_epi64x(opp.cast_signed()))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn discs((own, opp): Board) -> (u64, u64) {
    (lowest_lane(own), lowest_lane(opp))
}

/// As the portable `ends_of_runs`, for all four lines at once.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn board_moves((own, opp): Board) -> u64 {
    let step = lanes(STEPS.map(u64::from));
    let double_step = _mm256_add_epi64(step, step);
    let passable = lanes([INNER_COLUMNS, INNER_COLUMNS, u64::MAX, INNER_COLUMNS]);
    let line = _mm256_and_si256(opp, passable);

    let pairs_up = _mm256_and_si256(line, _mm256_sllv_epi64(line, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    let mut up = _mm256_and_si256(line, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(line, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(line, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(line, _mm256_srlv_epi64(down, step)));
    for _ in 0..2 {
        let further_up = _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, double_step));
        let further_down = _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, double_step));
        up = _mm256_or_si256(up, further_up);
        down = _mm256_or_si256(down, further_down);
    }
    let ends = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    any_lane(_mm256_andnot_si256(_mm256_or_si256(own, opp), ends))
}

/// The discs that turn over, in every lane.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn board_flips((own, opp): Board, square: u32) -> __m256i {
    let rays = &RAYS[(square & 63) as usize];
    let rising = lanes(rays.rising);
    let falling = lanes(rays.falling);
    let zero = _mm256_setzero_si256();

    // Rising: the lowest blocker ends the run if it is ours; the run is all of the ray below.
    let blockers = _mm256_andnot_si256(opp, rising);
    let nearest = _mm256_and_si256(blockers, _mm256_sub_epi64(zero, blockers));
    let end_up = _mm256_and_si256(nearest, own);
    let below_end = _mm256_add_epi64(end_up, _mm256_set1_epi64x(-1));
    let run_up = _mm256_andnot_si256(_mm256_cmpeq_epi64(end_up, zero), below_end);

    // Falling: smear the squares without an opposing disc down the ray. What stays clear is the
    // run; the first smeared square is its end.
    let step = lanes(STEPS.map(u64::from));
    let double_step = _mm256_add_epi64(step, step);
    let fourfold_step = _mm256_add_epi64(double_step, double_step);
    let mut smeared = _mm256_andnot_si256(opp, falling);
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, step));
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, double_step));
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, fourfold_step));
    let past_end = _mm256_srlv_epi64(smeared, step);
    let end_down =
        _mm256_and_si256(_mm256_andnot_si256(past_end, smeared), _mm256_and_si256(own, falling));
    let run_down =
        _mm256_andnot_si256(_mm256_or_si256(_mm256_cmpeq_epi64(end_down, zero), smeared), falling);

    let found = _mm256_or_si256(_mm256_and_si256(run_up, rising), run_down);
    let folded = _mm256_or_si256(found, _mm256_permute4x64_epi64::<0x4e>(found));
    _mm256_or_si256(folded, _mm256_shuffle_epi32::<0x4e>(folded))
}

/// See [`stable`](crate::stable): the four axes in the four lanes.
///
/// # Safety
/// The processor must have the features that the function is compiled for.
#[must_use]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub fn stable(discs: u64, others: u64) -> u64 {
    let steps = lanes(AXES.map(|(step, ..)| u64::from(step)));
    let not_low = lanes(AXES.map(|(_, low, _)| !low));
    let not_high = lanes(AXES.map(|(.., high)| !high));
    let mut up = _mm256_set1_epi64x((!(discs | others)).cast_signed());
    let mut down = up;
    let (mut step, mut may_rise, mut may_fall) = (steps, not_low, not_high);
    for _ in 0..3 {
        up = _mm256_or_si256(up, _mm256_and_si256(may_rise, _mm256_sllv_epi64(up, step)));
        down = _mm256_or_si256(down, _mm256_and_si256(may_fall, _mm256_srlv_epi64(down, step)));
        may_rise = _mm256_and_si256(may_rise, _mm256_sllv_epi64(may_rise, step));
        may_fall = _mm256_and_si256(may_fall, _mm256_srlv_epi64(may_fall, step));
        step = _mm256_add_epi64(step, step);
    }
    // Unsafe along an axis: an empty square on the line, and a neighbour both ways.
    let open = _mm256_or_si256(up, down);
    let open = _mm256_and_si256(open, _mm256_and_si256(not_low, not_high));
    let mut stable = discs & !any_lane(open);
    loop {
        let now = _mm256_set1_epi64x(stable.cast_signed());
        let above = _mm256_sllv_epi64(_mm256_and_si256(now, not_high), steps);
        let below = _mm256_srlv_epi64(_mm256_and_si256(now, not_low), steps);
        let next = discs & !any_lane(_mm256_andnot_si256(_mm256_or_si256(above, below), open));
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// Bits that are set in some lane.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn any_lane(value: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(value), _mm256_extracti128_si256::<1>(value));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))).cast_unsigned()
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn after_pass((own, opp): Board) -> Board {
    (opp, own)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn after_move(at: Board, square: u32) -> Board {
    let (own, opp) = at;
    let flipped = board_flips(at, square);
    let placed = _mm256_set1_epi64x((1_u64 << square).cast_signed());
    (_mm256_xor_si256(opp, flipped), _mm256_xor_si256(_mm256_xor_si256(own, placed), flipped))
}

/// The `n`-th square of `set`, counted from 0 in ascending order.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn nth_square(set: u64, n: u32) -> u32 {
    _pdep_u64(1 << n, set).trailing_zeros()
}

define_kernels!(#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
