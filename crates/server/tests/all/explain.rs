//! Agents explain themselves: in games, in studies, through lenses.

use crate::common::{Running, against, start, start_in};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

fn people(game: &str) -> Value {
    json!({"game": game, "seats": [{"kind": "human"}, {"kind": "human"}], "seed": 5})
}

/// Studies the present position of a game.
async fn study(server: &Running, game: &str, spec: &str, tree_nodes: u32) -> Value {
    let asked = json!({"game": game, "spec": spec, "tree_nodes": tree_nodes});
    let (status, study) = server.post("/api/studies", asked).await;
    assert_eq!(status, StatusCode::CREATED, "{spec}: {study}");
    study
}

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("{name} of {value}"))
}

/// What holds of every explanation.
fn check(told: &Value, values: &str) {
    let spec = &told["spec"];
    assert_eq!(told["values"], values, "{spec}");
    assert_eq!(list(told, "line")[0], told["choice"], "{spec}: the line begins with the choice");
    assert!(told["summary"].as_str().unwrap().ends_with('.'), "{spec}");
    let chances = [&told["chance"]].into_iter();
    let candidates = list(told, "candidates");
    for chance in chances.chain(candidates.iter().map(|it| &it["chance"])) {
        assert!(chance.is_null() || (0.0..=1.0).contains(&chance.as_f64().unwrap()), "{spec}");
    }
    assert_eq!(told["chance"].is_null(), values == "none", "{spec}");
    assert_eq!(told["chance_source"].is_null(), values != "own", "{spec}");
    assert_eq!(told["value_words"] == "", values == "none", "{spec}");
    assert!(values != "own" || !list(told, "terms").is_empty(), "{spec}");
    let shares: f64 = candidates.iter().map(|it| it["share"].as_f64().unwrap()).sum();
    assert!(candidates.is_empty() || (shares - 1.0).abs() < 1e-9, "{spec}: {shares}");
    if let [first, rest @ ..] = &candidates[..] {
        assert_eq!(first["step"], told["choice"], "{spec}: the choice comes first");
        let iterations = list(told, "effort").iter().any(|figure| figure["name"] == "iterations");
        let key = if iterations { "visits" } else { "value" };
        let order: Vec<Option<f64>> = rest.iter().map(|it| it[key].as_f64()).collect();
        assert!(order.is_sorted_by(|one, next| one >= next), "{spec}: {order:?}");
    }
    for step in list(told, "line") {
        assert!(!step["words"].as_str().unwrap().is_empty(), "{spec}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_family_of_agents_explains_itself() {
    let server = start().await;
    let cases: [(&str, &[(&str, &str)]); 3] = [
        (
            "othello",
            &[
                ("random", "none"),
                ("greedy", "points"),
                ("minimax:depth=2", "points"),
                ("alphabeta:depth=4", "points"),
                ("pvs:depth=4", "points"),
                ("scout:depth=3", "points"),
                ("mtdf:depth=4", "points"),
                ("uct:iterations=300", "chance"),
                ("mcts:iterations=300,rollout.end=eval,rollout.length=4", "chance"),
                ("ismcts:iterations=200", "chance"),
                ("pimc:iterations=200,worlds=4", "chance"),
                ("othello-engine:depth=3", "points"),
            ],
        ),
        (
            "lords-of-war",
            &[
                ("random", "none"),
                ("alphabeta:depth=1", "points"),
                ("uct:iterations=300,prune=h4+h6,hpl=3", "chance"),
                ("lords-of-war-best-1:iterations=300", "chance"),
                ("lords-of-war-best:nodes=300", "points"),
                ("ismcts:iterations=100", "chance"),
            ],
        ),
        (
            "conquest",
            &[
                ("random", "none"),
                ("pvs:depth=1", "points"),
                ("conquest-best-1:calls=500", "own"),
                ("conquest-best:calls=3000", "points"),
                ("random-search:calls=500", "own"),
                ("full-turn:calls=500", "own"),
                ("plain-mcts:calls=500", "own"),
                ("uct:calls=3000", "chance"),
            ],
        ),
    ];
    for (game, agents) in cases {
        let id = server.create(people(game)).await;
        let choices = server.get(&format!("/api/games/{id}")).await["scene"]["choices"].clone();
        for (spec, values) in agents {
            let study = study(&server, &id, spec, 0).await;
            let told = &study["explanation"];
            check(told, values);
            assert_eq!(study["spec"], *spec);
            assert_eq!(told["chance_source"] == "the game's own evaluation", *values == "own");
            // Searches by turns compare turns.
            let turns = told["turns"].as_array().expect("a list");
            assert_eq!(turns.len() > 1, spec.starts_with("conquest-best:"), "{spec}: {turns:?}");
            assert!(turns.first().is_none_or(|turn| turn["line"][0] == told["choice"]));
            // The words of a choice are the words of the step.
            let same = |choice: &&Value| choice["action"] == told["choice"]["action"];
            let choice = choices.as_array().unwrap().iter().find(same).expect("a legal action");
            assert_eq!(choice["words"], told["choice"]["words"], "{spec}");
            let again =
                server.get(&format!("/api/studies/{}", study["id"].as_str().unwrap())).await;
            assert_eq!(again, study);
        }
    }
    server.stop().await;
}

/// A position with five empty squares, black to move.
const NEAR_THE_END: &str = "XXXXXXX-OOOOOOOXOOXXOOOXOOXOXOOXOXOXXOOXOOXXOXOXOXXXXXO-OOOOO--- X";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_solved_is_told_in_discs() {
    let server = start().await;
    let mut asked = people("othello");
    asked["position"] = NEAR_THE_END.into();
    let id = server.create(asked).await;
    let study = study(&server, &id, "othello-engine:depth=4", 0).await;
    let told = &study["explanation"];
    check(told, "margin");
    let value = told["value"].as_f64().unwrap();
    let expected = if value > 0.0 {
        1.0
    } else if value < 0.0 {
        0.0
    } else {
        0.5
    };
    assert_eq!(told["chance"], expected);
    assert!(told["summary"].as_str().unwrap().contains("with best play"), "{told}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn explanations_stay_with_the_game_and_chances_with_the_store() {
    let server = start().await;
    let id = server.create(against("othello", "pvs:depth=4")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    // The answer was foreseen, or not: both are explained.
    for number in 0..2 {
        if number == 1 {
            player.until_state(|state| state["pondering"] == false).await;
        }
        player.play_any(0).await;
        player.my_turn().await;
        let state =
            player.until_state(|state| list(state, "history").len() == 2 * (number + 1)).await;
        let (own, answer) = (&state["history"][2 * number], &state["history"][2 * number + 1]);
        assert_eq!((&own["chance"], &own["explained"]), (&Value::Null, &json!(false)));
        assert_eq!(answer["explained"], true);
        let path = format!("/api/games/{id}/explanations/{}", 2 * number + 1);
        let told = server.get(&path).await;
        check(&told, "points");
        assert_eq!(told["choice"]["action"], answer["action"]);
        assert_eq!(told["choice"]["words"], answer["words"]);
        // The agent has seat 1; the game keeps the chance of seat 0 in thousandths.
        let both = told["chance"].as_f64().unwrap() + answer["chance"].as_f64().unwrap();
        assert!((both - 1.0).abs() <= 0.0005 + 1e-9, "{both}");
    }
    for (ply, status, word) in
        [("0", 404, "a person played it"), ("4", 404, "has 4 actions"), ("x", 400, "'x'")]
    {
        let path = format!("/api/games/{id}/explanations/{ply}");
        let (found, answer) = server.ask(Method::GET, &path, None).await;
        assert_eq!(found, status, "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(word), "{answer}");
    }
    let before = player.state["history"].clone();
    let server = start_in(server.stop().await).await;
    let state = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(state["history"][1]["chance"], before[1]["chance"]);
    assert_eq!(state["history"][1]["explained"], false);
    let path = format!("/api/games/{id}/explanations/1");
    let (status, answer) = server.ask(Method::GET, &path, None).await;
    assert_eq!(status, 404);
    assert!(answer["error"].as_str().unwrap().contains("no longer kept"), "{answer}");
    server.stop().await;
}

/// Games of earlier versions have no chances.
#[tokio::test(flavor = "multi_thread")]
async fn games_that_were_kept_without_chances_still_open() {
    let server = start().await;
    let id = server.create(against("othello", "greedy")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    player.play("f5").await;
    player.until_state(|state| list(state, "history").len() == 2).await;
    let folder = server.stop().await;
    let store = store::Store::open(&folder.path().join("app.sqlite")).unwrap();
    let mut game = store.app_game(&id).unwrap().unwrap();
    let mut body: Value = serde_json::from_str(&game.body).unwrap();
    assert!(body.as_object_mut().unwrap().remove("chances").is_some());
    game.body = body.to_string();
    store.write_app(&[store::AppWrite::Game(Box::new(game))]).unwrap();
    drop(store);
    let server = start_in(folder).await;
    let state = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(list(&state, "history").len(), 2);
    assert!(state["history"][1]["chance"].is_null());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_the_past_are_drawn() {
    let server = start().await;
    // Cards are drawn in the one, nothing happens by chance in the other.
    for game in ["lords-of-war", "othello"] {
        let id = server.create(people(game)).await;
        let mut player = server.join(&id).await;
        let mut seen = vec![player.my_turn().await["scene"].clone()];
        for number in 0..12 {
            seen.push(player.play_any(number).await["scene"].clone());
        }
        for (ply, then) in seen.iter().enumerate() {
            let scene = server.get(&format!("/api/games/{id}/scene?ply={ply}")).await;
            assert_eq!((&scene["pieces"], &scene["status"]), (&then["pieces"], &then["status"]));
            assert!(list(&scene, "choices").is_empty(), "nothing can be played there");
        }
        let path = format!("/api/games/{id}/scene?ply=13");
        let (status, problem) = server.ask(Method::GET, &path, None).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(problem["error"].as_str().unwrap().contains("ply 13"), "{problem}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_hidden_is_told_to_who_plays() {
    let server = start().await;
    let mut asked = against("lords-of-war", "ismcts:iterations=50");
    asked["rules"] = "table".into();
    let id = server.create(asked).await;
    let mut player = server.join(&id).await;
    while !list(&player.my_turn().await, "history").iter().any(|ply| ply["seat"] == 1) {
        player.play_any(0).await;
    }
    let history = list(&player.state, "history").clone();
    assert_eq!(player.state["hidden"], true);
    let last = server.get(&format!("/api/games/{id}/analysis/last")).await;
    assert_eq!(last, json!([]), "nothing was looked through");
    assert!(history.iter().all(|ply| ply["chance"].is_null() && ply["explained"] == false));
    let ply = history.iter().position(|ply| ply["seat"] == 1).unwrap();
    let paths = [
        format!("/api/games/{id}/explanations/{ply}"),
        format!("/api/games/{id}/lenses"),
        format!("/api/games/{id}/lens?name=eval:h4"),
        format!("/api/games/{id}/analysis"),
        format!("/api/games/{id}/scene?ply=0"),
    ];
    for path in &paths {
        let (status, answer) = server.ask(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::CONFLICT, "{path}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains("hidden"), "{answer}");
    }
    let asked = json!({"game": id, "ply": 0});
    assert_eq!(server.post("/api/studies", asked.clone()).await.0, StatusCode::CONFLICT);
    player.send(json!({"type": "resign"})).await;
    let over = player.until_state(|state| !state["ending"].is_null()).await;
    assert_eq!(over["history"][ply]["explained"], true, "now it may be told");
    check(&server.get(&paths[0]).await, "chance");
    server.get(&paths[2]).await;
    assert_eq!(server.post("/api/studies", asked).await.0, StatusCode::CREATED);
    server.stop().await;
}

/// Waits until so many workers think.
async fn until_thinking(server: &Running, wanted: u64) {
    for _ in 0..600 {
        if server.get("/api/health").await["thinking"] == wanted {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("never were {wanted} workers thinking");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_study_ends_with_its_request() {
    let server = start().await;
    let id = server.create(people("othello")).await;
    let body = json!({"game": id, "spec": "mcts:ms=60000"}).to_string();
    let request = Request::post("/api/studies")
        .header("host", &server.address)
        .header("content-type", "application/json")
        .body(Body::from(body))
        .unwrap();
    let asking = tokio::spawn(server.router.clone().oneshot(request));
    until_thinking(&server, 1).await;
    asking.abort();
    until_thinking(&server, 0).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_stops_although_somebody_studies() {
    let server = start().await;
    let id = server.create(people("othello")).await;
    let body = json!({"game": id, "spec": "mcts:ms=60000"}).to_string();
    let request = Request::post("/api/studies")
        .header("host", &server.address)
        .header("content-type", "application/json")
        .body(Body::from(body))
        .unwrap();
    let asking = tokio::spawn(server.router.clone().oneshot(request));
    until_thinking(&server, 1).await;
    let began = std::time::Instant::now();
    server.stop().await;
    assert!(began.elapsed().as_secs() < 30, "the study was waited for");
    drop(asking.await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_tree_is_served_part_by_part() {
    let server = start().await;
    let id = server.create(people("othello")).await;
    let study = study(&server, &id, "minimax:depth=8", 100_000).await;
    assert_eq!(study["tree_nodes"], 100_000);
    let path = format!("/api/studies/{}", study["id"].as_str().unwrap());
    let root = server.get(&format!("{path}/tree")).await;
    assert_eq!((&root["total"], &root["nodes"][0]["node"]), (&json!(1), &json!(0)));
    assert!(root["nodes"][0]["step"].is_null());
    let all = server.get(&format!("{path}/tree?parent=0")).await;
    assert_eq!(all["total"], root["nodes"][0]["children"]);
    let mut seen = Vec::new();
    for offset in 0..all["total"].as_u64().unwrap() {
        let page = server.get(&format!("{path}/tree?parent=0&offset={offset}&limit=1")).await;
        seen.extend(list(&page, "nodes").clone());
    }
    assert_eq!(&seen, list(&all, "nodes"), "pages are parts of the whole");
    let visits: Vec<u64> = seen.iter().map(|it| it["visits"].as_u64().unwrap()).collect();
    assert!(visits.is_sorted_by(|one, next| one >= next), "{visits:?}");
    for node in (0..100_000).step_by(5_000) {
        server.get(&format!("{path}/tree?parent={node}")).await;
    }
    for wrong in ["parent=100000", "parent=-1", "parent=x", "limit=many", "node=3"] {
        let (status, _) = server.ask(Method::GET, &format!("{path}/tree?{wrong}"), None).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    download_is_whole(&server, &path).await;
    let asked = json!({"game": id, "tree_nodes": 100_001});
    assert_eq!(server.post("/api/studies", asked).await.0, StatusCode::BAD_REQUEST);
    for expected in [204, 404] {
        assert_eq!(server.ask(Method::DELETE, &path, None).await.0, expected);
    }
    server.stop().await;
}

async fn download_is_whole(server: &Running, path: &str) {
    let request = Request::get(format!("{path}/tree.json")).header("host", &server.address);
    let answer = server.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let name = answer.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().to_owned();
    assert!(name.starts_with("attachment; filename=\"tree-"), "{name}");
    let bytes = answer.into_body().collect().await.unwrap().to_bytes();
    let tree: Value = serde_json::from_slice(&bytes).unwrap();
    let nodes = list(&tree, "nodes");
    assert_eq!(nodes.len(), 100_000);
    assert!(nodes.iter().skip(1).all(|node| node["parent"].as_u64() < node["node"].as_u64()));
}

#[tokio::test(flavor = "multi_thread")]
async fn pruned_actions_stand_in_the_tree() {
    let server = start().await;
    let id = server.create(people("lords-of-war")).await;
    let spec = "uct:iterations=400,prune=h4+h6,hpl=2";
    let study = study(&server, &id, spec, 1000).await;
    let pruned = list(&study["explanation"], "pruned");
    assert!(!pruned.is_empty(), "{study}");
    assert_eq!(list(&pruned[0], "scores").len(), 2);
    let path = format!("/api/studies/{}", study["id"].as_str().unwrap());
    let children = server.get(&format!("{path}/tree?parent=0&limit=500")).await;
    let notes: Vec<bool> =
        list(&children, "nodes").iter().map(|node| node["note"] == "pruned").collect();
    assert_eq!(notes.iter().filter(|pruned| **pruned).count(), pruned.len());
    assert!(notes.is_sorted(), "pruned ones come last");
    let root = server.get(&format!("{path}/tree")).await;
    assert_eq!(root["nodes"][0]["pruned"], pruned.len());
    let deep = list(&children, "nodes").iter().find(|node| node["pruned"].as_u64() > Some(0));
    let deep = deep.expect("something was pruned below the root, too");
    let below = format!("{path}/tree?parent={}&limit=500", deep["node"]);
    let below = server.get(&below).await;
    let named = list(&below, "nodes").iter().filter(|node| node["note"] == "pruned");
    let named: Vec<&str> = named.filter_map(|node| node["step"]["words"].as_str()).collect();
    assert_eq!(json!(named.len()), deep["pruned"], "{below}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cut_off_actions_stand_in_the_tree() {
    let server = start().await;
    let id = server.create(people("othello")).await;
    let study = study(&server, &id, "alphabeta:depth=4,eval=paper", 100_000).await;
    assert!(study["left_out"].as_u64() > Some(0), "{study}");
    let path = format!("/api/studies/{}", study["id"].as_str().unwrap());
    let mut cut = 0;
    for node in 0..study["tree_nodes"].as_u64().unwrap().min(200) {
        let below = server.get(&format!("{path}/tree?parent={node}&limit=500")).await;
        let notes: Vec<bool> =
            list(&below, "nodes").iter().map(|node| node["note"] == "skipped").collect();
        assert!(notes.is_sorted(), "those left out come last");
        cut += usize::from(notes.contains(&true));
    }
    assert!(cut > 0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_studies_are_refused_by_name() {
    let server = start().await;
    let id = server.create(people("othello")).await;
    for (asked, status, word) in [
        (json!({"game": "none"}), 404, "none"),
        (json!({"game": id, "ply": 1}), 400, "ply 1"),
        (json!({"game": id, "spec": "nobody"}), 400, "nobody"),
        (json!({"game": id, "spec": "exec:x"}), 400, "exec"),
        (json!({"game": id, "spec": "mcts:ms=60001"}), 400, "at most"),
        (json!({"game": id, "depth": 4}), 400, "depth"),
    ] {
        let (found, answer) = server.post("/api/studies", asked.clone()).await;
        assert_eq!(found, status, "{asked}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(word), "{asked}: {answer}");
    }
    let (status, _) = server.ask(Method::GET, "/api/studies/none/tree", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    server.stop().await;
}

/// By action: what a list of actions with values says.
fn values(list: &[Value]) -> std::collections::BTreeMap<String, i64> {
    let value = |it: &Value| it["value"].as_f64().unwrap() as i64;
    let action = |it: &Value| it["step"]["action"].as_str().unwrap().to_owned();
    list.iter().map(|it| (action(it), value(it))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn lenses_show_what_evaluations_say() {
    let server = start().await;
    for game in ["othello", "lords-of-war", "conquest", "tic-tac-toe"] {
        let id = server.create(people(game)).await;
        let lenses = server.get(&format!("/api/games/{id}/lenses?ply=0")).await;
        for card in list(&lenses, "lenses") {
            let name = card["name"].as_str().unwrap();
            let lens = server.get(&format!("/api/games/{id}/lens?name={name}")).await;
            assert_eq!(&lens["card"], card);
            let told = list(&lens, "actions").len() + list(&lens, "squares").len();
            assert!(told > 0, "{game} {name}");
            assert!(lens["lowest"].as_f64() <= lens["highest"].as_f64(), "{game} {name}");
            // Greedy tells what the evaluation says right after every action.
            if let Some(evaluation) = name.strip_prefix("eval:").filter(|_| game != "tic-tac-toe") {
                let spec = format!("greedy:eval={evaluation}");
                let study = study(&server, &id, &spec, 0).await;
                let greedy = values(list(&study["explanation"], "candidates"));
                assert_eq!(values(list(&lens, "actions")), greedy, "{game} {name}");
            }
        }
        let path = format!("/api/games/{id}/lens?name=eval:nothing");
        let (status, answer) = server.ask(Method::GET, &path, None).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(answer["error"].as_str().unwrap().contains("eval:nothing"), "{answer}");
        let path = format!("/api/games/{id}/lenses?ply=1");
        assert_eq!(server.ask(Method::GET, &path, None).await.0, StatusCode::BAD_REQUEST);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn squares_have_their_worth() {
    let server = start().await;
    let id = server.create(people("othello")).await;
    let values = server.get(&format!("/api/games/{id}/lens?name=squares:values")).await;
    assert_eq!(values["squares"][0], json!({"square": 0, "value": 99.0, "text": "99"}));
    assert_eq!(list(&values, "squares").len(), 64);
    let id = server.create(people("lords-of-war")).await;
    let front = server.get(&format!("/api/games/{id}/lens?name=squares:h6")).await;
    let seat = front["seat"].as_u64().unwrap();
    // Row 0 is the back of seat 0 and the front of seat 1.
    assert_eq!(front["squares"][0]["value"], if seat == 0 { 0.0 } else { 3.0 });
    let id = server.create(people("conquest")).await;
    let danger = server.get(&format!("/api/games/{id}/lens?name=squares:danger")).await;
    assert!(!list(&danger, "squares").is_empty());
    server.stop().await;
}
