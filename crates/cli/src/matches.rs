//! `warroom match GAME --a SPEC --b SPEC`

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use arena::TimeControl;
use gamecore::Outcome;
use lab::report::NOT_REPEATABLE;
use lab::{MatchReport, MatchResult, MatchSpec, MatchTiming, Openings, Standing, play_match};
use registry::AnyGame;
use serde_json::json;

use crate::common::{
    Done, PlayFlags, SetupFlags, check_new_file, print_json, print_text, progress_bar, resolve,
    stop_on_interrupt, write_file,
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

pub(crate) fn run(args: &Args) -> Result<Done> {
    let game = args.flags.open_game(&args.game)?;
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
    let bar = progress_bar(args.games, args.flags.talks());
    let progress = |standing: Standing| {
        bar.set_position(standing.games);
        bar.set_message(format!("+{} ={} -{}", standing.a_wins, standing.draws, standing.b_wins));
    };
    let MatchResult { report, words, records } = play_match(&spec, threads, &stop, &progress)?;
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
    if args.flags.json {
        print_json(&json!(report))?;
    } else {
        print_text(&in_words(&report, &words))?;
    }
    Ok(if stop.is_stopped() {
        Done::Interrupted
    } else if report.void.is_empty() {
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
    let shown = path.display();
    let content =
        std::fs::read_to_string(path).with_context(|| format!("cannot read '{shown}'"))?;
    lab::experiment::read_openings(game, &content).with_context(|| format!("'{shown}'"))
}

/// What `run` says of the same games, and what concerns this match alone.
fn in_words(report: &MatchReport, words: &str) -> String {
    let mut text = String::new();
    for void in &report.void {
        let reason = void.reason.fault_words();
        let _ = writeln!(text, "VOID  pair {} game {}: {reason}", void.pair, void.game);
    }
    let _ = writeln!(text, "{words}");
    if report.unfinished > 0 {
        let _ = writeln!(text, "interrupted: {} games not finished", report.unfinished);
    }
    if !report.repeatable {
        let _ = writeln!(text, "{NOT_REPEATABLE}");
    }
    let MatchTiming { seconds, games_per_second, .. } = report.timing;
    let _ = write!(text, "{seconds:.1} s, {games_per_second:.1} games/s");
    text
}
