//! What agents thought of the actions they played. Chances are kept with the game; explanations, which
//! are long, only in memory and only of the last actions.

use std::collections::VecDeque;
use std::sync::Arc;

use protocol::Explanation;

/// Actions whose explanations are kept at most.
const MOST_EXPLAINED: usize = 200;
/// Actions that are named in all explanations of a game together at most; about a megabyte.
const MOST_STEPS: usize = 6_000;

/// The chance that seat 0 wins, in thousandths; `None` if nobody told one.
pub(crate) type Chance = Option<u16>;

/// A chance of a seat as the chance of seat 0.
#[must_use]
pub fn for_seat_zero(seat: u8, chance: f64) -> f64 {
    if seat == 0 { chance } else { 1.0 - chance }
}

/// A chance of a seat as it is kept.
fn kept(seat: u8, chance: f64) -> u16 {
    (for_seat_zero(seat, chance).clamp(0.0, 1.0) * 1000.0).round() as u16
}

/// What was thought of one action.
#[derive(Clone, Default)]
struct Thought {
    chance: Chance,
    explanation: Option<Arc<Explanation>>,
}

/// What was thought of every action of a game, and of those taken back.
#[derive(Default)]
pub(crate) struct Thoughts {
    played: Vec<Thought>,
    /// The next to be played again last.
    undone: Vec<Thought>,
}

impl Thoughts {
    /// Of a game that was kept, for so many actions; what is missing is unknown.
    pub(crate) fn of(chances: &[Vec<Chance>; 2], lengths: [usize; 2]) -> Self {
        let thought = |chance| Thought { chance, explanation: None };
        let [played, undone] = [0, 1].map(|part| {
            let mut chances = chances[part].clone();
            chances.resize(lengths[part], None);
            chances.into_iter().map(thought).collect()
        });
        Self { played, undone }
    }

    /// The chances of actions played and of actions taken back, to be kept.
    pub(crate) fn chances(&self) -> [Vec<Chance>; 2] {
        let chances = |thoughts: &[Thought]| thoughts.iter().map(|it| it.chance).collect();
        [chances(&self.played), chances(&self.undone)]
    }

    /// An action was played, and is the last of so many.
    pub(crate) fn play(&mut self, count: usize) {
        self.undone.clear();
        self.played.resize(count.saturating_sub(1), Thought::default());
        self.played.push(Thought::default());
    }

    /// What was thought of the action played last.
    pub(crate) fn explain(&mut self, explanation: Arc<Explanation>) {
        let Some(last) = self.played.last_mut() else { return };
        last.chance = explanation.chance.map(|chance| kept(explanation.seat, chance));
        last.explanation = Some(explanation);
        self.forget_oldest();
    }

    fn forget_oldest(&mut self) {
        let mut explained: VecDeque<(usize, usize)> = VecDeque::new();
        for (ply, thought) in self.played.iter().enumerate() {
            explained.extend(thought.explanation.as_ref().map(|it| (ply, steps_of(it))));
        }
        let mut steps: usize = explained.iter().map(|(_, steps)| steps).sum();
        while explained.len() > MOST_EXPLAINED || explained.len() > 1 && steps > MOST_STEPS {
            let Some((ply, freed)) = explained.pop_front() else { break };
            self.played[ply].explanation = None;
            steps -= freed;
        }
    }

    pub(crate) fn undo(&mut self) {
        self.undone.extend(self.played.pop());
    }

    pub(crate) fn redo(&mut self) {
        self.played.push(self.undone.pop().unwrap_or_default());
    }

    /// The chance that seat 0 wins after an action.
    pub(crate) fn chance(&self, ply: usize) -> Option<f64> {
        let thousandths = self.played.get(ply)?.chance?;
        Some(f64::from(thousandths) / 1000.0)
    }

    pub(crate) fn explanation(&self, ply: usize) -> Option<&Arc<Explanation>> {
        self.played.get(ply)?.explanation.as_ref()
    }
}

fn steps_of(explanation: &Explanation) -> usize {
    1 + explanation.line.len() + explanation.candidates.len() + explanation.pruned.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation(chance: f64) -> Arc<Explanation> {
        let game = standard::registry().open("othello", "").unwrap();
        let start = game.start(["", ""], Some(0), 0, false).unwrap();
        let session = game.open(&start, arena::Seeds::default()).unwrap();
        let told = session.unexplained("d3", "random").unwrap().told(1);
        Arc::new(Explanation { seat: 1, chance: Some(chance), ..told })
    }

    #[test]
    fn thoughts_follow_the_game() {
        let mut thoughts = Thoughts::default();
        thoughts.play(1);
        thoughts.play(2);
        thoughts.explain(explanation(0.25));
        assert_eq!((thoughts.chance(0), thoughts.chance(1)), (None, Some(0.75)));
        thoughts.undo();
        assert_eq!(thoughts.chances(), [vec![None], vec![Some(750)]]);
        thoughts.redo();
        assert!(thoughts.explanation(1).is_some());
        thoughts.undo();
        thoughts.play(2);
        assert_eq!(thoughts.chances(), [vec![None, None], vec![]], "another action was played");
        let again = Thoughts::of(&[vec![None, Some(10)], Vec::new()], [3, 1]);
        assert_eq!(again.chances(), [vec![None, Some(10), None], vec![None]]);
    }

    #[test]
    fn only_the_last_explanations_are_kept() {
        let mut thoughts = Thoughts::default();
        for count in 1..=MOST_EXPLAINED + 5 {
            thoughts.play(count);
            thoughts.explain(explanation(0.5));
        }
        assert!(thoughts.explanation(4).is_none() && thoughts.explanation(5).is_some());
        assert_eq!(thoughts.chance(4), Some(0.5));
    }
}
