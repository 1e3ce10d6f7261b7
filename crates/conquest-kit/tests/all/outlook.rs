//! Conquest's outlook: fair to both seats, and its strikes are those of the rules.

use conquest::{Action, Conquest, Deed, State, Troop};
use conquest_kit::evals::{ConquestFactors, OUTLOOK};
use gamecore::{Buf, Evaluator, Game, Notation, Seat};
use registry::factors::{FactorEvaluator, Factors, MAX_FACTORS, Wanted, Weights};
use testkit::conformance::{Conformance, check_antisymmetric};

type Outlook = FactorEvaluator<Conquest, ConquestFactors>;

fn outlook() -> Outlook {
    Outlook::new(&Weights::parse::<Conquest, ConquestFactors>(OUTLOOK).expect("built in"))
}

fn position(text: &str) -> State {
    Conquest::default()
        .parse_position(&format!("{text} -"))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn factor(name: &str, state: &State) -> i32 {
    let place = ConquestFactors::LIST.iter().position(|info| info.name == name).expect("a factor");
    let mut out = [0; MAX_FACTORS];
    ConquestFactors::measure(&Conquest::default(), state, Wanted::ALL, &mut out);
    out[place]
}

#[test]
fn it_is_antisymmetric() {
    check_antisymmetric(&Conquest::default(), &outlook(), &Conformance::default());
    assert!(outlook().won_from() < gamecore::Score::INFINITE, "a score tells a won game");
}

/// Every position after an attack in this turn.
fn after_attacks(game: &Conquest, state: &State, out: &mut Vec<State>) {
    let mut actions = Buf::<Action>::new();
    game.actions(state, &mut actions);
    for action in actions {
        let mut next = *state;
        match action.deed() {
            Deed::Attack(_) => {
                game.apply(&mut next, action);
                out.push(next);
            }
            Deed::Select(_) | Deed::Move { .. } => {
                game.apply(&mut next, action);
                after_attacks(game, &next, out);
            }
            _ => {}
        }
    }
}

/// One look finds what all turns of the rules come to, for every two kinds at every distance.
#[test]
fn the_best_strike_is_that_of_the_rules() {
    let game = Conquest::default();
    let mut strikes = 0;
    for (mine, theirs) in
        Troop::ALL.into_iter().flat_map(|mine| Troop::ALL.map(|theirs| (mine, theirs)))
    {
        let health = |troop: Troop| game.options().units.troop(troop).health;
        for distance in 1..=11 {
            let state = position(&format!(
                "0 select 20 - open 0/0 - - {}9/2={} {}9/{}={},F0/19=300",
                mine.letter(),
                health(mine),
                theirs.letter(),
                2 + distance,
                health(theirs),
            ));
            let mut struck = Vec::new();
            after_attacks(&game, &state, &mut struck);
            let before = factor("worth", &state);
            let gained = |after: &State| factor("worth", after) - before;
            let best = struck.iter().map(gained).max().unwrap_or(0).max(0);
            let shown = format!("{mine:?} against {theirs:?} at {distance}");
            assert_eq!(factor("strike", &state), best, "{shown}");
            strikes += u32::from(best > 0);
        }
    }
    assert!(strikes > 100, "only {strikes} strikes were worth it");
}

/// What lies in reach of an enemy that kills it is worth less than what does not.
#[test]
fn a_threat_is_seen_before_it_is_carried_out() {
    let value = |row: u8| {
        let text = format!("1 select 20 - open 0/0 - - M9/{row}=100,F0/0=300 K9/12=300,F0/19=300");
        outlook().evaluate(&Conquest::default(), &position(&text), Seat::Zero)
    };
    assert!(value(8) < value(6), "a Knight walks 4 and strikes at 1");
    assert_eq!(
        factor("kill", &position("1 select 20 - open 0/0 - - M9/8=100,F0/0=300 K9/12=300")),
        -1
    );
}

/// What a side can still do in this turn and what it can do in the next one are told apart.
#[test]
fn commands_count_when_they_can_be_paid_for() {
    // A Foot Soldier walks 3 and strikes at 1.
    let strike = |head: &str, marks: &str, distance: u8| {
        let row = 2 + distance;
        let text = format!("{head} F9/2=300{marks} S9/{row}=100,F0/19=300");
        factor("strike", &position(&text))
    };
    let owned = "Charge:0 -";
    assert_eq!(strike(&format!("0 select 20 - open 50/0 {owned}"), "", 7), 0, "too few points");
    assert!(strike(&format!("0 select 20 - open 75/0 {owned}"), "", 7) > 0, "within reach");
    // Cast, paid for and cooling down.
    let cast = "0 move 20 0 open 0/0 Charge:5 -";
    assert!(strike(cast, "!Charge", 7) > 0, "the Charge was cast");
    assert_eq!(strike(cast, "", 7), 0, "upon nobody");
    // After its own turn the side waits: it gains points, and a cooldown of 1 ends.
    let threat = |points: u32, cooldown: u8| {
        let head = format!("0 rally 20 0 open {points}/0 Charge:{cooldown} -");
        factor("threat", &position(&format!("{head} F9/2=300 S9/9=100,F0/19=300")))
    };
    assert!(threat(50, 0) > 0 && threat(50, 1) > 0, "paid for by the next income");
    assert_eq!([threat(25, 0), threat(50, 2)], [0, 0], "not in time");
}
