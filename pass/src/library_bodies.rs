//! Bodies for calls of the languages' runtime libraries, written in `pass/bodies`, for the copy to be differentiated.
//!
//! Invariant: the module is as before once the bodies are dropped; a call keeps its own callee where there is no body.

use std::collections::HashSet;
use std::sync::OnceLock;

use llvm_sys::core::*;
use llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMTypeKind};

use crate::lane_functions::name_lane_function;
use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};
use crate::tied::Untied;

/// The compiled bodies; `build.rs` makes them.
const BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bodies.bc"));
/// A body is named like the function it is for, after this.
const PREFIX: &str = "backsweep.body.";

/// Names of functions of flang's runtime, of libstdc++, of the OpenMP runtime and of BLAS begin so.
const LIBRARIES: [&str; 5] = ["_Fortran", "_ZSt", "_ZNSt", "__kmpc_", "cblas_"];
/// Others end so: BLAS by its Fortran names, and the C library.
const OTHERS: [&str; 5] = ["_", "qsort", "bsearch", "posix_memalign", "reallocarray"];
/// What derivatives call of our runtime, and has derivatives of its own where they are differentiated once more.
const OURS: &str = "bs_rt_digamma";

/// What links the nodes of a container of libstdc++ has one of these in its name.
const CONTAINERS: [&str; 2] = ["_Rb_tree_node_base", "_List_node_base"];

/// The functions that came with bodies.
pub struct LibraryBodies {
    module: Module,
    linked: Vec<Value>,
    /// Functions that turned out to have no body.
    unknown: HashSet<Value>,
    /// Copies of functions of the program that cannot be inlined as they are.
    pub untied: Untied,
}

impl LibraryBodies {
    pub fn new(module: Module) -> LibraryBodies {
        LibraryBodies { module, linked: Vec::new(), unknown: HashSet::new(), untied: Untied::new(module) }
    }

    /// Bodies allocate where a runtime library would; and what a descriptor holds is known behind an automatic array, too.
    pub fn describe_calls(&self, copy: Value) {
        llvm!(shim::bs_shim_set_stack_aside(copy.0, true));
        if self.are_used() {
            llvm!(shim::bs_shim_describe_allocators(copy.0));
        }
    }

    /// The call as one of a body of ours, where there is one for its callee.
    pub fn give_body(&mut self, call: Value) -> Value {
        let call = name_lane_function(self.module, call);
        let callee = call.callee();
        let is_library = callee.as_function().is_some()
            && callee.is_declaration()
            && is_library_name(&callee.name())
            && !self.unknown.contains(&callee);
        if !is_library {
            return call;
        }
        let name = format!("{PREFIX}{}", callee.name());
        let body = self.module.function(&name).or_else(|| self.link(&name, callee));
        match body.map(|body| (body, fit(call, body))) {
            Some((body, Fit::Same)) => {
                call.set_callee(body);
                call
            }
            Some((body, Fit::LengthsBehind)) => self.drop_lengths(call, body),
            Some((_, Fit::Not)) | None => {
                self.unknown.insert(callee);
                call
            }
        }
    }

    /// A call without the lengths of texts, where texts are single letters.
    fn drop_lengths(&self, call: Value, body: Value) -> Value {
        let builder = Builder::new(self.module.context());
        builder.before(call);
        builder.locate_like(call);
        let count = body.params().len() as u32;
        let mut arguments: Vec<_> = (0..count).map(|index| call.operand(index).0).collect();
        let ty = body.function_type();
        let shorter =
            llvm!(LLVMBuildCall2(builder.0, ty.0, body.0, arguments.as_mut_ptr(), count, c"".as_ptr()));
        call.replace_all_uses(Value(shorter));
        call.erase();
        Value(shorter)
    }

    /// Whether the module has any of them.
    pub fn are_used(&self) -> bool {
        !self.linked.is_empty()
    }

    fn link(&mut self, name: &str, callee: Value) -> Option<Value> {
        if !has_body(&callee.name()) {
            return None;
        }
        let before: HashSet<Value> = self.module.functions().into_iter().collect();
        let declared = self.module.add_function(name, callee.function_type());
        let linked = llvm!(shim::bs_shim_link_bodies(self.module.0, BITCODE.as_ptr().cast(), BITCODE.len()));
        let body = self.module.function(name).filter(|body| linked && !body.is_declaration());
        if body.is_none() {
            llvm!(LLVMDeleteFunction(declared.0));
        }
        let new = self.module.functions().into_iter().filter(|function| !before.contains(function));
        for function in new.filter(|function| !function.is_declaration()) {
            llvm!(LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage));
            // Nothing is caught in a body; whose it is would become what the caller is.
            llvm!(LLVMSetPersonalityFn(function.0, std::ptr::null_mut()));
            if is_container(callee) || is_fortran(callee) {
                mark_elements(function, is_container(callee));
            }
            self.linked.push(function);
        }
        body
    }

    /// Deletes the bodies that nobody calls, which are all that were inlined.
    pub fn drop_unused(mut self, context: *mut shim::Context) {
        loop {
            let (unused, used): (Vec<Value>, Vec<Value>) =
                self.linked.iter().partition(|function| function.users().is_empty());
            for function in &unused {
                function.delete_function(context);
            }
            self.linked = used;
            if unused.is_empty() {
                break;
            }
        }
        self.untied.drop_unused(context);
    }
}

/// Whether a body links the nodes of a container of libstdc++, and looks at nothing that the user keeps in them.
fn is_container(callee: Value) -> bool {
    CONTAINERS.iter().any(|node| callee.name().contains(node))
}

/// Whether a body works on array descriptors: elements are moved by the type that stands there.
fn is_fortran(callee: Value) -> bool {
    callee.name().starts_with("_Fortran")
}

/// What there is beside pointers in nodes of containers are colours and numbers of elements; in descriptors it is bounds, and
/// an element of an array is moved as an integer where its type is one. An index to a float stays in its array, whatever lies beside that,
/// and so does the side of a node that says which of its links is meant.
fn mark_elements(function: Value, links_nodes: bool) {
    for inst in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        let moved = match inst.opcode() {
            LLVMOpcode::LLVMLoad => inst.ty(),
            LLVMOpcode::LLVMStore => inst.operand(0).ty(),
            _ => continue,
        };
        match moved.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => llvm!(shim::bs_shim_mark_integer(inst.0)),
            LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind => {
                llvm!(shim::bs_shim_mark_stepped(inst.0));
            }
            LLVMTypeKind::LLVMPointerTypeKind if links_nodes => llvm!(shim::bs_shim_mark_stepped(inst.0)),
            _ => {}
        }
    }
}

fn is_library_name(name: &str) -> bool {
    LIBRARIES.iter().any(|prefix| name.starts_with(prefix))
        || OTHERS.iter().any(|suffix| name.ends_with(suffix))
        || name.starts_with(OURS)
}

/// How a call fits a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Same,
    /// Fortran passes the lengths of texts behind all other arguments; C programs that call Fortran may leave them out.
    LengthsBehind,
    Not,
}

fn fit(call: Value, body: Value) -> Fit {
    let params: Vec<Ty> = body.params().iter().map(|param| param.ty()).collect();
    let given: Vec<Ty> = (0..call.argument_count()).map(|index| call.operand(index).ty()).collect();
    let returned = body.function_type().return_type() == call.ty();
    if !returned
        || !given.starts_with(&params)
        || call.opcode() == LLVMOpcode::LLVMInvoke && given.len() > params.len()
    {
        return Fit::Not;
    }
    let lengths = &given[params.len()..];
    let is_length = |ty: &Ty| ty.kind() == LLVMTypeKind::LLVMIntegerTypeKind;
    match lengths {
        [] if !call.callee().function_type().is_variadic() => Fit::Same,
        _ if !lengths.is_empty() && lengths.iter().all(is_length) => Fit::LengthsBehind,
        _ => Fit::Not,
    }
}

/// Whether there is a body for a function: its name stands in the bitcode, in a list of names without marks between them. A program
/// calls hundreds of functions, so what begins as a body's name does is looked for once.
fn has_body(function: &str) -> bool {
    static NAMES: OnceLock<Vec<&[u8]>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let starts = (PREFIX.len()..=BITCODE.len()).filter(|at| BITCODE[..*at].ends_with(PREFIX.as_bytes()));
        starts.map(|at| &BITCODE[at..]).collect()
    });
    names.iter().any(|name| name.starts_with(function.as_bytes()))
}
