//! The WTHOR reader on small files made here.

use crate::common::random_game;
use gamecore::Rng;
use othello::formats::Illegal;
use othello::formats::wthor::{WthorError, read_games};
use othello::square::PASS;
use proptest::prelude::*;

/// The bytes of a file with the given games, passes left out.
fn file_of(games: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 2, 16];
    bytes.extend((games.len() as u32).to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend(1999u16.to_le_bytes());
    bytes.extend([8, 0, 24, 0]);
    for (index, actions) in games.iter().enumerate() {
        for number in [index as u16, 513, 7] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([40, 33]);
        let mut stored: Vec<u8> = actions
            .iter()
            .filter(|&&action| action != PASS)
            .map(|action| 10 * (action / 8 + 1) + action % 8 + 1)
            .collect();
        stored.resize(60, 0);
        bytes.extend(stored);
    }
    bytes
}

#[test]
fn games_come_back_with_their_passes() {
    let mut rng = Rng::new(51);
    let mut games: Vec<Vec<u8>> = (0..300).map(|_| random_game(&mut rng, usize::MAX)).collect();
    games.push(Vec::new());
    games.push(random_game(&mut rng, 20));
    assert!(games.iter().any(|actions| actions.contains(&PASS)));
    let file = read_games(&file_of(&games)).unwrap();
    let header = file.header;
    assert_eq!((header.created, header.year), ([20, 26, 2, 16], 1999));
    assert_eq!((header.games, header.names, header.board_size), (302, 0, 8));
    assert_eq!((header.kind, header.depth), (0, 24));
    for (index, (game, actions)) in file.games.iter().zip(&games).enumerate() {
        assert_eq!(&game.actions, actions);
        assert_eq!((game.tournament, game.black, game.white), (index as u16, 513, 7));
        assert_eq!((game.black_discs, game.theoretical_black_discs), (40, 33));
    }
    assert_eq!(file.games.len(), games.len());
}

#[test]
fn errors_name_the_game_and_the_byte() {
    let mut rng = Rng::new(52);
    let good = file_of(&[random_game(&mut rng, 60), random_game(&mut rng, 60)]);
    let with = |place: usize, byte: u8| {
        let mut bad = good.clone();
        bad[place] = byte;
        read_games(&bad).unwrap_err()
    };
    assert_eq!(read_games(&good[..9]), Err(WthorError::NoHeader { found: 9 }));
    assert!(matches!(read_games(&good[..150]), Err(WthorError::WrongLength { found: 150, .. })));
    assert!(matches!(with(4, 3), WthorError::WrongLength { count: 3, .. }));
    assert!(matches!(with(7, 255), WthorError::WrongLength { .. }), "a huge count");
    assert_eq!(with(12, 10), WthorError::BoardSize { found: 10 });
    assert_eq!(with(90, 65), WthorError::Discs { game: 1, offset: 90, found: 65 });
    let no_square = |found| WthorError::NoSquare { game: 1, number: 1, offset: 92, found };
    for byte in [0, 9, 10, 19, 20, 91, 255] {
        assert_eq!(with(92, byte), no_square(byte));
    }
    assert_eq!(
        with(24, 11),
        WthorError::Illegal {
            game: 0,
            number: 1,
            offset: 24,
            square: "a1",
            why: Illegal::NothingTurns
        }
    );
    assert_eq!(
        with(24, 44).to_string(),
        "game 0 (from 0), move 1 (d4), byte 24 is illegal: the square is taken"
    );
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_games(&bytes);
    }

    #[test]
    fn a_good_header_does_not_save_bad_games(games in 0u8..4, filling in prop::collection::vec(any::<u8>(), 300)) {
        let mut bytes = vec![20, 26, 2, 16, games, 0, 0, 0, 0, 0, 0, 0, 8, 0, 24, 0];
        bytes.extend(&filling[..usize::from(games) * 68]);
        let _ = read_games(&bytes);
    }

    #[test]
    fn damaged_files_are_read_or_refused(seed in any::<u64>(), place in 0usize..152, byte in any::<u8>()) {
        let mut rng = Rng::new(seed);
        let mut bytes = file_of(&[random_game(&mut rng, 60), random_game(&mut rng, 30)]);
        bytes[place] = byte;
        let _ = read_games(&bytes);
    }
}
