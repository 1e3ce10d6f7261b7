//! What each rule option changes, shown on small positions.

use conquest::{Command, Conquest, Options, Phase, Standing, State, Units, named_loadouts};
use gamecore::{Buf, Game, Notation, Rng, Seat, Turn};

fn game(rules: &str) -> Conquest {
    Conquest::new(Options::parse(rules).expect("rules of a test"))
}

fn at(game: &Conquest, position: &str) -> State {
    game.parse_position(position).unwrap_or_else(|error| panic!("{error}"))
}

fn legal(game: &Conquest, state: &State) -> Vec<String> {
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    actions.iter().map(|&action| game.action_text(state, action)).collect()
}

fn after(game: &Conquest, position: &str, actions: &[&str]) -> State {
    let mut state = at(game, position);
    for text in actions {
        let action = game.parse_action(&state, text).unwrap_or_else(|error| panic!("{error}"));
        game.apply(&mut state, action);
    }
    state
}

/// Health of the first troop of a seat.
fn health(state: &State, seat: Seat) -> u16 {
    state.health(16 * seat.index())
}

#[test]
fn regenerate_heals_or_only_marks() {
    let hurt = "0 rally 0 0 open 200/0 Regenerate - C5/5=100 C15/15=500 -";
    let healed = |rules| health(&after(&game(rules), hurt, &["cmd Regenerate 5,5"]), Seat::Zero);
    assert_eq!((healed("intended"), healed("regenerate=marks")), (500, 100));
}

#[test]
fn a_defender_strikes_back_in_range_or_always() {
    // The Archer shoots from six squares away; the Knight reaches one.
    let shot = "0 move 0 0 open 0/0 - - A5/5=100 K11/5=300 -";
    let archer = |rules| health(&after(&game(rules), shot, &["atk 11,5"]), Seat::Zero);
    assert_eq!((archer("intended"), archer("counter=always")), (100, 0));
}

#[test]
fn vigilance_strikes_first_only_within_reach() {
    let near = "0 move 0 0 open 0/0 - Vigilance K5/5=300 K6/5=300!Vigilance -";
    let state = after(&game("intended"), near, &["atk 6,5"]);
    assert_eq!((health(&state, Seat::Zero), health(&state, Seat::One)), (0, 300));
    assert_eq!(state.standing(), Standing::One);
    assert_eq!(state.points(Seat::One), 100, "the killer gets the cost of the dead");
    let far = "0 move 0 0 open 0/0 - Vigilance M5/5=100 K9/5=300!Vigilance -";
    let state = after(&game("intended"), far, &["atk 9,5"]);
    assert_eq!((health(&state, Seat::Zero), health(&state, Seat::One)), (100, 100));
}

#[test]
fn a_shield_wall_caps_or_does_nothing() {
    let shielded = "0 move 0 0 open 0/0 - ShieldWall C5/5=500 C6/5=500!ShieldWall -";
    let left = |rules| health(&after(&game(rules), shielded, &["atk 6,5"]), Seat::One);
    assert_eq!((left("intended"), left("shield-wall=nothing")), (400, 100));
}

#[test]
fn boosts_absorb_first_and_add_up() {
    let cry = "0 combat 0 0 open 150/0 BattleCry,Stoicism - F5/5=300 C6/5=500 -";
    let state = after(&game("intended"), cry, &["cmd BattleCry 5,5", "cmd Stoicism 5,5"]);
    assert_eq!(state.boost(0), 600);
    let state =
        after(&game("intended"), cry, &["cmd BattleCry 5,5", "cmd Stoicism 5,5", "atk 6,5", "end"]);
    // 100 + 200 dealt, 400 taken by the boost.
    assert_eq!((health(&state, Seat::One), state.boost(0), state.health(0)), (200, 200, 300));
}

#[test]
fn start_points_go_to_the_first_player_only() {
    let points = |rules| {
        let state = game(rules).start(&conquest::Setup::default(), &mut Rng::new(1));
        [state.points(Seat::Zero), state.points(Seat::One)]
    };
    assert_eq!((points("intended"), points("thesis")), ([0, 0], [25, 0]));
}

#[test]
fn placement_from_the_front_or_the_back() {
    let squares = |rules, loadout| {
        let game = game(rules);
        let setup = game.parse_setup([loadout, loadout]).expect("a setup");
        let state = game.start(&setup, &mut Rng::new(1));
        [0, 1, 16, 17].map(|slot| state.square(slot))
    };
    assert_eq!(squares("intended", "@C.../.S"), [(19, 2), (18, 1), (0, 17), (1, 18)]);
    assert_eq!(squares("placement=back-first", "@C.../.S"), [(0, 1), (1, 2), (19, 18), (18, 17)]);
}

#[test]
fn a_bombard_may_win_at_once_or_at_the_end_of_the_turn() {
    let last = "0 rally 0 0 open 200/0 Bombard - S5/5=100 S15/15=100 -";
    let bombard = ["cmd Bombard 15,15"];
    let at_once = after(&game("intended"), last, &bombard);
    assert_eq!((at_once.standing(), at_once.points(Seat::Zero)), (Standing::Zero, 0));
    let rules = game("bombard-kill=at-end");
    let waiting = after(&rules, last, &bombard);
    assert_eq!((waiting.standing(), legal(&rules, &waiting)), (Standing::Open, vec!["end".into()]));
    assert_eq!(rules.parse_position(&rules.position_text(&waiting)), Ok(waiting));
    let ended = after(&rules, last, &["cmd Bombard 15,15", "end"]);
    assert_eq!((ended.standing(), ended.player()), (Standing::Zero, Seat::Zero));
}

#[test]
fn winds_draw_by_hash_or_by_chance() {
    let cooling = "0 select 0 - open 150/0 Charge:3,Chastise:2,WindsOfFate - S5/5=100 S15/15=100 -";
    let hashed = game("intended");
    let first = after(&hashed, cooling, &["cmd WindsOfFate"]);
    assert_eq!(first, after(&hashed, cooling, &["cmd WindsOfFate"]));
    let ready = |state: &State, command| state.cooldown(Seat::Zero, command) == 0;
    assert!(ready(&first, Command::Charge) != ready(&first, Command::Chastise));
    assert_eq!(first.cooldown(Seat::Zero, Command::WindsOfFate), 2);
    let random = game("winds=random");
    let drawing = after(&random, cooling, &["cmd WindsOfFate"]);
    assert_eq!(random.turn(&drawing), Turn::Chance);
    assert_eq!(legal(&random, &drawing), ["reset Charge", "reset Chastise"]);
    let drawn = after(&random, cooling, &["cmd WindsOfFate", "reset Chastise"]);
    assert_eq!(random.turn(&drawn), Turn::Player(Seat::Zero));
    assert!(ready(&drawn, Command::Chastise) && !ready(&drawn, Command::Charge));
    // One candidate needs no draw.
    let single = "0 select 0 - open 150/0 Charge:3,WindsOfFate - S5/5=100 S15/15=100 -";
    let state = after(&random, single, &["cmd WindsOfFate"]);
    assert_eq!(random.turn(&state), Turn::Player(Seat::Zero));
    assert!(ready(&state, Command::Charge));
}

#[test]
fn hashed_draws_are_even() {
    let hashed = game("intended");
    let mut charge = 0;
    for turn in 0..2000 {
        let position = format!(
            "0 select {} - open 150/0 Charge:3,Chastise:2,WindsOfFate - S5/5=100 S15/15=100 -",
            turn % 1999
        );
        let state = after(&hashed, &position, &["cmd WindsOfFate"]);
        charge += u32::from(state.cooldown(Seat::Zero, Command::Charge) == 0);
    }
    assert!((900..1100).contains(&charge), "{charge} of 2000");
}

#[test]
fn somebody_is_freed_when_all_are_chastised() {
    let all = "0 rally 4 0 open 0/0 - - S5/5=100 S10/10=100!Chastise,S12/12=100!Chastise -";
    let hashed = game("intended");
    let state = after(&hashed, all, &["end"]);
    assert_eq!(legal(&hashed, &state).len(), 1);
    let random = game("freed=random");
    assert_eq!(legal(&random, &after(&random, all, &["end"])), ["freed 10,10", "freed 12,12"]);
}

#[test]
fn chastise_never_takes_the_last_mobile_troop() {
    let chastise = |theirs: &str| {
        let position = format!("0 rally 0 0 open 100/0 Chastise - S5/5=100 {theirs} -");
        let rules = game("intended");
        legal(&rules, &at(&rules, &position)).len() - 1
    };
    assert_eq!(chastise("S9/9=100"), 0);
    assert_eq!(chastise("S9/9=100,S10/9=100"), 2);
    assert_eq!(chastise("S9/9=100,S10/9=100!Chastise"), 0);
    assert_eq!(chastise("S9/9=100,S10/9=100!Chastise,S11/9=100!Chastise"), 1);
}

#[test]
fn the_limit_of_turns_is_a_draw() {
    let last = "0 rally 9 0 open 0/0 - - S5/5=100 S15/15=100 -";
    let rules = game("turn-limit=10");
    let state = after(&rules, last, &["end"]);
    assert_eq!((state.standing(), rules.turn(&state)), (Standing::Drawn, Turn::Over));
    assert_eq!(rules.payoff(&state, Seat::One).to_bits(), 0.5f32.to_bits());
    assert_eq!(after(&game("turn-limit=none"), last, &["end"]).standing(), Standing::Open);
}

#[test]
fn several_moves_share_the_distance() {
    let open = "0 move 0 0 open 0/0 - - K5/5=300 S15/15=100 -";
    let one = game("intended");
    let state = after(&one, open, &["mov 6,5"]);
    assert_eq!((state.phase(), legal(&one, &state)), (Phase::Combat, vec!["end".to_owned()]));
    let many = game("moves=many");
    let state = after(&many, open, &["mov 6,5", "mov 7,6"]);
    let moves = legal(&many, &state);
    // Two steps are left: 25 squares less its own, and the end.
    assert_eq!(moves.len(), 24 + 1);
    let state = after(&many, open, &["mov 6,5", "mov 7,6", "mov 9,8"]);
    assert_eq!(legal(&many, &state), ["end"]);
}

#[test]
fn trimming_leaves_out_what_cannot_help() {
    let charged = "0 move 0 0 open 0/0 Charge:5 - S9/9=100!Charge,S0/0=100 S19/19=100 -";
    let moves = |rules| {
        let rules = game(rules);
        let listed = legal(&rules, &at(&rules, charged));
        listed.iter().filter(|text| text.starts_with("mov")).count()
    };
    // A charged Scout in the middle reaches everything but the three troops' squares.
    assert_eq!(moves("trim=no"), 400 - 3);
    assert_eq!(moves("intended"), 400 - 169 - 2);
    let healthy = "0 combat 0 0 open 500/0 Regenerate,ShieldWall - S9/9=100 S19/19=100 -";
    let offered = |rules| legal(&game(rules), &at(&game(rules), healthy)).len();
    assert_eq!((offered("intended"), offered("trim=no")), (1, 3));
}

#[test]
fn commands_keep_to_their_window_or_not() {
    let rich = "0 select 0 - open 900/0 BattleCry,Charge - S9/9=100,S0/0=100 S19/19=100 -";
    let rules = game("intended");
    assert_eq!(legal(&rules, &at(&rules, rich)), ["sel 9,9", "sel 0,0"]);
    let anywhere = game("command-window=no");
    // Charge needs a selected troop as long as bad moves are trimmed.
    assert_eq!(legal(&anywhere, &at(&anywhere, rich)).len(), 2 + 2);
    let off = game("command-window=no,trim=no");
    assert_eq!(legal(&off, &at(&off, rich)).len(), 2 + 4);
}

#[test]
fn obstacles_block_the_way_but_no_shot() {
    let wall = "0 move 0 0 open 0/0 - - A5/5=100 S11/5=100 6/4,6/5,6/6";
    let rules = game("obstacles=3,symmetric-obstacles=no");
    let listed = legal(&rules, &at(&rules, wall));
    assert!(listed.contains(&"atk 11,5".to_owned()));
    assert!(!listed.contains(&"mov 6,5".to_owned()), "the square is taken");
    assert!(!listed.contains(&"mov 8,5".to_owned()), "three steps become five");
}

#[test]
fn secret_commands_are_unknown_until_used() {
    let rules = game("secret-commands=yes");
    let setup = rules.parse_setup(["2K+Charge,BattleCry", "2K+Chastise"]).expect("a setup");
    let state = rules.start(&setup, &mut Rng::new(1));
    let view = rules.view(&state, Seat::One);
    assert_eq!(view.known().owned(Seat::Zero), 0);
    assert_eq!(view.known().owned(Seat::One), Command::Chastise.bit());
    let mut sets = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let sampled = rules.sample(&view, &mut Rng::new(seed));
        assert_eq!(rules.view(&sampled, Seat::One), view);
        sets.insert(sampled.owned(Seat::Zero));
    }
    assert!(sets.len() > 50, "only {} different guesses", sets.len());
    let used = "0 rally 0 0 open 75/0 BattleCry,Charge - K5/5=300 K15/15=300 -";
    let state = after(&rules, used, &["cmd BattleCry 5,5"]);
    assert_eq!(rules.view(&state, Seat::One).known().owned(Seat::Zero), Command::BattleCry.bit());
}

/// Positions that games come to are accepted, whatever the options.
#[test]
fn positions_that_games_come_to_are_accepted() {
    let anywhere = game("original,command-window=no");
    let last = "0 select 5 - open 900/0 Bombard - C1/1=500 S18/18=100 -";
    let state = after(&anywhere, last, &["cmd Bombard 18,18"]);
    assert_eq!(anywhere.parse_position(&anywhere.position_text(&state)), Ok(state));
    let many = game("moves=many");
    // The charged Scout moves 9, attacks, and dies of the answer; its Charge is gone with it.
    let charged = "0 move 0 0 open 0/0 Charge:5 - S0/0=100!Charge,S19/0=100 C10/0=500 -";
    let state = after(&many, charged, &["mov 9,0", "atk 10,0"]);
    assert_eq!(many.parse_position(&many.position_text(&state)), Ok(state));
    let endless = game("original");
    assert!(
        endless.parse_position("0 select 1000001 - open 0/0 - - S5/5=100 S15/15=100 -").is_err()
    );
    // What cools down was used, so both know it.
    let secret = game("secret-commands=yes");
    let cooling = at(&secret, "0 select 0 - open 0/0 Charge:3 - S5/5=100 S15/15=100 -");
    assert_eq!(secret.view(&cooling, Seat::One).known().owned(Seat::Zero), Command::Charge.bit());
}

#[test]
fn explicit_rows_keep_their_place_from_the_back() {
    let back = game("placement=back-first");
    let row = |loadout| {
        let setup = back.parse_setup([loadout, loadout]).expect("a setup");
        back.start(&setup, &mut Rng::new(1)).square(0).1
    };
    assert_eq!((row("@C/./."), row("@C")), (0, 2));
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let rules = game("intended");
    for (position, complaint) in [
        ("2 select 0 - open 0/0 - - S5/5=100 S15/15=100 -", "player '2'"),
        ("0 lunch 0 - open 0/0 - - S5/5=100 S15/15=100 -", "phase 'lunch'"),
        ("0 select 0 - open 0/0 - - S5/5=100 S5/5=100 -", "taken twice"),
        ("0 select 0 - open 0/0 - - S5/5=101 S15/15=100 -", "health from 1 to 100"),
        ("0 select 0 - open 0/0 - - S20/5=100 S15/15=100 -", "beyond the board"),
        ("0 select 0 0 open 0/0 - - S5/5=100 S15/15=100 -", "nobody is selected"),
        ("0 move 0 - open 0/0 - - S5/5=100 S15/15=100 -", "somebody must be selected"),
        ("0 move 0 3 open 0/0 - - S5/5=100 S15/15=100 -", "not there"),
        ("0 select 0 - open 0/0 - - Sx S15/15=100 -", "standing does not fit"),
        ("0 select 0 - won0 0/0 - - S5/5=100 S15/15=100 -", "standing does not fit"),
        ("0 select 0 - open 0/0 Charge:6 - S5/5=100 S15/15=100 -", "cooldown 6 is above 5"),
        ("0 select 0 - open 0/0 Fly - S5/5=100 S15/15=100 -", "'Fly'"),
        ("0 select 0 - open 0/0 - - S5/5=100!Chastise S15/15=100 -", "chastised"),
        ("0 select?freed 0 - open 0/0 - - S5/5=100 S15/15=100 -", "all chastised"),
        ("0 move 0 0:1 open 0/0 - - S5/5=100 S15/15=100 -", "cannot have moved 1"),
        ("0 select 2000 - open 0/0 - - S5/5=100 S15/15=100 -", "standing does not fit"),
        ("0 select 1000001 - open 0/0 - - S5/5=100 S15/15=100 -", "above 1000000"),
        ("{\"player\": 0}", "'phase' is missing"),
    ] {
        let error = rules.parse_position(position).expect_err(position).to_string();
        assert!(error.contains(complaint), "{position}: {error}");
    }
}

#[test]
fn a_named_army_that_new_prices_make_too_dear_is_refused() {
    let dear = Units::from_toml("[troop.Champion]\ncost = 400\n").unwrap();
    let game = game(&format!("units={}", dear.text()));
    let refused = game.parse_setup(["Default", ""]).unwrap_err().to_string();
    assert!(refused.contains("Default") && refused.contains("above the limit"), "{refused}");
    // Under the thesis's own prices its armies are taken as they are.
    for named in named_loadouts() {
        assert!(Conquest::default().parse_setup([&named.name, ""]).is_ok(), "{}", named.name);
    }
}
