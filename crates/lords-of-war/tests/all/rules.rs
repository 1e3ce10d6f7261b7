//! Positions whose answers the rules give (`docs/rules/lords-of-war.md`): dwarves at seat 0, orcs
//! at seat 1.

use gamecore::{Buf, Game, Notation, Seat};
use lords_of_war::{COLS, LordsOfWar, Options, ROWS, Square, Stage, State};

/// Kinds of dwarves.
const KROD: &str = "0";
const SHARPSHOOTER: &str = "Dwarf Sharpshooter";
const AXETHROWER: &str = "Dwarf Axethrower";
const SLUGGER: &str = "Dwarf Slugger";
const DOWAGER: &str = "Dwarf Dowager";

/// A position under construction.
struct Table {
    game: LordsOfWar,
    board: Vec<(Seat, u8, Square)>,
    hand: Vec<u8>,
    deck: [bool; 2],
}

fn at(col: usize, row: usize) -> Square {
    Square::new(col, row).expect("on the board")
}

impl Table {
    fn new(rules: &str) -> Self {
        let game = LordsOfWar::new(Options::parse(rules).expect("rules of a test"));
        Self { game, board: Vec::new(), hand: Vec::new(), deck: [true; 2] }
    }

    /// The `which`-th kind with this title, or the kind of this number.
    fn kind(&self, army: usize, title: &str, which: usize) -> u8 {
        if let Ok(kind) = title.parse() {
            return kind;
        }
        let cards = &self.game.armies()[army].cards;
        let found = (0..).zip(cards).filter(|(_, card)| card.name == title);
        found.map(|(kind, _)| kind).nth(which).unwrap_or_else(|| panic!("no {title} {which}"))
    }

    fn dwarf(mut self, title: &str, which: usize, square: (usize, usize)) -> Self {
        self.board.push((Seat::Zero, self.kind(1, title, which), at(square.0, square.1)));
        self
    }

    fn orc(mut self, title: &str, which: usize, square: (usize, usize)) -> Self {
        self.board.push((Seat::One, self.kind(0, title, which), at(square.0, square.1)));
        self
    }

    fn hand(mut self, title: &str, which: usize) -> Self {
        self.hand.push(self.kind(1, title, which));
        self
    }

    /// The position with the dwarves to move; what is nowhere else is in the decks.
    fn text(&self, stage: &str) -> String {
        let letter = |kind: u8| char::from_digit(kind.into(), 36).unwrap();
        let mut rows = Vec::new();
        for row in (0..ROWS).rev() {
            let mut line = String::new();
            for col in 0..COLS {
                match self.board.iter().find(|(_, _, square)| *square == at(col, row)) {
                    Some((Seat::Zero, kind, _)) => line.extend(['+', letter(*kind)]),
                    Some((Seat::One, kind, _)) => line.extend(['-', letter(*kind)]),
                    None => line.push('1'),
                }
            }
            rows.push(line);
        }
        let left = |seat: Seat, army: usize| {
            let mut kinds = self.game.armies()[army].physical().to_vec();
            let mut take = |kind: u8| {
                let place = kinds.iter().position(|&other| other == kind).expect("a card left");
                kinds.remove(place);
            };
            self.board.iter().filter(|(s, ..)| *s == seat).for_each(|&(_, kind, _)| take(kind));
            if seat == Seat::Zero {
                self.hand.iter().for_each(|&kind| take(kind));
            }
            // At most 30 are in a deck; the others are lost, the general and commands never.
            let excess = kinds.len().saturating_sub(30);
            kinds.reverse();
            let deck: String = kinds[excess..].iter().map(|&kind| letter(kind)).collect();
            if self.deck[seat.index()] { deck } else { "-".to_owned() }
        };
        let hand: String = self.hand.iter().map(|&kind| letter(kind)).collect();
        let hand = if hand.is_empty() { "-" } else { &hand };
        format!(
            "dwarves:orcs 5:0 {stage} {} {hand}:- {}:{}",
            rows.join("/"),
            left(Seat::Zero, 1),
            left(Seat::One, 0)
        )
    }

    fn read(&self, stage: &str) -> State {
        let text = self.text(stage);
        self.game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn options(&self, state: &State) -> Vec<String> {
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        actions.iter().map(|&action| self.game.action_text(state, action)).collect()
    }

    fn play(&self, state: &State, text: &str) -> State {
        let action = self.game.parse_action(state, text).unwrap_or_else(|error| panic!("{error}"));
        let mut next = *state;
        self.game.apply(&mut next, action);
        next
    }

    fn deploy(&self, state: &State, title: &str, which: usize, square: &str) -> State {
        let kind = self.kind(1, title, which);
        self.play(state, &format!("deploy {kind} {square}"))
    }
}

fn is_empty(state: &State, col: usize, row: usize) -> bool {
    state.card_at(at(col, row)).is_none()
}

#[test]
fn attack_totals_and_simultaneous_removal() {
    let table = Table::new("").dwarf(KROD, 0, (3, 2)).orc("0", 0, (2, 3)).hand(DOWAGER, 0);
    // A second card, so that the Dowager is a choice.
    let table = table.hand(SHARPSHOOTER, 0);
    let state = table.read("deploy");
    assert_eq!((state.attack(Seat::One, at(3, 2)), state.attack(Seat::Zero, at(2, 3))), (5, 4));
    let dowager = format!("deploy {} ", table.kind(1, DOWAGER, 0));
    let squares: Vec<String> =
        table.options(&state).into_iter().filter(|text| text.starts_with(&dowager)).collect();
    assert_eq!(squares, [format!("{dowager}2,2")]);
    let after = table.deploy(&state, DOWAGER, 0, "2,2");
    assert!(is_empty(&after, 2, 2) && is_empty(&after, 2, 3) && !is_empty(&after, 3, 2));
    assert_eq!(after.lost(Seat::One) - state.lost(Seat::One), 1);
    // Krod took part and may not retreat, so the draw was automatic and the orcs are to move.
    assert_ne!((after.mover(), after.stage()), (Seat::Zero, Stage::Retreat));
}

#[test]
fn equal_to_the_defence_is_not_enough() {
    let table = Table::new("").orc("Orc Deathbringer", 1, (2, 2)).hand(SLUGGER, 0);
    let table = table.hand(SHARPSHOOTER, 0).dwarf(KROD, 0, (6, 0)).dwarf(SLUGGER, 1, (3, 3));
    let state = table.read("deploy");
    assert_eq!(state.attack(Seat::One, at(3, 3)), 3);
    let after = table.deploy(&state, SHARPSHOOTER, 0, "5,0");
    assert!(!is_empty(&after, 3, 3));
}

#[test]
fn a_supporting_shooter_fires_over_friends() {
    let table = Table::new("").dwarf(KROD, 0, (3, 2)).orc("Goblin Bow Pest", 0, (3, 4));
    let table = table.hand(SHARPSHOOTER, 0);
    let state = table.read("deploy");
    let around: Vec<String> = ["2,1", "3,1", "4,1", "2,2", "4,2", "2,3", "3,3", "4,3"]
        .map(|square| format!("deploy {} {square}", table.kind(1, SHARPSHOOTER, 0)))
        .to_vec();
    assert_eq!(table.options(&state), around);
    let state = table.deploy(&state, SHARPSHOOTER, 0, "3,1");
    assert_eq!(table.options(&state), ["shoot 3,1>3,4", "hold"]);
    let held = table.play(&state, "hold");
    assert!(!is_empty(&held, 3, 4));
    assert_eq!(table.options(&held), ["draw", "retreat 3,2"]);
    let fired = table.play(&state, "shoot 3,1>3,4");
    assert!(is_empty(&fired, 3, 4));
    assert_eq!(table.options(&fired), ["draw", "retreat 3,2"]);
}

#[test]
fn an_attacking_shooter_does_not_fire() {
    let table = Table::new("").dwarf(KROD, 0, (1, 2)).orc("Orc Deathbringer", 0, (3, 4));
    let table = table.orc("0", 0, (6, 5)).hand(AXETHROWER, 0);
    let state = table.read("deploy");
    let attack = table.deploy(&state, AXETHROWER, 0, "3,3");
    assert_ne!(attack.stage(), Stage::Shoot);
    let support = table.deploy(&state, AXETHROWER, 0, "2,2");
    assert_eq!(table.options(&support), ["shoot 2,2>3,4", "hold"]);
}

#[test]
fn free_deployment() {
    let table = Table::new("").hand(SLUGGER, 0);
    assert_eq!(table.options(&table.read("deploy")).len(), 42);
    let table = Table::new("").hand(SLUGGER, 0).dwarf(KROD, 0, (0, 0));
    let slugger = table.kind(1, SLUGGER, 0);
    let expected: Vec<String> =
        ["1,0", "0,1", "1,1"].map(|square| format!("deploy {slugger} {square}")).to_vec();
    assert_eq!(table.options(&table.read("deploy")), expected);
    // Enemies but no friend: attack squares only, for supporters too.
    let table = Table::new("").hand(AXETHROWER, 0).orc("Goblin Bow Pest", 0, (3, 4));
    let axe = table.kind(1, AXETHROWER, 0);
    let expected: Vec<String> =
        ["2,3", "3,3", "4,3"].map(|square| format!("deploy {axe} {square}")).to_vec();
    assert_eq!(table.options(&table.read("deploy")), expected);
}

#[test]
fn an_empty_deck_allows_to_pass() {
    let mut table = Table::new("").dwarf(KROD, 0, (0, 0));
    table.deck[0] = false;
    // 35 lost cards would be a lost game; the rest of the army stands out of reach.
    let text = table.text("retreat");
    assert!(table.game.parse_position(&text).is_err(), "too many lost");
    let mut kinds = table.game.armies()[1].physical().to_vec();
    kinds.retain(|&kind| kind != 0);
    let squares = (0..ROWS).flat_map(|row| (0..COLS).map(move |col| (col, row)));
    let free = squares.filter(|square| *square != (0, 0));
    table.board.extend(kinds.into_iter().zip(free).map(|(k, (c, r))| (Seat::Zero, k, at(c, r))));
    let options = table.options(&table.read("retreat"));
    assert_eq!(options[..2], ["pass", "retreat 0,0"]);
    assert_eq!(options.len(), 37);
}

/// Whether the shooter on this square is asked, the dwarves to move.
fn asked(table: &Table, square: &str) -> Option<State> {
    let text = format!("{} shooter={square}", table.text("shoot"));
    match table.game.parse_position(&text) {
        Ok(state) => Some(state),
        Err(error) => {
            assert!(error.to_string().contains("nothing to shoot at"), "{error}");
            None
        }
    }
}

#[test]
fn a_far_seat_is_turned_by_180_degrees() {
    for (col, row) in (0..ROWS).flat_map(|row| (0..COLS).map(move |col| (col, row))) {
        if (col, row) == (3, 3) {
            continue;
        }
        // A card that falls to one shot, its only arrow not on the catapult.
        let table = Table::new("").orc("Orc Catapult", 0, (3, 3));
        let table = table.dwarf(DOWAGER, usize::from((col, row) == (3, 2)), (col, row));
        let text = table.text("shoot").replace(" 5:0 ", " 6:0 ") + " shooter=3,3";
        let reached = (2..=4).contains(&col) && row <= 2;
        assert_eq!(table.game.parse_position(&text).is_ok(), reached, "{col},{row}");
    }
}

#[test]
fn two_shooters_answer_one_after_the_other() {
    let table = |second| {
        let table = Table::new("").orc("0", 0, (3, 4)).dwarf(SHARPSHOOTER, 0, (3, 1));
        table.dwarf(SHARPSHOOTER, 0, second)
    };
    assert_eq!(asked(&table((4, 1)), "3,1"), None, "only one has him in reach");
    let table = table((3, 2));
    let state = asked(&table, "3,1").expect("both together can");
    assert_eq!(table.options(&state), ["shoot 3,1>3,4", "hold"]);
    let held = table.play(&state, "hold");
    assert_eq!(held.stage(), Stage::Retreat, "the second alone is not asked");
    assert!(!is_empty(&held, 3, 4));
    let fired = table.play(&state, "shoot 3,1>3,4");
    assert_eq!(table.options(&fired), ["shoot 3,2>3,4", "hold"]);
    let vain = table.play(&fired, "hold");
    assert_eq!(table.options(&vain), ["draw", "retreat 3,1", "retreat 3,2"]);
    let killed = table.play(&fired, "shoot 3,2>3,4");
    assert!(is_empty(&killed, 3, 4));
    assert!(killed.turn() > fired.turn(), "both took part, so the draw was automatic");
}

#[test]
fn engaged_and_useless_shooters_are_not_asked() {
    let engaged = Table::new("").dwarf(AXETHROWER, 0, (3, 3)).orc("Goblin Bow Pest", 0, (3, 4));
    assert_eq!(asked(&engaged, "3,3"), None);
    let adjacent = Table::new("").dwarf(AXETHROWER, 0, (3, 3)).orc("20", 0, (3, 4));
    assert_eq!(asked(&adjacent, "3,3"), None, "the shot would only replace the arrow");
    let table = adjacent.hand(SLUGGER, 1).hand(SHARPSHOOTER, 0);
    let state = table.read("deploy");
    let after = table.deploy(&state, SLUGGER, 1, "2,4");
    assert!(is_empty(&after, 3, 4), "arrows alone are enough");
    assert!(after.turn() > state.turn(), "nobody may retreat");
}

/// Cavalry leaves a fight, unless a spear holds it.
#[test]
fn cavalry_escapes_from_everything_but_spears() {
    for (rules, spear, free) in [
        ("cavalry=escapes", false, true),
        ("cavalry=escapes", true, false),
        ("cavalry=plain", false, false),
    ] {
        let table = Table::new(rules).orc("Goblin Spider Rider", 0, (3, 3)).orc("0", 0, (0, 5));
        let table = if spear {
            table.dwarf("Mungo Lancerammer", 0, (3, 2))
        } else {
            table.dwarf("Gordona Ironhelm", 0, (3, 2))
        };
        let text = table.text("retreat").replace(" 5:0 ", " 6:0 ");
        let state = table.game.parse_position(&text).unwrap_or_else(|error| panic!("{error}"));
        let options = table.options(&state);
        assert_eq!(options.contains(&"retreat 3,3".to_owned()), free, "{rules} {options:?}");
        assert!(options.contains(&"retreat 0,5".to_owned()));
    }
}

/// A berserker follows its victim; it may be attacked there in the next turn.
#[test]
fn berserkers_advance_into_the_vacated_square() {
    for (rules, advances) in [("berserker=advances", true), ("berserker=plain", false)] {
        let table = Table::new(rules).orc("Orc Deathbringer", 0, (3, 4));
        // A weak dwarf in front of it: the orcs' Deathbringer strikes 5 to the south.
        let table = table.dwarf(SHARPSHOOTER, 0, (3, 3)).orc("0", 0, (0, 5));
        let state = table.text("deploy").replace(" 5:0 ", " 6:0 ");
        let butcher = char::from_digit(table.kind(0, "Orc Butcher", 0).into(), 36).unwrap();
        let (head, deck) = state.rsplit_once(':').unwrap();
        let (front, own_deck) = head.rsplit_once(' ').unwrap();
        let front = front.replace("-:-", &format!("-:{butcher}"));
        let text = format!("{front} {own_deck}:{}", deck.replacen(butcher, "", 1));
        let state = table.game.parse_position(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let options = table.options(&state);
        let action = options.iter().find(|text| text.starts_with("deploy")).expect("a square");
        let after = table.play(&state, action);
        assert_eq!(is_empty(&after, 3, 4), advances, "{rules}: {text} {action}");
        let at_victim = after.card_at(at(3, 3)).map(|(seat, _)| seat);
        assert_eq!(at_victim, advances.then_some(Seat::One));
    }
}

/// A JSON state whose cards would all be in the decks is refused, not read beyond its end.
#[test]
fn an_overfull_deck_is_refused() {
    let game = LordsOfWar::default();
    let state = |decks: u32, seat: u32| {
        format!(
            "{{\"turn\":3,\"seat\":{seat},\"stage\":\"deploy\",\"board\":{{}},\"hands\":[[],[]],\
             \"decks\":[{decks},{decks}],\"lost\":[0,0],\"lost_commands\":[0,0]}}"
        )
    };
    let error = game.parse_position(&state(36, 0)).unwrap_err().to_string();
    assert!(error.contains("at most 30 cards"), "{error}");
    let error = game.parse_position(&state(36, 7)).unwrap_err().to_string();
    assert!(error.contains("0 or 1"), "{error}");
}
