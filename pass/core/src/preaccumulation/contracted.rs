//! A function in which some calls give the partial derivatives of their results at once: interface contraction.
//!
//! In the place of such a call stands one of the same function with the same arguments, marked [`GIVES_PARTIALS`]: it gives the
//! result and one partial for each active argument. The parts are taken out of that, and a chain of [`Op::Attach`] says that the
//! derivative of the result is the sum of partials times the derivatives of the arguments. Whoever used the result uses the end
//! of the chain. The call itself then has no derivative, and is marked so.

use std::collections::BTreeMap;

use super::attached::Attached;
use crate::derive::Builder;
use crate::model::{
    Call, DECLARED_INACTIVE, Function, GIVES_PARTIALS, Inst, Layout, Link, Op, Operand, Program, Renumbered,
    Type, ValueId,
};

/// What is active of a call that is contracted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The arguments, in order.
    pub active: Vec<usize>,
    /// Whether a derivative that is zero stays zero where a partial is infinite.
    pub guarded: bool,
}

/// A call that was contracted, in the function that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractedCall {
    pub call: ValueId,
    /// The attachments of its chain, from the first to the end.
    pub links: Vec<ValueId>,
}

/// Contracts these calls. The end of each chain comes from the call that was given.
pub fn contract(
    function: &Function,
    program: &Program,
    calls: &BTreeMap<ValueId, Interface>,
) -> (Attached, BTreeMap<ValueId, ContractedCall>) {
    let builder = Builder::of(function.clone(), Layout::parse(&program.layout));
    let mut writing = Writing { builder, written: BTreeMap::new() };
    for block in function.block_ids() {
        for id in writing.builder.reopen(block) {
            match (calls.get(&id), function.inst(id)) {
                (Some(interface), Some(inst)) => writing.write(id, inst, interface),
                _ => writing.builder.place(id),
            }
        }
    }
    writing.finish(function)
}

struct Writing {
    builder: Builder,
    written: BTreeMap<ValueId, ContractedCall>,
}

impl Writing {
    fn write(&mut self, id: ValueId, given: &Inst, interface: &Interface) {
        let builder = &mut self.builder;
        builder.loc = given.loc;
        let parts = vec![given.ty.clone(); interface.active.len() + 1];
        let attributes = given.op.call().map(|call| call.attributes.clone()).unwrap_or_default();
        let marks = [DECLARED_INACTIVE, GIVES_PARTIALS].map(String::from);
        let call = Call {
            arguments: given.arguments().len() as u32,
            library: false,
            attributes: attributes.into_iter().chain(marks).collect(),
        };
        // What the primal promises of its numbers says nothing of partials.
        let whole = builder.push(Op::Call(call), Type::structure(parts), given.operands.clone());
        let part = |builder: &mut Builder, at: usize| {
            builder.push(Op::ExtractValue { path: vec![at as u32] }, given.ty.clone(), vec![whole.clone()])
        };
        let result = part(builder, 0);
        let mut end = builder.push(Op::Attach(Link::Start), given.ty.clone(), vec![result]);
        let mut links: Vec<ValueId> = end.value().into_iter().collect();
        for (at, argument) in interface.active.iter().enumerate() {
            let partial = part(builder, at + 1);
            let link = Op::Attach(Link::Term { guarded: interface.guarded });
            let of = given.arguments()[*argument].clone();
            end = builder.push(link, given.ty.clone(), vec![end, partial, of]);
            links.extend(end.value());
        }
        self.written.extend(whole.value().map(|call| (id, ContractedCall { call, links })));
    }

    fn finish(mut self, given: &Function) -> (Attached, BTreeMap<ValueId, ContractedCall>) {
        let count = given.params.len() + given.insts.len() + self.builder.added(given);
        let ends: BTreeMap<ValueId, ValueId> =
            self.written.iter().filter_map(|(id, written)| Some((*id, *written.links.last()?))).collect();
        for id in (given.params.len()..count).map(|id| ValueId(id as u32)) {
            let Some(inst) = self.builder.inst_mut(&Operand::Value(id)) else { continue };
            for operand in &mut inst.operands {
                if let Some(end) = operand.value().and_then(|value| ends.get(&value)) {
                    *operand = Operand::Value(*end);
                }
            }
        }
        let (mut function, numbers) = self.builder.finish_with_numbers();
        let known = given.params.len() + given.insts.len();
        let mut new: BTreeMap<ValueId, ValueId> =
            (0..known).map(|old| (ValueId(old as u32), numbers[old])).collect();
        // What is known of memory is known of the call itself.
        new.extend(self.written.iter().map(|(id, written)| (*id, numbers[written.call.0 as usize])));
        let renumbered = Renumbered { new };
        renumbered.facts(&mut function, &|_| false);
        let mut origins = vec![None; function.params.len() + function.insts.len()];
        for (old, new) in &renumbered.new {
            let end = ends.get(old).map(|end| numbers[end.0 as usize]);
            origins[end.unwrap_or(*new).0 as usize] = Some(*old);
        }
        let number = |id: ValueId| numbers[id.0 as usize];
        let written = self.written.into_iter().map(|(id, written)| {
            let links = written.links.into_iter().map(number).collect();
            (id, ContractedCall { call: number(written.call), links })
        });
        (Attached { function, origins, ends: Vec::new() }, written.collect())
    }
}

impl ContractedCall {
    /// The value that stands for the result.
    pub fn end(&self) -> Option<ValueId> {
        self.links.last().copied()
    }

    /// The same call where the function was written anew.
    pub fn renumbered(&self, number: &dyn Fn(ValueId) -> ValueId) -> ContractedCall {
        ContractedCall { call: number(self.call), links: self.links.iter().map(|id| number(*id)).collect() }
    }
}

impl Attached {
    /// What was attached to a function that was itself written so.
    pub fn behind(self, first: &Attached) -> Attached {
        let origins = self.origins.into_iter().map(|id| id.and_then(|id| first.origin(id))).collect();
        Attached { origins, ..self }
    }
}
