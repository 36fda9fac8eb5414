//! Copies of whole descriptors, and of the initial value of an object with descriptors in it, opened into their members.

use llvm_sys::LLVMOpcode;
use llvm_sys::LLVMTypeKind::{
    LLVMArrayTypeKind, LLVMDoubleTypeKind, LLVMFloatTypeKind, LLVMIntegerTypeKind, LLVMStructTypeKind,
    LLVMVectorTypeKind,
};
use llvm_sys::core::*;
use llvm_sys::target::{LLVMABISizeOfType, LLVMOffsetOfElement, LLVMStoreSizeOfType, LLVMTargetDataRef};

use super::integers::{build_mark, is_declared_integer};
use super::objects::{COPY_COMPONENT, MOST_ELEMENTS};
use super::writer::call;
use super::{described_rank, is_int, is_of_derived_type, is_rest_of_descriptor};
use crate::aggregates::{Member, member_place};
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
    if !call.is_call() || !call.callee().has_prefix("llvm.memmove.") {
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
    /// Where in an object of that type the copied bytes begin, and how many they are.
    start: u64,
    length: u64,
    to: Value,
    from: Value,
}

/// A copy of as many bytes as a descriptor has, from or to a stack slot for one, or as all of it but the address; or of a constant object
/// or a part of one, whose members are of the types that they are used as.
fn read_copy(layout: LLVMTargetDataRef, call: Value) -> Option<Copy> {
    if call.opcode() != LLVMOpcode::LLVMCall || !call.callee().has_prefix("llvm.memcpy.") {
        return None;
    }
    let (to, from, length, is_volatile) =
        (call.operand(0), call.operand(1), call.operand(2), call.operand(3));
    let number = |value: Value| {
        (!llvm!(LLVMIsAConstantInt(value.0)).is_null()).then(|| llvm!(LLVMConstIntGetZExtValue(value.0)))
    };
    let (length, 0) = (number(length)?, number(is_volatile)?) else { return None };
    let is_for_descriptor = |ty: &Ty| described_rank(*ty).is_some() || is_rest_of_descriptor(*ty);
    let size = |ty: Ty| llvm!(LLVMABISizeOfType(layout, ty.0));
    let slot = [to, from].into_iter().filter_map(slot_type).filter(is_for_descriptor);
    if let Some(ty) = slot.into_iter().find(|ty| size(*ty) == length) {
        return Some(Copy { call, ty, start: 0, length, to, from });
    }
    let (ty, start) = constant_part(from)?;
    let is_known = (holds_descriptor(ty) || is_of_derived_type(ty)) && start.checked_add(length)? <= size(ty);
    is_known.then_some(Copy { call, ty, start, length, to, from })
}

fn slot_type(place: Value) -> Option<Ty> {
    let is_slot = place.is_instruction() && place.opcode() == LLVMOpcode::LLVMAlloca;
    is_slot.then(|| Ty(llvm!(LLVMGetAllocatedType(place.0))))
}

/// The type of the constant that is read there, and how far behind its beginning.
fn constant_part(place: Value) -> Option<(Ty, u64)> {
    if let Some(ty) = constant_type(place) {
        return Some((ty, 0));
    }
    let is_step = place.is_constant_expr()
        && place.opcode() == LLVMOpcode::LLVMGetElementPtr
        && place.operand_count() == 2
        && is_int(Ty(llvm!(LLVMGetGEPSourceElementType(place.0))), 8);
    let bytes = is_step.then(|| place.operand(1)).filter(|by| !llvm!(LLVMIsAConstantInt(by.0)).is_null())?;
    Some((constant_type(place.operand(0))?, llvm!(LLVMConstIntGetZExtValue(bytes.0))))
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

/// A member of an object, or so many elements of an array in it that are all of one type.
struct Part {
    member: Member,
    count: u64,
}

/// So many parts of an object are copied one by one.
const MOST_PARTS: usize = 1024;

/// What is copied, counted from where the copy begins; nothing where something is copied in part.
fn parts_of(layout: LLVMTargetDataRef, copy: &Copy) -> Option<Vec<Part>> {
    let mut all = Vec::new();
    list_parts(layout, copy.ty, &[], 0, &mut all)?;
    let end_of =
        |part: &Part| part.member.offset + part.count * llvm!(LLVMStoreSizeOfType(layout, part.member.ty.0));
    let end = copy.start + copy.length;
    all.retain(|part| part.member.offset < end && end_of(part) > copy.start);
    if all.iter().any(|part| part.member.offset < copy.start || end_of(part) > end) {
        return None;
    }
    all.iter_mut().for_each(|part| part.member.offset -= copy.start);
    Some(all)
}

fn list_parts(
    layout: LLVMTargetDataRef,
    ty: Ty,
    path: &[u32],
    offset: u64,
    parts: &mut Vec<Part>,
) -> Option<()> {
    let (element, depth, count) = elements_of(ty);
    let zeros =
        |depth: usize| path.iter().copied().chain(std::iter::repeat_n(0, depth)).collect::<Vec<u32>>();
    if depth > 0 && count > MOST_ELEMENTS && code_of(element).is_some() {
        parts.push(Part { member: Member { path: zeros(depth), ty: element, offset }, count });
        return Some(());
    }
    if parts.len() > MOST_PARTS {
        return None;
    }
    let inner = |index: u64| path.iter().copied().chain([index as u32]).collect::<Vec<u32>>();
    match ty.kind() {
        LLVMStructTypeKind => ty.fields().into_iter().zip(0..).try_for_each(|(field, index)| {
            let at = offset + llvm!(LLVMOffsetOfElement(layout, ty.0, index as u32));
            list_parts(layout, field, &inner(index), at, parts)
        }),
        LLVMArrayTypeKind => {
            let stride = llvm!(LLVMABISizeOfType(layout, ty.element().0));
            (0..ty.array_length()).try_for_each(|index| {
                list_parts(layout, ty.element(), &inner(index), offset + index * stride, parts)
            })
        }
        _ => {
            parts.push(Part { member: Member { path: path.to_vec(), ty, offset }, count: 1 });
            Some(())
        }
    }
}

/// The elements of an array of arrays, how deep they lie, and how many there are.
fn elements_of(mut ty: Ty) -> (Ty, usize, u64) {
    let (mut depth, mut count) = (0, 1);
    while ty.kind() == LLVMArrayTypeKind {
        count *= ty.array_length();
        depth += 1;
        ty = ty.element();
    }
    (ty, depth, count)
}

/// What a descriptor calls elements of a type.
fn code_of(ty: Ty) -> Option<u8> {
    match ty.kind() {
        LLVMFloatTypeKind => Some(27),
        LLVMDoubleTypeKind => Some(28),
        LLVMIntegerTypeKind => [(8, 7), (16, 8), (32, 9), (64, 10)]
            .into_iter()
            .find_map(|(bits, code)| is_int(ty, bits).then_some(code)),
        _ => None,
    }
}

fn open(module: Module, builder: &Builder, layout: LLVMTargetDataRef, copy: &Copy) {
    let Some(parts) = parts_of(layout, copy) else { return };
    builder.before(copy.call);
    builder.locate_like(copy.call);
    // Arrays are components of constants, which nobody writes.
    for part in parts.iter().filter(|part| part.count > 1) {
        copy_array(module, builder, layout, copy, part);
    }
    let members: Vec<&Member> =
        parts.iter().filter(|part| part.count == 1).map(|part| &part.member).collect();
    let is_descriptor = described_rank(copy.ty).is_some();
    // Rank, type and the like may be values that nobody compares, where a pointer goes along a list: only who moves them knows what they are.
    // The bits of a double may be kept as a bound, which a mark on the value says less firmly. Numbers are what the constant's type says, and
    // an index to one stays in its array.
    let is_constant = constant_part(copy.from).is_some();
    let is_float = |ty: Ty| matches!(ty.kind(), LLVMFloatTypeKind | LLVMDoubleTypeKind);
    let mark = |member: &Member, access| {
        let may_be_bits = is_int(member.ty, 64) && !is_constant;
        if is_declared_integer(copy.ty, &member.path) && !may_be_bits {
            llvm!(shim::bs_shim_mark_integer(access));
        } else if is_float(member.ty) {
            llvm!(shim::bs_shim_mark_member(access));
            llvm!(shim::bs_shim_mark_stepped(access));
        }
    };
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
            mark(member, value);
            // The bounds of an array are no floats.
            match (is_descriptor || is_rest_of_descriptor(copy.ty)) && is_int(member.ty, 64) {
                true => build_mark(module, builder, Value(value)),
                false => value,
            }
        })
        .collect();
    for (member, value) in members.iter().zip(values) {
        let place = member_place(builder, copy.to, member.offset);
        mark(member, llvm!(LLVMBuildStore(builder.0, value, place)));
    }
    copy.call.erase();
}

/// A long array, by a loop over its elements.
fn copy_array(module: Module, builder: &Builder, layout: LLVMTargetDataRef, copy: &Copy, part: &Part) {
    let Some(code) = code_of(part.member.ty) else { return };
    let bytes = llvm!(LLVMStoreSizeOfType(layout, part.member.ty.0));
    let number = |bits, value| llvm!(LLVMConstInt(LLVMIntTypeInContext(module.context(), bits), value, 0));
    let places = [copy.to, copy.from].map(|whole| member_place(builder, whole, part.member.offset));
    let sizes = [number(8, u64::from(code)), number(64, bytes), number(64, part.count)];
    call(
        module,
        builder,
        COPY_COMPONENT,
        Ty(llvm!(LLVMVoidTypeInContext(module.context()))),
        &[places.as_slice(), &sizes].concat(),
    );
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
