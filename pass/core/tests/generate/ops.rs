//! Operations with their operands.

use backsweep_core::model::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{Counts, attributes, block, constant, name, operand, ty};

type OpAndOperands = (Op, Vec<Operand>);

pub fn op_and_operands(counts: Counts) -> BoxedStrategy<OpAndOperands> {
    prop_oneof![
        20 => (plain(), vec(operand(counts), 0..4)),
        10 => (worded(), vec(operand(counts), 0..4)),
        10 => (memory(), vec(operand(counts), 0..4)),
        5 => (part(), vec(operand(counts), 0..4)),
        3 => (leaving(counts), vec(operand(counts), 0..4)),
        6 => calls(counts),
        3 => vec((block(counts), operand(counts)), 0..4).prop_map(|arrivals| {
            let (from, operands) = arrivals.into_iter().unzip();
            (Op::Phi { from }, operands)
        }),
        1 => block(counts).prop_map(|to| (Op::Br { to }, Vec::new())),
        1 => (block(counts), block(counts), operand(counts))
            .prop_map(|(yes, no, condition)| (Op::CondBr { yes, no }, vec![condition])),
    ]
    .boxed()
}

fn plain() -> impl Strategy<Value = Op> {
    select(vec![
        Op::FNeg,
        Op::Select,
        Op::Attach(Link::Start),
        Op::Attach(Link::Term { guarded: false }),
        Op::Attach(Link::Term { guarded: true }),
        Op::Freeze,
        Op::ExtractElement,
        Op::InsertElement,
        Op::VaArg,
        Op::Ret,
        Op::Resume,
        Op::Unreachable,
        Op::LandingPad { cleanup: false },
        Op::LandingPad { cleanup: true },
    ])
}

fn worded() -> impl Strategy<Value = Op> {
    prop_oneof![
        select(FloatOp::ALL).prop_map(Op::Float),
        select(IntOp::ALL).prop_map(Op::Int),
        select(CastOp::ALL).prop_map(Op::Cast),
        select(IntPredicate::ALL).prop_map(Op::ICmp),
        select(FloatPredicate::ALL).prop_map(Op::FCmp),
        select(Ordering::ALL).prop_map(|ordering| Op::Fence { ordering }),
    ]
}

fn memory() -> impl Strategy<Value = Op> {
    let small = prop_oneof![0u64..17, any::<u64>()];
    let alloca = (ty(), small.clone(), small.clone())
        .prop_map(|(allocated, bytes, align)| Op::Alloca(Alloca { allocated, bytes, align }));
    let stride = prop_oneof![
        any::<u64>().prop_map(Stride::Scale),
        any::<u64>().prop_map(Stride::Field),
        Just(Stride::Unknown),
    ];
    let gep = (ty(), vec(stride, 0..4)).prop_map(|(source, strides)| Op::Gep(Gep { source, strides }));
    prop_oneof![
        alloca,
        gep,
        access().prop_map(Op::Load),
        access().prop_map(Op::Store),
        (select(AtomicOp::ALL), access()).prop_map(|(op, access)| Op::AtomicRmw { op, access }),
        access().prop_map(|access| Op::CompareExchange { access }),
    ]
}

fn access() -> impl Strategy<Value = Access> {
    let bytes = option::of(prop_oneof![0u64..17, any::<u64>()]);
    let declared = (any::<bool>(), any::<bool>(), any::<bool>(), any::<[bool; 3]>());
    (bytes, prop_oneof![0u64..17, any::<u64>()], any::<bool>(), select(Ordering::ALL), declared).prop_map(
        |(bytes, align, volatile, ordering, (integer, member, stepped, [untyped, typed, number]))| Access {
            bytes,
            align,
            volatile,
            ordering,
            integer,
            member,
            stepped,
            untyped,
            typed,
            number,
        },
    )
}

fn part() -> impl Strategy<Value = Op> {
    prop_oneof![
        vec(any::<i32>(), 0..4).prop_map(|mask| Op::ShuffleVector { mask }),
        vec(any::<u32>(), 0..4).prop_map(|path| Op::ExtractValue { path }),
        vec(any::<u32>(), 0..4).prop_map(|path| Op::InsertValue { path }),
    ]
}

fn leaving(counts: Counts) -> impl Strategy<Value = Op> {
    let targets = || vec(block(counts), 0..3);
    prop_oneof![
        (vec((constant(), block(counts)), 0..3), block(counts))
            .prop_map(|(cases, default)| Op::Switch { cases, default }),
        targets().prop_map(|targets| Op::IndirectBr { targets }),
        (name(), name(), any::<bool>(), targets()).prop_map(|(mnemonic, reason, ends_block, successors)| {
            Op::Opaque { mnemonic, reason, ends_block, successors }
        }),
    ]
}

fn calls(counts: Counts) -> impl Strategy<Value = OpAndOperands> {
    let call = (vec(operand(counts), 1..5), any::<prop::sample::Index>(), any::<bool>(), attributes());
    let call = call.prop_map(|(operands, arguments, library, attributes)| {
        let arguments = arguments.index(operands.len()) as u32;
        (Call { arguments, library, attributes }, operands)
    });
    let ways = (block(counts), vec(block(counts), 0..3), any::<bool>());
    (call, option::of(ways)).prop_map(|((call, operands), ways)| match ways {
        Some((normal, others, false)) => (Op::CallBr { call, normal, others }, operands),
        Some((normal, others, true)) => {
            let unwind = others.first().copied().unwrap_or(normal);
            (Op::Invoke { call, normal, unwind }, operands)
        }
        None => (Op::Call(call), operands),
    })
}

/// A number for each variant of `Op`; one more makes this match, and so the test of the generator, fail.
pub fn variant(op: &Op) -> usize {
    match op {
        Op::FNeg => 0,
        Op::Float(_) => 1,
        Op::Int(_) => 2,
        Op::Cast(_) => 3,
        Op::ICmp(_) => 4,
        Op::FCmp(_) => 5,
        Op::Select => 6,
        Op::Freeze => 7,
        Op::Phi { .. } => 8,
        Op::ExtractElement => 9,
        Op::InsertElement => 10,
        Op::ShuffleVector { .. } => 11,
        Op::ExtractValue { .. } => 12,
        Op::InsertValue { .. } => 13,
        Op::Alloca(_) => 14,
        Op::Load(_) => 15,
        Op::Store(_) => 16,
        Op::Gep(_) => 17,
        Op::AtomicRmw { .. } => 18,
        Op::CompareExchange { .. } => 19,
        Op::Fence { .. } => 20,
        Op::VaArg => 21,
        Op::Call(_) => 22,
        Op::LandingPad { .. } => 23,
        Op::Ret => 24,
        Op::Br { .. } => 25,
        Op::CondBr { .. } => 26,
        Op::Switch { .. } => 27,
        Op::IndirectBr { .. } => 28,
        Op::Invoke { .. } => 29,
        Op::Resume => 30,
        Op::Unreachable => 31,
        Op::Opaque { .. } => 32,
        Op::CallBr { .. } => 33,
        Op::Attach(_) => 34,
    }
}
