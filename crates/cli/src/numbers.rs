//! Numbers on the command line: one reader for all of them, which says what was expected.

use std::ops::RangeInclusive;

use anyhow::{Context, Result, anyhow};

/// Reads a whole number within these bounds.
pub(crate) fn whole<T: TryFrom<u64>>(
    bounds: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T> + Clone {
    move |text| {
        let read = text.parse().ok().filter(|number| bounds.contains(number));
        read.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let (least, most) = bounds.clone().into_inner();
            match most {
                u64::MAX if !is_whole(text) => anyhow!("expected a whole number, {least} or more"),
                _ => anyhow!("expected a whole number from {least} to {most}"),
            }
        })
    }
}

/// Any whole number that there is room for.
pub(crate) fn any<T: TryFrom<u64>>(text: &str) -> Result<T> {
    let most = u64::MAX >> (u64::BITS - 8 * (size_of::<T>() as u32).min(8));
    whole(0..=most)(text)
}

/// How many threads are to work.
pub(crate) fn threads(text: &str) -> Result<u16> {
    whole(1..=1024)(text)
}

/// A number with or without a fraction.
pub(crate) fn decimal(text: &str) -> Result<f64> {
    text.parse().ok().context("expected a number, such as 0.25")
}

/// Whole, but too large to be read.
fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;

    use clap::{Arg, Command, CommandFactory};

    use super::*;

    #[test]
    fn what_was_expected_is_said() {
        assert_eq!(whole::<u16>(1..=1024)("12").unwrap(), 12);
        assert_eq!(any::<u64>("18446744073709551615").unwrap(), u64::MAX);
        for (said, expected) in [
            (threads("0").map(u64::from), "expected a whole number from 1 to 1024"),
            (threads("two").map(u64::from), "expected a whole number from 1 to 1024"),
            (any("-1"), "expected a whole number, 0 or more"),
            (any(""), "expected a whole number, 0 or more"),
            (any("18446744073709551616"), "expected a whole number from 0 to 18446744073709551615"),
            (
                any::<u32>("4294967296").map(u64::from),
                "expected a whole number from 0 to 4294967295",
            ),
        ] {
            assert_eq!(said.unwrap_err().to_string(), expected);
        }
        assert_eq!(decimal("0.5").unwrap(), 0.5);
        assert_eq!(decimal("half").unwrap_err().to_string(), "expected a number, such as 0.25");
    }

    /// Every command with what leads to it.
    fn commands(command: &Command, path: &[String], found: &mut Vec<(Vec<String>, Command)>) {
        found.push((path.to_vec(), command.clone()));
        for inner in command.get_subcommands() {
            commands(inner, &[path, &[inner.get_name().to_owned()]].concat(), found);
        }
    }

    fn is_number(arg: &Arg) -> bool {
        let kind = arg.get_value_parser().type_id();
        let numbers = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>()];
        kind == TypeId::of::<f64>() || numbers.iter().any(|number| kind == *number)
    }

    /// A new flag for a number that is not read here fails this.
    #[test]
    fn every_number_says_what_was_expected() {
        let (mut all, mut tried) = (Vec::new(), 0);
        let mut root = crate::Cli::command();
        root.build();
        commands(&root, &["warroom".to_owned()], &mut all);
        for (path, command) in all {
            for arg in command.get_arguments().filter(|arg| is_number(arg)) {
                for wrong in ["many", "-1x", ""] {
                    let mut words = path.clone();
                    match (arg.get_long(), arg.get_index()) {
                        (Some(long), _) => words.push(format!("--{long}={wrong}")),
                        (None, Some(index)) => {
                            words.extend(std::iter::repeat_n("x".to_owned(), index - 1));
                            words.push(wrong.to_owned());
                        }
                        (None, None) => panic!("{path:?}: {arg}"),
                    }
                    if wrong == "-1x" && arg.get_long().is_none() {
                        continue;
                    }
                    let error = crate::Cli::command().try_get_matches_from(&words).unwrap_err();
                    let said = error.to_string();
                    assert!(said.contains("expected a"), "{words:?}: {said}");
                    assert!(said.contains(&format!("'{wrong}'")), "{words:?}: {said}");
                    assert_eq!(error.exit_code(), 2);
                    tried += 1;
                }
            }
        }
        assert!(tried > 40, "{tried}");
    }
}
