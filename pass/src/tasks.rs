//! Tasks of OpenMP, in the copy to be differentiated: each runs where it is made, as OpenMP allows, so that the order is that of the
//! program and whatever a task waits for is there.
//!
//! A task is memory that the runtime makes, with a pointer to what it shares in front, filled by code of the front end's, and a function that
//! takes it. Nobody needs it once the function was called, so it may lie in a slot of the copy.

use std::collections::{HashMap, HashSet};

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();
pub const MAKE: &str = "__kmpc_omp_task_alloc";

/// Where the runtime leaves what the function of a task reads.
mod place {
    pub const FUNCTION: u64 = 8;
    pub const PART: u64 = 16;
    pub const IS_LAST: u64 = 64;
}

/// The operands of `task_alloc(place, thread, flags, size, size of what is shared, function)` that matter here.
const SIZE: u32 = 3;
const SHARED_SIZE: u32 = 4;
const FUNCTION: u32 = 5;
/// That of what runs a task, `task(place, thread, task)`.
const TASK: u32 = 2;

pub struct Tasks {
    module: Module,
    copy: Value,
    /// The functions of tasks by the slots that the tasks lie in.
    functions: HashMap<Value, Value>,
    /// The functions of tasks that were run.
    ran: HashSet<Value>,
}

impl Tasks {
    pub fn new(module: Module, copy: Value) -> Tasks {
        Tasks { module, copy, functions: HashMap::new(), ran: HashSet::new() }
    }

    pub fn ran(&self) -> bool {
        !self.ran.is_empty()
    }

    /// The slot in place of the call that makes a task; whether its size is known.
    pub fn make(&mut self, call: Value) -> bool {
        let sizes = [SIZE, SHARED_SIZE].map(|at| constant(call.operand(at)));
        let ([Some(size), Some(shared_size)], function) = (sizes, call.operand(FUNCTION)) else {
            return false;
        };
        let (task, shared) = (self.slot(size), self.slot(shared_size.max(1)));
        let builder = before(self.module, call);
        llvm!(LLVMBuildStore(builder.0, shared.0, task.0));
        self.put(&builder, task, place::FUNCTION, function.0);
        self.put(&builder, task, place::PART, self.number(0));
        self.functions.insert(task, function);
        call.replace_all_uses(task);
        call.erase();
        true
    }

    /// The call of a task's function in place of the call that has it run, and the function; `None` where that is not known. `repeats`
    /// where the task is a loop, all passes of which are the first ones and the last.
    pub fn run(&mut self, call: Value, repeats: bool) -> Option<(Value, Value)> {
        let task = call.operand(TASK);
        let function = self.function_of(task)?;
        if function.as_function().is_none_or(Value::is_declaration) || function.params().len() != 2 {
            return None;
        }
        let builder = before(self.module, call);
        if repeats {
            self.put(&builder, task, place::IS_LAST, self.number(1));
        }
        let mut arguments = [self.number(0), task.0];
        let ty = function.function_type();
        let made = llvm!(LLVMBuildCall2(builder.0, ty.0, function.0, arguments.as_mut_ptr(), 2, UNNAMED));
        if call.ty().kind() == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind {
            call.replace_all_uses(Value(self.number(0)));
        }
        call.erase();
        self.ran.insert(function);
        Some((Value(made), function))
    }

    pub fn is_task(&self, function: Value) -> bool {
        self.ran.contains(&function)
    }

    /// Whether a call runs a task itself, as where a condition says that it is not worth one.
    pub fn is_run_by(&mut self, call: Value) -> bool {
        let callee = call.callee();
        let runs = call.argument_count() == 2 && self.function_of(call.operand(1)) == Some(callee);
        if runs {
            self.ran.insert(callee);
        }
        runs
    }

    fn function_of(&self, task: Value) -> Option<Value> {
        match task.is_call() {
            true if task.callee().name() == MAKE => Some(task.operand(FUNCTION)),
            _ => self.functions.get(&task).copied(),
        }
    }

    fn put(&self, builder: &Builder, task: Value, offset: u64, value: LLVMValueRef) {
        let byte = Ty(llvm!(LLVMInt8TypeInContext(self.module.context())));
        let wide = llvm!(LLVMInt64TypeInContext(self.module.context()));
        let mut index = llvm!(LLVMConstInt(wide, offset, 0));
        let place = llvm!(LLVMBuildInBoundsGEP2(builder.0, byte.0, task.0, &mut index, 1, UNNAMED));
        let store = llvm!(LLVMBuildStore(builder.0, value, place));
        if Value(value).ty().kind() == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind {
            llvm!(shim::bs_shim_mark_integer(store));
        }
    }

    fn number(&self, value: u64) -> LLVMValueRef {
        llvm!(LLVMConstInt(LLVMInt32TypeInContext(self.module.context()), value, 0))
    }

    /// Members of a task are aligned as words are.
    fn slot(&self, bytes: u64) -> Value {
        let word = llvm!(LLVMInt64TypeInContext(self.module.context()));
        let ty = llvm!(LLVMArrayType2(word, bytes.div_ceil(8)));
        Value(llvm!(shim::bs_shim_entry_alloca(self.copy.blocks()[0].0, ty, ty)))
    }
}

fn constant(value: Value) -> Option<u64> {
    let known = llvm!(LLVMIsAConstantInt(value.0));
    (!known.is_null()).then(|| llvm!(LLVMConstIntGetZExtValue(known)))
}

fn before(module: Module, call: Value) -> Builder {
    let builder = Builder::new(module.context());
    builder.before(call);
    builder.locate_like(call);
    builder
}
