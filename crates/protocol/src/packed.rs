//! Messages as bytes.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// No message is longer when it is unpacked: whoever sends more is not one of ours.
const LONGEST: u64 = 1 << 30;

/// Bytes that are no message of the form that was expected.
#[derive(Debug, thiserror::Error)]
#[error("a message of another form: {0}")]
pub struct Unreadable(String);

/// A message as compressed bytes.
///
/// # Panics
/// Never: messages are plain data.
#[must_use]
pub fn pack(message: &impl Serialize) -> Vec<u8> {
    let text = serde_json::to_vec(message).expect("messages are plain data");
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    let written = encoder.write_all(&text).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail")
}

/// The message that was packed.
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    let mut text = Vec::new();
    let read = DeflateDecoder::new(bytes).take(LONGEST).read_to_end(&mut text);
    read.map_err(|error| Unreadable(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| Unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_is_unpacked_to_the_last_bit_and_nothing_else_is() {
        let message = vec![0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE, 123_456_789.123_456_78];
        let bytes = pack(&message);
        let again: Vec<f64> = unpack(&bytes).unwrap();
        assert!(again.iter().zip(&message).all(|(one, other)| one.to_bits() == other.to_bits()));
        assert!(unpack::<Vec<String>>(&bytes).is_err());
        assert!(unpack::<Vec<f64>>(&bytes[..bytes.len() / 2]).is_err());
        assert!(unpack::<Vec<f64>>(b"GET / HTTP/1.1").is_err());
    }
}
