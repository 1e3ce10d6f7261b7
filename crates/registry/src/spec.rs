//! Agent specs as written: `NAME[:KEY=VALUE{,KEY=VALUE}]`, `exec:COMMAND[,ms=N]`, or a `.toml` file
//! with the same keys.

use std::{fmt, io};

use external::{ProgramConfig, split_words};
use search::MctsConfig;
use search::params::idle_part;

use crate::SpecError;

/// The name of programs from outside, whose spec is a command.
pub(crate) const EXEC: &str = "exec";

/// Reads a file that a spec names. The registry itself touches no files.
pub type Loader<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// The loader where no file can be named.
pub fn no_files(path: &str) -> io::Result<String> {
    Err(io::Error::other(format!("no file {path}")))
}

/// The words of the command behind a program from outside; none for other agents.
#[must_use]
pub fn program_words(spec: &AgentSpec) -> Vec<String> {
    let command = spec.keys.iter().find(|(key, _)| key == ProgramConfig::COMMAND);
    let words = command.filter(|_| spec.name == EXEC).map(|(_, command)| split_words(command));
    words.and_then(Result::ok).unwrap_or_default()
}

/// A name and its keys, not yet checked against any agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSpec {
    /// The agent's name.
    pub name: String,
    /// Keys and values in the order written.
    pub keys: Vec<(String, String)>,
}

impl AgentSpec {
    /// The spec without the keys of parts that it switches off: there they say nothing. Only tree search has
    /// such parts.
    #[must_use]
    pub fn without_idle(mut self) -> Self {
        let params = MctsConfig::params();
        let said = self.keys.clone();
        let value = |key: &str| Some(said.iter().find(|(known, _)| known == key)?.1.as_str());
        self.keys.retain(|(key, _)| idle_part(&params, key, value).is_none());
        self
    }

    /// Reads a spec; something that ends in `.toml` is loaded as a file.
    pub fn parse(text: &str, load: Loader<'_>) -> Result<Self, SpecError> {
        let text = text.trim();
        if let Some((EXEC, command)) = text.split_once(':') {
            return Self::parse_command(text, command);
        }
        if text.ends_with(".toml") && !text.contains('=') {
            let content = load(text).map_err(|error| SpecError::new(text, error))?;
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

    /// Reads what follows `exec:`. A command may hold whatever other specs put between keys, so only
    /// its very end is looked at.
    fn parse_command(text: &str, rest: &str) -> Result<Self, SpecError> {
        let (command, limit) = limit_at_end(rest).map_or((rest, None), |(c, l)| (c, Some(l)));
        let command = command.trim();
        if command.is_empty() {
            let reason = "expected a command after 'exec:', such as exec:python3 my_agent.py";
            return Err(SpecError::new(text, reason));
        }
        let mut spec = Self { name: EXEC.into(), keys: Vec::new() };
        spec.push(text, ProgramConfig::COMMAND, command)?;
        if let Some(limit) = limit {
            if limit_at_end(command).is_some() {
                let reason = format!("the key '{}' is given twice", ProgramConfig::LIMIT);
                return Err(SpecError::new(text, reason));
            }
            spec.push(text, ProgramConfig::LIMIT, limit)?;
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
        if Self::parse(&line, &no_files).as_ref() != Ok(&spec) {
            let form = if spec.name == EXEC { "exec:CMD,ms=N" } else { "NAME:KEY=VALUE,…" };
            let reason = format!("'{line}' cannot be read as a line {form}");
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

/// Parts a command from the time limit at its end, `,ms=N`.
fn limit_at_end(command: &str) -> Option<(&str, &str)> {
    let (before, last) = command.rsplit_once(',')?;
    let (key, value) = last.split_once('=')?;
    let is_word = !value.trim().is_empty() && !value.trim().contains(char::is_whitespace);
    (key.trim() == ProgramConfig::LIMIT && is_word).then(|| (before, value.trim()))
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
            if self.name == EXEC && index == 0 && key == ProgramConfig::COMMAND {
                write!(out, ":{value}")?;
                continue;
            }
            write!(out, "{}{key}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn a_command_is_all_that_follows() {
        let cases: &[(&str, &str, Option<&str>)] = &[
            ("exec:python3 my.py", "python3 my.py", None),
            ("exec:a,b=c:d --x=1,y.toml", "a,b=c:d --x=1,y.toml", None),
            ("exec:my_agent mine.toml", "my_agent mine.toml", None),
            ("exec:'a b', c,ms=500", "'a b', c", Some("500")),
            ("exec: a , ms = 7 ", "a", Some("7")),
            ("exec:a,ms=x", "a", Some("x")),
            ("exec:ms=5", "ms=5", None),
            ("exec:a,ms=5 b", "a,ms=5 b", None),
            ("exec:a,ms=", "a,ms=", None),
            ("exec:a,MS=5,sms=6", "a,MS=5,sms=6", None),
        ];
        for (text, command, limit) in cases {
            let spec = parse(text).unwrap();
            let mut keys = vec![("cmd".to_owned(), (*command).to_owned())];
            keys.extend(limit.map(|limit| ("ms".to_owned(), limit.to_owned())));
            assert_eq!((&*spec.name, &spec.keys), ("exec", &keys), "{text}");
            assert_eq!(parse(&spec.to_string()).unwrap(), spec, "{text}");
        }
        assert_eq!(parse("exec").unwrap().keys, []);
        for text in ["exec:", "exec: ", "exec:,ms=5", "exec:a,ms=5,ms=6"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_may_name_a_program() {
        let read = |content: &str| AgentSpec::parse("mine.toml", &|_: &str| Ok(content.to_owned()));
        let spec = read("agent = \"exec\"\nms = 500\ncmd = \"python3 'my agent.py' --a=1,2\"");
        let spec = spec.unwrap();
        assert_eq!(spec.to_string(), "exec:python3 'my agent.py' --a=1,2,ms=500");
        for wrong in ["cmd = ''", "cmd = 'a,ms=5'", "cmd = ' a'", "cmd = 'a'\ndepth = 3", "ms = 5"]
        {
            let error = read(&format!("agent = 'exec'\n{wrong}")).expect_err(wrong).to_string();
            assert!(error.contains("exec:CMD,ms=N"), "{wrong}: {error}");
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

        #[test]
        fn any_command_comes_back(command in "[ ,=:ms0-9a'\"\\\\.]{0,12}|.{0,40}") {
            if let Ok(spec) = parse(&format!("exec:{command}")) {
                prop_assert_eq!(parse(&spec.to_string()).unwrap(), spec);
            }
        }
    }
}
