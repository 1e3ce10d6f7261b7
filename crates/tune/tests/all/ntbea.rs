//! The algorithm against a slow one, written from the formulas with nothing but lists of rewards.

use std::collections::BTreeSet;

use gamecore::{Rng, math};
use tune::{Bonus, Dimension, Ntbea, NtbeaSettings, Point, SettingsError, Space, TellError, Tuner};

fn space(sizes: &[usize]) -> Space {
    let dimension = |(place, &size): (usize, &usize)| {
        Dimension::new(format!("d{place}"), (0..size).map(|value| value.to_string()))
    };
    Space::new(sizes.iter().enumerate().map(dimension).collect()).unwrap()
}

/// A reward that depends on the point and on when it is asked for.
fn reward(point: &[usize], step: usize) -> f64 {
    let sum: usize = point.iter().enumerate().map(|(place, value)| (place + 2) * value).sum();
    f64::from(u8::from((sum * 7 + step * 5) % 11 > 4))
}

fn results(asked: Vec<Point>, step: usize) -> Vec<(Point, Option<f64>)> {
    let answer = |(at, point): (usize, Point)| {
        let reward = reward(&point, step + at);
        (point, Some(reward))
    };
    asked.into_iter().enumerate().map(answer).collect()
}

/// Everything ever seen, in a list.
struct Reference {
    sizes: Vec<usize>,
    tuples: Vec<Vec<usize>>,
    seen: Vec<(Point, f64)>,
    rng: Rng,
}

impl Reference {
    /// Rewards of all points that agree with this one in the dimensions of a tuple.
    fn rewards(&self, tuple: &[usize], point: &[usize]) -> Vec<f64> {
        let agrees = |other: &Point| tuple.iter().all(|&place| other[place] == point[place]);
        self.seen.iter().filter(|(other, _)| agrees(other)).map(|(_, reward)| *reward).collect()
    }

    fn mean(&self, point: &[usize]) -> f64 {
        let lists = self.tuples.iter().map(|tuple| self.rewards(tuple, point));
        let means: Vec<f64> = lists
            .filter(|rewards| !rewards.is_empty())
            .map(|rewards| rewards.iter().sum::<f64>() / rewards.len() as f64)
            .collect();
        if means.is_empty() { 0.0 } else { means.iter().sum::<f64>() / means.len() as f64 }
    }

    fn bonus(&self, bonus: Bonus, epsilon: f64, point: &[usize]) -> f64 {
        let all = self.seen.len() as f64;
        let of_tuple = |tuple: &Vec<usize>| {
            let here = self.rewards(tuple, point).len() as f64;
            match bonus {
                Bonus::Published => (math::ln(1.0 + all) / (epsilon + here)).sqrt(),
                Bonus::Tag => math::ln((1.0 + all) / (epsilon + here)).sqrt(),
                Bonus::SimpleRegret => (1.0 + all).sqrt() / (epsilon + here),
            }
        };
        self.tuples.iter().map(of_tuple).sum::<f64>() / self.tuples.len() as f64
    }

    fn mutant(&mut self, point: &[usize]) -> Point {
        let count = self.sizes.len();
        let certain = self.rng.below(count as u32) as usize;
        let mut mutant = point.to_vec();
        for place in 0..count {
            if place != certain && self.rng.unit() >= 1.0 / count as f64 {
                continue;
            }
            let others: Vec<usize> =
                (0..self.sizes[place]).filter(|&value| value != point[place]).collect();
            mutant[place] = others[self.rng.below(others.len() as u32) as usize];
        }
        mutant
    }
}

fn tuples_of(text: &str, dimensions: usize) -> Vec<Vec<usize>> {
    let mut tuples: Vec<Vec<usize>> = (1u32..1 << dimensions)
        .map(|set| (0..dimensions).filter(|place| set >> place & 1 == 1).collect())
        .filter(|tuple: &Vec<usize>| {
            text.contains(&tuple.len().to_string())
                || text.contains('N') && tuple.len() == dimensions
        })
        .collect();
    // By size, then in the order of the dimensions.
    tuples.sort_by_key(|tuple| (tuple.len(), tuple.clone()));
    tuples
}

#[test]
fn a_batch_of_one_is_the_published_algorithm() {
    for (bonus, tuples, k, seed) in [
        (Bonus::Published, "1+2", 1.0, 1),
        (Bonus::Published, "1+2+3+N", 0.3, 2),
        (Bonus::Tag, "1+2", 1.0, 3),
        (Bonus::SimpleRegret, "1+N", 2.0, 4),
        (Bonus::Published, "2", 100.0, 5),
    ] {
        let sizes = vec![3, 2, 2, 4];
        let settings = NtbeaSettings {
            bonus,
            k,
            tuples: tuples.parse().unwrap(),
            evaluations: 150,
            seed,
            ..Default::default()
        };
        let epsilon = settings.epsilon;
        let mut ntbea = Ntbea::new(space(&sizes), settings).unwrap();
        let mut reference = Reference {
            tuples: tuples_of(tuples, 4),
            sizes: sizes.clone(),
            seen: Vec::new(),
            rng: Rng::new(seed),
        };
        let mut point: Point =
            sizes.iter().map(|&size| reference.rng.below(size as u32) as usize).collect();
        for step in 0..150 {
            assert_eq!(ntbea.ask(), [point.clone()], "{bonus:?}, {tuples}, step {step}");
            ntbea.tell(&results(vec![point.clone()], step)).unwrap();
            let reward = reward(&point, step);
            reference.seen.push((point.clone(), reward));
            // 48 points: a quarter of them are compared.
            let mutants: Vec<Point> = (0..12).map(|_| reference.mutant(&point)).collect();
            let mut best = f64::NEG_INFINITY;
            for mutant in mutants {
                let score = reference.mean(&mutant) + k * reference.bonus(bonus, epsilon, &mutant);
                if score > best {
                    (best, point) = (score, mutant);
                }
            }
        }
        assert_eq!(ntbea.ask(), Vec::<Point>::new());
        let found = ntbea.recommendation().unwrap();
        let most =
            reference.seen.iter().map(|(point, _)| reference.mean(point)).fold(0.0, f64::max);
        assert_eq!((found.estimate, reference.mean(&found.point)), (most, most));
    }
}

/// All questions of a run.
fn questions(settings: NtbeaSettings, sizes: &[usize]) -> Vec<Vec<Point>> {
    let mut ntbea = Ntbea::new(space(sizes), settings).unwrap();
    let mut all = Vec::new();
    let mut step = 0;
    loop {
        let asked = ntbea.ask();
        assert_eq!(asked, ntbea.ask(), "asking twice changes nothing");
        if asked.is_empty() {
            return all;
        }
        ntbea.tell(&results(asked.clone(), step)).unwrap();
        step += asked.len();
        all.push(asked);
    }
}

#[test]
fn the_seed_decides_everything() {
    let with = |seed, batch| {
        let settings = NtbeaSettings { seed, batch, evaluations: 60, ..Default::default() };
        questions(settings, &[5, 4, 3, 3, 2])
    };
    for batch in [1, 8] {
        assert_eq!(with(1, batch), with(1, batch));
        assert_ne!(with(1, batch), with(2, batch));
    }
}

#[test]
fn batches_spread_and_spend_the_budget_exactly() {
    let settings = NtbeaSettings { batch: 16, evaluations: 200, ..Default::default() };
    let all = questions(settings, &[5, 4, 3, 3, 2]);
    assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [vec![16; 12], vec![8]].concat());
    for batch in &all {
        let different: BTreeSet<&Point> = batch.iter().collect();
        assert_eq!(different.len(), batch.len(), "{batch:?}");
    }
    // More at a time than there are points.
    let settings = NtbeaSettings { batch: 16, evaluations: 32, ..Default::default() };
    assert_eq!(questions(settings, &[2, 3]).concat().len(), 32);
}

/// Without results, nothing but the counts under way moves the batch on: each value of a dimension
/// comes up almost equally often.
#[test]
fn evaluations_under_way_count_as_seen() {
    let settings = NtbeaSettings { batch: 24, evaluations: 24, ..Default::default() };
    let mut ntbea = Ntbea::new(space(&[4, 4, 4]), settings).unwrap();
    let asked = ntbea.ask();
    for place in 0..3 {
        for value in 0..4 {
            let count = asked.iter().filter(|point| point[place] == value).count();
            assert!((4..=8).contains(&count), "{count} of 24 for {place}={value}: {asked:?}");
        }
    }
}

#[test]
fn void_evaluations_count_for_nothing() {
    let settings = NtbeaSettings { batch: 4, evaluations: 12, ..Default::default() };
    let mut ntbea = Ntbea::new(space(&[3, 3]), settings).unwrap();
    for _ in 0..2 {
        let void: Vec<_> = ntbea.ask().into_iter().map(|point| (point, None)).collect();
        ntbea.tell(&void).unwrap();
        assert_eq!(ntbea.recommendation(), None);
        assert_eq!(ntbea.evidence().overall().n, 0);
    }
    let mut last: Vec<_> = ntbea.ask().into_iter().map(|point| (point, None)).collect();
    last[2].1 = Some(0.25);
    ntbea.tell(&last).unwrap();
    let found = ntbea.recommendation().unwrap();
    assert_eq!((&found.point, found.estimate, found.observed.n), (&last[2].0, 0.25, 1));
    assert!(ntbea.ask().is_empty(), "void evaluations spend the budget too");
}

#[test]
fn wrong_results_are_refused_and_not_taken() {
    let mut ntbea = Ntbea::new(space(&[3, 3]), NtbeaSettings::default()).unwrap();
    assert!(matches!(ntbea.tell(&[(vec![0, 0], None)]), Err(TellError::Count { asked: 0, .. })));
    let asked = ntbea.ask()[0].clone();
    assert_eq!(ntbea.tell(&[]), Err(TellError::Count { asked: 1, found: 0 }));
    let other = vec![(asked[0] + 1) % 3, asked[1]];
    assert!(matches!(ntbea.tell(&[(other, None)]), Err(TellError::OtherPoint { .. })));
    for wrong in [-0.1, 1.1, f64::NAN] {
        let told = ntbea.tell(&[(asked.clone(), Some(wrong))]);
        assert!(matches!(told, Err(TellError::Reward { place: 0, .. })), "{wrong}");
    }
    assert_eq!(ntbea.ask()[0], asked);
    ntbea.tell(&[(asked, Some(1.0))]).unwrap();
}

#[test]
fn senseless_settings_are_refused() {
    let refused = |settings| Ntbea::new(space(&[3]), settings).err().unwrap().to_string();
    let usual = NtbeaSettings::default;
    assert_eq!(
        refused(NtbeaSettings { evaluations: 0, ..usual() }),
        "evaluations must be at least 1"
    );
    assert_eq!(refused(NtbeaSettings { batch: 0, ..usual() }), "batch must be at least 1");
    assert_eq!(
        refused(NtbeaSettings { neighbours: 0, ..usual() }),
        "neighbours must be at least 1"
    );
    assert_eq!(refused(NtbeaSettings { k: -1.0, ..usual() }), "k is -1; it must be 0 or more");
    assert!(refused(NtbeaSettings { k: f64::NAN, ..usual() }).starts_with("k is NaN"));
    assert_eq!(
        refused(NtbeaSettings { epsilon: 0.0, ..usual() }),
        "epsilon is 0; it must be above 0"
    );
    let pairs = NtbeaSettings { tuples: "2".parse().unwrap(), ..usual() };
    assert_eq!(refused(pairs), "tuples 2 give no model of a space of 1 dimensions");
    assert!(matches!("1+4".parse::<tune::TupleSizes>(), Err(SettingsError::Tuples(_))));
}

/// A single point has no mutants but itself.
#[test]
fn a_space_of_one_point_is_searched() {
    let settings = NtbeaSettings { evaluations: 3, ..Default::default() };
    assert_eq!(questions(settings, &[1, 1]), vec![vec![vec![0, 0]]; 3]);
}
