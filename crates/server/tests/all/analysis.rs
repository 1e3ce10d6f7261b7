//! Whole games are looked through.

use std::time::Duration;

use crate::common::{Running, start};
use arena::Seeds;
use axum::body::{Body, BodyDataStream};
use axum::http::{Method, Request, StatusCode};
use futures_util::StreamExt;
use gamecore::StopToken;
use registry::{AgentSpec, AnyGame, AnySolver, Session, SolverSettings, Thinking, no_files};
use serde_json::{Value, json};
use tower::ServiceExt;

/// A stream of events.
struct Stream {
    body: BodyDataStream,
    text: String,
}

impl Stream {
    async fn open(server: &Running, path: &str) -> Self {
        // As browsers ask; packed events would come late.
        let request = Request::get(path).header("host", &server.address);
        let request = request.header("accept-encoding", "gzip, br");
        let request = request.body(Body::empty()).unwrap();
        let answer = server.router.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        assert!(answer.headers().get("content-encoding").is_none());
        Self { body: answer.into_body().into_data_stream(), text: String::new() }
    }

    /// The next event; `None` at the end.
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.strip_prefix("data: ").map(str::to_owned);
                self.text = rest.to_owned();
                match data {
                    Some(data) => return Some(serde_json::from_str(&data).unwrap()),
                    None => continue,
                }
            }
            let next = tokio::time::timeout(Duration::from_secs(60), self.body.next()).await;
            let bytes = next.expect("an event comes")?.unwrap();
            self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }

    async fn all(mut self) -> Vec<Value> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

fn of<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// Lets an agent play on until `done`.
fn play_on(
    game: &dyn AnyGame,
    session: &mut dyn Session,
    spec: &str,
    done: impl Fn(&dyn Session) -> bool,
) {
    let spec = AgentSpec::parse(spec, &no_files).unwrap();
    let agent = session.add_agent(&game.resolve(&spec, &no_files).unwrap(), 7);
    let clock = arena::WallClock::new();
    let stop = StopToken::default();
    while session.to_act().is_some() && !done(session) {
        let limits = Thinking::new(&clock, &stop);
        let action = session.think(agent, &limits).unwrap().explanation.choice.action;
        session.apply(&action).unwrap();
    }
}

/// The exact score for a seat.
fn exact(solver: &dyn AnySolver, session: &dyn Session, seat: gamecore::Seat) -> i32 {
    let solved = solver.solve(&session.position(), &|| false).unwrap().unwrap();
    if solved.seat == seat { solved.score } else { -solved.score }
}

/// An Othello game in which a win is thrown away ten moves or so before the end: its record, which
/// action it was, and how many discs it lost.
fn game_with_a_blunder() -> (String, usize, i32) {
    let game = standard::registry().open("othello", "").unwrap();
    let solver = game.solver(SolverSettings { table_mb: 8, threads: 1 }).unwrap();
    for seed in 0..50 {
        let start = game.start(["", ""], Some(8), seed, false).unwrap();
        let mut session = game.open(&start, Seeds::default()).unwrap();
        play_on(&*game, &mut *session, "pvs:depth=2", |now| now.played() >= 42);
        for _ in 0..4 {
            let Some(seat) = session.to_act() else { break };
            let best = exact(&*solver, &*session, seat);
            for action in session.legal() {
                session.apply(&action).unwrap();
                let after = exact(&*solver, &*session, seat);
                if best > 0 && after < 0 {
                    let ply = session.played() - 1;
                    play_on(&*game, &mut *session, "othello-engine:depth=2", |_| false);
                    let record = session.record([String::new(), String::new()]);
                    return (record.to_json(), ply, best - after);
                }
                session.undo();
            }
            let next = session.legal()[0].clone();
            session.apply(&next).unwrap();
        }
    }
    panic!("no game has a chance to blunder");
}

async fn of_record(server: &Running, record: &str) -> String {
    let seats = json!([{"kind": "human"}, {"kind": "human"}]);
    server.create(json!({"game": "", "record": record, "seats": seats})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blunder_is_found_and_its_price_told() {
    let server = start().await;
    let (record, ply, lost) = game_with_a_blunder();
    let id = of_record(&server, &record).await;
    let query = "agent=othello-engine:depth=8&second=uct:iterations=200";
    let path = format!("/api/games/{id}/analysis?{query}");
    let events = Stream::open(&server, &path).await.all().await;
    let plies = server.get(&format!("/api/games/{id}")).await["history"].as_array().unwrap().len();
    assert_eq!(events[0]["type"], "plan");
    assert_eq!(events[0]["positions"], plies, "the game is over");
    assert_eq!(events[0]["solver"], true);
    assert_eq!(events.last().unwrap()["type"], "done");
    for agent in [0, 1] {
        let own = |kind: &str| -> Vec<&Value> {
            of(&events, kind).into_iter().filter(|event| event["agent"] == agent).collect()
        };
        assert_eq!(own("opinion").len(), plies + 1, "one for every position, the last one too");
        assert_eq!(own("judgement").len(), plies, "one for every action");
        for opinion in own("opinion") {
            let chance = opinion["chance"].as_f64().expect("a chance");
            assert!((0.0..=1.0).contains(&chance));
        }
    }
    let kept = server.get(&format!("/api/games/{id}/analysis/last")).await;
    assert_eq!(kept.as_array(), Some(&events), "it is kept for whoever comes back");
    let judged = of(&events, "judgement");
    let judged = judged.iter().find(|it| it["ply"] == ply && it["agent"] == 0).unwrap();
    assert_eq!((&judged["mark"], &judged["loss"]), (&json!("blunder"), &json!(1.0)));
    let scores = of(&events, "exact");
    let score = scores.iter().find(|it| it["ply"] == ply + 1).expect("an exact score");
    assert_eq!(score["lost_before"], lost);
    let last = scores.iter().find(|it| it["ply"] == plies).expect("the end has a score, too");
    let winner = server.get(&format!("/api/games/{id}")).await["ending"]["winner"].clone();
    assert_eq!(last["score"].as_i64().unwrap() > 0, winner == 0);
    let words = if winner == 0 { "Black won" } else { "White won" };
    assert_eq!(events[1]["value_words"], words, "the end needs no thinking and comes first");
    server.stop().await;
}

/// Searches favour who is to move: compared with the wrong positions, they blame everybody.
#[tokio::test(flavor = "multi_thread")]
async fn the_play_of_a_better_agent_is_hardly_blamed() {
    let server = start().await;
    let game = standard::registry().open("othello", "").unwrap();
    let start = game.start(["", ""], Some(8), 5, false).unwrap();
    let mut session = game.open(&start, Seeds::default()).unwrap();
    play_on(&*game, &mut *session, "othello-engine:depth=6", |_| false);
    let record = session.record([String::new(), String::new()]).to_json();
    let id = of_record(&server, &record).await;
    let path = format!("/api/games/{id}/analysis?agent=uct:iterations=400");
    let events = Stream::open(&server, &path).await.all().await;
    let judged = of(&events, "judgement");
    let bad = judged.iter().filter(|it| it["mark"] != "fine").count();
    let lost: f64 = judged.iter().filter_map(|it| it["loss"].as_f64()).sum();
    let mean = lost / judged.len() as f64;
    assert!(bad * 3 < judged.len(), "{bad} of {} are marked, {mean} lost", judged.len());
    server.stop().await;
}

/// Some actions of a game, played by an agent at random.
fn some_actions(game: &str, plies: usize) -> String {
    let game = standard::registry().open(game, "").unwrap();
    let start = game.start(["", ""], Some(0), 3, false).unwrap();
    let mut session = game.open(&start, Seeds::default()).unwrap();
    play_on(&*game, &mut *session, "random", |now| now.played() >= plies);
    session.record([String::new(), String::new()]).to_json()
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_go_on_are_looked_through_too() {
    let server = start().await;
    for (game, spec) in [
        ("conquest", "conquest-best:calls=200"),
        ("lords-of-war", "lords-of-war-best:nodes=1000"),
        ("tic-tac-toe", "pvs:depth=9"),
    ] {
        let id = of_record(&server, &some_actions(game, 5)).await;
        let path = format!("/api/games/{id}/analysis?agent={spec}");
        let events = Stream::open(&server, &path).await.all().await;
        assert_eq!(events[0]["positions"], 6, "{game}");
        assert_eq!(events[0]["agents"], json!([spec]));
        let opinions = of(&events, "opinion");
        assert_eq!(opinions.len(), 6, "{game}: {events:?}");
        assert!(opinions.iter().all(|it| it["chance"].is_f64()), "{game}: {events:?}");
        assert_eq!(of(&events, "judgement").len(), 5, "{game}");
        assert_eq!(events.last().unwrap()["type"], "done", "{game}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_ends_with_its_stream_and_few_run_at_once() {
    let server = start().await;
    let id = of_record(&server, &some_actions("othello", 20)).await;
    let path = format!("/api/games/{id}/analysis?agent=mcts:ms=60000");
    let last = format!("/api/games/{id}/analysis/last");
    assert_eq!(server.get(&last).await, json!([]), "nobody has looked it through");
    let mut streams = Vec::new();
    for _ in 0..2 {
        let mut stream = Stream::open(&server, &path).await;
        assert_eq!(stream.next().await.unwrap()["type"], "plan", "the first piece comes at once");
        streams.push(stream);
    }
    let (status, answer) = server.ask(Method::GET, &path, None).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{answer}");
    drop(streams);
    for round in 0.. {
        let health = server.get("/api/health").await;
        if health["thinking"] == 0 && health["waiting"] == 0 {
            break;
        }
        assert!(round < 500, "somebody still thinks: {health}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(server.get(&last).await, json!([]), "what was not finished is not kept");
    let short = format!("/api/games/{id}/analysis?agent=greedy");
    let events = Stream::open(&server, &short).await.all().await;
    assert_eq!(events.last().unwrap()["type"], "done", "there is room again");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_analyses_are_refused_by_name() {
    let server = start().await;
    let id = of_record(&server, &some_actions("othello", 2)).await;
    for (query, word) in
        [("agent=nobody", "nobody"), ("second=exec:x", "exec"), ("depth=3", "depth")]
    {
        let path = format!("/api/games/{id}/analysis?{query}");
        let (status, answer) = server.ask(Method::GET, &path, None).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(word), "{query}: {answer}");
    }
    let (status, _) = server.ask(Method::GET, "/api/games/none/analysis", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    server.stop().await;
}
