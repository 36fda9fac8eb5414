//! Does the program take floats for integers that it declares?
//!
//! Program → whether an integer is moved between a member that is declared to be one and memory that somebody reads or writes as
//! floats of that size: an array of doubles may be handed over as one of integers and kept in structs of these. Then no declaration
//! is believed anywhere. The front end's types, from which declarations come, say nothing of such a cast.
//! Safe error: it does.

use super::relayed::Relayed;
use super::same::Same;
use super::touches::{Touches, is_declared};
use super::webs::{Web, find_webs};
use crate::analyses::pointers::Pointers;
use crate::model::{Function, Inst, Layout, Op, Program};

pub fn takes_floats_for_integers(program: &Program) -> bool {
    let layout = Layout::parse(&program.layout);
    let _remembering = program.remember();
    program.functions.iter().any(|function| takes(function, program, &layout))
}

fn takes(function: &Function, program: &Program, layout: &Layout) -> bool {
    let webs = find_webs(function, layout);
    let mixed: Vec<Vec<&Inst>> = webs.iter().filter_map(|web| find_undeclared(web, function)).collect();
    if mixed.is_empty() {
        return false;
    }
    let pointers = Pointers::shared(function, program);
    let mut touches = Touches::of(function, program, &pointers, layout);
    touches.hear(&Relayed::of(program, layout));
    mixed.into_iter().flatten().any(|access| Same::of(access, &touches).is_none_or(|same| same.is_float()))
}

/// The accesses of a web that are not declared, where others are.
fn find_undeclared<'a>(web: &Web, function: &'a Function) -> Option<Vec<&'a Inst>> {
    let ids = web.values.iter().chain(&web.stores);
    let is_access = |inst: &&Inst| matches!(inst.op, Op::Load(_) | Op::Store(_));
    let accesses = ids.filter_map(|id| function.inst(*id)).filter(is_access);
    let (declared, others): (Vec<_>, Vec<_>) = accesses.partition(|inst| is_declared(inst));
    (!declared.is_empty() && !others.is_empty()).then_some(others)
}
