//! Clients that open many connections and say little on them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::common::{Running, against, start_with};

/// Long enough for a busy machine, and much shorter than the usual deadlines.
const SOON: Duration = Duration::from_secs(8);
const BRIEF: Duration = Duration::from_millis(200);

async fn start(limits: Limits) -> Running {
    start_with(tempfile::tempdir().expect("a folder"), limits).await
}

async fn connect(server: &Running) -> TcpStream {
    TcpStream::connect(&server.address).await.expect("it listens")
}

async fn connect_and_say(server: &Running, words: &str) -> TcpStream {
    let mut stream = connect(server).await;
    // Who has no place may be sent away before.
    drop(stream.write_all(words.as_bytes()).await);
    stream
}

/// All that comes until the server closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(SOON, stream.read_to_end(&mut bytes)).await;
    // A connection that is reset is closed, too.
    drop(read.expect("the server closes the connection"));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn request(server: &Running, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address)
}

fn head_of_post(server: &Running, length: usize) -> String {
    format!(
        "POST /api/games HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n",
        server.address
    )
}

/// Whether the server answers a new client well.
async fn answers(server: &Running) -> bool {
    let mut stream = connect_and_say(server, &request(server, "/api/health")).await;
    rest(&mut stream).await.starts_with("HTTP/1.1 200")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_dribbling_connections_make_room_for_people() {
    let most = 8;
    let server = start(Limits { connections: most, ..Limits::default() }).await;
    let id = server.create(against("othello", "greedy")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    let half_sent = format!("{}{{", head_of_post(&server, 1_000_000));
    let mut crowd = JoinSet::new();
    for number in 0..100 {
        let words = if number % 2 == 0 { "GET /api/hea" } else { &half_sent };
        let mut stream = connect_and_say(&server, words).await;
        // What it hears does not matter, only when that ends.
        crowd.spawn(async move { drop(stream.read_to_end(&mut Vec::new()).await) });
    }
    assert!(answers(&server).await, "somebody new is served at once");
    player.play("f5").await;
    player.my_turn().await;
    for left in (most..100).rev() {
        let gone = tokio::time::timeout(SOON, crowd.join_next()).await;
        assert!(gone.is_ok(), "{left} of them are too many, and no deadline is near");
    }
    drop(crowd);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_dribbles_is_cut_off() {
    let server = start(Limits { head: BRIEF, ..Limits::default() }).await;
    let mut mute = connect(&server).await;
    let mut dribbling = connect_and_say(&server, "GET / HTTP/1.1\r\n").await;
    let began = Instant::now();
    while dribbling.write_all(b"a: b\r\n").await.is_ok() {
        assert!(began.elapsed() < SOON, "it may dribble on");
        tokio::time::sleep(BRIEF / 10).await;
    }
    assert_eq!(rest(&mut mute).await, "");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_asks_nothing_more_is_closed() {
    let server = start(Limits { idle: BRIEF, ..Limits::default() }).await;
    let asked = request(&server, "/api/health").replace("Connection: close\r\n", "");
    let mut kept = connect_and_say(&server, &asked).await;
    let answer = rest(&mut kept).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with('}'), "{answer}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_arrive_is_refused() {
    let server = start(Limits { body: BRIEF, ..Limits::default() }).await;
    let words = format!("{}{{\"game\":", head_of_post(&server, 500));
    let mut slow = connect_and_say(&server, &words).await;
    let answer = rest(&mut slow).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains(r#"{"error":"the body did not arrive within 0.2 s"}"#), "{answer}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_large_bodies_are_few() {
    let server = start(Limits { large_bodies: 1, ..Limits::default() }).await;
    let half = format!("{}{}", head_of_post(&server, 1_000_000), " ".repeat(100_000));
    let mut both = [connect_and_say(&server, &half).await, connect_and_say(&server, &half).await];
    let [one, other] = &mut both;
    // Which of them was first, the server knows.
    let answer = tokio::select! {
        answer = rest(one) => answer,
        answer = rest(other) => answer,
    };
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("large bodies"), "{answer}");
    let (status, made) = server.post("/api/games", against("othello", "greedy")).await;
    assert_eq!(status, 201, "{made}");
    drop(both);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_finds_no_room_is_told_and_nobody_else_notices() {
    let server = start(Limits { connections: 2, ..Limits::default() }).await;
    let id = server.create(against("othello", "greedy")).await;
    let mut players = [server.join(&id).await, server.join(&id).await];
    for player in &mut players {
        player.my_turn().await;
    }
    let mut third = connect(&server).await;
    let answer = rest(&mut third).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").expect("head and body");
    let problem: Value = serde_json::from_str(body).expect("JSON");
    assert!(problem["error"].as_str().expect("a sentence").contains("try again"), "{problem}");
    let [mut stays, leaves] = players;
    stays.play("f5").await;
    drop(leaves);
    let began = Instant::now();
    while !answers(&server).await {
        assert!(began.elapsed() < SOON, "a socket that was closed leaves room");
    }
    stays.my_turn().await;
    stays.play_any(0).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_answers_no_ping_is_closed() {
    let limits = Limits { ping: BRIEF / 4, silence: 5 * BRIEF, ..Limits::default() };
    let server = start(limits).await;
    let id = server.create(against("othello", "greedy")).await;
    let mut player = server.join(&id).await;
    player.my_turn().await;
    let opening = format!(
        "GET /api/games/{id}/play HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    let mut mute = connect_and_say(&server, &opening).await;
    // Who hears also answers pings.
    let listening = tokio::spawn(async move {
        let hear = async { while player.hear_if_open().await.is_some() {} };
        let is_open = tokio::time::timeout(8 * BRIEF, hear).await.is_err();
        (player, is_open)
    });
    assert!(rest(&mut mute).await.starts_with("HTTP/1.1 101"));
    let (mut player, is_open) = listening.await.expect("no panic");
    assert!(is_open, "the time of silence has passed");
    player.play("f5").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_the_answers_is_let_go() {
    let server = start(Limits { stall: BRIEF, ..Limits::default() }).await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let deaf = socket.connect(server.address.parse().unwrap()).await.expect("it listens");
    let (mut answers, mut questions) = deaf.into_split();
    let asked = request(&server, "/api/openapi.json").replace("Connection: close\r\n", "");
    let flood = asked.repeat(500);
    let asking = tokio::spawn(async move {
        drop(questions.write_all(flood.as_bytes()).await);
        std::future::pending::<()>().await;
    });
    tokio::time::sleep(BRIEF * 3).await;
    // Whoever is still connected gets all answers now, and then the connection stays open.
    let mut heard = Vec::new();
    let ended = tokio::time::timeout(SOON, answers.read_to_end(&mut heard)).await;
    assert!(ended.is_ok(), "still connected after {} bytes", heard.len());
    asking.abort();
    server.stop().await;
}

/// A person's action is answered by two states, one right after the other. The second must not wait
/// until the first is confirmed, which takes the client's system 40 ms if it has nothing to say.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_does_not_wait_for_the_one_before_to_be_confirmed() {
    let server = start(Limits::default()).await;
    let id = server.create(against("othello", "greedy")).await;
    let mut player = server.join(&id).await;
    let mut waited = Vec::new();
    for number in 0..12 {
        player.my_turn().await;
        player.play_any(number).await;
        let shown = Instant::now();
        player.my_turn().await;
        waited.push(shown.elapsed());
    }
    // On a busy machine some may wait for other reasons.
    let least = waited.iter().min().expect("there are some");
    assert!(*least < Duration::from_millis(30), "{waited:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_games_of_this_machine_have_room() {
    let limits = Limits::default();
    assert!(limits.connections >= 2 * 200, "each has a socket and asks besides");
    let server = start(Limits { per_address: 1, ..limits }).await;
    let id = server.create(against("othello", "greedy")).await;
    let mut players = [server.join(&id).await, server.join(&id).await];
    for player in &mut players {
        player.send(json!({"type": "ping"})).await;
        player.hear().await;
    }
    assert!(answers(&server).await);
    server.stop().await;
}
