//! Rust source without its comments and literals, so that rules about code look at code.

/// The text with every character of a comment, string or character literal replaced by a space.
/// Lines stay where they are.
pub(super) fn code_only(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < characters.len() {
        let rest = &characters[at..];
        let inside_word = at > 0 && is_word(characters[at - 1]);
        let length = match rest[0] {
            '/' if rest.get(1) == Some(&'/') => {
                rest.iter().position(|&c| c == '\n').unwrap_or(rest.len())
            }
            '/' if rest.get(1) == Some(&'*') => block_comment(rest),
            '"' => quoted(rest, '"'),
            'r' | 'b' | 'c' if !inside_word => prefixed_string(rest),
            '\'' => character_literal(rest),
            _ => 0,
        };
        if length == 0 {
            out.push(rest[0]);
            at += 1;
        } else {
            out.extend(rest[..length].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at += length;
        }
    }
    out
}

/// Whether a character may be part of an identifier.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The length of a block comment; such comments nest.
fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match (rest[at], rest.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// The length of a literal between two `end` marks, with backslash escapes.
fn quoted(rest: &[char], end: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            character if character == end => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of `r"…"`, `r#"…"#`, `b"…"`, `br"…"`, `c"…"`, `b'…'`; 0 if it is none of them.
fn prefixed_string(rest: &[char]) -> usize {
    let letters = rest.iter().take(2).take_while(|c| matches!(c, 'r' | 'b' | 'c')).count();
    let hashes = rest[letters..].iter().take_while(|&&c| c == '#').count();
    let start = letters + hashes;
    match rest.get(start) {
        Some('"') if rest[..letters].contains(&'r') => {
            let closes = |at: usize| {
                rest[at] == '"'
                    && rest[at + 1..].iter().take_while(|&&c| c == '#').count() >= hashes
            };
            let end = (start + 1..rest.len()).find(|&at| closes(at));
            end.map_or(rest.len(), |end| end + 1 + hashes)
        }
        Some('"') if hashes == 0 => letters + quoted(&rest[letters..], '"'),
        Some('\'') if hashes == 0 && rest[0] == 'b' => letters + quoted(&rest[letters..], '\''),
        _ => 0,
    }
}

/// The length of `'x'` or `'\n'`; 0 for a lifetime.
fn character_literal(rest: &[char]) -> usize {
    match (rest.get(1), rest.get(2)) {
        (Some('\\'), _) => quoted(rest, '\''),
        (Some(_), Some('\'')) => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, code: &str) {
        let found = code_only(text);
        assert_eq!(found.chars().count(), text.chars().count(), "{text:?}");
        assert_eq!(found.split_whitespace().collect::<Vec<_>>().join(" "), code, "{text:?}");
    }

    #[test]
    fn comments_and_literals_vanish() {
        check("a // b\nc", "a c");
        check("a /* b /* c */ d */ e", "a e");
        check(r#"a("b \" c") d"#, "a( ) d");
        check(r##"a(r#"b " c"#) d"##, "a( ) d");
        check(r##"a(b"b", br"c\", b'"') d"##, "a( , , ) d");
        check(r"a('{', '\'', '\u{7b}') d", "a( , , ) d");
        check("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}");
        check("bar\"x\" r#type number'", "bar r#type number'");
        check("\"never closed", "");
    }
}
