//! Which action is played in the end (names after Chaslot et al., 2008).
//!
//! * `visits`: the most visited ("robust child"); equal ones by value.
//! * `value`: the highest mean ("max child"). Actions never tried are left out, or count as 0, as
//!   in the framework of the Conquest thesis: then, if all tried ones are below 0, an untried one
//!   is played.
//! * `robust`: the highest mean among those with at least half as many visits as the most visited.
//!   Chaslot's robust-max child searches on until one action leads in both; a budget is a budget.
//!
//! Before all of that: a proven win is played, a proven loss avoided.

use gamecore::{Rng, Seat};

use super::config::{FinalChoice, MctsConfig};
use super::store::{Edge, Proven};

/// What all trees together know of one action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statistics<A> {
    pub(crate) action: A,
    pub(crate) visits: u64,
    pub(crate) total: f64,
    pub(crate) prior: u16,
    pub(crate) proven: Proven,
}

impl<A: Copy> From<&Edge<A>> for Statistics<A> {
    fn from(edge: &Edge<A>) -> Self {
        let Edge { action, visits, total, prior, proven, .. } = *edge;
        Self { action, visits: u64::from(visits), total, prior, proven }
    }
}

impl<A> Statistics<A> {
    /// The value for the seat that decides, exact where it is proven; `None` without a visit.
    pub(crate) fn value(&self, seat: Seat) -> Option<f64> {
        if self.proven != Proven::Unknown {
            return Some(f64::from(self.proven.rewards()[seat.index()]));
        }
        (self.visits > 0).then(|| self.total / self.visits as f64)
    }

    /// A proof outweighs every average: 2 won, 1 open or drawn, 0 lost.
    fn proof(&self, seat: Seat) -> u8 {
        match self.proven {
            proven if proven == Proven::win_of(seat) => 2,
            proven if proven == Proven::win_of(seat.other()) => 0,
            _ => 1,
        }
    }
}

/// The position of the action to play; equal ones at random if there is a generator, else the
/// first.
pub(crate) fn choose<A>(
    actions: &[Statistics<A>],
    config: &MctsConfig,
    seat: Seat,
    mut rng: Option<&mut Rng>,
) -> usize {
    let proof = actions.iter().map(|action| action.proof(seat)).max();
    let eligible = |action: &&Statistics<A>| Some(action.proof(seat)) == proof;
    let most = actions.iter().filter(eligible).map(|action| action.visits).max().unwrap_or(0);
    let rank = |action: &Statistics<A>| -> (f64, f64) {
        let prior = f64::from(action.prior);
        let Some(value) = action.value(seat) else {
            let counts_as_zero = config.unvisited_zero && most > 0;
            return (if counts_as_zero { 0.0 } else { f64::NEG_INFINITY }, prior);
        };
        match config.final_choice {
            FinalChoice::Visits => (action.visits as f64, value),
            FinalChoice::Robust if 2 * action.visits < most => (f64::MIN, value),
            // The thesis's planner compares in single precision, so that near ties are ties.
            FinalChoice::Value if config.plan => (f64::from(value as f32), 0.0),
            FinalChoice::Value | FinalChoice::Robust => (value, 0.0),
        }
    };
    let (mut best, mut ties) = (None::<(usize, (f64, f64))>, 0);
    for (position, action) in actions.iter().enumerate() {
        if Some(action.proof(seat)) != proof {
            continue;
        }
        let rank = rank(action);
        match best {
            Some((_, leader)) if rank < leader => {}
            Some((_, leader)) if rank == leader => {
                ties += 1;
                if rng.as_mut().is_some_and(|rng| rng.below(ties) == 0) {
                    best = Some((position, rank));
                }
            }
            _ => (best, ties) = (Some((position, rank)), 1),
        }
    }
    best.map_or(0, |(position, _)| position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Values;

    fn config(keys: &[(&str, &str)]) -> MctsConfig {
        let given = keys.iter().copied().chain([("iterations", "1")]);
        let values = Values::resolve(&MctsConfig::params(), given).unwrap();
        MctsConfig::from_values(&values).unwrap()
    }

    fn actions(list: &[(u64, f64, Proven)]) -> Vec<Statistics<u8>> {
        let make = |(&(visits, total, proven), action)| Statistics {
            action,
            visits,
            total,
            prior: 0,
            proven,
        };
        list.iter().zip(0..).map(make).collect()
    }

    fn chosen(keys: &[(&str, &str)], list: &[(u64, f64, Proven)]) -> usize {
        choose(&actions(list), &config(keys), Seat::Zero, None)
    }

    const OPEN: Proven = Proven::Unknown;

    #[test]
    fn rules_differ_where_they_should() {
        // Means 0.5, 0.6, 0.9 and none.
        let list = [(100, 50.0, OPEN), (60, 36.0, OPEN), (2, 1.8, OPEN), (0, 0.0, OPEN)];
        assert_eq!(chosen(&[("final", "visits")], &list), 0);
        assert_eq!(chosen(&[("final", "robust")], &list), 1);
        assert_eq!(chosen(&[("final", "value")], &list), 2);
    }

    #[test]
    fn untried_actions_may_count_as_zero() {
        let list = [(3, -0.6, OPEN), (2, -0.2, OPEN), (0, 0.0, OPEN)];
        assert_eq!(chosen(&[("final", "value")], &list), 1);
        assert_eq!(chosen(&[("final", "value"), ("final.unvisited", "zero")], &list), 2);
    }

    #[test]
    fn proofs_come_first() {
        let list = [(90, 80.0, Proven::Lost), (5, 1.0, OPEN), (1, 0.0, Proven::Drawn)];
        assert_eq!(chosen(&[], &list), 1);
        assert_eq!(chosen(&[("final", "value")], &list), 2, "a sure draw beats a mean of 0.2");
        let list = [(90, 80.0, OPEN), (1, 1.0, Proven::Won)];
        assert_eq!(chosen(&[], &list), 1);
    }

    #[test]
    fn equal_ones_are_drawn_evenly() {
        let list = actions(&[(5, 2.0, OPEN), (5, 2.0, OPEN), (4, 1.0, OPEN), (5, 2.0, OPEN)]);
        let mut counts = [0; 4];
        for seed in 0..3_000 {
            counts[choose(&list, &config(&[]), Seat::Zero, Some(&mut Rng::new(seed)))] += 1;
        }
        assert_eq!(counts[2], 0);
        let even = |&index: &usize| (900..1100).contains(&counts[index]);
        assert!([0, 1, 3].iter().all(even), "{counts:?}");
    }
}
