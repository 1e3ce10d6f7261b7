//! Three hands of a poker after Kuhn (1950) with hidden cards; the balance of chips decides.

use gamecore::{Buf, Game, Notation, NotationError, Rng, Seat, Traits, Turn, key};

use super::{ending_of_winner, parse_number, payoff_of_winner};

const HANDS: usize = 3;
const RANKS: u8 = 5;
/// Two cards of each rank, so that a showdown can be a tie.
const COPIES: usize = 2;

/// Both seats get three cards at the start and play one hand with each, in order. The ante is one
/// chip; a bet adds one. Cards are shown after a showdown and stay secret after a fold.
#[derive(Clone, Copy, Debug, Default)]
pub struct MiniPoker;

/// One decision in the betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MiniPokerAction {
    /// Add nothing.
    Check,
    /// Add a chip.
    Bet,
    /// Answer the bet.
    Call,
    /// Give up the hand.
    Fold,
}

/// Where the betting of a hand is. The seats open in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open,
    Checked,
    BetAtOnce,
    BetAfterCheck,
}

const STAGES: [(Stage, &str); 4] = [
    (Stage::Open, "open"),
    (Stage::Checked, "checked"),
    (Stage::BetAtOnce, "bet"),
    (Stage::BetAfterCheck, "checked-bet"),
];

/// What both seats see.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Table {
    hand: u8,
    stage: Stage,
    /// Chips that seat 0 has won from seat 1.
    balance: i8,
    /// The hands that came to a showdown.
    shown: [bool; HANDS],
}

/// The table and the cards of both seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniPokerState {
    table: Table,
    cards: [[u8; HANDS]; 2],
}

/// The table, the own cards, and those of the opponent that were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniPokerView {
    table: Table,
    seat: Seat,
    own: [u8; HANDS],
    opponent: [Option<u8>; HANDS],
}

impl Table {
    fn actor(&self) -> Seat {
        let opener = Seat::from_index(usize::from(self.hand));
        match self.stage {
            Stage::Open | Stage::BetAfterCheck => opener,
            Stage::Checked | Stage::BetAtOnce => opener.other(),
        }
    }

    fn winner(&self) -> Option<Seat> {
        match self.balance {
            0 => None,
            1.. => Some(Seat::Zero),
            _ => Some(Seat::One),
        }
    }
}

impl MiniPokerState {
    fn finish_hand(&mut self, chips: i8, folded: Option<Seat>) {
        let hand = usize::from(self.table.hand);
        let winner = folded.map(Seat::other).or_else(|| {
            let [zero, one] = self.cards.map(|cards| cards[hand]);
            (zero != one).then(|| Seat::from_index(usize::from(one > zero)))
        });
        self.table.balance += match winner {
            None => 0,
            Some(Seat::Zero) => chips,
            Some(Seat::One) => -chips,
        };
        self.table.shown[hand] = folded.is_none();
        self.table.hand += 1;
        self.table.stage = Stage::Open;
    }
}

/// The deck without the given cards.
fn rest_of_deck(known: &[u8]) -> Vec<u8> {
    (1..=RANKS)
        .flat_map(|rank| {
            let gone = known.iter().filter(|&&card| card == rank).count();
            std::iter::repeat_n(rank, COPIES - gone)
        })
        .collect()
}

impl Game for MiniPoker {
    type State = MiniPokerState;
    type Action = MiniPokerAction;
    type View = MiniPokerView;
    type Setup = ();

    const NAME: &'static str = "mini-poker";
    const MAX_ACTIONS: usize = 2;

    fn traits(&self) -> Traits {
        Traits { hidden: true, ..Traits::default() }
    }

    fn start(&self, (): &(), rng: &mut Rng) -> MiniPokerState {
        let mut deck = rest_of_deck(&[]);
        rng.shuffle(&mut deck);
        let table = Table { hand: 0, stage: Stage::Open, balance: 0, shown: [false; HANDS] };
        let cards = [0, HANDS].map(|first| std::array::from_fn(|index| deck[first + index]));
        MiniPokerState { table, cards }
    }

    fn turn(&self, state: &MiniPokerState) -> Turn {
        if usize::from(state.table.hand) == HANDS {
            Turn::Over
        } else {
            Turn::Player(state.table.actor())
        }
    }

    fn actions(&self, state: &MiniPokerState, out: &mut Buf<MiniPokerAction>) {
        out.extend(match state.table.stage {
            Stage::Open | Stage::Checked => [MiniPokerAction::Check, MiniPokerAction::Bet],
            Stage::BetAtOnce | Stage::BetAfterCheck => {
                [MiniPokerAction::Call, MiniPokerAction::Fold]
            }
        });
    }

    fn apply(&self, state: &mut MiniPokerState, action: MiniPokerAction) {
        let actor = state.table.actor();
        match (action, state.table.stage) {
            (MiniPokerAction::Check, Stage::Open) => state.table.stage = Stage::Checked,
            (MiniPokerAction::Check, _) => state.finish_hand(1, None),
            (MiniPokerAction::Bet, Stage::Open) => state.table.stage = Stage::BetAtOnce,
            (MiniPokerAction::Bet, _) => state.table.stage = Stage::BetAfterCheck,
            (MiniPokerAction::Call, _) => state.finish_hand(2, None),
            (MiniPokerAction::Fold, _) => state.finish_hand(1, Some(actor)),
        }
    }

    fn payoff(&self, state: &MiniPokerState, seat: Seat) -> f32 {
        payoff_of_winner(state.table.winner(), seat)
    }

    fn key(&self, state: &MiniPokerState) -> u64 {
        let table = &state.table;
        let shown = table.shown.iter().fold(0, |bits, &shown| bits << 1 | u64::from(shown));
        let words = [u64::from(table.hand), table.stage as u64, table.balance as u64, shown];
        let key = words.into_iter().fold(0, key::fold);
        state.cards.iter().flatten().fold(key, |key, &card| key::fold(key, u64::from(card)))
    }

    fn view(&self, state: &MiniPokerState, seat: Seat) -> MiniPokerView {
        let theirs = state.cards[seat.other().index()];
        let shown = state.table.shown;
        MiniPokerView {
            table: state.table.clone(),
            seat,
            own: state.cards[seat.index()],
            opponent: std::array::from_fn(|hand| shown[hand].then_some(theirs[hand])),
        }
    }

    fn sample(&self, view: &MiniPokerView, rng: &mut Rng) -> MiniPokerState {
        let known: Vec<u8> =
            view.own.into_iter().chain(view.opponent.into_iter().flatten()).collect();
        let mut deck = rest_of_deck(&known);
        rng.shuffle(&mut deck);
        let theirs: [u8; HANDS] =
            std::array::from_fn(|hand| view.opponent[hand].unwrap_or(deck[hand]));
        let cards = match view.seat {
            Seat::Zero => [view.own, theirs],
            Seat::One => [theirs, view.own],
        };
        MiniPokerState { table: view.table.clone(), cards }
    }
}

/// The line of a position; a card that is not known is a question mark.
fn table_text(table: &Table, cards: [[Option<u8>; HANDS]; 2]) -> String {
    let card = |card: Option<u8>| card.map_or_else(|| "?".to_owned(), |card| card.to_string());
    let [zero, one] = cards.map(|cards| cards.map(card).concat());
    let (_, stage) = STAGES[table.stage as usize];
    let shown: String = table.shown.map(|shown| if shown { 's' } else { '.' }).iter().collect();
    format!("{zero} {one} {} {stage} {} {shown}", table.hand, table.balance)
}

impl Notation for MiniPoker {
    const VIEWS_AS_TEXT: bool = true;

    fn action_text(&self, _state: &MiniPokerState, action: MiniPokerAction) -> String {
        match action {
            MiniPokerAction::Check => "check",
            MiniPokerAction::Bet => "bet",
            MiniPokerAction::Call => "call",
            MiniPokerAction::Fold => "fold",
        }
        .to_owned()
    }

    fn position_text(&self, state: &MiniPokerState) -> String {
        table_text(&state.table, state.cards.map(|cards| cards.map(Some)))
    }

    fn view_text(&self, view: &MiniPokerView) -> String {
        let own = view.own.map(Some);
        let cards = match view.seat {
            Seat::Zero => [own, view.opponent],
            Seat::One => [view.opponent, own],
        };
        table_text(&view.table, cards)
    }

    fn parse_position(&self, text: &str) -> Result<MiniPokerState, NotationError> {
        let fail = |reason: &str| NotationError::new("position", text, reason);
        let parts: Vec<&str> = text.split(' ').collect();
        let [zero, one, hand, stage, balance, shown] = parts[..] else {
            let form =
                "expected cards of both, hand, stage, balance, shown: '123 345 0 open 0 ...'";
            return Err(fail(form));
        };
        let read_cards = |text: &str| -> Option<[u8; HANDS]> {
            let digits: Option<Vec<u8>> =
                text.chars().map(|digit| Some(digit.to_digit(10)? as u8)).collect();
            let cards: [u8; HANDS] = digits?.try_into().ok()?;
            cards.iter().all(|card| (1..=RANKS).contains(card)).then_some(cards)
        };
        let cards = [zero, one].map(read_cards);
        let [Some(zero), Some(one)] = cards else {
            return Err(fail("a seat has three cards from 1 to 5"));
        };
        let copies = |rank| zero.iter().chain(&one).filter(|&&card| card == rank).count();
        if (1..=RANKS).any(|rank| copies(rank) > COPIES) {
            return Err(fail("there are two cards of each rank"));
        }
        let hand = parse_number(hand, HANDS as u8).ok_or_else(|| fail("the hand is 0 to 3"))?;
        let &(stage, _) = STAGES
            .iter()
            .find(|(_, name)| *name == stage)
            .ok_or_else(|| fail("the stage is open, checked, bet or checked-bet"))?;
        if usize::from(hand) == HANDS && stage != Stage::Open {
            return Err(fail("nobody bets after the last hand"));
        }
        let most = 2 * hand as i8;
        let balance: i8 = balance
            .parse()
            .ok()
            .filter(|number: &i8| (-most..=most).contains(number) && number.to_string() == balance)
            .ok_or_else(|| fail("a hand moves at most two chips"))?;
        let shown: Option<Vec<bool>> =
            shown.chars().map(|letter| "s.".contains(letter).then_some(letter == 's')).collect();
        let shown: Option<[bool; HANDS]> = shown.and_then(|shown| shown.try_into().ok());
        let shown = shown
            .filter(|shown| shown[usize::from(hand)..].iter().all(|&shown| !shown))
            .ok_or_else(|| fail("shown is 's' or '.' for each hand, 's' only for finished ones"))?;
        let table = Table { hand, stage, balance, shown };
        Ok(MiniPokerState { table, cards: [zero, one] })
    }

    fn picture(&self, state: &MiniPokerState) -> String {
        format!("{}\n", self.position_text(state))
    }

    fn ending(&self, state: &MiniPokerState) -> String {
        match self.turn(state) {
            Turn::Over => ending_of_winner(state.table.winner()),
            _ => String::new(),
        }
    }
}
