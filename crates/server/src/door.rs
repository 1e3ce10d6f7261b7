//! Where connections come in: so many at once, each with a deadline for whatever it has to do, before
//! anything is known about who asks.

use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use hyper::body::{Body as _, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::Sleep;

use crate::guests::{Guest, Guests, Phase, Place};
use crate::limits::Limits;

/// How long nothing is accepted after the system refused, for example because too many files are
/// open.
const PAUSE: Duration = Duration::from_millis(200);

/// What somebody hears for whom there is no room. It is sent at once or not at all.
const NO_ROOM: &str = "HTTP/1.1 503 Service Unavailable\r\n\
     content-type: application/json\r\ncontent-length: 76\r\nconnection: close\r\n\
     retry-after: 5\r\n\r\n\
     {\"error\":\"the server has reached its limit of connections; try again later\"}";

/// Serves connections until `stop` comes; then waits until what was begun is answered. Sockets of
/// games are not waited for.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let guests = Arc::new(Guests::new(limits));
    let (stopping, stopped) = watch::channel(false);
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, address)) => welcome(stream, address, &guests, &router, limits, &stopped),
            Err(error) if is_of_the_client(&error) => {}
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
    drop((listener, stopped));
    // Whoever has ended already does not hear it.
    stopping.send_replace(true);
    stopping.closed().await;
}

/// Whether accepting failed only for one client.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

fn welcome(
    stream: TcpStream,
    address: SocketAddr,
    guests: &Arc<Guests>,
    router: &Router,
    limits: Limits,
    stopped: &watch::Receiver<bool>,
) {
    let Some(place) = guests.admit(address.ip()) else {
        // Nobody waits for somebody who does not read.
        return drop(stream.try_write(NO_ROOM.as_bytes()));
    };
    // A state that follows another one would wait until the client's system has confirmed the first,
    // for which it takes its time. A socket that cannot be told so is only slower.
    drop(stream.set_nodelay(true));
    tokio::spawn(attend(stream, place, router.clone(), limits, stopped.clone()));
}

/// Serves one connection until it ends, becomes the socket of a game, or has to go.
async fn attend(
    stream: TcpStream,
    place: Place,
    router: Router,
    limits: Limits,
    mut stopped: watch::Receiver<bool>,
) {
    let guest = place.guest.clone();
    let stream = Guarded { stream, place, allowed: limits.stall, stalled: None };
    let router = TowerToHyperService::new(router);
    let its_guest = guest.clone();
    let service = service_fn(move |request| answer(&router, its_guest.clone(), request));
    let mut builder = http1::Builder::new();
    // Heads have their deadline from the guest.
    builder.header_read_timeout(None).max_buf_size(Limits::LONGEST_HEAD);
    let serving = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut serving = pin!(serving);
    tokio::select! {
        // How a connection broke concerns nobody else.
        _ = &mut serving => return,
        () = guest.overdue(&limits) => return,
        _ = stopped.wait_for(|stopped| *stopped) => {}
    }
    serving.as_mut().graceful_shutdown();
    tokio::select! {
        _ = serving => {}
        () = guest.overdue(&limits) => {}
    }
}

/// Answers one request, and notes where its connection is.
fn answer(
    router: &TowerToHyperService<Router>,
    guest: Arc<Guest>,
    request: Request<Incoming>,
) -> impl Future<Output = Result<Response<Noted<Body>>, std::convert::Infallible>> + use<> {
    let whole = request.body().is_end_stream();
    guest.turn_to(if whole { Phase::Served } else { Phase::Body });
    let its_guest = guest.clone();
    let request = request.map(|body| Noted { body, guest: its_guest, then: Some(Phase::Served) });
    let answered = router.call(request);
    async move {
        let response = answered.await?;
        // The socket of a game goes on after this answer.
        let then = (response.status() != StatusCode::SWITCHING_PROTOCOLS).then_some(Phase::Idle);
        Ok(response.map(|body| Noted { body, guest, then }))
    }
}

/// A body after whose end the connection is in another phase.
struct Noted<B> {
    body: B,
    guest: Arc<Guest>,
    then: Option<Phase>,
}

impl<B: hyper::body::Body<Data = Bytes> + Unpin> hyper::body::Body for Noted<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if (frame.is_none() || self.body.is_end_stream())
            && let Some(phase) = self.then.take()
        {
            self.guest.turn_to(phase);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for Noted<B> {
    fn drop(&mut self) {
        if let Some(phase) = self.then {
            self.guest.turn_to(phase);
        }
    }
}

/// A connection with its place, which it keeps when it becomes the socket of a game. A client that
/// takes nothing of what is sent to it for too long is let go.
struct Guarded {
    stream: TcpStream,
    place: Place,
    allowed: Duration,
    /// Runs while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Guarded {
    /// What came of sending, or that it took too long.
    fn sent<T>(
        &mut self,
        context: &mut Context<'_>,
        sent: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.stalled = None;
            self.place.guest.takes();
            return sent;
        }
        let allowed = self.allowed;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(allowed)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Guarded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.place.guest.hears();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(context, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.sent(context, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_for_whom_there_is_no_room_is_whole() {
        let (head, body) = NO_ROOM.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{}", body.len());
        let problem: serde_json::Value = serde_json::from_str(body).unwrap();
        assert!(problem["error"].is_string());
    }
}
