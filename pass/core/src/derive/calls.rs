//! Calls of the derivatives of called functions, in the place of the calls themselves.

use super::Source;
use super::adjoint::AdjointWriter;
use super::builder::Builder;
use super::cells::Cells;
use super::globals::GlobalShadows;
use super::gradient::Sweep;
use super::records::{GRAIN, load_packed, store_packed};
use super::tape::{call_runtime, function_name};
use crate::analyses::custom::CustomCall;
use crate::analyses::exceptions::{GUARDED, is_guarded};
use crate::model::{Constant, Function, Inst, Op, Operand, Type, ValueId};
use crate::plan::{PlannedCall, variant_name};
use crate::request::{Activity, Part, Request, expected_parts, parts_type};

/// Where the arguments of such a call come from.
pub struct Given<'a> {
    pub primal: &'a mut dyn FnMut(&mut Builder, &Operand) -> Operand,
    /// The shadow of a pointer, or in forward mode the tangent of a float.
    pub shadow: &'a mut dyn FnMut(&mut Builder, &Operand, u32) -> Operand,
    /// The shadows of globals.
    pub globals: &'a GlobalShadows,
    pub seeds: Vec<Operand>,
    pub tape: Option<Operand>,
}

/// A derivative function, as it is called.
struct Callee {
    name: String,
    returns: Type,
    parts: Vec<Part>,
}

/// Calls a derivative of a called function in forward mode; gives each part of what it returns.
pub fn call_tangent(
    source: &Source,
    builder: &mut Builder,
    inst: &Inst,
    planned: &PlannedCall,
    given: Given,
) -> Vec<(Part, Operand)> {
    match &planned.custom {
        Some(CustomCall::Tangent(name)) => call_rule(source, builder, inst, &planned.request, name, given),
        _ => {
            call_derivative(builder, inst, &planned.request, our_derivative(source, &planned.request), given)
        }
    }
}

/// A rule of the user's is for one direction, and is called once for each. In several it is given numbers only, so that each call
/// computes the same result.
fn call_rule(
    source: &Source,
    builder: &mut Builder,
    inst: &Inst,
    request: &Request,
    name: &str,
    given: Given,
) -> Vec<(Part, Operand)> {
    let single = Request { width: 1, ..request.clone() };
    let Given { primal, shadow, globals, .. } = given;
    let mut results = Vec::new();
    for lane in 0..request.width {
        let callee = Callee { name: name.into(), ..our_derivative(source, &single) };
        let shadow = &mut |builder: &mut Builder, x: &Operand, _: u32| shadow(builder, x, lane);
        let one = Given { primal: &mut *primal, shadow, globals, seeds: Vec::new(), tape: None };
        for (part, value) in call_derivative(builder, inst, &single, callee, one) {
            match part {
                Part::Shadow { .. } => results.push((Part::Shadow { lane }, value)),
                part if lane == 0 => results.push((part, value)),
                _ => {}
            }
        }
    }
    results
}

/// The derivative that we write for a request.
fn our_derivative(source: &Source, request: &Request) -> Callee {
    let function = called_function(source, &request.function);
    let parts = expected_parts(request, function);
    Callee { name: variant_name(request), returns: parts_type(&parts, function), parts }
}

fn called_function<'a>(source: &Source<'a>, name: &str) -> &'a Function {
    let Some(function) = source.program.function(name) else {
        unreachable!("calls of functions that are not in the program are refused before there is a plan")
    };
    function
}

fn call_derivative(
    builder: &mut Builder,
    inst: &Inst,
    request: &Request,
    callee: Callee,
    given: Given,
) -> Vec<(Part, Operand)> {
    let mut operands = Vec::new();
    for (argument, operand) in request.arguments.iter().zip(inst.arguments()) {
        operands.push((given.primal)(builder, operand));
        if argument.activity.has_shadow() {
            operands.extend((0..request.width).map(|lane| (given.shadow)(builder, operand, lane)));
        }
    }
    for global in &request.globals {
        operands.extend((0..request.width).filter_map(|lane| given.globals.start(global, lane).cloned()));
    }
    operands.extend(given.seeds);
    operands.extend(given.tape);
    let types: Vec<Type> = callee.returns.parts().unwrap_or_default().into_iter().cloned().collect();
    let whole = call_runtime(builder, &callee.name, callee.returns, operands);
    if is_guarded(inst)
        && let Some(Inst { op: Op::Call(call), .. }) = builder.inst_mut(&whole)
    {
        call.attributes.push(GUARDED.into());
    }
    if let [part] = callee.parts.as_slice() {
        return vec![(*part, whole)];
    }
    let take = |((index, part), ty): ((u32, Part), Type)| {
        let op = Op::ExtractValue { path: vec![index] };
        (part, builder.push(op, ty, vec![whole.clone()]))
    };
    (0..).zip(callee.parts).zip(types).map(take).collect()
}

impl Sweep<'_> {
    /// The callee's first half, in the forward sweep.
    pub fn call_first_half(&mut self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let planned = &self.source.plan.calls[&id];
        let request = planned.augmented();
        let custom = planned.custom.as_ref();
        let callee = match custom {
            Some(custom) => custom_first_half(self.source, &request, custom),
            None => our_derivative(self.source, &request),
        };
        let (copies, shadows) = (&self.copies, &self.shadows);
        let given = Given {
            primal: &mut |_, x| copies.operand(x),
            shadow: &mut |_, x, lane| shadows.of(x, lane),
            globals: &self.cells.globals,
            seeds: Vec::new(),
            tape: self.cells.tape.clone().filter(|_| custom.is_none()),
        };
        for (part, value) in call_derivative(builder, inst, &request, callee, given) {
            match part {
                Part::Primal => drop(self.copies.values.insert(id, value)),
                Part::Shadow { lane } => self.shadows.insert(id, lane, value),
                Part::Tape => push_custom_tape(self.source, builder, self.cells, value),
                Part::Gradient { .. } => unreachable!("a first half returns no gradients"),
            }
        }
    }
}

/// The user's function for the forward sweep; of the parts those that exist.
fn custom_first_half(source: &Source, request: &Request, custom: &CustomCall) -> Callee {
    let CustomCall::Halves { augmented, tape, .. } = custom else {
        unreachable!("reverse mode calls the two halves of a rule")
    };
    let mut parts: Vec<Part> = tape.iter().map(|_| Part::Tape).collect();
    parts.extend(expected_parts(request, called_function(source, &request.function)));
    Callee { name: augmented.clone(), returns: called_function(source, augmented).ret.clone(), parts }
}

/// The tape of a rule of the user's is a record on ours.
fn push_custom_tape(source: &Source, builder: &mut Builder, cells: &Cells, value: Operand) {
    let ty = builder.type_of(&value);
    let record = access_record(source, builder, cells, &ty, "backsweep.push");
    store_packed(builder, &record, value);
}

fn pop_custom_tape(source: &Source, builder: &mut Builder, cells: &Cells, ty: &Type) -> Operand {
    let record = access_record(source, builder, cells, ty, "backsweep.pop");
    load_packed(builder, &record, ty.clone())
}

fn access_record(source: &Source, builder: &mut Builder, cells: &Cells, ty: &Type, how: &str) -> Operand {
    let Some(cursor) = cells.cursor.clone() else { unreachable!("a plan with calls uses the tape") };
    let bytes = builder.layout.size_of(ty).unwrap_or_default().next_multiple_of(GRAIN);
    let bytes = Operand::Const(Constant::int(64, i128::from(bytes)));
    call_runtime(builder, how, Type::PTR, vec![cursor, bytes, Operand::Const(function_name(source))])
}

impl AdjointWriter<'_> {
    /// The callee's second half, in the reverse sweep: given the adjoint of the result, it adds to what the shadows
    /// point to, and returns what belongs to the adjoints of floats passed by value.
    pub fn call_second_half(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let planned = &self.source.plan.calls[&id];
        let request = &planned.request;
        builder.loc = inst.loc;
        builder.flags = super::derived_flags(inst.flags);
        let lanes = 0..request.width;
        let seeds = match request.active_return {
            true => lanes.map(|lane| self.take_adjoint(builder, id, lane)).collect(),
            false => Vec::new(),
        };
        let mut callee = our_derivative(self.source, request);
        let tape = match &planned.custom {
            Some(CustomCall::Halves { reverse, tape, .. }) => {
                callee.name = reverse.clone();
                tape.as_ref().map(|ty| pop_custom_tape(self.source, builder, self.cells, ty))
            }
            _ => self.cells.tape.clone(),
        };
        let given = Given {
            primal: &mut |builder, x| self.primals.primal(builder, x),
            shadow: &mut |builder, x, lane| self.primals.shadow(builder, x, lane),
            globals: &self.cells.globals,
            seeds,
            tape,
        };
        for (part, value) in call_derivative(builder, inst, request, callee, given) {
            if let Part::Gradient { param, lane } = part {
                debug_assert_eq!(request.activity(param), Activity::Out);
                self.add_to(builder, &inst.arguments()[param], lane, value);
            }
        }
    }
}
