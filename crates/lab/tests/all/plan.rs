//! The schedule of a match is a function of its spec alone.

use std::collections::BTreeSet;

use lab::{Openings, Pair, SetupsOf, by_seat, pair};
use registry::AnyGame;
use standard::registry;

fn pairs(game: &dyn AnyGame, openings: &Openings, seed: u64) -> Vec<Pair> {
    (0..20)
        .map(|index| {
            pair(game, openings, [""; 2], SetupsOf::usual(game), seed, index)
                .unwrap_or_else(|error| panic!("{error}"))
        })
        .collect()
}

#[test]
fn schedules_repeat_and_depend_on_the_seed() {
    for name in registry().names() {
        let game = registry().open(name, "").expect("a game");
        let openings = Openings::Random(None);
        let first = pairs(&*game, &openings, 7);
        assert_eq!(
            first,
            pairs(&*registry().open(name, "").expect("a game"), &openings, 7),
            "{name}"
        );
        let other = pairs(&*game, &openings, 8);
        assert!(first.iter().zip(&other).all(|(one, two)| one.seeds != two.seeds), "{name}");
        // One pair does not depend on the others.
        assert_eq!(
            pair(&*game, &openings, [""; 2], SetupsOf::usual(&*game), 7, 13).as_ref(),
            Ok(&first[13]),
            "{name}"
        );
    }
}

#[test]
fn a_pair_shares_start_and_chance_but_no_agent_seed() {
    for name in registry().names() {
        let game = registry().open(name, "").expect("a game");
        let mut seen = BTreeSet::new();
        for (number, pair) in (0..).zip(pairs(&*game, &Openings::Random(None), 3)) {
            let [first, second] = pair.seeds;
            assert_eq!(pair.index, number);
            assert_eq!((first.start, first.chance), (second.start, second.chance), "{name}");
            let mut once = [first.agents, second.agents].concat();
            once.push(first.chance);
            // Where starts are deals, two pairs share one.
            if game.info().dealt && number % 2 == 1 {
                assert!(seen.contains(&first.start), "{name}: the deal of the pair before");
            } else {
                once.push(first.start);
            }
            for seed in once {
                assert!(seen.insert(seed), "{name}: a seed serves two purposes");
            }
        }
    }
}

/// Seeds belong to letters, not to seats: agent A changes seats between the games of a pair.
#[test]
fn seats_are_exchanged_within_a_pair() {
    assert_eq!((by_seat(0, ['a', 'b']), by_seat(1, ['a', 'b'])), (['a', 'b'], ['b', 'a']));
    use gamecore::{Purpose, seed};
    let game = registry().open("othello", "").expect("a game");
    let pair = pair(&*game, &Openings::Random(None), [""; 2], SetupsOf::usual(&*game), 5, 2)
        .expect("a pair");
    let agent = |game, letter| seed(5, 2, Purpose::Agent { game, letter });
    assert_eq!(pair.seeds[0].agents, [agent(0, 'a'), agent(0, 'b')]);
    assert_eq!(pair.seeds[1].agents, [agent(1, 'b'), agent(1, 'a')]);
}

#[test]
fn given_positions_are_used_in_turn() {
    let game = registry().open("tic-tac-toe", "").expect("a game");
    let positions: Vec<String> = ["x........", "xo.......", "xox......"].map(str::to_owned).into();
    let starts: Vec<String> = pairs(&*game, &Openings::Positions(positions.clone()), 1)
        .into_iter()
        .map(|pair| pair.starts[0].clone())
        .collect();
    for (index, start) in starts.iter().enumerate() {
        assert_eq!(start, &positions[index % 3]);
    }
}

#[test]
fn random_openings_differ_and_have_their_length() {
    let game = registry().open("othello", "").expect("a game");
    for (plies, discs) in [(0, 4), (1, 5), (8, 12)] {
        let starts: BTreeSet<String> = pairs(&*game, &Openings::Random(Some(plies)), 4)
            .into_iter()
            .map(|pair| pair.starts[0].clone())
            .collect();
        for start in &starts {
            let held = start[..64].chars().filter(|cell| *cell != '-').count();
            assert_eq!(held, discs, "{start}");
        }
        assert_eq!(starts.len() == 1, plies == 0, "{plies} plies: {} starts", starts.len());
    }
    assert!(
        pair(&*game, &Openings::Random(Some(500)), [""; 2], SetupsOf::usual(&*game), 1, 0).is_err()
    );
}
