//! Move-average sampling technique (Finnsson and Björnsson, 2008, *Simulation-based approach to
//! general game playing*): an action that did well anywhere in this decision's simulations is drawn
//! more often in the rollouts that follow, whatever the position.
//!
//! Each seat has one mean for each action, over every iteration in which it played the action, in the
//! tree or in the rollout. As in the paper, an action never played counts as the best reward, and
//! actions are drawn with probability ∝ e^(mean / temperature); the greedy choice with ε is that of
//! Tak, Winands and Björnsson (2012, *N-grams and the last-good-reply policy applied in general game
//! playing*). Means are mapped to 0…1 by the rewards seen, so that evaluations of any scale fit.

use gamecore::{
    ActionScore, Buf, FULL_SCORE, Game, Horizon, Progressing, Rng, RolloutPolicy, Seat, Turn,
    draw_outcome,
};
use rustc_hash::FxHashMap;

use super::normalise::Range;

/// Actions remembered for each seat; what comes later keeps the value of an action never played.
const MOST_ACTIONS: usize = 1 << 16;

#[derive(Clone, Copy, Default)]
struct Mean {
    total: f64,
    visits: u32,
}

/// What the iterations of one decision teach about actions.
pub(crate) struct Mast<A> {
    means: [FxHashMap<A, Mean>; 2],
    range: Range,
    /// What was played since the last lesson.
    played: Vec<(Seat, A)>,
}

impl<A: Copy + Eq + std::hash::Hash> Mast<A> {
    pub(crate) fn new() -> Self {
        Self { means: Default::default(), range: Range::new(true), played: Vec::new() }
    }

    /// Forgets what the decision before taught.
    pub(crate) fn clear(&mut self) {
        self.means.iter_mut().for_each(FxHashMap::clear);
        self.range = Range::new(true);
    }

    /// Adds an action of the tree to what was played.
    pub(crate) fn note(&mut self, seat: Seat, action: A) {
        self.played.push((seat, action));
    }

    /// Gives every action that was played the reward of its seat.
    pub(crate) fn learn(&mut self, rewards: [f64; 2]) {
        self.range.see(rewards);
        for (seat, action) in self.played.drain(..) {
            let means = &mut self.means[seat.index()];
            if means.len() < MOST_ACTIONS || means.contains_key(&action) {
                let mean = means.entry(action).or_default();
                mean.total += rewards[seat.index()];
                mean.visits += 1;
            }
        }
    }

    /// Plays on to the horizon, each seat by its policy over the means; says how many actions it made.
    pub(crate) fn play<G: Game<Action = A>>(
        &mut self,
        game: &G,
        policies: &[RolloutPolicy; 2],
        state: &mut G::State,
        rng: &mut Rng,
        horizon: Horizon,
    ) -> u32 {
        let mut progress = Progressing::new(horizon);
        let mut actions = Buf::new();
        loop {
            let turn = game.turn(state);
            if !progress.goes_on(turn) {
                return progress.actions();
            }
            let action = match turn {
                Turn::Player(seat) => {
                    actions.clear();
                    game.actions(state, &mut actions);
                    let policy = &policies[seat.index()];
                    let action = actions[policy.choose(&*self, game, state, &actions, rng)];
                    self.note(seat, action);
                    action
                }
                Turn::Chance | Turn::Over => draw_outcome(game, state, rng),
            };
            game.apply(state, action);
            progress.played();
        }
    }
}

impl<G: Game> ActionScore<G> for Mast<G::Action> {
    fn score(
        &self,
        game: &G,
        state: &G::State,
        actions: &[G::Action],
        _depth: u32,
        out: &mut Buf<i32>,
    ) {
        let Turn::Player(seat) = game.turn(state) else { return };
        let means = &self.means[seat.index()];
        out.extend(actions.iter().map(|action| match means.get(action) {
            Some(mean) => {
                let mean = self.range.map(mean.total / f64::from(mean.visits));
                (mean * f64::from(FULL_SCORE)) as i32
            }
            None => FULL_SCORE,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::toys::StagedNimAction::{Choose, Take};
    use testkit::toys::{StagedNim, StagedNimAction};

    /// Two is best for seat 0, three for seat 1, for which one is nearly as good.
    fn taught() -> Mast<StagedNimAction> {
        let mut mast = Mast::new();
        for (taken, reward) in [(1, 0.0), (2, 1.0), (3, 0.2)] {
            mast.note(Seat::Zero, Take(taken));
            mast.note(Seat::One, Take(4 - taken));
            mast.learn([reward, 1.0 - reward]);
        }
        mast
    }

    fn scores(mast: &Mast<StagedNimAction>, state: &<StagedNim as Game>::State) -> Vec<i32> {
        let mut scores = Buf::new();
        mast.score(&StagedNim::new(&[9]), state, &[Take(1), Take(2), Take(3)], 0, &mut scores);
        scores.to_vec()
    }

    #[test]
    fn each_seat_plays_what_did_well_for_it_where_it_can() {
        let game = StagedNim::new(&[9]);
        let mut mast = taught();
        let greedy = [0.0; 2].map(RolloutPolicy::epsilon_greedy);
        let mut rng = Rng::new(1);
        let mut state = game.start(&(), &mut rng);
        let made = mast.play(&game, &greedy, &mut state, &mut rng, Horizon::GAME);
        let takes =
            [(Seat::Zero, 2), (Seat::One, 3), (Seat::Zero, 2), (Seat::One, 1), (Seat::Zero, 1)];
        let expected: Vec<_> = takes
            .iter()
            .flat_map(|&(seat, taken)| [(seat, Choose(0)), (seat, Take(taken))])
            .collect();
        assert_eq!(mast.played, expected);
        assert_eq!(made, 10);
    }

    #[test]
    fn scores_are_means_on_the_scale_of_the_rewards_seen() {
        let game = StagedNim::new(&[9]);
        let state = game.start(&(), &mut Rng::new(1));
        let mut mast = taught();
        assert_eq!(scores(&mast, &state), [0, 1000, 200]);
        // Another reward for one, and a wider scale: from −1 to 1.
        mast.note(Seat::Zero, Take(1));
        mast.learn([-1.0, 1.0]);
        assert_eq!(scores(&mast, &state), [250, 1000, 600]);
        mast.clear();
        assert_eq!(scores(&mast, &state), [1000; 3], "nothing is known of what was never played");
    }
}
