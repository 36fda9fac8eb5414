//! Does an integer that was read from memory with a shadow perhaps hold a float?
//!
//! It does where its bits become a float, or go on unchanged to memory, to the caller or to a call. What is only
//! counted, compared or used as an index does not.

use std::collections::{BTreeMap, BTreeSet};

use super::atomic_counts::is_atomic_count;
use super::memory_calls::memory_call;
use crate::model::{CastOp, Flags, Function, Inst, IntOp, Op, Operand, Program, Type, ValueId};
use crate::rules::is_known_inactive;

/// Who uses a value, and as which operand.
pub type Users = BTreeMap<ValueId, Vec<(ValueId, usize)>>;

pub fn find_users(function: &Function) -> Users {
    let mut users = Users::new();
    for (id, inst) in function.inst_ids().zip(&function.insts) {
        for (at, value) in inst.operands.iter().enumerate().filter_map(|(at, x)| Some((at, x.value()?))) {
            users.entry(value).or_default().push((id, at));
        }
    }
    users
}

/// Follows the uses of the integer. Behind arithmetic only a cast back to a float counts.
/// Into functions with bodies the integer is followed. `users` are those of the function.
pub fn may_be_float(function: &Function, users: &Users, program: &Program, integer: ValueId) -> bool {
    may_become_float(function, users, program, (integer, false))
}

/// Whether one use of an integer lets its bits go on to anybody: to memory, to the caller, into a function or to a float.
pub fn use_lets_go(
    function: &Function,
    users: &Users,
    program: &Program,
    (user, at): (ValueId, usize),
) -> bool {
    let Some(inst) = function.inst(user) else { return true };
    if takes_no_float(function, program, inst, user) {
        return false;
    }
    match use_of(inst, at) {
        Use::Float | Use::Leaves => true,
        Use::Passes => may_become_float(function, users, program, (user, false)),
        Use::Computes => may_become_float(function, users, program, (user, true)),
        Use::Ends => false,
    }
}

/// `computed` is what is made of an integer by arithmetic.
fn may_become_float(
    function: &Function,
    users: &Users,
    program: &Program,
    (integer, computed): (ValueId, bool),
) -> bool {
    let mut others: BTreeMap<&str, Users> = BTreeMap::new();
    let first = function;
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![(function, integer, computed)]);
    while let Some((function, value, computed)) = waiting.pop() {
        if !seen.insert((&function.name, value, computed)) {
            continue;
        }
        let users = match std::ptr::eq(function, first) {
            true => users,
            false => &*others.entry(&function.name).or_insert_with(|| find_users(function)),
        };
        for (user, at) in users.get(&value).cloned().unwrap_or_default() {
            if let Some(inst) = function.inst(user) {
                let callee = inst.callee_name().and_then(|name| program.function(name));
                if let Some(callee) =
                    callee.filter(|callee| at < callee.params.len() && !callee.blocks.is_empty())
                {
                    waiting.push((callee, ValueId(at as u32), computed));
                    continue;
                }
                if inst.callee_name().is_some_and(|name| program.custom_rule(name).is_some()) {
                    // To a rule of the user's an integer is an integer.
                    continue;
                }
                if takes_no_float(function, program, inst, user) {
                    continue;
                }
                match use_of(inst, at) {
                    Use::Float => return true,
                    Use::Leaves if !computed => return true,
                    Use::Passes => waiting.push((function, user, computed)),
                    Use::Computes => waiting.push((function, user, true)),
                    Use::Leaves | Use::Ends => {}
                }
            }
        }
    }
    false
}

/// The stores that put an integer's bits, computed with or not, into memory, in whatever function with a body they come to; `None` where
/// they do anything else.
///
/// What has no body here takes an integer for an integer.
pub fn find_stores<'a>(
    function: &'a Function,
    users: &Users,
    program: &'a Program,
    integer: ValueId,
) -> Option<Vec<(&'a Function, &'a Inst)>> {
    let mut all: BTreeMap<&str, Users> = BTreeMap::from([(function.name.as_str(), users.clone())]);
    let (mut seen, mut waiting, mut stores) = (BTreeSet::new(), vec![(function, integer)], Vec::new());
    while let Some((function, value)) = waiting.pop() {
        if !seen.insert((function.name.as_str(), value)) {
            continue;
        }
        let users = &*all.entry(&function.name).or_insert_with(|| find_users(function));
        for (user, at) in users.get(&value).into_iter().flatten() {
            let Some(inst) = function.inst(*user) else { continue };
            let callee = inst.callee_name().and_then(|name| program.function(name));
            match (use_of(inst, *at), callee) {
                (Use::Float, _) => return None,
                (Use::Passes | Use::Computes, _) => waiting.push((function, *user)),
                (Use::Leaves, Some(callee)) if callee.blocks.is_empty() => {}
                (Use::Leaves, Some(callee)) if *at < callee.params.len() => {
                    waiting.push((callee, ValueId(*at as u32)));
                }
                (Use::Leaves, _) if matches!(inst.op, Op::Ret) => {
                    let back = find_results(program, function);
                    if back.is_empty() {
                        return None;
                    }
                    waiting.extend(back);
                }
                (Use::Leaves, _) if matches!(inst.op, Op::Store(_)) => stores.push((function, inst)),
                (Use::Leaves, _) => return None,
                (Use::Ends, _) => {}
            }
        }
    }
    Some(stores)
}

/// Whether whoever is given an integer takes it for one: nobody adds one to a float's bits atomically.
fn takes_no_float(function: &Function, program: &Program, inst: &Inst, id: ValueId) -> bool {
    is_compared_count(function, inst, id) || is_swallowed(program, inst) || is_atomic_count(function, inst)
}

/// Whether an instruction counts bits, and the count is compared only.
fn is_compared_count(function: &Function, inst: &Inst, id: ValueId) -> bool {
    let counts = inst.callee_name().is_some_and(|name| name.starts_with("llvm.ctpop."));
    let (mut met, mut waiting) = (BTreeSet::from([id]), vec![id]);
    while let Some(count) = waiting.pop().filter(|_| counts) {
        let uses = |inst: &Inst| inst.operands.iter().any(|operand| operand.value() == Some(count));
        for (user, inst) in function.inst_ids().zip(&function.insts).filter(|(_, inst)| uses(inst)) {
            match inst.op {
                Op::ICmp(_) => {}
                Op::Cast(CastOp::Trunc | CastOp::ZExt) if met.insert(user) => waiting.push(user),
                Op::Cast(CastOp::Trunc | CastOp::ZExt) => {}
                _ => return false,
            }
        }
    }
    counts
}

/// Where a function's result comes back to.
fn find_results<'a>(program: &'a Program, callee: &Function) -> Vec<(&'a Function, ValueId)> {
    let calls = |caller: &'a Function| {
        let ids = caller.inst_ids().filter(|id| {
            let name = caller.inst(*id).and_then(|inst| inst.callee_name());
            name == Some(callee.name.as_str())
        });
        ids.map(|id| (caller, id)).collect::<Vec<_>>()
    };
    program.functions.iter().flat_map(calls).collect()
}

/// Whether a call without a result is of a function out of sight that is known to leave no number in memory, as a panic is.
fn is_swallowed(program: &Program, inst: &Inst) -> bool {
    let out_of_sight = |name: &str| program.function(name).is_none_or(|callee| callee.blocks.is_empty());
    let known = |name: &str| out_of_sight(name) && is_known_inactive(name);
    inst.ty == Type::Void && inst.callee_name().is_some_and(known)
}

enum Use {
    Float,
    Leaves,
    Passes,
    Computes,
    Ends,
}

fn use_of(inst: &Inst, at: usize) -> Use {
    match &inst.op {
        Op::Cast(CastOp::BitCast) if inst.ty.holds_float() => Use::Float,
        Op::Cast(CastOp::BitCast | CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => Use::Passes,
        Op::Int(IntOp::Shl) if scales(inst) => Use::Computes,
        Op::Int(IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::LShr | IntOp::AShr) => Use::Passes,
        Op::Int(_) => Use::Computes,
        Op::Phi { .. } | Op::Freeze | Op::ExtractValue { .. } | Op::ShuffleVector { .. } => Use::Passes,
        Op::Select if at > 0 => Use::Passes,
        Op::ExtractElement if at == 0 => Use::Passes,
        Op::InsertElement | Op::InsertValue { .. } if at == 0 => Use::Passes,
        Op::InsertElement if at == 2 => Use::Ends,
        Op::InsertElement | Op::InsertValue { .. } => Use::Leaves,
        // A word of a derivative's record, which that derivative alone takes back, as the number it was.
        Op::Store(access) if access.number => Use::Ends,
        Op::Store(_) if at == 0 => Use::Leaves,
        Op::Call(_) if is_checked(inst) => Use::Computes,
        Op::Call(_) if is_limited(inst) => Use::Computes,
        Op::Call(_) if is_ordering(inst) => Use::Ends,
        Op::Call(_) if is_extreme(inst) => Use::Passes,
        // A length is only counted with.
        Op::Call(_) if memory_call(inst).is_some() => Use::Ends,
        // How many zeros come first is constant between powers of two.
        Op::Call(_) if inst.callee_name().is_some_and(|name| name.starts_with("llvm.ctlz.")) => Use::Ends,
        Op::Ret | Op::Call(_) | Op::Invoke { .. } => Use::Leaves,
        Op::AtomicRmw { .. } | Op::CompareExchange { .. } => Use::Leaves,
        _ => Use::Ends,
    }
}

/// Whether a call has one of its two integers for a result: the least or the greatest.
pub fn is_extreme(inst: &Inst) -> bool {
    let Some(name) = inst.callee_name().and_then(|name| name.strip_prefix("llvm.")) else { return false };
    matches!(name.get(1..5), Some("min." | "max.")) && name.starts_with(['s', 'u'])
}

/// Whether a call adds or subtracts two integers without wrapping.
pub fn is_limited(inst: &Inst) -> bool {
    let name = inst.callee_name().and_then(|name| name.strip_prefix("llvm.")).unwrap_or_default();
    let operation = name.get(1..).unwrap_or_default();
    name.starts_with(['s', 'u']) && (operation.starts_with("add.sat.") || operation.starts_with("sub.sat."))
}

/// Whether a call computes with two integers and says whether the result had room.
pub fn is_checked(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| name.contains(".with.overflow."))
}

/// Whether a call tells how two integers are ordered.
pub fn is_ordering(inst: &Inst) -> bool {
    let name = inst.callee_name().unwrap_or_default();
    name.starts_with("llvm.ucmp.") || name.starts_with("llvm.scmp.")
}

/// A shift to the left by less than a byte that loses nothing multiplies a count; bits that are to be found again are moved by bytes.
fn scales(shift: &Inst) -> bool {
    let Some(Operand::Const(by)) = shift.operands.get(1) else { return false };
    let loses_nothing = [Flags::NSW, Flags::NUW].into_iter().any(|flag| shift.flags.has(flag));
    loses_nothing && by.as_signed().is_some_and(|by| (0..=7).contains(&by))
}
