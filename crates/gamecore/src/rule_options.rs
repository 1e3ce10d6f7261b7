//! Rule options, declared once: key, what it decides, what it may be. The reader of rules, the text
//! of rules, errors, listings, the app's form and the tables in `docs/rules` come from it.

use std::fmt::Display;

use crate::refuse;
use crate::text_error::{NotationError, Read, Wrong};

/// All rule options of a game, which it keeps in an `O`.
pub struct RuleOptions<O: 'static> {
    /// Name, what it is, and its values; the first is the default.
    pub presets: &'static [(&'static str, &'static str, O)],
    /// In the order in which they are written.
    pub options: &'static [RuleOption<O>],
}

/// One rule option.
pub struct RuleOption<O: 'static> {
    words: RuleWords,
    kind: RuleKind<O>,
}

/// The name of a rule option and what it decides.
#[derive(Clone, Copy, Debug)]
pub struct RuleWords {
    /// Its key.
    pub key: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// Forms offer it.
    pub offered: bool,
}

/// What a rule option may be.
pub enum RuleKind<O: 'static> {
    /// One of two words, for `true` and `false`.
    Switch([&'static str; 2], fn(&mut O) -> &mut bool),
    /// A number in a closed range.
    Number(u32, u32, fn(&O) -> Option<u32>, fn(&mut O, Option<u32>)),
    /// The same, or `none`.
    NumberOrNone(u32, u32, fn(&O) -> Option<u32>, fn(&mut O, Option<u32>)),
    /// What it may be, in words; its part of the rules reads and writes it.
    Text(&'static str, fn(&mut O, &str, Wrong<'_>) -> Read<()>, fn(&O) -> String),
}

/// The declaration of a rule option begins with its key and a sentence without a full stop.
#[must_use]
pub const fn rule(key: &'static str, about: &'static str) -> RuleWords {
    RuleWords { key, about, offered: true }
}

impl RuleWords {
    /// Keeps it out of forms: it is not for people who play.
    #[must_use]
    pub const fn not_offered(self) -> Self {
        Self { offered: false, ..self }
    }

    /// What it may be.
    pub const fn is<O>(self, kind: RuleKind<O>) -> RuleOption<O> {
        RuleOption { words: self, kind }
    }
}

impl<O: 'static> RuleOption<O> {
    /// Its values where they can be listed, that of `usual` first; and what it may be, in words.
    fn values(&self, usual: &mut O) -> (Vec<&'static str>, String) {
        let to = |least: u32, most: u32| match least {
            0 => format!("up to {most}"),
            _ => format!("from {least} to {most}"),
        };
        match self.kind {
            RuleKind::Switch([yes, no], field) => {
                let words = if *field(usual) { [yes, no] } else { [no, yes] };
                (words.to_vec(), words.join(" or "))
            }
            RuleKind::Number(least, most, ..) => (Vec::new(), to(least, most)),
            RuleKind::NumberOrNone(least, most, ..) => (Vec::new(), to(least, most) + " or none"),
            RuleKind::Text(words, ..) => (Vec::new(), words.to_owned()),
        }
    }

    fn write(&self, options: &mut O) -> String {
        match self.kind {
            RuleKind::Switch([yes, no], field) => if *field(options) { yes } else { no }.to_owned(),
            RuleKind::Number(.., get, _) | RuleKind::NumberOrNone(.., get, _) => {
                get(options).map_or_else(|| "none".to_owned(), |number| number.to_string())
            }
            RuleKind::Text(.., write) => write(options),
        }
    }

    fn read(&self, options: &mut O, value: &str, wrong: Wrong<'_>) -> Read<()> {
        let key = self.words.key;
        match self.kind {
            RuleKind::Switch([yes, _], field) if value == yes => *field(options) = true,
            RuleKind::Switch([_, no], field) if value == no => *field(options) = false,
            RuleKind::Switch([yes, no], _) => refuse!(wrong, "{key} is {yes} or {no}"),
            RuleKind::NumberOrNone(.., set) if value == "none" => set(options, None),
            RuleKind::Number(least, most, _, set) | RuleKind::NumberOrNone(least, most, _, set) => {
                let number = value.parse().ok().filter(|number| (least..=most).contains(number));
                if number.is_none() {
                    let (_, range) = self.values(options);
                    refuse!(wrong, "{key} is a number {range}, not '{value}'");
                }
                set(options, number);
            }
            RuleKind::Text(_, read, _) => read(options, value, wrong)?,
        }
        Ok(())
    }
}

/// Rule options in words, for people and forms.
#[derive(Clone, Debug, Default)]
pub struct RuleSheet {
    /// Named sets of values with what they are, the default first.
    pub presets: Vec<(&'static str, &'static str)>,
    /// The options.
    pub rules: Vec<RuleInfo>,
}

/// One rule option in words.
#[derive(Clone, Debug)]
pub struct RuleInfo {
    /// Its name, and what it decides.
    pub words: RuleWords,
    /// Its values where they can be listed, the default first.
    pub values: Vec<&'static str>,
    /// What it may be, in words.
    pub range: String,
    /// Its value under these rules.
    pub value: String,
}

impl<O: Clone> RuleOptions<O> {
    /// The default values.
    #[must_use]
    pub fn usual(&self) -> O {
        self.presets[0].2.clone()
    }

    /// Reads a preset, or `key=value,…`, or a preset followed by keys. Nothing, or `standard`, is
    /// the default.
    pub fn parse(&self, text: &str) -> Read<O> {
        let mut options = self.usual();
        for (index, part) in text.split(',').enumerate() {
            let wrong = |reason: &dyn Display| NotationError::new("rules", part, reason);
            let keys = || {
                self.options.iter().map(|option| option.words.key).collect::<Vec<_>>().join(", ")
            };
            let preset = self.presets.iter().find(|(name, ..)| index == 0 && *name == part);
            if let Some((key, value)) = part.split_once('=') {
                let Some(option) = self.options.iter().find(|option| option.words.key == key)
                else {
                    refuse!(wrong, "no such rule; the keys are {}", keys());
                };
                option.read(&mut options, value, &wrong)?;
            } else if let Some((.., values)) = preset {
                options = values.clone();
            } else if index > 0 || !matches!(part, "" | "standard") {
                let names: Vec<&str> = self.presets.iter().map(|(name, ..)| *name).collect();
                let (first, keys) = (names.join(", "), keys());
                refuse!(
                    wrong,
                    "expected a preset first ({first}), then KEY=VALUE with the keys {keys}"
                );
            }
        }
        Ok(options)
    }

    /// All of it in words, with these values.
    #[must_use]
    pub fn sheet(&self, options: &O) -> RuleSheet {
        let (mut usual, mut options) = (self.usual(), options.clone());
        let info = |option: &RuleOption<O>| {
            let (values, range) = option.values(&mut usual);
            RuleInfo { words: option.words, values, range, value: option.write(&mut options) }
        };
        let presets = self.presets.iter().map(|&(name, about, _)| (name, about)).collect();
        RuleSheet { presets, rules: self.options.iter().map(info).collect() }
    }
}
