//! Prints the description of the interface, from which the page's types are made.
#![allow(clippy::print_stdout)]

fn main() {
    println!("{}", server::openapi(&standard::registry()));
}
