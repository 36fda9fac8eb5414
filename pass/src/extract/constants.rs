//! Constants and constant expressions.

use backsweep_core::model::{Constant, Type};
use llvm_sys::core::*;
use llvm_sys::{LLVMOpcode, LLVMValueKind};

use super::Reader;
use super::types::read_type;
use crate::llvm::{Value, c_text, llvm, shim};

/// Longer constant arrays stay opaque: tables of data hold no code, and nobody reads that much text.
const LONGEST_ARRAY: u64 = 1 << 16;

impl Reader {
    pub fn read_constant(&self, value: Value) -> Constant {
        let constant = self.read_known_constant(value);
        if matches!(constant, Constant::Expr { .. } | Constant::Opaque { .. }) {
            self.index.remember_constant(&constant, value);
        }
        constant
    }

    fn read_known_constant(&self, value: Value) -> Constant {
        let ty = read_type(value.ty());
        match value.kind() {
            LLVMValueKind::LLVMConstantIntValueKind => read_int(value, &ty),
            LLVMValueKind::LLVMConstantFPValueKind => read_float(value, &ty),
            LLVMValueKind::LLVMConstantPointerNullValueKind => Constant::Null(ty),
            LLVMValueKind::LLVMUndefValueValueKind => Constant::Undef(ty),
            LLVMValueKind::LLVMPoisonValueKind => Constant::Poison(ty),
            LLVMValueKind::LLVMConstantAggregateZeroValueKind => Constant::Zero(ty),
            LLVMValueKind::LLVMFunctionValueKind
            | LLVMValueKind::LLVMGlobalVariableValueKind
            | LLVMValueKind::LLVMGlobalAliasValueKind
            | LLVMValueKind::LLVMGlobalIFuncValueKind => {
                Constant::Symbol { name: self.names.get(value), space: value.ty().address_space() }
            }
            LLVMValueKind::LLVMConstantExprValueKind => self.read_expression(value, ty),
            LLVMValueKind::LLVMConstantArrayValueKind
            | LLVMValueKind::LLVMConstantStructValueKind
            | LLVMValueKind::LLVMConstantVectorValueKind => {
                let parts = value.operands().into_iter().map(|part| self.read_constant(part)).collect();
                Constant::Aggregate { ty, parts }
            }
            LLVMValueKind::LLVMConstantDataArrayValueKind
            | LLVMValueKind::LLVMConstantDataVectorValueKind => self.read_data(value, ty),
            LLVMValueKind::LLVMMetadataAsValueValueKind => self.read_metadata(value, ty),
            _ => opaque(value, ty),
        }
    }

    /// A string is its text. Other metadata prints with numbers that change from run to run, and printing walks the
    /// whole module; so it is numbered in the order it is met, and different metadata stay different constants.
    fn read_metadata(&self, value: Value, ty: Type) -> Constant {
        let text: Vec<String> =
            shim::gather(|user| llvm!(shim::bs_shim_metadata_text(value.0, shim::collect_text, user)));
        let text = match text.first() {
            Some(text) => format!("!{text:?}"),
            None => {
                let mut met = self.metadata.borrow_mut();
                let next = met.len();
                format!("metadata {}", met.entry(value).or_insert(next))
            }
        };
        Constant::Opaque { ty, text }
    }

    fn read_data(&self, value: Value, ty: Type) -> Constant {
        let count = match &ty {
            Type::Array(count, _) => *count,
            Type::Vector(lanes, _) => u64::from(lanes.count),
            _ => return opaque(value, ty),
        };
        if count > LONGEST_ARRAY {
            return Constant::Opaque { ty, text: format!("{count} elements") };
        }
        let part = |index: u64| Value(llvm!(LLVMGetAggregateElement(value.0, index as u32)));
        let parts = (0..count).map(|index| self.read_constant(part(index))).collect();
        Constant::Aggregate { ty, parts }
    }

    fn read_expression(&self, value: Value, ty: Type) -> Constant {
        let (mut base, mut bytes) = (std::ptr::null_mut(), 0);
        if llvm!(shim::bs_shim_constant_offset(value.0, &mut base, &mut bytes)) {
            return Constant::offset(self.read_constant(Value(base)), bytes);
        }
        let mnemonic = match value.opcode() {
            LLVMOpcode::LLVMAdd => "add",
            LLVMOpcode::LLVMSub => "sub",
            LLVMOpcode::LLVMXor => "xor",
            LLVMOpcode::LLVMTrunc => "trunc",
            LLVMOpcode::LLVMPtrToInt => "ptrtoint",
            LLVMOpcode::LLVMPtrToAddr => "ptrtoaddr",
            LLVMOpcode::LLVMIntToPtr => "inttoptr",
            LLVMOpcode::LLVMBitCast => "bitcast",
            LLVMOpcode::LLVMAddrSpaceCast => "addrspacecast",
            _ => return opaque(value, ty),
        };
        let operands = value.operands().into_iter().map(|operand| self.read_constant(operand)).collect();
        Constant::Expr { mnemonic: mnemonic.into(), ty, operands }
    }
}

fn read_int(value: Value, ty: &Type) -> Constant {
    let (mut low, mut high) = (0, 0);
    match ty {
        Type::Int(bits) if llvm!(shim::bs_shim_integer_words(value.0, &mut low, &mut high)) => {
            Constant::Int { bits: *bits, value: u128::from(low) | u128::from(high) << 64 }
        }
        _ => opaque(value, ty.clone()),
    }
}

fn read_float(value: Value, ty: &Type) -> Constant {
    let (mut low, mut high) = (0, 0);
    match ty {
        Type::Float(kind) if llvm!(shim::bs_shim_float_bits(value.0, &mut low, &mut high)) => {
            Constant::Float { kind: *kind, bits: u128::from(low) | u128::from(high) << 64 }
        }
        _ => opaque(value, ty.clone()),
    }
}

fn opaque(value: Value, ty: Type) -> Constant {
    let text = llvm!(LLVMPrintValueToString(value.0));
    let copy = c_text(text).unwrap_or_default();
    llvm!(LLVMDisposeMessage(text));
    Constant::Opaque { ty, text: copy }
}
