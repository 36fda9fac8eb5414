//! Integers that may be the bits of a float: read from memory, or made from a float, and then stored, returned or
//! turned into a float again.
//!
//! An integer that is only counted, compared or used as an index is no carrier, whatever memory it came from.
//! Safe error: carrier (is refused when active).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::memory_calls::memory_call;
use super::users::SharedUsers;
use crate::kinds::find_integers;
use crate::model::{CastOp, Flags, Function, Inst, IntOp, Op, Operand, Ordering, Program, Type, ValueId};
use crate::rules::is_known_inactive;

/// The integer values of a function whose bits may mean a float to somebody.
pub fn find_carriers(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let mut carriers = find_movers(function, program);
    for integer in find_integers(function, program) {
        carriers.remove(&integer);
    }
    carriers
}

/// The same, whatever is known of the memory that they come from and go to.
pub fn find_movers(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let calls =
        |inst: &Inst| inst.callee_name().and_then(|name| program.function(name)).is_some_and(has_body);
    if !insts(function).any(|(_, inst)| calls(inst)) {
        return find_given(function, &ruled_params(program));
    }
    find_given(function, &find_params(program))
}

/// The same for a function of a program whose parameters are known.
pub fn find_movers_with(function: &Function, params: &CarrierParams) -> BTreeSet<ValueId> {
    find_given(function, params)
}

/// The integers whose bits leave by another way than a plain store of them as they were read: they become a float, are returned,
/// packed, given to a call that may do something with them, or stored as part of another number.
pub fn find_leaking(function: &Function, program: &Program) -> BTreeSet<ValueId> {
    let mut params = ruled_params(program);
    for callee in program.functions.iter().filter(|callee| has_body(callee)) {
        params.0.insert(callee.name.clone(), (0..callee.params.len()).collect());
    }
    let is_moved = |value: &Operand| {
        let made = value.value().and_then(|id| function.inst(id));
        made.is_some_and(|made| matches!(made.op, Op::Load(_)) || !joined(made).is_empty())
    };
    let is_plain_store = |inst: &Inst| {
        let Op::Store(access) = &inst.op else { return false };
        is_moved(&inst.operands[0]) && !access.volatile && access.ordering == Ordering::NotAtomic
    };
    // What is made of bits and then joined may be stored as what it is joined with.
    let made = insts(function).flat_map(|(_, inst)| joined(inst)).filter(|x| !is_moved(x));
    let made: Vec<ValueId> =
        made.filter(|x| is_integer(&function.operand_type(x))).filter_map(Operand::value).collect();
    find_sunk(function, (&params, &made), is_plain_store)
}

/// What a value is one of.
fn joined(inst: &Inst) -> &[Operand] {
    match inst.op {
        Op::Phi { .. } | Op::Freeze => &inst.operands,
        Op::Select => &inst.operands[1..],
        Op::Call(_) if inst.picks_integer() => inst.arguments(),
        _ => &[],
    }
}

/// An integer that is given to a rule of the user's has no derivative there.
fn ruled_params(program: &Program) -> CarrierParams {
    CarrierParams(program.rules.iter().map(|rule| (rule.function.clone(), BTreeSet::new())).collect())
}

/// What every function takes for the bits of floats, whoever calls it.
pub fn find_params(program: &Program) -> Arc<CarrierParams> {
    program.once("", || follow_params(program))
}

fn follow_params(program: &Program) -> CarrierParams {
    let mut params = ruled_params(program);
    for callee in program.functions.iter().filter(|callee| has_body(callee)) {
        params.0.insert(callee.name.clone(), BTreeSet::new());
    }
    // What a callee does with bits may hang on what its own callees do; recursion makes circles.
    loop {
        let mut grew = false;
        for callee in program.functions.iter().filter(|callee| has_body(callee)) {
            let carriers = find_given(callee, &params);
            let found: BTreeSet<usize> =
                callee.param_ids().filter(|id| carriers.contains(id)).map(|id| id.0 as usize).collect();
            grew |= params.0.insert(callee.name.clone(), found.clone()) != Some(found);
        }
        if !grew {
            return params;
        }
    }
}

/// A store that puts the bits of an integer somewhere, and the function that it is in.
pub struct Keeper<'a> {
    pub function: &'a Function,
    pub store: &'a Inst,
}

/// Where the bits of an integer are put, if they go nowhere but to memory: none become a float, leave for the caller of the
/// derivative, or are packed. Into functions with bodies they are followed, and out of them to all that call them.
pub fn find_keepers<'a>(
    function: &'a Function,
    program: &'a Program,
    integer: ValueId,
) -> Option<Vec<Keeper<'a>>> {
    let (mut seen, mut waiting, mut keepers) = (BTreeSet::new(), vec![(function, integer)], Vec::new());
    while let Some((function, value)) = waiting.pop() {
        if !seen.insert((function.name.as_str(), value)) {
            continue;
        }
        let users = SharedUsers::of(function, program);
        for (id, inst) in users.readers(value).filter_map(|id| Some((id, function.inst(id)?))) {
            let callee = inst.callee_name().and_then(|name| program.function(name));
            match (&inst.op, callee.filter(|_| inst.op.call().is_some())) {
                (Op::Store(_), _) => keepers.push(Keeper { function, store: inst }),
                (_, Some(callee)) if has_body(callee) => match given_as(callee, inst, value) {
                    Some(params) => waiting.extend(params.into_iter().map(|param| (callee, param))),
                    None => return None,
                },
                // To code out of sight an integer is an integer.
                (_, Some(_)) => {}
                (Op::Ret, _) => match callers(program, function) {
                    Some(calls) => waiting.extend(calls),
                    None => return None,
                },
                _ if sinks(function, inst, &CarrierParams::default())
                    .iter()
                    .any(|(sunk, _)| *sunk == value) =>
                {
                    return None;
                }
                (op, _) if passes_bits(op, Meaning::Float, &Operand::Value(value), inst) => {
                    waiting.push((function, id));
                }
                _ => {}
            }
        }
    }
    Some(keepers)
}

/// The parameters that a value is given as; `None` where it is handed over in another way.
fn given_as(callee: &Function, call: &Inst, value: ValueId) -> Option<Vec<ValueId>> {
    let places = call.operands.iter().enumerate().filter(|(_, x)| x.value() == Some(value));
    let params: Vec<ValueId> = callee.param_ids().collect();
    places.map(|(at, _)| params.get(at).copied()).collect()
}

/// The calls of a function; `None` where others may call it: the derivative's caller, or who has its address.
fn callers<'a>(program: &'a Program, callee: &Function) -> Option<Vec<(&'a Function, ValueId)>> {
    let mut calls = Vec::new();
    for function in &program.functions {
        for (id, _) in insts(function).filter(|(_, inst)| inst.callee_name() == Some(&callee.name)) {
            calls.push((function, id));
        }
    }
    (!calls.is_empty()).then_some(calls)
}

/// For each function with a body, the parameters whose bits may mean a float to it.
#[derive(Default)]
pub struct CarrierParams(BTreeMap<String, BTreeSet<usize>>);

fn has_body(function: &Function) -> bool {
    !function.is_declaration()
}

fn find_given(function: &Function, params: &CarrierParams) -> BTreeSet<ValueId> {
    find_sunk(function, (params, &[]), |_| false)
}

/// The same without what some instructions take, and with some values that are copied.
fn find_sunk(
    function: &Function,
    (params, copied): (&CarrierParams, &[ValueId]),
    is_none: impl Fn(&Inst) -> bool,
) -> BTreeSet<ValueId> {
    let mut carriers = BTreeSet::new();
    let mut waiting: Vec<(ValueId, Meaning)> = copied.iter().map(|id| (*id, Meaning::Copied)).collect();
    let asks = |id: ValueId, inst: &Inst| is_none(inst) || only_asks(function, id, inst);
    for (_, inst) in insts(function).filter(|(id, inst)| !asks(*id, inst)) {
        waiting.extend(sinks(function, inst, params));
    }
    let mut seen = BTreeSet::new();
    while let Some((value, meaning)) = waiting.pop() {
        if !seen.insert((value, meaning)) {
            continue;
        }
        carriers.insert(value);
        if let Some(inst) = function.inst(value) {
            let sources =
                inst.operands.iter().filter(|operand| passes_bits(&inst.op, meaning, operand, inst));
            let integers = sources.filter(|operand| may_hold_bits(function, operand));
            waiting.extend(integers.filter_map(Operand::value).map(|source| (source, meaning)));
        }
    }
    carriers
}

/// What the bits are used for in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Meaning {
    /// They become a float in this function, so arithmetic on them is arithmetic on a float.
    Float,
    /// They are stored or returned as they are; the result of arithmetic is then taken for an integer.
    Copied,
}

/// Whether a call counts bits, and nothing is done with the count but to compare it, as one of another width too.
fn only_asks(function: &Function, id: ValueId, inst: &Inst) -> bool {
    let counts = inst.callee_name().is_some_and(|name| name.starts_with("llvm.ctpop."));
    counts && is_only_compared(function, id)
}

fn is_only_compared(function: &Function, number: ValueId) -> bool {
    let mut users = insts(function).filter(|(_, user)| user.operands.contains(&Operand::Value(number)));
    users.all(|(id, user)| match user.op {
        Op::ICmp(_) => true,
        Op::Cast(CastOp::Trunc | CastOp::ZExt) => is_only_compared(function, id),
        _ => false,
    })
}

fn sinks(function: &Function, inst: &Inst, params: &CarrierParams) -> Vec<(ValueId, Meaning)> {
    let integer = |operand: &Operand| is_integer(&function.operand_type(operand));
    let (operand, meaning) = match &inst.op {
        Op::Cast(CastOp::BitCast) if inst.ty.holds_float() => (&inst.operands[0], Meaning::Float),
        // A derivative lays it, and takes it back from there for what it was.
        Op::Store(access) if access.number => return Vec::new(),
        Op::Store(_) => (&inst.operands[0], Meaning::Copied),
        Op::Ret if !inst.operands.is_empty() => (&inst.operands[0], Meaning::Copied),
        Op::InsertValue { .. } | Op::InsertElement => (&inst.operands[1], Meaning::Copied),
        // A length is only counted with.
        Op::Call(_) if memory_call(inst).is_some() => return Vec::new(),
        // Arithmetic, choices, comparisons, and how many zeros come first: as an exponent that is the same in a whole neighbourhood.
        Op::Call(_) if is_arithmetic(inst) || inst.picks_integer() => return Vec::new(),
        Op::Call(_) if inst.compares_integers() || inst.counts_leading() => return Vec::new(),
        // A panic that names an index and a length: nobody hands the bits on.
        Op::Call(_) | Op::Invoke { .. } if keeps_nothing(inst, params) => return Vec::new(),
        // What code out of sight does with the bits is not known.
        Op::Call(_) | Op::Invoke { .. } | Op::AtomicRmw { .. } | Op::CompareExchange { .. } => {
            let known = inst.callee_name().and_then(|name| params.0.get(name));
            let means = |at: usize| known.is_none_or(|carriers| carriers.contains(&at));
            let given = inst.operands.iter().enumerate().filter(|(at, x)| integer(x) && means(*at));
            return given.filter_map(|(_, x)| x.value()).map(|value| (value, Meaning::Copied)).collect();
        }
        _ => return Vec::new(),
    };
    operand.value().filter(|_| integer(operand)).map(|value| (value, meaning)).into_iter().collect()
}

/// Whether a call is of a function in the list of those without a derivative, which leaves no number in memory, and has no
/// result either.
fn keeps_nothing(inst: &Inst, params: &CarrierParams) -> bool {
    let listed = |name: &str| !params.0.contains_key(name) && is_known_inactive(name);
    inst.ty == Type::Void && inst.callee_name().is_some_and(listed)
}

fn passes_bits(op: &Op, meaning: Meaning, operand: &Operand, inst: &Inst) -> bool {
    match op {
        Op::Phi { .. } | Op::Freeze | Op::ExtractValue { .. } | Op::ShuffleVector { .. } => true,
        Op::Select => *operand != inst.operands[0],
        Op::ExtractElement | Op::InsertElement => *operand == inst.operands[0],
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::BitCast) => true,
        Op::Int(IntOp::Shl) if is_multiple(inst) => meaning == Meaning::Float,
        Op::Int(IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::LShr | IntOp::AShr) => true,
        Op::Int(_) => meaning == Meaning::Float,
        Op::Call(_) => inst.picks_integer() || meaning == Meaning::Float && is_arithmetic(inst),
        _ => false,
    }
}

/// A product that the compiler wrote as a shift: a length in bytes. Who shifts the bits of something loses some of them, or moves
/// them by whole bytes.
fn is_multiple(shift: &Inst) -> bool {
    const BYTE: i128 = 8;
    let Operand::Const(by) = &shift.operands[1] else { return false };
    let exact = shift.flags.has(Flags::NUW) || shift.flags.has(Flags::NSW);
    exact && by.as_signed().is_some_and(|by| (0..BYTE).contains(&by))
}

/// Whether a call is arithmetic that says what becomes of a number that is too large.
fn is_arithmetic(call: &Inst) -> bool {
    call.checks_overflow() || call.saturates()
}

/// An integer, or one with the mark of checked arithmetic.
fn may_hold_bits(function: &Function, operand: &Operand) -> bool {
    let made = operand.value().and_then(|id| function.inst(id));
    is_integer(&function.operand_type(operand)) || made.is_some_and(Inst::checks_overflow)
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty.scalar(), Type::Int(_))
}

fn insts(function: &Function) -> impl Iterator<Item = (ValueId, &Inst)> {
    function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)))
}
