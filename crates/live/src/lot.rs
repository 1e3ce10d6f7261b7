//! Levels draw lots: among actions that are nearly as good as the best a level plays the one that the
//! game's seed chooses, so that nobody wins the same game twice by the same moves. Hints, analyses,
//! matches and runs choose the best.

use gamecore::{Purpose, Rng, seed};
use protocol::{BoundKind, Candidate};
use registry::DecisionReport;

/// The chance to win that a level gives up at most.
const NEAR: f64 = 0.01;

/// What is said of it where levels are chosen.
pub const WORDS: &str = "A level draws among actions within 1 % of its best win probability \
    wherever its search values them exactly; tree searches vary anyway. Elo was measured without drawing.";

/// Draws for the agent with this seed, after so many actions; says how many lots there were. Only
/// values that are known exactly compare: averages differ from game to game by themselves.
pub(crate) fn draw(decision: &mut DecisionReport, agent_seed: u64, played: usize) -> usize {
    let (reading, told) = (decision.reading, &mut decision.explanation);
    let chance = |value: f64| reading.chance(value);
    let Some(best) = told.value.and_then(chance) else { return 1 };
    // Where the game is decided, the nearest win and the longest defence are played.
    let decided = !(NEAR..=1.0 - NEAR).contains(&best);
    let near = |it: &&Candidate| {
        let good = it.value.and_then(chance).is_some_and(|chance| chance >= best - NEAR);
        it.bound == BoundKind::Exact && good && (!decided || it.value == told.value)
    };
    let lots: Vec<&Candidate> = told.candidates.iter().filter(near).collect();
    // An estimate that was chosen does not compare with what is proven of others.
    if lots.len() < 2 || !lots.iter().any(|it| it.step == told.choice) {
        return 1;
    }
    let purpose = Purpose::Agent { game: 0, letter: 'l' };
    let mut rng = Rng::new(seed(agent_seed, played as u64, purpose));
    let drawn = lots[rng.below(lots.len() as u32) as usize].clone();
    let count = lots.len();
    if drawn.step != told.choice {
        told.chance = drawn.chance;
        told.value = drawn.value;
        told.value_words = drawn.value_words;
        // What was expected, and what it is made of, belongs to the other action.
        told.line = vec![drawn.step.clone()];
        told.terms = Vec::new();
        told.choice = drawn.step;
    }
    count
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arena::{Seeds, WallClock};
    use gamecore::StopToken;
    use registry::Thinking;

    use super::*;
    use crate::Seated;
    use protocol::Player;

    /// The first actions of a level that plays both seats under a seed.
    fn opening(game: &str, level: u32, run: u64, plies: usize) -> Vec<String> {
        let game = standard::registry().open(game, "").unwrap();
        let seated = Seated::new(&*game, &Player::Level { number: level }, 1).unwrap();
        // The deal is the same in all: only the level differs.
        let start = game.start(["", ""], Some(0), 1, false).unwrap();
        let mut session = game.open(&start, Seeds::default()).unwrap();
        let agent = session.add_agent(seated.agent.as_ref().unwrap(), run);
        let (clock, stop) = (WallClock::new(), StopToken::default());
        let limits = Thinking::new(&clock, &stop);
        let mut played = Vec::new();
        while played.len() < plies {
            let mut decision = session.think(agent, &limits).unwrap();
            draw(&mut decision, run, played.len());
            let action = decision.explanation.choice.action;
            session.apply(&action).unwrap();
            played.push(action);
        }
        played
    }

    /// Proven losses beside a chosen estimate that is as good as lost are no lots; in a won position
    /// only equal values are.
    #[test]
    fn an_estimate_and_a_decided_game_are_left_alone() {
        let game = standard::registry().open("othello", "").unwrap();
        let seated = Seated::new(&*game, &Player::Level { number: 10 }, 1).unwrap();
        let start = game.start(["", ""], Some(0), 1, false).unwrap();
        let mut session = game.open(&start, Seeds::default()).unwrap();
        let agent = session.add_agent(seated.agent.as_ref().unwrap(), 1);
        let (clock, stop) = (WallClock::new(), StopToken::default());
        let limits = Thinking::new(&clock, &stop);
        let mut decision = session.think(agent, &limits).unwrap();
        let best = decision.explanation.choice.clone();
        let value = decision.explanation.value;
        for it in &mut decision.explanation.candidates {
            it.bound = if it.step == best { BoundKind::Lower } else { BoundKind::Exact };
            it.value = value;
        }
        for run in 0..5 {
            assert_eq!(draw(&mut decision, run, 0), 1);
            assert_eq!(decision.explanation.choice, best);
        }
        for it in &mut decision.explanation.candidates {
            it.bound = BoundKind::Exact;
            it.value = Some(if it.step == best { 1e9 } else { 9e8 });
        }
        decision.explanation.value = Some(1e9);
        assert_eq!((draw(&mut decision, 1, 0), &decision.explanation.choice), (1, &best));
    }

    #[test]
    fn a_level_plays_other_games_under_other_seeds_and_the_same_under_the_same() {
        for (game, level, plies) in
            [("othello", 10, 6), ("othello", 15, 6), ("conquest", 2, 8), ("conquest", 9, 4)]
        {
            let games: BTreeSet<Vec<String>> =
                (0..10).map(|run| opening(game, level, run, plies)).collect();
            assert!(games.len() > 1, "{game}, level {level}: always {games:?}");
            assert_eq!(opening(game, level, 3, plies), opening(game, level, 3, plies));
        }
    }
}
