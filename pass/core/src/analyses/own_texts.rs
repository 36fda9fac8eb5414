//! Memory of this call that holds a text, or other integers, and nothing else: what an argument is copied to before it is passed.
//!
//! An allocation + activity → whether neither an active number nor a pointer is ever put there, by anyone under any name. What is copied
//! from there over other memory carries nothing along, as a constant text does not.
//! Safe error: no.

use std::collections::BTreeSet;

use super::activity::Activity;
use super::filled_outside::fills;
use super::memory_calls::{MemoryCall, memory_call};
use super::plain_callees::find_handling;
use super::pointers::Base;
use crate::model::{CastOp, Function, Inst, Op, Operand, Program, Type, ValueId};

pub struct OwnTexts<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub activity: &'a Activity,
}

impl OwnTexts<'_> {
    /// Whether a pointer leads to nothing but constants that hold neither floats nor pointers, and memory that holds none either.
    pub fn is_text(&self, pointer: &Operand) -> bool {
        self.leads_to_text(pointer, &mut BTreeSet::new())
    }

    fn leads_to_text(&self, pointer: &Operand, asked: &mut BTreeSet<Base>) -> bool {
        let bases = self.activity.bases(pointer);
        !bases.is_empty() && bases.iter().all(|base| self.holds_text(base, asked))
    }

    /// Memory that is asked about while it is asked about gets nothing from itself.
    fn holds_text(&self, base: &Base, asked: &mut BTreeSet<Base>) -> bool {
        if let Base::Global(name) = base {
            return self.program.global(name).is_some_and(|global| {
                let bare = !global.ty.holds_float() && !global.ty.holds_pointer();
                global.constant && bare && global.initial.is_some()
            });
        }
        if asked.contains(base) {
            return true;
        }
        if let Some(known) = self.activity.known_words().texts.borrow().get(base) {
            return *known;
        }
        let outermost = asked.is_empty();
        asked.insert(base.clone());
        let holds = self.is_private(base)
            && self.function.insts.iter().all(|inst| self.keeps_text(inst, base, asked));
        // What was found while others were asked about may rest on them.
        if outermost || !holds {
            self.activity.known_words().texts.borrow_mut().insert(base.clone(), holds);
        }
        holds
    }

    /// Whether this call made the memory, it has no shadow, and nobody out of sight finds it.
    fn is_private(&self, base: &Base) -> bool {
        let unseen = || !self.activity.reached_from(&BTreeSet::from([Base::Unknown])).contains(base);
        base.is_local() && base.made_by().is_some() && !self.activity.has_shadow(base) && unseen()
    }

    /// Whether what an instruction puts into the memory is neither an active number nor a pointer.
    fn keeps_text(&self, inst: &Inst, base: &Base, asked: &mut BTreeSet<Base>) -> bool {
        let leads = |x: &Operand| self.activity.allocations(x).contains(base);
        match &inst.op {
            Op::Store(_) if leads(&inst.operands[1]) => {
                let value = &inst.operands[0];
                is_small_integer(&self.function.operand_type(value))
                    && !self.activity.is_varied(value)
                    && self.is_no_piece(value)
            }
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. } => {
                !inst.operands.iter().any(leads)
            }
            Op::Call(_) | Op::Invoke { .. } => match memory_call(inst) {
                Some(MemoryCall::Copy) if leads(&inst.operands[0]) => {
                    self.leads_to_text(&inst.operands[1], asked)
                }
                Some(_) => true,
                None => self.is_kept_by_call(inst, base),
            },
            _ => true,
        }
    }

    /// Whether an integer is no piece of an address, nor made of one: nothing that it is computed from was read from memory with a shadow,
    /// or told by who was given some. What a comparison says is none.
    fn is_no_piece(&self, value: &Operand) -> bool {
        let mut seen = BTreeSet::new();
        let mut open: Vec<ValueId> = value.value().into_iter().collect();
        while let Some(id) = open.pop() {
            let Some(inst) = self.function.inst(id).filter(|_| seen.insert(id)) else { continue };
            match &inst.op {
                Op::ICmp(_) | Op::FCmp(_) => {}
                Op::Load(_) | Op::Call(_) | Op::Invoke { .. } => {
                    if inst.operands.iter().any(|x| self.activity.is_shadowed(x)) {
                        return false;
                    }
                }
                Op::Int(_)
                | Op::Select
                | Op::Freeze
                | Op::Phi { .. }
                | Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::FpToSi | CastOp::FpToUi) => {
                    open.extend(inst.operands.iter().filter_map(Operand::value));
                }
                _ => return false,
            }
        }
        true
    }

    fn is_kept_by_call(&self, call: &Inst, base: &Base) -> bool {
        let followed = call.callee_name().is_some_and(|name| self.program.is_followed(name));
        if !followed || self.program.is_declared_inactive(call) {
            let mut given =
                (0..).zip(call.arguments()).filter(|(_, x)| self.activity.allocations(x).contains(base));
            let life = call.callee_name().is_some_and(|name| name.starts_with("llvm.lifetime."));
            // What other intrinsics put there is no call's.
            let kept = !call.callee_name().is_some_and(|name| name.starts_with("llvm."));
            return given.all(|(at, _): (usize, _)| {
                life || kept && !fills(self.program, call, at, &mut BTreeSet::new())
            });
        }
        let reaches = |x: &Operand| self.activity.reached_from(&self.activity.bases(x)).contains(base);
        let leading: BTreeSet<usize> =
            (0..).zip(call.arguments()).filter(|(_, x)| reaches(x)).map(|(at, _)| at).collect();
        leading.is_empty()
            || !call.arguments().iter().any(|x| self.activity.is_shadowed(x))
                && find_handling(call, leading, self.program)
                    .is_some_and(|handling| handling.touched.iter().all(|(ty, _)| is_small_integer(ty)))
    }
}

/// Whether no address fits into an integer of that type.
fn is_small_integer(ty: &Type) -> bool {
    matches!(ty, Type::Int(bits) if *bits < 64)
}
