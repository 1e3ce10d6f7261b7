//! Every rule option must leave a game that fulfils the contract.

use conquest::{Conquest, Options};
use testkit::conformance::{Conformance, check};

/// Few troops and much money, so that games are short and every command is used.
fn setups() -> Vec<[String; 2]> {
    [
        ["Default", "Default"],
        ["2S,A+BattleCry,Chastise,WindsOfFate,Vigilance", "H,M+Bombard,Regenerate,ShieldWall"],
        ["K,C,S+Charge,Stoicism,WindsOfFate", "@S..S/.F/...S+Chastise,Charge"],
    ]
    .map(|setup| setup.map(str::to_owned))
    .to_vec()
}

/// The next turn begins with nobody to select: one troop must be freed.
const ALL_CHASTISED: &str =
    "0 rally 4 0 open 0/0 Chastise - S5/5=50 S10/10=50!Chastise,S12/12=50!Chastise -";

/// Winds of Fate can be paid and has something to draw.
const RICH: &str = "0 select 0 - open 900/900 Bombard:2,WindsOfFate*,Charge:1 - C5/5=500 \
                    S10/10=50,S12/12=50 -";

fn conforms(rules: &str, games: u32) {
    let game = Conquest::new(Options::parse(rules).expect("rules of a test"));
    let options = Conformance {
        games,
        setups: setups(),
        positions: vec![ALL_CHASTISED.to_owned(), RICH.to_owned()],
        max_plies: 20_000,
        guesses: true,
        ..Default::default()
    };
    check(&game, &options);
}

#[test]
fn presets_conform() {
    for preset in ["intended", "original,turn-limit=400", "thesis,turn-limit=400"] {
        conforms(preset, 2);
    }
}

#[test]
fn draws_by_chance_conform() {
    conforms("winds=random,freed=random,turn-limit=200", 2);
    conforms("winds=random,turn-limit=200", 1);
    conforms("freed=random,turn-limit=200", 1);
}

#[test]
fn rules_without_reductions_conform() {
    for rules in
        ["moves=many", "trim=no", "command-window=no", "moves=many,trim=no,command-window=no"]
    {
        conforms(&format!("{rules},turn-limit=120"), 1);
    }
}

#[test]
fn secrets_and_obstacles_conform() {
    conforms("secret-commands=yes,turn-limit=100", 1);
    conforms("obstacles=20,turn-limit=100", 1);
    conforms("obstacles=9,symmetric-obstacles=no,secret-commands=yes,turn-limit=100", 1);
}

#[test]
fn changed_units_conform() {
    conforms("units=S:25/19/3/50/70+C:200/9/1/999/1+Charge:0/1/smcr,turn-limit=100", 1);
}
