//! Calls of math functions, each within its domain.

use backsweep_core::model::{FloatKind, FloatOp, Operand, Type};

use super::scope::{Real, Scope};
use crate::build::int;

/// Where a function may be applied.
#[derive(Clone, Copy)]
enum Domain {
    Any,
    /// No larger than that.
    Within(f64),
    /// At least a half.
    Positive,
    /// Above one.
    AboveOne,
}

struct Function {
    name: &'static str,
    domain: Domain,
    /// The size of the result over the domain.
    bound: f64,
}

const fn function(name: &'static str, domain: Domain, bound: f64) -> Function {
    Function { name, domain, bound }
}

/// The size of an argument of `Positive` and `AboveOne`: `1.5 + 2²`.
const SMOOTH: &[Function] = &[
    function("sin", Domain::Any, 1.0),
    function("cos", Domain::Any, 1.0),
    function("tan", Domain::Within(1.0), 1.6),
    function("asin", Domain::Within(0.9), 1.2),
    function("acos", Domain::Within(0.9), 2.7),
    function("atan", Domain::Any, 1.6),
    function("sinh", Domain::Within(2.0), 3.7),
    function("cosh", Domain::Within(2.0), 3.8),
    function("tanh", Domain::Any, 1.0),
    function("asinh", Domain::Any, 3.0),
    function("acosh", Domain::AboveOne, 2.8),
    function("atanh", Domain::Within(0.9), 1.5),
    function("exp", Domain::Within(2.0), 7.4),
    function("exp2", Domain::Within(2.0), 4.0),
    function("exp10", Domain::Within(0.9), 8.0),
    function("expm1", Domain::Within(2.0), 6.4),
    function("log", Domain::Positive, 1.8),
    function("log2", Domain::Positive, 2.5),
    function("log10", Domain::Positive, 0.8),
    function("log1p", Domain::Positive, 1.9),
    function("sqrt", Domain::Positive, 2.4),
    function("cbrt", Domain::Positive, 1.8),
    function("erf", Domain::Any, 1.0),
    function("erfc", Domain::Any, 2.0),
    function("tgamma", Domain::Within(0.45), 0.0),
    function("lgamma", Domain::Positive, 4.0),
    function("j0", Domain::Any, 1.0),
    function("j1", Domain::Any, 0.6),
    function("y0", Domain::Positive, 0.6),
    function("y1", Domain::Positive, 1.5),
    function("sinpi", Domain::Within(2.0), 1.0),
    function("cospi", Domain::Within(2.0), 1.0),
];

const KINKED: &[Function] = &[
    function("fabs", Domain::Any, 8.0),
    function("floor", Domain::Any, 9.0),
    function("ceil", Domain::Any, 9.0),
    function("trunc", Domain::Any, 8.0),
    function("round", Domain::Any, 9.0),
    function("rint", Domain::Any, 9.0),
];

/// Functions of two floats that take anything, where the result is no larger than the sum of both sizes.
const BINARY: &[&str] = &["fmin", "fmax", "fdim", "copysign"];

/// Those that LLVM has as an intrinsic.
const INTRINSICS: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "exp10", "log",
    "log2", "log10", "sqrt", "fabs", "floor", "ceil", "trunc", "round", "rint", "copysign", "pow", "fma",
    "atan2",
];

impl Scope<'_> {
    pub fn make_call_of_mathematics(&mut self) {
        let kind = super::real_kind(self.rng, &self.options);
        let x = self.real_of(kind);
        let result = match self.rng.below(20) {
            0..11 => self.apply(x, SMOOTH),
            11..13 if self.options.kinks => self.apply(x, KINKED),
            13..15 if self.options.kinks => {
                let name = *self.rng.pick(BINARY);
                let y = self.real_of(kind);
                let bound = x.bound + y.bound;
                self.library(name, kind, &[x, y], bound)
            }
            15 => self.power(x),
            16 => self.whole_power(x),
            17 => {
                let (y, z) = (self.real_of(kind), self.real_of(kind));
                let bound = x.bound * y.bound + z.bound;
                self.library("fma", kind, &[x, y, z], bound)
            }
            18 => self.angle(x),
            _ => self.bessel(x),
        };
        self.keep(result);
    }

    fn apply(&mut self, x: Real, functions: &[Function]) -> Real {
        let Function { name, domain, bound } = self.rng.pick(functions);
        if *name == "tgamma" {
            // Around 2, where it is near its least value.
            let (shift, x) = (self.constant(x.kind, 2.5), self.squash(x, 1.0));
            let shifted = self.combine(FloatOp::Add, &x, &shift, 3.5);
            return self.library(name, x.kind, &[shifted], 3.4);
        }
        let x = match domain {
            Domain::Any => x,
            Domain::Within(size) => self.squash(x, *size),
            Domain::Positive => {
                let x = self.squash(x, 2.0);
                self.positive(&x).0
            }
            Domain::AboveOne => {
                let x = self.squash(x, 2.0);
                let (square, least) = self.positive(&x);
                let rest = self.constant(x.kind, 1.2 - least.min(1.0));
                self.combine(FloatOp::Add, &square, &rest, 8.0)
            }
        };
        self.library(name, x.kind, &[x], *bound)
    }

    fn power(&mut self, x: Real) -> Real {
        let x = self.squash(x, 1.0);
        let (base, _) = self.positive(&x);
        let exponent = self.real_within(x.kind, 2.0);
        self.library("pow", x.kind, &[base, exponent], 6.25)
    }

    /// An integer power, or a scaling by a power of two.
    fn whole_power(&mut self, x: Real) -> Real {
        let x = self.squash(x, 2.0);
        let ty = Type::Float(x.kind);
        let n = self.rng.below(4) as i128;
        let (name, n) = if self.rng.chance(50) {
            (format!("llvm.powi.{}.i32", suffix(x.kind)), n)
        } else {
            (spelled("ldexp", x.kind), n - 2)
        };
        let operand = self.f.call(&name, ty, vec![x.operand, int(32, n)], true);
        Real { operand, bound: 8.0, ..x }
    }

    /// `atan2` or `hypot`, kept away from the origin.
    fn angle(&mut self, x: Real) -> Real {
        let y = self.real_of(x.kind);
        let (away, _) = self.positive(&y);
        let (name, bound) =
            if self.rng.chance(50) { ("atan2", 3.2) } else { ("hypot", x.bound + away.bound) };
        let kind = x.kind;
        self.library(name, kind, &[x, away], bound)
    }

    fn bessel(&mut self, x: Real) -> Real {
        let order = int(32, self.rng.below(4) as i128);
        let ty = Type::Float(x.kind);
        let operand = self.f.call(&spelled("jn", x.kind), ty, vec![order, x.operand], true);
        Real { operand, kind: x.kind, bound: 1.0 }
    }

    /// A call under the C name or, where there is one, the intrinsic's.
    pub fn library(&mut self, name: &str, kind: FloatKind, operands: &[Real], bound: f64) -> Real {
        let intrinsic = INTRINSICS.contains(&name) && self.rng.chance(50);
        let spelled = if intrinsic { format!("llvm.{name}.{}", suffix(kind)) } else { spelled(name, kind) };
        let operands: Vec<Operand> = operands.iter().map(|x| x.operand.clone()).collect();
        let operand = self.f.call(&spelled, Type::Float(kind), operands, true);
        Real { operand, kind, bound }
    }
}

fn spelled(name: &str, kind: FloatKind) -> String {
    match kind {
        FloatKind::Single => format!("{name}f"),
        FloatKind::X87 | FloatKind::Quad | FloatKind::DoubleDouble => format!("{name}l"),
        FloatKind::Half | FloatKind::BFloat | FloatKind::Double => name.into(),
    }
}

pub(crate) fn suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "f16",
        FloatKind::BFloat => "bf16",
        FloatKind::Single => "f32",
        FloatKind::Double => "f64",
        FloatKind::X87 => "f80",
        FloatKind::Quad => "f128",
        FloatKind::DoubleDouble => "ppcf128",
    }
}
