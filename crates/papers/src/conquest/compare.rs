//! What players did, beside tables 3 to 7, A.2 and A.3 of the thesis. Runs of different length
//! compare by shares, not by counts.

use serde_json::Value;

use super::GAME;
use super::published::{TABLE_3, TABLE_6, TABLE_7, TABLE_A2, TABLE_A3, TROOPS};
use lab::grouped;
use lab::report::{Block, Data};
use lab::report::{Ruling, Verdict};
use lab::report::{Table, head};

/// Why the run with extended logging does not compare.
const FAULTY: &str = "The thesis’s run with extended logging lasted 527 ± 242 turns per game, \
                      while the first lasted 80 ± 23, never used Charge, and broke off every game with \
                      Winds of Fate; its author calls it faulty. Its shares are shown beside \
                      ours, but no verdict depends on them.";

/// A command in the words of our counts.
fn our_name(command: &str) -> String {
    command
        .split(' ')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(letters).collect::<String>()
            })
        })
        .collect()
}

/// How often a command was used on each troop.
fn on_troops(behaviour: &Value, command: &str) -> [u64; 7] {
    let counts = &behaviour[GAME]["commands"][our_name(command)];
    TROOPS.map(|troop| counts[troop].as_u64().unwrap_or(0))
}

/// How often a command was used.
fn used(behaviour: &Value, command: &str) -> u64 {
    if command == "Winds of Fate" {
        return behaviour[GAME]["winds_of_fate"].as_u64().unwrap_or(0);
    }
    on_troops(behaviour, command).iter().sum()
}

fn share(count: u64, total: u64) -> String {
    format!("{:.1}", 100.0 * count as f64 / total.max(1) as f64)
}

/// What became of the claims about behaviour.
pub(super) fn verdicts(rules: &str, behaviour: &Value) -> Vec<Verdict> {
    let mut ours: Vec<(&str, u64)> =
        TABLE_3.iter().map(|(name, ..)| (*name, used(behaviour, name))).collect();
    ours.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let total: u64 = ours.iter().map(|(_, count)| count).sum();
    let listed: Vec<String> =
        ours.iter().map(|(name, count)| format!("{name} {} %", share(*count, total))).collect();
    let charge = used(behaviour, "Charge");
    let rare = (charge as f64) < 0.05 * total as f64;
    let first = ours.first().is_some_and(|(name, _)| *name == "Chastise");
    let ruling = match (first, rare) {
        (true, true) => Ruling::Holds,
        (false, false) => Ruling::DoesNotHold,
        _ => Ruling::HoldsInPart,
    };
    vec![
        Verdict {
            claim: format!(
                "Chastise is the command used most, and Charge is rarely used (table 3: 28.9 and \
                 2.0 % of all; {rules} rules)"
            ),
            ruling,
            measured: format!("of {} commands: {}", grouped(total), listed.join(", ")),
            why: "Decided by the counts, as in the thesis: uses within one game are not \
                  independent, so there is no interval. Rarely means less than one in twenty."
                .into(),
        },
        Verdict {
            claim: format!(
                "Which troops receive commands, are selected and kill (tables 4 to 7, A.2, A.3; \
                 {rules} rules)"
            ),
            ruling: Ruling::NotComparable,
            measured: "shares beside those of the thesis in the tables below".into(),
            why: FAULTY.into(),
        },
    ]
}

/// The tables of a page.
pub(super) fn blocks(rules: &str, behaviour: &Value) -> Vec<Block> {
    let games = behaviour["games"].as_u64().unwrap_or(0);
    let n = grouped(games);
    let block =
        |name: &str, table: Table| Block::Table(Data::plain(&format!("{rules}-{name}"), table));
    vec![
        Block::Words(format!(
            "What players did in these {n} games, in percent, beside the thesis. {FAULTY}"
        )),
        block("table-3", commands(behaviour, &n)),
        block("table-4", recipients(behaviour, &n)),
        block("table-5", by_troop(behaviour, &n)),
        block("table-6", selections(behaviour, &n)),
        block("table-7", attacks(behaviour, &n)),
    ]
}

/// Tables 3 and A.2.
fn commands(behaviour: &Value, n: &str) -> Table {
    let ours: u64 = TABLE_3.iter().map(|(name, ..)| used(behaviour, name)).sum();
    let first: u64 = TABLE_3.iter().map(|(.., count)| count).sum();
    let second: u64 = TABLE_A2.iter().map(|(_, count)| count).sum();
    let rows = TABLE_3.iter().map(|(name, setups, count)| {
        let own = used(behaviour, name);
        let later = TABLE_A2.iter().find(|(other, _)| other == name).map_or(0, |(_, count)| *count);
        vec![
            (*name).to_owned(),
            setups.to_string(),
            share(own, ours),
            share(*count, first),
            share(later, second),
            grouped(own),
        ]
    });
    Table {
        caption: format!(
            "Commands used, percent of all: ours (n = {n} games), table 3 (4,650 games) and table \
             A.2 (extended logging, faulty)"
        ),
        head: head(&["command", "setups", "ours", "table 3", "table A.2", "count"]),
        rows: rows.collect(),
    }
}

/// A share of ours and of the thesis in one field.
fn both(own: u64, own_total: u64, published: u64, published_total: u64) -> String {
    format!("{} ({})", share(own, own_total), share(published, published_total))
}

fn troop_heads(first: &str, last: &[&str]) -> Vec<String> {
    let mut heads = vec![first.to_owned()];
    heads.extend(TROOPS.map(str::to_owned));
    heads.extend(last.iter().map(|word| (*word).to_owned()));
    heads
}

/// Table 4: on whom each command was used.
fn recipients(behaviour: &Value, n: &str) -> Table {
    let rows = TABLE_A3.iter().map(|(command, published)| {
        let own = on_troops(behaviour, command);
        let (own_total, total) = (own.iter().sum(), published.iter().sum());
        let mut row = vec![(*command).to_owned()];
        row.extend((0..7).map(|troop| both(own[troop], own_total, published[troop], total)));
        row.push(grouped(own_total));
        row
    });
    Table {
        caption: format!(
            "Table 4, from A.3: troops that each command was used on, percent of the command’s \
             uses, ours (n = {n} games) and in brackets the thesis’s (faulty run)"
        ),
        head: troop_heads("command", &["our uses"]),
        rows: rows.collect(),
    }
}

/// Table 5: which commands each troop received.
fn by_troop(behaviour: &Value, n: &str) -> Table {
    let own: Vec<[u64; 7]> =
        TABLE_A3.iter().map(|(command, _)| on_troops(behaviour, command)).collect();
    let sum = |rows: &[[u64; 7]], troop: usize| -> u64 { rows.iter().map(|row| row[troop]).sum() };
    let published: Vec<[u64; 7]> = TABLE_A3.iter().map(|(_, row)| *row).collect();
    let rows = TABLE_A3.iter().enumerate().map(|(index, (command, _))| {
        let mut row = vec![(*command).to_owned()];
        row.extend((0..7).map(|troop| {
            let (ours, theirs) = (sum(&own, troop), sum(&published, troop));
            both(own[index][troop], ours, published[index][troop], theirs)
        }));
        row
    });
    Table {
        caption: format!(
            "Table 5: commands that each troop received, percent of the troop’s without Charge, \
             ours (n = {n} games) and in brackets the thesis’s (faulty run)"
        ),
        head: troop_heads("command", &[]),
        rows: rows.collect(),
    }
}

/// Table 6: how often each troop was selected.
fn selections(behaviour: &Value, n: &str) -> Table {
    let own = TROOPS.map(|troop| behaviour[GAME]["selections"][troop].as_u64().unwrap_or(0));
    let (ours, theirs) = (own.iter().sum(), TABLE_6.iter().sum());
    let rows = (0..7).map(|troop| {
        vec![
            TROOPS[troop].to_owned(),
            share(own[troop], ours),
            share(TABLE_6[troop], theirs),
            grouped(own[troop]),
        ]
    });
    Table {
        caption: format!(
            "Table 6: troops selected, percent of all, ours (n = {n} games) and the thesis’s \
             (faulty run)"
        ),
        head: head(&["troop", "ours", "thesis", "count"]),
        rows: rows.collect(),
    }
}

/// Table 7: who attacks whom, and how often it kills.
fn attacks(behaviour: &Value, n: &str) -> Table {
    let rows = TROOPS.iter().zip(TABLE_7).map(|(attacker, (published, kills))| {
        let of = |defender: &str, what: &str| {
            behaviour[GAME]["attacks"][attacker][defender][what].as_u64().unwrap_or(0)
        };
        let own = TROOPS.map(|defender| of(defender, "count"));
        let own_kills: u64 = TROOPS.iter().map(|defender| of(defender, "kills")).sum();
        let (ours, theirs): (u64, u64) = (own.iter().sum(), published.iter().sum());
        let mut row = vec![(*attacker).to_owned()];
        row.extend((0..7).map(|troop| both(own[troop], ours, published[troop], theirs)));
        row.push(both(own_kills, ours, kills, theirs));
        row.push(grouped(ours));
        row
    });
    Table {
        caption: format!(
            "Table 7: whom each troop attacks, percent of its attacks, and how many of them kill; \
             ours (n = {n} games) and in brackets the thesis’s (faulty run)"
        ),
        head: troop_heads("attacker", &["kills", "our attacks"]),
        rows: rows.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn commands_are_found_under_our_names() {
        let behaviour = json!({ "games": 1, "conquest": {
            "commands": { "BattleCry": { "Scout": 3, "Champion": 1 } }, "winds_of_fate": 2,
        }});
        assert_eq!(used(&behaviour, "Battle Cry"), 4);
        assert_eq!(used(&behaviour, "Winds of Fate"), 2);
        let table = commands(&behaviour, "1");
        let row = table.rows.iter().find(|row| row[0] == "Battle Cry").unwrap();
        assert_eq!(row[2..4], ["66.7".to_owned(), "27.9".to_owned()]);
    }

    #[test]
    fn the_published_tables_add_up() {
        let total = |row: &[u64; 7]| row.iter().sum::<u64>();
        for (command, row) in &TABLE_A3 {
            let printed = TABLE_A2.iter().find(|(name, _)| name == command).unwrap().1;
            assert_eq!(total(row), printed, "{command}");
        }
        let attacks: Vec<u64> = TABLE_7.iter().map(|(row, _)| total(row)).collect();
        assert_eq!(attacks, [2690, 371, 4388, 3978, 3566, 1144, 6272]);
    }
}
