//! How the host reaches us: it writes a request into room that it asked for, and reads an answer whose place
//! and length it is told. There is one thread, and the host asks one thing after the other.
#![allow(unsafe_code, reason = "a host knows addresses and nothing else")]

use std::time::Duration;

use gamecore::Clock;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some fixed moment.
    fn now() -> f64;
}

/// Time as the host tells it.
struct HostClock;

impl Clock for HostClock {
    fn now(&self) -> Duration {
        // SAFETY: the host gives a number and touches nothing.
        Duration::from_secs_f64(unsafe { now() } / 1000.0)
    }
}

/// Room for a request of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    Box::leak(vec![0_u8; length].into_boxed_slice()).as_mut_ptr()
}

/// Answers the request of so many bytes that stands in room that was given, and takes that back. The answer
/// begins with its length in four bytes, and is to be given back to [`done`].
///
/// # Safety
/// `request` is what `room(length)` gave, with a text in it, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(request: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: the caller promises that this is a whole room.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, length)) };
    let answer = crate::answer(&String::from_utf8_lossy(&request), &HostClock);
    let mut told = (answer.len() as u32).to_le_bytes().to_vec();
    told.extend_from_slice(answer.as_bytes());
    Box::leak(told.into_boxed_slice()).as_mut_ptr()
}

/// Takes back an answer of so many bytes, its length among them.
///
/// # Safety
/// `told` is what [`answer`] gave, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn done(told: *mut u8, length: usize) {
    // SAFETY: the caller promises that this is a whole answer.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(told, length)) });
}
