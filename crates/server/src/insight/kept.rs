//! Analyses that were finished: who comes back to a game need not wait for them again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Letters of all analyses that are kept.
const MOST_KEPT: usize = 32 << 20;

/// The last analysis of a game.
struct KeptAnalysis {
    game: String,
    /// What had been played; a game that went on, or otherwise, is another one.
    actions: Vec<String>,
    /// A list of events as JSON.
    events: Arc<str>,
}

/// The last analyses, the newest first, one of each game.
#[derive(Default)]
pub(super) struct KeptAnalyses(Mutex<VecDeque<KeptAnalysis>>);

impl KeptAnalyses {
    fn kept(&self) -> MutexGuard<'_, VecDeque<KeptAnalysis>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an analysis in place of an earlier one; the oldest make room.
    pub(super) fn keep(&self, game: &str, actions: Vec<String>, events: &[String]) {
        let events = format!("[{}]", events.join(",")).into();
        let mut kept = self.kept();
        kept.retain(|it| it.game != game);
        kept.push_front(KeptAnalysis { game: game.to_owned(), actions, events });
        let mut letters = 0;
        kept.retain(|it| {
            letters += it.events.len();
            letters <= MOST_KEPT
        });
    }

    /// The events of the last analysis of a game in which this was played.
    pub(super) fn find(&self, game: &str, actions: &[String]) -> Option<Arc<str>> {
        let kept = self.kept();
        let found = kept.iter().find(|it| it.game == game && it.actions == actions);
        found.map(|it| it.events.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept() {
        let kept = KeptAnalyses::default();
        let played = vec!["d3".to_owned()];
        kept.keep("a", played.clone(), &["1".to_owned(), "2".to_owned()]);
        assert_eq!(kept.find("a", &played).as_deref(), Some("[1,2]"));
        assert_eq!(kept.find("a", &[]), None, "something else was played");
        kept.keep("a", played.clone(), &["3".to_owned()]);
        assert_eq!(kept.find("a", &played).as_deref(), Some("[3]"), "one of each game");
        let large = "4".repeat(MOST_KEPT - 4);
        kept.keep("b", played.clone(), &[large]);
        assert_eq!((kept.find("a", &played), kept.find("b", &played).is_some()), (None, true));
    }
}
