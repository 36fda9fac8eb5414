//! Numbers of a function modulo a large prime: arithmetic is exact there, and what is no arithmetic is a random number that
//! follows from the function's name and from its operands.
//!
//! Two formulas over the same values are the same number if they are the same polynomial, or quotient of such, in what is
//! no arithmetic; where they are not, they differ but for an unlikely choice of the random numbers.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::model::{
    CastOp, Constant, FloatKind, FloatOp, FloatPredicate, Function, Inst, IntOp, Op, Operand, Program, Type,
    ValueId,
};
use crate::rules::{BinaryOp, CalleeRule, Condition, Expr, Rules, float_constant};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Residue(u64);

/// A Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;

impl Residue {
    pub const ZERO: Residue = Residue(0);
    pub const ONE: Residue = Residue(1);

    fn power(self, mut exponent: u64) -> Residue {
        let (mut base, mut result) = (self, Residue::ONE);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * base;
            }
            base = base * base;
            exponent >>= 1;
        }
        result
    }

    fn inverse(self) -> Residue {
        self.power(PRIME - 2)
    }
}

impl Add for Residue {
    type Output = Residue;
    fn add(self, other: Residue) -> Residue {
        Residue((self.0 + other.0) % PRIME)
    }
}

impl AddAssign for Residue {
    fn add_assign(&mut self, other: Residue) {
        *self = *self + other;
    }
}

impl Neg for Residue {
    type Output = Residue;
    fn neg(self) -> Residue {
        Residue((PRIME - self.0) % PRIME)
    }
}

impl Sub for Residue {
    type Output = Residue;
    fn sub(self, other: Residue) -> Residue {
        self + -other
    }
}

impl Mul for Residue {
    type Output = Residue;
    fn mul(self, other: Residue) -> Residue {
        Residue((u128::from(self.0) * u128::from(other.0) % u128::from(PRIME)) as u64)
    }
}

pub struct Residues<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    known: HashMap<ValueId, Residue>,
}

impl<'a> Residues<'a> {
    pub fn new(function: &'a Function, program: &'a Program, rules: &'a Rules) -> Residues<'a> {
        Residues { function, program, rules, known: HashMap::new() }
    }

    pub fn of(&mut self, operand: &Operand) -> Residue {
        match operand {
            Operand::Const(constant) => of_constant(constant),
            Operand::Value(value) => self.of_value(*value),
        }
    }

    /// Operands first, without recursion through long chains.
    fn of_value(&mut self, value: ValueId) -> Residue {
        let mut waiting = vec![value];
        while let Some(at) = waiting.last().copied() {
            let open: Vec<ValueId> = match self.function.inst(at).filter(|inst| is_followed(inst)) {
                Some(inst) => inst.operands.iter().filter_map(Operand::value).collect(),
                None => Vec::new(),
            };
            let open: Vec<ValueId> = open.into_iter().filter(|x| !self.known.contains_key(x)).collect();
            if !self.known.contains_key(&at) && !open.is_empty() {
                waiting.extend(open);
                continue;
            }
            waiting.pop();
            if !self.known.contains_key(&at) {
                let residue = self.compute(at);
                self.known.insert(at, residue);
            }
        }
        self.known[&value]
    }

    fn compute(&mut self, value: ValueId) -> Residue {
        let Some(inst) = self.function.inst(value).filter(|inst| is_followed(inst)) else {
            return random(("value", value.0));
        };
        let x: Vec<Residue> = inst.operands.iter().map(|operand| self.of(operand)).collect();
        match &inst.op {
            Op::Attach(_) => x[0],
            Op::FNeg => -x[0],
            Op::Float(op) => match op {
                FloatOp::Add => x[0] + x[1],
                FloatOp::Sub => x[0] - x[1],
                FloatOp::Mul => x[0] * x[1],
                FloatOp::Div => x[0] * x[1].inverse(),
                FloatOp::Rem => random(("frem", x)),
            },
            Op::Cast(CastOp::FpExt | CastOp::FpTrunc) => x[0],
            // What wraps is the same polynomial still.
            Op::Int(IntOp::Add) => x[0] + x[1],
            Op::Int(IntOp::Sub) => x[0] - x[1],
            Op::Int(IntOp::Mul) => x[0] * x[1],
            Op::FCmp(predicate) => random(("fcmp", *predicate, x)),
            Op::Select if self.is_guard(inst) => x[2],
            Op::Select => choose(x[0], x[1], x[2]),
            Op::Call(_) => {
                let name = inst.callee_name().unwrap_or_default();
                let name = match self.rules.lookup_callee(self.program.known_name(name)) {
                    CalleeRule::Row(found) => found.row.name,
                    _ => name,
                };
                apply(name, &x[..inst.arguments().len()])
            }
            other => random((format!("{other:?}"), x)),
        }
    }

    /// A product that is zero where one factor is, which it is anyway.
    fn is_guard(&self, inst: &Inst) -> bool {
        let zero = |operand: &Operand| matches!(operand, Operand::Const(constant) if of_constant(constant) == Residue::ZERO);
        let made = |operand: &Operand| operand.value().and_then(|value| self.function.inst(value));
        let (Some(test), Some(product)) = (made(&inst.operands[0]), made(&inst.operands[2])) else {
            return false;
        };
        // A narrower guard asks beside that whether the product is no number.
        let none = |x: &Operand| made(x).is_some_and(|asked| asked.op == Op::FCmp(FloatPredicate::Uno));
        let test = match test.op {
            Op::Int(IntOp::And) if none(&test.operands[1]) => made(&test.operands[0]).unwrap_or(test),
            _ => test,
        };
        test.op == Op::FCmp(FloatPredicate::Oeq)
            && product.op == Op::Float(FloatOp::Mul)
            && zero(&inst.operands[1])
            && zero(&test.operands[1])
            && product.operands.contains(&test.operands[0])
    }

    /// A form of a row at `d = 1`.
    pub fn partial(&mut self, form: &Expr, operands: &[Operand], id: ValueId, inst: &Inst) -> Residue {
        let mut part = |expr: &Expr| self.partial(expr, operands, id, inst);
        match form {
            Expr::D(_) => Residue::ONE,
            Expr::Neg(inner) => -part(inner),
            Expr::Real(inner) => random((format!("{:?}", Op::Cast(CastOp::SiToFp)), vec![part(inner)])),
            Expr::Convert(inner) => part(inner),
            Expr::Binary(op, left, right) => {
                let (left, right) = (part(left), part(right));
                match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Sub => left - right,
                    BinaryOp::Mul => left * right,
                    BinaryOp::Div => left * right.inverse(),
                }
            }
            Expr::Call(name, arguments) => {
                let arguments: Vec<Residue> = arguments.iter().map(part).collect();
                apply(name, &arguments)
            }
            Expr::If { test, yes, no } => {
                let (yes, no) = (part(yes), part(no));
                let test = self.test(test, operands, id, inst);
                choose(test, yes, no)
            }
            Expr::X(i) => self.of(&operands[usize::from(*i)]),
            Expr::Y(_) => self.of(&Operand::Value(id)),
            Expr::Number(number) => of_constant(&float_constant(kind_of(&inst.ty), *number)),
            Expr::Named(name) => of_constant(&name.constant(kind_of(&inst.ty))),
        }
    }

    fn test(&mut self, test: &Condition, operands: &[Operand], id: ValueId, inst: &Inst) -> Residue {
        match test {
            Condition::Operand(i) => self.of(&operands[usize::from(*i)]),
            Condition::Float(predicate, left, right) => {
                let sides = [left, right].map(|side| self.partial(side, operands, id, inst));
                random(("fcmp", *predicate, sides.to_vec()))
            }
            Condition::Int(predicate, left, right) => {
                let sides = [left, right].map(|side| self.partial(side, operands, id, inst));
                random((format!("{:?}", Op::ICmp(*predicate)), sides.to_vec()))
            }
            Condition::And(left, right) | Condition::Or(left, right) => {
                let sides = [left, right].map(|side| self.test(side, operands, id, inst));
                let op = match test {
                    Condition::And(..) => IntOp::And,
                    _ => IntOp::Or,
                };
                random((format!("{:?}", Op::Int(op)), sides.to_vec()))
            }
        }
    }
}

/// What gives the same from the same; anything else is a number of its own.
fn is_followed(inst: &Inst) -> bool {
    match &inst.op {
        Op::FNeg | Op::Float(_) | Op::FCmp(_) | Op::ICmp(_) | Op::Select | Op::Attach(_) => true,
        Op::Int(_) | Op::Cast(_) => true,
        Op::Call(_) => inst.ty.is_real() && !inst.arguments().is_empty(),
        _ => false,
    }
}

fn apply(name: &str, arguments: &[Residue]) -> Residue {
    match (name, arguments) {
        ("fma" | "fmuladd", [x, y, z]) => *x * *y + *z,
        _ => random((name, arguments.to_vec())),
    }
}

/// Linear in what is chosen from, as a choice is.
fn choose(test: Residue, yes: Residue, no: Residue) -> Residue {
    no + random(("choice", test)) * (yes - no)
}

fn kind_of(ty: &Type) -> FloatKind {
    match ty.scalar() {
        Type::Float(kind) => *kind,
        _ => FloatKind::Double,
    }
}

fn of_constant(constant: &Constant) -> Residue {
    match constant {
        Constant::Float { kind: FloatKind::Double, bits } => of_float(f64::from_bits(*bits as u64), constant),
        Constant::Float { kind: FloatKind::Single, bits } => {
            of_float(f64::from(f32::from_bits(*bits as u32)), constant)
        }
        Constant::Int { bits, value } if *bits <= 64 => {
            let unused = 64 - bits;
            let signed = (*value as u64).wrapping_shl(unused) as i64 >> unused;
            let size = Residue(signed.unsigned_abs() % PRIME);
            if signed < 0 { -size } else { size }
        }
        _ => random(format!("{constant:?}")),
    }
}

/// A finite float is an integer times a power of two.
fn of_float(value: f64, constant: &Constant) -> Residue {
    if !value.is_finite() {
        return random(format!("{constant:?}"));
    }
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let (mantissa, power) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let two = Residue(2);
    let scale = if power >= 0 { two.power(power as u64) } else { two.inverse().power(-power as u64) };
    let size = Residue(mantissa % PRIME) * scale;
    if value.is_sign_negative() { -size } else { size }
}

fn random(seed: impl Hash) -> Residue {
    let mut hasher = DefaultHasher::new();
    seed.hash(&mut hasher);
    Residue(hasher.finish() % (PRIME - 1) + 1)
}
