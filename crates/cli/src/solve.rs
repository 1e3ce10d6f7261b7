//! `warroom solve GAME FILE`

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use registry::{AnySolver, Registry, SolveProblem, SolveReport, SolverSettings};
use serde_json::{Value, json};

use crate::common::{
    Done, Output, grouped, open_game, print_json, print_text, progress_bar, rate, read,
    stop_on_interrupt,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game.
    game: String,
    /// Problems: a table with the columns id, board, side_to_move, …, or OBF.
    file: PathBuf,
    /// Only the problems with these numbers, such as 40-44 or 7.
    #[arg(long, value_name = "FROM-TO", value_parser = parse_range)]
    only: Option<RangeInclusive<u64>>,
    /// Threads per position. With several, scores stay the same, but nodes, lines and the choice
    /// between equally good moves may differ from run to run.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    threads: u16,
    /// Size of the table in MiB.
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = crate::numbers::whole::<u32>(1..=65536), allow_negative_numbers = true)]
    table: u32,
    #[command(flatten)]
    output: Output,
}

fn parse_range(text: &str) -> Result<RangeInclusive<u64>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        _ => bail!("expected a number or FROM-TO, such as 40-44"),
    }
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let game = open_game(games, &args.game, "")?;
    let settings =
        SolverSettings { table_mb: args.table as usize, threads: usize::from(args.threads) };
    let make = || game.solver(settings).with_context(|| no_solver(games, &args.game));
    let problems = chosen_problems(args, &*make()?)?;
    let stop = stop_on_interrupt()?;
    let bar = progress_bar(problems.len() as u64, args.output.talks());
    let (mut rows, mut wrong, mut nodes, mut seconds) = (Vec::new(), 0, 0, 0.0);
    for problem in &problems {
        bar.set_message(format!("#{}", problem.id));
        // An empty table for every problem, so that numbers do not depend on the selection.
        let solver = make()?;
        let began = Instant::now();
        let Some(report) = solver.solve(&problem.position, &|| stop.is_stopped())? else { break };
        let row = Row { problem, report, seconds: began.elapsed().as_secs_f64() };
        wrong += u64::from(row.agrees() == Some(false));
        nodes += row.report.nodes;
        seconds += row.seconds;
        if !args.output.json {
            bar.suspend(|| print_text(&row.in_words()))?;
        }
        rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.output.json {
        let results: Vec<Value> = rows.iter().map(Row::json).collect();
        print_json(&json!({
            "schema": "warroom-solve-1",
            "game": args.game,
            // Scores always repeat; moves, lines and nodes do on one thread.
            "repeatable": args.threads == 1,
            "results": results,
        }))?;
    } else {
        print_text(&format!(
            "{} solved, {wrong} disagree; {} nodes in {seconds:.2} s of wall time ({} nodes/s)",
            rows.len(),
            grouped(nodes),
            rate(nodes, seconds)
        ))?;
    }
    Ok(match (stop.is_stopped(), wrong) {
        (true, _) => Done::Interrupted,
        (false, 0) => Done::Fine,
        _ => Done::NotSo,
    })
}

fn no_solver(games: &Registry, game: &str) -> String {
    let settings = SolverSettings { table_mb: 1, threads: 1 };
    let all = games.all();
    let with = all.iter().filter(|game| game.solver(settings).is_some());
    let with: Vec<&str> = with.map(|game| game.info().name).collect();
    format!("'{game}' has no solver (games with one: {})", with.join(", "))
}

fn chosen_problems(args: &Args, solver: &dyn AnySolver) -> Result<Vec<SolveProblem>> {
    let shown = args.file.display();
    let mut problems = solver.problems(&read(&args.file)?).with_context(|| format!("'{shown}'"))?;
    if let Some(range) = &args.only {
        problems.retain(|problem| problem.id.parse().is_ok_and(|id| range.contains(&id)));
        if problems.is_empty() {
            bail!("--only {}-{}: no such problem in '{shown}'", range.start(), range.end());
        }
    }
    Ok(problems)
}

/// One solved problem.
struct Row<'a> {
    problem: &'a SolveProblem,
    report: SolveReport,
    seconds: f64,
}

impl Row<'_> {
    fn best(&self) -> Option<&String> {
        self.report.line.first()
    }

    /// Score equal and move among the listed; `None` if the file says neither.
    fn agrees(&self) -> Option<bool> {
        let SolveProblem { expected, best, .. } = self.problem;
        let score = expected.map(|expected| self.report.score == expected);
        let listed =
            (!best.is_empty()).then(|| self.best().is_some_and(|played| best.contains(played)));
        score.into_iter().chain(listed).reduce(|one, other| one && other)
    }

    fn json(&self) -> Value {
        json!({
            "id": self.problem.id,
            "score": self.report.score,
            "expected": self.problem.expected,
            "agrees": self.agrees(),
            "move": self.best(),
            "pv": self.report.line,
            "nodes": self.report.nodes,
            "seconds": self.seconds,
        })
    }

    fn in_words(&self) -> String {
        let verdict = match self.agrees() {
            None => "",
            Some(true) => "right",
            Some(false) => "WRONG",
        };
        format!(
            "#{:<4} {:+3} {:<5} {verdict:<5} {:>16} nodes {:>8.3} s wall {:>6} nodes/s  {}",
            self.problem.id,
            self.report.score,
            self.best().map_or("-", String::as_str),
            grouped(self.report.nodes),
            self.seconds,
            rate(self.report.nodes, self.seconds),
            self.report.line.join("")
        )
    }
}
