//! Scenes tell all and only what may be done and seen, in random games. Kits hold theirs against it.

use std::collections::BTreeSet;

use gamecore::{Buf, Notation, Rng, Turn, random_action};
use protocol::scene::{Geometry, Scene};
use registry::{Appearance, Viewer};

/// Plays random games and shows every position to `check`, with the scene for all eyes.
pub(crate) fn play<G: Notation>(
    game: &G,
    appearance: &Appearance<G>,
    games: u64,
    mut check: impl FnMut(&G::State, &Scene),
) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&G::Setup::default(), &mut rng);
        let mut last: Option<(G::State, G::Action)> = None;
        for _ in 0..300 {
            if matches!(game.turn(&state), Turn::Player(_)) {
                let seen = last.as_ref().map(|(state, action)| (state, *action));
                let scene = (appearance.scene)(game, &state, &Viewer { eyes: None, last: seen });
                check_choices(game, &state, &scene);
                check_board(&(appearance.geometry)(game), &scene);
                check_eyes(game, appearance, &state);
                check(&state, &scene);
            }
            let Some(action) = random_action(game, &state, &mut rng) else { break };
            last = Some((state.clone(), action));
            game.apply(&mut state, action);
        }
    }
}

/// Every legal action is one choice, and what is pointed at tells them apart.
fn check_choices<G: Notation>(game: &G, state: &G::State, scene: &Scene) {
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    let legal: Vec<String> = actions.iter().map(|&a| game.action_text(state, a)).collect();
    let offered: Vec<&str> =
        scene.choices.iter().filter(|c| c.back == 0).map(|c| c.action.as_str()).collect();
    assert_eq!(legal, offered);
    assert!(scene.choices.iter().all(|choice| !choice.words.is_empty()));
    // Who reads what was better than an action must see that it is another one.
    let words: BTreeSet<&str> = scene.choices.iter().map(|choice| choice.words.as_str()).collect();
    assert_eq!(words.len(), scene.choices.len(), "{words:?}");
    // In order, a path that begins another one stands right before it.
    let mut paths: Vec<&[String]> = scene.choices.iter().map(|choice| &choice.path[..]).collect();
    paths.sort_unstable();
    assert!(paths.windows(2).all(|two| !two[1].starts_with(two[0])), "{paths:?}");
    assert!(paths.iter().all(|path| !path.is_empty()));
}

fn check_board(geometry: &Geometry, scene: &Scene) {
    let squares = geometry.names.len();
    assert_eq!(squares, usize::from(geometry.columns) * usize::from(geometry.rows));
    let mut taken: BTreeSet<u16> = scene.obstacles.iter().copied().collect();
    for placed in &scene.pieces {
        assert!(usize::from(placed.square) < squares && !placed.label.is_empty(), "{placed:?}");
        assert!(
            taken.insert(placed.square),
            "two pieces on {}",
            geometry.names[usize::from(placed.square)]
        );
    }
    let marked = scene.overlays.iter().flat_map(|overlay| &overlay.squares);
    assert!(marked.into_iter().all(|marked| usize::from(marked.square) < squares));
}

/// Who is not to act may not choose; who is sees the same choices as all eyes do.
fn check_eyes<G: Notation>(game: &G, appearance: &Appearance<G>, state: &G::State) {
    let Turn::Player(seat) = game.turn(state) else { return };
    let scene = |eyes| (appearance.scene)(game, state, &Viewer { eyes: Some(eyes), last: None });
    assert_eq!(
        scene(seat).choices,
        (appearance.scene)(game, state, &Viewer { eyes: None, last: None }).choices
    );
    assert!(scene(seat.other()).choices.is_empty());
}
