//! An agent of one's own: it leaves the opponent as few actions as it can. Plays any game; here
//! Othello, twenty games against chance.
#![allow(clippy::print_stdout, reason = "an example tells what it does")]

use arena::{GameOptions, WallClock, play_game};
use gamecore::{Agent, Buf, Decision, Game, Limits, RandomAgent, Rng};
use othello::Othello;

struct FewReplies;

impl<G: Game> Agent<G> for FewReplies {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        _limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        // An agent gets a view; where nothing is hidden, the only state behind it is the true one.
        let state = game.sample(view, &mut Rng::new(0));
        let mut actions = Buf::new();
        game.actions(&state, &mut actions);
        let replies = |action: &G::Action| {
            let mut after = state.clone();
            game.apply(&mut after, *action);
            let mut replies = Buf::new();
            game.actions(&after, &mut replies);
            replies.len()
        };
        let best = actions.iter().min_by_key(|action| replies(action));
        Decision::plain(*best.expect("asked to decide a game that goes on"))
    }
}

fn main() {
    let clock = WallClock::new();
    let (mut mine, mut chance) = (FewReplies, RandomAgent::new(1));
    let mut points = 0.0;
    for number in 0..20 {
        let start = Othello.start(&(), &mut Rng::new(number));
        let options = GameOptions::new(&clock);
        // Seats are exchanged from game to game.
        let record = if number % 2 == 0 {
            play_game(&Othello, start, [&mut mine, &mut chance], &options, &mut |_| {})
        } else {
            play_game(&Othello, start, [&mut chance, &mut mine], &options, &mut |_| {})
        };
        let seat = usize::try_from(number % 2).expect("0 or 1");
        points += match record.outcome.winner() {
            Some(winner) => f64::from(u8::from(winner.index() == seat)),
            None => 0.5,
        };
    }
    println!("few replies made {points} points in 20 games against chance");
}
