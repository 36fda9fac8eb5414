//! Arbitrary models: whatever the data types can hold and the text form must carry, sensible or not.
//!
//! Invariant: ids are in range, instructions are numbered in order, phis and calls have the operands they speak of.
//! Types need not fit operations: the round trip is promised for more than the verifier accepts.

mod constants;
mod facts;
mod ops;

use backsweep_core::model::*;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

pub use constants::{constant, ty};
pub use ops::{op_and_operands, variant};

/// How many of each thing the function being generated has.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    pub params: u32,
    pub insts: u32,
    pub blocks: u32,
}

pub fn program() -> impl Strategy<Value = Program> {
    let layout = prop_oneof![Just(String::new()), Just("e-i64:64-i128:128-f80:128-S128".to_string()), name()];
    let symbols = (vec(global(), 0..4), vec(alias(), 0..2), vec(custom_rule(), 0..2));
    (name(), layout, vec(name(), 0..3), symbols, vec(function(), 0..3)).prop_map(
        |(name, layout, files, (globals, aliases, rules), functions)| Program {
            short_floats: false,
            name,
            layout,
            files,
            globals,
            aliases,
            functions: functions.into(),
            rules,
            ..Program::default()
        },
    )
}

/// Names as people and linkers make them, and any other text.
pub fn name() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-z_$][a-zA-Z0-9_.$]{0,6}", 1 => ".{0,6}", 1 => "[0-9.@%^\"'\\\\;#]{0,5}", 1 => "(loop|memory|at|i32|space|fast)"]
}

fn global() -> impl Strategy<Value = Global> {
    let flags = (any::<bool>(), any::<bool>(), any::<(bool, bool)>(), linkage(), 0u32..3, derivative());
    (name(), ty(), flags, option::of(constant())).prop_map(|(name, ty, flags, initial)| {
        let (constant, thread_local, (address_taken, only_named), linkage, space, derivative) = flags;
        Global {
            name,
            ty,
            space,
            constant,
            linkage,
            thread_local,
            address_taken,
            only_named,
            derivative,
            initial,
        }
    })
}

fn custom_rule() -> impl Strategy<Value = CustomRule> {
    let halves = (name(), name()).prop_map(|(augmented, reverse)| CustomHalves { augmented, reverse });
    (name(), option::of(halves), option::of(name())).prop_map(|(function, halves, tangent)| CustomRule {
        function,
        halves,
        tangent,
    })
}

fn derivative() -> impl Strategy<Value = GlobalDerivative> {
    prop_oneof![
        Just(GlobalDerivative::Made),
        Just(GlobalDerivative::Nothing),
        name().prop_map(GlobalDerivative::Declared),
    ]
}

fn alias() -> impl Strategy<Value = Alias> {
    (name(), linkage(), 0u32..3, any::<bool>(), constant()).prop_map(|(name, linkage, space, direct, to)| {
        let stands = if direct { Stands::ForAddress } else { Stands::ForResult };
        Alias { name, space, linkage, stands, to }
    })
}

fn function() -> impl Strategy<Value = Function> {
    let counts =
        (0u32..4, 0u32..12, 1u32..4).prop_map(|(params, insts, blocks)| Counts { params, insts, blocks });
    prop_oneof![1 => (0u32..4).prop_flat_map(declaration), 4 => counts.prop_flat_map(definition)]
}

fn declaration(params: u32) -> impl Strategy<Value = Function> {
    let counts = Counts { params, insts: 0, blocks: 0 };
    header(counts)
}

fn header(counts: Counts) -> impl Strategy<Value = Function> {
    let params = vec(param(), counts.params as usize);
    (name(), linkage(), params, any::<bool>(), ty(), attributes(), loc()).prop_map(
        |(name, linkage, params, variadic, ret, attributes, loc)| Function {
            name,
            linkage,
            params,
            variadic,
            ret,
            attributes,
            blocks: Vec::new(),
            insts: Vec::new(),
            loops: Vec::new(),
            memory: Default::default(),
            aliases: Vec::new(),
            loc,
            names: Default::default(),
        },
    )
}

fn definition(counts: Counts) -> impl Strategy<Value = Function> {
    let insts = vec(inst(counts), counts.insts as usize);
    let blocks =
        (vec(option::of(name()), counts.blocks as usize), vec(0..=counts.insts, counts.blocks as usize - 1));
    let ids = counts.params..counts.params + counts.insts.max(1);
    let memory = btree_map(ids.clone().prop_map(ValueId), facts::memory(counts), 0..5);
    let names = btree_map(ids.prop_map(ValueId), variable(), 0..4);
    let facts = (vec(facts::natural_loop(counts), 0..3), memory, vec(facts::alias(counts), 0..3), names);
    (header(counts), insts, blocks, facts).prop_map(
        move |(function, insts, blocks, (loops, memory, aliases, names))| {
            let blocks = split(counts, blocks.0, blocks.1);
            if counts.insts == 0 {
                return Function { blocks, loops, ..function };
            }
            Function { blocks, insts, loops, memory, aliases, names, ..function }
        },
    )
}

/// A variable of the source.
fn variable() -> impl Strategy<Value = Name> {
    (name(), option::of(any::<i64>())).prop_map(|(text, first)| Name { text, first })
}

/// Cuts the instructions into blocks, some of them empty.
fn split(counts: Counts, names: Vec<Option<String>>, mut cuts: Vec<u32>) -> Vec<Block> {
    cuts.extend([0, counts.insts]);
    cuts.sort();
    let insts = |ends: &[u32]| (ends[0]..ends[1]).map(|index| ValueId(counts.params + index)).collect();
    names.into_iter().zip(cuts.windows(2)).map(|(name, ends)| Block { name, insts: insts(ends) }).collect()
}

fn inst(counts: Counts) -> impl Strategy<Value = Inst> {
    let result = prop_oneof![1 => Just(Type::Void), 3 => ty()];
    (op_and_operands(counts), result, flags(), loc(), option::of(any::<u32>().prop_map(ValueId)))
        .prop_map(|((op, operands), ty, flags, loc, origin)| Inst { op, ty, operands, flags, loc, origin })
}

fn flags() -> impl Strategy<Value = Flags> {
    let fast = Just(Flags::FAST_MATH);
    prop_oneof![2 => Just(Flags::default()), 1 => fast, 1 => (0u32..1 << Flags::NAMES.len()).prop_map(Flags)]
}

fn param() -> impl Strategy<Value = Param> {
    (option::of(name()), ty(), attributes()).prop_map(|(name, ty, attributes)| Param { name, ty, attributes })
}

pub fn attributes() -> impl Strategy<Value = Vec<String>> {
    let attribute =
        prop_oneof![name(), Just("\"target-cpu\"=\"it's\"".to_string()), Just("align 8".to_string())];
    vec(attribute, 0..3).prop_map(|mut attributes| {
        attributes.sort();
        attributes
    })
}

fn loc() -> impl Strategy<Value = Option<Loc>> {
    option::of((0u32..3, any::<u32>(), 0u32..200).prop_map(|(file, line, column)| Loc { file, line, column }))
}

fn linkage() -> impl Strategy<Value = Linkage> {
    proptest::sample::select(Linkage::ALL)
}

pub fn value(counts: Counts) -> impl Strategy<Value = ValueId> {
    (0..(counts.params + counts.insts).max(1)).prop_map(ValueId)
}

pub fn block(counts: Counts) -> impl Strategy<Value = BlockId> {
    (0..counts.blocks).prop_map(BlockId)
}

pub fn operand(counts: Counts) -> BoxedStrategy<Operand> {
    let constant = constant().prop_map(Operand::Const);
    if counts.params + counts.insts == 0 {
        return constant.boxed();
    }
    prop_oneof![2 => value(counts).prop_map(Operand::Value), 1 => constant].boxed()
}
