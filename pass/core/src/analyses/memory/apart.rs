//! Can two places of memory have a byte in common, at whatever moments of one call of the function?
//!
//! By allocation, then by the bytes of it, then by dependence testing. Alias answers of the host are not asked: they
//! hold for one moment only.
//! Safe error: they can.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

use super::touch::{Spot, Touch, TouchId};
use crate::analyses::pointers::{Base, Pointers};
use crate::dependence::access::{Accesses, collect_accesses};
use crate::dependence::finding::{Finding, test_pair};
use crate::dependence::nesting::Nesting;
use crate::dependence::objects::{is_alone, is_only_named, is_storage};
use crate::model::{Function, Program, ValueId};

/// Beyond so many dependence tests in one function accesses of one allocation count as meeting.
const MOST_TESTS: usize = 5_000;

/// Answers about one function, each found once.
pub struct Apartness<'a> {
    program: &'a Program,
    function: &'a Function,
    captured: BTreeSet<Base>,
    accesses: Accesses,
    places: HashMap<ValueId, usize>,
    known: RefCell<HashMap<(TouchId, TouchId), bool>>,
    tests: Cell<usize>,
}

impl<'a> Apartness<'a> {
    pub fn new(
        program: &'a Program,
        function: &'a Function,
        nesting: &Nesting<'a>,
        captured: BTreeSet<Base>,
    ) -> Apartness<'a> {
        let accesses = collect_accesses(nesting);
        let places = accesses.list.iter().enumerate().map(|(at, access)| (access.inst, at)).collect();
        let (known, tests) = (RefCell::default(), Cell::new(0));
        Apartness { program, function, captured, accesses, places, known, tests }
    }

    pub fn may_meet(&self, nesting: &Nesting, touches: &[Touch], first: TouchId, second: TouchId) -> bool {
        let pair = (first.min(second), first.max(second));
        if let Some(known) = self.known.borrow().get(&pair) {
            return *known;
        }
        let answer = self.find(nesting, &touches[first.0 as usize], &touches[second.0 as usize]);
        self.known.borrow_mut().insert(pair, answer);
        answer
    }

    fn find(&self, nesting: &Nesting, first: &Touch, second: &Touch) -> bool {
        let meet = first.bases.iter().any(|x| {
            second.bases.iter().any(|y| match x == y {
                // Of two allocations at one place of the program, each has its own bytes.
                true => first.span.meets(&second.span),
                false => self.may_be_one(x, y),
            })
        });
        meet && !self.are_proved_apart(nesting, first, second)
    }

    /// Whether two different bases may be the same memory.
    fn may_be_one(&self, first: &Base, second: &Base) -> bool {
        use Base::{Global, Heap, Loaded, Null, Param, Returned, Stack, Unknown};
        let foreign = |base: &Base| self.captured.contains(base);
        match (first, second) {
            (Null, _) | (_, Null) => false,
            // Whoever is out of sight may name it, by calling who does.
            (Global(name), Param(_) | Loaded(_) | Returned(_))
            | (Param(_) | Loaded(_) | Returned(_), Global(name))
                if is_only_named(self.program, name) =>
            {
                false
            }
            // Two allocations, or an allocation and what existed before it.
            (Stack(_) | Heap(_), Stack(_) | Heap(_) | Param(_) | Global(_))
            | (Param(_) | Global(_), Stack(_) | Heap(_)) => false,
            (local @ (Stack(_) | Heap(_)), Loaded(_) | Returned(_) | Unknown)
            | (Loaded(_) | Returned(_) | Unknown, local @ (Stack(_) | Heap(_))) => foreign(local),
            (Param(p), Param(q)) => !self.is_alone(*p) && !self.is_alone(*q),
            (Param(p), Global(_)) | (Global(_), Param(p)) => !self.is_alone(*p),
            (param @ Param(p), Loaded(_) | Returned(_) | Unknown)
            | (Loaded(_) | Returned(_) | Unknown, param @ Param(p)) => !self.is_alone(*p) || foreign(param),
            (Global(a), Global(b)) => !(is_storage(self.program, a) && is_storage(self.program, b)),
            (Global(_) | Loaded(_) | Returned(_) | Unknown, Loaded(_) | Returned(_) | Unknown)
            | (Loaded(_) | Returned(_) | Unknown, Global(_)) => true,
        }
    }

    fn is_alone(&self, param: ValueId) -> bool {
        is_alone(self.function, param)
    }

    /// Whether dependence testing shows that no two runs of the accesses meet.
    fn are_proved_apart(&self, nesting: &Nesting, first: &Touch, second: &Touch) -> bool {
        let place = |touch: &Touch| match touch.spot {
            Spot::Inst(id) => self.places.get(&id).copied(),
            Spot::Entry | Spot::Exit => None,
        };
        let (Some(first), Some(second)) = (place(first), place(second)) else { return false };
        if first == second || self.tests.get() >= MOST_TESTS {
            return false;
        }
        self.tests.set(self.tests.get() + 1);
        let order = |at: usize| {
            let access = &self.accesses.list[at];
            (nesting.position(access.block), access.inst)
        };
        let (early, late) = if order(first) <= order(second) { (first, second) } else { (second, first) };
        let pair = test_pair(self.program, nesting, &self.accesses, early, late);
        matches!(pair.finding, Finding::Independent { .. })
    }
}

/// Allocations, and parameters, of which a pointer may have got where it is not followed.
pub fn find_captured(
    function: &Function,
    pointers: &Pointers,
    captures: &dyn Fn(&crate::model::Inst, usize) -> bool,
) -> BTreeSet<Base> {
    use crate::model::{CastOp, Op};
    let mut captured = BTreeSet::new();
    for inst in function.inst_ids().filter_map(|id| function.inst(id)) {
        for (at, operand) in inst.operands.iter().enumerate() {
            let escapes = match &inst.op {
                Op::Store(_) | Op::Ret => at == 0,
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } => at > 0,
                Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr) => true,
                Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => captures(inst, at),
                Op::VaArg | Op::Resume | Op::Opaque { .. } | Op::LandingPad { .. } => true,
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
                | Op::Load(_)
                | Op::Gep(_)
                | Op::Fence { .. }
                | Op::Br { .. }
                | Op::CondBr { .. }
                | Op::Switch { .. }
                | Op::IndirectBr { .. }
                | Op::Unreachable => false,
            };
            if escapes {
                captured.extend(pointers.of_operand(operand));
            }
        }
    }
    captured
}
