//! What games show in words of their own is what they declare: the page's types are made from it.

use std::collections::BTreeMap;

use arena::Seeds;
use gamecore::{Rng, Seat};
use serde_json::{Value, json};
use standard::registry;

/// The declared types by name.
fn types() -> Value {
    let mut types = BTreeMap::new();
    registry().scene_forms().declare_in(&mut types);
    serde_json::to_value(types).expect("types have a form in JSON")
}

/// What an object of a type may hold: a type by name, or one written in place.
fn fields(types: &Value, form: &Value) -> (Vec<String>, Vec<String>) {
    let form =
        match form["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/schemas/")) {
            Some(name) => &types[name],
            None => form,
        };
    let known = form["properties"].as_object().expect("an object").keys().cloned().collect();
    let required = form["required"].as_array().into_iter().flatten();
    (known, required.map(|name| name.as_str().expect("a name").to_owned()).collect())
}

/// An object is of exactly one of the forms of this type: its tag says which.
fn check(types: &Value, of: &str, tag: &str, object: &Value) {
    let mut found = 0;
    for form in types[of]["oneOf"].as_array().expect("several forms") {
        let alone = [form.clone()];
        let parts = form["allOf"].as_array().map_or(&alone[..], Vec::as_slice);
        let tagged = parts.last().expect("a tag");
        if tagged["properties"][tag]["enum"] != json!([object[tag]]) {
            continue;
        }
        found += 1;
        let (mut known, mut required) = (Vec::new(), Vec::new());
        for part in parts {
            let (names, needed) = fields(types, part);
            known.extend(names);
            required.extend(needed);
        }
        let held: Vec<&String> = object.as_object().expect("an object").keys().collect();
        assert!(held.iter().all(|name| known.contains(name)), "{of} {object}: {known:?}");
        assert!(required.iter().all(|name| held.contains(&name)), "{of} {object}: {required:?}");
    }
    assert_eq!(found, 1, "{of} {object}");
}

#[test]
fn scenes_hold_what_is_declared() {
    let types = types();
    for name in registry().names() {
        let game = registry().open(name, "").expect("rules by default");
        let mut rng = Rng::new(1);
        let start = game.start(["", ""], Some(0), 1, false).expect("a start");
        let mut session = game.open(&start, Seeds::default()).expect("a position of ours");
        for _ in 0..100 {
            for eyes in [None, Some(Seat::Zero), Some(Seat::One)] {
                let scene = session.scene(eyes);
                check(&types, "Detail", "game", &scene.detail.value());
                for placed in &scene.pieces {
                    check(&types, "Piece", "kind", &placed.piece.value());
                }
            }
            let legal = session.legal();
            let Some(action) = legal.get(rng.below(legal.len().max(1) as u32) as usize) else {
                break;
            };
            session.apply(action).expect("a legal action");
        }
    }
}
