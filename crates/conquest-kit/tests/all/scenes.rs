//! What is seen of Conquest: all and only what may be done and known.

use conquest::{Conquest, Deed};
use conquest_kit::scene::appearance;
use gamecore::{Buf, Game, Notation, Rng, Seat, Turn};
use protocol::scene::{Choice, Scene};
use registry::Viewer;
use serde_json::Value;

use crate::scene_checks::play;

/// The commands of both sides that a scene shows.
fn commands(scene: &Scene) -> [Vec<Value>; 2] {
    let sides = &scene.detail.value()["commands"];
    [0, 1].map(|seat: usize| sides[seat].as_array().expect("a list").clone())
}

fn text<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().expect("a text")
}

#[test]
fn previews_tell_what_an_attack_does() {
    let game = Conquest::default();
    let (mut kills, mut counters, mut second_thoughts) = (0, 0, 0);
    play(&game, &appearance(), 40, |state, scene| {
        for choice in scene.choices.iter().filter(|choice| choice.back == 0) {
            let action = game.parse_action(state, &choice.action).unwrap();
            let Deed::Attack(target) = action.deed() else { continue };
            let preview = choice.preview.as_ref().expect("attacks are weighed");
            let mut after = *state;
            game.apply(&mut after, action);
            let enemies = state.player().other();
            let dies = state.living(enemies) != after.living(enemies);
            assert_eq!(
                preview.words.iter().any(|words| words.contains("dies")),
                dies || after.living(state.player()) != state.living(state.player())
            );
            kills += usize::from(dies);
            let attacker = usize::from(state.selected().unwrap());
            counters += usize::from(after.health(attacker) < state.health(attacker));
            let told = preview.effects.iter().find(|effect| {
                let (col, row) = state.square(target);
                effect.square == u16::from(row) * 20 + u16::from(col)
            });
            assert!(told.is_some_and(|told| told.lost == dies), "{preview:?}");
        }
        second_thoughts += scene.choices.iter().filter(|choice| choice.back == 1).count();
        // Only what can be done is named.
        let mut actions = Buf::new();
        game.actions(state, &mut actions);
        let able = |is: fn(Deed) -> bool| actions.iter().any(|it| is(it.deed()));
        let named = |word: &str| scene.status.contains(word);
        let selecting = able(|deed| matches!(deed, Deed::Select(_)));
        assert_eq!(named("choose a troop"), selecting, "{}", scene.status);
        for (word, able) in [
            ("move the", able(|deed| matches!(deed, Deed::Move { .. }))),
            ("attack with", able(|deed| matches!(deed, Deed::Attack(_)))),
            ("use a command", able(|deed| matches!(deed, Deed::Command(..)))),
            ("end the turn", able(|deed| deed == Deed::End)),
        ] {
            assert!(named(word) == (able && !selecting), "{word}: {}", scene.status);
        }
    });
    assert!(
        kills > 0 && counters > 0 && second_thoughts > 0,
        "{kills} {counters} {second_thoughts}"
    );
}

/// The reasons of both sides' commands, whoever looks.
#[test]
fn a_command_that_cannot_be_used_says_why() {
    let game = Conquest::default();
    let reasons = |position: &str| {
        let state = game.parse_position(position).unwrap();
        let seen = [None, Some(Seat::Zero), Some(Seat::One)].map(|eyes| {
            let scene = (appearance().scene)(&game, &state, &Viewer { eyes, last: None });
            commands(&scene).map(|commands| {
                let told = commands
                    .iter()
                    .map(|it| format!("{}: {}", text(it, "name"), text(it, "reason")));
                told.collect::<Vec<String>>()
            })
        });
        assert!(seen[1] == seen[0] && seen[2] == seen[0], "{seen:?}");
        seen[0].clone()
    };
    let moving = reasons(
        "0 move 20 0 open 150/75 BattleCry,Charge,Chastise Stoicism:2,Bombard,ShieldWall \
         K9/8=300 S10/9=100,F12/12=200 -",
    );
    assert_eq!(
        moving[0],
        [
            "Battle Cry: only after moving or after attacking",
            "Charge: ",
            "Chastise: only after moving or after attacking",
        ]
    );
    assert_eq!(
        moving[1],
        [
            "Stoicism: cools down for 2 turns",
            "Bombard: needs 125 more points",
            "Shield Wall: waits for its turn",
        ]
    );
    let rallying = reasons(
        "0 rally 20 0 open 900/75 Regenerate,ShieldWall,Chastise,WindsOfFate - \
         K9/8=300!ShieldWall S10/9=100 -",
    );
    assert_eq!(
        rallying[0],
        [
            "Regenerate: no own troop is hurt",
            "Winds of Fate: no own command cools down",
            "Chastise: another enemy troop must stay free to act",
            "Shield Wall: no own troop that lacks it has more than 100 health",
        ]
    );
}

#[test]
fn another_troop_can_be_selected_instead() {
    let game = Conquest::default();
    let before = game.start(&conquest::Setup::default(), &mut Rng::new(1));
    let mut actions = Buf::new();
    game.actions(&before, &mut actions);
    let mut state = before;
    game.apply(&mut state, actions[0]);
    let look = Viewer { eyes: Some(Seat::Zero), last: Some((&before, actions[0])) };
    let scene = (appearance().scene)(&game, &state, &look);
    let others: Vec<&Choice> = scene.choices.iter().filter(|choice| choice.back == 1).collect();
    assert_eq!(others.len(), actions.len() - 1);
    let own = game.action_text(&before, actions[0]);
    assert!(others.iter().all(|choice| choice.action != own && choice.preview.is_none()));
}

#[test]
fn secret_commands_stay_secret() {
    let game = Conquest::new(conquest::Options::parse("secret-commands=yes").unwrap());
    let appearance = appearance();
    let mut rng = Rng::new(1);
    let mut state = game.start(&game.parse_setup(["Default", "Default"]).unwrap(), &mut rng);
    let (mut actions, mut hidden) = (Buf::new(), 0);
    for _ in 0..600 {
        for eyes in Seat::BOTH {
            // Whatever the other side may have bought, these eyes see the same.
            let other = game.sample(&game.view(&state, eyes), &mut rng);
            let look = |state: &_| {
                (appearance.scene)(&game, state, &Viewer { eyes: Some(eyes), last: None })
            };
            let (scene, again) = (look(&state), look(&other));
            assert_eq!((&scene.pieces, &scene.detail), (&again.pieces, &again.detail));
            assert_eq!((&scene.status, &scene.overlays), (&again.status, &again.overlays));
            let commands = commands(&scene);
            assert!(!commands[eyes.index()].is_empty());
            hidden += usize::from(commands[eyes.other().index()].is_empty());
        }
        if game.turn(&state) == Turn::Over {
            break;
        }
        actions.clear();
        game.actions(&state, &mut actions);
        game.apply(&mut state, actions[rng.below(actions.len() as u32) as usize]);
    }
    // Commands that were used are known.
    assert!(hidden > 10, "{hidden}");
}
