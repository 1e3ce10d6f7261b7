//! Readers and writers of games and boards as others store them.
//!
//! Every reader takes text or bytes that may hold anything, replays each game by the rules, and
//! either gives actions that are all legal or says what is wrong and where. An action is a square
//! (0 to 63) or [`PASS`].

pub mod compressed;
pub mod ggf;
pub mod transcript;
pub mod wthor;

use crate::bits::{START_OPP, START_OWN, flips, moves};
use crate::square::{COUNT, PASS};
use std::fmt;
use thiserror::Error;

/// A place in a text, as people count: from 1, in lines and characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// Which line.
    pub line: usize,
    /// Which character of it.
    pub character: usize,
}

impl TextPlace {
    /// The place of the character that begins at this byte.
    fn of(text: &str, offset: usize) -> Self {
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        Self { line, character: before[start..].chars().count() + 1 }
    }
}

impl fmt::Display for TextPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            1 => write!(out, "character {}", self.character),
            line => write!(out, "line {line}, character {}", self.character),
        }
    }
}

/// Why an action is against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The number names neither a square nor a pass.
    #[error("it is neither a square nor a pass")]
    NoAction,
    /// There is a disc on the square.
    #[error("the square is taken")]
    Taken,
    /// No disc would turn over, though other squares are legal.
    #[error("no disc would turn over")]
    NothingTurns,
    /// The side to move has no legal square and must pass.
    #[error("the side to move can only pass")]
    MustPass,
    /// A pass although there are legal squares.
    #[error("the side to move has a legal square and may not pass")]
    MayNotPass,
    /// Neither side has a legal square.
    #[error("the game is over")]
    Over,
}

/// A game as it is replayed: a position and the actions that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    own: u64,
    opp: u64,
    actions: Vec<u8>,
}

impl Replay {
    /// Begins at a position given from the side to move. Discs in both boards count as `opp`.
    #[must_use]
    pub fn new(own: u64, opp: u64) -> Self {
        Self { own: own & !opp, opp, actions: Vec::new() }
    }

    /// Begins at the usual start position.
    #[must_use]
    pub fn from_start() -> Self {
        Self::new(START_OWN, START_OPP)
    }

    /// Discs of the side to move, discs of the other side.
    #[must_use]
    pub fn discs(&self) -> (u64, u64) {
        (self.own, self.opp)
    }

    /// Whether the side that moved first at the beginning is to move.
    #[must_use]
    pub fn first_side_to_move(&self) -> bool {
        self.actions.len().is_multiple_of(2)
    }

    /// The actions so far.
    #[must_use]
    pub fn actions(&self) -> &[u8] {
        &self.actions
    }

    /// The actions so far, without a copy.
    #[must_use]
    pub fn into_actions(self) -> Vec<u8> {
        self.actions
    }

    /// Whether the side to move has no legal square but the other side has.
    #[must_use]
    pub fn must_pass(&self) -> bool {
        moves(self.own, self.opp) == 0 && moves(self.opp, self.own) != 0
    }

    /// Makes one action.
    ///
    /// # Errors
    ///
    /// If the action is illegal; the replay is then as before.
    pub fn play(&mut self, action: u8) -> Result<(), Illegal> {
        let legal = moves(self.own, self.opp);
        if legal == 0 && moves(self.opp, self.own) == 0 {
            return Err(Illegal::Over);
        }
        if action == PASS {
            if legal != 0 {
                return Err(Illegal::MayNotPass);
            }
            (self.own, self.opp) = (self.opp, self.own);
        } else if action > COUNT {
            return Err(Illegal::NoAction);
        } else {
            let placed = 1u64 << action;
            if (self.own | self.opp) & placed != 0 {
                return Err(Illegal::Taken);
            }
            if legal == 0 {
                return Err(Illegal::MustPass);
            }
            if legal & placed == 0 {
                return Err(Illegal::NothingTurns);
            }
            let flipped = flips(action, self.own, self.opp);
            (self.own, self.opp) = (self.opp ^ flipped, self.own ^ flipped ^ placed);
        }
        self.actions.push(action);
        Ok(())
    }

    /// As [`play`](Self::play), but passes first where the side to move must and `action` is a
    /// square: most formats leave passes out.
    ///
    /// # Errors
    ///
    /// If the action is illegal. The replay is then as before.
    pub fn play_over_passes(&mut self, action: u8) -> Result<(), Illegal> {
        if action == PASS || !self.must_pass() {
            return self.play(action);
        }
        self.play(PASS)?;
        self.play(action).inspect_err(|_| {
            (self.own, self.opp) = (self.opp, self.own);
            self.actions.pop();
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::playout;
    use gamecore::Rng;

    #[test]
    fn illegal_actions_say_why_and_change_nothing() {
        let mut replay = Replay::from_start();
        let before = replay.clone();
        assert_eq!(replay.play(27), Err(Illegal::Taken));
        assert_eq!(replay.play(0), Err(Illegal::NothingTurns));
        assert_eq!(replay.play(PASS), Err(Illegal::MayNotPass));
        assert_eq!(replay.play(65), Err(Illegal::NoAction));
        assert_eq!(replay, before);
        assert_eq!(Replay::new(1, 0).play(5), Err(Illegal::Over));
        // Own b1 against a1: only the other side can move, on c1.
        let mut stuck = Replay::new(0b0010, 0b0001);
        assert!(stuck.must_pass());
        assert_eq!(stuck.play(9), Err(Illegal::MustPass));
        assert_eq!(stuck.play_over_passes(9), Err(Illegal::NothingTurns));
        assert_eq!(stuck.actions(), []);
        assert_eq!(stuck.play_over_passes(2), Ok(()));
        assert_eq!(stuck.actions(), [PASS, 2]);
        assert_eq!(stuck.discs(), (0, 0b0111));
        assert_eq!(stuck.play(3), Err(Illegal::Over));
    }

    #[test]
    fn replays_follow_the_rules_to_the_end() {
        let mut rng = Rng::new(31);
        for _ in 0..200 {
            let mut replay = Replay::from_start();
            loop {
                let (own, opp) = replay.discs();
                let next = playout(own, opp, &mut rng, 1);
                if next.actions == 0 {
                    break;
                }
                let legal = moves(own, opp);
                let placed = (next.own | next.opp) & !(own | opp);
                let action = if legal == 0 { PASS } else { placed.trailing_zeros() as u8 };
                assert_eq!(replay.play(action), Ok(()));
                assert_eq!(replay.discs(), (next.own, next.opp));
            }
        }
    }
}
