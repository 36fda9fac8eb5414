//! LLVM IR → model. The only reader of LLVM's instructions and analyses.
//!
//! Invariant: nothing is left out. What the model has no word for becomes `Op::Opaque` or `Constant::Opaque` with
//! the reason, so that it can be refused if, and only if, it turns out to carry a derivative.

mod address_taken;
mod constants;
mod declared;
mod facts;
mod functions;
mod globals;
mod index;
mod operations;
mod places;
mod scev;
mod types;

pub use declared::Declared;
pub use index::{FunctionIndex, Index};
pub use types::read_type;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use backsweep_core::check::check_settled;
use backsweep_core::kinds::{find_halves, is_settled, move_words, settle_kinds, takes_floats_for_integers};
use backsweep_core::model::{Function, Op, Program, Type};

use crate::known::Known;
use crate::llvm::{Module, Value, llvm, shim};
use crate::prepare::{COPY, Prepared};
use globals::Names;
use places::Files;

/// The model of some functions of a module, with the way back to LLVM.
pub struct Extraction {
    pub program: Program,
    pub index: Index,
}

/// What every part of extraction may ask.
struct Reader {
    module: Module,
    context: *mut shim::Context,
    names: Names,
    declared: Declared,
    index: Index,
    /// Whether a derivative is among what is extracted, which holds addresses in ways that the program does not.
    of_derivative: bool,
    /// Metadata among operands, in the order it is met.
    metadata: RefCell<HashMap<Value, usize>>,
}

/// Extracts every function of the module.
pub fn extract_module(module: Module, context: *mut shim::Context) -> Extraction {
    extract_functions(module, context, &module.functions())
}

/// Extracts prepared copies. A function that is still called gets the body of its copy, under its own name.
pub fn extract_prepared(
    module: Module,
    context: *mut shim::Context,
    prepared: &Prepared,
    known: &Known,
) -> Extraction {
    let extraction = extract_settled(module, context, prepared, known);
    if prepared.is_split.get() || !split_halves(&extraction) {
        return extraction;
    }
    prepared.is_split.set(true);
    llvm!(shim::bs_shim_forget_analyses(context, module.0));
    extract_settled(module, context, prepared, known)
}

/// Moves by halves what holds a single float beside something else; whether there was any.
fn split_halves(extraction: &Extraction) -> bool {
    let mut any = false;
    for (name, members) in find_halves(&extraction.program) {
        let Some(map) = extraction.index.function(&name) else { continue };
        let mut raw: Vec<_> = members.into_iter().map(|id| map.value(id).0).collect();
        any |= llvm!(shim::bs_shim_move_by_halves(raw.as_mut_ptr(), raw.len()));
    }
    any
}

fn extract_settled(
    module: Module,
    context: *mut shim::Context,
    prepared: &Prepared,
    known: &Known,
) -> Extraction {
    let mut extraction = extract_functions(module, context, &prepared.copies());
    extraction.program.short_floats = known.short_floats;
    known.inactive.mark(&mut extraction.program);
    known.likes.mark(&mut extraction.program);
    known.custom.mark(&mut extraction.program);
    known.strategies.mark(&mut extraction.program);
    for (original, copy) in &prepared.callees {
        let (name, copy) = (original.name(), copy.name());
        let Some(body) = extraction.program.function(&copy).cloned() else { continue };
        if let Some(map) = extraction.index.function(&copy).cloned() {
            extraction.index.insert(name.clone(), map);
        }
        if let Some(function) = extraction.program.functions.iter_mut().find(|known| known.name == name) {
            let (linkage, attributes) = (function.linkage, function.attributes.clone());
            *function = Function { name, linkage, attributes, ..body };
        }
        // Nobody calls the copy by its own name: it would be a caller of others of whom nobody knows what he returns.
        let functions = &mut extraction.program.functions;
        if let Some(at) =
            functions.iter().position(|known| known.name == copy && copy != prepared.copy.name())
        {
            functions.remove(at);
        }
    }
    let takes_bits = known.takes_bits || takes_floats_for_integers(&extraction.program);
    if takes_bits || known.overlays {
        forget_declarations(&mut extraction.program, takes_bits);
    }
    settle(&mut extraction);
    for (name, old) in move_words(&mut extraction.program) {
        extraction.index.renumber(&name, &old);
    }
    extraction
}

/// Where floats are taken by their bits no declaration is believed; where structs of a union may lie on each other, none that
/// says which of them is there.
fn forget_declarations(program: &mut Program, takes_bits: bool) {
    for inst in program.functions.iter_mut().flat_map(|function| &mut function.insts) {
        let integer = matches!(inst.ty.scalar(), Type::Int(_));
        if let Op::Load(access) | Op::Store(access) = &mut inst.op {
            access.integer &= !takes_bits || access.number;
            // That it is read as an integer does not say that one was put there.
            access.untyped |= integer && takes_bits && !access.number;
            access.member = false;
            access.stepped = false;
            access.typed &= !takes_bits;
        }
        if let Op::Call(call) = &mut inst.op {
            call.attributes.retain(|text| !takes_bits || text.trim_matches('"') != "backsweep.integers");
        }
    }
}

/// Says what the program moves without saying. A function of which the checker is not convinced stays as it was written.
fn settle(extraction: &mut Extraction) {
    if is_settled(&extraction.program) {
        return;
    }
    let written = extraction.program.clone();
    let mut origins = settle_kinds(&mut extraction.program);
    for fault in check_settled(&written, &extraction.program, &origins) {
        origins.remove(&fault.function);
        let function = extraction.program.functions.iter_mut().find(|known| known.name == fault.function);
        if let (Some(function), Some(before)) = (function, written.function(&fault.function)) {
            *function = before.clone();
        }
    }
    for (name, origins) in origins {
        extraction.index.renumber(&name, &origins);
    }
}

/// Whether a function is a derivative, or a copy of one.
fn is_of_derivative(name: &str) -> bool {
    name.strip_prefix(COPY).unwrap_or(name).starts_with("backsweep.")
}

/// Extracts the given functions, bodies included, with the globals of the module and declarations of the rest.
pub fn extract_functions(module: Module, context: *mut shim::Context, wanted: &[Value]) -> Extraction {
    let (names, index) = (Names::of(module), Index::default());
    let declared = Declared::of(module);
    let of_derivative = wanted.iter().any(|function| is_of_derivative(&function.name()));
    let mut reader =
        Reader { module, context, names, declared, index, of_derivative, metadata: RefCell::default() };
    let mut files = Files::default();
    let mut program = Program { name: module.source_name(), layout: module.layout(), ..Program::default() };
    program.globals = reader.read_globals();
    program.aliases = reader.read_aliases();
    let wanted: HashSet<Value> = wanted.iter().copied().collect();
    for function in module.functions() {
        let body = wanted.contains(&function) && !function.is_declaration();
        let (extracted, map) = reader.read_function(function, body, &mut files);
        if body {
            reader.index.insert(extracted.name.clone(), map);
        }
        program.functions.push(extracted);
    }
    program.files = files.into_names();
    for (symbol, name) in reader.names.iter() {
        reader.index.insert_symbol(name.clone(), *symbol);
    }
    Extraction { program, index: reader.index }
}
