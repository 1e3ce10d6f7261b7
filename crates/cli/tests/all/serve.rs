//! `warroom serve`: the real program, killed in the middle of a game.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// A server that is ended with the test.
pub(crate) struct Serving {
    child: Child,
    address: String,
    said: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub(crate) fn serve(database: &Path, words: &[&str]) -> Serving {
    serve_in(database, words, &[])
}

/// Serves with variables of the environment.
fn serve_in(database: &Path, words: &[&str], variables: &[(&str, &str)]) -> Serving {
    let mut child = Command::new(env!("CARGO_BIN_EXE_warroom"))
        .env_remove("WARROOM_TOKEN")
        .envs(variables.iter().copied())
        .args(["serve", "--port", "0", "--db"])
        .arg(database)
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut said = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut said).expect("it says where it listens");
    let address = said.split("http://").nth(1).expect("an address").split('/').next().unwrap();
    Serving { address: address.to_owned(), said: said.clone(), child }
}

impl Serving {
    /// Asks over a plain connection: the status and the body.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}",
            self.address
        )
        .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
        let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
        (status.unwrap_or_else(|| panic!("{head}")), body.to_owned())
    }

    pub(crate) fn json(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(method, path, "", &body.to_string());
        assert!((200..300).contains(&status), "{method} {path}: {status} {answer}");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    fn signal(&self, name: &str) {
        let words = [format!("-{name}"), self.child.id().to_string()];
        assert!(Command::new("kill").args(words).status().expect("kill").success());
    }

    /// Plays over a socket of its own: a handshake and masked frames by hand.
    fn play(&self, id: &str, actions: usize) -> Value {
        let mut socket = Socket::open(&self.address, id);
        let mut state = socket.turn();
        for number in 0..actions {
            let choices = state["scene"]["choices"].as_array().expect("choices");
            let action = choices[number % choices.len()]["action"].clone();
            let version = state["version"].as_u64();
            socket.say(&json!({"type": "play", "action": action, "version": version}));
            while state["version"].as_u64() <= version || state["human_to_act"] != true {
                state = socket.state();
            }
        }
        // The socket tells only what is new of the history.
        let whole = self.json("GET", &format!("/api/games/{id}"), &Value::Null);
        assert_eq!((&whole["version"], &whole["scene"]), (&state["version"], &state["scene"]));
        whole
    }
}

/// The least of a WebSocket client.
struct Socket(BufReader<TcpStream>);

impl Socket {
    fn open(address: &str, id: &str) -> Self {
        let mut stream = TcpStream::connect(address).expect("it listens");
        write!(
            stream,
            "GET /api/games/{id}/play HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        .expect("it reads");
        let mut reader = BufReader::new(stream);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a line");
            if line == "\r\n" {
                return Self(reader);
            }
        }
    }

    fn say(&mut self, request: &Value) {
        let text = request.to_string();
        assert!(text.len() < 126, "short texts only");
        // A mask of zeros changes nothing.
        let mut frame = vec![0x81, 0x80 | text.len() as u8, 0, 0, 0, 0];
        frame.extend(text.bytes());
        self.0.get_mut().write_all(&frame).expect("it reads");
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).expect("it writes on");
        bytes
    }

    fn state(&mut self) -> Value {
        loop {
            let [kind, length] = self.bytes();
            let length = match length {
                126 => u64::from(u16::from_be_bytes(self.bytes())),
                127 => u64::from_be_bytes(self.bytes()),
                short => u64::from(short),
            };
            let mut text = vec![0; length as usize];
            self.0.read_exact(&mut text).expect("it writes on");
            if kind == 0x81 {
                let answer: Value = serde_json::from_slice(&text).expect("JSON");
                if answer["type"] == "state" {
                    return answer;
                }
            }
        }
    }

    fn turn(&mut self) -> Value {
        loop {
            let state = self.state();
            if state["human_to_act"] == true {
                return state;
            }
        }
    }
}

fn new_game() -> Value {
    json!({
        "game": "othello",
        "seats": [{"kind": "human"}, {"kind": "agent", "spec": "greedy"}],
        "seed": 5,
    })
}

#[test]
fn a_killed_server_has_lost_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("app.sqlite");
    let server = serve(&database, &[]);
    let made = server.json("POST", "/api/games", &new_game());
    let id = made["id"].as_str().expect("an id").to_owned();
    let seen = server.play(&id, 4);
    server.signal("KILL");
    drop(server);
    let server = serve(&database, &[]);
    let kept = server.json("GET", &format!("/api/games/{id}"), &Value::Null);
    // Explanations live in memory, and chances are kept in thousandths; everything else is the same.
    let history = |state: &Value| -> Vec<Value> {
        let plies = state["history"].as_array().expect("a history").iter();
        plies.map(|ply| json!([ply["seat"], ply["action"], ply["words"], ply["squares"]])).collect()
    };
    assert_eq!((history(&kept), &kept["scene"]), (history(&seen), &seen["scene"]));
    assert_eq!(kept["version"], seen["version"]);
    let chance = |state: &Value| state["history"][1]["chance"].as_f64().expect("a chance");
    assert!((chance(&kept) - chance(&seen)).abs() <= 0.0005, "it stays with the game");
    let later = server.play(&id, 2);
    assert_eq!(history(&later)[..history(&seen).len()], history(&seen)[..]);
    assert!(history(&later).len() > history(&seen).len());
}

#[test]
fn two_servers_do_not_share_a_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("app.sqlite");
    let server = serve(&database, &[]);
    let second = Command::new(env!("CARGO_BIN_EXE_warroom"))
        .args(["serve", "--port", "0", "--db"])
        .arg(&database)
        .output()
        .expect("it ends");
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(!second.status.success() && said.contains("another `warroom serve`"), "{said}");
    server.json("POST", "/api/games", &new_game());
}

#[test]
fn a_polite_signal_ends_the_server_well() {
    let folder = tempfile::tempdir().expect("a folder");
    for signal in ["TERM", "INT"] {
        let mut server = serve(&folder.path().join("app.sqlite"), &[]);
        let made = server.json("POST", "/api/games", &new_game());
        server.play(made["id"].as_str().expect("an id"), 1);
        server.signal(signal);
        let ended = server.child.wait().expect("it ends");
        assert_eq!(ended.code(), Some(0), "{signal}");
    }
}

/// Somebody who does not finish a request keeps the server from ending for a while, and an agent
/// thinks.
#[test]
fn a_second_signal_ends_the_server_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for signals in [["TERM", "TERM"], ["INT", "INT"], ["INT", "TERM"]] {
        let mut server = serve(&folder.path().join("app.sqlite"), &[]);
        let mut asked = new_game();
        asked["seats"][0] = json!({"kind": "agent", "spec": "mcts:ms=60000"});
        asked["seats"][1] = asked["seats"][0].clone();
        let mut sockets = Vec::new();
        for _ in 0..2 {
            let made = server.json("POST", "/api/games", &asked);
            sockets.push(Socket::open(&server.address, made["id"].as_str().expect("an id")));
        }
        let mut unfinished = TcpStream::connect(&server.address).expect("it listens");
        let head = "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{";
        unfinished.write_all(head.as_bytes()).expect("it reads");
        let health = || server.json("GET", "/api/health", &Value::Null);
        while health()["thinking"].as_u64() < Some(1) {
            std::thread::yield_now();
        }
        server.signal(signals[0]);
        while TcpStream::connect(&server.address).is_ok() {
            std::thread::yield_now();
        }
        server.signal(signals[1]);
        let ended = server.child.wait().expect("it ends");
        assert_eq!(ended.code(), Some(130), "{signals:?}");
    }
}

#[test]
fn a_server_for_others_asks_for_its_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = serve(&folder.path().join("app.sqlite"), &["--host", "0.0.0.0"]);
    let token = server.said.trim().split("?token=").nth(1).expect("a token").to_owned();
    assert!(token.len() >= 32, "{token}");
    assert_eq!(server.ask("GET", "/api/health", "", "").0, 401);
    let header = format!("Authorization: Bearer {token}\r\n");
    assert_eq!(server.ask("GET", "/api/health", &header, "").0, 200);
    assert_eq!(server.ask("GET", "/game/x", "", "").0, 401);
    assert_eq!(server.ask("GET", &format!("/game/x?token={token}"), "", "").0, 200);
    assert_eq!(server.ask("GET", &format!("/api/games?token={token}"), "", "").0, 200);
    let cookie = format!("Cookie: warroom_token={token}\r\n");
    assert!(server.ask("GET", "/game/x", &cookie, "").1.contains("<html"));
    drop(server.child.kill());
    let mut warned = String::new();
    server.child.stderr.take().expect("a pipe").read_to_string(&mut warned).expect("text");
    assert!(warned.contains("warning"), "{warned}");
}

#[test]
fn a_token_need_not_stand_in_the_list_of_processes() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("app.sqlite");
    let file = folder.path().join("token");
    std::fs::write(&file, "from-the-file\n").expect("a file");
    let file = file.to_str().expect("a text");
    let variable = [("WARROOM_TOKEN", "from-outside")];
    for (words, expected, printed) in [
        (&[][..], "from-outside", false),
        (&["--token-file", file][..], "from-the-file", false),
        (&["--token", "from-an-argument"][..], "from-an-argument", true),
    ] {
        let server = serve_in(&database, words, &variable);
        assert_eq!(server.said.contains(expected), printed, "{}", server.said);
        assert_eq!(server.ask("GET", "/api/health", "", "").0, 401);
        let header = format!("Authorization: Bearer {expected}\r\n");
        assert_eq!(server.ask("GET", "/api/health", &header, "").0, 200);
    }
}

#[test]
fn bad_files_and_variables_of_tokens_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a text").to_owned();
    std::fs::write(path("empty"), "\n").expect("a file");
    std::fs::write(path("spaced"), "a secret of words\n").expect("a file");
    std::fs::write(path("bytes"), [0xff, 0xfe]).expect("a file");
    let database = path("app.sqlite");
    let refuse = |words: &[&str], variable: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warroom"));
        command.args(["serve", "--port", "0", "--db", &database]).args(words);
        command.env_remove("WARROOM_TOKEN");
        command.envs(variable.map(|token| ("WARROOM_TOKEN", token)));
        let refused = command.output().expect("it ends");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        said
    };
    for (name, word) in
        [("empty", "is empty"), ("spaced", "8 to 200"), ("bytes", "UTF-8"), ("none", "No such")]
    {
        let said = refuse(&["--token-file", &path(name)], None);
        assert!(said.contains(&path(name)) && said.contains(word), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
    for variable in ["", "a secret of words"] {
        let said = refuse(&[], Some(variable));
        assert!(said.contains("WARROOM_TOKEN") && said.contains("8 to 200"), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
    let said = refuse(&["--token", "12345678", "--token-file", &path("empty")], None);
    assert!(said.contains("--token-file") && said.contains("cannot be used with"), "{said}");
}

#[test]
fn requests_without_a_host_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&folder.path().join("app.sqlite"), &[]);
    let asked = ["GET /api/health HTTP/1.1\r\n", "GET /api/health HTTP/1.0\r\n"];
    for head in asked {
        let mut stream = TcpStream::connect(&server.address).expect("it listens");
        write!(stream, "{head}Connection: close\r\n\r\n").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        assert!(answer.contains(" 400 ") && answer.contains("no Host"), "{answer}");
    }
}

#[test]
fn bad_addresses_and_tokens_are_named() {
    for (words, expected) in [
        (["--host", "nowhere"], "nowhere"),
        (["--port", "99999"], "99999"),
        (["--token", "a b"], "8 to 200"),
    ] {
        let refused = Command::new(env!("CARGO_BIN_EXE_warroom"))
            .arg("serve")
            .args(words)
            .output()
            .expect("it ends");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && said.contains(expected), "{said}");
    }
}
