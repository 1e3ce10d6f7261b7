//! The solver for x86-64 with AVX2 and BMI2.

use std::arch::x86_64::_pext_u64;

use othello::bits::avx2::{flips, moves, stable};

use crate::heuristic::{CERTAIN, define_opinion};
use crate::kernel::define_kernel;
use crate::lines::{DIAGONALS, FLIPS_ON_LINE};
use crate::patterns::{PLACEMENTS, Placement, weight};
use crate::solver::define_solver;

/// Discs that a move on the only empty square flips: the four lines through it, each gathered
/// into one byte and looked up.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn last_flips(square: u8, own: u64) -> i32 {
    let square = square as usize & 63;
    let (row, column) = (square / 8, square % 8);
    let along_row = FLIPS_ON_LINE[column][(own >> (row * 8) & 0xff) as usize];
    let along_column =
        FLIPS_ON_LINE[row][_pext_u64(own, 0x0101_0101_0101_0101 << column) as usize & 0xff];
    let diagonals = &DIAGONALS[square];
    let rising = FLIPS_ON_LINE[diagonals.rising_place as usize & 7]
        [_pext_u64(own, diagonals.rising) as usize & 0xff];
    let falling = FLIPS_ON_LINE[diagonals.falling_place as usize & 7]
        [_pext_u64(own, diagonals.falling) as usize & 0xff];
    i32::from(along_row + along_column + rising + falling)
}

/// The sum of the weights of all patterns, in quarters of a disc.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn pattern_sum(own: u64, opp: u64) -> i32 {
    let mut sum = 0;
    for Placement { mask, digits, first } in &PLACEMENTS {
        let ours = digits[_pext_u64(own, *mask) as usize & 1023] as usize;
        let theirs = digits[_pext_u64(opp, *mask) as usize & 1023] as usize;
        sum += weight(first + ours + 2 * theirs);
    }
    sum
}

define_kernel!(#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
define_opinion!(#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
define_solver!(#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
