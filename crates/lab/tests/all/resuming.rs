//! Another program goes on with a run only if it plays as the one that began it.

use std::sync::Arc;

use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::report::findings;
use lab::run::{
    Draw, Ended, Numbered, Players, RunError, Threads, Wanted, check_true, manifest, merge_run,
    note_alike, note_checked, note_untrue, open_run_without, owed_games, summary_of, take_up,
    verify_run,
};
use registry::AgentSpec;
use store::{Run, Store};

use crate::common::Faulty;
use crate::common::runs::{begun, database, experiment, host, threads};

const MATCH: &str = "game = \"othello\"\nkind = \"match\"\n\
                     agents = [\"alphabeta:depth=2\", \"random\"]\ngames = 40\n";

/// Threads that stop after some games.
struct Few(Threads, usize);

impl Players for Few {
    fn play(
        &self,
        wanted: &Wanted<'_>,
        stop: &StopToken,
        hear: &(dyn Fn(Numbered) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        let few = &wanted.numbers[..self.1.min(wanted.numbers.len())];
        self.0.play(&Wanted { numbers: few, ..*wanted }, stop, hear)?;
        if few.len() < wanted.numbers.len() {
            stop.stop();
        }
        Ok(())
    }

    fn program(&self) -> &str {
        self.0.program()
    }

    fn at_once(&self) -> usize {
        self.0.at_once()
    }
}

/// Players of a machine that is named.
struct Named<P>(P, &'static str);

impl<P: Players> Players for Named<P> {
    fn play(
        &self,
        wanted: &Wanted<'_>,
        stop: &StopToken,
        hear: &(dyn Fn(Numbered) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        self.0.play(wanted, stop, &|(mut row, record)| {
            row.host = Some(self.1.to_owned());
            hear((row, record))
        })
    }

    fn program(&self) -> &str {
        self.0.program()
    }

    fn at_once(&self) -> usize {
        self.0.at_once()
    }
}

#[test]
fn nobody_goes_on_with_games_of_a_machine_that_plays_otherwise() {
    let (_folder, store) = database();
    let experiment = experiment(MATCH);
    let run = begun(&store, &experiment);
    let go_on = |players: &dyn Players| {
        take_up(&experiment, &store, &run, players, &StopToken::default(), &|_| {})
    };
    note_untrue(&store, &run, "cellar", "game 3 comes out otherwise here").expect("it is noted");
    go_on(&Named(Few(threads(2), 10), "attic")).expect("no game of the cellar is there");
    for _ in 0..2 {
        note_untrue(&store, &run, "attic", "game 4: it comes out otherwise").expect("it is noted");
    }
    let notes = store.visits(&run).expect("visits");
    assert_eq!(notes.iter().filter(|visit| visit.what == "untrue").count(), 2, "once each");
    let error = go_on(&threads(2)).expect_err("it holds games of the attic");
    assert!(!error.is_machine_fault());
    let error = error.to_string();
    let named =
        [run.id.as_str(), "10 games", "'attic'", "game 4: it comes out", "rerun", "--as-new"];
    assert!(named.iter().all(|words| error.contains(words)), "{error}");
    note_alike(&store, &run, 10).expect("it is noted");
    assert_eq!(go_on(&threads(2)).expect("all of them are right"), Ended::Finished);
    let summary = summary_of(&store, &run, &experiment.spec).expect("a summary");
    assert_eq!(summary.hosts, ["attic", "without a name, where the run is stored"]);
    note_untrue(&store, &run, "attic", "game 5: it comes out otherwise").expect("it is noted");
    assert!(check_true(&store, &run).is_err(), "found out again");
}

/// Nothing is taken out of a run, but another one may begin with what is not doubted.
#[test]
fn a_new_run_begins_with_the_games_of_all_machines_but_one() {
    let sprt = "game = 'tic-tac-toe'\nkind = 'sprt'\nagents = ['greedy', 'random']\ngames = 60\n\
                [sprt]\nelo0 = 0\nelo1 = 5\nbatch = 20\n";
    // Where games depend on those before, nothing after the first that is doubted.
    for (text, copied) in [(MATCH, 20), (sprt, 10)] {
        let (_folder, store) = database();
        let experiment = experiment(text);
        let first = begun(&store, &experiment);
        let play = |run: &Run, players: &dyn Players| {
            take_up(&experiment, &store, run, players, &StopToken::default(), &|_| {})
        };
        for machine in ["cellar", "attic", "cellar"] {
            play(&first, &Named(Few(threads(1), 10), machine)).unwrap();
        }
        note_untrue(&store, &first, "attic", "game 10: otherwise").unwrap();
        let message = play(&first, &threads(1)).unwrap_err().to_string();
        assert!(message.contains("--without-host attic"), "{message}");
        let wanted = manifest(&experiment, &host());
        let message = open_run_without(&store, &wanted, "garden").unwrap_err().to_string();
        assert!(message.contains("--without-host garden: no game of run"), "{message}");
        let second = open_run_without(&store, &wanted, "attic").unwrap();
        assert_ne!(second.id, first.id);
        assert_eq!(store.count(&second).unwrap(), copied, "{text}");
        assert_eq!(store.count(&first).unwrap(), 30, "nothing is taken away");
        assert_eq!(begun(&store, &experiment), second, "the same command goes on with it");
        play(&second, &threads(1)).unwrap();
        let all = store.games(&second).unwrap();
        assert!(all.iter().all(|row| row.host.as_deref() != Some("attic")));
        let audit =
            verify_run(&experiment, &store, &second, &StopToken::default(), &|| ()).unwrap();
        assert_eq!((audit.games, audit.first_difference), (all.len() as u64, None));
    }
}

#[test]
fn accusations_follow_games_into_other_databases_and_accused_games_into_no_other_run() {
    let (_folder, store) = database();
    let first = experiment(MATCH);
    let run = begun(&store, &first);
    let few = Named(Few(threads(2), 10), "attic");
    take_up(&first, &store, &run, &few, &StopToken::default(), &|_| {}).expect("it is played");
    let (_other, whole) = database();
    let merge = || {
        merge_run(&whole, &store, &run.id).expect("it is merged");
        let copy = whole.run(&run.id).expect("it is there");
        (check_true(&whole, &copy).is_ok(), copy)
    };
    assert!(merge().0);
    note_untrue(&store, &run, "attic", "game 4: it comes out otherwise").expect("it is noted");
    let (is_true, copy) = merge();
    assert!(!is_true, "of the games that are there already, too");
    note_alike(&whole, &copy, 10).expect("it is noted");
    assert!(merge().0, "no other games came since they were played again");
    let longer = experiment(&MATCH.replace("games = ", "games = 1"));
    assert_eq!(store.count(&begun(&store, &longer)).expect("a count"), 0, "nothing is taken over");
}

/// Whoever coordinates a run next owes what the one before could not check any more.
#[test]
fn games_of_other_machines_are_owed_a_check_until_they_had_one() {
    let (_folder, store) = database();
    let experiment = experiment(
        "game = 'tic-tac-toe'\nkind = 'match'\nagents = ['greedy', 'random']\ngames = 700\n",
    );
    let run = begun(&store, &experiment);
    let play = |players: &dyn Players| {
        take_up(&experiment, &store, &run, players, &StopToken::default(), &|_| {}).unwrap();
    };
    let owed = || -> Vec<u64> {
        let owed = owed_games(&experiment, &store, &run, &host().program).unwrap();
        owed.into_iter().map(|(row, ..)| row.number).collect()
    };
    play(&Few(threads(1), 100));
    assert_eq!(owed(), Vec::<u64>::new(), "what was played here is not");
    play(&Named(Few(threads(1), 1), "attic"));
    assert_eq!(owed(), [100], "the first of a machine is, whatever its number");
    play(&Named(Few(threads(1), 500), "attic"));
    let draw = Draw::of(&run.id);
    let drawn: Vec<u64> = (100..601).filter(|&number| draw.holds(number)).collect();
    assert!(drawn.len() > 1 && drawn[0] != 100, "{drawn:?}");
    assert_eq!(owed(), drawn);
    note_checked(&store, &run, &drawn[1..]).unwrap();
    note_checked(&store, &run, &[3, 4]).unwrap();
    assert_eq!(owed(), drawn[..1]);
    play(&threads(1));
    assert_eq!(owed(), drawn[..1]);
    let of_another = owed_games(&experiment, &store, &run, "2.0.0+bbbbbbbb").unwrap();
    assert!(of_another.is_empty(), "that it plays alike is proved otherwise");
}

/// A run of which the first program played some games.
fn begun_by_another(text: &str, games: usize) -> (tempfile::TempDir, Store, Run) {
    let (folder, store) = database();
    let experiment = experiment(text);
    let run = begun(&store, &experiment);
    let few = Few(threads(2), games);
    let ended = take_up(&experiment, &store, &run, &few, &StopToken::default(), &|_| {});
    assert_eq!(ended.expect("it is played"), Ended::Interrupted);
    (folder, store, run)
}

fn taken_up(experiment: &Experiment, store: &Store, run: &Run) -> Result<Ended, RunError> {
    let players = Threads { program: "1.0.1+bbbbbbbb".into(), ..Threads::new(2) };
    take_up(experiment, store, run, &players, &StopToken::default(), &|_| {})
}

#[test]
fn a_program_that_plays_alike_goes_on_and_says_which_games_are_its_own() {
    let (_folder, store, run) = begun_by_another(MATCH, 10);
    let experiment = experiment(MATCH);
    assert_eq!(taken_up(&experiment, &store, &run).expect("it plays alike"), Ended::Finished);
    let rows = store.games(&run).expect("rows");
    let own = rows.iter().filter(|row| row.program.as_deref() == Some("1.0.1+bbbbbbbb")).count();
    assert_eq!((rows.len(), own), (40, 30));
    let proved = |visit: &store::Visit| visit.what == "proved";
    let visits = store.visits(&run).expect("visits");
    let proof = visits.into_iter().find(proved).expect("it is noted").detail;
    assert!(proof.starts_with("1.0.1+bbbbbbbb: asks for the same 10 games; "), "{proof}");
    assert!(proof.contains("played again alike, 0 that do not repeat"), "{proof}");
    let summary = summary_of(&store, &run, &experiment.spec).expect("a summary");
    assert_eq!(summary.programs, ["1.0.0+aaaaaaaa", "1.0.1+bbbbbbbb"]);
}

/// As if the search had been changed: the spec is the same, what is played is not.
#[test]
fn a_program_that_plays_otherwise_is_refused_with_game_and_action() {
    let (_folder, store, run) = begun_by_another(MATCH, 10);
    let mut experiment = experiment(MATCH);
    let inner = Arc::clone(&experiment.opened[0].game);
    let other = AgentSpec::parse("alphabeta:depth=1", &|_| unreachable!()).unwrap();
    let other = inner.resolve(&other, &|_| unreachable!()).expect("an agent");
    let other = Some(("alphabeta:depth=2", other));
    experiment.opened[0].game = Arc::new(Faulty { inner, fault: |_| false, other });
    let refused = taken_up(&experiment, &store, &run).expect_err("it plays otherwise").to_string();
    assert!(refused.contains("was played by warroom 1.0.0+aaaaaaaa"), "{refused}");
    assert!(refused.starts_with("game ") && refused.contains("differs: action "), "{refused}");
    assert_eq!(store.count(&run).expect("a count"), 10, "nothing is added");
}

#[test]
fn a_program_that_asks_for_other_games_is_refused() {
    let (_folder, store, run) = begun_by_another(MATCH, 10);
    let seeds = experiment(&format!("{MATCH}seed = 2\n"));
    let refused = taken_up(&seeds, &store, &run).expect_err("other seeds").to_string();
    assert!(refused.contains("the schedule asks for another start"), "{refused}");
    let tuning = "game = \"othello\"\nkind = \"tune\"\nagents = [\"alphabeta:depth=1\"]\n\
                  opponents = [\"greedy\"]\ngames = 8\n[tune]\nevaluations = 24\nbatch = 4\n\
                  [tune.space]\ndepth = [1, 2, 4]\norder = \"all\"\n";
    let (_folder, store, run) = begun_by_another(tuning, 5);
    let questions = experiment(&tuning.replace("[1, 2, 4]", "[4, 2, 1]"));
    let refused = taken_up(&questions, &store, &run).expect_err("other questions").to_string();
    assert!(refused.contains("the schedule asks for other agents"), "{refused}");
    let same = taken_up(&experiment(tuning), &store, &run);
    assert_eq!(same.expect("the same questions"), Ended::Finished);
}

/// Nobody can play games by the clock again: they are replayed by the rules, and the run tells.
#[test]
fn games_that_do_not_repeat_are_replayed_by_the_rules() {
    let text = MATCH.replace("depth=2", "ms=1").replace("games = 40", "games = 8");
    let (_folder, store, run) = begun_by_another(&text, 4);
    let experiment = experiment(&text);
    assert_eq!(taken_up(&experiment, &store, &run).expect("by the rules"), Ended::Finished);
    let visits = store.visits(&run).expect("visits");
    let proof = visits.iter().find(|visit| visit.what == "proved").expect("it is noted");
    assert!(proof.detail.contains("0 played again alike, 3 that do not repeat"), "{proof:?}");
    let summary = summary_of(&store, &run, &experiment.spec).expect("a summary");
    let words = findings(&standard::registry(), &experiment.spec, &summary, Some(&run)).text();
    assert!(words.contains("Played by 2 programs"), "it is marked: {words}");
}
