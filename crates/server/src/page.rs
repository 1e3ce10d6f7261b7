//! The page, which is part of the program. Addresses that name no file of it are its own business.

use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::Refusal;

/// The files of the page; `build.rs` says which folder.
#[derive(RustEmbed)]
#[folder = "$WARROOM_PAGE"]
struct Page;

const INDEX: &str = "index.html";

/// Serves everything that is not the interface.
pub(crate) async fn serve(method: Method, uri: Uri) -> Response {
    let path = uri.path();
    if path == "/api" || path.starts_with("/api/") {
        return Refusal::missing("address", path).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let reason = format!("'{path}': only GET is known here");
        return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, reason).into_response();
    }
    let name = path.trim_start_matches('/');
    match Page::get(name).filter(|_| name != INDEX) {
        Some(file) => {
            // Names with a hash change with their content.
            let keeps = name.starts_with("assets/");
            let caching = if keeps { "public, max-age=31536000, immutable" } else { "no-cache" };
            file_answer(file, caching)
        }
        None if is_file_name(name) => Refusal::missing("file", path).into_response(),
        None => match Page::get(INDEX) {
            Some(index) => file_answer(index, "no-cache"),
            None => Refusal::missing("file", INDEX).into_response(),
        },
    }
}

fn file_answer(file: rust_embed::EmbeddedFile, caching: &'static str) -> Response {
    let kind = file.metadata.mimetype().to_owned();
    let text = kind.starts_with("text/") && !kind.contains("charset");
    let kind = if text { format!("{kind}; charset=utf-8") } else { kind };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, caching.to_owned())];
    (headers, file.data).into_response()
}

/// The page's own addresses have no dot in their last part.
fn is_file_name(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|last| last.contains('.'))
}
