//! Calls of internal procedures that were passed as arguments, in the copy to be differentiated.
//!
//! Such a procedure needs the frame it belongs to, so a caller gets the address of a few instructions on the stack that
//! supply it. Where the procedure and its frame can be told, the call is one of the procedure itself, with its frame.

mod handed;

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMAttributeReturnIndex, LLVMIntPredicate, LLVMOpcode};

pub use handed::hand_frames;

use crate::llvm::{Builder, Module, Ty, Value, llvm};

const INIT: &str = "llvm.init.trampoline";
const ADJUST: &str = "llvm.adjust.trampoline";

/// Whether a call was changed.
pub fn open_trampolines(module: Module, function: Value) -> bool {
    let builder = Builder::new(module.context());
    let mut changed = false;
    for call in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if call.is_instruction()
            && call.opcode() == LLVMOpcode::LLVMCall
            && let Some(start) = trampoline_at(call.callee())
        {
            changed |= call_directly(&builder, call, start.operand(1), start.operand(2));
        }
    }
    if changed {
        drop_unused(function);
    }
    changed
}

/// Says of the addresses of trampolines that they are not null: whoever asks whether an optional procedure is there is answered, so that
/// nobody but a call is left who needs the address.
pub fn tell_present(module: Module, function: Value) {
    let name = "nonnull";
    let kind = llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
    for call in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if named_call(call, ADJUST).is_some() {
            let attribute = llvm!(LLVMCreateEnumAttribute(module.context(), kind, 0));
            llvm!(LLVMAddCallSiteAttribute(call.0, LLVMAttributeReturnIndex, attribute));
        }
    }
}

/// Whether all that is done with the address of a procedure is to ask whether it is null.
fn asks_presence(user: Value) -> bool {
    if !user.is_instruction() {
        return false;
    }
    match user.opcode() {
        LLVMOpcode::LLVMICmp => user.operands().iter().any(|x| llvm!(LLVMIsNull(x.0)) != 0),
        LLVMOpcode::LLVMPtrToInt => user.users().into_iter().all(asks_presence),
        _ => false,
    }
}

/// The name of the internal procedure whose trampoline this is the address of.
pub fn closure_of(address: Value) -> Option<String> {
    let place = named_call(address, ADJUST)?.operand(0);
    let start = place.users().into_iter().find_map(|user| named_call(user, INIT))?;
    start.operand(1).as_function().map(|target| target.name())
}

/// Trampolines that nobody calls any more are not made.
fn drop_unused(function: Value) {
    answer_presence(function);
    for start in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if named_call(start, INIT).is_none() {
            continue;
        }
        let place = start.operand(0);
        let asked: Vec<Value> = place.users().into_iter().filter(|user| *user != start).collect();
        let is_idle = |user: &Value| named_call(*user, ADJUST).is_some_and(|asked| asked.users().is_empty());
        let (idle, others): (Vec<Value>, Vec<Value>) = asked.into_iter().partition(is_idle);
        let is_slot = place.is_instruction() && place.opcode() == LLVMOpcode::LLVMAlloca;
        if is_slot && others.into_iter().all(|user| named_call(user, "llvm.lifetime.").is_some()) {
            idle.into_iter().for_each(Value::erase);
            start.erase();
        }
    }
}

/// What an optimiser has inlined asks by itself whether an optional procedure is there: the address of a trampoline is not null.
fn answer_presence(function: Value) {
    for question in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        let asks = question.opcode() == LLVMOpcode::LLVMICmp
            && named_call(question.operand(0), ADJUST).is_some()
            && llvm!(LLVMIsNull(question.operand(1).0)) != 0;
        if !asks {
            continue;
        }
        let answer = match llvm!(LLVMGetICmpPredicate(question.0)) {
            LLVMIntPredicate::LLVMIntEQ => 0,
            LLVMIntPredicate::LLVMIntNE => 1,
            _ => continue,
        };
        question.replace_all_uses(Value(llvm!(LLVMConstInt(question.ty().0, answer, 0))));
        question.erase();
    }
}

/// The only initialisation of the trampoline at this address. It is in force: a trampoline is not called before it is made.
fn trampoline_at(address: Value) -> Option<Value> {
    let address = named_call(address, ADJUST)?;
    let place = address.operand(0);
    let is_slot = place.is_instruction() && place.opcode() == LLVMOpcode::LLVMAlloca;
    let mut starts = place
        .users()
        .into_iter()
        .filter_map(|user| named_call(user, INIT))
        .filter(|start| start.operand(0) == place);
    let start = starts.next().filter(|_| is_slot && starts.next().is_none())?;
    let others = place.users().into_iter().any(|user| user != start && !is_harmless(user));
    let target = start.operand(1).as_function()?;
    let fits = !target.function_type().is_variadic() && frame_index(target).is_some();
    // The frame has to be at hand where the call stands.
    let frame = start.operand(2);
    let at_hand = frame.is_argument() || frame.is_instruction() && frame.opcode() == LLVMOpcode::LLVMAlloca;
    (fits && at_hand && !others).then_some(start)
}

/// What else may be done with a trampoline: to ask for its address, and to say how long it lives.
fn is_harmless(user: Value) -> bool {
    named_call(user, ADJUST).is_some() || named_call(user, "llvm.lifetime.").is_some()
}

fn named_call(value: Value, name: &str) -> Option<Value> {
    let is_call = value.is_instruction() && value.opcode() == LLVMOpcode::LLVMCall;
    (is_call && value.callee().as_function().is_some_and(|callee| callee.name().starts_with(name)))
        .then_some(value)
}

/// The parameter that takes the frame.
fn frame_index(target: Value) -> Option<usize> {
    (0..target.params().len()).find(|index| {
        target
            .attributes(i32::try_from(*index).map_or(i32::MAX, |index| index + 1))
            .iter()
            .any(|text| text == "nest")
    })
}

/// Unless the procedure is none that could be called so.
fn call_directly(builder: &Builder, call: Value, target: Value, frame: Value) -> bool {
    let Some(mut arguments) = arguments_with(call, target, frame) else { return false };
    builder.before(call);
    builder.locate_like(call);
    let (count, ty) = (arguments.len() as u32, target.function_type());
    let direct =
        llvm!(LLVMBuildCall2(builder.0, ty.0, target.0, arguments.as_mut_ptr(), count, c"".as_ptr()));
    llvm!(LLVMSetInstructionCallConv(direct, LLVMGetFunctionCallConv(target.0)));
    call.replace_all_uses(Value(direct));
    call.erase();
    true
}

/// What the procedure itself takes where this call reaches it; none where it takes or returns something else.
fn arguments_with(call: Value, target: Value, frame: Value) -> Option<Vec<LLVMValueRef>> {
    let mut arguments: Vec<LLVMValueRef> =
        (0..call.argument_count()).map(|index| call.operand(index).0).collect();
    arguments.insert(frame_index(target)?.min(arguments.len()), frame.0);
    let params: Vec<Ty> = target.params().iter().map(|param| param.ty()).collect();
    let given: Vec<Ty> = arguments.iter().map(|argument| Ty(llvm!(LLVMTypeOf(*argument)))).collect();
    (params == given && target.function_type().return_type() == call.ty()).then_some(arguments)
}
