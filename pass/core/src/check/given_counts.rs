//! Parameters through which a function is only ever given counts, and neither bits of floats nor addresses.
//!
//! What may be either is followed from where it comes up, through arithmetic and into the functions that are called with it. Who is
//! called by nobody here is the user's, who keeps no bits of active floats in integers.
//! Safe error: a parameter is given something else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::bits::{Users, find_users};
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, Type, ValueId};

/// The values of each function that may be something else.
pub struct GivenCounts(BTreeMap<String, BTreeSet<ValueId>>);

impl GivenCounts {
    /// Every plan asks, and the answer is the same for all.
    pub fn of(program: &Program) -> Arc<GivenCounts> {
        program.once("", || GivenCounts::find(program))
    }

    fn find(program: &Program) -> GivenCounts {
        let mut doubtful = GivenCounts(BTreeMap::new());
        let users: BTreeMap<&str, Users> =
            program.functions.iter().map(|function| (function.name.as_str(), find_users(function))).collect();
        let mut waiting = Vec::new();
        for function in &program.functions {
            let made = function
                .inst_ids()
                .filter(|id| function.inst(*id).is_some_and(|inst| begins(function, inst)));
            waiting.extend(made.map(|id| (function, id)));
            for name in addressed(function) {
                let named = program.function(name).into_iter();
                waiting.extend(named.flat_map(|other| other.param_ids().map(move |id| (other, id))));
            }
        }
        let mut in_globals = BTreeSet::new();
        for initial in program.globals.iter().filter_map(|global| global.initial.as_ref()) {
            names_in(initial, &mut in_globals);
        }
        let named = in_globals.into_iter().filter_map(|name| program.function(name));
        waiting.extend(named.flat_map(|other| other.param_ids().map(move |id| (other, id))));
        while let Some((function, id)) = waiting.pop() {
            if !doubtful.0.entry(function.name.clone()).or_default().insert(id) {
                continue;
            }
            for (user, at) in
                users.get(function.name.as_str()).and_then(|users| users.get(&id)).into_iter().flatten()
            {
                let Some(inst) = function.inst(*user) else { continue };
                let callee = inst.callee_name().and_then(|name| program.function(name));
                if let Some(callee) = callee.filter(|callee| *at < callee.params.len()) {
                    waiting.push((callee, ValueId(*at as u32)));
                }
                if goes_on(inst) {
                    waiting.push((function, *user));
                }
            }
        }
        doubtful
    }

    pub fn is_count(&self, function: &Function, param: ValueId) -> bool {
        let integer = matches!(function.value_type(param), Type::Int(_));
        integer && !self.0.get(&function.name).is_some_and(|doubtful| doubtful.contains(&param))
    }
}

/// Whether something comes up here that may be more than a count.
fn begins(function: &Function, inst: &Inst) -> bool {
    match &inst.op {
        Op::Load(_) | Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. } => {
            true
        }
        Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr) => true,
        Op::Cast(CastOp::BitCast) => function.operand_type(&inst.operands[0]).holds_float(),
        Op::InsertValue { .. } => function.operand_type(&inst.operands[1]).holds_float(),
        Op::ExtractElement | Op::LandingPad { .. } => true,
        _ if inst.op.call().is_some() => !is_arithmetic(inst),
        _ => inst
            .operands
            .iter()
            .any(|operand| matches!(operand, Operand::Const(constant) if is_computed(constant))),
    }
}

fn is_computed(constant: &Constant) -> bool {
    matches!(constant, Constant::Expr { .. } | Constant::Opaque { .. })
}

/// Whether what comes in may come out, whole or changed. Whether a float is compared or rounded, it is a count behind that.
fn goes_on(inst: &Inst) -> bool {
    let count = matches!(
        inst.op,
        Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) | Op::Store(_)
    );
    !count
}

fn is_arithmetic(call: &Inst) -> bool {
    let Some(name) = call.callee_name().and_then(|name| name.strip_prefix("llvm.")) else { return false };
    let first = name.split('.').next().unwrap_or_default();
    let counts = ["umax", "umin", "smax", "smin", "abs", "ctlz", "fptosi", "fptoui"];
    counts.contains(&first) || name.contains(".with.overflow.") || name.contains(".sat.")
}

/// The functions whose addresses stand here, and not only because they are called.
fn addressed(function: &Function) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for inst in &function.insts {
        let all = inst.operands.len() - usize::from(inst.callee_name().is_some());
        for operand in &inst.operands[..all] {
            if let Operand::Const(constant) = operand {
                names_in(constant, &mut names);
            }
        }
    }
    names
}

fn names_in<'a>(constant: &'a Constant, names: &mut BTreeSet<&'a str>) {
    match constant {
        Constant::Symbol { name, .. } => _ = names.insert(name),
        Constant::Offset { base, .. } => names_in(base, names),
        Constant::Aggregate { parts, .. } | Constant::Expr { operands: parts, .. } => {
            parts.iter().for_each(|part| names_in(part, names));
        }
        _ => {}
    }
}
