//! Games outside of experiments, whose numbers decide everything: setups, start and seeds.

use arena::{GameRecord, Seeds, WallClock};
use gamecore::{MachineFault, Purpose, Rng, StopToken, seed};
use registry::{AnyGame, Job, ResolvedAgent, SpecError};

use crate::run::play_guarded;

/// One of them.
pub(crate) struct DrawnGame<'a> {
    /// Seed of all.
    pub(crate) seed: u64,
    /// Its pair; both games of a pair have the same start.
    pub(crate) pair: u64,
    /// 0 or 1: which of the two.
    pub(crate) of_pair: u8,
    /// What the sides bring is drawn from these.
    pub(crate) setups: &'a [String],
    /// Random actions before the game.
    pub(crate) opening_plies: Option<u32>,
}

impl DrawnGame<'_> {
    /// Plays it.
    pub(crate) fn play<E: From<SpecError> + From<MachineFault>>(
        &self,
        game: &dyn AnyGame,
        agents: [&ResolvedAgent; 2],
        stop: &StopToken,
    ) -> Result<GameRecord, E> {
        let start_seed = seed(self.seed, self.pair, Purpose::Start);
        let mut rng = Rng::new(start_seed);
        let mut draw = || match self.setups.len() as u32 {
            0 => "",
            count => &self.setups[rng.below(count) as usize],
        };
        let drawn = [draw(), draw()];
        let start = game.start(drawn, self.opening_plies, start_seed, false)?;
        let of = |letter| seed(self.seed, self.pair, Purpose::Agent { game: self.of_pair, letter });
        let seeds = Seeds {
            start: start_seed,
            chance: seed(self.seed, self.pair, Purpose::Chance),
            agents: [of('a'), of('b')],
        };
        let clock = WallClock::new();
        let job = Job { start: &start, agents, seeds, time: None, clock: &clock, stop, log: false };
        Ok(play_guarded(game, &job)?.0)
    }
}
