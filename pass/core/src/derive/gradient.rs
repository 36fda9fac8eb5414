//! Reverse mode: the forward sweep, then the reverse sweep, in one function or cut in two.
//!
//! Split mode is the same code cut at the seam: the augmented function ends by laying its cells out on a tape, the
//! reverse function begins by reading them back.

use super::Source;
use super::accumulate::add;
use super::arrays::lay_arrays;
use super::arrivals::compare_arrival;
use super::builder::{Builder, zero_of};
use super::cells::{Cells, allocate, load, store};
use super::copies::{Copies, insts_of, set_phi};
use super::cursor::{store_cursor, surround_calls};
use super::fused::{Turns, find_adjoints, make_turns, turn_of};
use super::globals::{end_globals, reserve_globals, start_globals};
use super::large::spare_vectoriser;
use super::lasting::{close_list, list_made, open_list, put_off, put_off_kept};
use super::left::{close_left, keep_left, open_left, tell_rows, tell_store};
use super::memory::clear;
use super::records::{GRAIN, lay_fresh, push_record};
use super::resident::read_before_loops;
use super::reverse::{ReverseWriter, stepped};
use super::rooms::lay_rooms;
use super::rows::record_rows;
use super::separation::write_separation;
use super::shadows::{Shadows, allocate_stack_shadows};
use super::signature::{slot_operand, start_function, write_return};
use super::slots::{find_slots, make_slots, reserve_slots};
use super::strip::lay_state;
use super::tape::{call_runtime, close_tape, lay_out, load_cells, open_tape, store_cells};
use crate::analyses::flow::{Flow, returning_blocks};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::model::{BlockId, Constant, Function, Inst, IntOp, Op, Operand, Type, ValueId};
use crate::plan::{EXIT, Merge, Separation, Slot, Storage, version_name};
use crate::request::{Activity, Mode, Part, parts_type};

pub fn write_gradient(source: &Source, name: &str) -> Function {
    let mode = source.plan.request.mode;
    let flow = Flow::of(source.function);
    let mut builder = start_function(source, name);
    let entry = builder.add_block("entry");
    builder.move_to(entry);
    builder.loc = source.function.loc;
    let params = primal_params(source, &builder);
    let mut cells = allocate_cells(source, &mut builder);
    let wants_primal = source.plan.results.contains(&Part::Primal);
    if wants_primal {
        cells.returned = Some(allocate(&mut builder, source.function.ret.clone()));
    }
    let shadows = source.plan.results.iter().filter(|part| matches!(part, Part::Shadow { .. }));
    cells.returned_shadows = shadows.map(|_| allocate(&mut builder, Type::PTR)).collect();
    if mode != Mode::Augmented {
        cells.allocate_adjoints(source, &mut builder);
    }
    if let Some(separation) = &source.plan.separation {
        go_apart(source, &mut builder, &params, separation);
    }
    open_tape(source, &mut builder, &mut cells);
    open_list(source, &mut builder, &mut cells);
    open_left(source, &mut builder, &mut cells);
    let tape = lay_out(source, &cells);
    let mut turns = Turns::new();
    match mode {
        Mode::Reverse => {
            load_cells(source, &mut builder, &mut cells, &tape);
            find_slots(&mut builder, &mut cells);
            start_globals(source, &mut builder, &mut cells);
        }
        _ => {
            make_slots(source, &mut builder, &mut cells);
            start_globals(source, &mut builder, &mut cells);
            turns = write_forward(source, &flow, &mut builder, &cells, &params);
        }
    }
    if mode == Mode::Augmented {
        let pointer = store_cells(source, &mut builder, &cells, &tape);
        store_cursor(&mut builder, &cells);
        finish(source, &mut builder, &cells, Some(pointer));
    } else {
        if mode == Mode::Gradient {
            // Here pushing turns to popping: this is the peak.
            store_cursor(&mut builder, &cells);
            keep_left(source, &mut builder, &cells);
        }
        write_backward(source, &flow, &mut builder, (&cells, &turns), &params);
        close_left(&mut builder, &cells);
        close_tape(source, &mut builder, &cells);
        // What is freed there may be the user's doing, and use the tape.
        close_list(source, &mut builder, &cells);
        finish(source, &mut builder, &cells, None);
    }
    surround_calls(source, &mut builder, &cells);
    read_before_loops(&mut builder);
    spare_vectoriser(builder.finish())
}

/// The cells through which the two halves speak.
fn allocate_cells(source: &Source, builder: &mut Builder) -> Cells {
    let mut cells = Cells::allocate(source, builder);
    allocate_stack_shadows(source, builder, &mut cells);
    reserve_slots(source, builder, &mut cells);
    reserve_globals(source, builder, &mut cells);
    cells
}

/// How many bytes of cells a first half leaves on the tape, beside its records.
pub fn measure_cells(source: &Source) -> u64 {
    let mut builder = start_function(source, "measured");
    let entry = builder.add_block("entry");
    builder.move_to(entry);
    let mut cells = allocate_cells(source, &mut builder);
    open_tape(source, &mut builder, &mut cells);
    lay_out(source, &cells).bytes.next_multiple_of(GRAIN)
}

/// Where the parameters are apart, the version for that answers in our place.
fn go_apart(source: &Source, builder: &mut Builder, params: &[Operand], separation: &Separation) {
    let apart = write_separation(source, builder, params, separation);
    let (yes, no) = (builder.add_block("apart"), builder.add_block("overlapping"));
    builder.push(Op::CondBr { yes, no }, Type::Void, vec![apart]);
    builder.move_to(yes);
    let arguments = (0..source.plan.params.len()).map(|index| builder.param(index)).collect();
    let ty = parts_type(&source.plan.results, source.function);
    let result = call_runtime(builder, &version_name(&source.plan.request), ty.clone(), arguments);
    let returned = if ty == Type::Void { Vec::new() } else { vec![result] };
    builder.push(Op::Ret, Type::Void, returned);
    builder.move_to(no);
}

fn primal_params(source: &Source, builder: &Builder) -> Vec<Operand> {
    (0..source.function.params.len())
        .filter_map(|param| slot_operand(source, builder, Slot::Primal { param }))
        .collect()
}

/// Copies the primal, writing what the plan keeps into cells; ends at a block where all returns meet.
fn write_forward(
    source: &Source,
    flow: &Flow,
    builder: &mut Builder,
    cells: &Cells,
    params: &[Operand],
) -> Turns {
    let mut copies = Copies::of(source);
    copies.values.extend(source.function.param_ids().zip(params.iter().cloned()));
    let mut shadows = Shadows::of_params(source, builder, cells);
    for ((id, lane), slot) in &cells.stack_shadows {
        shadows.insert(*id, *lane, slot.clone());
    }
    for block in source.function.block_ids().filter(|block| flow.is_reachable(*block)) {
        let label = source.function.block(block).name.clone().unwrap_or_else(|| format!("b{}", block.0));
        copies.blocks.insert(block, builder.add_block(label));
    }
    for id in source.function.param_ids() {
        compare_arrival(source, builder, cells, &copies, &shadows, id);
    }
    let turns = make_turns(source, builder, &copies);
    let seam = builder.add_block("seam");
    builder.push(Op::Br { to: copies.block(BlockId(0)) }, Type::Void, Vec::new());
    let returns = returning_blocks(source.function, flow);
    let returning = flow.leading_to(returns.iter().copied());
    for block in flow.dominator_order() {
        builder.move_to(copies.block(block));
        let returns = returning.contains(&block);
        let (copies, shadows, turns) = (&mut copies, &mut shadows, &turns);
        let mut sweep = Sweep { source, flow, params, cells, copies, shadows, turns, block, returns };
        sweep.copy_block(builder, seam);
    }
    for block in flow.dominator_order() {
        let round = source.plan.fused.get(&block).map(|fused| fused.latch);
        let copied = round.and_then(|latch| copies.blocks.insert(latch, turns[&block].back));
        for (id, inst) in insts_of(source.function, block) {
            if source.plan.omitted.contains_key(&id) {
                continue;
            }
            copies.fill_phi(builder, id, inst);
            shadows.fill_phi(source, builder, &copies, id, inst);
        }
        copies.blocks.extend(round.zip(copied));
    }
    builder.move_to(seam);
    record_edge(source, builder, cells, &copies, EXIT, &returns);
    turns
}

/// The forward sweep, block by block.
pub struct Sweep<'a> {
    pub source: &'a Source<'a>,
    pub flow: &'a Flow,
    /// The primal parameters, in the function being written.
    pub params: &'a [Operand],
    pub cells: &'a Cells,
    pub turns: &'a Turns,
    pub copies: &'a mut Copies,
    pub shadows: &'a mut Shadows,
    /// The block being copied.
    pub block: BlockId,
    /// Whether control may come from there to a return, and so to the reverse sweep.
    pub returns: bool,
}

impl Sweep<'_> {
    fn copy_block(&mut self, builder: &mut Builder, seam: BlockId) {
        let (source, cells, block) = (self.source, self.cells, self.block);
        let runs = |(id, _): &(ValueId, &Inst)| !source.plan.omitted.contains_key(id);
        let (phis, rest): (Vec<_>, Vec<_>) = insts_of(source.function, block)
            .filter(runs)
            .partition(|(_, inst)| matches!(inst.op, Op::Phi { .. }));
        for (id, inst) in &phis {
            self.copies.copy(builder, *id, inst);
            self.shadows.follow(source, builder, self.copies, *id, inst);
        }
        let record = match source.plan.merges.get(&block).map(|decision| &decision.choice) {
            Some(Merge::Record { predecessors }) => {
                Some(edge_phi(source, builder, self.copies, block, predecessors))
            }
            _ => None,
        };
        lay_state(source, builder, cells, self.copies, block);
        push_record(source, builder, cells, block, record.as_ref());
        if let (Some(cell), Some(number)) = (cells.edges.get(&block), record) {
            store(builder, cell, number);
        }
        // Before a loop that begins here counts anew.
        tell_rows(source, builder, cells, block);
        count_passes(source, builder, cells, block);
        for (id, _) in &phis {
            self.keep(builder, *id);
        }
        for (id, inst) in rest {
            builder.loc = inst.loc;
            if inst.op.is_terminator() {
                lay_fresh(source, builder, cells, block);
                record_rows(source, builder, cells, block);
                lay_rooms(source, builder, cells, self.shadows, block);
            }
            self.copy_inst(builder, id, inst, seam);
        }
    }

    fn copy_inst(&mut self, builder: &mut Builder, id: ValueId, inst: &Inst, seam: BlockId) {
        if inst.op == Op::Ret {
            if let (Some(cell), Some(value)) = (&self.cells.returned, inst.operands.first()) {
                store(builder, cell, self.copies.operand(value));
            }
            for (lane, cell) in (0..).zip(&self.cells.returned_shadows) {
                store(builder, cell, self.shadows.of(&inst.operands[0], lane));
            }
            builder.push(Op::Br { to: seam }, Type::Void, Vec::new());
            return;
        }
        if inst.op.is_terminator() {
            let (copies, block) = (&self.copies, self.block);
            lay_arrays(self.source, builder, self.cells, block, &mut |x| copies.operand(x));
            let (flow, cells, params) = (self.flow, self.cells, self.params);
            let seeds = seeds(self.source, builder);
            find_adjoints(self.source, builder, (flow, cells, params, seeds), block);
            if let Some(turn) = turn_of(self.source, self.turns, block) {
                builder.push(Op::Br { to: turn.there }, Type::Void, Vec::new());
                return;
            }
        }
        if self.source.plan.activity.lasting().freed.contains(&id) {
            put_off(self.source, builder, self.cells, self.copies, self.shadows, inst);
            return;
        }
        if self.source.plan.activity.frees_kept(inst) {
            put_off_kept(self.source, builder, self.cells, self.copies, inst);
            return;
        }
        // Active memory is freed where the reverse sweep reaches its allocation; where an exception leaves the function no
        // reverse sweep comes, and the memory is freed at once, with its shadow.
        if self.source.plan.activity.frees_shadowed(inst) {
            // What is on the list is freed with it.
            if self.returns || self.source.plan.activity.lasting().reverse_may_not_come {
                return;
            }
            self.free_shadows(builder, inst);
        }
        if self.source.plan.calls.contains_key(&id) {
            self.call_first_half(builder, id, inst);
            compare_arrival(self.source, builder, self.cells, self.copies, self.shadows, id);
            self.keep(builder, id);
            return;
        }
        self.save_overwritten(builder, id, inst);
        self.copies.copy(builder, id, inst);
        self.shadows.follow(self.source, builder, self.copies, id, inst);
        compare_arrival(self.source, builder, self.cells, self.copies, self.shadows, id);
        if self.source.plan.activity.lasting().listed.contains(&id) {
            list_made(self.source, builder, self.cells, self.copies, self.shadows, id);
        }
        if let Op::Store(_) = inst.op {
            self.shadows.store_pointer(self.source, builder, inst);
            tell_store(self.source, builder, self.cells, self.copies, id);
        }
        self.clear_pointers(builder, inst);
        self.copy_pointers(builder, id, inst);
        self.keep(builder, id);
    }

    /// What a store is about to overwrite, where it will be put back.
    fn save_overwritten(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let (Some(cell), Op::Store(access)) = (self.cells.old.get(&id), &inst.op) else { return };
        let ty = self.source.function.operand_type(&inst.operands[0]);
        let place = self.copies.operand(&inst.operands[1]);
        let old = builder.push(Op::Load(access.clone()), ty, vec![place]);
        store(builder, cell, old);
    }

    /// Where the primal clears memory of its own, pointers in it become null. Floats in its shadow are still zero.
    fn clear_pointers(&self, builder: &mut Builder, inst: &Inst) {
        let activity = &self.source.plan.activity;
        let clears = memory_call(inst) == Some(MemoryCall::Fill)
            && activity.is_shadowed(&inst.operands[0])
            && activity.is_own(&inst.operands[0]);
        for lane in (0..self.source.plan.width()).filter(|_| clears) {
            let place = self.shadows.of(&inst.operands[0], lane);
            clear(builder, &place, self.copies.operand(&inst.operands[2]));
        }
    }

    /// Where the primal copies pointers of its own, so are the pointers to shadows.
    fn copy_pointers(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let copied = self.source.plan.copies.get(&id).is_some_and(|moved| moved.pointers);
        for lane in (0..self.source.plan.width()).filter(|_| copied) {
            let mut operands: Vec<Operand> = inst.operands.iter().map(|x| self.copies.operand(x)).collect();
            operands[0] = self.shadows.of(&inst.operands[0], lane);
            operands[1] = self.shadows.of(&inst.operands[1], lane);
            builder.push(inst.op.clone(), inst.ty.clone(), operands);
        }
    }

    fn free_shadows(&self, builder: &mut Builder, inst: &Inst) {
        for lane in 0..self.source.plan.width() {
            let shadow = self.shadows.of(&inst.operands[0], lane);
            call_runtime(builder, "free", Type::Void, vec![shadow]);
        }
    }

    fn keep(&self, builder: &mut Builder, id: ValueId) {
        // What runs again may run in both sweeps, and its cell is for the reverse.
        let again = self.source.plan.storage.get(&id).is_some_and(|stored| stored.choice == Storage::Rerun);
        if let Some(cell) = self.cells.kept.get(&id).filter(|_| !again) {
            store(builder, cell, self.copies.values[&id].clone());
        }
        for lane in 0..self.source.plan.width() {
            if let (Some(cell), Some(shadow)) =
                (self.cells.kept_shadows.get(&(id, lane)), self.shadows.get(id, lane))
            {
                store(builder, cell, shadow.clone());
            }
        }
    }
}

/// The header of a counted loop counts; the block that enters it starts from zero.
fn count_passes(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId) {
    if let Some(counter) = cells.counters.get(&block) {
        let passes = load(builder, counter, Type::I64);
        let one = Operand::Const(Constant::int(64, 1));
        let more = builder.push(Op::Int(IntOp::Add), Type::I64, vec![passes, one]);
        store(builder, counter, more);
    }
    for header in source.counted_from(block) {
        store(builder, &cells.counters[header], Operand::Const(zero_of(&Type::I64)));
    }
}

fn record_edge(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    copies: &Copies,
    block: BlockId,
    from: &[BlockId],
) {
    if let Some(cell) = cells.edges.get(&block) {
        let number = edge_phi(source, builder, copies, block, from);
        store(builder, cell, number);
    }
}

/// The position of the predecessor that control came from. A switch may come from there by several edges, and a phi
/// has an operand for each.
fn edge_phi(
    source: &Source,
    builder: &mut Builder,
    copies: &Copies,
    block: BlockId,
    from: &[BlockId],
) -> Operand {
    let phi = builder.push(Op::Phi { from: Vec::new() }, Type::I32, Vec::new());
    let ways = |from: BlockId| match block {
        EXIT => 1,
        _ => source.function.successors(from).iter().filter(|to| **to == block).count(),
    };
    let edges = (0..).zip(from).flat_map(|(number, from)| {
        std::iter::repeat_n((copies.block(*from), constant_number(number)), ways(*from))
    });
    set_phi(builder, &phi, edges.collect());
    phi
}

fn constant_number(number: i128) -> Operand {
    Operand::Const(Constant::int(32, number))
}

/// The reverse sweep, up to the block in which it ends.
fn write_backward(
    source: &Source,
    flow: &Flow,
    builder: &mut Builder,
    (cells, turns): (&Cells, &Turns),
    params: &[Operand],
) {
    let end = builder.add_block("finish");
    let seeds = seeds(source, builder);
    let (again, stepped) = (Default::default(), stepped(source.plan));
    let writer = ReverseWriter { source, flow, cells, params, seeds, turns, again, stepped };
    writer.write(builder, end);
    builder.move_to(end);
    builder.loc = source.function.loc;
    end_globals(source, builder, cells);
}

/// The derivative of the result in each direction: given, or one.
fn seeds(source: &Source, builder: &Builder) -> Vec<Operand> {
    if !source.plan.request.active_return {
        return Vec::new();
    }
    let one = || Operand::Const(one_of(&source.function.ret));
    (0..source.plan.width())
        .map(|lane| slot_operand(source, builder, Slot::Seed { lane }).unwrap_or_else(one))
        .collect()
}

/// One in every float.
pub fn one_of(ty: &Type) -> Constant {
    match ty {
        Type::Float(kind) => crate::rules::float_constant(*kind, 1.0),
        Type::Vector(lanes, element) => {
            Constant::Aggregate { ty: ty.clone(), parts: vec![one_of(element); lanes.count as usize] }
        }
        _ => match ty.parts() {
            Some(parts) => {
                Constant::Aggregate { ty: ty.clone(), parts: parts.into_iter().map(one_of).collect() }
            }
            None => zero_of(ty),
        },
    }
}

/// Returns what the signature lists.
fn finish(source: &Source, builder: &mut Builder, cells: &Cells, tape: Option<Operand>) {
    write_return(source, builder, |builder, part| match part {
        Part::Tape => tape.clone().unwrap_or(Operand::Const(Constant::Null(Type::PTR))),
        Part::Primal => match &cells.returned {
            Some(cell) => load(builder, cell, source.function.ret.clone()),
            None => Operand::Const(zero_of(&source.function.ret)),
        },
        Part::Gradient { param, lane } => {
            debug_assert_eq!(source.plan.request.activity(param), Activity::Out);
            let ty = source.function.params[param].ty.clone();
            let id = ValueId(param as u32);
            match cells.adjoint(id, lane) {
                // Where nothing was added, the derivative is zero without a sign.
                Some(cell) => {
                    let d = load(builder, cell, ty.clone());
                    add(builder, &ty, d, Operand::Const(zero_of(&ty)))
                }
                // Not active: it does not influence the result, so its derivative is zero.
                None => Operand::Const(zero_of(&ty)),
            }
        }
        Part::Shadow { lane } => load(builder, &cells.returned_shadows[lane as usize], Type::PTR),
    });
}
