//! What people can ask for while they play.

use crate::common::{Player, Running, against, start, start_in};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

fn plies(state: &Value) -> usize {
    state["history"].as_array().expect("a history").len()
}

/// A game of Othello against an agent, with a person at seat 0 who is to act.
async fn othello(spec: &str) -> (Running, Player, String) {
    let server = start().await;
    let id = server.create(against("othello", spec)).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    (server, player, id)
}

#[tokio::test(flavor = "multi_thread")]
async fn undo_and_redo_take_the_agents_actions_along() {
    let (server, mut player, id) = othello("greedy").await;
    assert_eq!(player.state["can_undo"], false);
    player.play("f5").await;
    let answered = player.until_state(|state| plies(state) == 2).await;
    player.send(json!({"type": "undo"})).await;
    let back = player.until_state(|state| plies(state) == 0).await;
    assert_eq!((&back["human_to_act"], &back["can_redo"]), (&json!(true), &json!(true)));
    assert_eq!(back["paused"], false);
    player.send(json!({"type": "redo"})).await;
    let again = player.until_state(|state| plies(state) == 2).await;
    assert_eq!(again["history"], answered["history"]);
    assert!(again["version"].as_u64() > answered["version"].as_u64());
    // What was taken back survives a restart.
    player.send(json!({"type": "undo"})).await;
    player.until_state(|state| plies(state) == 0).await;
    let server = start_in(server.stop().await).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    player.send(json!({"type": "redo"})).await;
    let again = player.until_state(|state| plies(state) == 2).await;
    // All but what the agent thought, which is kept in memory only.
    let mut kept = answered["history"].clone();
    kept[1]["explained"] = false.into();
    assert_eq!(again["history"], kept);
    // Another action leaves nothing to play again.
    player.send(json!({"type": "undo"})).await;
    player.until_state(|state| plies(state) == 0).await;
    player.play("d3").await;
    let other = player.my_turn().await;
    assert_eq!(other["can_redo"], false);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_makes_the_agent_play_the_best_it_has_found() {
    let (server, mut player, _) = othello("mcts:ms=60000").await;
    player.play("f5").await;
    let thought = player.until(|answer| answer["type"] == "thought").await;
    assert_eq!(thought["seat"], 1);
    assert_eq!(player.state["thinking"], true);
    player.send(json!({"type": "stop"})).await;
    let answered = player.until_state(|state| plies(state) == 2).await;
    assert_eq!(answered["thinking"], false);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn undo_ends_the_agents_thinking() {
    let (server, mut player, _) = othello("mcts:ms=60000").await;
    player.play("f5").await;
    player.until_state(|state| state["thinking"] == true).await;
    player.send(json!({"type": "undo"})).await;
    let back = player.until_state(|state| plies(state) == 0).await;
    assert_eq!((&back["thinking"], &back["human_to_act"]), (&json!(false), &json!(true)));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn advice_is_a_legal_action_in_words() {
    for (game, rules) in [("othello", ""), ("conquest", ""), ("lords-of-war", "table")] {
        let server = start().await;
        let mut asked = against(game, "random");
        asked["rules"] = rules.into();
        let id = server.create(asked).await;
        let mut player = server.join(&id).await;
        let state = player.my_turn().await;
        player.send(json!({"type": "hint"})).await;
        let hint = player.until(|answer| answer["type"] == "hint").await;
        let choices = state["scene"]["choices"].as_array().unwrap();
        let choice = choices.iter().find(|choice| choice["action"] == hint["action"]);
        let choice = choice.unwrap_or_else(|| panic!("{game}: {hint}"));
        assert_eq!((&choice["words"], &choice["path"]), (&hint["words"], &hint["path"]));
        assert_eq!(hint["version"], state["version"]);
        assert!(hint["reason"].as_str().unwrap().starts_with("Best of "), "{hint}");
        player.play(hint["action"].as_str().unwrap()).await;
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_resigns_has_lost_and_may_think_again() {
    let (server, mut player, id) = othello("greedy").await;
    player.send(json!({"type": "resign"})).await;
    let over = player.until_state(|state| !state["ending"].is_null()).await;
    assert_eq!(over["ending"]["winner"], 1);
    assert_eq!(over["ending"]["words"], "You lost: you resigned");
    player.send(json!({"type": "play", "action": "f5", "version": over["version"]})).await;
    let refused = player.until(|answer| answer["type"] == "refused").await;
    assert!(refused["error"].as_str().unwrap().contains("over"), "{refused}");
    let list = server.get("/api/games").await;
    assert_eq!(list["games"][0]["won"], false);
    // It stays resigned after a restart.
    let server = start_in(server.stop().await).await;
    let mut player = server.join(&id).await;
    let over = player.my_turn().await;
    assert_eq!(over["ending"]["reason"], "resigned");
    player.send(json!({"type": "undo"})).await;
    player.until_state(|state| state["ending"].is_null()).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn late_and_illegal_actions_are_refused() {
    let (server, mut player, _) = othello("greedy").await;
    player.play("f5").await;
    let state = player.until_state(|state| plies(state) == 2).await;
    for (action, version, word) in [
        ("a1", state["version"].clone(), "a1"),
        ("nonsense", state["version"].clone(), "nonsense"),
        ("d3", json!(0), "version"),
    ] {
        player.send(json!({"type": "play", "action": action, "version": version})).await;
        let refused = player.until(|answer| answer["type"] == "refused").await;
        assert!(refused["error"].as_str().unwrap().contains(word), "{refused}");
    }
    let request = json!({"type": "play", "action": "d3", "back": 1, "version": state["version"]});
    player.send(request).await;
    player.until(|answer| answer["type"] == "refused").await;
    player.send(json!({"type": "ping"})).await;
    player.until(|answer| answer["type"] == "pong").await;
    assert_eq!(plies(&player.state), 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_mind_takes_back_own_actions() {
    let server = start().await;
    let id = server.create(against("conquest", "random")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    player.play_any(0).await;
    let selected = player.my_turn().await;
    let choices = selected["scene"]["choices"].as_array().unwrap();
    let other = choices.iter().find(|choice| choice["back"].as_u64() > Some(0));
    let other = other.expect("another troop can be selected instead").clone();
    let request = json!({
        "type": "play",
        "action": other["action"],
        "back": other["back"],
        "version": selected["version"],
    });
    player.send(request).await;
    let changed =
        player.until_state(|state| state["version"].as_u64() > selected["version"].as_u64()).await;
    let history = changed["history"].as_array().unwrap();
    assert_eq!(history.last().unwrap()["action"], other["action"]);
    assert_eq!(history.len() + other["back"].as_u64().unwrap() as usize, plies(&selected) + 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_exchanges_seats_and_what_they_bring() {
    let server = start().await;
    let mut asked = against("lords-of-war", "random");
    asked["setups"] = json!(["elves", "undead"]);
    asked["clock"] = json!({"total_seconds": 300, "increment_seconds": 2});
    let id = server.create(asked).await;
    let before = server.get(&format!("/api/games/{id}")).await;
    let path = format!("/api/games/{id}/rematch");
    let (status, after) = server.ask(Method::POST, &path, None).await;
    assert_eq!(status, StatusCode::CREATED, "{after}");
    assert_ne!(after["id"], before["id"]);
    assert_eq!(after["seats"][0]["player"], before["seats"][1]["player"]);
    assert_eq!(after["rules"], before["rules"]);
    assert_eq!(after["clock"]["left_ms"], json!([300_000, 300_000]));
    let army = |state: &Value, seat: usize| state["scene"]["detail"]["sides"][seat]["army"].clone();
    assert_eq!(army(&after, 0), army(&before, 1));
    assert_eq!(army(&after, 1), army(&before, 0));
    assert!(army(&after, 0) != army(&after, 1));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whose_time_is_up_has_lost() {
    let server = start().await;
    let mut asked = against("othello", "greedy");
    asked["clock"] = json!({"total_seconds": 1, "increment_seconds": 0});
    let id = server.create(asked).await;
    let mut player = server.join(&id).await;
    let first = player.my_turn().await;
    assert_eq!(first["clock"]["running"], 0);
    let over = player.until_state(|state| !state["ending"].is_null()).await;
    assert_eq!((&over["ending"]["winner"], &over["ending"]["reason"]), (&json!(1), &json!("time")));
    assert_eq!((&over["clock"]["left_ms"][0], &over["can_undo"]), (&json!(0), &json!(false)));
    let server = start_in(server.stop().await).await;
    let kept = server.get(&format!("/api/games/{id}")).await;
    assert_eq!((&kept["ending"], &kept["version"]), (&over["ending"], &over["version"]));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_does_not_lose_on_time() {
    let server = start().await;
    let mut asked = against("othello", "mcts:ms=60000");
    asked["clock"] = json!({"total_seconds": 3, "increment_seconds": 0});
    let id = server.create(asked).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    player.play("f5").await;
    let state = player.until_state(|state| plies(state) == 2).await;
    let left = state["clock"]["left_ms"][1].as_u64().unwrap();
    assert!(left > 1500, "it keeps most of its time for later: {left} ms");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pause_between_watched_actions_costs_agents_no_time() {
    let server = start().await;
    let greedy = json!({"kind": "agent", "spec": "greedy"});
    let asked = json!({"game": "othello", "seats": [greedy, greedy],
                       "clock": {"total_seconds": 2, "increment_seconds": 0}});
    let id = server.create(asked).await;
    let mut watcher = server.join(&id).await;
    let later = watcher.until_state(|state| plies(state) == 8).await;
    // Eight pauses are longer than the whole clock.
    for left in later["clock"]["left_ms"].as_array().unwrap() {
        assert!(left.as_u64().unwrap() > 1_500, "{left} ms");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_at_a_game_sees_every_change() {
    let (server, mut player, id) = othello("greedy").await;
    let mut other = server.join(&id).await;
    other.my_turn().await;
    player.play("f5").await;
    let seen = other.until_state(|state| plies(state) == 2).await;
    let mine = player.until_state(|state| plies(state) == 2).await;
    assert_eq!((&seen["history"], &seen["scene"]), (&mine["history"], &mine["scene"]));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_is_told_only_when_the_game_is_over() {
    let server = start().await;
    let mut asked = against("lords-of-war", "random");
    asked["rules"] = "table".into();
    let id = server.create(asked).await;
    let mut player = server.join(&id).await;
    let state = player.my_turn().await;
    assert_eq!(state["eyes"], 0);
    assert!(state["position"].is_null());
    let hidden = |state: &Value| state["scene"]["detail"]["sides"][1]["hidden"].clone();
    assert!(hidden(&state).as_u64() > Some(0));
    let path = format!("/api/games/{id}/record");
    let (status, problem) = server.ask(Method::GET, &path, None).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
    player.send(json!({"type": "resign"})).await;
    let over = player.until_state(|state| !state["ending"].is_null()).await;
    assert!(over["position"].is_string() && over["eyes"].is_null());
    assert_eq!(hidden(&over), 0);
    // What was seen cannot be unseen: the game is not taken up again.
    assert_eq!(over["can_undo"], false);
    player.send(json!({"type": "undo"})).await;
    player.until(|answer| answer["type"] == "refused").await;
    server.get(&path).await;
    server.stop().await;
}
