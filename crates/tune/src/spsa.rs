//! Simultaneous perturbation stochastic approximation, for parameters that are numbers.
//!
//! J. C. Spall, *Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation*, IEEE Transactions on Automatic Control 37 (1992); gains as in his *Implementation
//! of the simultaneous perturbation algorithm* (1998). In iteration k = 1, 2, …, K all parameters are
//! moved at once, by +c or −c each (Δ draws the signs), and the point is compared with its mirror:
//!
//! ```text
//! c_k = c / k^γ        a_k = a / (A + k)^α        A = stability · K
//! θ ← θ + (a_k / c_k) · Δ · d        d = reward at θ + c_k Δ minus reward at θ − c_k Δ
//! ```
//!
//! As in OpenBench, a and c are not given but solved from what they shall be in the last iteration:
//! the move c_end, and the rate r_end = a_end / c_end². With c = c_end · K^γ and
//! a = r_end · c_end² · (A + K)^α, the last step is r_end · c_end · d. The factor ½ of Spall's gradient
//! d / (2 c Δ) is, also as there, part of the rate.
//!
//! A batch holds several perturbations of one θ, each with signs of its own; the step is their mean,
//! so its size does not depend on the batch, but its noise does.

use gamecore::{Rng, math};
use serde::{Deserialize, Serialize};

use crate::tuner::{SettingsError, TellError};

/// The recommendation is the mean of this last part of the path.
const TAIL: f64 = 0.2;

/// One number to tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpsaParameter {
    /// What it is called.
    pub name: String,
    /// Where it starts.
    pub start: f64,
    /// Never below this.
    pub min: f64,
    /// Never above this.
    pub max: f64,
    /// How far it is moved for comparison in the last iteration (c_end).
    pub step_end: f64,
    /// How much of a difference it follows in the last iteration (r_end); 0.002 is usual.
    pub rate_end: f64,
    /// Whether only whole numbers can be evaluated. Moved values are then rounded up or down at
    /// random, with the chances that keep their mean, so that moves below ½ still show; the path
    /// itself is not rounded, the recommendation to the nearest.
    #[serde(default)]
    pub integer: bool,
}

/// How to search. Steps, batch and seed are of the one who asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpsaSettings {
    /// What to tune.
    pub parameters: Vec<SpsaParameter>,
    /// Steps.
    #[serde(skip)]
    pub iterations: u64,
    /// Decay of the step size.
    pub alpha: f64,
    /// Decay of the move.
    pub gamma: f64,
    /// A as a part of the iterations; it keeps the first steps small.
    pub stability: f64,
    /// Comparisons for each step.
    #[serde(skip)]
    pub batch: usize,
    /// Of all random draws.
    #[serde(skip)]
    pub seed: u64,
}

impl Default for SpsaSettings {
    fn default() -> Self {
        Self {
            parameters: Vec::new(),
            iterations: 1000,
            alpha: 0.602,
            gamma: 0.101,
            stability: 0.1,
            batch: 1,
            seed: 1,
        }
    }
}

/// Two points to compare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Perturbation {
    /// θ + c Δ, inside the ranges.
    pub plus: Vec<f64>,
    /// θ − c Δ, inside the ranges.
    pub minus: Vec<f64>,
    /// Δ: +1 or −1 for each parameter.
    pub signs: Vec<f64>,
}

/// The method, between two questions.
pub struct Spsa {
    settings: SpsaSettings,
    rng: Rng,
    theta: Vec<f64>,
    /// θ after each iteration.
    path: Vec<Vec<f64>>,
    pending: Vec<Perturbation>,
}

impl Spsa {
    /// A run at its beginning.
    ///
    /// # Errors
    /// If a setting has no sense.
    pub fn new(settings: SpsaSettings) -> Result<Self, SettingsError> {
        check(&settings)?;
        Ok(Self {
            rng: Rng::new(settings.seed),
            theta: settings.parameters.iter().map(|parameter| parameter.start).collect(),
            path: Vec::new(),
            pending: Vec::new(),
            settings,
        })
    }

    /// c_k: how far the parameter at this place is moved in iteration k, from 1.
    #[must_use]
    pub fn perturbation_size(&self, place: usize, iteration: u64) -> f64 {
        let SpsaSettings { parameters, iterations, gamma, .. } = &self.settings;
        let c = parameters[place].step_end * math::power(*iterations as f64, *gamma);
        c / math::power(iteration as f64, *gamma)
    }

    /// a_k: the gain of the parameter at this place in iteration k, from 1.
    #[must_use]
    pub fn gain(&self, place: usize, iteration: u64) -> f64 {
        let SpsaSettings { parameters, iterations, alpha, stability, .. } = &self.settings;
        let SpsaParameter { step_end, rate_end, .. } = parameters[place];
        let all = *iterations as f64;
        let a = rate_end * step_end * step_end * math::power(stability * all + all, *alpha);
        a / math::power(stability * all + iteration as f64, *alpha)
    }

    /// The comparisons of the next iteration; empty when all are done. Asked again before results
    /// came, it gives the same answer.
    pub fn ask(&mut self) -> Vec<Perturbation> {
        let iteration = self.path.len() as u64 + 1;
        if self.pending.is_empty() && iteration <= self.settings.iterations {
            let batch = (0..self.settings.batch).map(|_| self.perturb(iteration)).collect();
            self.pending = batch;
        }
        self.pending.clone()
    }

    fn perturb(&mut self, iteration: u64) -> Perturbation {
        let (mut plus, mut minus, mut signs) = (Vec::new(), Vec::new(), Vec::new());
        for place in 0..self.theta.len() {
            let sign = if self.rng.below(2) == 0 { -1.0 } else { 1.0 };
            let moved = sign * self.perturbation_size(place, iteration);
            let theta = self.theta[place];
            for (end, moved) in [(&mut plus, moved), (&mut minus, -moved)] {
                let SpsaParameter { min, max, integer, .. } = self.settings.parameters[place];
                let inside = (theta + moved).clamp(min, max);
                end.push(if integer { (inside + self.rng.unit()).floor() } else { inside });
            }
            signs.push(sign);
        }
        Perturbation { plus, minus, signs }
    }

    /// Takes the results of the last question, in its order: the reward of `plus` minus that of
    /// `minus`, in [−1, 1]; if they played each other, 2 · score − 1. `None` is a void comparison and
    /// counts for nothing; an iteration of void ones makes no step.
    ///
    /// # Errors
    /// If there are not as many results as comparisons, or one is out of range; then nothing is
    /// taken.
    pub fn tell(&mut self, differences: &[Option<f64>]) -> Result<(), TellError> {
        let (asked, found) = (self.pending.len(), differences.len());
        if asked != found {
            return Err(TellError::Count { asked, found });
        }
        for (place, &difference) in differences.iter().enumerate() {
            if let Some(reward) = difference
                && !(-1.0..=1.0).contains(&reward)
            {
                return Err(TellError::Reward { place, reward, low: -1 });
            }
        }
        if asked == 0 {
            return Ok(());
        }
        let iteration = self.path.len() as u64 + 1;
        let valid = differences.iter().flatten().count().max(1) as f64;
        for place in 0..self.theta.len() {
            let pairs = self.pending.iter().zip(differences);
            let slope: f64 = pairs.map(|(at, d)| at.signs[place] * d.unwrap_or(0.0)).sum();
            let step = self.gain(place, iteration) / self.perturbation_size(place, iteration);
            let SpsaParameter { min, max, .. } = self.settings.parameters[place];
            self.theta[place] = (self.theta[place] + step * slope / valid).clamp(min, max);
        }
        self.path.push(self.theta.clone());
        self.pending.clear();
        Ok(())
    }

    /// θ now, not rounded.
    #[must_use]
    pub fn current(&self) -> &[f64] {
        &self.theta
    }

    /// What is tuned.
    #[must_use]
    pub fn parameters(&self) -> &[SpsaParameter] {
        &self.settings.parameters
    }

    /// θ after each iteration so far, not rounded.
    #[must_use]
    pub fn path(&self) -> &[Vec<f64>] {
        &self.path
    }

    /// The mean of the last fifth of the path so far (the start, before the first step): averages of
    /// late iterates wander less than the last one (Polyak and Juditsky 1992). Whole numbers where
    /// the parameter is one.
    #[must_use]
    pub fn recommendation(&self) -> Vec<f64> {
        let count = (self.path.len() as f64 * TAIL).ceil() as usize;
        let tail = &self.path[self.path.len() - count..];
        let mean = |place: usize| {
            let sum: f64 = tail.iter().map(|theta| theta[place]).sum();
            if tail.is_empty() { self.theta[place] } else { sum / tail.len() as f64 }
        };
        let parameters = self.settings.parameters.iter().enumerate();
        parameters
            .map(|(place, of)| if of.integer { mean(place).round() } else { mean(place) })
            .collect()
    }
}

fn check(settings: &SpsaSettings) -> Result<(), SettingsError> {
    let SpsaSettings { parameters, iterations, alpha, gamma, stability, batch, .. } = settings;
    if parameters.is_empty() {
        return Err(SettingsError::NoParameters);
    }
    if *iterations == 0 {
        return Err(SettingsError::NoIterations);
    }
    if *batch == 0 {
        return Err(SettingsError::NoBatch);
    }
    // Written so that "not a number" is refused.
    let number = |name: String, value: f64, good: bool, must| {
        if good && value.is_finite() {
            Ok(())
        } else {
            Err(SettingsError::Number { name, value, must })
        }
    };
    for (name, value) in [("alpha", *alpha), ("gamma", *gamma), ("stability", *stability)] {
        number(name.into(), value, value >= 0.0, "0 or more")?;
    }
    for (place, parameter) in parameters.iter().enumerate() {
        let SpsaParameter { name, start, min, max, step_end, rate_end, integer } = parameter;
        if parameters[..place].iter().any(|earlier| earlier.name == *name) {
            return Err(SettingsError::SameName(name.clone()));
        }
        let of = |what: &str| format!("{what} of {name}");
        number(of("min"), *min, true, "finite")?;
        number(of("max"), *max, max > min, "above min")?;
        number(of("start"), *start, (min..=max).contains(&start), "between min and max")?;
        number(of("step_end"), *step_end, *step_end > 0.0, "above 0")?;
        number(of("rate_end"), *rate_end, *rate_end > 0.0, "above 0")?;
        if *integer {
            number(of("min"), *min, min.fract() == 0.0, "a whole number")?;
            number(of("max"), *max, max.fract() == 0.0, "a whole number")?;
        }
    }
    Ok(())
}
