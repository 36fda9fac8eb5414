// Bounds checks, unwrapping, overflow and assertions: code that may panic at every turn, and does not.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]

#[derive(Clone, Copy)]
enum Step {
    Scale(usize),
    Mix(usize, usize),
    Bend,
}

fn program(n: usize) -> impl Iterator<Item = Step> {
    (0..3 * n).map(move |i| match i % 3 {
        0 => Step::Scale(i % n),
        1 => Step::Mix(i % n, (i + 1) % n),
        _ => Step::Bend,
    })
}

fn largest(x: &[f64]) -> Option<f64> {
    let mut found = None;
    for v in x {
        found = match found {
            Some(best) if best >= *v => Some(best),
            _ => Some(*v),
        };
    }
    found
}

fn f(x: &[f64]) -> f64 {
    assert!(!x.is_empty(), "no numbers");
    let mut state = [0.5; 4];
    for step in program(x.len()) {
        match step {
            Step::Scale(i) => state[i % 4] *= x[i],
            Step::Mix(i, k) => state[i % 4] += state[k % 4] * x.get(k).copied().unwrap(),
            Step::Bend => {
                for v in state.iter_mut() {
                    *v = v.sin() + 0.1;
                }
            }
        }
    }
    let total: f64 = state[..x.len().min(4)].iter().sum();
    total * largest(x).expect("there is a largest")
}

include!("../Inputs/requests.rs");
