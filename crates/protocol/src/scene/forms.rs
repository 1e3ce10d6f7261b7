//! The forms of what games show in words of their own, for who describes the interface. Everybody
//! else takes [`Piece`] and [`Detail`] as they come.

use std::collections::BTreeMap;

use utoipa::ToSchema;
use utoipa::openapi::schema::{AllOfBuilder, ObjectBuilder, OneOfBuilder, RefBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

use super::{Detail, Piece};

type Form = RefOr<Schema>;

/// Every kind of piece and every game's detail, with the types that they are made of.
#[derive(Clone, Default)]
pub struct SceneForms {
    pieces: Vec<Form>,
    details: Vec<Form>,
    types: BTreeMap<String, Form>,
}

impl SceneForms {
    /// The same with pieces of this kind, of which `T` is told.
    #[must_use]
    pub fn piece<T: ToSchema>(mut self, kind: &str, about: &str) -> Self {
        let form = self.tagged::<T>(Piece::TAG, kind, about);
        self.pieces.push(form);
        self
    }

    /// The same with pieces of this kind, of which nothing else is told.
    #[must_use]
    pub fn plain_piece(mut self, kind: &str, about: &str) -> Self {
        self.pieces.push(tag(Piece::TAG, kind).description(Some(about)).into());
        self
    }

    /// The same with the detail of this game, in which `T` is shown.
    #[must_use]
    pub fn detail<T: ToSchema>(mut self, game: &str, about: &str) -> Self {
        let form = self.tagged::<T>(Detail::TAG, game, about);
        self.details.push(form);
        self
    }

    /// These and those of another game.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.pieces.extend(other.pieces);
        self.details.extend(other.details);
        self.types.extend(other.types);
        self
    }

    /// Says in a description of an interface what a piece and a detail can be.
    pub fn declare_in(self, schemas: &mut BTreeMap<String, Form>) {
        let one_of = |forms: Vec<Form>, about: &str| {
            let all = forms.into_iter().fold(OneOfBuilder::new(), OneOfBuilder::item);
            Form::from(all.description(Some(about)))
        };
        schemas.extend(self.types);
        let piece = one_of(self.pieces, "What to draw on a square.");
        schemas.insert(Piece::name().into_owned(), piece);
        let detail = one_of(self.details, "What one game alone shows.");
        schemas.insert(Detail::name().into_owned(), detail);
    }

    /// A type of a game with a tag beside its fields, as serde's internally tagged enums have it.
    fn tagged<T: ToSchema>(&mut self, name: &str, word: &str, about: &str) -> Form {
        let mut types = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut types);
        self.types.extend(types);
        let own = RefBuilder::new().ref_location_from_schema_name(T::name());
        let own = own.description(Some(about));
        AllOfBuilder::new().item(own).item(tag(name, word)).description(Some(about)).into()
    }
}

fn tag(name: &str, word: &str) -> ObjectBuilder {
    let words = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([word]));
    ObjectBuilder::new().property(name, words).required(name)
}
