//! A call that is given something active has its callee's derivative called, and what the callee may change of what
//! it is given has a shadow.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::among_integers::find_kept;
use super::finds::reached_by_finding;
use super::globals::{reached_from, stays_outside, target_of};
use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places, is_own_copy};
use super::role::Role;
use super::taped::{calls_half, is_unshadowed};
use super::unfollowed::{is_exception, is_unfollowed};
use super::{Obligation, Proof};
use crate::model::{CastOp, Function, GlobalDerivative, Inst, IntOp, Op, Operand, Program, Type, ValueId};
use crate::rules::{CalleeRule, Rules, Shape};

impl<'a> Proof<'a> {
    /// Whether a call gets something active, or returns a pointer to it.
    fn is_given(&self, id: ValueId, inst: &Inst, varied: &Varied) -> bool {
        let active = |x: &Operand| varied.holds(x) || self.leads_to(x, &varied.shadowed);
        // Where one half is differentiated, so is the other: the tape has to be as wide for both.
        let half = !self.plan.request.mode.is_reverse() && calls_half(inst);
        half || inst.arguments().iter().any(active)
            || varied.shadowed.contains(&Place::Returned(id))
            || !self.globals_given(inst, varied).is_empty()
    }

    /// The globals with shadows that a callee may touch.
    pub(super) fn globals_given(&self, inst: &Inst, varied: &Varied) -> BTreeSet<String> {
        let touched = self.reach_of(inst).into_iter().flat_map(|reach| reach.globals);
        touched.filter(|name| varied.shadowed.contains(&Place::Global(name.clone()))).collect()
    }

    /// The globals that are active on entry: handed over by the caller, or with a shadow that the user declared.
    pub fn globals_on_entry(&self, insts: &[(ValueId, &'a Inst)]) -> BTreeSet<Place> {
        let mut named: BTreeSet<String> = BTreeSet::new();
        for (_, inst) in insts {
            named.extend(inst.operands.iter().flat_map(|operand| variables_named(operand, self.program)));
            named.extend(self.reach_of(inst).into_iter().flat_map(|reach| reach.globals));
        }
        named.retain(|name| {
            let global = self.program.global(name);
            global.is_some_and(|global| matches!(global.derivative, GlobalDerivative::Declared(_)))
        });
        named.extend(self.plan.request.globals.iter().cloned());
        named.into_iter().map(Place::Global).collect()
    }

    /// A callee is handed the shadow of every global that it may touch and that has one.
    pub fn check_globals_given(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        let mut problems = Vec::new();
        for (id, inst) in insts {
            let Some(call) = self.plan.calls.get(id) else { continue };
            if call.request.carried != self.plan.request.carried {
                problems
                    .push(format!("{} takes other pointers on the tape for shadowed", self.describe(*id)));
            }
            let given: BTreeSet<String> = call.request.globals.iter().cloned().collect();
            let missing = self.globals_given(inst, varied).difference(&given).next().cloned();
            let unknown = given.iter().find(|name| !self.plan.globals.contains_key(*name)).cloned();
            if let Some(global) = missing.or(unknown) {
                problems
                    .push(format!("{} is not given the shadow of the global `{global}`", self.describe(*id)));
            }
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::NothingUnknown, problem));
    }

    /// What a callee may get at. A rule of the user's speaks for all that is behind it.
    pub(super) fn reach_of(&self, inst: &Inst) -> Option<Reach> {
        let name = inst.callee_name()?;
        if self.has_custom_derivative(inst) {
            return Some(Reach { params: (0..inst.arguments().len()).collect(), ..Reach::default() });
        }
        self.changed.get(name).cloned()
    }

    /// Whether a call of a body may run code that is not in sight.
    pub fn may_leave(&self, inst: &Inst) -> bool {
        self.reach_of(inst).is_none_or(|reach| reach.leaves)
    }

    /// Whether a call of a body may run code that touches memory which is not followed.
    pub fn goes_unfollowed(&self, inst: &Inst) -> bool {
        self.reach_of(inst).is_some_and(|reach| reach.unfollowed)
    }

    pub fn is_call_varied(&self, id: ValueId, inst: &Inst, varied: &Varied) -> bool {
        let bits = || self.may_carry(id) && self.hands_bits_back(inst, varied);
        let part = |user: &(ValueId, usize)| {
            let taken = self.function.inst(user.0);
            taken.is_some_and(|taken| !matches!(taken.op, Op::ExtractValue { .. }) || self.may_carry(user.0))
        };
        let parts = || {
            let users = self.seeing().users.get(&id).into_iter().flatten();
            users.into_iter().any(part) && self.hands_bits_back(inst, varied)
        };
        let float = inst.ty.holds_float()
            || matches!(inst.ty.scalar(), Type::Int(_)) && bits()
            || inst.ty.holds_numbers_only() && parts();
        float && self.is_given(id, inst, varied)
    }

    pub fn spread_call(&self, id: ValueId, inst: &Inst, varied: &mut Varied) {
        if !self.is_given(id, inst, varied) {
            return;
        }
        let changed = self.reach_of(inst);
        let custom = self.has_custom_derivative(inst);
        let kept = self.keeps_integers(inst, changed.as_ref(), varied);
        for (at, argument) in inst.arguments().iter().enumerate() {
            if kept.contains(&at) {
                continue;
            }
            if changed.as_ref().is_none_or(|reach| reach.params.contains(&at)) {
                let places = self.places.lead(argument).into_iter();
                varied.shadowed.extend(places.filter(|place| !custom || !self.is_constant(place)));
            }
        }
        let written = changed.into_iter().flat_map(|reach| reach.written).map(Place::Global);
        varied.shadowed.extend(written.filter(|place| !self.is_declared_inactive(place)));
        if inst.ty.is_pointer() {
            varied.shadowed.insert(Place::Returned(id));
        }
    }

    /// The arguments behind which a callee moves integers that were inactive before and stay so.
    fn keeps_integers(&self, inst: &Inst, reach: Option<&Reach>, varied: &Varied) -> BTreeSet<usize> {
        let Some(reach) = reach else { return BTreeSet::new() };
        let active = |at: &usize| {
            inst.arguments().get(*at).is_none_or(|argument| self.leads_to(argument, &varied.shadowed))
        };
        let bits =
            |x: &Operand| matches!(self.function.operand_type(x).scalar(), Type::Int(_)) && varied.holds(x);
        let given = reach.taken.iter().any(active) || inst.arguments().iter().any(bits);
        if given || inst.ty.holds_pointer() { BTreeSet::new() } else { reach.kept.clone() }
    }

    /// No address goes to other code as a number, under which neither we nor it would know the memory again, and none of memory
    /// with a shadow is kept as one.
    pub fn check_numbers_given(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        let mut faults = Vec::new();
        for (id, inst) in insts {
            let given =
                matches!(self.role(inst), Role::Call | Role::Unknown { .. }) && memory_call(inst).is_none();
            let hidden = || inst.arguments().iter().any(|x| !self.numbered(x).is_empty());
            let kept = |x: &&Operand| self.leads_to(x, &varied.shadowed);
            if given && hidden() {
                faults.push(format!("{} is given an address as a number", self.describe(*id)));
            } else if keeps(&inst.op) && inst.operands.iter().flat_map(|x| self.numbered(x)).any(|x| kept(&x))
            {
                faults.push(format!(
                    "{} keeps the address of what has a shadow as a number",
                    self.describe(*id)
                ));
            }
        }
        faults.into_iter().for_each(|message| self.report(Obligation::NothingUnknown, message));
    }

    /// The pointers that a number is made of by steps that leave it an address.
    fn numbered(&self, number: &'a Operand) -> Vec<&'a Operand> {
        let (mut waiting, mut seen, mut found) = (vec![number], BTreeSet::new(), Vec::new());
        while let Some(operand) = waiting.pop() {
            if self.function.operand_type(operand).holds_pointer() {
                continue;
            }
            let Some(id) = operand.value().filter(|id| seen.insert(*id)) else { continue };
            let Some(inst) = self.function.inst(id) else { continue };
            match &inst.op {
                Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr) => found.push(&inst.operands[0]),
                Op::Cast(_) | Op::Phi { .. } | Op::Select | Op::Freeze | Op::Int(IntOp::Add | IntOp::Or) => {
                    waiting.extend(
                        inst.operands.iter().filter(|x| !self.function.operand_type(x).holds_float()),
                    );
                }
                // The larger of two addresses is one of them.
                Op::Call(_) if inst.callee_name().is_some_and(picks_one) => {
                    waiting.extend(inst.arguments());
                }
                _ => {}
            }
        }
        found
    }

    /// What a call is given whose callee's derivative is not called.
    pub fn unplanned_arguments(&self, id: ValueId, inst: &'a Inst) -> Vec<&'a Operand> {
        if self.plan.calls.contains_key(&id) { Vec::new() } else { inst.arguments().iter().collect() }
    }
}

/// Whether a function returns one of two numbers.
fn picks_one(name: &str) -> bool {
    ["llvm.umax.", "llvm.umin.", "llvm.smax.", "llvm.smin."].iter().any(|picks| name.starts_with(picks))
}

/// Whether others may find what an instruction is given.
fn keeps(op: &Op) -> bool {
    matches!(op, Op::Store(_) | Op::Ret | Op::AtomicRmw { .. } | Op::CompareExchange { .. })
}

/// What a function and all that it calls may get at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The parameters behind which it may write, or whose pointer it may hand on.
    pub params: BTreeSet<usize>,
    /// The parameters behind which it may look, write or hand on: the others are only compared, and passed on.
    pub looked: BTreeSet<usize>,
    /// Those in whose memory it only moves and counts integers, if at all, see `among_integers`.
    pub kept: BTreeSet<usize>,
    /// Those out of whose memory these integers are.
    pub taken: BTreeSet<usize>,
    /// The globals that it names, or finds in what these hold from the start.
    pub globals: BTreeSet<String>,
    /// Those that it may write to by name, or whose address it may hand on.
    pub written: BTreeSet<String>,
    /// Whether it calls what is not in sight.
    pub leaves: bool,
    /// Whether it touches memory that is not followed.
    pub unfollowed: bool,
}

/// That of each function with a body.
pub fn find_changed(
    function: &Function,
    program: &Program,
    rules: &Rules,
    carried: &BTreeSet<String>,
) -> Arc<Reaches> {
    let calls = |inst: &Inst| inst.callee_name().and_then(|name| program.function(name));
    match function.insts.iter().filter_map(calls).any(|callee| !callee.blocks.is_empty()) {
        true => program.once(&format!("{rules:p} {carried:?}"), || find_all_changed(program, rules, carried)),
        false => Arc::default(),
    }
}

/// By the names of the functions.
pub type Reaches = BTreeMap<String, Reach>;

fn find_all_changed(program: &Program, rules: &Rules, carried: &BTreeSet<String>) -> Reaches {
    let bodies = || program.functions.iter().filter(|function| !function.blocks.is_empty());
    let places: Vec<Arc<Places>> = bodies().map(|function| Places::of(function, program)).collect();
    let mut changed: BTreeMap<String, Reach> =
        bodies().map(|function| (function.name.clone(), Reach::default())).collect();
    loop {
        let mut grew = false;
        for (function, places) in bodies().zip(&places) {
            let mut reach = Reach::default();
            // Behind a rule for one mode only, the other goes by the body.
            if program.custom_rule(&function.name).is_some() {
                reach.params.extend(0..function.params.len());
                reach.looked.extend(0..function.params.len());
            }
            reach.globals.extend(reached_by_finding(function, program, places));
            for inst in function.inst_ids().filter_map(|id| function.inst(id)) {
                let pointer = |x: &&Operand| function.operand_type(x).holds_pointer();
                let looked = looked_operands(inst, &changed, program, rules);
                let behind = looked.into_iter().filter(pointer).flat_map(|x| places.lead(x));
                reach.looked.extend(behind.filter_map(param_of));
                if makes_exception(function, program, inst) || is_unshadowed(function, inst, carried) {
                    continue;
                }
                reach.unfollowed |= is_unfollowed(function, places, inst);
                for operand in changed_operands(inst, &changed, program, rules) {
                    follow(function, places, operand, &mut BTreeSet::new(), &mut reach.params);
                    let places = places.lead(operand).into_iter();
                    reach.written.extend(places.filter_map(|place| match place {
                        Place::Global(name) => Some(name),
                        _ => None,
                    }));
                }
                for operand in &inst.operands {
                    reach.globals.extend(variables_named(operand, program));
                }
                let callee = inst.callee_name().and_then(|name| changed.get(name));
                // What the user declared to carry nothing is taken at that.
                if program.is_declared_inactive(inst) {
                    continue;
                }
                if let Some(callee) = callee {
                    reach.globals.extend(callee.globals.iter().cloned());
                    reach.written.extend(callee.written.iter().cloned());
                    reach.unfollowed |= callee.unfollowed;
                }
                reach.leaves |= match callee {
                    Some(callee) => callee.leaves,
                    None => goes_out_of_sight(inst, program, rules),
                };
            }
            grew |= changed.insert(function.name.clone(), reach.clone()) != Some(reach);
        }
        if !grew {
            let bodies: Vec<(&Function, &Places)> =
                bodies().zip(places.iter().map(|places| &**places)).collect();
            find_kept(&bodies, &mut changed, (program, rules));
            return changed;
        }
    }
}

/// The variables that can be reached from an address, those of fixed contents apart.
fn variables_named(operand: &Operand, program: &Program) -> BTreeSet<String> {
    let Operand::Const(constant) = operand else { return BTreeSet::new() };
    let Some((name, _)) = target_of(program, constant) else { return BTreeSet::new() };
    let mut names = reached_from(program, &name);
    names.insert(name);
    names.retain(|name| program.global(name).is_some_and(|global| !global.constant));
    names
}

fn goes_out_of_sight(inst: &Inst, program: &Program, rules: &Rules) -> bool {
    if inst.op.call().is_none()
        || memory_call(inst).is_some()
        || is_own_copy(inst)
        || inst.callee_name().is_some_and(|name| program.custom_rule(name).is_some())
        || stays_outside(inst, program)
    {
        return false;
    }
    let known = inst.callee_name().map(|name| rules.lookup_callee(program.known_name(name)));
    !matches!(known, Some(CalleeRule::Row(_) | CalleeRule::Inactive(_) | CalleeRule::Reduction(_)))
}

/// Whether a store fills an exception with what leads to no memory that anybody could write: it changes nothing of the caller's.
fn makes_exception(function: &Function, program: &Program, inst: &Inst) -> bool {
    let (Op::Store(_), [value, place]) = (&inst.op, inst.operands.as_slice()) else { return false };
    let quiet = match value {
        Operand::Const(constant) => {
            let target = target_of(program, constant).and_then(|(name, _)| program.global(&name));
            !constant.ty().holds_pointer() || target.is_some_and(|global| global.constant)
        }
        Operand::Value(_) => !function.operand_type(value).holds_pointer(),
    };
    quiet && is_exception(function, place)
}

/// The operands behind which an instruction may write, or that it stores or returns.
fn changed_operands<'a>(
    inst: &'a Inst,
    changed: &BTreeMap<String, Reach>,
    program: &Program,
    rules: &Rules,
) -> Vec<&'a Operand> {
    let all = || inst.operands.iter().collect();
    match &inst.op {
        Op::Store(_) | Op::Ret | Op::VaArg | Op::AtomicRmw { .. } | Op::CompareExchange { .. } => all(),
        Op::Opaque { .. } => all(),
        _ if inst.op.call().is_none() => Vec::new(),
        _ if inst.callee_name().is_some_and(|name| program.custom_rule(name).is_some()) => {
            inst.arguments().iter().collect()
        }
        _ => match (memory_call(inst), inst.callee_name()) {
            (Some(MemoryCall::Copy | MemoryCall::Fill), _) => vec![&inst.operands[0]],
            (Some(_), _) => Vec::new(),
            // Last stands what is called, which leads to no memory.
            (None, None) => inst.arguments().iter().collect(),
            (None, Some(name)) => match (changed.get(name), rules.lookup_callee(program.known_name(name))) {
                (Some(known), _) => {
                    let arguments = inst.arguments().iter().enumerate();
                    arguments.filter(|(at, _)| known.params.contains(at)).map(|(_, x)| x).collect()
                }
                (None, CalleeRule::Inactive(_) | CalleeRule::Reduction(_)) => Vec::new(),
                (None, CalleeRule::Row(row)) if !matches!(row.shape, Shape::Stored { .. }) => Vec::new(),
                // The last operand is the function itself, which is no memory.
                (None, _) => inst.operands[..inst.operands.len() - 1].iter().collect(),
            },
        },
    }
}

/// The operands behind which an instruction, or what it calls, may look, or which it hands to somebody who may.
fn looked_operands<'a>(
    inst: &'a Inst,
    changed: &BTreeMap<String, Reach>,
    program: &Program,
    rules: &Rules,
) -> Vec<&'a Operand> {
    let name = inst.callee_name();
    let followed = |name: &&str| program.is_followed(name) && program.custom_rule(name).is_none();
    let body = name.filter(followed).and_then(|name| changed.get(name));
    match (&inst.op, body) {
        (Op::ICmp(_) | Op::Phi { .. } | Op::Select | Op::Freeze | Op::Cast(CastOp::BitCast), _) => Vec::new(),
        (Op::Call(_), Some(callee)) => {
            // What stands behind the last parameter is taken from a list.
            let named = name.and_then(|name| program.function(name)).map_or(0, |callee| callee.params.len());
            let given = inst.arguments().iter().enumerate();
            given.filter(|(at, _)| *at >= named || callee.looked.contains(at)).map(|(_, x)| x).collect()
        }
        (Op::Call(_), None) => match name.map(|name| rules.lookup_callee(program.known_name(name))) {
            // A pointer that it returns may be one that it was given.
            Some(CalleeRule::Inactive(_)) if memory_call(inst).is_none() && !inst.ty.holds_pointer() => {
                Vec::new()
            }
            _ => inst.arguments().iter().collect(),
        },
        _ => inst.operands.iter().collect(),
    }
}

/// The parameter that leads to a place. What was found or returned, or came from outside, was made of a parameter only by a load or a call
/// that has counted already, if it looked there.
fn param_of(place: Place) -> Option<usize> {
    match place {
        Place::Param(id) => Some(id.0 as usize),
        Place::Found(_) | Place::Returned(_) | Place::Outside => None,
        Place::Slot(_) | Place::Made(_) | Place::Global(_) => None,
    }
}

impl<'a> Proof<'a> {
    /// The arguments behind which the callee of a call may look.
    pub fn looked_behind<'b>(&self, call: &'b Inst) -> Vec<&'b Operand> {
        looked_operands(call, &self.changed, self.program, self.rules)
    }
}

/// The parameters that a pointer was reached from.
pub(super) fn follow(
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
