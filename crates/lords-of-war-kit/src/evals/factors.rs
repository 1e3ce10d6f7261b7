//! An evaluation of our own for Lords of War: a logistic model of who wins, over factors that one
//! look at the board, the hands and the decks tells. `warroom fit` fits its weights to finished games; 1000 points are one e of the odds.

use gamecore::Seat;
use lords_of_war::{Card, Class, LordsOfWar, State, squares_in, threatened_squares};

use registry::factors::{FactorInfo, Factors, MAX_FACTORS, Wanted};

/// The first weights, which published agents play by.
pub const OUTLOOK: &str = include_str!("../../../../data/lords-of-war/outlook.toml");

/// The weights that `warroom fit` found.
pub const OUTLOOK_2: &str = include_str!("../../../../data/lords-of-war/outlook-2.toml");

/// Weights that count material alone.
pub const MATERIAL: &str = include_str!("../../../../data/lords-of-war/material.toml");

/// What is measured.
pub struct LordsFactors;

/// From here on every lost card may be one of the last.
const MANY_LOST: i32 = 13;

const LOST: usize = 0;
const COMMANDS_LOST: usize = 1;
const BEYOND: usize = 2;
const THIRD_COMMAND: usize = 3;
const ON_BOARD: usize = 4;
const HAND: usize = 5;
const DOOMED: usize = 6;
const PRESSED: usize = 7;
const PRESSURE: usize = 8;
const THREAT: usize = 9;
const BOARD_STRENGTH: usize = 10;
const RESERVE_STRENGTH: usize = 11;
const SHOOTERS: usize = 12;
const TEMPO: usize = 13;
const DOOMED_MOVING: usize = 14;

const fn info(name: &'static str, about: &'static str) -> FactorInfo {
    FactorInfo { name, about }
}

/// Arrows and defence together, and the shot of a shooter.
fn strength(card: &Card) -> i32 {
    card.melee.iter().map(|&arrow| i32::from(arrow)).sum::<i32>()
        + 2 * i32::from(card.defence)
        + 2 * i32::from(card.shot)
}

/// What one side has.
fn measure_side(game: &LordsOfWar, state: &State, seat: Seat) -> [i32; MAX_FACTORS] {
    let mut found = [0; MAX_FACTORS];
    let cards = &game.army(state, seat).cards;
    let moving = state.mover() == seat;
    found[LOST] = state.lost(seat).into();
    found[COMMANDS_LOST] = state.lost_commands(seat).into();
    found[BEYOND] = (found[LOST] - MANY_LOST).max(0);
    found[THIRD_COMMAND] = i32::from(found[COMMANDS_LOST] >= 3);
    found[HAND] = state.hand(seat).len() as i32;
    for square in squares_in(state.held(seat)) {
        let Some((_, kind)) = state.card_at(square) else { continue };
        let card = &cards[usize::from(kind)];
        let (attack, defence) = (state.attack(seat.other(), square), card.defence);
        found[ON_BOARD] += 1;
        found[if moving { DOOMED_MOVING } else { DOOMED }] += i32::from(attack > defence);
        found[PRESSED] += i32::from(attack > 0);
        found[PRESSURE] += i32::from(attack.min(defence + 1));
        found[BOARD_STRENGTH] += strength(card);
        found[SHOOTERS] += i32::from(card.class == Class::Ranged);
    }
    found[THREAT] = threatened_squares(state, seat).count_ones() as i32;
    let reserve = state.hand(seat).iter().chain(state.deck(seat));
    found[RESERVE_STRENGTH] =
        reserve.filter_map(|&kind| cards.get(usize::from(kind))).map(strength).sum();
    found[TEMPO] = i32::from(moving);
    found
}

impl Factors<LordsOfWar> for LordsFactors {
    const LIST: &'static [FactorInfo] = &[
        info("cards-lost", "cards lost"),
        info("commands-lost", "command cards lost"),
        info("nearly-beaten", "cards lost beyond 13"),
        info("third-command", "three command cards lost"),
        info("on-board", "cards on the board"),
        info("hand", "cards in hand"),
        info("doomed", "cards of the waiting side under more than their defence"),
        info("pressed", "cards under an arrow"),
        info("pressure", "arrows on cards, as far as they count"),
        info("threat", "squares under arrows"),
        info("board-strength", "arrows, defence and shots on the board"),
        info("reserve-strength", "arrows, defence and shots in hand and deck"),
        info("shooters", "shooters on the board"),
        info("tempo", "to move"),
        info("doomed-moving", "cards of the side to move under more than their defence"),
    ];

    const LARGEST: i32 = 10_000;

    fn measure(game: &LordsOfWar, state: &State, _wanted: Wanted, out: &mut [i32; MAX_FACTORS]) {
        let [zero, one] = Seat::BOTH.map(|seat| measure_side(game, state, seat));
        for (out, (zero, one)) in out.iter_mut().zip(zero.into_iter().zip(one)) {
            *out = zero - one;
        }
    }
}
