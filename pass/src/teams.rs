//! OpenMP, in the copy to be differentiated: a team of one thread, which OpenMP allows for every region.
//!
//! The region becomes an ordinary call of the function that the front end made of it. What its one thread asks the OpenMP
//! runtime is answered by bodies (`pass/bodies/openmp.rs`); a loop whose iterations are handed out piece by piece gets all of
//! them as its first piece, for which somebody has to remember that it was taken: slots of the copy do.

use std::collections::HashSet;

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};
use crate::tasks::{MAKE, Tasks};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

/// What to do with a call, once it was looked at.
pub enum Opened {
    /// It stays, or became this one.
    Call(Value),
    /// It is answered.
    Gone,
}

pub struct Teams {
    module: Module,
    copy: Value,
    /// Functions that are the body of a region.
    regions: HashSet<Value>,
    piece: Option<Piece>,
    tasks: Tasks,
}

/// Slots for the one piece of a loop. Loops within loops share them: what the outer one had is not asked for again.
#[derive(Clone, Copy)]
struct Piece {
    lower: LLVMValueRef,
    upper: LLVMValueRef,
    step: LLVMValueRef,
    is_left: LLVMValueRef,
}

impl Teams {
    pub fn new(module: Module, copy: Value) -> Teams {
        Teams { module, copy, regions: HashSet::new(), piece: None, tasks: Tasks::new(module, copy) }
    }

    pub fn is_any_open(&self) -> bool {
        !self.regions.is_empty()
    }

    /// Whether tasks were run, which call through a slot what tells them where their own variables are.
    pub fn ran_tasks(&self) -> bool {
        self.tasks.ran()
    }

    /// Whether a call is of a task, whose function belongs to the one that makes the task, or the task's own of what it does.
    pub fn is_task(&mut self, call: Value, chain: &[Value]) -> bool {
        self.tasks.is_run_by(call) || chain.first().is_some_and(|caller| self.tasks.is_task(*caller))
    }

    /// `chain` names the functions that the call came from.
    pub fn open(&mut self, call: Value, chain: &[Value]) -> Opened {
        let callee = call.callee();
        if callee.as_function().is_none() || !callee.is_declaration() {
            return Opened::Call(call);
        }
        let inside = || chain.iter().any(|function| self.regions.contains(function));
        match callee.name().as_str() {
            "__kmpc_fork_call" | "__kmpc_fork_teams" => self.enter(call, 3),
            "__kmpc_fork_call_if" => self.enter(call, 4),
            "omp_get_thread_num" | "omp_get_team_num" | "omp_in_parallel" if inside() => answer(call, 0),
            "omp_get_num_threads" | "omp_get_num_teams" if inside() => answer(call, 1),
            MAKE => {
                if self.tasks.make(call) {
                    Opened::Gone
                } else {
                    Opened::Call(call)
                }
            }
            "__kmpc_omp_task" | "__kmpc_omp_task_with_deps" => self.run_task(call, false),
            "__kmpc_taskloop" => self.run_task(call, true),
            name if name.starts_with("__kmpc_dispatch_init_") => self.begin_pieces(call),
            name if name.starts_with("__kmpc_dispatch_next_") => self.next_piece(call),
            _ => Opened::Call(call),
        }
    }

    /// The call of the region, whose arguments stand behind the first few; before them it takes its thread and its team.
    fn enter(&mut self, fork: Value, first: u32) -> Opened {
        let region = fork.operand(2);
        if region.as_function().is_none_or(Value::is_declaration) || fork.argument_count() < first {
            return Opened::Call(fork);
        }
        let builder = self.before(fork);
        let number = self.slot(self.integer(32));
        llvm!(LLVMBuildStore(builder.0, LLVMConstInt(self.integer(32).0, 0, 0), number));
        let passed = (first..fork.argument_count()).map(|index| fork.operand(index).0);
        let mut arguments: Vec<LLVMValueRef> = [number, number].into_iter().chain(passed).collect();
        let params = region.params();
        let fits = params.len() == arguments.len()
            && params.iter().zip(&arguments).all(|(param, given)| param.ty() == Value(*given).ty());
        if !fits {
            return Opened::Call(fork);
        }
        let (ty, count) = (region.function_type(), arguments.len() as u32);
        let call = llvm!(LLVMBuildCall2(builder.0, ty.0, region.0, arguments.as_mut_ptr(), count, UNNAMED));
        self.regions.insert(region);
        fork.erase();
        Opened::Call(Value(call))
    }

    fn run_task(&mut self, call: Value, repeats: bool) -> Opened {
        // What copies a task for each piece of its loop has nothing to do where there is one piece.
        let Some((run, function)) = self.tasks.run(call, repeats) else { return Opened::Call(call) };
        self.regions.insert(function);
        Opened::Call(run)
    }

    /// `dispatch_init(place, thread, schedule, lower, upper, step, chunk)`.
    fn begin_pieces(&mut self, call: Value) -> Opened {
        let piece = self.piece();
        let builder = self.before(call);
        for (operand, slot) in [(3, piece.lower), (4, piece.upper), (5, piece.step)] {
            let wide = llvm!(LLVMBuildSExt(builder.0, call.operand(operand).0, self.integer(64).0, UNNAMED));
            llvm!(LLVMBuildStore(builder.0, wide, slot));
        }
        llvm!(LLVMBuildStore(builder.0, LLVMConstInt(self.integer(32).0, 1, 0), piece.is_left));
        call.erase();
        Opened::Gone
    }

    /// `dispatch_next(place, thread, &is_last, &lower, &upper, &step)` says whether there was one.
    fn next_piece(&mut self, call: Value) -> Opened {
        let piece = self.piece();
        let builder = self.before(call);
        let (narrow, wide) = (self.integer(32), self.integer(64));
        let counter = if call.callee().name().contains("_next_4") { narrow } else { wide };
        for (operand, slot) in [(3, piece.lower), (4, piece.upper), (5, piece.step)] {
            let whole = llvm!(LLVMBuildLoad2(builder.0, wide.0, slot, UNNAMED));
            let value = llvm!(LLVMBuildTrunc(builder.0, whole, counter.0, UNNAMED));
            llvm!(LLVMBuildStore(builder.0, value, call.operand(operand).0));
        }
        let left = llvm!(LLVMBuildLoad2(builder.0, narrow.0, piece.is_left, UNNAMED));
        llvm!(LLVMBuildStore(builder.0, left, call.operand(2).0));
        llvm!(LLVMBuildStore(builder.0, LLVMConstInt(narrow.0, 0, 0), piece.is_left));
        call.replace_all_uses(Value(left));
        call.erase();
        Opened::Gone
    }

    fn piece(&mut self) -> Piece {
        let (narrow, wide) = (self.integer(32), self.integer(64));
        let new = || Piece {
            lower: self.slot(wide),
            upper: self.slot(wide),
            step: self.slot(wide),
            is_left: self.slot(narrow),
        };
        let piece = self.piece.unwrap_or_else(new);
        self.piece = Some(piece);
        piece
    }

    fn slot(&self, ty: Ty) -> LLVMValueRef {
        llvm!(shim::bs_shim_entry_alloca(self.copy.blocks()[0].0, ty.0, ty.0))
    }

    fn integer(&self, bits: u32) -> Ty {
        Ty(llvm!(LLVMIntTypeInContext(self.module.context(), bits)))
    }

    fn before(&self, call: Value) -> Builder {
        let builder = Builder::new(self.module.context());
        builder.before(call);
        builder.locate_like(call);
        builder
    }
}

fn answer(call: Value, number: u64) -> Opened {
    call.replace_all_uses(Value(llvm!(LLVMConstInt(call.ty().0, number, 0))));
    call.erase();
    Opened::Gone
}
