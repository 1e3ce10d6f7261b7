//! How Lords of War is put on the table: its name and looks.

use crate::evals::HEAT_MAPS;
use crate::scene;
use lords_of_war::{COLS, LordsOfWar, SQUARES, Square};
use registry::{Presentation, SquareMap};

pub(crate) fn lords_of_war() -> Presentation<LordsOfWar> {
    Presentation {
        title: "Lords of War",
        toy: false,
        appearance: scene::appearance(),
        rules_text: include_str!("../../../docs/rules/lords-of-war.md"),
        maps: |_, _, seat| {
            let square = |number: usize| Square::new(number % COLS, number / COLS);
            let map = |(name, about, map): (&'static str, &str, crate::evals::HeatMap)| {
                let weighed = (0..SQUARES).filter_map(|number| {
                    Some((number as u16, f64::from(map.weight(square(number)?, seat))))
                });
                SquareMap { name, about: about.to_owned(), squares: weighed.collect() }
            };
            HEAT_MAPS.into_iter().map(map).collect()
        },
        ..Presentation::plain()
    }
}
