//! How everything in a function depends on some sources.
//!
//! Function + sources → [`Trace`]. Lattice: for each value, and for what each access of memory finds or leaves, a class for
//! every source (see `class`), and nothing depends on anything at first. Direction: with the flow of values, which in SSA form
//! need no order; what a read finds is what any of the writes that reach it has left. Transfer: table 2, over SSA values.
//! What is decided by a condition, or found at an address, that depends on a source is nonlinear in it.
//! Safe error: upwards in the classes.
//! Does not know: numbers that copies of bytes have put together from parts of other numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::algebra::{Algebra, algebra_of};
use super::callee::Callees;
use super::depends::{Depends, Source};
use super::reaching::Reaching;
use super::steering::Steering;
use crate::analyses::exceptions::{is_guarded, is_marker};
use crate::analyses::meaning::Meaning;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::summary::Output;
use crate::model::{BlockId, CastOp, Constant, FloatKind, Inst, Op, Operand, Type, ValueId};
use crate::rules::{Reduction, Row, Shape};

/// What a source is: the thing itself, wherever it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seed {
    Value(ValueId),
    /// What a read finds, or a write leaves.
    Touch(TouchId),
}

/// The sources that each stands for.
pub type Seeds = BTreeMap<Seed, BTreeSet<Source>>;

/// A function with what does not depend on the sources.
pub struct Ground<'b, 'a> {
    pub body: &'b Body<'a>,
    pub reaching: Reaching,
    pub steering: Steering,
}

impl<'b, 'a> Ground<'b, 'a> {
    pub fn of(body: &'b Body<'a>) -> Ground<'b, 'a> {
        Ground { body, reaching: Reaching::of(body), steering: Steering::of(body.function, body.flow()) }
    }
}

pub struct Trace<'g, 'b, 'a> {
    ground: &'g Ground<'b, 'a>,
    seeds: Seeds,
    values: Vec<Depends>,
    touches: Vec<Depends>,
}

/// Follows what comes from the seeds through a function.
pub fn trace<'g, 'b, 'a>(
    ground: &'g Ground<'b, 'a>,
    seeds: Seeds,
    callees: &dyn Callees,
) -> Trace<'g, 'b, 'a> {
    let function = ground.body.function;
    let values = vec![Depends::default(); function.params.len() + function.insts.len()];
    let touches = vec![Depends::default(); ground.body.touches.len()];
    let mut trace = Trace { ground, seeds, values, touches };
    if trace.seeds.is_empty() {
        return trace;
    }
    let order = ground.body.flow().dominator_order();
    while order.iter().fold(false, |grew, block| trace.run_block(*block, callees) | grew) {}
    trace
}

impl Trace<'_, '_, '_> {
    /// How a value depends on the sources; as one of them it does not stand for itself here.
    pub fn value(&self, id: ValueId) -> &Depends {
        &self.values[id.0 as usize]
    }

    /// The same for what a write leaves, and for what a read finds.
    pub fn touch(&self, id: TouchId) -> &Depends {
        &self.touches[id.0 as usize]
    }

    /// As those see it who use it.
    pub fn operand(&self, operand: &Operand) -> Depends {
        operand.value().map_or_else(Depends::default, |id| self.seen(self.value(id), Seed::Value(id)))
    }

    pub fn touched(&self, id: TouchId) -> Depends {
        self.seen(self.touch(id), Seed::Touch(id))
    }

    /// What a read at the function's end finds.
    pub fn at_exit(&self, read: TouchId) -> Depends {
        self.found(read)
    }

    fn seen(&self, depends: &Depends, seed: Seed) -> Depends {
        let sources = self.seeds.get(&seed).into_iter().flatten();
        sources.fold(depends.clone(), |all, source| all.or(&Depends::on(*source)))
    }

    fn run_block(&mut self, block: BlockId, callees: &dyn Callees) -> bool {
        let body = self.ground.body;
        let mut grew = false;
        for id in &body.function.block(block).insts {
            let Some(inst) = body.function.inst(*id) else { continue };
            for read in body.touches_of(*id, Kind::Read).collect::<Vec<_>>() {
                let found = self.found(read).or(&self.place_of(read));
                grew |= self.touches[read.0 as usize].join(&found);
            }
            let called = match body.meaning(inst) {
                Meaning::Call(_) if memory_call(inst).is_none() => callees.called(self, *id, inst),
                _ => BTreeMap::new(),
            };
            let result = self.compute(block, *id, inst, &called);
            grew |= self.values[id.0 as usize].join(&result);
            for write in body.touches_of(*id, Kind::Write).collect::<Vec<_>>() {
                let left = self.left(*id, inst, write, &called).or(&self.place_of(write));
                let left = left.or(&self.steering(block));
                grew |= self.touches[write.0 as usize].join(&left);
            }
        }
        grew
    }

    /// Of what any of the writes has left that a read may find.
    fn found(&self, read: TouchId) -> Depends {
        let writes = self.ground.reaching.found(read).iter().map(|found| found.write);
        writes.fold(Depends::default(), |all, write| {
            let left = self.touched(write);
            let whole = left.is_constant() || self.reads_as_written(read, write);
            all.or(&if whole { left } else { left.nonlinear() })
        })
    }

    /// Whether a read finds numbers as they were written, not bits of them.
    pub fn reads_as_written(&self, read: TouchId, write: TouchId) -> bool {
        let body = self.ground.body;
        let shape = |touch: TouchId| {
            let inst = body.touch(touch).inst().and_then(|id| body.function.inst(id))?;
            let ty = body.function.accessed_type(inst)?;
            let (access, bits) = (inst.op.access()?, bits_of(ty.scalar())?);
            let float = ty.is_real().then(|| ty.scalar().clone());
            Some((bits, float, access.align * 8 >= u64::from(bits)))
        };
        let (Some(reads), Some(writes)) = (shape(read), shape(write)) else {
            // Callers and called functions keep to the types of what they share.
            return true;
        };
        // A number may travel as an integer of its size.
        let alike = reads.0 == writes.0 && (reads.1 == writes.1 || reads.1.is_none() || writes.1.is_none());
        let addresses = body.touch(read).address.as_ref().zip(body.touch(write).address.as_ref());
        let apart = addresses.and_then(|(x, y)| x.distance(y));
        let aligned = reads.2 && writes.2 || apart.is_some_and(|apart| apart % i128::from(reads.0 / 8) == 0);
        alike && aligned
    }

    /// Where it is that an access touches.
    fn place_of(&self, touch: TouchId) -> Depends {
        let touch = self.ground.body.touch(touch);
        let address = touch.address.iter().flat_map(|address| address.values());
        let length = touch.length.as_ref().and_then(Operand::value);
        let made_of = address.chain(length).map(Operand::Value);
        made_of.fold(Depends::default(), |all, part| all.or(&self.operand(&part).nonlinear()))
    }

    fn conditions<'v>(&self, values: impl IntoIterator<Item = &'v ValueId>) -> Depends {
        let values = values.into_iter().map(|id| Operand::Value(*id));
        values.fold(Depends::default(), |all, value| all.or(&self.operand(&value).nonlinear()))
    }

    fn all(&self, operands: &[Operand]) -> Depends {
        operands.iter().fold(Depends::default(), |all, operand| all.or(&self.operand(operand)))
    }

    fn read_by(&self, id: ValueId) -> Depends {
        let reads = self.ground.body.touches_of(id, Kind::Read);
        reads.fold(Depends::default(), |all, read| all.or(&self.touched(read)))
    }

    /// Any function of its operands and of what it reads.
    fn anything(&self, id: ValueId, inst: &Inst) -> Depends {
        self.all(&inst.operands).or(&self.read_by(id)).nonlinear()
    }

    /// Whether calls throw, and what, is decided by all that they are given and find.
    fn thrown(&self) -> Depends {
        let guarded = self.ground.body.insts().filter(|(_, inst)| is_guarded(inst));
        guarded.fold(Depends::default(), |all, (id, inst)| all.or(&self.anything(id, inst)))
    }

    fn compute(
        &self,
        block: BlockId,
        id: ValueId,
        inst: &Inst,
        called: &BTreeMap<Output, Depends>,
    ) -> Depends {
        match &inst.op {
            Op::Phi { .. } => {
                let steering = self.conditions(self.ground.steering.of_entering(block));
                return self.all(&inst.operands).or(&steering);
            }
            Op::Load(_) => return self.read_by(id).or(&self.all(&inst.operands).nonlinear()),
            _ if inst.callee_name().is_some_and(is_marker) => return self.thrown(),
            _ if memory_call(inst).is_some() => return self.all(&inst.operands).nonlinear(),
            _ => {}
        }
        match self.ground.body.meaning(inst) {
            Meaning::Row { row, operands, shape: Shape::Value } => self.apply_row(row, &operands),
            Meaning::Move => self.moved(id, inst),
            Meaning::Reduction(Reduction::Add) => {
                let all = self.all(inst.arguments());
                // Of lanes with denominators each may have its own.
                if all.whole().is_polynomial() { all } else { all.nonlinear() }
            }
            Meaning::Bits if matches!(inst.op, Op::Cast(CastOp::BitCast)) => self.cast_bits(id, inst),
            Meaning::Call(_) => match called.get(&Output::Result) {
                Some(result) => result.clone(),
                None => self.anything(id, inst),
            },
            Meaning::Row { .. }
            | Meaning::Reduction(_)
            | Meaning::Memory
            | Meaning::Bits
            | Meaning::Inactive(_)
            | Meaning::Control
            | Meaning::Foreign(_)
            | Meaning::Opaque(_) => self.anything(id, inst),
        }
    }

    /// Table 2.
    fn apply_row(&self, row: &Row, operands: &[Operand]) -> Depends {
        let all = self.all(operands);
        let x = |at: usize| self.operand(&operands[at]);
        match algebra_of(row.name) {
            _ if all.is_constant() => all,
            Some(Algebra::Sum) => {
                (0..row.operands.len()).map(x).fold(Depends::default(), |sum, part| sum.plus(&part))
            }
            Some(Algebra::Product) => x(0).times(&x(1)),
            Some(Algebra::Quotient) => x(0).divided_by(&x(1)),
            Some(Algebra::ProductAndSum) => x(0).times(&x(1)).plus(&x(2)),
            Some(Algebra::Power) => match whole_number(&operands[1]) {
                Some(exponent) => x(0).power(exponent),
                None => all.nonlinear(),
            },
            Some(Algebra::Scaling) if x(1).is_constant() => x(0),
            Some(Algebra::Choice) => x(1).or(&x(2)).or(&x(0).nonlinear()),
            Some(Algebra::Scaling) | None => all.nonlinear(),
        }
    }

    /// Parts of values, and values made of parts. Behind the first operands stands where the part is.
    fn moved(&self, id: ValueId, inst: &Inst) -> Depends {
        let x = |at: usize| self.operand(&inst.operands[at]);
        match &inst.op {
            Op::Freeze | Op::Cast(_) | Op::ExtractValue { .. } => x(0),
            Op::ShuffleVector { .. } | Op::InsertValue { .. } => x(0).or(&x(1)),
            Op::Select => x(1).or(&x(2)).or(&x(0).nonlinear()),
            Op::ExtractElement => x(0).or(&x(1).nonlinear()),
            Op::InsertElement => x(0).or(&x(1)).or(&x(2).nonlinear()),
            _ => self.anything(id, inst),
        }
    }

    /// A number may travel as an integer of its size.
    fn cast_bits(&self, id: ValueId, inst: &Inst) -> Depends {
        let from = self.ground.body.function.operand_type(&inst.operands[0]);
        match bits_of(from.scalar()) == bits_of(inst.ty.scalar()) {
            true => self.operand(&inst.operands[0]),
            false => self.anything(id, inst),
        }
    }

    /// What a write leaves.
    fn left(&self, id: ValueId, inst: &Inst, write: TouchId, called: &BTreeMap<Output, Depends>) -> Depends {
        match (&inst.op, memory_call(inst), self.ground.body.touch(write).place) {
            (Op::Store(_), ..) => self.operand(&inst.operands[0]),
            (_, Some(MemoryCall::Copy), _) => self.read_by(id),
            (_, Some(MemoryCall::Allocate { .. } | MemoryCall::Free { .. }), _) => Depends::default(),
            (_, None, Some(place)) => match called.get(&Output::Place(place)) {
                Some(left) => left.clone(),
                None => self.anything(id, inst),
            },
            _ => self.anything(id, inst),
        }
    }

    /// What decides whether a block runs.
    pub fn steering(&self, block: BlockId) -> Depends {
        self.conditions(self.ground.steering.of_running(block))
    }

    pub fn body(&self) -> &Body<'_> {
        self.ground.body
    }
}

fn bits_of(ty: &Type) -> Option<u32> {
    match ty {
        Type::Int(bits) => Some(*bits),
        Type::Float(kind) => Some(kind.bits()),
        Type::Ptr(_) => Some(64),
        _ => None,
    }
}

/// An exponent that is a whole number, as an integer or as a double.
fn whole_number(operand: &Operand) -> Option<i128> {
    let Operand::Const(constant) = operand else { return None };
    match constant {
        Constant::Float { kind: FloatKind::Double, bits } => {
            let value = f64::from_bits(u64::try_from(*bits).ok()?);
            (value.fract() == 0.0 && value.abs() <= 64.0).then_some(value as i128)
        }
        _ => constant.as_signed(),
    }
}
