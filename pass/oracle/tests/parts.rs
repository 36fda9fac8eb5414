//! Vectors, structs and integer intrinsics.

mod common;

use std::slice::from_ref;

use backsweep_core::model::{
    Constant, FloatKind, FloatOp, FloatPredicate, Gep, Lanes, Layout, Op, Operand, Stride, Type,
};
use backsweep_oracle::build::{double, int};
use backsweep_oracle::{Value, direction};
use common::run;

fn vector(count: u32, element: Type) -> Type {
    Type::Vector(Lanes { count, scalable: false }, Box::new(element))
}

fn pair(x: Value, y: Value) -> Value {
    Value::Aggregate(vec![x, y])
}

#[test]
fn vectors_work_lane_by_lane() {
    let ty = vector(2, Type::DOUBLE);
    let a = pair(Value::dual(2.0, direction(0)), Value::double(3.0));
    let b = pair(Value::double(5.0), Value::dual(7.0, direction(1)));
    let product = run(&[ty.clone(), ty.clone()], ty.clone(), &[a.clone(), b.clone()], &|f| {
        let operands = vec![f.param(0), f.param(1)];
        f.same(Op::Float(FloatOp::Mul), operands)
    });
    let expected = pair(Value::dual(10.0, [5.0, 0.0, 0.0, 0.0]), Value::dual(21.0, [0.0, 3.0, 0.0, 0.0]));
    assert_eq!(product, Ok(expected));
    let picked = run(&[ty.clone(), ty.clone()], ty, &[a, b], &|f| {
        let (a, b) = (f.param(0), f.param(1));
        let less = f.push(Op::FCmp(FloatPredicate::Olt), vector(2, Type::BOOL), vec![a.clone(), b.clone()]);
        let most = f.push(Op::Select, vector(2, Type::DOUBLE), vec![less, b, a]);
        f.push(Op::ShuffleVector { mask: vec![1, 0] }, vector(2, Type::DOUBLE), vec![most.clone(), most])
    });
    assert_eq!(picked, Ok(pair(Value::dual(7.0, direction(1)), Value::double(5.0))));
}

/// A lane of poison is no trap until somebody looks at it.
#[test]
fn undefined_lanes_are_harmless() {
    let ty = vector(2, Type::DOUBLE);
    let sum = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::double(4.0)], &|f| {
        let x = f.param(0);
        let poison = Operand::Const(Constant::Poison(ty.clone()));
        let lane = f.push(Op::InsertElement, ty.clone(), vec![poison, x, int(64, 1)]);
        let doubled = f.same(Op::Float(FloatOp::Add), vec![lane.clone(), lane]);
        f.push(Op::ExtractElement, Type::DOUBLE, vec![doubled, int(32, 1)])
    });
    assert_eq!(sum, Ok(Value::double(8.0)));
}

#[test]
fn structs_nest() {
    let inner = Type::structure(vec![Type::I32, Type::DOUBLE]);
    let outer = Type::structure(vec![Type::DOUBLE, Type::Array(2, Box::new(inner))]);
    let read = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::dual(1.5, direction(2))], &|f| {
        let x = f.param(0);
        let empty = Operand::Const(Constant::Undef(outer.clone()));
        let filled = f.same(Op::InsertValue { path: vec![1, 1, 1] }, vec![empty, x]);
        let slot = f.alloca(outer.clone(), 1);
        f.store(filled, slot.clone());
        let back = f.load(outer.clone(), slot);
        f.push(Op::ExtractValue { path: vec![1, 1, 1] }, Type::DOUBLE, vec![back])
    });
    assert_eq!(read, Ok(Value::dual(1.5, direction(2))));
}

#[test]
fn masks_pack_into_integers() {
    let mask = vector(8, Type::BOOL);
    let bits = (0..8).map(|lane| Value::bool(lane % 3 == 0)).collect();
    let packed = run(&[mask], Type::Int(8), &[Value::Aggregate(bits)], &|f| {
        let x = f.param(0);
        f.push(Op::Cast(backsweep_core::model::CastOp::BitCast), Type::Int(8), vec![x])
    });
    assert_eq!(packed, Ok(Value::int(8, 0b0100_1001)));
}

fn intrinsic(name: &str, ret: Type, arguments: &[Operand]) -> Value {
    run(&[], ret.clone(), &[], &|f| f.call(name, ret.clone(), arguments.to_vec(), false)).unwrap()
}

#[test]
fn integer_intrinsics() {
    let byte = Type::Int(8);
    assert_eq!(intrinsic("llvm.smax.i8", byte.clone(), &[int(8, -1), int(8, 1)]), Value::int(8, 1));
    assert_eq!(intrinsic("llvm.umax.i8", byte.clone(), &[int(8, -1), int(8, 1)]), Value::int(8, 255));
    assert_eq!(intrinsic("llvm.abs.i8", byte.clone(), &[int(8, -5), int(1, 0)]), Value::int(8, 5));
    assert_eq!(intrinsic("llvm.ctpop.i8", byte.clone(), &[int(8, 0x55)]), Value::int(8, 4));
    assert_eq!(intrinsic("llvm.ctlz.i8", byte.clone(), &[int(8, 1), int(1, 0)]), Value::int(8, 7));
    assert_eq!(intrinsic("llvm.cttz.i8", byte.clone(), &[int(8, 0), int(1, 0)]), Value::int(8, 8));
    assert_eq!(intrinsic("llvm.bswap.i32", Type::I32, &[int(32, 0x1234_5678)]), Value::int(32, 0x7856_3412));
    assert_eq!(
        intrinsic("llvm.fshl.i8", byte.clone(), &[int(8, 0x81), int(8, 0x40), int(8, 1)]),
        Value::int(8, 2)
    );
    assert_eq!(intrinsic("llvm.sadd.sat.i8", byte.clone(), &[int(8, 100), int(8, 100)]), Value::int(8, 127));
    assert_eq!(intrinsic("llvm.usub.sat.i8", byte.clone(), &[int(8, 1), int(8, 2)]), Value::int(8, 0));
    let both = Type::structure(vec![byte, Type::BOOL]);
    assert_eq!(
        intrinsic("llvm.smul.with.overflow.i8", both, &[int(8, 16), int(8, 16)]),
        pair(Value::int(8, 0), Value::bool(true))
    );
    assert_eq!(intrinsic("llvm.fptosi.sat.i32.f64", Type::I32, &[double(1e20)]), Value::int(32, 2147483647));
    assert_eq!(intrinsic("llvm.fptosi.sat.i32.f64", Type::I32, &[double(f64::NAN)]), Value::int(32, 0));
}

#[test]
fn intrinsics_on_vectors() {
    let ty = vector(2, Type::DOUBLE);
    let x = pair(Value::dual(4.0, direction(0)), Value::dual(9.0, direction(1)));
    let roots = run(from_ref(&ty), ty.clone(), from_ref(&x), &|f| {
        let x = f.param(0);
        f.call("llvm.sqrt.v2f64", vector(2, Type::DOUBLE), vec![x], true)
    });
    let expected =
        pair(Value::dual(2.0, [0.25, 0.0, 0.0, 0.0]), Value::dual(3.0, [0.0, 3.0 / 9.0 * 0.5, 0.0, 0.0]));
    assert_eq!(roots, Ok(expected));
    let sum = run(from_ref(&ty), Type::DOUBLE, from_ref(&x), &|f| {
        let x = f.param(0);
        f.call("llvm.vector.reduce.fadd.v2f64", Type::DOUBLE, vec![double(1.0), x], true)
    });
    assert_eq!(sum, Ok(Value::dual(14.0, [1.0, 1.0, 0.0, 0.0])));
    let both = Type::structure(vec![Type::DOUBLE, Type::DOUBLE]);
    let cosine = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::dual(0.5, direction(3))], &|f| {
        let x = f.param(0);
        let both = f.call("llvm.sincos.f64", both.clone(), vec![x], true);
        f.push(Op::ExtractValue { path: vec![1] }, Type::DOUBLE, vec![both])
    });
    assert_eq!(cosine, Ok(Value::dual(0.5f64.cos(), [0.0, 0.0, 0.0, -(0.5f64.sin())])));
}

/// The oracle lays out aggregates by its own reckoning; the model's layout of x86-64 must agree, seen through an
/// array of two: the second element is found where the model says.
#[test]
fn aggregates_lie_where_the_model_says() {
    let text = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
    let layout = Layout::parse(text);
    let (byte, single) = (Type::Int(8), Type::Float(FloatKind::Single));
    let quad = Type::Float(FloatKind::X87);
    let types = [
        Type::structure(vec![byte.clone(), Type::DOUBLE]),
        Type::structure(vec![Type::DOUBLE, byte.clone()]),
        Type::structure(vec![byte.clone(), quad, single.clone()]),
        Type::structure(vec![Type::Int(128), byte.clone(), Type::PTR]),
        Type::Struct { fields: vec![byte.clone(), Type::DOUBLE, single.clone()], packed: true },
        Type::Array(3, Box::new(Type::structure(vec![single.clone(), byte]))),
        vector(4, single),
        Type::Int(24),
    ];
    for ty in types {
        let pair = Type::Array(2, Box::new(ty.clone()));
        let size = layout.size_of(&ty).unwrap();
        let second = run(&[], pair.clone(), &[], &|f| {
            let place = f.alloca(pair.clone(), 1);
            f.store(Operand::Const(Constant::Zero(ty.clone())), place.clone());
            let gep = Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] };
            let next = f.push(Op::Gep(gep), Type::PTR, vec![place.clone(), int(64, size.into())]);
            f.store(Operand::Const(Constant::Zero(ty.clone())), next);
            f.load(pair.clone(), place)
        });
        assert_eq!(second, Ok(Value::zero(&pair)), "{ty:?} has {size} bytes");
    }
}
