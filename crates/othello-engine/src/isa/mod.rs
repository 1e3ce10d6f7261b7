//! The solver for each instruction set as a whole: tree, look ahead and kernel. Which one runs is
//! decided once per solve.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use othello::bits::InstructionSet;

use crate::solver::{Search, Stopped};

/// Calls one function of the module compiled for `$set`; of the portable one where the processor
/// lacks `$set`.
macro_rules! dispatch {
    ($set:expr, $function:ident($($argument:expr),*)) => {
        match $set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 if $set.is_available() => {
                // SAFETY: the guard has just found every feature that the function is compiled
                // for on this processor.
                #[allow(unsafe_code)]
                unsafe {
                    avx2::$function($($argument),*)
                }
            }
            _ => portable::$function($($argument),*),
        }
    };
}

/// The score and the squares of best play, 64 for a pass. `scored` is called between them, or when
/// the search was stopped.
pub(crate) fn solve(
    set: InstructionSet,
    search: &mut Search<'_>,
    own: u64,
    opp: u64,
    scored: &dyn Fn(),
) -> Result<(i32, Vec<u8>), Stopped> {
    dispatch!(set, solve(search, own, opp, scored))
}

/// Fills the table for another thread until told to stop.
#[cfg(feature = "threads")]
pub(crate) fn help(set: InstructionSet, search: &mut Search<'_>, own: u64, opp: u64) {
    dispatch!(set, help(search, own, opp));
}

#[cfg(test)]
mod tests {
    use gamecore::Notation;
    use othello::Othello;

    use super::*;
    use crate::kernel::Worker;
    use crate::solver::Children;
    use crate::table::Table;

    /// More moves than any game offers, fewer than there is room for.
    #[test]
    fn a_constructed_position_with_35_moves_has_35_children() {
        let text = "-----XX--OO-OXO--OX-XX---XX------OXO--OX--XX-XXX-OOOX-OX-------- X";
        let board = Othello.parse_position(text).expect("a position");
        let table = Table::new(1).expect("a small table");
        let mut search = Search { table: &table, worker: Worker::new(), stop: &|| false, noise: 0 };
        let mut children = Children::new();
        // As if near the end, so that the order does not look ahead for long.
        let (boards, movable) = ((board.own(), board.opp()), board.moves());
        portable::list_children(&mut search, boards, movable, None, 13, &mut children)
            .expect("nobody stops it");
        assert_eq!(children.len(), 35);
    }
}
