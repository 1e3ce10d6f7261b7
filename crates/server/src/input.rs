//! Reading requests, so that whatever is wrong with one is answered by a [`Refusal`].

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::Refusal;

/// The body of a request, JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(refused_body(&rejection)),
        }
    }
}

fn refused_body(rejection: &JsonRejection) -> Refusal {
    let status = rejection.status();
    // A body of the right kind that says the wrong thing is a bad request like any other.
    let status = if status.as_u16() == 422 { axum::http::StatusCode::BAD_REQUEST } else { status };
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
