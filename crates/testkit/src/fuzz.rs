//! What fuzz tests share: how many inputs they try, and how they damage valid ones.

/// Tried by every fuzz test unless [`CASES_VARIABLE`] says otherwise.
const DEFAULT_CASES: u32 = 20_000;

/// The environment variable that `cargo xtask fuzz` sets.
pub const CASES_VARIABLE: &str = "WARROOM_FUZZ_CASES";

/// How many inputs a fuzz test tries.
///
/// # Panics
/// If the variable is set to something that is no number: fewer cases than meant would be silent.
#[must_use]
pub fn cases() -> u32 {
    match std::env::var(CASES_VARIABLE) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{CASES_VARIABLE}={text}: no number")),
        Err(_) => DEFAULT_CASES,
    }
}

/// One change of a text: where (taken modulo the length), what kind, and with which letter.
pub type Edit = (u16, u8, char);

/// The text after some changes: letters left out, put in, replaced or doubled, or the end cut off.
#[must_use]
pub fn damaged(text: &str, edits: &[Edit]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for &(at, kind, letter) in edits {
        let at = usize::from(at) % (letters.len() + 1);
        match kind % 8 {
            0 if at == letters.len() => letters.push(letter),
            1 | 2 => letters.insert(at, letter),
            3 if at < letters.len() => letters.insert(at, letters[at]),
            4 => letters.truncate(at),
            _ if at == letters.len() => {}
            0 | 5 => letters[at] = letter,
            _ => drop(letters.remove(at)),
        }
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_is_made() {
        let after = |edit| damaged("abc", &[edit]);
        assert_eq!(after((1, 0, 'x')), "axc");
        assert_eq!(after((3, 0, 'x')), "abcx");
        assert_eq!(after((1, 1, 'x')), "axbc");
        assert_eq!(after((1, 3, 'x')), "abbc");
        assert_eq!(after((1, 4, 'x')), "a");
        assert_eq!(after((2, 6, 'x')), "ab");
        assert_eq!(after((3, 6, 'x')), "abc");
        assert_eq!(damaged("", &[(9, 6, 'x'), (9, 1, 'y')]), "y");
    }
}
