//! The experiments that come with the program can all be played.

use lab::experiment::read_experiment;

#[test]
fn every_example_is_an_experiment() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let load = |path: &str| std::fs::read_to_string(format!("{root}/{path}"));
    let folder = std::fs::read_dir(format!("{root}/experiments")).expect("the examples are there");
    let mut read = 0;
    for entry in folder {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|kind| kind == "toml") {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let experiment = read_experiment(&standard::registry(), "example", &text, &load);
            assert!(experiment.is_ok(), "{}: {:?}", path.display(), experiment.err());
            read += 1;
        }
    }
    assert!(read >= 8, "{read}");
}
