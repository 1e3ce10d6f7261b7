//! The thesis's action heuristics, in thousandths.

use conquest::{Action, Command, Conquest, Deed, Phase, SIZE, State};
use gamecore::{ActionScore, Buf};

use super::AttackReach;

/// `ah_rs`, for rollouts and random search: attacks, charges and moves that lead to an attack
/// first, a charged move that leads to none never.
#[derive(Clone, Copy, Debug)]
pub struct RolloutHeuristic(pub AttackReach);

/// `ah_ft`, of the full-turn agent: commands other than Charge not at all.
#[derive(Clone, Copy, Debug)]
pub struct FullTurnHeuristic(pub AttackReach);

/// What the moves of a position are worth by where they lead.
struct Moves {
    /// Squares from which somebody can be attacked, a row a word.
    attacking: [u32; SIZE],
    charged: bool,
}

impl Moves {
    fn new(reach: AttackReach, game: &Conquest, state: &State, actions: &[Action]) -> Self {
        let none = Self { attacking: [0; SIZE], charged: false };
        // Moves come first in the order of actions.
        let some = actions.first().is_some_and(|first| matches!(first.deed(), Deed::Move { .. }));
        let Some(slot) = state.selected().map(usize::from).filter(|_| some) else { return none };
        let attacking = match reach.distance(game.range_of(state, slot)) {
            Some(distance) => state.squares_near_enemies(state.player(), distance),
            None => [0; SIZE],
        };
        Self { attacking, charged: state.marked(Command::Charge) >> slot & 1 != 0 }
    }

    fn attacks(&self, col: u8, row: u8) -> bool {
        self.attacking[usize::from(row)] >> col & 1 != 0
    }
}

impl ActionScore<Conquest> for RolloutHeuristic {
    fn score(
        &self,
        game: &Conquest,
        state: &State,
        actions: &[Action],
        _depth: u32,
        out: &mut Buf<i32>,
    ) {
        let moves = Moves::new(self.0, game, state, actions);
        let selected = state.selected().map(usize::from);
        out.extend(actions.iter().map(|action| match action.deed() {
            Deed::Attack(_) | Deed::Command(Command::Charge, _) => 1000,
            Deed::Command(command, slot)
                if command != Command::WindsOfFate
                    && !command.hits_enemy()
                    && Some(slot) == selected =>
            {
                750
            }
            Deed::Move { col, row } if moves.attacks(col, row) => 1000,
            Deed::Move { .. } if moves.charged => 0,
            _ => 500,
        }));
    }
}

impl ActionScore<Conquest> for FullTurnHeuristic {
    fn score(
        &self,
        game: &Conquest,
        state: &State,
        actions: &[Action],
        _depth: u32,
        out: &mut Buf<i32>,
    ) {
        let moves = Moves::new(self.0, game, state, actions);
        out.extend(actions.iter().map(|action| match action.deed() {
            Deed::Attack(_) => 1000,
            Deed::Command(Command::Charge, _) => 900,
            Deed::Command(..) => 0,
            Deed::End => 610,
            Deed::Move { col, row } if moves.charged => {
                if moves.attacks(col, row) {
                    900
                } else {
                    0
                }
            }
            _ => 700,
        }));
    }

    /// The plan of a turn is made without commands, so they are looked at where they can be given
    /// (thesis 6.6).
    fn reconsiders(&self, _game: &Conquest, state: &State) -> bool {
        matches!(state.phase(), Phase::Combat | Phase::Rally)
    }
}
