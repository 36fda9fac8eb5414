//! Instructions: which operation, with which promises, on which operands.

use backsweep_core::analyses::tape_records::NUMBER;
use backsweep_core::model::{
    Access, Alloca, AtomicOp, BlockId, Call, CastOp, Flags, FloatOp, FloatPredicate, Gep, IntOp,
    IntPredicate, Op, Ordering, Stride,
};
use llvm_sys::core::*;
use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMValueKind,
};

use super::Reader;
use super::facts::Facts;
use super::functions::Numbering;
use super::types::read_type;
use crate::llvm::{Block, Ty, Value, llvm, shim};

/// The operands that the model keeps: all but labels, which the operation itself carries.
pub fn operands_of(instruction: Value) -> Vec<Value> {
    match instruction.opcode() {
        // A switch's case values are part of the operation.
        LLVMOpcode::LLVMSwitch => vec![instruction.operand(0)],
        _ => instruction
            .operands()
            .into_iter()
            .filter(|operand| operand.kind() != LLVMValueKind::LLVMBasicBlockValueKind)
            .collect(),
    }
}

pub fn read_flags(instruction: Value) -> Flags {
    let mut bits = llvm!(shim::bs_shim_integer_flags(instruction.0));
    if llvm!(LLVMCanValueUseFastMathFlags(instruction.0)) != 0 {
        // LLVM counts `reassoc` first, we count it last; the other six keep their order.
        let fast = llvm!(LLVMGetFastMathFlags(instruction.0));
        bits |= (fast >> 1) | (fast & 1) << 6;
    }
    match instruction.opcode() {
        LLVMOpcode::LLVMGetElementPtr => bits |= llvm!(shim::bs_shim_gep_flags(instruction.0)),
        LLVMOpcode::LLVMCall => match llvm!(shim::bs_shim_call_kind(instruction.0)) {
            1 => bits |= Flags::TAIL.0,
            2 => bits |= Flags::MUSTTAIL.0,
            3 => bits |= Flags::NOTAIL.0,
            _ => {}
        },
        _ => {}
    }
    Flags(bits)
}

impl Reader {
    pub fn read_op(&self, inst: Value, numbering: &Numbering, facts: &Facts) -> Op {
        use LLVMOpcode::*;
        let block = |raw| numbering.blocks[&Block(raw)];
        let successor = |index| block(llvm!(LLVMGetSuccessor(inst.0, index)));
        match inst.opcode() {
            LLVMFNeg => Op::FNeg,
            LLVMFAdd => Op::Float(FloatOp::Add),
            LLVMFSub => Op::Float(FloatOp::Sub),
            LLVMFMul => Op::Float(FloatOp::Mul),
            LLVMFDiv => Op::Float(FloatOp::Div),
            LLVMFRem => Op::Float(FloatOp::Rem),
            LLVMICmp => Op::ICmp(int_predicate(llvm!(LLVMGetICmpPredicate(inst.0)))),
            LLVMFCmp => Op::FCmp(float_predicate(llvm!(LLVMGetFCmpPredicate(inst.0)))),
            LLVMSelect => Op::Select,
            LLVMFreeze => Op::Freeze,
            LLVMPHI => Op::Phi { from: incoming_blocks(inst).into_iter().map(block).collect() },
            LLVMExtractElement => Op::ExtractElement,
            LLVMInsertElement => Op::InsertElement,
            LLVMShuffleVector => Op::ShuffleVector {
                mask: shim::gather(|user| llvm!(shim::bs_shim_shuffle_mask(inst.0, shim::collect_int, user))),
            },
            LLVMExtractValue => Op::ExtractValue { path: path_of(inst) },
            LLVMInsertValue => Op::InsertValue { path: path_of(inst) },
            LLVMAlloca => Op::Alloca(self.read_alloca(inst)),
            LLVMLoad => Op::Load(self.read_access(inst, inst.ty())),
            LLVMStore => Op::Store(self.read_access(inst, inst.operand(0).ty())),
            LLVMGetElementPtr => Op::Gep(read_gep(inst)),
            LLVMAtomicRMW => Op::AtomicRmw {
                op: atomic_op(llvm!(LLVMGetAtomicRMWBinOp(inst.0))),
                access: self.read_access(inst, inst.ty()),
            },
            LLVMAtomicCmpXchg => Op::CompareExchange { access: self.read_access(inst, inst.operand(1).ty()) },
            LLVMFence => Op::Fence { ordering: ordering(llvm!(LLVMGetOrdering(inst.0))) },
            LLVMVAArg => Op::VaArg,
            LLVMCall => Op::Call(read_call(inst, facts)),
            LLVMLandingPad => Op::LandingPad { cleanup: llvm!(LLVMIsCleanup(inst.0)) != 0 },
            LLVMRet => Op::Ret,
            LLVMBr if llvm!(LLVMIsConditional(inst.0)) != 0 => {
                Op::CondBr { yes: successor(0), no: successor(1) }
            }
            LLVMBr => Op::Br { to: successor(0) },
            LLVMSwitch => self.read_switch(inst, &block),
            LLVMIndirectBr => Op::IndirectBr { targets: successors(inst, &block) },
            LLVMInvoke => Op::Invoke {
                call: read_call(inst, facts),
                normal: block(llvm!(LLVMGetNormalDest(inst.0))),
                unwind: block(llvm!(LLVMGetUnwindDest(inst.0))),
            },
            LLVMCallBr => {
                let mut ways = successors(inst, &block);
                Op::CallBr { call: read_call(inst, facts), normal: ways.remove(0), others: ways }
            }
            LLVMResume => Op::Resume,
            LLVMUnreachable => Op::Unreachable,
            opcode => match int_op(opcode) {
                Some(op) => Op::Int(op),
                None => match cast_op(opcode) {
                    Some(op) => Op::Cast(op),
                    None => opaque(inst, opcode, &block),
                },
            },
        }
    }

    fn read_alloca(&self, inst: Value) -> Alloca {
        let allocated = Ty(llvm!(LLVMGetAllocatedType(inst.0)));
        Alloca {
            allocated: read_type(allocated),
            bytes: self.module.bytes_of(allocated),
            align: u64::from(llvm!(LLVMGetAlignment(inst.0))),
        }
    }

    fn read_access(&self, inst: Value, ty: Ty) -> Access {
        let order = match inst.opcode() {
            // `LLVMGetOrdering` would read another class's fields. The order on failure is never the stronger one.
            LLVMOpcode::LLVMAtomicCmpXchg => llvm!(LLVMGetCmpXchgSuccessOrdering(inst.0)),
            _ => llvm!(LLVMGetOrdering(inst.0)),
        };
        let mut bytes = 0;
        let known = llvm!(shim::bs_shim_store_bytes(self.module.0, ty.0, &mut bytes));
        Access {
            bytes: known.then_some(bytes),
            align: u64::from(llvm!(LLVMGetAlignment(inst.0))),
            volatile: llvm!(LLVMGetVolatile(inst.0)) != 0,
            ordering: ordering(order),
            integer: llvm!(shim::bs_shim_is_integer_member(inst.0)),
            member: llvm!(shim::bs_shim_is_other_member(inst.0)),
            stepped: llvm!(shim::bs_shim_is_stepped_to(inst.0)),
            untyped: llvm!(shim::bs_shim_is_untyped(inst.0)),
            typed: llvm!(shim::bs_shim_is_typed(inst.0)),
            number: inst.has_metadata(NUMBER),
        }
    }

    fn read_switch(
        &self,
        inst: Value,
        block: &dyn Fn(llvm_sys::prelude::LLVMBasicBlockRef) -> BlockId,
    ) -> Op {
        let count = llvm!(shim::bs_shim_switch_case_count(inst.0)) as u32;
        let case = |index| {
            let value = Value(llvm!(shim::bs_shim_switch_case_value(inst.0, index)));
            (self.read_constant(value), block(llvm!(shim::bs_shim_switch_case_block(inst.0, index))))
        };
        Op::Switch {
            cases: (0..count).map(case).collect(),
            default: block(llvm!(LLVMGetSwitchDefaultDest(inst.0))),
        }
    }
}

fn read_gep(inst: Value) -> Gep {
    let stride = |index| {
        let mut bytes = 0;
        match llvm!(shim::bs_shim_gep_stride(inst.0, index, &mut bytes)) {
            0 => Stride::Scale(bytes),
            1 => Stride::Field(bytes),
            _ => Stride::Unknown,
        }
    };
    Gep {
        source: read_type(Ty(llvm!(LLVMGetGEPSourceElementType(inst.0)))),
        strides: (0..inst.operand_count() - 1).map(stride).collect(),
    }
}

fn read_call(inst: Value, facts: &Facts) -> Call {
    Call {
        arguments: inst.argument_count(),
        library: facts.is_library_call(inst),
        attributes: inst.attributes(-1),
    }
}

pub fn incoming_blocks(phi: Value) -> Vec<llvm_sys::prelude::LLVMBasicBlockRef> {
    let count = llvm!(LLVMCountIncoming(phi.0));
    (0..count).map(|index| llvm!(LLVMGetIncomingBlock(phi.0, index))).collect()
}

fn path_of(inst: Value) -> Vec<u32> {
    let count = llvm!(LLVMGetNumIndices(inst.0)) as usize;
    // SAFETY: LLVM keeps `count` indices at this address while the instruction lives.
    unsafe { std::slice::from_raw_parts(LLVMGetIndices(inst.0), count) }.to_vec()
}

fn successors(inst: Value, block: &dyn Fn(llvm_sys::prelude::LLVMBasicBlockRef) -> BlockId) -> Vec<BlockId> {
    let count = llvm!(LLVMGetNumSuccessors(inst.0));
    (0..count).map(|index| block(llvm!(LLVMGetSuccessor(inst.0, index)))).collect()
}

fn opaque(
    inst: Value,
    opcode: LLVMOpcode,
    block: &dyn Fn(llvm_sys::prelude::LLVMBasicBlockRef) -> BlockId,
) -> Op {
    let ends_block = Value::from_raw(llvm!(LLVMIsATerminatorInst(inst.0))).is_some();
    let mnemonic = format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase();
    Op::Opaque {
        reason: format!("`{mnemonic}` has no place in the model"),
        mnemonic,
        ends_block,
        successors: if ends_block { successors(inst, block) } else { Vec::new() },
    }
}

fn int_op(opcode: LLVMOpcode) -> Option<IntOp> {
    Some(match opcode {
        LLVMOpcode::LLVMAdd => IntOp::Add,
        LLVMOpcode::LLVMSub => IntOp::Sub,
        LLVMOpcode::LLVMMul => IntOp::Mul,
        LLVMOpcode::LLVMUDiv => IntOp::UDiv,
        LLVMOpcode::LLVMSDiv => IntOp::SDiv,
        LLVMOpcode::LLVMURem => IntOp::URem,
        LLVMOpcode::LLVMSRem => IntOp::SRem,
        LLVMOpcode::LLVMShl => IntOp::Shl,
        LLVMOpcode::LLVMLShr => IntOp::LShr,
        LLVMOpcode::LLVMAShr => IntOp::AShr,
        LLVMOpcode::LLVMAnd => IntOp::And,
        LLVMOpcode::LLVMOr => IntOp::Or,
        LLVMOpcode::LLVMXor => IntOp::Xor,
        _ => return None,
    })
}

fn cast_op(opcode: LLVMOpcode) -> Option<CastOp> {
    Some(match opcode {
        LLVMOpcode::LLVMTrunc => CastOp::Trunc,
        LLVMOpcode::LLVMZExt => CastOp::ZExt,
        LLVMOpcode::LLVMSExt => CastOp::SExt,
        LLVMOpcode::LLVMFPTrunc => CastOp::FpTrunc,
        LLVMOpcode::LLVMFPExt => CastOp::FpExt,
        LLVMOpcode::LLVMFPToUI => CastOp::FpToUi,
        LLVMOpcode::LLVMFPToSI => CastOp::FpToSi,
        LLVMOpcode::LLVMUIToFP => CastOp::UiToFp,
        LLVMOpcode::LLVMSIToFP => CastOp::SiToFp,
        LLVMOpcode::LLVMPtrToInt => CastOp::PtrToInt,
        LLVMOpcode::LLVMPtrToAddr => CastOp::PtrToAddr,
        LLVMOpcode::LLVMIntToPtr => CastOp::IntToPtr,
        LLVMOpcode::LLVMBitCast => CastOp::BitCast,
        LLVMOpcode::LLVMAddrSpaceCast => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

fn int_predicate(predicate: LLVMIntPredicate) -> IntPredicate {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => IntPredicate::Eq,
        LLVMIntPredicate::LLVMIntNE => IntPredicate::Ne,
        LLVMIntPredicate::LLVMIntUGT => IntPredicate::Ugt,
        LLVMIntPredicate::LLVMIntUGE => IntPredicate::Uge,
        LLVMIntPredicate::LLVMIntULT => IntPredicate::Ult,
        LLVMIntPredicate::LLVMIntULE => IntPredicate::Ule,
        LLVMIntPredicate::LLVMIntSGT => IntPredicate::Sgt,
        LLVMIntPredicate::LLVMIntSGE => IntPredicate::Sge,
        LLVMIntPredicate::LLVMIntSLT => IntPredicate::Slt,
        LLVMIntPredicate::LLVMIntSLE => IntPredicate::Sle,
    }
}

fn float_predicate(predicate: LLVMRealPredicate) -> FloatPredicate {
    match predicate {
        LLVMRealPredicate::LLVMRealPredicateFalse => FloatPredicate::False,
        LLVMRealPredicate::LLVMRealOEQ => FloatPredicate::Oeq,
        LLVMRealPredicate::LLVMRealOGT => FloatPredicate::Ogt,
        LLVMRealPredicate::LLVMRealOGE => FloatPredicate::Oge,
        LLVMRealPredicate::LLVMRealOLT => FloatPredicate::Olt,
        LLVMRealPredicate::LLVMRealOLE => FloatPredicate::Ole,
        LLVMRealPredicate::LLVMRealONE => FloatPredicate::One,
        LLVMRealPredicate::LLVMRealORD => FloatPredicate::Ord,
        LLVMRealPredicate::LLVMRealUNO => FloatPredicate::Uno,
        LLVMRealPredicate::LLVMRealUEQ => FloatPredicate::Ueq,
        LLVMRealPredicate::LLVMRealUGT => FloatPredicate::Ugt,
        LLVMRealPredicate::LLVMRealUGE => FloatPredicate::Uge,
        LLVMRealPredicate::LLVMRealULT => FloatPredicate::Ult,
        LLVMRealPredicate::LLVMRealULE => FloatPredicate::Ule,
        LLVMRealPredicate::LLVMRealUNE => FloatPredicate::Une,
        LLVMRealPredicate::LLVMRealPredicateTrue => FloatPredicate::True,
    }
}

fn ordering(ordering: LLVMAtomicOrdering) -> Ordering {
    match ordering {
        LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic => Ordering::NotAtomic,
        LLVMAtomicOrdering::LLVMAtomicOrderingUnordered => Ordering::Unordered,
        LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic => Ordering::Monotonic,
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquire => Ordering::Acquire,
        LLVMAtomicOrdering::LLVMAtomicOrderingRelease => Ordering::Release,
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease => Ordering::AcquireRelease,
        LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => Ordering::SequentiallyConsistent,
    }
}

fn atomic_op(op: LLVMAtomicRMWBinOp) -> AtomicOp {
    match op {
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg => AtomicOp::Exchange,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd => AtomicOp::Add,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpSub => AtomicOp::Sub,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAnd => AtomicOp::And,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpNand => AtomicOp::Nand,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpOr => AtomicOp::Or,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXor => AtomicOp::Xor,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMax => AtomicOp::Max,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMin => AtomicOp::Min,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMax => AtomicOp::UMax,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMin => AtomicOp::UMin,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpFAdd => AtomicOp::FAdd,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpFSub => AtomicOp::FSub,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpFMax => AtomicOp::FMax,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpFMin => AtomicOp::FMin,
        _ => AtomicOp::Other,
    }
}
