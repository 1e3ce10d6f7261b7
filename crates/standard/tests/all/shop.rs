//! The shop of Conquest sells what loadouts hold, and drafts say what is wrong with them.

use standard::registry;

#[test]
fn a_draft_says_what_is_wrong_with_it() {
    let conquest = registry().open("conquest", "").unwrap();
    let fine = conquest.draft("3C,2S+Charge").unwrap();
    assert_eq!((fine.slots.len(), &fine.commands[..]), (5, &["Charge".to_owned()][..]));
    assert_eq!(conquest.draft(&fine.text).unwrap(), fine);
    let faults = conquest.draft("9C").unwrap().faults;
    assert!(faults[0].contains("above the limit"), "{faults:?}");
    assert!(conquest.draft("nonsense").is_err());
    let othello = registry().open("othello", "").unwrap();
    assert!(othello.draft("3C").unwrap_err().to_string().contains("bring nothing"));
}

#[test]
fn the_shop_sells_what_named_loadouts_hold() {
    let shop = registry().open("conquest", "").unwrap().setups().expect("a shop");
    for named in shop.choices {
        for slot in named.slots {
            assert!(shop.troops.iter().any(|item| item.id == slot.troop));
            assert!(slot.column < shop.columns && slot.row < shop.rows, "{}", named.name);
        }
        assert!(named.commands.iter().all(|id| shop.commands.iter().any(|item| item.id == *id)));
    }
}
