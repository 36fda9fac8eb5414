//! Which element of which array an access touches, as the source writes it: `u[i - 1]`, `u(i + 1)` in Fortran.
//!
//! Names are those of debug information. Square brackets count from 0 in the order of memory, whatever the shape of the array.

use super::Subject;
use crate::dependence::atoms::Key;
use crate::dependence::induction::evolution_of;
use crate::dependence::subscripts::{Index, Named, find_subscript};
use crate::model::{Constant, LoopId, Op, Operand, Scev, Type, ValueId};

/// Nobody writes longer ones.
const LONGEST: usize = 40;

/// `None` where something on the way has no name, or the memory is no array of such elements.
pub fn name_element(subject: &Subject, access: ValueId) -> Option<String> {
    let accesses = &subject.dependences.accesses;
    let found = accesses.list.iter().find(|found| found.inst == access)?;
    let (root, index) = find_subscript(subject.function, accesses, found, &|key| name_key(subject, key))?;
    if steps_into_structs(subject, found.pointer.as_ref()?) {
        return None;
    }
    let name = name_operand(subject, root)?;
    let first = root.value().and_then(|id| subject.function.names.get(&id)?.first);
    let text = match first {
        _ if is_scalar(subject, root, found.bytes) => format!("`{name}`"),
        Some(first) => format!("`{name}({})`", index.plus(&Index::constant(first.into()))?),
        None => format!("`{name}[{index}]`"),
    };
    (text.len() <= LONGEST).then_some(text)
}

/// What the source calls a value or a global.
pub fn name_operand(subject: &Subject, operand: &Operand) -> Option<String> {
    match operand {
        Operand::Value(id) => match subject.function.params.get(id.0 as usize) {
            Some(param) => param.name.clone(),
            None => subject.function.names.get(id).map(|name| name.text.clone()),
        },
        Operand::Const(constant) => constant.symbol().map(|symbol| name_global(symbol).to_string()),
    }
}

/// A module variable of Fortran's by its own name.
pub fn name_global(symbol: &str) -> &str {
    let mangled = symbol.strip_prefix("_Q").and_then(|rest| rest.rsplit_once('E'));
    mangled.map_or(symbol, |(_, name)| name)
}

/// The variable that counts the iterations of a loop.
pub fn name_counter(subject: &Subject, of: LoopId) -> Option<String> {
    find_counter(subject, of).map(|(name, _, _)| name)
}

fn name_key(subject: &Subject, key: &Key) -> Option<Named> {
    match key {
        Key::Counter(of) => count(subject, *of),
        Key::Value(operand) => name_operand(subject, operand).map(Named::plainly),
        Key::Wrap(..) | Key::Opaque(_) => None,
    }
}

/// How often a loop has come round, by its variable: `i - 1` where that begins with 1.
fn count(subject: &Subject, of: LoopId) -> Option<Named> {
    let (name, start, step) = find_counter(subject, of)?;
    Some(Named { index: Index::name(name).minus(&read_index(subject, &start)?)?, divisor: step })
}

/// A variable with a name that grows by the same in each iteration: its name, first value and step.
fn find_counter(subject: &Subject, of: LoopId) -> Option<(String, Scev, i128)> {
    let header = subject.function.loops[of.0 as usize].header;
    let phis = subject.function.block(header).insts.iter();
    phis.filter(|id| subject.function.inst(**id).is_some_and(|inst| matches!(inst.op, Op::Phi { .. })))
        .find_map(|id| {
            let name = subject.function.names.get(id)?;
            let Scev::Rec { start, step, of: found, .. } =
                evolution_of(&subject.dependences.nesting, &Operand::Value(*id))
            else {
                return None;
            };
            match *step {
                Scev::Const { value, .. } if found == of && value != 0 => {
                    Some((name.text.clone(), *start, value))
                }
                _ => None,
            }
        })
}

fn read_index(subject: &Subject, scev: &Scev) -> Option<Index> {
    match scev {
        Scev::Const { value, .. } => Some(Index::constant(*value)),
        Scev::Value(Operand::Const(Constant::Int { .. })) => None,
        Scev::Value(operand) => name_operand(subject, operand).map(Index::name),
        Scev::Add(_, terms) => {
            terms.iter().try_fold(Index::default(), |sum, term| sum.plus(&read_index(subject, term)?))
        }
        Scev::Mul(_, terms) => {
            terms.iter().try_fold(Index::constant(1), |all, term| all.times(&read_index(subject, term)?))
        }
        Scev::ZExt(_, inner) | Scev::SExt(_, inner) | Scev::Trunc(_, inner) => read_index(subject, inner),
        Scev::Rec { start, step, of, .. } => {
            let Named { index, divisor } = count(subject, *of)?;
            let grown = index.times(&read_index(subject, step)?)?.divided(divisor)?;
            grown.plus(&read_index(subject, start)?)
        }
        _ => None,
    }
}

/// What lies in a struct is no element that a number tells.
fn steps_into_structs(subject: &Subject, pointer: &Operand) -> bool {
    let mut at = pointer;
    while let Some(inst) = at.value().and_then(|id| subject.function.inst(id)) {
        let Op::Gep(gep) = &inst.op else { return false };
        if !matches!(gep.source, Type::Int(8)) && !is_plain(&gep.source) {
            return true;
        }
        let Some(next) = inst.operands.first() else { return false };
        at = next;
    }
    false
}

/// Numbers, and arrays of them.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Array(_, element) => is_plain(element),
        Type::Struct { .. } => false,
        _ => true,
    }
}

/// A variable of its own, and no array.
fn is_scalar(subject: &Subject, root: &Operand, bytes: Option<u64>) -> bool {
    let size = match root {
        Operand::Value(id) => match subject.function.inst(*id).map(|inst| &inst.op) {
            Some(Op::Alloca(slot)) => Some(slot.bytes),
            _ => None,
        },
        Operand::Const(constant) => {
            let global = constant.symbol().and_then(|name| subject.program.global(name));
            global.and_then(|global| subject.layout.size_of(&global.ty))
        }
    };
    size.is_some() && size == bytes
}
