//! Who is connected, and who has to go when there is no room left.
//!
//! A connection that owes us something (a head, a body, its next question) makes room for a new one,
//! first the one that has owed it longest; a connection that is being answered, or is the socket of a
//! game, never does. So somebody who opens many connections and says little on them takes the place
//! only of others of that kind.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::limits::Limits;

/// What a connection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The head of a request is expected or on its way.
    Head,
    /// The body of a request is on its way.
    Body,
    /// Answered; the next request is expected.
    Idle,
    /// It is answered, or is the socket of a game.
    Served,
    /// It has to go.
    Leaving,
}

/// One connection.
pub(crate) struct Guest {
    address: IpAddr,
    state: Mutex<(Phase, Instant)>,
    changed: Notify,
}

impl Guest {
    fn new(address: IpAddr) -> Self {
        let state = Mutex::new((Phase::Head, Instant::now()));
        Self { address, state, changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, (Phase, Instant)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Since when the client has to say something; `None` if it is our turn.
    fn owes_since(&self) -> Option<Instant> {
        let (phase, since) = *self.state();
        matches!(phase, Phase::Head | Phase::Body | Phase::Idle).then_some(since)
    }

    /// Notes what the connection does now.
    pub(crate) fn turn_to(&self, phase: Phase) {
        let mut state = self.state();
        // Who has to go is not asked back.
        if state.0 != Phase::Leaving && state.0 != phase {
            *state = (phase, Instant::now());
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Notes that bytes came.
    pub(crate) fn hears(&self) {
        if self.state().0 == Phase::Idle {
            self.turn_to(Phase::Head);
        }
    }

    /// Notes that the client took bytes: the end of an answer may still be on its way to it.
    pub(crate) fn takes(&self) {
        let mut state = self.state();
        if state.0 == Phase::Idle {
            state.1 = Instant::now();
        }
    }

    /// Ends when the connection has to go: it took too long, or makes room.
    pub(crate) async fn overdue(&self, limits: &Limits) {
        loop {
            let (phase, since) = *self.state();
            let allowed: Option<Duration> = match phase {
                Phase::Head => Some(limits.head),
                Phase::Idle => Some(limits.idle),
                Phase::Leaving => return,
                // Whoever reads the body counts its time, and says that it is over.
                Phase::Body | Phase::Served => None,
            };
            let Some(allowed) = allowed else {
                self.changed.notified().await;
                continue;
            };
            tokio::select! {
                () = self.changed.notified() => {}
                () = tokio::time::sleep_until(since + allowed) => {
                    if *self.state() == (phase, since) {
                        return;
                    }
                }
            }
        }
    }
}

/// All connections.
pub(crate) struct Guests {
    limits: Limits,
    present: Mutex<Present>,
}

#[derive(Default)]
struct Present {
    guests: BTreeMap<u64, Arc<Guest>>,
    next: u64,
}

impl Guests {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, present: Mutex::default() }
    }

    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from this address. If there is none left, another connection that
    /// owes us something has to go; `None` if there is no such one.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let address = neighbourhood(address);
        let mut present = self.present();
        let from_there = present.guests.values().filter(|guest| guest.address == address).count();
        let mut may_all_go = true;
        if !address.is_loopback() && from_there >= self.limits.per_address {
            may_all_go = false;
        } else if present.guests.len() < self.limits.connections {
            return Some(self.seat(&mut present, address));
        }
        let asked =
            present.guests.iter().filter(|(_, guest)| may_all_go || guest.address == address);
        let owing = asked.filter_map(|(&number, guest)| Some((guest.owes_since()?, number)));
        let (_, number) = owing.min()?;
        if let Some(guest) = present.guests.remove(&number) {
            guest.turn_to(Phase::Leaving);
        }
        Some(self.seat(&mut present, address))
    }

    fn seat(self: &Arc<Self>, present: &mut Present, address: IpAddr) -> Place {
        let (number, guest) = (present.next, Arc::new(Guest::new(address)));
        present.next += 1;
        present.guests.insert(number, guest.clone());
        Place { guests: self.clone(), number, guest }
    }
}

/// The place of a connection, free again when this is dropped.
pub(crate) struct Place {
    guests: Arc<Guests>,
    number: u64,
    pub(crate) guest: Arc<Guest>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.guests.present().guests.remove(&self.number);
    }
}

/// Whom an address stands for: one customer of a network usually has 2^64 addresses of version 6.
fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(own) if !own.is_loopback() => {
            let [a, b, c, d, ..] = own.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guests(connections: usize, per_address: usize) -> Arc<Guests> {
        let limits = Limits { connections, per_address, ..Limits::default() };
        Arc::new(Guests::new(limits))
    }

    fn at(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn who_owes_something_makes_room_and_who_is_served_does_not() {
        let guests = guests(3, 3);
        let places = [(); 3].map(|()| guests.admit(at("127.0.0.1")).unwrap());
        for (place, phase) in places.iter().zip([Phase::Served, Phase::Body, Phase::Idle]) {
            place.guest.turn_to(phase);
        }
        let fourth = guests.admit(at("127.0.0.1")).expect("a half-sent body makes room");
        fourth.guest.turn_to(Phase::Served);
        assert_eq!(places[1].guest.state().0, Phase::Leaving);
        let fifth = guests.admit(at("127.0.0.1")).expect("an idle connection makes room");
        fifth.guest.turn_to(Phase::Served);
        assert_eq!(places[2].guest.state().0, Phase::Leaving);
        assert!(guests.admit(at("127.0.0.1")).is_none(), "all are served");
        drop(fourth);
        assert!(guests.admit(at("127.0.0.1")).is_some());
    }

    #[test]
    fn an_address_takes_room_only_from_itself() {
        let guests = guests(10, 2);
        let near = guests.admit(at("10.0.0.1")).unwrap();
        let own = [(); 2].map(|()| guests.admit(at("2001:db8::1")).unwrap());
        let third = guests.admit(at("2001:db8::77")).expect("its oldest connection makes room");
        assert_eq!(own[0].guest.state().0, Phase::Leaving);
        assert_eq!(near.guest.state().0, Phase::Head);
        own[1].guest.turn_to(Phase::Served);
        third.guest.turn_to(Phase::Served);
        assert!(guests.admit(at("2001:db8::5")).is_none(), "too many from there");
        assert!(guests.admit(at("2001:db8:0:1::5")).is_some(), "another network");
        let here: Vec<Place> = (0..6).filter_map(|_| guests.admit(at("::1"))).collect();
        assert_eq!(here.len(), 6, "this machine may have all");
    }

    #[tokio::test]
    async fn every_phase_has_its_own_time() {
        let brief = Duration::from_millis(40);
        let limits = Limits { head: brief, ..Limits::default() };
        let guest = Guest::new(at("127.0.0.1"));
        let began = Instant::now();
        guest.overdue(&limits).await;
        assert!(began.elapsed() >= brief, "a head that does not come");
        for phase in [Phase::Served, Phase::Body, Phase::Idle] {
            guest.turn_to(phase);
            let waited = tokio::time::timeout(2 * brief, guest.overdue(&limits)).await;
            assert!(waited.is_err(), "{phase:?} may take longer");
        }
        guest.hears();
        let began = Instant::now();
        guest.overdue(&limits).await;
        assert!(began.elapsed() >= brief, "a head that began late has all its time");
    }
}
