//! The reading half: a place that moves through the text, field by field.

use super::{Game, GgfError, Move, finite};
use crate::formats::{Replay, TextPlace};
use crate::square::{self, PASS};

/// Reads all games of a text and replays each.
///
/// # Errors
///
/// If the text is not GGF, a board is not 8 by 8, or a game breaks the rules.
pub fn read_ggf(text: &str) -> Result<Vec<Game>, GgfError> {
    let mut reader = Reader { text, offset: 0, game: 1 };
    let mut games = Vec::new();
    let mut group = 0;
    loop {
        reader.skip_space();
        let promised = reader.take_count()?;
        reader.skip_space();
        if promised.is_none() && reader.rest().is_empty() {
            return Ok(games);
        }
        for missing in (1..=promised.unwrap_or(1)).rev() {
            reader.skip_space();
            if reader.rest().is_empty() {
                let (game, at) = (reader.game, reader.place(reader.offset));
                return Err(GgfError::MissingGames { game, at, missing });
            }
            games.push(reader.game(group)?);
            reader.game += 1;
        }
        group += 1;
    }
}

/// A place in the text.
struct Reader<'a> {
    text: &'a str,
    offset: usize,
    /// The number of the current game, from 1, for messages.
    game: usize,
}

/// A field as it stands in the text.
struct Field<'a> {
    name: &'a str,
    value: &'a str,
    /// Where the value begins.
    offset: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    fn place(&self, offset: usize) -> TextPlace {
        TextPlace::of(self.text, offset)
    }

    fn skip_space(&mut self) {
        self.offset = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.offset += if found { word.len() } else { 0 };
        found
    }

    /// Takes what has a character for which `wanted` holds, as far as it goes.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|character| !wanted(character)).unwrap_or(rest.len());
        self.offset += length;
        &rest[..length]
    }

    fn unreadable(&self, expected: &'static str) -> GgfError {
        let found = beginning(self.rest());
        GgfError::Unreadable { game: self.game, at: self.place(self.offset), found, expected }
    }

    fn bad_field(&self, field: &Field<'_>, expected: &'static str) -> GgfError {
        GgfError::Field {
            game: self.game,
            at: self.place(field.offset),
            field: field.name.to_owned(),
            found: beginning(field.value),
            expected,
        }
    }

    /// The number in front of games that belong together, if there is one.
    fn take_count(&mut self) -> Result<Option<u32>, GgfError> {
        let at = self.offset;
        let digits = self.take_while(|character| character.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        match digits.parse() {
            Ok(count) if count > 0 => Ok(Some(count)),
            _ => {
                self.offset = at;
                Err(self.unreadable("a number of games from 1"))
            }
        }
    }

    /// The next field, or none at the end of the game.
    fn field(&mut self) -> Result<Option<Field<'a>>, GgfError> {
        self.skip_space();
        if self.take(";)") {
            return Ok(None);
        }
        let name = self.take_while(|character| character.is_ascii_alphabetic());
        if name.is_empty() {
            return Err(self.unreadable("a field name or the end of the game `;)`"));
        }
        if !self.take("[") {
            return Err(self.unreadable("`[` after the field name"));
        }
        let offset = self.offset;
        let value = self.take_while(|character| character != ']');
        if !self.take("]") {
            return Err(self.unreadable("`]` after the value of the field"));
        }
        Ok(Some(Field { name, value, offset }))
    }

    fn game(&mut self, group: usize) -> Result<Game, GgfError> {
        if !self.take("(;") {
            return Err(self.unreadable("the beginning of a game `(;`"));
        }
        let mut game = Game { group, ..Game::default() };
        let mut replay = None;
        while let Some(field) = self.field()? {
            let text = || field.value.trim().to_owned();
            match field.name {
                "GM" if !field.value.trim().eq_ignore_ascii_case("othello") => {
                    return Err(self.bad_field(&field, "Othello"));
                }
                "PC" => game.place = text(),
                "DT" => game.date = text(),
                "PB" => game.black = text(),
                "PW" => game.white = text(),
                "RE" => game.result = text(),
                "TI" => game.time = text(),
                "TY" => game.kind = text(),
                "BO" if replay.is_some() => {
                    return Err(self.bad_field(&field, "no second board in one game"));
                }
                "BO" => {
                    self.board(&field, &mut game)?;
                    let (own, opp) = game.start();
                    replay = Some(Replay::new(own, opp));
                }
                "B" | "W" => {
                    let Some(replay) = replay.as_mut() else {
                        let at = self.place(field.offset);
                        return Err(GgfError::NoBoard { game: self.game, at });
                    };
                    self.play(&field, replay, &mut game)?;
                }
                _ => {}
            }
        }
        if replay.is_none() {
            return Err(GgfError::NoBoard { game: self.game, at: self.place(self.offset) });
        }
        Ok(game)
    }

    /// Reads `8`, 64 cells and the side to move.
    fn board(&self, field: &Field<'_>, game: &mut Game) -> Result<(), GgfError> {
        let (size, cells) = field.value.trim().split_once(char::is_whitespace).unwrap_or_default();
        if size != "8" {
            return Err(self.bad_field(field, "a board of size 8: `8`, 64 cells, side to move"));
        }
        let mut first = None;
        for (count, cell) in cells.chars().filter(|cell| !cell.is_whitespace()).enumerate() {
            let bit = if count < 64 { 1 << count } else { 0 };
            match cell {
                '*' => game.start_black |= bit,
                'O' | 'o' => game.start_white |= bit,
                '-' if count < 64 => {}
                _ => return Err(self.bad_field(field, "only `*`, `O` and `-` as cells")),
            }
            // Anything after the side to move makes the board too long, and takes it away again.
            first = (count == 64).then_some(cell == '*');
        }
        let Some(black_first) = first else {
            return Err(self.bad_field(field, "64 cells and the side to move, `*` or `O`"));
        };
        game.black_first = black_first;
        Ok(())
    }

    fn play(
        &self,
        field: &Field<'_>,
        replay: &mut Replay,
        game: &mut Game,
    ) -> Result<(), GgfError> {
        let mut parts = field.value.split('/').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let is_pass = ["pa", "pass", "ps"].iter().any(|word| name.eq_ignore_ascii_case(word));
        let Some(action) = (if is_pass { Some(PASS) } else { square::parse(name) }) else {
            return Err(self.bad_field(field, "a square from a1 to h8, or PA"));
        };
        let mut note = |read: fn(&str) -> Option<f64>, expected| match parts.next() {
            None | Some("") => Ok(None),
            Some(text) => read(text).map(Some).ok_or_else(|| self.bad_field(field, expected)),
        };
        let evaluation = note(finite, "a number after the first `/`")?;
        let seconds = note(clock, "seconds, or [hours:]minutes:seconds, after the second `/`")?;

        let number = game.moves.len() + 1;
        let black_to_move = replay.first_side_to_move() == game.black_first;
        let black_moves = field.name == "B";
        if black_moves != black_to_move {
            // Some files leave passes out.
            if replay.play(PASS).is_err() {
                let side = if black_moves { "black" } else { "white" };
                let at = self.place(field.offset);
                return Err(GgfError::OutOfTurn { game: self.game, number, at, side });
            }
            game.moves.push(Move { action: PASS, evaluation: None, seconds: None });
        }
        replay.play(action).map_err(|why| {
            let (text, at) = (beginning(field.value), self.place(field.offset));
            GgfError::Illegal { game: self.game, number, text, at, why }
        })?;
        game.moves.push(Move { action, evaluation, seconds });
        Ok(())
    }
}

/// Enough of a text to recognise it in a message.
fn beginning(text: &str) -> String {
    text.chars().take(24).collect()
}

/// Seconds from `[[hours:]minutes:]seconds`.
fn clock(text: &str) -> Option<f64> {
    let parts: Vec<f64> = text.split(':').map(finite).collect::<Option<_>>()?;
    let total = parts.iter().fold(0.0, |total, part| total * 60.0 + part);
    (parts.len() <= 3 && total.is_finite()).then_some(total)
}
