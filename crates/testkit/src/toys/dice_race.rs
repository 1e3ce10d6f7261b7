//! A race with two dice: chance nodes of unequal weight, a decision after each of them.

use gamecore::{Buf, Game, Notation, NotationError, Rng, Seat, Traits, Turn, key};

use super::{ending_of_winner, parse_number, parse_seat, payoff_of_winner};

const FINISH: u8 = 10;
const MOST_ROLLS: u8 = 14;
const LOWEST_ROLL: u8 = 2;
const HIGHEST_ROLL: u8 = 8;

/// Each seat has two runners. Two four-sided dice are rolled, the seat advances one runner by their
/// sum; landing on opponents on the way sends them home, the lowest roll gives another turn. The
/// first seat with both runners at the finish wins; after fourteen rolls, the one further ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiceRace;

/// Where the runners are, and the roll that waits to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceRaceState {
    runners: [[u8; 2]; 2],
    seat: Seat,
    rolls_made: u8,
    roll: Option<u8>,
}

/// A roll of the dice, or what a seat does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiceRaceAction {
    /// Chance: the sum of the dice.
    Roll(u8),
    /// Advance this runner of the seat, 0 or 1.
    Advance(u8),
}

impl DiceRaceState {
    fn advanced(&self, seat: Seat) -> u8 {
        self.runners[seat.index()].iter().sum()
    }

    fn is_home(&self, seat: Seat) -> bool {
        self.advanced(seat) == 2 * FINISH
    }

    fn winner(&self) -> Option<Seat> {
        match self.advanced(Seat::Zero).cmp(&self.advanced(Seat::One)) {
            std::cmp::Ordering::Greater => Some(Seat::Zero),
            std::cmp::Ordering::Less => Some(Seat::One),
            std::cmp::Ordering::Equal => None,
        }
    }
}

impl Game for DiceRace {
    type State = DiceRaceState;
    type Action = DiceRaceAction;
    type View = DiceRaceState;
    type Setup = ();

    const NAME: &'static str = "dice-race";
    const MAX_ACTIONS: usize = (HIGHEST_ROLL - LOWEST_ROLL + 1) as usize;

    fn traits(&self) -> Traits {
        Traits { chance: true, ..Traits::default() }
    }

    fn start(&self, (): &(), _rng: &mut Rng) -> DiceRaceState {
        DiceRaceState { runners: [[0; 2]; 2], seat: Seat::Zero, rolls_made: 0, roll: None }
    }

    fn turn(&self, state: &DiceRaceState) -> Turn {
        if state.roll.is_some() {
            Turn::Player(state.seat)
        } else if state.rolls_made == MOST_ROLLS || Seat::BOTH.iter().any(|&s| state.is_home(s)) {
            Turn::Over
        } else {
            Turn::Chance
        }
    }

    fn actions(&self, state: &DiceRaceState, out: &mut Buf<DiceRaceAction>) {
        if state.roll.is_some() {
            let runners = state.runners[state.seat.index()];
            out.extend(
                (0..2)
                    .filter(|&runner| runners[usize::from(runner)] < FINISH)
                    .map(DiceRaceAction::Advance),
            );
        } else {
            out.extend((LOWEST_ROLL..=HIGHEST_ROLL).map(DiceRaceAction::Roll));
        }
    }

    fn weight(&self, _state: &DiceRaceState, outcome: DiceRaceAction) -> u32 {
        match outcome {
            DiceRaceAction::Roll(sum) => u32::from((sum - 1).min(HIGHEST_ROLL + 1 - sum)),
            DiceRaceAction::Advance(_) => unreachable!("only rolls are chance outcomes"),
        }
    }

    fn apply(&self, state: &mut DiceRaceState, action: DiceRaceAction) {
        match (action, state.roll) {
            (DiceRaceAction::Roll(sum), _) => {
                state.roll = Some(sum);
                state.rolls_made += 1;
            }
            (DiceRaceAction::Advance(runner), Some(roll)) => {
                let place = &mut state.runners[state.seat.index()][usize::from(runner)];
                *place = (*place + roll).min(FINISH);
                let place = *place;
                for opponent in &mut state.runners[state.seat.other().index()] {
                    if *opponent == place && place < FINISH {
                        *opponent = 0;
                    }
                }
                state.roll = None;
                if roll > LOWEST_ROLL {
                    state.seat = state.seat.other();
                }
            }
            (DiceRaceAction::Advance(_), None) => unreachable!("the dice are rolled first"),
        }
    }

    fn payoff(&self, state: &DiceRaceState, seat: Seat) -> f32 {
        payoff_of_winner(state.winner(), seat)
    }

    fn key(&self, state: &DiceRaceState) -> u64 {
        let [[a, b], [c, d]] = state.runners;
        let seat = state.seat.index() as u8;
        let bytes = [a, b, c, d, seat, state.rolls_made, state.roll.unwrap_or(0), 0];
        key::mix(u64::from_le_bytes(bytes).wrapping_add(1))
    }

    fn view(&self, state: &DiceRaceState, _seat: Seat) -> DiceRaceState {
        *state
    }

    fn sample(&self, view: &DiceRaceState, _rng: &mut Rng) -> DiceRaceState {
        *view
    }
}

impl Notation for DiceRace {
    fn action_text(&self, _state: &DiceRaceState, action: DiceRaceAction) -> String {
        match action {
            DiceRaceAction::Roll(sum) => format!("roll{sum}"),
            DiceRaceAction::Advance(runner) => format!("run{}", runner + 1),
        }
    }

    fn position_text(&self, state: &DiceRaceState) -> String {
        let [[a, b], [c, d]] = state.runners;
        let roll = state.roll.unwrap_or(0);
        format!("{a} {b} {c} {d} {} {} {roll}", state.seat.index(), state.rolls_made)
    }

    fn parse_position(&self, text: &str) -> Result<DiceRaceState, NotationError> {
        let fail = |reason: &str| NotationError::new("position", text, reason);
        let parts: Vec<&str> = text.split(' ').collect();
        let [a, b, c, d, seat, rolls_made, roll] = parts[..] else {
            return Err(fail("expected four runners, seat, rolls made and roll: '0 0 0 0 0 0 0'"));
        };
        let runner = |text| {
            parse_number(text, FINISH).ok_or_else(|| fail("a runner is at a place from 0 to 10"))
        };
        let runners = [[runner(a)?, runner(b)?], [runner(c)?, runner(d)?]];
        let seat = parse_seat(seat).ok_or_else(|| fail("the seat is 0 or 1"))?;
        let rolls_made = parse_number(rolls_made, MOST_ROLLS)
            .ok_or_else(|| fail("the rolls made are from 0 to 14"))?;
        let roll = match parse_number(roll, HIGHEST_ROLL) {
            Some(0) => None,
            Some(roll) if roll >= LOWEST_ROLL && rolls_made > 0 => Some(roll),
            _ => return Err(fail("the roll is from 2 to 8, or 0 before it is made")),
        };
        let state = DiceRaceState { runners, seat, rolls_made, roll };
        if roll.is_some() && Seat::BOTH.iter().any(|&seat| state.is_home(seat)) {
            return Err(fail("nobody rolls after the race"));
        }
        Ok(state)
    }

    fn picture(&self, state: &DiceRaceState) -> String {
        let lane = |&place: &u8| format!("{}*\n", "-".repeat(usize::from(place)));
        state.runners.iter().flatten().map(lane).collect()
    }

    fn ending(&self, state: &DiceRaceState) -> String {
        match self.turn(state) {
            Turn::Over => ending_of_winner(state.winner()),
            _ => String::new(),
        }
    }
}
