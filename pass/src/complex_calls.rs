//! Calls that take or return complex numbers as the target's C does, as calls on their real and imaginary parts.
//!
//! A `float _Complex` travels as a vector on one target and as an array on another, a `long double _Complex` in memory.
//! The rules know functions of reals; so such a call becomes a call of a bridge: a function of ours that takes the parts one
//! by one, calls the library, and returns the parts as a structure. Its name tells the rules what it stands for.

use backsweep_core::rules::{CalleeRule, PARTS_PREFIX, Row, Rules};
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use llvm_sys::{LLVMLinkage, LLVMTypeKind};

use crate::llvm::{Block, Builder, Module, Ty, Value, c_string, llvm};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

/// How an argument or a result travels.
#[derive(Clone, Copy)]
enum Passed {
    /// As it is: a real, an integer.
    Whole(Ty),
    /// Two reals in a vector of this type.
    Vector(Ty),
    /// Two reals in an array or structure of this type.
    Aggregate(Ty),
    /// Behind a pointer to a structure of this type, which the callee owns.
    Memory(Ty),
}

pub fn take_complex_calls_apart(module: Module, function: Value, rules: &Rules) {
    for block in function.blocks() {
        for call in block.instructions().into_iter().filter(|inst| inst.is_call()) {
            let callee = call.callee();
            if callee.as_function().is_none() || !callee.is_declaration() {
                continue;
            }
            if let CalleeRule::Row(found) = rules.lookup_callee(&callee.name())
                && let Some((arguments, result)) = read_call(call, found.row)
            {
                replace_call(module, call, &arguments, result);
            }
        }
    }
}

/// How the parts of a row's operands and results travel in this call; `None` where they already stand one by one, or
/// where the call is not of the row's function.
fn read_call(call: Value, row: &Row) -> Option<(Vec<Passed>, Passed)> {
    let arguments: Vec<Passed> = (0..call.argument_count()).map(|index| read_argument(call, index)).collect();
    let result = read_type(call.ty());
    let count: usize = arguments.iter().map(|argument| argument.parts()).sum();
    let packed = arguments.iter().any(|argument| !matches!(argument, Passed::Whole(_)));
    let fits = count == row.operands.len() && result.parts() == row.results.len();
    (fits && (packed || matches!(result, Passed::Vector(_)))).then_some((arguments, result))
}

fn read_argument(call: Value, index: u32) -> Passed {
    let by_value = c"byval".to_bytes();
    let kind = llvm!(LLVMGetEnumAttributeKindForName(by_value.as_ptr().cast(), by_value.len()));
    let attribute = llvm!(LLVMGetCallSiteEnumAttribute(call.0, index + 1, kind));
    if attribute.is_null() {
        return read_type(call.operand(index).ty());
    }
    Passed::Memory(Ty(llvm!(LLVMGetTypeAttributeValue(attribute))))
}

fn read_type(ty: Ty) -> Passed {
    match ty.kind() {
        LLVMTypeKind::LLVMVectorTypeKind if ty.lanes() == 2 => Passed::Vector(ty),
        LLVMTypeKind::LLVMArrayTypeKind if ty.array_length() == 2 => Passed::Aggregate(ty),
        LLVMTypeKind::LLVMStructTypeKind if ty.fields().len() == 2 => Passed::Aggregate(ty),
        _ => Passed::Whole(ty),
    }
}

impl Passed {
    fn parts(self) -> usize {
        match self {
            Passed::Whole(_) => 1,
            Passed::Vector(_) | Passed::Aggregate(_) | Passed::Memory(_) => 2,
        }
    }

    /// The type of one part.
    fn part(self) -> Ty {
        match self {
            Passed::Whole(ty) => ty,
            Passed::Vector(ty) => ty.element(),
            Passed::Aggregate(ty) | Passed::Memory(ty) => match ty.kind() {
                LLVMTypeKind::LLVMArrayTypeKind => ty.element(),
                _ => ty.fields()[0],
            },
        }
    }

    /// The parts of a value that travels so.
    fn take_apart(self, builder: &Builder, value: LLVMValueRef, parts: &mut Vec<LLVMValueRef>) {
        match self {
            Passed::Whole(_) => parts.push(value),
            Passed::Vector(ty) => parts.extend((0..2).map(|part| {
                let index = llvm!(LLVMConstInt(word(ty), part, 0));
                llvm!(LLVMBuildExtractElement(builder.0, value, index, UNNAMED))
            })),
            Passed::Aggregate(_) => {
                parts.extend((0..2).map(|part| llvm!(LLVMBuildExtractValue(builder.0, value, part, UNNAMED))))
            }
            Passed::Memory(ty) => {
                let whole = llvm!(LLVMBuildLoad2(builder.0, ty.0, value, UNNAMED));
                Passed::Aggregate(ty).take_apart(builder, whole, parts);
            }
        }
    }

    /// The value that travels so, from its parts.
    fn put_together(self, builder: &Builder, parts: &[LLVMValueRef]) -> LLVMValueRef {
        match self {
            Passed::Whole(_) => parts[0],
            Passed::Vector(ty) => (0..2).fold(llvm!(LLVMGetPoison(ty.0)), |whole, part| {
                let index = llvm!(LLVMConstInt(word(ty), part as u64, 0));
                llvm!(LLVMBuildInsertElement(builder.0, whole, parts[part], index, UNNAMED))
            }),
            Passed::Aggregate(ty) => (0..2).fold(llvm!(LLVMGetPoison(ty.0)), |whole, part| {
                llvm!(LLVMBuildInsertValue(builder.0, whole, parts[part], part as u32, UNNAMED))
            }),
            Passed::Memory(ty) => {
                let whole = Passed::Aggregate(ty).put_together(builder, parts);
                let place = llvm!(LLVMBuildAlloca(builder.0, ty.0, UNNAMED));
                llvm!(LLVMBuildStore(builder.0, whole, place));
                place
            }
        }
    }
}

/// The type of indices into a vector.
fn word(ty: Ty) -> LLVMTypeRef {
    llvm!(LLVMInt32TypeInContext(ty.context()))
}

fn replace_call(module: Module, call: Value, arguments: &[Passed], result: Passed) {
    let bridge = find_bridge(module, call, arguments, result);
    let builder = Builder::new(module.context());
    builder.before(call);
    builder.locate_like(call);
    let mut parts = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        argument.take_apart(&builder, call.operand(index as u32).0, &mut parts);
    }
    let (ty, count) = (bridge.function_type(), parts.len() as u32);
    let found = llvm!(LLVMBuildCall2(builder.0, ty.0, bridge.0, parts.as_mut_ptr(), count, UNNAMED));
    let mut results = Vec::new();
    Passed::of_result(result, ty.return_type()).take_apart(&builder, found, &mut results);
    call.replace_all_uses(Value(result.put_together(&builder, &results)));
    call.erase();
}

impl Passed {
    /// The bridge returns one real, or a structure of two.
    fn of_result(result: Passed, returned: Ty) -> Passed {
        match result {
            Passed::Whole(_) => Passed::Whole(returned),
            Passed::Vector(_) | Passed::Aggregate(_) | Passed::Memory(_) => Passed::Aggregate(returned),
        }
    }
}

/// The bridge to the function that is called, made where the module has none yet.
fn find_bridge(module: Module, call: Value, arguments: &[Passed], result: Passed) -> Value {
    let name = format!("{PARTS_PREFIX}{}", call.callee().name());
    if let Some(bridge) = module.function(&name) {
        return bridge;
    }
    let returned = match result {
        Passed::Whole(ty) => ty,
        Passed::Vector(_) | Passed::Aggregate(_) | Passed::Memory(_) => {
            let mut parts = [result.part().0; 2];
            Ty(llvm!(LLVMStructTypeInContext(module.context(), parts.as_mut_ptr(), 2, 0)))
        }
    };
    let parts = |argument: &Passed| std::iter::repeat_n(argument.part(), argument.parts());
    let params: Vec<Ty> = arguments.iter().flat_map(parts).collect();
    let bridge = module.add_function(&name, Ty::function(returned, &params, false));
    llvm!(LLVMSetLinkage(bridge.0, LLVMLinkage::LLVMInternalLinkage));
    write_bridge(module, bridge, call, arguments, result);
    bridge
}

fn write_bridge(module: Module, bridge: Value, call: Value, arguments: &[Passed], result: Passed) {
    let entry = c_string("");
    let block = Block(llvm!(LLVMAppendBasicBlockInContext(module.context(), bridge.0, entry.as_ptr())));
    let builder = Builder::new(module.context());
    builder.at_end(block);
    let params: Vec<LLVMValueRef> = bridge.params().iter().map(|param| param.0).collect();
    let mut rest = params.as_slice();
    // The call itself, with the attributes that say how its arguments travel.
    let inner = call.clone_instruction();
    for (index, argument) in arguments.iter().enumerate() {
        let (own, others) = rest.split_at(argument.parts());
        inner.set_operand(index as u32, Value(argument.put_together(&builder, own)));
        rest = others;
    }
    builder.insert(inner);
    llvm!(llvm_sys::debuginfo::LLVMInstructionSetDebugLoc(inner.0, std::ptr::null_mut()));
    let mut results = Vec::new();
    result.take_apart(&builder, inner.0, &mut results);
    let returned = bridge.function_type().return_type();
    let whole = Passed::of_result(result, returned).put_together(&builder, &results);
    llvm!(LLVMBuildRet(builder.0, whole));
}
