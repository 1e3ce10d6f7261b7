//! The socket of one client of one game.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message as Frame, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc;
use tokio::time::{interval, timeout};

use crate::dto::{Answer, Request};
use crate::limits::Limits;
use crate::outbox::Outbox;
use crate::outbox::text_of;
use crate::table::Message;

/// Bytes of a message of a client at most.
pub(crate) const LONGEST_MESSAGE: usize = 64 * 1024;
/// A client that takes longer to read a message is let go.
const SENDING: Duration = Duration::from_secs(10);

/// Serves a socket until either side closes it.
pub(crate) async fn serve(
    socket: WebSocket,
    number: u64,
    table: mpsc::Sender<Message>,
    outbox: Arc<Outbox>,
    limits: Limits,
) {
    let (sink, stream) = socket.split();
    tokio::select! {
        () = write(sink, &outbox, limits.ping) => {}
        () = read(stream, number, &table, &outbox, limits.silence) => {}
    }
    outbox.close();
    // A table that was closed has forgotten its sockets.
    drop(table.send(Message::Leave(number)).await);
}

async fn write(mut sink: SplitSink<WebSocket, Frame>, outbox: &Outbox, every: Duration) {
    let mut ping = interval(every);
    ping.tick().await;
    loop {
        let frame = tokio::select! {
            text = outbox.next() => match text {
                Some(text) => Frame::Text(text),
                None => break,
            },
            _ = ping.tick() => Frame::Ping(Bytes::new()),
        };
        match timeout(SENDING, sink.send(frame)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
    }
    drop(timeout(SENDING, sink.close()).await);
}

async fn read(
    mut stream: SplitStream<WebSocket>,
    number: u64,
    table: &mpsc::Sender<Message>,
    outbox: &Outbox,
    silence: Duration,
) {
    while let Ok(Some(Ok(frame))) = timeout(silence, stream.next()).await {
        outbox.room().await;
        let refused = match frame {
            Frame::Text(text) => match serde_json::from_str::<Request>(&text) {
                Ok(request) => {
                    if table.send(Message::Ask(number, request)).await.is_err() {
                        // The table says goodbye through the outbox.
                        return std::future::pending().await;
                    }
                    continue;
                }
                Err(error) => {
                    let shown: String = text.chars().take(80).collect();
                    format!("'{shown}' is not a request: {error}")
                }
            },
            Frame::Binary(_) => "expected a text, found bytes".to_owned(),
            Frame::Ping(_) | Frame::Pong(_) => continue,
            Frame::Close(_) => return,
        };
        outbox.put(text_of(&Answer::Refused { error: refused }));
    }
}
