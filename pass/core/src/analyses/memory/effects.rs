//! What a call does to memory that its attributes promise, and which instructions have to run whatever their result is
//! used for.
//!
//! Safe error: reads and writes everything, and has to run.

use crate::analyses::meaning::{Meaning, meaning};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::model::{Call, Function, Inst, Op, Ordering, Program};
use crate::rules::Rules;

/// Where a call may go, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    pub reads: bool,
    pub writes: bool,
    /// Only behind its pointer arguments.
    pub only_arguments: bool,
    /// Changes a state that no pointer leads to: the next call may answer differently.
    pub hidden: bool,
}

const EVERYTHING: Promise = Promise { reads: true, writes: true, only_arguments: false, hidden: true };

/// Calls that touch no memory a program can see and compute nothing, whatever their attributes say.
const SILENT: [&str; 5] =
    ["llvm.assume", "llvm.lifetime.", "llvm.dbg.", "llvm.experimental.noalias.scope.decl", "llvm.invariant."];

pub fn is_silent(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| SILENT.iter().any(|start| name.starts_with(start)))
}

/// Reads `memory(…)` among the attributes.
pub fn promise_of(call: &Call) -> Promise {
    let text = call.attributes.iter().find_map(|text| text.strip_prefix("memory(")?.strip_suffix(')'));
    let Some(text) = text else { return EVERYTHING };
    let mut promise = Promise { reads: false, writes: false, only_arguments: true, hidden: false };
    for part in text.split(',') {
        let (place, kind) = part.split_once(':').map_or(("", part), |(place, kind)| (place.trim(), kind));
        let (reads, writes) = match kind.trim() {
            "none" => (false, false),
            "read" => (true, false),
            "write" => (false, true),
            _ => (true, true),
        };
        match place {
            // The error number is nobody's input.
            "errnomem" => continue,
            "inaccessiblemem" | "target_mem0" | "target_mem1" => {
                promise.hidden |= writes;
                continue;
            }
            _ => {}
        }
        promise.reads |= reads;
        promise.writes |= writes;
        promise.only_arguments &= place == "argmem" || !(reads || writes);
    }
    promise
}

/// Whether an instruction does more than compute its result and write the memory it is known to write.
pub fn has_effects(inst: &Inst, function: &Function, program: &Program, rules: &Rules) -> bool {
    match &inst.op {
        Op::Load(access)
        | Op::Store(access)
        | Op::AtomicRmw { access, .. }
        | Op::CompareExchange { access } => access.volatile || access.ordering != Ordering::NotAtomic,
        Op::Call(call) => match memory_call(inst) {
            Some(MemoryCall::Free { .. }) => true,
            Some(_) => false,
            None if is_silent(inst) => false,
            None => match meaning(inst, function, program, rules) {
                Meaning::Row { .. } | Meaning::Reduction(_) => false,
                // The called function's own instructions say; whoever asks has its summary.
                Meaning::Call(_) => false,
                _ => {
                    let promise = promise_of(call);
                    let returns = call.attributes.iter().any(|text| text == "willreturn");
                    promise.writes || promise.hidden || !returns
                }
            },
        },
        Op::Fence { .. }
        | Op::VaArg
        | Op::LandingPad { .. }
        | Op::Invoke { .. }
        | Op::CallBr { .. }
        | Op::Resume
        | Op::IndirectBr { .. }
        | Op::Opaque { .. } => true,
        Op::FNeg
        | Op::Float(_)
        | Op::Int(_)
        | Op::Cast(_)
        | Op::ICmp(_)
        | Op::FCmp(_)
        | Op::Select
        | Op::Freeze
        | Op::Attach(_)
        | Op::Phi { .. }
        | Op::ExtractElement
        | Op::InsertElement
        | Op::ShuffleVector { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::Alloca(_)
        | Op::Gep(_)
        | Op::Ret
        | Op::Br { .. }
        | Op::CondBr { .. }
        | Op::Switch { .. }
        | Op::Unreachable => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promise(text: &str) -> Promise {
        promise_of(&Call { arguments: 0, library: false, attributes: vec![text.into()] })
    }

    #[test]
    fn attributes_are_read_place_by_place() {
        let only = |reads, writes| Promise { reads, writes, only_arguments: true, hidden: false };
        assert_eq!(promise("nounwind"), EVERYTHING);
        assert_eq!(promise("memory(none)"), only(false, false));
        assert_eq!(promise("memory(argmem: read)"), only(true, false));
        let allocates = promise("memory(argmem: readwrite, inaccessiblemem: readwrite)");
        assert_eq!(allocates, Promise { hidden: true, ..only(true, true) });
        assert_eq!(promise("memory(errnomem: write)"), only(false, false));
        assert_eq!(promise("memory(read)"), Promise { only_arguments: false, ..only(true, false) });
        let mixed = Promise { only_arguments: false, ..only(true, true) };
        assert_eq!(promise("memory(write, argmem: read)"), mixed);
    }
}
