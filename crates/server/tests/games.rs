//! Whole games over the socket.

mod common;

use common::{against, start};
use serde_json::json;

/// Plays a whole game against a weak agent; the person's choices come from a fixed pattern.
async fn whole_game(game: &str, rules: &str, spec: &str, most: usize) {
    let server = start().await;
    let mut asked = against(game, spec);
    asked["rules"] = rules.into();
    let id = server.create(asked).await;
    let mut player = server.join(&id).await;
    for number in 0..most {
        let state = player.my_turn().await;
        if !state["ending"].is_null() {
            let told = server.get(&format!("/api/games/{id}")).await;
            assert_eq!(told["ending"], state["ending"]);
            assert!(state["to_act"].is_null() && state["eyes"].is_null());
            let list = server.get(&format!("/api/games?game={game}")).await;
            assert_eq!(list["games"][0]["over"], true);
            assert_eq!(list["games"][0]["plies"], state["history"].as_array().unwrap().len());
            let record = server.get(&format!("/api/games/{id}/record")).await;
            let rules = state["rules"].as_str().unwrap();
            let session = registry::open_game(game, rules).unwrap();
            let record = arena::GameRecord::from_json(&record.to_string()).unwrap();
            assert!(session.open_record(&record).is_ok(), "the record can be played again");
            server.stop().await;
            return;
        }
        player.play_any(number * 7 + 3).await;
    }
    panic!("{game} does not end within {most} actions of a person");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_othello() {
    whole_game("othello", "", "greedy", 64).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_conquest() {
    whole_game("conquest", "turn-limit=40", "greedy", 2_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_lords_of_war() {
    whole_game("lords-of-war", "", "random", 2_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_play_by_themselves_while_somebody_looks() {
    let server = start().await;
    let agent = json!({"kind": "agent", "spec": "random"});
    let asked = json!({"game": "tic-tac-toe", "seats": [agent, agent], "seed": 3});
    let id = server.create(asked).await;
    let mut watcher = server.join(&id).await;
    let paused = watcher.until_state(|state| state["history"].as_array().unwrap().len() == 2).await;
    assert!(paused["eyes"].is_null());
    watcher.send(json!({"type": "pause"})).await;
    watcher.until_state(|state| state["paused"] == true).await;
    watcher.send(json!({"type": "undo"})).await;
    watcher.until_state(|state| state["history"].as_array().unwrap().len() < 2).await;
    watcher.send(json!({"type": "resume"})).await;
    watcher.until_state(|state| !state["ending"].is_null()).await;
    server.stop().await;
}
