//! A finished experiment: one form of results, one page, one way to files, for every paper.

use arena::WallClock;
use lab::report::{Block, Data, Document, DocumentFile, Verdict};
use serde_json::{Map, Value, json};

use crate::sheet::fill;
use crate::{Bench, Finished, Order, Paper, StudyTiming};

/// What a paper makes of its games, and measures beside them.
#[derive(Debug, Default)]
pub struct Found {
    /// Its own fields of the results.
    pub results: Value,
    /// What became of its claims.
    pub verdicts: Vec<Verdict>,
    /// Its own fields of what a clock measured.
    pub timing: Value,
    /// Claims about time.
    pub timed: Vec<Verdict>,
    /// What the words of the page ask for beside the usual.
    pub values: Value,
    /// Large numbers with a few words each.
    pub facts: Vec<(String, String)>,
    /// What stands above the claims.
    pub above: Vec<Block>,
    /// What stands below them.
    pub below: Vec<Block>,
    /// For programs, beside the tables of the page.
    pub data: Vec<Data>,
    /// What must agree does not.
    pub disagrees: bool,
}

/// A finished experiment.
#[derive(Debug)]
pub struct Study {
    /// The results for programs.
    pub json: Value,
    /// The results for readers.
    pub document: Document,
    /// Tables for programs, beside those of the document.
    pub data: Vec<DocumentFile>,
    /// All verdicts, those on claims about time last.
    pub verdicts: Vec<Verdict>,
    /// What must agree does not.
    pub disagrees: bool,
}

impl Paper {
    /// Plays what is missing, measures and judges; `None` if interrupted.
    pub fn run(&self, bench: &Bench<'_>, order: &Order) -> Finished<Study> {
        let clock = WallClock::new();
        let Some(runs) = bench.play_all(&self.planned(order)?)? else { return Ok(None) };
        let Some(found) = (self.found)(bench, order, &runs)? else { return Ok(None) };
        let timing = StudyTiming::of(&clock, runs.iter());
        Ok(Some(self.study(found, order, timing, bench.threads)))
    }

    fn study(&self, found: Found, order: &Order, timing: StudyTiming, threads: usize) -> Study {
        let sheet = self.sheet();
        let version = env!("CARGO_PKG_VERSION");
        let mut results = json!({
            "schema": sheet.schema,
            "paper": sheet.title,
            "version": version,
            "scale": order.scale.name(),
            "seed": order.seed,
        });
        extend(&mut results, found.results);
        let mut times = json!(timing);
        extend(&mut times, found.timing);
        if !found.timed.is_empty() {
            times["verdicts"] = json!(found.timed);
        }
        results["verdicts"] = json!(found.verdicts);
        results["timing"] = times;
        let mut values = json!({
            "paper": sheet.title,
            "version": version,
            "command": self.command(order),
            "took": timing.words(),
            "threads": threads,
        });
        extend(&mut values, found.values);
        let words = |text: &String| fill(text, &values);
        let mut blocks = found.above;
        let verdicts: Vec<Verdict> = found.verdicts.into_iter().chain(found.timed).collect();
        if !verdicts.is_empty() {
            blocks.push(Block::Heading(sheet.page.claims.clone()));
            blocks.extend(verdicts.iter().cloned().map(Block::Verdict));
        }
        blocks.extend(found.below);
        blocks.extend(sheet.page.closing.iter().map(words).map(Block::Words));
        let document = Document {
            title: sheet.page.title.clone(),
            lead: sheet.page.lead.iter().map(words).collect(),
            facts: found.facts,
            blocks,
        };
        let data = found.data.iter().map(Data::file).collect();
        Study { json: results, document, data, verdicts, disagrees: found.disagrees }
    }

    /// The command that does the same again.
    fn command(&self, order: &Order) -> String {
        let Order { parts, scale, seed, games } = order;
        let parts =
            if parts.is_empty() { "".into() } else { format!(" --part {}", parts.join(",")) };
        let games = if games.is_empty() { "" } else { " --wthor DIR" };
        let (name, scale) = (&self.sheet().name, scale.name());
        format!("warroom reproduce {name}{parts} --scale {scale} --seed {seed}{games}")
    }
}

fn extend(fields: &mut Value, more: Value) {
    let more = match more {
        Value::Object(more) => more,
        _ => Map::new(),
    };
    fields.as_object_mut().expect("an object").extend(more);
}
