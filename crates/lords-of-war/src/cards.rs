//! Cards and armies: the six of the core boxes, and those that designers bring.

use std::sync::OnceLock;

use serde::Deserialize;

/// Cards of an army.
pub const ARMY_SIZE: usize = 36;
/// Arrows and shots are this strong at most, defences this high.
pub(crate) const STRONGEST: u8 = 9;

const CORE: &str = include_str!("../../../data/lords-of-war/cards.toml");

/// How important a card is. Only command cards and the general matter in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rank {
    /// The lowest rank.
    Recruit,
    /// The usual rank.
    Regular,
    /// Experienced.
    Veteran,
    /// The best of the ranks.
    Elite,
    /// Odd ones.
    Special,
    /// Four of these lost is a game lost.
    Command,
    /// The one that begins in the hand; a command card too.
    General,
}

impl Rank {
    /// All ranks with their usual number in an army (the official rule sheet's table).
    pub const QUOTA: [(Self, &'static str, usize); 7] = [
        (Self::Recruit, "recruit", 8),
        (Self::Regular, "regular", 8),
        (Self::Veteran, "veteran", 6),
        (Self::Elite, "elite", 4),
        (Self::Special, "special", 4),
        (Self::Command, "command", 5),
        (Self::General, "general", 1),
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::QUOTA[self as usize].1
    }
}

/// What kind of fighter a card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// No rule of its own.
    Infantry,
    /// May leave a fight under an option.
    Cavalry,
    /// Supports: may be placed beside friends.
    Spear,
    /// Shoots, and supports.
    Ranged,
    /// Follows its victims under an option.
    Berserker,
}

impl Class {
    /// All classes, by name.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Infantry, "infantry"),
        (Self::Cavalry, "cavalry"),
        (Self::Spear, "spear"),
        (Self::Ranged, "ranged"),
        (Self::Berserker, "berserker"),
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// One kind of card, seen by an owner who sits at row 0.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Its title.
    pub name: String,
    /// Its rank.
    pub rank: Rank,
    /// Its class.
    pub class: Class,
    /// It falls to more than this.
    #[serde(rename = "def")]
    pub defence: u8,
    /// Strength of the arrows, north first, then clockwise; 0 where there is none.
    pub melee: [u8; 8],
    /// Strength of its shot, 0 if it cannot shoot.
    #[serde(default)]
    pub shot: u8,
    /// Where the shot reaches: columns to the right, rows forward.
    #[serde(default)]
    pub aim: Vec<[i8; 2]>,
    /// Where it may move; no rule uses it.
    #[serde(default)]
    pub step: Option<[u8; 8]>,
    /// How many the army has.
    pub count: usize,
}

impl Card {
    /// May be placed beside any friend.
    #[must_use]
    pub const fn supports(&self) -> bool {
        matches!(self.class, Class::Spear | Class::Ranged)
    }

    /// Counts towards the four command cards.
    #[must_use]
    pub const fn commands(&self) -> bool {
        matches!(self.rank, Rank::Command | Rank::General)
    }
}

/// 36 cards under a name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Army {
    /// The name in commands.
    pub id: String,
    /// The name for people.
    #[serde(default)]
    pub name: String,
    /// The box it comes from.
    #[serde(default)]
    pub set: String,
    /// Its different cards; a card is known by its place in this list.
    pub cards: Vec<Card>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "schema")]
    _schema: Option<u32>,
    army: Vec<Army>,
}

/// Why something is no army.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CardError(pub String);

/// The six armies of the core boxes.
#[must_use]
pub fn core_armies() -> &'static [Army] {
    static ARMIES: OnceLock<Vec<Army>> = OnceLock::new();
    ARMIES.get_or_init(|| Army::read_file(CORE).expect("the built-in cards are sound"))
}

/// Characters that separate parts of rules and of the one-line form of armies.
const SEPARATORS: [char; 8] = [',', '=', ';', ':', '|', '@', '#', '\n'];

impl Army {
    /// Reads a file of armies: tables `[[army]]` with the fields of `data/lords-of-war/cards.toml`.
    pub fn read_file(content: &str) -> Result<Vec<Self>, CardError> {
        let mut file: File =
            toml::from_str(content).map_err(|error| CardError(error.to_string()))?;
        if file.army.is_empty() {
            return Err(CardError("expected at least one [[army]]".into()));
        }
        for index in 0..file.army.len() {
            let army = &mut file.army[index];
            if army.name.is_empty() {
                army.name.clone_from(&army.id);
            }
            army.check()?;
            let id = army.id.clone();
            if file.army[..index].iter().any(|other| other.id == id) {
                return Err(CardError(format!("army {id} is there twice")));
            }
        }
        Ok(file.army)
    }

    /// Refuses what cannot be played.
    fn check(&self) -> Result<(), CardError> {
        let wrong = |reason: String| Err(CardError(format!("army {}: {reason}", self.id)));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.id.is_empty() || !self.id.chars().all(plain) {
            return wrong("its id must be made of small letters, digits and hyphens".into());
        }
        if self.name.contains(SEPARATORS) {
            return wrong(format!("its name must not contain any of {SEPARATORS:?}"));
        }
        for card in &self.cards {
            card.check().or_else(|error| wrong(error.0))?;
        }
        let total: usize = self.cards.iter().map(|card| card.count).sum();
        if total != ARMY_SIZE {
            return wrong(format!("it has {total} cards instead of {ARMY_SIZE}"));
        }
        match self.of_rank(Rank::General) {
            1 => Ok(()),
            generals => wrong(format!("it has {generals} generals instead of 1")),
        }
    }

    /// How many cards of a rank it has.
    #[must_use]
    pub fn of_rank(&self, rank: Rank) -> usize {
        self.cards.iter().filter(|card| card.rank == rank).map(|card| card.count).sum()
    }

    /// What is unusual about it, though it can be played: ranks that miss their usual number.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let missed = Rank::QUOTA.iter().filter_map(|&(rank, name, usual)| {
            let has = self.of_rank(rank);
            (has != usual)
                .then(|| format!("army {}: {has} cards of rank {name}, usually {usual}", self.id))
        });
        missed.collect()
    }

    /// The kind of each of the 36 cards: every entry as often as it counts, in order.
    #[must_use]
    pub fn physical(&self) -> [u8; ARMY_SIZE] {
        let mut kinds = [0; ARMY_SIZE];
        let all = self.cards.iter().enumerate();
        let all = all.flat_map(|(kind, card)| std::iter::repeat_n(kind as u8, card.count));
        for (place, kind) in kinds.iter_mut().zip(all) {
            *place = kind;
        }
        kinds
    }

    /// The kind of the general.
    #[must_use]
    pub fn general(&self) -> u8 {
        let found = self.cards.iter().position(|card| card.rank == Rank::General);
        found.expect("armies have a general") as u8
    }

    /// The army on one line, for the text of rules.
    #[must_use]
    pub fn text(&self) -> String {
        let cards = self.cards.iter().map(Card::text);
        let parts: Vec<String> =
            std::iter::once(format!("{}:{}", self.id, self.name)).chain(cards).collect();
        parts.join(";")
    }

    /// Reads [`Army::text`].
    pub fn parse(text: &str) -> Result<Self, CardError> {
        let mut parts = text.split(';');
        let (id, name) = parts.next().and_then(|head| head.split_once(':')).ok_or_else(|| {
            CardError("expected ID:NAME;CARD;CARD;…, as the rules of a game are written".into())
        })?;
        let cards = parts.map(Card::parse).collect::<Result<_, _>>()?;
        let army = Self { id: id.into(), name: name.into(), set: String::new(), cards };
        army.check().map(|()| army)
    }
}

impl Card {
    fn check(&self) -> Result<(), CardError> {
        let wrong = |reason: &str| Err(CardError(format!("card '{}': {reason}", self.name)));
        if self.name.is_empty() || self.name.contains(SEPARATORS) {
            return wrong(&format!("its name is empty or contains one of {SEPARATORS:?}"));
        }
        if self.count == 0 || self.count > ARMY_SIZE {
            return wrong(&format!("count is {}, expected 1 to {ARMY_SIZE}", self.count));
        }
        if !(1..=STRONGEST).contains(&self.defence) {
            return wrong(&format!("def is {}, expected 1 to {STRONGEST}", self.defence));
        }
        if self.melee.iter().any(|&strength| strength > STRONGEST) || self.shot > STRONGEST {
            return wrong(&format!("arrows and shots are at most {STRONGEST} strong"));
        }
        let ranged = self.class == Class::Ranged;
        if ranged != (self.shot > 0) || ranged == self.aim.is_empty() {
            return wrong("cards of class ranged, and only they, have a shot and an aim");
        }
        let reachable = |&[dx, dy]: &[i8; 2]| dx.abs() <= 6 && dy.abs() <= 5 && [dx, dy] != [0, 0];
        if !self.aim.iter().all(reachable) {
            return wrong("an aim is up to 6 columns and 5 rows away, and not the own square");
        }
        let mut sorted = self.aim.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != self.aim.len() {
            return wrong("an aim is there twice");
        }
        Ok(())
    }

    fn text(&self) -> String {
        let melee: String = self.melee.iter().map(u8::to_string).collect();
        let aim: Vec<String> = self.aim.iter().map(|[dx, dy]| format!("{dx}/{dy}")).collect();
        format!(
            "{}:{}:{}:{}:{melee}:{}@{}:{}",
            self.name,
            self.rank.name(),
            self.class.name(),
            self.defence,
            self.shot,
            aim.join("+"),
            self.count
        )
    }

    fn parse(text: &str) -> Result<Self, CardError> {
        const FORM: &str = "expected NAME:RANK:CLASS:DEF:MELEE:SHOT@AIM:COUNT";
        let wrong = |reason: &str| CardError(format!("card '{text}': {reason}"));
        let fields: Vec<&str> = text.split(':').collect();
        let [name, rank, class, defence, melee, shot, count] = fields[..] else {
            return Err(wrong(FORM));
        };
        let number =
            |text: &str| text.parse::<u8>().map_err(|_| wrong(&format!("'{text}' is no number")));
        let rank = Rank::QUOTA.iter().find(|(_, known, _)| *known == rank);
        let class = Class::ALL.iter().find(|(_, known)| *known == class);
        let digit = |c: char| c.to_digit(10).map(|digit| digit as u8);
        let digits: Vec<u8> = melee
            .chars()
            .map(digit)
            .collect::<Option<_>>()
            .ok_or_else(|| wrong("melee has eight digits"))?;
        let (shot, aim) = shot.split_once('@').ok_or_else(|| wrong(FORM))?;
        let aim = aim
            .split('+')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (dx, dy) = pair.split_once('/')?;
                Some([dx.parse().ok()?, dy.parse().ok()?])
            })
            .collect::<Option<_>>()
            .ok_or_else(|| wrong("an aim is COLUMNS/ROWS"))?;
        Ok(Self {
            name: name.into(),
            rank: rank.ok_or_else(|| wrong("no such rank"))?.0,
            class: class.ok_or_else(|| wrong("no such class"))?.0,
            defence: number(defence)?,
            melee: digits.try_into().map_err(|_| wrong("melee has eight digits"))?,
            shot: number(shot)?,
            aim,
            step: None,
            count: number(count)?.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_armies_are_complete_and_usual() {
        let ids: Vec<&str> = core_armies().iter().map(|army| army.id.as_str()).collect();
        assert_eq!(ids, ["orcs", "dwarves", "elves", "lizardmen", "templars", "undead"]);
        let defences = [128, 136, 130, 131, 166, 135];
        let distinct = [22, 31, 31, 21, 24, 21];
        for (index, army) in core_armies().iter().enumerate() {
            assert_eq!(army.warnings(), Vec::<String>::new());
            let defence: usize =
                army.cards.iter().map(|card| usize::from(card.defence) * card.count).sum();
            assert_eq!((defence, army.cards.len()), (defences[index], distinct[index]));
            assert_eq!(army.general(), 0);
        }
    }

    #[test]
    fn armies_survive_their_text() {
        for army in core_armies() {
            let mut plain = army.clone();
            plain.set.clear();
            plain.cards.iter_mut().for_each(|card| card.step = None);
            assert_eq!(Army::parse(&army.text()), Ok(plain));
        }
    }

    #[test]
    fn faulty_armies_are_refused_by_name() {
        let good = CORE.split("[[army]]").nth(1).map(|army| format!("[[army]]{army}")).unwrap();
        assert_eq!(Army::read_file(&good).unwrap().len(), 1);
        for (from, to, complaint) in [
            ("def = 6", "def = 10", "card 'Gonke Longtooth': def is 10"),
            ("count = 4", "count = 5", "37 cards instead of 36"),
            ("rank = \"general\"", "rank = \"command\"", "0 generals instead of 1"),
            ("class = \"ranged\"", "class = \"spear\"", "only they, have a shot"),
            ("id = \"orcs\"", "id = \"Orcs!\"", "small letters"),
            ("melee = [5, 5", "melee = [5, 55", "at most 9"),
            ("[-1, 1], [0, 1]", "[0, 1], [0, 1]", "twice"),
            ("[-1, 1], [0, 1]", "[-1, 6], [0, 1]", "up to 6 columns and 5 rows"),
            ("rank = \"general\"", "rang = \"general\"", "rang"),
        ] {
            let error = Army::read_file(&good.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(complaint), "{to}: {error}");
        }
        let mut odd = core_armies()[0].clone();
        odd.cards[1].rank = Rank::Elite;
        assert_eq!(
            odd.warnings(),
            [
                "army orcs: 5 cards of rank elite, usually 4",
                "army orcs: 4 cards of rank command, usually 5"
            ]
        );
    }
}
