//! The n-tuple bandit evolutionary algorithm.
//!
//! S. M. Lucas, J. Liu and D. Perez-Liebana, *The N-Tuple Bandit Evolutionary Algorithm for Game
//! Agent Optimisation*, IEEE CEC 2018. One point at a time is evaluated once; the reward goes into
//! every table of the [model](crate::model); the next point is the best of some mutants of the
//! current one by
//!
//! ```text
//! mean over tuples of the tuple's mean + k · mean over tuples of the tuple's bonus
//! ```
//!
//! In the end the visited point with the best mean is recommended, without bonus. Repeats are not
//! averaged: the model averages.
//!
//! What is ours: a seed for everything, and batches. Within a batch, evaluations under way count as
//! seen in the bonus and for nothing in the mean (virtual counts, as virtual loss in parallel tree
//! search), so the batch spreads. A batch of 1 is the published algorithm.

use gamecore::{Rng, math};
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::model::{LARGEST_FLAT_TABLE, TupleModel, TupleSizes};
use crate::space::{Point, Space};
use crate::tuner::{Recommendation, SettingsError, TellError, Tuner, check_budget, check_results};

/// However small the space, at least so many mutants are compared.
const FEWEST_NEIGHBOURS: u64 = 5;

/// What a cell with few rewards is given for being unknown; N rewards in all, n in the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bonus {
    /// As published: √(ln(1 + N) / (ε + n)).
    #[serde(rename = "ucb")]
    Published,
    /// As in the Tabletop Games framework, with another parenthesis: √(ln((1 + N) / (ε + n))). It
    /// falls far more slowly.
    #[serde(rename = "tag")]
    Tag,
    /// The other form of that framework: √(1 + N) / (ε + n).
    #[serde(rename = "simple-regret")]
    SimpleRegret,
}

impl Bonus {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Published, Self::Tag, Self::SimpleRegret];

    /// Its name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "ucb",
            Self::Tag => "tag",
            Self::SimpleRegret => "simple-regret",
        }
    }

    /// The bonus of a cell with `n` of `total` rewards.
    #[must_use]
    pub fn value(self, total: u64, n: u32, epsilon: f64) -> f64 {
        let (all, here) = (1.0 + total as f64, epsilon + f64::from(n));
        match self {
            Self::Published => (math::ln(all) / here).sqrt(),
            // With ε above 1 the quotient can be below 1.
            Self::Tag => math::ln(all / here).max(0.0).sqrt(),
            Self::SimpleRegret => all.sqrt() / here,
        }
    }
}

/// How to search. Give a file as few of these as you like; the rest are the defaults. Budget, batch and seed
/// are of the one who asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NtbeaSettings {
    /// Form of the bonus.
    pub bonus: Bonus,
    /// Weight of the bonus. 1 suits rewards from 0 to 1.
    pub k: f64,
    /// Keeps the bonus of unseen cells finite.
    pub epsilon: f64,
    /// Mutants compared for each next point; at most a quarter of the space, but 5 are always
    /// allowed.
    pub neighbours: u32,
    /// Tables of the model.
    pub tuples: TupleSizes,
    /// Budget.
    #[serde(skip)]
    pub evaluations: u64,
    /// Evaluations asked for at a time. Part of the settings, not of the machine: results depend on
    /// it, but not on how many workers share it.
    #[serde(skip)]
    pub batch: usize,
    /// Of all random draws.
    #[serde(skip)]
    pub seed: u64,
}

impl Default for NtbeaSettings {
    fn default() -> Self {
        Self {
            bonus: Bonus::Published,
            k: 1.0,
            epsilon: 0.5,
            neighbours: 100,
            tuples: TupleSizes::ONE_TWO,
            evaluations: 1000,
            batch: 1,
            seed: 1,
        }
    }
}

/// The algorithm, between two questions.
pub struct Ntbea {
    settings: NtbeaSettings,
    neighbours: u64,
    /// Places of the dimensions that have a choice.
    open: Vec<usize>,
    model: TupleModel,
    evidence: Evidence,
    bonuses: BonusMemory,
    repeats: Repeats,
    rng: Rng,
    /// The point from which the next one is found.
    current: Option<Point>,
    pending: Vec<Point>,
    spent: u64,
}

impl Ntbea {
    /// A run at its beginning.
    ///
    /// # Errors
    /// If a setting has no sense.
    pub fn new(space: Space, settings: NtbeaSettings) -> Result<Self, SettingsError> {
        check_budget(settings.evaluations, settings.batch)?;
        if settings.neighbours == 0 {
            return Err(SettingsError::NoNeighbours);
        }
        let number = |name: &str, value, must| {
            Err(SettingsError::Number { name: name.to_owned(), value, must })
        };
        // Written so that "not a number" is refused.
        if !(settings.k >= 0.0 && settings.k.is_finite()) {
            return number("k", settings.k, "0 or more");
        }
        if !(settings.epsilon > 0.0 && settings.epsilon.is_finite()) {
            return number("epsilon", settings.epsilon, "above 0");
        }
        let cap = (space.size() / 4).max(FEWEST_NEIGHBOURS);
        Ok(Self {
            neighbours: u64::from(settings.neighbours).min(cap),
            open: (0..space.dimensions().len()).filter(|&place| space.values(place) > 1).collect(),
            model: TupleModel::new(&space, settings.tuples)?,
            bonuses: BonusMemory::new(settings.bonus, settings.epsilon),
            repeats: Repeats::new(&space),
            evidence: Evidence::new(space),
            rng: Rng::new(settings.seed),
            current: None,
            pending: Vec::new(),
            spent: 0,
            settings,
        })
    }

    /// What the model expects of any point, visited or not.
    #[must_use]
    pub fn estimate(&self, point: &[usize]) -> f64 {
        self.model.estimate(point)
    }

    /// The next point: a random one first, then the best mutant of the current one. A point under
    /// way is chosen again only if all mutants are; among equals the first drawn wins.
    fn next(&mut self) -> Point {
        let Some(current) = self.current.take() else {
            return self.evidence.space().random(&mut self.rng);
        };
        let mut best: Option<((bool, f64), Point)> = None;
        let mut mutant = Point::new();
        self.repeats.begin();
        for _ in 0..self.neighbours {
            self.mutate(&current, &mut mutant);
            if self.repeats.is_repeat(self.evidence.space().index(&mutant)) {
                continue;
            }
            let score = (!self.pending.contains(&mutant), self.score(&mutant));
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, mutant.clone()));
            }
        }
        best.expect("there is at least one neighbour").1
    }

    /// Each dimension changes with probability 1/d, and one drawn beforehand certainly; d counts the
    /// dimensions that have a choice.
    fn mutate(&mut self, from: &[usize], mutant: &mut Point) {
        from.clone_into(mutant);
        if self.open.is_empty() {
            return;
        }
        let forced = self.rng.below(self.open.len() as u32) as usize;
        let chance = 1.0 / self.open.len() as f64;
        for (rank, &place) in self.open.iter().enumerate() {
            if rank == forced || self.rng.unit() < chance {
                let others = self.evidence.space().values(place) as u32 - 1;
                let drawn = self.rng.below(others) as usize;
                mutant[place] = drawn + usize::from(drawn >= from[place]);
            }
        }
    }

    fn score(&mut self, point: &[usize]) -> f64 {
        let total = self.model.total();
        let (mut means, mut seen, mut bonus, mut tables) = (0.0, 0u32, 0.0, 0u32);
        for cell in self.model.cells(point) {
            if let Some(mean) = cell.mean() {
                means += mean;
                seen += 1;
            }
            bonus += self.bonuses.get(total, cell.n + cell.pending);
            tables += 1;
        }
        let mean = if seen == 0 { 0.0 } else { means / f64::from(seen) };
        mean + self.settings.k * (bonus / f64::from(tables))
    }
}

impl Tuner for Ntbea {
    fn ask(&mut self) -> Vec<Point> {
        if self.pending.is_empty() {
            let left = self.settings.evaluations - self.spent;
            for _ in 0..left.min(self.settings.batch as u64) {
                let point = self.next();
                self.model.begin(&point);
                self.current = Some(point.clone());
                self.pending.push(point);
            }
        }
        self.pending.clone()
    }

    fn tell(&mut self, results: &[(Point, Option<f64>)]) -> Result<(), TellError> {
        check_results(&self.pending, results)?;
        for (point, reward) in results {
            self.model.end(point, *reward);
            if let Some(reward) = *reward {
                self.evidence.add(point, reward);
            }
        }
        self.spent += results.len() as u64;
        self.pending.clear();
        Ok(())
    }

    fn recommendation(&self) -> Option<Recommendation> {
        let mut best: Option<Recommendation> = None;
        for (point, observed) in self.evidence.visited() {
            let estimate = self.model.estimate(&point);
            if best.as_ref().is_none_or(|best| estimate > best.estimate) {
                best = Some(Recommendation { point, estimate, observed });
            }
        }
        best
    }

    fn evidence(&self) -> &Evidence {
        &self.evidence
    }
}

/// Bonuses by count. Within one step few counts occur, each very often.
struct BonusMemory {
    bonus: Bonus,
    epsilon: f64,
    /// For each count the total it was computed for, and the bonus.
    known: Vec<(u64, f64)>,
}

impl BonusMemory {
    fn new(bonus: Bonus, epsilon: f64) -> Self {
        Self { bonus, epsilon, known: Vec::new() }
    }

    fn get(&mut self, total: u64, n: u32) -> f64 {
        let place = n as usize;
        if place >= self.known.len() {
            self.known.resize(place + 1, (u64::MAX, 0.0));
        }
        if self.known[place].0 != total {
            self.known[place] = (total, self.bonus.value(total, n, self.epsilon));
        }
        self.known[place].1
    }
}

/// Which points of a small space were compared in this step. A mutant that comes up again cannot beat
/// itself, and about half of them do.
struct Repeats {
    step: u64,
    /// The last step of each point; empty for large spaces, where repeats are rare.
    last: Vec<u64>,
}

impl Repeats {
    fn new(space: &Space) -> Self {
        let small = space.size() <= LARGEST_FLAT_TABLE;
        Self { step: 0, last: vec![0; if small { space.size() as usize } else { 0 }] }
    }

    fn begin(&mut self) {
        self.step += 1;
    }

    fn is_repeat(&mut self, index: u64) -> bool {
        let last = self.last.get_mut(index as usize);
        last.is_some_and(|last| std::mem::replace(last, self.step) == self.step)
    }
}
