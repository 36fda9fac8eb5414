//! Single changes to a function: values removed, operands made simpler.

use backsweep_core::model::{Constant, Function, Inst, Op, Operand, Program, Type, ValueId};

use crate::format::to_bits;

/// What could stand in place of an instruction: `None` where nothing uses it.
pub fn replacements(function: &Function, id: ValueId, inst: &Inst) -> Vec<Option<Operand>> {
    let users = function.insts.iter().any(|user| user.operands.contains(&Operand::Value(id)));
    if !users {
        return vec![None];
    }
    let mut found: Vec<Option<Operand>> = Vec::new();
    for operand in &inst.operands {
        let fits = function.operand_type(operand) == inst.ty;
        // What a phi receives need not dominate what uses the phi; parameters and constants do.
        let safe = match (&inst.op, operand) {
            (Op::Phi { .. }, Operand::Value(value)) => (value.0 as usize) < function.params.len(),
            (_, _) => true,
        };
        if fits && safe && *operand != Operand::Value(id) && !found.contains(&Some(operand.clone())) {
            found.push(Some(operand.clone()));
        }
    }
    found.extend(constants_for(&inst.ty).into_iter().map(|constant| Some(Operand::Const(constant))));
    found
}

/// Simple constants of a type, the simplest first.
pub fn constants_for(ty: &Type) -> Vec<Constant> {
    match ty {
        Type::Float(kind) => {
            let float = |x| Constant::Float { kind: *kind, bits: to_bits(*kind, x) };
            vec![float(1.0), float(0.0), float(0.5)]
        }
        Type::Int(bits) => vec![Constant::int(*bits, 0), Constant::int(*bits, 1)],
        Type::Vector(..) | Type::Array(..) | Type::Struct { .. } => vec![Constant::Zero(ty.clone())],
        Type::Void | Type::Ptr(_) | Type::Label | Type::Token | Type::Metadata | Type::Other(_) => vec![],
    }
}

/// Takes an instruction out of its block; the caller numbers the function anew.
pub fn remove_value(function: &mut Function, id: ValueId, replacement: Option<&Operand>) {
    for block in &mut function.blocks {
        block.insts.retain(|inst| *inst != id);
    }
    let Some(replacement) = replacement else { return };
    for operand in function.insts.iter_mut().flat_map(|inst| &mut inst.operands) {
        if *operand == Operand::Value(id) {
            *operand = replacement.clone();
        }
    }
}

/// Puts a constant in place of one operand, unless what stands there is as simple.
pub fn simplify_operand(program: &mut Program, function: usize, inst: usize, operand: usize, to: &Constant) {
    let inst = &mut program.functions[function].insts[inst];
    let protected = match &inst.op {
        // The callee stays, and so does the count of an alloca.
        Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => operand + 1 == inst.operands.len(),
        Op::Alloca(_) => true,
        Op::FNeg
        | Op::Float(_)
        | Op::Int(_)
        | Op::Cast(_)
        | Op::ICmp(_)
        | Op::FCmp(_)
        | Op::Select
        | Op::Freeze
        | Op::Attach(_)
        | Op::Phi { .. }
        | Op::ExtractElement
        | Op::InsertElement
        | Op::ShuffleVector { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::Load(_)
        | Op::Store(_)
        | Op::Gep(_)
        | Op::AtomicRmw { .. }
        | Op::CompareExchange { .. }
        | Op::Fence { .. }
        | Op::VaArg
        | Op::LandingPad { .. }
        | Op::Ret
        | Op::Br { .. }
        | Op::CondBr { .. }
        | Op::Switch { .. }
        | Op::IndirectBr { .. }
        | Op::Resume
        | Op::Unreachable
        | Op::Opaque { .. } => false,
    };
    // Without an order among the simple ones the search would go round in circles.
    let plain = match &inst.operands[operand] {
        Operand::Const(Constant::Undef(_) | Constant::Poison(_) | Constant::Zero(_)) => true,
        Operand::Const(constant) => constants_for(&to.ty()).contains(constant),
        Operand::Value(_) => false,
    };
    if !protected && !plain {
        inst.operands[operand] = Operand::Const(to.clone());
    }
}
