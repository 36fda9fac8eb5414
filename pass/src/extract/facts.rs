//! Loops, trip counts, addresses, objects and alias answers, as LLVM gives them.

use backsweep_core::model::{
    AliasAnswer, AliasClass, AliasPair, BlockId, Clobber, Function, Loop, LoopId, MemoryFact, Object, Op,
    Operand, Scev, ValueId,
};
use llvm_sys::core::*;

use super::Reader;
use super::functions::Numbering;
use super::index::FunctionIndex;
use super::scev::read_scev;
use crate::llvm::{Block, Value, c_text, llvm, shim};

/// Beyond so many accesses in one function, pairs are not compared: all are in one class, and may alias.
const MOST_COMPARED: usize = 256;

/// Beyond so many answers a function's list is cut; what is not listed may alias.
const MOST_ANSWERS: usize = 4096;

/// LLVM's answers about one function, freed with this value.
pub struct Facts(*mut shim::Facts);

impl Drop for Facts {
    fn drop(&mut self) {
        llvm!(shim::bs_shim_facts_free(self.0));
    }
}

impl Facts {
    pub fn new(context: *mut shim::Context, function: Value) -> Facts {
        Facts(llvm!(shim::bs_shim_facts_new(context, function.0)))
    }

    pub fn is_library_call(&self, call: Value) -> bool {
        llvm!(shim::bs_shim_is_library_call(self.0, call.0))
    }

    /// Writes loops and memory facts into the function.
    pub fn write_into(
        &self,
        reader: &Reader,
        function: &mut Function,
        map: &FunctionIndex,
        numbering: &Numbering,
    ) {
        let operand = |value| reader.read_operand(value, numbering);
        function.loops = self.read_loops(numbering, &operand);
        for id in function.inst_ids() {
            if let Some(fact) = self.read_memory(function, id, reader, map, numbering) {
                function.memory.insert(id, fact);
            }
        }
        self.compare_accesses(function, map);
    }

    fn read_loops(&self, numbering: &Numbering, operand: &dyn Fn(Value) -> Operand) -> Vec<Loop> {
        let count = llvm!(shim::bs_shim_loop_count(self.0));
        let block = |raw| numbering.blocks[&Block(raw)];
        let blocks = |index, which| {
            let raw = shim::gather(|user| {
                llvm!(shim::bs_shim_loop_blocks(self.0, index, which, shim::collect_block, user));
            });
            let mut ids: Vec<BlockId> = raw.into_iter().map(block).collect();
            ids.sort();
            ids
        };
        let read = |index| Loop {
            header: block(llvm!(shim::bs_shim_loop_header(self.0, index))),
            parent: u32::try_from(llvm!(shim::bs_shim_loop_parent(self.0, index))).ok().map(LoopId),
            preheader: {
                let raw = llvm!(shim::bs_shim_loop_preheader(self.0, index));
                (!raw.is_null()).then(|| block(raw))
            },
            blocks: blocks(index, 0),
            latches: blocks(index, 1),
            exiting: blocks(index, 2),
            exits: blocks(index, 3),
            back_edges: take_scev(llvm!(shim::bs_shim_loop_back_edges(self.0, index)), operand),
        };
        (0..count).map(read).collect()
    }

    fn read_memory(
        &self,
        function: &Function,
        id: ValueId,
        reader: &Reader,
        map: &FunctionIndex,
        numbering: &Numbering,
    ) -> Option<MemoryFact> {
        let value = map.value(id);
        let reads = llvm!(shim::bs_shim_reads_memory(value.0));
        let writes = llvm!(shim::bs_shim_writes_memory(value.0));
        if !reads && !writes {
            return None;
        }
        let pointer_index = function.inst(id).and_then(|inst| match inst.op {
            Op::Load(_) | Op::AtomicRmw { .. } | Op::CompareExchange { .. } => Some(0),
            Op::Store(_) => Some(1),
            _ => None,
        });
        let pointer = pointer_index.map(|index| value.operand(index));
        let operand = |value| reader.read_operand(value, numbering);
        Some(MemoryFact {
            reads,
            writes,
            pointer: pointer.map(operand),
            objects: pointer.map(|pointer| objects_of(pointer, reader, numbering)).unwrap_or_default(),
            address: pointer.and_then(|pointer| {
                take_scev(llvm!(shim::bs_shim_address(self.0, pointer.0, value.0)), &operand)
            }),
            class: AliasClass(0),
            clobber: if reads { self.read_clobber(value, numbering) } else { None },
        })
    }

    fn read_clobber(&self, value: Value, numbering: &Numbering) -> Option<Clobber> {
        let (mut instruction, mut merge) = (std::ptr::null_mut(), std::ptr::null_mut());
        if !llvm!(shim::bs_shim_clobber(self.0, value.0, &mut instruction, &mut merge)) {
            return None;
        }
        Some(if !merge.is_null() {
            Clobber::Merge(numbering.blocks[&Block(merge)])
        } else if !instruction.is_null() {
            Clobber::Inst(numbering.values[&Value(instruction)])
        } else {
            Clobber::Entry
        })
    }

    /// Splits the accesses into classes that never overlap, and lists what is known within a class.
    fn compare_accesses(&self, function: &mut Function, map: &FunctionIndex) {
        let accesses: Vec<ValueId> = function.memory.keys().copied().collect();
        if accesses.len() > MOST_COMPARED {
            return;
        }
        let mut class: Vec<usize> = (0..accesses.len()).collect();
        let mut answers = Vec::new();
        for (j, second) in accesses.iter().enumerate() {
            for (i, first) in accesses[..j].iter().enumerate() {
                let answer = llvm!(shim::bs_shim_alias(self.0, map.value(*first).0, map.value(*second).0));
                if answer != 0 {
                    let (from, to) = (class[j], class[i]);
                    class.iter_mut().filter(|at| **at == from).for_each(|at| *at = to);
                }
                let known = match answer {
                    0 => AliasAnswer::No,
                    2 => AliasAnswer::Partial,
                    3 => AliasAnswer::Must,
                    _ => continue,
                };
                answers.push((i, j, AliasPair { first: *first, second: *second, answer: known }));
            }
        }
        let mut order: Vec<usize> = class.clone();
        order.sort_unstable();
        order.dedup();
        for (at, id) in accesses.iter().enumerate() {
            let number = order.binary_search(&class[at]).expect("every class is listed");
            if let Some(fact) = function.memory.get_mut(id) {
                fact.class = AliasClass(number as u32);
            }
        }
        let within = answers.into_iter().filter(|(i, j, _)| class[*i] == class[*j]).map(|(_, _, pair)| pair);
        function.aliases = within.take(MOST_ANSWERS).collect();
    }
}

fn take_scev(text: *mut std::ffi::c_char, operand: &dyn Fn(Value) -> Operand) -> Option<Scev> {
    let copy = c_text(text).unwrap_or_default();
    llvm!(shim::bs_shim_text_free(text));
    read_scev(&copy, operand)
}

/// The objects a pointer can lead into; empty where one of them is not even a pointer we know.
fn objects_of(pointer: Value, reader: &Reader, numbering: &Numbering) -> Vec<Object> {
    let raw = shim::gather(|user| {
        llvm!(shim::bs_shim_underlying_objects(pointer.0, shim::collect_value, user));
    });
    let mut objects = Vec::new();
    for value in raw.into_iter().map(Value) {
        if let Some(id) = numbering.values.get(&value) {
            objects.push(if value.is_argument() {
                Object::Param(*id)
            } else if is_allocation(value) {
                Object::Local(*id)
            } else {
                Object::Through(*id)
            });
        } else if value.as_global().is_some() || value.as_function().is_some() {
            objects.push(Object::Global(reader.names.get(value)));
        } else if llvm!(LLVMIsNull(value.0)) == 0 && !value.is_undef() {
            return Vec::new();
        }
    }
    objects.sort();
    objects.dedup();
    objects
}

/// A stack slot, or a call whose result nothing else points to.
fn is_allocation(value: Value) -> bool {
    value.opcode() == llvm_sys::LLVMOpcode::LLVMAlloca
        || (value.is_call()
            && (value.attributes(0).iter().any(|text| text == "noalias")
                || value
                    .callee()
                    .as_function()
                    .is_some_and(|callee| callee.attributes(0).iter().any(|text| text == "noalias"))))
}
