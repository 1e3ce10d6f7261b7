//! The experiment of the Lords of War paper at its smallest scale: its form, and that it can be
//! stopped and taken up again.

use std::collections::BTreeMap;

use gamecore::StopToken;
use lab::reproduce::Scale;
use lab::reproduce::lords_of_war::{
    CellResult, CellsFile, FIGURE_2, GAME, LIMITS, Order, Part, Study, data_files, document, run,
};
use registry::open_game;
use serde_json::{Value, json};

const PARTS: [Part; 4] = [Part::Single, Part::Joined, Part::Extrapolated, Part::Armies];

fn play(
    known: BTreeMap<String, CellResult>,
    threads: usize,
    keep: &mut dyn FnMut(&CellResult) -> std::io::Result<()>,
) -> Study {
    let game = open_game(GAME, "").expect("a game");
    let stop = StopToken::default();
    let order =
        Order { game: &game, parts: &PARTS, scale: Scale::Tiny, seed: 3, threads, stop: &stop };
    run(&order, known, keep, &|_| {}).expect("an experiment").expect("nobody stopped it")
}

fn without_times(study: &Study) -> Value {
    let mut value = json!(study);
    value["timing"] = Value::Null;
    value
}

#[test]
fn a_run_taken_up_again_equals_an_undisturbed_one() {
    let game = open_game(GAME, "").expect("a game");
    let head = CellsFile::new(&*game, Scale::Tiny, 3);
    let mut file = head.line();
    let whole = play(BTreeMap::new(), 1, &mut |cell| {
        file += &CellsFile::cell_line(cell);
        Ok(())
    });
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines.len(), 1 + whole.cells.len());
    // Killed while the fourth cell was being written.
    let kept = lines[..4].join("\n") + "\n" + &lines[4][..20];
    let (known, end) = head.read(&kept).expect("cells");
    assert_eq!((known.len(), end), (3, kept.len() - 20));
    let mut played = 0;
    let resumed = play(known, 2, &mut |_| {
        played += 1;
        Ok(())
    });
    assert_eq!(played, whole.cells.len() - 3, "finished cells are not played again");
    assert_eq!(without_times(&resumed), without_times(&whole));
}

#[test]
fn cells_of_another_experiment_are_refused() {
    let game = open_game(GAME, "").expect("a game");
    let head = CellsFile::new(&*game, Scale::Tiny, 3);
    let other = CellsFile::new(&*game, Scale::Tiny, 4).line();
    let error = head.read(&other).unwrap_err();
    assert!(error.contains("\"seed\":4") && error.contains("\"seed\":3"), "{error}");
    assert!(head.read("hello\n").unwrap_err().contains("no file of cells"));
    let broken = head.line() + "{}\n";
    assert!(head.read(&broken).unwrap_err().contains("line 2"));
}

#[test]
fn pages_show_every_table_and_claim() {
    let study = play(BTreeMap::new(), 2, &mut |_| Ok(()));
    let text = document(&study).markdown();
    for words in ["Figure 2", "Figure 5", "Figures 6 and 7", "Every army", "orcs", "h4R"] {
        assert!(text.contains(words), "{words}");
    }
    assert!(study.verdicts.len() >= 5, "{:?}", study.verdicts);
    for verdict in &study.verdicts {
        assert!(text.contains(&verdict.claim) && verdict.measured.contains("n = "), "{verdict:?}");
    }
    let files = document(&study).files();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let figures = ["index.html", "README.md", "figure-3.svg", "figure-3.csv"];
    assert_eq!(names[..4], figures);
    let csv = &data_files(&study)[0].content;
    assert_eq!(csv.lines().count(), 1 + study.cells.len());
    for cell in &study.cells {
        assert_eq!(cell.games, cell.a_wins + cell.draws + cell.b_wins);
        assert_eq!(cell.games, cell.seats.iter().sum::<u64>());
        assert!(cell.turns > 10.0 && cell.deployments > 10.0 && cell.branching > 5.0);
    }
}

/// The table as the paper prints it: column maxima and where they are.
#[test]
fn the_published_table_has_its_maxima() {
    let maxima = [
        (86.8, 15),
        (0.8, 30),
        (58.6, 25),
        (90.0, 15),
        (83.6, 20),
        (39.6, 25),
        (41.0, 25),
        (42.0, 30),
        (40.4, 30),
        (50.0, 30),
        (41.6, 30),
    ];
    for (column, (value, limit)) in maxima.into_iter().enumerate() {
        let best = FIGURE_2.iter().map(|row| row[column]).fold(0.0, f64::max);
        let at = FIGURE_2.iter().position(|row| row[column] == best).expect("a row");
        assert_eq!((best, LIMITS[at]), (value, limit), "h{}", column + 1);
    }
}
