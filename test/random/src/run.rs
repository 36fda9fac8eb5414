//! Runs a derived function in the interpreter.

use std::rc::Rc;

use crate::left::provide_left;
use crate::put_off::{RELEASE, RELEASES, provide_lists};
use backsweep_core::derive::TEXT;
use backsweep_core::model::{
    Constant, FloatKind, Function, Global, GlobalDerivative, Linkage, Program, Type,
};
use backsweep_core::plan::{Plan, Slot};
use backsweep_oracle::{Fault, Kind, Machine, Memory, NO_TANGENT, Trap, Value};

/// What the parameters of a derived function are given.
pub struct Given<'a> {
    pub primal: &'a [Value],
    /// For each parameter, one value for each direction.
    pub shadows: &'a dyn Fn(usize, u32) -> Value,
    pub seeds: &'a dyn Fn(u32) -> Value,
    pub tape: Option<Value>,
}

pub fn arguments_for(plan: &Plan, given: &Given) -> Vec<Value> {
    let value = |slot: &Slot| match slot {
        Slot::Primal { param } => given.primal[*param].clone(),
        Slot::Shadow { param, lane } => (given.shadows)(*param, *lane),
        Slot::Seed { lane } => (given.seeds)(*lane),
        Slot::Global { .. } => unreachable!("only derivatives hand over shadows of globals"),
        Slot::Tape => given.tape.clone().unwrap_or(Value::Undef),
    };
    plan.params.iter().map(value).collect()
}

/// The program with derived functions beside its own.
pub fn extend(program: &Program, derived: &[&Function]) -> Program {
    let mut extended = program.clone();
    extended.functions.extend(derived.iter().map(|function| (*function).clone()));
    extended.functions.extend(backsweep_core::derive::fast_path_functions());
    // The names of functions and globals, which emission puts into memory for the runtime's messages; and what frees memory.
    let functions = program.functions.iter().map(|function| &function.name);
    let names = functions.chain(program.globals.iter().map(|global| &global.name));
    let texts = names.map(|name| format!("{TEXT}{name}"));
    for name in texts.chain(RELEASES.iter().map(|name| format!("{RELEASE}{name}"))) {
        extended.globals.push(Global {
            name,
            ty: Type::Array(1, Box::new(Type::Int(8))),
            space: 0,
            constant: true,
            linkage: Linkage::Local,
            thread_local: false,
            address_taken: false,
            only_named: false,
            derivative: GlobalDerivative::Made,
            initial: Some(Constant::Zero(Type::Array(1, Box::new(Type::Int(8))))),
        });
    }
    extended
}

pub fn machine(program: &Program) -> Machine<'_> {
    let mut machine = Machine::new(program);
    // Values that only flow along paths not taken may be undefined; using one is still a trap.
    machine.on_undef = backsweep_oracle::OnUndef::Propagate;
    for (name, kind) in [("bs_rt_digamma", FloatKind::Double), ("bs_rt_digammaf", FloatKind::Single)] {
        let host = move |_: &mut Memory, arguments: &[Value]| {
            let x = arguments[0].as_float()?;
            Ok(Value::float(kind, round(kind, backsweep_rt::digamma(x.primal)), NO_TANGENT))
        };
        machine.provide(name, Rc::new(host));
    }
    provide_tape(&mut machine);
    let lost = |_: &mut Memory, _: &[Value]| Err(Fault::Aborted("bs_rt_no_shadow".into()));
    machine.provide("bs_rt_no_shadow", Rc::new(lost));
    machine
}

/// Bytes of tape that a sample may use.
const TAPE_BYTES: u64 = 1 << 20;

/// The runtime's entry points: a state block over one large object, without a slow path.
fn provide_tape(machine: &mut Machine) {
    let open = |memory: &mut Memory, _: &[Value]| {
        let state = memory.allocate(Kind::Heap, 64)?;
        let base = memory.allocate(Kind::Heap, TAPE_BYTES)?;
        let end = base.plus(TAPE_BYTES as i64);
        for (offset, pointer) in [(0, base), (8, end), (16, base), (24, base), (40, base)] {
            memory.store(&Type::PTR, state.plus(offset), &Value::Pointer(pointer))?;
        }
        for offset in [32, 48, 56] {
            memory.store(&Type::I64, state.plus(offset), &Value::int(64, 0))?;
        }
        Ok(Value::Pointer(state))
    };
    machine.provide("bs_tape_of_thread", Rc::new(open));
    machine.provide("bs_tape_new", Rc::new(open));
    // Samples throw nothing, so what a mark is for never comes to pass.
    machine.provide("bs_tape_mark", Rc::new(|_: &mut Memory, arguments: &[Value]| Ok(arguments[0].clone())));
    for name in ["bs_tape_release", "bs_tape_free", "bs_rt_tape_free", "bs_rt_put_off_close"] {
        machine.provide(&format!("backsweep.unwinding.{name}"), Rc::new(|_, _| Ok(Value::Undef)));
    }
    provide_lists(machine);
    provide_left(machine);
}

pub fn call(machine: &mut Machine, name: &str, arguments: &[Value]) -> Result<Value, Trap> {
    machine.call(name, arguments)
}

/// The floats in a value, in order. What is undefined counts as not a number.
pub fn floats_of(value: &Value, ty: &Type) -> Vec<f64> {
    match (value, ty) {
        (Value::Float(float), _) => vec![float.primal],
        (Value::Undef, Type::Float(_)) => vec![f64::NAN],
        (Value::Aggregate(parts), _) => {
            parts.iter().enumerate().flat_map(|(at, part)| floats_of(part, part_type(ty, at))).collect()
        }
        _ => Vec::new(),
    }
}

/// A value of a type whose floats are taken from a list, in order.
pub fn fill(ty: &Type, next: &mut dyn FnMut() -> f64) -> Value {
    match ty {
        Type::Float(kind) => Value::float(*kind, round(*kind, next()), NO_TANGENT),
        Type::Vector(lanes, element) => {
            Value::Aggregate((0..lanes.count).map(|_| fill(element, next)).collect())
        }
        _ => match ty.parts() {
            Some(parts) => Value::Aggregate(parts.into_iter().map(|part| fill(part, next)).collect()),
            None => Value::zero(ty),
        },
    }
}

fn round(kind: FloatKind, value: f64) -> f64 {
    if kind == FloatKind::Single { f64::from(value as f32) } else { value }
}

fn part_type(ty: &Type, at: usize) -> &Type {
    match ty {
        Type::Vector(_, element) | Type::Array(_, element) => element,
        Type::Struct { fields, .. } => &fields[at],
        other => other,
    }
}
