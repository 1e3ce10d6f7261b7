//! Many comparisons at once: among 465 tests at 5 %, 23 succeed by chance.

/// p-values adjusted by Holm's method (1979): what stays below α is true of all of them together
/// with probability 1 − α, whatever depends on what. For claims.
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let order = ascending(p);
    let mut adjusted = vec![1.0; p.len()];
    let mut largest = 0.0f64;
    for (rank, &index) in order.iter().enumerate() {
        largest = largest.max((p.len() - rank) as f64 * p[index]).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

/// p-values adjusted by the method of Benjamini and Hochberg (1995): of those that stay below α, a
/// share α is false on average. For exploration.
#[must_use]
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let order = ascending(p);
    let mut adjusted = vec![1.0; p.len()];
    let mut smallest = 1.0f64;
    for (rank, &index) in order.iter().enumerate().rev() {
        smallest = smallest.min(p.len() as f64 * p[index] / (rank + 1) as f64);
        adjusted[index] = smallest;
    }
    adjusted
}

fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}
