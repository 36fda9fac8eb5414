//! What a derivative must be: the Jacobian of a function by dual numbers, and the same by differences.
//!
//! Program, function, arguments → inputs, outputs and the matrix between them.
//! Inputs are the floats of the arguments in order, then nothing; an array argument's inputs are its elements.
//! Outputs are the floats of the result, then the elements of each array as the call left them.

use backsweep_core::model::{FloatKind, Program, Type};

use crate::dual::{Dual, LANES, NO_TANGENT, Tangent, direction};
use crate::machine::Machine;
use crate::trap::{Fault, Trap};
use crate::value::{Pointer, Value};

/// Instructions of one run: what is differentiated here is small, and a shrinker makes endless loops.
const STEPS: u64 = 300_000;

/// An argument of the function under test.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// Every float in it is an input.
    Active(Value),
    /// Nothing in it is.
    Fixed(Value),
    /// A pointer to floats, which are inputs before the call and outputs after it.
    Array(FloatKind, Vec<f64>),
    /// A pointer some elements into the array that is an earlier argument.
    Alias { of: usize, elements: i64 },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    pub inputs: Vec<f64>,
    pub outputs: Vec<f64>,
    /// `rows[output][input]`.
    pub rows: Vec<Vec<f64>>,
}

/// The Jacobian by dual numbers: one run for every few inputs.
pub fn jacobian(program: &Program, function: &str, arguments: &[Argument]) -> Result<Jacobian, Trap> {
    let inputs = inputs_of(arguments);
    let mut result = Jacobian { inputs: inputs.clone(), outputs: vec![], rows: vec![] };
    for first in (0..inputs.len().max(1)).step_by(LANES) {
        let tangent = |input: usize| match input.checked_sub(first) {
            Some(lane) if lane < LANES => direction(lane),
            _ => NO_TANGENT,
        };
        let outputs = run(program, function, arguments, &inputs, &tangent)?;
        result.outputs = outputs.iter().map(|dual| dual.primal).collect();
        result.rows.resize(outputs.len(), vec![0.0; inputs.len()]);
        for (row, output) in result.rows.iter_mut().zip(&outputs) {
            let lanes = LANES.min(inputs.len() - first);
            row[first..first + lanes].copy_from_slice(&output.tangent[..lanes]);
        }
    }
    Ok(result)
}

/// The product of the Jacobian with a vector, by one run on dual numbers: outputs with their derivatives.
pub fn directional(
    program: &Program,
    function: &str,
    arguments: &[Argument],
    direction: &[f64],
) -> Result<Vec<(f64, f64)>, Trap> {
    let tangent = |input: usize| {
        let mut tangent = NO_TANGENT;
        tangent[0] = direction.get(input).copied().unwrap_or(0.0);
        tangent
    };
    let outputs = run(program, function, arguments, &inputs_of(arguments), &tangent)?;
    Ok(outputs.iter().map(|dual| (dual.primal, dual.tangent[0])).collect())
}

/// The Jacobian by central differences of fourth order; each input moves by `step` times its size.
pub fn finite_differences(
    program: &Program,
    function: &str,
    arguments: &[Argument],
    step: f64,
) -> Result<Jacobian, Trap> {
    let inputs = inputs_of(arguments);
    let at = |moved: &[f64]| {
        let outputs = run(program, function, arguments, moved, &|_| NO_TANGENT)?;
        Ok::<_, Trap>(outputs.iter().map(|dual| dual.primal).collect::<Vec<_>>())
    };
    let outputs = at(&inputs)?;
    let mut rows = vec![vec![0.0; inputs.len()]; outputs.len()];
    for input in 0..inputs.len() {
        let width = step * inputs[input].abs().max(1.0);
        let shifted = |factor: f64| {
            let mut moved = inputs.clone();
            moved[input] += factor * width;
            at(&moved)
        };
        let (near, far) = ((shifted(1.0)?, shifted(-1.0)?), (shifted(2.0)?, shifted(-2.0)?));
        for (output, row) in rows.iter_mut().enumerate() {
            let inner = near.0[output] - near.1[output];
            let outer = far.0[output] - far.1[output];
            row[input] = (8.0 * inner - outer) / (12.0 * width);
        }
    }
    Ok(Jacobian { inputs, outputs, rows })
}

fn inputs_of(arguments: &[Argument]) -> Vec<f64> {
    let mut inputs = Vec::new();
    for argument in arguments {
        match argument {
            Argument::Active(value) => floats(value, &mut |dual| inputs.push(dual.primal)),
            Argument::Array(_, values) => inputs.extend(values),
            Argument::Fixed(_) | Argument::Alias { .. } => {}
        }
    }
    inputs
}

fn floats(value: &Value, visit: &mut dyn FnMut(&Dual)) {
    match value {
        Value::Float(dual) => visit(dual),
        Value::Aggregate(parts) => parts.iter().for_each(|part| floats(part, visit)),
        Value::Int(_) | Value::Pointer(_) | Value::Undef => {}
    }
}

/// One run at the given inputs, with the tangent that each is given.
fn run(
    program: &Program,
    function: &str,
    arguments: &[Argument],
    inputs: &[f64],
    tangent: &dyn Fn(usize) -> Tangent,
) -> Result<Vec<Dual>, Trap> {
    let mut machine = Machine::new(program);
    machine.limits.steps = STEPS;
    let mut next = 0;
    let mut take = |kind: FloatKind| {
        next += 1;
        Dual::new(kind, inputs[next - 1], tangent(next - 1))
    };
    let mut values = Vec::new();
    let mut arrays: Vec<Option<(Pointer, FloatKind, usize)>> = Vec::new();
    for argument in arguments {
        let (value, array) = match argument {
            Argument::Active(value) => (replace(value, &mut take), None),
            Argument::Fixed(value) => (value.clone(), None),
            Argument::Array(kind, content) => {
                let duals: Vec<Dual> = content.iter().map(|_| take(*kind)).collect();
                let pointer = machine.allocate_floats(*kind, &duals)?;
                (Value::Pointer(pointer), Some((pointer, *kind, duals.len())))
            }
            Argument::Alias { of, elements } => {
                let (pointer, kind, _) =
                    arrays[*of].ok_or_else(|| Fault::Malformed("alias of no array".into()))?;
                (Value::Pointer(pointer.plus(elements * Machine::stride(kind)? as i64)), None)
            }
        };
        values.push(value);
        arrays.push(array);
    }
    let result = machine.call(function, &values)?;
    let mut outputs = Vec::new();
    reject_undef(&result, program.function(function).map_or(&Type::Void, |f| &f.ret))?;
    floats(&result, &mut |dual| outputs.push(*dual));
    for (pointer, kind, count) in arrays.into_iter().flatten() {
        outputs.extend(machine.read_floats(kind, pointer, count)?);
    }
    Ok(outputs)
}

fn reject_undef(result: &Value, ty: &Type) -> Result<(), Fault> {
    if *ty != Type::Void && result.is_undef() { Err(Fault::UndefUsed("the result")) } else { Ok(()) }
}

fn replace(value: &Value, take: &mut dyn FnMut(FloatKind) -> Dual) -> Value {
    match value {
        Value::Float(dual) => Value::Float(take(dual.kind)),
        Value::Aggregate(parts) => Value::Aggregate(parts.iter().map(|part| replace(part, take)).collect()),
        Value::Int(_) | Value::Pointer(_) | Value::Undef => value.clone(),
    }
}
