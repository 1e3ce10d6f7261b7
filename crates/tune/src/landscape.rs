//! Random landscapes on which tuners are compared: the truth is known, so what a tuner's choice costs
//! is known too.
//!
//! The logit of a point's chance of winning is a sum of normal draws: one for each of its values
//! (additive effects) and one for each pair of its values (interactions). An evaluation is one game,
//! won with that chance. Logits are not centred by landscape; they are even on average.
//!
//! [`Contender::all`] are the tuners of the table in `docs/algorithms/tuning.md`. TAG is the Tabletop
//! Games framework; k = 100 is the default of the NTBEA authors' program, whose tuples are 1, 2 and N.

use gamecore::{Purpose, Rng, math, seed};

use crate::halving::{HalvingSettings, SequentialHalving};
use crate::model::TupleSizes;
use crate::ntbea::{Bonus, Ntbea, NtbeaSettings};
use crate::space::{Dimension, Point, Space};
use crate::tuner::Tuner;
use crate::uniform::{UniformMarginals, UniformSettings};

/// Chances of winning for every point of a small space.
#[derive(Clone, Debug)]
pub struct Landscape {
    space: Space,
    chances: Vec<f64>,
}

impl Landscape {
    /// A landscape of dimensions with so many values each.
    ///
    /// # Panics
    /// If `sizes` is empty or contains 0.
    #[must_use]
    pub fn random(sizes: &[usize], additive_sd: f64, pair_sd: f64, seed: u64) -> Self {
        let dimension = |(place, &size): (usize, &usize)| {
            Dimension::new(format!("d{place}"), (0..size).map(|value| value.to_string()))
        };
        let space = Space::new(sizes.iter().enumerate().map(dimension).collect())
            .expect("sizes of a landscape are at least 1");
        let mut rng = Rng::new(seed);
        let mut logits = vec![0.0; space.size() as usize];
        let mut add = |dimensions: &[usize], sd: f64| {
            let combinations: usize = dimensions.iter().map(|&place| sizes[place]).product();
            let effects: Vec<f64> = (0..combinations).map(|_| sd * normal(&mut rng)).collect();
            for (index, logit) in logits.iter_mut().enumerate() {
                let point = space.point(index as u64);
                let cell = dimensions.iter().fold(0, |key, &at| key * sizes[at] + point[at]);
                *logit += effects[cell];
            }
        };
        for first in 0..sizes.len() {
            add(&[first], additive_sd);
        }
        for first in 0..sizes.len() {
            for second in first + 1..sizes.len() {
                add(&[first, second], pair_sd);
            }
        }
        let chances = logits.iter().map(|logit| 1.0 / (1.0 + math::exp(-logit))).collect();
        Self { space, chances }
    }

    /// The space.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The chance of winning at a point.
    #[must_use]
    pub fn chance(&self, point: &[usize]) -> f64 {
        self.chances[self.space.index(point) as usize]
    }

    /// The highest chance of winning.
    #[must_use]
    pub fn best(&self) -> f64 {
        self.chances.iter().copied().fold(0.0, f64::max)
    }

    /// The chance of winning at a random point.
    #[must_use]
    pub fn average(&self) -> f64 {
        self.chances.iter().sum::<f64>() / self.chances.len() as f64
    }

    /// What choosing this point costs against the best.
    #[must_use]
    pub fn loss(&self, point: &[usize]) -> f64 {
        self.best() - self.chance(point)
    }

    /// Lets the tuner ask until it has spent `evaluations` or stops, one game each.
    ///
    /// # Panics
    /// If the tuner refuses the answers to its own questions.
    pub fn play(&self, tuner: &mut dyn Tuner, evaluations: u64, rng: &mut Rng) {
        let mut spent = 0;
        while spent < evaluations {
            let batch = tuner.ask();
            if batch.is_empty() {
                return;
            }
            spent += batch.len() as u64;
            let game = |point: Point| {
                let won = rng.unit() < self.chance(&point);
                (point, Some(f64::from(u8::from(won))))
            };
            let results: Vec<_> = batch.into_iter().map(game).collect();
            tuner.tell(&results).expect("a tuner takes answers to its own questions");
        }
    }
}

/// A standard normal number, by the polar method of Marsaglia and Bray (1964).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * math::ln(square) / square).sqrt();
        }
    }
}

/// Values of each dimension in the table: depth × rollout × first-play urgency × K × reuse, the space
/// of the Conquest thesis, 360 points.
pub const TABLE_SIZES: [usize; 5] = [5, 4, 3, 3, 2];
/// Standard deviation of additive effects in the table, in logits.
pub const TABLE_ADDITIVE_SD: f64 = 0.25;
/// Standard deviation of pair effects in the table, in logits.
pub const TABLE_PAIR_SD: f64 = 0.10;
/// Budgets of the table, in games.
pub const TABLE_GAMES: [u64; 3] = [100, 300, 1000];

/// Landscape `number` of the table with this seed.
#[must_use]
pub fn table_landscape(run_seed: u64, number: u64) -> Landscape {
    let seed = seed(run_seed, number, Purpose::Start);
    Landscape::random(&TABLE_SIZES, TABLE_ADDITIVE_SD, TABLE_PAIR_SD, seed)
}

/// One tuner of the table.
#[derive(Clone, Debug)]
pub struct Contender {
    /// What it is.
    pub name: &'static str,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Ntbea(NtbeaSettings),
    Uniform,
    Halving,
}

impl Contender {
    /// The tuners of the table, in its order.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let ntbea = |name, bonus, k, epsilon, tuples| Self {
            name,
            kind: Kind::Ntbea(NtbeaSettings { bonus, k, epsilon, tuples, ..Default::default() }),
        };
        let (two, all) = (TupleSizes::ONE_TWO, TupleSizes::ONE_TWO_ALL);
        vec![
            ntbea("published bonus, k=1, ε=.5, tuples 1+2", Bonus::Published, 1.0, 0.5, two),
            ntbea("published bonus, k=.3, tuples 1+2+N", Bonus::Published, 0.3, 0.5, all),
            ntbea("published bonus, k=1, tuples 1+2+N", Bonus::Published, 1.0, 0.5, all),
            ntbea("published bonus, k=100, tuples 1+2", Bonus::Published, 100.0, 0.5, two),
            ntbea("published bonus, k=100, tuples 1+2+N", Bonus::Published, 100.0, 0.5, all),
            ntbea("TAG bonus, k=1, ε=.1, tuples 1+2", Bonus::Tag, 1.0, 0.1, two),
            ntbea("TAG simple regret, k=1, ε=.1, tuples 1+2", Bonus::SimpleRegret, 1.0, 0.1, two),
            Self { name: "uniform sampling, additive marginals", kind: Kind::Uniform },
            Self { name: "sequential halving on the grid", kind: Kind::Halving },
        ]
    }

    /// The losses on [`table_landscape`] `number` after each of [`TABLE_GAMES`]. What a tuner asks
    /// first does not depend on its budget if it does not plan with it and asks one at a time; then
    /// one run is looked at on the way, otherwise each budget has its own.
    #[must_use]
    pub fn losses(&self, batch: usize, run_seed: u64, number: u64) -> [f64; 3] {
        let landscape = table_landscape(run_seed, number);
        let one_run = batch == 1 && !matches!(self.kind, Kind::Halving);
        let begin = |games: u64| {
            let evaluations = if one_run { TABLE_GAMES[2] } else { games };
            let of_tuner = seed(run_seed, number, Purpose::Agent { game: 0, letter: 'a' });
            let of_games = seed(run_seed, number, Purpose::Chance);
            let tuner = self.tuner(landscape.space().clone(), evaluations, batch, of_tuner);
            (tuner, Rng::new(of_games), 0)
        };
        let (mut tuner, mut games, mut spent) = begin(TABLE_GAMES[0]);
        TABLE_GAMES.map(|budget| {
            if !one_run {
                (tuner, games, spent) = begin(budget);
            }
            landscape.play(tuner.as_mut(), budget - spent, &mut games);
            spent = budget;
            loss(tuner.as_ref(), &landscape)
        })
    }

    fn tuner(&self, space: Space, evaluations: u64, batch: usize, seed: u64) -> Box<dyn Tuner> {
        const SENSE: &str = "settings of the table make sense";
        match &self.kind {
            Kind::Ntbea(settings) => {
                let settings = NtbeaSettings { evaluations, batch, seed, ..settings.clone() };
                Box::new(Ntbea::new(space, settings).expect(SENSE))
            }
            Kind::Uniform => {
                let settings = UniformSettings { evaluations, batch, seed };
                Box::new(UniformMarginals::new(space, settings).expect(SENSE))
            }
            Kind::Halving => {
                let settings = HalvingSettings { evaluations, batch, seed };
                Box::new(SequentialHalving::new(space, settings).expect(SENSE))
            }
        }
    }
}

fn loss(tuner: &dyn Tuner, landscape: &Landscape) -> f64 {
    landscape.loss(&tuner.recommendation().expect("games were played").point)
}
