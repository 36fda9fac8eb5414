//! Was it right to say what moved bytes are?
//!
//! Program as written + program with types for what is moved → faults. Each instruction still does the same to the same
//! bytes, and where an integer was taken for a float or a pointer, or a copy for members, nobody touches what lies there
//! as anything else.

use std::collections::BTreeMap;

use super::counted::{Seeing, Seen};
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::{Fault, Obligation};
use crate::model::{CastOp, Function, Inst, Layout, Op, Operand, Program, Type, ValueId};

/// `origins` tells for each value of a function which one it was, where their numbers changed.
pub fn check_settled(
    written: &Program,
    settled: &Program,
    origins: &BTreeMap<String, Vec<ValueId>>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (before, after) in written.functions.iter().zip(&settled.functions) {
        if before == after {
            continue;
        }
        let same: Vec<ValueId> = (0..(after.params.len() + after.insts.len()) as u32).map(ValueId).collect();
        let origins = origins.get(&after.name).unwrap_or(&same);
        let layout = Layout::parse(&settled.layout);
        let pair = Pair { before, after, origins, layout, now: Seeing::of(after, settled) };
        let found = pair.find_faults();
        faults.extend(found.into_iter().map(|message| Fault {
            obligation: Obligation::NothingUnknown,
            function: after.name.clone(),
            message,
        }));
    }
    faults
}

struct Pair<'a> {
    before: &'a Function,
    after: &'a Function,
    origins: &'a [ValueId],
    layout: Layout,
    now: Seeing<'a>,
}

impl Pair<'_> {
    fn find_faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        // What became of each instruction, in order.
        let mut pieces: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        for id in self.after.inst_ids() {
            match self.origins.get(id.0 as usize) {
                Some(origin) => pieces.entry(*origin).or_default().push(id),
                None => faults.push(format!("%{} comes from nothing", id.0)),
            }
        }
        for id in self.before.inst_ids() {
            let Some(old) = self.before.inst(id) else { continue };
            let problem = match pieces.get(&id).map(Vec::as_slice) {
                Some([one]) if memory_call(old) != Some(MemoryCall::Copy) => self.compare(old, *one),
                Some(several) => self.compare_copy(old, several),
                None => (!self.copies_nothing(old)).then_some("is gone"),
            };
            faults.extend(problem.map(|problem| format!("%{} {problem}", id.0)));
        }
        for id in self.after.inst_ids() {
            let Some(inst) = self.after.inst(id) else { continue };
            let old = self.origins.get(id.0 as usize).and_then(|id| self.before.inst(*id));
            if old.is_some_and(|old| self.moved_as(inst) != old_type(self.before, old))
                && self.is_doubtful(id, inst)
            {
                faults.push(format!(
                    "%{} moves as {:?} what others take for something else",
                    id.0,
                    self.moved_as(inst)
                ));
            }
        }
        faults
    }

    /// The old value that a new operand stands for.
    fn old(&self, operand: &Operand) -> Operand {
        match operand {
            Operand::Value(id) => Operand::Value(self.origins.get(id.0 as usize).copied().unwrap_or(*id)),
            Operand::Const(_) => operand.clone(),
        }
    }

    /// An instruction that is still one does the same, with as many bits.
    fn compare(&self, old: &Inst, id: ValueId) -> Option<&'static str> {
        let new = self.after.inst(id)?;
        if old.op != new.op || old.operands.len() != new.operands.len() {
            return Some("does something else");
        }
        if self.layout.size_in_bits(&old.ty) != self.layout.size_in_bits(&new.ty) {
            return Some("is of another size");
        }
        let alike = old.operands.iter().zip(&new.operands).all(|(before, after)| match (before, after) {
            (Operand::Const(x), Operand::Const(y)) => {
                self.layout.size_in_bits(&x.ty()) == self.layout.size_in_bits(&y.ty())
            }
            _ => *before == self.old(after),
        });
        if alike { None } else { Some("has other operands") }
    }

    /// Loads of all members, one behind the other, then stores of what was loaded.
    fn compare_copy(&self, old: &Inst, pieces: &[ValueId]) -> Option<&'static str> {
        if let [one] = pieces {
            return self.compare(old, *one);
        }
        let (mut loaded, mut stored) = (Vec::new(), Vec::new());
        for id in pieces {
            let inst = self.after.inst(*id)?;
            match inst.op {
                Op::Load(_) if stored.is_empty() => {
                    loaded.push((*id, self.place_of(&inst.operands[0], pieces)?))
                }
                Op::Store(_) => {
                    stored.push((inst.operands[0].value()?, self.place_of(&inst.operands[1], pieces)?))
                }
                Op::Gep(_) => {}
                _ => return Some("became something else"),
            }
        }
        let length = match old.operands.get(2) {
            Some(Operand::Const(bytes)) => bytes.as_signed()?,
            _ => return Some("copies a number of bytes that is not known"),
        };
        let mut end = 0;
        for ((value, (from, at)), (kept, (to, there))) in loaded.iter().zip(&stored) {
            let whole = value == kept && at == there && *at == end;
            if !whole || self.old(from) != old.operands[1] || self.old(to) != old.operands[0] {
                return Some("does not copy every byte to its place");
            }
            end += i128::from(self.layout.store_size(self.after.value_type(*value))?);
        }
        (loaded.len() != stored.len() || end != length).then_some("does not copy as many bytes")
    }

    /// Whether what is copied was never written: a slot that nothing but copies from there and the marks of its life know.
    fn copies_nothing(&self, copy: &Inst) -> bool {
        let slot = copy.operands.get(1).and_then(Operand::value);
        let made =
            slot.and_then(|id| self.before.inst(id)).is_some_and(|inst| matches!(inst.op, Op::Alloca(_)));
        let harmless = |inst: &Inst| {
            let mark = inst.callee_name().is_some_and(|name| name.starts_with("llvm.lifetime"));
            let from_it = memory_call(inst) == Some(MemoryCall::Copy) && inst.operands[0].value() != slot;
            mark || from_it
        };
        let uses = |inst: &&Inst| inst.operands.iter().any(|x| x.value() == slot);
        let copies = memory_call(copy) == Some(MemoryCall::Copy);
        copies && made && self.before.insts.iter().filter(uses).all(harmless)
    }

    /// A pointer as one of the copy's, and how many bytes behind it.
    fn place_of(&self, pointer: &Operand, pieces: &[ValueId]) -> Option<(Operand, i128)> {
        let made = pointer.value().filter(|id| pieces.contains(id)).and_then(|id| self.after.inst(id));
        match made {
            None => Some((pointer.clone(), 0)),
            Some(inst) => match &inst.operands[..] {
                [start, Operand::Const(bytes)] => Some((start.clone(), bytes.as_signed()?)),
                _ => None,
            },
        }
    }

    fn moved_as(&self, inst: &Inst) -> Option<Type> {
        old_type(self.after, inst)
    }

    /// Whether somebody touches what an access moves as something else. An integer that is an integer still, and what is
    /// not told, is judged by others.
    fn is_doubtful(&self, id: ValueId, inst: &Inst) -> bool {
        let Some(ty) = self.moved_as(inst).filter(|ty| ty.holds_float() || ty.holds_pointer()) else {
            return false;
        };
        let pointer = match inst.op {
            Op::Load(_) => &inst.operands[0],
            Op::Store(_) => &inst.operands[1],
            _ => return false,
        };
        let bytes = i128::from(self.layout.store_size(&ty).unwrap_or(0));
        // Nothing is added to the shadow of a word of ours while it holds an integer, so it may be moved as the float that it
        // is at other times.
        let own = matches!(ty, Type::Float(_)) && self.is_own(pointer);
        let in_union =
            |seen: &Seen, at: i128| own && seen.ty.is_none() && 0 <= at && at + seen.bytes <= bytes;
        let other = |seen: &Seen, at: i128| {
            if in_union(seen, at) {
                return false;
            }
            let kept = seen.ty.as_ref().is_some_and(|kept| kept != ty.scalar() || at % seen.bytes != 0);
            seen.by != id && (seen.counted || kept)
        };
        self.now.meets(pointer, self.layout.store_size(&ty).unwrap_or(0), &other)
    }
}

impl Pair<'_> {
    /// Whether a pointer leads only to memory that this call makes, and that nobody learns the address of: it is stored nowhere
    /// and given to nobody but to those who copy, fill and free.
    fn is_own(&self, pointer: &Operand) -> bool {
        let places = self.now.named(pointer);
        let made = |place: &Place| matches!(place, Place::Slot(_) | Place::Made(_));
        let leads = |x: &Operand| !self.now.named(x).is_disjoint(&places);
        let tells = |inst: &Inst| match &inst.op {
            Op::Store(_) => leads(&inst.operands[0]),
            Op::Call(_) | Op::Invoke { .. } => {
                memory_call(inst).is_none() && !is_mark(inst) && inst.operands.iter().any(leads)
            }
            Op::Ret | Op::Cast(CastOp::PtrToInt) | Op::Opaque { .. } => inst.operands.iter().any(leads),
            _ => false,
        };
        !places.is_empty() && places.iter().all(made) && !self.after.insts.iter().any(tells)
    }
}

/// What says something of memory and does nothing with it.
fn is_mark(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg."))
}

fn old_type(function: &Function, inst: &Inst) -> Option<Type> {
    function.accessed_type(inst)
}
