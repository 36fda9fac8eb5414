//! Array descriptors of Fortran, as flang lays them out, in the copy to be differentiated.
//!
//! What a declaration fixes in a descriptor (type, rank, size of the elements) is a constant wherever it is read, and a
//! descriptor is copied member by member. So what leads to an array is a pointer, not bytes, and bodies of the runtime
//! library know what they work on, though the descriptor stands in a global, a component or the heap.

mod choices;
mod copies;
mod declared;
mod described;
mod dummies;
mod integers;
mod kept;
mod nested;
mod objects;
mod writer;

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::target::LLVMGetModuleDataLayout;

use crate::llvm::{Module, Ty, Value, c_text, llvm, shim};
pub use choices::open_choices;
use copies::open_copies;
use declared::Declared;
pub use dummies::tell_types;
use integers::mark_integers;
pub use integers::{drop_settled_marks, walks_beside_integers, write_integers};
pub use kept::keep_descriptors;
pub use nested::{is_of_nested_objects, settle_functions};
pub use objects::{answer_early, describe_marks, has_marks, open_marks, refuse_marks};

pub fn settle_descriptors(module: Module, function: Value) {
    let layout = llvm!(LLVMGetModuleDataLayout(module.0));
    open_copies(module, layout, function);
    llvm!(shim::bs_shim_part_dimensions(function.0));
    mark_integers(module, function);
    let declared = Declared { module, layout };
    for block in function.blocks() {
        for inst in block.instructions() {
            if inst.opcode() == LLVMOpcode::LLVMLoad
                && llvm!(LLVMGetVolatile(inst.0)) == 0
                && let Some(constant) = declared.find_constant(inst)
            {
                inst.replace_all_uses(constant);
                inst.erase();
            }
        }
    }
}

/// The rank of the descriptor a type is for, as `ISO_Fortran_binding.h` of flang 22 lays it out: the address, the size of
/// an element, a version, rank, type, attribute and extra; then the dimensions; then what a derived type is.
fn described_rank(ty: Ty) -> Option<u8> {
    let fields = fields_of_unnamed(ty)?;
    let (base, rest) = fields.split_first()?;
    let is_address = base.kind() == llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
    rank_behind_address(rest).filter(|_| is_address)
}

/// Whether a type is for all of a descriptor but the address: an optimiser may move that by itself.
fn is_rest_of_descriptor(ty: Ty) -> bool {
    const HEAD: usize = 6;
    fields_of_unnamed(ty).is_some_and(|fields| fields.len() > HEAD && rank_behind_address(&fields).is_some())
}

fn fields_of_unnamed(ty: Ty) -> Option<Vec<Ty>> {
    let is_struct = ty.kind() == llvm_sys::LLVMTypeKind::LLVMStructTypeKind;
    (is_struct && !ty.is_opaque_struct() && !ty.is_packed() && !is_named(ty)).then(|| ty.fields())
}

fn rank_behind_address(fields: &[Ty]) -> Option<u8> {
    use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMPointerTypeKind};
    let (head, rest) = fields.split_at_checked(6)?;
    if head.iter().zip([64, 32, 8, 8, 8, 8]).any(|(field, bits)| !is_int(*field, bits)) {
        return None;
    }
    let is_dimension =
        |ty: Ty| ty.kind() == LLVMArrayTypeKind && ty.array_length() == 3 && is_int(ty.element(), 64);
    let (rank, addendum) = match rest {
        [dims, rest @ ..] if dims.kind() == LLVMArrayTypeKind && is_dimension(dims.element()) => {
            (dims.array_length(), rest)
        }
        rest => (0, rest),
    };
    let known = match addendum {
        [] => true,
        [of, lengths] => {
            of.kind() == LLVMPointerTypeKind
                && lengths.kind() == LLVMArrayTypeKind
                && is_int(lengths.element(), 64)
        }
        _ => false,
    };
    known.then_some(u8::try_from(rank).ok()).flatten()
}

fn is_int(ty: Ty, bits: u32) -> bool {
    ty.kind() == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind && ty.int_bits() == bits
}

fn is_named(ty: Ty) -> bool {
    llvm!(LLVMIsLiteralStruct(ty.0)) == 0
}

/// Whether flang named a type after a derived one.
fn is_of_derived_type(ty: Ty) -> bool {
    ty.kind() == llvm_sys::LLVMTypeKind::LLVMStructTypeKind
        && is_named(ty)
        && c_text(llvm!(LLVMGetStructName(ty.0)))
            .is_some_and(|name| name.starts_with("_QM") || name.starts_with("_QF"))
}
