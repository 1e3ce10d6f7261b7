//! A game through the referee, its record through text, and the record through the replay.

use std::time::Duration;

use arena::{GameOptions, GameRecord, Seeds, play_game, replay};
use gamecore::{Notation, Outcome};

use super::{Conformance, Place, require};
use gamecore::RandomAgent;

use crate::CountingClock;

pub(super) fn check_record<G: Notation>(
    game: &G,
    place: &Place,
    options: &Conformance,
    start: G::State,
) {
    let clock = CountingClock::new(Duration::from_millis(1));
    let seeds = Seeds {
        start: place.seed,
        chance: place.seed ^ 1,
        agents: [place.seed ^ 2, place.seed ^ 3],
    };
    let game_options = GameOptions {
        seeds,
        max_actions: options.max_plies as usize,
        log_decisions: true,
        log_timing: true,
        ..GameOptions::new(&clock)
    };
    let mut agents = seeds.agents.map(RandomAgent::new);
    let [zero, one] = &mut agents;
    let mut last = None;
    let record = play_game(game, start, [zero, one], &game_options, &mut |event| {
        if let arena::Event::End { state, .. } = event {
            last = Some((*state).clone());
        }
    });
    let void = record.outcome == Outcome::Void;
    require!(place, "random agents play by the rules", !void, "{}", record.reason);
    match GameRecord::from_json(&record.to_json()) {
        Ok(read) => require!(place, "record round trip", read == record, "{}", record.to_json()),
        Err(error) => panic!("{place}: record round trip: {error}"),
    }
    match replay(game, &record) {
        Ok(replayed) => require!(
            place,
            "replay reaches the last position",
            Some(replayed.final_state()) == last.as_ref(),
            "{:?}, expected {last:?}",
            replayed.final_state()
        ),
        Err(error) => panic!("{place}: replay: {error}"),
    }
}
