//! What can go wrong with a request, and how it is said.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use live::Cause;
use registry::SpecError;

use crate::dto::Problem;

/// A refusal: its status, and a reason that names the input and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) reason: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Self {
        Self { status, reason: reason.into() }
    }

    /// 400: the input is wrong.
    pub(crate) fn bad(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, reason)
    }

    /// 404: there is no such thing.
    pub(crate) fn missing(what: &str, name: &str) -> Self {
        let shown: String = name.chars().take(60).collect();
        Self::new(StatusCode::NOT_FOUND, format!("'{shown}': no such {what}"))
    }

    /// 409: the game is not in a state for this.
    pub(crate) fn conflict(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, reason)
    }

    /// 503: not now.
    pub(crate) fn busy(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    /// 500: the database failed.
    pub(crate) fn storage(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    }
}

/// Does work that may take a while on a thread where nobody else waits: a long game to be replayed
/// must not hold up those who play.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::storage("something unexpected happened")))
}

impl From<live::Refusal> for Refusal {
    fn from(refusal: live::Refusal) -> Self {
        let status = match refusal.cause {
            Cause::BadInput => StatusCode::BAD_REQUEST,
            Cause::Missing => StatusCode::NOT_FOUND,
            Cause::Conflict => StatusCode::CONFLICT,
            Cause::Storage => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, refusal.reason)
    }
}

impl From<SpecError> for Refusal {
    fn from(error: SpecError) -> Self {
        Self::bad(error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(Problem { error: self.reason })).into_response()
    }
}
