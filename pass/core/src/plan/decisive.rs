//! Which numbers decide something, and may round otherwise when they are computed once more.
//!
//! Where the program allows it (`contract`, `reassoc`, `arcp`, `afn`), LLVM joins a product and a sum to one operation, or changes the order of
//! sums, in one place and not in another. The same expression then has other last bits in the reverse sweep than in the forward sweep. To a
//! derivative these bits are nothing. But a comparison, the integer below a number, and the question which operand a maximum was, jump: the
//! reverse sweep would follow another way than the forward sweep took, of `p - i * h > 0` where a node lies at `p` itself. Such
//! values are recorded, or what they are computed from is.
//!
//! Function + rules → values that are not computed again. What is loaded has the bits it had; a phi is never computed again where the
//! forward sweep computes it too. A choice between two numbers by comparing these very two does not jump.
//! Safe error: not computed again (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::activity::Activity;
use crate::analyses::meaning::{Meaning, meaning};
use crate::model::{CastOp, Flags, FloatOp, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::{Row, Rules};

/// Functions that jump though their derivative is not zero.
const JUMPING: [&str; 3] = ["fmod", "remainder", "frem"];

pub fn find_decisive(
    function: &Function,
    program: &Program,
    rules: &Rules,
    activity: &Activity,
) -> BTreeSet<ValueId> {
    let uses = find_uses(function);
    let unsteady = find_unsteady(function, &uses);
    let mut decisive = BTreeSet::new();
    if unsteady.is_empty() {
        return decisive;
    }
    for (id, inst) in values_of(function) {
        let given = |operand: &Operand| operand.value().filter(|value| unsteady.contains(value));
        let row = match meaning(inst, function, program, rules) {
            Meaning::Row { row, operands, .. } => Some((row, operands)),
            _ => None,
        };
        let jumps = decides(inst, row.as_ref().map(|(row, _)| *row)) && !is_choice(function, id, &uses);
        if jumps && inst.number_operands().iter().any(|operand| given(operand).is_some()) {
            decisive.insert(id);
        }
        if let Some((row, operands)) = row.filter(|_| activity.is_active(id)) {
            let equated = row.equated().into_iter().filter_map(|operand| given(&operands[operand]));
            // The result is then the operand, bit for bit, whether it is computed again or not.
            decisive.extend(equated);
        }
    }
    decisive
}

fn values_of(function: &Function) -> impl Iterator<Item = (ValueId, &Inst)> {
    let first = function.params.len() as u32;
    function.insts.iter().enumerate().map(move |(index, inst)| (ValueId(first + index as u32), inst))
}

type Uses = BTreeMap<ValueId, Vec<ValueId>>;

fn find_uses(function: &Function) -> Uses {
    let mut uses = Uses::new();
    for (id, inst) in values_of(function) {
        for value in inst.number_operands().iter().filter_map(Operand::value) {
            uses.entry(value).or_default().push(id);
        }
    }
    uses
}

/// The numbers that may have other last bits when they are computed again.
fn find_unsteady(function: &Function, uses: &Uses) -> BTreeSet<ValueId> {
    let joins = joins_products(&function.attributes);
    let loose = values_of(function).filter(|(_, inst)| rounds_freely(function, inst, joins));
    let mut waiting: Vec<ValueId> = loose.map(|(id, _)| id).collect();
    let mut unsteady = BTreeSet::new();
    while let Some(value) = waiting.pop() {
        if !unsteady.insert(value) {
            continue;
        }
        let users = uses.get(&value).into_iter().flatten().copied();
        waiting.extend(users.filter(|user| function.inst(*user).is_some_and(hands_on)));
    }
    unsteady
}

/// Whether the number that an instruction gives is computed from the numbers it is given.
fn hands_on(inst: &Inst) -> bool {
    inst.ty.is_real() && !matches!(inst.op, Op::Load(_) | Op::Phi { .. })
}

/// Whether the machine that a function is compiled for joins a product and a sum to one operation.
fn joins_products(attributes: &[String]) -> bool {
    let says = |words: &[&str]| attributes.iter().any(|text| words.iter().any(|word| text.contains(word)));
    let without = ["\"target-cpu\"=\"x86-64\"", "\"target-cpu\"=\"x86-64-v2\""];
    !says(&without) || says(&["+fma", "+avx512f"])
}

fn rounds_freely(function: &Function, inst: &Inst, joins: bool) -> bool {
    let any = |flags: &[Flags]| flags.iter().any(|flag| inst.flags.has(*flag));
    match &inst.op {
        Op::Float(op) => {
            let sums = matches!(op, FloatOp::Add | FloatOp::Sub);
            let joined = joins && sums && any(&[Flags::CONTRACT]);
            any(&[Flags::REASSOC, Flags::ARCP, Flags::AFN])
                || joined && inst.operands.iter().any(|operand| may_be_product(function, operand))
        }
        Op::Call(_) => inst.ty.is_real() && any(&[Flags::REASSOC, Flags::ARCP, Flags::AFN]),
        _ => false,
    }
}

/// Also what is loaded: LLVM may find the product that was stored there.
fn may_be_product(function: &Function, operand: &Operand) -> bool {
    let Some(inst) = operand.value().and_then(|value| function.inst(value)) else { return false };
    !matches!(
        inst.op,
        Op::Float(FloatOp::Add | FloatOp::Sub | FloatOp::Div) | Op::Cast(CastOp::SiToFp | CastOp::UiToFp)
    )
}

/// Whether the last bits of a number may change the result by more than a few last bits.
fn decides(inst: &Inst, row: Option<&Row>) -> bool {
    match &inst.op {
        Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => true,
        Op::Cast(CastOp::BitCast) => !inst.ty.is_real(),
        Op::Call(_) => row.is_none_or(|row| {
            let flat = |operand: usize| row.is_real_operand(operand) && row.form(0, operand).is_zero();
            JUMPING.contains(&row.name) || (0..row.operands.len()).any(flat)
        }),
        _ => false,
    }
}

/// Whether a comparison only chooses between the two numbers that it compares.
fn is_choice(function: &Function, id: ValueId, uses: &Uses) -> bool {
    let Some(Inst { op: Op::FCmp(_), operands, .. }) = function.inst(id) else { return false };
    let chooses = |user: &ValueId| {
        function.inst(*user).is_some_and(|user| {
            let of = |x: &Operand, y: &Operand| user.operands[1] == *x && user.operands[2] == *y;
            matches!(user.op, Op::Select)
                && user.operands[0] == Operand::Value(id)
                && (of(&operands[0], &operands[1]) || of(&operands[1], &operands[0]))
        })
    };
    uses.get(&id).is_some_and(|users| users.iter().all(chooses))
}
