//! Parameters that may overlap, and mostly do not: a test on entry, and a version of the derivative for each answer.
//!
//! Without `restrict` a store through one parameter may overwrite what was read through another, so what was read has
//! to be recorded. The bytes that a call accesses behind a parameter are known on entry where addresses are functions of
//! the loops around them; where they are apart, nothing of that needs recording. The same holds of a global that is
//! worked in, and whose address a caller may have handed on: it is compared as a whole.
//!
//! Where a store goes to the very array that was read, numbers that the caller hands over may tell that it leaves alone
//! what was read there (`a[i + k]` and `a[i]`, rows of `ld` numbers): then these are asked, too.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::activity::Activity;
use crate::analyses::later::Apart;
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Base;
use crate::dependence::guarded::Either;
use crate::model::{
    CastOp, Function, Inst, Layout, Linkage, Op, Operand, Program, Scev, Stride, ValueId, Wrap,
};

/// What is accessed behind each parameter that the test compares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Separation {
    pub extents: BTreeMap<ValueId, Extent>,
    /// How many bytes the globals take that the function touches.
    pub globals: BTreeMap<String, u64>,
    pub partings: Vec<Parting>,
}

/// A load, a store of the same memory, and what keeps them apart: in each clause one condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    pub load: ValueId,
    pub store: ValueId,
    pub clauses: Vec<Either>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Instructions, with their addresses and how many bytes they access.
    pub accesses: Vec<(ValueId, Scev, u64)>,
    pub written: bool,
}

/// More accesses than these are not worth a test on entry.
const MOST_ACCESSES: usize = 16;
const MOST_PARAMS: usize = 6;
const MOST_GLOBALS: usize = 8;
/// Nor are more choices of a pointer than these followed.
const MOST_CHOICES: usize = 16;

pub fn plan_separation(function: &Function, program: &Program, activity: &Activity) -> Option<Separation> {
    let layout = Layout::parse(&program.layout);
    let mut extents: BTreeMap<ValueId, Extent> = BTreeMap::new();
    let mut lost: BTreeSet<ValueId> = BTreeSet::new();
    for id in function.inst_ids() {
        let Some(inst) = function.inst(id) else { continue };
        let (pointer, written) = match &inst.op {
            Op::Load(_) => (&inst.operands[0], false),
            Op::Store(_) => (&inst.operands[1], true),
            // Addresses lead nowhere; comparing them tells nothing of what lies there.
            Op::Gep(_)
            | Op::Phi { .. }
            | Op::Select
            | Op::ICmp(_)
            | Op::Freeze
            | Op::Cast(CastOp::BitCast) => continue,
            _ => {
                lost.extend(inst.operands.iter().flat_map(|x| params_of(activity, x)));
                continue;
            }
        };
        if let Op::Store(_) = inst.op {
            lost.extend(params_of(activity, &inst.operands[0]));
        }
        let bases = activity.bases(pointer);
        let found = params_of(activity, pointer);
        let size = function.accessed_type(inst).and_then(|ty| layout.size_of(&ty));
        let address = function.memory.get(&id).and_then(|fact| fact.address.clone());
        match (found.as_slice(), size, address) {
            ([], ..) => {}
            ([only], Some(size), Some(address)) if bases.len() == 1 && is_known(function, &address) => {
                let extent = extents.entry(*only).or_default();
                extent.written |= written;
                extent.accesses.push((id, address, size));
            }
            _ => lost.extend(found),
        }
    }
    extents.retain(|param, extent| !lost.contains(param) && distinct(extent) <= MOST_ACCESSES);
    let written = extents.values().any(|extent| extent.written);
    let params = if written { 2 } else { MOST_PARAMS + 1 };
    let globals = find_globals(function, program, activity, &layout);
    let least = if globals.is_empty() { params } else { 1 };
    (least..=MOST_PARAMS).contains(&extents.len()).then_some(Separation {
        extents,
        globals,
        partings: Vec::new(),
    })
}

/// The globals that are written, where they lie and end is known, and there are few.
fn find_globals(
    function: &Function,
    program: &Program,
    activity: &Activity,
    layout: &Layout,
) -> BTreeMap<String, u64> {
    let target = |inst: &Inst| match (&inst.op, memory_call(inst)) {
        (Op::Store(_), _) => Some(inst.operands[1].clone()),
        (_, Some(MemoryCall::Copy | MemoryCall::Fill)) => Some(inst.operands[0].clone()),
        _ => None,
    };
    let written = function.insts.iter().filter_map(target).flat_map(|pointer| activity.bases(&pointer));
    let size = |name: &str| {
        let global = program.global(name)?;
        let fixed = global.space == 0 && !global.thread_local && global.linkage != Linkage::Declared;
        layout.size_of(&global.ty).filter(|bytes| fixed && *bytes > 0)
    };
    let sized = |base| if let Base::Global(name) = base { Some((size(&name)?, name)) } else { None };
    let found: BTreeMap<String, u64> = written.filter_map(sized).map(|(bytes, name)| (name, bytes)).collect();
    if found.len() > MOST_GLOBALS { BTreeMap::new() } else { found }
}

fn params_of(activity: &Activity, pointer: &Operand) -> Vec<ValueId> {
    let param = |base| if let Base::Param(id) = base { Some(id) } else { None };
    activity.bases(pointer).into_iter().filter_map(param).collect()
}

fn distinct(extent: &Extent) -> usize {
    let mut seen: Vec<(&Scev, u64)> = Vec::new();
    for (_, address, bytes) in &extent.accesses {
        if !seen.contains(&(address, *bytes)) {
            seen.push((address, *bytes));
        }
    }
    seen.len()
}

/// Whether the range of an address can be computed on entry.
fn is_known(function: &Function, address: &Scev) -> bool {
    let known = |scev: &Scev| is_known(function, scev);
    match address {
        Scev::Const { .. } => true,
        Scev::Value(Operand::Value(value)) if function.inst(*value).is_none() => true,
        Scev::Value(Operand::Value(value)) => {
            choices_of(function, *value).is_some_and(|choices| choices.iter().all(known))
        }
        Scev::Value(Operand::Const(_)) => false,
        Scev::Add(_, terms) | Scev::Mul(_, terms) | Scev::SMax(terms) | Scev::SMin(terms) => {
            terms.iter().all(known)
        }
        Scev::UMax(terms) | Scev::UMin(terms) => terms.iter().all(known),
        Scev::Rec { start, step, of, .. } => {
            let turns = function.loops.get(of.0 as usize).and_then(|known| known.back_edges.as_ref());
            known(start) && known(step) && turns.is_some_and(known)
        }
        Scev::ZExt(_, x) | Scev::SExt(_, x) | Scev::Trunc(_, x) => known(x),
        Scev::UDiv(..) | Scev::PtrToInt(..) | Scev::Unknown => false,
    }
}

/// The addresses among which a pointer was chosen, as two buffers that change places are: those that phis and selects
/// start from, told in terms of what is behind them. None where one of them is something else.
pub fn choices_of(function: &Function, pointer: ValueId) -> Option<Vec<Scev>> {
    let chooses = |id: ValueId| {
        let inst = function.inst(id)?;
        matches!(inst.op, Op::Phi { .. } | Op::Select).then_some(inst)
    };
    if !function.value_type(pointer).is_pointer() || chooses(pointer).is_none() {
        return None;
    }
    let (mut seen, mut waiting, mut found) = (BTreeSet::new(), vec![pointer], Vec::new());
    while let Some(id) = waiting.pop() {
        let Some(inst) = chooses(id).filter(|_| seen.insert(id)) else { continue };
        // What is not followed may lead anywhere.
        if seen.len() > MOST_CHOICES {
            return None;
        }
        let chosen = if inst.op == Op::Select { &inst.operands[1..] } else { &inst.operands[..] };
        for operand in chosen {
            match operand.value().filter(|value| chooses(*value).is_some()) {
                Some(value) => waiting.push(value),
                None => found.push(address_of(function, operand)?),
            }
        }
    }
    Some(found)
}

/// A parameter, or a place some steps behind one.
fn address_of(function: &Function, pointer: &Operand) -> Option<Scev> {
    let Some(inst) = function.inst(pointer.value()?) else { return Some(Scev::Value(pointer.clone())) };
    let Op::Gep(gep) = &inst.op else { return None };
    let mut terms = vec![address_of(function, &inst.operands[0])?];
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        terms.push(match (stride, index) {
            (Stride::Field(bytes), _) => word(i128::from(*bytes)),
            (Stride::Scale(bytes), Operand::Const(index)) => word(index.as_signed()? * i128::from(*bytes)),
            (Stride::Scale(bytes), Operand::Value(_)) => {
                Scev::Mul(Wrap::default(), vec![word(i128::from(*bytes)), index_of(function, index)?])
            }
            (Stride::Unknown, _) => return None,
        });
    }
    Some(Scev::Add(Wrap::default(), terms))
}

/// An integer parameter, or one that was made wider.
fn index_of(function: &Function, index: &Operand) -> Option<Scev> {
    let Some(inst) = function.inst(index.value()?) else { return Some(Scev::Value(index.clone())) };
    let inner = || index_of(function, &inst.operands[0]).map(Box::new);
    match &inst.op {
        Op::Cast(CastOp::SExt) => Some(Scev::SExt(64, inner()?)),
        Op::Cast(CastOp::ZExt) => Some(Scev::ZExt(64, inner()?)),
        _ => None,
    }
}

fn word(value: i128) -> Scev {
    Scev::Const { bits: 64, value }
}

impl Separation {
    /// The same of the same function with other numbers; parameters keep theirs.
    pub fn renumbered(&self, function: &Function, number: &dyn Fn(ValueId) -> ValueId) -> Separation {
        let mut renumbered = self.clone();
        for (id, address, _) in renumbered.extents.values_mut().flat_map(|extent| &mut extent.accesses) {
            *id = number(*id);
            let known = function.memory.get(id).and_then(|fact| fact.address.clone());
            *address = known.unwrap_or(Scev::Unknown);
        }
        for parting in &mut renumbered.partings {
            (parting.load, parting.store) = (number(parting.load), number(parting.store));
            for (id, _) in parting.clauses.iter_mut().flatten().flat_map(|condition| &mut condition.terms) {
                // Parameters keep theirs.
                *id = if (id.0 as usize) < function.params.len() { *id } else { number(*id) };
            }
        }
        renumbered
    }

    /// The parameters that are apart where the test holds.
    pub fn params(&self) -> BTreeSet<ValueId> {
        self.extents.keys().copied().collect()
    }

    /// What the test asks, as text; `apart` is how it is said of memory.
    pub fn describe(
        &self,
        param: &dyn Fn(ValueId) -> String,
        global: &dyn Fn(&str) -> String,
        apart: &str,
    ) -> String {
        let params = self.extents.keys().map(|id| param(*id));
        let names: Vec<String> = params.chain(self.globals.keys().map(|name| global(name))).collect();
        let memory = (!names.is_empty()).then(|| format!("{} {apart}", names.join(", ")));
        let clauses = self.clauses();
        let numbers = (!clauses.is_empty()).then(|| describe_clauses(clauses.into_iter(), param));
        memory.into_iter().chain(numbers).collect::<Vec<String>>().join(" and ")
    }

    /// What is so where the test fails, as text.
    pub fn describe_failing(
        &self,
        param: &dyn Fn(ValueId) -> String,
        global: &dyn Fn(&str) -> String,
    ) -> String {
        let memory =
            Separation { partings: Vec::new(), ..self.clone() }.describe(param, global, "overlapping");
        let clauses = self.clauses();
        let numbers =
            (!clauses.is_empty()).then(|| format!("not {}", describe_clauses(clauses.into_iter(), param)));
        let memory = (!memory.is_empty()).then_some(memory);
        memory.into_iter().chain(numbers).collect::<Vec<String>>().join(", or ")
    }

    pub fn is_empty(&self) -> bool {
        self.extents.is_empty() && self.partings.is_empty()
    }

    /// What is asked of numbers, each clause once.
    pub fn clauses(&self) -> BTreeSet<&Either> {
        self.partings.iter().flat_map(|parting| &parting.clauses).collect()
    }

    /// What may be believed behind the test.
    pub fn found(&self) -> Apart {
        let pairs = self.partings.iter().map(|parting| (parting.load, parting.store)).collect();
        Apart { bases: self.bases(), pairs }
    }

    /// All memory that is apart where the test holds.
    pub fn bases(&self) -> BTreeSet<Base> {
        let params = self.extents.keys().copied().map(Base::Param);
        params.chain(self.globals.keys().cloned().map(Base::Global)).collect()
    }
}

/// All clauses as text.
pub fn describe_clauses<'a>(
    clauses: impl Iterator<Item = &'a Either>,
    name: &dyn Fn(ValueId) -> String,
) -> String {
    let describe = |either: &Either| {
        let each: Vec<String> = either.iter().map(|condition| condition.describe(name)).collect();
        if each.len() > 1 { format!("({})", each.join(" or ")) } else { each.concat() }
    };
    let all: Vec<String> = clauses.map(describe).collect();
    if all.is_empty() { "the loops run as they do".into() } else { all.join(" and ") }
}
