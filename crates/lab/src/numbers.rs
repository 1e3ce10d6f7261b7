//! Numbers as people read them.

/// 1234567 as `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How likely something is if nothing is behind it, with its sign: `p = 0.0265`, `p < 0.0001`.
#[must_use]
pub fn p_value(p: f64) -> String {
    // What would round to 0.0000 is not 0.
    if p < 0.000_05 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}

/// A share as a percentage with one digit; halves are rounded up, as the page does.
#[must_use]
pub fn percent(rate: f64) -> String {
    format!("{:.1}", (rate * 1000.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::{p_value, percent};

    #[test]
    fn halves_are_rounded_up() {
        assert_eq!([0.7125, 0.6375, 0.9375, 1.0].map(percent), ["71.3", "63.8", "93.8", "100.0"]);
    }

    #[test]
    fn no_probability_is_shown_as_zero() {
        let shown = [1.0, 0.3291, 0.000_14, 0.000_05, 0.000_049, 1e-12, 0.0].map(p_value);
        let small = "p < 0.0001";
        assert_eq!(
            shown,
            ["p = 1.0000", "p = 0.3291", "p = 0.0001", "p = 0.0001", small, small, small]
        );
    }
}
