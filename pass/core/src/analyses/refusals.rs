//! What cannot be differentiated, found in one walk over a function whose activity is known.
//!
//! Invariant: everything that would have to be guessed ends here. After this walk nobody refuses.

use super::activity::{Activity, Pass};
use super::atomic_counts::counts_atomically;
use super::bit_numbers::find_bit_numbers;
use super::carried::{bare_at, refuse_laid, with_places};
use super::cleared::is_cleared_whole;
use super::exceptions::is_of_exception;
use super::meaning::Meaning;
use super::memory_calls::{MemoryCall, is_freed_by_size, memory_call, release_of, touched_pointers};
use super::number_addresses::{hands_over_address, keeps_address};
use super::overlap::{Overwrites, is_made_of_bits};
use super::pointers::Base;
use super::refused_addresses::{
    refuse_hidden_access, refuse_kept_address, refuse_misread, refuse_number_address, refuse_unfollowed,
};
use super::refused_calls::refuse_call;
use super::stale::is_found_again;
use super::tape_records::refuse_record;
use super::unfollowed::{call_touches_unfollowed, touches_unfollowed};
use crate::model::{Constant, Inst, Op, Operand, Ordering, Type, ValueId};
use crate::refusal::{Code, Refusal};
use crate::rules::{Expr, OperandKind, Reduction, Row, Shape};

pub(super) const ACTIVE: &str = "an active value (one that depends on the inputs you differentiate)";

pub(super) fn collect_refusals(pass: &Pass, activity: &Activity) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let bit_numbers = find_bit_numbers(pass.function, pass.program, activity);
    for (id, inst) in pass.live_insts() {
        let found = match refuse_array(inst).or_else(|| refuse_memory(pass, id, inst, activity)) {
            Some(found) => Some(found),
            None if bit_numbers.contains(&id) => Some(refuse_bit_number(inst)),
            None => refuse_value(pass, id, inst, activity),
        };
        if let Some((code, message)) = found {
            let refusal = Refusal::new(code, message).at(inst.loc.or(pass.function.loc));
            refusals.push(with_places(refusal, pass, inst, activity));
        }
    }
    refusals
}

pub(super) type Found = Option<(Code, String)>;

/// What a body for a function of Fortran's runtime calls where it does not know what to do.
const UNKNOWN_ARRAY: &str = "backsweep.fortran.unknown";

fn refuse_array(inst: &Inst) -> Found {
    (inst.callee_name() == Some(UNKNOWN_ARRAY)).then(|| {
        let message = "an operation on a whole array or object whose type, rank or shape is not known here, or is not supported \
                       (CLASS(*), FINAL procedures that take arrays, defined assignment, more than 4 dimensions); write it as \
                       a loop over the elements, or component by component";
        (Code::NoRule, message.into())
    })
}

fn refuse_value(pass: &Pass, id: ValueId, inst: &Inst, activity: &Activity) -> Found {
    if let Some(found) = refuse_record(pass, inst) {
        return Some(found);
    }
    let varied = inst.operands.iter().any(|x| activity.is_varied(x));
    let shadowed = inst.operands.iter().any(|x| activity.is_shadowed(x));
    if hands_over_address(pass, inst) {
        return Some(refuse_number_address(inst));
    }
    if keeps_address(pass, inst, activity) {
        return Some(refuse_kept_address(inst));
    }
    let unfollowed = || call_touches_unfollowed(pass, inst, activity).then(|| refuse_unfollowed(inst));
    if !varied && !shadowed && !activity.is_call(id) {
        return refuse_hidden_access(pass, inst, activity).or_else(unfollowed);
    }
    let active = activity.is_active(id);
    let name = name_of(inst);
    if inst.op == Op::Ret && pass.request.shadow_return {
        return refuse_pointer(pass, inst, &inst.operands[0], activity);
    }
    match pass.meaning(inst) {
        Meaning::Row { row, operands, shape: Shape::Stored { returned, stored } }
            if hides_derivative(inst, row, &operands, returned, stored, activity) =>
        {
            let message =
                format!("{name} stores a result through a pointer, where its derivative is not followed yet");
            Some((Code::ActiveMemory, message))
        }
        Meaning::Row { row, .. } if active && !is_spelled(pass, inst, row) => {
            Some((Code::NoRule, format!("the derivative of {name} has no spelling for this type")))
        }
        Meaning::Bits if active => {
            let message = format!(
                "the bits of {ACTIVE} are used as an integer by {name}; compute with floats here, or mark the \
                 function inactive if it has no derivative"
            );
            Some((Code::NoRule, message))
        }
        Meaning::Move if active && !inst.ty.holds_float() && !inst.ty.holds_pointer() => {
            let message = format!("{name} moves the bits of {ACTIVE} as an integer; move them as a float");
            Some((Code::NoRule, message))
        }
        Meaning::Reduction(kind) if active && kind != Reduction::Add => Some((
            Code::NoRule,
            format!("{name} folds a vector by other than a sum, which is not differentiated yet"),
        )),
        Meaning::Call(_) => refuse_call(pass, id, inst, activity).or_else(unfollowed),
        Meaning::Foreign(callee) if memory_call(inst).is_none() => Some((
            Code::UnknownCallee,
            format!(
                "{ACTIVE} is passed to {callee}, of which neither a body nor a rule is known; make its body visible \
                 (same file, or full LTO), register a custom rule, or mark it \
                 __attribute__((annotate(\"backsweep_inactive\")))"
            ),
        )),
        Meaning::Opaque(reason) => Some((
            Code::ActiveOpaque,
            format!("{ACTIVE} reaches an operation that has no derivative: {reason}"),
        )),
        Meaning::Move if shadowed && !is_pointer_move(inst) => Some((
            Code::ActiveMemory,
            format!("{name} packs a pointer to active memory, which is not followed yet"),
        )),
        Meaning::Row { .. }
        | Meaning::Move
        | Meaning::Bits
        | Meaning::Memory
        | Meaning::Reduction(_)
        | Meaning::Foreign(_)
        | Meaning::Inactive(_)
        | Meaning::Control => None,
    }
}

/// An exponent is the same in a whole neighbourhood, and a mantissa is not: which of the two it is, nobody tells.
fn refuse_bit_number(inst: &Inst) -> (Code, String) {
    let makes = if inst.op.call().is_some() { "may make" } else { "makes" };
    let message = format!(
        "{} {makes} a number of the bits of {ACTIVE}; compute with floats here, or mark the function inactive if it has no \
         derivative",
        name_of(inst)
    );
    (Code::NoRule, message)
}

/// Pointers move as themselves; inside an aggregate their shadows would have to be packed beside them.
fn is_pointer_move(inst: &Inst) -> bool {
    inst.ty.is_pointer() || matches!(inst.op, Op::Ret)
}

fn refuse_memory(pass: &Pass, id: ValueId, inst: &Inst, activity: &Activity) -> Found {
    let name = name_of(inst);
    match &inst.op {
        Op::Load(access) | Op::Store(access) => {
            let pointer = &inst.operands[inst.operands.len() - 1];
            if let Some(found) = refuse_pointer(pass, inst, pointer, activity) {
                return Some(found);
            }
            let carries = activity.is_varied(&inst.operands[0]) || activity.is_active(id);
            if carries && (access.volatile || access.ordering != Ordering::NotAtomic) {
                let how = if access.volatile { "volatile" } else { "atomic" };
                return Some((
                    Code::ActiveMemory,
                    format!("{name} of {ACTIVE} is {how}, which has no derivative"),
                ));
            }
            if let Some(found) = refuse_pointer_value(pass, inst, activity, &name) {
                return Some(found);
            }
            refuse_bits(pass, id, inst, activity, &name)
        }
        Op::AtomicRmw { op, .. } if op.counts() && !activity.is_varied(&inst.operands[1]) => None,
        // What it counts with is a sum: whether it may be one is asked of the sum.
        Op::CompareExchange { .. } if counts_atomically(pass.function, inst) => None,
        Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg
            if inst.operands.iter().any(|x| activity.is_varied(x) || activity.is_shadowed(x)) =>
        {
            Some((
                Code::ActiveMemory,
                format!("{name} touches {ACTIVE} in memory, which is not differentiated yet"),
            ))
        }
        Op::Call(_) => refuse_memory_call(pass, id, inst, activity),
        _ => None,
    }
}

/// A pointer that goes into active memory, or comes from it, without its shadow.
fn refuse_pointer_value(pass: &Pass, inst: &Inst, activity: &Activity, name: &str) -> Found {
    if let Some(found) = refuse_laid(pass, inst, activity) {
        return Some(found);
    }
    let problem = match inst.op {
        Op::Load(_)
            if inst.ty.holds_pointer()
                && !inst.ty.is_pointer()
                && activity.is_shadowed(&inst.operands[0]) =>
        {
            "reads a pointer as part of an aggregate from active memory, which is not followed yet"
        }
        Op::Store(_)
            if activity.may_lack_shadow(&inst.operands[0])
                && is_found_again(pass.function, activity, inst) =>
        {
            "puts a pointer to memory without a shadow into active memory, from where active values are read"
        }
        _ => return None,
    };
    Some((Code::ActiveMemory, format!("{name} {problem}")))
}

/// What moves one kind of bytes as another, or nobody can tell as what.
fn refuse_bits(pass: &Pass, id: ValueId, inst: &Inst, activity: &Activity, name: &str) -> Found {
    if pass.misread.contains(&id) && activity.has_memory() {
        return Some(refuse_misread(inst));
    }
    let Op::Store(_) = inst.op else { return None };
    let value = &inst.operands[0];
    // What a pointer may carry away is not known to be active where it comes to.
    let pointer = pass.function.operand_type(value).holds_pointer();
    let active = if pointer { activity.has_memory() } else { activity.is_shadowed(&inst.operands[1]) };
    if active && pass.disputed.contains(&id) {
        let message = format!(
            "{name} moves a float, or a pointer to active memory: where it comes from and where it goes there may be either; \
             keep them in members of their own"
        );
        return Some((Code::ActiveMemory, message));
    }
    let integer = matches!(pass.function.operand_type(value).scalar(), Type::Int(_));
    let unclear = match activity.overwrites(id) {
        Some(Overwrites::Float) => is_made_of_bits(pass.function, activity, value),
        found => found == Some(Overwrites::Unclear),
    };
    (integer && (activity.is_varied(value) || unclear)).then(|| {
        let message = format!(
            "{name} writes bytes of active memory as an integer, and it cannot be told whether they are a float; copy \
             them by their type, or pass the memory as bs_const if it holds no active value"
        );
        (Code::NoRule, message)
    })
}

/// A pointer through which memory with a shadow is touched, and perhaps memory without one.
pub(super) fn refuse_pointer(pass: &Pass, inst: &Inst, pointer: &Operand, activity: &Activity) -> Found {
    let name = name_of(inst);
    let bases = activity.bases(pointer);
    let stores = matches!(inst.op, Op::Store(_)) || memory_call(inst).is_some();
    if !activity.is_shadowed(pointer) {
        let active_value = matches!(inst.op, Op::Store(_)) && activity.is_varied(&inst.operands[0]);
        let unknown = bases.contains(&Base::Unknown) && activity.has_memory();
        let copies_unread = memory_call(inst) == Some(MemoryCall::Copy)
            && inst.operands.get(1) == Some(pointer)
            && !is_read_behind_copy(pass, inst, activity);
        let touches = touches_unfollowed(pass.function, activity.pointers(), inst) && !copies_unread;
        return ((active_value && bases.is_empty()) || (unknown && (touches || active_value)))
            .then(|| refuse_unfollowed(inst));
    }
    for base in bases {
        let problem = match &base {
            Base::Param(id) if !pass.request.activity(id.0 as usize).has_shadow() => {
                let param =
                    pass.function.params[id.0 as usize].name.clone().unwrap_or_else(|| format!("x{}", id.0));
                if stores {
                    format!(
                        "{name} puts {ACTIVE} into `{param}`, which is passed as bs_const; pass it as bs_dup with a shadow"
                    )
                } else {
                    format!(
                        "{name} reads either active memory or `{param}`, which is passed as bs_const; pass it as bs_dup"
                    )
                }
            }
            Base::Global(global) => {
                let Some(why) = pass.globals.refuse_shadow(global, pass.request.width) else { continue };
                let does = if stores {
                    format!("puts {ACTIVE} into")
                } else {
                    "reads either active memory or".into()
                };
                format!(
                    "{name} {does} the global `{global}`, which can have no shadow: {why}; pass it as an argument"
                )
            }
            Base::Unknown if is_of_exception(pass.function, pointer) => {
                format!(
                    "{name} puts {ACTIVE} into the memory of an exception, which is not followed; keep it in a variable"
                )
            }
            Base::Unknown => {
                format!("{name} touches active memory through a pointer that cannot be followed")
            }
            Base::Loaded(from) if !loaded_from_shadowed(pass, *from, activity) => {
                format!("{name} puts {ACTIVE} behind a pointer found in memory that has no shadow")
            }
            Base::Param(_)
            | Base::Stack(_)
            | Base::Heap(_)
            | Base::Loaded(_)
            | Base::Returned(_)
            | Base::Null => continue,
        };
        return Some((Code::ActiveMemory, problem));
    }
    None
}

/// Whether a float or a pointer may be read where an instruction copies to.
fn is_read_behind_copy(pass: &Pass, copy: &Inst, activity: &Activity) -> bool {
    if memory_call(copy) != Some(MemoryCall::Copy) {
        return false;
    }
    let places = activity.memory_behind(&copy.operands[0]);
    let found_elsewhere = |base: &Base| base.made_by().is_none_or(|made| activity.leaves(made));
    let insts = || pass.function.inst_ids().filter_map(|id| pass.function.inst(id));
    let mut reads = insts()
        .filter(|inst| matches!(inst.op, Op::Load(_)) && (inst.ty.holds_float() || inst.ty.holds_pointer()));
    let mut stored = insts().filter(|inst| matches!(inst.op, Op::Store(_)));
    places.iter().any(found_elsewhere)
        || reads.any(|load| !activity.bases(&load.operands[0]).is_disjoint(&places))
        || stored.any(|store| !activity.bases(&store.operands[0]).is_disjoint(&places))
}

fn loaded_from_shadowed(pass: &Pass, load: ValueId, activity: &Activity) -> bool {
    bare_at(pass, load).is_none()
        && pass.function.inst(load).is_some_and(|inst| activity.is_shadowed(&inst.operands[0]))
}

fn refuse_memory_call(pass: &Pass, id: ValueId, inst: &Inst, activity: &Activity) -> Found {
    let call = memory_call(inst)?;
    let name = name_of(inst);
    for pointer in touched_pointers(inst, call) {
        if let Some(found) = refuse_pointer(pass, inst, &pointer, activity) {
            return Some(found);
        }
    }
    let shadowed = touched_pointers(inst, call).iter().any(|pointer| activity.is_shadowed(pointer));
    let frees = matches!(call, MemoryCall::Free { .. });
    if frees
        && !shadowed
        && activity.allocations(&inst.operands[0]).iter().any(|base| activity.has_shadow(base))
    {
        return Some((
            Code::ActiveMemory,
            format!("{name} may free active memory through a pointer that has no shadow"),
        ));
    }
    match call {
        _ if !shadowed => None,
        MemoryCall::Free { .. } if activity.lasting().freed.contains(&id) => {
            (release_of(inst).is_none() && !is_freed_by_size(inst)).then(|| {
                let message =
                    format!("{name} frees active memory that was not allocated here, which is not differentiated yet");
                (Code::ActiveMemory, message)
            })
        }
        MemoryCall::Free { .. } => {
            // Nobody may free a slot or a constant. Where a pointer may lead to an allocation that is what is meant; where it
            // may not, as in the destructor of another class, control never comes here with anything but null.
            let behind = activity.allocations(&inst.operands[0]);
            let made = behind.iter().any(|base| matches!(base, Base::Heap(_)));
            let slot = inst.operands[0].value().and_then(|id| pass.function.inst(id));
            let slot = slot.is_some_and(|inst| matches!(inst.op, Op::Alloca(_)));
            (slot || behind.contains(&Base::Unknown) && !made).then(|| (Code::ActiveMemory, format!("{name} frees active memory that nobody has allocated")))
        }
        MemoryCall::Fill => {
            // One byte many times over is no pointer that anybody follows; null is one that everybody asks for.
            if !matches!(&inst.operands[1], Operand::Const(Constant::Int { .. })) {
                return Some((
                    Code::ActiveMemory,
                    format!("{name} fills active memory with a byte that is known only at run time"),
                ));
            }
            (!is_cleared_whole(pass, activity, inst)).then(|| {
                let message = format!(
                    "{name} clears active memory, and it cannot be told here that it holds no pointers"
                );
                (Code::ActiveMemory, message)
            })
        }
        MemoryCall::Copy => {
            (!activity.copied(pass.function, pass.program).contains_key(&id)).then(|| {
                let message = format!(
                    "{name} copies active memory, and it cannot be told here which of its bytes are floats; copy it \
                     element by element"
                );
                (Code::ActiveMemory, message)
            })
        }
        MemoryCall::Allocate { .. } => None,
    }
}

/// Whether a call that stores results puts a derivative, or what one needs, where it cannot be seen: a stored result
/// that varies, a form that reads a stored result, or a pointer into memory that has a shadow.
fn hides_derivative(
    inst: &Inst,
    row: &Row,
    operands: &[Operand],
    returned: Option<u8>,
    stored: &[(u8, u8)],
    activity: &Activity,
) -> bool {
    let hidden = |k: usize| returned != Some(k as u8);
    let loses = (0..row.operands.len()).filter(|i| activity.is_varied(&operands[*i])).any(|i| {
        (0..row.results.len()).any(|k| {
            let form = row.form(k, i);
            !form.is_zero() && (hidden(k) || form.needs().results.iter().any(|y| hidden(usize::from(y))))
        })
    });
    loses || stored.iter().any(|(argument, _)| activity.is_shadowed(&inst.operands[usize::from(*argument)]))
}

/// Whether every function that the row's forms call can be spelled for the types at hand.
fn is_spelled(pass: &Pass, inst: &Inst, row: &Row) -> bool {
    let ty = if inst.ty.is_real() { inst.ty.clone() } else { Type::DOUBLE };
    let fixed = !matches!(&ty, Type::Vector(lanes, _) if lanes.scalable);
    let forms = (0..row.results.len()).flat_map(|k| (0..row.operands.len()).map(move |i| row.form(k, i)));
    let mut spelled = true;
    for form in forms {
        form.visit(&mut |expr| {
            if let Expr::Call(name, arguments) = expr {
                let kinds = pass.rules.operand_kinds(name);
                let types: Vec<Type> = (0..arguments.len())
                    .map(|i| if kinds.get(i) == Some(&OperandKind::Int) { Type::I32 } else { ty.clone() })
                    .collect();
                spelled &= pass.rules.spell(name, &types).is_some();
            }
        });
    }
    spelled && fixed
}

pub(super) fn name_of(inst: &Inst) -> String {
    match inst.callee_name() {
        Some(name) => format!("the call of `{name}`"),
        None => format!("the operation `{}`", mnemonic(&inst.op)),
    }
}

/// The operation's name in messages.
fn mnemonic(op: &Op) -> String {
    let text = format!("{op:?}");
    let (outer, rest) = text.split_at(text.find([' ', '{', '(']).unwrap_or(text.len()));
    // `Int(Add)` is the int add; what `Load(Access { … })` holds is no part of the name.
    let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
    let inner = if inner.chars().all(char::is_alphanumeric) { inner } else { "" };
    format!("{outer} {inner}").trim_end().to_lowercase()
}
