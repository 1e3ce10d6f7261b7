//! Top-level modules of a crate that know each other in a circle can be read in no order. There are to be
//! none; those that there still are stand in a list that only gets shorter.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::source::is_word;

/// A crate, and modules of it that know each other in a circle.
type Circle<'a> = (&'a str, &'a [&'a str]);

/// Circles that are left from before.
const LEFT: [Circle<'_>; 3] = [
    ("cluster", &["admitting", "worker"]),
    ("cluster", &["coordinator", "here", "joining", "playing"]),
    (
        "server",
        &["app", "games", "import", "input", "insight", "loadouts", "openapi", "runs", "security"],
    ),
];

/// Names that the modules of one crate use, and where names of its root come from.
#[derive(Default)]
struct Modules {
    uses: BTreeMap<String, BTreeSet<String>>,
    exports: BTreeMap<String, String>,
}

/// What all crates' modules know of each other.
#[derive(Default)]
pub(super) struct Knowledge(BTreeMap<String, Modules>);

impl Knowledge {
    /// Takes in a file, its comments and literals left out, if it is source of a crate.
    pub(super) fn add(&mut self, file: &str, code: &str) {
        let Some((name, place)) =
            file.strip_prefix("crates/").and_then(|it| it.split_once("/src/"))
        else {
            return;
        };
        let Some(path) = place.strip_suffix(".rs") else { return };
        // Tests may know everything.
        let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let modules = self.0.entry(name.to_owned()).or_default();
        if path == "lib" || path == "main" {
            modules.exports.extend(exports(code));
            return;
        }
        let (top, inside) = path.split_once('/').unwrap_or((path, "mod"));
        let uses = modules.uses.entry(top.to_owned()).or_default();
        uses.extend(names_after(code, "crate::"));
        if inside == "mod" {
            uses.extend(names_after(code, "super::"));
        }
    }

    /// Circles that are not in the list, and those of the list that are no more.
    pub(super) fn check(&self) -> Vec<Finding> {
        let found: BTreeSet<(String, Vec<String>)> = self
            .0
            .iter()
            .flat_map(|(name, modules)| {
                modules.circles().into_iter().map(|circle| (name.clone(), circle))
            })
            .collect();
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let left: BTreeSet<(String, Vec<String>)> =
            LEFT.iter().map(|&(name, circle)| (name.to_owned(), owned(circle))).collect();
        let new = found.difference(&left).map(|(name, circle)| {
            let what = format!("modules that know each other in a circle: {}", circle.join(", "));
            Finding::new(&format!("crates/{name}"), 0, what)
        });
        let gone = left.difference(&found).map(|(name, circle)| {
            let what =
                format!("no circle any more: take {name}: {} off the list", circle.join(", "));
            Finding::new("crates/xtask/src/tidy/modules.rs", 0, what)
        });
        new.chain(gone).collect()
    }
}

impl Modules {
    /// Sets of modules each of which reaches all others of its set.
    fn circles(&self) -> Vec<Vec<String>> {
        let known = |module: &String| -> BTreeSet<&String> {
            let names = self.uses[module].iter().map(|name| self.exports.get(name).unwrap_or(name));
            names.filter(|name| *name != module && self.uses.contains_key(*name)).collect()
        };
        let mut reached: BTreeMap<&String, BTreeSet<&String>> =
            self.uses.keys().map(|module| (module, known(module))).collect();
        loop {
            let further: BTreeMap<_, BTreeSet<_>> = reached
                .iter()
                .map(|(module, names)| {
                    (*module, names.iter().flat_map(|name| &reached[name]).copied().collect())
                })
                .collect();
            let mut grew = false;
            for (module, names) in &mut reached {
                let before = names.len();
                names.extend(&further[module]);
                grew |= names.len() > before;
            }
            if !grew {
                break;
            }
        }
        let circle = |module: &&String| -> Vec<String> {
            let both = |other: &&&String| reached[**other].contains(*module);
            reached[*module].iter().filter(both).map(|name| (*name).clone()).collect()
        };
        let circles: BTreeSet<Vec<String>> =
            reached.keys().map(circle).filter(|circle| !circle.is_empty()).collect();
        circles.into_iter().collect()
    }
}

/// The first names of the paths that follow a prefix, groups in braces among them.
fn names_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].chars().next_back().is_some_and(is_word) {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(parts_of(group)),
            None => names.extend([first_word(rest)]),
        }
    }
    names
}

/// The first names of the parts of a group up to its closing brace.
fn parts_of(group: &str) -> Vec<String> {
    let (mut depth, mut begins, mut parts) = (0, 0, Vec::new());
    for (at, character) in group.char_indices() {
        let ends = match character {
            '{' => {
                depth += 1;
                false
            }
            '}' if depth == 0 => {
                parts.push(first_word(&group[begins..at]));
                break;
            }
            '}' => {
                depth -= 1;
                false
            }
            ',' => depth == 0,
            _ => false,
        };
        if ends {
            parts.push(first_word(&group[begins..at]));
            begins = at + 1;
        }
    }
    parts
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|&character| is_word(character)).collect()
}

/// Names that the root of a crate takes from its modules.
fn exports(code: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for (at, _) in code.match_indices("use ") {
        let rest = &code[at + "use ".len()..];
        let Some((path, _)) = rest.split_once(';') else { continue };
        let Some((module, names)) = path.split_once("::") else { continue };
        let words = names.split(|character| !is_word(character)).filter(|word| !word.is_empty());
        all.extend(words.map(|word| (word.to_owned(), module.trim().to_owned())));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let mut all = Knowledge::default();
        for (place, code) in files {
            all.add(&format!("crates/x/src/{place}"), code);
        }
        all.0["x"].circles()
    }

    #[test]
    fn circles_are_found_through_paths_groups_and_names_of_the_root() {
        let root = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use c::{Third, Other};\n");
        let none =
            [root, ("a.rs", "use crate::b::B;"), ("b.rs", "use crate::Third;"), ("c.rs", "")];
        assert!(circles(&none).is_empty());
        let back = ("c/inner.rs", "use crate::{\n    a::{A, Z},\n    d,\n};");
        let around = [root, none[1], none[2], back];
        assert_eq!(circles(&around), [["a", "b", "c"]]);
        let by_super = [root, ("a.rs", "use super::b::B;"), ("b.rs", "fn f() { crate::a::g() }")];
        assert_eq!(circles(&by_super), [["a", "b"]]);
    }

    #[test]
    fn tests_may_know_everything() {
        let tests = "\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n";
        assert!(circles(&[("a.rs", "use crate::b::B;"), ("b.rs", tests)]).is_empty());
    }

    #[test]
    fn a_new_circle_and_one_that_is_gone_are_told() {
        let mut all = Knowledge::default();
        all.add("crates/x/src/a.rs", "use crate::b::B;");
        all.add("crates/x/src/b.rs", "use crate::a::A;");
        let found = all.check();
        assert_eq!(found.len(), LEFT.len() + 1);
        assert!(found[0].to_string().ends_with("in a circle: a, b"), "{}", found[0]);
    }
}
