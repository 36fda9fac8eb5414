// Expressions as enums of numbers, indices and boxes, differentiated by symbols and computed: whoever clones or moves one does not know
// what is in it.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

#[derive(Clone)]
enum Term {
    Number(f64),
    Variable(usize),
    Add(Box<Term>, Box<Term>),
    Mul(Box<Term>, Box<Term>),
    Sin(Box<Term>),
}
use Term::*;

fn derive(term: &Term, by: usize) -> Term {
    match term {
        Number(_) => Number(0.0),
        Variable(index) => Number(if *index == by { 1.0 } else { 0.0 }),
        Add(a, b) => Add(Box::new(derive(a, by)), Box::new(derive(b, by))),
        Mul(a, b) => Add(
            Box::new(Mul(Box::new(derive(a, by)), b.clone())),
            Box::new(Mul(a.clone(), Box::new(derive(b, by)))),
        ),
        Sin(a) => Mul(
            Box::new(Sin(Box::new(Add(a.clone(), Box::new(Number(std::f64::consts::FRAC_PI_2)))))),
            Box::new(derive(a, by)),
        ),
    }
}

fn compute(term: &Term, x: &[f64]) -> f64 {
    match term {
        Number(number) => *number,
        Variable(index) => x[*index],
        Add(a, b) => compute(a, x) + compute(b, x),
        Mul(a, b) => compute(a, x) * compute(b, x),
        Sin(a) => compute(a, x).sin(),
    }
}

pub fn f(x: &[f64]) -> f64 {
    let sum = Add(Box::new(Variable(0)), Box::new(Sin(Box::new(Variable(1)))));
    let term = Mul(Box::new(sum), Box::new(Add(Box::new(Variable(2)), Box::new(Number(x[3])))));
    compute(&derive(&term, 1), x) + compute(&term, x)
}
