//! `warroom match GAME --a SPEC --b SPEC`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use arena::TimeControl;
use gamecore::Outcome;
use lab::experiment::Experiment;
use lab::points_of_a;
use lab::report::{NOT_REPEATABLE, findings};
use lab::run::{RunError, Summary, Threads, Used};
use lab::{MatchSpec, Openings, play_in_memory};
use registry::{AnyGame, Registry};
use serde_json::{Value, json};
use store::GameRow;

use crate::common::{
    Done, PlayFlags, SetupFlags, check_new_file, print_json, print_text, progress_bar, read,
    resolve, stop_on_interrupt, write_file,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game.
    game: String,
    /// Agent A, as NAME or NAME:KEY=VALUE,…
    #[arg(long, value_name = "SPEC")]
    a: String,
    /// Agent B.
    #[arg(long, value_name = "SPEC")]
    b: String,
    /// Number of games, even: every start is played twice with the agents exchanged. In games with
    /// a deal, a multiple of four: each seat also begins once.
    #[arg(long, default_value_t = 100, value_parser = crate::numbers::any::<u64>, allow_negative_numbers = true)]
    games: u64,
    /// Random actions before each pair of games [default: the game's own].
    #[arg(long, value_name = "N", value_parser = crate::numbers::any::<u32>, conflicts_with = "openings", allow_negative_numbers = true)]
    opening_plies: Option<u32>,
    /// A file of start positions, one per line; lines that begin with # are skipped.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Chess clock: seconds plus increment for each seat, such as 60+1.
    #[arg(long, value_name = "TOTAL+INCREMENT")]
    clock: Option<TimeControl>,
    /// Write all games to this file, one record per line.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Write counts of what the players did to this file as JSON: game lengths; in Conquest
    /// commands by target, selections, attacks, causes of death, points left; in Lords of War
    /// deployments, kills, shots, retreats, endings.
    #[arg(long, value_name = "FILE")]
    behaviour: Option<PathBuf>,
    #[command(flatten)]
    setups: SetupFlags,
    #[command(flatten)]
    flags: PlayFlags,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let game = args.flags.open_game(games, &args.game)?;
    check_new_file(args.records.as_deref())?;
    check_new_file(args.behaviour.as_deref())?;
    let spec = MatchSpec {
        a: resolve(&*game, &args.a, None)?,
        b: resolve(&*game, &args.b, None)?,
        openings: openings(args, &*game)?,
        setups: args.setups.resolve(&*game)?,
        games: args.games,
        seed: args.flags.seed,
        time: args.clock,
        game,
    };
    let threads = args.flags.threads.map_or_else(all_cores, usize::from);
    let stop = stop_on_interrupt()?;
    let bar = progress_bar(args.games, args.flags.output.talks());
    let standing = Mutex::new([0; 3]);
    let hear = |row: &GameRow| {
        let Some(points) = points_of_a(row) else { return };
        let mut standing = standing.lock().expect("nobody panics while holding it");
        standing[(points * 2.0) as usize] += 1;
        let [lost, drawn, won] = *standing;
        bar.set_position(lost + drawn + won);
        bar.set_message(format!("+{won} ={drawn} -{lost}"));
    };
    let experiment = spec.experiment()?;
    let began = Instant::now();
    let played = play_in_memory(&experiment, &Threads::new(threads), &stop, &hear);
    let (summary, records) = played.map_err(|error| match error {
        // Nothing is stored of a match, so nothing can go on with it.
        RunError::Machine { fault, .. } => anyhow!(fault),
        other => anyhow!(other),
    })?;
    let seconds = began.elapsed().as_secs_f64();
    bar.finish_and_clear();
    if let Some(path) = &args.records {
        let lines: String = records.iter().map(|record| record.to_json() + "\n").collect();
        write_file(path, &lines)?;
    }
    if let Some(path) = &args.behaviour {
        // Void games have nothing to replay.
        let mut sound = records.into_iter().filter(|record| record.outcome != Outcome::Void);
        write_file(path, &format!("{:#}\n", spec.game.behaviour(&mut sound)?))?;
    }
    if args.flags.output.json {
        print_json(&in_json(&experiment, &summary, seconds))?;
    } else {
        print_text(&in_words(games, &experiment, &summary, seconds))?;
    }
    Ok(if stop.is_stopped() {
        Done::Interrupted
    } else if summary.void.is_empty() {
        Done::Fine
    } else {
        Done::Void
    })
}

pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn openings(args: &Args, game: &dyn AnyGame) -> Result<Openings> {
    let Some(path) = &args.openings else { return Ok(Openings::Random(args.opening_plies)) };
    let read = lab::experiment::read_openings(game, &read(path)?);
    read.with_context(|| format!("'{}'", path.display()))
}

/// What `run` says of the same games, and what concerns this match alone.
fn in_words(games: &Registry, experiment: &Experiment, summary: &Summary, seconds: f64) -> String {
    let mut text = findings(games, &experiment.spec, summary, None).text() + "\n";
    if summary.played < summary.planned {
        let missing = summary.planned - summary.played;
        let _ = writeln!(text, "interrupted: {missing} games not finished");
    }
    if !experiment.repeatable() {
        let _ = writeln!(text, "{NOT_REPEATABLE}");
    }
    let _ = write!(text, "{seconds:.1} s, {:.1} games/s", pace(summary, seconds));
    text
}

fn pace(summary: &Summary, seconds: f64) -> f64 {
    summary.cells[0].evidence.games as f64 / seconds.max(1e-9)
}

/// The same for programs; whatever does not repeat is under `timing`.
fn in_json(experiment: &Experiment, summary: &Summary, seconds: f64) -> Value {
    let (spec, cell) = (&experiment.spec, &summary.cells[0]);
    let Used { seconds: [a_seconds, b_seconds], work } = summary.used[0];
    let [a, b] = work.unwrap_or_default();
    let effort = json!({ "a": a, "b": b });
    let repeatable = experiment.repeatable();
    let mut timing = json!({ "a_seconds": a_seconds, "b_seconds": b_seconds });
    let mut answer = json!({
        "schema": "warroom-match-1",
        "game": spec.game,
        "rules": spec.rules(),
        "a": spec.players[0].agent,
        "b": spec.players[1].agent,
        "seed": spec.seed,
        "repeatable": repeatable,
    });
    let mut found = json!(cell.evidence);
    let fields = answer.as_object_mut().expect("it is one");
    fields.append(found.as_object_mut().expect("evidence has names"));
    if repeatable {
        fields.insert("effort".into(), effort);
    } else {
        timing["effort"] = effort;
    }
    if !summary.void.is_empty() {
        fields.insert("void".into(), json!(summary.void));
    }
    if summary.played < summary.planned {
        fields.insert("unfinished".into(), json!(summary.planned - summary.played));
    }
    timing["seconds"] = json!(seconds);
    timing["games_per_second"] = json!(pace(summary, seconds));
    fields.insert("timing".into(), timing);
    answer
}
