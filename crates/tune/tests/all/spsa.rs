//! The gains, the path and the ranges of simultaneous perturbation.

use gamecore::Rng;
use tune::{SettingsError, Spsa, SpsaParameter, SpsaSettings, TellError};

fn parameter(name: &str, start: f64, step_end: f64) -> SpsaParameter {
    let name = name.to_owned();
    SpsaParameter { name, start, min: -10.0, max: 10.0, step_end, rate_end: 0.5, integer: false }
}

fn settings(iterations: u64, batch: usize, seed: u64) -> SpsaSettings {
    let parameters = vec![parameter("x", -4.0, 0.5), parameter("y", 4.0, 0.3)];
    SpsaSettings { parameters, iterations, batch, seed, ..Default::default() }
}

#[test]
fn gains_end_where_they_were_told_to() {
    let spsa = Spsa::new(settings(2000, 1, 1)).unwrap();
    for (place, step_end) in [(0, 0.5), (1, 0.3)] {
        assert!((spsa.perturbation_size(place, 2000) - step_end).abs() < 1e-12);
        assert!((spsa.gain(place, 2000) - 0.5 * step_end * step_end).abs() < 1e-12);
        // By hand: 2000^.101 = 2.1546, (2200/201)^.602 = 4.2224.
        let first = spsa.perturbation_size(place, 1) / step_end;
        assert!((first - 2.15464).abs() < 1e-3, "{first}");
        let first = spsa.gain(place, 1) / (0.5 * step_end * step_end);
        assert!((first - 4.2227).abs() < 2e-3, "{first}");
    }
}

/// One step by hand: θ + (a/c) Δ d, averaged over the comparisons that are not void.
#[test]
fn a_step_is_the_mean_over_the_batch() {
    let mut spsa = Spsa::new(settings(10, 3, 7)).unwrap();
    let asked = spsa.ask();
    assert_eq!(asked, spsa.ask());
    spsa.tell(&[Some(1.0), None, Some(-0.5)]).unwrap();
    for (place, start) in [(0, -4.0), (1, 4.0)] {
        let slope = (asked[0].signs[place] - 0.5 * asked[2].signs[place]) / 2.0;
        let fresh = Spsa::new(settings(10, 3, 7)).unwrap();
        let step = fresh.gain(place, 1) / fresh.perturbation_size(place, 1) * slope;
        assert!((spsa.current()[place] - (start + step)).abs() < 1e-12);
        let moved = fresh.perturbation_size(place, 1) * asked[0].signs[place];
        assert!((asked[0].plus[place] - (start + moved)).abs() < 1e-12);
        assert!((asked[0].minus[place] - (start - moved)).abs() < 1e-12);
    }
    let before = spsa.current().to_vec();
    spsa.ask();
    spsa.tell(&[None; 3]).unwrap();
    assert_eq!((spsa.current(), spsa.path().len()), (&before[..], 2));
}

/// Games between θ+ and θ−, each won with the logistic chance of a quadratic's difference; the best
/// is at (1, −2).
fn run(seed: u64, iterations: u64) -> Spsa {
    let mut spsa = Spsa::new(settings(iterations, 2, seed)).unwrap();
    let mut rng = Rng::new(seed ^ 0x5eed);
    let strength = |at: &[f64]| -(at[0] - 1.0).powi(2) / 4.0 - (at[1] + 2.0).powi(2) / 4.0;
    loop {
        let asked = spsa.ask();
        if asked.is_empty() {
            return spsa;
        }
        let game = |apart: f64| rng.unit() < 1.0 / (1.0 + (-apart).exp());
        let won: Vec<bool> =
            asked.iter().map(|at| strength(&at.plus) - strength(&at.minus)).map(game).collect();
        let told: Vec<_> = won.iter().map(|&won| Some(if won { 1.0 } else { -1.0 })).collect();
        spsa.tell(&told).unwrap();
    }
}

#[test]
fn finds_the_top_of_a_noisy_quadratic() {
    let mut squares = [0.0; 2];
    for seed in 1..=8 {
        let spsa = run(seed, 4000);
        let found = spsa.recommendation();
        for (best, found) in [1.0, -2.0].iter().zip(&found) {
            assert!((best - found).abs() < 0.75, "seed {seed}: {found} instead of {best}");
        }
        for (sum, at) in squares.iter_mut().zip([&found[..], spsa.current()]) {
            *sum += (at[0] - 1.0).powi(2) + (at[1] + 2.0).powi(2);
        }
    }
    let [of_tail, of_last] = squares;
    assert!(of_tail < of_last, "the tail's mean {of_tail} is no better than the last {of_last}");
}

#[test]
fn the_seed_decides_everything() {
    assert_eq!(run(3, 50).path(), run(3, 50).path());
    assert_ne!(run(3, 50).path(), run(4, 50).path());
}

#[test]
fn ranges_hold_and_whole_numbers_are_rounded_without_bias() {
    let whole = SpsaParameter {
        min: 0.0,
        max: 3.0,
        start: 1.25,
        step_end: 1e-9,
        integer: true,
        ..parameter("n", 0.0, 1.0)
    };
    let edge = SpsaParameter { start: 10.0, ..parameter("x", 0.0, 1.0) };
    let settings = SpsaSettings {
        parameters: vec![whole, edge],
        iterations: 1,
        batch: 20_000,
        ..Default::default()
    };
    let mut spsa = Spsa::new(settings).unwrap();
    let asked = spsa.ask();
    let mean = asked.iter().map(|at| at.plus[0]).sum::<f64>() / asked.len() as f64;
    assert!((mean - 1.25).abs() < 0.02, "{mean}");
    assert!(asked.iter().all(|at| at.plus[0] == 1.0 || at.plus[0] == 2.0));
    assert!(asked.iter().all(|at| at.plus[1] <= 10.0 && at.minus[1] <= 10.0));
    spsa.tell(&vec![Some(0.0); 20_000]).unwrap();
    assert_eq!(spsa.recommendation(), [1.0, 10.0]);
}

#[test]
fn senseless_settings_and_results_are_refused() {
    let refused = |change: fn(&mut SpsaSettings)| {
        let mut settings = settings(10, 1, 1);
        change(&mut settings);
        Spsa::new(settings).err().unwrap()
    };
    assert_eq!(refused(|it| it.parameters.clear()), SettingsError::NoParameters);
    assert_eq!(refused(|it| it.iterations = 0), SettingsError::NoIterations);
    assert_eq!(refused(|it| it.batch = 0), SettingsError::NoBatch);
    assert_eq!(
        refused(|it| it.parameters[1].start = 11.0).to_string(),
        "start of y is 11; it must be between min and max"
    );
    assert!(refused(|it| it.parameters[0].step_end = f64::NAN).to_string().contains("above 0"));
    assert!(matches!(refused(|it| it.parameters[1].name = "x".into()), SettingsError::SameName(_)));
    let mut spsa = Spsa::new(settings(10, 1, 1)).unwrap();
    spsa.ask();
    assert!(matches!(spsa.tell(&[]), Err(TellError::Count { asked: 1, found: 0 })));
    assert!(matches!(spsa.tell(&[Some(1.5)]), Err(TellError::Reward { low: -1, .. })));
    assert_eq!(spsa.path().len(), 0);
}
