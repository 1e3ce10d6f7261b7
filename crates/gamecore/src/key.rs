//! Mixing for position keys. Keys are written into results, so the functions never change.

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): a bijection that spreads every bit.
#[inline]
#[must_use]
pub const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Folds one more word into a key. The order of words matters.
#[inline]
#[must_use]
pub const fn fold(key: u64, word: u64) -> u64 {
    mix(key.rotate_left(29).wrapping_add(word).wrapping_add(0x9e37_79b9_7f4a_7c15))
}
