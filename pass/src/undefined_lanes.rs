//! Lanes of vectors that nobody defined, given a value in the copy to be differentiated.
//!
//! Vectorisers fill lanes they do not need with poison and compute with them all the same. The result of such a lane is
//! never looked at, but its adjoint is computed beside the others: zero times an undefined number, added to where a defined
//! lane came from, is undefined. A lane that may be anything may be 1, at which every operation is finite.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMOpcode, LLVMTypeKind};

use crate::llvm::{Builder, Module, Ty, Value, llvm};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

pub fn define_lanes(module: Module, function: Value) {
    let builder = Builder::new(module.context());
    let instructions: Vec<Value> =
        function.blocks().into_iter().flat_map(|block| block.instructions()).collect();
    for inst in instructions {
        if inst.opcode() == LLVMOpcode::LLVMShuffleVector && is_float_vector(inst.ty()) {
            define_shuffled(&builder, inst);
        }
        for index in 0..inst.operand_count() {
            let operand = inst.operand(index);
            // What a shuffle does not choose is not computed with.
            let chosen = inst.opcode() != LLVMOpcode::LLVMShuffleVector;
            if chosen && is_float_vector(operand.ty()) && is_constant(operand) {
                inst.set_operand(index, define_constant(operand));
            }
        }
    }
}

/// What is stored may be anything where it is undefined, so also what was there before. Rust says so of what a variant of an
/// enum leaves free: such a store would be one of an integer where other variants have floats. Of less it is mostly padding,
/// and then the store tells that there is none.
pub fn drop_undefined_stores(function: Value) {
    for inst in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        let undefined = match inst.opcode() {
            LLVMOpcode::LLVMStore => {
                llvm!(LLVMGetVolatile(inst.0)) == 0
                    && is_undefined(inst.operand(0))
                    && !is_narrow(inst.operand(0).ty())
            }
            LLVMOpcode::LLVMCall => {
                inst.callee().name().starts_with("llvm.memset.") && is_undefined(inst.operand(1))
                    || copies_nothing(inst)
            }
            _ => false,
        };
        if undefined {
            inst.erase();
        }
    }
}

/// Whether a copy takes what nobody has put anywhere: an array that was made without values is moved to its place so.
fn copies_nothing(call: Value) -> bool {
    let name = call.callee().name();
    ["llvm.memcpy.", "llvm.memmove."].iter().any(|start| name.starts_with(start))
        && is_never_written(call.operand(1))
}

/// Of a stack slot whether its contents are only asked for, or copied to elsewhere.
fn is_never_written(slot: Value) -> bool {
    let is_slot = slot.is_instruction() && slot.opcode() == LLVMOpcode::LLVMAlloca;
    is_slot
        && slot.users().into_iter().all(|user| match user.opcode() {
            LLVMOpcode::LLVMLoad => true,
            LLVMOpcode::LLVMCall => {
                let name = user.callee().name();
                let copied = ["llvm.memcpy.", "llvm.memmove."].iter().any(|start| name.starts_with(start));
                copied && user.operand(0) != slot || name.starts_with("llvm.lifetime.")
            }
            _ => false,
        })
}

fn is_narrow(ty: Ty) -> bool {
    ty.kind() == LLVMTypeKind::LLVMIntegerTypeKind && llvm!(LLVMGetIntTypeWidth(ty.0)) <= 32
}

fn is_undefined(value: Value) -> bool {
    llvm!(LLVMIsUndef(value.0)) != 0
}

fn is_float_vector(ty: Ty) -> bool {
    use LLVMTypeKind::*;
    ty.kind() == LLVMVectorTypeKind
        && matches!(
            ty.element().kind(),
            LLVMHalfTypeKind | LLVMBFloatTypeKind | LLVMFloatTypeKind | LLVMDoubleTypeKind
        )
}

fn is_constant(value: Value) -> bool {
    llvm!(LLVMIsConstant(value.0)) != 0
}

fn one(ty: Ty) -> LLVMValueRef {
    llvm!(LLVMConstReal(ty.0, 1.0))
}

fn splat_of_ones(ty: Ty) -> LLVMValueRef {
    let mut lanes = vec![one(ty.element()); ty.lanes() as usize];
    llvm!(LLVMConstVector(lanes.as_mut_ptr(), lanes.len() as u32))
}

fn define_constant(vector: Value) -> Value {
    let ty = vector.ty();
    let lane = |index: u32| llvm!(LLVMGetAggregateElement(vector.0, index));
    let mut lanes: Vec<LLVMValueRef> = (0..ty.lanes()).map(lane).collect();
    // A constant expression has no elements to look at.
    if lanes.iter().any(|lane| lane.is_null()) {
        return vector;
    }
    for lane in &mut lanes {
        if Value(*lane).is_undef() {
            *lane = one(ty.element());
        }
    }
    Value(llvm!(LLVMConstVector(lanes.as_mut_ptr(), lanes.len() as u32)))
}

/// The lanes for which a shuffle chooses nothing come from a second shuffle, which takes the others as they are.
fn define_shuffled(builder: &Builder, shuffle: Value) {
    let lanes = llvm!(LLVMGetNumMaskElements(shuffle.0));
    let undefined = llvm!(LLVMGetUndefMaskElem());
    let chosen: Vec<i32> = (0..lanes).map(|lane| llvm!(LLVMGetMaskValue(shuffle.0, lane))).collect();
    let is_poison = |operand: Value, from: u32| {
        let count = shuffle.operand(0).ty().lanes();
        chosen
            .iter()
            .any(|lane| u32::try_from(*lane).is_ok_and(|lane| lane / count == from) && operand.is_undef())
    };
    let incomplete = chosen.contains(&undefined) || (0..2).any(|from| is_poison(shuffle.operand(from), from));
    let last = shuffle.block().instructions();
    let next = last.iter().skip_while(|inst| **inst != shuffle).nth(1);
    let Some(next) = next.filter(|_| incomplete) else { return };
    let count = shuffle.operand(0).ty().lanes() as i32;
    let word = llvm!(LLVMInt32TypeInContext(shuffle.ty().context()));
    let defined = |lane: i32| lane != undefined && !shuffle.operand((lane / count) as u32).is_undef();
    let mut mask: Vec<LLVMValueRef> = (0..lanes)
        .map(|lane| {
            let from = if defined(chosen[lane as usize]) { lane } else { lanes + lane };
            llvm!(LLVMConstInt(word, u64::from(from), 0))
        })
        .collect();
    let mask = llvm!(LLVMConstVector(mask.as_mut_ptr(), lanes));
    builder.before(*next);
    let whole = Value(llvm!(LLVMBuildShuffleVector(
        builder.0,
        shuffle.0,
        splat_of_ones(shuffle.ty()),
        mask,
        UNNAMED
    )));
    for user in shuffle.users().into_iter().filter(|user| *user != whole) {
        for index in 0..user.operand_count() {
            if user.operand(index) == shuffle {
                user.set_operand(index, whole);
            }
        }
    }
}
