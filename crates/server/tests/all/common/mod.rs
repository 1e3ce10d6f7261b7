//! What the tests of the server share: a server on a port of its own, and clients.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use futures_util::{SinkExt, StreamExt};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use server::{Limits, Page, Server, Settings};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tower::ServiceExt;

/// A test that waits longer than this for anything has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that listens, with a database of its own.
pub(crate) struct Running {
    pub(crate) address: String,
    pub(crate) router: Router,
    pub(crate) folder: tempfile::TempDir,
    stop: Option<oneshot::Sender<()>>,
    served: tokio::task::JoinHandle<()>,
}

/// Starts a server with two workers.
pub(crate) async fn start() -> Running {
    start_in(tempfile::tempdir().expect("a folder")).await
}

/// Starts a server with the database in this folder.
pub(crate) async fn start_in(folder: tempfile::TempDir) -> Running {
    start_with(folder, Limits::default()).await
}

/// Starts a server with limits of its own.
pub(crate) async fn start_with(folder: tempfile::TempDir, limits: Limits) -> Running {
    let store = store::Store::open(&folder.path().join("app.sqlite")).expect("a database");
    let settings = Settings {
        games: standard::registry(),
        page: Page::Inside,
        store,
        threads: 2,
        host: lab::run::Host::default(),
        cluster: None,
        token: None,
        loopback_only: true,
        limits,
    };
    let server = Server::new(settings).expect("a server");
    let router = server.router();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(async move {
        let stop = async { drop(stopped.await) };
        server.serve(listener, stop).await.expect("it serves");
    });
    Running { address, router, folder, stop: Some(stop), served }
}

impl Running {
    /// Tells the server to stop and waits until it has; the folder stays.
    pub(crate) async fn stop(mut self) -> tempfile::TempDir {
        drop(self.stop.take());
        tokio::time::timeout(PATIENCE, self.served).await.expect("it stops").expect("no panic");
        self.folder
    }

    /// Asks over HTTP: the status and the JSON, if any.
    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header("host", &self.address);
        let body = match body {
            Some(body) => {
                request = request.header("content-type", "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        let answer = self.router.clone().oneshot(request.body(body).expect("a request")).await;
        let answer = answer.expect("the router answers");
        let status = answer.status();
        let bytes = answer.into_body().collect().await.expect("a body").to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, value) = self.ask(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::OK, "GET {path}: {value}");
        value
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.ask(Method::POST, path, Some(body)).await
    }

    /// Makes a game and says its id.
    pub(crate) async fn create(&self, body: Value) -> String {
        let (status, state) = self.post("/api/games", body.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{body}: {state}");
        state["id"].as_str().expect("an id").to_owned()
    }

    /// Opens the socket of a game.
    pub(crate) async fn join(&self, id: &str) -> Player {
        let address = format!("ws://{}/api/games/{id}/play", self.address);
        let (socket, _) = connect_async(address).await.expect("a socket");
        Player { socket, state: Value::Null, told: 0 }
    }
}

/// A game of a person at seat 0 against an agent.
pub(crate) fn against(game: &str, spec: &str) -> Value {
    json!({
        "game": game,
        "seats": [{"kind": "human"}, {"kind": "agent", "spec": spec}],
        "seed": 1,
    })
}

/// A client of a game.
pub(crate) struct Player {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The last state heard, with the whole history.
    pub(crate) state: Value,
    /// Bytes of the last state as it came.
    pub(crate) told: usize,
}

/// Puts what is new of a history into what was known of it.
fn complete(state: &mut Value, before: &Value) {
    let known = before["history"].as_array();
    let mut history: Vec<Value> = known.cloned().unwrap_or_default();
    history.resize(state["plies"].as_u64().expect("a number") as usize, Value::Null);
    for ply in state["history"].as_array().expect("a history") {
        history[ply["number"].as_u64().expect("a number") as usize] = ply.clone();
    }
    assert!(history.iter().all(|ply| !ply.is_null()), "something was never told: {history:?}");
    state["history"] = history.into();
}

impl Player {
    pub(crate) async fn send(&mut self, request: Value) {
        self.send_text(&request.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.expect("the server reads");
    }

    /// The next answer; states are remembered.
    pub(crate) async fn hear(&mut self) -> Value {
        self.hear_if_open().await.expect("the socket is open")
    }

    pub(crate) async fn hear_if_open(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let Message::Text(text) = next.expect("an answer comes")?.ok()? else { continue };
            let mut answer: Value = serde_json::from_str(&text).expect("answers are JSON");
            if answer["type"] == "state" {
                self.told = text.len();
                complete(&mut answer, &self.state);
                self.state = answer.clone();
            }
            return Some(answer);
        }
    }

    /// Hears until an answer is as wanted.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let answer = self.hear().await;
            if wanted(&answer) {
                return answer;
            }
        }
    }

    /// Hears until the game is as wanted; it may be so already.
    pub(crate) async fn until_state(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        while self.state.is_null() || !wanted(&self.state) {
            self.until(|answer| answer["type"] == "state").await;
        }
        self.state.clone()
    }

    /// Hears until a person is to act or the game is over.
    pub(crate) async fn my_turn(&mut self) -> Value {
        self.until_state(|state| state["human_to_act"] == true || !state["ending"].is_null()).await
    }

    /// Plays an action and hears the state after it.
    pub(crate) async fn play(&mut self, action: &str) -> Value {
        let before = self.state["version"].as_u64().expect("a version");
        self.send(json!({"type": "play", "action": action, "version": before})).await;
        loop {
            let answer = self.hear().await;
            assert_ne!(answer["type"], "refused", "{action}: {answer}");
            if answer["type"] == "state" && answer["version"].as_u64() > Some(before) {
                return answer;
            }
        }
    }

    /// Plays the choice of this number, counted round.
    pub(crate) async fn play_any(&mut self, number: usize) -> Value {
        let choices = self.state["scene"]["choices"].as_array().expect("choices").clone();
        let plain: Vec<&Value> = choices.iter().filter(|choice| choice["back"] == 0).collect();
        let choice = plain[number % plain.len()];
        let action = choice["action"].as_str().expect("a text").to_owned();
        self.play(&action).await
    }
}
