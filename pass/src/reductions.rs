//! Folds of a vector into its largest, smallest or product, in the copy to be differentiated, as operations on its lanes.
//!
//! `llvm.vector.reduce.fmax` and its like leave open in which order the lanes are taken; here it is from the first to the
//! last, and the rules of the operations between two numbers say what happens at ties.

use llvm_sys::LLVMTypeKind::{LLVMDoubleTypeKind, LLVMFloatTypeKind, LLVMScalableVectorTypeKind};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use crate::llvm::{Builder, Module, Ty, Value, llvm};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

/// How two lanes become one: by an intrinsic, or by a multiplication that begins with the first operand.
enum Fold {
    By(&'static str),
    Product,
}

pub fn open_reductions(module: Module, function: Value) {
    let builder = Builder::new(module.context());
    for call in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if let Some((fold, vector)) = read_reduction(call) {
            open(module, &builder, call, &fold, vector);
        }
    }
}

fn read_reduction(call: Value) -> Option<(Fold, Value)> {
    let name = call.is_call().then(|| call.callee().name())?;
    let rest = name.strip_prefix("llvm.vector.reduce.")?;
    let (fold, operand) = match rest.split('.').next()? {
        "fmax" => (Fold::By("maxnum"), 0),
        "fmin" => (Fold::By("minnum"), 0),
        "fmaximum" => (Fold::By("maximum"), 0),
        "fminimum" => (Fold::By("minimum"), 0),
        "fmul" => (Fold::Product, 1),
        _ => return None,
    };
    let vector = call.operand(operand);
    let known = vector.ty().kind() != LLVMScalableVectorTypeKind && spelling(call.ty()).is_some();
    known.then_some((fold, vector))
}

fn spelling(ty: Ty) -> Option<&'static str> {
    match ty.kind() {
        LLVMDoubleTypeKind => Some("f64"),
        LLVMFloatTypeKind => Some("f32"),
        _ => None,
    }
}

fn open(module: Module, builder: &Builder, call: Value, fold: &Fold, vector: Value) {
    builder.before(call);
    builder.locate_like(call);
    let index = |lane: u32| llvm!(LLVMConstInt(LLVMInt32TypeInContext(module.context()), u64::from(lane), 0));
    let lane = |lane: u32| llvm!(LLVMBuildExtractElement(builder.0, vector.0, index(lane), UNNAMED));
    let lanes = (0..vector.ty().lanes()).map(lane);
    let whole = match fold {
        Fold::Product => lanes.fold(call.operand(0).0, |product, lane| {
            let product = llvm!(LLVMBuildFMul(builder.0, product, lane, UNNAMED));
            keep_flags(call, product);
            product
        }),
        Fold::By(name) => {
            let symbol = format!("llvm.{name}.{}", spelling(call.ty()).unwrap_or_default());
            let ty = Ty::function(call.ty(), &[call.ty(), call.ty()], false);
            let intrinsic = module.function(&symbol).unwrap_or_else(|| module.add_function(&symbol, ty));
            let combine = |best: LLVMValueRef, lane: LLVMValueRef| {
                let mut operands = [best, lane];
                let best =
                    llvm!(LLVMBuildCall2(builder.0, ty.0, intrinsic.0, operands.as_mut_ptr(), 2, UNNAMED));
                keep_flags(call, best);
                best
            };
            let Some(whole) = lanes.reduce(combine) else { return };
            whole
        }
    };
    call.replace_all_uses(Value(whole));
    call.erase();
}

fn keep_flags(call: Value, operation: LLVMValueRef) {
    if llvm!(LLVMCanValueUseFastMathFlags(operation)) != 0 {
        llvm!(LLVMSetFastMathFlags(operation, LLVMGetFastMathFlags(call.0)));
    }
}
