//! scratch
#![allow(clippy::print_stdout)]
use gamecore::Notation;
use othello::bits::InstructionSet;
fn main() {
    let text = std::fs::read_to_string("/work/shared/games/othello/ffo.csv").unwrap();
    let (lo, hi): (u32, u32) = {
        let mut a = std::env::args().skip(1).map(|x| x.parse().unwrap());
        (a.next().unwrap(), a.next().unwrap())
    };
    let (mut tn, mut ts) = (0, 0.0);
    for line in text.lines().skip(1) {
        let f: Vec<&str> = line.split(',').collect();
        let id: u32 = f[0].parse().unwrap();
        if id < lo || id > hi {
            continue;
        }
        let b = othello::Othello.parse_position(&format!("{} {}", f[1], f[2])).unwrap();
        let t = std::time::Instant::now();
        let s = othello_engine::solve(&b, InstructionSet::detect(), 256);
        let sec = t.elapsed().as_secs_f64();
        tn += s.nodes;
        ts += sec;
        let ok = s.score == f[5].parse::<i32>().unwrap();
        println!(
            "{id:3} n={} score {:+} exp {} {} {} vs {} nodes {:.1}M {:.2}s {:.1}Mnps",
            b.empties(),
            s.score,
            f[5],
            if ok { "ok" } else { "WRONG" },
            othello::square::name(s.best),
            f[4],
            s.nodes as f64 / 1e6,
            sec,
            s.nodes as f64 / sec / 1e6
        );
    }
    println!("total {:.1}M {:.2}s {:.1} Mnps", tn as f64 / 1e6, ts, tn as f64 / ts / 1e6);
}
