//! Reading requests, so that whatever is wrong with one is answered by a [`Refusal`].

use std::sync::Arc;

use axum::Json;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::error::Refusal;
use crate::limits::Limits;

/// The body of a request, JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Refusal> {
        let (parts, body) = request.into_parts();
        let allowed = app.limits.body;
        let arrived = tokio::time::timeout(allowed, arrive(body, app)).await;
        let bytes = arrived.unwrap_or_else(|_| {
            let reason = format!("the body did not arrive within {} s", allowed.as_secs_f64());
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, reason))
        })?;
        let request = Request::from_parts(parts, axum::body::Body::from(bytes));
        match Json::<T>::from_request(request, app).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(refused_body(&rejection)),
        }
    }
}

/// All bytes of a body. Only so many large ones may be in memory before they are whole.
async fn arrive(body: axum::body::Body, app: &App) -> Result<Vec<u8>, Refusal> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    let mut large = None;
    while let Some(part) = stream.next().await {
        let part = part.map_err(|error| Refusal::bad(format!("the body was cut off: {error}")))?;
        let length = bytes.len() + part.len();
        if length > Limits::LONGEST_BODY {
            let reason = format!("the body is too long: at most {} bytes", Limits::LONGEST_BODY);
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason));
        }
        if length > Limits::SMALL_BODY && large.is_none() {
            let place = app.large_bodies.try_acquire().map_err(|_| {
                let most = app.limits.large_bodies;
                Refusal::busy(format!("{most} large bodies are already arriving; try again later"))
            })?;
            large = Some(place);
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

fn refused_body(rejection: &JsonRejection) -> Refusal {
    let status = rejection.status();
    // A body of the right kind that says the wrong thing is a bad request like any other.
    let status = if status.as_u16() == 422 { StatusCode::BAD_REQUEST } else { status };
    Refusal::new(status, rejection.body_text())
}

/// What follows the `?` of an address.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        let refused = |rejection: QueryRejection| Refusal::bad(rejection.body_text());
        read.map(|Query(value)| Self(value)).map_err(refused)
    }
}

/// What an address names between its slashes.
pub(crate) struct Named<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let read = Path::<T>::from_request_parts(parts, state).await;
        read.map(|Path(value)| Self(value)).map_err(|rejection| {
            let shown: String = parts.uri.path().chars().take(80).collect();
            Refusal::new(rejection.status(), format!("'{shown}': {}", wrong_name(rejection)))
        })
    }
}

/// What is wrong with a part of an address.
fn wrong_name(rejection: PathRejection) -> String {
    let PathRejection::FailedToDeserializePathParams(failure) = rejection else {
        return rejection.body_text();
    };
    match failure.into_kind() {
        ErrorKind::InvalidUtf8InPathParam { .. } => {
            "expected UTF-8 text between the slashes".to_owned()
        }
        // Whatever is not a text here is a number.
        ErrorKind::ParseErrorAtIndex { value, .. } | ErrorKind::ParseErrorAtKey { value, .. } => {
            let value: String = value.chars().take(40).collect();
            format!("expected a whole number, found '{value}'")
        }
        other => other.to_string(),
    }
}
