//! The shop of Conquest sells what loadouts hold, and drafts say what is wrong with them.

use standard::shop::{draft, named_drafts, shop};

#[test]
fn a_draft_says_what_is_wrong_with_it() {
    let fine = draft("3C,2S+Charge", "").unwrap();
    assert_eq!((fine.placed.len(), &fine.commands[..]), (5, &["Charge"][..]));
    assert_eq!(draft(&fine.report.text, "").unwrap(), fine);
    let expensive = draft("9C", "").unwrap();
    let faults = expensive.report.faults;
    assert!(faults[0].contains("above the limit"), "{faults:?}");
    assert!(draft("nonsense", "").is_err());
    assert!(draft("3C", "nonsense").is_err());
}

#[test]
fn the_shop_sells_what_named_loadouts_hold() {
    let shop = shop("").unwrap();
    for named in named_drafts() {
        for (letter, column, row) in named.placed {
            assert!(shop.troops.iter().any(|item| item.id == letter.to_string()));
            assert!(column < shop.columns && row < shop.rows, "{}", named.report.name);
        }
        assert!(named.commands.iter().all(|id| shop.commands.iter().any(|item| item.id == *id)));
    }
}
