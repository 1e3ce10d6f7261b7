//! A paper as data: the file with what it says and prints, how much is played at each scale, and the
//! words for what is found. Places such as `{found.n:n}` in these words are filled from results.

use std::collections::BTreeMap;

use lab::report::{Block, Data, Ruling, Table, Verdict, short};
use lab::{grouped, p_value, percent};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Planned, Scale};

/// What the file of a paper holds: beside what is said of its fields here, `published` numbers and
/// `data` by name; a table of numbers for each of `scales`; the fields of experiments (`runs`); and
/// `words`, `tables` and `claims` with places to be filled.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Sheet {
    /// Its name in commands.
    pub name: String,
    /// Name of the form of its results.
    pub(crate) schema: String,
    /// Authors, year and title.
    pub title: String,
    /// What is repeated, one line.
    pub about: String,
    /// How long each scale takes on two cores, about.
    pub times: String,
    /// The parts of its experiment, if it has any.
    #[serde(default)]
    pub parts: Vec<String>,
    /// The part that plays no games.
    #[serde(default)]
    pub no_games: Option<String>,
    /// Most of it is searches, so that its games say nothing about how long it takes.
    #[serde(default)]
    pub mostly_searches: bool,
    /// It takes positions from tournament games.
    #[serde(default)]
    pub adds_games: bool,
    pub(crate) page: Page,
    #[serde(default)]
    scales: BTreeMap<String, Value>,
    /// What the paper prints.
    #[serde(default)]
    pub(crate) published: Value,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    runs: BTreeMap<String, toml::Table>,
    #[serde(default)]
    words: BTreeMap<String, String>,
    #[serde(default)]
    tables: BTreeMap<String, TableWords>,
    #[serde(default)]
    claims: BTreeMap<String, Claim>,
}

/// The frame of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) lead: Vec<String>,
    /// The heading of the claims.
    pub(crate) claims: String,
    #[serde(default)]
    pub(crate) closing: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableWords {
    caption: String,
    /// Names of columns and what a row says there.
    #[serde(default)]
    columns: Vec<[String; 2]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    claim: String,
    measured: String,
    why: String,
}

impl Sheet {
    /// Reads a file that comes with the program.
    pub(crate) fn read(text: &str) -> Self {
        toml::from_str(text).unwrap_or_else(|error| panic!("the file of a paper: {error}"))
    }

    /// What a scale plays; papers without a scale of their own size play the standard.
    pub(crate) fn scale<T: DeserializeOwned>(&self, scale: Scale) -> T {
        let own = self.scales.get(scale.name()).unwrap_or_else(|| &self.scales["standard"]);
        serde_json::from_value(own.clone()).expect("a size of the paper's kind")
    }

    /// Whether there is such a scale.
    #[must_use]
    pub fn has(&self, scale: Scale) -> bool {
        self.scales.contains_key(scale.name())
    }

    /// Tables of the experiment, and of what the paper prints.
    pub(crate) fn data<T: DeserializeOwned>(&self, key: &str) -> T {
        let found = self.data.get(key).or(self.published.get(key));
        let found = found.unwrap_or_else(|| panic!("no data '{key}'")).clone();
        serde_json::from_value(found).unwrap_or_else(|error| panic!("{key}: {error}"))
    }

    /// The text of an experiment: one of the paper's, with these fields changed.
    pub(crate) fn planned(&self, what: &'static str, of: &str, changes: Value) -> Planned {
        Planned::changed(what, self.runs[of].clone(), changes)
    }

    /// A sentence of the file.
    pub(crate) fn words(&self, key: &str, values: &Value) -> String {
        fill(self.words.get(key).unwrap_or_else(|| panic!("no words '{key}'")), values)
    }

    /// What became of a claim.
    pub(crate) fn verdict(&self, claim: &str, ruling: Ruling, values: &Value) -> Verdict {
        let words = self.claims.get(claim).unwrap_or_else(|| panic!("no claim '{claim}'"));
        let [claim, measured, why] =
            [&words.claim, &words.measured, &words.why].map(|text| fill(text, values));
        Verdict { claim, ruling, measured, why }
    }

    /// A table with a row for each result.
    pub(crate) fn table<R: Serialize>(
        &self,
        name: &str,
        rows: impl IntoIterator<Item = R>,
        values: &Value,
    ) -> Data {
        let TableWords { caption, columns } =
            self.tables.get(name).unwrap_or_else(|| panic!("no table '{name}'"));
        let row = |row: R| {
            let row = json!(row);
            columns.iter().map(|[_, field]| fill(field, &row)).collect()
        };
        let rows = rows.into_iter().map(row).collect();
        let head = columns.iter().map(|[head, _]| head.clone()).collect();
        Data::plain(name, Table { caption: fill(caption, values), head, rows })
    }

    /// A table whose columns are results, too.
    pub(crate) fn grid(
        &self,
        name: &str,
        head: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<String>>,
        values: &Value,
    ) -> Data {
        let none: [Value; 0] = [];
        let mut data = self.table(name, none, values);
        data.table.head = head.into_iter().map(Into::into).collect();
        data.table.rows = rows.into_iter().collect();
        data
    }
}

/// A claim that is refuted or shown, or neither.
pub(crate) fn judged(refuted: bool, shown: bool) -> Ruling {
    match (refuted, shown) {
        (true, _) => Ruling::DoesNotHold,
        (false, true) => Ruling::Holds,
        (false, false) => Ruling::NotShown,
    }
}

/// A claim of two halves.
pub(crate) fn in_part(halves: [bool; 2]) -> Ruling {
    match halves {
        [true, true] => Ruling::Holds,
        [false, false] => Ruling::DoesNotHold,
        _ => Ruling::HoldsInPart,
    }
}

/// A table with another name for its files.
pub(crate) fn block(name: &str, data: Data) -> Block {
    Block::Table(Data { name: name.to_owned(), ..data })
}

/// Words with every place filled: `{path}`, `{path:form}` or `{path:form?what stands for nothing}`.
pub(crate) fn fill(words: &str, values: &Value) -> String {
    let mut parts = words.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, after) = part.split_once('}').expect("a place ends");
        let (path, form) = place.split_once(':').unwrap_or((place, ""));
        let (form, nothing) = form.split_once('?').unwrap_or((form, ""));
        let value = path.split('.').fold(values, |value, key| match value {
            Value::Array(items) => &items[key.parse::<usize>().expect("a number")],
            Value::Object(fields) => {
                fields.get(key).unwrap_or_else(|| panic!("no '{key}' for '{words}'"))
            }
            _ => &Value::Null,
        });
        match value {
            Value::Null => text += nothing,
            value => text += &shown(form, value),
        }
        text += after;
    }
    text
}

/// A value in one of the forms that tables and sentences use.
fn shown(form: &str, value: &Value) -> String {
    let number = value.as_f64().unwrap_or_default();
    let digits = |digits: &str| digits.parse().expect("digits");
    let of = |fields: &str| fill(fields, value);
    match (form, value) {
        ("", Value::String(text)) => text.clone(),
        ("", value) => value.to_string(),
        ("n", _) => grouped(value.as_u64().unwrap_or_default()),
        ("short", _) => short(number),
        ("size", _) if number >= 1e5 => format!("{number:.1e}"),
        ("size", _) => format!("{number:.*}", if number >= 100.0 { 0 } else { 2 }),
        ("percent", _) => percent(number),
        ("p", _) => p_value(number),
        ("ratio", _) => of("{mean:short} [{interval.0:short}, {interval.1:short}]"),
        ("ratio-n", _) => of("{mean:short} [{interval.0:short}, {interval.1:short}] (n = {n})"),
        ("quartiles", _) => of("{0:short} / {1:short} / {2:short}"),
        ("times", _) => of("{mean:.2}× [{interval.0:.2}, {interval.1:.2}] (n = {n} positions)"),
        ("score", _) => {
            let repeats = match value["repeated_pairs"].as_u64() {
                Some(0) | None => "",
                Some(_) => "; {repeated_pairs} of {pairs} pairs are repeats",
            };
            of("{score:%1?50.0} % [{wilson.0:%1}, {wilson.1:%1}] (n = {games} games: +{a_wins} \
                ={draws} −{b_wins}")
                + &of(repeats)
                + ")"
        }
        _ => match form.split_at(1) {
            (".", places) => format!("{number:.*}", digits(places)),
            ("%", places) => format!("{:.*}", digits(places), number * 100.0),
            ("e", places) => format!("{number:.*e}", digits(places)),
            _ => panic!("no form '{form}'"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What small runs do not say is spelt right, too.
    #[test]
    fn every_place_has_a_form_that_there_is() {
        let mut places = 0;
        for paper in crate::PAPERS {
            let sheet = paper.sheet();
            let tables = sheet.tables.values();
            let tables = tables.flat_map(|it| it.columns.iter().flatten().chain([&it.caption]));
            let claims = sheet.claims.values();
            let claims = claims.flat_map(|it| [&it.claim, &it.measured, &it.why]);
            let page = sheet.page.lead.iter().chain(&sheet.page.closing);
            for words in sheet.words.values().chain(tables).chain(claims).chain(page) {
                for place in words.split('{').skip(1) {
                    let (place, _) = place.split_once('}').expect(words);
                    let form = place.split_once(':').map_or("", |(_, form)| form);
                    shown(form.split('?').next().unwrap(), &json!(0.5));
                    places += 1;
                }
            }
        }
        assert!(places > 200, "{places}");
    }

    #[test]
    fn places_are_filled_and_nothing_stands_for_what_is_not_there() {
        let values = json!({ "a": { "b": [1234567, 0.125] }, "none": null, "name": "x" });
        assert_eq!(fill("{name}: {a.b.0:n}, {a.b.1:%1} %", &values), "x: 1,234,567, 12.5 %");
        assert_eq!(fill("{none.mean:.2?–} {none}.{a.b.1:e2}", &values), "– .1.25e-1");
        assert_eq!(shown("size", &json!(123456.0)), "1.2e5");
    }
}
