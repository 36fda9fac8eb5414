//! Integer parameters that are never the bits of a float nor read from memory: counts that functions hand on to each other.
//!
//! Lattice: the set of such parameters, from all of them down. Transfer: a parameter leaves where a call hands over what is not made of
//! constants and of these parameters alone. The user hands over no bits that have a derivative, to whom no one here calls. A function
//! whose address somebody has may be called with anything.
//! Safe error: a parameter is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, Type, ValueId};

/// By the name of their function.
#[derive(Default)]
pub struct HandedNumbers(BTreeMap<String, BTreeSet<ValueId>>);

impl HandedNumbers {
    pub fn of(program: &Program) -> Arc<HandedNumbers> {
        program.once("", || HandedNumbers::find(program))
    }

    pub fn contains(&self, function: &Function, param: ValueId) -> bool {
        self.0.get(&function.name).is_some_and(|params| params.contains(&param))
    }

    fn find(program: &Program) -> HandedNumbers {
        let mut numbers = HandedNumbers::default();
        let known = find_known_by_address(program);
        for function in program.functions.iter().filter(|function| !known.contains(&function.name)) {
            let is_integer = |id: &ValueId| matches!(function.value_type(*id), Type::Int(_));
            numbers.0.insert(function.name.clone(), function.param_ids().filter(is_integer).collect());
        }
        while program.functions.iter().filter(|caller| numbers.read(caller)).count() > 0 {}
        numbers
    }

    /// Whether a call hands over what is no number.
    fn read(&mut self, caller: &Function) -> bool {
        let mut lost = Vec::new();
        for call in caller.insts.iter().filter(|inst| inst.op.call().is_some()) {
            let Some(callee) = call.callee_name() else { continue };
            for param in self.0.get(callee).into_iter().flatten() {
                let handed = call.arguments().get(param.0 as usize);
                if !handed.is_some_and(|handed| self.is_number(caller, handed, &mut BTreeSet::new())) {
                    lost.push((callee, *param));
                }
            }
        }
        lost.iter().for_each(|(callee, param)| {
            self.0.get_mut(*callee).into_iter().for_each(|params| _ = params.remove(param))
        });
        !lost.is_empty()
    }

    fn is_number(&self, function: &Function, value: &Operand, met: &mut BTreeSet<ValueId>) -> bool {
        let id = match value {
            Operand::Const(constant) => {
                return !matches!(constant, Constant::Expr { .. } | Constant::Opaque { .. });
            }
            Operand::Value(id) => *id,
        };
        if !met.insert(id) {
            return true;
        }
        let Some(inst) = function.inst(id) else { return self.contains(function, id) };
        let mut are_numbers =
            |operands: &[Operand]| operands.iter().all(|x| self.is_number(function, x, met));
        match &inst.op {
            Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => true,
            Op::Int(_)
            | Op::Phi { .. }
            | Op::Freeze
            | Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => are_numbers(&inst.operands),
            Op::Select => are_numbers(&inst.operands[1..]),
            Op::ExtractValue { .. } => are_numbers(&inst.operands),
            _ if inst.callee_name().is_some_and(|name| name.starts_with("llvm.fpto")) => true,
            _ if computes_with_integers(inst) => are_numbers(inst.arguments()),
            _ => false,
        }
    }
}

/// Whether a call is one of LLVM's own for arithmetic, with or without an overflow.
fn computes_with_integers(inst: &Inst) -> bool {
    const ARITHMETIC: [&str; 6] =
        ["llvm.umax.", "llvm.umin.", "llvm.smax.", "llvm.smin.", "llvm.abs.", "llvm.ctlz."];
    inst.callee_name().filter(|name| name.starts_with("llvm.")).is_some_and(|name| {
        let plain = ARITHMETIC.iter().any(|start| name.starts_with(start));
        plain || name.contains(".with.overflow.") || name.contains(".sat.")
    })
}

/// The functions whose names stand anywhere but where they are called.
fn find_known_by_address(program: &Program) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let mut take = |constant: &Constant| {
        constant.walk(&mut |part| {
            if let Constant::Symbol { name, .. } = part {
                known.insert(name.clone());
            }
        });
    };
    for inst in program.functions.iter().flat_map(|function| &function.insts) {
        let used = if inst.callee_name().is_some() { inst.arguments() } else { &inst.operands };
        for operand in used {
            if let Operand::Const(constant) = operand {
                take(constant);
            }
        }
    }
    program.globals.iter().filter_map(|global| global.initial.as_ref()).for_each(&mut take);
    known
}
