//! Transcripts and compressed boards: round trips, and input that may be anything.

use crate::common::random_game;
use gamecore::Rng;
use othello::bits::{START_OPP, START_OWN};
use othello::formats::compressed;
use othello::formats::transcript::{self, Passes};
use proptest::prelude::*;

proptest! {
    #[test]
    fn transcripts_survive_the_round_trip(seed in any::<u64>()) {
        let actions = random_game(&mut Rng::new(seed), usize::MAX);
        for passes in [Passes::Written, Passes::LeftOut] {
            let text = transcript::write(&actions, passes);
            let again = transcript::read(&text, START_OWN, START_OPP);
            prop_assert_eq!(again, Ok(actions.clone()));
        }
    }

    #[test]
    fn any_transcript_is_read_or_refused(text in any::<String>(), own in any::<u64>(), opp in any::<u64>()) {
        let _ = transcript::read(&text, own, opp);
        let _ = transcript::read(&text, START_OWN, START_OPP);
    }

    #[test]
    fn move_like_transcripts_are_read_or_refused(text in "([a-iA-I][0-9]|pa|pass|--|[0-9]{1,3}[.)]|[ ,é]){0,20}") {
        let _ = transcript::read(&text, START_OWN, START_OPP);
    }

    #[test]
    fn any_action_can_be_written(actions in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = transcript::write(&actions, Passes::Written);
    }

    #[test]
    fn any_compressed_text_is_read_or_refused(text in any::<String>()) {
        let _ = compressed::read(&text);
    }

    #[test]
    fn cell_like_texts_are_read_or_refused(text in "([0-9]{1,4}-?[, +é]?){0,20}") {
        let _ = compressed::read(&text);
    }

    #[test]
    fn any_two_boards_survive_compression(black in any::<u64>(), other in any::<u64>()) {
        let white = other & !black;
        prop_assert_eq!(compressed::read(&compressed::write(black, white)), Ok((black, white)));
    }
}
