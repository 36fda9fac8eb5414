//! One hook call in the module.

use std::collections::BTreeMap;

use backsweep_core::model::Type;
use backsweep_core::request::{FloatPairs, Hook, HookCall, HookOperand, Mode, Request, ResultUse, find_hook};
use llvm_sys::core::*;
use llvm_sys::{LLVMOpcode, LLVMTypeKind};

use super::pairs::is_read_as_floats;
use super::structs::{read_split, read_structs, takes_unseen_struct};
use super::targets::{Targets, find_targets};
use super::tokens::{constant_of, marker_of, read_token};
use crate::extract::read_type;
use crate::llvm::{Module, Ty, Value, llvm, shim};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookSite {
    pub call: Value,
    pub hook: Hook,
    /// Where a struct result goes, for a hook that returns through memory.
    pub sret: Option<Value>,
}

/// Every call of a hook, in module order.
pub fn find_sites(module: Module) -> Vec<HookSite> {
    let mut sites = Vec::new();
    for function in module.functions().into_iter().filter(|function| function.is_declaration()) {
        let Some(hook) = find_hook(&function.name()) else { continue };
        for user in function.users() {
            if user.is_call() && user.callee() == function {
                sites.push(HookSite::new(user, hook));
            }
        }
    }
    // Uses are listed last first; the user reads his file from the top.
    let place = |site: &HookSite| {
        let block = site.call.block();
        let function = block.function();
        let functions = module.functions();
        let at = functions.iter().position(|known| *known == function);
        let in_block = function.blocks().iter().position(|known| *known == block);
        let in_order = block.instructions().iter().position(|known| *known == site.call);
        (at, in_block, in_order)
    };
    sites.sort_by_key(place);
    sites
}

impl HookSite {
    pub fn new(call: Value, hook: Hook) -> HookSite {
        let has_sret = !llvm!(shim::bs_shim_sret_type(call.0)).is_null();
        HookSite { call, hook, sret: has_sret.then(|| call.operand(0)) }
    }

    /// A call that stands for the hook's: what it throws goes where the hook's exceptions were to go.
    pub fn unwind_alike(&self, call: Value) -> Value {
        match self.call.opcode() {
            LLVMOpcode::LLVMInvoke => Value(llvm!(shim::bs_shim_call_to_invoke(call.0, self.call.0))),
            _ => call,
        }
    }

    /// The number of operands before the first after the function.
    fn first(&self) -> u32 {
        1 + u32::from(self.sret.is_some())
    }

    /// The operand that says which function to differentiate.
    pub fn function_operand(&self) -> Option<Value> {
        let index = self.first() - 1;
        (index < self.call.argument_count()).then(|| self.call.operand(index))
    }

    pub fn set_function_operand(&self, function: Value) {
        self.call.set_operand(self.first() - 1, function);
    }

    /// Operand `index` after the function.
    pub fn operand(&self, index: usize) -> Value {
        self.call.operand(self.first() + index as u32)
    }

    /// The operands after the function.
    pub fn arguments(&self) -> Vec<Value> {
        let count = self.call.argument_count().saturating_sub(self.first());
        (0..count as usize).map(|index| self.operand(index)).collect()
    }

    /// The parameters of the function that are handed a number which is known here.
    pub fn constants(&self, request: &Request) -> BTreeMap<u32, i128> {
        let given = (0..).zip(&request.arguments).filter(|(_, argument)| !argument.by_reference);
        given.filter_map(|(at, argument)| Some((at, constant_of(self.operand(argument.primal))?))).collect()
    }

    /// What may be the function or a mark, or a number that goes with one, and is not known to be.
    pub fn unknown_operands(&self) -> Vec<Value> {
        let is_open = |operand: &Value| {
            let integer = operand.ty().kind() == LLVMTypeKind::LLVMIntegerTypeKind;
            integer && marker_of(*operand).is_none() && constant_of(*operand).is_none()
        };
        let function =
            self.function_operand().filter(|operand| matches!(find_targets(*operand), Targets::Unknown));
        function.into_iter().chain(self.arguments().into_iter().filter(is_open)).collect()
    }

    pub fn function(&self) -> Value {
        self.call.block().function()
    }

    /// The call as plain data.
    pub fn read(&self, module: Module, mode: Mode) -> HookCall {
        let operands = (self.first()..).zip(self.arguments()).map(|(index, operand)| HookOperand {
            by_value: llvm!(shim::bs_shim_is_by_value(self.call.0, index)),
            ty: read_type(operand.ty()),
            token: read_token(operand),
            constant: constant_of(operand),
            names_function: matches!(find_targets(operand), Targets::One(_)),
        });
        let function = self.function_operand().and_then(Value::as_function);
        HookCall {
            mode,
            hook: self.call.callee().name(),
            operands: operands.collect(),
            structs: read_structs(self.call, self.first() as usize),
            split_unseen: function.is_some_and(|function| takes_unseen_struct(module, function)),
            split: function.map_or(Vec::new(), read_split),
            result: self.result_type(),
            result_use: if self.is_result_read() { ResultUse::Read } else { ResultUse::Ignored },
            pairs: if module.is_from_rust_or_fortran() && is_read_as_floats(self.call) {
                FloatPairs::Double
            } else {
                FloatPairs::Vector
            },
            result_in_memory: function
                .is_some_and(|function| llvm!(shim::bs_shim_returns_in_memory(function.0))),
        }
    }

    fn is_result_read(&self) -> bool {
        match self.sret {
            Some(memory) if memory.is_instruction() && memory.opcode() == LLVMOpcode::LLVMAlloca => {
                memory.users().into_iter().any(|user| user != self.call && !is_lifetime_marker(user))
            }
            Some(_) => true,
            None => self.call.users().into_iter().any(|user| !is_kept_in_vain(self.call, user)),
        }
    }

    fn result_type(&self) -> Type {
        let memory = llvm!(shim::bs_shim_sret_type(self.call.0));
        if memory.is_null() { read_type(self.call.ty()) } else { read_type(Ty(memory)) }
    }

    /// The marker globals among the operands.
    pub fn markers(&self) -> Vec<Value> {
        let count = self.call.argument_count();
        (0..count).filter_map(|index| marker_of(self.call.operand(index))).collect()
    }

    /// Removes the call, whose result nobody uses any more, and the reads of markers that only it needed: a marker
    /// that is declared and never defined must not reach the linker.
    pub fn erase(&self) {
        // One load of a marker may stand in several places of the call; erased twice it would be read after its end.
        let mut operands = self.call.operands();
        operands.sort_by_key(|operand| operand.0 as usize);
        operands.dedup();
        self.take_out();
        for operand in operands {
            if operand.is_instruction() && marker_of(operand).is_some() && operand.users().is_empty() {
                operand.erase();
            }
        }
    }

    /// Removes the call alone; control goes on where it went after it.
    pub fn take_out(&self) {
        match self.call.opcode() {
            LLVMOpcode::LLVMInvoke => Value(llvm!(shim::bs_shim_invoke_to_call(self.call.0))).erase(),
            _ => self.call.erase(),
        }
    }

    /// Takes a refused call out, so that it is not refused a second time.
    pub fn drop_refused(&self) {
        let ty = self.call.ty();
        if ty.kind() != LLVMTypeKind::LLVMVoidTypeKind {
            self.call.replace_all_uses(Value(llvm!(LLVMGetPoison(ty.0))));
        }
        self.erase();
    }
}

/// Whether a value is only put into a variable that nobody reads.
fn is_kept_in_vain(value: Value, user: Value) -> bool {
    if user.opcode() != LLVMOpcode::LLVMStore || user.operand(0) != value {
        return false;
    }
    let slot = user.operand(1);
    let only_stored = |user: Value| {
        is_lifetime_marker(user)
            || user.opcode() == LLVMOpcode::LLVMStore && user.operand(1) == slot && user.operand(0) != slot
    };
    slot.is_instruction()
        && slot.opcode() == LLVMOpcode::LLVMAlloca
        && slot.users().into_iter().all(only_stored)
}

fn is_lifetime_marker(user: Value) -> bool {
    user.is_call() && user.callee().name().starts_with("llvm.lifetime.")
}
