//! Families of tests that grow with the product, such as every pair of agents: a change tries a part
//! of each, chosen by its commit, so that the cost stays while the coverage goes round.

/// The environment variable that `cargo xtask test` sets to a number made from the commit, and
/// `cargo xtask soak` to `all`.
pub const SLICE_VARIABLE: &str = "WARROOM_SLICE";

/// `count` members of a family that are neighbours (the first follows the last), or all of them.
/// Says which, so that a failure can be repeated.
///
/// # Panics
/// If the variable is set to something else: fewer members than meant would be silent.
#[must_use]
#[allow(clippy::print_stdout, reason = "tests tell what they try")]
pub fn slice<T>(family: &str, members: Vec<T>, count: usize) -> Vec<T> {
    let chosen = match std::env::var(SLICE_VARIABLE) {
        Ok(text) if text == "all" => None,
        Ok(text) => Some(
            text.parse()
                .unwrap_or_else(|_| panic!("{SLICE_VARIABLE}={text}: expected a number or 'all'")),
        ),
        Err(_) => Some(0),
    };
    if let Some(number) = chosen {
        let all = members.len();
        println!("{family}: {} of {all}, {SLICE_VARIABLE}={number}", count.min(all));
    }
    part(members, count, chosen)
}

fn part<T>(mut members: Vec<T>, count: usize, chosen: Option<usize>) -> Vec<T> {
    let (all, Some(number)) = (members.len(), chosen) else { return members };
    if all > count {
        let first = number % all;
        members.rotate_left(first);
        members.truncate(count);
    }
    members
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn every_member_is_in_some_part() {
        let of = |number| part(vec!['a', 'b', 'c', 'd'], 2, Some(number));
        assert_eq!(of(0), ['a', 'b']);
        assert_eq!(of(3), ['d', 'a']);
        assert_eq!(of(6), ['c', 'd']);
        assert_eq!(part(vec!['a', 'b', 'c'], 2, None), ['a', 'b', 'c']);
        assert_eq!(part(vec!['a'], 2, Some(9)), ['a']);
    }
}
