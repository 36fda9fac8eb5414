//! One instruction: from its operands to a result or a change of control.

use backsweep_core::model::{BlockId, Constant, Gep, Op, Stride};

use crate::atomic;
use crate::cast;
use crate::code::{Operands, Step};
use crate::integer;
use crate::lanes::{gather, map, zip};
use crate::memory::{Kind, Memory};
use crate::parts;
use crate::trap::Fault;
use crate::value::Value;

/// What happens after an instruction.
pub enum Flow {
    /// The result, and on to the next instruction.
    Next(Value),
    Jump(BlockId),
    /// The callee is the last operand.
    Call,
    Return(Value),
}

/// What to do when arithmetic meets undefined content. Control and addresses always trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnUndef {
    Trap,
    /// The result is undefined too, as LLVM says: for speculated code.
    Propagate,
}

/// What an instruction may touch beside its operands.
pub struct Context<'a> {
    pub memory: &'a mut Memory,
    /// Stack objects of the running call.
    pub locals: &'a mut Vec<u32>,
    pub on_undef: OnUndef,
}

pub fn execute(step: &Step, x: Operands, cx: &mut Context) -> Result<Flow, Fault> {
    let inst = step.inst;
    let value = match &inst.op {
        Op::FNeg => map(x.get(0), &mut |a| Ok(Value::Float(-a.as_float()?)))?,
        Op::Float(op) => parts::float(*op, x.get(0), x.get(1))?,
        Op::Int(op) => match (x.get(0), x.get(1)) {
            (Value::Int(a), Value::Int(b)) => integer::apply(*op, a, b)?,
            (a, b) => zip(a, b, &mut |a, b| integer::apply(*op, a.as_int()?, b.as_int()?))?,
        },
        Op::Cast(op) => cast::cast(*op, x.get(0), &inst.ty)?,
        Op::ICmp(predicate) => zip(x.get(0), x.get(1), &mut |a, b| {
            let (bits, a) = integer::word(a)?;
            Ok(Value::bool(integer::compare(*predicate, bits, a, integer::word(b)?.1)))
        })?,
        Op::FCmp(predicate) => zip(x.get(0), x.get(1), &mut |a, b| {
            Ok(Value::bool(cast::compare(*predicate, a.as_float()?.primal, b.as_float()?.primal)))
        })?,
        Op::Select => return Ok(Flow::Next(select(x)?)),
        // A number under another name; what is attached to it is for derivatives.
        Op::Attach(_) => x.get(0).clone(),
        Op::Freeze => return Ok(Flow::Next(parts::freeze(x.get(0), &inst.ty))),
        Op::Phi { .. } => return Err(Fault::Malformed("a phi behind other instructions".into())),
        Op::ExtractElement => return Ok(Flow::Next(parts::extract_element(x.get(0), x.get(1))?)),
        Op::InsertElement => {
            return Ok(Flow::Next(parts::insert_element(x.get(0), x.get(1), x.get(2), &inst.ty)?));
        }
        Op::ShuffleVector { mask } => return Ok(Flow::Next(parts::shuffle(x.get(0), x.get(1), mask)?)),
        Op::ExtractValue { path } => return Ok(Flow::Next(parts::extract(x.get(0), path)?)),
        Op::InsertValue { path } => {
            return Ok(Flow::Next(parts::insert(x.get(0), x.get(1), path, &inst.ty)?));
        }
        Op::Alloca(alloca) => {
            let count = x.get(0).as_int()?.value as u64;
            let pointer = cx.memory.allocate(Kind::Stack, count.saturating_mul(alloca.bytes))?;
            cx.locals.push(pointer.object);
            Value::Pointer(pointer)
        }
        Op::Load(_) => return Ok(Flow::Next(cx.memory.load(&inst.ty, x.get(0).as_pointer()?)?)),
        Op::Store(_) => {
            cx.memory.store(&step.stored, x.get(1).as_pointer()?, x.get(0))?;
            return Ok(Flow::Next(Value::Undef));
        }
        Op::Gep(gep) => address(gep, x)?,
        Op::AtomicRmw { op, .. } => atomic::modify(cx.memory, *op, x.get(0), x.get(1), &inst.ty)?,
        Op::CompareExchange { .. } => atomic::compare_exchange(cx.memory, x, &inst.ty)?,
        Op::Fence { .. } => return Ok(Flow::Next(Value::Undef)),
        Op::VaArg => return Err(Fault::Unsupported("va_arg".into())),
        Op::Call(_) | Op::Invoke { .. } => return Ok(Flow::Call),
        Op::CallBr { .. } => return Err(Fault::Unsupported("assembly that may jump".into())),
        Op::LandingPad { .. } => return Err(Fault::Unsupported("a landing pad".into())),
        Op::Ret => {
            return Ok(Flow::Return(if x.len() == 0 { Value::Undef } else { x.get(0).clone() }));
        }
        Op::Br { to } => return Ok(Flow::Jump(*to)),
        Op::CondBr { yes, no } => return Ok(Flow::Jump(if truth(x.get(0))? { *yes } else { *no })),
        Op::Switch { cases, default } => return Ok(Flow::Jump(choose(x.get(0), cases, *default)?)),
        Op::IndirectBr { .. } => return Err(Fault::Unsupported("indirectbr".into())),
        Op::Resume => return Err(Fault::Unsupported("resume".into())),
        Op::Unreachable => return Err(Fault::Unreachable),
        Op::Opaque { mnemonic, reason, .. } => {
            return Err(Fault::Unsupported(format!("opaque {mnemonic}: {reason}")));
        }
    };
    if value.is_undef() && cx.on_undef == OnUndef::Trap && x.any_undef() {
        return Err(Fault::UndefUsed("arithmetic"));
    }
    Ok(Flow::Next(value))
}

fn truth(value: &Value) -> Result<bool, Fault> {
    match value {
        Value::Int(int) => Ok(int.value & 1 == 1),
        Value::Undef => Err(Fault::UndefUsed("a condition")),
        Value::Float(_) | Value::Pointer(_) | Value::Aggregate(_) => {
            Err(Fault::Malformed("a condition that is no integer".into()))
        }
    }
}

fn select(x: Operands) -> Result<Value, Fault> {
    let (condition, yes, no) = (x.get(0), x.get(1), x.get(2));
    let Value::Aggregate(lanes) = condition else {
        return Ok(if truth(condition)? { yes.clone() } else { no.clone() });
    };
    if lanes.iter().any(Value::is_undef) {
        return Err(Fault::UndefUsed("a condition"));
    }
    let (mut yes, mut no) = (parts::lanes_of(yes, lanes.len())?, parts::lanes_of(no, lanes.len())?);
    let pick = |(index, lane)| {
        let from = if truth(lane)? { &mut yes } else { &mut no };
        Ok(std::mem::replace(&mut from[index], Value::Undef))
    };
    Ok(Value::Aggregate(lanes.iter().enumerate().map(pick).collect::<Result<_, _>>()?))
}

fn choose(value: &Value, cases: &[(Constant, BlockId)], default: BlockId) -> Result<BlockId, Fault> {
    let Value::Int(int) = value else { return Err(Fault::UndefUsed("a switch")) };
    let taken =
        cases.iter().find(|(case, _)| matches!(case, Constant::Int { value, .. } if *value == int.value));
    Ok(taken.map_or(default, |(_, block)| *block))
}

fn address(gep: &Gep, x: Operands) -> Result<Value, Fault> {
    let scalar = (0..x.len()).all(|index| !matches!(x.get(index), Value::Aggregate(_)));
    if scalar {
        return displace(gep, x.get(0), &mut |index| x.get(index + 1));
    }
    let operands: Vec<Value> = (0..x.len()).map(|index| x.get(index).clone()).collect();
    gather(&operands, &mut |lane| displace(gep, &lane[0], &mut |index| &lane[index + 1]))
}

fn displace<'a>(gep: &Gep, base: &Value, index: &mut dyn FnMut(usize) -> &'a Value) -> Result<Value, Fault> {
    let mut bytes = 0i64;
    for (position, stride) in gep.strides.iter().enumerate() {
        bytes = match stride {
            Stride::Field(offset) => bytes.wrapping_add(*offset as i64),
            Stride::Scale(scale) => {
                let steps = index(position).as_int()?.signed() as i64;
                bytes.wrapping_add(steps.wrapping_mul(*scale as i64))
            }
            Stride::Unknown => return Err(Fault::Unsupported("an address over a scalable type".into())),
        };
    }
    Ok(Value::Pointer(base.as_pointer()?.plus(bytes)))
}
