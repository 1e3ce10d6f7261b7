//! Logarithm and exponential from the four basic operations alone. Those of the standard library
//! differ in their last bits between systems; searches whose choices depend on them would not
//! repeat on every machine.

/// ln 2 in two parts: the first has so few bits that small multiples of it are exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// The natural logarithm of a number that is finite and above 0, to about 15 digits.
#[must_use]
pub fn ln(number: f64) -> f64 {
    debug_assert!(number.is_normal() && number > 0.0, "ln({number})");
    let bits = number.to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh((m − 1) / (m + 1)), a series in odd powers.
    let part = (mantissa - 1.0) / (mantissa + 1.0);
    let square = part * part;
    let series = (0..11).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    let exponent = f64::from(exponent);
    exponent * LN_2_HIGH + (2.0 * part * series + exponent * LN_2_LOW)
}

/// e to the power of `number`, to about 15 digits; 0 far below 0 and infinite far above.
#[must_use]
pub fn exp(number: f64) -> f64 {
    if number < -700.0 {
        return 0.0;
    }
    if number > 709.0 {
        return f64::INFINITY;
    }
    let doublings = (number * std::f64::consts::LOG2_E).round();
    let rest = number - doublings * LN_2_HIGH - doublings * LN_2_LOW;
    let series = (1..15).rev().fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    series * f64::from_bits(((doublings as i64 + 1023) as u64) << 52)
}

/// `base` (above 0) to the power of `exponent`.
#[must_use]
pub fn power(base: f64, exponent: f64) -> f64 {
    exp(exponent * ln(base))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        let error = (found - expected).abs() / expected.abs().max(1e-3);
        assert!(error < 4e-15, "{found} instead of {expected}");
    }

    #[test]
    fn agrees_with_the_standard_library() {
        for step in 1..20_000 {
            let number = f64::from(step) * 0.37;
            close(ln(number), number.ln());
            close(ln(1.0 / number), (1.0 / number).ln());
        }
        for step in -6_900..7_000 {
            let number = f64::from(step) * 0.1;
            let error = exp(number) / number.exp() - 1.0;
            assert!(error.abs() < 1e-13, "exp({number}) is {error} off");
        }
        close(power(2.0, 10.0), 1024.0);
        close(power(100.0, 0.5), 10.0);
    }

    #[test]
    fn knows_its_fixed_points() {
        assert_eq!((ln(1.0), exp(0.0), power(7.0, 0.0)), (0.0, 1.0, 1.0));
        assert_eq!((exp(-1e9), exp(1e9)), (0.0, f64::INFINITY));
    }

    /// Bits, not digits: they are part of stored results.
    #[test]
    fn is_frozen() {
        assert_eq!(ln(10.0).to_bits(), 0x4002_6bb1_bbb5_5516);
        assert_eq!(exp(0.5).to_bits(), 0x3ffa_6129_8e1e_069c);
    }
}
