//! The agent thinks ahead while a person does.

use crate::common::{against, start};
use arena::{Seeds, WallClock};
use gamecore::StopToken;
use registry::{AgentSpec, Thinking, no_files};
use serde_json::{Value, json};

/// What an agent that has not thought before decides after these actions.
fn own_decision(spec: &str, seeds: Seeds, actions: &[&str]) -> String {
    let game = standard::registry().open("othello", "").unwrap();
    let spec = AgentSpec::parse(spec, &no_files).unwrap();
    let agent = game.resolve(&spec, &no_files).unwrap();
    let start = game.start(["", ""], Some(0), 0, false).unwrap();
    let mut session = game.open(&start, seeds).unwrap();
    actions.iter().for_each(|action| session.apply(action).unwrap());
    let number = session.add_agent(&agent, seeds.agents[1]);
    let (clock, stop) = (WallClock::new(), StopToken::default());
    let limits = Thinking::new(&clock, &stop);
    session.think(number, &limits).unwrap().explanation.choice.action
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_foreseen_is_there_at_once_and_the_agents_own() {
    let server = start().await;
    // All replies of the start are looked at: there are four.
    for (spec, reply) in [("pvs:depth=6", "d3"), ("mcts:iterations=3000", "f5")] {
        let id = server.create(against("othello", spec)).await;
        let mut player = server.join(&id).await;
        // The first state says that it thinks ahead, or that it has.
        player.my_turn().await;
        player.until_state(|state| state["pondering"] == false).await;
        player.play(reply).await;
        let mut states: Vec<Value> = vec![player.state.clone()];
        while player.state["history"].as_array().unwrap().len() < 2 {
            states.push(player.until(|answer| answer["type"] == "state").await);
        }
        assert!(states.iter().all(|state| state["thinking"] == false), "nobody had to think");
        let record = server.get(&format!("/api/games/{id}/record")).await;
        let seeds: Seeds = serde_json::from_value(record["seeds"].clone()).unwrap();
        let answer = player.state["history"][1]["action"].as_str().unwrap();
        assert_eq!(answer, own_decision(spec, seeds, &[reply]), "{spec}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thinking_ahead_makes_room_for_other_games() {
    let server = start().await;
    let mut ponderers = Vec::new();
    for _ in 0..4 {
        let id = server.create(against("othello", "mcts:ms=60000")).await;
        let mut player = server.join(&id).await;
        player.until_state(|state| state["pondering"] == true).await;
        ponderers.push(player);
    }
    let id = server.create(against("othello", "pvs:depth=2")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    player.play("f5").await;
    // Each of the four would keep a worker for minutes, longer than a test waits.
    player.until_state(|state| state["history"].as_array().unwrap().len() == 2).await;
    let waiting = &mut ponderers[0];
    waiting.send(json!({"type": "ping"})).await;
    waiting.until(|answer| answer["type"] == "pong").await;
    assert_eq!(waiting.state["human_to_act"], true);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_several_decisions_is_followed_to_its_end() {
    let server = start().await;
    let id = server.create(against("staged-nim", "pvs:depth=6")).await;
    let mut player = server.join(&id).await;
    for number in 0..40 {
        let state = player.my_turn().await;
        if !state["ending"].is_null() {
            server.stop().await;
            return;
        }
        let state = player.until_state(|state| state["pondering"] == false).await;
        if state["human_to_act"] == true {
            player.play_any(number).await;
        }
    }
    panic!("the game does not end");
}
