//! A turn step by step. Steps with one option run by themselves, so that every decision is a
//! real choice.

use gamecore::{Recorder, Seat};

use crate::choices::Choices;
use crate::combat::{finish, forget_turn};
use crate::events::Event;
use crate::rules::LordsOfWar;
use crate::shooting::useful_targets;
use crate::state::{Action, Deed, Reason, Stage, Standing, State};

impl LordsOfWar {
    /// Runs everything that leaves no choice, up to the next decision, whose options it finds, or
    /// to the end.
    #[inline(always)]
    pub(crate) fn run_on<R: Recorder<Event>>(
        &self,
        state: &mut State,
        choices: &mut Choices,
        heard: &mut R,
    ) {
        loop {
            match state.stage {
                Stage::Open | Stage::Deploy => self.find_deployments(state, choices),
                Stage::Shoot => {
                    self.find_shots(state, choices);
                    if choices.count == 0 {
                        self.fight(state, heard);
                        continue;
                    }
                }
                Stage::Retreat => self.find_retreats(state, choices),
                Stage::Over => {
                    choices.count = 0;
                    return;
                }
            }
            match (choices.count, state.stage) {
                (0, Stage::Retreat) => self.end_turn(state, heard),
                // Nothing can be placed.
                (0, _) => self.begin_shooting(state, false),
                (1, _) => self.perform(state, choices.nth(0), heard),
                _ => return,
            }
        }
    }

    /// The options of the first shooter that has a useful target; those before it hold.
    #[inline(always)]
    pub(crate) fn find_shots(&self, state: &mut State, choices: &mut Choices) {
        choices.count = 0;
        while state.waiting != 0 {
            let targets = useful_targets(state, self.side(state, state.mover));
            if targets != 0 {
                let asked = state.waiting.trailing_zeros() as usize;
                choices.shoot(asked, targets, self.options.hold);
                return;
            }
            state.waiting &= state.waiting - 1;
        }
    }

    /// What a legal action does, and what follows by itself, in the order in which it happens.
    #[must_use]
    pub fn events(&self, state: &State, action: Action) -> Vec<Event> {
        let (mut after, mut events) = (*state, Vec::new());
        self.perform(&mut after, action.deed(), &mut events);
        self.settle_heard(&mut after, &mut events);
        events
    }

    /// Does what was chosen, without what follows by itself.
    #[inline(always)]
    pub(crate) fn perform<R: Recorder<Event>>(&self, state: &mut State, deed: Deed, heard: &mut R) {
        let me = state.mover;
        match deed {
            Deed::Deploy(kind, square) => {
                let side = self.side(state, me);
                let at = usize::from(square.0);
                state.take_from_hand(me, kind);
                state.put(side, me, kind, at);
                heard.note(|| Event::Placed { seat: me, kind, square });
                state.placed = square.0;
                let attacked = side.hits(kind, at) & state.held(me.other()) != 0;
                self.begin_shooting(state, attacked);
            }
            Deed::Shoot(from, to) => {
                let kind = state.kind[usize::from(from.0)];
                heard.note(|| Event::Shot { seat: me, kind, from, to });
                state.fired |= from.bit();
                state.target[usize::from(from.0)] = to.0;
                state.waiting &= !from.bit();
            }
            Deed::Hold => state.waiting &= state.waiting - 1,
            Deed::Draw => {
                heard.note(|| Event::Drew { seat: me, kind: state.deck(me)[0] });
                state.draw_card(me);
                self.end_turn(state, heard);
            }
            Deed::Pass => self.end_turn(state, heard),
            Deed::Retreat(square) => {
                let kind = state.lift(self.side(state, me), me, usize::from(square.0));
                heard.note(|| Event::Retreated { seat: me, kind, square });
                state.take_in_hand(me, kind, self.options.hidden);
                self.end_turn(state, heard);
            }
        }
    }

    #[inline(always)]
    fn end_turn<R: Recorder<Event>>(&self, state: &mut State, heard: &mut R) {
        heard.note(|| Event::TurnEnded(state.mover));
        if state.turn == self.options.turn_limit {
            finish(state, Standing::Drawn, Reason::TurnLimit);
            return;
        }
        forget_turn(state);
        state.turn += 1;
        state.mover = state.mover.other();
        state.stage = if state.turn <= 2 { Stage::Open } else { Stage::Deploy };
    }

    /// Whose turn a turn is.
    pub(crate) const fn mover_of(first: Seat, turn: u16) -> Seat {
        if turn % 2 == 1 { first } else { first.other() }
    }
}
