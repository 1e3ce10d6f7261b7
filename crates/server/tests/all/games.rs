//! Whole games over the socket.

use crate::common::{against, start};
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
            let won = state["ending"]["winner"].as_u64().map(|seat| seat == 0);
            assert_eq!(list["games"][0]["won"], json!(won));
            let words = state["ending"]["words"].as_str().unwrap();
            let expected = won.map_or("A draw", |won| if won { "You won" } else { "You lost" });
            assert!(words.starts_with(expected), "{words}");
            // The longest state is the first with a history: it is told once.
            let bare = json!({"history": state["history"]}).to_string().len();
            assert!(player.told + bare / 2 < state.to_string().len(), "{} bytes", player.told);
            assert_eq!(list["games"][0]["plies"], state["history"].as_array().unwrap().len());
            let record = server.get(&format!("/api/games/{id}/record")).await;
            let rules = state["rules"].as_str().unwrap();
            let session = standard::registry().open(game, rules).unwrap();
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

/// Levels are agents like others: within the limits, and able to play where cards are hidden.
#[tokio::test(flavor = "multi_thread")]
async fn every_level_of_every_game_sits_down() {
    let server = start().await;
    let catalog = server.get("/api/catalog").await;
    let games = catalog["games"].as_array().unwrap();
    let plain = games.iter().map(|game| (game, ""));
    let hidden = games.iter().filter(|game| game["name"] == "lords-of-war");
    for (game, rules) in plain.chain(hidden.map(|game| (game, "table"))) {
        let levels = game["levels"].as_array().unwrap();
        assert!(levels.len() >= 2, "{}", game["name"]);
        for level in levels {
            let opponent = json!({"kind": "level", "number": level["number"]});
            let seats = json!([{"kind": "human"}, opponent]);
            server.create(json!({"game": game["name"], "rules": rules, "seats": seats})).await;
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_share_a_screen() {
    let server = start().await;
    let people = json!([{"kind": "human", "name": "Ann"}, {"kind": "human"}]);
    let asked = json!({"game": "lords-of-war", "rules": "table", "seats": people, "seed": 2});
    let id = server.create(asked).await;
    let mut player = server.join(&id).await;
    let mut seen = [false; 2];
    for number in 0..40 {
        let state = player.my_turn().await;
        assert_eq!(state["eyes"], state["to_act"], "the one who is to act looks");
        assert_eq!((&state["pondering"], &state["thinking"]), (&json!(false), &json!(false)));
        seen[state["to_act"].as_u64().unwrap() as usize] = true;
        player.play_any(number).await;
    }
    assert_eq!(seen, [true; 2]);
    let to_act = player.my_turn().await["to_act"].as_u64();
    player.send(json!({"type": "resign"})).await;
    let over = player.until_state(|state| !state["ending"].is_null()).await;
    assert_eq!(over["ending"]["winner"].as_u64(), to_act.map(|seat| 1 - seat));
    assert_eq!(over["seats"][0]["name"], "Ann");
    server.stop().await;
}
