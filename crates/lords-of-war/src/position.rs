//! Positions on one line. `docs/rules/lords-of-war.md` defines the form.

use std::fmt::Write as _;

use gamecore::{Read, Seat, Wrong, refuse};

use crate::board::{COLS, ROWS, STRIDE, Square, bits, squares_in};
use crate::cards::ARMY_SIZE;
use crate::choices::START;
use crate::combat::judge;
use crate::rules::LordsOfWar;
use crate::shooting::useful_targets;
use crate::state::{HAND_LIMIT, NO_CARD, Reason, Stage, Standing, State};
use crate::view::View;

/// Cards of a deck at the start.
pub(crate) const FULL_DECK: usize = ARMY_SIZE - HAND_LIMIT;

/// The character of a kind: 0 to 9, then a to z; a card that is not known is a question mark.
fn letter(kind: u8) -> char {
    if kind == NO_CARD {
        return '?';
    }
    char::from_digit(kind.into(), 36).expect("there are 36 kinds at most")
}

fn kinds_text(kinds: &[u8]) -> String {
    if kinds.is_empty() { "-".to_owned() } else { kinds.iter().copied().map(letter).collect() }
}

fn set_text(set: u64) -> String {
    squares_in(set).map(|square| square.to_string()).collect::<Vec<_>>().join("+")
}

/// Writes a position.
pub(crate) fn write(game: &LordsOfWar, state: &State) -> String {
    let both = |part: &dyn Fn(Seat) -> String| Seat::BOTH.map(part).join(":");
    let mut text = format!(
        "{} {}:{} {} {} {} {}",
        both(&|seat| game.army(state, seat).id.clone()),
        state.turn,
        state.first.index(),
        state.stage.name(),
        board_text(state),
        both(&|seat| kinds_text(state.hand(seat))),
        both(&|seat| kinds_text(state.deck(seat))),
    );
    let mut extra = |key: &str, value: String| {
        if !value.is_empty() {
            write!(text, " {key}={value}").expect("writing to a string");
        }
    };
    if state.known != [0; 2] {
        extra("known", both(&|seat| kinds_text(&known_kinds(state, seat))));
    }
    if usize::from(state.placed) < 64 {
        extra("placed", Square(state.placed).to_string());
    }
    if let Some(shooter) = state.shooter() {
        extra("shooter", shooter.to_string());
    }
    let shots: Vec<String> = state.shots().map(|(from, to)| format!("{from}>{to}")).collect();
    extra("fired", shots.join("+"));
    extra("contributed", set_text(state.contributed));
    text
}

/// Writes what a seat knows: the position with question marks for cards that it cannot see, and,
/// with hidden cards, which those may be.
pub(crate) fn write_view(game: &LordsOfWar, view: &View) -> String {
    let text = write(game, view.known());
    if !game.options.hidden {
        return text;
    }
    let unseen = Seat::BOTH.map(|side| kinds_text(view.unseen(side)));
    format!("{text} unseen={}", unseen.join(":"))
}

fn known_kinds(state: &State, seat: Seat) -> Vec<u8> {
    let marked = |&(place, _): &(usize, &u8)| state.known[seat.index()] >> place & 1 != 0;
    state.hand(seat).iter().enumerate().filter(marked).map(|(_, &kind)| kind).collect()
}

/// Rows from the far one to the home row of seat 0; a digit is that many empty squares.
fn board_text(state: &State) -> String {
    let row_text = |row: usize| {
        let mut text = String::new();
        let mut empty = 0;
        for col in 0..=COLS {
            let card = Square::new(col, row).and_then(|square| state.card_at(square));
            if (card.is_some() || col == COLS) && empty > 0 {
                write!(text, "{empty}").expect("writing to a string");
                empty = 0;
            }
            match card {
                Some((seat, kind)) => {
                    text.push(if seat == Seat::Zero { '+' } else { '-' });
                    text.push(letter(kind));
                }
                None => empty += 1,
            }
        }
        text
    };
    (0..ROWS).rev().map(row_text).collect::<Vec<_>>().join("/")
}

const FORM: &str = "expected ARMY:ARMY TURN:FIRST STAGE BOARD HAND:HAND DECK:DECK [KEY=VALUE …], \
                    as `warroom` writes positions";

/// Reads a position and runs what leaves no choice in it.
pub(crate) fn read(game: &LordsOfWar, text: &str, wrong: Wrong<'_>) -> Read<State> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [armies, turn, stage, board, hands, decks, extras @ ..] = &words[..] else {
        return Err(wrong(&FORM));
    };
    let army = read_pair(armies, wrong, |id| {
        game.army_index(id).ok_or_else(|| wrong(&format!("no army '{id}' ({})", game.army_names())))
    })?;
    let (turn, first) = turn.split_once(':').ok_or_else(|| wrong(&FORM))?;
    let turn: u16 = turn.parse().map_err(|_| wrong(&format!("turn '{turn}' is no number")))?;
    let first = match first {
        "0" => Seat::Zero,
        "1" => Seat::One,
        _ => refuse!(wrong, "the seat that began is 0 or 1, not '{first}'"),
    };
    let mut state = State::empty(army, first);
    let stage = Stage::ALL.into_iter().find(|known| known.name() == *stage);
    state.stage =
        stage.ok_or_else(|| wrong(&"the stage is open, deploy, shoot, retreat or over"))?;
    state.turn = turn;
    read_board(game, &mut state, board, wrong)?;
    let kinds = |text: &str| read_pair(text, wrong, |text| read_kinds(text, wrong));
    let hands = kinds(hands)?;
    for (seat, deck) in Seat::BOTH.into_iter().zip(kinds(decks)?) {
        if deck.len() > FULL_DECK {
            refuse!(wrong, "a deck has at most {FULL_DECK} cards");
        }
        state.set_deck(seat, &deck);
    }
    let mut turn_so_far = TurnSoFar::default();
    let mut known = [Vec::new(), Vec::new()];
    for extra in extras {
        let (key, value) = extra.split_once('=').ok_or_else(|| wrong(&FORM))?;
        match key {
            "known" => known = kinds(value)?,
            _ => turn_so_far.read(key, value, wrong)?,
        }
    }
    fill_hands(&mut state, &hands, &known, wrong)?;
    complete(game, state, &turn_so_far, wrong)
}

/// What happened in the turn before the decision.
#[derive(Default)]
pub(crate) struct TurnSoFar {
    pub(crate) placed: Option<Square>,
    pub(crate) shooter: Option<Square>,
    pub(crate) fired: Vec<(Square, Square)>,
    pub(crate) contributed: u64,
}

impl TurnSoFar {
    fn read(&mut self, key: &str, value: &str, wrong: Wrong<'_>) -> Read<()> {
        let square = |text: &str| {
            Square::parse(text)
                .ok_or_else(|| wrong(&format!("{key}: '{text}' is no square COL,ROW")))
        };
        match key {
            "placed" => self.placed = Some(square(value)?),
            "shooter" => self.shooter = Some(square(value)?),
            "fired" => {
                for shot in value.split('+') {
                    self.fired.push(read_shot(shot, wrong)?);
                }
            }
            "contributed" => {
                for text in value.split('+') {
                    self.contributed |= square(text)?.bit();
                }
            }
            _ => {
                refuse!(wrong, "'{key}': the keys are known, placed, shooter, fired, contributed");
            }
        }
        Ok(())
    }
}

/// Reads `COL,ROW>COL,ROW`.
pub(crate) fn read_shot(text: &str, wrong: Wrong<'_>) -> Read<(Square, Square)> {
    let parts = text.split_once('>');
    parts
        .and_then(|(from, to)| Some((Square::parse(from)?, Square::parse(to)?)))
        .ok_or_else(|| wrong(&format!("'{text}': expected a shot COL,ROW>COL,ROW")))
}

fn read_pair<T>(text: &str, wrong: Wrong<'_>, read: impl Fn(&str) -> Read<T>) -> Read<[T; 2]> {
    let (zero, one) = text.split_once(':').ok_or_else(|| wrong(&format!("'{text}': {FORM}")))?;
    Ok([read(zero)?, read(one)?])
}

fn read_kinds(text: &str, wrong: Wrong<'_>) -> Read<Vec<u8>> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let kind = |c: char| c.to_digit(36).filter(|_| !c.is_ascii_uppercase()).map(|kind| kind as u8);
    text.chars().map(kind).collect::<Option<_>>().ok_or_else(|| {
        wrong(&format!("'{text}': cards are written as 0 to 9 and a to z, none at all as -"))
    })
}

fn read_board(game: &LordsOfWar, state: &mut State, text: &str, wrong: Wrong<'_>) -> Read<()> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ROWS {
        refuse!(wrong, "the board has {ROWS} rows, not {}", rows.len());
    }
    for (row, line) in (0..ROWS).rev().zip(rows) {
        let too_long = || wrong(&format!("row '{line}' does not have {COLS} squares"));
        let mut col = 0;
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            let seat = match letter {
                '+' => Seat::Zero,
                '-' => Seat::One,
                '1'..='7' => {
                    col += letter as usize - '0' as usize;
                    continue;
                }
                _ => {
                    refuse!(wrong, "row '{line}': expected 1 to 7, + or - and a card");
                }
            };
            let kind = letters.next().map(String::from).unwrap_or_default();
            let kind = *read_kinds(&kind, wrong)?
                .first()
                .ok_or_else(|| wrong(&"a card is missing after + or -"))?;
            let square = Square::new(col, row).ok_or_else(too_long)?;
            put(game, state, seat, kind, square, wrong)?;
            col += 1;
        }
        if col != COLS {
            return Err(too_long());
        }
    }
    Ok(())
}

/// Puts a card that the army has on a square that is free.
pub(crate) fn put(
    game: &LordsOfWar,
    state: &mut State,
    seat: Seat,
    kind: u8,
    square: Square,
    wrong: Wrong<'_>,
) -> Read<()> {
    if usize::from(kind) >= game.army(state, seat).cards.len() {
        // States of traces may name any number here, also one that no letter stands for.
        refuse!(wrong, "{} has no card {kind}", game.army(state, seat).id);
    }
    if state.card_at(square).is_some() {
        refuse!(wrong, "two cards on {square}");
    }
    state.put(game.side(state, seat), seat, kind, square.0.into());
    Ok(())
}

/// Puts cards into the hands; `known` are those that the opponent knows.
pub(crate) fn fill_hands(
    state: &mut State,
    hands: &[Vec<u8>; 2],
    known: &[Vec<u8>; 2],
    wrong: Wrong<'_>,
) -> Read<()> {
    for seat in Seat::BOTH {
        let mut known = known[seat.index()].clone();
        if hands[seat.index()].len() > HAND_LIMIT {
            refuse!(wrong, "a hand has at most {HAND_LIMIT} cards");
        }
        for &kind in &hands[seat.index()] {
            let seen = known.iter().position(|&other| other == kind);
            seen.map(|place| known.swap_remove(place));
            state.take_in_hand(seat, kind, seen.is_some());
        }
        if !known.is_empty() {
            refuse!(wrong, "a known card is not in the hand");
        }
    }
    Ok(())
}

/// Fills in what follows from the rest, refuses what cannot be, and runs on to a choice.
pub(crate) fn complete(
    game: &LordsOfWar,
    mut state: State,
    so_far: &TurnSoFar,
    wrong: Wrong<'_>,
) -> Read<State> {
    if state.turn == 0 || state.turn > game.options.turn_limit {
        refuse!(wrong, "the turn is from 1 to {}", game.options.turn_limit);
    }
    if state.known != [0; 2] && !game.options.hidden {
        refuse!(wrong, "known cards mean nothing where nothing is hidden");
    }
    state.mover = LordsOfWar::mover_of(state.first, state.turn);
    for seat in Seat::BOTH {
        count_lost(game, &mut state, seat, wrong)?;
    }
    let stage = state.stage;
    judge(&mut state);
    if state.stage != stage {
        refuse!(wrong, "a side is beaten, so the stage must be over");
    }
    if stage == Stage::Over && state.standing == Standing::Open {
        if state.turn != game.options.turn_limit {
            refuse!(wrong, "over, but no side is beaten and turns are left");
        }
        (state.standing, state.reason) = (Standing::Drawn, Reason::TurnLimit);
    }
    if state.stage == Stage::Over {
        return Ok(state);
    }
    if (state.stage == Stage::Open) != (state.turn <= 2)
        && matches!(state.stage, Stage::Open | Stage::Deploy)
    {
        refuse!(wrong, "the first two turns are the opening, and no others");
    }
    let to_open = if state.turn == 1 { state.mover.other() } else { state.mover };
    let awaited = match (state.turn, state.stage) {
        (1, Stage::Open) => START[0] | START[1],
        (1, _) | (2, Stage::Open) => START[to_open.index()],
        _ => 0,
    };
    if awaited & (state.held[0] | state.held[1]) != 0 {
        refuse!(wrong, "the square of an opening still to come is taken");
    }
    restore_turn(game, &mut state, so_far, wrong)?;
    refuse_doomed(game, &state, wrong)?;
    game.settle(&mut state);
    Ok(state)
}

/// Lost is what is neither on the board nor in hand nor in the deck.
fn count_lost(game: &LordsOfWar, state: &mut State, seat: Seat, wrong: Wrong<'_>) -> Read<()> {
    let army = game.army(state, seat);
    let board = bits(state.held(seat)).map(|at| state.kind[at]);
    let mut counts = [0; ARMY_SIZE];
    for kind in board.chain(state.hand(seat).iter().chain(state.deck(seat)).copied()) {
        counts[usize::from(kind)] += 1;
    }
    let (mut lost, mut commands) = (0, 0);
    for (kind, count) in (0u8..).zip(counts) {
        let card = army.cards.get(usize::from(kind));
        let has = card.map_or(0, |card| card.count);
        if count > has {
            refuse!(wrong, "{} has {has} cards {}, not {count}", army.id, letter(kind));
        }
        let gone = (has - count) as u8;
        lost += gone;
        commands += if card.is_some_and(crate::Card::commands) { gone } else { 0 };
    }
    (state.lost[seat.index()], state.lost_commands[seat.index()]) = (lost, commands);
    Ok(())
}

fn restore_turn(
    game: &LordsOfWar,
    state: &mut State,
    so_far: &TurnSoFar,
    wrong: Wrong<'_>,
) -> Read<()> {
    let me = state.mover;
    let own = state.held(me);
    if let Some(square) = so_far.placed {
        if square.bit() & own == 0 {
            refuse!(wrong, "placed={square}: no card of the side to move is there");
        }
        state.placed = square.0;
    }
    if so_far.contributed & !own != 0 {
        refuse!(wrong, "contributed: cards of the side to move only");
    }
    if state.stage != Stage::Shoot && (so_far.shooter.is_some() || !so_far.fired.is_empty()) {
        refuse!(wrong, "shooter and fired belong to the stage shoot");
    }
    if state.stage != Stage::Retreat && so_far.contributed != 0 {
        refuse!(wrong, "contributed belongs to the stage retreat");
    }
    match state.stage {
        Stage::Retreat => state.contributed = so_far.contributed,
        Stage::Shoot => {
            let shooter = so_far.shooter.ok_or_else(|| wrong(&"a shooter is missing"))?;
            let attacked = so_far.placed.is_some_and(|square| {
                let at = usize::from(square.0);
                game.side(state, me).hits(state.kind[at], at) & state.held(me.other()) != 0
            });
            game.begin_shooting(state, attacked);
            let able = state.waiting;
            for &(from, to) in &so_far.fired {
                let side = game.side(state, me);
                let before = from < shooter && able & from.bit() != 0;
                let reach = if before {
                    side.reach(state.kind[usize::from(from.0)], from.0.into())
                } else {
                    0
                };
                if reach & state.held(me.other()) & to.bit() == 0 {
                    refuse!(wrong, "fired={from}>{to}: such a shot was not possible");
                }
                state.fired |= from.bit();
                state.target[usize::from(from.0)] = to.0;
            }
            state.waiting = able & (u64::MAX << shooter.0);
            if able & shooter.bit() == 0
                || useful_targets(state, game.side(state, state.mover)) == 0
            {
                refuse!(wrong, "shooter={shooter}: it has nothing to shoot at");
            }
        }
        _ if state.placed != crate::state::NOWHERE => {
            refuse!(wrong, "placed: nothing is placed before the deployment");
        }
        _ => {}
    }
    Ok(())
}

/// Refuses cards that the combat before would have removed: the rules never look at them again.
fn refuse_doomed(game: &LordsOfWar, state: &State, wrong: Wrong<'_>) -> Read<()> {
    let me = state.mover;
    let doomed =
        |seat: Seat| state.sums[seat.other().index()].exceeds(&state.slack) & state.held(seat);
    let mut fallen = doomed(me);
    if state.stage == Stage::Retreat {
        fallen |= doomed(me.other());
    } else if usize::from(state.placed) < STRIDE * ROWS {
        fallen &= !(1 << state.placed);
    }
    if fallen != 0 && !game.options.berserkers_advance {
        let squares = set_text(fallen);
        refuse!(wrong, "attacked by more than their defence, so already fallen: {squares}");
    }
    Ok(())
}
