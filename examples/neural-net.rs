//! A small neural network learns a function of two variables: `backsweep::value_and_gradient` gives the derivative of the loss by all
//! its weights, and Adam takes the steps.

const INPUTS: usize = 2;
const HIDDEN: usize = 12;
const WEIGHTS: usize = HIDDEN * INPUTS + HIDDEN + HIDDEN + 1;

/// One hidden layer with tanh.
fn predict(weights: &[f64], x: &[f64; INPUTS]) -> f64 {
    let (input, rest) = weights.split_at(HIDDEN * INPUTS);
    let (bias, output) = rest.split_at(HIDDEN);
    let mut result = output[HIDDEN];
    for unit in 0..HIDDEN {
        let mut sum = bias[unit];
        for k in 0..INPUTS {
            sum += input[unit * INPUTS + k] * x[k];
        }
        result += output[unit] * sum.tanh();
    }
    result
}

fn loss(weights: &[f64], samples: &[([f64; INPUTS], f64)]) -> f64 {
    let mut sum = 0.0;
    for (x, wanted) in samples {
        let miss = predict(weights, x) - wanted;
        sum += miss * miss;
    }
    sum / samples.len() as f64
}

fn make_samples() -> Vec<([f64; INPUTS], f64)> {
    let grid = |i: usize| i as f64 / 5.0 - 1.0;
    (0..121).map(|i| ([grid(i / 11), grid(i % 11)], 0.0)).map(|(x, _)| (x, (3.0 * x[0]).sin() * x[1])).collect()
}

/// Different for every weight, and the same in every run.
fn first_weights() -> Vec<f64> {
    (0..WEIGHTS).map(|i| (1.7 * i as f64 + 0.3).sin()).collect()
}

fn worst_difference(weights: &[f64], gradient: &[f64], samples: &[([f64; INPUTS], f64)]) -> f64 {
    let h = 1e-6;
    let mut worst = 0.0f64;
    for i in 0..WEIGHTS {
        let mut moved = weights.to_vec();
        moved[i] = weights[i] + h;
        let up = loss(&moved, samples);
        moved[i] = weights[i] - h;
        let down = loss(&moved, samples);
        worst = worst.max((gradient[i] - (up - down) / (2.0 * h)).abs());
    }
    worst
}

fn main() {
    let samples = make_samples();
    let mut weights = first_weights();
    let (mut mean, mut square) = (vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]);
    let mut worst = 0.0;
    for step in 1..=3000 {
        let (_, gradient) = backsweep::value_and_gradient(|w: &[f64]| loss(w, &samples), &weights);
        if step == 10 {
            worst = worst_difference(&weights, &gradient, &samples);
        }
        for i in 0..WEIGHTS {
            mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
            square[i] = 0.999 * square[i] + 0.001 * gradient[i] * gradient[i];
            let (m, s) = (mean[i] / (1.0 - 0.9f64.powi(step)), square[i] / (1.0 - 0.999f64.powi(step)));
            weights[i] -= 0.02 * m / (s.sqrt() + 1e-8);
        }
    }
    let reached = loss(&weights, &samples);
    println!("loss {reached:.1e} after 3000 steps, central differences agree to {worst:.1e}");
    assert!(reached < 1e-3 && worst < 1e-8);
}
