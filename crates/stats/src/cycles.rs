//! Who dominates whom, and whether that goes round in circles.

use serde::Serialize;

use crate::matrix::Matrix;

/// Games are counted in halves, so this is far below a difference.
const ROUNDING: f64 = 1e-9;

/// A directed graph: an arrow from a player to everyone he dominates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominance {
    players: usize,
    arrows: Vec<bool>,
}

/// A number of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CycleCount {
    /// How many were found.
    pub count: u64,
    /// There may be more: the cap on their number or on the work was reached.
    pub at_least: bool,
}

/// Where counting of all cycles stops; their number grows faster than exponentially.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CycleCap {
    /// So many cycles.
    pub cycles: u64,
    /// So many arrows looked at.
    pub work: u64,
}

impl Default for CycleCap {
    fn default() -> Self {
        Self { cycles: 3_000, work: 2_000_000 }
    }
}

impl Dominance {
    /// An arrow where a player made at least the share `threshold` (above ½) of the points against
    /// another: 0.56 for 28 of 50.
    #[must_use]
    pub fn of(matrix: &Matrix, threshold: f64) -> Self {
        let meeting = |(i, j)| {
            let both = matrix.both_seats(i, j);
            (i, j, both.points(), both.games())
        };
        Self::from_points(matrix.players(), matrix.played().map(meeting), threshold)
    }

    /// The same from `(i, j, points of i, games)`.
    pub(crate) fn from_points(
        players: usize,
        meetings: impl Iterator<Item = (usize, usize, f64, u64)>,
        threshold: f64,
    ) -> Self {
        let mut graph = Self { players, arrows: vec![false; players * players] };
        for (i, j, points, games) in meetings {
            let needed = threshold * games as f64 - ROUNDING;
            graph.arrows[i * players + j] = points >= needed;
            graph.arrows[j * players + i] = games as f64 - points >= needed;
        }
        graph
    }

    /// Whether `one` dominates `other`.
    #[must_use]
    pub fn dominates(&self, one: usize, other: usize) -> bool {
        self.arrows[one * self.players + other]
    }

    /// How many arrows.
    #[must_use]
    pub fn arrows(&self) -> usize {
        self.arrows.iter().filter(|&&arrow| arrow).count()
    }

    /// All cycles of three, each once, as (a, b, c) with a → b → c → a and a the smallest number.
    pub fn three_cycles(&self) -> impl Iterator<Item = [usize; 3]> {
        let n = self.players;
        let arrow = move |from: usize, to: usize| self.arrows[from * n + to];
        (0..n)
            .flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
            .filter(move |&(a, b)| arrow(a, b))
            .flat_map(move |(a, b)| (a + 1..n).map(move |c| [a, b, c]))
            .filter(move |&[a, b, c]| arrow(b, c) && arrow(c, a))
    }

    /// How many simple cycles there are, of any length: Johnson's algorithm (1975), without recursion
    /// and bounded in number and work.
    #[must_use]
    pub fn count_cycles(&self, cap: CycleCap) -> CycleCount {
        let mut counter = Counter::new(self, cap);
        for start in 0..self.players {
            counter.cycles_from(start);
            if counter.stopped {
                break;
            }
        }
        CycleCount { count: counter.found, at_least: counter.stopped }
    }
}

/// The state of Johnson's algorithm; a player is blocked while he cannot lead back to the start
/// without crossing the path.
struct Counter<'a> {
    graph: &'a Dominance,
    cap: CycleCap,
    found: u64,
    work: u64,
    stopped: bool,
    blocked: Vec<bool>,
    /// Whom to unblock with each player.
    waiting: Vec<Vec<usize>>,
}

/// One player on the path.
struct Step {
    player: usize,
    /// The next of his arrows to follow.
    next: usize,
    /// Whether a cycle was closed through him.
    closed: bool,
}

impl<'a> Counter<'a> {
    fn new(graph: &'a Dominance, cap: CycleCap) -> Self {
        let blocked = vec![false; graph.players];
        let waiting = vec![Vec::new(); graph.players];
        Self { graph, cap, found: 0, work: 0, stopped: false, blocked, waiting }
    }

    /// Counts the cycles whose smallest player is `start`.
    fn cycles_from(&mut self, start: usize) {
        // 1. Only players in one strong component with the start, and not below it, matter.
        let inside = self.component(start);
        let targets: Vec<Vec<usize>> = (0..self.graph.players)
            .map(|from| {
                let reached = |&to: &usize| inside[to] && self.graph.dominates(from, to);
                if inside[from] { (start..inside.len()).filter(reached).collect() } else { vec![] }
            })
            .collect();
        for player in start..self.graph.players {
            self.blocked[player] = false;
            self.waiting[player].clear();
        }
        // 2. Walk, depth first.
        self.blocked[start] = true;
        let mut path = vec![Step { player: start, next: 0, closed: false }];
        while let Some(step) = path.last_mut() {
            let player = step.player;
            if let Some(&to) = targets[player].get(step.next) {
                step.next += 1;
                self.work += 1;
                if to == start {
                    step.closed = true;
                    self.found += 1;
                } else if !self.blocked[to] {
                    self.blocked[to] = true;
                    path.push(Step { player: to, next: 0, closed: false });
                }
                if self.found >= self.cap.cycles || self.work >= self.cap.work {
                    self.stopped = true;
                    return;
                }
                continue;
            }
            // 3. All arrows followed: step back. Who closed no cycle stays blocked until one of his
            //    targets is free again.
            let closed = step.closed;
            path.pop();
            if closed {
                self.unblock(player);
                if let Some(before) = path.last_mut() {
                    before.closed = true;
                }
            } else {
                for &to in &targets[player] {
                    if !self.waiting[to].contains(&player) {
                        self.waiting[to].push(player);
                    }
                }
            }
        }
    }

    fn unblock(&mut self, player: usize) {
        let mut free = vec![player];
        while let Some(player) = free.pop() {
            if self.blocked[player] {
                self.blocked[player] = false;
                free.append(&mut self.waiting[player]);
            }
        }
    }

    /// The players from `start` up that it reaches and that reach it, through such players.
    fn component(&self, start: usize) -> Vec<bool> {
        let n = self.graph.players;
        let reach = |forward: bool| {
            let mut seen = vec![false; n];
            seen[start] = true;
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                for (next, seen) in seen.iter_mut().enumerate().skip(start) {
                    let arrow = if forward {
                        self.graph.dominates(at, next)
                    } else {
                        self.graph.dominates(next, at)
                    };
                    if arrow && !*seen {
                        *seen = true;
                        open.push(next);
                    }
                }
            }
            seen
        };
        reach(true).iter().zip(reach(false)).map(|(&there, back)| there && back).collect()
    }
}
