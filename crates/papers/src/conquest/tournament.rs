//! The tournament of 31 setups (section 8.1), the cycles in it (table A.1), and what its players did
//! (section 8.2).

use serde::Serialize;
use serde_json::Value;

use super::published::{CYCLES, MOVES_A_TURN, THREE_CYCLES_AT_29, TURNS};
use super::{Bench, GAME, PaperError, Planned, Scale, compare};
use stats::is_shown;

use crate::stored::Stored;
use lab::report::behaviour_of;
use lab::report::{self, Block};
use lab::report::{Ruling, Verdict};
use lab::run::CellSummary;
use lab::{grouped, p_value};

/// The experiment as it is checked in; a scale changes the number of games.
const EXPERIMENT: &str = include_str!("../../../../experiments/conquest-setups.toml");

/// Games a pairing: the thesis played 50, and 10 in each of its logged runs.
const fn games(scale: Scale) -> u64 {
    match scale {
        Scale::Tiny => 2,
        Scale::Quick => 4,
        Scale::Standard => 10,
        Scale::Paper => 50,
    }
}

/// The finished tournament.
#[derive(Debug, Serialize)]
pub struct TournamentStudy {
    /// The rules.
    pub rules: &'static str,
    /// The run.
    #[serde(flatten)]
    pub(super) stored: Stored,
    /// What players did.
    pub behaviour: Value,
}

/// Plays it; `None` if interrupted.
pub(super) fn run(
    bench: &Bench<'_>,
    rules: &'static str,
    scale: Scale,
    seed: u64,
) -> Result<Option<TournamentStudy>, PaperError> {
    let Some(stored) = bench.play(&planned(rules, scale, seed))? else { return Ok(None) };
    let game = standard::open_game(GAME, rules)?;
    let behaviour = behaviour_of(bench.store, &stored.run, &*game, &stored.rows)?;
    Ok(Some(TournamentStudy { rules, stored, behaviour: behaviour.unwrap_or_default() }))
}

/// The tournament under some rules.
pub(super) fn planned(rules: &str, scale: Scale, seed: u64) -> Planned {
    let mut fields: toml::Table = toml::from_str(EXPERIMENT).expect("it is checked in");
    let mut set = |key: &str, value: toml::Value| fields.insert(key.to_owned(), value);
    set("name", format!("conquest-tournament-{rules}").into());
    set("rules", rules.into());
    set("seed", toml::Value::Integer(seed as i64));
    set("games", toml::Value::Integer(games(scale) as i64));
    if scale == Scale::Tiny {
        let few = ["Default", "Rush", "IAmWarrior", "Venom", "HalberderPure"];
        set("setups", few.map(str::to_owned).to_vec().into());
        set("agents", vec!["fpu-original:calls=100".to_owned()].into());
    }
    let text = toml::to_string(&fields).expect("a table is plain data");
    Planned { what: "tournament", text }
}

/// A setup seen over all its opponents.
struct Record {
    /// Opponents against whom it has more than half of the points.
    above: usize,
    /// Opponents it beats at 5 % over all pairings together.
    beaten: usize,
    /// Opponents that beat it so.
    lost_to: usize,
    opponents: usize,
}

impl TournamentStudy {
    fn record(&self, setup: &str) -> Record {
        let mut record = Record { above: 0, beaten: 0, lost_to: 0, opponents: 0 };
        for cell in &self.stored.summary.cells {
            let Some(score) = own_score(cell, setup) else { continue };
            let claim = self.stored.summary.stronger(cell).is_some();
            record.opponents += 1;
            record.above += usize::from(score > 0.5);
            record.beaten += usize::from(claim && score > 0.5);
            record.lost_to += usize::from(claim && score < 0.5);
        }
        record
    }

    /// Place by rating, from 1.
    fn place(&self, setup: &str) -> Option<usize> {
        let analysis = self.stored.summary.analysis.as_ref()?;
        let rank = |&index: &usize| analysis.players[index].name == setup;
        Some(analysis.ranking.iter().position(rank)? + 1)
    }

    /// What became of the claims about setups.
    pub(super) fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts = vec![self.warrior(), self.dominant(), self.halberds()];
        verdicts.extend(self.cycles());
        verdicts.push(self.length());
        verdicts.extend(compare::verdicts(self.rules, &self.behaviour));
        verdicts
    }

    fn games(&self) -> u64 {
        self.stored.spec.games
    }

    /// Whether a single pairing could be told from chance among all of them, if one side won it all.
    fn can_show(&self) -> bool {
        let pairs = self.games() / 2;
        let tests = self.stored.summary.cells.len() as f64;
        is_shown(stats::sign_test(pairs, 0) * tests)
    }

    /// What to add where no pairing can be told from chance.
    fn too_few(&self) -> String {
        if self.can_show() {
            return String::new();
        }
        format!(
            " With {} games per pairing, no difference among {} pairings can be significant.",
            self.games(),
            self.stored.summary.cells.len()
        )
    }

    fn warrior(&self) -> Verdict {
        let record = self.record("IAmWarrior");
        let ruling = if record.lost_to > 0 {
            Ruling::DoesNotHold
        } else if record.above == record.opponents && self.can_show() {
            Ruling::Holds
        } else {
            Ruling::NotShown
        };
        Verdict {
            claim: format!(
                "IAmWarrior scores above half against every opponent (section 8.1; {} rules)",
                self.rules
            ),
            ruling,
            measured: format!(
                "above half against {} of {} opponents in {} games each, rank {} by rating; it \
                 beats {} and loses to {} of them significantly (5 %, corrected for all pairings)",
                record.above,
                record.opponents,
                self.games(),
                self.place("IAmWarrior").unwrap_or(0),
                record.beaten,
                record.lost_to
            ),
            why: format!(
                "It holds if the score is above half against everyone, as the thesis counted; it \
                 does not hold if an opponent beats it significantly.{}",
                self.too_few()
            ),
        }
    }

    fn dominant(&self) -> Verdict {
        let players = &self.stored.spec.players;
        let records =
            players.iter().map(|player| (player.name.as_str(), self.record(&player.name)));
        let records: Vec<(&str, Record)> = records.collect();
        let dominant = records.iter().find(|(_, record)| record.beaten == record.opponents);
        let most = records.iter().map(|(_, record)| record.beaten).max().unwrap_or(0);
        let best: Vec<&str> = records
            .iter()
            .filter(|(_, record)| record.beaten == most)
            .map(|(name, _)| *name)
            .collect();
        let ruling = match dominant {
            Some(_) => Ruling::DoesNotHold,
            None if self.can_show() => Ruling::Holds,
            None => Ruling::NotShown,
        };
        let measured = if most == 0 {
            "no setup beats another significantly (5 %, corrected for all pairings)".to_owned()
        } else {
            format!(
                "most opponents are beaten by {}: {most} of {} significantly (5 %, corrected for all pairings)",
                best.join(", "),
                players.len() - 1
            )
        };
        Verdict {
            claim: format!("No setup is clearly dominant (section 8.1; {} rules)", self.rules),
            ruling,
            measured,
            why: format!(
                "Dominant means beating every opponent significantly, in {} games per pairing.{}",
                self.games(),
                self.too_few()
            ),
        }
    }

    fn halberds(&self) -> Verdict {
        let record = self.record("HalberderPure");
        let most = record.opponents / 2;
        let ruling = match (record.lost_to > most, record.beaten > most) {
            (true, _) => Ruling::Holds,
            (_, true) => Ruling::DoesNotHold,
            _ => Ruling::NotShown,
        };
        Verdict {
            claim: format!(
                "HalberderPure performs significantly worse than most other setups (section 8.2.2; \
                 {} rules)",
                self.rules
            ),
            ruling,
            measured: format!(
                "rank {} by rating; below half against {} of {} opponents, and beaten by {} of \
                 them significantly (5 %, corrected for all pairings)",
                self.place("HalberderPure").unwrap_or(0),
                record.opponents - record.above,
                record.opponents,
                record.lost_to
            ),
            why: format!(
                "Most means more than half of them; {} games per pairing.{}",
                self.games(),
                self.too_few()
            ),
        }
    }

    fn cycles(&self) -> Option<Verdict> {
        let analysis = self.stored.summary.analysis.as_ref()?;
        let mut parts = Vec::new();
        let mut clear = false;
        for (test, published) in analysis.null.cycles.iter().zip(CYCLES) {
            let more = if test.at_least { "≥ " } else { "" };
            let capped = if test.null_at_least > 0.0 { "≥ " } else { "" };
            parts.push(format!(
                "at {:.0} % of the points {more}{:.0} cycles (thesis {published}), {:.0} of three; \
                 without any true cycle {capped}{:.1} are expected (80 %: {:.0} to {:.0}), {}",
                test.threshold * 100.0,
                test.all.observed,
                test.three.observed,
                test.all.mean,
                test.all.quantiles[0],
                test.all.quantiles[2],
                p_value(test.all.p)
            ));
            clear |= is_shown(test.all.p * CYCLES.len() as f64);
        }
        let fit = analysis.fit.p.map_or_else(String::new, |p| {
            format!(
                " The deviance test of transitivity gives {}: ratings alone {} explain the results.",
                p_value(p),
                if is_shown(p) { "do not" } else { "may" }
            )
        });
        let comparable = if self.games() == 50 {
            String::new()
        } else {
            format!(
                " With {} instead of 50 games per pairing the counts cannot be compared with the \
                 thesis’s; the expected counts are for the same number of games.",
                self.games()
            )
        };
        Some(Verdict {
            claim: format!(
                "Cyclic dominances are clearly present (section 8.1, table A.1; {} rules; the thesis \
                 counts 11 at 29 of 50 games, {THREE_CYCLES_AT_29} of three, 241 at 28 and none at 30)",
                self.rules
            ),
            ruling: if clear { Ruling::Holds } else { Ruling::NotShown },
            measured: parts.join("; "),
            why: format!(
                "Chance alone makes cycles at such thresholds, so the counts are compared with \
                 fields whose players differ by ratings only.{fit}{comparable}"
            ),
        })
    }

    fn length(&self) -> Verdict {
        let spread = self.stored.summary.figures.turns;
        let (mean, sd) = spread.map_or((0.0, 0.0), |turns| (turns.mean, turns.sd));
        let moves = self.behaviour["actions_per_turn"].as_f64().unwrap_or(0.0);
        let near = |found: f64, published: f64| (found / published - 1.0).abs() < 0.1;
        let ruling = match (near(mean, TURNS[0]), near(moves, MOVES_A_TURN)) {
            (true, true) => Ruling::Holds,
            (false, false) => Ruling::DoesNotHold,
            _ => Ruling::HoldsInPart,
        };
        let range = spread.map_or_else(String::new, |turns| {
            format!(", {:.0} to {:.0}", turns.quantiles[0], turns.quantiles[4])
        });
        Verdict {
            claim: format!(
                "A game lasts 80 ± 23.3 turns (24 to 195) of 3.61 moves (section 8.2.1; {} rules)",
                self.rules
            ),
            ruling,
            measured: format!(
                "{mean:.1} ± {sd:.1} turns{range} of {moves:.2} actions (n = {} games)",
                grouped(self.stored.summary.figures.draws.n)
            ),
            why:
                "It holds if both means are within a tenth of the thesis’s. Our actions are those \
                  of players; ending a phase counts as one."
                    .into(),
        }
    }

    /// The section of a page.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let Self { rules, stored, .. } = self;
        let mut blocks = vec![
            Block::Heading(format!("The tournament of setups, {rules} rules")),
            Block::Words(format!(
                "A round robin of 31 setups, {} games per pairing with seats exchanged, {} in \
                 all, played by `fpu-original` with 3,000 calls per decision. {} The thesis \
                 published its matrix only as a picture, so single cells are not compared.",
                self.games(),
                grouped(stored.summary.played),
                stored.origin()
            )),
        ];
        let name = format!("tournament-{rules}");
        blocks.extend(report::field_blocks(&name, &stored.spec, &stored.summary));
        blocks.extend(compare::blocks(rules, &self.behaviour));
        blocks
    }
}

/// The score of a setup in a pairing, if it is one of the two.
fn own_score(cell: &CellSummary, setup: &str) -> Option<f64> {
    match (cell.a == setup, cell.b == setup) {
        (true, _) => cell.evidence.score,
        (_, true) => cell.evidence.score.map(|score| 1.0 - score),
        _ => None,
    }
}
