//! Lines of code by crate, without tests, blank lines and comments: what there is to read.

use std::collections::BTreeMap;

/// Lines of code of each crate.
#[derive(Debug, Default)]
pub(super) struct Lines(BTreeMap<String, usize>);

impl Lines {
    /// Counts a file if it is source of a crate.
    pub(super) fn add(&mut self, file: &str, text: &str) {
        let Some((name, place)) = file.strip_prefix("crates/").and_then(|it| it.split_once('/'))
        else {
            return;
        };
        if place.starts_with("src/") && place.ends_with(".rs") && !place.ends_with("/tests.rs") {
            *self.0.entry(name.to_owned()).or_default() += code_lines(text);
        }
    }

    /// The largest crates first, and all together.
    pub(super) fn table(&self) -> String {
        let mut crates: Vec<_> = self.0.iter().collect();
        crates.sort_by_key(|&(_, lines)| std::cmp::Reverse(lines));
        let all = self.0.values().sum();
        let line = |name: &str, lines: usize| format!("{name:<18} {lines:>6}\n");
        let crates = crates.into_iter().map(|(name, &lines)| line(name, lines));
        crates.chain([line("lines of code", all)]).collect()
    }
}

fn code_lines(text: &str) -> usize {
    let code = |line: &&str| !line.is_empty() && !line.starts_with("//");
    // Unit tests stand at the end of a file.
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(str::trim).filter(code).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_counted_and_nothing_else() {
        let text = "//! About.\n\nfn f() {\n    // Why.\n    g(); // here\n}\n\n#[cfg(test)]\nmod tests {\n}\n";
        let mut lines = Lines::default();
        for file in ["crates/a/src/x.rs", "crates/b/src/y/z.rs", "crates/b/src/lib.rs"] {
            lines.add(file, text);
        }
        for file in ["crates/a/tests/all/x.rs", "crates/a/src/x/tests.rs", "crates/a/src/x.toml"] {
            lines.add(file, text);
        }
        let table = lines.table();
        let rows: Vec<Vec<&str>> =
            table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows, [vec!["b", "6"], vec!["a", "3"], vec!["lines", "of", "code", "9"]]);
    }
}
