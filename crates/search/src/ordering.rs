//! The order in which actions are tried: table move, then a game's own action score together with
//! killers (Huberman, 1968; Slate and Atkin, 1977) and history (Schaeffer, 1983).

use std::hash::{Hash, Hasher};

use gamecore::{Buf, Game, Seat};
use rustc_hash::FxHasher;

const HISTORY_SLOTS: usize = 4096;
const TABLE_MOVE: i32 = 1 << 30;
const KILLER: i32 = 1 << 12;
const HISTORY_LIMIT: i32 = 1 << 11;

/// What earlier cut-offs teach about actions. It influences effort only, never values.
pub(crate) struct Memory<A> {
    killers: Vec<[Option<A>; 2]>,
    history: Vec<i32>,
}

impl<A: Copy + Eq + Hash> Memory<A> {
    pub(crate) fn new() -> Self {
        Self { killers: Vec::new(), history: vec![0; HISTORY_SLOTS] }
    }

    /// Actions of any game share the slots by a fixed hash; a clash costs effort only.
    fn slot(seat: Seat, action: A) -> usize {
        let mut hasher = FxHasher::default();
        (seat.index() as u8).hash(&mut hasher);
        action.hash(&mut hasher);
        (hasher.finish() >> 52) as usize % HISTORY_SLOTS
    }

    /// `action` closed the window after `depth` decisions were searched below it.
    pub(crate) fn reward(&mut self, seat: Seat, action: A, depth: u32, ply: usize) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        let credit = &mut self.history[Self::slot(seat, action)];
        *credit += (depth * depth) as i32;
        if *credit > HISTORY_LIMIT {
            for credit in &mut self.history {
                *credit /= 2;
            }
        }
    }

    pub(crate) fn bonus(&self, seat: Seat, action: A, ply: usize) -> i32 {
        let killer = self.killers.get(ply).is_some_and(|killers| killers.contains(&Some(action)));
        self.history[Self::slot(seat, action)] + if killer { KILLER } else { 0 }
    }
}

/// Hands out indices of actions, best first, equal scores in the game's order.
pub(crate) struct Picker {
    scores: Buf<i32>,
    next: usize,
    len: usize,
}

const TAKEN: i32 = i32::MIN;

impl Picker {
    /// The game's own order.
    pub(crate) fn fixed(len: usize) -> Self {
        Self { scores: Buf::new(), next: 0, len }
    }

    /// By score; `first` precedes everything.
    pub(crate) fn scored(mut scores: Buf<i32>, first: Option<usize>) -> Self {
        if let Some(score) = first.and_then(|index| scores.get_mut(index)) {
            *score = TABLE_MOVE;
        }
        let len = scores.len();
        Self { scores, next: 0, len }
    }

    pub(crate) fn pick(&mut self) -> Option<usize> {
        if self.next == self.len {
            return None;
        }
        self.next += 1;
        if self.scores.is_empty() {
            return Some(self.next - 1);
        }
        let mut best = 0;
        for (index, &score) in self.scores.iter().enumerate() {
            if score > self.scores[best] {
                best = index;
            }
        }
        self.scores[best] = TAKEN;
        Some(best)
    }
}

/// One score per action: the game's own opinion where there is one, plus what cut-offs taught.
pub(crate) fn score_actions<G: Game>(
    memory: &Memory<G::Action>,
    own: impl FnOnce(&mut Buf<i32>),
    actions: &[G::Action],
    seat: Seat,
    ply: usize,
) -> Buf<i32> {
    let mut scores = Buf::new();
    own(&mut scores);
    if scores.is_empty() {
        scores.extend(actions.iter().map(|_| 0));
    }
    for (score, &action) in scores.iter_mut().zip(actions) {
        *score = score.saturating_add(memory.bonus(seat, action, ply));
    }
    scores
}
