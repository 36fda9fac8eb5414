//! Which values carry a derivative: those that depend on an active input *and* influence an active output; and which
//! memory does.
//!
//! Function + request → [`Activity`], or the refusals.
//! Lattice: a bit per value, twice (varied, useful), and a bit per allocation (holds active values or pointers to
//! such). Bottom: not. Direction: varied forward, useful backward; memory without order.
//! Transfer: a row passes a derivative from operand to result where its form is not zero; moves pass everything; what
//! is read from active memory varies; what is stored into it is useful; what is listed as inactive passes nothing.
//! Safe error: active (costs work, never truth). An operation that is varied and of which nothing is known is
//! refused, never taken for inactive.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::carriers::find_carriers;
use super::custom::{CustomCall, find_custom_call};
use super::effects::{Effect, Effects};
use super::flow::Flow;
use super::followed::find_followed;
use super::global_activity::find_at_start;
use super::globals::Globals;
use super::lasting::{Lasting, find_lasting};
use super::meaning::{Meaning, meaning};
use super::memory_calls::{MemoryCall, memory_call};
use super::number_addresses::NumberAddresses;
use super::overlap::{Overwrites, find_address_stores, find_bit_stores};
use super::own_words::KnownWords;
use super::ownership::Ownership;
use super::pointers::{Base, Pointers};
use super::refusals::collect_refusals;
use super::returned_bits::{ReturnedBits, find_in_numbers};
use super::stale::Finders;
use super::tape_records::records_of_halves;
use crate::kinds::{find_disputed, find_misread};
use crate::model::{Function, Inst, Op, Operand, Program, Type, ValueId};
use crate::refusal::Refusal;
use crate::request::Request;
use crate::rules::{Row, Rules, Shape};

pub struct Activity {
    active: BTreeSet<ValueId>,
    varied: BTreeSet<ValueId>,
    useful: BTreeSet<ValueId>,
    /// Allocations that hold active values, or pointers to ones that do: each has a shadow.
    pub(super) memory: BTreeSet<Base>,
    /// Integer stores that overwrite floats in active memory, and those of which that is unclear; stores of pointers where floats may be.
    bit_stores: BTreeMap<ValueId, Overwrites>,
    /// Calls of functions with bodies that are given something active, or give it: their derivatives are called.
    pub(super) calls: BTreeMap<ValueId, Effect>,
    finders: Finders,
    ownership: Ownership,
    lasting: Lasting,
    pointers: Pointers,
    known_words: KnownWords,
}

/// What the passes over a function share.
pub(super) struct Pass<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub request: &'a Request,
    pub flow: Flow,
    pub globals: Globals<'a>,
    pub effects: Effects,
    carriers: BTreeSet<ValueId>,
    /// Calls that return structs of integers, of which one may be a float's bits.
    in_numbers: BTreeSet<ValueId>,
    returned: ReturnedBits,
    pub numbers: NumberAddresses,
    /// The stores of what may be a float or a pointer.
    pub disputed: BTreeSet<ValueId>,
    /// The loads of floats that are pointers, and of pointers that are floats.
    pub misread: BTreeSet<ValueId>,
    /// The loads of pointers behind which derivatives may lie.
    pub followed: BTreeSet<ValueId>,
    /// The globals that pointers found in globals lead to when the function is entered for the first time.
    pub at_start: BTreeMap<ValueId, BTreeSet<String>>,
    /// Where the pointers lead that this function puts into each global, found when somebody asks.
    pub(super) lent: OnceCell<BTreeMap<String, BTreeSet<Base>>>,
}

/// Finds the active values of a function, or says which of them cannot be differentiated.
pub fn find_activity(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
) -> Result<Activity, Vec<Refusal>> {
    let flow = Flow::of(function);
    let (effects, globals) =
        (Effects::of_callees(function, program, rules, &request.carried), Globals::of(program));
    let (pointers, carriers) = (Pointers::of(function, program), find_carriers(function, program));
    let followed = find_followed(function, program, &pointers, &carriers);
    let at_start = find_at_start(function, &pointers, &globals);
    let in_numbers = find_in_numbers(function, &carriers);
    let (numbers, disputed) = (NumberAddresses::of(function), find_disputed(function, program));
    let misread = find_misread(function, &pointers);
    let pass = Pass {
        function,
        program,
        rules,
        request,
        flow,
        effects,
        globals,
        carriers,
        in_numbers,
        returned: ReturnedBits::default(),
        numbers,
        disputed,
        misread,
        followed,
        at_start,
        lent: OnceCell::new(),
    };
    let mut activity = Activity {
        active: BTreeSet::new(),
        varied: BTreeSet::new(),
        useful: BTreeSet::new(),
        memory: BTreeSet::new(),
        bit_stores: BTreeMap::new(),
        calls: BTreeMap::new(),
        finders: Finders::of(
            (function, program),
            &pointers,
            &|inst| pass.is_followed(inst),
            (request, &pass.globals),
        ),
        ownership: Ownership::default(),
        lasting: Lasting::default(),
        pointers,
        known_words: KnownWords::default(),
    };
    loop {
        pass.find_varied(&mut activity);
        activity.ownership =
            Ownership::of((function, program), &pass.flow, &activity.pointers, &activity.calls);
        if !pass.spread_through_frees(&mut activity) {
            break;
        }
    }
    pass.find_useful(&mut activity);
    activity.active = activity.varied.intersection(&activity.useful).copied().collect();
    activity.lasting = find_lasting(&pass, &activity);
    activity.bit_stores = find_bit_stores(function, program, &activity).into_iter().collect();
    let addresses = find_address_stores(function, program, &activity);
    activity.bit_stores.extend(addresses.into_iter().map(|store| (store, Overwrites::Address)));
    // What was found before all was known is asked again.
    activity.known_words = KnownWords::default();
    let refusals = collect_refusals(&pass, &activity);
    if refusals.is_empty() { Ok(activity) } else { Err(refusals) }
}

impl Activity {
    /// The claim that these values are active and no others. Tests make wrong ones with it.
    pub fn claim(values: impl IntoIterator<Item = ValueId>) -> Activity {
        let active: BTreeSet<ValueId> = values.into_iter().collect();
        Activity {
            varied: active.clone(),
            useful: active.clone(),
            active,
            memory: BTreeSet::new(),
            bit_stores: BTreeMap::new(),
            calls: BTreeMap::new(),
            finders: Finders::default(),
            ownership: Ownership::default(),
            lasting: Lasting::default(),
            pointers: Pointers::default(),
            known_words: KnownWords::default(),
        }
    }

    /// The same, with whatever varies and can be differentiated taken for active, of use or not.
    pub fn widen(mut self, function: &Function, program: &Program, rules: &Rules) -> Activity {
        let can_be = |id: &ValueId| {
            function.inst(*id).is_some_and(|inst| {
                let meaning = meaning(inst, function, program, rules);
                let known = matches!(meaning, Meaning::Row { .. } | Meaning::Move);
                inst.ty.holds_float() && (known || matches!(inst.op, Op::Load(_)))
            })
        };
        self.active.extend(self.varied.iter().copied().filter(can_be));
        self.known_words = KnownWords::default();
        self
    }

    pub fn is_active(&self, value: ValueId) -> bool {
        self.active.contains(&value)
    }

    pub fn is_operand_active(&self, operand: &Operand) -> bool {
        operand.value().is_some_and(|value| self.is_active(value))
    }

    pub fn is_varied(&self, operand: &Operand) -> bool {
        operand.value().is_some_and(|value| self.varied.contains(&value))
    }

    /// Whether somebody may want the derivative with respect to a value, varied or not.
    pub fn is_useful(&self, value: ValueId) -> bool {
        self.useful.contains(&value)
    }

    /// The active values, in order.
    pub fn values(&self) -> impl Iterator<Item = ValueId> {
        self.active.iter().copied()
    }

    /// Whether a pointer leads into memory that has a shadow, so that it has a shadow pointer beside it.
    pub fn is_shadowed(&self, pointer: &Operand) -> bool {
        self.pointers.any_base(pointer, |base| self.memory.contains(base))
    }

    /// Whether a call frees memory with a shadow. Where there is a reverse sweep it does so behind everything that reads
    /// the memory there; until then the memory holds what it held.
    pub fn frees_shadowed(&self, inst: &Inst) -> bool {
        matches!(memory_call(inst), Some(MemoryCall::Free { .. })) && self.is_shadowed(&inst.operands[0])
    }

    /// Whether a pointer may lead to memory without a shadow, so that it may have none beside it.
    pub fn may_lack_shadow(&self, pointer: &Operand) -> bool {
        let bare = |base: &Base| *base != Base::Null && !self.memory.contains(base);
        self.pointers.any_base(pointer, bare)
    }

    pub fn is_value_shadowed(&self, value: ValueId) -> bool {
        self.is_shadowed(&Operand::Value(value))
    }

    pub fn has_shadow(&self, base: &Base) -> bool {
        self.memory.contains(base)
    }

    pub fn bases(&self, pointer: &Operand) -> BTreeSet<Base> {
        self.pointers.of_operand(pointer)
    }

    /// Whether this is a call whose callee's derivative is called in its place.
    pub fn is_call(&self, call: ValueId) -> bool {
        self.calls.contains_key(&call)
    }

    pub(super) fn pointers(&self) -> &Pointers {
        &self.pointers
    }

    pub(super) fn known_words(&self) -> &KnownWords {
        &self.known_words
    }

    pub(super) fn finders(&self) -> &Finders {
        &self.finders
    }

    /// The calls whose callees' derivatives are called, in order.
    pub fn calls(&self) -> impl Iterator<Item = ValueId> {
        self.calls.keys().copied()
    }

    /// The active globals that the callee of such a call may touch, in order.
    pub fn globals_of_call(&self, call: ValueId) -> Vec<String> {
        let touched = self.calls.get(&call).into_iter().flat_map(|effect| &effect.globals);
        touched.filter(|name| self.memory.contains(&Base::Global((*name).clone()))).cloned().collect()
    }

    /// Whether a callee may read or write pointers in these allocations, or in what can be reached from them.
    pub fn is_opened_by_call(&self, function: &Function, places: &BTreeSet<Base>) -> bool {
        let moving = self.calls.iter().filter(|(_, effect)| effect.moves_pointers);
        let calls = moving.filter_map(|(id, _)| function.inst(*id));
        calls.flat_map(Inst::arguments).any(|x| !self.bases(x).is_disjoint(places))
    }

    /// Whether functions are called that have derivatives of their own.
    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// What a store of an integer or pointer into active memory overwrites; `None` for other instructions.
    pub fn overwrites(&self, store: ValueId) -> Option<Overwrites> {
        self.bit_stores.get(&store).copied()
    }

    /// Whether a slot with a shadow needs a new one each time it is made.
    pub fn is_remade(&self, slot: ValueId) -> bool {
        self.has_shadow(&Base::Stack(slot)) && self.ownership.is_remade(slot)
    }

    /// Whether others may find what a call allocated.
    pub fn leaves(&self, allocation: ValueId) -> bool {
        self.ownership.leaves(allocation)
    }

    /// Whether a pointer leads to nothing but memory that was made by this call.
    pub fn is_own(&self, pointer: &Operand) -> bool {
        self.ownership.is_own(&self.bases(pointer))
    }

    /// The allocations of this call to which a pointer may lead, found in memory or not.
    pub fn allocations(&self, pointer: &Operand) -> BTreeSet<Base> {
        self.ownership.resolve(&self.bases(pointer))
    }

    /// The memory a pointer leads to. Two that may both be null have none in common by that.
    pub fn memory_behind(&self, pointer: &Operand) -> BTreeSet<Base> {
        let mut bases = self.bases(pointer);
        bases.remove(&Base::Null);
        bases
    }

    /// The memory that can be found from pointers of these bases.
    pub fn reached_from(&self, bases: &BTreeSet<Base>) -> BTreeSet<Base> {
        self.ownership.reached_from(bases)
    }

    pub fn lasting(&self) -> &Lasting {
        &self.lasting
    }

    /// Allocations with shadows, in order.
    pub fn memory(&self) -> impl Iterator<Item = &Base> {
        self.memory.iter()
    }

    /// Whether there may be active memory, made here or by a call.
    pub fn has_memory(&self) -> bool {
        !self.memory.is_empty() || !self.calls.is_empty()
    }

    /// Why a value is active or not, in a few words.
    pub fn reason(&self, value: ValueId) -> &'static str {
        match (self.varied.contains(&value), self.useful.contains(&value)) {
            (true, true) => "depends on an active input and influences the result",
            (true, false) => "influences no active result",
            (false, true) => "depends on no active input",
            (false, false) => "neither depends on an active input nor influences the result",
        }
    }
}

impl Pass<'_> {
    pub fn live_insts(&self) -> impl Iterator<Item = (ValueId, &Inst)> {
        let blocks = self.function.block_ids().filter(|block| self.flow.is_reachable(*block));
        let ids = blocks.flat_map(|block| self.function.block(block).insts.clone());
        ids.filter_map(|id| Some((id, self.function.inst(id)?)))
    }

    pub fn meaning(&self, inst: &Inst) -> Meaning<'_> {
        meaning(inst, self.function, self.program, self.rules)
    }

    fn find_varied(&self, activity: &mut Activity) {
        for id in self.function.param_ids().filter(|id| self.request.activity(id.0 as usize).is_active()) {
            if self.function.value_type(id).is_pointer() {
                activity.memory.insert(Base::Param(id));
            } else {
                activity.varied.insert(id);
            }
        }
        activity.memory.extend(self.active_globals());
        activity.memory.extend(records_of_halves(self));
        if self.request.shadow_return {
            let returned = self.live_insts().filter(|(_, inst)| inst.op == Op::Ret);
            let bases: Vec<Base> = returned.flat_map(|(_, ret)| activity.bases(&ret.operands[0])).collect();
            activity.memory.extend(bases.into_iter().filter(|base| *base != Base::Null));
        }
        loop {
            let before = (activity.varied.len(), activity.memory.len(), activity.calls.len());
            for (id, inst) in self.live_insts() {
                self.spread_through_memory(id, inst, activity);
                if inst.ty != Type::Void && !inst.ty.is_pointer() && self.varies(id, inst, activity) {
                    activity.varied.insert(id);
                }
            }
            if (activity.varied.len(), activity.memory.len(), activity.calls.len()) == before {
                return;
            }
        }
    }

    /// How the user's own derivative of the callee is called, in the mode asked for.
    pub fn find_custom_call(&self, inst: &Inst) -> Option<Result<CustomCall, String>> {
        find_custom_call(self.program, inst.callee_name()?, self.request.mode)
    }

    /// What a callee may do to memory. A rule of the user's does what it was given shadows for.
    pub fn effect_of(&self, inst: &Inst) -> Option<Effect> {
        match self.find_custom_call(inst) {
            Some(_) => self.program.function(inst.callee_name()?).map(Effect::of_rule),
            None => self.effects.of_callee(inst).cloned(),
        }
    }

    fn varies(&self, id: ValueId, inst: &Inst, activity: &Activity) -> bool {
        let varied = &activity.varied;
        let holds = |operand: &Operand| operand.value().is_some_and(|value| varied.contains(&value));
        if let Op::ExtractValue { path } = &inst.op {
            let integer = matches!(inst.ty.scalar(), Type::Int(_));
            return (!integer || self.carriers.contains(&id))
                && self.is_part_varied(&inst.operands[0], path, varied);
        }
        if let Op::Load(_) = &inst.op {
            let means_float = inst.ty.holds_float() || self.carriers.contains(&id);
            return means_float && activity.is_shadowed(&inst.operands[0]);
        }
        match self.meaning(inst) {
            Meaning::Row { row, operands, .. } => (0..row.operands.len())
                .any(|i| row.is_real_operand(i) && holds(&operands[i]) && flows(row, i)),
            Meaning::Bits => {
                self.carriers.contains(&id) && inst.operands.iter().any(holds) || {
                    // Bits that become a float again vary with the float they came from.
                    inst.ty.holds_float() && inst.operands.iter().any(holds)
                }
            }
            Meaning::Move | Meaning::Reduction(_) => inst.operands.iter().any(holds),
            Meaning::Call(name) => {
                let integer = || match self.returned.find_params(self.program, &name) {
                    Some(params) => params.iter().any(|at| inst.arguments().get(*at).is_none_or(holds)),
                    None => true,
                };
                let bits = || self.carriers.contains(&id) || self.in_numbers.contains(&id);
                activity.is_call(id) && (inst.ty.holds_float() || bits() && integer())
            }
            Meaning::Foreign(_) | Meaning::Opaque(_) => inst.operands.iter().any(holds),
            Meaning::Memory | Meaning::Inactive(_) | Meaning::Control => false,
        }
    }

    /// Whether the part of an aggregate at `path` varies: the integer beside a float does not because the float does.
    fn is_part_varied(&self, whole: &Operand, path: &[u32], varied: &BTreeSet<ValueId>) -> bool {
        let Some(value) = whole.value().filter(|value| varied.contains(value)) else { return false };
        let Some(inst) = self.function.inst(value) else { return true };
        if let Op::InsertValue { path: put } = &inst.op {
            return match (path.strip_prefix(put.as_slice()), put.starts_with(path)) {
                (Some([]), _) => inst.operands[1].value().is_some_and(|part| varied.contains(&part)),
                (Some(rest), _) => self.is_part_varied(&inst.operands[1], rest, varied),
                // The part asked for holds the part put in, and more.
                (None, true) => true,
                (None, false) => self.is_part_varied(&inst.operands[0], path, varied),
            };
        }
        match (self.meaning(inst), path.first()) {
            (Meaning::Row { row, shape: Shape::Struct, .. }, Some(k)) => {
                (0..row.operands.len()).any(|i| !row.form(*k as usize, i).is_zero())
            }
            _ => true,
        }
    }

    fn find_useful(&self, activity: &mut Activity) {
        loop {
            let before = activity.useful.len();
            // Last to first: most uses stand after what they use, so one walk finds nearly everything.
            for (id, inst) in self.live_insts().collect::<Vec<_>>().into_iter().rev() {
                for operand in self.useful_operands(id, inst, activity) {
                    activity.useful.extend(operand.value());
                }
            }
            if activity.useful.len() == before {
                return;
            }
        }
    }

    /// Operands whose derivative somebody may want, given what is useful so far.
    fn useful_operands(&self, id: ValueId, inst: &Inst, activity: &Activity) -> Vec<Operand> {
        let wanted = activity.useful.contains(&id);
        match &inst.op {
            Op::Ret if self.request.active_return => return inst.operands.clone(),
            Op::Ret => return Vec::new(),
            Op::Store(_) if activity.is_shadowed(&inst.operands[1]) => return vec![inst.operands[0].clone()],
            _ => {}
        }
        match self.meaning(inst) {
            Meaning::Row { row, operands, .. } if wanted => {
                let real = (0..row.operands.len()).filter(|i| row.is_real_operand(*i) && flows(row, *i));
                real.map(|i| operands[i].clone()).collect()
            }
            Meaning::Move | Meaning::Bits | Meaning::Reduction(_) if wanted => inst.operands.clone(),
            // What unknown code does with a value is not followed.
            Meaning::Call(_) => inst.arguments().to_vec(),
            Meaning::Foreign(_) | Meaning::Opaque(_) => inst.operands.clone(),
            Meaning::Row { .. }
            | Meaning::Move
            | Meaning::Bits
            | Meaning::Memory
            | Meaning::Reduction(_)
            | Meaning::Inactive(_)
            | Meaning::Control => Vec::new(),
        }
    }
}

/// Whether a derivative passes from operand `i` of a row to any of its results.
fn flows(row: &Row, i: usize) -> bool {
    (0..row.results.len()).any(|k| !row.form(k, i).is_zero())
}
