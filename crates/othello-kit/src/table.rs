//! How Othello is put on the table.

use crate::evals::SQUARE_VALUES;
use crate::scene;
use othello::Othello;
use registry::{SquareMap, Tabled};

pub(crate) fn othello() -> Tabled<Othello> {
    Tabled {
        title: "Othello",
        toy: false,
        appearance: scene::appearance(),
        rules_text: include_str!("../../../docs/rules/othello.md"),
        maps: |_, _, _| {
            let about =
                "what a disc on each square is worth to the evaluation and the order of moves";
            let squares = (0..).zip(SQUARE_VALUES.map(f64::from)).collect();
            vec![SquareMap { name: "values", about: about.to_owned(), squares }]
        },
    }
}
