//! The interface over HTTP is what its description says.

use crate::common::{Running, against, start, start_in};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

/// What is wrong with a value by a schema of the description; nothing if it fits.
fn misfit(root: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    fault(root, schema, value, place, Fields::All)
}

/// Whether a schema describes all fields of an object, or only some of them.
#[derive(Clone, Copy, PartialEq)]
enum Fields {
    All,
    Some,
}

fn fault(
    root: &Value,
    schema: &Value,
    value: &Value,
    place: &str,
    which: Fields,
) -> Option<String> {
    let misfit = |root, schema, value, place: &str| fault(root, schema, value, place, which);
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.trim_start_matches('#');
        let target = root.pointer(pointer).unwrap_or_else(|| panic!("{name} is described"));
        return misfit(root, target, value, place);
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(options) = schema[key].as_array() {
            let faults: Vec<String> =
                options.iter().filter_map(|option| misfit(root, option, value, place)).collect();
            return (faults.len() == options.len())
                .then(|| format!("{place} fits none of: {}", faults.join(" | ")));
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return parts.iter().find_map(|part| fault(root, part, value, place, Fields::Some));
    }
    if let Some(words) = schema["enum"].as_array() {
        return (!words.contains(value)).then(|| format!("{place}: {value} is none of {words:?}"));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = kinds.contains(&kind) || kind == "integer" && kinds.contains(&"number");
    if !fits {
        return Some(format!("{place}: {kind} where {kinds:?} is described"));
    }
    if let Value::Array(items) = value {
        return items.iter().enumerate().find_map(|(index, item)| {
            fault(root, &schema["items"], item, &format!("{place}[{index}]"), Fields::All)
        });
    }
    let Value::Object(fields) = value else { return None };
    let described = schema["properties"].as_object();
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            return Some(format!("{place}: {name} is missing"));
        }
    }
    fields.iter().find_map(|(name, field)| {
        let schema = described.and_then(|described| described.get(name));
        match schema {
            Some(schema) => fault(root, schema, field, &format!("{place}.{name}"), Fields::All),
            None if which == Fields::Some => None,
            None => Some(format!("{place}: {name} is not described")),
        }
    })
}

/// Asks, and checks that status and body are described.
async fn ask(
    server: &Running,
    root: &Value,
    (method, path, template): (Method, &str, &str),
    body: Option<Value>,
) -> (StatusCode, Value) {
    let (status, value) = server.ask(method.clone(), path, body).await;
    let word = method.as_str().to_lowercase();
    let described = &root["paths"][template][&word]["responses"][status.as_str()];
    assert!(described.is_object(), "{method} {template} does not describe {status}: {value}");
    let schema = &described["content"]["application/json"]["schema"];
    if schema.is_object() && schema["type"] != "string" {
        let fault = misfit(root, schema, &value, template);
        assert_eq!(fault, None, "{method} {path}");
    }
    (status, value)
}

fn description() -> Value {
    serde_json::from_str(&server::openapi(&standard::registry())).expect("JSON")
}

/// What the limits on connections and bodies answer before a request is read.
#[test]
fn answers_of_the_limits_are_described_everywhere() {
    let root = description();
    let paths = root["paths"].as_object().expect("an object");
    let operations = paths.values().flat_map(|path| path.as_object().expect("an object").values());
    let (mut all, mut with_body) = (0, 0);
    for operation in operations.filter(|operation| operation["responses"].is_object()) {
        let said = |status: &str| operation["responses"][status]["description"].to_string();
        assert!(said("503").contains("limit of connections"), "{operation}");
        let body = operation["requestBody"].is_object();
        assert_eq!(said("408").contains("did not arrive in time"), body, "{operation}");
        all += 1;
        with_body += usize::from(body);
    }
    assert!(all > 30 && with_body > 5, "{all} {with_body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_answers_as_described() {
    let server = start().await;
    let root = &description();
    let get = |path| (Method::GET, path, path);
    for path in ["/api/health", "/api/catalog", "/api/openapi.json", "/api/loadouts"] {
        assert_eq!(ask(&server, root, get(path), None).await.0, 200);
    }
    let games = "/api/games";
    for game in ["othello", "conquest", "lords-of-war", "tic-tac-toe"] {
        let asked = Some(against(game, "random"));
        let (status, made) = ask(&server, root, (Method::POST, games, games), asked).await;
        assert_eq!(status, 201);
        let id = made["id"].as_str().unwrap();
        let path = format!("/api/games/{id}");
        let one = "/api/games/{id}";
        assert_eq!(ask(&server, root, (Method::GET, &path, one), None).await.0, 200);
        let record = (&*format!("{path}/record"), "/api/games/{id}/record");
        let (status, text) = ask(&server, root, (Method::GET, record.0, record.1), None).await;
        assert_eq!(status, 200);
        let import = (Method::POST, "/api/import", "/api/import");
        let text = Some(json!({"text": text.to_string()}));
        assert_eq!(ask(&server, root, import, text).await.0, 200);
        let rematch = (&*format!("{path}/rematch"), "/api/games/{id}/rematch");
        assert_eq!(ask(&server, root, (Method::POST, rematch.0, rematch.1), None).await.0, 201);
        assert_eq!(ask(&server, root, (Method::DELETE, &path, one), None).await.0, 204);
        assert_eq!(ask(&server, root, (Method::DELETE, &path, one), None).await.0, 404);
        assert_eq!(ask(&server, root, (Method::GET, record.0, record.1), None).await.0, 404);
        let play = (&*format!("{path}/play"), "/api/games/{id}/play");
        assert_eq!(ask(&server, root, (Method::GET, play.0, play.1), None).await.0, 400);
    }
    assert_eq!(ask(&server, root, (Method::GET, games, games), None).await.1["total"], 4);
    let wrong = "/api/games?limit=many";
    assert_eq!(ask(&server, root, (Method::GET, wrong, games), None).await.0, 400);
    let loadout = json!({"name": "mine", "text": "3C,2S+Charge"});
    for (path, expected) in [("/api/loadouts/check", 200), ("/api/loadouts", 201)] {
        let post = (Method::POST, path, path);
        assert_eq!(ask(&server, root, post.clone(), Some(loadout.clone())).await.0, expected);
        let wrong = json!({"name": "mine", "text": "?"});
        assert_eq!(ask(&server, root, post, Some(wrong)).await.0, 400);
    }
    let kept = ask(&server, root, get("/api/loadouts"), None).await.1;
    assert_eq!(kept["loadouts"][0]["name"], "mine");
    for expected in [204, 404] {
        let delete = (Method::DELETE, "/api/loadouts/mine", "/api/loadouts/{name}");
        assert_eq!(ask(&server, root, delete, None).await.0, expected);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_over_the_socket_are_as_described() {
    let server = start().await;
    let root = &description();
    let schema = &root["components"]["schemas"]["Answer"];
    let id = server.create(against("othello", "mcts:ms=60000")).await;
    let mut player = server.join(&id).await;
    let mut heard = std::collections::BTreeSet::new();
    let mut hear = async |player: &mut crate::common::Player, kind: &str| {
        loop {
            let answer = player.hear().await;
            assert_eq!(misfit(root, schema, &answer, "answer"), None);
            heard.insert(answer["type"].as_str().unwrap().to_owned());
            if answer["type"] == kind {
                return answer;
            }
        }
    };
    let state = hear(&mut player, "state").await;
    for (request, kind) in [
        (json!({"type": "ping"}), "pong"),
        (json!({"type": "hint"}), "hint"),
        (json!({"type": "redo"}), "refused"),
        (json!({"type": "play", "action": "f5", "version": state["version"]}), "thought"),
    ] {
        player.send(request).await;
        hear(&mut player, kind).await;
    }
    server.ask(Method::DELETE, &format!("/api/games/{id}"), None).await;
    hear(&mut player, "goodbye").await;
    assert_eq!(heard.len(), 6, "{heard:?}");
    server.stop().await;
}

fn parameters(operation: &Value) -> impl Iterator<Item = &Value> {
    operation["parameters"].as_array().into_iter().flatten()
}

/// The router is asked for every path and method of the description, and for methods that are not
/// in it: so both know the same routes.
#[tokio::test(flavor = "multi_thread")]
async fn the_description_lists_the_routes_and_no_others() {
    let server = start().await;
    let root = description();
    let paths = root["paths"].as_object().unwrap();
    for (template, operations) in paths {
        for parameter in operations.as_object().unwrap().values().flat_map(parameters) {
            let (name, place) = (&parameter["name"], parameter["in"].as_str().unwrap());
            let named = template.contains(&format!("{{{}}}", name.as_str().unwrap()));
            assert_eq!(place == "path", named, "{template}: {name} is said to be in the {place}");
        }
        let path = template.replace("{id}", "none").replace("{name}", "none").replace("{ply}", "0");
        for method in [Method::GET, Method::POST, Method::DELETE, Method::PUT, Method::PATCH] {
            let described = operations.get(method.as_str().to_lowercase()).is_some();
            let (status, answer) = server.ask(method.clone(), &path, None).await;
            let known = status != StatusCode::METHOD_NOT_ALLOWED;
            assert_eq!(known, described, "{method} {template}: {answer}");
        }
    }
    let operations = paths.values().filter_map(Value::as_object).flat_map(|them| them.values());
    let mut names: Vec<&str> = operations.map(|it| it["operationId"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert!(names.is_sorted_by(|one, next| one < next), "names of operations repeat: {names:?}");
    // A route beside those that describe themselves.
    for source in [include_str!("../../src/app.rs"), include_str!("../../src/openapi.rs")] {
        assert!(!source.contains(".route("));
    }
    for path in ["/api", "/api/", "/api/nothing", "/api/games/x/y", "/api/games/"] {
        let (status, answer) = server.ask(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer["error"].is_string(), "{path}: {answer}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_games_are_refused_with_a_reason() {
    let server = start().await;
    let person = json!({"kind": "human"});
    let seats = json!([person, {"kind": "agent", "spec": "random"}]);
    let cases = [
        (json!({"game": "chess", "seats": seats}), "chess"),
        (json!({"game": "othello", "seats": [person]}), "length"),
        (json!({"game": "othello", "seats": seats, "rules": "odd"}), "odd"),
        (json!({"game": "othello", "seats": seats, "position": "XO"}), "64 squares"),
        (json!({"game": "othello", "seats": seats, "extra": 1}), "extra"),
        (json!({"game": "othello", "seats": [person, {"kind": "level", "number": 99}]}), "99"),
        (
            json!({"game": "othello", "seats": [person, {"kind": "agent", "spec": "exec:sh"}]}),
            "exec",
        ),
        (
            json!({"game": "othello",
                   "seats": [person, {"kind": "agent", "spec": " ".repeat(600) + "random"}]}),
            "at most 500",
        ),
        (
            json!({"game": "othello", "seats": [person, {"kind": "human", "name": "x".repeat(41)}]}),
            "40",
        ),
        (json!({"game": "othello", "seats": seats, "record": "{}"}), "record"),
        (
            json!({"game": "othello", "seats": seats,
                   "clock": {"total_seconds": 0, "increment_seconds": 1}}),
            "clock",
        ),
        (json!({"game": "conquest", "seats": seats, "setups": ["99C", ""]}), "99C"),
        (
            json!({"game": "conquest", "seats": seats, "setups": ["/etc/passwd.toml", ""]}),
            "no files",
        ),
    ];
    for (body, word) in cases {
        let (status, problem) = server.post("/api/games", body.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}: {problem}");
        let error = problem["error"].as_str().unwrap();
        assert!(error.contains(word), "{body}: {error}");
    }
    let id = server.create(against("othello", "random")).await;
    let mut record = server.get(&format!("/api/games/{id}/record")).await;
    record["actions"] = vec!["f5"; 5001].into();
    let endless = json!({"game": "othello", "seats": seats, "record": record.to_string()});
    let (status, problem) = server.post("/api/games", endless).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(problem["error"].as_str().unwrap().contains("at most 5000"), "{problem}");
    let words = "%20word".repeat(21);
    let (status, problem) =
        server.ask(Method::GET, &format!("/api/games?search={words}"), None).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
    let long = json!({"game": "othello", "seats": seats, "record": "x".repeat(1_100_000)});
    let (status, problem) = server.post("/api/games", long).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(problem["error"].is_string());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_are_no_text_are_refused_like_other_bad_input() {
    let server = start().await;
    let get = [
        "games/%ff",
        "games/%ff/record",
        "games/%ff/play",
        "games/%ff/scene",
        "games/%ff/lenses",
        "games/%ff/lens?kind=x",
        "games/%ff/analysis",
        "games/%ff/analysis/last",
        "games/x/explanations/%ff",
        "studies/%ff",
        "studies/%ff/tree",
        "studies/%ff/tree.json",
        "runs/%ff",
        "runs/%ff/events",
        "runs/%ff/report",
        "runs/%ff/games",
    ];
    let post = ["games/%ff/rematch", "runs/%ff/stop", "runs/%ff/resume", "runs/x/games/%ff"];
    let delete = ["games/%ff", "loadouts/%ff", "studies/%ff"];
    let asked = get.map(|path| (Method::GET, path)).into_iter();
    let asked = asked.chain(post.map(|path| (Method::POST, path)));
    for (method, path) in asked.chain(delete.map(|path| (Method::DELETE, path))) {
        let path = format!("/api/{path}");
        let (status, problem) = server.ask(method.clone(), &path, None).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{method} {path}: {problem}");
        let error = problem["error"].as_str().unwrap_or_else(|| panic!("{method} {path}"));
        let named = error.contains("%ff") && error.contains("expected UTF-8 text");
        assert!(named, "{method} {path}: {error}");
    }
    let (status, problem) = server.ask(Method::POST, "/api/runs/x/games/-1", None).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(problem["error"], "'/api/runs/x/games/-1': expected a whole number, found '-1'");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_of_other_programs_become_games() {
    let server = start().await;
    let import = async |body: Value| server.post("/api/import", body).await;
    let (status, read) = import(json!({"text": "F5D6 C3D3C4"})).await;
    assert_eq!(
        (status, &read["format"], &read["plies"]),
        (StatusCode::OK, &json!("transcript"), &json!(5))
    );
    let mut asked = against("othello", "random");
    asked["record"] = read["record"].clone();
    asked.as_object_mut().unwrap().remove("seed");
    let id = server.create(asked).await;
    let state = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(state["history"].as_array().unwrap().len(), 5);
    let text = async |format: &str| {
        let uri = format!("/api/games/{id}/record?format={format}");
        let request = Request::builder().uri(uri).header("host", &server.address);
        let answer = server.router.clone().oneshot(request.body(Body::empty()).unwrap()).await;
        let bytes = answer.unwrap().into_body().collect().await.unwrap().to_bytes();
        String::from_utf8(bytes.to_vec()).unwrap()
    };
    assert_eq!(text("transcript").await, "f5d6c3d3c4");
    // Refused for its length before it is replayed, where its actions would be refused anyway.
    let mut endless: Value = serde_json::from_str(read["record"].as_str().unwrap()).unwrap();
    endless["actions"] = vec!["f5"; 5_001].into();
    let (status, problem) = import(json!({"text": endless.to_string()})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(problem["error"], "a record of 5001 actions: expected at most 5000");
    let (_, read) = import(json!({"text": text("ggf").await})).await;
    assert_eq!((&read["format"], &read["plies"]), (&json!("ggf"), &json!(5)));
    let position = state["position"].as_str().unwrap();
    let (_, read) = import(json!({"game": "othello", "text": position})).await;
    assert_eq!((&read["format"], &read["plies"]), (&json!("position"), &json!(0)));
    for (text, word) in [("f5f5", "f5"), ("", "empty"), ("{}", "record"), ("hello", "")] {
        let (status, problem) = import(json!({"text": text})).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{text}: {problem}");
        assert!(problem["error"].as_str().unwrap().contains(word), "{text}: {problem}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_served_with_its_headers() {
    let server = start().await;
    let page = async |path: &str, host: &str| {
        let request = Request::builder().uri(path).header("host", host);
        let request = request.header("accept-encoding", "gzip, br");
        server.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    };
    for path in ["/", "/game/abc", "/anything"] {
        let answer = page(path, &server.address).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let headers = answer.headers();
        assert_eq!(headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(headers[header::REFERRER_POLICY], "no-referrer");
        assert_eq!(headers[header::CONTENT_ENCODING], "gzip");
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("default-src 'self'"), "{policy}");
    }
    assert_eq!(page("/missing.js", &server.address).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(page("/", "evil.example").await.status(), StatusCode::FORBIDDEN);
    server.stop().await;
}

/// A game that nobody has acted in makes room for the next; one that somebody has stays.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_nobody_acted_in_is_replaced() {
    let server = start().await;
    let asked = |replaces: &str| {
        let mut asked = against("othello", "greedy");
        asked["replaces"] = replaces.into();
        asked
    };
    let ids = async || {
        let list = server.get("/api/games").await;
        let id = |game: &Value| game["id"].as_str().unwrap().to_owned();
        list["games"].as_array().unwrap().iter().map(id).collect::<Vec<String>>()
    };
    let first = server.create(against("othello", "greedy")).await;
    let mut watcher = server.join(&first).await;
    watcher.my_turn().await;
    let second = server.create(asked(&first)).await;
    assert_eq!(ids().await.len(), 2, "somebody looks at the first");
    let third = server.create(asked(&second)).await;
    assert!(!ids().await.contains(&second));
    let mut player = server.join(&third).await;
    player.my_turn().await;
    player.play("f5").await;
    drop(player);
    let fourth = server.create(asked(&third)).await;
    assert!(ids().await.contains(&third), "somebody acted in it");
    // What is gone already is no reason to refuse another game.
    server.create(asked(&second)).await;
    assert!(ids().await.contains(&fourth));
    server.stop().await;
}

/// The name of a loadout stays with the game, also when the loadout is gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_loadout_keeps_its_name() {
    let server = start().await;
    let saved = json!({"name": "Lonely", "text": "C+Charge"});
    let (status, _) = server.post("/api/loadouts", saved).await;
    assert_eq!(status, StatusCode::CREATED);
    let mut asked = against("conquest", "random");
    asked["setups"] = json!(["C+Charge", ""]);
    let names = |state: &Value| {
        [0, 1].map(|seat| state["seats"][seat]["loadout"].as_str().unwrap().to_owned())
    };
    let id = server.create(asked).await;
    server.ask(Method::DELETE, "/api/loadouts/Lonely", None).await;
    let server = start_in(server.stop().await).await;
    assert_eq!(names(&server.get(&format!("/api/games/{id}")).await), ["Lonely", "Default"]);
    let id = server.create(against("othello", "random")).await;
    assert_eq!(names(&server.get(&format!("/api/games/{id}")).await), ["", ""]);
    server.stop().await;
}
