//! `warroom play GAME`: a game in the terminal.

mod terminal;

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena::{GameRecord, Seeds};
use gamecore::{Purpose, seed};
use live::{LiveGame, Seated};
use protocol::Player;
use registry::{AnyGame, Registry};

use crate::common::{
    Done, PlayFlags, SetupFlags, check_new_file, load, own_agent, print_text, resolve,
};
use terminal::TerminalGame;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game.
    game: String,
    /// Player 1, Black in Othello (seat 0 in records): human, or an agent as NAME or NAME:KEY=VALUE,…
    #[arg(long = "player1", visible_alias = "black", alias = "seat0", value_name = "SPEC", default_value = HUMAN)]
    seat0: String,
    /// Player 2, White in Othello (seat 1 in records) [default: a strong agent].
    #[arg(long = "player2", visible_alias = "white", alias = "seat1", value_name = "SPEC")]
    seat1: Option<String>,
    /// The agent that gives hints [default: one that explains itself].
    #[arg(long, value_name = "SPEC")]
    hint: Option<String>,
    /// Start from this position.
    #[arg(long, allow_hyphen_values = true, conflicts_with = "load")]
    position: Option<String>,
    /// Continue a saved game.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save the game to this file when it ends or is left.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    setups: SetupFlags,
    #[command(flatten)]
    flags: PlayFlags,
}

const HUMAN: &str = "human";

const HELP: &str = "\
an action   play it (see `moves`)
moves       list the legal actions
hint        what an agent would do, and why
undo, redo  take back your last action and the reply to it; play it again
show        draw the position
position    the position as text
save FILE   save the game; continue it with `warroom play GAME --load FILE`
resign      give up
quit        leave";

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let game = args.flags.open_game(games, &args.game)?;
    check_new_file(args.save.as_deref())?;
    let record = first_record(args, &*game)?;
    let seats = [Some(args.seat0.as_str()), args.seat1.as_deref()];
    let [zero, one] = seats.map(|spec| player(args, &*game, spec));
    let hint = match &args.hint {
        Some(spec) => resolve(&*game, spec, args.flags.threads)?,
        None => own_agent(&*game, args.flags.threads)?,
    };
    let live = LiveGame::unkept(game, record, [zero?, one?], hint)?;
    let mut game = TerminalGame::new(live, &args.flags, args.load.is_some());
    game.welcome()?;
    play(&mut game)?;
    if let Some(path) = &args.save {
        game.save(path)?;
    }
    if args.flags.output.json {
        print_text(&game.record().to_json())?;
    }
    Ok(Done::Fine)
}

/// The game to go on with, or one that has not begun.
fn first_record(args: &Args, game: &dyn AnyGame) -> Result<GameRecord> {
    if let Some(path) = &args.load {
        let record = read_record(path)?;
        game.open_record(&record)
            .with_context(|| format!("cannot continue '{}'", path.display()))?;
        return Ok(record);
    }
    let run_seed = args.flags.seed;
    let start_seed = seed(run_seed, 0, Purpose::Start);
    let position = match &args.position {
        Some(text) => game.position(text)?,
        None => args.setups.start(game, start_seed)?,
    };
    let agent = |letter| seed(run_seed, 0, Purpose::Agent { game: 0, letter });
    let seeds = Seeds {
        start: start_seed,
        chance: seed(run_seed, 0, Purpose::Chance),
        agents: [agent('a'), agent('b')],
    };
    Ok(game.open(&position, seeds)?.record(Default::default()))
}

fn read_record(path: &Path) -> Result<GameRecord> {
    let shown = path.display().to_string();
    let content = load(&shown).map_err(|reason| anyhow::anyhow!("'{shown}': {reason}"))?;
    GameRecord::from_json(content.trim()).with_context(|| format!("'{shown}' is not a game record"))
}

fn player(args: &Args, game: &dyn AnyGame, spec: Option<&str>) -> Result<Seated> {
    let agent = match spec {
        Some(HUMAN) => {
            return Ok(Seated { player: Player::Human { name: HUMAN.to_owned() }, agent: None });
        }
        Some(spec) => resolve(game, spec, args.flags.threads)?,
        None => own_agent(game, args.flags.threads)?,
    };
    let player = Player::Agent { spec: agent.spec.to_string() };
    Ok(Seated { player, agent: Some(agent) })
}

/// Runs the game until it ends or the user leaves.
fn play(game: &mut TerminalGame) -> Result<()> {
    let mut input = io::stdin().lock().lines();
    let interactive = io::stdin().is_terminal();
    loop {
        if game.is_over() && !game.has_human() {
            return game.announce_end();
        }
        if game.is_over() {
            game.announce_end()?;
        }
        game.prompt(interactive)?;
        let Some(line) = input.next() else {
            return game.say("\nLeaving the game.");
        };
        let line = line.context("cannot read the terminal")?;
        if obey(game, line.trim())? == Next::Leave {
            return Ok(());
        }
    }
}

#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Leave,
}

/// Carries out one line of the user. What is wrong with it is said, not fatal.
fn obey(game: &mut TerminalGame, line: &str) -> Result<Next> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word.to_lowercase().as_str(), rest.trim()) {
        ("", _) => {}
        ("help" | "?", _) => game.say(HELP)?,
        ("moves", _) => game.show_moves()?,
        ("hint", _) => game.give_hint()?,
        ("undo", _) => game.undo()?,
        ("redo", _) => game.redo()?,
        ("show", _) => game.show()?,
        ("position", _) => game.show_position()?,
        ("save", "") => game.say("save FILE: name the file")?,
        ("save", path) => match game.save(Path::new(path)) {
            Ok(()) => game.say(&format!("saved to '{path}'"))?,
            Err(error) => game.say(&format!("not saved: {error:#}"))?,
        },
        ("resign", _) => game.resign()?,
        ("quit" | "exit" | "q", _) => return Ok(Next::Leave),
        _ => game.human_acts(line)?,
    }
    Ok(Next::GoOn)
}
