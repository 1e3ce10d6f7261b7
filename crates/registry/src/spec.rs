//! Agent specs as written: `NAME[:KEY=VALUE{,KEY=VALUE}]`, or a `.toml` file with the same keys.

use std::fmt;

use crate::SpecError;

/// Reads a file that a spec names. The registry itself touches no files.
pub type Loader<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// A name and its keys, not yet checked against any agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSpec {
    /// The agent's name.
    pub name: String,
    /// Keys and values in the order written.
    pub keys: Vec<(String, String)>,
}

impl AgentSpec {
    /// Reads a spec; something that ends in `.toml` is loaded as a file.
    pub fn parse(text: &str, load: Loader<'_>) -> Result<Self, SpecError> {
        let text = text.trim();
        if text.ends_with(".toml") && !text.contains('=') {
            let content = load(text).map_err(|reason| SpecError::new(text, reason))?;
            return Self::parse_file(text, &content);
        }
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() {
            return Err(SpecError::new(
                text,
                "expected NAME or NAME:KEY=VALUE,…, such as alphabeta:depth=6",
            ));
        }
        let mut spec = Self { name: name.into(), keys: Vec::new() };
        for part in rest.split(',').filter(|_| text.contains(':')) {
            match part.split_once('=') {
                Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => {
                    spec.push(text, key.trim(), value.trim())?;
                }
                _ => {
                    let reason = format!("'{part}' is not KEY=VALUE");
                    return Err(SpecError::new(text, reason));
                }
            }
        }
        Ok(spec)
    }

    fn parse_file(path: &str, content: &str) -> Result<Self, SpecError> {
        let table: toml::Table = content
            .parse()
            .map_err(|error: toml::de::Error| SpecError::new(path, error.to_string()))?;
        let mut spec = Self { name: String::new(), keys: Vec::new() };
        flatten(path, "", &table, &mut spec)?;
        let Some(position) = spec.keys.iter().position(|(key, _)| key == "agent") else {
            return Err(SpecError::new(path, "expected a line agent = \"NAME\""));
        };
        spec.name = spec.keys.remove(position).1;
        // Records and reports tell agents as lines, from which they must come back.
        let line = spec.to_string();
        if Self::parse(&line, &|_| Err(String::new())).as_ref() != Ok(&spec) {
            let reason = format!("'{line}' cannot be read as a line NAME:KEY=VALUE,…");
            return Err(SpecError::new(path, reason));
        }
        Ok(spec)
    }

    fn push(&mut self, text: &str, key: &str, value: &str) -> Result<(), SpecError> {
        if self.keys.iter().any(|(known, _)| known == key) {
            return Err(SpecError::new(text, format!("the key '{key}' is given twice")));
        }
        self.keys.push((key.into(), value.into()));
        Ok(())
    }

    /// Gives `key` this value unless the spec already says something about it.
    pub fn set_default(&mut self, key: &str, value: &str) {
        if !self.keys.iter().any(|(known, _)| known == key) {
            self.keys.push((key.into(), value.into()));
        }
    }
}

/// Turns tables into dotted keys.
fn flatten(
    path: &str,
    prefix: &str,
    table: &toml::Table,
    spec: &mut AgentSpec,
) -> Result<(), SpecError> {
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            toml::Value::Table(inner) => flatten(path, &format!("{key}."), inner, spec)?,
            toml::Value::String(text) => spec.push(path, &key, text)?,
            toml::Value::Integer(_) | toml::Value::Float(_) => {
                spec.push(path, &key, &value.to_string())?;
            }
            toml::Value::Boolean(on) => spec.push(path, &key, if *on { "on" } else { "off" })?,
            _ => {
                let reason = format!("{key}: expected a number, a word or on/off");
                return Err(SpecError::new(path, reason));
            }
        }
    }
    Ok(())
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)?;
        for (index, (key, value)) in self.keys.iter().enumerate() {
            write!(out, "{}{key}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn no_files(path: &str) -> Result<String, String> {
        Err(format!("no file {path}"))
    }

    fn parse(text: &str) -> Result<AgentSpec, SpecError> {
        AgentSpec::parse(text, &no_files)
    }

    #[test]
    fn writes_what_it_reads() {
        for text in ["random", "alphabeta:depth=4", "mcts:rollout.temperature=1,prune=h4+h5"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            ("", "expected NAME"),
            (":depth=4", "expected NAME"),
            ("alphabeta:", "'' is not KEY=VALUE"),
            ("alphabeta:depth", "'depth' is not KEY=VALUE"),
            ("alphabeta:depth=", "'depth=' is not KEY=VALUE"),
            ("alphabeta:depth=4,", "'' is not KEY=VALUE"),
            ("alphabeta:depth=4,depth=5", "given twice"),
            ("missing.toml", "no file missing.toml"),
        ];
        for (text, expected) in cases {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn a_file_says_the_same_as_a_line() {
        let load = |_: &str| {
            Ok("agent = \"pvs\"\ndepth = 4\ndeepening = true\n[eval]\npieces = 3".to_owned())
        };
        let spec = AgentSpec::parse("mine.toml", &load).unwrap();
        assert_eq!(spec.to_string(), "pvs:deepening=on,depth=4,eval.pieces=3");
        for wrong in ["depth = 4", "agent = [1]", "agent = ", "agent = \"a\"\n\"agent\" = \"b\""] {
            let load = |_: &str| Ok(wrong.to_owned());
            assert!(AgentSpec::parse("mine.toml", &load).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_a_spec_or_an_error(text in ".{0,80}") {
            if let Ok(spec) = parse(&text) {
                prop_assert_eq!(parse(&spec.to_string()).unwrap(), spec);
            }
        }
    }
}
