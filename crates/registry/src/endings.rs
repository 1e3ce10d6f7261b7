//! How games ended, told to people: one place for the app, the terminal and lists of games.

use gamecore::{Ending, Notation, Outcome, Seat, Told};

/// An ending as records keep it, in a sentence. `you` is the reader, if a player reads it; `names` are
/// those of the players, where they are not called by their seats.
pub(crate) fn ending_words<G: Notation>(
    game: &G,
    (outcome, ending): (Outcome, &Ending),
    you: Option<Seat>,
    names: Option<[&str; 2]>,
) -> String {
    let names = match names {
        Some(names) => names.map(str::to_owned),
        None => Seat::BOTH.map(|seat| game.seat_title(seat)),
    };
    match outcome {
        Outcome::SeatZero | Outcome::SeatOne | Outcome::Draw => {
            Told { winner: outcome.winner(), ending, you, names }.words(game)
        }
        Outcome::Unfinished => format!("Not finished: {ending}"),
        Outcome::Void => format!("Does not count: {}", ending.fault_words()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::toys::TicTacToe;

    #[test]
    fn what_games_do_not_add_is_not_said() {
        let words = |outcome, text: &str| {
            ending_words(&TicTacToe, (outcome, &text.to_owned().into()), None, None)
        };
        assert_eq!(words(Outcome::SeatOne, "seat 1 wins"), "Player 2 won");
        assert_eq!(words(Outcome::Draw, "draw"), "A draw");
        assert_eq!(words(Outcome::Draw, "after 9 actions"), "A draw: after 9 actions");
        assert_eq!(words(Outcome::Unfinished, "interrupted"), "Not finished: interrupted");
        assert_eq!(
            words(Outcome::Void, "agent failed (seat 1): gone"),
            "Does not count: agent failed (player 2): gone"
        );
        let names = Some(["pvs", "random"]);
        let lost = ending_words(&TicTacToe, (Outcome::SeatZero, &Ending::Time), None, names);
        assert_eq!(lost, "pvs won: random ran out of time");
    }
}
