//! The page: the one that is part of the program, or files that whoever starts the server brings.
//! Addresses that name no file of it are its own business.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::Refusal;

/// The files of the page inside the program; `build.rs` says which folder.
#[derive(RustEmbed)]
#[folder = "$WARROOM_PAGE"]
struct Inside;

/// Where the page comes from.
#[derive(Clone, Debug, Default)]
pub enum Page {
    /// The program has it inside.
    #[default]
    Inside,
    /// These files, by their path with `/`.
    Files(BTreeMap<String, Bytes>),
}

const INDEX: &str = "index.html";

impl Page {
    fn file(&self, name: &str) -> Option<Bytes> {
        match self {
            Self::Inside => Inside::get(name).map(|file| Bytes::from(file.data.into_owned())),
            Self::Files(files) => files.get(name).cloned(),
        }
    }

    /// The answer to everything that is not the interface.
    pub(crate) fn answer(&self, method: &Method, uri: &Uri) -> Response {
        let path = uri.path();
        if path == "/api" || path.starts_with("/api/") {
            return Refusal::missing("address", path).into_response();
        }
        if method != Method::GET && method != Method::HEAD {
            let reason = format!("'{path}': only GET is known here");
            return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, reason).into_response();
        }
        let name = path.trim_start_matches('/');
        match self.file(name).filter(|_| name != INDEX) {
            Some(file) => {
                // Names with a hash change with their content.
                let keeps = name.starts_with("assets/");
                let caching =
                    if keeps { "public, max-age=31536000, immutable" } else { "no-cache" };
                file_answer(name, file, caching)
            }
            None if is_file_name(name) => Refusal::missing("file", path).into_response(),
            None => match self.file(INDEX) {
                Some(index) => file_answer(INDEX, index, "no-cache"),
                None => Refusal::missing("file", INDEX).into_response(),
            },
        }
    }
}

fn file_answer(name: &str, file: Bytes, caching: &'static str) -> Response {
    let kind = mime_guess::from_path(name).first_or_octet_stream().to_string();
    let text = kind.starts_with("text/") && !kind.contains("charset");
    let kind = if text { format!("{kind}; charset=utf-8") } else { kind };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, caching.to_owned())];
    (headers, file).into_response()
}

/// The page's own addresses have no dot in their last part.
fn is_file_name(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|last| last.contains('.'))
}
