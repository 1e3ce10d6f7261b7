//! Reports as messages: a server takes no message longer than it was told to.

use protocol::{ChunkReport, Fault, pack};

use crate::Game;
use crate::access::ClusterError;

/// A report as messages that the server takes.
pub(crate) fn parts(mut report: ChunkReport<Game>, most: usize) -> Vec<Vec<u8>> {
    // Besides the message there is its head.
    let most = most.saturating_sub(1024);
    let packed = pack(&report);
    if packed.len() <= most {
        return vec![packed];
    }
    let games = std::mem::take(&mut report.games);
    if let [(row, _)] = games.as_slice() {
        let number = row.number;
        let what = ClusterError::TooLong { number, bytes: packed.len(), most }.to_string();
        report.faults.push(Fault { numbers: vec![number], what });
        return vec![pack(&report)];
    }
    let mut first = games;
    let second = first.split_off(first.len() / 2);
    let share = report.seconds / 2.0;
    let half = |games, faults| ChunkReport { games, faults, seconds: share, ..report.clone() };
    let (one, other) = (half(first, report.faults.clone()), half(second, Vec::new()));
    [parts(one, most + 1024), parts(other, most + 1024)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::unpack;

    fn report(games: u64) -> ChunkReport<Game> {
        let record = arena::GameRecord::from_json(
            r#"{"schema":"warroom-game-1","game":"g","rules":"","start":"","seeds":{"start":1,"chance":2,
            "agents":[3,4]},"agents":["a","b"],"actions":["x"],"chance":[],"outcome":"draw",
            "reason":"equal"}"#,
        )
        .unwrap();
        let game = |number: u64| {
            let mut record = record.clone();
            // What cannot be made shorter.
            record.actions = (0..40)
                .map(|at| format!("{:x}", gamecore::seed(number, at, gamecore::Purpose::Cell)))
                .collect();
            (store::GameRow { number, ..store::GameRow::default() }, record)
        };
        ChunkReport {
            chunk: "c".into(),
            worker: "w".into(),
            seconds: 8.0,
            games: (0..games).map(game).collect(),
            faults: vec![Fault { numbers: vec![99], what: "it ended its player".into() }],
        }
    }

    #[test]
    fn a_long_report_is_cut_where_games_end() {
        let sent = parts(report(20), 4000);
        assert!(sent.len() > 3 && sent.iter().all(|part| part.len() <= 4000), "{}", sent.len());
        let heard: Vec<ChunkReport<Game>> = sent.iter().map(|part| unpack(part).unwrap()).collect();
        let numbers: Vec<u64> =
            heard.iter().flat_map(|part| part.games.iter().map(|(row, _)| row.number)).collect();
        assert_eq!(numbers, (0..20).collect::<Vec<_>>());
        assert_eq!(heard.iter().map(|part| part.faults.len()).sum::<usize>(), 1);
        let seconds: f64 = heard.iter().map(|part| part.seconds).sum();
        assert!((seconds - 8.0).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn a_game_that_no_message_holds_is_named() {
        let sent = parts(report(1), 1100);
        let heard: ChunkReport<Game> = unpack(&sent[0]).unwrap();
        assert_eq!((sent.len(), heard.games.len(), heard.faults.len()), (1, 0, 2));
        assert!(heard.faults[1].what.contains("game 0 takes"), "{:?}", heard.faults);
    }
}
