//! Memory facts, loops and alias answers.

use backsweep_core::model::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{Counts, block, constant, name, operand, value};

pub fn memory(counts: Counts) -> impl Strategy<Value = MemoryFact> {
    let object = prop_oneof![
        value(counts).prop_map(Object::Local),
        value(counts).prop_map(Object::Param),
        value(counts).prop_map(Object::Through),
        name().prop_map(Object::Global),
    ];
    let clobber = prop_oneof![
        Just(Clobber::Entry),
        value(counts).prop_map(Clobber::Inst),
        block(counts).prop_map(Clobber::Merge),
    ];
    let sides = (any::<bool>(), any::<bool>(), any::<u32>().prop_map(AliasClass));
    let places =
        (option::of(operand(counts)), vec(object, 0..4), option::of(scev(counts)), option::of(clobber));
    (sides, places).prop_map(|((reads, writes, class), (pointer, mut objects, address, clobber))| {
        objects.sort();
        MemoryFact { reads, writes, pointer, objects, address, class, clobber }
    })
}

pub fn natural_loop(counts: Counts) -> impl Strategy<Value = Loop> {
    let blocks = || vec(block(counts), 0..3);
    let entry = (block(counts), option::of((0u32..3).prop_map(LoopId)), option::of(block(counts)));
    let count =
        if counts.params + counts.insts == 0 { Just(None).boxed() } else { option::of(scev(counts)).boxed() };
    (entry, blocks(), blocks(), blocks(), blocks(), count).prop_map(
        |((header, parent, preheader), mut blocks, latches, exiting, exits, back_edges)| {
            blocks.sort();
            Loop { header, parent, preheader, blocks, latches, exiting, exits, back_edges }
        },
    )
}

pub fn alias(counts: Counts) -> impl Strategy<Value = AliasPair> {
    (value(counts), value(counts), select(AliasAnswer::ALL)).prop_map(|(first, second, answer)| AliasPair {
        first,
        second,
        answer,
    })
}

fn scev(counts: Counts) -> impl Strategy<Value = Scev> {
    let leaf = prop_oneof![
        (any::<u32>(), any::<i128>()).prop_map(|(bits, value)| Scev::Const { bits, value }),
        value(counts).prop_map(|value| Scev::Value(Operand::Value(value))),
        constant().prop_map(|constant| Scev::Value(Operand::Const(constant))),
        Just(Scev::Unknown),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let wrap = || (any::<bool>(), any::<bool>()).prop_map(|(nuw, nsw)| Wrap { nuw, nsw });
        let terms = || vec(inner.clone(), 0..4);
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (wrap(), terms()).prop_map(|(wrap, terms)| Scev::Add(wrap, terms)),
            (wrap(), terms()).prop_map(|(wrap, terms)| Scev::Mul(wrap, terms)),
            (one(), one()).prop_map(|(x, y)| Scev::UDiv(x, y)),
            (wrap(), one(), one(), any::<u32>()).prop_map(|(wrap, start, step, of)| Scev::Rec {
                wrap,
                start,
                step,
                of: LoopId(of)
            }),
            (any::<u32>(), one()).prop_map(|(bits, x)| Scev::ZExt(bits, x)),
            (any::<u32>(), one()).prop_map(|(bits, x)| Scev::SExt(bits, x)),
            (any::<u32>(), one()).prop_map(|(bits, x)| Scev::Trunc(bits, x)),
            (any::<u32>(), one()).prop_map(|(bits, x)| Scev::PtrToInt(bits, x)),
            terms().prop_map(Scev::SMax),
            terms().prop_map(Scev::UMax),
            terms().prop_map(Scev::SMin),
            terms().prop_map(Scev::UMin),
        ]
    })
}
