//! What the tests of search under hidden information share.

use std::sync::Arc;
use std::time::Duration;

use gamecore::{
    Agent, Buf, Decision, Game, Limits, ResultOnly, Rng, Seat, StopToken, Traits, Turn, key,
};
use search::params::Values;
use search::{
    Algorithm, Config, DepthFirst, Ismcts, IsmctsConfig, Pimc, PimcConfig, TurnBeamConfig,
    TurnSearch, Voting,
};
use testkit::CountingClock;

/// An agent that knows results only, from `NAME:KEY=VALUE,…`, or the reason why not.
pub(crate) fn try_agent<G: Game>(spec: &str, seed: u64) -> Result<Box<dyn Agent<G>>, String> {
    let (name, keys) = spec.split_once(':').expect("NAME:KEY=VALUE,…");
    let given = keys.split(',').filter_map(|part| part.split_once('='));
    let text = |error: search::params::ParamError| error.to_string();
    if name == "pimc" {
        let values = Values::resolve(&PimcConfig::params(), given).map_err(text)?;
        let config = PimcConfig::from_values(&values).map_err(text)?;
        return Ok(Box::new(Pimc::new(config, Arc::new(ResultOnly), None, seed)));
    }
    if name == "pvs" {
        let values = Values::resolve(&Algorithm::Pvs.params(), given).map_err(text)?;
        let config = Config::from_values(Algorithm::Pvs, &values).map_err(text)?;
        let worlds = config.worlds;
        let search = DepthFirst::new(config, Arc::new(ResultOnly), None);
        return Ok(Box::new(Voting::new(search, worlds, seed)));
    }
    if name == "turn-beam" {
        let values = Values::resolve(&TurnBeamConfig::params(), given).map_err(text)?;
        return Ok(TurnBeamConfig::from_values(&values).build(Arc::new(ResultOnly), None, seed));
    }
    let values = Values::resolve(&IsmctsConfig::params(), given).map_err(text)?;
    let config = IsmctsConfig::from_values(&values).map_err(text)?;
    Ok(Box::new(Ismcts::new(config, Arc::new(ResultOnly), None, seed)))
}

pub(crate) fn agent<G: Game>(spec: &str, seed: u64) -> Box<dyn Agent<G>> {
    try_agent(spec, seed).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// What a fresh agent says to the seat that is to act.
pub(crate) fn decide<G: Game>(
    spec: &str,
    seed: u64,
    game: &G,
    state: &G::State,
) -> Decision<G::Action> {
    decide_with(&mut *agent(spec, seed), game, state, 0)
}

/// The same by this agent, with so many nodes of its tree.
pub(crate) fn decide_with<G: Game>(
    agent: &mut dyn Agent<G>,
    game: &G,
    state: &G::State,
    tree_nodes: usize,
) -> Decision<G::Action> {
    let Turn::Player(seat) = game.turn(state) else { panic!("nobody decides in {state:?}") };
    let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
    let limits = Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes };
    agent.decide(game, &game.view(state, seat), &limits)
}

/// One place in a world of a [`Table`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    /// This seat chooses one of these actions, each with the place it leads to.
    Choice(Seat, &'static [(u8, usize)]),
    /// One of these outcomes is drawn.
    Draw(&'static [(u8, usize)]),
    /// The game is over; what seat 0 gets.
    End(f32),
}

/// A game written down place by place: a card is drawn before the start, each card has its own
/// list of places (its world), and nobody ever sees the card. Made for decisions at place 0, which
/// has the same actions in every world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table(pub(crate) &'static [&'static [At]]);

/// The card, and where its world is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) card: usize,
    pub(crate) place: usize,
}

impl Table {
    fn at(&self, state: &Place) -> At {
        self.0[state.card][state.place]
    }

    fn next(&self, state: &Place) -> &'static [(u8, usize)] {
        match self.at(state) {
            At::Choice(_, next) | At::Draw(next) => next,
            At::End(_) => &[],
        }
    }
}

impl Game for Table {
    type State = Place;
    type Action = u8;
    type View = usize;
    type Setup = ();

    const NAME: &'static str = "table";
    const MAX_ACTIONS: usize = 8;

    fn traits(&self) -> Traits {
        Traits { hidden: true, chance: true }
    }

    fn start(&self, (): &(), rng: &mut Rng) -> Place {
        Place { card: rng.below(self.0.len() as u32) as usize, place: 0 }
    }

    fn turn(&self, state: &Place) -> Turn {
        match self.at(state) {
            At::Choice(seat, _) => Turn::Player(seat),
            At::Draw(_) => Turn::Chance,
            At::End(_) => Turn::Over,
        }
    }

    fn actions(&self, state: &Place, out: &mut Buf<u8>) {
        out.extend(self.next(state).iter().map(|(action, _)| *action));
    }

    fn apply(&self, state: &mut Place, action: u8) {
        let mut next = self.next(state).iter();
        state.place = next.find(|(known, _)| *known == action).expect("a legal action").1;
    }

    fn payoff(&self, state: &Place, seat: Seat) -> f32 {
        let At::End(zero) = self.at(state) else { panic!("not over: {state:?}") };
        if seat == Seat::Zero { zero } else { 1.0 - zero }
    }

    fn key(&self, state: &Place) -> u64 {
        key::fold(state.card as u64, state.place as u64)
    }

    fn view(&self, state: &Place, _seat: Seat) -> usize {
        state.place
    }

    fn sample(&self, view: &usize, rng: &mut Rng) -> Place {
        Place { card: rng.below(self.0.len() as u32) as usize, place: *view }
    }
}
