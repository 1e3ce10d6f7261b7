//! The tournament of 31 setups (section 8.1), the cycles in it (table A.1), and what its players did
//! (section 8.2).

use lab::report::{Block, Verdict, behaviour_of, field_blocks};
use serde::Serialize;
use serde_json::{Value, json};
use stats::is_shown;

use super::{GAME, Part, Played, SHEET, compare, own_score};
use crate::GAMES;
use crate::sheet::{in_part, judged};

/// A round robin of setups, with what players did.
pub(super) const PART: Part = Part {
    name: "tournament",
    key: "tournaments",
    beside: |rules, stored, bench, _| {
        let game = GAMES.open(GAME, rules)?;
        let behaviour = behaviour_of(bench.store, &stored.run, &*game, &stored.rows)?;
        Ok(json!({ "behaviour": behaviour.unwrap_or_default() }))
    },
    verdicts: |played| played.verdicts(),
    blocks,
};

/// A setup seen over all its opponents.
#[derive(Default, Serialize)]
struct Record {
    /// Opponents against whom it has more than half of the points.
    above: usize,
    /// Opponents it beats at 5 % over all pairings together.
    beaten: usize,
    /// Opponents that beat it so.
    lost_to: usize,
    opponents: usize,
}

impl Played<'_> {
    fn record(&self, setup: &str) -> Record {
        let mut record = Record::default();
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

    /// What became of the claims about setups.
    fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts = vec![self.warrior(), self.dominant(), self.halberds()];
        verdicts.extend(self.cycles());
        verdicts.push(self.length());
        verdicts.extend(compare::verdicts(self.rules, &self.beside["behaviour"]));
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

    /// What the claims about setups tell: the record of one and its place by rating, from 1.
    fn values(&self, setup: &str) -> Value {
        let record = self.record(setup);
        let analysis = self.stored.summary.analysis.as_ref();
        let place = analysis.and_then(|analysis| {
            let is = |&index: &usize| analysis.players[index].name == setup;
            analysis.ranking.iter().position(is)
        });
        let pairings = self.stored.summary.cells.len();
        // What to add where no pairing can be told from chance.
        let few = json!({ "games": self.games(), "pairings": pairings });
        let too_few = if self.can_show() { String::new() } else { SHEET.words("too-few", &few) };
        json!({
            "rules": self.rules,
            "games": self.games(),
            "below": record.opponents - record.above,
            "record": record,
            "place": place.map_or(0, |place| place + 1),
            "too_few": too_few,
        })
    }

    fn warrior(&self) -> Verdict {
        let record = self.record("IAmWarrior");
        let shown = record.above == record.opponents && self.can_show();
        let ruling = judged(record.lost_to > 0, shown);
        SHEET.verdict("warrior", ruling, &self.values("IAmWarrior"))
    }

    fn dominant(&self) -> Verdict {
        let players = &self.stored.spec.players;
        let records: Vec<(&str, Record)> =
            players.iter().map(|player| (&*player.name, self.record(&player.name))).collect();
        let dominant = records.iter().any(|(_, record)| record.beaten == record.opponents);
        let most = records.iter().map(|(_, record)| record.beaten).max().unwrap_or(0);
        let best = records.iter().filter(|(_, record)| record.beaten == most);
        let best: Vec<&str> = best.map(|(name, _)| *name).collect();
        let found = json!({ "best": best.join(", "), "most": most, "of": players.len() - 1 });
        let mut values = self.values("");
        values["found"] = json!(SHEET.words(if most == 0 { "no-setup" } else { "most" }, &found));
        SHEET.verdict("dominant", judged(dominant, self.can_show()), &values)
    }

    fn halberds(&self) -> Verdict {
        let record = self.record("HalberderPure");
        let most = record.opponents / 2;
        // Both cannot be.
        let ruling = judged(record.beaten > most, record.lost_to > most);
        SHEET.verdict("halberds", ruling, &self.values("HalberderPure"))
    }

    fn cycles(&self) -> Option<Verdict> {
        let analysis = self.stored.summary.analysis.as_ref()?;
        let published: [u64; 3] = SHEET.data("cycles");
        let tests = || analysis.null.cycles.iter().zip(published);
        let parts: Vec<String> = tests()
            .map(|(test, published)| {
                let mark = |at_least: bool| if at_least { "≥ " } else { "" };
                let (more, capped) = (mark(test.at_least), mark(test.null_at_least > 0.0));
                let values =
                    json!({ "test": test, "published": published, "more": more, "capped": capped });
                SHEET.words("cycles", &values)
            })
            .collect();
        let clear = tests().any(|(test, _)| is_shown(test.all.p * published.len() as f64));
        let fit = analysis.fit.p.map_or_else(String::new, |p| {
            let word = if is_shown(p) { "do not" } else { "may" };
            SHEET.words("deviance", &json!({ "p": p, "word": word }))
        });
        let games = json!({ "games": self.games() });
        let same = self.games() == 50;
        let comparable = if same { String::new() } else { SHEET.words("other-games", &games) };
        let values = json!({
            "rules": self.rules,
            "parts": parts.join("; "),
            "fit": fit,
            "comparable": comparable,
        });
        Some(SHEET.verdict("cycles", judged(false, clear), &values))
    }

    fn length(&self) -> Verdict {
        let figures = &self.stored.summary.figures;
        let (mean, sd) = figures.turns.map_or((0.0, 0.0), |turns| (turns.mean, turns.sd));
        let moves = self.beside["behaviour"]["actions_per_turn"].as_f64().unwrap_or(0.0);
        let [turns, moves_a_turn]: [f64; 2] = SHEET.data("length");
        let near = |found: f64, published: f64| (found / published - 1.0).abs() < 0.1;
        let ruling = in_part([near(mean, turns), near(moves, moves_a_turn)]);
        let range = figures.turns.map_or_else(String::new, |turns| {
            format!(", {:.0} to {:.0}", turns.quantiles[0], turns.quantiles[4])
        });
        let values = json!({
            "rules": self.rules,
            "mean": mean,
            "sd": sd,
            "range": range,
            "moves": moves,
            "n": figures.draws.n,
        });
        SHEET.verdict("length", ruling, &values)
    }
}

fn blocks(Played { rules, stored, beside }: &Played<'_>) -> Vec<Block> {
    // Unless its spec says otherwise, it has those of the thesis.
    let given = stored.spec.players[0].agent.split_once("calls=");
    let values = json!({
        "setups": stored.spec.players.len(),
        "calls": given.map_or("3,000", |(_, calls)| calls),
        "games": stored.spec.games,
        "played": stored.summary.played,
        "origin": stored.origin(),
    });
    let mut blocks = vec![Block::Words(SHEET.words("tournament", &values))];
    blocks.extend(field_blocks(
        &GAMES,
        &format!("tournament-{rules}"),
        &stored.spec,
        &stored.summary,
    ));
    blocks.extend(compare::blocks(rules, &beside["behaviour"]));
    blocks
}
