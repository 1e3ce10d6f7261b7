//! Nim in stages: a turn is two decisions of one seat, and emptying a heap gives another turn.
//! A search that changes sign with every ply plays it wrongly.

use gamecore::{Buf, Game, Notation, NotationError, Rng, Seat, Traits, Turn, key};

use super::{ending_of_winner, parse_number, parse_seat, payoff_of_winner};

const MOST_HEAPS: usize = 4;
const LARGEST_HEAP: u8 = 9;
const MOST_TAKEN: u8 = 3;

/// Choose a heap, then take one to three from it; who takes the last of all wins.
#[derive(Clone, Debug)]
pub struct StagedNim {
    heaps: Vec<u8>,
}

impl StagedNim {
    /// A game that begins with one to four heaps of one to nine.
    ///
    /// # Panics
    /// If there are more heaps or larger ones.
    #[must_use]
    pub fn new(heaps: &[u8]) -> Self {
        assert!((1..=MOST_HEAPS).contains(&heaps.len()), "one to four heaps, not {heaps:?}");
        assert!(
            heaps.iter().all(|heap| (1..=LARGEST_HEAP).contains(heap)),
            "heaps of one to nine, not {heaps:?}"
        );
        Self { heaps: heaps.to_vec() }
    }
}

impl Default for StagedNim {
    fn default() -> Self {
        Self::new(&[2, 3, 4])
    }
}

/// Heaps, seat and the stage inside the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedNimState {
    heaps: Vec<u8>,
    /// Who acts; after the end, who has won.
    seat: Seat,
    chosen: Option<u8>,
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StagedNimAction {
    /// The first decision of a turn: the heap, counted from 0.
    Choose(u8),
    /// The second decision of a turn: how many to take.
    Take(u8),
}

impl Game for StagedNim {
    type State = StagedNimState;
    type Action = StagedNimAction;
    type View = StagedNimState;
    type Setup = ();

    const NAME: &'static str = "staged-nim";
    const MAX_ACTIONS: usize = MOST_HEAPS;

    fn traits(&self) -> Traits {
        Traits::default()
    }

    fn start(&self, (): &(), _rng: &mut Rng) -> StagedNimState {
        StagedNimState { heaps: self.heaps.clone(), seat: Seat::Zero, chosen: None }
    }

    fn turn(&self, state: &StagedNimState) -> Turn {
        if state.heaps.iter().all(|&heap| heap == 0) {
            Turn::Over
        } else {
            Turn::Player(state.seat)
        }
    }

    fn actions(&self, state: &StagedNimState, out: &mut Buf<StagedNimAction>) {
        match state.chosen {
            None => out.extend(
                (0u8..)
                    .zip(&state.heaps)
                    .filter(|&(_, &heap)| heap > 0)
                    .map(|(index, _)| StagedNimAction::Choose(index)),
            ),
            Some(index) => out.extend(
                (1..=state.heaps[usize::from(index)].min(MOST_TAKEN)).map(StagedNimAction::Take),
            ),
        }
    }

    fn apply(&self, state: &mut StagedNimState, action: StagedNimAction) {
        match (action, state.chosen) {
            (StagedNimAction::Choose(index), _) => state.chosen = Some(index),
            (StagedNimAction::Take(count), Some(index)) => {
                let heap = &mut state.heaps[usize::from(index)];
                *heap -= count;
                if *heap > 0 {
                    state.seat = state.seat.other();
                }
                state.chosen = None;
            }
            (StagedNimAction::Take(_), None) => unreachable!("a heap is chosen before taking"),
        }
    }

    fn payoff(&self, state: &StagedNimState, seat: Seat) -> f32 {
        payoff_of_winner(Some(state.seat), seat)
    }

    fn key(&self, state: &StagedNimState) -> u64 {
        let stage = state.chosen.map_or(0, |index| u64::from(index) + 1);
        let first = key::fold(state.seat.index() as u64, stage);
        state.heaps.iter().fold(first, |key, &heap| key::fold(key, u64::from(heap)))
    }

    fn view(&self, state: &StagedNimState, _seat: Seat) -> StagedNimState {
        state.clone()
    }

    fn sample(&self, view: &StagedNimState, _rng: &mut Rng) -> StagedNimState {
        view.clone()
    }
}

impl Notation for StagedNim {
    fn action_text(&self, _state: &StagedNimState, action: StagedNimAction) -> String {
        match action {
            StagedNimAction::Choose(index) => format!("heap{}", index + 1),
            StagedNimAction::Take(count) => format!("take{count}"),
        }
    }

    fn position_text(&self, state: &StagedNimState) -> String {
        let heaps: Vec<String> = state.heaps.iter().map(u8::to_string).collect();
        let stage = state.chosen.map_or(0, |index| index + 1);
        format!("{} {} {stage}", heaps.join("/"), state.seat.index())
    }

    fn parse_position(&self, text: &str) -> Result<StagedNimState, NotationError> {
        let fail = |reason: &str| NotationError::new("position", text, reason);
        let parts: Vec<&str> = text.split(' ').collect();
        let [heaps, seat, stage] = parts[..] else {
            return Err(fail("expected 'HEAP/HEAP/… SEAT CHOSEN', such as '2/3/4 0 0'"));
        };
        let heaps: Option<Vec<u8>> =
            heaps.split('/').map(|heap| parse_number(heap, LARGEST_HEAP)).collect();
        let heaps = heaps.ok_or_else(|| fail("a heap is a number from 0 to 9"))?;
        if heaps.len() != self.heaps.len() {
            return Err(fail("the number of heaps differs from the rules"));
        }
        let seat = parse_seat(seat).ok_or_else(|| fail("the seat is 0 or 1"))?;
        let stage = parse_number(stage, heaps.len() as u8)
            .ok_or_else(|| fail("the chosen heap is a number, 0 for none"))?;
        let chosen = stage.checked_sub(1);
        if chosen.is_some_and(|index| heaps[usize::from(index)] == 0) {
            return Err(fail("the chosen heap is empty"));
        }
        Ok(StagedNimState { heaps, seat, chosen })
    }

    fn picture(&self, state: &StagedNimState) -> String {
        state.heaps.iter().map(|&heap| "|".repeat(usize::from(heap)) + "\n").collect()
    }

    fn ending(&self, state: &StagedNimState) -> String {
        match self.turn(state) {
            Turn::Over => ending_of_winner(Some(state.seat)),
            _ => String::new(),
        }
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        let heaps: Vec<String> = self.heaps.iter().map(u8::to_string).collect();
        vec![("heaps", heaps.join("/"))]
    }
}
