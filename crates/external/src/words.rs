//! The words of a command, as a shell would see them; no shell is asked.

use std::fmt;

/// Why a command has no words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitError {
    /// A quotation mark without its partner.
    Unclosed(char),
    /// A backslash at the end.
    Backslash,
    /// Nothing that could be started.
    Empty,
}

impl fmt::Display for SplitError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclosed(quote) => {
                write!(out, "the quote {quote} is not closed")
            }
            Self::Backslash => out.write_str("nothing follows the backslash at its end"),
            Self::Empty => out.write_str("it names no program"),
        }
    }
}

impl std::error::Error for SplitError {}

/// Splits a command at spaces. Inside single quotation marks every character means itself; inside
/// double ones a backslash protects `"` and `\`; outside it protects whatever follows. Nothing else
/// has a meaning: no variables, no patterns, no pipes.
pub fn split_words(command: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    // `None` between words: quotation marks around nothing make an empty word.
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match letter {
            '\'' | '"' => quoted(letter, &mut letters, word)?,
            '\\' => word.push(letters.next().ok_or(SplitError::Backslash)?),
            _ => word.push(letter),
        }
    }
    words.extend(word);
    match words.first() {
        Some(program) if !program.is_empty() => Ok(words),
        _ => Err(SplitError::Empty),
    }
}

/// Reads up to the end of a quotation.
fn quoted(
    quote: char,
    letters: &mut impl Iterator<Item = char>,
    word: &mut String,
) -> Result<(), SplitError> {
    loop {
        match letters.next().ok_or(SplitError::Unclosed(quote))? {
            letter if letter == quote => return Ok(()),
            '\\' if quote == '"' => match letters.next().ok_or(SplitError::Unclosed(quote))? {
                letter @ ('"' | '\\') => word.push(letter),
                letter => word.extend(['\\', letter]),
            },
            letter => word.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let cases: &[(&str, &[&str])] = &[
            ("python3 my.py", &["python3", "my.py"]),
            ("  a \t b\nc  ", &["a", "b", "c"]),
            ("'my program' --x=1,2:3", &["my program", "--x=1,2:3"]),
            (r#""a \"b\" \\ \n" c"#, &[r#"a "b" \ \n"#, "c"]),
            (r"a\ b c\\d", &["a b", r"c\d"]),
            (r"'a\' b", &[r"a\", "b"]),
            ("a'b c'd\"e f\"", &["ab cde f"]),
            ("a '' \"\"", &["a", "", ""]),
            ("a $HOME * | > ; # b", &["a", "$HOME", "*", "|", ">", ";", "#", "b"]),
        ];
        for (command, words) in cases {
            assert_eq!(split_words(command).unwrap(), *words, "{command}");
        }
    }

    #[test]
    fn what_is_no_command_is_refused() {
        let cases = [
            ("", SplitError::Empty),
            (" \t ", SplitError::Empty),
            ("'' a", SplitError::Empty),
            ("a 'b", SplitError::Unclosed('\'')),
            ("a \"b", SplitError::Unclosed('"')),
            ("a \"b\\", SplitError::Unclosed('"')),
            ("a \\", SplitError::Backslash),
        ];
        for (command, error) in cases {
            assert_eq!(split_words(command), Err(error), "{command}");
        }
    }

    proptest! {
        #[test]
        fn quoted_words_come_back(words in prop::collection::vec(".{0,12}", 1..5)) {
            prop_assume!(!words[0].is_empty());
            let quoted: Vec<String> =
                words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
            prop_assert_eq!(split_words(&quoted.join(" ")).unwrap(), words);
        }

        #[test]
        fn any_text_is_split_or_refused(text in ".{0,60}") {
            prop_assert!(split_words(&text).is_ok_and(|words| !words[0].is_empty())
                || split_words(&text).is_err());
        }
    }
}
