//! How many loadouts there are, by going through all of them.

use gamecore::Rng;

use crate::loadout::{BUDGET, Loadout, command_points};
use crate::state::{HOME_ROWS, MAX_COMMANDS, MAX_TROOPS, SIZE};
use crate::units::{COMMANDS, Troop, Units, commands_in};

/// Which loadouts to draw or count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadoutKind {
    /// Any legal one.
    All,
    /// Nothing can be added.
    Maximal,
    /// All points are spent.
    Exact,
}

/// How many different loadouts there are, squares aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All but the completely empty one; without troops too.
    pub all: u64,
    /// Nothing can be added: ten troops or too few points for another, and four commands or too
    /// few points for another.
    pub maximal: u64,
    /// Exactly 1000 points.
    pub exact: u64,
}

/// What kind of loadout one is.
#[derive(Clone, Copy)]
pub(crate) struct Class {
    maximal: bool,
    exact: bool,
}

impl Class {
    pub(crate) const fn is(self, kind: LoadoutKind) -> bool {
        match kind {
            LoadoutKind::All => true,
            LoadoutKind::Maximal => self.maximal,
            LoadoutKind::Exact => self.exact,
        }
    }
}

/// Counts by going through all of them (thesis, section 5).
#[must_use]
pub fn count_loadouts(units: &Units) -> Counts {
    let mut counts = Counts::default();
    each_loadout(units, &mut |troops, commands, class| {
        if commands != 0 || troops.iter().any(|&count| count > 0) {
            counts.all += 1;
            counts.maximal += u64::from(class.maximal);
            counts.exact += u64::from(class.exact);
        }
    });
    counts
}

pub(crate) type Visit<'a> = &'a mut dyn FnMut(&[u8; Troop::ALL.len()], u16, Class);

pub(crate) fn each_loadout(units: &Units, visit: Visit<'_>) {
    let cheapest = units.troops.iter().map(|row| u32::from(row.cost)).min().expect("has troops");
    let sets: Vec<(u16, u32)> = (0..1u16 << COMMANDS)
        .filter(|set| set.count_ones() <= MAX_COMMANDS)
        .map(|set| (set, command_points(units, set)))
        .collect();
    let cheapest_unused = |set: u16| {
        commands_in(!set & ((1 << COMMANDS) - 1))
            .map(|command| u32::from(units.command(command).cost))
            .min()
    };
    let next_command: Vec<Option<u32>> =
        sets.iter().map(|&(set, _)| cheapest_unused(set)).collect();
    each_army(units, &mut [0; Troop::ALL.len()], 0, MAX_TROOPS as u8, BUDGET, &mut |army, left| {
        let full = army.iter().sum::<u8>() as usize == MAX_TROOPS;
        for (&(set, cost), next) in sets.iter().zip(&next_command) {
            let Some(left) = left.checked_sub(cost) else { continue };
            let no_troop = full || left < cheapest;
            let no_command =
                set.count_ones() == MAX_COMMANDS || next.is_none_or(|next| next > left);
            visit(army, set, Class { maximal: no_troop && no_command, exact: left == 0 });
        }
    });
}

type VisitArmy<'a> = &'a mut dyn FnMut(&[u8; Troop::ALL.len()], u32);

fn each_army(
    units: &Units,
    army: &mut [u8; Troop::ALL.len()],
    kind: usize,
    room: u8,
    left: u32,
    visit: VisitArmy<'_>,
) {
    if kind == army.len() {
        return visit(army, left);
    }
    let cost = u32::from(units.troops[kind].cost);
    for count in 0..=room {
        let Some(left) = left.checked_sub(cost * u32::from(count)) else { break };
        army[kind] = count;
        each_army(units, army, kind + 1, room - count, left, visit);
    }
    army[kind] = 0;
}

impl Loadout {
    /// A random loadout of the kind asked for, all equally likely up to placement, which is
    /// uniform over the squares of the three rows; `None` if there is none under these tables.
    #[must_use]
    pub fn random(units: &Units, kind: LoadoutKind, rng: &mut Rng) -> Option<Self> {
        let mut found = 0u64;
        let mut chosen = ([0; Troop::ALL.len()], 0);
        // Reservoir of one: no list of a million loadouts.
        each_loadout(units, &mut |troops, commands, class| {
            if class.is(kind) && troops.iter().any(|&count| count > 0) {
                found += 1;
                if rng.next_u64().is_multiple_of(found) {
                    chosen = (*troops, commands);
                }
            }
        });
        if found == 0 {
            return None;
        }
        let mut squares: Vec<usize> = (0..HOME_ROWS * SIZE).collect();
        rng.shuffle(&mut squares);
        let mut rows = vec![[None; SIZE]; HOME_ROWS];
        let mut next = squares.into_iter();
        for (troop, count) in Troop::ALL.into_iter().zip(chosen.0) {
            for square in next.by_ref().take(count.into()) {
                rows[square / SIZE][square % SIZE] = Some(troop);
            }
        }
        Some(Self { name: String::new(), rows, commands: chosen.1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thesis_counts_are_met() {
        let counts = count_loadouts(&Units::STANDARD);
        assert_eq!(counts, Counts { all: 1_714_865, maximal: 283_717, exact: 171_496 });
    }
}
