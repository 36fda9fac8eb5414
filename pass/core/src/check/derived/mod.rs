//! Is the derivative function what its plan says? Plan + primal + derived function → every fault.
//!
//! ```text
//! well-formed  the model's verifier finds nothing
//! forward      the copies are the primal: same blocks, order, operands and control flow
//! cells        a value's cell is written once, behind the value's copy; the number of an edge where it is entered
//! backward     blocks go back by the planned edges; in each, instructions last to first; each takes its adjoint,
//!              leaves zero, and adds what it took to the adjoints of its operands and of nothing else
//! cursor       the tape's state block is up to date wherever somebody else may use the tape
//! put off      what is freed later is on a list that is closed on every way out
//! widened      forward mode over records: both sides of a record have its tangents behind it
//! restored     a cell is counted or taken back where the plan says, and not read after; what is computed again is
//!              computed from what is at hand
//! ```
//!
//! Does not know: whether what is added is the right multiple of what was taken. That is the oracle's business. Nor
//! what shadows do: of a function with active memory it is only proved that it is well-formed.
//! Relies on one convention of `derive`: cells are allocated in the entry block in the order of the plan (kept
//! values, recorded edges, the returned value, then adjoints, each lane after lane, and the tape with its cursor).

mod backward;
mod cells;
mod copied_pointers;
mod cursor;
mod events;
mod forward;
mod put_off;
mod restored;
mod tape;
mod widened;

use std::collections::{BTreeMap, BTreeSet};

use super::paths::Paths;
use super::{Fault, Obligation};
use crate::model::{
    Access, Alloca, BlockId, Constant, Function, Global, GlobalDerivative, Inst, Layout, Linkage, Op,
    Operand, Program, Type, ValueId, verify,
};
use crate::plan::{Plan, Slot};
use crate::request::Mode;
use crate::rules::Rules;
use cells::Cell;

/// Every way in which the function written from a plan departs from it.
pub fn check_derived(
    plan: &Plan,
    function: &Function,
    program: &Program,
    rules: &Rules,
    derived: &Function,
) -> Vec<Fault> {
    let mut proof = Derivative {
        plan,
        function,
        program,
        rules,
        derived,
        paths: Paths::of(function),
        homes: Paths::of(derived),
        blocks: BTreeMap::new(),
        values: BTreeMap::new(),
        again: Vec::new(),
        copies: BTreeSet::new(),
        seam: None,
        cells: BTreeMap::new(),
        faults: Vec::new(),
    };
    if plan.joint.is_some() {
        // Which function it calls is all that it decides, and the runtime keeps its records.
        proof.check_well_formed();
        return proof.faults;
    }
    if plan.request.mode.is_reverse() {
        proof.check_cursor();
        proof.check_put_off();
        proof.check_copied_pointers();
    } else {
        proof.check_widened();
    }
    proof.check_well_formed();
    // What is not well-formed cannot be followed. With memory and with calls of other derivatives, sweeps are proved by
    // the interpreter against the oracle, not here.
    if plan.activity.memory().next().is_some() || !plan.calls.is_empty() || plan.request.nested {
        return proof.faults;
    }
    if proof.faults.is_empty() {
        proof.check_forward();
    }
    if proof.faults.is_empty() && plan.request.mode.is_reverse() && proof.find_cells() {
        proof.check_cells();
        proof.check_layout();
        proof.check_again();
        if plan.request.mode != Mode::Augmented {
            proof.check_backward();
        }
    }
    proof.faults
}

/// A derived function under examination.
struct Derivative<'a> {
    plan: &'a Plan,
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    derived: &'a Function,
    /// Of the primal.
    paths: Paths,
    /// Of the derived function.
    homes: Paths,
    /// The copy of each block and of each instruction of the primal.
    blocks: BTreeMap<BlockId, BlockId>,
    values: BTreeMap<ValueId, ValueId>,
    /// What is computed again outside the forward sweep: by which instruction, and of which.
    again: Vec<(ValueId, ValueId)>,
    /// The blocks of the forward sweep.
    copies: BTreeSet<BlockId>,
    /// Where all returns of the primal meet.
    seam: Option<BlockId>,
    cells: BTreeMap<ValueId, Cell>,
    faults: Vec<Fault>,
}

impl<'a> Derivative<'a> {
    fn report(&mut self, obligation: Obligation, message: impl Into<String>) {
        let function = self.derived.name.clone();
        self.faults.push(Fault { obligation, function, message: message.into() });
    }

    fn insts(&self, block: BlockId) -> impl DoubleEndedIterator<Item = (ValueId, &'a Inst)> + use<'a> {
        let derived = self.derived;
        derived.block(block).insts.iter().filter_map(|id| Some((*id, derived.inst(*id)?)))
    }

    fn terminator(&self, block: BlockId) -> Option<&'a Inst> {
        self.derived.inst(self.derived.terminator(block)?)
    }

    /// What stands for a primal operand in the forward sweep.
    fn image(&self, operand: &Operand) -> Option<Operand> {
        let Operand::Value(value) = operand else { return Some(operand.clone()) };
        let slot = Slot::Primal { param: value.0 as usize };
        let param = self.plan.params.iter().position(|wanted| *wanted == slot);
        let param = param.filter(|_| (value.0 as usize) < self.function.params.len());
        let param = param.map(|at| ValueId(at as u32));
        param.or_else(|| self.values.get(value).copied()).map(Operand::Value)
    }

    /// The derived function alone, its accesses given the sizes that its target's layout gives them.
    fn check_well_formed(&mut self) {
        let layout = Layout::parse(&self.program.layout);
        let mut function = self.derived.clone();
        let accessed: Vec<Option<Type>> =
            function.insts.iter().map(|inst| self.derived.accessed_type(inst)).collect();
        for (inst, accessed) in function.insts.iter_mut().zip(accessed) {
            match &mut inst.op {
                Op::Alloca(alloca) if alloca.align == 0 => {
                    *alloca = Alloca::usual(&alloca.allocated, &layout)
                }
                op => {
                    if let Some(access) = op.access_mut().filter(|access| access.align == 0) {
                        *access = Access::usual(accessed, &layout);
                    }
                }
            }
        }
        let globals = declare_symbols(&function);
        let (layout, files) = (self.program.layout.clone(), self.program.files.clone());
        let alone =
            Program { layout, files, globals, functions: vec![function].into(), ..Program::default() };
        for violation in verify(&alone) {
            self.report(Obligation::WellFormed, violation.to_string());
        }
    }
}

/// Declarations of whatever a function names.
fn declare_symbols(function: &Function) -> Vec<Global> {
    let mut names = BTreeSet::new();
    for operand in function.insts.iter().flat_map(|inst| &inst.operands) {
        if let Operand::Const(constant) = operand {
            constant.walk(&mut |part| {
                if let Constant::Symbol { name, .. } = part {
                    names.insert(name.clone());
                }
            });
        }
    }
    names.remove(&function.name);
    let declare = |name| Global {
        name,
        ty: Type::PTR,
        space: 0,
        constant: false,
        linkage: Linkage::Declared,
        thread_local: false,
        address_taken: false,
        only_named: false,
        derivative: GlobalDerivative::Made,
        initial: None,
    };
    names.into_iter().map(declare).collect()
}
