//! One derived function as an LLVM function.

use std::collections::{BTreeMap, HashMap};

use backsweep_core::analyses::flow::Flow;
use backsweep_core::derive::fast_path_functions;
use backsweep_core::model::{BlockId, Function, Loc, Op, Operand, ValueId};
use backsweep_core::plan::Plan;
use llvm_sys::core::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};

use super::constants::ConstantWriter;
use super::types::write_type;
use crate::exceptions::close_invokes;
use crate::extract::{Extraction, FunctionIndex};
use crate::llvm::{Block, Builder, Module, Ty, Value, c_string, llvm, shim};

/// What writing instructions needs.
pub struct FunctionWriter<'a> {
    pub module: Module,
    pub derived: &'a Function,
    pub function: Value,
    pub builder: Builder,
    pub constants: ConstantWriter<'a>,
    /// The primal's LLVM values, for copies.
    pub primal: Option<Primal<'a>>,
    pub values: HashMap<ValueId, Value>,
    pub blocks: HashMap<BlockId, Block>,
    /// An LLVM instruction at each place in the user's source, to take debug locations from.
    places: BTreeMap<Loc, Value>,
}

/// The primal's LLVM values, by the numbers that the plan has for them.
#[derive(Clone, Copy)]
pub struct Primal<'a> {
    index: &'a FunctionIndex,
    plan: &'a Plan,
}

impl Primal<'_> {
    /// The prepared copy that derivatives are made of.
    pub fn function(&self) -> Value {
        self.index.function
    }

    /// `None` for what the planner has put in.
    pub fn value(&self, id: ValueId) -> Option<Value> {
        let written = self.plan.local.as_ref().map_or(Some(id), |local| local.attached.origin(id));
        written.map(|id| self.index.value(id))
    }
}

/// Writes the body of a declared derived function, which gets the debug scope of the primal's prepared copy.
pub fn emit_function(
    module: Module,
    derived: &Function,
    function: Value,
    plan: &Plan,
    extraction: &Extraction,
) {
    let primal = plan.function.as_str();
    let index = index_of(primal, extraction);
    llvm!(shim::bs_shim_adopt_attributes(index.function.0, function.0));
    let scoped = llvm!(shim::bs_shim_adopt_scope(index.function.0, function.0));
    let places = places_of(extraction, primal, index);
    let primal = Primal { index, plan };
    write(module, derived, function, Some(primal), places, extraction);
    close_invokes(function, index.function);
    if !scoped {
        // A debug scope belongs to one function; another derivative of the same primal has it.
        llvm!(shim::bs_shim_strip_places(function.0));
    }
}

fn index_of<'a>(primal: &str, extraction: &'a Extraction) -> &'a FunctionIndex {
    match extraction.index.function(primal) {
        Some(index) => index,
        None => unreachable!("the primal was extracted before its plan was made"),
    }
}

/// Writes the functions of ours that a derived function calls, unless the module has them already. They are for the same
/// machine and under the same sanitizers as the primal.
pub fn emit_callees(module: Module, derived: &Function, primal: &str, extraction: &Extraction) {
    let primal = index_of(primal, extraction).function;
    emit_known(module, &fast_path_functions(), derived, primal, extraction);
}

/// Callees first, so that calls find them under their own types.
fn emit_known(module: Module, known: &[Function], caller: &Function, primal: Value, extraction: &Extraction) {
    for name in called_names(caller) {
        let helper = known.iter().find(|helper| helper.name == name && module.function(&name).is_none());
        let Some(helper) = helper else { continue };
        let function = declare_function(module, helper);
        if helper.is_declaration() {
            refer_to_version(module);
            continue;
        }
        llvm!(shim::bs_shim_adopt_attributes(primal.0, function.0));
        emit_known(module, known, helper, primal, extraction);
        write(module, helper, function, None, BTreeMap::new(), extraction);
    }
}

fn called_names(function: &Function) -> Vec<String> {
    function.insts.iter().filter_map(|inst| inst.callee_name().map(str::to_owned)).collect()
}

/// A reference to the symbol that names the runtime's version: linking against another version fails by that name.
fn refer_to_version(module: Module) {
    if module.global(RUNTIME_VERSION).is_none() {
        let word = llvm!(LLVMInt32TypeInContext(module.context()));
        let version = llvm!(LLVMAddGlobal(module.0, word, c_string(RUNTIME_VERSION).as_ptr()));
        llvm!(shim::bs_shim_append_used(module.0, Value(version).0));
    }
}

/// The runtime defines it; its number is that of the layout which `fast_path.txt` is written for.
const RUNTIME_VERSION: &str = "bs_rt_abi_3";

pub fn declare_function(module: Module, derived: &Function) -> Value {
    let context = module.context();
    let params: Vec<Ty> = derived.params.iter().map(|param| write_type(context, &param.ty)).collect();
    let ty = Ty::function(write_type(context, &derived.ret), &params, false);
    let function = module.add_function(&derived.name, ty);
    if !derived.is_declaration() {
        llvm!(LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage));
    }
    for attribute in &derived.attributes {
        add_promise(module, function, attribute);
    }
    function
}

/// An attribute of a function that has a name and nothing else.
pub fn add_promise(module: Module, function: Value, name: &str) {
    let kind = llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
    let attribute = llvm!(LLVMCreateEnumAttribute(module.context(), kind, 0));
    llvm!(LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, attribute));
}

fn write(
    module: Module,
    derived: &Function,
    function: Value,
    primal: Option<Primal>,
    places: BTreeMap<Loc, Value>,
    extraction: &Extraction,
) {
    let mut writer = FunctionWriter {
        module,
        derived,
        function,
        builder: Builder::new(module.context()),
        constants: ConstantWriter { module, index: &extraction.index },
        primal,
        values: HashMap::new(),
        blocks: HashMap::new(),
        places,
    };
    writer.write_body();
}

fn places_of(extraction: &Extraction, primal: &str, index: &FunctionIndex) -> BTreeMap<Loc, Value> {
    let Some(model) = extraction.program.function(primal) else { return BTreeMap::new() };
    model.inst_ids().filter_map(|id| Some((model.inst(id)?.loc?, index.value(id)))).collect()
}

impl FunctionWriter<'_> {
    fn write_body(&mut self) {
        for (id, value) in self.derived.param_ids().zip(self.function.params()) {
            if let Some(name) = &self.derived.params[id.0 as usize].name {
                value.set_name(name);
            }
            self.values.insert(id, value);
        }
        for (id, block) in self.derived.block_ids().zip(&self.derived.blocks) {
            let name = c_string(block.name.as_deref().unwrap_or(""));
            let raw =
                llvm!(LLVMAppendBasicBlockInContext(self.module.context(), self.function.0, name.as_ptr()));
            self.blocks.insert(id, Block(raw));
        }
        let flow = Flow::of(self.derived);
        for block in flow.dominator_order() {
            self.builder.at_end(self.blocks[&block]);
            for id in &self.derived.block(block).insts {
                self.write_inst(*id);
            }
        }
        self.fill_phis(&flow);
        self.drop_unreachable(&flow);
    }

    fn write_inst(&mut self, id: ValueId) {
        let Some(inst) = self.derived.inst(id) else { return };
        let place = inst.loc.and_then(|loc| self.places.get(&loc).copied());
        let place = place.or_else(|| self.places.values().next().copied());
        if let Some(place) = place {
            self.builder.locate_like(place);
        }
        let value = match inst.origin {
            Some(origin) if super::instructions::is_cloned(&inst.op) && self.is_as_written(origin, inst) => {
                self.clone_inst(origin, inst)
            }
            _ => self.build_inst(inst),
        };
        self.values.insert(id, value);
    }

    pub fn operand(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Value(id) => self.values[id],
            Operand::Const(constant) => self.constants.write(constant),
        }
    }

    /// Phis get their operands when all values exist.
    fn fill_phis(&self, flow: &Flow) {
        for block in flow.dominator_order() {
            for id in &self.derived.block(block).insts {
                let Some(inst) = self.derived.inst(*id) else { continue };
                let Op::Phi { from } = &inst.op else { continue };
                let mut values: Vec<_> = inst.operands.iter().map(|x| self.operand(x).0).collect();
                let mut blocks: Vec<_> = from.iter().map(|block| self.blocks[block].0).collect();
                let count = values.len() as u32;
                let phi = self.values[id];
                llvm!(LLVMAddIncoming(phi.0, values.as_mut_ptr(), blocks.as_mut_ptr(), count));
            }
        }
    }

    /// Blocks that nothing leads to were not written; LLVM wants none that are empty.
    fn drop_unreachable(&self, flow: &Flow) {
        for (id, block) in &self.blocks {
            if !flow.is_reachable(*id) {
                llvm!(LLVMDeleteBasicBlock(block.0));
            }
        }
    }
}
