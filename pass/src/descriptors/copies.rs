//! Copies of whole descriptors, and of the initial value of an object with descriptors in it, opened into their members.

use llvm_sys::LLVMOpcode;
use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMStructTypeKind, LLVMVectorTypeKind};
use llvm_sys::core::*;
use llvm_sys::target::{LLVMABISizeOfType, LLVMTargetDataRef};

use super::integers::build_mark;
use super::{described_rank, is_int, is_of_derived_type};
use crate::aggregates::{MOST_MEMBERS, Member, list_members, member_place};
use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

pub fn open_copies(module: Module, layout: LLVMTargetDataRef, function: Value) {
    let builder = Builder::new(module.context());
    for block in function.blocks() {
        for inst in block.instructions() {
            if let Some(copy) = read_copy(layout, inst) {
                open(module, &builder, layout, &copy);
            } else if let Some((text, length)) = copied_text(inst) {
                open_text(&builder, inst, text, length);
            } else if let Some(bytes) = stored_bytes(inst) {
                open_store(&builder, inst, bytes);
            }
        }
    }
}

/// Longer texts are copied as they are.
const LONGEST_TEXT: u64 = 32;

/// The text that flang copies into a variable, and how much of it.
fn copied_text(call: Value) -> Option<(Value, u32)> {
    if !call.is_call() || !call.callee().name().starts_with("llvm.memmove.") {
        return None;
    }
    let text = call.operand(1).as_global().filter(|text| llvm!(LLVMIsGlobalConstant(text.0)) != 0)?;
    let (text, length) = (text.initializer()?, call.operand(2));
    let is_text = text.ty().kind() == LLVMArrayTypeKind && is_int(text.ty().element(), 8);
    let known = is_text && !llvm!(LLVMIsAConstantInt(length.0)).is_null();
    let length = known.then(|| llvm!(LLVMConstIntGetZExtValue(length.0)))?;
    (length <= text.ty().array_length().min(LONGEST_TEXT)).then_some((text, length as u32))
}

/// Its characters one by one: those of a component beside numbers are none of them.
fn open_text(builder: &Builder, call: Value, text: Value, length: u32) {
    builder.before(call);
    builder.locate_like(call);
    for index in 0..length {
        let character = llvm!(LLVMGetAggregateElement(text.0, index));
        let place = member_place(builder, call.operand(0), u64::from(index));
        let store = llvm!(LLVMBuildStore(builder.0, character, place));
        llvm!(LLVMSetAlignment(store, 1));
        llvm!(shim::bs_shim_mark_integer(store));
    }
    call.erase();
}

/// A vectoriser writes rank, type, attribute and extra at once, as a vector of so many bytes.
fn stored_bytes(store: Value) -> Option<u32> {
    let is_plain = store.opcode() == LLVMOpcode::LLVMStore && llvm!(LLVMGetVolatile(store.0)) == 0;
    let vector =
        is_plain.then(|| store.operand(0)).filter(|value| value.ty().kind() == LLVMVectorTypeKind)?;
    let is_constant = llvm!(LLVMIsConstant(vector.0)) != 0;
    (is_constant && is_int(vector.ty().element(), 8)).then(|| vector.ty().lanes()).filter(|lanes| *lanes <= 4)
}

fn open_store(builder: &Builder, store: Value, bytes: u32) {
    builder.before(store);
    builder.locate_like(store);
    for byte in 0..bytes {
        let value = llvm!(LLVMGetAggregateElement(store.operand(0).0, byte));
        if value.is_null() {
            return;
        }
        let place = member_place(builder, store.operand(1), u64::from(byte));
        llvm!(LLVMSetAlignment(LLVMBuildStore(builder.0, value, place), 1));
    }
    store.erase();
}

struct Copy {
    call: Value,
    ty: Ty,
    to: Value,
    from: Value,
}

/// A copy of as many bytes as a descriptor has, from or to a stack slot for one; or of a constant object, whose members are
/// of the types that they are used as.
fn read_copy(layout: LLVMTargetDataRef, call: Value) -> Option<Copy> {
    if call.opcode() != LLVMOpcode::LLVMCall || !call.callee().name().starts_with("llvm.memcpy.") {
        return None;
    }
    let (to, from, length, is_volatile) =
        (call.operand(0), call.operand(1), call.operand(2), call.operand(3));
    let number = |value: Value| {
        (!llvm!(LLVMIsAConstantInt(value.0)).is_null()).then(|| llvm!(LLVMConstIntGetZExtValue(value.0)))
    };
    let (length, 0) = (number(length)?, number(is_volatile)?) else { return None };
    let slots = [to, from].into_iter().filter_map(slot_type).filter(|ty| described_rank(*ty).is_some());
    let initial = constant_type(from).filter(|ty| holds_descriptor(*ty) || is_of_derived_type(*ty));
    let ty = slots.chain(initial).find(|ty| llvm!(LLVMABISizeOfType(layout, ty.0)) == length)?;
    Some(Copy { call, ty, to, from })
}

fn slot_type(place: Value) -> Option<Ty> {
    let is_slot = place.is_instruction() && place.opcode() == LLVMOpcode::LLVMAlloca;
    is_slot.then(|| Ty(llvm!(LLVMGetAllocatedType(place.0))))
}

fn constant_type(place: Value) -> Option<Ty> {
    let global = place.as_global()?;
    let fixed = llvm!(LLVMIsGlobalConstant(global.0)) != 0 && global.initializer().is_some();
    fixed.then(|| global.function_type())
}

pub fn holds_descriptor(ty: Ty) -> bool {
    let inside = |ty: Ty| ty.kind() == LLVMStructTypeKind && ty.fields().into_iter().any(holds_descriptor);
    described_rank(ty).is_some()
        || inside(ty)
        || (ty.kind() == LLVMArrayTypeKind && holds_descriptor(ty.element()))
}

fn open(module: Module, builder: &Builder, layout: LLVMTargetDataRef, copy: &Copy) {
    let mut members: Vec<Member> = Vec::new();
    list_members(layout, copy.ty, &[], 0, &mut members);
    if members.len() > MOST_MEMBERS {
        return;
    }
    builder.before(copy.call);
    builder.locate_like(copy.call);
    let is_descriptor = described_rank(copy.ty).is_some();
    // All is read before anything is written.
    let values: Vec<_> = members
        .iter()
        .map(|member| {
            // An address that says what it leads into: the rank of what was handed over shows by nothing else.
            let place = match is_descriptor {
                true => Value(place_in(builder, copy.ty, copy.from, &member.path)),
                false => Value(member_place(builder, copy.from, member.offset)),
            };
            let value = llvm!(LLVMBuildLoad2(builder.0, member.ty.0, place.0, UNNAMED));
            // The bounds of an array are no floats.
            match is_descriptor && is_int(member.ty, 64) {
                true => build_mark(module, builder, Value(value)),
                false => value,
            }
        })
        .collect();
    for (member, value) in members.iter().zip(values) {
        llvm!(LLVMBuildStore(builder.0, value, member_place(builder, copy.to, member.offset)));
    }
    copy.call.erase();
}

fn place_in(builder: &Builder, ty: Ty, whole: Value, path: &[u32]) -> llvm_sys::prelude::LLVMValueRef {
    let int = |number: u32| {
        let i32_type = llvm!(LLVMInt32TypeInContext(LLVMGetTypeContext(ty.0)));
        llvm!(LLVMConstInt(i32_type, u64::from(number), 0))
    };
    let mut indices: Vec<_> = std::iter::once(0).chain(path.iter().copied()).map(int).collect();
    let count = indices.len() as u32;
    llvm!(LLVMBuildInBoundsGEP2(builder.0, ty.0, whole.0, indices.as_mut_ptr(), count, UNNAMED))
}
