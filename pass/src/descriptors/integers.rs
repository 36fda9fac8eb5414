//! Integers that a component of a derived type is declared as, in the copy to be differentiated.
//!
//! Fortran keeps its types: an integer, logical or character component is one, where nobody says otherwise by EQUIVALENCE or
//! TRANSFER. flang reads it by the name of the type, which the optimiser forgets, so what is read there is marked before
//! anything is simplified. At the end a mark is an addition of zero, as an integer that is counted with. So it is
//! evidence like any other: where somebody takes the same memory for a float, nothing is concluded from either.

use std::collections::HashSet;

use llvm_sys::LLVMOpcode::{
    self, LLVMAdd, LLVMGetElementPtr, LLVMICmp, LLVMLoad, LLVMMul, LLVMPHI, LLVMSExt, LLVMSIToFP, LLVMSelect,
    LLVMStore, LLVMSub, LLVMTrunc,
};
use llvm_sys::LLVMTypeKind::{
    LLVMArrayTypeKind, LLVMDoubleTypeKind, LLVMFloatTypeKind, LLVMIntegerTypeKind, LLVMStructTypeKind,
};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::{described_rank, is_int, is_of_derived_type, is_rest_of_descriptor};
use crate::llvm::{Builder, Module, Ty, Value, c_text, llvm, shim};

const TBAA: &std::ffi::CStr = c"tbaa";
const MARK: &str = "backsweep.fortran.integer.i";
/// Which member of a descriptor says what else there is, in single bits.
const EXTRA: u64 = 6;
/// So many values between an integer and the address that it is an index of are looked at.
const LONGEST_INDEX: usize = 32;
/// The derived types of flang itself.
pub const OF_FLANG: &str = "_QM__fortran_";

/// Drops the marks of what is no longer read from memory: a constant may decide what is done.
pub fn drop_settled_marks(function: Value) {
    for inst in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if is_mark(inst) && !is_opcode(inst.operand(0), &[LLVMLoad, LLVMPHI, LLVMSelect]) {
            inst.replace_all_uses(inst.operand(0));
            inst.erase();
        }
    }
}

/// Marks what is read from components that are integers.
pub fn mark_integers(module: Module, function: Value) {
    drop_settled_marks(function);
    let builder = Builder::new(module.context());
    // Most of a function is something else, and all of it would be gone through for each question.
    let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
    let accesses: Vec<Value> = insts.filter(|inst| is_opcode(*inst, &[LLVMLoad, LLVMStore])).collect();
    let (counted, arrays) = (find_counted_in_common(&accesses), find_arrays_of_indices(&accesses));
    let is_of_array = |access| described_array(access).is_some_and(|array| arrays.contains(&array));
    for inst in accesses {
        if is_float_in_component(inst) {
            llvm!(shim::bs_shim_mark_stepped(inst.0));
        }
        if is_opcode(inst, &[LLVMLoad])
            && (is_declared(inst) || is_of_array(inst))
            && !inst.users().into_iter().any(is_mark_or_address)
        {
            mark_read(module, &builder, inst);
        } else if is_opcode(inst, &[LLVMStore]) && (is_declared(inst) || is_of_array(inst))
            || (inst.opcode() == LLVMLoad || puts_number(inst))
                && place_in_common(inst).is_some_and(|place| counted.contains(&place))
        {
            llvm!(shim::bs_shim_mark_integer(inst.0));
        }
    }
}

/// Marks an integer that was read, for all who use it.
fn mark_read(module: Module, builder: &Builder, read: Value) {
    let next = llvm!(LLVMGetNextInstruction(read.0));
    let whole = [8, 16, 32, 64].into_iter().any(|bits| is_int(read.ty(), bits));
    if !whole || next.is_null() {
        return;
    }
    let address = read.operand(0);
    let is_component = |address| component_at(address).or_else(|| element_of_component(address)).is_some();
    // What a descriptor says of an array may be a float's bits that a program keeps as a bound.
    if is_opcode(address, &[LLVMGetElementPtr]) && is_component(address) {
        llvm!(shim::bs_shim_mark_integer(read.0));
    }
    builder.before(Value(next));
    builder.locate_like(read);
    let users = read.users();
    let marked = Value(build_mark(module, builder, read));
    for user in users {
        for index in (0..user.operand_count()).filter(|index| user.operand(*index) == read) {
            user.set_operand(index, marked);
        }
    }
}

/// The same integer, said to be one.
pub fn build_mark(module: Module, builder: &Builder, integer: Value) -> LLVMValueRef {
    let name = format!("{MARK}{}", integer.ty().int_bits());
    let ty = Ty::function(integer.ty(), &[integer.ty()], false);
    let mark = module.function(&name).unwrap_or_else(|| module.add_function(&name, ty));
    describe(module, mark);
    let mut operand = integer.0;
    llvm!(LLVMBuildCall2(builder.0, ty.0, mark.0, &mut operand, 1, c"".as_ptr()))
}

/// Whether a function walks through a small array that may lie beside an integer: where in the array it is tells no more
/// than how far from the integer by multiples, until the loop is written out.
pub fn walks_beside_integers(function: Value) -> bool {
    let insts = || function.blocks().into_iter().flat_map(|block| block.instructions());
    let beside = insts().any(|inst| is_mark(inst) && !is_int(inst.ty(), 64));
    let walks = |inst: Value| {
        is_opcode(inst, &[LLVMGetElementPtr])
            && inst.operand_count() == 3
            && Ty(llvm!(LLVMGetGEPSourceElementType(inst.0))).kind() == LLVMArrayTypeKind
            && llvm!(LLVMIsConstant(inst.operand(2).0)) == 0
    };
    beside && insts().any(walks)
}

/// Marks become arithmetic, which says what they said.
pub fn write_integers(module: Module, function: Value) {
    let builder = Builder::new(module.context());
    let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
    for mark in insts.filter(|inst| is_mark(*inst)).collect::<Vec<_>>() {
        builder.before(mark);
        builder.locate_like(mark);
        let zero = llvm!(LLVMConstInt(mark.ty().0, 0, 0));
        let counted: LLVMValueRef = llvm!(LLVMBuildAdd(builder.0, mark.operand(0).0, zero, c"".as_ptr()));
        mark.replace_all_uses(Value(counted));
        mark.erase();
    }
}

fn is_opcode(value: Value, opcodes: &[LLVMOpcode]) -> bool {
    value.is_instruction() && opcodes.contains(&value.opcode())
}

fn is_mark(value: Value) -> bool {
    value.is_instruction() && value.is_call() && value.callee().has_prefix(MARK)
}

fn is_mark_or_address(user: Value) -> bool {
    is_mark(user) || is_opcode(user, &[LLVMOpcode::LLVMIntToPtr])
}

/// Whether an integer component of a derived type is read or written, or what a descriptor says of an array, as the address
/// tells.
fn is_declared(access: Value) -> bool {
    let (moved, address) = moved_at(access);
    let plain = llvm!(LLVMGetVolatile(access.0)) == 0 && moved.kind() == LLVMIntegerTypeKind;
    if !plain || !is_opcode(address, &[LLVMGetElementPtr]) {
        return false;
    }
    let ty = Ty(llvm!(LLVMGetGEPSourceElementType(address.0)));
    if described_rank(ty).is_some() {
        // Type, rank and attribute are to become constants, which a mark would hide.
        let is_extra = address.operand_count() == 3 && number_of(address.operand(2)) == Some(EXTRA);
        return is_int(moved, 64) || is_int(moved, 8) && is_extra;
    }
    component_at(address).is_some_and(|component| component == moved)
        || element_of_component(address).is_some_and(|element| element == moved)
}

/// What an address leads to inside an object of a derived type, as its types tell.
fn component_at(address: Value) -> Option<Ty> {
    let mut ty = Ty(llvm!(LLVMGetGEPSourceElementType(address.0)));
    let mut is_component = false;
    for index in 2..address.operand_count() {
        ty = match ty.kind() {
            LLVMStructTypeKind if is_of_derived_type(ty) && !holds_address(ty) => {
                let field = llvm!(LLVMConstIntGetZExtValue(address.operand(index).0)) as usize;
                is_component = true;
                *ty.fields().get(field)?
            }
            LLVMArrayTypeKind => ty.element(),
            _ => return None,
        };
    }
    is_component.then_some(ty)
}

/// The elements of an array that is a component: flang steps from its beginning to one of them at once.
fn element_of_component(address: Value) -> Option<Ty> {
    let step = Ty(llvm!(LLVMGetGEPSourceElementType(address.0)));
    let base = Some(address.operand(0)).filter(|base| is_opcode(*base, &[LLVMGetElementPtr]))?;
    let mut element = component_at(base).filter(|ty| ty.kind() == LLVMArrayTypeKind)?;
    while element.kind() == LLVMArrayTypeKind {
        element = element.element();
    }
    (address.operand_count() == 2 && element == step).then_some(element)
}

/// Whether a float is read or written in an array that is a component: an index there stays there, whatever else is in the object.
fn is_float_in_component(access: Value) -> bool {
    let (moved, address) = moved_at(access);
    matches!(moved.kind(), LLVMFloatTypeKind | LLVMDoubleTypeKind)
        && is_opcode(address, &[LLVMGetElementPtr])
        && element_of_component(address).is_some_and(|element| element == moved)
}

/// Whether a member of a variable of a module is an integer there: a component of a derived type, or what a descriptor says of
/// an array.
pub fn is_declared_integer(mut ty: Ty, path: &[u32]) -> bool {
    let mut is_declared = false;
    for index in path {
        is_declared |= described_rank(ty).is_some() || is_rest_of_descriptor(ty);
        ty = match ty.kind() {
            LLVMStructTypeKind if is_of_derived_type(ty) && holds_address(ty) => return false,
            LLVMStructTypeKind => {
                is_declared |= is_of_derived_type(ty);
                ty.fields()[*index as usize]
            }
            _ => ty.element(),
        };
    }
    is_declared && [8, 16, 32, 64].into_iter().any(|bits| is_int(ty, bits))
}

/// Integers of COMMON blocks with which somebody counts: variables of their own there. An index into an array beside one might
/// seem to lead to it. Another unit may keep a float in the same bytes, so what is only moved, or cleared, tells nothing.
fn find_counted_in_common(accesses: &[Value]) -> HashSet<(Value, i64)> {
    let counts = |user: Value| {
        is_opcode(user, &[LLVMAdd, LLVMSub, LLVMICmp, LLVMSExt, LLVMSIToFP, LLVMGetElementPtr])
            || is_mark(user)
    };
    // Where a load stands is asked first: its users are many, and mostly it is not there.
    let loads = accesses.iter().copied().filter(|inst| is_opcode(*inst, &[LLVMLoad]));
    let reads = |load: Value| place_in_common(load).filter(|_| load.users().into_iter().any(counts));
    loads.filter_map(reads).collect()
}

/// Arrays of integers, by their descriptors, with elements that are indices somewhere in the function. flang steps from the address that it
/// finds in a descriptor to an element of an intrinsic type at once, and all elements are of one type. In recursion nothing else may tell
/// that: how far apart they are is found in memory, too. The bits of a float are no index, whatever else somebody does with them under
/// another name.
fn find_arrays_of_indices(accesses: &[Value]) -> HashSet<(Value, u32)> {
    let loads = accesses.iter().copied().filter(|inst| is_opcode(*inst, &[LLVMLoad]));
    loads.filter_map(|load| described_array(load).filter(|_| is_index(load))).collect()
}

/// Whether an integer, less a lower bound and times a stride, is where in an array somebody reads or writes.
fn is_index(integer: Value) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![integer]);
    while let Some(value) = open.pop().filter(|_| seen.len() < LONGEST_INDEX) {
        if !seen.insert(value) {
            continue;
        }
        for user in value.users() {
            if is_opcode(user, &[LLVMGetElementPtr]) && user.operand(0) != value {
                return true;
            }
            if is_mark(user) || is_opcode(user, &[LLVMAdd, LLVMSub, LLVMMul, LLVMSExt]) {
                open.push(user);
            }
        }
    }
    false
}

/// Of an access of an integer in an array behind a descriptor: the descriptor, and how wide it is.
fn described_array(access: Value) -> Option<(Value, u32)> {
    let (moved, address) = moved_at(access);
    let plain = llvm!(LLVMGetVolatile(access.0)) == 0 && moved.kind() == LLVMIntegerTypeKind;
    if !plain || !is_opcode(address, &[LLVMGetElementPtr]) || address.operand_count() != 2 {
        return None;
    }
    let found = Some(address.operand(0)).filter(|base| is_opcode(*base, &[LLVMLoad]))?;
    if is_scaled_in_named(address, found) {
        return Some((found.operand(0), moved.int_bits()));
    }
    let member = Some(found.operand(0)).filter(|member| is_opcode(*member, &[LLVMGetElementPtr]))?;
    let step = Ty(llvm!(LLVMGetGEPSourceElementType(address.0)));
    let described = described_rank(Ty(llvm!(LLVMGetGEPSourceElementType(member.0))));
    let is_array = described.is_some_and(|rank| rank > 0)
        && member.operand_count() == 3
        && number_of(member.operand(2)) == Some(0)
        && (step == moved || is_int(step, 8));
    is_array.then(|| (member.operand(0), moved.int_bits()))
}

/// Whether an address is so many times a stride from the one that stands first in a descriptor, where an optimiser has been before us: then
/// only the name of what was read tells that it is of a descriptor. A constant beside the product could lead to another component of
/// a derived type.
fn is_scaled_in_named(address: Value, found: Value) -> bool {
    let in_bytes = is_int(Ty(llvm!(LLVMGetGEPSourceElementType(address.0))), 8);
    in_bytes
        && is_opcode(address.operand(1), &[LLVMMul])
        && !is_opcode(found.operand(0), &[LLVMGetElementPtr])
        && is_member_of_descriptor(found)
}

/// Whether flang says that an access is of a member of a descriptor.
fn is_member_of_descriptor(access: Value) -> bool {
    let context = llvm!(LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(
        LLVMGetInstructionParent(access.0)
    ))));
    let kind = llvm!(LLVMGetMDKindIDInContext(context, TBAA.as_ptr(), TBAA.count_bytes() as u32));
    let tag = llvm!(LLVMGetMetadata(access.0, kind));
    let Some(ty) = (!tag.is_null()).then(|| node_operand(tag, 1)).flatten() else { return false };
    let mut root = ty;
    while let Some(parent) = node_operand(root, 1) {
        root = parent;
    }
    name_of_node(ty) == "descriptor member" && name_of_node(root).starts_with("Flang function root")
}

/// An operand of a node of metadata that is a node itself.
fn node_operand(node: LLVMValueRef, index: usize) -> Option<LLVMValueRef> {
    let operand = operands_of_node(node).get(index).copied().filter(|operand| !operand.is_null())?;
    (!llvm!(LLVMIsAMDNode(operand)).is_null()).then_some(operand)
}

fn name_of_node(node: LLVMValueRef) -> String {
    let Some(name) = operands_of_node(node).first().copied().filter(|name| !name.is_null()) else {
        return String::new();
    };
    if llvm!(LLVMIsAMDString(name)).is_null() {
        return String::new();
    }
    let mut length = 0;
    let text = llvm!(LLVMGetMDString(name, &mut length)).cast::<u8>();
    // SAFETY: LLVM says how long the text is that it keeps.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text, length as usize) }).into_owned()
}

fn operands_of_node(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut operands = vec![std::ptr::null_mut(); llvm!(LLVMGetMDNodeNumOperands(node)) as usize];
    llvm!(LLVMGetMDNodeOperands(node, operands.as_mut_ptr()));
    operands
}

/// Of an access of an integer there: the block, and how many bytes stand before it.
fn place_in_common(access: Value) -> Option<(Value, i64)> {
    let (moved, mut address) = moved_at(access);
    if llvm!(LLVMGetVolatile(access.0)) != 0 || ![16, 32, 64].iter().any(|bits| is_int(moved, *bits)) {
        return None;
    }
    let mut bytes = 0;
    while address.is_constant_expr() && address.opcode() == LLVMGetElementPtr {
        let by_bytes = is_int(Ty(llvm!(LLVMGetGEPSourceElementType(address.0))), 8);
        if !by_bytes || address.operand_count() != 2 {
            return None;
        }
        bytes += number_of(address.operand(1))?.cast_signed();
        address = address.operand(0);
    }
    address.as_global().filter(|global| global.name().ends_with('_')).map(|global| (global, bytes))
}

/// Whether a store puts an integer there that was computed, or is written in the program, and was not found somewhere.
fn puts_number(store: Value) -> bool {
    let value = store.operand(0);
    !value.is_instruction() && !value.is_argument()
        || is_opcode(value, &[LLVMAdd, LLVMSub, LLVMMul, LLVMTrunc])
}

fn number_of(index: Value) -> Option<u64> {
    (!llvm!(LLVMIsAConstantInt(index.0)).is_null()).then(|| llvm!(LLVMConstIntGetZExtValue(index.0)))
}

/// The type of what a load reads or a store writes, and where.
fn moved_at(access: Value) -> (Ty, Value) {
    match access.opcode() {
        LLVMStore => (access.operand(0).ty(), access.operand(1)),
        _ => (access.ty(), access.operand(0)),
    }
}

/// `c_ptr` and its like hold an address, though flang calls it an integer.
fn holds_address(ty: Ty) -> bool {
    c_text(llvm!(LLVMGetStructName(ty.0))).is_some_and(|name| name.starts_with(OF_FLANG))
}

/// A mark computes nothing, and may go where nobody uses it.
fn describe(module: Module, mark: Value) {
    for name in ["nounwind", "willreturn", "memory"] {
        let kind = llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let attribute = llvm!(LLVMCreateEnumAttribute(module.context(), kind, 0));
        llvm!(LLVMAddAttributeAtIndex(mark.0, llvm_sys::LLVMAttributeFunctionIndex, attribute));
    }
}
