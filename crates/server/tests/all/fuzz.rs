//! Bodies of requests, given as anything: a reason or an answer, never a failure of the server.

use std::sync::LazyLock;

use crate::common::{Running, against, start};
use axum::body::Body;
use axum::http::Request;
use proptest::prelude::*;
use serde_json::json;
use testkit::fuzz::{Edit, cases, damaged};
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// Asking takes longer than reading alone, so fewer inputs are tried than elsewhere.
fn config() -> ProptestConfig {
    let cases = (cases() / 4).max(1);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));
static SERVER: LazyLock<Running> = LazyLock::new(|| RUNTIME.block_on(start()));

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let letters: Vec<char> = "{}[]\",:0123456789abdeknopstux=+@/- \u{0}é💥\n".chars().collect();
    prop::collection::vec((any::<u16>(), any::<u8>(), prop::sample::select(letters)), 0..6)
}

/// The status of the answer to a body.
fn post(path: &str, body: &str) -> u16 {
    let request = Request::builder().method("POST").uri(path).header("host", &SERVER.address);
    let request = request.header("content-type", "application/json");
    let request = request.body(Body::from(body.to_owned())).expect("a request");
    let answer = RUNTIME.block_on(SERVER.router.clone().oneshot(request)).expect("an answer");
    answer.status().as_u16()
}

fn bodies() -> Vec<(&'static str, String)> {
    let record = "{\\\"schema\\\":\\\"warroom-game-1\\\",\\\"game\\\":\\\"othello\\\"}";
    let mut clocked = against("conquest", "mcts:iterations=10");
    clocked["setups"] = json!(["3C,2S+Charge", "@CC/S+BattleCry"]);
    clocked["clock"] = json!({"total_seconds": 60, "increment_seconds": 1});
    vec![
        ("/api/games", against("othello", "pvs:depth=3").to_string()),
        ("/api/games", clocked.to_string()),
        ("/api/import", json!({"text": "f5d6c3d3c4", "game": "othello"}).to_string()),
        ("/api/import", json!({"text": record}).to_string()),
        ("/api/import", json!({"text": "(;GM[Othello]BO[8 ---]B[f5]W[d6];)"}).to_string()),
        ("/api/loadouts/check", json!({"text": "3C,2S+Charge", "rules": "intended"}).to_string()),
        ("/api/loadouts", json!({"name": "a", "text": "@CC/S+BattleCry"}).to_string()),
    ]
}

#[test]
fn the_bodies_as_they_are_mean_something() {
    let answers: Vec<u16> = bodies().iter().map(|(path, body)| post(path, body)).collect();
    assert_eq!(answers, [201, 201, 200, 400, 400, 200, 201]);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn damaged_bodies_are_answered(which in 0..7usize, edits in edits()) {
        let (path, body) = &bodies()[which];
        let body = damaged(body, &edits);
        let status = post(path, &body);
        prop_assert!(matches!(status, 200 | 201 | 400 | 413), "{path} {body}: {status}");
    }

    #[test]
    fn any_text_can_be_imported_or_refused(
        text in ".{0,200}",
        game in prop::sample::select(vec!["", "othello", "conquest", "lords-of-war", "chess"]),
    ) {
        let body = json!({"text": text, "game": game}).to_string();
        let status = post("/api/import", &body);
        prop_assert!(matches!(status, 200 | 400), "{body}: {status}");
    }
}
