//! The page's types are generated from a copy of the server's description; the copy must be true.

#[test]
fn the_page_knows_the_interface_as_it_is() {
    let copy = include_str!("../../../../web/openapi.json");
    assert!(
        copy.trim_end() == server::openapi(&standard::registry()).trim_end(),
        "web/openapi.json is not what the server says now: save /api/openapi.json of a running \
         server there, and run `npm run types` in web/"
    );
}
