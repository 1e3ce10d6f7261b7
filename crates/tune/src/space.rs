//! The grid that is searched: named dimensions, each with a few values.

use gamecore::Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One choice for each dimension: the place of the chosen value among that dimension's values.
pub type Point = Vec<usize>;

/// One thing that can be set, and what it can be set to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimension {
    /// What is set.
    pub name: String,
    /// What it can be set to, as text.
    pub values: Vec<String>,
}

impl Dimension {
    /// A dimension from anything that is text.
    pub fn new<V: Into<String>>(
        name: impl Into<String>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        Self { name: name.into(), values: values.into_iter().map(Into::into).collect() }
    }
}

/// Why there is no such space.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SpaceError {
    /// Nothing to choose.
    #[error("a space needs at least one dimension")]
    NoDimensions,
    /// A dimension that cannot be set.
    #[error("dimension {0} has no values")]
    NoValues(String),
    /// Two dimensions that could not be told apart.
    #[error("two dimensions are called {0}")]
    SameName(String),
    /// Two values that could not be told apart.
    #[error("dimension {dimension} has the value {value} twice")]
    SameValue {
        /// Which dimension.
        dimension: String,
        /// Which value.
        value: String,
    },
    /// Points are numbered with 64 bits.
    #[error("the space has more than 2^64 points")]
    TooLarge,
}

/// All combinations of the values of some dimensions. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Space {
    dimensions: Vec<Dimension>,
    #[serde(skip)]
    size: u64,
}

impl Space {
    /// The space of these dimensions.
    ///
    /// # Errors
    /// If there is none, one has no values or too many, or names or values repeat.
    pub fn new(dimensions: Vec<Dimension>) -> Result<Self, SpaceError> {
        if dimensions.is_empty() {
            return Err(SpaceError::NoDimensions);
        }
        let mut size = 1u64;
        for (place, Dimension { name, values }) in dimensions.iter().enumerate() {
            if values.is_empty() {
                return Err(SpaceError::NoValues(name.clone()));
            }
            if dimensions[..place].iter().any(|earlier| earlier.name == *name) {
                return Err(SpaceError::SameName(name.clone()));
            }
            if let Some(value) = repeated(values) {
                return Err(SpaceError::SameValue { dimension: name.clone(), value });
            }
            // Values are counted with 32 bits where one is drawn.
            if u32::try_from(values.len()).is_err() {
                return Err(SpaceError::TooLarge);
            }
            size = size.checked_mul(values.len() as u64).ok_or(SpaceError::TooLarge)?;
        }
        Ok(Self { dimensions, size })
    }

    /// The dimensions in order.
    #[must_use]
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// How many values the dimension at this place has.
    #[must_use]
    pub fn values(&self, dimension: usize) -> usize {
        self.dimensions[dimension].values.len()
    }

    /// The number of points; at least 1.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether `point` has a value for each dimension, and one that exists.
    #[must_use]
    pub fn contains(&self, point: &[usize]) -> bool {
        point.len() == self.dimensions.len()
            && point.iter().zip(&self.dimensions).all(|(&value, of)| value < of.values.len())
    }

    /// The number of a point in `0..size()`, in mixed radix: the last dimension runs fastest.
    #[must_use]
    pub fn index(&self, point: &[usize]) -> u64 {
        debug_assert!(self.contains(point), "{point:?} is not in the space");
        point
            .iter()
            .zip(&self.dimensions)
            .fold(0, |index, (&value, of)| index * of.values.len() as u64 + value as u64)
    }

    /// The point with this number, which must be below `size()`.
    #[must_use]
    pub fn point(&self, mut index: u64) -> Point {
        debug_assert!(index < self.size, "there is no point {index} of {}", self.size);
        let mut point = vec![0; self.dimensions.len()];
        for (value, of) in point.iter_mut().zip(&self.dimensions).rev() {
            *value = (index % of.values.len() as u64) as usize;
            index /= of.values.len() as u64;
        }
        point
    }

    /// Every point that differs from `point` in exactly one dimension.
    #[must_use]
    pub fn neighbours(&self, point: &[usize]) -> Vec<Point> {
        let mut all = Vec::new();
        for (dimension, of) in self.dimensions.iter().enumerate() {
            for value in (0..of.values.len()).filter(|&value| value != point[dimension]) {
                let mut neighbour = point.to_vec();
                neighbour[dimension] = value;
                all.push(neighbour);
            }
        }
        all
    }

    /// A point as text: `name=value` for each dimension, separated by commas.
    #[must_use]
    pub fn describe(&self, point: &[usize]) -> String {
        let settings = self.settings(point);
        let words: Vec<String> =
            settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        words.join(",")
    }

    /// A point as pairs of name and value.
    #[must_use]
    pub fn settings(&self, point: &[usize]) -> Vec<(&str, &str)> {
        let pairs = self.dimensions.iter().zip(point);
        pairs.map(|(of, &value)| (of.name.as_str(), of.values[value].as_str())).collect()
    }

    /// A uniformly random point: one draw a dimension.
    pub fn random(&self, rng: &mut Rng) -> Point {
        self.dimensions.iter().map(|of| rng.below(of.values.len() as u32) as usize).collect()
    }
}

/// The first value that stands a second time.
fn repeated(values: &[String]) -> Option<String> {
    let mut seen = std::collections::BTreeSet::new();
    values.iter().find(|value| !seen.insert(value.as_str())).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn space(sizes: &[usize]) -> Space {
        let dimension = |(place, &size): (usize, &usize)| {
            Dimension::new(format!("d{place}"), (0..size).map(|value| value.to_string()))
        };
        Space::new(sizes.iter().enumerate().map(dimension).collect()).unwrap()
    }

    #[test]
    fn numbers_run_through_the_last_dimension_first() {
        let space = space(&[2, 3]);
        let points: Vec<Point> = (0..space.size()).map(|index| space.point(index)).collect();
        assert_eq!(points, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]].map(Vec::from));
        assert_eq!(space.describe(&[1, 2]), "d0=1,d1=2");
        assert_eq!(space.neighbours(&[1, 2]), [[0, 2], [1, 0], [1, 1]].map(Vec::from));
    }

    #[test]
    fn senseless_spaces_are_refused() {
        let refused = |dimensions: Vec<Dimension>| Space::new(dimensions).unwrap_err().to_string();
        assert_eq!(refused(vec![]), "a space needs at least one dimension");
        assert_eq!(refused(vec![Dimension::new("k", [""; 0])]), "dimension k has no values");
        let k = || Dimension::new("k", ["1"]);
        assert_eq!(refused(vec![k(), k()]), "two dimensions are called k");
        assert_eq!(
            refused(vec![Dimension::new("k", ["1", "1"])]),
            "dimension k has the value 1 twice"
        );
        let wide = |place| Dimension::new(format!("{place}"), (0..256).map(|v| v.to_string()));
        assert_eq!(Space::new((0..8).map(wide).collect()), Err(SpaceError::TooLarge));
    }

    proptest! {
        #[test]
        fn points_and_numbers_agree(
            sizes in prop::collection::vec(1usize..7, 1..7), any in any::<u64>(),
        ) {
            let space = space(&sizes);
            let index = any % space.size();
            let point = space.point(index);
            prop_assert!(space.contains(&point));
            prop_assert_eq!(space.index(&point), index);
            let neighbours = space.neighbours(&point);
            prop_assert_eq!(neighbours.len(), sizes.iter().map(|size| size - 1).sum::<usize>());
            for neighbour in neighbours {
                let differ = neighbour.iter().zip(&point).filter(|(a, b)| a != b).count();
                prop_assert!(space.contains(&neighbour) && differ == 1);
            }
        }
    }
}
