//! Every pair of agents plays every game they may play: no void game, and every record replays.

use gamecore::{Rng, StopToken};
use lab::{MatchResult, MatchSpec, Openings, play_match};
use registry::loadouts::Tables;
use registry::{AgentSpec, AnyGame, ResolvedAgent, game_names, open_game};

/// How many games each pair plays; `cargo xtask soak` asks for more.
const GAMES_VARIABLE: &str = "WARROOM_SOAK_GAMES";
const GAMES: u64 = 4;

fn games() -> u64 {
    std::env::var(GAMES_VARIABLE).map_or(GAMES, |text| {
        text.parse().unwrap_or_else(|_| panic!("{GAMES_VARIABLE}={text}: expected a number"))
    })
}

/// Every agent that may play the game, each at a budget that takes next to no time.
fn agents(game: &dyn AnyGame) -> Vec<ResolvedAgent> {
    let no_files = |path: &str| Err(format!("no file {path}"));
    let small = [
        ("depth", "2"),
        ("iterations", "8"),
        ("turn.bursts", "2"),
        ("table.mb", "1"),
        ("solve", "8"),
        ("solve.mb", "1"),
    ];
    game.agents()
        .iter()
        .filter(|agent| agent.refused.is_none())
        .map(|agent| {
            let mut spec = AgentSpec { name: agent.name.to_owned(), keys: Vec::new() };
            for (key, value) in small {
                if agent.params.iter().any(|param| param.key == key) {
                    spec.set_default(key, value);
                }
            }
            game.resolve(&spec, &no_files).unwrap_or_else(|error| panic!("{spec}: {error}"))
        })
        .collect()
}

/// Rule options of Conquest and values to draw from; short games, so that many can be played.
const CONQUEST_RULES: [(&str, &[&str]); 14] = [
    ("regenerate", &["heals", "marks"]),
    ("counter", &["in-range", "always"]),
    ("shield-wall", &["caps", "nothing"]),
    ("start-points", &["0", "25", "600"]),
    ("placement", &["front-first", "back-first"]),
    ("bombard-kill", &["at-once", "at-end"]),
    ("winds", &["hashed", "random"]),
    ("freed", &["hashed", "random"]),
    ("turn-limit", &["6", "15", "30"]),
    ("obstacles", &["none", "8", "30"]),
    ("symmetric-obstacles", &["yes", "no"]),
    ("moves", &["one", "one", "one", "many"]),
    ("trim", &["yes", "yes", "no"]),
    ("command-window", &["yes", "yes", "no"]),
];

fn draw<'a>(rng: &mut Rng, values: &[&'a str]) -> &'a str {
    values[rng.below(values.len() as u32) as usize]
}

/// Rules and what both agents bring, drawn anew for each pair of agents where the game offers a
/// choice. Secrets shut most agents out, so they are drawn only if asked for.
fn circumstances(name: &str, rng: &mut Rng, secrets: bool) -> (String, [String; 2]) {
    if name != "conquest" {
        return Default::default();
    }
    let mut rules: Vec<String> =
        CONQUEST_RULES.iter().map(|(key, values)| format!("{key}={}", draw(rng, values))).collect();
    rules.push(format!("secret-commands={}", if secrets { "yes" } else { "no" }));
    let mut loadout = || {
        let kind = draw(rng, &["all", "maximal", "exact"]);
        Tables::default().random(kind, rng.next_u64()).expect("a known kind").text
    };
    let setups = [loadout(), loadout()];
    (rules.join(","), setups)
}

fn play(name: &str, [first, second]: [&str; 2], rng: &mut Rng, secrets: bool) {
    let (rules, setups) = circumstances(name, rng, secrets);
    let game = open_game(name, &rules).unwrap_or_else(|error| panic!("{rules}: {error}"));
    let agents = agents(&*game);
    let agent = |wanted: &str| agents.iter().find(|agent| agent.spec.name == wanted).cloned();
    let (Some(a), Some(b)) = (agent(first), agent(second)) else { return };
    let place = format!("{name} ({rules}), {setups:?}: {} against {}", a.spec, b.spec);
    let spec = MatchSpec {
        game: game.clone(),
        a,
        b,
        games: games(),
        seed: rng.next_u64(),
        openings: Openings::Random(None),
        setups,
        time: None,
    };
    let played = play_match(&spec, 2, &StopToken::default(), &|_| {});
    let MatchResult { report, records } = played.unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(report.void.is_empty(), "{place}: {:?}", report.void);
    for record in &records {
        if let Err(error) = game.open_record(record) {
            panic!("{place}: {error}");
        }
    }
}

#[test]
fn every_pair_of_agents_plays_every_game() {
    let mut rng = Rng::new(7);
    for name in game_names() {
        let game = open_game(name, "").expect("a listed game opens");
        let names: Vec<&str> = game.agents().iter().map(|agent| agent.name).collect();
        assert!(!agents(&*game).is_empty(), "{name}: nobody may play it");
        for (index, first) in names.iter().enumerate() {
            for second in &names[index..] {
                play(name, [first, second], &mut rng, false);
            }
            play(name, [first, "random"], &mut rng, true);
        }
        play(name, ["ismcts", "pimc"], &mut rng, true);
    }
    assert_bounded_memory();
}

/// The most memory the process ever had, where the system tells.
fn assert_bounded_memory() {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    assert!(kilobytes.is_none_or(|peak| peak < 2_000_000), "{kilobytes:?} kB");
}
