//! What actions do.

use gamecore::{Recorder, Seat, key};

use crate::events::Event;
use crate::reach::{nth_bit, path_length};
use crate::rules::Conquest;
use crate::state::{Action, Deed, HUNDRED, Pending, Phase, Standing, State, bits, owner, side};
use crate::units::{COMMANDS, Command};

/// What a troop under a Battle Cry strikes with beyond its own damage.
pub const BATTLE_CRY_DAMAGE: u16 = 200;
const BATTLE_CRY_BOOST: u16 = 200;
const STOICISM_BOOST: u16 = 400;
/// Command points at the beginning of a turn.
pub const INCOME: u32 = 25;
/// Far more than any combination of boosts: custom games cannot overflow.
const MAX_BOOST: u16 = 20_000;

/// Marks that stay on a troop when a turn of its side begins: what the enemy did to it.
const BY_ENEMY: [bool; COMMANDS] = {
    let mut by_enemy = [false; COMMANDS];
    by_enemy[Command::Bombard as usize] = true;
    by_enemy[Command::Chastise as usize] = true;
    by_enemy
};

impl Conquest {
    /// Does it.
    #[inline(always)]
    pub(crate) fn perform<R: Recorder<Event>>(&self, state: &mut State, deed: Deed, heard: &mut R) {
        match deed {
            Deed::Move { col, row } => self.walk(state, (col, row), heard),
            Deed::Attack(target) => self.attack(state, target, heard),
            Deed::Select(slot) => {
                heard.note(|| Event::Selected(slot));
                state.selected = Some(slot as u8);
                state.phase = Phase::Move;
            }
            Deed::Command(command, target) => self.command(state, command, target, heard),
            Deed::End => self.end_turn(state, heard),
            Deed::Reset(command) => Self::reset(state, command, heard),
            Deed::Freed(slot) => Self::free(state, slot, heard),
        }
    }

    #[inline(always)]
    fn walk<R: Recorder<Event>>(&self, state: &mut State, (col, row): (u8, u8), heard: &mut R) {
        let slot = usize::from(state.selected.expect("somebody is selected"));
        if !self.options.one_move {
            let from = state.square(slot);
            let length = path_length(state, from, (col, row), u8::MAX);
            state.moved += length.expect("moves are along paths");
        }
        heard.note(|| Event::Moved { slot, from: state.square(slot), to: (col, row) });
        state.blocked[usize::from(state.row[slot])] &= !(1 << state.col[slot]);
        state.blocked[usize::from(row)] |= 1 << col;
        state.col[slot] = col;
        state.row[slot] = row;
        state.phase = Phase::Combat;
    }

    #[inline]
    fn damage(&self, state: &State, slot: usize) -> u16 {
        let cry = state.carries(slot, Command::BattleCry);
        let base = self.options.units.troops[usize::from(state.kind[slot])].damage;
        base + if cry { BATTLE_CRY_DAMAGE } else { 0 }
    }

    #[inline]
    fn attack<R: Recorder<Event>>(&self, state: &mut State, target: usize, heard: &mut R) {
        let attacker = usize::from(state.selected.expect("somebody is selected"));
        let strikes_back = !self.options.counter_in_range
            || state.distance(attacker, target) <= self.range(state.kind[target]);
        let blow = (attacker, target, self.damage(state, attacker));
        let counter = (target, attacker, self.damage(state, target));
        if strikes_back && state.carries(target, Command::Vigilance) {
            if !self.hit(state, counter, heard) {
                self.hit(state, blow, heard);
            }
        } else if !self.hit(state, blow, heard) && strikes_back {
            self.hit(state, counter, heard);
        }
        state.phase = Phase::Rally;
    }

    /// One hit; says whether the troop died.
    #[inline]
    fn hit<R: Recorder<Event>>(
        &self,
        state: &mut State,
        (by, slot, damage): (usize, usize, u16),
        heard: &mut R,
    ) -> bool {
        let shielded = self.options.shield_wall_caps && state.carries(slot, Command::ShieldWall);
        let damage = if shielded { damage.min(HUNDRED) } else { damage };
        if state.health[slot] + state.boost[slot] <= damage {
            let cost = self.options.units.troops[usize::from(state.kind[slot])].cost;
            let gainer = owner(slot).other();
            let points = &mut state.points[gainer as usize];
            *points = points.saturating_add(cost.into());
            heard.note(|| Event::Struck {
                by,
                slot,
                amount: state.health[slot] + state.boost[slot],
            });
            heard.note(|| Event::Died(slot));
            heard.note(|| Event::Gained { seat: gainer, amount: cost.into() });
            state.remove(slot);
            Self::settle(state);
            return true;
        }
        heard.note(|| Event::Struck { by, slot, amount: damage });
        let absorbed = damage.min(state.boost[slot]);
        state.boost[slot] -= absorbed;
        state.health[slot] -= damage - absorbed;
        false
    }

    /// Ends the game if a side has no living troops; says whether it did.
    #[inline]
    fn settle(state: &mut State) -> bool {
        for seat in Seat::BOTH {
            if state.living(seat) == 0 {
                state.standing = Standing::won(seat.other());
                return true;
            }
        }
        false
    }

    fn command<R: Recorder<Event>>(
        &self,
        state: &mut State,
        command: Command,
        target: usize,
        heard: &mut R,
    ) {
        let needs_troop = command != Command::WindsOfFate;
        let slot = needs_troop.then_some(target);
        heard.note(|| Event::Commanded { command, seat: state.player, slot });
        let seat = state.player as usize;
        state.points[seat] -= u32::from(self.options.units.command(command).cost);
        state.revealed[seat] |= command.bit();
        if command == Command::WindsOfFate {
            let candidates = state.cooling();
            self.cool_down(state, command);
            state.pending = Pending::Winds;
            if candidates.is_power_of_two() || self.options.winds_hashed {
                let index = drawn(self.key_of(state), candidates.count_ones());
                let drawn = nth_bit(candidates.into(), index) as usize;
                Self::reset(state, Command::ALL[drawn], heard);
            }
            return;
        }
        self.cool_down(state, command);
        state.marks[command as usize] |= 1 << target;
        match command {
            Command::BattleCry => Self::boost(state, target, BATTLE_CRY_BOOST, heard),
            Command::Stoicism => Self::boost(state, target, STOICISM_BOOST, heard),
            Command::Regenerate if self.options.regenerate_heals => {
                let kind = usize::from(state.kind[target]);
                let full = self.options.units.troops[kind].health;
                let amount = full.saturating_sub(state.health[target]);
                heard.note(|| Event::Healed { slot: target, amount });
                state.health[target] = full;
            }
            Command::Bombard => {
                let lasts = state.boost[target] > 0 || state.health[target] > HUNDRED;
                let all = state.boost[target].max(state.health[target]);
                heard.note(|| Event::Hurt { slot: target, amount: all.min(HUNDRED) });
                if !lasts {
                    heard.note(|| Event::Died(target));
                }
                if state.boost[target] > 0 {
                    state.boost[target] = state.boost[target].saturating_sub(HUNDRED);
                } else if state.health[target] > HUNDRED {
                    state.health[target] -= HUNDRED;
                } else {
                    state.remove(target);
                    if self.options.bombard_wins_at_once {
                        Self::settle(state);
                    }
                }
            }
            _ => {}
        }
    }

    fn boost<R: Recorder<Event>>(state: &mut State, slot: usize, by: u16, heard: &mut R) {
        let boost = (state.boost[slot] + by).min(MAX_BOOST);
        heard.note(|| Event::Boosted { slot, amount: boost - state.boost[slot] });
        state.boost[slot] = boost;
    }

    fn cool_down(&self, state: &mut State, command: Command) {
        let seat = state.player as usize;
        let cooldown = self.options.units.command(command).cooldown;
        state.cooldown[seat][command as usize] = cooldown;
        state.ready[seat] &= !command.bit();
    }

    fn reset<R: Recorder<Event>>(state: &mut State, command: Command, heard: &mut R) {
        heard.note(|| Event::Readied(command));
        let seat = state.player as usize;
        state.cooldown[seat][command as usize] = 0;
        state.ready[seat] |= command.bit();
        state.pending = Pending::Nothing;
    }

    fn free<R: Recorder<Event>>(state: &mut State, slot: usize, heard: &mut R) {
        heard.note(|| Event::Freed(slot));
        state.marks[Command::Chastise as usize] &= !(1 << slot);
        state.pending = Pending::Nothing;
    }

    #[inline]
    fn end_turn<R: Recorder<Event>>(&self, state: &mut State, heard: &mut R) {
        heard.note(|| Event::TurnEnded(state.player));
        if Self::settle(state) {
            return;
        }
        let next = state.player.other();
        let (theirs, ours) = (side(next), side(state.player));
        for (marks, by_enemy) in state.marks.iter_mut().zip(BY_ENEMY) {
            *marks &= !(if by_enemy { ours } else { theirs });
        }
        let first = theirs.trailing_zeros() as usize;
        state.boost[first..first + 16].fill(0);
        state.player = next;
        state.phase = Phase::Select;
        state.selected = None;
        state.moved = 0;
        state.turn += 1;
        let seat = next as usize;
        state.points[seat] = state.points[seat].saturating_add(INCOME);
        for index in bits(u32::from(state.owned[seat] & !state.ready[seat])) {
            let cooldown = &mut state.cooldown[seat][index];
            *cooldown -= 1;
            state.ready[seat] |= u16::from(*cooldown == 0) << index;
        }
        if self.options.turn_limit.is_some_and(|limit| state.turn >= limit) {
            state.standing = Standing::Drawn;
            return;
        }
        let living = state.living(next);
        if living & !state.marked(Command::Chastise) == 0 {
            state.pending = Pending::Freed;
            if living.is_power_of_two() || self.options.freed_hashed {
                let index = drawn(self.key_of(state), living.count_ones());
                Self::free(state, nth_bit(living, index) as usize, heard);
            }
        }
    }

    /// What a legal action does, in the order in which it happens.
    #[must_use]
    pub fn events(&self, state: &State, action: Action) -> Vec<Event> {
        let (mut after, mut events) = (*state, Vec::new());
        self.perform(&mut after, action.deed(), &mut events);
        events
    }

    /// Does an action that was checked to be legal.
    #[inline]
    pub(crate) fn act(&self, state: &mut State, action: Action) {
        self.perform(state, action.deed(), &mut ());
    }
}

/// An index below `count` drawn by a key: the thesis's semi-deterministic Winds of Fate (6.1)
/// with a hash that is the same in every run.
fn drawn(position: u64, count: u32) -> u32 {
    ((u128::from(key::mix(position)) * u128::from(count)) >> 64) as u32
}
