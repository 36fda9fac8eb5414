//! Types and constants.

use backsweep_core::model::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::name;

pub fn ty() -> impl Strategy<Value = Type> {
    let int = prop_oneof![Just(1u32), Just(8), Just(64), 1u32..300].prop_map(Type::Int);
    let plain = vec![Type::Void, Type::Label, Type::Token, Type::Metadata, Type::PTR, Type::Ptr(7)];
    let leaf = prop_oneof![
        2 => int,
        3 => select(FloatKind::ALL).prop_map(Type::Float),
        2 => select(plain),
        1 => name().prop_map(Type::Other),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            (1u32..9, any::<bool>(), boxed.clone())
                .prop_map(|(count, scalable, element)| Type::Vector(Lanes { count, scalable }, element)),
            (any::<u64>(), boxed).prop_map(|(count, element)| Type::Array(count, element)),
            (vec(inner, 0..4), any::<bool>()).prop_map(|(fields, packed)| Type::Struct { fields, packed }),
        ]
    })
}

pub fn constant() -> impl Strategy<Value = Constant> {
    let leaf = prop_oneof![
        3 => int(),
        3 => float(),
        1 => ty().prop_map(Constant::Null),
        1 => ty().prop_map(Constant::Undef),
        1 => ty().prop_map(Constant::Poison),
        1 => ty().prop_map(Constant::Zero),
        2 => (name(), 0u32..3).prop_map(|(name, space)| Constant::Symbol { name, space }),
        1 => (ty(), name()).prop_map(|(ty, text)| Constant::Opaque { ty, text }),
        1 => vec(any::<u8>(), 1..6).prop_map(bytes),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let parts = vec(inner.clone(), 0..4);
        prop_oneof![
            (inner, any::<i64>()).prop_map(|(base, bytes)| Constant::offset(base, bytes)),
            (aggregate(), parts.clone()).prop_map(|(ty, parts)| Constant::Aggregate { ty, parts }),
            (name(), ty(), parts).prop_map(|(mnemonic, ty, operands)| Constant::Expr {
                mnemonic,
                ty,
                operands
            }),
        ]
    })
}

/// Types that can have parts.
fn aggregate() -> impl Strategy<Value = Type> {
    prop_oneof![
        ty().prop_map(|element| Type::Array(2, Box::new(element))),
        ty().prop_map(|field| Type::Struct { fields: vec![field], packed: true }),
        Just(Type::Vector(Lanes { count: 2, scalable: false }, Box::new(Type::DOUBLE))),
    ]
}

fn bytes(bytes: Vec<u8>) -> Constant {
    let ty = Type::Array(bytes.len() as u64, Box::new(Type::Int(8)));
    Constant::Aggregate { ty, parts: bytes.into_iter().map(|byte| Constant::int(8, byte.into())).collect() }
}

fn int() -> impl Strategy<Value = Constant> {
    let value = prop_oneof![any::<i128>(), -2i128..3, Just(i128::MIN), Just(i128::MAX)];
    (1u32..=128, value).prop_map(|(bits, value)| Constant::int(bits, value))
}

/// All bit patterns, and values that people write.
fn float() -> impl Strategy<Value = Constant> {
    let any_bits = (select(FloatKind::ALL), any::<u128>()).prop_map(|(kind, bits)| {
        let mask = u128::MAX >> (128 - kind.bits());
        Constant::Float { kind, bits: bits & mask }
    });
    let edges = (select(FloatKind::ALL), select(vec![0, 1, 2, u128::MAX])).prop_map(|(kind, bits)| {
        let mask = u128::MAX >> (128 - kind.bits());
        Constant::Float { kind, bits: bits & mask }
    });
    // The exponent and leading bits of every kind are its top 16; nothing below them makes a round number.
    let round = (select(FloatKind::ALL), any::<u16>()).prop_map(|(kind, top)| {
        let bits = u128::from(top) << (kind.bits() - 16);
        Constant::Float { kind, bits }
    });
    let doubles = any::<f64>().prop_map(Constant::double);
    let singles =
        any::<f32>().prop_map(|x| Constant::Float { kind: FloatKind::Single, bits: u128::from(x.to_bits()) });
    prop_oneof![any_bits, edges, round, doubles, singles]
}
