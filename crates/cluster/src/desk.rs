//! What the coordinator has on its desk: games to hand out, games that others have, games that were
//! played before they were asked for, and games that end whoever plays them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use protocol::Fault;

use crate::Game;

/// So often a game may end its player before it is left out, and on so many workers if there are as many.
const MOST_FAULTS: usize = 3;

/// So often on however few workers: perhaps the others never come to it.
const ALL_FAULTS: usize = 50;

/// The most games of a chunk, however quick they are.
const MOST_GAMES: f64 = 5_000.0;

/// Chunks that wait for every player, so that nobody is idle while more are made.
const WAITING: usize = 3;

/// What was the pace is the pace for the most part.
const SMOOTHING: f64 = 0.3;

/// Why a game was not played.
#[derive(Default)]
struct Faults {
    /// How often.
    times: usize,
    /// On which workers.
    by: BTreeSet<String>,
    /// What happened the last time.
    what: String,
}

/// Games on their way.
#[derive(Default)]
pub(crate) struct Desk {
    /// Handed out, and not heard of since.
    flying: BTreeSet<u64>,
    /// Played before they were asked for.
    kept: BTreeMap<u64, Game>,
    /// Heard by whoever asked.
    done: BTreeSet<u64>,
    /// Games that were not played.
    faults: BTreeMap<u64, Faults>,
    /// Seconds that a player takes for a game.
    pace: Option<f64>,
    /// Asked for, to be handed out.
    todo: VecDeque<u64>,
    /// Perhaps asked for next.
    ahead: VecDeque<u64>,
}

impl Desk {
    /// Games are asked for; those that were played before they were.
    pub(crate) fn ask(&mut self, numbers: &[u64], ahead: &[u64]) -> Vec<Game> {
        let kept: Vec<Game> =
            numbers.iter().filter_map(|number| self.kept.remove(number)).collect();
        let there: BTreeSet<u64> = kept.iter().map(|(row, _)| row.number).collect();
        self.done.extend(&there);
        let free = |number: &&u64| !self.flying.contains(number) && !there.contains(number);
        self.todo = numbers.iter().filter(free).copied().collect();
        let fresh = |number: &&u64| {
            free(number) && !self.done.contains(number) && !self.kept.contains_key(number)
        };
        self.ahead = ahead.iter().filter(fresh).copied().collect();
        kept
    }

    /// How many games one chunk is to hold, so that it takes so many seconds, for so many players.
    fn chunk(&self, seconds: f64, players: usize) -> usize {
        let Some(pace) = self.pace else { return 1 };
        let fits = (seconds / pace.max(1e-6)).clamp(1.0, MOST_GAMES) as usize;
        // At the end nobody is to wait for one who has much left.
        let share = (self.todo.len() + self.ahead.len()) / (2 * players.max(1));
        fits.min(share.max(1))
    }

    /// The next games to hand out as one chunk: whole starts of so many games. Nothing if enough is
    /// under way.
    pub(crate) fn next(&mut self, seconds: f64, players: usize, together: u64) -> Vec<u64> {
        let size = self.chunk(seconds, players);
        let under_way = WAITING * players.max(2) * size.max(together as usize);
        if self.flying.len() >= under_way {
            return Vec::new();
        }
        // What nobody may ever ask for is not to fill the memory.
        if self.todo.is_empty() && self.kept.len() >= under_way {
            return Vec::new();
        }
        let queue = if self.todo.is_empty() { &mut self.ahead } else { &mut self.todo };
        let mut games: Vec<u64> = Vec::new();
        while let Some(&number) = queue.front() {
            let same_start = games.last().is_some_and(|last| last / together == number / together);
            // What ended a player once is played alone.
            let alone = |number: &u64| self.faults.contains_key(number);
            let fits = games.is_empty()
                || (games.len() < size || same_start)
                    && !alone(&number)
                    && !games.last().is_some_and(alone);
            if !fits {
                break;
            }
            games.push(number);
            queue.pop_front();
        }
        self.flying.extend(&games);
        games
    }

    /// Takes some games far apart for the coordinator itself to play; rather such as have done no harm.
    pub(crate) fn take_some(&mut self) -> Vec<u64> {
        let harmless = |number: &&u64| !self.faults.contains_key(number);
        let mut free: Vec<u64> = self.todo.iter().filter(harmless).copied().collect();
        if free.is_empty() {
            free = self.todo.iter().copied().collect();
        }
        let Some(last) = free.len().checked_sub(1) else { return Vec::new() };
        let apart: BTreeSet<u64> = [0, last / 2, last].map(|place| free[place]).into();
        self.todo.retain(|number| !apart.contains(number));
        self.flying.extend(&apart);
        apart.into_iter().collect()
    }

    /// These were not handed out after all, or whoever had them is not believed.
    pub(crate) fn give_back(&mut self, numbers: impl IntoIterator<Item = u64>) {
        for number in numbers {
            if self.flying.remove(&number) {
                self.todo.push_front(number);
            }
        }
    }

    /// Nobody has what was handed out.
    pub(crate) fn all_lost(&mut self) {
        let flying = std::mem::take(&mut self.flying);
        for number in flying.into_iter().rev() {
            self.todo.push_front(number);
        }
    }

    /// A game has come. It goes to whoever asked; one that nobody asked for yet is kept, and one that
    /// was heard before is no news.
    pub(crate) fn hear(&mut self, game: Game, is_asked: bool) -> Option<Game> {
        let number = game.0.number;
        self.flying.remove(&number);
        if is_asked {
            self.done.insert(number);
            // It may have been given back since.
            return Some(game);
        }
        if !self.done.contains(&number) {
            self.kept.insert(number, game);
        }
        None
    }

    /// Games were not played by somebody, where so many workers play; those that are left out from now on.
    /// One worker alone proves nothing against a game if there are others.
    pub(crate) fn fail(&mut self, fault: Fault, by: &str, workers: usize) -> Vec<(u64, String)> {
        let several = fault.numbers.len() > 1;
        let mut left_out = Vec::new();
        for number in fault.numbers {
            let faults = self.faults.entry(number).or_default();
            faults.what.clone_from(&fault.what);
            // Of several, nobody knows which it was.
            if !several {
                faults.times += 1;
                faults.by.insert(by.to_owned());
            }
            let Faults { times, by, what } = faults;
            let enough = by.len() >= MOST_FAULTS.min(workers.max(1)) || *times >= ALL_FAULTS;
            if *times >= MOST_FAULTS && enough {
                let on =
                    if by.len() > 1 { format!(" on {} workers", by.len()) } else { String::new() };
                left_out.push((number, format!("{what}, {times} times{on}")));
                self.flying.remove(&number);
            } else {
                self.give_back([number]);
            }
        }
        left_out
    }

    /// So many games took a player so many seconds.
    pub(crate) fn note_pace(&mut self, games: usize, seconds: f64) {
        if games > 0 {
            let now = seconds / games as f64;
            let before = self.pace.unwrap_or(now);
            self.pace = Some(before + SMOOTHING * (now - before));
        }
    }

    /// Whether somebody is to have games.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.flying.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u64) -> Game {
        let record = serde_json::json!({
            "schema": "warroom-game-1", "game": "g", "rules": "", "start": "",
            "seeds": { "start": 1, "chance": 2, "agents": [3, 4] }, "agents": ["a", "b"],
            "actions": [], "chance": [], "outcome": "draw", "reason": "equal",
        });
        let record = arena::GameRecord::from_json(&record.to_string()).unwrap();
        (store::GameRow { number, ..store::GameRow::default() }, record)
    }

    fn fault(numbers: &[u64]) -> Fault {
        Fault { numbers: numbers.to_vec(), what: "it ended its player".into(), unheard: false }
    }

    #[test]
    fn chunks_are_whole_starts_of_about_the_time_asked_for() {
        let mut desk = Desk::default();
        let numbers: Vec<u64> = (0..1000).collect();
        assert!(desk.ask(&numbers, &[]).is_empty());
        assert_eq!(
            desk.next(10.0, 2, 4),
            [0, 1, 2, 3],
            "a start, as long as the pace is not known"
        );
        desk.note_pace(4, 4.0);
        assert_eq!(
            desk.next(10.0, 2, 4),
            (4..16).collect::<Vec<_>>(),
            "ten games, and the start to its end"
        );
        let mut handed_out = 16;
        while !desk.next(10.0, 2, 4).is_empty() {
            handed_out += 12;
            assert!(handed_out < 200, "not all at once");
        }
        desk.all_lost();
        assert_eq!(desk.next(10.0, 2, 4)[0], 0, "in the order of the schedule");
    }

    #[test]
    fn what_was_played_ahead_is_there_when_it_is_asked_for() {
        let mut desk = Desk::default();
        desk.ask(&[0, 1], &[2, 3, 4, 5]);
        desk.note_pace(1, 1.0);
        assert_eq!([desk.next(1.0, 1, 2), desk.next(1.0, 1, 2)], [[0, 1], [2, 3]]);
        assert!(desk.hear(game(2), false).is_none() && desk.hear(game(3), false).is_none());
        assert!(desk.hear(game(0), true).is_some() && desk.hear(game(1), true).is_some());
        let known = desk.ask(&[2, 3, 4], &[5, 0]);
        assert_eq!(known.iter().map(|(row, _)| row.number).collect::<Vec<_>>(), [2, 3]);
        assert_eq!([desk.next(1.0, 1, 1), desk.next(1.0, 1, 1)], [[4], [5]]);
        assert!(desk.hear(game(3), false).is_none(), "no news");
        assert!(
            desk.ask(&[3], &[]).is_empty(),
            "it was heard, so it is played again when asked again"
        );
    }

    #[test]
    fn a_game_that_ends_its_player_is_isolated_and_left_out() {
        let mut desk = Desk::default();
        desk.ask(&(0..8).collect::<Vec<_>>(), &[]);
        desk.note_pace(1, 1.0);
        assert_eq!(desk.next(4.0, 1, 2), [0, 1, 2, 3]);
        assert!(desk.fail(fault(&[0, 1, 2, 3]), "ann", 1).is_empty(), "nobody knows which");
        let mut alone: Vec<Vec<u64>> = (0..4).map(|_| desk.next(4.0, 1, 2)).collect();
        alone.sort();
        assert_eq!(alone, [[0], [1], [2], [3]]);
        for number in [0, 1, 3] {
            assert!(desk.hear(game(number), true).is_some());
        }
        assert!(desk.fail(fault(&[2]), "ann", 1).is_empty());
        assert_eq!(desk.next(4.0, 1, 2), [2]);
        assert!(desk.fail(fault(&[2]), "ann", 1).is_empty());
        assert_eq!(desk.next(4.0, 1, 2), [2]);
        assert_eq!(
            desk.fail(fault(&[2]), "ann", 1),
            [(2, "it ended its player, 3 times".to_owned())]
        );
        assert_eq!(desk.next(4.0, 1, 2), [4, 5], "half of what is left");
    }

    #[test]
    fn one_worker_proves_nothing_against_a_game_where_there_are_others() {
        let mut desk = Desk::default();
        desk.ask(&[0, 1], &[]);
        let mut fail = |by: &str, workers| {
            desk.next(1.0, 1, 1);
            desk.fail(fault(&[0]), by, workers)
        };
        for _ in 0..5 {
            assert_eq!(fail("broken", 3), []);
        }
        assert_eq!(fail("ann", 3), []);
        assert_eq!(fail("bob", 3), [(0, "it ended its player, 7 times on 3 workers".to_owned())]);
        for number in 1..50 {
            assert_eq!(desk.fail(fault(&[1]), "broken", 9), [], "{number}");
        }
        assert_eq!(desk.fail(fault(&[1]), "broken", 9).len(), 1, "there is an end to it");
    }

    #[test]
    fn what_is_played_ahead_is_bounded() {
        let mut desk = Desk::default();
        let ahead: Vec<u64> = (10..1000).collect();
        desk.ask(&[0], &ahead);
        desk.note_pace(1, 1.0);
        let mut played = 0;
        for _ in 0..1000 {
            let numbers = desk.next(1.0, 2, 1);
            for number in numbers.into_iter().filter(|number| *number > 0) {
                assert!(desk.hear(game(number), false).is_none());
                played += 1;
            }
        }
        assert!((3..20).contains(&played), "{played} of 990");
    }

    #[test]
    fn games_to_begin_with_are_far_apart_and_such_as_have_done_no_harm() {
        let mut desk = Desk::default();
        desk.ask(&(0..9).collect::<Vec<_>>(), &[]);
        assert_eq!(desk.take_some(), [0, 4, 8]);
        assert_eq!(desk.fail(fault(&[0]), "here", 4), []);
        assert_eq!(desk.take_some(), [1, 3, 7]);
        desk.ask(&[0], &[]);
        desk.give_back([0]);
        assert_eq!(desk.take_some(), [0], "rather than none");
        assert_eq!(desk.take_some(), Vec::<u64>::new());
    }
}
