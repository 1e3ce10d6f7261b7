//! Clients that lie, flood, fall silent or vanish, and the end of the server.

use crate::common::{against, start, start_in};
use axum::http::{Method, StatusCode};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// A thousand messages of which none is a request.
fn garbage(number: usize) -> Message {
    let deep = "[".repeat(5_000);
    match number % 10 {
        0 => Message::text(""),
        1 => Message::text("{"),
        2 => Message::text("null"),
        3 => Message::text(json!({"type": "play"}).to_string()),
        4 => Message::text(json!({"type": "play", "action": 7, "version": -1}).to_string()),
        5 => Message::text(deep),
        6 => Message::binary(vec![0, 159, 146, 150]),
        7 => Message::text(json!({"type": "explode", "x": "y".repeat(1000)}).to_string()),
        8 => Message::text(json!({"type": "undo", "extra": true}).to_string()),
        _ => Message::text("\u{0}\u{ffff}\u{202e}💥".repeat(50)),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_malformed_messages_harm_nobody() {
    let server = start().await;
    let id = server.create(against("othello", "greedy")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    let other = server.create(against("othello", "greedy")).await;
    let mut elsewhere = server.join(&other).await;
    elsewhere.my_turn().await;
    let mut refused = 0;
    for number in 0..1000 {
        player.socket.send(garbage(number)).await.expect("the server reads on");
        let answer = player.until(|answer| answer["type"] != "state").await;
        refused += usize::from(answer["type"] == "refused");
    }
    assert_eq!(refused, 1000);
    player.play("f5").await;
    elsewhere.play("f5").await;
    elsewhere.until_state(|state| state["history"].as_array().unwrap().len() == 2).await;
    assert_eq!(server.get("/api/health").await["status"], "ok");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_too_long_closes_only_its_socket() {
    let server = start().await;
    let id = server.create(against("othello", "greedy")).await;
    let mut flooder = server.join(&id).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    let long = Message::text("x".repeat(100_000));
    // The server may close before all of it is read.
    drop(flooder.socket.send(long).await);
    while flooder.hear_if_open().await.is_some() {}
    player.play("f5").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_never_read_or_vanish_hold_up_nobody() {
    let server = start().await;
    let id = server.create(against("lords-of-war", "random")).await;
    let mut silent = Vec::new();
    for number in 0..10 {
        let mut client = server.join(&id).await;
        if number % 2 == 0 {
            // It asks much and never reads.
            for _ in 0..200 {
                client.send(json!({"type": "ping"})).await;
            }
            silent.push(client);
        }
    }
    let mut player = server.join(&id).await;
    for number in 0..60 {
        if !player.my_turn().await["ending"].is_null() {
            break;
        }
        player.play_any(number).await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_has_room_for_so_many_sockets() {
    let server = start().await;
    let id = server.create(against("othello", "greedy")).await;
    let mut players = Vec::new();
    for _ in 0..32 {
        players.push(server.join(&id).await);
    }
    let address = format!("ws://{}/api/games/{id}/play", server.address);
    let refused = tokio_tungstenite::connect_async(&address).await;
    let error = refused.expect_err("one too many").to_string();
    assert!(error.contains("503"), "{error}");
    drop(players.pop());
    loop {
        if tokio_tungstenite::connect_async(&address).await.is_ok() {
            break;
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_server_is_said_and_nothing_is_lost() {
    let server = start().await;
    let id = server.create(against("othello", "mcts:ms=60000")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    player.play("f5").await;
    player.until_state(|state| state["thinking"] == true).await;
    let folder = server.stop().await;
    player.until(|answer| answer["type"] == "goodbye").await;
    assert_eq!(player.hear_if_open().await, None);
    let server = start_in(folder).await;
    let kept = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(kept["history"][0]["action"], "f5");
    assert_eq!(kept["thinking"], false, "nobody has opened it yet");
    let mut player = server.join(&id).await;
    player.until_state(|state| state["thinking"] == true).await;
    player.send(json!({"type": "stop"})).await;
    player.until_state(|state| state["history"].as_array().unwrap().len() == 2).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_game_says_goodbye_and_is_gone() {
    let server = start().await;
    let id = server.create(against("othello", "greedy")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    let path = format!("/api/games/{id}");
    let (status, _) = server.ask(Method::DELETE, &path, None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    player.until(|answer| answer["type"] == "goodbye").await;
    for method in [Method::GET, Method::DELETE] {
        let (status, problem) = server.ask(method, &path, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_of_other_sites_are_refused() {
    let server = start().await;
    let id = server.create(against("othello", "greedy")).await;
    let address = format!("ws://{}/api/games/{id}/play", server.address);
    for (origin, fine) in
        [("https://evil.example".to_owned(), false), (format!("http://{}", server.address), true)]
    {
        let mut request = address.as_str().into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        let opened = tokio_tungstenite::connect_async(request).await;
        assert_eq!(opened.is_ok(), fine, "{origin}");
    }
    server.stop().await;
}

/// Forty games at once on two workers: nobody is forgotten. The example `crowd` measures more.
#[tokio::test(flavor = "multi_thread")]
async fn many_games_at_once_all_go_on() {
    let server = start().await;
    let mut clients = Vec::new();
    for number in 0..40 {
        let id = server.create(against("othello", "mcts:ms=10")).await;
        let mut player = server.join(&id).await;
        clients.push(tokio::spawn(async move {
            for turn in 0..5 {
                player.my_turn().await;
                player.play_any(number + turn).await;
            }
            player.my_turn().await["history"].as_array().unwrap().len()
        }));
    }
    for client in clients {
        assert!(client.await.expect("no client fails") >= 10);
    }
    let list = server.get("/api/games?limit=200").await;
    assert_eq!(list["total"], 40);
    assert!(server.get("/api/health").await["live_games"].as_u64() >= Some(40));
    server.stop().await;
}

/// Twelve games of agents that think for a minute, on two workers: somebody who plays against a quick
/// agent does not wait for them.
#[tokio::test(flavor = "multi_thread")]
async fn long_thoughts_of_others_do_not_keep_quick_agents_waiting() {
    let server = start().await;
    let thinker = json!({"kind": "agent", "spec": "mcts:ms=60000"});
    let long = json!({"game": "othello", "seats": [thinker, thinker]});
    let mut watchers = Vec::new();
    for _ in 0..12 {
        let id = server.create(long.clone()).await;
        watchers.push(server.join(&id).await);
    }
    loop {
        let health = server.get("/api/health").await;
        if (health["thinking"].as_u64(), health["waiting"].as_u64()) == (Some(2), Some(10)) {
            break;
        }
    }
    for spec in ["random", "mcts:ms=10"] {
        let id = server.create(against("othello", spec)).await;
        let mut player = server.join(&id).await;
        for number in 0..5 {
            player.my_turn().await;
            player.play_any(number).await;
        }
        player.my_turn().await;
    }
    let health = server.get("/api/health").await;
    assert_eq!(health["waiting"], 10, "the others think on: {health}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pings_of_the_protocol_are_answered() {
    let server = start().await;
    let id = server.create(against("othello", "greedy")).await;
    let mut player = server.join(&id).await;
    player.socket.send(Message::Ping(vec![1, 2, 3].into())).await.unwrap();
    loop {
        if let Message::Pong(bytes) = player.socket.next().await.unwrap().unwrap() {
            assert_eq!(&bytes[..], [1, 2, 3]);
            break;
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_nobody_uses_leave_memory_and_come_back() {
    let server = start().await;
    let first = server.create(against("tic-tac-toe", "random")).await;
    let watched = server.create(against("tic-tac-toe", "random")).await;
    let mut player = server.join(&watched).await;
    player.my_turn().await;
    player.play_any(0).await;
    for _ in 0..1000 {
        server.create(against("tic-tac-toe", "random")).await;
    }
    assert_eq!(server.get("/api/health").await["live_games"], 1000);
    assert_eq!(server.get("/api/games?limit=1").await["total"], 1002);
    assert_eq!(server.get(&format!("/api/games/{first}")).await["version"], 0);
    // The one that somebody looks at was never closed.
    player.my_turn().await;
    player.play_any(0).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_while_it_cannot_be_kept_and_is_kept_later() {
    let server = start().await;
    let id = server.create(against("othello", "greedy")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    let database = rusqlite::Connection::open(server.folder.path().join("app.sqlite")).unwrap();
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON app_games WHEN NEW.plies > 0
                  BEGIN SELECT RAISE(ABORT, 'no room'); END";
    database.execute_batch(refuse).unwrap();
    player.send(json!({"type": "play", "action": "f5", "version": 0})).await;
    // Once for the action of the person, once for that of the agent.
    for _ in 0..2 {
        let told = player.until(|answer| answer["type"] == "refused").await;
        let error = told["error"].as_str().unwrap();
        assert!(error.contains("continues but cannot be saved") && error.contains("no room"));
    }
    let went_on = player.until_state(|state| state["history"].as_array().unwrap().len() >= 2).await;
    let (status, problem) = server.post("/api/games", against("othello", "greedy")).await;
    assert_eq!(status, StatusCode::CREATED, "only changes are refused: {problem}");
    database.execute_batch("DROP TRIGGER refuse").unwrap();
    drop(database);
    let state = player.play_any(0).await;
    assert!(state["version"].as_u64() > went_on["version"].as_u64());
    let plies = |state: &serde_json::Value| state["history"].as_array().unwrap().len();
    player.my_turn().await;
    let server = start_in(server.stop().await).await;
    assert!(plies(&server.get(&format!("/api/games/{id}")).await) >= 3);
    server.stop().await;
}

/// A database that version 0.1 wrote: its kept games, loadouts and runs are there.
#[tokio::test]
async fn an_old_database_is_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/tests/data/form-2/runs.sqlite");
    std::fs::copy(old, folder.path().join("app.sqlite")).expect("it can be copied");
    let server = start_in(folder).await;
    let game = server.get("/api/games/5BadTEgMgy").await;
    assert_eq!(game["ending"]["words"], "You lost 19 to 45");
    assert_eq!(game["history"].as_array().map(Vec::len), Some(53));
    let loadouts = server.get("/api/loadouts").await;
    assert_eq!(loadouts["loadouts"][0]["name"], "Mine");
    let run = server.get("/api/runs/stopped-64e82dee").await;
    assert_eq!((&run["card"]["played"], &run["version"]), (&5.into(), &"0.1.0+115d045d".into()));
    let games = server.get("/api/runs/stopped-64e82dee/games").await;
    assert_eq!(games["total"], 5);
}
