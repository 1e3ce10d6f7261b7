//! Reward normalisation: means are mapped by `(mean − lo) / (hi − lo)`, where lo and hi are the
//! smallest and largest reward of either seat that this search has seen. So one constant fits
//! evaluations of any scale. Applied when edges are compared; what is stored stays as it was.

/// The rewards seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    lo: f64,
    hi: f64,
    offset: f64,
    scale: f64,
    on: bool,
}

impl Range {
    pub(crate) fn new(on: bool) -> Self {
        Self { lo: f64::INFINITY, hi: f64::NEG_INFINITY, offset: 0.0, scale: 1.0, on }
    }

    /// Widens the range by one more reward.
    #[inline]
    pub(crate) fn see(&mut self, rewards: [f64; 2]) {
        if !self.on {
            return;
        }
        let (lo, hi) = (rewards[0].min(rewards[1]), rewards[0].max(rewards[1]));
        if lo < self.lo || hi > self.hi {
            self.lo = self.lo.min(lo);
            self.hi = self.hi.max(hi);
            self.offset = self.lo;
            self.scale = if self.hi > self.lo { 1.0 / (self.hi - self.lo) } else { 1.0 };
        }
    }

    /// A mean on the scale of selection.
    #[inline]
    pub(crate) fn map(&self, mean: f64) -> f64 {
        (mean - self.offset) * self.scale
    }

    /// A variance on the scale of selection.
    #[inline]
    pub(crate) fn map_square(&self, variance: f64) -> f64 {
        variance * self.scale * self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_what_was_seen_to_the_unit_interval() {
        let mut range = Range::new(true);
        range.see([-1.5, 0.25]);
        range.see([0.5, -0.5]);
        assert_eq!([-1.5, -0.5, 0.5].map(|mean| range.map(mean)), [0.0, 0.5, 1.0]);
        assert_eq!(range.map_square(1.0), 0.25);
        let mut range = Range::new(true);
        range.see([0.5, 0.5]);
        assert_eq!(range.map(0.5), 0.0, "one reward alone spans nothing");
        let mut range = Range::new(false);
        range.see([3.0, 4.0]);
        assert_eq!(range.map(7.0), 7.0);
    }
}
