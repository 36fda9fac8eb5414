//! The two halves of a call that runs twice, see `plan/joint`.
//!
//! The first saves the places that the function reads, and runs it as it is. The second puts them back, saving what lies there now,
//! runs the whole gradient, and leaves memory as it has found it. Whether the places are found is asked in the first half and
//! written on the tape above whatever else is there; where they are not, the halves that record as they go are called.

use std::collections::BTreeMap;

use super::Source;
use super::builder::Builder;
use super::separation::{Interval, Ranges, WIDE, wide};
use super::signature::{slot_operand, start_function};
use super::tape::{call_runtime, function_name};
use crate::model::{
    Access, Alloca, BlockId, CastOp, Constant, Function, Gep, IntOp, IntPredicate, LoopId, Op, Operand, Scev,
    Stride, Type, ValueId,
};
use crate::plan::joint::{Memory, Place, Runs, Test, Touch, Way};
use crate::plan::{Joint, Slot, variant_name};
use crate::request::{Mode, parts_type};

/// The word above the records of a call: whether it runs twice.
const FLAG: u64 = 8;

pub fn write_half(source: &Source, joint: &Joint, name: &str) -> Function {
    let mut builder = start_function(source, name);
    let entry = builder.add_block("entry");
    builder.move_to(entry);
    builder.loc = source.function.loc;
    let Some(tape) = slot_operand(source, &builder, Slot::Tape) else {
        unreachable!("halves that derivatives call are given a tape")
    };
    let params = (0..source.function.params.len())
        .filter_map(|param| slot_operand(source, &builder, Slot::Primal { param }))
        .collect();
    let result = parts_type(&source.plan.results, source.function);
    let half = Half { source, joint, tape, params, result };
    match source.plan.request.mode {
        Mode::Augmented => half.write_first(&mut builder),
        _ => half.write_second(&mut builder),
    }
    builder.finish()
}

/// Whether ranges are those of whole places, or nothing where all that is read there has been written by the call itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Always,
    Filled,
}

struct Half<'a> {
    source: &'a Source<'a>,
    joint: &'a Joint,
    tape: Operand,
    /// The primal parameters.
    params: Vec<Operand>,
    result: Type,
}

impl Half<'_> {
    fn write_first(&self, builder: &mut Builder) {
        let places: Vec<&Place> = self.joint.places.iter().filter(|place| place.read).collect();
        let room = self.make_room(builder, places.len());
        let (mut found, saved) = self.find_ranges(builder, &places, Whole::Filled);
        // What the second half will keep has to be found as well.
        let unread: Vec<&Place> = self.joint.places.iter().filter(|place| !place.read).collect();
        let (also, _) = self.find_ranges(builder, &unread, Whole::Always);
        found = builder.push(Op::Int(IntOp::And), Type::BOOL, vec![found, also]);
        let (from, ways) = self.go_either_way(builder, found, |builder| {
            self.save(builder, &self.tape, &room, &saved);
            let name = self.source.function.name.clone();
            call_runtime(builder, &name, self.result.clone(), self.params.clone())
        });
        let flags = vec![word(1), word(0)];
        let flag = builder.push(Op::Phi { from: from.clone() }, Type::I64, flags);
        let whole = self.meet(builder, from, ways);
        let record =
            self.call_tape(builder, &self.tape, "bs_tape_push_slow", Type::PTR, vec![word(FLAG as i128)]);
        let access = Access::usual(Some(Type::I64), &builder.layout);
        builder.push(Op::Store(access), Type::Void, vec![flag, record]);
        builder.mark_last_integer();
        builder.push(Op::Ret, Type::Void, whole);
    }

    fn write_second(&self, builder: &mut Builder) {
        let places = self.kept();
        let room = self.make_room(builder, places.len());
        let record =
            self.call_tape(builder, &self.tape, "bs_tape_pop_slow", Type::PTR, vec![word(FLAG as i128)]);
        let access = Access::usual(Some(Type::I64), &builder.layout);
        let flag = builder.push(Op::Load(access), Type::I64, vec![record]);
        builder.mark_last_integer();
        let joint = builder.push(Op::ICmp(IntPredicate::Ne), Type::BOOL, vec![flag, word(0)]);
        let (from, ways) = self.go_either_way(builder, joint, |builder| {
            // A caller may keep the tape, and come back to it: nothing goes on it now.
            let aside = call_runtime(builder, "bs_tape_of_thread", Type::PTR, Vec::new());
            self.call_tape(builder, &self.tape, "bs_tape_recall", Type::Void, vec![aside.clone()]);
            let (_, kept) = self.find_ranges(builder, &places, Whole::Always);
            self.save(builder, &aside, &room, &kept);
            let slots = self.source.plan.params.iter().enumerate().filter(|(_, slot)| **slot != Slot::Tape);
            let given = slots.map(|(index, _)| builder.param(index)).collect();
            let name = variant_name(&self.joint.gradient);
            let whole = call_runtime(builder, &name, self.result.clone(), given);
            self.call_tape(builder, &aside, "bs_tape_restore", Type::Void, Vec::new());
            self.call_tape(builder, &aside, "bs_tape_restore", Type::Void, Vec::new());
            self.call_tape(builder, &self.tape, "bs_tape_forget", Type::Void, Vec::new());
            whole
        });
        let whole = self.meet(builder, from, ways);
        builder.push(Op::Ret, Type::Void, whole);
    }

    /// Where the test holds, what is to be done jointly, and elsewhere the half that records as it goes: the blocks that end the two
    /// ways, and what each has returned. Goes on where they meet.
    fn go_either_way(
        &self,
        builder: &mut Builder,
        test: Operand,
        do_jointly: impl FnOnce(&mut Builder) -> Operand,
    ) -> (Vec<BlockId>, Vec<Operand>) {
        let (jointly, apart, done) =
            (builder.add_block("jointly"), builder.add_block("apart"), builder.add_block("done"));
        builder.push(Op::CondBr { yes: jointly, no: apart }, Type::Void, vec![test]);
        builder.move_to(jointly);
        let once = do_jointly(builder);
        builder.push(Op::Br { to: done }, Type::Void, Vec::new());
        builder.move_to(apart);
        let every = (0..self.source.plan.params.len()).map(|index| builder.param(index)).collect();
        let split = call_runtime(builder, &variant_name(&self.joint.split), self.result.clone(), every);
        builder.push(Op::Br { to: done }, Type::Void, Vec::new());
        builder.move_to(done);
        (vec![jointly, apart], vec![once, split])
    }

    /// What the first half does not save, or perhaps not.
    fn kept(&self) -> Vec<&Place> {
        self.joint.places.iter().filter(|place| !place.read || place.fill.is_some()).collect()
    }

    /// What both ways return, if anything.
    fn meet(&self, builder: &mut Builder, from: Vec<BlockId>, ways: Vec<Operand>) -> Vec<Operand> {
        match self.result {
            Type::Void => Vec::new(),
            _ => vec![builder.push(Op::Phi { from }, self.result.clone(), ways)],
        }
    }

    fn call_tape(
        &self,
        builder: &mut Builder,
        tape: &Operand,
        name: &str,
        ty: Type,
        more: Vec<Operand>,
    ) -> Operand {
        let mut operands = vec![tape.clone()];
        operands.extend(more);
        operands.push(Operand::Const(function_name(self.source)));
        call_runtime(builder, name, ty, operands)
    }

    /// Room in the frame for the ranges of a snapshot.
    fn make_room(&self, builder: &mut Builder, count: usize) -> Operand {
        let range = Type::structure(vec![Type::PTR, Type::I64]);
        let room = Type::structure(vec![range; count.max(1)]);
        let op = Op::Alloca(Alloca::usual(&room, &builder.layout));
        builder.push(op, Type::PTR, vec![Operand::Const(Constant::int(32, 1))])
    }

    fn save(&self, builder: &mut Builder, tape: &Operand, room: &Operand, ranges: &[(Operand, Operand)]) {
        let pointers = Access::usual(Some(Type::PTR), &builder.layout);
        let words = Access::usual(Some(Type::I64), &builder.layout);
        for (at, (start, bytes)) in (0..).zip(ranges) {
            let place = step(builder, room, word(16 * at));
            builder.push(Op::Store(pointers.clone()), Type::Void, vec![start.clone(), place]);
            let place = step(builder, room, word(16 * at + 8));
            builder.push(Op::Store(words.clone()), Type::Void, vec![bytes.clone(), place]);
            builder.mark_last_integer();
        }
        let operands = vec![room.clone(), word(ranges.len() as i128)];
        self.call_tape(builder, tape, "bs_tape_save", Type::Void, operands);
    }

    /// Whether the places are found, and where each begins and how many bytes it has.
    fn find_ranges(
        &self,
        builder: &mut Builder,
        places: &[&Place],
        whole: Whole,
    ) -> (Operand, Vec<(Operand, Operand)>) {
        let touches = places.iter().flat_map(|place| match &place.memory {
            Memory::Param(_, touches) => touches.as_slice(),
            Memory::Global(..) => &[],
        });
        let mut values = Values { half: self, values: BTreeMap::new() };
        touches.for_each(|touch| values.compute_of(builder, touch));
        let values = values.values;
        let mut ranges = Ranges::of(self.source, builder, &self.params, values.clone());
        let found = places
            .iter()
            .map(|place| match &place.memory {
                Memory::Param(param, touches) => {
                    let param = &self.params[param.0 as usize];
                    let fill = place.fill.filter(|_| whole == Whole::Filled);
                    join_touches(&mut ranges, param, (touches, fill), &values)
                }
                Memory::Global(name, bytes) => {
                    let global = Constant::Symbol { name: name.clone(), space: 0 };
                    (Operand::Const(global), word(i128::from(*bytes)))
                }
            })
            .collect();
        (ranges.valid, found)
    }
}

/// From the lowest byte that is touched for certain up to the highest. What is touched perhaps has to lie between.
fn join_touches(
    ranges: &mut Ranges,
    param: &Operand,
    (touches, fill): (&[Touch], Option<usize>),
    values: &BTreeMap<ValueId, Operand>,
) -> (Operand, Operand) {
    // Nothing yet: beyond all addresses, from both sides.
    let (beyond, below) = (wide(1i128 << 100), wide(-(1i128 << 100)));
    let nothing: Interval = (beyond.clone(), below.clone());
    let (mut certain, mut perhaps) = (nothing.clone(), nothing.clone());
    let (mut read, mut filled) = (nothing.clone(), nothing);
    let mut seen: Vec<&Touch> = Vec::new();
    for (at, touch) in touches.iter().enumerate() {
        let alike = |known: &&&Touch| Touch { id: touch.id, ..(**known).clone() } == *touch;
        if fill != Some(at) && seen.iter().find(alike).is_some() {
            continue;
        }
        seen.push(touch);
        let mut given = match &touch.runs {
            Runs::Perhaps => None,
            Runs::Where(tests) => join_tests(ranges.builder, tests, values),
        };
        for of in &touch.asked {
            given = ask_turns(ranges, given, *of);
        }
        ranges.suppose(given.clone(), &touch.asked);
        let (low, high) = ranges.range_of(&touch.address);
        let (_, length) = ranges.range_of(&touch.length);
        let end = ranges.int(IntOp::Add, high, length);
        let (low, end) = match &given {
            Some(given) => {
                (select(ranges.builder, given, &low, &beyond), select(ranges.builder, given, &end, &below))
            }
            None => (low, end),
        };
        if fill == Some(at) {
            filled = (low.clone(), end.clone());
        }
        if fill.is_some() && touch.way == Way::Read {
            join(ranges, &mut read, (low.clone(), end.clone()));
        }
        join(ranges, if touch.runs == Runs::Perhaps { &mut perhaps } else { &mut certain }, (low, end));
    }
    ranges.suppose(None, &[]);
    let above = ranges.compare(IntPredicate::Sge, perhaps.0, certain.0.clone());
    let within = ranges.compare(IntPredicate::Sle, perhaps.1, certain.1.clone());
    ranges.require(above);
    ranges.require(within);
    let any = ranges.compare(IntPredicate::Slt, certain.0.clone(), certain.1.clone());
    let low = select(ranges.builder, &any, &certain.0, &wide(0));
    let bytes = ranges.int(IntOp::Sub, certain.1, certain.0);
    let mut bytes = select(ranges.builder, &any, &bytes, &wide(0));
    if fill.is_some() {
        let above = ranges.compare(IntPredicate::Sge, read.0, filled.0);
        let within = ranges.compare(IntPredicate::Sle, read.1, filled.1);
        let both = ranges.builder.push(Op::Int(IntOp::And), Type::BOOL, vec![above, within]);
        bytes = select(ranges.builder, &both, &wide(0), &bytes);
    }
    let narrow = |builder: &mut Builder, x| builder.push(Op::Cast(CastOp::Trunc), Type::I64, vec![x]);
    let low = narrow(ranges.builder, low);
    let start = step(ranges.builder, param, low);
    (start, narrow(ranges.builder, bytes))
}

fn join(ranges: &mut Ranges, joined: &mut Interval, (low, end): Interval) {
    joined.0 = ranges.choose(IntPredicate::Slt, joined.0.clone(), low);
    joined.1 = ranges.choose(IntPredicate::Sgt, joined.1.clone(), end);
}

/// Whether a loop goes round at all, where it goes round as often each time, and what was asked before.
fn ask_turns(ranges: &mut Ranges, given: Option<Operand>, of: LoopId) -> Option<Operand> {
    let Some(turns) = ranges.turns_of(of) else { return given };
    // What it goes by only matters where control comes to it.
    ranges.suppose(given.clone(), &[]);
    let (low, _) = ranges.range_of(&turns);
    let some = ranges.compare(IntPredicate::Sgt, low, wide(0));
    Some(match given {
        None => some,
        Some(given) => ranges.builder.push(Op::Int(IntOp::And), Type::BOOL, vec![given, some]),
    })
}

/// Whether all tests come out as they should; none where there are none.
fn join_tests(builder: &mut Builder, tests: &[Test], values: &BTreeMap<ValueId, Operand>) -> Option<Operand> {
    let mut all = None;
    for test in tests {
        let mut holds = values.get(&test.value).cloned()?;
        if !test.holds {
            let truth = Operand::Const(Constant::bool(true));
            holds = builder.push(Op::Int(IntOp::Xor), Type::BOOL, vec![holds, truth]);
        }
        all = Some(match all {
            None => holds,
            Some(others) => builder.push(Op::Int(IntOp::And), Type::BOOL, vec![others, holds]),
        });
    }
    all
}

/// What a function computes on entry, computed there once more.
struct Values<'a> {
    half: &'a Half<'a>,
    values: BTreeMap<ValueId, Operand>,
}

impl Values<'_> {
    fn compute_of(&mut self, builder: &mut Builder, touch: &Touch) {
        self.compute_in(builder, &touch.address);
        self.compute_in(builder, &touch.length);
        let function = self.half.source.function;
        for turns in touch.asked.iter().filter_map(|of| function.loops[of.0 as usize].back_edges.as_ref()) {
            self.compute_in(builder, turns);
        }
        if let Runs::Where(tests) = &touch.runs {
            tests.iter().for_each(|test| drop(self.compute(builder, test.value)));
        }
    }

    fn compute_in(&mut self, builder: &mut Builder, scev: &Scev) {
        let (mut found, mut loops) = (Vec::new(), Vec::new());
        scev.walk(&mut |inner| match inner {
            Scev::Value(Operand::Value(id)) => found.push(*id),
            Scev::Rec { of, .. } => loops.push(*of),
            _ => {}
        });
        let function = self.half.source.function;
        for id in found.into_iter().filter(|id| function.inst(*id).is_some()) {
            self.compute(builder, id);
        }
        for turns in loops.iter().filter_map(|of| function.loops[of.0 as usize].back_edges.clone()) {
            self.compute_in(builder, &turns);
        }
    }

    fn compute(&mut self, builder: &mut Builder, id: ValueId) -> Operand {
        if let Some(known) = self.values.get(&id) {
            return known.clone();
        }
        let Some(inst) = self.half.source.function.inst(id) else {
            return self.half.params[id.0 as usize].clone();
        };
        let operands = inst
            .operands
            .iter()
            .map(|operand| match operand.value() {
                Some(value) => self.compute(builder, value),
                None => operand.clone(),
            })
            .collect();
        // Promises are left out: they hold where the function computes this.
        let value = builder.push(inst.op.clone(), inst.ty.clone(), operands);
        self.values.insert(id, value.clone());
        value
    }
}

fn select(builder: &mut Builder, test: &Operand, yes: &Operand, no: &Operand) -> Operand {
    builder.push(Op::Select, WIDE, vec![test.clone(), yes.clone(), no.clone()])
}

/// So many bytes behind a place.
fn step(builder: &mut Builder, from: &Operand, bytes: Operand) -> Operand {
    let gep = Op::Gep(Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] });
    builder.push(gep, Type::PTR, vec![from.clone(), bytes])
}

fn word(value: i128) -> Operand {
    Operand::Const(Constant::int(64, value))
}
