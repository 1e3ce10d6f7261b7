//! What players did, beside tables 3 to 7, A.2 and A.3 of the thesis. Runs of different length
//! compare by shares, not by counts.

use lab::grouped;
use lab::report::{Block, Data, Ruling, Verdict};
use serde_json::{Value, json};

use super::{GAME, SHEET};
use crate::sheet::{block, in_part};

/// Counts by troop, in the order of the thesis's tables.
type Troops = [u64; 7];

fn troops() -> [String; 7] {
    SHEET.data("troops")
}

/// Commands, the setups that have them, how often they were used.
type Table3 = Vec<(String, u64, u64)>;

/// The same in the run with extended logging.
type TableA2 = Vec<(String, u64)>;

/// Commands by the troop they were used on.
type TableA3 = Vec<(String, Troops)>;

/// Attacks by defender, an attacker a row, and how many killed.
type Table7 = Vec<(Troops, u64)>;

/// A command in the words of our counts.
fn our_name(command: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    command.split(' ').map(capital).collect()
}

/// How often a command was used on each troop.
fn on_troops(behaviour: &Value, command: &str) -> Troops {
    let counts = &behaviour[GAME]["commands"][our_name(command)];
    troops().map(|troop| counts[troop].as_u64().unwrap_or(0))
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
pub(super) fn verdicts(rules: &str, behaviour: &Value) -> [Verdict; 2] {
    let mut ours: Vec<(String, u64)> = SHEET
        .data::<Table3>("table-3")
        .into_iter()
        .map(|(name, ..)| {
            let count = used(behaviour, &name);
            (name, count)
        })
        .collect();
    ours.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let total: u64 = ours.iter().map(|(_, count)| count).sum();
    let listed: Vec<String> =
        ours.iter().map(|(name, count)| format!("{name} {} %", share(*count, total))).collect();
    let charge = used(behaviour, "Charge");
    let rare = (charge as f64) < 0.05 * total as f64;
    let first = ours.first().is_some_and(|(name, _)| *name == "Chastise");
    let faulty = SHEET.words("faulty", &json!({}));
    let values =
        json!({ "rules": rules, "total": total, "listed": listed.join(", "), "faulty": faulty });
    [("chastise", in_part([first, rare])), ("troops", Ruling::NotComparable)]
        .map(|(claim, ruling)| SHEET.verdict(claim, ruling, &values))
}

/// The tables of a page.
pub(super) fn blocks(rules: &str, behaviour: &Value) -> Vec<Block> {
    let n = grouped(behaviour["games"].as_u64().unwrap_or(0));
    let values = json!({ "n": n, "faulty": SHEET.words("faulty", &json!({})) });
    let tables = [
        commands(behaviour, &values),
        recipients(behaviour, &values),
        by_troop(behaviour, &values),
        selections(behaviour, &values),
        attacks(behaviour, &values),
    ];
    let tables = tables.map(|data| block(&format!("{rules}-{}", data.name), data));
    std::iter::once(Block::Words(SHEET.words("did", &values))).chain(tables).collect()
}

/// Tables 3 and A.2.
fn commands(behaviour: &Value, values: &Value) -> Data {
    let (table, later): (Table3, TableA2) = (SHEET.data("table-3"), SHEET.data("table-a2"));
    let ours: u64 = table.iter().map(|(name, ..)| used(behaviour, name)).sum();
    let first: u64 = table.iter().map(|(.., count)| count).sum();
    let second: u64 = later.iter().map(|(_, count)| count).sum();
    let rows = table.iter().map(|(name, setups, count)| {
        let own = used(behaviour, name);
        let later = later.iter().find(|(other, _)| other == name).map_or(0, |(_, count)| *count);
        json!({
            "command": name,
            "setups": setups,
            "ours": share(own, ours),
            "first": share(*count, first),
            "second": share(later, second),
            "count": own,
        })
    });
    SHEET.table("table-3", rows, values)
}

/// A share of ours and of the thesis in one field.
fn both([own, own_total]: [u64; 2], [published, published_total]: [u64; 2]) -> String {
    format!("{} ({})", share(own, own_total), share(published, published_total))
}

/// A table of shares by troop. A row is its name, our counts, the thesis's, and what else it says;
/// `totals` are what a share is of.
fn crossed(
    name: &str,
    (first, last): (&str, &[&str]),
    rows: &[(String, Troops, Troops, Vec<String>)],
    totals: &dyn Fn(&Troops, &Troops, usize) -> [u64; 2],
    values: &Value,
) -> Data {
    let row = |(name, own, published, rest): &(String, Troops, Troops, Vec<String>)| {
        let field = |troop| {
            let [ours, theirs] = totals(own, published, troop);
            both([own[troop], ours], [published[troop], theirs])
        };
        std::iter::once(name.clone()).chain((0..7).map(field)).chain(rest.clone()).collect()
    };
    let last = last.iter().map(|&word| word.to_owned());
    let head = std::iter::once(first.to_owned()).chain(troops()).chain(last);
    SHEET.grid(name, head, rows.iter().map(row), values)
}

/// Shares of the row.
fn of_row(own: &Troops, published: &Troops, _: usize) -> [u64; 2] {
    [own.iter().sum(), published.iter().sum()]
}

/// Table 4: on whom each command was used.
fn recipients(behaviour: &Value, values: &Value) -> Data {
    let row = |(command, published): (String, Troops)| {
        let own = on_troops(behaviour, &command);
        (command, own, published, vec![grouped(own.iter().sum())])
    };
    let rows: Vec<_> = SHEET.data::<TableA3>("table-a3").into_iter().map(row).collect();
    crossed("table-4", ("command", &["our uses"]), &rows, &of_row, values)
}

/// Table 5: which commands each troop received.
fn by_troop(behaviour: &Value, values: &Value) -> Data {
    let row = |(command, published): (String, Troops)| {
        let own = on_troops(behaviour, &command);
        (command, own, published, Vec::new())
    };
    let rows: Vec<_> = SHEET.data::<TableA3>("table-a3").into_iter().map(row).collect();
    let totals = |_: &Troops, _: &Troops, troop: usize| {
        [rows.iter().map(|row| row.1[troop]).sum(), rows.iter().map(|row| row.2[troop]).sum()]
    };
    crossed("table-5", ("command", &[]), &rows, &totals, values)
}

/// Table 6: how often each troop was selected.
fn selections(behaviour: &Value, values: &Value) -> Data {
    let published: Troops = SHEET.data("table-6");
    let own = troops().map(|troop| behaviour[GAME]["selections"][troop].as_u64().unwrap_or(0));
    let [ours, theirs] = of_row(&own, &published, 0);
    let rows = troops().into_iter().enumerate().map(|(at, troop)| {
        let (share, thesis) = (share(own[at], ours), share(published[at], theirs));
        json!({ "troop": troop, "ours": share, "thesis": thesis, "count": own[at] })
    });
    SHEET.table("table-6", rows, values)
}

/// Table 7: who attacks whom, and how often it kills.
fn attacks(behaviour: &Value, values: &Value) -> Data {
    let row = |(attacker, (published, kills)): (String, (Troops, u64))| {
        let counted = &behaviour[GAME]["attacks"][&attacker];
        let of = |what: &str| troops().map(|troop| counted[troop][what].as_u64().unwrap_or(0));
        let own = of("count");
        let [ours, theirs] = of_row(&own, &published, 0);
        let kills = both([of("kills").iter().sum(), ours], [kills, theirs]);
        (attacker, own, published, vec![kills, grouped(ours)])
    };
    let rows: Vec<_> = troops().into_iter().zip(SHEET.data::<Table7>("table-7")).map(row).collect();
    crossed("table-7", ("attacker", &["kills", "our attacks"]), &rows, &of_row, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_under_our_names() {
        let behaviour = json!({ "games": 1, "conquest": {
            "commands": { "BattleCry": { "Scout": 3, "Champion": 1 } }, "winds_of_fate": 2,
        }});
        assert_eq!(used(&behaviour, "Battle Cry"), 4);
        assert_eq!(used(&behaviour, "Winds of Fate"), 2);
        let table = commands(&behaviour, &json!({ "n": "1" })).table;
        let row = table.rows.iter().find(|row| row[0] == "Battle Cry").unwrap();
        assert_eq!(row[2..4], ["66.7".to_owned(), "27.9".to_owned()]);
    }

    #[test]
    fn the_published_tables_add_up() {
        let total = |row: &Troops| row.iter().sum::<u64>();
        let later: TableA2 = SHEET.data("table-a2");
        for (command, row) in &SHEET.data::<TableA3>("table-a3") {
            let printed = later.iter().find(|(name, _)| name == command).unwrap().1;
            assert_eq!(total(row), printed, "{command}");
        }
        let attacks: Vec<u64> =
            SHEET.data::<Table7>("table-7").iter().map(|(row, _)| total(row)).collect();
        assert_eq!(attacks, [2690, 371, 4388, 3978, 3566, 1144, 6272]);
    }
}
