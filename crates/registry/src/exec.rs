//! Programs from outside as agents.

use external::{ProgramAgent, ProgramConfig};
use gamecore::{Notation, Traits};
use search::params::{Param, ParamError, Values};

use crate::agents::{AgentEntry, AgentKind, Ready};
use crate::spec::EXEC;

/// A program that is asked for every action.
struct Program;

/// It as an agent of a game.
pub(crate) fn programs<G: Notation>() -> AgentEntry<G> {
    AgentEntry::new(
        EXEC,
        "your own program, exec:CMD, over JSON lines (docs/exec-agents.md)",
        Program,
    )
}

impl<G: Notation> AgentKind<G> for Program {
    fn params(&self) -> Vec<Param> {
        ProgramConfig::params()
    }

    fn needs(&self) -> Option<&'static str> {
        Some(ProgramConfig::COMMAND)
    }

    fn evaluates(&self) -> bool {
        false
    }

    fn prepare(&self, values: &Values, traits: Traits) -> Result<Ready<G>, ParamError> {
        if traits.hidden && !G::VIEWS_AS_TEXT {
            let reason = format!(
                "exec agents cannot play under these rules: {} has no text for what a seat knows; \
                 choose rules without hidden information",
                G::NAME
            );
            return Err(ParamError::Combination(reason));
        }
        let config = ProgramConfig::from_values(values)?;
        Ok(Ready::new(move |parts| ProgramAgent::new(config.clone(), parts.seed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::toys::{MiniPoker, TicTacToe};

    #[test]
    fn a_game_that_cannot_tell_what_a_seat_knows_refuses_programs() {
        let given = [(ProgramConfig::COMMAND, "a")];
        let values = Values::resolve(&ProgramConfig::params(), given).unwrap();
        let (open, hidden) = (Traits::default(), Traits { hidden: true, ..Traits::default() });
        assert!(AgentKind::<TicTacToe>::prepare(&Program, &values, open).is_ok());
        let refused = AgentKind::<TicTacToe>::prepare(&Program, &values, hidden).err().unwrap();
        assert!(
            refused.to_string().contains("tic-tac-toe has no text for what a seat knows"),
            "{refused}"
        );
        assert!(AgentKind::<MiniPoker>::prepare(&Program, &values, hidden).is_ok());
    }
}
