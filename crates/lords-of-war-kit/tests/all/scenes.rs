//! What is seen of Lords of War: all and only what may be done and known.

use gamecore::{Game, Notation, Rng, Seat};
use lords_of_war::{Deed, LordsOfWar, Stage};
use lords_of_war_kit::scene::appearance;
use registry::Viewer;

use crate::scene_checks::play;

/// On the board the arrows of seat 1 point at seat 0, who sits below; so they do in words.
#[test]
fn arrows_in_words_lie_as_on_the_board() {
    let game = LordsOfWar::default();
    let mut told = [0; 2];
    play(&game, &appearance(), 20, |state, scene| {
        let (seat, up) = (state.mover(), '↑');
        for choice in scene.choices.iter().filter(|choice| choice.words.contains(up)) {
            let action = game.parse_action(state, &choice.action).unwrap();
            let Deed::Deploy(kind, _) = action.deed() else { panic!("{choice:?}") };
            let card = &game.army(state, seat).cards[usize::from(kind)];
            let strength = card.melee[if seat == Seat::Zero { 0 } else { 4 }];
            assert!(choice.words.contains(&format!("{up}{strength}")), "{choice:?}");
            told[seat.index()] += 1;
        }
    });
    assert!(told.iter().all(|&told| told > 10), "{told:?}");
}

#[test]
fn previews_tell_what_falls_to_arrows() {
    let game = LordsOfWar::default();
    let (mut compared, mut fallen) = (0, 0);
    play(&game, &appearance(), 60, |state, scene| {
        for choice in &scene.choices {
            let action = game.parse_action(state, &choice.action).unwrap();
            let Deed::Deploy(..) = action.deed() else { continue };
            let preview = choice.preview.as_ref().expect("deployments are weighed");
            let mut after = *state;
            game.apply(&mut after, action);
            // Only where the turn stands still after combat without shots can it be compared.
            if after.turn() != state.turn()
                || after.stage() != Stage::Retreat
                || after.shots().count() > 0
            {
                continue;
            }
            let told = preview.effects.iter().filter(|effect| effect.lost).count();
            let lost = |seat| usize::from(after.lost(seat) - state.lost(seat));
            // Other cards may fall too, which this deployment does not touch.
            assert!(told <= lost(Seat::Zero) + lost(Seat::One), "{choice:?}");
            let enemies = preview.effects.split_last().unwrap().1;
            let told = enemies.iter().filter(|effect| effect.lost).count();
            assert_eq!(told, lost(state.mover().other()), "{choice:?}");
            compared += 1;
            fallen += told;
        }
    });
    assert!(compared > 100 && fallen > 20, "{compared} {fallen}");
}

#[test]
fn hidden_cards_stay_hidden() {
    let game = LordsOfWar::new(lords_of_war::Options::parse("table").unwrap());
    let appearance = appearance();
    let mut seen = 0;
    play(&game, &appearance, 20, |state, _| {
        for eyes in Seat::BOTH {
            // Any state that looks the same to these eyes must make the same scene.
            let other = game.sample(&game.view(state, eyes), &mut Rng::new(3));
            let look =
                |state| (appearance.scene)(&game, state, &Viewer { eyes: Some(eyes), last: None });
            let (scene, again) = (look(state), look(&other));
            assert_eq!(scene.detail, again.detail);
            assert_eq!(scene.pieces, again.pieces);
            assert_eq!((&scene.status, &scene.overlays), (&again.status, &again.overlays));
            let sides = &scene.detail.value()["sides"];
            assert_eq!(sides[eyes.index()]["hidden"], 0);
            seen += usize::from(sides[eyes.other().index()]["hidden"] != 0);
        }
    });
    assert!(seen > 100, "{seen}");
}
