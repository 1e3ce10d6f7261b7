//! Lords of War: cards with arrows, hands, and what falls where.

mod events;

use gamecore::{Game, Notation, Seat, Turn, capital};
use lords_of_war::{
    Action, COLS, Card, Deed, LordsOfWar, ROWS, SQUARES, Square, Stage, State, squares_in,
    threatened_squares,
};
use protocol::scene::{
    Choice, Detail, Effect, Geometry, Marked, Overlay, Piece, Placed, Preview, Scene, SceneForms,
    button, square,
};
use registry::{Appearance, Viewer, actions_for};
use serde::Serialize;
use utoipa::ToSchema;

/// A side is beaten when it has lost so many cards, or so many command cards (rule 18).
const LOST_CARDS: u8 = 20;
const LOST_COMMANDS: u8 = 4;

/// Columns right and rows ahead of the eight arrows, clockwise from straight ahead.
const ARROWS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The same on paper.
const DRAWN_ARROWS: [char; 8] = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'];

/// A card as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CardFace {
    /// Its place in its army's list.
    pub id: u8,
    /// Its name.
    pub name: String,
    /// `recruit`, …, `general`.
    pub rank: String,
    /// `infantry`, `cavalry`, `spear`, `ranged` or `berserker`.
    pub class: String,
    /// A total above this fells it.
    pub defence: u8,
    /// Strengths of its arrows, clockwise from the one straight ahead; 0 where there is none.
    pub arrows: [u8; 8],
    /// Strength of its shot; 0 if it has none.
    pub shot: u8,
    /// Squares its shot reaches: columns to its right, rows ahead.
    pub aim: Vec<[i8; 2]>,
    /// A command card; a side that loses four is beaten.
    pub commands: bool,
}

/// A card on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BoardCard {
    /// The card.
    pub card: CardFace,
    /// Sum of the enemy arrows that point at it.
    pub attacked: u8,
    /// It is asked to shoot now.
    pub shooting: bool,
    /// The square it has fired at in this turn.
    pub fired_at: Option<u16>,
}

/// A card of a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HandCard {
    /// How it is pointed at: `c:5`.
    pub target: String,
    /// The card.
    pub card: CardFace,
}

/// What belongs to one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LordsSide {
    /// The name of its army.
    pub army: String,
    /// Cards of the hand that these eyes may see.
    pub hand: Vec<HandCard>,
    /// Cards of the hand that they may not.
    pub hidden: u8,
    /// Cards in the deck.
    pub deck: u8,
    /// Fallen cards.
    pub eliminated: Vec<CardFace>,
    /// Fallen command cards.
    pub lost_commands: u8,
}

/// What Lords of War alone shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LordsOfWarScene {
    /// The number of the turn, from 1.
    pub turn: u16,
    /// `open`, `deploy`, `shoot`, `retreat` or `over`.
    pub stage: String,
    /// Both sides.
    pub sides: [LordsSide; 2],
    /// A side that loses so many cards is beaten.
    pub cards_to_lose: u8,
    /// A side that loses so many command cards is beaten.
    pub commands_to_lose: u8,
}

/// How Lords of War looks.
#[must_use]
pub fn appearance() -> Appearance<LordsOfWar> {
    Appearance {
        geometry: |_| Geometry {
            columns: COLS as u8,
            rows: ROWS as u8,
            names: (0..SQUARES).map(|at| format!("{},{}", at % COLS, at / COLS)).collect(),
            row_zero_below: true,
            turned_for_seat_one: true,
        },
        scene: lords_scene,
        touched: |_, _, action| match action.deed() {
            Deed::Deploy(_, to) | Deed::Retreat(to) => vec![at(to)],
            Deed::Shoot(from, to) => vec![at(from), at(to)],
            Deed::Hold | Deed::Draw | Deed::Pass => Vec::new(),
        },
        words,
        events: events::events,
        forms: || {
            SceneForms::default()
                .piece::<BoardCard>("card", "A card of Lords of War.")
                .detail::<LordsOfWarScene>(LordsOfWar::NAME, "Lords of War.")
        },
    }
}

fn at(square: Square) -> u16 {
    square.index() as u16
}

fn lords_scene(game: &LordsOfWar, state: &State, viewer: &Viewer<'_, LordsOfWar>) -> Scene {
    let actions = actions_for(game, state, viewer.eyes);
    let choices = actions.iter().map(|&action| choice(game, state, action)).collect();
    let detail = LordsOfWarScene {
        turn: state.turn(),
        stage: state.stage().name().to_owned(),
        sides: Seat::BOTH.map(|seat| side(game, state, seat, viewer.eyes)),
        cards_to_lose: LOST_CARDS,
        commands_to_lose: LOST_COMMANDS,
    };
    Scene {
        status: status(game, state),
        pieces: pieces(game, state),
        obstacles: Vec::new(),
        choices,
        overlays: overlays(game, state),
        detail: Detail::new(LordsOfWar::NAME, &detail),
    }
}

fn status(game: &LordsOfWar, state: &State) -> String {
    let Turn::Player(seat) = game.turn(state) else { return game.ending_words(state) };
    let name = capital(&game.army(state, seat).name);
    match (state.stage(), state.shooter()) {
        (Stage::Shoot, Some(from)) => {
            let shooter = state.card_at(from).map_or("card", |(_, kind)| {
                game.army(state, seat).cards[usize::from(kind)].name.as_str()
            });
            format!("{name}: shoot with {shooter} at {}, or hold", spot(from))
        }
        (Stage::Retreat, _) if state.deck(seat).is_empty() => {
            format!("{name}: take a card back from the board, or nothing")
        }
        (Stage::Retreat, _) => format!("{name}: draw a card, or take one back from the board"),
        (Stage::Open, _) => format!("{name}: open with a card on the start square"),
        _ => format!("{name}: deploy a card"),
    }
}

fn face(card: &Card, id: u8) -> CardFace {
    CardFace {
        id,
        name: card.name.clone(),
        rank: card.rank.name().to_owned(),
        class: card.class.name().to_owned(),
        defence: card.defence,
        arrows: card.melee,
        shot: card.shot,
        aim: card.aim.clone(),
        commands: card.commands(),
    }
}

fn pieces(game: &LordsOfWar, state: &State) -> Vec<Placed> {
    let on_board = squares_in(state.held(Seat::Zero) | state.held(Seat::One));
    on_board
        .filter_map(|place| {
            let (seat, kind) = state.card_at(place)?;
            let card = &game.army(state, seat).cards[usize::from(kind)];
            let attacked = state.attack(seat.other(), place);
            let fired_at = state.shots().find(|(from, _)| *from == place).map(|(_, to)| at(to));
            Some(Placed {
                square: at(place),
                seat: seat.index() as u8,
                label: format!(
                    "{} of {}, {} {}, defence {}, attacked by {attacked}",
                    card.name,
                    game.army(state, seat).name,
                    card.rank.name(),
                    card.class.name(),
                    card.defence,
                ),
                piece: Piece::new(
                    "card",
                    &BoardCard {
                        card: face(card, kind),
                        attacked,
                        shooting: state.shooter() == Some(place),
                        fired_at,
                    },
                ),
            })
        })
        .collect()
}

fn side(game: &LordsOfWar, state: &State, seat: Seat, eyes: Option<Seat>) -> LordsSide {
    // For all eyes the view of either seat: it hides only what the options hide from that seat.
    let view = game.view(state, eyes.unwrap_or(seat));
    let cards = &game.army(state, seat).cards;
    let card = |kind: u8| cards.get(usize::from(kind)).map(|card| face(card, kind));
    let hand: Vec<HandCard> = view
        .known()
        .hand(seat)
        .iter()
        .filter_map(|&kind| Some(HandCard { target: hand_card(kind), card: card(kind)? }))
        .collect();
    LordsSide {
        army: game.army(state, seat).name.clone(),
        hidden: (state.hand(seat).len() - hand.len()) as u8,
        hand,
        deck: state.deck(seat).len() as u8,
        eliminated: view.eliminated(game, seat).into_iter().filter_map(card).collect(),
        lost_commands: state.lost_commands(seat),
    }
}

/// The name of a card of the hand in a path. Equal cards are one choice.
fn hand_card(kind: u8) -> String {
    format!("c:{kind}")
}

/// The name of a card; where the army has others of that name, with its arrows as they lie on the
/// board, seat 0 below: `Goblin Shanker ↑4↗1`.
fn told_apart(card: &Card, cards: &[Card], seat: Seat) -> String {
    let mut name = card.name.clone();
    if cards.iter().filter(|other| other.name == card.name).count() > 1 {
        let mut drawn = DRAWN_ARROWS;
        if seat == Seat::One {
            drawn.rotate_left(DRAWN_ARROWS.len() / 2);
        }
        let arrows = drawn.into_iter().zip(card.melee).filter(|(_, arrow)| *arrow > 0);
        name.push(' ');
        name.extend(arrows.map(|(drawn, strength)| format!("{drawn}{strength}")));
    }
    name
}

/// A square so that a list of several can be read: the notation has only a comma.
fn spot(square: Square) -> String {
    format!("({square})")
}

fn words(game: &LordsOfWar, state: &State, action: Action) -> String {
    let name = |seat: Seat, kind: u8| {
        game.army(state, seat).cards.get(usize::from(kind)).map_or("a card", |card| &card.name)
    };
    let on = |place: Square| state.card_at(place).map_or("", |(seat, kind)| name(seat, kind));
    match action.deed() {
        Deed::Deploy(kind, to) => {
            let mover = state.mover();
            let cards = &game.army(state, mover).cards;
            let name = cards.get(usize::from(kind)).map(|card| told_apart(card, cards, mover));
            format!("{} to {}", name.unwrap_or_else(|| "a card".to_owned()), spot(to))
        }
        Deed::Shoot(_, to) => format!("Shoot at {} on {}", on(to), spot(to)),
        Deed::Hold => "Hold the shot".to_owned(),
        Deed::Draw => "Draw a card".to_owned(),
        Deed::Pass => "Take nothing".to_owned(),
        Deed::Retreat(from) => format!("Take back {} from {}", on(from), spot(from)),
    }
}

fn choice(game: &LordsOfWar, state: &State, action: Action) -> Choice {
    let point = |place: Square| vec![square(at(place))];
    let (path, preview) = match action.deed() {
        Deed::Deploy(kind, to) => {
            (vec![hand_card(kind), square(at(to))], Some(deployment(game, state, kind, to)))
        }
        Deed::Shoot(_, to) => (point(to), None),
        Deed::Hold => (vec![button("hold")], None),
        Deed::Draw => (vec![button("draw")], None),
        Deed::Pass => (vec![button("pass")], None),
        Deed::Retreat(from) => (point(from), None),
    };
    let text = game.action_text(state, action);
    Choice { preview, ..Choice::new(text, path, words(game, state, action)) }
}

/// What would fall to arrows alone if the card were deployed there.
fn deployment(game: &LordsOfWar, state: &State, kind: u8, to: Square) -> Preview {
    let me = state.mover();
    let card = &game.army(state, me).cards[usize::from(kind)];
    let (mut words, mut effects) = (Vec::new(), Vec::new());
    for ((right, ahead), arrow) in
        ARROWS.into_iter().zip(card.melee).filter(|(_, arrow)| *arrow > 0)
    {
        let turned = if me == Seat::Zero { 1 } else { -1 };
        let place =
            |start: usize, step: i8| usize::try_from(start as isize + isize::from(step)).ok();
        let target = place(to.col(), right * turned)
            .zip(place(to.row(), ahead * turned))
            .and_then(|(col, row)| Square::new(col, row));
        let Some(target) = target else { continue };
        let Some((seat, enemy)) = state.card_at(target).filter(|(seat, _)| *seat != me) else {
            continue;
        };
        let enemy = &game.army(state, seat).cards[usize::from(enemy)];
        let total = state.attack(me, target) + arrow;
        let lost = total > enemy.defence;
        words.push(format!(
            "{}: {total} against a defence of {}, it {}.",
            enemy.name,
            enemy.defence,
            if lost { "falls" } else { "stands" }
        ));
        effects.push(Effect {
            square: at(target),
            text: format!("{total}/{}", enemy.defence),
            lost,
        });
    }
    let total = state.attack(me.other(), to);
    let lost = total > card.defence;
    if total > 0 {
        let end = if lost { "falls" } else { "stands" };
        words.push(format!(
            "{} itself: {total} against a defence of {}, it {end}.",
            card.name, card.defence
        ));
    }
    let text = if total > 0 { format!("{total}/{}", card.defence) } else { String::new() };
    effects.push(Effect { square: at(to), text, lost });
    Preview { words, effects }
}

/// Sums of arrows and threatened squares of both sides.
fn overlays(game: &LordsOfWar, state: &State) -> Vec<Overlay> {
    let mut overlays = Vec::new();
    for seat in Seat::BOTH {
        let army = &game.army(state, seat).name;
        let layer = |id: &str, name: String, about: String, squares: Vec<Marked>| Overlay {
            id: format!("{id}-{}", seat.index()),
            name,
            about,
            seat: Some(seat.index() as u8),
            shown: false,
            squares,
        };
        let sums = squares_in(state.threatened(seat))
            .filter(|&place| place.col() < COLS && place.row() < ROWS)
            .map(|place| Marked {
                square: at(place),
                text: Some(state.attack(seat, place).to_string()),
            });
        overlays.push(layer(
            "attack",
            format!("Attack of {army}"),
            format!("The sum of the arrows of {army} on each square."),
            sums.collect(),
        ));
        let threatened = squares_in(threatened_squares(state, seat));
        overlays.push(layer(
            "threat",
            format!("Threatened by {army}"),
            format!("Squares, empty or held by the enemy, under an arrow of {army}."),
            threatened.map(|place| Marked { square: at(place), text: None }).collect(),
        ));
    }
    overlays
}
