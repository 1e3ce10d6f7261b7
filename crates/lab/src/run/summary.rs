//! What the games of a run say so far, from their rows alone.

use gamecore::{Ending, Outcome, Work};
use std::collections::BTreeSet;

use serde::Serialize;
use stats::{Analysis, Side, benjamini_hochberg, holm, wilson};
use store::{GameRow, Run, Store, StoreError};

use super::analysis;
use super::sequential::Sequential;
use crate::evidence::{Evidence, Played, without_repeats};
use crate::experiment::{Condition, Spec};
use crate::plan::by_seat;
use crate::tuning::TuningSummary;

/// A rate with the games it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// Cases that count.
    pub n: u64,
    /// The rate; `null` without cases.
    pub rate: Option<f64>,
    /// 95 % Wilson.
    pub wilson: [f64; 2],
}

impl Rate {
    fn of(hits: f64, n: u64) -> Self {
        Self { n, rate: (n > 0).then(|| hits / n as f64), wilson: wilson(hits, n) }
    }
}

/// A number measured once a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// Smallest, 10 %, median, 90 %, greatest.
    pub quantiles: [f64; 5],
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let at = |share: f64| values[(share * last as f64).round() as usize];
        Some(Self {
            mean,
            sd: (squares / (n - 1.0).max(1.0)).sqrt(),
            quantiles: [0.0, 0.1, 0.5, 0.9, 1.0].map(at),
        })
    }
}

/// What a designer asks first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DesignFigures {
    /// Points of the seat that acts first.
    pub first_seat: Rate,
    /// Games without a winner.
    pub draws: Rate,
    /// Runs of actions of one seat, a game.
    pub turns: Option<Spread>,
    /// Decisions between several actions, a game.
    pub decisions: Option<Spread>,
    /// Legal actions at such a decision, on average.
    pub choices: Option<f64>,
    /// Bits of undecidedness at a decision, of agents that count visits.
    pub decision_entropy: Option<f64>,
    /// Decided games whose winner the game's own evaluation saw behind half-way.
    pub comebacks: Rate,
    /// What the game counts of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<CountFigures>,
}

/// A number that a game counts of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CountFigures {
    /// Its name.
    pub name: String,
    /// Games in which it was counted.
    pub n: u64,
    /// Its size per game.
    pub spread: Option<Spread>,
}

/// What a designer asks, under one condition of several.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionSummary {
    /// What sets it apart.
    pub name: String,
    /// Its rules.
    pub rules: String,
    /// Over all games under it that count.
    pub figures: DesignFigures,
}

/// One pairing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellSummary {
    /// Under what it is played, where there is a choice.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub condition: String,
    /// Player A.
    pub a: String,
    /// Player B.
    pub b: String,
    /// Its games.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// Its p-value over all pairings together (Holm): what may be claimed when the run is finished.
    pub p_holm: Option<f64>,
    /// The share of false ones among all pairings up to this p (Benjamini–Hochberg): where to look.
    pub false_discovery: Option<f64>,
}

/// What both players of a pairing used, A first.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    /// Seconds of thought.
    pub seconds: [f64; 2],
    /// Work; `None` where some of it was not kept.
    pub work: Option<[Work; 2]>,
}

/// A game that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VoidGame {
    /// Its pair.
    pub pair: u64,
    /// Which game of the pair.
    pub game: u8,
    /// What went wrong.
    pub reason: Ending,
    /// Its number in the schedule.
    pub number: u64,
}

/// A run so far.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Games that do not count, each with what is needed to play it again.
    pub void: Vec<VoidGame>,
    /// The programs that played them, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The turns of every game that counts; known better than by its figures.
    #[serde(skip)]
    pub lengths: Vec<u32>,
    /// The machines that played them, as far as they are known; not part of what repeats.
    #[serde(skip)]
    pub hosts: Vec<String>,
    /// Games of the schedule.
    pub planned: u64,
    /// Games there, void ones included.
    pub played: u64,
    /// Nothing is missing.
    pub finished: bool,
    /// The pairings.
    pub cells: Vec<CellSummary>,
    /// What their players used; not part of what repeats.
    #[serde(skip)]
    pub used: Vec<Used>,
    /// The sequential test, if the experiment is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sequential>,
    /// Ratings, cycles and what they mean, where more than two players met each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
    /// What a tuning found; the pairings above confirm it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuning: Option<TuningSummary>,
    /// What a designer asks first, over all games that count.
    pub figures: DesignFigures,
    /// The same for every condition, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionSummary>,
}

impl Summary {
    /// Who is shown to be stronger in a pairing, over all pairings together; nobody before the run
    /// is finished: whoever stops when something looks clear is wrong more often than 1 in 20.
    #[must_use]
    pub fn stronger(&self, cell: &CellSummary) -> Option<Side> {
        cell.evidence.stronger(cell.p_holm.filter(|_| self.finished))
    }

    /// How many pairings show somebody to be stronger, and how many were tested.
    pub(crate) fn claims(&self) -> (usize, usize) {
        let shown = self.cells.iter().filter(|cell| self.stronger(cell).is_some());
        (shown.count(), self.cells.iter().filter(|cell| cell.p_holm.is_some()).count())
    }
}

/// Whether every game that the experiment needs is there.
pub(crate) fn is_finished(spec: &Spec, rows: &[Played]) -> bool {
    rows.len() as u64 == spec.total_games()
        || Sequential::of(spec, rows).is_some_and(|sprt| sprt.stopped_after.is_some())
}

/// The rows of every pairing, in schedule order.
fn by_cell<'a>(spec: &Spec, rows: &'a [Played], sprt: Option<&Sequential>) -> Vec<Vec<&'a Played>> {
    // What was played after the decision would bias the result of a sequential test.
    let counted = sprt.and_then(|sprt| sprt.stopped_after).unwrap_or(u64::MAX);
    let mut by_cell: Vec<Vec<&Played>> = vec![Vec::new(); spec.cells.len()];
    for row in rows.iter().filter(|row| row.pair < counted) {
        // A damaged file may name cells that are not there; `runs verify` tells.
        if let Some(cell) = by_cell.get_mut(row.cell as usize) {
            cell.push(row);
        }
    }
    by_cell
}

/// What the rows of a run, in schedule order, say.
#[must_use]
pub fn summarise(spec: &Spec, rows: &[GameRow]) -> Summary {
    let mut told = Told::new(spec);
    rows.iter().for_each(|row| told.hear(row));
    told.summary()
}

/// What a stored run says, read a slice at a time.
pub fn summary_of(store: &Store, run: &Run, spec: &Spec) -> Result<Summary, StoreError> {
    summary_of_each(store, run, spec, |_| {})
}

/// The same for somebody who wants to see every row, too.
pub(crate) fn summary_of_each(
    store: &Store,
    run: &Run,
    spec: &Spec,
    mut see: impl FnMut(&GameRow),
) -> Result<Summary, StoreError> {
    let mut told = Told::new(spec);
    store.each_game(run, |row| -> Result<(), StoreError> {
        see(&row);
        let program = row.program.or_else(|| Some(run.manifest.version.clone()));
        told.hear(&GameRow { program, ..row });
        Ok(())
    })?;
    Ok(told.summary())
}

fn note(all: &mut BTreeSet<String>, name: Option<&String>) {
    if let Some(name) = name.filter(|name| !all.contains(*name)) {
        all.insert(name.clone());
    }
}

/// The machine of games without one, where others have one: that of the database.
const OWN_HOST: &str = "without a name, where the run is stored";

/// What was told of the games of a run, in schedule order.
struct Told<'a> {
    spec: &'a Spec,
    rows: Vec<Played>,
    void: Vec<VoidGame>,
    /// Games that tune: what is tried next depends on them.
    tuning: Vec<GameRow>,
    programs: BTreeSet<String>,
    hosts: BTreeSet<String>,
    /// Some were played where the run is stored.
    has_own: bool,
    /// Names of what the game counts of its own.
    counts: Vec<String>,
    /// What A and B of every pairing used.
    used: Vec<Used>,
}

impl<'a> Told<'a> {
    fn new(spec: &'a Spec) -> Self {
        let nothing = Used { seconds: [0.0; 2], work: Some([Work::default(); 2]) };
        Self {
            spec,
            rows: Vec::new(),
            void: Vec::new(),
            tuning: Vec::new(),
            programs: BTreeSet::new(),
            hosts: BTreeSet::new(),
            has_own: false,
            counts: Vec::new(),
            used: vec![nothing; spec.cells.len()],
        }
    }

    fn hear(&mut self, row: &GameRow) {
        // A newer program may count more than the one that began the run.
        for name in row
            .counts
            .keys()
            .filter(|name| !self.counts.contains(name))
            .cloned()
            .collect::<Vec<_>>()
        {
            self.counts.push(name);
        }
        let count = |name: &String| {
            row.counts.get(name).map(|&count| count.min(u64::from(u32::MAX)) as u32)
        };
        let counts = self.counts.iter().map(count).collect();
        self.rows.push(Played { counts, ..row.into() });
        note(&mut self.programs, row.program.as_ref());
        note(&mut self.hosts, row.host.as_ref());
        self.has_own |= row.host.is_none();
        if let Some(used) = self.used.get_mut(row.cell as usize)
            && row.outcome != Outcome::Void
        {
            let [a, b] = by_seat(row.game, row.seconds);
            used.seconds[0] += a;
            used.seconds[1] += b;
            used.work = used.work.zip(row.work).map(|(mut sum, more)| {
                let [a, b] = by_seat(row.game, more);
                sum[0] += a;
                sum[1] += b;
                sum
            });
        }
        if row.outcome == Outcome::Void {
            self.void.push(VoidGame {
                pair: row.pair,
                game: row.game,
                reason: row.reason.clone(),
                number: row.number,
            });
        }
        if row.number < self.spec.tuning_games() {
            self.tuning.push(row.clone());
        }
    }

    fn summary(self) -> Summary {
        let Self { spec, rows, void, tuning, mut programs, hosts, has_own, counts, used } = self;
        let own = (has_own && !hosts.is_empty()).then(|| OWN_HOST.to_owned());
        if programs.len() < 2 {
            programs.clear();
        }
        let sprt = Sequential::of(spec, &rows);
        let by_cell = by_cell(spec, &rows, sprt.as_ref());
        let tuned = tuning_games(spec, &rows);
        let mut evidence = Vec::new();
        let mut cells = Vec::new();
        for (index, rows) in by_cell.iter().enumerate() {
            let [a, b] = spec.names(index).map(str::to_owned);
            let mut of_cell = Evidence::of(rows, &tuned);
            if spec.is_mirror(index) || spec.sprt().is_some() {
                of_cell.p_value = None;
            }
            let condition = spec.condition(index).name.clone();
            // Corrected when all cells are known.
            let (p_holm, false_discovery) = (None, None);
            cells.push(CellSummary { condition, a, b, evidence: of_cell, p_holm, false_discovery });
            evidence.extend(without_repeats(rows, &tuned));
        }
        correct(&mut cells);
        Summary {
            void,
            programs: programs.into_iter().collect(),
            hosts: hosts.into_iter().chain(own).collect(),
            lengths: evidence
                .iter()
                .filter(|row| row.result.is_some())
                .map(|row| row.turns)
                .collect(),
            planned: spec.total_games(),
            played: rows.len() as u64,
            finished: is_finished(spec, &rows),
            cells,
            used,
            sprt,
            analysis: analysis::of(spec, &evidence),
            figures: figures(&evidence, &counts),
            conditions: by_condition(spec, &evidence, &counts),
            tuning: spec.tuning(&tuning).map(|tuning| tuning.summary()),
        }
    }
}

/// Corrects the p-values of single pairings for there being many.
fn correct(cells: &mut [CellSummary]) {
    let p_values: Vec<f64> = cells.iter().filter_map(|cell| cell.evidence.p_value).collect();
    let adjusted = holm(&p_values).into_iter().zip(benjamini_hochberg(&p_values));
    let tested = cells.iter_mut().filter(|cell| cell.evidence.p_value.is_some());
    for (cell, (family, discovery)) in tested.zip(adjusted) {
        (cell.p_holm, cell.false_discovery) = (Some(family), Some(discovery));
    }
}

/// The pairs of games that tuned, move by move: they chose what the pairings confirm, and are no
/// evidence for it.
fn tuning_games(spec: &Spec, rows: &[Played]) -> BTreeSet<[u64; 2]> {
    let games = rows.partition_point(|row| row.number < spec.tuning_games());
    let pairs = rows[..games].chunk_by(|one, other| one.cell == other.cell);
    pairs
        .filter_map(|pair| match pair {
            [first, second] => Some([first.moves_hash, second.moves_hash]),
            _ => None,
        })
        .collect()
}

/// The figures of every condition, if there are several.
fn by_condition(spec: &Spec, rows: &[&Played], counts: &[String]) -> Vec<ConditionSummary> {
    if spec.conditions.len() < 2 {
        return Vec::new();
    }
    let mut sorted: Vec<Vec<&Played>> = vec![Vec::new(); spec.conditions.len()];
    for &row in rows {
        sorted[spec.cells[row.cell as usize].under].push(row);
    }
    let summary = |(condition, rows): (&Condition, &Vec<&Played>)| ConditionSummary {
        name: condition.name.clone(),
        rules: condition.rules.clone(),
        figures: figures(rows, counts),
    };
    spec.conditions.iter().zip(&sorted).map(summary).collect()
}

fn figures(rows: &[&Played], counts: &[String]) -> DesignFigures {
    let sound: Vec<&Played> = rows.iter().copied().filter(|row| row.result.is_some()).collect();
    let (mut first, mut first_games) = (0.0, 0);
    let (mut comebacks, mut led) = (0.0, 0);
    let mut draws = 0.0;
    for row in &sound {
        let winner = row.winner();
        draws += f64::from(u8::from(winner.is_none()));
        if let Some(seat) = row.first_seat {
            first_games += 1;
            first += winner.map_or(0.5, |winner| f64::from(u8::from(winner == seat)));
        }
        if let (Some(winner), Some(leader)) = (winner, row.half_leader) {
            led += 1;
            comebacks += f64::from(u8::from(winner != leader));
        }
    }
    let sum = |of: fn(&Played) -> f64| -> f64 { sound.iter().map(|row| of(row)).sum() };
    let ratio = |above: f64, below: f64| (below > 0.0).then(|| above / below);
    let spread =
        |of: fn(&Played) -> u32| Spread::of(sound.iter().map(|row| f64::from(of(row))).collect());
    let counted = |(index, name): (usize, &String)| {
        let values = sound.iter().filter_map(|row| row.counts.get(index).copied().flatten());
        let values: Vec<f64> = values.map(f64::from).collect();
        CountFigures { name: name.clone(), n: values.len() as u64, spread: Spread::of(values) }
    };
    DesignFigures {
        counts: counts.iter().enumerate().map(counted).collect(),
        first_seat: Rate::of(first, first_games),
        draws: Rate::of(draws, sound.len() as u64),
        turns: spread(|row| row.turns),
        decisions: spread(|row| row.decisions),
        choices: ratio(sum(|row| row.choices.into()), sum(|row| row.decisions.into())),
        decision_entropy: ratio(sum(|row| row.entropy), sum(|row| row.entropy_decisions.into())),
        comebacks: Rate::of(comebacks, led),
    }
}
