//! Tunables, declared once: key, range, default and meaning. Agent specs, `warroom agents` and
//! (later) tuners all read these declarations.

use std::collections::BTreeMap;

use gamecore::Budget;

/// The values a parameter may take.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A whole number in a closed range.
    Integer {
        /// Smallest allowed.
        min: i64,
        /// Largest allowed.
        max: i64,
    },
    /// A number in a closed range; tuners move in these steps.
    Decimal {
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
        /// A step worth trying.
        step: f64,
    },
    /// One of these words.
    Choice(Vec<&'static str>),
    /// Free text that the part it belongs to checks.
    Text,
}

/// Words with what they stand for: a parameter is declared and read by one such table, so no word is
/// taken for another.
pub type Words<T> = [(&'static str, T)];

/// A switch.
pub const ON_OFF: &Words<bool> = &[("on", true), ("off", false)];

/// What a larger value takes: the most of it that an app gives where others pay for it, and of a budget, how
/// much takes a moment in every game, a quarter of a second at most on a usual machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Time: a budget in work that is counted.
    Budget {
        /// The most.
        most: u64,
        /// What takes a moment.
        moment: u64,
    },
    /// Time by the clock, so that decisions do not repeat exactly.
    Clock(u64),
    /// Time: a budget that grows much faster than its value.
    Depth {
        /// The most.
        most: u64,
        /// What takes a moment.
        moment: u64,
    },
    /// Time that no budget ends but the clock: searches within a search. More than this takes more than a
    /// moment; of words, all but `off` do.
    Beyond(u64),
    /// Time, within the budget or beside it.
    Time(u64),
    /// Memory for so many things.
    Memory(u64),
    /// Memory in MiB.
    Megabytes(u64),
    /// Threads, as many as there are cores; whether decisions repeat exactly with several.
    Threads {
        /// They share nothing.
        repeat: bool,
    },
}

impl Cost {
    /// The most that a key may ask for on so many cores.
    #[must_use]
    pub fn most(self, cores: usize) -> u64 {
        match self {
            Self::Budget { most, .. } | Self::Depth { most, .. } | Self::Clock(most) => most,
            Self::Time(most) | Self::Memory(most) | Self::Megabytes(most) => most,
            Self::Beyond(_) => u64::MAX,
            Self::Threads { .. } => cores as u64,
        }
    }

    fn repeats(self, value: i64) -> bool {
        match self {
            Self::Clock(_) => false,
            Self::Threads { repeat } => repeat || value == 1,
            Self::Budget { .. } | Self::Depth { .. } | Self::Beyond(_) | Self::Time(_) => true,
            Self::Memory(_) | Self::Megabytes(_) => true,
        }
    }
}

/// A thought of so many milliseconds is a moment.
const MOMENT_MS: u64 = 250;

/// In which kinds of tree search a key of trees means the same; each has what the next has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trees {
    /// Only where one tree is kept from decision to decision. Many short searches of worlds start anew, and a
    /// world proven early would count for less than the others.
    Lasting,
    /// Wherever the state is known, sampled worlds included.
    Known,
    /// Over what is not known, too. There selection has its own formula, and proofs, merged nodes and reuse
    /// would need to know the state.
    All,
}

/// One tunable of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The key in a spec.
    pub key: String,
    /// What it may be.
    pub kind: Kind,
    /// Its value when a spec is silent; `None` if it then stays unset.
    pub default: Option<String>,
    /// What it does, one line.
    pub about: String,
    /// What it takes, if that is worth a limit.
    pub cost: Option<Cost>,
    /// Of tree search: of which trees.
    pub(crate) trees: Trees,
    /// A key and the word of it under which this one is used even if its own part is off.
    also_for: Option<(&'static str, &'static str)>,
}

impl Param {
    fn new(key: &str, kind: Kind, default: Option<String>, about: &str) -> Self {
        let (trees, also_for) = (Trees::Known, None);
        Self { key: key.into(), kind, default, about: about.into(), cost: None, trees, also_for }
    }

    /// A whole number that has a default.
    #[must_use]
    pub fn integer(key: &str, min: i64, max: i64, default: i64, about: &str) -> Self {
        Self::new(key, Kind::Integer { min, max }, Some(default.to_string()), about)
    }

    /// A whole number that may stay unset.
    #[must_use]
    pub fn optional(key: &str, min: i64, max: i64, about: &str) -> Self {
        Self::new(key, Kind::Integer { min, max }, None, about)
    }

    /// A number that has a default; `range` is smallest, largest and step.
    #[must_use]
    pub fn decimal(key: &str, range: (f64, f64, f64), default: f64, about: &str) -> Self {
        let (min, max, step) = range;
        Self::new(key, Kind::Decimal { min, max, step }, Some(default.to_string()), about)
    }

    /// One word of several, the first of them unless a spec says otherwise.
    #[must_use]
    pub fn word<T>(key: &str, words: &Words<T>, about: &str) -> Self {
        Self::word_or(key, words, words[0].0, about)
    }

    /// The same with a default that is not the first.
    #[must_use]
    pub fn word_or<T>(key: &str, words: &Words<T>, default: &'static str, about: &str) -> Self {
        debug_assert!(words.iter().any(|(word, _)| *word == default), "{key}: {default}");
        let kind = Kind::Choice(words.iter().map(|(word, _)| *word).collect());
        Self::new(key, kind, Some(default.into()), about)
    }

    /// Free text; without a default it stays unset.
    #[must_use]
    pub fn text(key: &str, default: Option<&str>, about: &str) -> Self {
        Self::new(key, Kind::Text, default.map(str::to_owned), about)
    }

    /// The budget of iterations.
    pub(crate) fn iterations(about: &str) -> Self {
        Self::optional("iterations", 1, 1 << 50, about)
            .costs(Cost::Budget { most: 20_000_000, moment: 1_000 })
    }

    /// The budget of applied actions.
    pub(crate) fn calls(about: &str) -> Self {
        let cost = Cost::Budget { most: 1_000_000_000, moment: 3_000 };
        Self::optional("calls", 1, 1 << 50, about).costs(cost)
    }

    /// The budget of entered positions.
    pub(crate) fn nodes(about: &str) -> Self {
        let cost = Cost::Budget { most: 10_000_000_000, moment: 50_000 };
        Self::optional("nodes", 1, 1 << 50, about).costs(cost)
    }

    /// The budget of time.
    pub(crate) fn ms() -> Self {
        let about = "maximum milliseconds; not repeatable";
        Self::optional("ms", 1, 86_400_000, about).costs(Cost::Clock(60_000))
    }

    /// Memory in MiB.
    #[must_use]
    pub fn megabytes(key: &str, default: i64, about: &str) -> Self {
        Self::integer(key, 1, 16_384, default, about).costs(Cost::Megabytes(256))
    }

    /// The number of threads.
    pub(crate) fn threads(repeat: bool, about: &str) -> Self {
        Self::integer("threads", 1, 256, 1, about).costs(Cost::Threads { repeat })
    }

    /// The same with what it takes.
    #[must_use]
    pub fn costs(self, cost: Cost) -> Self {
        Self { cost: Some(cost), ..self }
    }

    /// The same for these kinds of trees.
    pub(crate) fn of(self, trees: Trees) -> Self {
        Self { trees, ..self }
    }

    /// The same, used also where another key has this word.
    pub(crate) fn also_for(self, key: &'static str, word: &'static str) -> Self {
        Self { also_for: Some((key, word)), ..self }
    }

    /// The allowed values in words.
    #[must_use]
    pub fn range_text(&self) -> String {
        match &self.kind {
            Kind::Integer { min, max } => format!("{min}…{max}"),
            Kind::Decimal { min, max, .. } => format!("{min}…{max}"),
            Kind::Choice(words) => words.join("|"),
            Kind::Text => "text".into(),
        }
    }

    fn check(&self, value: &str) -> Result<(), ParamError> {
        let wrong = |expected: String| ParamError::Value {
            key: self.key.clone(),
            value: value.into(),
            expected,
        };
        match &self.kind {
            Kind::Integer { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(()),
                _ => Err(wrong(format!("a whole number from {min} to {max}"))),
            },
            Kind::Decimal { min, max, .. } => match value.parse::<f64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(()),
                _ => Err(wrong(format!("a number from {min} to {max}"))),
            },
            Kind::Choice(words) if words.contains(&value) => Ok(()),
            Kind::Choice(words) => {
                Err(wrong(format!("one of {}{}", words.join(", "), did_you_mean(value, words))))
            }
            Kind::Text => Ok(()),
        }
    }
}

/// Why a set of keys and values is not a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// No such key.
    #[error("unknown key '{key}'{hint} (valid keys: {valid})")]
    Key {
        /// The key given.
        key: String,
        /// The nearest valid key, in words.
        hint: String,
        /// All valid keys.
        valid: String,
    },
    /// A value out of range.
    #[error("{key}={value}: expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// Values that are fine alone but have no meaning together.
    #[error("{0}")]
    Combination(String),
}

/// Values by key, every one of them checked against its declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, String>, Vec<(String, Cost)>);

impl Values {
    /// Fills in the defaults and checks what was given.
    pub fn resolve<'a>(
        params: &[Param],
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ParamError> {
        let mut values: BTreeMap<String, String> = params
            .iter()
            .filter_map(|param| Some((param.key.clone(), param.default.clone()?)))
            .collect();
        for (key, value) in given {
            let Some(param) = params.iter().find(|param| param.key == key) else {
                let keys: Vec<&str> = params.iter().map(|param| param.key.as_str()).collect();
                return Err(ParamError::Key {
                    key: key.into(),
                    hint: did_you_mean(key, &keys),
                    valid: if keys.is_empty() { "none".into() } else { keys.join(", ") },
                });
            };
            param.check(value)?;
            values.insert(key.into(), value.into());
        }
        let costs = params.iter().filter_map(|param| Some((param.key.clone(), param.cost?)));
        Ok(Self(values, costs.collect()))
    }

    /// Refuses a key that was given beside the word that switches off the part it belongs to. What
    /// is off by default may be tuned key by key.
    pub fn check_given(&self, params: &[Param], given: &[&str]) -> Result<(), ParamError> {
        let idle = given.iter().find_map(|key| {
            let part = idle_part(params, key, |known| self.text(known))?;
            given.contains(&part).then_some((*key, part))
        });
        idle.map_or(Ok(()), |(key, part)| {
            let reason = format!("{key} has no effect with {part}=off: leave one of them out");
            Err(ParamError::Combination(reason))
        })
    }

    /// The text of a key that is set.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// The number of a key that is set and was declared as one.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<i64> {
        self.text(key).map(|text| text.parse().expect("checked against its declaration"))
    }

    /// The number of a key that is set and was declared as a decimal.
    #[must_use]
    pub fn decimal(&self, key: &str) -> Option<f64> {
        self.text(key).map(|text| text.parse().expect("checked against its declaration"))
    }

    /// What the word of a key stands for that is set and was declared with these words.
    #[must_use]
    pub fn word<T: Copy>(&self, key: &str, words: &Words<T>) -> Option<T> {
        self.text(key).map(|text| {
            let found = words.iter().find(|(word, _)| *word == text);
            found.expect("checked against its declaration").1
        })
    }

    /// When to stop: those of its keys that are set.
    #[must_use]
    pub fn budget(&self) -> Budget {
        let number = |key| self.number(key).map(|number| number as u64);
        Budget {
            depth: number("depth").map(|depth| depth as u32),
            nodes: number("nodes"),
            iterations: number("iterations"),
            calls: number("calls"),
            ms: number("ms"),
        }
    }

    /// The keys that are set and cost something, with their values; a word is 0 if it is `off`, else 1.
    pub fn costs(&self) -> impl Iterator<Item = (&str, i64, Cost)> {
        self.1.iter().filter_map(|(key, cost)| {
            let text = self.text(key)?;
            Some((key.as_str(), text.parse().unwrap_or(i64::from(text != "off")), *cost))
        })
    }

    /// Whether a decision takes a moment: it ends with the first of its budgets, and what searches nothing has
    /// none.
    #[must_use]
    pub fn is_short(&self) -> bool {
        let (mut budgets, mut clock, mut beyond) = (Vec::new(), false, false);
        for (_, value, cost) in self.costs() {
            let value = value.unsigned_abs();
            match cost {
                Cost::Budget { moment, .. } | Cost::Depth { moment, .. } => {
                    budgets.push(value <= moment);
                }
                Cost::Clock(_) => {
                    clock = value <= MOMENT_MS;
                    budgets.push(clock);
                }
                Cost::Beyond(moment) => beyond |= value > moment,
                Cost::Time(_) | Cost::Memory(_) | Cost::Megabytes(_) | Cost::Threads { .. } => {}
            }
        }
        clock || !beyond && (budgets.is_empty() || budgets.contains(&true))
    }

    /// Whether equal positions always give equal decisions and counters.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.costs().all(|(_, value, cost)| cost.repeats(value))
    }

    /// Sets a key that is not set.
    pub fn set_default(&mut self, key: &str, value: &str) {
        self.0.entry(key.into()).or_insert_with(|| value.into());
    }

    /// Every key that is set, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

/// The part that a dotted key belongs to, if it is switched off and nothing else uses the key.
pub fn idle_part<'a, 'v>(
    params: &[Param],
    key: &'a str,
    value: impl Fn(&str) -> Option<&'v str>,
) -> Option<&'a str> {
    let (part, _) = key.split_once('.')?;
    let also = params.iter().find(|param| param.key == key).and_then(|param| param.also_for);
    let used = also.is_some_and(|(other, word)| value(other) == Some(word));
    (value(part) == Some("off") && !used).then_some(part)
}

/// `, did you mean 'x'?` for the nearest candidate, or nothing if none is near.
#[must_use]
pub fn did_you_mean<T: AsRef<str>>(input: &str, candidates: &[T]) -> String {
    let input = input.to_lowercase();
    candidates
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&input, candidate.as_ref()), candidate))
        .filter(|(distance, candidate)| {
            *distance <= 1 + candidate.as_ref().len() / 3 || candidate.as_ref().starts_with(&input)
        })
        .min_by_key(|(distance, _)| *distance)
        .map_or_else(String::new, |(_, near)| format!(", did you mean '{}'?", near.as_ref()))
}
