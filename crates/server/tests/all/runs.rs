//! Experiments in the app: checked as they are written, started, followed, stopped, taken up again,
//! looked at and compared.

use crate::common::{Running, start, start_in};
use axum::http::{Method, StatusCode};
use futures_util::StreamExt;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

/// Tic-tac-toe, over in no time.
const QUICK: &str = "about = \"Who is best?\"\ngame = \"tic-tac-toe\"\nkind = \"round-robin\"\n\
                     agents = [\"random\", \"alphabeta:depth=1\", \"alphabeta:depth=9\"]\ngames = 20\n";

/// A tuning whose values are agents', too.
const TUNING: &str = "game = \"tic-tac-toe\"\nkind = \"tune\"\nagents = [\"mcts:iterations=9\"]\n\
                      opponents = [\"random\"]\ngames = 4\n[tune]\nmethod = \"uniform\"\n\
                      evaluations = 8\n[tune.space]\n\"threads\" = [1, 2]\n";

/// Othello that takes a while.
const SLOW: &str = "game = \"othello\"\nkind = \"match\"\n\
                    agents = [\"uct:iterations=300\", \"uct:iterations=100\"]\ngames = 400\n";

/// Everybody against everybody of so many.
fn crowd(players: usize) -> String {
    let agents: Vec<String> =
        (0..players).map(|at| format!("{{ name = \"{at}\", spec = \"random\" }}")).collect();
    format!(
        "about = \"\"\ngame = \"tic-tac-toe\"\nkind = \"round-robin\"\nagents = [{}]\ngames = 2\n",
        agents.join(", ")
    )
}

fn asked(name: &str, text: &str) -> Value {
    json!({"name": name, "text": text})
}

async fn started(server: &Running, name: &str, text: &str) -> String {
    let (status, card) = server.post("/api/runs", asked(name, text)).await;
    assert_eq!(status, StatusCode::CREATED, "{card}");
    card["id"].as_str().unwrap().to_owned()
}

/// The news of a run until `enough`.
async fn news(server: &Running, id: &str, enough: impl Fn(&Value) -> bool) -> Vec<Value> {
    let request = axum::http::Request::get(format!("/api/runs/{id}/events"))
        .header("host", "localhost")
        .body(axum::body::Body::empty())
        .unwrap();
    let response = server.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut stream = response.into_body().into_data_stream();
    let (mut heard, mut text) = (Vec::new(), String::new());
    while let Some(part) = stream.next().await {
        text.push_str(std::str::from_utf8(&part.unwrap()).unwrap());
        while let Some((event, rest)) = text.split_once("\n\n") {
            let data = event.lines().find_map(|line| line.strip_prefix("data: "));
            if let Some(data) = data {
                heard.push(serde_json::from_str::<Value>(data).unwrap());
            }
            text = rest.to_owned();
        }
        if heard.last().is_some_and(&enough) {
            break;
        }
    }
    heard
}

fn ended(event: &Value) -> bool {
    event["type"] == "ended"
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_checked_as_it_is_written() {
    let server = start().await;
    let check = async |name: &str, text: &str| -> Value {
        let (status, check) = server.post("/api/experiments/check", asked(name, text)).await;
        assert_eq!(status, StatusCode::OK, "{check}");
        check
    };
    let fine = check("mine", QUICK).await;
    assert!(fine["problem"].is_null());
    let plan = &fine["plan"];
    assert_eq!((&plan["pairings"], &plan["games"]), (&json!(3), &json!(60)));
    assert_eq!((&plan["kind"], &plan["repeatable"]), (&json!("round-robin"), &json!(true)));
    assert_eq!((&plan["run"], &plan["played"]), (&Value::Null, &json!(0)));
    for (name, text, line, word) in [
        ("mine", QUICK.replace("depth=9", "depth=x"), json!(4), "depth"),
        ("mine", QUICK.replace("tic-tac-toe", "chess"), json!(2), "chess"),
        ("mine", "game = ".to_owned(), json!(1), ""),
        ("mine", QUICK.replace("games = 20", ""), Value::Null, "games"),
        ("mine", QUICK.replace("random", "exec:rm -rf x"), Value::Null, "starts no programs"),
        ("mine", QUICK.replace("random", "mine.toml"), json!(4), "reads no files"),
        ("mine", QUICK.replace("games = 20", "games = 10000000"), Value::Null, "at most 1000000"),
        ("mine", crowd(120), Value::Null, "at most 5000"),
        ("mine", crowd(320), json!(4), "expected at most 50000"),
        ("mine", crowd(1_001), json!(4), "expected at most 1000"),
        ("mine", TUNING.replace("[1, 2]", "[1, 200]"), Value::Null, "threads=200 is too much"),
        ("../x", QUICK.to_owned(), Value::Null, "letters, digits"),
        ("", QUICK.to_owned(), Value::Null, "letters, digits"),
    ] {
        let found = check(name, &text).await;
        let problem = &found["problem"];
        assert!(problem["error"].as_str().unwrap().contains(word), "{problem}");
        assert_eq!((&problem["line"], &found["plan"]), (&line, &Value::Null), "{text}");
        let (status, _) = server.post("/api/runs", asked(name, &text)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "what is wrong is not started");
    }
    let scaled = json!({"name": "mine", "text": QUICK, "scale": 0.1});
    let (_, scaled) = server.post("/api/experiments/check", scaled).await;
    assert_eq!(scaled["plan"]["games"], 6);
    let wrong = json!({"name": "mine", "text": QUICK, "scale": 2});
    let (_, wrong) = server.post("/api/experiments/check", wrong).await;
    assert!(wrong["problem"]["error"].as_str().unwrap().contains("scale 2"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_can_be_started() {
    let server = start().await;
    let list = server.get("/api/experiments").await;
    let list = list["experiments"].as_array().unwrap();
    assert!(list.len() >= 15, "{}", list.len());
    for card in list {
        let (name, text) = (card["name"].as_str().unwrap(), card["text"].as_str().unwrap());
        let (_, check) = server.post("/api/experiments/check", asked(name, text)).await;
        assert_eq!(check["plan"]["games"], card["games"], "{name}: {check}");
        assert!(!card["about"].as_str().unwrap().is_empty(), "{name}");
    }
    assert!(list.iter().any(|card| card["name"] == "smoke"));
    assert!(!list.iter().any(|card| card["text"].as_str().unwrap().contains("exec:")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_a_run_failed_is_told_until_it_is_resumed() {
    let server = start().await;
    let database = rusqlite::Connection::open(server.folder.path().join("app.sqlite")).unwrap();
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON games WHEN NEW.number > 2
                  BEGIN SELECT RAISE(ABORT, 'no room'); END";
    database.execute_batch(refuse).unwrap();
    let id = started(&server, "mine", QUICK).await;
    let heard = news(&server, &id, ended).await;
    let path = format!("/api/runs/{id}");
    for card in [&heard.last().unwrap()["card"], &server.get(&path).await["card"]] {
        assert_eq!(card["state"], "interrupted");
        assert!(card["failed"].as_str().unwrap().contains("no room"), "{card}");
    }
    database.execute_batch("DROP TRIGGER refuse").unwrap();
    let (status, card) = server.post(&format!("{path}/resume"), json!({})).await;
    assert_eq!((status, &card["failed"]), (StatusCode::OK, &Value::Null), "{card}");
    news(&server, &id, ended).await;
    let card = &server.get(&path).await["card"];
    assert_eq!((&card["state"], &card["failed"]), (&json!("finished"), &Value::Null));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_played_and_tells_everything() {
    let server = start().await;
    let id = started(&server, "who-is-best", QUICK).await;
    let heard = news(&server, &id, ended).await;
    let last = heard.last().unwrap();
    assert_eq!(
        (&last["card"]["state"], &last["card"]["failed"]),
        (&json!("finished"), &Value::Null)
    );
    assert_eq!(heard[0]["type"], "progress");
    let detail = server.get(&format!("/api/runs/{id}")).await;
    assert_eq!(detail["card"]["played"], 60);
    assert_eq!(detail["card"]["about"], "Who is best?");
    assert_eq!(detail["standings"][0]["name"], "alphabeta:depth=9");
    assert!(detail["standings"][0]["elo"]["value"].as_f64() > Some(0.0));
    let findings = &detail["findings"];
    let sentence = findings["sentences"][1].as_str().unwrap();
    assert!(sentence.starts_with("**alphabeta:depth=9** is rated highest"), "{findings}");
    for table in findings["tables"].as_array().unwrap() {
        let columns = table["head"].as_array().unwrap().len();
        let rows = table["rows"].as_array().unwrap();
        assert!(
            !rows.is_empty() && rows.iter().all(|row| row.as_array().unwrap().len() == columns)
        );
    }
    let pairing = &detail["pairings"][2];
    let sum = ["won", "drawn", "lost"].iter().map(|key| pairing[key].as_u64().unwrap());
    assert_eq!(sum.sum::<u64>(), pairing["games"].as_u64().unwrap());
    // Its games, those of one pairing, and one of them to look at.
    let games = server.get(&format!("/api/runs/{id}/games?limit=7&offset=2")).await;
    assert_eq!((games["total"].as_u64(), games["games"].as_array().unwrap().len()), (Some(60), 7));
    let games = server.get(&format!("/api/runs/{id}/games?cell=1")).await;
    assert_eq!(games["total"], 20);
    let game = &games["games"][1];
    assert_eq!(game["players"], json!(["alphabeta:depth=9", "random"]));
    let path = format!("/api/runs/{id}/games/{}", game["number"]);
    let (status, opened) = server.post(&path, Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{opened}");
    let shown = server.get(&format!("/api/games/{}", opened["id"].as_str().unwrap())).await;
    assert_eq!(shown["history"].as_array().unwrap().len() as u64, game["actions"]);
    assert_eq!(shown["ending"]["winner"], game["winner"]);
    assert_eq!(shown["seats"][0]["name"], "alphabeta:depth=9");
    let (_, again) = server.post(&path, Value::Null).await;
    assert_eq!(again, opened, "the same game every time");
    // Whatever somebody did there meanwhile.
    let mut visitor = server.join(opened["id"].as_str().unwrap()).await;
    visitor.send(json!({"type": "undo"})).await;
    let plies = |state: &Value| state["history"].as_array().unwrap().len();
    visitor.until_state(|state| plies(state) + 1 == plies(&shown)).await;
    let (_, fresh) = server.post(&path, Value::Null).await;
    assert_ne!(fresh["id"], opened["id"], "what somebody made of it stays theirs");
    let again = server.get(&format!("/api/games/{}", fresh["id"].as_str().unwrap())).await;
    assert_eq!(again["history"], shown["history"]);
    let theirs = server.get(&format!("/api/games/{}", opened["id"].as_str().unwrap())).await;
    assert_eq!(plies(&theirs) + 1, plies(&shown));
    assert_eq!(server.post(&path, Value::Null).await.1, fresh, "and no more copies are made");
    for path in ["/api/runs/none", "/api/runs/none/games", "/api/runs/none/events"] {
        let (status, problem) = server.ask(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    }
    let (status, _) = server.post(&format!("/api/runs/{id}/games/999"), Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_a_page_of_its_own() {
    let server = start().await;
    let id = started(&server, "who-is-best", QUICK).await;
    news(&server, &id, ended).await;
    let request = axum::http::Request::get(format!("/api/runs/{id}/report"))
        .header("host", "localhost")
        .body(axum::body::Body::empty())
        .unwrap();
    let response = server.router.clone().oneshot(request).await.unwrap();
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"));
    let page = response.into_body().collect().await.unwrap().to_bytes();
    let page = std::str::from_utf8(&page).unwrap();
    assert!(page.contains("Who is best?") && page.contains("alphabeta:depth=9"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_stopped_taken_up_and_survives_a_restart() {
    let server = start().await;
    let id = started(&server, "slow", SLOW).await;
    news(&server, &id, |event| event["card"]["played"].as_u64() >= Some(2)).await;
    let (status, busy) = server.post("/api/runs", asked("other", QUICK)).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(busy["error"].as_str().unwrap().contains("is being played"), "{busy}");
    let (status, stopped) = server.post(&format!("/api/runs/{id}/stop"), Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{stopped}");
    assert_eq!((&stopped["state"], &stopped["resumable"]), (&json!("interrupted"), &json!(true)));
    let played = stopped["played"].as_u64().unwrap();
    assert!((2..400).contains(&played));
    let (status, _) = server.post(&format!("/api/runs/{id}/stop"), Value::Null).await;
    assert_eq!(status, StatusCode::CONFLICT, "it is not played any more");
    // The same text goes on with the same run; so does `resume`.
    let (_, check) = server.post("/api/experiments/check", asked("slow", SLOW)).await;
    assert_eq!((&check["plan"]["run"], &check["plan"]["played"]), (&json!(id), &json!(played)));
    let (status, resumed) = server.post(&format!("/api/runs/{id}/resume"), Value::Null).await;
    assert_eq!((status, &resumed["here"]), (StatusCode::OK, &json!(true)), "{resumed}");
    news(&server, &id, |event| event["card"]["played"].as_u64() > Some(played)).await;
    // The end of the server ends the run politely.
    let server = start_in(server.stop().await).await;
    let list = server.get("/api/runs").await;
    let card = &list["runs"][0];
    assert_eq!((&card["id"], &card["state"]), (&json!(id), &json!("interrupted")));
    assert!(card["played"].as_u64() > Some(played));
    assert_eq!(started(&server, "slow", SLOW).await, id);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_stops_a_run_does_not_wait_for_who_resumes_it() {
    let server = start().await;
    let id = started(&server, "slow", SLOW).await;
    for _ in 0..5 {
        let (stop, resume) = (format!("/api/runs/{id}/stop"), format!("/api/runs/{id}/resume"));
        let resumed = async {
            while server.post(&resume, Value::Null).await.0 != StatusCode::OK {
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        };
        let both = async { tokio::join!(server.post(&stop, Value::Null), resumed) };
        let ((status, stopped), ()) =
            tokio::time::timeout(std::time::Duration::from_secs(30), both)
                .await
                .expect("an answer");
        assert_eq!(status, StatusCode::OK, "{stopped}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_run_after_the_other_needs_no_pause() {
    let server = start().await;
    let id = started(&server, "again", QUICK).await;
    news(&server, &id, ended).await;
    let other = QUICK.replace("games = 20", "games = 2");
    news(&server, &started(&server, "other", &other).await, ended).await;
    for _ in 0..20 {
        // All of their games are there; neither need wait until the other has noted that.
        assert_eq!(started(&server, "again", QUICK).await, id);
        started(&server, "other", &other).await;
        let path = format!("/api/runs/{id}");
        assert_eq!(server.get(&path).await["card"]["state"], "finished");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_are_compared() {
    let server = start().await;
    let one = started(&server, "one", QUICK).await;
    news(&server, &one, ended).await;
    let other = QUICK.replace("games = 20", "games = 30\nseed = 2");
    let other = started(&server, "two", &other).await;
    news(&server, &other, ended).await;
    let compared = server.get(&format!("/api/compare?a={one}&b={other}")).await;
    let pairings = compared["pairings"].as_array().unwrap();
    assert_eq!((pairings.len(), &compared["unmatched"]), (3, &json!(0)));
    for pairing in pairings {
        let change = &pairing["change"];
        let expected = pairing["b"]["score"]["value"].as_f64().unwrap()
            - pairing["a"]["score"]["value"].as_f64().unwrap();
        assert!((change["value"].as_f64().unwrap() - expected).abs() < 1e-12);
        assert!(change["low"].as_f64() <= change["value"].as_f64());
        assert!((0.0..=1.0).contains(&pairing["p"].as_f64().unwrap()));
    }
    let differences = compared["differences"].to_string();
    assert!(differences.contains("games: 20 → 30") && differences.contains("seed: 1 → 2"));
    // The same players in another order, one of them another agent, under other rules.
    let changed = QUICK
        .replace("\"random\", \"alphabeta:depth=1\"", "\"alphabeta:depth=1\", \"random\"")
        .replace("\"alphabeta:depth=9\"", "{ name = \"alphabeta:depth=9\", spec = \"random\" }");
    let changed = started(&server, "three", &changed).await;
    news(&server, &changed, ended).await;
    let compared = server.get(&format!("/api/compare?a={one}&b={changed}")).await;
    assert_eq!(compared["unmatched"], 0, "{compared}");
    for pairing in compared["pairings"].as_array().unwrap() {
        let names = |side: &str| (pairing[side]["a"].clone(), pairing[side]["b"].clone());
        assert_eq!(names("a"), names("b"));
    }
    let pairing = &compared["pairings"][0];
    let swapped = &server.get(&format!("/api/runs/{changed}")).await["pairings"][0];
    assert_eq!((&swapped["a"], &swapped["won"]), (&pairing["b"]["b"], &pairing["b"]["lost"]));
    let differences = compared["differences"].to_string();
    let expected = "players.alphabeta:depth=9.agent: alphabeta:depth=9 → random";
    assert!(differences.contains(expected), "{differences}");
    // A series that ended because of its results has no p.
    let mut sequential = Vec::new();
    for seed in [1, 2] {
        let text = format!(
            "game = \"tic-tac-toe\"\nkind = \"sprt\"\nagents = [\"alphabeta:depth=9\", \"random\"]\n\
             games = 40\nseed = {seed}\n[sprt]\nelo0 = 0\nelo1 = 300\nbatch = 4\n"
        );
        let id = started(&server, "sequential", &text).await;
        news(&server, &id, ended).await;
        sequential.push(id);
    }
    let path = format!("/api/compare?a={}&b={}", sequential[0], sequential[1]);
    let pairing = &server.get(&path).await["pairings"][0];
    assert!(pairing["change"].is_object() && pairing["p"].is_null(), "{pairing}");
    let othello = started(&server, "slow", SLOW).await;
    let path = format!("/api/compare?a={one}&b={othello}");
    let (status, problem) = server.ask(Method::GET, &path, None).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(problem["error"].as_str().unwrap().contains("runs of one game"), "{problem}");
    server.stop().await;
}
