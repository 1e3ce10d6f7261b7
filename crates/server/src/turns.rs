//! Whose turn it is: games that want something done get it one after the other, whatever each wants.

use std::collections::{BTreeMap, VecDeque};

/// What waits, by game.
pub(crate) struct Turns<T> {
    games: BTreeMap<String, Line<T>>,
    /// Counts turns.
    clock: u64,
    waiting: usize,
}

struct Line<T> {
    waiting: VecDeque<T>,
    running: usize,
    /// When it came, or had its last turn.
    turn: u64,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { games: BTreeMap::new(), clock: 0, waiting: 0 }
    }
}

impl<T> Turns<T> {
    /// How much waits.
    pub(crate) fn len(&self) -> usize {
        self.waiting
    }

    /// Something more for a game.
    pub(crate) fn push(&mut self, game: &str, what: T) {
        self.clock += 1;
        self.waiting += 1;
        let turn = self.clock;
        let new = || Line { waiting: VecDeque::new(), running: 0, turn };
        self.games.entry(game.to_owned()).or_insert_with(new).waiting.push_back(what);
    }

    /// What is next: of a game for which the least runs, and of those the one that waited longest
    /// for its turn.
    pub(crate) fn pop(&mut self) -> Option<(String, T)> {
        let lines = self.games.iter_mut().filter(|(_, line)| !line.waiting.is_empty());
        let (game, line) = lines.min_by_key(|(_, line)| (line.running, line.turn))?;
        let what = line.waiting.pop_front()?;
        self.clock += 1;
        self.waiting -= 1;
        line.turn = self.clock;
        line.running += 1;
        Some((game.clone(), what))
    }

    /// Something that came from [`Turns::pop`] is done.
    pub(crate) fn ended(&mut self, game: &str) {
        let Some(line) = self.games.get_mut(game) else { return };
        line.running = line.running.saturating_sub(1);
        if line.running == 0 && line.waiting.is_empty() {
            self.games.remove(game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_turns() {
        let mut turns = Turns::default();
        for (game, what) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)] {
            turns.push(game, what);
        }
        let mut order = Vec::new();
        while let Some((game, what)) = turns.pop() {
            order.push(what);
            turns.ended(&game);
        }
        assert_eq!(order, [1, 4, 5, 2, 6, 3]);
        assert!(turns.len() == 0 && turns.games.is_empty(), "nobody is remembered");
    }

    #[test]
    fn the_game_for_which_least_runs_is_next() {
        let mut turns = Turns::default();
        turns.push("a", 1);
        turns.push("a", 2);
        assert_eq!(turns.pop(), Some(("a".to_owned(), 1)));
        turns.push("b", 3);
        turns.push("b", 4);
        assert_eq!(turns.pop(), Some(("b".to_owned(), 3)));
        assert_eq!(turns.pop(), Some(("a".to_owned(), 2)), "both have one; it waits longer");
        turns.ended("b");
        assert_eq!(turns.pop(), Some(("b".to_owned(), 4)));
    }
}
