//! Progressive widening and unpruning (Chaslot et al., 2008; Coulom, 2007): of a node visited n
//! times only the first `max(1, ⌊C·n^α⌋)` actions take part, in the order of expansion. With growing n
//! the others come back one by one.

use gamecore::math::power;

use super::super::config::Widening;

/// How many actions of a node with so many visits are open.
pub(crate) fn open_actions(widening: Option<Widening>, visits: u32, count: usize) -> usize {
    match widening {
        None => count,
        Some(Widening { c, alpha }) => {
            let open = c * power(f64::from(visits.max(1)), alpha);
            (open as usize).clamp(1, count)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_with_the_power_of_visits() {
        let widening = Some(Widening { c: 2.0, alpha: 0.5 });
        let open = |visits| open_actions(widening, visits, 40);
        assert_eq!([0, 1, 4, 26, 101, 1_000_000].map(open), [2, 2, 4, 10, 20, 40]);
        assert_eq!(open_actions(None, 0, 40), 40);
        let slow = Some(Widening { c: 0.1, alpha: 0.5 });
        assert_eq!(open_actions(slow, 1, 40), 1, "one is always open");
    }
}
