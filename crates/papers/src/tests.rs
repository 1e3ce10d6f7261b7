//! The smallest paper there may be: two cells and one claim.

use std::sync::LazyLock;

use lab::report::field_blocks;
use lab::run::Host;
use serde_json::{Value, json};
use stats::Side;
use store::Store;

use crate::sheet::judged;
use crate::{Bench, Finished, Found, GAMES, Order, Paper, Scale, Sheet, Stored};

static SHEET: LazyLock<Sheet> = LazyLock::new(|| Sheet::read(include_str!("sample.toml")));

const PAPER: Paper = Paper {
    sheet: &SHEET,
    planned: |order| {
        let mut changes: Value = SHEET.scale(order.scale);
        changes["seed"] = json!(order.seed);
        Ok(vec![SHEET.planned("games", "games", changes)])
    },
    found,
};

fn found(_: &Bench<'_>, _: &Order, runs: &[Stored]) -> Finished<Found> {
    let [Stored { spec, summary, .. }] = runs else { unreachable!("one run is planned") };
    let deep = &summary.cells[0];
    let stronger = summary.stronger(deep);
    let mut values = json!(deep);
    values["decided"] = json!(deep.evidence.a_wins + deep.evidence.b_wins);
    let ruling = judged(stronger == Some(Side::B), stronger == Some(Side::A));
    Ok(Some(Found {
        results: json!({ "run": runs[0] }),
        verdicts: vec![SHEET.verdict("deep", ruling, &values)],
        below: field_blocks(&GAMES, "sample", spec, summary),
        ..Found::default()
    }))
}

#[test]
fn a_paper_is_its_file_and_what_judges_its_claims() {
    let folder = tempfile::tempdir().expect("a folder");
    let bench = Bench {
        store: &Store::open(&folder.path().join("runs.sqlite")).expect("a database"),
        as_new: false,
        threads: 1,
        stop: &gamecore::StopToken::default(),
        host: &Host { program: "1.0.0+aaaaaaaa".into(), cpu: "any".into() },
        progress: &|_| {},
    };
    let order = Order { parts: Vec::new(), scale: Scale::Tiny, seed: 1, games: Vec::new() };
    let study = PAPER.run(&bench, &order).expect("an experiment").expect("nobody stopped it");
    assert_eq!(study.json["verdicts"][0]["ruling"], "holds");
    let page = study.document.markdown();
    for words in ["A complete search beats chance.", "reproduce sample --scale tiny", "(n = 40)"] {
        assert!(page.contains(words), "{words} in {page}");
    }
}
