//! Reward normalisation: means are mapped by `(mean − lo) / (hi − lo)`, where lo and hi are the
//! smallest and largest reward of either seat that this search has seen. So one constant fits
//! evaluations of any scale. Applied when edges are compared; what is stored stays as it was.

/// The rewards seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    lo: f64,
    hi: f64,
    /// `hi − lo`, or 1 as long as that is 0.
    span: f64,
    on: bool,
}

impl Range {
    pub(crate) fn new(on: bool) -> Self {
        Self { lo: f64::INFINITY, hi: f64::NEG_INFINITY, span: 1.0, on }
    }

    /// Widens the range by one more reward of each seat.
    #[inline]
    pub(crate) fn see(&mut self, rewards: [f64; 2]) {
        if !self.on {
            return;
        }
        self.lo = self.lo.min(rewards[0]).min(rewards[1]);
        self.hi = self.hi.max(rewards[0]).max(rewards[1]);
        self.span = if self.hi > self.lo { self.hi - self.lo } else { 1.0 };
    }

    /// A mean on the scale of selection.
    #[inline]
    pub(crate) fn map(&self, mean: f64) -> f64 {
        if self.on { (mean - self.lo) / self.span } else { mean }
    }

    /// A variance on the scale of selection.
    #[inline]
    pub(crate) fn map_square(&self, variance: f64) -> f64 {
        if self.on { variance / (self.span * self.span) } else { variance }
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
