//! How a game ended, in one sentence for people. Records keep short texts (`discs 26:38`, `time`), which
//! are compared when a game is replayed and so never change; here they become `White won 38 to 26`.

use crate::{Notation, Seat};

/// The reason of a game lost on time, as records keep it.
pub const REASON_TIME: &str = "time";
/// The reason of a game that a seat gave up, as records keep it.
pub const REASON_RESIGNED: &str = "resigned";

/// What the one person among the players reads first.
pub const YOU_WON: &str = "You won";
/// The same after a defeat.
pub const YOU_LOST: &str = "You lost";

/// A finished game, to be told.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// Who won; `None` is a draw.
    pub winner: Option<Seat>,
    /// Why, as records keep it: what [`Notation::ending`] said, or a reason of the referee.
    pub reason: &'a str,
    /// The reader, if one of the players reads it.
    pub you: Option<Seat>,
    /// What the players are called.
    pub names: [String; 2],
}

impl Told<'_> {
    /// `: Player 2 lost 20 cards`, or `: your side lost 20 cards` for the loser; empty after a draw.
    #[must_use]
    pub fn of_loser(&self, did: &str) -> String {
        match self.winner.map(Seat::other) {
            None => String::new(),
            Some(loser) if self.you == Some(loser) => format!(": your side {did}"),
            Some(loser) => format!(": {} {did}", self.names[loser.index()]),
        }
    }

    /// The reader lost.
    #[must_use]
    pub fn is_yours(&self) -> bool {
        self.winner.is_some() && self.you == self.winner.map(Seat::other)
    }

    /// `Black won 38 to 26`, `You lost: you resigned`, `A draw: 32 discs each`.
    #[must_use]
    pub fn words<G: Notation>(&self, game: &G) -> String {
        let result = match self.winner {
            None => "A draw".to_owned(),
            Some(_) if self.is_yours() => YOU_LOST.to_owned(),
            Some(_) if self.you.is_some() => YOU_WON.to_owned(),
            Some(winner) => format!("{} won", self.names[winner.index()]),
        };
        if self.reason.is_empty() {
            return result;
        }
        let Some(winner) = self.winner else { return result + &game.ending_tail(self) };
        let loser = &self.names[winner.other().index()];
        let why = match self.reason {
            REASON_RESIGNED if self.is_yours() => ": you resigned".to_owned(),
            REASON_RESIGNED => format!(": {loser} resigned"),
            REASON_TIME if self.is_yours() => ": your time is up".to_owned(),
            REASON_TIME => format!(": {loser} ran out of time"),
            // Games that have nothing to add.
            reason if reason == format!("{winner} wins") => String::new(),
            _ => game.ending_tail(self),
        };
        result + &why
    }
}

/// Why a game does not count, with the seats as people count them: records say `(seat 0)`.
#[must_use]
pub fn fault_words(reason: &str) -> String {
    let seats = Seat::BOTH.map(|seat| (format!("({seat})"), format!("(player {})", seat.number())));
    seats.iter().fold(reason.to_owned(), |text, (kept, told)| text.replace(kept, told))
}

/// A text that begins with a capital.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_seats_from_one() {
        assert_eq!(
            fault_words("illegal action: agent 'cheat' (seat 1) chose 0"),
            "illegal action: agent 'cheat' (player 2) chose 0"
        );
        assert_eq!(fault_words("agent failed (seat 0): gone"), "agent failed (player 1): gone");
        assert_eq!(capital("élan"), "Élan");
        assert_eq!(capital(""), "");
    }
}
