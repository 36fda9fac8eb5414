//! The shadow of each active global, and what its pointers hold at the start.

use std::collections::BTreeMap;

use super::Decision;
use crate::analyses::activity::Activity;
use crate::analyses::descriptors::find_descriptors;
use crate::analyses::globals::Globals;
use crate::analyses::pointers::Base;
use crate::model::{GlobalDerivative, Program};
use crate::request::{Mode, Request};

/// Where the shadow of a global lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalShadow {
    /// In a global that the user declared: added to, like the shadow of an argument.
    Declared(String),
    /// Handed over by the caller, whose derivative made it.
    Given,
    /// It is its own, as tables of classes are.
    Itself,
    /// In a stack slot of the derivative, of that many bytes, from zero.
    Slot { bytes: u64 },
    /// On the heap, of that many bytes, from zero; freed at the end.
    Heap { bytes: u64 },
}

/// A pointer in an active global whose shadow is made: where the pointer lies, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerIn {
    pub global: String,
    pub offset: u64,
    pub leads_to: LeadsTo,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeadsTo {
    /// Into that global, so many bytes from its start, always.
    Place { global: String, bytes: i64 },
    /// Into one of the active globals, or elsewhere: looked up when the derivative runs.
    Lookup,
    /// To the elements of a Fortran array, whose descriptor stands here: they get a shadow when the derivative begins.
    Elements,
}

/// More comparisons at the start of a derivative are not made.
const MOST_LOOKUPS: usize = 4096;

/// A larger shadow is not put on the stack.
const LARGEST_SLOT: u64 = 4096;

pub fn plan_globals(
    program: &Program,
    request: &Request,
    activity: &Activity,
) -> BTreeMap<String, Decision<GlobalShadow>> {
    let globals = Globals::of(program);
    let names = activity.memory().filter_map(|base| match base {
        Base::Global(name) => Some(name.clone()),
        _ => None,
    });
    names.map(|name| (name.clone(), decide(&globals, request, &name))).collect()
}

fn decide(globals: &Globals, request: &Request, name: &str) -> Decision<GlobalShadow> {
    let global = globals.get(name);
    if let Some(GlobalDerivative::Declared(shadow)) = global.map(|global| &global.derivative) {
        let choice = GlobalShadow::Declared(shadow.clone());
        return Decision { choice, reason: "the user declared it".into() };
    }
    if globals.stands_for_itself(name) {
        return Decision { choice: GlobalShadow::Itself, reason: "nobody keeps a number there".into() };
    }
    if request.globals.iter().any(|given| given == name) {
        return Decision { choice: GlobalShadow::Given, reason: "the caller has it".into() };
    }
    let bytes = global.and_then(|global| globals.bytes(global)).unwrap_or_default();
    let (choice, reason) = match request.mode {
        Mode::Augmented | Mode::Reverse => {
            (GlobalShadow::Heap { bytes }, "the second half finds it where the first half left it")
        }
        Mode::Gradient | Mode::Tangent if bytes > LARGEST_SLOT => {
            (GlobalShadow::Heap { bytes }, "too large for the stack")
        }
        Mode::Gradient | Mode::Tangent => (GlobalShadow::Slot { bytes }, "belongs to this call"),
    };
    Decision { choice, reason: format!("{reason}; what the global holds on entry is a constant") }
}

/// The pointers in active globals, in order, whose shadows are filled in before anything else happens.
pub fn find_pointers_in(
    program: &Program,
    shadows: &BTreeMap<String, Decision<GlobalShadow>>,
    mode: Mode,
) -> Vec<PointerIn> {
    let globals = Globals::of(program);
    // What is made for arrays is given back where the derivative ends, so it has to end here.
    let ends_here = matches!(mode, Mode::Gradient | Mode::Tangent);
    let (mut found, mut lookups) = (Vec::new(), 0);
    for (name, decision) in shadows {
        let made = matches!(decision.choice, GlobalShadow::Slot { .. } | GlobalShadow::Heap { .. });
        let Some(global) = globals.get(name).filter(|_| made) else { continue };
        let cells = globals.pointer_cells(global).unwrap_or_default();
        let arrays = match ends_here && !global.constant {
            true => find_descriptors(global, globals.layout()),
            false => Vec::new(),
        };
        if !global.constant {
            lookups += cells.len().saturating_sub(arrays.len()) * shadows.len();
        }
        // Where a shadow is not filled in it is null, which is noticed when it is used.
        for cell in cells.into_iter().filter(|cell| lookups <= MOST_LOOKUPS || arrays.contains(&cell.offset))
        {
            let leads_to = match cell.leads_to.filter(|_| global.constant) {
                Some((to, _)) if !shadows.contains_key(&to) => continue,
                Some((to, bytes)) => LeadsTo::Place { global: to, bytes },
                None if global.constant => continue,
                None if arrays.contains(&cell.offset) => LeadsTo::Elements,
                None => LeadsTo::Lookup,
            };
            found.push(PointerIn { global: name.clone(), offset: cell.offset, leads_to });
        }
    }
    found
}
