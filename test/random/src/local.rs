//! Local Jacobians of straight-line functions, interpreted, against the oracle.
//!
//! Function → graphs → programs of products and sums, written behind the function's own instructions and run. Their
//! entries are multiplied up from graph to graph, through values and through memory by its addresses at run time.

use std::collections::{BTreeMap, BTreeSet};

use backsweep_core::analyses::activity::find_activity;
use backsweep_core::config::StrongZero;
use backsweep_core::derive::{Builder, TermWriter, write_label};
use backsweep_core::model::{Flags, Function, Layout, Op, Operand, Program, Type, ValueId, verify};
use backsweep_core::preaccumulation::flatten::{
    Action, Flat, Flattened, Reader, Split, Value as Local, What, flatten_function,
};
use backsweep_core::preaccumulation::graph::{Role, Vertex};
use backsweep_core::preaccumulation::jacobian::{Extent, LocalJacobian, accumulate};
use backsweep_core::request::Mode;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::Sample;
use backsweep_oracle::{Argument, Dual, Jacobian, Machine, NO_TANGENT, Pointer, Value, jacobian};

use crate::Verdict;
use crate::declared::declared;
use crate::request::ask;
use crate::run::machine;
use crate::tolerance::tolerance_for;

/// What one sample's local Jacobians amount to.
pub fn check_local(sample: &Sample, rules: &Rules, split: Split, extent: Extent) -> Verdict {
    let Some(function) = sample.program.function(&sample.function) else { return Verdict::Unjudged };
    let Ok(expected) = jacobian(&sample.program, &sample.function, &sample.arguments) else {
        return Verdict::Unjudged;
    };
    if !expected.rows.iter().flatten().chain(&expected.outputs).all(|value| value.is_finite()) {
        return Verdict::Unjudged;
    }
    let request = ask(function, &sample.arguments, Mode::Gradient, 1);
    let activity = match find_activity(function, &sample.program, rules, &request) {
        Ok(activity) => activity,
        Err(refusals) => return Verdict::Refused(refusals.iter().map(ToString::to_string).collect()),
    };
    let program = &sample.program;
    let reader = Reader { function, program, rules, activity: &activity, strong_zero: StrongZero::Always };
    let flats = flatten_function(&reader, split);
    if !is_straight(function, &flats) {
        return Verdict::Unjudged;
    }
    let Some(flat) = flats.into_iter().next() else { return Verdict::Unjudged };
    let jacobians: Vec<LocalJacobian> = flat
        .graphs
        .iter()
        .map(|flattened| accumulate(&flattened.graph, &flattened.terms, extent, None))
        .collect();
    let written = write_function(&reader, &flat, &jacobians);
    match follow(sample, function, &written, &flat, &jacobians, &expected) {
        Ok(()) => Verdict::Agreed,
        Err(problem) => Verdict::Wrong(problem),
    }
}

/// One block, one float returned, scalars only, and nothing that a graph cannot hold.
fn is_straight(function: &Function, flats: &[Flat]) -> bool {
    let scalar = |value: &Local| {
        let ty = function.value_type(value.id);
        ty.is_float() || ty.parts().is_some_and(|fields| fields[usize::from(value.part)].is_float())
    };
    let [flat] = flats else { return false };
    let steps = &flat.code.steps;
    function.blocks.len() == 1
        && function.ret.is_float()
        && steps.iter().all(|step| step.action != Action::Barrier)
        && steps.iter().all(|step| step.action == Action::Write || scalar(&step.value))
}

/// The function, with the labels of every remaining edge and the address of every cell returned instead of its result.
fn write_function(reader: &Reader, flat: &Flat, jacobians: &[LocalJacobian]) -> Program {
    let Reader { function, program, rules, .. } = *reader;
    let layout = Layout::parse(&program.layout);
    let mut builder = Builder::new("entries".into(), function.params.clone(), Type::Void, layout);
    builder.add_block("entry");
    // Values keep their numbers: instructions are numbered after the parameters, as they are added.
    let block = &function.blocks[0].insts;
    for id in &block[..block.len() - 1] {
        builder.push_inst(function.inst(*id).expect("an instruction").clone());
    }
    let mut results = Vec::new();
    let primal = |_: &mut Builder, operand: &Operand| operand.clone();
    for (flattened, jacobian) in flat.graphs.iter().zip(jacobians) {
        let terms = &jacobian.terms;
        let writer = TermWriter { function, program, rules, terms, primal: &primal, flags: Flags::default() };
        let edges = jacobian.remainder.edges();
        let written = writer.write(&mut builder, edges.iter().filter_map(|(.., label)| label.term()));
        for (_, _, label) in &edges {
            results.push(write_label(&mut builder, *label, &written, &Type::DOUBLE));
        }
        for access in accesses(flattened) {
            let inst = function.inst(access).expect("an access");
            results.push(inst.operands.last().expect("a pointer").clone());
        }
    }
    let ty = Type::structure(results.iter().map(|result| builder.type_of(result)).collect());
    let mut whole = Operand::Const(backsweep_core::model::Constant::Undef(ty.clone()));
    for (at, result) in results.into_iter().enumerate() {
        whole = builder.push(Op::InsertValue { path: vec![at as u32] }, ty.clone(), vec![whole, result]);
    }
    builder.push(Op::Ret, Type::Void, vec![whole]);
    let mut written = builder.finish();
    written.ret = ty;
    let mut extended = program.clone();
    extended.functions.push(written);
    extended
}

/// The accesses whose addresses are needed: cells that come in, then cells that go out, as they stand in the graph.
fn accesses(flattened: &Flattened) -> Vec<ValueId> {
    let ends = flattened.names.values().copied().chain(flattened.outputs.iter().map(|output| output.what));
    let cells: BTreeSet<ValueId> = ends
        .filter_map(|what| match what {
            What::Cell(access) => Some(access),
            What::Value(_) => None,
        })
        .collect();
    cells.into_iter().collect()
}

/// A derivative, and the sum of the sizes it was added up from: what rounding is relative to.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    value: f64,
    size: f64,
}

/// What is known of values and memory by derivatives, after each graph.
struct State {
    inputs: usize,
    values: BTreeMap<Local, Vec<Sum>>,
    /// By object and offset.
    memory: BTreeMap<(u32, i64), Vec<Sum>>,
}

impl State {
    fn zero(&self) -> Vec<Sum> {
        vec![Sum::default(); self.inputs]
    }

    fn input(&self, number: usize) -> Vec<Sum> {
        let mut row = self.zero();
        row[number] = Sum { value: 1.0, size: 1.0 };
        row
    }
}

fn follow(
    sample: &Sample,
    function: &Function,
    written: &Program,
    flat: &Flat,
    jacobians: &[LocalJacobian],
    expected: &Jacobian,
) -> Result<(), String> {
    if let Some(violation) = verify(&declared(written)).first() {
        return Err(format!("what was written is malformed: {violation}\n{written}"));
    }
    let mut machine = machine(written);
    let (arguments, mut state, arrays) = set_up(&mut machine, sample, expected.inputs.len());
    let results = machine.call("entries", &arguments).map_err(|trap| format!("{trap:?}\n{written}"))?;
    let mut results = results.as_parts().map_err(|fault| format!("{fault:?}"))?.iter();
    for (flattened, jacobian) in flat.graphs.iter().zip(jacobians) {
        let edges = jacobian.remainder.edges();
        let labels: Vec<f64> = results.by_ref().take(edges.len()).map(number_of).collect();
        let cells = accesses(flattened);
        let addresses: Vec<(u32, i64)> = results.by_ref().take(cells.len()).map(place_of).collect();
        let places: BTreeMap<ValueId, (u32, i64)> = cells.into_iter().zip(addresses).collect();
        step(&mut state, flattened, jacobian, &labels, &places);
    }
    let returned = function.insts.last().and_then(|inst| inst.operands.first()).and_then(Operand::value);
    let first =
        returned.and_then(|id| state.values.get(&Local::whole(id))).cloned().unwrap_or_else(|| state.zero());
    let left =
        arrays.iter().flat_map(|(pointer, count)| (0..*count).map(|at| key(pointer.plus(8 * at as i64))));
    let rest = left.map(|place| state.memory.get(&place).cloned().unwrap_or_else(|| state.zero()));
    for (output, found) in std::iter::once(first).chain(rest).enumerate() {
        compare(output, &found, &expected.rows[output], tolerance_for(&sample.program))?;
    }
    Ok(())
}

/// One graph: inputs are read, the remaining edges followed, outputs written in order.
fn step(
    state: &mut State,
    flattened: &Flattened,
    jacobian: &LocalJacobian,
    labels: &[f64],
    places: &BTreeMap<ValueId, (u32, i64)>,
) {
    let mut rows: BTreeMap<Vertex, Vec<Sum>> = BTreeMap::new();
    for vertex in flattened.graph.with_role(Role::Input) {
        let row = match flattened.names[&vertex] {
            What::Value(value) => state.values.get(&value),
            What::Cell(read) => state.memory.get(&places[&read]),
        };
        rows.insert(vertex, row.cloned().unwrap_or_else(|| state.zero()));
    }
    // Edges come in the order of their sources, so each source is complete when it is read.
    for ((from, to, _), label) in jacobian.remainder.edges().into_iter().zip(labels) {
        let from = rows.get(&from).cloned().unwrap_or_else(|| state.zero());
        let row = rows.entry(to).or_insert_with(|| state.zero());
        for (sum, part) in row.iter_mut().zip(from) {
            sum.value += label * part.value;
            sum.size += label.abs() * part.size;
        }
    }
    for output in &flattened.outputs {
        let vertex = output.vertex.map(|vertex| jacobian.end_of(vertex));
        let row = vertex.and_then(|vertex| rows.get(&vertex)).cloned().unwrap_or_else(|| state.zero());
        match output.what {
            What::Value(value) => state.values.insert(value, row),
            What::Cell(write) => state.memory.insert(places[&write], row),
        };
    }
}

type Arrays = Vec<(Pointer, usize)>;

/// Arguments in the machine's memory, and the rows of what is an input.
fn set_up(machine: &mut Machine, sample: &Sample, inputs: usize) -> (Vec<Value>, State, Arrays) {
    let mut state = State { inputs, values: BTreeMap::new(), memory: BTreeMap::new() };
    let (mut arguments, mut pointers, mut arrays): (Vec<Value>, Vec<Pointer>, Arrays) = Default::default();
    let mut next = 0;
    for (param, argument) in sample.arguments.iter().enumerate() {
        let (value, pointer) = match argument {
            Argument::Active(value) => {
                state.values.insert(Local::whole(ValueId(param as u32)), state.input(next));
                next += 1;
                (value.clone(), Pointer::NULL)
            }
            Argument::Fixed(value) => (value.clone(), Pointer::NULL),
            Argument::Array(kind, content) => {
                let duals: Vec<Dual> = content.iter().map(|x| Dual::new(*kind, *x, NO_TANGENT)).collect();
                let pointer = machine.allocate_floats(*kind, &duals).expect("there is memory");
                for at in 0..duals.len() {
                    state.memory.insert(key(pointer.plus(8 * at as i64)), state.input(next));
                    next += 1;
                }
                arrays.push((pointer, duals.len()));
                (Value::Pointer(pointer), pointer)
            }
            Argument::Alias { of, elements } => {
                let pointer = pointers[*of].plus(8 * elements);
                (Value::Pointer(pointer), pointer)
            }
        };
        arguments.push(value);
        pointers.push(pointer);
    }
    (arguments, state, arrays)
}

fn key(pointer: Pointer) -> (u32, i64) {
    (pointer.object, pointer.offset)
}

fn number_of(value: &Value) -> f64 {
    value.as_float().map_or(f64::NAN, |dual| dual.primal)
}

fn place_of(value: &Value) -> (u32, i64) {
    value.as_pointer().map_or((0, 0), key)
}

fn compare(output: usize, found: &[Sum], expected: &[f64], tolerance: f64) -> Result<(), String> {
    for (input, (found, expected)) in found.iter().zip(expected).enumerate() {
        let tolerance = tolerance * found.size.max(expected.abs()).max(1e-3);
        let near = (found.value - expected).abs() <= tolerance;
        if !near {
            return Err(format!("d{output}/d{input} is {expected}, found {}", found.value));
        }
    }
    Ok(())
}
