//! A live game under everything that can happen to it.

mod host;
mod machine;
mod views;
