//! Integers, casts, comparisons, float kinds, and what undefined content does.

mod common;

use backsweep_core::model::{
    CastOp, Constant, FloatKind, FloatOp, FloatPredicate, IntOp, IntPredicate, Op, Operand, Type,
};
use backsweep_oracle::build::{double, int};
use backsweep_oracle::{Fault, Machine, NO_TANGENT, OnUndef, Value, direction};
use common::{program, run};

fn int_op(op: IntOp, bits: u32, a: i128, b: i128) -> Result<Value, Fault> {
    let ty = Type::Int(bits);
    run(&[ty.clone(), ty.clone()], ty, &[Value::int(bits, a), Value::int(bits, b)], &|f| {
        let operands = vec![f.param(0), f.param(1)];
        f.same(Op::Int(op), operands)
    })
    .map_err(|trap| trap.fault)
}

#[test]
fn integers_of_any_width() {
    assert_eq!(int_op(IntOp::Add, 8, 200, 100), Ok(Value::int(8, 44)));
    assert_eq!(int_op(IntOp::Sub, 7, 0, 1), Ok(Value::int(7, 127)));
    assert_eq!(int_op(IntOp::Mul, 128, 1 << 100, 1 << 27), Ok(Value::int(128, i128::MIN)));
    assert_eq!(int_op(IntOp::SDiv, 32, -7, 2), Ok(Value::int(32, -3)));
    assert_eq!(int_op(IntOp::SRem, 32, -7, 2), Ok(Value::int(32, -1)));
    assert_eq!(int_op(IntOp::UDiv, 8, -1, 2), Ok(Value::int(8, 127)));
    assert_eq!(int_op(IntOp::URem, 33, 10, 4), Ok(Value::int(33, 2)));
    assert_eq!(int_op(IntOp::Shl, 16, 0x8001, 1), Ok(Value::int(16, 2)));
    assert_eq!(int_op(IntOp::AShr, 16, 0x8000, 15), Ok(Value::int(16, -1)));
    assert_eq!(int_op(IntOp::LShr, 16, 0x8000, 15), Ok(Value::int(16, 1)));
    assert_eq!(int_op(IntOp::Xor, 1, 1, 1), Ok(Value::bool(false)));
    assert_eq!(int_op(IntOp::And, 64, 12, 10), Ok(Value::int(64, 8)));
    assert_eq!(int_op(IntOp::Or, 64, 12, 10), Ok(Value::int(64, 14)));
    assert_eq!(int_op(IntOp::SDiv, 32, 1, 0), Err(Fault::DivisionByZero));
    assert_eq!(int_op(IntOp::SDiv, 8, -128, -1), Err(Fault::DivisionByZero));
    assert_eq!(int_op(IntOp::Shl, 16, 1, 16), Ok(Value::Undef));
}

fn cast(op: CastOp, from: Type, to: Type, value: Value) -> Value {
    run(&[from], to.clone(), &[value], &|f| {
        let x = f.param(0);
        f.push(Op::Cast(op), to.clone(), vec![x])
    })
    .unwrap()
}

#[test]
fn casts() {
    assert_eq!(cast(CastOp::Trunc, Type::I64, Type::Int(8), Value::int(64, 0x1234)), Value::int(8, 0x34));
    assert_eq!(cast(CastOp::SExt, Type::Int(8), Type::I64, Value::int(8, -3)), Value::int(64, -3));
    assert_eq!(cast(CastOp::ZExt, Type::Int(8), Type::I64, Value::int(8, -3)), Value::int(64, 253));
    assert_eq!(cast(CastOp::FpToSi, Type::DOUBLE, Type::I32, Value::double(-2.9)), Value::int(32, -2));
    assert_eq!(cast(CastOp::FpToUi, Type::DOUBLE, Type::Int(8), Value::double(255.9)), Value::int(8, 255));
    assert_eq!(cast(CastOp::FpToUi, Type::DOUBLE, Type::Int(8), Value::double(256.0)), Value::Undef);
    assert_eq!(cast(CastOp::SiToFp, Type::Int(8), Type::DOUBLE, Value::int(8, -3)), Value::double(-3.0));
    assert_eq!(cast(CastOp::UiToFp, Type::Int(8), Type::DOUBLE, Value::int(8, -3)), Value::double(253.0));
    let single = Type::Float(FloatKind::Single);
    let third = 1.0 / 3.0;
    let cut = cast(CastOp::FpTrunc, Type::DOUBLE, single.clone(), Value::dual(third, direction(1)));
    assert_eq!(cut, Value::float(FloatKind::Single, f64::from(third as f32), direction(1)));
    assert_eq!(
        cast(CastOp::FpExt, single, Type::DOUBLE, cut),
        Value::dual(f64::from(third as f32), direction(1))
    );
}

/// A float keeps its tangent through the integer of its bits, and through narrow and wide pieces of it.
#[test]
fn bitcasts_carry_tangents() {
    let through_bits = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::dual(2.5, direction(0))], &|f| {
        let x = f.param(0);
        let bits = f.push(Op::Cast(CastOp::BitCast), Type::I64, vec![x]);
        let wide = f.push(Op::Cast(CastOp::ZExt), Type::Int(128), vec![bits]);
        let high = f.same(Op::Int(IntOp::Shl), vec![wide, int(128, 64)]);
        let both = f.same(Op::Int(IntOp::Or), vec![high, int(128, 77)]);
        let back = f.same(Op::Int(IntOp::LShr), vec![both, int(128, 64)]);
        let bits = f.push(Op::Cast(CastOp::Trunc), Type::I64, vec![back]);
        f.push(Op::Cast(CastOp::BitCast), Type::DOUBLE, vec![bits])
    });
    assert_eq!(through_bits, Ok(Value::dual(2.5, direction(0))));
    let changed = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::dual(2.5, direction(0))], &|f| {
        let x = f.param(0);
        let bits = f.push(Op::Cast(CastOp::BitCast), Type::I64, vec![x]);
        let next = f.same(Op::Int(IntOp::Add), vec![bits, int(64, 1)]);
        f.push(Op::Cast(CastOp::BitCast), Type::DOUBLE, vec![next])
    });
    assert_eq!(changed, Ok(Value::double(f64::from_bits(2.5f64.to_bits() + 1))));
}

#[test]
fn comparisons() {
    let icmp = |predicate, a, b| {
        run(&[], Type::BOOL, &[], &|f| f.push(Op::ICmp(predicate), Type::BOOL, vec![int(8, a), int(8, b)]))
            .unwrap()
            == Value::bool(true)
    };
    assert!(icmp(IntPredicate::Slt, -1, 1) && !icmp(IntPredicate::Ult, -1, 1));
    assert!(icmp(IntPredicate::Uge, -1, 1) && icmp(IntPredicate::Sle, 1, 1) && icmp(IntPredicate::Ne, 1, 2));
    let fcmp = |predicate, a, b| {
        run(&[], Type::BOOL, &[], &|f| f.push(Op::FCmp(predicate), Type::BOOL, vec![double(a), double(b)]))
            .unwrap()
            == Value::bool(true)
    };
    let nan = f64::NAN;
    assert!(fcmp(FloatPredicate::Olt, 1.0, 2.0) && !fcmp(FloatPredicate::Olt, nan, 2.0));
    assert!(fcmp(FloatPredicate::Ult, nan, 2.0) && fcmp(FloatPredicate::Une, nan, nan));
    assert!(fcmp(FloatPredicate::Uno, nan, 1.0) && fcmp(FloatPredicate::Ord, 0.0, 1.0));
    assert!(!fcmp(FloatPredicate::One, 1.0, 1.0) && fcmp(FloatPredicate::Oeq, 0.0, -0.0));
}

/// Each kind rounds as its format does, and keeps its bits through memory.
#[test]
fn float_kinds_round() {
    let add = |kind, a, b| {
        let ty = Type::Float(kind);
        let arguments = [Value::float(kind, a, NO_TANGENT), Value::float(kind, b, NO_TANGENT)];
        run(&[ty.clone(), ty.clone()], ty.clone(), &arguments, &|f| {
            let operands = vec![f.param(0), f.param(1)];
            let sum = f.same(Op::Float(FloatOp::Add), operands);
            let slot = f.alloca(ty.clone(), 1);
            f.store(sum, slot.clone());
            f.load(ty.clone(), slot)
        })
        .unwrap()
    };
    let value = |kind, x| Value::float(kind, x, NO_TANGENT);
    assert_eq!(add(FloatKind::Half, 2048.0, 1.0), value(FloatKind::Half, 2048.0));
    assert_eq!(add(FloatKind::Half, 65504.0, 65504.0), value(FloatKind::Half, f64::INFINITY));
    assert_eq!(add(FloatKind::BFloat, 256.0, 1.0), value(FloatKind::BFloat, 256.0));
    assert_eq!(add(FloatKind::Single, 16_777_216.0, 1.0), value(FloatKind::Single, 16_777_216.0));
    for kind in [FloatKind::X87, FloatKind::Quad, FloatKind::Double] {
        for x in [0.1, -1e300, 3e-310, f64::INFINITY, -0.0] {
            assert_eq!(add(kind, x, 0.0), value(kind, x + 0.0), "{kind:?} {x}");
        }
    }
    // The smallest subnormal half, and its bits.
    assert_eq!(add(FloatKind::Half, 2f64.powi(-24), 0.0), value(FloatKind::Half, 2f64.powi(-24)));
}

/// Known bit patterns of the formats that Rust has no type for.
#[test]
fn float_bits_are_those_of_the_format() {
    for (kind, bits, expected) in [
        (FloatKind::Half, 0x3c01, 1.0 + 1.0 / 1024.0),
        (FloatKind::Half, 0x0001, 2f64.powi(-24)),
        (FloatKind::BFloat, 0xc049, -3.140625),
        (FloatKind::X87, 0x3fff_8000_0000_0000_0000, 1.0),
        (FloatKind::X87, 0xc000_c000_0000_0000_0000, -3.0),
        (FloatKind::Quad, 0x4000_8000 << 96, 3.0),
    ] {
        let ty = Type::Float(kind);
        let read = run(&[], ty.clone(), &[], &|f| {
            let constant = Operand::Const(Constant::Float { kind, bits });
            let slot = f.alloca(ty.clone(), 1);
            f.store(constant, slot.clone());
            f.load(ty.clone(), slot)
        });
        assert_eq!(read, Ok(Value::float(kind, expected, NO_TANGENT)), "{kind:?} {bits:x}");
    }
}

/// A tangent of zero stays zero through a slope without limit.
#[test]
fn zero_is_strong() {
    let infinite = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::double(0.0)], &|f| {
        let x = f.param(0);
        f.call("log", Type::DOUBLE, vec![x], true)
    });
    assert_eq!(infinite, Ok(Value::double(f64::NEG_INFINITY)));
}

#[test]
fn undefined_content_is_noticed() {
    let undef = || Operand::Const(Constant::Undef(Type::DOUBLE));
    let program = program(&[], Type::DOUBLE, &|f| f.same(Op::FNeg, vec![undef()]));
    let mut machine = Machine::new(&program);
    assert_eq!(machine.call("f", &[]).unwrap_err().fault, Fault::UndefUsed("arithmetic"));
    machine.on_undef = OnUndef::Propagate;
    assert_eq!(machine.call("f", &[]), Ok(Value::Undef));
    let frozen = run(&[], Type::DOUBLE, &[], &|f| f.same(Op::Freeze, vec![undef()]));
    assert_eq!(frozen, Ok(Value::double(0.0)));
}
