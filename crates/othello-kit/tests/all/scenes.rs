//! What is seen of Othello, in random games.

use othello::Othello;
use othello_kit::scene::appearance;

use crate::scene_checks::play;

#[test]
fn othello_shows_its_moves() {
    let mut passes = 0;
    play(&Othello, &appearance(), 60, |state, scene| {
        let detail = scene.detail.value();
        assert_eq!(detail["game"], "othello");
        let discs = |seat: usize| detail["discs"][seat].as_u64().expect("a number");
        assert_eq!(scene.pieces.len() as u64, discs(0) + discs(1));
        assert_eq!(detail["empties"], state.empties());
        passes += usize::from(scene.choices[0].path == ["b:pass"]);
    });
    assert!(passes > 0, "no game had a pass");
}
