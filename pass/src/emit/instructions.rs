//! One derived instruction as an LLVM instruction.

use backsweep_core::analyses::cleared::POINTERLESS;
use backsweep_core::analyses::exceptions::is_guarded;
use backsweep_core::analyses::tape_records::{NUMBER, RECORD};
use backsweep_core::model::{
    Access, CastOp, Constant, Flags, FloatOp, FloatPredicate, Inst, IntOp, IntPredicate, Op, Operand, Type,
    ValueId,
};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMValueKind};

use super::functions::{FunctionWriter, add_promise};
use super::named::{renamed, unnamed};
use super::types::write_type;
use crate::exceptions::mark_guarded;
use crate::extract::read_type;
use crate::llvm::{Module, Ty, Value, c_string, llvm, shim};

/// Control flow and phis are always built anew; every other copy is a clone.
pub fn is_cloned(op: &Op) -> bool {
    !op.is_terminator() && !matches!(op, Op::Phi { .. })
}

/// An access promises the alignment that the plan laid out, which may be less than what its type usually has.
fn promise(built: LLVMValueRef, access: &Access) -> LLVMValueRef {
    if access.align != 0 {
        llvm!(LLVMSetAlignment(built, access.align as u32));
    }
    built
}

/// Allows arithmetic what its flags say.
fn allow(arithmetic: LLVMValueRef, flags: Flags) {
    let fast = flags.fast_math();
    if fast != Flags::default() && llvm!(LLVMCanValueUseFastMathFlags(arithmetic)) != 0 {
        // The model counts `reassoc` last, LLVM counts it first.
        let bits = (fast.0 & 0x3f) << 1 | fast.0 >> 6 & 1;
        llvm!(LLVMSetFastMathFlags(arithmetic, bits));
    }
}

impl FunctionWriter<'_> {
    /// Whether the primal's instruction is the model's: an integer that only carries a float's bits is a float in the
    /// model, a copy of a struct is loads and stores of its members, and a word that may be anything goes through a slot.
    pub fn is_as_written(&self, origin: ValueId, inst: &Inst) -> bool {
        let Some(original) = self.primal.and_then(|primal| primal.value(origin)) else { return false };
        match &inst.op {
            Op::Load(_) => original.opcode() == LLVMOpcode::LLVMLoad && read_type(original.ty()) == inst.ty,
            Op::Select | Op::Freeze | Op::Cast(_) => read_type(original.ty()) == inst.ty,
            Op::Store(_) => {
                original.opcode() == LLVMOpcode::LLVMStore
                    && Some(read_type(original.operand(0).ty())) == self.derived.known_type(&inst.operands[0])
            }
            Op::Gep(_) => original.opcode() == LLVMOpcode::LLVMGetElementPtr,
            Op::Alloca(_) => original.opcode() == LLVMOpcode::LLVMAlloca,
            Op::Call(_) => original.opcode() == LLVMOpcode::LLVMCall,
            _ => true,
        }
    }

    /// Clones the primal's instruction and exchanges its operands.
    pub fn clone_inst(&self, origin: ValueId, inst: &Inst) -> Value {
        let Some(original) = self.primal.and_then(|primal| primal.value(origin)) else {
            unreachable!("only derivatives hold copies")
        };
        let clone = original.clone_instruction();
        llvm!(shim::bs_shim_strip_scopes(clone.0));
        let mut operands = inst.operands.iter();
        for index in 0..clone.operand_count() {
            if clone.operand(index).kind() == LLVMValueKind::LLVMBasicBlockValueKind {
                continue;
            }
            let Some(operand) = operands.next() else { break };
            let wanted = clone.operand(index).ty();
            // Constants are the clone's own already, except that the shadow of an address is another address, or null, and
            // that a record may be of another size.
            let exchanged = match operand {
                Operand::Value(_) => true,
                Operand::Const(constant @ Constant::Int { .. }) => read_type(wanted) == constant.ty(),
                Operand::Const(constant) => is_address(constant),
            };
            if exchanged {
                clone.set_operand(index, renamed(&self.builder, self.operand(operand), wanted));
            }
        }
        // A copy may be allowed more than what it was copied from.
        allow(clone.0, inst.flags);
        self.builder.insert(clone);
        renamed(&self.builder, clone, unnamed(self.module, clone.ty()))
    }

    pub fn build_inst(&self, inst: &Inst) -> Value {
        let built = self.build(inst);
        allow(built, inst.flags);
        // A fresh access promises what its type asks for, which the user's memory need not keep.
        match &inst.op {
            Op::Load(access) | Op::Store(access) => {
                llvm!(LLVMSetAlignment(built, access.align as u32));
                if access.volatile {
                    llvm!(LLVMSetVolatile(built, 1));
                }
                if access.integer {
                    llvm!(shim::bs_shim_mark_integer(built));
                }
                if access.member {
                    llvm!(shim::bs_shim_mark_member(built));
                }
                if let Some(primal) = self.primal.filter(|_| access.typed) {
                    llvm!(shim::bs_shim_type_like(built, primal.function().0));
                }
                if access.number {
                    self.mark(built, NUMBER);
                }
                if access.stepped {
                    llvm!(shim::bs_shim_mark_stepped(built));
                }
            }
            Op::Alloca(alloca) => llvm!(LLVMSetAlignment(built, alloca.align as u32)),
            Op::Int(_) if inst.flags.has(Flags::NSW) => llvm!(LLVMSetNSW(built, 1)),
            _ => {}
        }
        if inst.flags.has(Flags::SUM) {
            llvm!(shim::bs_shim_mark_sum(built));
        }
        if inst.op == Op::Select && inst.ty.is_real() {
            self.keep_select(built);
        }
        if inst.flags.has(Flags::ZERO) {
            self.mark(built, "backsweep.zero");
        }
        Value(built)
    }

    /// Hosts make a branch of a choice whose arm takes long, as the quotients that are guarded against zero: in the midst
    /// of straight code, where both arms of neighbouring choices would have been computed at once.
    fn keep_select(&self, built: LLVMValueRef) {
        if llvm!(LLVMIsASelectInst(built)).is_null() {
            return;
        }
        self.mark(built, "unpredictable");
    }

    fn mark(&self, built: LLVMValueRef, name: &str) {
        // A choice between constants is none.
        if llvm!(LLVMIsAInstruction(built)).is_null() {
            return;
        }
        let context = self.module.context();
        let kind = llvm!(LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32));
        let empty = llvm!(LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0));
        llvm!(LLVMSetMetadata(built, kind, LLVMMetadataAsValue(context, empty)));
    }

    fn build(&self, inst: &Inst) -> LLVMValueRef {
        let builder = self.builder.0;
        let name = c"".as_ptr();
        let x = |index: usize| self.operand(&inst.operands[index]).0;
        let ty = || write_type(self.module.context(), &inst.ty).0;
        let to = |block| self.blocks[block].0;
        match &inst.op {
            Op::FNeg => llvm!(LLVMBuildFNeg(builder, x(0), name)),
            Op::Float(op) => llvm!(LLVMBuildBinOp(builder, float_opcode(*op), x(0), x(1), name)),
            Op::Int(op) => llvm!(LLVMBuildBinOp(builder, int_opcode(*op), x(0), x(1), name)),
            Op::Cast(op) => llvm!(LLVMBuildCast(builder, cast_opcode(*op), x(0), ty(), name)),
            Op::ICmp(predicate) => llvm!(LLVMBuildICmp(builder, int_predicate(*predicate), x(0), x(1), name)),
            Op::FCmp(predicate) => {
                llvm!(LLVMBuildFCmp(builder, float_predicate(*predicate), x(0), x(1), name))
            }
            Op::Select => llvm!(LLVMBuildSelect(builder, x(0), x(1), x(2), name)),
            Op::Freeze => llvm!(LLVMBuildFreeze(builder, x(0), name)),
            Op::Attach(_) => unreachable!("no derivative holds what is attached to its primal"),
            Op::Phi { .. } => llvm!(LLVMBuildPhi(builder, ty(), name)),
            Op::ExtractElement => llvm!(LLVMBuildExtractElement(builder, x(0), x(1), name)),
            Op::InsertElement => llvm!(LLVMBuildInsertElement(builder, x(0), x(1), x(2), name)),
            Op::ShuffleVector { mask } => {
                llvm!(LLVMBuildShuffleVector(builder, x(0), x(1), self.mask(mask), name))
            }
            Op::ExtractValue { path } => self.extract_value(x(0), path),
            Op::InsertValue { path } => self.insert_value(x(0), x(1), path),
            Op::Alloca(alloca) => {
                let allocated = write_type(self.module.context(), &alloca.allocated).0;
                let slot = llvm!(LLVMBuildArrayAlloca(builder, allocated, x(0), name));
                if alloca.align != 0 {
                    llvm!(LLVMSetAlignment(slot, alloca.align as u32));
                }
                slot
            }
            Op::Load(access) => promise(llvm!(LLVMBuildLoad2(builder, ty(), x(0), name)), access),
            Op::Store(access) => promise(llvm!(LLVMBuildStore(builder, x(0), x(1))), access),
            Op::Gep(gep) => {
                let source = write_type(self.module.context(), &gep.source).0;
                let mut indices: Vec<LLVMValueRef> = (1..inst.operands.len()).map(x).collect();
                let count = indices.len() as u32;
                llvm!(LLVMBuildInBoundsGEP2(builder, source, x(0), indices.as_mut_ptr(), count, name))
            }
            Op::Call(_) => self.build_call(inst),
            Op::Ret if inst.operands.is_empty() => llvm!(LLVMBuildRetVoid(builder)),
            Op::Ret => llvm!(LLVMBuildRet(builder, x(0))),
            Op::Br { to: target } => llvm!(LLVMBuildBr(builder, to(target))),
            Op::CondBr { yes, no } => llvm!(LLVMBuildCondBr(builder, x(0), to(yes), to(no))),
            Op::Switch { cases, default } => {
                let switch = llvm!(LLVMBuildSwitch(builder, x(0), to(default), cases.len() as u32));
                for (value, block) in cases {
                    llvm!(LLVMAddCase(switch, self.constants.write(value).0, to(block)));
                }
                switch
            }
            Op::Unreachable => llvm!(LLVMBuildUnreachable(builder)),
            Op::AtomicRmw { .. }
            | Op::CompareExchange { .. }
            | Op::Fence { .. }
            | Op::VaArg
            | Op::LandingPad { .. }
            | Op::IndirectBr { .. }
            | Op::Invoke { .. }
            | Op::CallBr { .. }
            | Op::Resume
            | Op::Opaque { .. } => unreachable!("{:?} is only ever cloned", inst.op),
        }
    }

    /// A call of a function by name, declared here if it is not yet.
    fn build_call(&self, inst: &Inst) -> LLVMValueRef {
        let context = self.module.context();
        let types: Vec<Ty> = inst
            .arguments()
            .iter()
            .map(|operand| write_type(context, &self.derived.operand_type(operand)))
            .collect();
        let ty = Ty::function(write_type(context, &inst.ty), &types, false);
        let callee = match inst.callee_name() {
            Some(name) => match self.module.function(name) {
                Some(known) => known,
                None => declare_callee(self.module, name, ty),
            },
            None => self.operand(&inst.operands[inst.operands.len() - 1]),
        };
        let mut arguments: Vec<LLVMValueRef> =
            inst.arguments().iter().map(|operand| self.operand(operand).0).collect();
        let count = arguments.len() as u32;
        let name = c_string("");
        let call = llvm!(LLVMBuildCall2(
            self.builder.0,
            ty.0,
            callee.0,
            arguments.as_mut_ptr(),
            count,
            name.as_ptr()
        ));
        llvm!(shim::bs_shim_follow_callee(call));
        if is_guarded(inst) {
            mark_guarded(Value(call));
        }
        let marks = inst.op.call().into_iter().flat_map(|call| &call.attributes);
        for mark in marks.filter(|mark| mark.starts_with(RECORD) || *mark == POINTERLESS) {
            llvm!(shim::bs_shim_mark_call(call, c_string(mark).as_ptr()));
        }
        call
    }

    fn mask(&self, mask: &[i32]) -> LLVMValueRef {
        let i32_type = write_type(self.module.context(), &Type::I32).0;
        let mut lanes: Vec<LLVMValueRef> = mask
            .iter()
            .map(|lane| match u64::try_from(*lane) {
                Ok(lane) => llvm!(LLVMConstInt(i32_type, lane, 0)),
                Err(_) => llvm!(LLVMGetPoison(i32_type)),
            })
            .collect();
        llvm!(LLVMConstVector(lanes.as_mut_ptr(), lanes.len() as u32))
    }

    /// LLVM's C interface takes one step of a path at a time.
    fn extract_value(&self, from: LLVMValueRef, path: &[u32]) -> LLVMValueRef {
        path.iter().fold(from, |whole, index| {
            llvm!(LLVMBuildExtractValue(self.builder.0, whole, *index, c"".as_ptr()))
        })
    }

    fn insert_value(&self, into: LLVMValueRef, value: LLVMValueRef, path: &[u32]) -> LLVMValueRef {
        let Some((first, rest)) = path.split_first() else { return value };
        let inner = match rest {
            [] => value,
            _ => self.insert_value(self.extract_value(into, &[*first]), value, rest),
        };
        llvm!(LLVMBuildInsertValue(self.builder.0, into, inner, *first, c"".as_ptr()))
    }
}

fn is_address(constant: &Constant) -> bool {
    matches!(constant, Constant::Null(_) | Constant::Symbol { .. } | Constant::Offset { .. })
        && constant.ty().is_pointer()
}

fn float_opcode(op: FloatOp) -> LLVMOpcode {
    match op {
        FloatOp::Add => LLVMOpcode::LLVMFAdd,
        FloatOp::Sub => LLVMOpcode::LLVMFSub,
        FloatOp::Mul => LLVMOpcode::LLVMFMul,
        FloatOp::Div => LLVMOpcode::LLVMFDiv,
        FloatOp::Rem => LLVMOpcode::LLVMFRem,
    }
}

fn int_opcode(op: IntOp) -> LLVMOpcode {
    match op {
        IntOp::Add => LLVMOpcode::LLVMAdd,
        IntOp::Sub => LLVMOpcode::LLVMSub,
        IntOp::Mul => LLVMOpcode::LLVMMul,
        IntOp::UDiv => LLVMOpcode::LLVMUDiv,
        IntOp::SDiv => LLVMOpcode::LLVMSDiv,
        IntOp::URem => LLVMOpcode::LLVMURem,
        IntOp::SRem => LLVMOpcode::LLVMSRem,
        IntOp::Shl => LLVMOpcode::LLVMShl,
        IntOp::LShr => LLVMOpcode::LLVMLShr,
        IntOp::AShr => LLVMOpcode::LLVMAShr,
        IntOp::And => LLVMOpcode::LLVMAnd,
        IntOp::Or => LLVMOpcode::LLVMOr,
        IntOp::Xor => LLVMOpcode::LLVMXor,
    }
}

fn cast_opcode(op: CastOp) -> LLVMOpcode {
    match op {
        CastOp::Trunc => LLVMOpcode::LLVMTrunc,
        CastOp::ZExt => LLVMOpcode::LLVMZExt,
        CastOp::SExt => LLVMOpcode::LLVMSExt,
        CastOp::FpTrunc => LLVMOpcode::LLVMFPTrunc,
        CastOp::FpExt => LLVMOpcode::LLVMFPExt,
        CastOp::FpToUi => LLVMOpcode::LLVMFPToUI,
        CastOp::FpToSi => LLVMOpcode::LLVMFPToSI,
        CastOp::UiToFp => LLVMOpcode::LLVMUIToFP,
        CastOp::SiToFp => LLVMOpcode::LLVMSIToFP,
        CastOp::PtrToInt => LLVMOpcode::LLVMPtrToInt,
        CastOp::PtrToAddr => LLVMOpcode::LLVMPtrToAddr,
        CastOp::IntToPtr => LLVMOpcode::LLVMIntToPtr,
        CastOp::BitCast => LLVMOpcode::LLVMBitCast,
        CastOp::AddrSpaceCast => LLVMOpcode::LLVMAddrSpaceCast,
    }
}

fn int_predicate(predicate: IntPredicate) -> LLVMIntPredicate {
    match predicate {
        IntPredicate::Eq => LLVMIntPredicate::LLVMIntEQ,
        IntPredicate::Ne => LLVMIntPredicate::LLVMIntNE,
        IntPredicate::Ugt => LLVMIntPredicate::LLVMIntUGT,
        IntPredicate::Uge => LLVMIntPredicate::LLVMIntUGE,
        IntPredicate::Ult => LLVMIntPredicate::LLVMIntULT,
        IntPredicate::Ule => LLVMIntPredicate::LLVMIntULE,
        IntPredicate::Sgt => LLVMIntPredicate::LLVMIntSGT,
        IntPredicate::Sge => LLVMIntPredicate::LLVMIntSGE,
        IntPredicate::Slt => LLVMIntPredicate::LLVMIntSLT,
        IntPredicate::Sle => LLVMIntPredicate::LLVMIntSLE,
    }
}

fn float_predicate(predicate: FloatPredicate) -> LLVMRealPredicate {
    match predicate {
        FloatPredicate::False => LLVMRealPredicate::LLVMRealPredicateFalse,
        FloatPredicate::Oeq => LLVMRealPredicate::LLVMRealOEQ,
        FloatPredicate::Ogt => LLVMRealPredicate::LLVMRealOGT,
        FloatPredicate::Oge => LLVMRealPredicate::LLVMRealOGE,
        FloatPredicate::Olt => LLVMRealPredicate::LLVMRealOLT,
        FloatPredicate::Ole => LLVMRealPredicate::LLVMRealOLE,
        FloatPredicate::One => LLVMRealPredicate::LLVMRealONE,
        FloatPredicate::Ord => LLVMRealPredicate::LLVMRealORD,
        FloatPredicate::Uno => LLVMRealPredicate::LLVMRealUNO,
        FloatPredicate::Ueq => LLVMRealPredicate::LLVMRealUEQ,
        FloatPredicate::Ugt => LLVMRealPredicate::LLVMRealUGT,
        FloatPredicate::Uge => LLVMRealPredicate::LLVMRealUGE,
        FloatPredicate::Ult => LLVMRealPredicate::LLVMRealULT,
        FloatPredicate::Ule => LLVMRealPredicate::LLVMRealULE,
        FloatPredicate::Une => LLVMRealPredicate::LLVMRealUNE,
        FloatPredicate::True => LLVMRealPredicate::LLVMRealPredicateTrue,
    }
}

/// The runtime ends the program where it fails: only what it frees may be the user's doing, and throw.
fn declare_callee(module: Module, name: &str, ty: Ty) -> Value {
    let callee = module.add_function(name, ty);
    let ours = ["bs_tape_", "bs_rt_"].iter().any(|start| name.starts_with(start));
    if ours && !["bs_tape_free", "bs_rt_tape_free", "bs_rt_put_off_close"].contains(&name) {
        add_promise(module, callee, "nounwind");
    }
    callee
}
