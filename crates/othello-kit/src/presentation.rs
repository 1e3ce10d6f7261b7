//! How Othello is put on the table.

use crate::evals::SQUARE_VALUES;
use crate::scene;
use othello::Othello;
use registry::{Presentation, SquareMap};

pub(crate) fn othello() -> Presentation<Othello> {
    Presentation {
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
        ..Presentation::plain()
    }
}
