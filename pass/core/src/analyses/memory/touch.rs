//! What each instruction reads and writes in memory: one [`Touch`] for each place.
//!
//! Function + summaries of what it calls → touches. A called function's touches are those of its summary, seen from the
//! call. Beside those of instructions there is a write at the entry for every place touched, and a read at the exit for
//! every place written, for what callers do before and after.
//! Safe error: a touch too many, too large, or not sure.

use std::collections::BTreeSet;

use super::address::{Address, Span};
use super::effects::{is_silent, promise_of};
use crate::analyses::meaning::{Meaning, meaning};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::{Base, Pointers};
use crate::analyses::summary::{Summaries, Summary};
use crate::dependence::nesting::Nesting;
use crate::model::{Constant, Function, Inst, Layout, LoopId, Op, Operand, Program, Type, ValueId};
use crate::rules::{Rules, Shape};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TouchId(pub u32);

#[derive(Clone, Debug)]
pub struct Touch {
    pub spot: Spot,
    pub kind: Kind,
    /// The allocations it may be in.
    pub bases: BTreeSet<Base>,
    /// Where it starts, where that is known.
    pub address: Option<Address>,
    /// Which bytes of its base.
    pub span: Span,
    /// How many bytes, where an operand says.
    pub length: Option<Operand>,
    /// Whether all of its bytes are touched each time.
    pub sure: bool,
    /// The place of the called function's summary that it stands for.
    pub place: Option<usize>,
    /// Of a caller's touch, the touch whose bytes it is about.
    pub like: Option<TouchId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    Inst(ValueId),
    Entry,
    Exit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Read,
    Write,
}

/// What enumeration asks.
pub struct Enumerator<'a> {
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub function: &'a Function,
    pub nesting: &'a Nesting<'a>,
    pub pointers: &'a Pointers,
    pub summaries: &'a Summaries,
    pub layout: Layout,
}

impl Enumerator<'_> {
    /// In program order, then those of the callers.
    pub fn list(&self) -> Vec<Touch> {
        let mut touches = Vec::new();
        for block in self.function.block_ids().filter(|block| self.nesting.flow.is_reachable(*block)) {
            for id in &self.function.block(block).insts {
                if let Some(inst) = self.function.inst(*id) {
                    self.touch(*id, inst, &mut touches);
                }
            }
        }
        self.add_callers(&mut touches);
        touches
    }

    /// What was written before the function, and is read after it.
    fn add_callers(&self, touches: &mut Vec<Touch>) {
        let mut all: Vec<Touch> = Vec::new();
        let mut note = |touch: Touch| {
            let same = |known: &Touch| {
                (known.spot, known.span, &known.bases) == (touch.spot, touch.span, &touch.bases)
                    && known.address == touch.address
                    && self.loop_of(touches, known) == self.loop_of(touches, &touch)
            };
            if !all.iter().any(same) {
                all.push(touch);
            }
        };
        for (at, touch) in touches.iter().enumerate() {
            for base in touch.bases.iter().filter(|base| !matches!(base, Base::Stack(_) | Base::Null)) {
                let only = touch.bases.len() == 1;
                let like = only.then_some(TouchId(at as u32));
                let around = |spot, kind| Touch {
                    spot,
                    kind,
                    bases: BTreeSet::from([base.clone()]),
                    address: touch.address.clone().filter(|_| only),
                    span: if only { touch.span } else { Span::ANY },
                    length: None,
                    sure: false,
                    place: None,
                    like,
                };
                if !base.is_local() {
                    note(around(Spot::Entry, Kind::Write));
                }
                if touch.kind == Kind::Write {
                    note(around(Spot::Exit, Kind::Read));
                }
            }
        }
        // What one pointer leads to may be reached by another, at places where this one is not used.
        let pointers = self.function.param_ids().filter(|id| self.function.value_type(*id).holds_pointer());
        let touched = touches.iter().flat_map(|touch| &touch.bases).filter(|base| !base.is_local()).cloned();
        let visible: BTreeSet<Base> = pointers.map(Base::Param).chain(touched).collect();
        // A pointer that is found somewhere may be one of those that were put there.
        let found = visible.iter().any(|base| !matches!(base, Base::Param(_) | Base::Global(_) | Base::Null));
        for base in visible.into_iter().filter(|base| *base != Base::Null) {
            for (spot, kind) in [(Spot::Entry, Kind::Write), (Spot::Exit, Kind::Read)] {
                let known = all.iter().any(|touch| touch.spot == spot && touch.bases.contains(&base));
                if !known || found || !self.is_alone(&base) {
                    let bases = BTreeSet::from([base.clone()]);
                    all.push(Touch { spot, bases, ..self.anywhere(ValueId(0), kind) });
                }
            }
        }
        touches.extend(all);
    }

    /// Whether no other parameter and no global leads to the same memory.
    fn is_alone(&self, base: &Base) -> bool {
        let Base::Param(id) = base else { return false };
        self.function.params[id.0 as usize].attributes.iter().any(|text| text == "noalias")
    }

    /// The innermost loop around the touch that a caller's touch is like.
    fn loop_of(&self, touches: &[Touch], touch: &Touch) -> Option<LoopId> {
        let home = touches[touch.like?.0 as usize].inst().and_then(|id| self.nesting.home(id))?;
        self.nesting.innermost(home)
    }

    fn touch(&self, id: ValueId, inst: &Inst, touches: &mut Vec<Touch>) {
        let sized = |ty: &Type| self.layout.store_size(ty);
        let mut note = |kind, pointer: &Operand, bytes, sure| {
            touches.push(self.direct(id, kind, pointer, bytes, sure));
        };
        match &inst.op {
            Op::Load(_) => note(Kind::Read, &inst.operands[0], sized(&inst.ty), true),
            Op::Store(_) => {
                let ty = self.function.operand_type(&inst.operands[0]);
                note(Kind::Write, &inst.operands[1], sized(&ty), true);
            }
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } => {
                let bytes = sized(&self.function.operand_type(&inst.operands[1]));
                note(Kind::Read, &inst.operands[0], bytes, true);
                let sure = matches!(inst.op, Op::AtomicRmw { .. });
                note(Kind::Write, &inst.operands[0], bytes, sure);
            }
            Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => self.touch_by_call(id, inst, touches),
            Op::VaArg | Op::Opaque { .. } => self.touch_everything(id, true, true, touches),
            Op::FNeg
            | Op::Float(_)
            | Op::Int(_)
            | Op::Cast(_)
            | Op::ICmp(_)
            | Op::FCmp(_)
            | Op::Select
            | Op::Freeze
            | Op::Attach(_)
            | Op::Phi { .. }
            | Op::ExtractElement
            | Op::InsertElement
            | Op::ShuffleVector { .. }
            | Op::ExtractValue { .. }
            | Op::InsertValue { .. }
            | Op::Alloca(_)
            | Op::Gep(_)
            | Op::Fence { .. }
            | Op::LandingPad { .. }
            | Op::Ret
            | Op::Br { .. }
            | Op::CondBr { .. }
            | Op::Switch { .. }
            | Op::IndirectBr { .. }
            | Op::Resume
            | Op::Unreachable => {}
        }
    }

    fn touch_by_call(&self, id: ValueId, inst: &Inst, touches: &mut Vec<Touch>) {
        if let Some(call) = memory_call(inst) {
            return self.touch_by_memory_call(id, inst, call, touches);
        }
        if is_silent(inst) {
            return;
        }
        match meaning(inst, self.function, self.program, self.rules) {
            Meaning::Row { shape: Shape::Stored { stored, .. }, .. } => {
                for (argument, _) in stored {
                    let pointer = &inst.arguments()[usize::from(*argument)];
                    touches.push(self.direct(id, Kind::Write, pointer, None, false));
                }
            }
            Meaning::Row { .. } | Meaning::Reduction(_) => {}
            Meaning::Call(name) if self.summaries.get(&name).is_some() => {
                if let Some(summary) = self.summaries.get(&name) {
                    self.touch_by_summary(id, inst, summary, touches);
                }
            }
            _ => {
                let Some(promise) = inst.op.call().map(promise_of) else { return };
                if !promise.only_arguments {
                    return self.touch_everything(id, promise.reads, promise.writes, touches);
                }
                for pointer in
                    inst.arguments().iter().filter(|x| self.function.operand_type(x).holds_pointer())
                {
                    if promise.reads {
                        touches.push(self.direct(id, Kind::Read, pointer, None, false));
                    }
                    if promise.writes {
                        touches.push(self.direct(id, Kind::Write, pointer, None, false));
                    }
                }
            }
        }
    }

    fn touch_by_memory_call(&self, id: ValueId, inst: &Inst, call: MemoryCall, touches: &mut Vec<Touch>) {
        let arguments = inst.arguments();
        let mut sized = |kind, pointer: &Operand| {
            let length = &arguments[2];
            let bytes = match length {
                Operand::Const(constant) => constant.as_signed().and_then(|bytes| u64::try_from(bytes).ok()),
                Operand::Value(_) => None,
            };
            let touch = self.direct(id, kind, pointer, bytes, true);
            touches.push(Touch { length: Some(length.clone()), ..touch });
        };
        match call {
            // Memory that did not exist before holds nothing that anybody could look for.
            MemoryCall::Allocate { .. } => {}
            MemoryCall::Free { pointer } => {
                let pointer = &arguments[usize::from(pointer)];
                let touch = self.direct(id, Kind::Write, pointer, None, false);
                touches.push(Touch { span: Span::ANY, ..touch });
            }
            MemoryCall::Copy => {
                sized(Kind::Read, &arguments[1]);
                sized(Kind::Write, &arguments[0]);
            }
            MemoryCall::Fill => sized(Kind::Write, &arguments[0]),
        }
    }

    fn touch_by_summary(&self, id: ValueId, inst: &Inst, summary: &Summary, touches: &mut Vec<Touch>) {
        for (number, place) in summary.places.iter().enumerate() {
            let mut note = |kind, sure| {
                let mut touch = match &place.base {
                    Base::Param(param) => match inst.arguments().get(param.0 as usize) {
                        Some(pointer) => self.behind(id, kind, pointer, place.span),
                        None => self.anywhere(id, kind),
                    },
                    Base::Global(name) => {
                        let symbol = Constant::Symbol { name: name.clone(), space: 0 };
                        self.behind(id, kind, &Operand::Const(symbol), place.span)
                    }
                    _ => self.anywhere(id, kind),
                };
                touch.sure = sure && touch.address.is_some();
                touch.place = Some(number);
                touches.push(touch);
            };
            if place.used {
                note(Kind::Read, false);
            }
            if place.written {
                note(Kind::Write, place.killed);
            }
        }
    }

    /// A place counted from where a pointer leads.
    fn behind(&self, id: ValueId, kind: Kind, pointer: &Operand, span: Span) -> Touch {
        let touch = self.direct(id, kind, pointer, span.bytes, false);
        let outer = Span { bytes: Some(0), ..touch.span };
        let address =
            touch.address.filter(|_| span.stride == 0).and_then(|address| address.moved(span.offset));
        let span = if touch.span.stride == 1 { touch.span } else { span.shifted(&outer) };
        Touch { address, span, ..touch }
    }

    fn touch_everything(&self, id: ValueId, reads: bool, writes: bool, touches: &mut Vec<Touch>) {
        if reads {
            touches.push(self.anywhere(id, Kind::Read));
        }
        if writes {
            touches.push(self.anywhere(id, Kind::Write));
        }
    }

    fn anywhere(&self, id: ValueId, kind: Kind) -> Touch {
        Touch {
            spot: Spot::Inst(id),
            kind,
            bases: BTreeSet::from([Base::Unknown]),
            address: None,
            span: Span::ANY,
            length: None,
            sure: false,
            place: None,
            like: None,
        }
    }

    fn direct(&self, id: ValueId, kind: Kind, pointer: &Operand, bytes: Option<u64>, sure: bool) -> Touch {
        let bases = self.pointers.of_operand(pointer);
        let address = Address::of(self.function, pointer);
        let mut only = bases.iter();
        let span = match (only.next(), only.next()) {
            (Some(base), None) if self.starts_at(base, &address.root) => address.span(bytes),
            _ => Span { bytes, ..Span::ANY },
        };
        Touch {
            spot: Spot::Inst(id),
            kind,
            bases,
            address: Some(address),
            span,
            length: None,
            sure,
            place: None,
            like: None,
        }
    }

    /// Whether a value is computed at most once in a call of the function.
    fn is_once(&self, id: ValueId) -> bool {
        self.nesting.home(id).is_none_or(|home| !self.nesting.flow.is_cyclic(home))
    }

    /// Whether a pointer is the start of an allocation, the same one whenever it is computed.
    fn starts_at(&self, base: &Base, root: &Operand) -> bool {
        match (base, root) {
            (Base::Param(id) | Base::Stack(id) | Base::Heap(id), Operand::Value(root)) => id == root,
            (Base::Loaded(id), Operand::Value(root)) => id == root && self.is_once(*id),
            (Base::Global(name), Operand::Const(Constant::Symbol { name: root, .. })) => name == root,
            _ => false,
        }
    }
}

impl Touch {
    pub fn inst(&self) -> Option<ValueId> {
        match self.spot {
            Spot::Inst(id) => Some(id),
            Spot::Entry | Spot::Exit => None,
        }
    }
}
