//! The guide, which is part of the program as it is of the repository.
#![allow(unused_qualifications, reason = "the description's macro writes paths")]

use axum::Json;
use rust_embed::RustEmbed;

use crate::dto::{Chapter, Guide};

/// The chapters; the number before a name orders them.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../docs/guide"]
struct Files;

/// The guide, chapter by chapter.
#[utoipa::path(
    get, path = "/api/guide", tag = "server", operation_id = "show_guide",
    responses((status = 200, description = "All chapters", body = Guide))
)]
pub(crate) async fn show() -> Json<Guide> {
    let mut files: Vec<_> = Files::iter().collect();
    files.sort();
    Json(Guide { chapters: files.iter().filter_map(|file| chapter(file)).collect() })
}

/// `2-first-experiment.md` is the chapter `first-experiment`; its first line is its title.
fn chapter(file: &str) -> Option<Chapter> {
    let (_, name) = file.strip_suffix(".md")?.split_once('-')?;
    let text = String::from_utf8(Files::get(file)?.data.into_owned()).ok()?;
    let title = text.lines().next()?.trim_start_matches(['#', ' ']).to_owned();
    Some(Chapter { name: name.to_owned(), title, text })
}
