//! Any LLVM value: instruction, argument, constant, global.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use super::{Block, Ty, llvm, shim, text_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub LLVMValueRef);

impl Value {
    pub fn from_raw(raw: LLVMValueRef) -> Option<Value> {
        (!raw.is_null()).then_some(Value(raw))
    }

    pub fn ty(self) -> Ty {
        Ty(llvm!(LLVMTypeOf(self.0)))
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let bytes = llvm!(LLVMGetValueName2(self.0, &mut length));
        text_of(bytes, length)
    }

    /// The same question of a name, which is asked of every call, without a copy of it.
    pub fn has_prefix(self, prefix: &str) -> bool {
        let mut length = 0;
        let bytes = llvm!(LLVMGetValueName2(self.0, &mut length));
        // SAFETY: LLVM hands out `length` readable bytes at this address.
        length >= prefix.len()
            && unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), prefix.len()) } == prefix.as_bytes()
    }

    pub fn set_name(self, name: &str) {
        llvm!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }

    pub fn kind(self) -> LLVMValueKind {
        llvm!(LLVMGetValueKind(self.0))
    }

    /// LLVM's C interface calls everything that it has no kind for an instruction too (`dso_local_equivalent`, `no_cfi`).
    pub fn is_instruction(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind && !llvm!(LLVMIsAInstruction(self.0)).is_null()
    }

    pub fn is_argument(self) -> bool {
        self.kind() == LLVMValueKind::LLVMArgumentValueKind
    }

    pub fn as_function(self) -> Option<Value> {
        (self.kind() == LLVMValueKind::LLVMFunctionValueKind).then_some(self)
    }

    pub fn as_global(self) -> Option<Value> {
        (self.kind() == LLVMValueKind::LLVMGlobalVariableValueKind).then_some(self)
    }

    pub fn as_alias(self) -> Option<Value> {
        (self.kind() == LLVMValueKind::LLVMGlobalAliasValueKind).then_some(self)
    }

    pub fn is_constant_expr(self) -> bool {
        self.kind() == LLVMValueKind::LLVMConstantExprValueKind
    }

    pub fn is_undef(self) -> bool {
        matches!(self.kind(), LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind)
    }

    pub fn opcode(self) -> LLVMOpcode {
        if self.is_constant_expr() {
            llvm!(LLVMGetConstOpcode(self.0))
        } else {
            llvm!(LLVMGetInstructionOpcode(self.0))
        }
    }

    pub fn operand_count(self) -> u32 {
        llvm!(LLVMGetNumOperands(self.0)).max(0).cast_unsigned()
    }

    pub fn operand(self, index: u32) -> Value {
        Value(llvm!(LLVMGetOperand(self.0, index)))
    }

    pub fn operands(self) -> Vec<Value> {
        (0..self.operand_count()).map(|index| self.operand(index)).collect()
    }

    pub fn set_operand(self, index: u32, value: Value) {
        llvm!(LLVMSetOperand(self.0, index, value.0));
    }

    pub fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut next = llvm!(LLVMGetFirstUse(self.0));
        while !next.is_null() {
            users.push(Value(llvm!(LLVMGetUser(next))));
            next = llvm!(LLVMGetNextUse(next));
        }
        users
    }

    pub fn replace_all_uses(self, with: Value) {
        llvm!(LLVMReplaceAllUsesWith(self.0, with.0));
    }

    /// The block an instruction stands in.
    pub fn block(self) -> Block {
        Block(llvm!(LLVMGetInstructionParent(self.0)))
    }

    pub fn erase(self) {
        llvm!(LLVMInstructionEraseFromParent(self.0));
    }

    pub fn clone_instruction(self) -> Value {
        Value(llvm!(LLVMInstructionClone(self.0)))
    }

    // Calls.

    pub fn is_call(self) -> bool {
        self.is_instruction()
            && matches!(self.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr)
    }

    pub fn has_call_attribute(self, name: &str) -> bool {
        self.attributes(-1).iter().any(|text| text.trim_matches('"') == name)
    }

    pub fn has_metadata(self, name: &str) -> bool {
        let context = self.ty().context();
        let kind = llvm!(LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32));
        !llvm!(LLVMGetMetadata(self.0, kind)).is_null()
    }

    pub fn callee(self) -> Value {
        Value(llvm!(LLVMGetCalledValue(self.0)))
    }

    /// The callee is the last operand of a call.
    pub fn set_callee(self, callee: Value) {
        self.set_operand(self.operand_count() - 1, callee);
    }

    pub fn argument_count(self) -> u32 {
        llvm!(LLVMGetNumArgOperands(self.0))
    }

    // Functions and globals.

    pub fn is_declaration(self) -> bool {
        llvm!(LLVMIsDeclaration(self.0)) != 0
    }

    pub fn linkage(self) -> LLVMLinkage {
        llvm!(LLVMGetLinkage(self.0))
    }

    pub fn function_type(self) -> Ty {
        Ty(llvm!(LLVMGlobalGetValueType(self.0)))
    }

    pub fn params(self) -> Vec<Value> {
        let count = llvm!(LLVMCountParams(self.0));
        (0..count).map(|index| Value(llvm!(LLVMGetParam(self.0, index)))).collect()
    }

    pub fn blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut next = llvm!(LLVMGetFirstBasicBlock(self.0));
        while !next.is_null() {
            blocks.push(Block(next));
            next = llvm!(LLVMGetNextBasicBlock(next));
        }
        blocks
    }

    pub fn delete_function(self, context: *mut shim::Context) {
        llvm!(shim::bs_shim_delete_function(context, self.0));
    }

    pub fn initializer(self) -> Option<Value> {
        Value::from_raw(llvm!(LLVMGetInitializer(self.0)))
    }

    /// Attributes by their textual spelling, sorted; `index` as in LLVM: -1 the function, 0 the result, then parameters.
    pub fn attributes(self, index: i32) -> Vec<String> {
        let mut texts: Vec<String> =
            shim::gather(|user| llvm!(shim::bs_shim_attributes(self.0, index, shim::collect_text, user)));
        texts.sort();
        texts
    }

    pub fn has_function_attribute(self, name: &str) -> bool {
        self.attributes(LLVMAttributeFunctionIndex.cast_signed()).iter().any(|text| {
            text == name || text.strip_prefix('"').is_some_and(|rest| rest.split('"').next() == Some(name))
        })
    }

    pub fn is_aggregate_type(self) -> bool {
        matches!(self.ty().kind(), LLVMTypeKind::LLVMStructTypeKind | LLVMTypeKind::LLVMArrayTypeKind)
    }
}
