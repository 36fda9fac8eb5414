// Laws as enums with one number, two numbers or boxes, taken apart and put together anew.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

enum Law {
    Linear { slope: f64, offset: f64 },
    Chain(Box<Law>, Box<Law>),
    Scaled(f64, Box<Law>),
    Identity,
}
use Law::*;

fn apply(law: &Law, z: f64) -> f64 {
    match law {
        Linear { slope, offset } => slope * z + offset,
        Chain(first, second) => apply(second, apply(first, z)),
        Scaled(factor, law) => factor * apply(law, z),
        Identity => z,
    }
}

fn simplify(law: Law) -> Law {
    match law {
        Chain(first, second) => match (simplify(*first), simplify(*second)) {
            (Identity, second) => second,
            (first, Identity) => first,
            (Linear { slope: a, offset: b }, Linear { slope: c, offset: d }) => {
                Linear { slope: a * c, offset: b * c + d }
            }
            (first, second) => Chain(Box::new(first), Box::new(second)),
        },
        Scaled(factor, law) => match simplify(*law) {
            Linear { slope, offset } => Linear { slope: factor * slope, offset: factor * offset },
            law => Scaled(factor, Box::new(law)),
        },
        law => law,
    }
}

pub fn f(x: &[f64]) -> f64 {
    let inner = Scaled(x[2], Box::new(Linear { slope: x[3], offset: x[0] * x[1] }));
    let outer = Chain(Box::new(Identity), Box::new(inner));
    let law = Chain(Box::new(Linear { slope: x[0], offset: x[1].sin() }), Box::new(outer));
    let before = apply(&law, x[2]);
    before * apply(&simplify(law), x[1])
}
