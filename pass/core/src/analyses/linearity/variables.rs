//! The variables of a function, as the paper has them: what dependence is asked about where nobody says.
//!
//! Real parameters, what loops hand on from one iteration to the next in registers, and memory, where an array is one
//! variable. Every read of a variable is a source, whatever was written there before; what it depends on is what its writes
//! leave when the function returns. (Of memory of the function's own all writes count.)

use std::collections::{BTreeMap, BTreeSet};

use super::callee::returned;
use super::depends::{Depends, Source};
use super::trace::{Seed, Seeds, Trace};
use crate::analyses::adjoint::describe::describe_base;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Kind, Spot, TouchId};
use crate::analyses::pointers::Base;
use crate::model::{Inst, Op, Type, ValueId};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    Param(ValueId),
    /// A phi of a loop's header.
    Carried(ValueId),
    Memory(Base),
    Result,
}

/// In that order: parameters and what is behind them, other memory, registers, the result.
pub fn find_variables(body: &Body) -> Vec<Variable> {
    let function = body.function;
    let mut memory: BTreeSet<Base> = BTreeSet::new();
    for touch in body.touches.iter().filter(|touch| touch.inst().is_some_and(|id| touches_reals(body, id))) {
        memory.extend(touch.bases.iter().filter(|base| !matches!(base, Base::Null)).cloned());
    }
    let mut variables = Vec::new();
    for id in function.param_ids() {
        if function.value_type(id).holds_float() {
            variables.push(Variable::Param(id));
        } else if memory.remove(&Base::Param(id)) {
            variables.push(Variable::Memory(Base::Param(id)));
        }
    }
    variables.extend(memory.into_iter().map(Variable::Memory));
    let headers = function.loops.iter().flat_map(|at| &function.block(at.header).insts);
    let phi = |id: &&ValueId| function.inst(**id).is_some_and(is_real_phi);
    variables.extend(headers.filter(phi).map(|id| Variable::Carried(*id)));
    if function.ret.holds_float() {
        variables.push(Variable::Result);
    }
    variables
}

fn is_real_phi(inst: &Inst) -> bool {
    matches!(inst.op, Op::Phi { .. }) && inst.ty.holds_float()
}

/// Whether an access may be one of reals: calls touch what they like.
fn touches_reals(body: &Body, id: ValueId) -> bool {
    let Some(inst) = body.function.inst(id) else { return false };
    body.function.accessed_type(inst).is_none_or(|ty: Type| ty.holds_float())
}

/// Whether reals are read or written behind a parameter.
pub fn leads_to_reals(body: &Body, param: ValueId) -> bool {
    let base = Base::Param(param);
    let mut behind = body.touches.iter().filter(|touch| touch.bases.contains(&base));
    behind.any(|touch| touch.inst().is_some_and(|id| touches_reals(body, id)))
}

impl Variable {
    /// As the user calls it, where that is known.
    pub fn name(&self, body: &Body) -> String {
        let named = |id: &ValueId| {
            let param = body.function.params.get(id.0 as usize);
            param.and_then(|param| param.name.clone()).unwrap_or_else(|| id.to_string())
        };
        match self {
            Variable::Param(id) | Variable::Memory(Base::Param(id)) | Variable::Carried(id) => named(id),
            Variable::Memory(Base::Global(name)) => name.clone(),
            Variable::Memory(base) => describe_base(base),
            Variable::Result => "result".into(),
        }
    }

    /// What it stands for as a source.
    pub fn seeds(&self, body: &Body) -> Vec<Seed> {
        match self {
            Variable::Param(id) | Variable::Carried(id) => vec![Seed::Value(*id)],
            Variable::Memory(base) => touches_of(body, base, Kind::Read).map(Seed::Touch).collect(),
            Variable::Result => Vec::new(),
        }
    }

    /// How it depends on the sources.
    pub fn depends(&self, traced: &Trace) -> Depends {
        let body = traced.body();
        match self {
            Variable::Param(_) => Depends::default(),
            Variable::Carried(id) => traced.value(*id).clone(),
            Variable::Result => returned(traced),
            Variable::Memory(base) if base.is_local() => touches_of(body, base, Kind::Write)
                .fold(Depends::default(), |all, write| all.or(traced.touch(write))),
            Variable::Memory(base) => {
                let last = body.touch_ids().filter(|touch| {
                    let touch = body.touch(*touch);
                    touch.spot == Spot::Exit && touch.bases.contains(base)
                });
                last.fold(Depends::default(), |all, read| all.or(&traced.at_exit(read)))
            }
        }
    }
}

fn touches_of<'b>(body: &'b Body, base: &'b Base, kind: Kind) -> impl Iterator<Item = TouchId> + 'b {
    body.touch_ids().filter(move |touch| {
        let touch = body.touch(*touch);
        touch.kind == kind && touch.inst().is_some() && touch.bases.contains(base)
    })
}

/// Sources numbered as the variables are.
pub fn number_variables(body: &Body, variables: &[Variable]) -> Seeds {
    let mut seeds: Seeds = BTreeMap::new();
    for (number, variable) in variables.iter().enumerate() {
        for seed in variable.seeds(body) {
            seeds.entry(seed).or_default().insert(Source(number as u32));
        }
    }
    seeds
}
