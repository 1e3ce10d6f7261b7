//! An evaluation of our own for Conquest: a logistic model of who wins, over what one look at the
//! board tells, threats of the next turn included. `warroom fit` fits its weights to finished games;
//! 1000 points are one e of the odds.
//!
//! One troop a side acts in a turn, so the fight is about who strikes first and at what price. The
//! best strike of each side is worked out as the rules would settle it, with the answer of a
//! defender that survives and the Charge or Battle Cry that its side can pay for, but as if nobody
//! stood in the way.

use conquest::{
    Action, BATTLE_CRY_DAMAGE, Command, Conquest, Deed, INCOME, Phase, State, TROOPS, TroopStats,
    bits,
};
use gamecore::Seat;

use registry::factors::{FactorInfo, Factors, MAX_FACTORS, Wanted};

/// The weights that `warroom fit` found.
pub const OUTLOOK: &str = include_str!("../../../../data/conquest/outlook.toml");

/// Weights that count material alone.
pub const MATERIAL: &str = include_str!("../../../../data/conquest/material.toml");

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
const PURSUIT: usize = GUARD + 1;
const TEMPO: usize = PURSUIT + 1;

const CRY: i32 = BATTLE_CRY_DAMAGE as i32;
/// What a Shield Wall lets through.
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

/// When a strike is made: from where the troop stands, after a walk in this turn, in the next turn, or
/// in the turn after it.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Now,
    ThisTurn,
    Next,
    After,
}

impl When {
    /// Marks and boost end when the turn of the troop's own side begins: whether the striker's hold.
    #[inline]
    fn strikers_marks_hold(self) -> bool {
        matches!(self, Self::Now | Self::ThisTurn)
    }

    /// Whether the defender's hold.
    #[inline]
    fn defenders_marks_hold(self) -> bool {
        self != Self::After
    }
}

/// Commands that can be paid for when a strike is made.
#[derive(Clone, Copy, Default)]
struct Payable {
    charge: bool,
    /// Damage of a Battle Cry.
    cry: i32,
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

    /// What so much damage takes from a troop, in worth, and whether it kills.
    #[inline]
    fn hit(&self, damage: i32, to: usize, guarded: bool) -> (i32, bool) {
        let health = i32::from(self.state.health(to));
        let (mut damage, mut boost) = (damage, 0);
        if guarded {
            boost = i32::from(self.state.boost(to));
            if self.shield_wall_caps && self.has(to, Command::ShieldWall) {
                damage = damage.min(WALL);
            }
        }
        if damage >= health + boost {
            (self.worth(to, health), true)
        } else {
            let left = health - (damage - boost).max(0);
            (self.worth(to, health) - self.worth(to, left), false)
        }
    }

    /// What a troop strikes with, under the commands it is under.
    #[inline]
    fn damage(&self, from: usize, marks: bool) -> i32 {
        let cry = marks && self.has(from, Command::BattleCry);
        i32::from(self.stats(from).damage) + if cry { CRY } else { 0 }
    }

    /// The balance of a strike that a defender in range answers, and what it takes from the defender.
    #[inline]
    fn strike(
        &self,
        from: usize,
        to: usize,
        answered: bool,
        when: When,
        cry: i32,
    ) -> (i32, i32, bool) {
        let (mine, theirs) = (when.strikers_marks_hold(), when.defenders_marks_hold());
        let damage = self.damage(from, mine);
        let cry = if mine && self.has(from, Command::BattleCry) { 0 } else { cry };
        let (gain, kills) = self.hit(damage + cry, to, theirs);
        let vigilant = theirs && self.has(to, Command::Vigilance);
        if answered && (!kills || vigilant) {
            let (loss, dies) = self.hit(self.damage(to, theirs), from, mine);
            if dies && vigilant {
                return (-loss, 0, false);
            }
            return (gain - loss, gain, kills);
        }
        (gain, gain, kills)
    }

    /// The commands that a seat can pay for when it strikes, whatever phases they are offered in.
    fn payable(&self, units: &conquest::Units, seat: Seat, when: When) -> Payable {
        let waits = !when.strikers_marks_hold();
        let points = self.state.points(seat) + if waits { INCOME } else { 0 };
        let can = |command: Command| {
            self.state.owned(seat) >> command as usize & 1 != 0
                && self.state.cooldown(seat, command) <= u8::from(waits)
                && u32::from(units.command(command).cost) <= points
        };
        Payable { charge: can(Command::Charge), cry: if can(Command::BattleCry) { CRY } else { 0 } }
    }

    /// The strikes of these troops of a seat; unless it is now, each after a walk.
    fn strikes(&self, seat: Seat, troops: u32, when: When, payable: Payable) -> Strikes {
        let mut found = Strikes::default();
        let mut taken = [0; 16];
        let first = if seat == Seat::Zero { 16 } else { 0 };
        for from in bits(troops) {
            let TroopStats { movement, range, .. } = *self.stats(from);
            let square = self.state.square(from);
            let charged = when == When::ThisTurn && self.has(from, Command::Charge);
            let reach = match when {
                When::Now => range,
                _ => range + movement * (1 + u8::from(payable.charge || charged)),
            };
            for to in bits(self.state.enemies_within(seat, square, reach)) {
                let enemy_range = self.stats(to).range;
                let answered = if !self.counter_in_range {
                    true
                } else if when == When::Now {
                    let (col, row) = self.state.square(to);
                    square.0.abs_diff(col).max(square.1.abs_diff(row)) <= enemy_range
                } else {
                    enemy_range >= range
                };
                let (balance, gain, kills) = self.strike(from, to, answered, when, payable.cry);
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

    /// The mean way of a side's troops to the nearest enemy, in tenths.
    fn way(&self, seat: Seat) -> i32 {
        let living = self.state.living(seat);
        let nearest = |slot| i32::from(self.state.nearest_enemy(seat, self.state.square(slot)));
        10 * bits(living).map(nearest).sum::<i32>() / (living.count_ones() as i32).max(1)
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
        if wanted.has(PURSUIT) {
            found[PURSUIT] = self.way(seat);
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
        info("pursuit", "the share times the leader's mean way to the nearest enemy, taken away"),
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
        let leader = if out[SHARE] > 0 { &zero } else { &one };
        out[PURSUIT] = -out[SHARE] * leader[PURSUIT] / 100;
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
        out[TEMPO] = sign(acting);
        if state.phase() == Phase::Combat {
            let now = look.strikes(player, selected, When::Now, Payable::default());
            out[WORTH] += sign(player) * now.best;
        }
        if !(STRIKE..=MENACED).any(|factor| wanted.has(factor)) {
            return;
        }
        let waiting = acting.other();
        let strikes = |seat: Seat, troops, when| {
            look.strikes(seat, troops, when, look.payable(&options.units, seat, when))
        };
        let when = if acting == player { When::ThisTurn } else { When::Next };
        let threats = strikes(waiting, state.living(waiting), When::After);
        let strikes = strikes(acting, able, when);
        let mut put = |factor, seat, value: i32| out[factor] = sign(seat) * value;
        put(STRIKE, acting, strikes.best);
        put(KILL, acting, i32::from(strikes.kills));
        put(EXPOSED, acting, strikes.exposed);
        put(THREAT, waiting, threats.best);
        put(THREAT_KILL, waiting, i32::from(threats.kills));
        put(MENACED, waiting, threats.exposed);
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
            Deed::Attack(_) | Deed::Command(Command::Bombard, _) => true,
            Deed::Select(slot) => reaches(slot, state.square(slot), true),
            Deed::Move { col, row } => {
                state.selected().is_some_and(|slot| reaches(slot.into(), (col, row), false))
            }
            _ => false,
        }
    }
}
