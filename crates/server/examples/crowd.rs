//! Many games at once over real sockets: how long people wait for the answers of their agents.
//!
//! `cargo run --release -p server --example crowd -- [GAMES] [TURNS] [SPEC] [THINKERS] [MOST_MS]`
//!
//! Beside them, so many games of agents that think for 15 seconds about every decision. With `MOST_MS` it
//! fails if a game was lost or one answer in a hundred took longer.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use gamecore::Rng;
use serde_json::{Value, json};
use server::{Limits, Page, Server, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// What one client saw.
#[derive(Default)]
struct Seen {
    /// From an action to the state that shows it.
    shown: Vec<Duration>,
    /// From an action to the next turn of the person, or the end of the game.
    answered: Vec<Duration>,
    lost: bool,
}

#[tokio::main]
async fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |usual: usize| {
        words.next().map_or(usual, |word| word.parse().unwrap_or_else(|_| panic!("'{word}'")))
    };
    let (games, turns) = (number(200), number(10));
    let spec = words.next().unwrap_or_else(|| "mcts:ms=10".to_owned());
    let thinkers: usize = words.next().map_or(0, |word| word.parse().expect("a number"));
    let most: Option<u64> = words.next().map(|word| word.parse().expect("milliseconds"));
    let folder = tempfile::tempdir().expect("a folder");
    let store = store::Store::open(&folder.path().join("crowd.sqlite")).expect("a database");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = Settings {
        games: standard::registry(),
        page: Page::Inside,
        store,
        threads,
        host: lab::run::Host::default(),
        cluster: None,
        token: None,
        loopback_only: true,
        limits: Limits::default(),
    };
    let server = Server::new(settings).expect("a server");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(async move {
        server.serve(listener, async { drop(stopped.await) }).await.expect("it serves");
    });
    for _ in 0..thinkers {
        let seat = json!({"kind": "agent", "spec": "mcts:ms=15000"});
        let id = create(&address, [&seat, &seat]).await.expect("a game");
        let path = format!("ws://{address}/api/games/{id}/play");
        let (mut socket, _) = connect_async(path).await.expect("a socket");
        tokio::spawn(async move { while next_state(&mut socket).await.is_some() {} });
    }
    let began = Instant::now();
    let mut clients = Vec::new();
    for seed in 0..games {
        let (address, spec) = (address.clone(), spec.clone());
        clients.push(tokio::spawn(async move {
            client(&address, &spec, turns, seed as u64)
                .await
                .unwrap_or_else(|| Seen { lost: true, ..Seen::default() })
        }));
    }
    let (mut shown, mut answered, mut lost) = (Vec::new(), Vec::new(), 0);
    for client in clients {
        let seen = client.await.expect("a client does not panic");
        lost += usize::from(seen.lost);
        shown.extend(seen.shown);
        answered.extend(seen.answered);
    }
    println!("{games} games of {turns} turns against {spec}, {threads} workers: {lost} lost");
    println!("games of long thoughts beside them: {thinkers}");
    println!("actions in {:.1} s: {}", began.elapsed().as_secs_f64(), shown.len());
    println!("own action shown: {}", quantiles(&mut shown));
    println!("agent answered:   {}", quantiles(&mut answered));
    drop(stop);
    served.await.expect("the server stops");
    if let Some(most) = most {
        let slow = at(&answered, 0.99);
        assert!(lost == 0 && !answered.is_empty(), "{lost} games were lost");
        assert!(slow <= most as f64, "one answer in a hundred took {slow:.0} ms: at most {most}");
    }
}

/// The time that this part of all took at most, in milliseconds.
fn at(sorted: &[Duration], part: f64) -> f64 {
    let index = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(index).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

fn quantiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let [half, most, nearly_all, all] = [0.5, 0.9, 0.99, 1.0].map(|part| at(times, part));
    format!("p50 {half:.1} ms, p90 {most:.1} ms, p99 {nearly_all:.1} ms, slowest {all:.1} ms")
}

/// Plays some turns, thinking 0 to 3 seconds about each; nothing if the game was lost on the way.
async fn client(address: &str, spec: &str, turns: usize, seed: u64) -> Option<Seen> {
    let mut rng = Rng::new(seed);
    let think = |rng: &mut Rng| Duration::from_millis(rng.below(3000).into());
    let first = think(&mut rng);
    tokio::time::sleep(first).await;
    let seats = [&json!({"kind": "human"}), &json!({"kind": "agent", "spec": spec})];
    let id = create(address, seats).await?;
    let (mut socket, _) =
        connect_async(format!("ws://{address}/api/games/{id}/play")).await.ok()?;
    let mut seen = Seen::default();
    let mut state = next_state(&mut socket).await?;
    for _ in 0..turns {
        while state["human_to_act"] != true && state["ending"].is_null() {
            state = next_state(&mut socket).await?;
        }
        if !state["ending"].is_null() {
            break;
        }
        let pause = think(&mut rng);
        // States that come meanwhile only tell that the agent thinks ahead.
        while let Ok(next) = tokio::time::timeout(pause / 8, next_state(&mut socket)).await {
            state = next?;
        }
        tokio::time::sleep(pause / 8 * 7).await;
        let choices = state["scene"]["choices"].as_array()?;
        let action = &choices[rng.below(choices.len() as u32) as usize]["action"];
        let version = state["version"].as_u64()?;
        let request = json!({"type": "play", "action": action, "version": version});
        let sent = Instant::now();
        socket.send(Message::text(request.to_string())).await.ok()?;
        let mut is_shown = false;
        loop {
            state = next_state(&mut socket).await?;
            if state["version"].as_u64()? > version && !is_shown {
                is_shown = true;
                seen.shown.push(sent.elapsed());
            }
            let mine = state["human_to_act"] == true || !state["ending"].is_null();
            if is_shown && mine {
                seen.answered.push(sent.elapsed());
                break;
            }
        }
    }
    Some(seen)
}

/// The next state that a socket tells.
async fn next_state<S>(socket: &mut S) -> Option<Value>
where
    S: StreamExt<Item = Result<Message, tokio_tungstenite::tungstenite::Error>> + Unpin,
{
    loop {
        let Message::Text(text) = socket.next().await?.ok()? else { continue };
        let answer: Value = serde_json::from_str(&text).ok()?;
        if answer["type"] == "state" {
            return Some(answer);
        }
    }
}

/// Makes a game by a plain request.
async fn create(address: &str, seats: [&Value; 2]) -> Option<String> {
    let body = json!({"game": "othello", "seats": seats}).to_string();
    let request = format!(
        "POST /api/games HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.ok()?;
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.ok()?;
    let state: Value = serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()?;
    state["id"].as_str().map(str::to_owned)
}
