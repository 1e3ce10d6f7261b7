//! The n-tuple model: means and counts of rewards for combinations of values of few dimensions.
//!
//! Every chosen set of dimensions (a tuple) has a table with a cell for each combination of their
//! values. What is known about a point is the average over the tables of what its cells say, so a
//! point is judged by the rewards of others that share values with it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::space::Space;
use crate::tuner::SettingsError;

/// Tables up to this many cells are plain vectors.
pub(crate) const LARGEST_FLAT_TABLE: u64 = 1 << 16;

/// Which sets of dimensions have a table. As text: `1+2`, `1+2+N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TupleSizes {
    /// Each dimension alone.
    pub one: bool,
    /// All pairs.
    pub two: bool,
    /// All triples.
    pub three: bool,
    /// All dimensions together: a table of points.
    pub all: bool,
}

impl TupleSizes {
    /// Single dimensions and pairs.
    pub const ONE_TWO: Self = Self { one: true, two: true, three: false, all: false };
    /// Single dimensions, pairs and whole points.
    pub const ONE_TWO_ALL: Self = Self { one: true, two: true, three: false, all: true };

    /// The sets of dimensions, in order of size; none twice.
    fn sets(self, dimensions: usize) -> Vec<Vec<usize>> {
        let mut sets = Vec::new();
        if self.one {
            sets.extend((0..dimensions).map(|first| vec![first]));
        }
        if self.two {
            for first in 0..dimensions {
                sets.extend((first + 1..dimensions).map(|second| vec![first, second]));
            }
        }
        if self.three {
            for first in 0..dimensions {
                for second in first + 1..dimensions {
                    sets.extend((second + 1..dimensions).map(|third| vec![first, second, third]));
                }
            }
        }
        let all: Vec<usize> = (0..dimensions).collect();
        if self.all && !sets.contains(&all) {
            sets.push(all);
        }
        sets
    }
}

impl fmt::Display for TupleSizes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [(self.one, "1"), (self.two, "2"), (self.three, "3"), (self.all, "N")];
        let chosen: Vec<&str> =
            names.iter().filter(|(chosen, _)| *chosen).map(|(_, name)| *name).collect();
        out.write_str(&chosen.join("+"))
    }
}

impl FromStr for TupleSizes {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let mut sizes = Self { one: false, two: false, three: false, all: false };
        for name in text.split('+') {
            let chosen = match name.trim() {
                "1" => &mut sizes.one,
                "2" => &mut sizes.two,
                "3" => &mut sizes.three,
                "N" | "n" => &mut sizes.all,
                _ => return Err(SettingsError::Tuples(text.to_owned())),
            };
            *chosen = true;
        }
        Ok(sizes)
    }
}

impl TryFrom<String> for TupleSizes {
    type Error = SettingsError;

    fn try_from(text: String) -> Result<Self, SettingsError> {
        text.parse()
    }
}

impl From<TupleSizes> for String {
    fn from(sizes: TupleSizes) -> Self {
        sizes.to_string()
    }
}

/// What is known about one combination of values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cell {
    /// Rewards seen.
    pub n: u32,
    /// Evaluations under way.
    pub pending: u32,
    sum: f64,
    /// `sum / n`, kept because it is read far more often than it changes.
    mean: f64,
}

impl Cell {
    /// The mean reward; `None` before the first.
    #[inline]
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.mean)
    }
}

enum Cells {
    Flat(Vec<Cell>),
    Sparse(BTreeMap<u64, Cell>),
}

struct Table {
    /// Dimensions, and how many values each has.
    of: Vec<(usize, u64)>,
    cells: Cells,
}

impl Table {
    fn new(space: &Space, dimensions: &[usize]) -> Self {
        let of: Vec<(usize, u64)> =
            dimensions.iter().map(|&place| (place, space.values(place) as u64)).collect();
        // Not more than the points of the space, which fit.
        let size: u64 = of.iter().map(|&(_, values)| values).product();
        let cells = if size <= LARGEST_FLAT_TABLE {
            Cells::Flat(vec![Cell::default(); size as usize])
        } else {
            Cells::Sparse(BTreeMap::new())
        };
        Self { of, cells }
    }

    fn key(&self, point: &[usize]) -> u64 {
        self.of.iter().fold(0, |key, &(place, values)| key * values + point[place] as u64)
    }

    fn cell(&self, point: &[usize]) -> Cell {
        let key = self.key(point);
        match &self.cells {
            Cells::Flat(cells) => cells[key as usize],
            Cells::Sparse(cells) => cells.get(&key).copied().unwrap_or_default(),
        }
    }

    fn cell_mut(&mut self, point: &[usize]) -> &mut Cell {
        let key = self.key(point);
        match &mut self.cells {
            Cells::Flat(cells) => &mut cells[key as usize],
            Cells::Sparse(cells) => cells.entry(key).or_default(),
        }
    }
}

/// All tables of a model.
pub(crate) struct TupleModel {
    tables: Vec<Table>,
    /// Rewards seen and evaluations under way; the same for every table.
    total: u64,
}

impl TupleModel {
    pub(crate) fn new(space: &Space, sizes: TupleSizes) -> Result<Self, SettingsError> {
        let dimensions = space.dimensions().len();
        let sets = sizes.sets(dimensions);
        if sets.is_empty() {
            return Err(SettingsError::NoTuples(sizes.to_string(), dimensions));
        }
        Ok(Self { tables: sets.iter().map(|set| Table::new(space, set)).collect(), total: 0 })
    }

    /// Notes that `point` is being evaluated.
    pub(crate) fn begin(&mut self, point: &[usize]) {
        self.total += 1;
        for table in &mut self.tables {
            table.cell_mut(point).pending += 1;
        }
    }

    /// Ends what [`Self::begin`] began, with a reward or void.
    pub(crate) fn end(&mut self, point: &[usize], reward: Option<f64>) {
        self.total -= u64::from(reward.is_none());
        for table in &mut self.tables {
            let cell = table.cell_mut(point);
            cell.pending -= 1;
            if let Some(reward) = reward {
                cell.n += 1;
                cell.sum += reward;
                cell.mean = cell.sum / f64::from(cell.n);
            }
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The cells of a point, table by table.
    pub(crate) fn cells(&self, point: &[usize]) -> impl ExactSizeIterator<Item = Cell> {
        self.tables.iter().map(|table| table.cell(point))
    }

    /// The mean over the tables of the means of the point's cells. Cells without a reward say
    /// nothing and are left out; 0 if that leaves none.
    pub(crate) fn estimate(&self, point: &[usize]) -> f64 {
        let (mut sum, mut seen) = (0.0, 0u32);
        for mean in self.cells(point).filter_map(|cell| cell.mean()) {
            sum += mean;
            seen += 1;
        }
        if seen == 0 { 0.0 } else { sum / f64::from(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Dimension;

    #[test]
    fn sizes_as_text() {
        for text in ["1", "1+2", "1+2+N", "1+2+3+N", "N"] {
            assert_eq!(text.parse::<TupleSizes>().unwrap().to_string(), text);
        }
        assert_eq!("1+2".parse(), Ok(TupleSizes::ONE_TWO));
        assert!("".parse::<TupleSizes>().is_err() && "4".parse::<TupleSizes>().is_err());
    }

    #[test]
    fn sets_do_not_repeat() {
        let sizes: TupleSizes = "1+2+3+N".parse().unwrap();
        assert_eq!(sizes.sets(1), [[0]]);
        assert_eq!(sizes.sets(2), [vec![0], vec![1], vec![0, 1]]);
        assert_eq!(sizes.sets(5).len(), 5 + 10 + 10 + 1);
    }

    /// A table that is too large for a vector gives the same answers.
    #[test]
    fn sparse_tables_agree_with_flat_ones() {
        let wide = |name: &str| Dimension::new(name, (0..300).map(|value| value.to_string()));
        let space = Space::new(vec![wide("a"), wide("b")]).unwrap();
        let mut model = TupleModel::new(&space, "1+N".parse().unwrap()).unwrap();
        assert!(matches!(model.tables[2].cells, Cells::Sparse(_)));
        model.begin(&[7, 8]);
        assert_eq!(model.cells(&[7, 8]).map(|cell| cell.pending).collect::<Vec<_>>(), [1, 1, 1]);
        model.end(&[7, 8], Some(1.0));
        model.begin(&[7, 9]);
        model.end(&[7, 9], Some(0.0));
        model.begin(&[7, 9]);
        model.end(&[7, 9], None);
        assert_eq!(model.total(), 2);
        let seen: Vec<_> = model.cells(&[7, 8]).map(|cell| (cell.n, cell.mean())).collect();
        assert_eq!(seen, [(2, Some(0.5)), (1, Some(1.0)), (1, Some(1.0))]);
        assert_eq!(model.estimate(&[7, 8]), 2.5 / 3.0);
        assert_eq!((model.estimate(&[7, 1]), model.estimate(&[0, 0])), (0.5, 0.0));
    }
}
