//! Squares as numbers and as text.
//!
//! A square is `row * 8 + column`, both from 0: a1 is 0, b1 is 1, a2 is 8, h8 is 63. Letters are
//! columns, digits are rows. An action is a square or [`PASS`].

/// The number of squares, and the first number that is not a square.
pub const COUNT: u8 = 64;

/// The action that hands the turn over without a disc.
pub const PASS: u8 = 64;

/// Two characters a square, in ascending order.
const NAMES: &str = concat!(
    "a1b1c1d1e1f1g1h1",
    "a2b2c2d2e2f2g2h2",
    "a3b3c3d3e3f3g3h3",
    "a4b4c4d4e4f4g4h4",
    "a5b5c5d5e5f5g5h5",
    "a6b6c6d6e6f6g6h6",
    "a7b7c7d7e7f7g7h7",
    "a8b8c8d8e8f8g8h8",
);

/// The name of a square, or `pass` for every other number.
#[must_use]
pub fn name(action: u8) -> &'static str {
    let start = usize::from(action) * 2;
    NAMES.get(start..start + 2).unwrap_or("pass")
}

/// The square that two characters name, such as `d3` or `D3`. None for anything else.
#[must_use]
pub fn parse(text: &str) -> Option<u8> {
    match *text.as_bytes() {
        [letter, digit] => from_characters(letter, digit),
        _ => None,
    }
}

/// The square of a column letter and a row digit. None where either is out of range.
#[must_use]
pub fn from_characters(letter: u8, digit: u8) -> Option<u8> {
    let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
    let row = digit.wrapping_sub(b'1');
    at(row, column)
}

/// The square at a row and a column, both counted from 0. None outside the board.
#[must_use]
pub fn at(row: u8, column: u8) -> Option<u8> {
    (row < 8 && column < 8).then(|| row * 8 + column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_match() {
        assert_eq!((name(0), name(1), name(8), name(63)), ("a1", "b1", "a2", "h8"));
        assert_eq!((name(PASS), name(u8::MAX)), ("pass", "pass"));
        for square in 0..COUNT {
            assert_eq!(parse(name(square)), Some(square));
            assert_eq!(parse(&name(square).to_uppercase()), Some(square));
            assert_eq!(at(square / 8, square % 8), Some(square));
        }
    }

    #[test]
    fn what_is_not_a_square_is_refused() {
        for text in ["", "a", "a0", "a9", "i1", "1a", "a1 ", " a1", "é", "pass", "--"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!((at(8, 0), at(0, 8)), (None, None));
    }
}
