//! Lords of War: cards with arrows, hands, and what falls where.

use serde::Serialize;
use utoipa::ToSchema;

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
