//! Games that bring no face of their own are shown in letters, with a button for every action.

use gamecore::Notation;
use registry::Appearance;
use testkit::toys::{DiceRace, MiniPoker, StagedNim, TicTacToe};

use crate::scene_checks::play;

fn check<G: Notation>(game: &G) {
    let mut shown = 0;
    play(game, &Appearance::plain(), 20, |state, scene| {
        let detail = scene.detail.value();
        assert_eq!(detail["game"], "plain");
        assert_eq!(detail["picture"], game.picture(state));
        assert!(scene.choices.iter().all(|choice| choice.path == [format!("b:{}", choice.action)]));
        shown += 1;
    });
    assert!(shown > 20, "{shown}");
}

#[test]
fn letters_and_a_button_for_every_action() {
    check(&TicTacToe);
    check(&StagedNim::default());
    check(&DiceRace);
    check(&MiniPoker);
}
