//! What may be done in a position, as masks and counts. Listing, counting and drawing all read
//! the same [`Choices`], so they cannot disagree.

use gamecore::{Buf, Rng};

use crate::reach::{Reach, nth_bit};
use crate::rules::Conquest;
use crate::state::{Action, Deed, HUNDRED, Pending, Phase, State, bits};
use crate::units::{COMMANDS, Command, commands_in};

/// The legal actions of a position, in the order of [`Action`]: moves, attacks, selections,
/// commands, the end of the turn; or the outcomes of a draw.
pub(crate) struct Choices {
    reach: Reach,
    attacks: u32,
    selects: u32,
    /// Commands with at least one target.
    commands: u16,
    targets: [u32; COMMANDS],
    end: bool,
    resets: u16,
    freed: u32,
    count: u32,
}

impl Conquest {
    /// Everything that is legal here.
    pub(crate) fn choices(&self, state: &State) -> Choices {
        let mut choices = Choices::EMPTY;
        self.find_choices(state, &mut choices);
        choices
    }

    /// Everything that is legal here, into a structure that may have been used before.
    #[inline(always)]
    pub(crate) fn find_choices(&self, state: &State, choices: &mut Choices) {
        choices.reach.clear();
        choices.attacks = 0;
        choices.selects = 0;
        choices.commands = 0;
        choices.end = state.phase != Phase::Select;
        choices.resets = 0;
        choices.freed = 0;
        choices.count = 0;
        if state.pending != Pending::Nothing {
            return Self::find_draws(state, choices);
        }
        let seat = state.player;
        if state.phase == Phase::Select {
            choices.selects = state.living(seat) & !state.marked(Command::Chastise);
        } else {
            let selected = usize::from(state.selected.expect("somebody is selected"));
            if state.phase == Phase::Move || !self.options.one_move && state.phase == Phase::Combat
            {
                self.find_reach(state, selected, &mut choices.reach);
            }
            if state.phase != Phase::Rally {
                let range = self.range(state.kind[selected]);
                choices.attacks = state.enemies_within(seat, state.square(selected), range);
            }
        }
        let offered = state.ready[seat as usize] & self.window[state.phase as usize];
        if offered != 0 {
            self.add_commands(state, offered, choices);
        }
        choices.count += choices.reach.count()
            + (choices.attacks.count_ones() + choices.selects.count_ones())
            + u32::from(choices.end);
    }

    /// Squares the selected troop may go to.
    #[inline(always)]
    fn find_reach(&self, state: &State, selected: usize, reach: &mut Reach) {
        let movement = self.movement(state.kind[selected]);
        let charged = state.carries(selected, Command::Charge);
        let within = if charged { 2 * movement } else { movement } - state.moved;
        // A charge that stays within the ordinary distance is a charge wasted.
        let beyond =
            if charged && self.options.trim { movement.saturating_sub(state.moved) } else { 0 };
        reach.fill(state, state.square(selected), beyond, within);
    }

    /// The targets of those of `offered` that can be paid.
    #[inline]
    fn add_commands(&self, state: &State, offered: u16, choices: &mut Choices) {
        let points = state.points[state.player as usize];
        for index in bits(offered.into()) {
            let command = Command::ALL[index];
            if u32::from(self.options.units.commands[index].cost) > points {
                continue;
            }
            let targets = self.targets(state, command);
            choices.targets[index] = targets;
            choices.commands |= u16::from(targets != 0) << index;
            choices.count += targets.count_ones();
        }
    }

    /// Troops a command may be aimed at; for Winds of Fate bit 0 says whether it may be used.
    fn targets(&self, state: &State, command: Command) -> u32 {
        let seat = state.player;
        let trim = self.options.trim;
        let own = state.living(seat);
        let fresh = if trim { !state.marked(command) } else { !0 };
        match command {
            Command::BattleCry | Command::Stoicism | Command::Vigilance => own & fresh,
            Command::Bombard => state.living(seat.other()) & fresh,
            Command::WindsOfFate => {
                let cooling = state.owned[seat as usize] & !state.ready[seat as usize];
                u32::from(cooling != 0)
            }
            Command::Charge if trim => {
                let selected = state.selected.map_or(0, |slot| 1 << slot);
                own & fresh & selected
            }
            Command::Charge => own,
            Command::Chastise => {
                let enemies = state.living(seat.other());
                let chastised = (enemies & state.marked(Command::Chastise)).count_ones();
                match (enemies.count_ones(), chastised) {
                    (0 | 1, _) => 0,
                    (2, 1..) => 0,
                    _ => enemies & fresh,
                }
            }
            Command::Regenerate if trim => mask_of(own & fresh, |slot| {
                state.health[slot] < self.options.units.troops[usize::from(state.kind[slot])].health
            }),
            Command::Regenerate => own,
            Command::ShieldWall if trim => {
                mask_of(own & fresh, |slot| state.health[slot] + state.boost[slot] > HUNDRED)
            }
            Command::ShieldWall => own,
        }
    }

    /// The outcomes of the draw that must happen first.
    #[cold]
    fn find_draws(state: &State, choices: &mut Choices) {
        choices.end = false;
        match state.pending {
            Pending::Winds => choices.resets = state.cooling(),
            _ => choices.freed = state.living(state.player),
        }
        choices.count = choices.resets.count_ones() + choices.freed.count_ones();
    }
}

impl State {
    /// Commands of the player that Winds of Fate may make ready: never itself.
    pub(crate) const fn cooling(&self) -> u16 {
        let seat = self.player as usize;
        self.owned[seat] & !self.ready[seat] & !Command::WindsOfFate.bit()
    }
}

/// The slots of a mask that satisfy a condition.
fn mask_of(mask: u32, holds: impl Fn(usize) -> bool) -> u32 {
    bits(mask).filter(|&slot| holds(slot)).fold(0, |found, slot| found | 1 << slot)
}

impl Choices {
    /// Nothing.
    pub(crate) const EMPTY: Self = Self {
        reach: Reach::EMPTY,
        attacks: 0,
        selects: 0,
        commands: 0,
        targets: [0; COMMANDS],
        end: false,
        resets: 0,
        freed: 0,
        count: 0,
    };

    /// How many actions there are.
    #[inline]
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// Appends all actions in order.
    pub(crate) fn list(&self, out: &mut Buf<Action>) {
        let mut push = |deed| out.push(Action::new(deed));
        self.reach.squares().for_each(|(col, row)| push(Deed::Move { col, row }));
        bits(self.attacks).for_each(|slot| push(Deed::Attack(slot)));
        bits(self.selects).for_each(|slot| push(Deed::Select(slot)));
        for command in commands_in(self.commands) {
            bits(self.targets[command as usize])
                .for_each(|slot| push(Deed::Command(command, slot)));
        }
        if self.end {
            push(Deed::End);
        }
        commands_in(self.resets).for_each(|command| push(Deed::Reset(command)));
        bits(self.freed).for_each(|slot| push(Deed::Freed(slot)));
    }

    /// A uniformly random one; a single one takes no draw.
    #[inline(always)]
    pub(crate) fn draw(&self, rng: &mut Rng) -> Deed {
        self.nth(if self.count == 1 { 0 } else { rng.below(self.count) })
    }

    /// The action with this index in their order.
    #[inline(always)]
    fn nth(&self, mut index: u32) -> Deed {
        if index < self.reach.count() {
            let (col, row) = self.reach.nth(index);
            return Deed::Move { col, row };
        }
        index -= self.reach.count();
        if index < self.attacks.count_ones() {
            return Deed::Attack(nth_bit(self.attacks, index) as usize);
        }
        index -= self.attacks.count_ones();
        if index < self.selects.count_ones() {
            return Deed::Select(nth_bit(self.selects, index) as usize);
        }
        index -= self.selects.count_ones();
        for command in bits(self.commands.into()) {
            let here = self.targets[command].count_ones();
            if index < here {
                let slot = nth_bit(self.targets[command], index) as usize;
                return Deed::Command(Command::ALL[command], slot);
            }
            index -= here;
        }
        if self.end {
            return Deed::End;
        }
        if self.resets != 0 {
            return Deed::Reset(Command::ALL[nth_bit(self.resets.into(), index) as usize]);
        }
        Deed::Freed(nth_bit(self.freed, index) as usize)
    }
}
