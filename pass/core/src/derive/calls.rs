//! Calls of the derivatives of called functions, in the place of the calls themselves.

use super::Source;
use super::adjoint::AdjointWriter;
use super::builder::Builder;
use super::globals::GlobalShadows;
use super::gradient::Sweep;
use super::tape::call_runtime;
use crate::model::{Inst, Op, Operand, ValueId};
use crate::plan::variant_name;
use crate::request::{Activity, Part, Request, expected_parts, part_type, parts_type};

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

/// Calls a derivative of the callee; gives each part of what it returns.
pub fn call_derivative(
    source: &Source,
    builder: &mut Builder,
    inst: &Inst,
    request: &Request,
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
    let Some(callee) = source.program.function(&request.function) else {
        unreachable!("calls of functions without a body are refused before there is a plan")
    };
    let parts = expected_parts(request, callee);
    let ty = parts_type(&parts, callee);
    let whole = call_runtime(builder, &variant_name(request), ty, operands);
    if let [part] = parts.as_slice() {
        return vec![(*part, whole)];
    }
    let take = |(index, part): (usize, &Part)| {
        let op = Op::ExtractValue { path: vec![index as u32] };
        (*part, builder.push(op, part_type(*part, callee), vec![whole.clone()]))
    };
    parts.iter().enumerate().map(take).collect()
}

impl Sweep<'_> {
    /// The callee's first half, in the forward sweep.
    pub fn call_first_half(&mut self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let planned = &self.source.plan.calls[&id];
        let (copies, shadows) = (&self.copies, &self.shadows);
        let given = Given {
            primal: &mut |_, x| copies.operand(x),
            shadow: &mut |_, x, lane| shadows.of(x, lane),
            globals: &self.cells.globals,
            seeds: Vec::new(),
            tape: self.cells.tape.clone(),
        };
        let parts = call_derivative(self.source, builder, inst, &planned.augmented(), given);
        for (part, value) in parts {
            match part {
                Part::Primal => drop(self.copies.values.insert(id, value)),
                Part::Shadow { lane } => self.shadows.insert(id, lane, value),
                Part::Tape | Part::Gradient { .. } => {
                    unreachable!("a nested first half returns no such part")
                }
            }
        }
    }
}

impl AdjointWriter<'_> {
    /// The callee's second half, in the reverse sweep: given the adjoint of the result, it adds to what the shadows
    /// point to, and returns what belongs to the adjoints of floats passed by value.
    pub fn call_second_half(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let request = &self.source.plan.calls[&id].request;
        builder.loc = inst.loc;
        builder.flags = super::derived_flags(inst.flags);
        let lanes = 0..request.width;
        let seeds = match request.active_return {
            true => lanes.map(|lane| self.take_adjoint(builder, id, lane)).collect(),
            false => Vec::new(),
        };
        let given = Given {
            primal: &mut |builder, x| self.primals.primal(builder, x),
            shadow: &mut |builder, x, lane| self.primals.shadow(builder, x, lane),
            globals: &self.cells.globals,
            seeds,
            tape: self.cells.tape.clone(),
        };
        for (part, value) in call_derivative(self.source, builder, inst, request, given) {
            if let Part::Gradient { param, lane } = part {
                debug_assert_eq!(request.activity(param), Activity::Out);
                self.add_to(builder, &inst.arguments()[param], lane, value);
            }
        }
    }
}
