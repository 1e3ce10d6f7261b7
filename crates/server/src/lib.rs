//! The app's server: games over JSON and WebSocket.

pub mod dto;
mod openapi;

pub use openapi::openapi;
