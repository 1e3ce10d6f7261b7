//! What happens in Othello: a disc is put down, and others turn over, the nearest first.

use gamecore::{Game, Seat};
use othello::{Board, Move, Othello};
use protocol::Event;

/// What a move does.
pub(super) fn events(
    game: &Othello,
    state: &Board,
    action: Move,
    _eyes: Option<Seat>,
) -> Vec<Event> {
    let (mut after, seat) = (*state, state.mover());
    let number = seat.index() as u8;
    if game.is_pass(action) {
        return vec![Event::new("passed", number)];
    }
    game.apply(&mut after, action);
    let placed = u16::from(action.number());
    let turned = state.discs(seat.other()) & after.discs(seat);
    let mut squares: Vec<u16> = (0..64).filter(|at| turned >> at & 1 != 0).collect();
    let apart = |at: u16| (at / 8).abs_diff(placed / 8).max((at % 8).abs_diff(placed % 8));
    squares.sort_by_key(|&at| apart(at));
    let event = |verb, at| Event { to: Some(at), ..Event::new(verb, number) };
    let flipped = squares.into_iter().map(|at| event("flipped", at));
    std::iter::once(event("placed", placed)).chain(flipped).collect()
}
