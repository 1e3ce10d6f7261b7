//! Chooses the page that becomes part of the program: the built one, or, in a clone where nobody
//! has built it, one that says how.

use std::path::Path;

fn main() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = here.join("../../web/dist");
    // A folder that is there can be watched; a missing one would mean a new build every time.
    let watched = std::fs::create_dir_all(&built).is_ok();
    let page =
        if built.join("index.html").is_file() { built.clone() } else { here.join("no-page") };
    println!("cargo::rustc-env=WARROOM_PAGE={}", page.display());
    if watched {
        println!("cargo::rerun-if-changed={}", built.display());
    }
    println!("cargo::rerun-if-changed={}", here.join("no-page").display());
}
