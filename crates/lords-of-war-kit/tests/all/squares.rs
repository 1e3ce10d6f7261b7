//! Evaluations by where cards stand.

use lords_of_war::{COLS, Square};
use lords_of_war_kit::evals::{HEAT_MAPS, HeatMap, RIM};

/// Figure 1 of the paper, row by row.
#[test]
fn maps_are_those_of_the_paper() {
    let printed = [
        "3333333 2222222 2222222 1111111 1111111 0000000",
        "0000000 1111111 1111111 2222222 2222222 3333333",
        "3210123 3210123 3210123 3210123 3210123 3210123",
        "0123210 0123210 0123210 0123210 0123210 0123210",
        "0000000 0122210 0123210 0123210 0122210 0000000",
        "3333333 3211123 3210123 3210123 3211123 3333333",
    ];
    for ((name, _, map), printed) in HEAT_MAPS.iter().zip(printed) {
        let digits = |row: &[i8; COLS]| row.map(|weight| weight.to_string()).concat();
        assert_eq!(map.0.each_ref().map(digits).join(" "), printed, "{name}");
    }
}

#[test]
fn maps_survive_text_and_files() {
    for (_, _, map) in HEAT_MAPS {
        assert_eq!(HeatMap::parse(&map.text()), Ok(map));
        let rows: Vec<String> = map.0.iter().map(|row| format!("{row:?}")).collect();
        assert_eq!(HeatMap::from_toml(&format!("heat = [{}]", rows.join(","))), Ok(map));
    }
    for (text, complaint) in
        [("1:2", "6 rows of 7"), ("a:2", "no whole number"), ("1:2:3:4:5:6:7/", "no whole number")]
    {
        let error = HeatMap::parse(text).unwrap_err().to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
    let hot = ["1:2:3:4:5:6:100"; 6].join("/");
    assert!(HeatMap::parse(&hot).unwrap_err().to_string().contains("from -99 to 99"));
}

#[test]
fn the_rim_is_what_touches_the_edge() {
    assert_eq!(RIM.count_ones(), 22);
    assert_eq!(RIM & Square::new(3, 2).unwrap().bit(), 0);
}
