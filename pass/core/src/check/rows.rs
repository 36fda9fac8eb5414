//! A row of memory in the array of a loop's records holds what the loads of each pass find.
//!
//! The loads run in every pass, and nothing in the loop leaves it on another way, so all of the row lies in memory that the loop reads or
//! between two such places. Nothing in the loop writes to it. Each load reads where the plan says: that is tried with numbers, since
//! addresses are sums of products, and two of them that agree for many numbers are one. In integers of fewer bits than addresses have a
//! promise is asked for that they do not wrap.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::role::Role;
use super::writers::Counted;
use super::{Obligation, Proof};
use crate::dependence::overwriting::Overwriting;
use crate::dependence::runs::find_apart_in_runs;
use crate::model::{
    BlockId, CastOp, Constant, Flags, FloatKind, Gep, Inst, IntOp, Object, Op, Operand, Ordering, Stride,
    Type, ValueId,
};
use crate::plan::{Fetch, Item, Merge, Row, Rows};
use crate::request::Mode;

/// The numbers of passes that are tried, and how often with other numbers outside.
const PASSES: [u64; 4] = [0, 1, 2, 7];
const TRIALS: u64 = 4;

/// How an integer is read where it is made wider.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reading {
    Signed,
    Unsigned,
}

/// The loop around a row.
struct Around {
    header: BlockId,
    latch: BlockId,
    body: Rc<BTreeSet<BlockId>>,
}

impl<'a> Proof<'a> {
    pub fn check_rows(&mut self) {
        let mut problems = Vec::new();
        let mut given = BTreeSet::new();
        for (header, all) in &self.plan.rows {
            let found = self.find_row_loop(*header, all).and_then(|around| {
                all.rows.iter().try_for_each(|row| {
                    let new = row.loads.keys().all(|load| given.insert(*load));
                    new.then_some(()).ok_or("two rows hold what one load finds")?;
                    self.find_row_fault(&around, row)
                })
            });
            problems.extend(found.err().map(|problem| format!("the rows of ^{}: {problem}", header.0)));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Rows, problem));
    }

    fn find_row_loop(&self, header: BlockId, all: &Rows) -> Result<Around, &'static str> {
        let plan = self.plan;
        if plan.request.mode != Mode::Gradient || plan.request.nested {
            return Err("others may look into the array");
        }
        let array = plan.arrays.get(&header).ok_or("there is no array for them")?;
        if array.in_frame.is_some() || plan.strips.contains_key(&header) || plan.fused.contains_key(&header) {
            return Err("not all passes have their records at one time");
        }
        let Some(Merge::Count { latch, .. }) = plan.merges.get(&header).map(|merge| &merge.choice) else {
            return Err("the passes of the loop are not counted");
        };
        let around = Around { header, latch: *latch, body: self.body_of(header) };
        let outside = |to: &&BlockId| !around.body.contains(to);
        if !self.paths.successors(header).iter().filter(outside).eq([&all.exit]) {
            return Err("where the loop is left they are not found again");
        }
        let insts = around.body.iter().flat_map(|block| &self.function.block(*block).insts);
        let calls = insts.filter_map(|id| self.function.inst(*id)).filter(|inst| inst.op.call().is_some());
        let returns = |inst: &'a Inst| {
            self.leaves_memory_alone(inst)
                && (matches!(self.role(inst), Role::Row { .. })
                    || inst.callee_name().is_some_and(|name| name.starts_with("llvm.")))
        };
        calls.into_iter().all(returns).then_some(around).ok_or("a call may leave the loop")
    }

    fn find_row_fault(&self, around: &Around, row: &Row) -> Result<(), &'static str> {
        let inside = row.block != around.header && around.body.contains(&row.block);
        if !inside || !self.paths.dominates(row.block, around.latch) {
            return Err("the block does not run in each pass");
        }
        let array = &self.plan.arrays[&around.header];
        if !array.blocks.contains(&row.block) || !row.loads.contains_key(&row.first) || row.step == 0 {
            return Err("the array does not hold what the block reads");
        }
        if !row.leads.iter().all(|lead| row.loads.contains_key(lead)) {
            return Err("what records it is no load of it");
        }
        let mut pairs = BTreeSet::new();
        for (load, offset) in &row.loads {
            let size = self.find_load_size(row, *load)?;
            if offset + size > row.span {
                return Err("a load reads behind its end");
            }
            // What it reads was recorded in this pass or one before, or lies in front of all that is recorded.
            let leads = row.leads.iter().filter_map(|lead| row.loads.get(lead));
            let recorded = |lead: &u64| {
                lead >= offset && (lead - offset).is_multiple_of(row.step) && *lead <= row.front()
            };
            if !leads.into_iter().any(recorded) {
                return Err("what a load reads is nowhere recorded");
            }
            pairs.extend(self.find_stores_into(around, *load)?.into_iter().map(|store| (*load, store)));
            self.find_other_place(around, row, *load, *offset)?;
        }
        self.find_missing_step(around, row)?;
        let overwriting = self.overwriting.get_or_init(|| Overwriting::of(self.function, self.program));
        let tested = |object: &Object| {
            let found = self.plan.apart.as_ref().map(|test| test.found());
            found.is_some_and(|found| found.covers(object))
        };
        let apart = find_apart_in_runs(overwriting, self.program, &pairs, &tested);
        (apart == pairs).then_some(()).ok_or("a store of the loop may change it")
    }

    fn find_load_size(&self, row: &Row, load: ValueId) -> Result<u64, &'static str> {
        let inst = self.function.inst(load).filter(|_| self.paths.home(load) == Some(row.block));
        let Some((inst, Op::Load(access))) = inst.map(|inst| (inst, &inst.op)) else {
            return Err("what it holds is no load of the block");
        };
        if access.volatile || access.ordering != Ordering::NotAtomic {
            return Err("a load of it is no ordinary one");
        }
        let item = Item::Value(load);
        let recorded = self.plan.records.get(&row.block).is_some_and(|items| items.contains(&item));
        if !recorded || self.plan.fresh.get(&item) != Some(&Fetch::WithBlock) {
            return Err("what a load finds is not recorded as the block ends");
        }
        match inst.ty {
            Type::Float(FloatKind::Single) => Ok(4),
            Type::Float(FloatKind::Double) => Ok(8),
            _ => Err("a load of it reads no simple number"),
        }
    }

    /// The stores of the loop that may change what a load finds.
    fn find_stores_into(&self, around: &Around, load: ValueId) -> Result<Vec<ValueId>, &'static str> {
        let Some(inst) = self.function.inst(load) else { return Err("it holds nothing") };
        let writers = self.writers(Counted::All, inst);
        let mut stores = Vec::new();
        for block in around.body.iter() {
            let insts = &self.function.block(*block).insts;
            let mut from = 0;
            while let Some(at) = writers.first_from(*block, from) {
                match self.function.inst(insts[at]).map(|inst| &inst.op) {
                    Some(Op::Store(_)) => stores.push(insts[at]),
                    _ => return Err("something in the loop may change it"),
                }
                from = at + 1;
            }
        }
        Ok(stores)
    }

    /// Tries whether a load reads so far behind the first one of the first pass.
    fn find_other_place(
        &self,
        around: &Around,
        row: &Row,
        load: ValueId,
        offset: u64,
    ) -> Result<(), &'static str> {
        let address = |id: ValueId| self.function.inst(id).map(|inst| &inst.operands[0]);
        let (Some(first), Some(own)) = (address(row.first), address(load)) else {
            return Err("it holds nothing");
        };
        for trial in 0..TRIALS {
            let at = |operand: &Operand, pass| {
                let numbers = Numbers { proof: self, around, trial, pass, known: RefCell::default() };
                numbers.read(operand, Reading::Signed).ok_or("an address is no sum of products")
            };
            let start = at(first, 0)?;
            for pass in PASSES {
                let expected = start.wrapping_add(row.step.wrapping_mul(pass)).wrapping_add(offset);
                if at(own, pass)? != expected {
                    return Err("a load reads elsewhere");
                }
            }
        }
        Ok(())
    }

    /// The first address can be computed where the loop is entered: what of it is computed inside is computed once more.
    fn find_missing_step(&self, around: &Around, row: &Row) -> Result<(), &'static str> {
        let inside = |id: &ValueId| self.paths.home(*id).is_some_and(|home| around.body.contains(&home));
        let mut waiting: Vec<ValueId> =
            self.function.inst(row.first).and_then(|inst| inst.operands[0].value()).into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if !inside(&id) || !seen.insert(id) {
                continue;
            }
            let Some(inst) = self.function.inst(id).filter(|_| row.again.contains(&id)) else {
                return Err("where it begins is not known on entry");
            };
            if !matches!(inst.op, Op::Phi { .. }) {
                waiting.extend(inst.operands.iter().filter_map(Operand::value));
            }
        }
        (seen == row.again).then_some(()).ok_or("more is computed on entry than its address")
    }
}

/// One choice of numbers for what the loop does not change, and one of its passes.
struct Numbers<'p, 'a> {
    proof: &'p Proof<'a>,
    around: &'p Around,
    trial: u64,
    pass: u64,
    known: RefCell<BTreeMap<(ValueId, Reading), u64>>,
}

impl Numbers<'_, '_> {
    /// A number of 64 bits, made of narrower ones as they are read.
    fn read(&self, operand: &Operand, reading: Reading) -> Option<u64> {
        let id = match operand {
            Operand::Value(id) => *id,
            Operand::Const(constant) => return self.read_constant(constant),
        };
        if let Some(known) = self.known.borrow().get(&(id, reading)) {
            return Some(*known);
        }
        let inside = self.proof.paths.home(id).is_some_and(|home| self.around.body.contains(&home));
        let number = match self.compute(id, reading) {
            // What is no sum of products is any number, as long as the loop does not change it.
            None if !inside => self.chosen(u64::from(id.0), self.proof.function.value_type(id)),
            computed => computed?,
        };
        self.known.borrow_mut().insert((id, reading), number);
        Some(number)
    }

    fn compute(&self, id: ValueId, reading: Reading) -> Option<u64> {
        let inst = self.proof.function.inst(id)?;
        let promised = match (&inst.ty, reading) {
            (Type::Int(64) | Type::Ptr(_), _) => Flags::default(),
            (_, Reading::Signed) => Flags::NSW,
            (_, Reading::Unsigned) => Flags::NUW,
        };
        match &inst.op {
            Op::Phi { from } => self.count(id, from, promised, reading),
            Op::Gep(gep) => {
                let base = self.read(&inst.operands[0], Reading::Signed)?;
                Some(base.wrapping_add(self.offset(gep, &inst.operands[1..])?))
            }
            Op::Cast(CastOp::SExt) => self.read(&inst.operands[0], Reading::Signed),
            Op::Cast(CastOp::ZExt) => self.read(&inst.operands[0], Reading::Unsigned),
            Op::Int(op) if inst.flags.has(promised) => {
                let read = |at: usize| self.read(&inst.operands[at], reading);
                let fixed = matches!(inst.operands[1], Operand::Const(_));
                match op {
                    IntOp::Add => Some(read(0)?.wrapping_add(read(1)?)),
                    IntOp::Sub => Some(read(0)?.wrapping_sub(read(1)?)),
                    IntOp::Mul => Some(read(0)?.wrapping_mul(read(1)?)),
                    IntOp::Shl if fixed => {
                        Some(read(0)?.wrapping_mul(1u64.checked_shl(u32::try_from(read(1)?).ok()?)?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn read_constant(&self, constant: &Constant) -> Option<u64> {
        match constant {
            Constant::Offset { base, bytes } => Some(self.read_constant(base)?.wrapping_add(*bytes as u64)),
            Constant::Symbol { name, .. } => {
                let number =
                    name.bytes().fold(7u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
                Some(self.chosen(number, &Type::PTR))
            }
            _ => constant.as_signed().map(|number| number as u64),
        }
    }

    /// A small number for an integer, and a larger one for an address.
    fn chosen(&self, of: u64, ty: &Type) -> u64 {
        let mixed = (of.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.trial.wrapping_mul(0xbf58_476d_1ce4_e5b9))
            .wrapping_mul(0x94d0_49bb_1331_11eb);
        match ty {
            Type::Ptr(_) => (1 << 40) + (mixed >> 30),
            Type::Int(bits) if *bits < 24 => mixed >> 60,
            _ => mixed >> 46,
        }
    }

    /// What a counter of the loop has come to.
    fn count(&self, id: ValueId, from: &[BlockId], promised: Flags, reading: Reading) -> Option<u64> {
        let proof = self.proof;
        let phi = proof.function.inst(id).filter(|_| proof.paths.home(id) == Some(self.around.header))?;
        let ends = |latch: bool| {
            let mut ends =
                from.iter().zip(&phi.operands).filter(|(block, _)| (**block == self.around.latch) == latch);
            ends.next().map(|(_, operand)| operand).filter(|_| ends.next().is_none())
        };
        let next = proof.function.inst(ends(true)?.value()?).filter(|next| next.flags.has(promised))?;
        let start = self.read(ends(false)?, reading)?;
        let [base, by, ..] = &next.operands[..] else { return None };
        if *base != Operand::Value(id) {
            return None;
        }
        let step = match (&next.op, by) {
            (Op::Int(IntOp::Add), Operand::Const(by)) => by.as_signed()? as u64,
            (Op::Int(IntOp::Sub), Operand::Const(by)) => (by.as_signed()? as u64).wrapping_neg(),
            (Op::Gep(gep), Operand::Const(_)) if next.operands.len() == 2 => {
                self.offset(gep, &next.operands[1..])?
            }
            _ => return None,
        };
        Some(start.wrapping_add(step.wrapping_mul(self.pass)))
    }

    /// The bytes that an address computation adds.
    fn offset(&self, gep: &Gep, indices: &[Operand]) -> Option<u64> {
        let mut sum = 0u64;
        for (index, stride) in indices.iter().zip(&gep.strides) {
            let by = match stride {
                Stride::Field(bytes) => *bytes,
                Stride::Scale(bytes) => self.read(index, Reading::Signed)?.wrapping_mul(*bytes),
                Stride::Unknown => return None,
            };
            sum = sum.wrapping_add(by);
        }
        Some(sum)
    }
}
