//! What the actions of a game cost, by what agents think of the positions around them.

use gamecore::Seat;

use crate::dto::{Judgement, Mark};
use live::for_seat_zero;

/// A loss of this much of the chance to win, or more, is marked.
const MARKS: [(f64, Mark); 3] =
    [(0.20, Mark::Blunder), (0.10, Mark::Mistake), (0.05, Mark::Inaccuracy)];
/// Chances are computed, so a loss of 0.2 may come out a little smaller.
const SLACK: f64 = 1e-9;

/// What an agent thinks of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    /// The chance that seat 0 wins.
    pub(super) chance: Option<f64>,
    /// There was nothing to choose.
    pub(super) forced: bool,
    /// The agent would have played what was played.
    pub(super) agrees: bool,
    /// The chance of the seat to act after what was played, if the search at this position proved
    /// it.
    pub(super) proven: Option<f64>,
    /// The chance that seat 0 wins after what the agent would have played instead, found as that of
    /// the position after the action that was played is: searches tend to favour who is to move,
    /// so only positions with the same seat to move are compared.
    pub(super) instead: Option<f64>,
    /// The same after what was played, where chance has a part in the game: followed by the same luck.
    pub(super) played: Option<f64>,
}

/// What an action cost between two positions; `None` as long as that cannot be told.
pub(super) fn judge(
    agent: u8,
    ply: u32,
    seat: Seat,
    before: Option<&View>,
    after: Option<&View>,
) -> Option<Judgement> {
    let before = before?;
    let mover = |chance: f64| for_seat_zero(seat.index() as u8, chance);
    let loss = if before.forced || before.agrees {
        // Nobody blames an agent's own choice for what it found out a move later.
        0.0
    } else {
        let (best, now) = match before.proven {
            Some(proven) => (before.chance?, proven),
            None => {
                let now = before.played.or_else(|| after?.chance)?;
                (before.instead.or(before.chance)?, mover(now))
            }
        };
        (mover(best) - now).max(0.0)
    };
    let marks = MARKS.iter().find(|(least, _)| loss + SLACK >= *least);
    let mark = marks.map_or(Mark::Fine, |(_, mark)| *mark);
    Some(Judgement { agent, ply, seat: seat.index() as u8, forced: before.forced, loss, mark })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(chance: f64) -> View {
        View { chance: Some(chance), ..View::default() }
    }

    fn judged(seat: Seat, before: View, after: Option<View>) -> Option<(f64, Mark)> {
        let judgement = judge(0, 7, seat, Some(&before), after.as_ref())?;
        assert_eq!((judgement.ply, judgement.seat), (7, seat.index() as u8));
        Some(((judgement.loss * 1e6).round() / 1e6, judgement.mark))
    }

    #[test]
    fn losses_are_those_of_the_mover() {
        let cases = [
            (Seat::Zero, 0.6, 0.4, (0.2, Mark::Blunder)),
            (Seat::One, 0.6, 0.4, (0.0, Mark::Fine)),
            (Seat::One, 0.4, 0.5, (0.1, Mark::Mistake)),
            (Seat::Zero, 0.55, 0.5, (0.05, Mark::Inaccuracy)),
            (Seat::Zero, 0.54, 0.5, (0.04, Mark::Fine)),
        ];
        for (seat, before, after, expected) in cases {
            assert_eq!(judged(seat, view(before), Some(view(after))), Some(expected));
        }
    }

    #[test]
    fn what_was_proven_outweighs_the_next_position() {
        let proven = View { proven: Some(0.1), ..view(0.9) };
        assert_eq!(judged(Seat::Zero, proven, None), Some((0.8, Mark::Blunder)));
        assert_eq!(judged(Seat::Zero, view(0.9), None), None, "it is not known yet");
        let compared = View { instead: Some(0.7), ..view(0.9) };
        assert_eq!(judged(Seat::Zero, compared, Some(view(0.64))), Some((0.06, Mark::Inaccuracy)));
        let lucky = View { instead: Some(0.7), played: Some(0.5), ..view(0.9) };
        assert_eq!(judged(Seat::Zero, lucky, None), Some((0.2, Mark::Blunder)));
        let own = View { agrees: true, ..view(0.9) };
        assert_eq!(judged(Seat::Zero, own, Some(view(0.2))), Some((0.0, Mark::Fine)));
    }
}
