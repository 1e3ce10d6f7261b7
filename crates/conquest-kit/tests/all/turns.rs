//! Search by whole turns of Conquest.

use std::sync::Arc;
use std::time::Duration;

use conquest::Conquest;
use conquest_kit::evals::ThesisEvaluation;
use gamecore::{Agent, Budget, Game, Limits, StopToken, Turn};
use search::{TurnBeam, TurnBeamConfig};
use testkit::CountingClock;

use crate::search_common::{legal, mover, positions};

/// Nodes of trees.
const TREE: usize = 60;

/// What is shown of a decision is a turn that can be played, and what may follow.
#[test]
fn the_line_is_playable_and_begins_with_a_whole_turn() {
    let game = Conquest::default();
    let evaluator = Arc::new(ThesisEvaluation::INTENDED);
    let config = TurnBeamConfig {
        budget: Budget::default(),
        turns: Some(3),
        width: 6,
        reply: 3,
        spread: 60,
        reply_spread: 12,
        quiescence: 0,
        table_mb: 1_024,
        worlds: None,
    };
    for state in positions(&game, 6, 8, 80) {
        let mut agent = TurnBeam::<Conquest>::new(config.clone(), evaluator.clone(), None);
        let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
        let limits = Limits {
            clock: &clock,
            stop: &stop,
            time_left: None,
            progress: None,
            tree_nodes: TREE,
        };
        let decision = agent.decide(&game, &game.view(&state, mover(&game, &state)), &limits);
        if legal(&game, &state).len() == 1 {
            continue;
        }
        let (begun, mut now, mut turns) = (state, state, 0);
        let mut seat = mover(&game, &now);
        for &action in &decision.principal_variation {
            gamecore::play(&game, &mut now, action).expect("a legal line");
            if let Turn::Player(next) = game.turn(&now) {
                turns += u32::from(next != seat);
                seat = next;
            }
        }
        assert_eq!(turns, 3, "{:?}", decision.principal_variation);
        let root = decision.root.iter().find(|root| root.action == decision.action);
        assert_eq!(root.and_then(|root| root.value), decision.value);
        // The turns that were compared: the plan first, then nothing better that is certain.
        let compared = &decision.turns;
        assert!(compared.len() > 1, "{compared:?}");
        assert!(decision.principal_variation.starts_with(&compared[0].actions), "{compared:?}");
        assert_eq!(Some(compared[0].value), decision.value);
        for pair in compared.windows(2) {
            assert!(pair[0].value >= pair[1].value && pair[0].actions != pair[1].actions);
        }
        // The tree holds the turns: its first line is the plan, and every node is a legal action.
        let tree = decision.tree;
        assert!(tree.len() > decision.principal_variation.len() && tree.len() <= TREE, "{tree:?}");
        let line = |mut at: usize| {
            let mut line = Vec::new();
            while let Some(parent) = tree[at].parent {
                line.extend(tree[at].action);
                at = parent;
            }
            line.reverse();
            line
        };
        assert_eq!(line(decision.principal_variation.len()), decision.principal_variation);
        for node in 1..tree.len() {
            let mut state = begun;
            for action in line(node) {
                gamecore::play(&game, &mut state, action).expect("a legal line");
            }
        }
    }
}
