//! Scenes tell all and only what may be done and seen, in random games of the three games.

use std::collections::BTreeSet;

use conquest::{Conquest, Deed as ConquestDeed};
use gamecore::{Buf, Game, Notation, Rng, Seat, Turn, random_action};
use lords_of_war::{Deed, LordsOfWar, Stage};
use othello::Othello;
use scene::{Choice, Detail, Look, Scene, Sighted};

/// Plays random games and shows every position to `check`, with the scene for all eyes.
fn play<G: Notation>(
    game: &G,
    sighted: &Sighted<G>,
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
                let scene = (sighted.scene)(game, &state, &Look { eyes: None, last: seen });
                check_choices(game, &state, &scene);
                check_board(&(sighted.geometry)(game), &scene);
                check_eyes(game, sighted, &state);
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

fn check_board(geometry: &scene::Geometry, scene: &Scene) {
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
fn check_eyes<G: Notation>(game: &G, sighted: &Sighted<G>, state: &G::State) {
    let Turn::Player(seat) = game.turn(state) else { return };
    let look = |eyes| (sighted.scene)(game, state, &Look { eyes: Some(eyes), last: None });
    assert_eq!(
        look(seat).choices,
        (sighted.scene)(game, state, &Look { eyes: None, last: None }).choices
    );
    assert!(look(seat.other()).choices.is_empty());
}

#[test]
fn othello_shows_its_moves() {
    let mut passes = 0;
    play(&Othello, &scene::othello(), 60, |state, scene| {
        let Detail::Othello(detail) = &scene.detail else { panic!("{:?}", scene.detail) };
        assert_eq!(scene.pieces.len(), usize::from(detail.discs[0] + detail.discs[1]));
        assert_eq!(u32::from(detail.empties), state.empties());
        passes += usize::from(scene.choices[0].path == ["b:pass"]);
    });
    assert!(passes > 0, "no game had a pass");
}

#[test]
fn conquest_tells_what_an_attack_does() {
    let game = Conquest::default();
    let (mut kills, mut counters, mut second_thoughts) = (0, 0, 0);
    play(&game, &scene::conquest(), 40, |state, scene| {
        for choice in scene.choices.iter().filter(|choice| choice.back == 0) {
            let action = game.parse_action(state, &choice.action).unwrap();
            let ConquestDeed::Attack(target) = action.deed() else { continue };
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
        let able = |is: fn(ConquestDeed) -> bool| actions.iter().any(|it| is(it.deed()));
        let named = |word: &str| scene.status.contains(word);
        let selecting = able(|deed| matches!(deed, ConquestDeed::Select(_)));
        assert_eq!(named("choose a troop"), selecting, "{}", scene.status);
        for (word, able) in [
            ("move the", able(|deed| matches!(deed, ConquestDeed::Move { .. }))),
            ("attack with", able(|deed| matches!(deed, ConquestDeed::Attack(_)))),
            ("use a command", able(|deed| matches!(deed, ConquestDeed::Command(..)))),
            ("end the turn", able(|deed| deed == ConquestDeed::End)),
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
            let scene = (scene::conquest().scene)(&game, &state, &Look { eyes, last: None });
            let Detail::Conquest(detail) = scene.detail else { panic!() };
            detail.commands.map(|commands| {
                let told = commands.iter().map(|it| format!("{}: {}", it.name, it.reason));
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

/// On the board the arrows of seat 1 point at seat 0, who sits below; so they do in words.
#[test]
fn arrows_in_words_lie_as_on_the_board() {
    let game = LordsOfWar::default();
    let mut told = [0; 2];
    play(&game, &scene::lords_of_war(), 20, |state, scene| {
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
fn another_troop_can_be_selected_instead() {
    let game = Conquest::default();
    let before = game.start(&conquest::Setup::default(), &mut Rng::new(1));
    let mut actions = Buf::new();
    game.actions(&before, &mut actions);
    let mut state = before;
    game.apply(&mut state, actions[0]);
    let look = Look { eyes: Some(Seat::Zero), last: Some((&before, actions[0])) };
    let scene = (scene::conquest().scene)(&game, &state, &look);
    let others: Vec<&Choice> = scene.choices.iter().filter(|choice| choice.back == 1).collect();
    assert_eq!(others.len(), actions.len() - 1);
    let own = game.action_text(&before, actions[0]);
    assert!(others.iter().all(|choice| choice.action != own && choice.preview.is_none()));
}

#[test]
fn lords_of_war_tells_what_falls_to_arrows() {
    let game = LordsOfWar::default();
    let (mut compared, mut fallen) = (0, 0);
    play(&game, &scene::lords_of_war(), 60, |state, scene| {
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
    let sighted = scene::lords_of_war();
    let mut seen = 0;
    play(&game, &sighted, 20, |state, _| {
        for eyes in Seat::BOTH {
            // Any state that looks the same to these eyes must make the same scene.
            let other = game.sample(&game.view(state, eyes), &mut Rng::new(3));
            let look =
                |state| (sighted.scene)(&game, state, &Look { eyes: Some(eyes), last: None });
            let (scene, again) = (look(state), look(&other));
            assert_eq!(scene.detail, again.detail);
            assert_eq!(scene.pieces, again.pieces);
            assert_eq!((&scene.status, &scene.overlays), (&again.status, &again.overlays));
            let Detail::LordsOfWar(detail) = scene.detail else { panic!() };
            assert_eq!(detail.sides[eyes.index()].hidden, 0);
            seen += usize::from(detail.sides[eyes.other().index()].hidden > 0);
        }
    });
    assert!(seen > 100, "{seen}");
}

#[test]
fn secret_commands_stay_secret() {
    let game = Conquest::new(conquest::Options::parse("secret-commands=yes").unwrap());
    let sighted = scene::conquest();
    let mut rng = Rng::new(1);
    let mut state = game.start(&game.parse_setup(["Default", "Default"]).unwrap(), &mut rng);
    let (mut actions, mut hidden) = (Buf::new(), 0);
    for _ in 0..600 {
        for eyes in Seat::BOTH {
            // Whatever the other side may have bought, these eyes see the same.
            let other = game.sample(&game.view(&state, eyes), &mut rng);
            let look =
                |state: &_| (sighted.scene)(&game, state, &Look { eyes: Some(eyes), last: None });
            let (scene, again) = (look(&state), look(&other));
            assert_eq!((&scene.pieces, &scene.detail), (&again.pieces, &again.detail));
            assert_eq!((&scene.status, &scene.overlays), (&again.status, &again.overlays));
            let Detail::Conquest(detail) = scene.detail else { panic!() };
            assert!(!detail.commands[eyes.index()].is_empty());
            hidden += usize::from(detail.commands[eyes.other().index()].is_empty());
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
