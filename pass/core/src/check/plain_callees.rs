//! Calls that are given memory of which a copy is to be judged: all that they touch has to be seen.
//!
//! A callee that reads no pointer in memory comes to nothing but what it was given; one that does, to what is reached from there; none
//! may put one there. What a callee copies it may copy from one argument to another, so these are joined as by a copy.

use std::collections::BTreeSet;

use super::Proof;
use super::atomic_counts::is_atomic_count;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places};
use crate::model::{Access, Function, Inst, Op, Type};

impl<'a> Proof<'a> {
    /// The calls with derivatives that are given some of this memory, or what leads there.
    pub fn calls_given(&self, joined: &BTreeSet<Place>) -> Vec<&'a Inst> {
        let insts = self.live_insts();
        let calls = insts.into_iter().filter(|(id, _)| self.plan.calls.contains_key(id));
        let given = |call: &Inst| {
            let behind = call.arguments().iter().flat_map(|x| self.made_behind(x)).collect();
            !self.reached_from(&behind).is_disjoint(joined)
        };
        calls.map(|(_, call)| call).filter(|call| given(call)).collect()
    }

    /// How a callee and all that it calls touch memory; `None` where that is not seen, or pointers are among it.
    pub fn touched_by_callee(&self, call: &Inst) -> Option<Vec<(&'a Access, Type)>> {
        let mut bodies: Vec<&'a Function> = vec![self.callee_body(call.callee_name()?)?];
        let (mut at, mut touched) = (0, Vec::new());
        while let Some(body) = bodies.get(at).copied() {
            let places = Places::of(body, self.program);
            for inst in &body.insts {
                if let Some(callee) = self.look_into(body, inst, &places, &mut touched)?
                    && !bodies.iter().any(|known| known.name == callee.name)
                {
                    bodies.push(callee);
                }
            }
            at += 1;
        }
        Some(touched)
    }

    fn callee_body(&self, name: &str) -> Option<&'a Function> {
        let ruled = self.program.custom_rule(name).is_some();
        self.program.function(name).filter(|body| !ruled && !body.blocks.is_empty())
    }

    fn look_into(
        &self,
        body: &Function,
        inst: &'a Inst,
        places: &Places,
        touched: &mut Vec<(&'a Access, Type)>,
    ) -> Option<Option<&'a Function>> {
        let pointer = |ty: &Type| ty.holds_pointer();
        match &inst.op {
            Op::Load(access) if inst.ty.is_pointer() || !pointer(&inst.ty) => {
                touched.push((access, inst.ty.clone()))
            }
            Op::Store(access) if !pointer(&body.operand_type(&inst.operands[0])) => {
                touched.push((access, body.operand_type(&inst.operands[0])));
            }
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } if is_atomic_count(body, inst) => {}
            Op::Load(_) | Op::Store(_) | Op::AtomicRmw { .. } | Op::CompareExchange { .. } => return None,
            Op::VaArg | Op::Opaque { .. } => return None,
            op if op.call().is_some() => match memory_call(inst) {
                Some(MemoryCall::Copy) => {
                    let near =
                        |place: &Place| matches!(place, Place::Param(_) | Place::Slot(_) | Place::Made(_));
                    let ends = inst.operands[..2].iter().flat_map(|x| places.lead(x));
                    return ends.into_iter().all(|place| near(&place)).then_some(None);
                }
                Some(MemoryCall::Fill | MemoryCall::Allocate | MemoryCall::Free) => {}
                None => {
                    let called = inst.callee_name()?;
                    if self.program.function(called).is_some_and(|callee| !callee.blocks.is_empty()) {
                        return self.callee_body(called).map(Some);
                    }
                    if !is_harmless(called) && inst.arguments().iter().any(|x| pointer(&body.operand_type(x)))
                    {
                        return None;
                    }
                }
            },
            _ => {}
        }
        Some(None)
    }
}

/// What ends the program after printing an address of code, and destructors of `std::string`, whose text holds neither numbers nor
/// addresses.
fn is_harmless(callee: &str) -> bool {
    let drops_text = callee
        .strip_prefix("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE")
        .is_some_and(|member| matches!(member, "D1Ev" | "D2Ev"));
    drops_text || callee == "bs_rt_unknown_function"
}
