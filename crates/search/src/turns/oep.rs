//! `oep`: online evolution of one's own turn (Justesen, Mahlmann and Togelius, 2016, *Online evolution
//! for multi-action adversarial games*; Justesen, Mahlmann, Risi and Togelius, 2018, *Playing
//! multiaction adversarial games: online evolutionary planning versus tree search*).
//!
//! A genome is a turn. In every generation the better half survives; the rest are children, made
//! action by action from two survivors: the gene of either parent, the other's where that is illegal,
//! any action where both are. The fitness is the evaluation after the turn, or, with a rolling
//! horizon, after so many more turns that greedy beams answer with.
//!
//! Where we differ: turns that lead to one position are one, and every decision of a turn goes on with
//! the population of the decision before, of which those remain that begin as was played. Chance
//! inside a turn ends it. Needs a game in which nothing is hidden.

use std::sync::Arc;

use gamecore::{
    ActionScore, Agent, Bound, Decision, Evaluator, Game, Limits, Progress, Rng, Score, Seat, Turn,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::config::OepConfig;
use super::effort::Effort;
use super::generator::{Generator, Means, PlayedTurn, Rest, Wish};
use super::report::{self, Ending, Found, RootTurn};
use crate::window::Stopped;

/// A turn that runs in circles is valued where it is after so many actions.
const LONGEST_TURN: usize = 256;

/// Positions after a turn whose fitness is remembered during one decision.
const MOST_KNOWN: usize = 1 << 14;

/// What follows a turn, and what that is worth to the seat that played it.
#[derive(Clone)]
struct Prospect<A> {
    value: Score,
    line: Vec<A>,
}

/// The position after the last decision, and how its survivors go on from there.
type Carried<A> = Option<(u64, Vec<Box<[A]>>)>;

/// An agent that evolves its turns. Built anew for every game.
pub struct Oep<G: Game> {
    config: OepConfig,
    evaluator: Arc<dyn Evaluator<G>>,
    action_score: Option<Arc<dyn ActionScore<G>>>,
    generator: Generator<G>,
    rng: Rng,
    carried: Carried<G::Action>,
    ending: Ending<G::Action>,
}

/// One decision.
struct Evolution<'a, 'l, G: Game> {
    means: Means<'a, G>,
    config: &'a OepConfig,
    state: &'a G::State,
    generator: &'a mut Generator<G>,
    rng: &'a mut Rng,
    effort: Effort<'l>,
    known: FxHashMap<u64, Prospect<G::Action>>,
}

impl<G: Game> Oep<G> {
    /// An agent of this make. Its action heuristic, if any, leaves out what it scores 0; `seed` is
    /// that of its random stream.
    #[must_use]
    pub fn new(
        config: OepConfig,
        evaluator: Arc<dyn Evaluator<G>>,
        action_score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Self {
        let (generator, rng) = (Generator::new(), Rng::new(seed));
        Self { config, evaluator, action_score, generator, rng, carried: None, ending: None }
    }

    /// Decides a position that is fully known.
    pub fn decide_state(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        let Self { config, evaluator, action_score, generator, rng, carried, ending } = self;
        report::decide(game, state, &**evaluator, limits, ending, |question| {
            let rest = Rest { game, seat: question.seat, allowed: action_score.as_deref() };
            let mut evolution = Evolution {
                means: Means { rest, evaluator: &**evaluator },
                config,
                state,
                generator,
                rng,
                effort: Effort::new(&config.budget, limits),
                known: FxHashMap::default(),
            };
            let seeds = carried.take().filter(|(key, _)| *key == game.key(state));
            let seeds = seeds.map_or(Vec::new(), |(_, seeds)| seeds);
            let turns = evolution.run(&seeds, limits);
            *carried = remaining(game, state, &turns);
            Found {
                turns,
                reading: evaluator.reading(),
                depth: 1 + config.horizon,
                complete: !evolution.effort.is_halted(),
                counters: evolution.effort.counters,
            }
        })
    }
}

/// The position after the best turn's first action, and how the turns that begin so go on.
fn remaining<G: Game>(game: &G, state: &G::State, turns: &[RootTurn<G>]) -> Carried<G::Action> {
    let first = turns.first()?.turn.actions[0];
    let mut next = state.clone();
    game.apply(&mut next, first);
    let alike = turns.iter().filter(|root| root.turn.actions[0] == first);
    Some((game.key(&next), alike.map(|root| root.turn.actions[1..].into()).collect()))
}

impl<G: Game> Evolution<'_, '_, G> {
    /// Evolves until the budget is spent; the best turn comes first.
    fn run(
        &mut self,
        seeds: &[Box<[G::Action]>],
        limits: &Limits<'_, G::Action>,
    ) -> Vec<RootTurn<G>> {
        let mut population: Vec<RootTurn<G>> = Vec::new();
        let mut seeds = seeds.iter();
        loop {
            let survivors = population.len();
            while population.len() < self.config.population {
                let made = match seeds.next() {
                    Some(seed) => self.child(seed, seed, 0.0),
                    None if survivors < 2 => self.child(&[], &[], 0.0),
                    None => {
                        let mut draw = || self.rng.below(survivors as u32) as usize;
                        let (one, other) = (&population[draw()], &population[draw()]);
                        self.child(&one.turn.actions, &other.turn.actions, self.config.mutation)
                    }
                };
                let Ok(root) = made else {
                    self.select(&mut population);
                    return population;
                };
                population.push(root);
            }
            self.select(&mut population);
            let best = &population[0];
            if let Some(progress) = limits.progress {
                progress(&Progress {
                    completed: self.effort.counters.iterations,
                    action: best.turn.actions[0],
                    value: best.value,
                    counters: self.effort.counters,
                });
            }
            if self.effort.iteration().is_err() {
                return population;
            }
        }
    }

    /// The better half, one turn for each position.
    fn select(&self, population: &mut Vec<RootTurn<G>>) {
        population.sort_by(|one, other| other.value.total_cmp(&one.value));
        let mut seen = FxHashSet::default();
        population.retain(|root| seen.insert(self.means.rest.game.key(&root.turn.state)));
        population.truncate(self.config.population.div_ceil(2));
    }

    /// A turn by uniform crossover: at each place an action of either parent if one is legal there,
    /// otherwise, and at random with probability `mutation`, any.
    fn child(
        &mut self,
        one: &[G::Action],
        other: &[G::Action],
        mutation: f64,
    ) -> Result<RootTurn<G>, Stopped> {
        let mut state = self.state.clone();
        let mut actions = Vec::new();
        while actions.len() < LONGEST_TURN
            && (actions.is_empty() || self.means.rest.goes_on(&state))
        {
            let legal = self.means.rest.some_actions(&state);
            let mutated = mutation > 0.0 && self.rng.unit() < mutation;
            let (mut genes, place) = ([one, other], actions.len());
            if self.rng.below(2) == 1 {
                genes.reverse();
            }
            let gene = genes
                .iter()
                .filter_map(|genes| genes.get(place))
                .find(|gene| !mutated && legal.binary_search(gene).is_ok());
            let action = match gene {
                Some(gene) => *gene,
                None => legal[self.rng.below(legal.len() as u32) as usize],
            };
            self.effort.call()?;
            self.means.rest.game.apply(&mut state, action);
            actions.push(action);
        }
        let value = self.means.value(&state);
        let turn = PlayedTurn { actions: actions.into(), state, value };
        let Prospect { value, line } = self.prospect(&turn)?;
        let value = f64::from(value.0);
        Ok(RootTurn { turn, value, bound: Bound::Estimate, nodes: 1, line })
    }

    /// Looks beyond a turn to the horizon.
    fn prospect(&mut self, turn: &PlayedTurn<G>) -> Result<Prospect<G::Action>, Stopped> {
        self.effort.node()?;
        let Means { rest: Rest { game, seat, allowed }, evaluator } = self.means;
        let mut prospect = Prospect { value: turn.value, line: Vec::new() };
        if self.config.horizon == 0 {
            return Ok(prospect);
        }
        let key = game.key(&turn.state);
        if let Some(known) = self.known.get(&key) {
            self.effort.counters.table_hits += 1;
            return Ok(known.clone());
        }
        let wish = Wish { spread: self.config.reply_spread, keep: 1, noisy: false };
        let mut state = turn.state.clone();
        for _ in 0..self.config.horizon {
            let Turn::Player(next) = game.turn(&state) else { break };
            let means = Means::new(game, next, allowed, evaluator);
            let made = self.generator.turns(&means, &state, wish, &mut self.effort)?;
            let Some(best) = made.into_iter().next() else { break };
            prospect.value = by_seat(best.value, next, seat);
            prospect.line.extend(&best.actions);
            state = best.state;
        }
        if self.known.len() < MOST_KNOWN {
            self.known.insert(key, prospect.clone());
        }
        Ok(prospect)
    }
}

/// The value for `view` of what has this value for `seat`.
fn by_seat(value: Score, seat: Seat, view: Seat) -> Score {
    if seat == view { value } else { -value }
}

impl<G: Game> Agent<G> for Oep<G> {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        // Nothing is hidden where this agent may play, so the draw cannot matter.
        let state = game.sample(view, &mut Rng::new(0));
        self.decide_state(game, &state, limits)
    }
}
