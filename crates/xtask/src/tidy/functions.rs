//! Length of files and functions.

use super::Finding;
use super::source::is_word;

const LONGEST_FILE: usize = 500;
const LONGEST_FUNCTION: usize = 90;

/// The rule for a whole file.
pub(super) fn check_length(file: &str, text: &str) -> Option<Finding> {
    let lines = text.lines().count();
    (lines > LONGEST_FILE).then(|| {
        let what = format!("{lines} lines, at most {LONGEST_FILE}: split the file");
        Finding::new(file, 0, what)
    })
}

/// `code` is `text` without comments and literals.
pub(super) fn check(file: &str, text: &str, code: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = check_length(file, text).into_iter().collect();
    for Function { name, line, lines } in functions(code) {
        if lines > LONGEST_FUNCTION {
            let what = format!("fn {name} has {lines} lines, at most {LONGEST_FUNCTION}");
            findings.push(Finding::new(file, line, what));
        }
    }
    findings
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    line: usize,
    lines: usize,
}

/// By counting braces, which is enough for code that rustfmt accepts.
fn functions(code: &str) -> Vec<Function> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = code[at..].find("fn ") {
        let start = at + offset;
        at = start + 3;
        let name: String = code[at..].chars().take_while(|&c| is_word(c)).collect();
        if name.is_empty() || code[..start].chars().next_back().is_some_and(is_word) {
            continue;
        }
        if let Some(end) = body_end(&code[at..]) {
            let line = 1 + code[..start].matches('\n').count();
            let lines = 1 + code[start..at + end].matches('\n').count();
            found.push(Function { name, line, lines });
        }
    }
    found
}

/// Where the body ends, if a body follows rather than a semicolon.
fn body_end(code: &str) -> Option<usize> {
    let (mut braces, mut brackets) = (0usize, 0usize);
    for (at, character) in code.char_indices() {
        match character {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets = brackets.saturating_sub(1),
            ';' if braces == 0 && brackets == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces = braces.saturating_sub(1);
                if braces == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(body_lines: usize) -> String {
        format!("impl X {{\n    fn long(a: [u8; 3]) {{\n{}    }}\n}}\n", "x;\n".repeat(body_lines))
    }

    #[test]
    fn long_functions_are_found() {
        let text = function(LONGEST_FUNCTION - 2);
        assert_eq!(check("a.rs", &text, &text), []);
        let text = function(LONGEST_FUNCTION - 1);
        let findings = check("a.rs", &text, &text);
        assert_eq!(findings, [Finding::new("a.rs", 2, "fn long has 91 lines, at most 90")]);
    }

    #[test]
    fn long_files_are_found() {
        let text = "// x\n".repeat(LONGEST_FILE);
        assert_eq!(check("a.rs", &text, ""), []);
        assert_eq!(check("a.rs", &(text + "\n"), "").len(), 1);
    }

    #[test]
    fn declarations_and_types_have_no_body() {
        assert_eq!(functions("trait T { fn a(); fn b([u8; 2]); }\ntype F = fn (u8);"), []);
        let nested = functions("fn a() {\n  fn b() { if x { y } }\n}");
        assert_eq!(nested.len(), 2);
        assert_eq!((nested[0].lines, nested[1].lines), (3, 1));
    }
}
