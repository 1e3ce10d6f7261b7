//! A suite that cannot fail is worthless: games broken in one place each must be caught, by the
//! property that they break.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gamecore::{
    Buf, Evaluator, Game, Horizon, Notation, NotationError, Rng, Score, Seat, Traits, Turn, key,
    playout_by_listing,
};
use testkit::conformance::{Conformance, check, check_antisymmetric};
use testkit::toys::{DiceRace, MiniPoker, MiniPokerState, MiniPokerView, StagedNim};

type ParseAction<G> =
    fn(&G, &<G as Game>::State, &str) -> Result<<G as Game>::Action, NotationError>;

type Playout<G> = fn(&G, &mut <G as Game>::State, &mut Rng, Horizon) -> u32;

/// A game of which single functions can be replaced.
#[derive(Clone)]
struct Broken<G: Notation> {
    inner: G,
    traits: fn(&G) -> Traits,
    actions: fn(&G, &G::State, &mut Buf<G::Action>),
    weight: fn(&G, &G::State, G::Action) -> u32,
    apply: fn(&G, &mut G::State, G::Action),
    payoff: fn(&G, &G::State, Seat) -> f32,
    key: fn(&G, &G::State) -> u64,
    key_from_scratch: fn(&G, &G::State) -> u64,
    sample: fn(&G, &G::View, &mut Rng) -> G::State,
    /// By listing, with whatever else is broken, if not given.
    playout: Option<Playout<G>>,
    action_text: fn(&G, &G::State, G::Action) -> String,
    parse_action: ParseAction<G>,
    position_text: fn(&G, &G::State) -> String,
    parse_position: fn(&G, &str) -> Result<G::State, NotationError>,
    picture_for: fn(&G, &G::State, Seat) -> String,
    ending: fn(&G, &G::State) -> String,
}

/// The game with nothing broken.
fn sound<G: Notation>(inner: G) -> Broken<G> {
    Broken {
        inner,
        traits: G::traits,
        actions: G::actions,
        weight: G::weight,
        apply: G::apply,
        payoff: G::payoff,
        key: G::key,
        key_from_scratch: G::key_from_scratch,
        sample: G::sample,
        playout: None,
        action_text: G::action_text,
        parse_action: G::parse_action,
        position_text: G::position_text,
        parse_position: G::parse_position,
        picture_for: G::picture_for,
        ending: G::ending,
    }
}

impl<G: Notation> Game for Broken<G> {
    type State = G::State;
    type Action = G::Action;
    type View = G::View;
    type Setup = G::Setup;
    const NAME: &'static str = G::NAME;
    const MAX_ACTIONS: usize = G::MAX_ACTIONS;

    fn traits(&self) -> Traits {
        (self.traits)(&self.inner)
    }
    fn start(&self, setup: &G::Setup, rng: &mut Rng) -> G::State {
        self.inner.start(setup, rng)
    }
    fn turn(&self, state: &G::State) -> Turn {
        self.inner.turn(state)
    }
    fn actions(&self, state: &G::State, out: &mut Buf<G::Action>) {
        (self.actions)(&self.inner, state, out);
    }
    fn weight(&self, state: &G::State, outcome: G::Action) -> u32 {
        (self.weight)(&self.inner, state, outcome)
    }
    fn apply(&self, state: &mut G::State, action: G::Action) {
        (self.apply)(&self.inner, state, action);
    }
    fn payoff(&self, state: &G::State, seat: Seat) -> f32 {
        (self.payoff)(&self.inner, state, seat)
    }
    fn key(&self, state: &G::State) -> u64 {
        (self.key)(&self.inner, state)
    }
    fn key_from_scratch(&self, state: &G::State) -> u64 {
        (self.key_from_scratch)(&self.inner, state)
    }
    fn view(&self, state: &G::State, seat: Seat) -> G::View {
        self.inner.view(state, seat)
    }
    fn sample(&self, view: &G::View, rng: &mut Rng) -> G::State {
        (self.sample)(&self.inner, view, rng)
    }
    fn playout(&self, state: &mut G::State, rng: &mut Rng, horizon: Horizon) -> u32 {
        match self.playout {
            Some(playout) => playout(&self.inner, state, rng, horizon),
            None => playout_by_listing(self, state, rng, horizon),
        }
    }
}

impl<G: Notation> Notation for Broken<G> {
    fn action_text(&self, state: &G::State, action: G::Action) -> String {
        (self.action_text)(&self.inner, state, action)
    }
    fn parse_action(&self, state: &G::State, text: &str) -> Result<G::Action, NotationError> {
        (self.parse_action)(&self.inner, state, text)
    }
    fn position_text(&self, state: &G::State) -> String {
        (self.position_text)(&self.inner, state)
    }
    fn parse_position(&self, text: &str) -> Result<G::State, NotationError> {
        (self.parse_position)(&self.inner, text)
    }
    fn picture(&self, state: &G::State) -> String {
        self.inner.picture(state)
    }

    fn picture_for(&self, state: &G::State, seat: Seat) -> String {
        (self.picture_for)(&self.inner, state, seat)
    }
    fn ending(&self, state: &G::State) -> String {
        (self.ending)(&self.inner, state)
    }
}

fn assert_complains(property: &str, run: impl FnOnce()) {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err(property);
    let message = panic.downcast_ref::<String>().expect("a formatted message");
    assert!(message.contains(&format!(": {property}: ")), "expected {property}: {message}");
}

fn assert_caught<G: Notation>(property: &str, game: &G) {
    let options = Conformance { max_plies: 60, ..Conformance::default() };
    assert_complains(property, || check(game, &options));
}

fn nim() -> Broken<StagedNim> {
    sound(StagedNim::default())
}

/// A key of the words of the position text that are not forgotten.
fn forgetful_key<G: Notation>(game: &G, state: &G::State, forgotten: usize) -> u64 {
    let text = game.position_text(state);
    let kept = text.split(' ').enumerate().filter(|&(index, _)| index != forgotten);
    let bytes = kept.flat_map(|(_, word)| word.bytes().chain([b' ']));
    bytes.fold(0, |sum, byte| key::fold(sum, u64::from(byte)))
}

#[test]
fn the_unbroken_wrapper_passes() {
    check(&nim(), &Conformance::default());
    check(&sound(DiceRace), &Conformance::default());
    check(&sound(MiniPoker), &Conformance::default());
}

#[test]
fn broken_actions_are_caught() {
    let unsorted = Broken::<StagedNim> {
        actions: |game, state, out| {
            game.actions(state, out);
            out.reverse();
        },
        ..nim()
    };
    assert_caught("actions ascend", &unsorted);
    let none = Broken::<StagedNim> { actions: |_, _, _| {}, ..nim() };
    assert_caught("actions exist", &none);
    let too_many = Broken::<StagedNim> {
        actions: |game, state, out| {
            game.actions(state, out);
            out.extend((0..9).map(testkit::toys::StagedNimAction::Take));
        },
        ..nim()
    };
    assert_caught("MAX_ACTIONS", &too_many);
    let idle = Broken::<StagedNim> { apply: |_, _, _| {}, ..nim() };
    assert_caught("actions change state and key", &idle);
}

#[test]
fn broken_ends_are_caught() {
    let endless = Broken::<StagedNim> {
        apply: |game, state, action| {
            game.apply(state, action);
            if game.turn(state) == Turn::Over {
                *state = game.start(&(), &mut Rng::new(0));
            }
        },
        ..nim()
    };
    assert_caught("games end", &endless);
    let generous = Broken::<StagedNim> { payoff: |_, _, _| 1.0, ..nim() };
    assert_caught("payoffs add up to 1", &generous);
    let silent = Broken::<StagedNim> { ending: |_, _| String::new(), ..nim() };
    assert_caught("ending is told", &silent);
}

#[test]
fn broken_keys_are_caught() {
    let forgets_stage = Broken::<StagedNim> {
        key: |game, state| forgetful_key(game, state, 2),
        key_from_scratch: |game, state| forgetful_key(game, state, 2),
        ..nim()
    };
    assert_caught("actions change state and key", &forgets_stage);
    let forgets_seat = Broken::<StagedNim> {
        key: |game, state| forgetful_key(game, state, 1),
        key_from_scratch: |game, state| forgetful_key(game, state, 1),
        ..nim()
    };
    assert_caught("keys tell states apart", &forgets_seat);
    let forgets_runner = Broken::<DiceRace> {
        key: |game, state| forgetful_key(game, state, 0),
        key_from_scratch: |game, state| forgetful_key(game, state, 0),
        ..sound(DiceRace)
    };
    assert_caught("keys tell states apart", &forgets_runner);
    let stale = Broken::<StagedNim> { key_from_scratch: |game, state| !game.key(state), ..nim() };
    assert_caught("key from scratch", &stale);
}

#[test]
fn broken_chance_is_caught() {
    let weightless = Broken::<DiceRace> { weight: |_, _, _| 0, ..sound(DiceRace) };
    assert_caught("weights are above 0", &weightless);
    let denied = Broken::<DiceRace> { traits: |_| Traits::default(), ..sound(DiceRace) };
    assert_caught("chance", &denied);
    let claimed =
        Broken::<StagedNim> { traits: |_| Traits { chance: true, hidden: false }, ..nim() };
    assert_caught("chance", &claimed);
}

#[test]
fn broken_playouts_are_caught() {
    let draws_more = Broken::<StagedNim> {
        playout: Some(|game, state, rng, horizon| {
            rng.next_u64();
            playout_by_listing(game, state, rng, horizon)
        }),
        ..nim()
    };
    assert_caught("playout equals listing", &draws_more);
    let miscounts = Broken::<StagedNim> {
        playout: Some(|game, state, rng, horizon| {
            playout_by_listing(game, state, rng, horizon) + 1
        }),
        ..nim()
    };
    assert_caught("playout equals listing", &miscounts);
    let ignores_actions = Broken::<StagedNim> {
        playout: Some(|game, state, rng, horizon| {
            playout_by_listing(game, state, rng, Horizon { actions: u32::MAX, ..horizon })
        }),
        ..nim()
    };
    assert_caught("playout equals listing", &ignores_actions);
    let ignores_turns = Broken::<StagedNim> {
        playout: Some(|game, state, rng, horizon| {
            playout_by_listing(game, state, rng, Horizon { turns: u32::MAX, ..horizon })
        }),
        ..nim()
    };
    assert_caught("playout equals listing", &ignores_turns);
}

#[test]
fn broken_texts_are_caught() {
    let colliding = Broken::<StagedNim> { action_text: |_, _, _| "heap1".to_owned(), ..nim() };
    assert_caught("action texts are unique", &colliding);
    let lenient = Broken::<StagedNim> {
        parse_action: |game, state, text| game.parse_action(state, text.trim_end_matches('~')),
        ..nim()
    };
    assert_caught("garbage is no action", &lenient);
    let careless = Broken::<StagedNim> {
        parse_action: |game, state, text| match text {
            "heap1" => Ok(testkit::toys::StagedNimAction::Choose(0)),
            _ => game.parse_action(state, text),
        },
        ..nim()
    };
    assert_caught("only legal actions are read", &careless);
    let unreadable = Broken::<StagedNim> {
        parse_action: |_, _, text| Err(NotationError::new("action", text, "never")),
        ..nim()
    };
    assert_caught("action text round trip", &unreadable);
    let forgets_stage = Broken::<StagedNim> {
        position_text: |game, state| {
            let text = game.position_text(state);
            text[..text.len() - 1].to_owned() + "0"
        },
        ..nim()
    };
    assert_caught("position text round trip", &forgets_stage);
    let many_lines = Broken::<StagedNim> {
        position_text: |game, state| game.position_text(state) + "\n",
        parse_position: |game, text| game.parse_position(text.trim_end()),
        ..nim()
    };
    assert_caught("position text is one line", &many_lines);
}

#[test]
fn broken_samples_are_caught() {
    let deals_anew =
        Broken::<MiniPoker> { sample: |game, _, rng| game.start(&(), rng), ..sound(MiniPoker) };
    assert_caught("samples fit the view", &deals_anew);
}

#[test]
fn pictures_that_tell_what_is_hidden_are_caught() {
    let open_cards = Broken::<MiniPoker> {
        picture_for: |game, state, _| game.picture(state),
        ..sound(MiniPoker)
    };
    assert_caught("equal views, equal pictures", &open_cards);
    let denied = Broken::<MiniPoker> { traits: |_| Traits::default(), ..sound(MiniPoker) };
    assert_caught("nothing is hidden", &denied);
    let claimed =
        Broken::<StagedNim> { traits: |_| Traits { hidden: true, chance: false }, ..nim() };
    assert_caught("hidden information", &claimed);
}

/// Poker whose views also hold the true state.
#[derive(Clone)]
struct LeakingPoker {
    sample_uses_leak: bool,
}

impl Game for LeakingPoker {
    type State = MiniPokerState;
    type Action = <MiniPoker as Game>::Action;
    type View = (MiniPokerView, MiniPokerState);
    type Setup = ();
    const NAME: &'static str = "leaking-poker";
    const MAX_ACTIONS: usize = 2;

    fn traits(&self) -> Traits {
        MiniPoker.traits()
    }
    fn start(&self, (): &(), rng: &mut Rng) -> MiniPokerState {
        MiniPoker.start(&(), rng)
    }
    fn turn(&self, state: &MiniPokerState) -> Turn {
        MiniPoker.turn(state)
    }
    fn actions(&self, state: &MiniPokerState, out: &mut Buf<Self::Action>) {
        MiniPoker.actions(state, out);
    }
    fn apply(&self, state: &mut MiniPokerState, action: Self::Action) {
        MiniPoker.apply(state, action);
    }
    fn payoff(&self, state: &MiniPokerState, seat: Seat) -> f32 {
        MiniPoker.payoff(state, seat)
    }
    fn key(&self, state: &MiniPokerState) -> u64 {
        MiniPoker.key(state)
    }
    fn view(&self, state: &MiniPokerState, seat: Seat) -> Self::View {
        (MiniPoker.view(state, seat), state.clone())
    }
    fn sample(&self, view: &Self::View, rng: &mut Rng) -> MiniPokerState {
        if self.sample_uses_leak { view.1.clone() } else { MiniPoker.sample(&view.0, rng) }
    }
}

impl Notation for LeakingPoker {
    fn action_text(&self, state: &MiniPokerState, action: Self::Action) -> String {
        MiniPoker.action_text(state, action)
    }
    fn parse_action(
        &self,
        state: &MiniPokerState,
        text: &str,
    ) -> Result<Self::Action, NotationError> {
        MiniPoker.parse_action(state, text)
    }
    fn position_text(&self, state: &MiniPokerState) -> String {
        MiniPoker.position_text(state)
    }
    fn parse_position(&self, text: &str) -> Result<MiniPokerState, NotationError> {
        MiniPoker.parse_position(text)
    }
    fn picture(&self, state: &MiniPokerState) -> String {
        MiniPoker.picture(state)
    }
    fn ending(&self, state: &MiniPokerState) -> String {
        MiniPoker.ending(state)
    }
}

#[test]
fn leaking_views_are_caught() {
    assert_caught("samples fit the view", &LeakingPoker { sample_uses_leak: false });
    assert_caught("hidden information", &LeakingPoker { sample_uses_leak: true });
}

struct Optimist;

impl<G: Game> Evaluator<G> for Optimist {
    fn evaluate(&self, _game: &G, _state: &G::State, _seat: Seat) -> Score {
        Score(1)
    }
}

#[test]
fn one_sided_evaluations_are_caught() {
    assert_complains("evaluation is antisymmetric", || {
        check_antisymmetric(&StagedNim::default(), &Optimist, &Conformance::default());
    });
}
