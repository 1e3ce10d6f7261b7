//! `outlook`: the chance to win by the discs on edges, in corners, in rows and on diagonals.
//!
//! A pattern is a list of squares, placed on the board in every way to turn and mirror it. Its squares, each
//! empty, the mover's or the opponent's, are the digits of a number in base three, which finds a weight (Buro,
//! *An evaluation function for Othello based on statistics*, 1997). The sum of the weights, which depend on how
//! many squares are empty, and of mobility is the logarithm of the odds that the mover wins. How the weights
//! were fitted: `crates/othello-kit/examples/fit_outlook.rs`.

use std::sync::{Arc, LazyLock};

use gamecore::{Evaluator, Score, Seat, Term};
use othello::symmetry::Symmetry;
use othello::{Board, Othello, bits};
use serde::Deserialize;

use super::count;
use super::factors::neighbours;

/// The fitted weights that come with the program.
const BUILT_IN: &str = include_str!("../../../../data/othello/outlook.toml");

/// Thousandths of the log-odds for one step of a weight.
pub const STEP: i32 = 20;
/// Weights go as far either way.
const MOST_STEPS: i8 = 43;
/// The letter of weight 0; all letters can stand between single quotes.
const ZERO: u8 = b'S';

/// Weights differ by how many squares are empty, ten plies together.
pub const PHASES: usize = 6;

/// Squares that are looked at together.
#[derive(Debug)]
pub struct Pattern {
    group: usize,
    /// Where it lies first; turned and mirrored it lies elsewhere, too.
    pub squares: &'static [u8],
}

/// What patterns are told as.
const GROUPS: [&str; 4] = ["edges", "corners", "rows", "diagonals"];

/// All patterns.
pub const PATTERNS: [Pattern; 11] = [
    // An edge with the squares diagonally next to its corners.
    Pattern { group: 0, squares: &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14] },
    Pattern { group: 1, squares: &[0, 1, 2, 8, 9, 10, 16, 17, 18] },
    Pattern { group: 1, squares: &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12] },
    Pattern { group: 2, squares: &[8, 9, 10, 11, 12, 13, 14, 15] },
    Pattern { group: 2, squares: &[16, 17, 18, 19, 20, 21, 22, 23] },
    Pattern { group: 2, squares: &[24, 25, 26, 27, 28, 29, 30, 31] },
    Pattern { group: 3, squares: &[0, 9, 18, 27, 36, 45, 54, 63] },
    Pattern { group: 3, squares: &[1, 10, 19, 28, 37, 46, 55] },
    Pattern { group: 3, squares: &[2, 11, 20, 29, 38, 47] },
    Pattern { group: 3, squares: &[3, 12, 21, 30, 39] },
    Pattern { group: 3, squares: &[4, 13, 22, 31] },
];

/// Places of all patterns on the board.
pub const PLACES: usize = 46;
/// A multiple of the width of vectors.
const PADDED: usize = 48;

/// What every `Outlook` needs, whatever its weights.
struct Layout {
    /// By row of the board and discs of one side in it: the digits of all places, each worth 1.
    rows: Box<[[[u16; PADDED]; 256]; 8]>,
    /// Of every place: the group of its pattern, and where the numbers of its pattern begin.
    places: [(usize, usize); PLACES],
    /// By number: which weight it has. Numbers that are mirror images share one.
    stored: Vec<u32>,
    weights: usize,
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(Layout::new);

impl Layout {
    fn new() -> Self {
        let mut layout = Self {
            rows: vec![[[0; PADDED]; 256]; 8].try_into().expect("eight rows"),
            places: [(0, 0); PLACES],
            stored: Vec::new(),
            weights: 0,
        };
        let mut place = 0;
        for pattern in &PATTERNS {
            let mut seen = Vec::new();
            for symmetry in Symmetry::ALL {
                let squares: Vec<u8> =
                    pattern.squares.iter().map(|&square| symmetry.square(square)).collect();
                let mask = squares.iter().fold(0_u64, |mask, square| mask | 1 << square);
                if !seen.contains(&mask) {
                    seen.push(mask);
                    layout.add_place(place, &squares);
                    layout.places[place] = (pattern.group, layout.stored.len());
                    place += 1;
                }
            }
            layout.add_numbers(pattern.squares);
        }
        debug_assert_eq!(place, PLACES);
        layout
    }

    fn add_place(&mut self, place: usize, squares: &[u8]) {
        for (discs, row) in (0..256_usize).flat_map(|discs| (0..8).map(move |row| (discs, row))) {
            let mut digit = 1;
            for square in squares {
                if usize::from(square / 8) == row && discs >> (square % 8) & 1 == 1 {
                    self.rows[row][discs][place] += digit;
                }
                digit *= 3;
            }
        }
    }

    fn add_numbers(&mut self, squares: &[u8]) {
        let first = self.stored.len();
        // Ways to lay the pattern onto itself: which square comes to lie where.
        let onto = Symmetry::ALL.into_iter().filter_map(|symmetry| {
            let place = |square: &u8| squares.iter().position(|&it| it == symmetry.square(*square));
            squares.iter().map(place).collect::<Option<Vec<usize>>>()
        });
        let onto: Vec<Vec<usize>> = onto.collect();
        for number in 0..3_usize.pow(squares.len() as u32) {
            let image = |places: &Vec<usize>| {
                let digit = |square: usize| number / 3_usize.pow(square as u32) % 3;
                let lay = |(square, &to): (usize, &usize)| digit(square) * 3_usize.pow(to as u32);
                places.iter().enumerate().map(lay).sum()
            };
            let least: usize = onto.iter().map(image).min().unwrap_or(number);
            if least == number {
                self.stored.push(self.weights as u32);
                self.weights += 1;
            } else {
                self.stored.push(self.stored[first + least]);
            }
        }
    }

    /// The numbers of all places.
    #[inline]
    fn numbers(&self, own: u64, opp: u64) -> [u16; PADDED] {
        let (mut ours, mut theirs) = ([0_u16; PADDED], [0_u16; PADDED]);
        for (row, discs) in self.rows.iter().enumerate() {
            let (own, opp) = (own >> (8 * row) & 0xff, opp >> (8 * row) & 0xff);
            let (own, opp) = (&discs[own as usize], &discs[opp as usize]);
            for place in 0..PADDED {
                ours[place] += own[place];
                theirs[place] += opp[place];
            }
        }
        for (ours, theirs) in ours.iter_mut().zip(theirs) {
            *ours += 2 * theirs;
        }
        ours
    }
}

/// What the evaluation sees of a position, as its weights are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Which weights count.
    pub phase: usize,
    /// The weight of each place.
    pub patterns: [u32; PLACES],
    /// Legal moves, own less the opponent's, and the same of empty squares next to enemy discs.
    pub mobility: [i32; 2],
}

/// What is seen of a position by who is to move.
#[must_use]
pub fn seen(own: u64, opp: u64) -> Seen {
    let layout = &*LAYOUT;
    let numbers = layout.numbers(own, opp);
    Seen {
        phase: phase(own, opp),
        patterns: std::array::from_fn(|place| {
            layout.stored[layout.places[place].1 + usize::from(numbers[place])]
        }),
        mobility: mobility(own, opp),
    }
}

/// Number of pattern weights of a phase.
#[must_use]
pub fn pattern_weights() -> usize {
    LAYOUT.weights
}

/// The weight of a pattern, by its place in [`PATTERNS`], with this number: mirror images share one.
#[must_use]
pub fn weight_of(pattern: usize, number: usize) -> u32 {
    let before = PATTERNS[..pattern].iter().map(|it| 3_usize.pow(it.squares.len() as u32));
    LAYOUT.stored[before.sum::<usize>() + number]
}

fn phase(own: u64, opp: u64) -> usize {
    let made = (own | opp).count_ones().saturating_sub(4) as usize;
    (made / 10).min(PHASES - 1)
}

fn mobility(own: u64, opp: u64) -> [i32; 2] {
    let empty = !(own | opp);
    [
        count(bits::moves(own, opp)) - count(bits::moves(opp, own)),
        count(neighbours(opp) & empty) - count(neighbours(own) & empty),
    ]
}

/// The weights of a phase in a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseText {
    /// Thousandths of the log-odds for a legal move more.
    pub mobility: i32,
    /// The same for an empty square next to an enemy disc.
    pub potential_mobility: i32,
    /// A letter for each pattern weight.
    pub patterns: String,
}

/// A file of weights.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutlookText {
    /// By empty squares, the beginning of the game first.
    pub phase: Vec<PhaseText>,
}

fn letter(steps: i8) -> char {
    char::from(ZERO.saturating_add_signed(steps))
}

impl PhaseText {
    /// Writes weights, in steps, as letters.
    #[must_use]
    pub fn letters(weights: impl Iterator<Item = i8>) -> String {
        weights.map(|weight| letter(weight.clamp(-MOST_STEPS, MOST_STEPS))).collect()
    }
}

struct Phase {
    mobility: [i32; 2],
    /// By number, in steps.
    patterns: Vec<i8>,
}

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum OutlookError {
    #[error("{found} phases: expected {PHASES}")]
    Phases { found: usize },
    #[error("{found} pattern weights: expected {expected}")]
    Weights { found: usize, expected: usize },
    #[error("'{0}' is no weight: expected letters from '(' to '~'")]
    Letter(char),
}

/// The fitted evaluation.
pub struct Outlook([Phase; PHASES]);

impl Outlook {
    /// The one with the weights that come with the program, which are read once.
    #[must_use]
    pub fn built_in() -> Arc<Self> {
        static SHARED: LazyLock<Arc<Outlook>> = LazyLock::new(|| {
            let text = toml::from_str(BUILT_IN).expect("built-in weights are well formed");
            Arc::new(Outlook::new(&text).expect("built-in weights are complete"))
        });
        SHARED.clone()
    }

    /// One with these weights, or what is wrong with them.
    pub fn new(text: &OutlookText) -> Result<Self, OutlookError> {
        let phases: Vec<Phase> = text.phase.iter().map(Phase::new).collect::<Result<_, _>>()?;
        let found = phases.len();
        let phases = phases.try_into();
        phases.map(Self).map_err(|_| OutlookError::Phases { found })
    }

    /// The value for who is to move.
    fn for_mover(&self, own: u64, opp: u64) -> i32 {
        let layout = &*LAYOUT;
        let phase = &self.0[phase(own, opp)];
        let numbers = layout.numbers(own, opp);
        let steps: i32 = (layout.places.iter().zip(numbers))
            .map(|(&(_, first), number)| i32::from(phase.patterns[first + usize::from(number)]))
            .sum();
        let [moves, potential] = mobility(own, opp);
        STEP * steps + phase.mobility[0] * moves + phase.mobility[1] * potential
    }
}

impl Phase {
    fn new(text: &PhaseText) -> Result<Self, OutlookError> {
        let layout = &*LAYOUT;
        let (found, expected) = (text.patterns.len(), layout.weights);
        if found != expected {
            return Err(OutlookError::Weights { found, expected });
        }
        let letters = letter(-MOST_STEPS)..=letter(MOST_STEPS);
        if let Some(strange) = text.patterns.chars().find(|it| !letters.contains(it)) {
            return Err(OutlookError::Letter(strange));
        }
        let steps = |&stored: &u32| {
            text.patterns.as_bytes()[stored as usize].cast_signed() - ZERO.cast_signed()
        };
        let patterns = layout.stored.iter().map(steps).collect();
        Ok(Self { mobility: [text.mobility, text.potential_mobility], patterns })
    }
}

impl Evaluator<Othello> for Outlook {
    #[inline]
    fn evaluate(&self, _: &Othello, board: &Board, seat: Seat) -> Score {
        let value = self.for_mover(board.own(), board.opp());
        Score(if board.mover() == seat { value } else { -value })
    }

    fn explain(&self, _: &Othello, board: &Board, seat: Seat) -> Vec<Term> {
        let (layout, own, opp) = (&*LAYOUT, board.own(), board.opp());
        let phase = &self.0[phase(own, opp)];
        let mut sums = [0; GROUPS.len()];
        for (&(group, first), number) in layout.places.iter().zip(layout.numbers(own, opp)) {
            sums[group] += i32::from(phase.patterns[first + usize::from(number)]);
        }
        let sign = if board.mover() == seat { 1 } else { -1 };
        let term = |name, value: i32, weight| Term { name, value: sign * value, weight };
        let mut terms: Vec<Term> =
            GROUPS.iter().zip(sums).map(|(name, steps)| term(name, steps, STEP)).collect();
        let [moves, potential] = mobility(own, opp);
        terms.push(term("mobility", moves, phase.mobility[0]));
        terms.push(term("potential-mobility", potential, phase.mobility[1]));
        terms
    }
}
