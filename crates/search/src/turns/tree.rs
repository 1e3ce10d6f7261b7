//! `turn-mcts`: tree search in which a move is a whole turn.
//!
//! UCT (Kocsis and Szepesvári, 2006) over the turns that the generator makes of a position, merged by
//! where they lead. A position has too many to try each once, so they are taken up in the order of
//! their evaluation by progressive widening (Coulom, 2007; Chaslot et al., 2008). Baier and Cowling
//! (2018, *Evolutionary MCTS for multi-action adversarial games*) let a tree edit one turn; here it
//! looks beyond the turn.
//!
//! 1. Select: from the root, the turn with the best `mean + C·√n / (nᵢ + 1)`. The evaluation after a
//!    turn counts as its first visit.
//! 2. Expand: make the turns of the position reached.
//! 3. Value: what the evaluation says after the best of them, as a chance to win. No rollout.
//! 4. Back up the mean, each seat its own.
//!
//! One node for each position, whatever the turns that led to it, also from one decision to the next.
//! Outcomes of chance are drawn by weight. Needs a game in which nothing is hidden.

use std::sync::Arc;

use gamecore::{
    ActionScore, Agent, Bound, Buf, Decision, Evaluator, Game, Limits, Progress, Reading, Rng,
    Score, Seat, Turn, draw_outcome,
};
use rustc_hash::FxHashMap;

use super::config::TurnMctsConfig;
use super::effort::Effort;
use super::generator::{Generator, Means, PlayedTurn, Wish};
use super::report::{self, Ending, Found, RootTurn};
use crate::agent::Question;
use crate::mcts::select::alphago::AlphaGo;
use crate::mcts::select::widening::open_actions;
use crate::mcts::{LONGEST_LINE, NONE, is_news};
use crate::window::Stopped;

/// No path holds more turns, even if a game runs in circles.
const DEEPEST: usize = 256;

/// A turn of a node, or an outcome of chance, and what came of it.
struct Branch<A> {
    actions: Box<[A]>,
    /// Chances of the seat that plays the turn, the evaluation's first.
    total: f64,
    visits: u32,
    child: u32,
}

impl<A> Branch<A> {
    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits + 1)
    }
}

/// A position between two turns.
struct Node<A> {
    /// Who plays; `None` where nobody does.
    seat: Option<Seat>,
    visits: u32,
    /// The chance of seat 0 when the node was made.
    first: f64,
    branches: Vec<Branch<A>>,
}

/// An agent that grows a tree of turns. Built anew for every game.
pub struct TurnMcts<G: Game> {
    config: TurnMctsConfig,
    evaluator: Arc<dyn Evaluator<G>>,
    action_score: Option<Arc<dyn ActionScore<G>>>,
    generator: Generator<G>,
    rng: Rng,
    nodes: Vec<Node<G::Action>>,
    by_key: FxHashMap<u64, u32>,
    ending: Ending<G::Action>,
}

/// One decision.
struct Search<'a, 'l, G: Game> {
    game: &'a G,
    config: &'a TurnMctsConfig,
    evaluator: &'a dyn Evaluator<G>,
    action_score: Option<&'a dyn ActionScore<G>>,
    generator: &'a mut Generator<G>,
    rng: &'a mut Rng,
    nodes: &'a mut Vec<Node<G::Action>>,
    by_key: &'a mut FxHashMap<u64, u32>,
    effort: Effort<'l>,
    root: u32,
    /// Nodes that there is room for.
    most: usize,
    /// Nodes and the branches taken there.
    path: Vec<(u32, u32)>,
}

impl<G: Game> TurnMcts<G> {
    /// An agent of this make. Its action heuristic, if any, leaves out what it scores 0; `seed` is
    /// that of its random stream.
    #[must_use]
    pub fn new(
        config: TurnMctsConfig,
        evaluator: Arc<dyn Evaluator<G>>,
        action_score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Self {
        Self {
            config,
            evaluator,
            action_score,
            generator: Generator::new(),
            rng: Rng::new(seed),
            nodes: Vec::new(),
            by_key: FxHashMap::default(),
            ending: None,
        }
    }

    /// Decides a position that is fully known.
    pub fn decide_state(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        let Self { config, evaluator, action_score, generator, rng, nodes, by_key, ending } = self;
        report::decide(game, state, &**evaluator, limits, ending, |question| {
            let most = config.entries().max(2);
            if nodes.len() > most / 2 {
                nodes.clear();
                by_key.clear();
            }
            let mut search = Search {
                game,
                config,
                evaluator: &**evaluator,
                action_score: action_score.as_deref(),
                generator,
                rng,
                root: nodes.len() as u32,
                nodes,
                by_key,
                effort: Effort::new(&config.budget, limits),
                path: Vec::new(),
                most,
            };
            let turns = search.run(question, limits);
            let mut counters = search.effort.counters;
            counters.tree_nodes = search.nodes.len() as u64;
            Found {
                turns: search.root_turns(turns),
                reading: Reading::Chance,
                depth: 0,
                complete: !search.effort.is_halted(),
                counters,
            }
        })
    }
}

impl<G: Game> Search<'_, '_, G> {
    /// Makes the turns of the root and searches them.
    fn run(
        &mut self,
        question: &Question<'_, G>,
        limits: &Limits<'_, G::Action>,
    ) -> Vec<PlayedTurn<G>> {
        let wish = Wish { spread: self.config.spread, keep: self.config.width, noisy: false };
        let made = self.turns(question.state, question.seat, wish);
        let whole = made.is_ok();
        let turns = made.unwrap_or_else(|Stopped| self.generator.found(wish.keep));
        let root = self.node(Some(question.seat), 0.5, &turns);
        self.nodes.push(root);
        while whole && turns.len() > 1 && self.effort.iteration().is_ok() {
            if self.iterate(question.state).is_err() {
                break;
            }
            let made = self.effort.counters.iterations;
            if let Some(progress) = limits.progress.filter(|_| is_news(made)) {
                let best = self.best(self.root).expect("the root has turns");
                progress(&Progress {
                    completed: made,
                    action: best.actions[0],
                    value: best.mean(),
                    counters: self.effort.counters,
                });
            }
        }
        turns
    }

    fn iterate(&mut self, root: &G::State) -> Result<(), Stopped> {
        self.path.clear();
        let (mut at, mut state) = (self.root, root.clone());
        let reward = loop {
            let node = &self.nodes[at as usize];
            let seat = node.seat.unwrap_or(Seat::Zero);
            // Over, or nothing to be played; and a game may run in circles.
            if node.branches.is_empty() || self.path.len() >= DEEPEST {
                break node.first;
            }
            let taken = self.select(at, &state);
            self.path.push((at, taken));
            let branch = &mut self.nodes[at as usize].branches[taken as usize];
            for &action in &branch.actions {
                self.effort.call()?;
                self.game.apply(&mut state, action);
            }
            if branch.child == NONE {
                let key = self.game.key(&state);
                let Some(&known) = self.by_key.get(&key) else {
                    if self.nodes.len() >= self.most {
                        let value = self.means(seat).value(&state);
                        break by_seat(self.chance(value), seat, Seat::Zero);
                    }
                    let node = self.expand(&state)?;
                    let (made, reward) = (self.nodes.len() as u32, node.first);
                    self.nodes.push(node);
                    self.by_key.insert(key, made);
                    self.nodes[at as usize].branches[taken as usize].child = made;
                    break reward;
                };
                branch.child = known;
            }
            at = branch.child;
        };
        for &(node, branch) in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            let branch = &mut node.branches[branch as usize];
            branch.visits += 1;
            branch.total += by_seat(reward, Seat::Zero, node.seat.unwrap_or(Seat::Zero));
        }
        Ok(())
    }

    /// The branch to follow.
    fn select(&mut self, at: u32, state: &G::State) -> u32 {
        let node = &self.nodes[at as usize];
        if node.seat.is_none() {
            let outcome = draw_outcome(self.game, state, self.rng);
            let position = node.branches.iter().position(|branch| branch.actions[0] == outcome);
            return position.expect("an outcome that can be drawn is listed") as u32;
        }
        let open = open_actions(Some(self.config.widening), node.visits, node.branches.len());
        let formula = AlphaGo::at(self.config.c, node.visits);
        let mut best = (0, f64::NEG_INFINITY);
        for (number, branch) in node.branches[..open].iter().enumerate() {
            let score = branch.mean() + formula.exploration(branch.visits);
            if score > best.1 {
                best = (number as u32, score);
            }
        }
        best.0
    }

    /// The node of a position, with its turns.
    fn expand(&mut self, state: &G::State) -> Result<Node<G::Action>, Stopped> {
        self.effort.node()?;
        let game = self.game;
        match game.turn(state) {
            Turn::Over => Ok(self.node(None, f64::from(game.payoff(state, Seat::Zero)), &[])),
            Turn::Chance => {
                let mut outcomes = Buf::new();
                game.actions(state, &mut outcomes);
                let mut turns = Vec::new();
                for outcome in outcomes {
                    self.effort.call()?;
                    let mut state = state.clone();
                    game.apply(&mut state, outcome);
                    let value = self.means(Seat::Zero).value(&state);
                    turns.push(PlayedTurn { actions: [outcome].into(), state, value });
                }
                let value = self.evaluator.evaluate(game, state, Seat::Zero);
                Ok(self.node(None, self.chance(value), &turns))
            }
            Turn::Player(seat) => {
                let wish = Wish {
                    spread: self.config.reply_spread,
                    keep: self.config.reply,
                    noisy: false,
                };
                let turns = self.turns(state, seat, wish)?;
                let value = match turns.first() {
                    Some(best) => best.value,
                    None => self.evaluator.evaluate(game, state, seat),
                };
                Ok(self.node(Some(seat), by_seat(self.chance(value), seat, Seat::Zero), &turns))
            }
        }
    }

    fn node(&self, seat: Option<Seat>, first: f64, turns: &[PlayedTurn<G>]) -> Node<G::Action> {
        let branch = |turn: &PlayedTurn<G>| Branch {
            actions: turn.actions.clone(),
            total: self.chance(turn.value),
            visits: 0,
            child: NONE,
        };
        Node { seat, visits: 0, first, branches: turns.iter().map(branch).collect() }
    }

    fn means(&self, seat: Seat) -> Means<'_, G> {
        Means::new(self.game, seat, self.action_score, self.evaluator)
    }

    fn turns(
        &mut self,
        state: &G::State,
        seat: Seat,
        wish: Wish,
    ) -> Result<Vec<PlayedTurn<G>>, Stopped> {
        let means = Means::new(self.game, seat, self.action_score, self.evaluator);
        self.generator.turns(&means, state, wish, &mut self.effort)
    }

    /// The chance to win that a value stands for.
    fn chance(&self, Score(points): Score) -> f64 {
        self.evaluator.reading().chance(f64::from(points)).unwrap_or(0.5)
    }

    /// The turn that would be played in a node: most visits, then the highest mean.
    fn best(&self, node: u32) -> Option<&Branch<G::Action>> {
        let branches = &self.nodes[node as usize].branches;
        // The first of equals is the best by the evaluation.
        branches.iter().rev().max_by(|one, other| {
            one.visits.cmp(&other.visits).then(one.mean().total_cmp(&other.mean()))
        })
    }

    /// The turns at the root, the best first. No path leads back to them, so they are not kept.
    fn root_turns(&mut self, turns: Vec<PlayedTurn<G>>) -> Vec<RootTurn<G>> {
        let branches = std::mem::take(&mut self.nodes[self.root as usize].branches);
        let mut both: Vec<_> = turns.into_iter().zip(&branches).collect();
        both.sort_by(|(_, one), (_, other)| {
            other.visits.cmp(&one.visits).then(other.mean().total_cmp(&one.mean()))
        });
        let mut line = both.first().map_or(Vec::new(), |(_, best)| self.line(best));
        let root = |(turn, branch): (PlayedTurn<G>, &Branch<G::Action>)| RootTurn {
            turn,
            value: branch.mean(),
            bound: Bound::Estimate,
            nodes: u64::from(branch.visits) + 1,
            line: std::mem::take(&mut line),
        };
        both.into_iter().map(root).collect()
    }

    /// What is expected after a turn.
    fn line<'b>(&'b self, mut branch: &'b Branch<G::Action>) -> Vec<G::Action> {
        let mut line = Vec::new();
        while branch.child != NONE
            && line.len() < LONGEST_LINE
            && let Some(next) = self.best(branch.child).filter(|next| next.visits > 0)
        {
            line.extend(&next.actions);
            branch = next;
        }
        line
    }
}

/// The chance of `view` where `seat` has this one.
fn by_seat(chance: f64, seat: Seat, view: Seat) -> f64 {
    if seat == view { chance } else { 1.0 - chance }
}

impl<G: Game> Agent<G> for TurnMcts<G> {
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
