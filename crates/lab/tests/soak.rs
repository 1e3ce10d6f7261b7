//! Every pair of agents plays every game they may play: no void game, and every record replays.

use gamecore::StopToken;
use lab::{MatchResult, MatchSpec, Openings, play_match};
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

#[test]
fn every_pair_of_agents_plays_every_game() {
    for name in game_names() {
        let game = open_game(name, "").expect("a listed game opens");
        let agents = agents(&*game);
        assert!(!agents.is_empty(), "{name}: nobody may play it");
        for (index, a) in agents.iter().enumerate() {
            for b in &agents[index..] {
                let spec = MatchSpec {
                    game: game.clone(),
                    a: a.clone(),
                    b: b.clone(),
                    games: games(),
                    seed: 7,
                    openings: Openings::Random(None),
                    setups: Default::default(),
                    time: None,
                };
                let played = play_match(&spec, 2, &StopToken::default(), &|_| {});
                let MatchResult { report, records } = played.expect("a match that can be played");
                assert!(report.void.is_empty(), "{name}: {} {} {:?}", a.spec, b.spec, report.void);
                for record in &records {
                    if let Err(error) = game.open_record(record) {
                        panic!("{name}: {} against {}: {error}", a.spec, b.spec);
                    }
                }
            }
        }
    }
}
