//! Reports as messages: a server takes no message longer than it was told to.

use protocol::{ChunkReport, Fault, JoinRequest, pack};

use crate::Game;
use crate::error::ClusterError;

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
        report.faults.push(Fault { numbers: vec![number], what, unheard: false });
        return vec![pack(&report)];
    }
    let mut first = games;
    let second = first.split_off(first.len() / 2);
    let share = report.seconds / 2.0;
    let ChunkReport { chunk, worker, faults, returned, .. } = report;
    let one = ChunkReport {
        chunk: chunk.clone(),
        worker: worker.clone(),
        seconds: share,
        games: first,
        faults,
        returned,
    };
    let (faults, returned) = (Vec::new(), Vec::new());
    let other = ChunkReport { chunk, worker, seconds: share, games: second, faults, returned };
    [parts(one, most + 1024), parts(other, most + 1024)].concat()
}

/// The games that a worker replayed as messages that the server takes, or which is too long for any.
pub(crate) fn proofs(
    worker: &str,
    mut games: Vec<Game>,
    most: usize,
) -> Result<Vec<Vec<u8>>, ClusterError> {
    let join = JoinRequest::Prove { worker: worker.to_owned(), games };
    let packed = pack(&join);
    if packed.len() <= most.saturating_sub(1024) {
        return Ok(vec![packed]);
    }
    let JoinRequest::Prove { games: again, .. } = join else { return Ok(Vec::new()) };
    games = again;
    if let [(row, _)] = games.as_slice() {
        return Err(ClusterError::TooLong { number: row.number, bytes: packed.len(), most });
    }
    let second = games.split_off(games.len() / 2);
    Ok([proofs(worker, games, most)?, proofs(worker, second, most)?].concat())
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
            faults: vec![Fault {
                numbers: vec![99],
                what: "it ended its player".into(),
                unheard: false,
            }],
            returned: vec![98],
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
        assert_eq!(heard.iter().flat_map(|part| &part.returned).collect::<Vec<_>>(), [&98]);
        let seconds: f64 = heard.iter().map(|part| part.seconds).sum();
        assert!((seconds - 8.0).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn proofs_are_cut_where_games_end() {
        let sent = proofs("w", report(8).games, 3000).unwrap();
        assert!(sent.len() > 2 && sent.iter().all(|part| part.len() <= 3000), "{}", sent.len());
        let numbers: Vec<u64> = sent
            .iter()
            .flat_map(|part| match unpack::<JoinRequest<Game>>(part).unwrap() {
                JoinRequest::Prove { games, .. } => games,
                JoinRequest::Join { .. } => Vec::new(),
            })
            .map(|(row, _)| row.number)
            .collect();
        assert_eq!(numbers, (0..8).collect::<Vec<_>>());
        let error = proofs("w", report(1).games, 1100).unwrap_err().to_string();
        assert!(error.contains("game 0 takes") && error.contains("max_payload"), "{error}");
    }

    #[test]
    fn a_game_that_no_message_holds_is_named() {
        let sent = parts(report(1), 1100);
        let heard: ChunkReport<Game> = unpack(&sent[0]).unwrap();
        assert_eq!((sent.len(), heard.games.len(), heard.faults.len()), (1, 0, 2));
        assert!(heard.faults[1].what.contains("game 0 takes"), "{:?}", heard.faults);
    }
}
