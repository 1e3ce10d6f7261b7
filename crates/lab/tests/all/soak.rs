//! Every pair of agents plays every game they may play: no void game, and every record replays.

use std::collections::BTreeMap;

use arena::{Seeds, WallClock};
use gamecore::{Outcome, Rng, StopToken};
use lab::run::Threads;
use lab::{MatchSpec, Openings, play_in_memory};
use registry::{AgentSpec, AnyGame, Job, ResolvedAgent, no_files};
use standard::loadouts::Tables;
use standard::registry;
use testkit::slice;

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
    let small = [
        ("depth", "2"),
        ("iterations", "8"),
        ("turn.bursts", "2"),
        ("turns", "2"),
        ("width", "4"),
        ("reply", "2"),
        ("spread", "12"),
        ("reply.spread", "4"),
        ("population", "6"),
        ("table.mb", "1"),
        ("solve", "8"),
        ("solve.mb", "1"),
    ];
    game.agents()
        .iter()
        .filter(|agent| agent.refused.is_none() && agent.needs.is_none())
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

/// Rule options of Lords of War and values to draw from.
const LORDS_OF_WAR_RULES: [(&str, &[&str]); 6] = [
    ("cavalry", &["plain", "escapes"]),
    ("berserker", &["plain", "advances"]),
    ("engaged", &["arrow", "adjacent"]),
    ("hold", &["yes", "no"]),
    ("opening-draw", &["yes", "no"]),
    ("turn-limit", &["6", "15", "30", "300"]),
];
const ARMIES: [&str; 6] = ["orcs", "dwarves", "elves", "lizardmen", "templars", "undead"];

fn draw<'a>(rng: &mut Rng, values: &[&'a str]) -> &'a str {
    values[rng.below(values.len() as u32) as usize]
}

fn draw_rules(rng: &mut Rng, rules: &[(&str, &[&str])]) -> Vec<String> {
    rules.iter().map(|(key, values)| format!("{key}={}", draw(rng, values))).collect()
}

/// Rules and what both agents bring, drawn anew for each pair of agents where the game offers a
/// choice. Secrets shut most agents out, so they are drawn only if asked for.
fn circumstances(name: &str, rng: &mut Rng, secrets: bool) -> (String, [String; 2]) {
    let secret = if secrets { "yes" } else { "no" };
    match name {
        "conquest" => {
            let mut rules = draw_rules(rng, &CONQUEST_RULES);
            rules.push(format!("secret-commands={secret}"));
            let mut loadout = || {
                let kind = draw(rng, &["all", "maximal", "exact"]);
                Tables::default().random(kind, rng.next_u64()).expect("a known kind").text
            };
            let setups = [loadout(), loadout()];
            (rules.join(","), setups)
        }
        "lords-of-war" => {
            let mut rules = draw_rules(rng, &LORDS_OF_WAR_RULES);
            rules.push(format!("hidden={secret}"));
            (rules.join(","), [0, 1].map(|_| draw(rng, &ARMIES).to_owned()))
        }
        _ => Default::default(),
    }
}

fn play(name: &str, [first, second]: [&str; 2], rng: &mut Rng, secrets: bool) {
    let (rules, setups) = circumstances(name, rng, secrets);
    let game = registry().open(name, &rules).unwrap_or_else(|error| panic!("{rules}: {error}"));
    let agents = agents(&*game);
    let agent = |wanted: &str| agents.iter().find(|agent| agent.spec.name == wanted).cloned();
    let (Some(a), Some(b)) = (agent(first), agent(second)) else { return };
    let place = format!("{name} ({rules}), {setups:?}: {} against {}", a.spec, b.spec);
    let spec = MatchSpec {
        game: game.clone(),
        a,
        b,
        games: games().next_multiple_of(game.info().games_per_start()),
        seed: rng.next_u64(),
        openings: Openings::Random(None),
        setups,
        time: None,
    };
    let spec = spec.experiment().unwrap_or_else(|error| panic!("{place}: {error}"));
    let played = play_in_memory(&spec, &Threads::new(2), &StopToken::default(), &|_| {});
    let (summary, records) = played.unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(summary.void.is_empty(), "{place}: {:?}", summary.void);
    for record in &records {
        if let Err(error) = game.open_record(record) {
            panic!("{place}: {error}");
        }
    }
}

/// Pairs of agents that a change tries.
const PAIRS: usize = 300;

#[test]
fn pairs_of_agents_play_every_game() {
    let mut pairs = Vec::new();
    for name in registry().names() {
        let game = registry().open(name, "").expect("a listed game opens");
        let names: Vec<&'static str> = game.agents().iter().map(|agent| agent.name).collect();
        assert!(!agents(&*game).is_empty(), "{name}: nobody may play it");
        for (index, first) in names.iter().enumerate() {
            pairs.extend(names[index..].iter().map(|second| (name, [*first, *second], false)));
            pairs.push((name, [first, "random"], true));
        }
        pairs.push((name, ["ismcts", "pimc"], true));
    }
    let numbered = (7..).zip(pairs).collect();
    for (seed, (name, agents, secrets)) in slice("pairs of agents", numbered, PAIRS) {
        play(name, agents, &mut Rng::new(seed), secrets);
    }
    assert_bounded_memory();
}

/// Random games of every army at either seat against every other and itself, under rules drawn
/// anew: 100 of them for each game of a pair of agents above.
#[test]
fn all_pairs_of_armies_play_and_replay() {
    let mut rng = Rng::new(8);
    let random = AgentSpec { name: "random".into(), keys: Vec::new() };
    let (clock, stop) = (WallClock::new(), StopToken::default());
    let pairs = ARMIES.iter().flat_map(|zero| ARMIES.map(|one| [*zero, one]));
    let pairs: Vec<[&str; 2]> = pairs.collect();
    let each = (100 * games() as usize).div_ceil(pairs.len());
    let all = each * pairs.len();
    let mut endings = BTreeMap::new();
    for setup in pairs.into_iter().cycle().take(all) {
        let secrets = rng.below(2) == 0;
        let (rules, _) = circumstances("lords-of-war", &mut rng, secrets);
        let game =
            registry().open("lords-of-war", &rules).unwrap_or_else(|e| panic!("{rules}: {e}"));
        let agent = game.resolve(&random, &no_files);
        let agent = agent.expect("everybody may play at random");
        let [seed, chance, zero, one] = [0; 4].map(|_| rng.next_u64());
        let place = format!("{rules}, {setup:?}, seed {seed}");
        let start = game.start(setup, None, seed, rng.below(2) == 0);
        let start = start.unwrap_or_else(|error| panic!("{place}: {error}"));
        let job = Job {
            start: &start,
            agents: [&agent, &agent],
            seeds: Seeds { start: seed, chance, agents: [zero, one] },
            time: None,
            clock: &clock,
            stop: &stop,
            log: false,
        };
        let (record, counted) = game.play(&job);
        assert_eq!(game.figures(&record).expect("it replays"), counted, "{place}");
        assert_ne!(record.outcome, Outcome::Void, "{place}: {}", record.reason);
        let again = game.open_record(&record).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(again.to_act(), None, "{place}");
        *endings.entry(record.reason.to_string()).or_insert(0) += 1;
    }
    assert!(endings.len() >= 4, "{endings:?}");
}

/// The most memory the process ever had, where the system tells.
fn assert_bounded_memory() {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    assert!(kilobytes.is_none_or(|peak| peak < 2_000_000), "{kilobytes:?} kB");
}
