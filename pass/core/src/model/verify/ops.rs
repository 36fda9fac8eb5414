//! For each operation the sentence that says which operands it takes and what it gives. `typing.rs` decides.

use super::{Check, Place};
use crate::model::{CastOp, Inst, Op, Operand, Type, ValueId};

impl Check<'_> {
    pub fn check_op(&mut self, id: ValueId, inst: &Inst) {
        let types: Vec<Type> =
            inst.operands.iter().map(|operand| self.function.operand_type(operand)).collect();
        let void = inst
            .operands
            .iter()
            .zip(&types)
            .any(|(operand, ty)| operand.value().is_some() && *ty == Type::Void);
        self.require(!void, Place::Value(id), "An instruction without result is no operand.");
        self.check_access(id, inst);
        if self.op_fits(inst, &types) {
            self.check_arity(id, inst);
        } else {
            let types: Vec<String> = types.iter().map(Type::to_string).collect();
            let found = format!("({}) -> {}", types.join(", "), inst.ty);
            self.report(Place::Value(id), format!("{} Here it is {found}.", rule(&inst.op)));
        }
    }

    fn check_access(&mut self, id: ValueId, inst: &Inst) {
        let align = match &inst.op {
            Op::Alloca(alloca) => Some(alloca.align),
            op => op.access().map(|access| access.align),
        };
        let power = align.is_none_or(u64::is_power_of_two);
        self.require(power, Place::Value(id), "An alignment is a power of two.");
        let accessed = self.function.accessed_type(inst).and_then(|ty| self.layout.store_size(&ty));
        if let (Some(access), Some(_)) = (inst.op.access(), accessed) {
            self.require(
                access.bytes == accessed,
                Place::Value(id),
                "An access touches the bytes that its type is stored in.",
            );
        }
    }

    /// A direct call passes as many arguments as the function in the program takes.
    fn check_arity(&mut self, id: ValueId, inst: &Inst) {
        let Some(callee) = inst.callee_name().and_then(|name| self.program.function(name)) else { return };
        let (passed, taken) = (inst.arguments().len(), callee.params.len());
        let fits = if callee.variadic { passed >= taken } else { passed == taken };
        if !fits {
            self.report(
                Place::Value(id),
                format!(
                    "A call passes the arguments that its callee takes; @{} takes {taken}, not {passed}.",
                    callee.name
                ),
            );
        }
    }
}

fn rule(op: &Op) -> &'static str {
    match op {
        Op::FNeg => "A negation takes a float or vector of floats and gives the same type.",
        Op::Float(_) => "Float arithmetic takes two operands of one float (vector) type and gives that type.",
        Op::Int(_) => {
            "Integer arithmetic takes two operands of one integer (vector) type and gives that type."
        }
        Op::Cast(op) => cast_rule(*op),
        Op::ICmp(_) => {
            "An integer comparison takes two integers or pointers of one type and gives i1, lane by lane."
        }
        Op::FCmp(_) => {
            "A float comparison takes two operands of one float (vector) type and gives i1, lane by lane."
        }
        Op::Select => "A select takes an i1 (or one a lane) and two operands of the type it gives.",
        Op::Freeze => "A freeze takes one operand and gives its type.",
        Op::Attach(_) => {
            "An attachment takes a float (vector) and gives it; beside a start, two more of the same type."
        }
        Op::Phi { .. } => "A phi gives the type of each of its operands, one for each block it names.",
        Op::ExtractElement => "An element is extracted from a vector at an integer and has its element type.",
        Op::InsertElement => {
            "An element of a vector's element type is inserted at an integer; the vector's type stays."
        }
        Op::ShuffleVector { .. } => {
            "A shuffle takes two vectors of one type and gives a lane for each mask entry below twice their lanes, or -1."
        }
        Op::ExtractValue { .. } => {
            "A part is extracted along a path that its aggregate has, and has that part's type."
        }
        Op::InsertValue { .. } => {
            "A part is inserted along a path that its aggregate has; the aggregate's type stays."
        }
        Op::Alloca(_) => "An alloca takes an integer count and gives a pointer.",
        Op::Load(_) => "A load takes a pointer and gives a value.",
        Op::Store(_) => "A store takes a value and a pointer and gives nothing.",
        Op::Gep(_) => {
            "Address arithmetic takes a pointer and integers, a stride for each, and gives a pointer, or vectors of them."
        }
        Op::AtomicRmw { .. } => {
            "An atomic update takes a pointer and a value, is ordered, and gives the value's type."
        }
        Op::CompareExchange { .. } => {
            "A compare-exchange takes a pointer and two values of one type, is ordered, and gives that type and i1."
        }
        Op::Fence { .. } => {
            "A fence takes nothing, orders at least as acquire or release, and gives nothing."
        }
        Op::VaArg => "va_arg takes a pointer and gives a value.",
        Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. } => {
            "A call's operands are its arguments, then bundles, then a callee that is a pointer."
        }
        Op::LandingPad { .. } => "A landing pad gives a value; its clauses are constants.",
        Op::Ret => "A return passes a value of the function's return type, or none where that is void.",
        Op::Br { .. } => "A branch takes no operand and gives nothing.",
        Op::CondBr { .. } => "A conditional branch takes one i1 and gives nothing.",
        Op::Switch { .. } => "A switch takes one integer; its cases are different constants of that type.",
        Op::IndirectBr { .. } => "An indirect branch takes one pointer and gives nothing.",
        Op::Resume => "A resume takes one operand and gives nothing.",
        Op::Unreachable => "Unreachable takes nothing and gives nothing.",
        Op::Opaque { .. } => "An opaque operation has successors only where it ends its block.",
    }
}

fn cast_rule(op: CastOp) -> &'static str {
    match op {
        CastOp::Trunc => "A trunc takes an integer and gives a narrower one, lane by lane.",
        CastOp::ZExt | CastOp::SExt => {
            "An integer extension takes an integer and gives a wider one, lane by lane."
        }
        CastOp::FpTrunc => "An fptrunc takes a float and gives a narrower one, lane by lane.",
        CastOp::FpExt => "An fpext takes a float and gives a wider one, lane by lane.",
        CastOp::FpToUi | CastOp::FpToSi => "A float is converted to an integer, lane by lane.",
        CastOp::UiToFp | CastOp::SiToFp => "An integer is converted to a float, lane by lane.",
        CastOp::PtrToInt | CastOp::PtrToAddr => "A pointer is converted to an integer, lane by lane.",
        CastOp::IntToPtr => "An integer is converted to a pointer, lane by lane.",
        CastOp::BitCast => "A bitcast keeps the number of bits.",
        CastOp::AddrSpaceCast => {
            "An address space cast takes a pointer and gives one of another space, lane by lane."
        }
    }
}

/// Whether the operand is a constant; where a landing pad or case needs one.
pub fn is_constant(operand: &Operand) -> bool {
    operand.value().is_none()
}
