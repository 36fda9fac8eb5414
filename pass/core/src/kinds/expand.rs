//! A function in which copies are loads and stores of their members.
//!
//! All members are read before the first is written, as `memmove` does.

use std::collections::BTreeMap;

use super::copies::Member;
use crate::model::{
    Access, Constant, Flags, Function, Gep, Inst, Layout, MemoryFact, Op, Operand, Renumbered, Stride, Type,
    ValueId,
};

/// The function, and for each of its values the one of the old function that it comes from.
pub struct Expanded {
    pub function: Function,
    pub origins: Vec<ValueId>,
}

pub fn expand(function: &Function, copies: &BTreeMap<ValueId, Vec<Member>>, layout: &Layout) -> Expanded {
    let mut numbering = Numbering { renumbered: Renumbered { new: BTreeMap::new() }, next: 0 };
    let mut origins: Vec<ValueId> = function.param_ids().collect();
    function.param_ids().for_each(|id| numbering.name(id, 1));
    for id in function.inst_ids() {
        let count = copies.get(&id).map_or(1, |members| count_of(members));
        numbering.name(id, count);
        origins.extend(std::iter::repeat_n(id, count as usize));
    }
    let (renumbered, gone) = (numbering.renumbered, |id: ValueId| copies.contains_key(&id));
    let mut next = Function { insts: Vec::new(), ..function.clone() };
    renumbered.facts(&mut next, &gone);
    for (id, inst) in function.inst_ids().zip(&function.insts) {
        let inst = renumbered.inst(inst);
        match copies.get(&id) {
            Some(members) => {
                let fact = function.memory.get(&id).map(|fact| renumbered.fact(fact, &gone));
                write_members(&mut next, &inst, members, fact.as_ref(), layout);
            }
            None => next.insts.push(inst),
        }
    }
    for block in &mut next.blocks {
        let all = |id: &ValueId| {
            let count = copies.get(id).map_or(1, |members| count_of(members));
            let first = renumbered.value(*id).0;
            (first..first + count).map(ValueId)
        };
        block.insts = block.insts.iter().flat_map(all).collect();
    }
    Expanded { function: next, origins }
}

/// A load and a store for each member, and an address of its own for each but the first.
fn count_of(members: &[Member]) -> u32 {
    members.iter().map(|member| if member.offset == 0 { 2 } else { 4 }).sum()
}

fn write_members(
    function: &mut Function,
    copy: &Inst,
    members: &[Member],
    fact: Option<&MemoryFact>,
    layout: &Layout,
) {
    let mut values = Vec::new();
    for member in members {
        let from = write_address(function, copy, 1, member.offset);
        let access = access_of(&member.ty, layout);
        let inst = fresh(Op::Load(access), member.ty.clone(), vec![from.clone()], copy);
        values.push(push(function, inst, fact.map(|fact| part_of(fact, &from, true))));
    }
    for (member, value) in members.iter().zip(values) {
        let to = write_address(function, copy, 0, member.offset);
        let inst = fresh(Op::Store(access_of(&member.ty, layout)), Type::Void, vec![value, to.clone()], copy);
        push(function, inst, fact.map(|fact| part_of(fact, &to, false)));
    }
}

/// Structs may be packed, so nothing is said of alignment.
fn access_of(ty: &Type, layout: &Layout) -> Access {
    Access { align: 1, ..Access::usual(Some(ty.clone()), layout) }
}

fn write_address(function: &mut Function, copy: &Inst, argument: usize, offset: u64) -> Operand {
    let start = copy.operands[argument].clone();
    if offset == 0 {
        return start;
    }
    let gep = Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] };
    let ty = function.known_type(&start).unwrap_or(Type::PTR);
    let offset = Operand::Const(Constant::int(64, offset.into()));
    push(function, fresh(Op::Gep(gep), ty, vec![start, offset], copy), None)
}

fn fresh(op: Op, ty: Type, operands: Vec<Operand>, copy: &Inst) -> Inst {
    Inst { op, ty, operands, flags: Flags::default(), loc: copy.loc, origin: None }
}

fn push(function: &mut Function, inst: Inst, fact: Option<MemoryFact>) -> Operand {
    let id = ValueId((function.params.len() + function.insts.len()) as u32);
    function.insts.push(inst);
    if let Some(fact) = fact {
        function.memory.insert(id, fact);
    }
    Operand::Value(id)
}

/// What is known of the access to one member.
fn part_of(copy: &MemoryFact, pointer: &Operand, reads: bool) -> MemoryFact {
    MemoryFact {
        reads,
        writes: !reads,
        pointer: Some(pointer.clone()),
        objects: Vec::new(),
        address: None,
        class: copy.class,
        clobber: None,
    }
}

struct Numbering {
    renumbered: Renumbered,
    next: u32,
}

impl Numbering {
    fn name(&mut self, id: ValueId, count: u32) {
        self.renumbered.new.insert(id, ValueId(self.next));
        self.next += count;
    }
}
