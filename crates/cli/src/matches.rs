//! `warroom match GAME --a SPEC --b SPEC`

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use arena::TimeControl;
use gamecore::Outcome;
use lab::{MatchReport, MatchResult, MatchSpec, Openings, Standing, p_value, play_match};
use registry::AnyGame;
use serde_json::json;
use stats::Side;

use crate::common::{
    Done, PlayFlags, SetupFlags, check_new_file, grouped, print_json, print_text, progress_bar,
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
    let MatchResult { report, records } = play_match(&spec, threads, &stop, &progress)?;
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
        print_text(&in_words(&report, &start_words(&spec)))?;
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

/// From where the games begin and what the sides bring, also where nobody said it.
fn start_words(spec: &MatchSpec) -> String {
    let info = spec.game.info();
    let openings = match &spec.openings {
        Openings::Positions(list) => format!("{} given positions", list.len()),
        Openings::Random(plies) => match plies.unwrap_or(info.opening_plies) {
            0 => "the usual start".to_owned(),
            plies => format!("{plies} random actions before each pair"),
        },
    };
    let brought = [0, 1].map(|side| match spec.setups[side].as_str() {
        "" => info.usual_setups[side],
        own => own,
    });
    let default = if spec.setups.iter().all(String::is_empty) { " (the default)" } else { "" };
    match brought {
        ["", _] => openings,
        [both, other] if both == other => format!("{openings}; both bring {both}{default}"),
        [one, other] if info.dealt => {
            format!("{openings}; {one} for player 1, {other} for player 2{default}")
        }
        [one, other] => format!("{openings}; A brings {one}, B {other}"),
    }
}

fn in_words(report: &MatchReport, start: &str) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        text.push_str(&words);
        text.push('\n');
    };
    for void in &report.void {
        let reason = void.reason.fault_words();
        line(format!("VOID  pair {} game {}: {reason}", void.pair, void.game));
    }
    line(format!("A  {}\nB  {}\nStart  {start}", report.a, report.b));
    let found = &report.evidence;
    line(format!(
        "A: +{} ={} -{} of {} games ({} distinct)",
        found.a_wins, found.draws, found.b_wins, found.games, report.distinct_games
    ));
    if found.repeated_pairs > 0 {
        line(format!(
            "{} of {} pairs repeat another exactly; everything below counts each pair once. For more \
             variety, start each pair with more random actions: --opening-plies N",
            found.repeated_pairs, found.pairs
        ));
    }
    if let Some(score) = found.score {
        let [low, high] = found.wilson.map(|end| end * 100.0);
        let by_pairs = found.pair_interval.map_or_else(String::new, |ends| {
            let [low, high] = ends.map(|end| end * 100.0);
            format!(", [{low:.1}, {high:.1}] by pairs")
        });
        line(format!(
            "score {:.1} % of {} games [{low:.1}, {high:.1}] (95 % Wilson){by_pairs}",
            score * 100.0,
            found.counted_games()
        ));
        let elo = |elo: Option<f64>, infinite: &str| {
            elo.map_or_else(|| infinite.to_owned(), |elo| format!("{elo:+.0}"))
        };
        let [low, middle, high] = found.elo;
        let unbounded = if score < 0.5 { "-∞" } else { "+∞" };
        line(format!("Elo {} [{}, {}]", elo(middle, unbounded), elo(low, "-∞"), elo(high, "+∞")));
    }
    let p = found.p_value.map_or_else(String::new, |p| format!(", sign test {}", p_value(p)));
    line(format!(
        "pairs {} by points of A 0 ½ 1 1½ 2: {:?}{p}",
        found.pairs - found.repeated_pairs,
        found.pentanomial.0,
    ));
    line(verdict(report).to_owned());
    if let Some(effort) = report.effort.or(report.timing.effort) {
        for (letter, effort, seconds) in
            [("A", effort.a, report.timing.a_seconds), ("B", effort.b, report.timing.b_seconds)]
        {
            line(format!(
                "{letter}: {} decisions, {}, {:.2} ms per decision, {seconds:.1} s of thinking time",
                grouped(effort.decisions),
                match effort.counters.iterations {
                    0 => format!("{} nodes", grouped(effort.counters.nodes)),
                    iterations => format!("{} iterations", grouped(iterations)),
                },
                1000.0 * seconds / effort.decisions.max(1) as f64
            ));
        }
    }
    if report.unfinished > 0 {
        line(format!("interrupted: {} games not finished", report.unfinished));
    }
    if !report.repeatable {
        line("not repeatable: depends on a time budget, a clock, several threads or an outside program".to_owned());
    }
    let _ = write!(
        text,
        "{:.1} s, {:.1} games/s",
        report.timing.seconds, report.timing.games_per_second
    );
    text
}

fn verdict(report: &MatchReport) -> &'static str {
    match report.stronger() {
        Some(Side::A) => "A is stronger.",
        Some(Side::B) => "B is stronger.",
        None if report.evidence.p_value.is_none() => "An agent is not tested against itself.",
        None => "No difference shown.",
    }
}
