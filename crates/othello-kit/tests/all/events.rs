//! What is told of a move is what it does.

use gamecore::{Buf, Game, Rng, Turn};
use othello::Othello;
use othello_kit::scene::appearance;

#[test]
fn a_move_puts_down_a_disc_and_turns_over_what_it_turns_over() {
    let (game, events_of) = (Othello, appearance().events);
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let mut board = game.start(&(), &mut rng);
        while let Turn::Player(seat) = game.turn(&board) {
            let mut actions = Buf::new();
            game.actions(&board, &mut actions);
            let action = actions[rng.below(actions.len() as u32) as usize];
            let events = events_of(&game, &board, action, None);
            let before = board;
            game.apply(&mut board, action);
            if game.is_pass(action) {
                assert_eq!(events.iter().map(|event| event.verb).collect::<Vec<_>>(), ["passed"]);
                continue;
            }
            let mut own = before.discs(seat);
            for (place, event) in events.iter().enumerate() {
                let disc = 1u64 << event.to.expect("a square");
                let verb = if place == 0 { "placed" } else { "flipped" };
                assert_eq!((event.verb, event.seat), (verb, seat.index() as u8));
                assert_eq!(own & disc, 0);
                own |= disc;
            }
            assert_eq!(own, board.discs(seat));
        }
    }
}
