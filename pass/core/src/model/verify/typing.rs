//! Decides whether operand types, payload and result of an instruction fit its operation.

use super::Check;
use super::ops::is_constant;
use crate::model::{CastOp, Constant, Inst, Lanes, Link, Op, Ordering, Type};

impl Check<'_> {
    pub fn op_fits(&self, inst: &Inst, types: &[Type]) -> bool {
        let gives = &inst.ty;
        let nothing = *gives == Type::Void;
        match &inst.op {
            Op::FNeg => matches!(types, [x] if x.is_real() && x == gives),
            Op::Float(_) => matches!(types, [x, y] if x.is_real() && x == y && x == gives),
            Op::Int(_) => matches!(types, [x, y] if is_int(x) && x == y && x == gives),
            Op::Cast(op) => matches!(types, [x] if self.cast_fits(*op, x, gives)),
            Op::ICmp(_) => {
                matches!(types, [x, y] if x == y && (is_int(x) || is_address(x)) && is_truth_of(gives, x))
            }
            Op::FCmp(_) => matches!(types, [x, y] if x == y && x.is_real() && is_truth_of(gives, x)),
            Op::Select => {
                matches!(types, [c, x, y] if x == y && x == gives && (*c == Type::BOOL || is_truth_of(c, x)))
            }
            Op::Freeze => matches!(types, [x] if x == gives),
            Op::Attach(Link::Start) => matches!(types, [x] if x.is_real() && x == gives),
            Op::Attach(Link::Term { .. }) => {
                matches!(types, [_, _, _] if gives.is_real() && types.iter().all(|ty| ty == gives))
            }
            Op::Phi { from } => from.len() == types.len() && !nothing && types.iter().all(|ty| ty == gives),
            Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => lanes_fit(inst, types),
            Op::ExtractValue { path } => matches!(types, [x] if part(x, path) == Some(gives)),
            Op::InsertValue { path } => {
                matches!(types, [x, y] if part(x, path) == Some(y) && x == gives)
            }
            Op::Alloca(_) | Op::Load(_) | Op::Store(_) | Op::Gep(_) | Op::VaArg => memory_fits(inst, types),
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Fence { .. } => atomic_fits(inst, types),
            Op::Call(call) | Op::Invoke { call, .. } | Op::CallBr { call, .. } => {
                types.last().is_some_and(Type::is_pointer) && (call.arguments as usize) < types.len()
            }
            Op::LandingPad { .. } => !nothing && inst.operands.iter().all(is_constant),
            Op::Ret => nothing && *types == *as_operands(&self.function.ret),
            Op::Br { .. } | Op::Unreachable => nothing && types.is_empty(),
            Op::CondBr { .. } => nothing && *types == [Type::BOOL],
            Op::Switch { cases, .. } => nothing && matches!(types, [x] if cases_fit(x, cases)),
            Op::IndirectBr { .. } => nothing && matches!(types, [Type::Ptr(_)]),
            Op::Resume => nothing && types.len() == 1,
            Op::Opaque { ends_block, successors, .. } => *ends_block || successors.is_empty(),
        }
    }

    fn cast_fits(&self, op: CastOp, from: &Type, to: &Type) -> bool {
        if op == CastOp::BitCast {
            let (from_bits, to_bits) = (self.layout.size_in_bits(from), self.layout.size_in_bits(to));
            return from_bits.is_none() || to_bits.is_none() || from_bits == to_bits;
        }
        let (x, y) = (from.scalar(), to.scalar());
        let kinds = match op {
            CastOp::Trunc => matches!((x, y), (Type::Int(x), Type::Int(y)) if x > y),
            CastOp::ZExt | CastOp::SExt => matches!((x, y), (Type::Int(x), Type::Int(y)) if x < y),
            CastOp::FpTrunc => matches!((x, y), (Type::Float(x), Type::Float(y)) if x.bits() > y.bits()),
            CastOp::FpExt => matches!((x, y), (Type::Float(x), Type::Float(y)) if x.bits() < y.bits()),
            CastOp::FpToUi | CastOp::FpToSi => matches!((x, y), (Type::Float(_), Type::Int(_))),
            CastOp::UiToFp | CastOp::SiToFp => matches!((x, y), (Type::Int(_), Type::Float(_))),
            CastOp::PtrToInt | CastOp::PtrToAddr => matches!((x, y), (Type::Ptr(_), Type::Int(_))),
            CastOp::IntToPtr => matches!((x, y), (Type::Int(_), Type::Ptr(_))),
            CastOp::AddrSpaceCast => matches!((x, y), (Type::Ptr(x), Type::Ptr(y)) if x != y),
            CastOp::BitCast => true,
        };
        kinds && lanes(from) == lanes(to)
    }
}

fn memory_fits(inst: &Inst, types: &[Type]) -> bool {
    let nothing = inst.ty == Type::Void;
    match &inst.op {
        Op::Alloca(_) => matches!(types, [Type::Int(_)]) && inst.ty.is_pointer(),
        Op::Store(_) => nothing && matches!(types, [value, Type::Ptr(_)] if *value != Type::Void),
        Op::Gep(gep) => {
            let Some((base, indices)) = types.split_first() else { return false };
            is_address(base)
                && indices.iter().all(is_int)
                && gep.strides.len() == indices.len()
                && is_address(&inst.ty)
                && types.iter().all(|ty| lanes(ty).is_none() || lanes(ty) == lanes(&inst.ty))
        }
        _ => !nothing && matches!(types, [Type::Ptr(_)]),
    }
}

fn atomic_fits(inst: &Inst, types: &[Type]) -> bool {
    match &inst.op {
        Op::AtomicRmw { access, .. } => {
            access.ordering != Ordering::NotAtomic
                && matches!(types, [Type::Ptr(_), value] if *value == inst.ty && inst.ty != Type::Void)
        }
        Op::CompareExchange { access } => {
            let gives = |old: &Type| inst.ty == Type::structure(vec![old.clone(), Type::BOOL]);
            access.ordering != Ordering::NotAtomic
                && matches!(types, [Type::Ptr(_), old, new] if old == new && gives(old))
        }
        Op::Fence { ordering } => *ordering >= Ordering::Acquire && types.is_empty() && inst.ty == Type::Void,
        _ => true,
    }
}

fn lanes_fit(inst: &Inst, types: &[Type]) -> bool {
    match (&inst.op, types) {
        (Op::ExtractElement, [Type::Vector(_, element), Type::Int(_)]) => **element == inst.ty,
        (Op::InsertElement, [vector @ Type::Vector(_, element), new, Type::Int(_)]) => {
            **element == *new && *vector == inst.ty
        }
        (Op::ShuffleVector { mask }, [x @ Type::Vector(from, element), y]) => {
            let Type::Vector(to, result) = &inst.ty else { return false };
            let range = -1..2 * i64::from(from.count);
            x == y
                && element == result
                && from.scalable == to.scalable
                && to.count as usize == mask.len()
                && mask.iter().all(|lane| range.contains(&i64::from(*lane)))
        }
        _ => false,
    }
}

fn cases_fit(ty: &Type, cases: &[(Constant, crate::model::BlockId)]) -> bool {
    let mut seen = std::collections::HashSet::new();
    // Integers beyond 128 bits are opaque.
    let known = |value: &Constant| matches!(value, Constant::Int { .. } | Constant::Opaque { .. });
    let int = |value: &Constant| known(value) && value.ty() == *ty;
    matches!(ty, Type::Int(_)) && cases.iter().all(|(value, _)| int(value) && seen.insert(value))
}

/// The part of an aggregate that a path leads to; an empty path leads nowhere.
fn part<'a>(ty: &'a Type, path: &[u32]) -> Option<&'a Type> {
    let (first, rest) = path.split_first()?;
    let next = match ty {
        Type::Struct { fields, .. } => fields.get(*first as usize)?,
        Type::Array(count, element) if u64::from(*first) < *count => element,
        _ => return None,
    };
    if rest.is_empty() { Some(next) } else { part(next, rest) }
}

fn as_operands(ret: &Type) -> &[Type] {
    if *ret == Type::Void { &[] } else { std::slice::from_ref(ret) }
}

fn is_int(ty: &Type) -> bool {
    matches!(ty.scalar(), Type::Int(_))
}

fn is_address(ty: &Type) -> bool {
    ty.scalar().is_pointer()
}

fn lanes(ty: &Type) -> Option<Lanes> {
    match ty {
        Type::Vector(lanes, _) => Some(*lanes),
        _ => None,
    }
}

/// Whether it is i1, as many lanes of it as the operand has.
fn is_truth_of(truth: &Type, operand: &Type) -> bool {
    *truth.scalar() == Type::BOOL && lanes(truth) == lanes(operand)
}
