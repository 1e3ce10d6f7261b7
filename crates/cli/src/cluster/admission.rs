//! What a worker plays: what its machine can hold, and no program that it was not told of.

use std::collections::BTreeMap;
use std::path::Path;

use lab::experiment::Experiment;
use registry::{AgentSpec, Needs, needs_of, program_words};

use crate::database::program_files;

/// What a worker was started with.
pub(super) struct Limits {
    /// Threads of all games together.
    pub(super) threads: usize,
    /// Their memory in MiB, where it is known.
    pub(super) mebibytes: Option<u64>,
    /// Programs from outside that may be started.
    pub(super) allowed: Vec<String>,
}

impl Limits {
    /// How many threads a game of this experiment takes, or why none is played here.
    pub(super) fn admit(
        &self,
        experiment: &Experiment,
        programs: &BTreeMap<String, String>,
    ) -> Result<usize, String> {
        for agent in experiment.all_agents() {
            check_allowed(&agent.spec, programs, &self.allowed)?;
        }
        let asked: Vec<(String, Needs)> = experiment
            .all_agents()
            .map(|agent| (agent.spec.to_string(), needs_of(agent)))
            .collect();
        let fields = experiment.opened.iter().map(|opened| opened.agents.len());
        let mut begins = Vec::new();
        let tuned = fields.fold(0, |begin, length| {
            begins.push(begin);
            begin + length
        });
        let of = |under: usize, player: usize| &asked[begins[under] + player];
        let mut games: Vec<[&(String, Needs); 2]> = experiment
            .spec
            .cells
            .iter()
            .map(|cell| [of(cell.under, cell.a), of(cell.under, cell.b)])
            .collect();
        // Whom a tuning lets play is not known beforehand.
        for trial in &asked[tuned..] {
            games.extend(asked.iter().map(|other| [trial, other]));
        }
        self.hold(&games)
    }

    /// The threads of one game, if as many games as are played at a time fit.
    fn hold(&self, games: &[[&(String, Needs); 2]]) -> Result<usize, String> {
        let agents = games.iter().flatten();
        let Some((agent, Needs { threads, .. })) = agents.max_by_key(|(_, needs)| needs.threads)
        else {
            return Ok(1);
        };
        // Agents think in turn.
        let threads = (*threads).max(1);
        if threads > self.threads as u64 {
            let most = self.threads;
            return Err(format!(
                "{agent} asks for {threads} threads, and this worker was started with {most}"
            ));
        }
        let at_once = self.threads as u64 / threads;
        let memory =
            |game: &[&(String, Needs); 2]| game.map(|(_, needs)| needs.mebibytes).iter().sum();
        let largest = games.iter().map(|game| (memory(game), game)).max_by_key(|(sum, _)| *sum);
        if let Some((sum, [(one, _), (other, _)])) = largest
            && let Some(lent) = self.mebibytes.map(|all| all / at_once).filter(|lent| sum > *lent)
        {
            let sum: u64 = sum;
            return Err(format!(
                "{one} against {other} asks for {sum} MiB of memory, and this worker lends {lent} MiB to \
                 each of {at_once} games at a time"
            ));
        }
        Ok(threads as usize)
    }
}

/// Refuses a program from outside unless this worker was told of it, and of what it is started with, and
/// its content is the coordinator's.
///
/// An interpreter does whatever its arguments say. So either a script follows at once that is allowed
/// itself, and the words after it are the script's; or the whole command was allowed as it stands.
fn check_allowed(
    spec: &AgentSpec,
    programs: &BTreeMap<String, String>,
    allowed: &[String],
) -> Result<(), String> {
    let words = program_words(spec);
    let Some((program, arguments)) = words.split_first() else { return Ok(()) };
    let is_allowed = |word: &String| allowed.contains(word);
    let whole = words.join(" ");
    let is_whole = allowed.iter().any(|one| one.split_whitespace().eq(words.iter()));
    let told = |what: &str, flags: String| {
        format!("it starts '{whole}', and this worker was not told to allow {what} ({flags})")
    };
    if !is_whole {
        if !is_allowed(program) {
            let flags = format!("--allow-program {program}");
            return Err(told(&format!("the program '{program}'"), flags));
        }
        if let Some(script) = arguments.first()
            && !(is_allowed(script) && Path::new(script).is_file())
        {
            let flags = format!(
                "--allow-program FILE for a script that follows at once, or --allow-program '{whole}'"
            );
            return Err(told(&format!("'{program}' with the argument '{script}'"), flags));
        }
    }
    let here: BTreeMap<String, String> = program_files(spec).into_iter().collect();
    for (place, word) in words.iter().enumerate() {
        match programs.get(word) {
            Some(hash) if here.get(word) == Some(hash) => {}
            None if place > 0 && !Path::new(word).is_file() => {}
            // A file for the script: of its content the coordinator says nothing.
            None if place > 1 && !is_whole && is_allowed(word) => {}
            None if place > 1 && !is_whole => {
                let flags = format!("--allow-program {word}");
                return Err(told(&format!("the file '{word}'"), flags));
            }
            _ => {
                return Err(format!(
                    "'{word}' is another file here than at the coordinator, or is not there"
                ));
            }
        }
    }
    Ok(())
}

/// The memory of this machine in MiB, or what the system lends to this process, where it tells.
pub(super) fn machine_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let limits = groups.lines().flat_map(limit_files);
    let lent = limits.filter_map(|path| read(&path)?.trim().parse::<u64>().ok()).min();
    let there = read("/proc/meminfo").and_then(|told| total(&told));
    [there, lent.map(|bytes| bytes >> 20)].into_iter().flatten().min()
}

/// The `MemTotal` of the system in MiB.
fn total(told: &str) -> Option<u64> {
    let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

/// Where the limit of a control group may stand, and those of the groups around it, of either form.
fn limit_files(line: &str) -> Vec<String> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else { return Vec::new() };
    let (root, file) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        _ if controllers.split(',').any(|one| one == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return Vec::new(),
    };
    let around = Path::new(group).ancestors();
    around
        .map(|group| format!("{root}{}/{file}", group.display().to_string().trim_end_matches('/')))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(threads: u64, mebibytes: u64) -> (String, Needs) {
        (format!("agent-{threads}-{mebibytes}"), Needs { threads, mebibytes })
    }

    #[test]
    fn all_games_at_a_time_hold_to_the_threads_and_memory_of_the_worker() {
        let limits = Limits { threads: 4, mebibytes: Some(1000), allowed: Vec::new() };
        let (small, pair, wide, broad) = (needs(1, 100), needs(2, 300), needs(5, 0), needs(1, 151));
        assert_eq!(limits.hold(&[[&small, &small]]), Ok(1), "four games of 200");
        assert_eq!(limits.hold(&[[&small, &pair]]), Ok(2), "two games of 400");
        let error = limits.hold(&[[&small, &small], [&small, &broad]]).unwrap_err();
        assert!(error.contains("251 MiB") && error.contains("250 MiB to each of 4"), "{error}");
        let error = limits.hold(&[[&pair, &pair]]).unwrap_err();
        assert!(error.contains("600 MiB") && error.contains("500 MiB"), "{error}");
        let error = limits.hold(&[[&small, &wide]]).unwrap_err();
        assert!(
            error.contains("agent-5-0 asks for 5 threads") && error.contains("with 4"),
            "{error}"
        );
        assert_eq!(Limits { mebibytes: None, ..limits }.hold(&[[&pair, &pair]]), Ok(2));
    }

    fn spec(text: &str) -> AgentSpec {
        AgentSpec::parse(text, &registry::no_files).unwrap()
    }

    /// A folder with a program, a script and a file, and what a coordinator that has the same says.
    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            for name in ["engine", "script", "data"] {
                std::fs::write(folder.path().join(name), name).unwrap();
            }
            Self(folder)
        }

        fn text(&self, text: &str) -> String {
            let folder = self.0.path().display();
            text.split(' ')
                .map(|word| match word.strip_prefix("./") {
                    Some(name) => format!("{folder}/{name}"),
                    None => word.to_owned(),
                })
                .collect::<Vec<_>>()
                .join(" ")
        }

        fn check(&self, command: &str, allowed: &[&str]) -> Result<(), String> {
            let spec = spec(&format!("exec:{}", self.text(command)));
            let programs = program_files(&spec).into_iter().collect();
            let allowed: Vec<String> = allowed.iter().map(|text| self.text(text)).collect();
            check_allowed(&spec, &programs, &allowed)
        }
    }

    #[test]
    fn a_program_runs_only_with_what_the_worker_was_told_of() {
        let place = Place::new();
        for (command, allowed) in [
            ("./engine", &["./engine"][..]),
            ("./engine ./script", &["./engine", "./script"]),
            ("./engine ./script 7 --fast", &["./engine", "./script"]),
            ("./engine ./script ./data", &["./engine", "./script", "./data"]),
            ("./engine --depth 3", &["./engine --depth 3"]),
            ("./engine -u ./script", &["./engine -u ./script"]),
        ] {
            assert_eq!(place.check(command, allowed), Ok(()), "{command}");
        }
        for (command, allowed) in [
            ("./engine", &[][..]),
            ("./engine", &["./script"]),
            ("./engine -c code", &["./engine"]),
            ("./engine -ccode", &["./engine", "./script"]),
            ("./engine -e code", &["./engine"]),
            ("./engine -m module ./script", &["./engine", "./script"]),
            ("./engine -c ./script", &["./engine", "./script"]),
            ("./engine ./script", &["./engine"]),
            ("./engine ./other", &["./engine", "./other"]),
            ("./engine ./script ./data", &["./engine", "./script"]),
            ("./engine --depth 4", &["./engine --depth 3"]),
            ("./engine --book 3 ./data", &["./engine --book 3 ./data"]),
        ] {
            let error = place.check(command, allowed).expect_err(command);
            assert!(error.contains('\''), "{error}");
        }
    }

    #[test]
    fn a_file_with_another_content_is_refused() {
        let place = Place::new();
        let spec = spec(&format!("exec:{}", place.text("./engine ./script")));
        let allowed = [place.text("./engine"), place.text("./script")];
        let programs: BTreeMap<String, String> = program_files(&spec).into_iter().collect();
        assert_eq!(check_allowed(&spec, &programs, &allowed), Ok(()));
        for name in ["engine", "script"] {
            let file = place.0.path().join(name);
            std::fs::write(&file, "other").unwrap();
            let error = check_allowed(&spec, &programs, &allowed).unwrap_err();
            assert!(error.contains(name) && error.contains("another file"), "{error}");
            std::fs::write(&file, name).unwrap();
        }
        let none = check_allowed(&spec, &BTreeMap::new(), &allowed).unwrap_err();
        assert!(none.contains("engine"), "{none}");
    }

    #[test]
    fn limits_of_control_groups_are_found() {
        assert_eq!(
            limit_files("0::/a/b"),
            [
                "/sys/fs/cgroup/a/b/memory.max",
                "/sys/fs/cgroup/a/memory.max",
                "/sys/fs/cgroup/memory.max"
            ]
        );
        assert_eq!(limit_files("4:cpu,memory:/"), ["/sys/fs/cgroup/memory/memory.limit_in_bytes"]);
        assert_eq!(limit_files("2:cpu:/a"), Vec::<String>::new());
        assert_eq!(limit_files(""), Vec::<String>::new());
        assert_eq!(total("MemFree: 1 kB\nMemTotal:       2048 kB\n"), Some(2));
    }
}
