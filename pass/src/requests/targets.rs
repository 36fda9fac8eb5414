//! Which function a hook's first operand is: known at once, one of several, or not known here.

use backsweep_core::request::Hook;
use llvm_sys::core::*;
use llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use super::HookSite;
use crate::llvm::{Builder, Module, Value, llvm, shim};

/// A pointer that leads further back than this is not followed.
const DEEPEST: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    One(Value),
    /// A choice made at run time; each is differentiated and the pointer compared.
    Several(Vec<Value>),
    Unknown,
}

pub fn find_targets(pointer: Value) -> Targets {
    let mut functions = Vec::new();
    if !collect(pointer, &mut functions, &mut Vec::new(), 0) {
        return Targets::Unknown;
    }
    match functions.as_slice() {
        [] => Targets::Unknown,
        [only] => Targets::One(*only),
        _ => Targets::Several(functions),
    }
}

/// Adds every function the pointer can be; false where it can be something unknown.
fn collect(value: Value, functions: &mut Vec<Value>, seen: &mut Vec<Value>, depth: usize) -> bool {
    if seen.contains(&value) {
        return true;
    }
    seen.push(value);
    if depth > DEEPEST {
        return false;
    }
    if value.as_function().is_some() {
        if !functions.contains(&value) {
            functions.push(value);
        }
        return true;
    }
    if value.as_alias().is_some() {
        return collect(Value(llvm!(LLVMAliasGetAliasee(value.0))), functions, seen, depth + 1);
    }
    let mut follow = |value: Value| collect(value, functions, seen, depth + 1);
    if value.is_argument() {
        return passed_values(value).is_some_and(|passed| passed.into_iter().all(follow));
    }
    if !value.is_instruction() && !value.is_constant_expr() {
        return false;
    }
    match value.opcode() {
        LLVMOpcode::LLVMBitCast
        | LLVMOpcode::LLVMPtrToInt
        | LLVMOpcode::LLVMIntToPtr
        | LLVMOpcode::LLVMAddrSpaceCast
        | LLVMOpcode::LLVMFreeze => follow(value.operand(0)),
        LLVMOpcode::LLVMSelect => follow(value.operand(1)) && follow(value.operand(2)),
        LLVMOpcode::LLVMPHI => value.operands().into_iter().all(follow),
        LLVMOpcode::LLVMLoad => match loaded_values(value.operand(0)) {
            Some(stored) => !stored.is_empty() && stored.into_iter().all(follow),
            None => false,
        },
        // A captureless lambda becomes a function pointer by a call that does nothing but return it.
        LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => match returned_values(value.callee()) {
            Some(returned) => !returned.is_empty() && returned.into_iter().all(follow),
            None => false,
        },
        _ => false,
    }
}

/// Everything a function with a body returns.
fn returned_values(callee: Value) -> Option<Vec<Value>> {
    use LLVMLinkage::{LLVMLinkOnceAnyLinkage, LLVMWeakAnyLinkage};
    callee.as_function().filter(|function| !function.is_declaration())?;
    if matches!(callee.linkage(), LLVMWeakAnyLinkage | LLVMLinkOnceAnyLinkage) {
        return None;
    }
    let ends = callee.blocks().into_iter().filter_map(|block| block.instructions().last().copied());
    let returns = ends.filter(|end| end.opcode() == LLVMOpcode::LLVMRet && end.operand_count() == 1);
    Some(returns.map(|end| end.operand(0)).collect())
}

/// What every call passes for a parameter of a function that only this module can call.
fn passed_values(parameter: Value) -> Option<Vec<Value>> {
    let function = Value(llvm!(LLVMGetParamParent(parameter.0)));
    let index = function.params().iter().position(|known| *known == parameter)? as u32;
    let local =
        matches!(function.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage);
    let calls = function.users();
    let direct = |user: &Value| {
        user.is_call()
            && user.callee() == function
            && !user.operands()[..].iter().rev().skip(1).any(|x| *x == function)
    };
    (local && !calls.is_empty() && calls.iter().all(direct))
        .then(|| calls.iter().map(|call| call.operand(index)).collect())
}

fn loaded_values(pointer: Value) -> Option<Vec<Value>> {
    stored_values(pointer).or_else(|| table_values(pointer))
}

/// The pointers of a constant table that a load reads: one where its place is known, else all.
fn table_values(pointer: Value) -> Option<Vec<Value>> {
    let is_gep = |value: Value| {
        (value.is_instruction() || value.is_constant_expr())
            && value.opcode() == LLVMOpcode::LLVMGetElementPtr
    };
    let mut table = pointer;
    while is_gep(table) {
        table = table.operand(0);
    }
    table.as_global().filter(|table| is_fixed(*table))?;
    let mut entries = Vec::new();
    collect_leaves(table.initializer()?, &mut entries);
    let pointers = |value: &Value| value.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind;
    if !entries.iter().all(pointers) {
        return None;
    }
    let (mut base, mut bytes) = (std::ptr::null_mut(), 0);
    let known =
        pointer.is_constant_expr() && llvm!(shim::bs_shim_constant_offset(pointer.0, &mut base, &mut bytes));
    if !known && pointer != table {
        return Some(entries);
    }
    let module = Module(llvm!(LLVMGetGlobalParent(table.0)));
    let each = module.bytes_of(entries.first()?.ty()) as i64;
    let place = usize::try_from(bytes / each).ok().filter(|_| bytes % each == 0)?;
    entries.get(place).map(|entry| vec![*entry])
}

/// A constant that no other module replaces, or a variable of this one that is only read.
fn is_fixed(global: Value) -> bool {
    match global.linkage() {
        LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage => false,
        LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage => {
            let is_read = |user: &Value| user.is_instruction() && user.opcode() == LLVMOpcode::LLVMLoad;
            llvm!(LLVMIsGlobalConstant(global.0)) != 0 || global.users().iter().all(is_read)
        }
        _ => llvm!(LLVMIsGlobalConstant(global.0)) != 0,
    }
}

fn collect_leaves(constant: Value, leaves: &mut Vec<Value>) {
    match constant.kind() {
        LLVMValueKind::LLVMConstantArrayValueKind | LLVMValueKind::LLVMConstantStructValueKind => {
            constant.operands().into_iter().for_each(|part| collect_leaves(part, leaves));
        }
        _ => leaves.push(constant),
    }
}

/// Everything ever stored into a stack slot that is otherwise only read.
fn stored_values(slot: Value) -> Option<Vec<Value>> {
    if !slot.is_instruction() || slot.opcode() != LLVMOpcode::LLVMAlloca {
        return None;
    }
    let mut stored = Vec::new();
    for user in slot.users() {
        match user.opcode() {
            LLVMOpcode::LLVMLoad => {}
            LLVMOpcode::LLVMStore if user.operand(1) == slot && user.operand(0) != slot => {
                stored.push(user.operand(0));
            }
            LLVMOpcode::LLVMCall if is_marker_call(user) => {}
            _ => return None,
        }
    }
    Some(stored)
}

fn is_marker_call(call: Value) -> bool {
    let name = call.callee().name();
    name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.")
}

/// Splits a call whose function is one of several into one call for each, chosen by comparing the pointer.
pub fn specialise(module: Module, site: &HookSite, targets: &[Value], hook: Hook) -> Vec<HookSite> {
    let Some(pointer) = site.function_operand() else { return Vec::new() };
    let mut sites = Vec::new();
    let mut rest = *site;
    for target in &targets[..targets.len() - 1] {
        let (arm, other) = split(module, &rest, pointer, *target, hook);
        sites.push(arm);
        rest = other;
    }
    rest.set_function_operand(targets[targets.len() - 1]);
    sites.push(rest);
    sites
}

/// One call becomes two, in the arms of a branch on whether the pointer is this function.
fn split(module: Module, site: &HookSite, pointer: Value, target: Value, hook: Hook) -> (HookSite, HookSite) {
    let builder = Builder::new(module.context());
    builder.before(site.call);
    builder.locate_like(site.call);
    let equal = LLVMIntPredicate::LLVMIntEQ;
    let name = c"".as_ptr();
    let condition = if pointer.ty() == target.ty() {
        llvm!(LLVMBuildICmp(builder.0, equal, pointer.0, target.0, name))
    } else {
        let address = llvm!(LLVMBuildPtrToInt(builder.0, target.0, pointer.ty().0, name));
        llvm!(LLVMBuildICmp(builder.0, equal, pointer.0, address, name))
    };
    let (mut yes_end, mut no_end) = (std::ptr::null_mut(), std::ptr::null_mut());
    llvm!(shim::bs_shim_split_arms(condition, site.call.0, &mut yes_end, &mut no_end));
    let copy_to = |end: Value| {
        let copy = Value(llvm!(shim::bs_shim_copy_call(site.call.0)));
        builder.before(end);
        builder.insert(copy);
        HookSite::new(site.unwind_alike(copy), hook)
    };
    let (yes, no) = (copy_to(Value(yes_end)), copy_to(Value(no_end)));
    yes.set_function_operand(target);
    if !site.call.users().is_empty() {
        builder.before(site.call);
        let phi = llvm!(LLVMBuildPhi(builder.0, site.call.ty().0, name));
        let mut values = [yes.call.0, no.call.0];
        // Where a result of an invoke is there, another block has begun.
        let mut blocks = [Value(yes_end).block().0, Value(no_end).block().0];
        llvm!(LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), 2));
        site.call.replace_all_uses(Value(phi));
    }
    site.take_out();
    (yes, no)
}
