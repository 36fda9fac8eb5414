//! Structures that hold pointers beside other things (descriptors of arrays, slices), as their members one by one.
//!
//! A pointer inside an aggregate has its shadow nowhere. In the copy to be differentiated such an aggregate is loaded,
//! stored and merged member by member, and a member that is asked for is the one that was put in. Front ends build
//! descriptors from constants and members, and LLVM's own passes leave them whole outside of stack slots.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMTargetDataRef};

use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

/// Beyond so many members an aggregate is an array to be copied, and stays whole.
pub const MOST_MEMBERS: usize = 64;

/// A scalar inside an aggregate.
pub struct Member {
    pub path: Vec<u32>,
    pub ty: Ty,
    pub offset: u64,
}

pub fn take_aggregates_apart(module: Module, function: Value) {
    let builder = Builder::new(module.context());
    let layout = llvm!(LLVMGetModuleDataLayout(module.0));
    for inst in instructions(function) {
        match inst.opcode() {
            LLVMOpcode::LLVMLoad => split_load(&builder, layout, inst),
            LLVMOpcode::LLVMStore => split_store(&builder, layout, inst),
            LLVMOpcode::LLVMPHI => split_phi(&builder, layout, inst),
            LLVMOpcode::LLVMSelect => split_select(&builder, layout, inst),
            _ => {}
        }
    }
    for inst in instructions(function) {
        if inst.opcode() == LLVMOpcode::LLVMExtractValue
            && let Some(part) = find_part(&builder, inst)
        {
            inst.replace_all_uses(part);
            inst.erase();
        }
    }
}

fn instructions(function: Value) -> Vec<Value> {
    function.blocks().into_iter().flat_map(|block| block.instructions()).collect()
}

/// The members of an aggregate that holds a pointer, and not too many of them; and the letter that is a text of one.
fn members_of(layout: LLVMTargetDataRef, ty: Ty) -> Option<Vec<Member>> {
    use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMPointerTypeKind, LLVMStructTypeKind};
    if !matches!(ty.kind(), LLVMStructTypeKind | LLVMArrayTypeKind) {
        return None;
    }
    let mut members = Vec::new();
    list_members(layout, ty, &[], 0, &mut members);
    let has_pointer = members.iter().any(|member| member.ty.kind() == LLVMPointerTypeKind);
    (has_pointer && members.len() <= MOST_MEMBERS || is_letter(ty)).then_some(members)
}

/// flang's CHARACTER of one letter, which may be stored as a whole where texts are moved letter by letter.
fn is_letter(ty: Ty) -> bool {
    use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMIntegerTypeKind};
    let is_byte = |ty: Ty| ty.kind() == LLVMIntegerTypeKind && ty.int_bits() == 8;
    ty.kind() == LLVMArrayTypeKind && ty.array_length() == 1 && is_byte(ty.element())
}

pub fn list_members(layout: LLVMTargetDataRef, ty: Ty, path: &[u32], offset: u64, members: &mut Vec<Member>) {
    use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMStructTypeKind};
    let inner = |index: usize| path.iter().copied().chain([index as u32]).collect::<Vec<u32>>();
    match ty.kind() {
        LLVMStructTypeKind => {
            for (index, field) in ty.fields().into_iter().enumerate() {
                let at = offset + llvm!(LLVMOffsetOfElement(layout, ty.0, index as u32));
                list_members(layout, field, &inner(index), at, members);
            }
        }
        LLVMArrayTypeKind => {
            let stride = llvm!(LLVMABISizeOfType(layout, ty.element().0));
            for index in 0..ty.array_length() {
                if members.len() > MOST_MEMBERS {
                    return;
                }
                list_members(layout, ty.element(), &inner(index as usize), offset + index * stride, members);
            }
        }
        _ => members.push(Member { path: path.to_vec(), ty, offset }),
    }
}

fn split_load(builder: &Builder, layout: LLVMTargetDataRef, load: Value) {
    let Some(members) = members_of(layout, load.ty()).filter(|_| is_plain(load)) else { return };
    builder.before(load);
    builder.locate_like(load);
    let mut whole = llvm!(LLVMGetPoison(load.ty().0));
    for member in members {
        let place = member_place(builder, load.operand(0), member.offset);
        let value = llvm!(LLVMBuildLoad2(builder.0, member.ty.0, place, UNNAMED));
        llvm!(LLVMSetAlignment(value, member_alignment(load, member.offset)));
        if is_letter(load.ty()) {
            llvm!(shim::bs_shim_mark_integer(value));
        }
        whole = insert(builder, whole, value, &member.path);
    }
    load.replace_all_uses(Value(whole));
    load.erase();
}

fn split_store(builder: &Builder, layout: LLVMTargetDataRef, store: Value) {
    let (value, pointer) = (store.operand(0), store.operand(1));
    let Some(members) = members_of(layout, value.ty()).filter(|_| is_plain(store)) else { return };
    builder.before(store);
    builder.locate_like(store);
    for member in members {
        let place = member_place(builder, pointer, member.offset);
        let part = extract(builder, value.0, &member.path);
        let stored = llvm!(LLVMBuildStore(builder.0, part, place));
        llvm!(LLVMSetAlignment(stored, member_alignment(store, member.offset)));
        if is_letter(value.ty()) {
            llvm!(shim::bs_shim_mark_integer(stored));
        }
    }
    store.erase();
}

fn split_phi(builder: &Builder, layout: LLVMTargetDataRef, phi: Value) {
    let Some(members) = members_of(layout, phi.ty()) else { return };
    let incoming: Vec<_> = (0..llvm!(LLVMCountIncoming(phi.0)))
        .map(|index| (llvm!(LLVMGetIncomingValue(phi.0, index)), llvm!(LLVMGetIncomingBlock(phi.0, index))))
        .collect();
    // What the last instruction of a block computes (an invoke) cannot be taken apart in that block.
    if incoming.iter().any(|(value, block)| llvm!(LLVMGetBasicBlockTerminator(*block)) == *value) {
        return;
    }
    let block = phi.block();
    let Some(first) = block.instructions().into_iter().find(|inst| inst.opcode() != LLVMOpcode::LLVMPHI)
    else {
        return;
    };
    // An exception that was caught stays as it was handed over.
    if first.opcode() == LLVMOpcode::LLVMLandingPad {
        return;
    }
    let parts: Vec<LLVMValueRef> = members
        .iter()
        .map(|member| {
            builder.before(phi);
            llvm!(LLVMBuildPhi(builder.0, member.ty.0, UNNAMED))
        })
        .collect();
    for (value, from) in incoming {
        let last = llvm!(LLVMGetBasicBlockTerminator(from));
        builder.before(Value(last));
        for (member, part) in members.iter().zip(&parts) {
            let (mut value, mut from) = (extract(builder, value, &member.path), from);
            llvm!(LLVMAddIncoming(*part, &mut value, &mut from, 1));
        }
    }
    builder.before(first);
    let whole = members.iter().zip(&parts).fold(llvm!(LLVMGetPoison(phi.ty().0)), |whole, (member, part)| {
        insert(builder, whole, *part, &member.path)
    });
    phi.replace_all_uses(Value(whole));
    phi.erase();
}

fn split_select(builder: &Builder, layout: LLVMTargetDataRef, select: Value) {
    let Some(members) = members_of(layout, select.ty()) else { return };
    builder.before(select);
    builder.locate_like(select);
    let [condition, yes, no] = [0, 1, 2].map(|index| select.operand(index).0);
    let whole = members.iter().fold(llvm!(LLVMGetPoison(select.ty().0)), |whole, member| {
        let [yes, no] = [yes, no].map(|value| extract(builder, value, &member.path));
        let part = llvm!(LLVMBuildSelect(builder.0, condition, yes, no, UNNAMED));
        insert(builder, whole, part, &member.path)
    });
    select.replace_all_uses(Value(whole));
    select.erase();
}

fn is_plain(access: Value) -> bool {
    llvm!(LLVMGetVolatile(access.0)) == 0
        && llvm!(LLVMGetOrdering(access.0)) == llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
}

/// The largest power of two that divides both the alignment of the whole and the member's offset.
fn member_alignment(access: Value, offset: u64) -> u32 {
    let whole = llvm!(LLVMGetAlignment(access.0));
    if offset == 0 { whole } else { whole.min(1 << offset.trailing_zeros().min(30)) }
}

pub fn member_place(builder: &Builder, pointer: Value, offset: u64) -> LLVMValueRef {
    if offset == 0 {
        return pointer.0;
    }
    let context = pointer.ty().context();
    let byte = llvm!(LLVMInt8TypeInContext(context));
    let mut index = llvm!(LLVMConstInt(LLVMInt64TypeInContext(context), offset, 0));
    llvm!(LLVMBuildInBoundsGEP2(builder.0, byte, pointer.0, &mut index, 1, UNNAMED))
}

/// The C interface inserts and extracts one level at a time.
fn insert(builder: &Builder, whole: LLVMValueRef, part: LLVMValueRef, path: &[u32]) -> LLVMValueRef {
    let [index, rest @ ..] = path else { return part };
    let inner = match rest {
        [] => part,
        _ => {
            let old = llvm!(LLVMBuildExtractValue(builder.0, whole, *index, UNNAMED));
            insert(builder, old, part, rest)
        }
    };
    llvm!(LLVMBuildInsertValue(builder.0, whole, inner, *index, UNNAMED))
}

fn extract(builder: &Builder, whole: LLVMValueRef, path: &[u32]) -> LLVMValueRef {
    path.iter().fold(whole, |part, index| llvm!(LLVMBuildExtractValue(builder.0, part, *index, UNNAMED)))
}

/// What was put into the aggregate at the place that is asked for.
fn find_part(builder: &Builder, asked: Value) -> Option<Value> {
    let mut whole = asked.operand(0);
    let mut path = path_of(asked);
    loop {
        if path.is_empty() {
            return Some(whole);
        }
        if whole.is_instruction() && whole.opcode() == LLVMOpcode::LLVMExtractValue {
            path.splice(0..0, path_of(whole));
            whole = whole.operand(0);
        } else if whole.is_instruction() && whole.opcode() == LLVMOpcode::LLVMInsertValue {
            let put = path_of(whole);
            if let Some(rest) = path.strip_prefix(put.as_slice()) {
                path = rest.to_vec();
                whole = whole.operand(1);
            } else if put.starts_with(&path) {
                return None;
            } else {
                whole = whole.operand(0);
            }
        } else if whole.is_instruction() || whole.is_argument() {
            break;
        } else {
            let element = llvm!(LLVMGetAggregateElement(whole.0, path.remove(0)));
            whole = Value::from_raw(element)?;
        }
    }
    if whole == asked.operand(0) {
        return None;
    }
    builder.before(asked);
    builder.locate_like(asked);
    Some(Value(extract(builder, whole.0, &path)))
}

fn path_of(inst: Value) -> Vec<u32> {
    let count = llvm!(LLVMGetNumIndices(inst.0)) as usize;
    let indices = llvm!(LLVMGetIndices(inst.0));
    // SAFETY: LLVM gives a pointer to as many indices as it counts, which live as long as the instruction.
    unsafe { std::slice::from_raw_parts(indices, count) }.to_vec()
}
