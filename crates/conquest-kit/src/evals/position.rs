//! The evaluation of the Conquest thesis (its section 7), as its program computes it.

use conquest::{Conquest, Phase, State, commands_in};
use gamecore::{Evaluator, Game, Score, Seat, Term, Turn, math};

use super::AttackReach;

/// What a seat wants, computed for each seat by itself: its troops' share of health against the
/// enemy's, its command points, its cooldowns, and a troop that is about to attack.
#[derive(Clone, Copy, Debug)]
pub struct ThesisEvaluation {
    reach: AttackReach,
    /// Worth of a won and of a lost game; `None` leaves it to the formula.
    finished: Option<[f32; 2]>,
}

/// Points of [`Score`] for a value of 1.
const SCALE: f64 = 10_000.0;

/// Points that make winning e times as likely as losing. Fitted by `fit_conquest` of the crate `lab` to
/// 861,679 positions of 1,800 games: a surprise of 0.750 bits, and 0.752 on 96,164 positions of 200
/// other games. Searches that average take [`Evaluator::rewards`], which has its own units.
const POINTS_PER_E: f64 = 2_806.0;

/// The formula ranges from −1.75 to 1.33: won is above and lost below everything unfinished.
const WON: f32 = 1.5;
const LOST: f32 = -2.0;

/// The parts of a value before it is squeezed, in the order of the formula.
struct Parts {
    metric: f64,
    enemy_metric: f64,
    points: f64,
    cooldown: f64,
    threat: f64,
}

impl ThesisEvaluation {
    /// As intended: attacks within range count, and a finished game is better or worse than
    /// anything unfinished.
    pub const INTENDED: Self = Self { reach: AttackReach::Inclusive, finished: Some([WON, LOST]) };

    /// As programmed: strict reach, and the formula for finished games too.
    pub const ORIGINAL: Self = Self { reach: AttackReach::Strict, finished: None };

    /// The thesis's `h` for one seat.
    #[must_use]
    pub fn value(&self, game: &Conquest, state: &State, seat: Seat) -> f64 {
        let parts = self.parts(game, state, seat);
        squeeze(
            parts.metric - parts.enemy_metric + parts.points - parts.cooldown / 2.0 + parts.threat,
        )
    }

    fn parts(&self, game: &Conquest, state: &State, seat: Seat) -> Parts {
        let (cool, back) = cooldowns(game, state, seat);
        let points = f64::from(state.points(seat)) + back;
        let selected = state.selected().filter(|_| state.phase() == Phase::Combat);
        let threat = selected
            .is_some_and(|slot| self.reach.threatens(game, state, slot.into(), state.player()));
        Parts {
            metric: metric(game, state, seat),
            enemy_metric: metric(game, state, seat.other()),
            points: 1.0 - math::exp(-points / 25.0),
            cooldown: cool,
            threat: if threat { 0.05 } else { 0.0 },
        }
    }
}

fn squeeze(value: f64) -> f64 {
    if value > 0.0 { value / 3.0 } else { value / 2.0 }
}

/// Share of cost-weighted health left, less twice the share of the dead.
fn metric(game: &Conquest, state: &State, seat: Seat) -> f64 {
    let (mut left, mut dead, mut all) = (0.0, 0.0, 0.0);
    let living = state.living(seat);
    let mut slots = state.began(seat);
    while slots != 0 {
        let slot = slots.trailing_zeros() as usize;
        slots &= slots - 1;
        let row = game.options().units.troop(state.troop(slot));
        let cost = f64::from(row.cost);
        all += cost;
        if living >> slot & 1 != 0 {
            left += cost * f64::from(state.health(slot)) / f64::from(row.health);
        } else {
            dead += cost;
        }
    }
    if all > 0.0 { (left - 2.0 * dead) / all } else { 0.0 }
}

/// The share of cooldowns that is running, and a third of the points of commands just used.
fn cooldowns(game: &Conquest, state: &State, seat: Seat) -> (f64, f64) {
    let (mut running, mut full, mut back) = (0u32, 0u32, 0u32);
    for command in commands_in(state.owned(seat)) {
        let row = game.options().units.command(command);
        let left = state.cooldown(seat, command);
        full += u32::from(row.cooldown);
        let just_used = left == row.cooldown;
        if just_used {
            back += u32::from(row.cost) / 3;
        }
        if !just_used || state.player() != seat {
            running += u32::from(left);
        }
    }
    // A side without commands has none running.
    let share = if full > 0 { f64::from(running) / f64::from(full) } else { 0.0 };
    (share, f64::from(back))
}

impl Evaluator<Conquest> for ThesisEvaluation {
    fn evaluate(&self, game: &Conquest, state: &State, seat: Seat) -> Score {
        // Rounded once for seat 0, so that the two seats' scores are exact opposites.
        let [zero, one] = Seat::BOTH.map(|seat| self.value(game, state, seat));
        let score = ((zero - one) * SCALE).round() as i32;
        Score(if seat == Seat::Zero { score } else { -score })
    }

    fn rewards(&self, game: &Conquest, state: &State) -> [f32; 2] {
        match self.finished {
            Some([won, lost]) if game.turn(state) == Turn::Over => {
                Seat::BOTH.map(|seat| match game.payoff(state, seat) {
                    payoff if payoff > 0.5 => won,
                    payoff if payoff < 0.5 => lost,
                    _ => 0.0,
                })
            }
            _ => Seat::BOTH.map(|seat| self.value(game, state, seat) as f32),
        }
    }

    fn points_per_e(&self) -> f64 {
        POINTS_PER_E
    }

    fn rewards_are_chances(&self) -> bool {
        false
    }

    fn explain(&self, game: &Conquest, state: &State, seat: Seat) -> Vec<Term> {
        let parts = self.parts(game, state, seat);
        let term =
            |name, value: f64, weight| Term { name, value: (value * SCALE).round() as i32, weight };
        vec![
            term("own troops", parts.metric, 1),
            term("enemy troops", parts.enemy_metric, -1),
            term("command points", parts.points, 1),
            term("half of cooldowns", parts.cooldown / 2.0, -1),
            term("about to attack", parts.threat, 1),
        ]
    }
}
