//! A call that is given something active has its callee's derivative called, and what the callee may change of what
//! it is given has a shadow.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::bits::may_be_float;
use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places};
use crate::model::{Function, Inst, Op, Operand, Program, Type, ValueId};
use crate::rules::{CalleeRule, Rules, Shape};

impl<'a> Proof<'a> {
    /// Whether a call gets something active, or returns a pointer to it.
    fn is_given(&self, id: ValueId, inst: &Inst, varied: &Varied) -> bool {
        let active = |x: &Operand| varied.holds(x) || self.leads_to(x, &varied.shadowed);
        inst.arguments().iter().any(active) || varied.shadowed.contains(&Place::Returned(id))
    }

    pub fn is_call_varied(&self, id: ValueId, inst: &Inst, varied: &Varied) -> bool {
        let float = inst.ty.holds_float()
            || matches!(inst.ty.scalar(), Type::Int(_)) && may_be_float(self.function, self.program, id);
        float && self.is_given(id, inst, varied)
    }

    pub fn spread_call(&self, id: ValueId, inst: &Inst, varied: &mut Varied) {
        if !self.is_given(id, inst, varied) {
            return;
        }
        let name = inst.callee_name();
        let changed = name.and_then(|name| self.changed.get(name));
        let custom = name.is_some_and(|name| self.program.custom_rule(name).is_some());
        for (at, argument) in inst.arguments().iter().enumerate() {
            if changed.is_none_or(|changed| changed.contains(&at)) {
                let places = self.places.lead(argument).into_iter();
                varied.shadowed.extend(places.filter(|place| !custom || !self.is_constant(place)));
            }
        }
        if inst.ty.is_pointer() {
            varied.shadowed.insert(Place::Returned(id));
        }
    }

    /// What a call is given whose callee's derivative is not called.
    pub fn unplanned_arguments(&self, id: ValueId, inst: &'a Inst) -> Vec<&'a Operand> {
        if self.plan.calls.contains_key(&id) { Vec::new() } else { inst.arguments().iter().collect() }
    }
}

/// For each function with a body and no rule of the user's, the parameters behind which it may write, or whose pointer it may hand on.
pub fn find_changed(
    function: &Function,
    program: &Program,
    rules: &Rules,
) -> BTreeMap<String, BTreeSet<usize>> {
    let calls = |inst: &Inst| inst.callee_name().and_then(|name| program.function(name));
    if !function.insts.iter().filter_map(calls).any(|callee| !callee.blocks.is_empty()) {
        return BTreeMap::new();
    }
    let ruled = |function: &Function| program.custom_rule(&function.name).is_some();
    let bodies = || program.functions.iter().filter(|function| !function.blocks.is_empty() && !ruled(function));
    let places: Vec<Places> = bodies().map(|function| Places::of(function, program)).collect();
    let mut changed: BTreeMap<String, BTreeSet<usize>> =
        bodies().map(|function| (function.name.clone(), BTreeSet::new())).collect();
    loop {
        let mut grew = false;
        for (function, places) in bodies().zip(&places) {
            let mut handed = BTreeSet::new();
            for inst in function.inst_ids().filter_map(|id| function.inst(id)) {
                for operand in changed_operands(inst, &changed, program, rules) {
                    follow(function, places, operand, &mut BTreeSet::new(), &mut handed);
                }
            }
            grew |= changed.insert(function.name.clone(), handed.clone()) != Some(handed);
        }
        if !grew {
            return changed;
        }
    }
}

/// The operands behind which an instruction may write, or that it stores or returns.
fn changed_operands<'a>(
    inst: &'a Inst,
    changed: &BTreeMap<String, BTreeSet<usize>>,
    program: &Program,
    rules: &Rules,
) -> Vec<&'a Operand> {
    let all = || inst.operands.iter().collect();
    match &inst.op {
        Op::Store(_) | Op::Ret | Op::VaArg | Op::AtomicRmw { .. } | Op::CompareExchange { .. } => all(),
        Op::Opaque { .. } => all(),
        _ if inst.op.call().is_none() => Vec::new(),
        _ if inst.callee_name().is_some_and(|name| program.custom_rule(name).is_some()) => all(),
        _ => match (memory_call(inst), inst.callee_name()) {
            (Some(MemoryCall::Copy | MemoryCall::Fill), _) => vec![&inst.operands[0]],
            (Some(_), _) => Vec::new(),
            (None, None) => all(),
            (None, Some(name)) => match (changed.get(name), rules.lookup_callee(name)) {
                (Some(known), _) => {
                    let arguments = inst.arguments().iter().enumerate();
                    arguments.filter(|(at, _)| known.contains(at)).map(|(_, x)| x).collect()
                }
                (None, CalleeRule::Inactive(_) | CalleeRule::Reduction(_)) => Vec::new(),
                (None, CalleeRule::Row(row)) if !matches!(row.shape, Shape::Stored { .. }) => Vec::new(),
                (None, _) => all(),
            },
        },
    }
}

/// The parameters that a pointer was reached from.
fn follow(
    function: &Function,
    places: &Places,
    pointer: &Operand,
    seen: &mut BTreeSet<ValueId>,
    params: &mut BTreeSet<usize>,
) {
    for place in places.lead(pointer) {
        match place {
            Place::Param(id) => drop(params.insert(id.0 as usize)),
            Place::Outside => params.extend(0..function.params.len()),
            Place::Found(id) | Place::Returned(id) if seen.insert(id) => {
                let operands = function.inst(id).into_iter().flat_map(|inst| &inst.operands);
                for operand in operands.filter(|x| x.value().is_some()) {
                    follow(function, places, operand, seen, params);
                }
            }
            Place::Found(_) | Place::Returned(_) => {}
            Place::Slot(_) | Place::Made(_) | Place::Global(_) => {}
        }
    }
}
