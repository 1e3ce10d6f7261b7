//! An evaluation of our own for Conquest: a logistic model of who wins, over what one look at the
//! board tells, threats of the next turn included. `warroom fit` fits its weights to finished games;
//! 1000 points are one e of the odds.
//!
//! One troop a side acts in a turn, so the fight is about who strikes first and at what price. The
//! best strike of each side is worked out as the rules would settle it, with the answer of a
//! defender that survives, but as if nobody stood in the way and as if a Battle Cry lasted until then.

use conquest::{Action, Command, Conquest, Deed, Phase, State, TROOPS, TroopStats, bits};
use gamecore::Seat;

use crate::factors::{FactorInfo, Factors, MAX_FACTORS, Wanted};

/// The weights that `warroom fit` found.
pub const OUTLOOK: &str = include_str!("../../../../data/conquest/outlook.toml");

/// What is measured.
pub struct ConquestFactors;

/// Kinds of troops come first.
const WORTH: usize = TROOPS;
const SHARE: usize = WORTH + 1;
const STRIKE: usize = SHARE + 1;
const KILL: usize = STRIKE + 1;
const EXPOSED: usize = KILL + 1;
const THREAT: usize = EXPOSED + 1;
const THREAT_KILL: usize = THREAT + 1;
const MENACED: usize = THREAT_KILL + 1;
const POINTS: usize = MENACED + 1;
const READY: usize = POINTS + 1;
const GUARD: usize = READY + 1;
const BEHIND: usize = GUARD + 1;
const TEMPO: usize = BEHIND + 1;

/// Damage of a Battle Cry, and what a Shield Wall lets through.
const CRY: i32 = 200;
const WALL: i32 = 100;
/// More command points than can soon be spent count as these.
const MOST_POINTS: u32 = 400;

const fn info(name: &'static str, about: &'static str) -> FactorInfo {
    FactorInfo { name, about }
}

/// One look at a position.
struct Look<'a> {
    state: &'a State,
    troops: &'a [TroopStats; TROOPS],
    counter_in_range: bool,
    shield_wall_caps: bool,
}

/// The strikes that one side could make.
#[derive(Clone, Copy, Default)]
struct Strikes {
    /// The best balance of one strike, in worth.
    best: i32,
    /// Whether it kills.
    kills: bool,
    /// Worth that could be struck off all targets, one strike each.
    exposed: i32,
}

impl Look<'_> {
    #[inline]
    fn stats(&self, slot: usize) -> &TroopStats {
        &self.troops[self.state.troop(slot) as usize]
    }

    #[inline]
    fn has(&self, slot: usize, command: Command) -> bool {
        self.state.marked(command) >> slot & 1 != 0
    }

    /// Two fifths of the points that so much health of a troop stands for.
    #[inline]
    fn worth(&self, slot: usize, health: i32) -> i32 {
        let stats = self.stats(slot);
        2 * i32::from(stats.cost) * health / (5 * i32::from(stats.health).max(1))
    }

    /// What a hit of this troop takes from another, in worth, and whether it kills.
    #[inline]
    fn hit(&self, from: usize, to: usize) -> (i32, bool) {
        let cry = if self.has(from, Command::BattleCry) { CRY } else { 0 };
        let mut damage = i32::from(self.stats(from).damage) + cry;
        if self.shield_wall_caps && self.has(to, Command::ShieldWall) {
            damage = damage.min(WALL);
        }
        let (health, boost) = (i32::from(self.state.health(to)), i32::from(self.state.boost(to)));
        if damage >= health + boost {
            (self.worth(to, health), true)
        } else {
            let left = health - (damage - boost).max(0);
            (self.worth(to, health) - self.worth(to, left), false)
        }
    }

    /// The balance of a strike that a defender in range answers, and what it takes from the defender.
    #[inline]
    fn strike(&self, from: usize, to: usize, answered: bool) -> (i32, i32, bool) {
        let (gain, kills) = self.hit(from, to);
        if answered && (!kills || self.has(to, Command::Vigilance)) {
            let (loss, dies) = self.hit(to, from);
            if dies && self.has(to, Command::Vigilance) {
                return (-loss, 0, false);
            }
            return (gain - loss, gain, kills);
        }
        (gain, gain, kills)
    }

    /// The strikes of these troops of a seat, each after a walk of at most its movement.
    fn strikes(&self, seat: Seat, troops: u32, walk: bool) -> Strikes {
        let mut found = Strikes::default();
        let mut taken = [0; 16];
        let first = if seat == Seat::Zero { 16 } else { 0 };
        for from in bits(troops) {
            let TroopStats { movement, range, .. } = *self.stats(from);
            let square = self.state.square(from);
            let reach = if walk { range + movement } else { range };
            for to in bits(self.state.enemies_within(seat, square, reach)) {
                let enemy_range = self.stats(to).range;
                let answered = if !self.counter_in_range {
                    true
                } else if walk {
                    enemy_range >= range
                } else {
                    let (col, row) = self.state.square(to);
                    square.0.abs_diff(col).max(square.1.abs_diff(row)) <= enemy_range
                };
                let (balance, gain, kills) = self.strike(from, to, answered);
                if (balance, kills) > (found.best, found.kills) {
                    (found.best, found.kills) = (balance, kills);
                }
                let most: &mut i32 = &mut taken[to - first];
                *most = (*most).max(gain);
            }
        }
        found.exposed = taken.iter().sum();
        found
    }

    /// Steps that troops lack before they could strike anybody.
    fn behind(&self, seat: Seat) -> i32 {
        bits(self.state.living(seat))
            .map(|slot| {
                let TroopStats { movement, range, .. } = *self.stats(slot);
                let nearest = self.state.nearest_enemy(seat, self.state.square(slot));
                i32::from(nearest.saturating_sub(movement + range))
            })
            .sum()
    }

    /// Troops, health, commands: what does not depend on who acts.
    fn possessions(&self, game: &Conquest, seat: Seat, wanted: Wanted) -> [i32; MAX_FACTORS] {
        let mut found = [0; MAX_FACTORS];
        let state = self.state;
        for slot in bits(state.living(seat)) {
            found[state.troop(slot) as usize] += 1;
            found[WORTH] += self.worth(slot, state.health(slot).into());
            found[GUARD] += i32::from(state.boost(slot)) / 100;
        }
        found[POINTS] = (state.points(seat).min(MOST_POINTS) / 25) as i32;
        for command in conquest::commands_in(state.owned(seat)) {
            if state.cooldown(seat, command) <= 1 {
                found[READY] += i32::from(game.options().units.command(command).cost) / 25;
            }
        }
        if wanted.has(BEHIND) {
            found[BEHIND] = self.behind(seat);
        }
        found
    }
}

impl Factors<Conquest> for ConquestFactors {
    const LIST: &'static [FactorInfo] = &[
        info("scouts", "living Scouts"),
        info("foot-soldiers", "living Foot Soldiers"),
        info("halberdiers", "living Halberdiers"),
        info("archers", "living Archers"),
        info("mages", "living Mages"),
        info("knights", "living Knights"),
        info("champions", "living Champions"),
        info("worth", "points of living troops by their health, in units of 2.5"),
        info("share", "the share of both sides' worth, in hundredths"),
        info("strike", "balance of the best strike of the side that acts next, in worth"),
        info("kill", "that strike kills"),
        info("exposed", "worth that the side that acts next could strike off, each target once"),
        info("threat", "balance of the best strike of the side that acts after it"),
        info("threat-kill", "that strike kills"),
        info("menaced", "worth that the side that acts after it could strike off"),
        info("points", "command points, 25 as one, at most 400"),
        info("ready", "price of commands that are ready in the next turn, 25 as one"),
        info("guard", "temporary health, 100 as one"),
        info("behind", "steps that troops lack before they could strike"),
        info("tempo", "to act next"),
    ];

    const LARGEST: i32 = 10_000;

    fn measure(game: &Conquest, state: &State, wanted: Wanted, out: &mut [i32; MAX_FACTORS]) {
        let options = game.options();
        let look = Look {
            state,
            troops: &options.units.troops,
            counter_in_range: options.counter_in_range,
            shield_wall_caps: options.shield_wall_caps,
        };
        let [zero, one] = Seat::BOTH.map(|seat| look.possessions(game, seat, wanted));
        for (out, (zero, one)) in out.iter_mut().zip(zero.into_iter().zip(one)) {
            *out = zero - one;
        }
        let both = (zero[WORTH] + one[WORTH]).max(1);
        out[SHARE] = 100 * (zero[WORTH] - one[WORTH]) / both;
        // A turn that could end here is valued as if it ended here, and what the troop on the move
        // could still strike counts as struck: so beginnings of turns compare with one another.
        let player = state.player();
        let selected = state.selected().map_or(0, |slot| 1 << slot) & state.living(player);
        let (acting, troops) = match state.phase() {
            Phase::Select => (player, state.living(player)),
            Phase::Move => (player, selected),
            Phase::Combat | Phase::Rally => (player.other(), state.living(player.other())),
        };
        let sign = |seat: Seat| if seat == Seat::Zero { 1 } else { -1 };
        let able = troops & !state.marked(Command::Chastise);
        let strikes = look.strikes(acting, able, true);
        let waiting = acting.other();
        let threats = look.strikes(waiting, state.living(waiting), true);
        let mut put = |factor, seat, value: i32| out[factor] = sign(seat) * value;
        put(STRIKE, acting, strikes.best);
        put(KILL, acting, i32::from(strikes.kills));
        put(EXPOSED, acting, strikes.exposed);
        put(THREAT, waiting, threats.best);
        put(THREAT_KILL, waiting, i32::from(threats.kills));
        put(MENACED, waiting, threats.exposed);
        put(TEMPO, acting, 1);
        if state.phase() == Phase::Combat {
            let now = look.strikes(player, selected, false);
            out[WORTH] += sign(player) * now.best;
        }
    }

    const HAS_NOISY_ACTIONS: bool = true;

    /// What strikes, or leads to a strike in this turn.
    fn is_noisy(game: &Conquest, state: &State, action: Action) -> bool {
        let player = state.player();
        let reaches = |slot: usize, square, walk: bool| {
            let TroopStats { movement, range, .. } = *game.options().units.troop(state.troop(slot));
            let reach = if walk { movement + range } else { range };
            state.enemies_within(player, square, reach) != 0
        };
        match action.deed() {
            Deed::Attack(_) => true,
            Deed::Select(slot) => reaches(slot, state.square(slot), true),
            Deed::Move { col, row } => {
                state.selected().is_some_and(|slot| reaches(slot.into(), (col, row), false))
            }
            _ => false,
        }
    }
}
