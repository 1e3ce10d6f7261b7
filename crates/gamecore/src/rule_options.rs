//! Rule options as text, the same in every game: a preset, then `key=value` with commas between.

use std::fmt::Display;

use crate::notation::{NotationError, Read, Wrong};
use crate::refuse;

/// A two-valued option: key, name of `true`, name of `false`, field.
pub type Switch<O> = (&'static str, &'static str, &'static str, fn(&mut O) -> &mut bool);

/// Reads a preset, or `key=value,…`, or a preset followed by keys. Nothing, or `standard`, is the
/// default. `set` changes one option.
pub fn parse_options<O: Default>(
    text: &str,
    (presets, preset): (&[&str], impl Fn(&str) -> Option<O>),
    (keys, set): (&[&str], impl Fn(&mut O, &str, &str, Wrong<'_>) -> Read<()>),
) -> Read<O> {
    let mut options = O::default();
    for (index, part) in text.split(',').enumerate() {
        let wrong = |reason: &dyn Display| NotationError::new("rules", part, reason);
        if let Some((key, value)) = part.split_once('=') {
            set(&mut options, key, value, &wrong)?;
        } else if index == 0 && matches!(part, "" | "standard") {
            // The default.
        } else if let Some(found) = preset(part).filter(|_| index == 0) {
            options = found;
        } else {
            let (first, keys) = (presets.join(", "), keys.join(", "));
            refuse!(
                wrong,
                "expected a preset first ({first}), then KEY=VALUE with the keys {keys}"
            );
        }
    }
    Ok(options)
}

/// Sets the switch of this key; `false` if no switch has it.
pub fn set_switch<O>(
    switches: &[Switch<O>],
    options: &mut O,
    key: &str,
    value: &str,
    wrong: Wrong<'_>,
) -> Read<bool> {
    let Some((_, yes, no, field)) = switches.iter().find(|(known, ..)| *known == key) else {
        return Ok(false);
    };
    *field(options) = match value {
        _ if value == *yes => true,
        _ if value == *no => false,
        _ => refuse!(wrong, "{key} is {yes} or {no}"),
    };
    Ok(true)
}

/// The value of the switch of this key, which must be one of them.
#[must_use]
pub fn switch_text<O: Clone>(switches: &[Switch<O>], options: &O, key: &str) -> &'static str {
    let mut copy = options.clone();
    let (_, yes, no, field) =
        switches.iter().find(|(known, ..)| *known == key).expect("every key is known");
    if *field(&mut copy) { yes } else { no }
}
