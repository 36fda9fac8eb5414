//! Turns a rule's expression into instructions.
//!
//! Row + primal values + incoming derivative → an operand. Nothing is chosen here: the expression is the row's, the
//! spelling of each function is the rules'.

use super::builder::{Builder, zero_of};
use crate::config::StrongZero;
use crate::model::{
    Call, CastOp, Constant, Flags, FloatKind, FloatOp, FloatPredicate, IntOp, Lanes, Op, Operand, Type,
};
use crate::rules::{BinaryOp, Condition, Expr, OperandKind, Row, Rules, Spelling, float_constant};

/// The values an expression speaks of, as operands of the function being built.
pub struct Scope<'a> {
    pub rules: &'a Rules,
    pub strong_zero: StrongZero,
    pub row: &'a Row,
    /// Operand `i`, where the expression needs it.
    pub operands: &'a [Option<Operand>],
    /// Result `k`, where the expression needs it.
    pub results: &'a [Option<Operand>],
    /// The incoming derivative of each result.
    pub incoming: &'a [Option<Operand>],
    /// The type of what comes out: the operand's in reverse, the result's in forward mode.
    pub wanted: Type,
}

/// The contribution of `d` through `form`, guarded where the row is singular: a derivative that is exactly zero
/// contributes exactly zero, whatever the partial.
pub fn expand_contribution(builder: &mut Builder, scope: &Scope, form: &Expr, d: &Operand) -> Operand {
    let value = expand(builder, scope, form, &builder.type_of(d));
    if scope.row.is_singular() { guard(builder, scope.strong_zero, d, value) } else { value }
}

/// What `d` contributes, so that it is zero where `d` is.
pub fn guard(builder: &mut Builder, strong_zero: StrongZero, d: &Operand, value: Operand) -> Operand {
    if strong_zero == StrongZero::Never {
        return value;
    }
    let (incoming, outgoing) = (builder.type_of(d), builder.type_of(&value));
    let mut test = compare_floats(builder, FloatPredicate::Oeq, d.clone(), zero(&incoming));
    if strong_zero == StrongZero::Undefined {
        let none = compare_floats(builder, FloatPredicate::Uno, value.clone(), value.clone());
        let truth = builder.type_of(&test);
        test = builder.push(Op::Int(IntOp::And), truth, vec![test, none]);
    }
    let guarded = builder.push(Op::Select, outgoing.clone(), vec![test, zero(&outgoing), value]);
    if strong_zero == StrongZero::Always {
        builder.flag_last(Flags::ZERO);
    }
    guarded
}

/// An expression without an incoming derivative, a local partial for one.
pub fn expand_value(builder: &mut Builder, scope: &Scope, expr: &Expr, near: &Type) -> Operand {
    expand(builder, scope, expr, near)
}

/// `near` is the type that a literal takes where nothing else tells.
fn expand(builder: &mut Builder, scope: &Scope, expr: &Expr, near: &Type) -> Operand {
    match expr {
        Expr::X(i) => known(&scope.operands[*i as usize]),
        Expr::Y(k) => known(&scope.results[*k as usize]),
        Expr::D(k) => known(&scope.incoming[*k as usize]),
        Expr::Number(value) => literal(near, *value),
        Expr::Named(name) => match near.scalar() {
            Type::Float(kind) => splat(near, name.constant(*kind)),
            _ => splat(near, name.constant(FloatKind::Double)),
        },
        Expr::Neg(inner) => {
            let value = expand(builder, scope, inner, near);
            let ty = builder.type_of(&value);
            if ty.is_real() {
                builder.push_float(Op::FNeg, ty, vec![value])
            } else {
                builder.push(Op::Int(IntOp::Sub), ty.clone(), vec![zero(&ty), value])
            }
        }
        Expr::Binary(op, left, right) => expand_binary(builder, scope, *op, left, right, near),
        Expr::Call(name, arguments) => {
            // A literal beside an integer operand is a float all the same, unless the function wants an integer there.
            let named = argument_type(builder, scope, arguments).filter(Type::is_real);
            let near = named.unwrap_or_else(|| near.clone());
            let kinds = scope.rules.operand_kinds(name);
            let operands: Vec<Operand> = arguments
                .iter()
                .enumerate()
                .map(|(i, argument)| {
                    let near = if kinds.get(i) == Some(&OperandKind::Int) { &Type::I32 } else { &near };
                    expand(builder, scope, argument, near)
                })
                .collect();
            call_function(builder, scope.rules, name, operands)
        }
        Expr::If { test, yes, no } => {
            let test = expand_condition(builder, scope, test, near);
            let yes = expand(builder, scope, yes, near);
            let no = expand(builder, scope, no, &builder.type_of(&yes));
            let (yes, no) = alike(builder, yes, no);
            let ty = builder.type_of(&yes);
            builder.push(Op::Select, ty, vec![test, yes, no])
        }
        Expr::Real(inner) => {
            let integer = expand(builder, scope, inner, &Type::I32);
            let scalar = near.scalar().clone();
            let value = builder.push(Op::Cast(CastOp::SiToFp), scalar, vec![integer]);
            spread(builder, value, near)
        }
        Expr::Convert(inner) => {
            let value = expand(builder, scope, inner, near);
            convert_float(builder, value, &scope.wanted)
        }
    }
}

fn expand_binary(
    builder: &mut Builder,
    scope: &Scope,
    op: BinaryOp,
    left: &Expr,
    right: &Expr,
    near: &Type,
) -> Operand {
    let near = argument_type(builder, scope, &[left.clone(), right.clone()]).unwrap_or_else(|| near.clone());
    let left = expand(builder, scope, left, &near);
    let right = expand(builder, scope, right, &near);
    let (left, right) = alike(builder, left, right);
    let ty = builder.type_of(&left);
    if ty.is_real() {
        let op = match op {
            BinaryOp::Add => FloatOp::Add,
            BinaryOp::Sub => FloatOp::Sub,
            BinaryOp::Mul => FloatOp::Mul,
            BinaryOp::Div => FloatOp::Div,
        };
        return builder.push_float(Op::Float(op), ty, vec![left, right]);
    }
    let op = match op {
        BinaryOp::Add => IntOp::Add,
        BinaryOp::Sub => IntOp::Sub,
        BinaryOp::Mul => IntOp::Mul,
        BinaryOp::Div => IntOp::SDiv,
    };
    builder.push(Op::Int(op), ty, vec![left, right])
}

/// The type that the operands named inside these expressions have; literals follow it.
fn argument_type(builder: &Builder, scope: &Scope, exprs: &[Expr]) -> Option<Type> {
    exprs.iter().find_map(|expr| match expr {
        Expr::X(i) => scope.operands[*i as usize].as_ref().map(|operand| builder.type_of(operand)),
        Expr::Y(k) => scope.results[*k as usize].as_ref().map(|operand| builder.type_of(operand)),
        Expr::D(k) => scope.incoming[*k as usize].as_ref().map(|operand| builder.type_of(operand)),
        Expr::Neg(inner) => argument_type(builder, scope, std::slice::from_ref(inner)),
        Expr::Binary(_, left, right) => argument_type(builder, scope, std::slice::from_ref(left))
            .or_else(|| argument_type(builder, scope, std::slice::from_ref(right))),
        Expr::Call(_, arguments) => argument_type(builder, scope, arguments).filter(Type::is_real),
        Expr::If { yes, no, .. } => argument_type(builder, scope, std::slice::from_ref(yes))
            .or_else(|| argument_type(builder, scope, std::slice::from_ref(no))),
        Expr::Number(_) | Expr::Named(_) | Expr::Real(_) | Expr::Convert(_) => None,
    })
}

fn expand_condition(builder: &mut Builder, scope: &Scope, test: &Condition, near: &Type) -> Operand {
    match test {
        Condition::Operand(i) => known(&scope.operands[*i as usize]),
        Condition::Float(predicate, left, right) => {
            let near = argument_type(builder, scope, &[(**left).clone(), (**right).clone()])
                .unwrap_or_else(|| near.clone());
            let left = expand(builder, scope, left, &near);
            let right = expand(builder, scope, right, &near);
            compare_floats(builder, *predicate, left, right)
        }
        Condition::Int(predicate, left, right) => {
            let near =
                argument_type(builder, scope, &[(**left).clone(), (**right).clone()]).unwrap_or(Type::I32);
            let left = expand(builder, scope, left, &near);
            let right = expand(builder, scope, right, &near);
            let ty = truth_type(&builder.type_of(&left));
            builder.push(Op::ICmp(*predicate), ty, vec![left, right])
        }
        Condition::And(left, right) | Condition::Or(left, right) => {
            let op = match test {
                Condition::And(..) => IntOp::And,
                _ => IntOp::Or,
            };
            let left = expand_condition(builder, scope, left, near);
            let right = expand_condition(builder, scope, right, near);
            let ty = builder.type_of(&left);
            builder.push(Op::Int(op), ty, vec![left, right])
        }
    }
}

pub fn compare_floats(
    builder: &mut Builder,
    predicate: FloatPredicate,
    left: Operand,
    right: Operand,
) -> Operand {
    let ty = truth_type(&builder.type_of(&left));
    builder.push(Op::FCmp(predicate), ty, vec![left, right])
}

/// Calls the function of a row or helper on operands, however it is spelled for their types.
pub fn call_function(builder: &mut Builder, rules: &Rules, name: &str, operands: Vec<Operand>) -> Operand {
    let types: Vec<Type> = operands.iter().map(|operand| builder.type_of(operand)).collect();
    let real = types.iter().find(|ty| ty.is_real()).cloned().unwrap_or(Type::DOUBLE);
    match rules.spell(name, &types) {
        Some(Spelling::Instruction(op)) => builder.push_float(op, real, operands),
        Some(Spelling::Intrinsic(symbol) | Spelling::Library(symbol)) => {
            push_call(builder, symbol, real, operands)
        }
        Some(Spelling::Scalarize) => call_by_lanes(builder, rules, name, operands, &real),
        Some(Spelling::Through(kind)) => {
            let through = with_kind(&real, kind);
            let converted = operands
                .into_iter()
                .map(|operand| match builder.type_of(&operand).is_real() {
                    true => convert_float(builder, operand, &through),
                    false => operand,
                })
                .collect();
            let result = call_function(builder, rules, name, converted);
            convert_float(builder, result, &real)
        }
        // The plan asks the rules about every row it uses before anything is built.
        None => unreachable!("a planned row has a spelling: {name} on {types:?}"),
    }
}

fn push_call(builder: &mut Builder, symbol: String, result: Type, operands: Vec<Operand>) -> Operand {
    let call = Call { arguments: operands.len() as u32, library: true, attributes: Vec::new() };
    let mut all = operands;
    all.push(Operand::Const(Constant::Symbol { name: symbol, space: 0 }));
    builder.push_float(Op::Call(call), result, all)
}

fn call_by_lanes(
    builder: &mut Builder,
    rules: &Rules,
    name: &str,
    operands: Vec<Operand>,
    ty: &Type,
) -> Operand {
    let Type::Vector(Lanes { count, .. }, element) = ty else {
        unreachable!("only vectors are computed lane by lane")
    };
    let mut result = Operand::Const(Constant::Poison(ty.clone()));
    for lane in 0..*count {
        let at = Operand::Const(Constant::int(32, i128::from(lane)));
        let scalars = operands
            .iter()
            .map(|operand| match builder.type_of(operand) {
                Type::Vector(_, part) => {
                    builder.push(Op::ExtractElement, *part, vec![operand.clone(), at.clone()])
                }
                _ => operand.clone(),
            })
            .collect();
        let value = call_function(builder, rules, name, scalars);
        debug_assert_eq!(builder.type_of(&value), **element);
        result = builder.push(Op::InsertElement, ty.clone(), vec![result, value, at]);
    }
    result
}

/// A float as another float type of the same shape.
pub fn convert_float(builder: &mut Builder, value: Operand, to: &Type) -> Operand {
    let from = builder.type_of(&value);
    let (Type::Float(narrow), Type::Float(wide)) = (from.scalar(), to.scalar()) else { return value };
    let op = match digits(*narrow).cmp(&digits(*wide)) {
        std::cmp::Ordering::Less => CastOp::FpExt,
        std::cmp::Ordering::Greater => CastOp::FpTrunc,
        std::cmp::Ordering::Equal if narrow == wide => return value,
        // half and bfloat have the same size and different digits.
        std::cmp::Ordering::Equal => {
            let single = with_kind(&from, FloatKind::Single);
            let widened = builder.push(Op::Cast(CastOp::FpExt), single, vec![value]);
            return builder.push(Op::Cast(CastOp::FpTrunc), to.clone(), vec![widened]);
        }
    };
    builder.push(Op::Cast(op), to.clone(), vec![value])
}

/// Size in LLVM's order of widening.
fn digits(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Single => 32,
        FloatKind::Double => 64,
        FloatKind::X87 => 80,
        FloatKind::Quad | FloatKind::DoubleDouble => 128,
    }
}

fn with_kind(ty: &Type, kind: FloatKind) -> Type {
    match ty {
        Type::Vector(lanes, _) => Type::Vector(*lanes, Box::new(Type::Float(kind))),
        _ => Type::Float(kind),
    }
}

fn truth_type(ty: &Type) -> Type {
    match ty {
        Type::Vector(lanes, _) => Type::Vector(*lanes, Box::new(Type::BOOL)),
        _ => Type::BOOL,
    }
}

fn zero(ty: &Type) -> Operand {
    Operand::Const(zero_of(ty))
}

fn literal(ty: &Type, value: f64) -> Operand {
    match ty.scalar() {
        Type::Float(kind) => splat(ty, float_constant(*kind, value)),
        Type::Int(bits) => splat(ty, Constant::int(*bits, value as i128)),
        _ => splat(ty, Constant::double(value)),
    }
}

fn splat(ty: &Type, constant: Constant) -> Operand {
    Operand::Const(match ty {
        Type::Vector(lanes, _) => {
            Constant::Aggregate { ty: ty.clone(), parts: vec![constant; lanes.count as usize] }
        }
        _ => constant,
    })
}

/// A scalar in every lane of a vector type, or the scalar itself.
pub fn spread(builder: &mut Builder, value: Operand, ty: &Type) -> Operand {
    let Type::Vector(lanes, _) = ty else { return value };
    let empty = Operand::Const(Constant::Poison(ty.clone()));
    let first = Operand::Const(Constant::int(32, 0));
    let single = builder.push(Op::InsertElement, ty.clone(), vec![empty.clone(), value, first]);
    let mask = vec![0; lanes.count as usize];
    builder.push(Op::ShuffleVector { mask }, ty.clone(), vec![single, empty])
}

/// A number beside several, as where it is multiplied by the derivatives in all directions: the same beside each.
fn alike(builder: &mut Builder, left: Operand, right: Operand) -> (Operand, Operand) {
    let (of_left, of_right) = (builder.type_of(&left), builder.type_of(&right));
    match (&of_left, &of_right) {
        (Type::Vector(..), Type::Float(_)) => (left, spread(builder, right, &of_left)),
        (Type::Float(_), Type::Vector(..)) => (spread(builder, left, &of_right), right),
        _ => (left, right),
    }
}

fn known(operand: &Option<Operand>) -> Operand {
    // The plan makes available exactly what `Expr::needs` names.
    operand.clone().expect("every value that a form needs is available")
}
