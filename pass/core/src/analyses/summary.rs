//! What a called function does to its caller: the paper's *Dep*, *use*, *out* and *kill* of a function, in terms of its
//! parameters and of globals.
//!
//! Invariant: nothing in it names an instruction. A function of which no summary is known may do anything.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::memory::address::Span;
use super::pointers::Base;
use crate::model::Function;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub places: Vec<Place>,
    /// *Dep*: which inputs each output depends on, control included.
    pub depends: BTreeMap<Output, BTreeSet<Input>>,
    /// The inputs that decide where it goes and which memory it touches: a run of it needs them, whatever its outputs are
    /// used for.
    pub steers: BTreeSet<Input>,
    /// Which inputs a derivative of each output goes back to.
    pub carries: BTreeMap<Output, BTreeSet<Input>>,
    /// Parameters that may be remembered where pointers are not followed.
    pub captures: BTreeSet<usize>,
    /// Whether it has to run even where nobody looks at its outputs.
    pub effects: bool,
}

/// Memory of the caller, by where it lies behind a parameter or in a global; `Base::Unknown` is all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub base: Base,
    pub span: Span,
    /// *use*: what it held before the call may be read.
    pub used: bool,
    /// *out*: it may be overwritten.
    pub written: bool,
    /// *kill*: it is overwritten as a whole, whatever happens.
    pub killed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Output {
    Result,
    /// What it leaves in the place of that number.
    Place(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// The value of a parameter.
    Param(usize),
    /// What it finds in the place of that number.
    Place(usize),
}

/// Those of the functions summarised so far.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    by_name: BTreeMap<String, Rc<Summary>>,
}

impl Summaries {
    pub fn get(&self, name: &str) -> Option<&Summary> {
        self.by_name.get(name).map(|summary| &**summary)
    }

    /// Returns whether that is news.
    pub fn insert(&mut self, name: &str, summary: Summary) -> bool {
        let new = self.get(name) != Some(&summary);
        self.by_name.insert(name.into(), Rc::new(summary));
        new
    }

    pub fn remove(&mut self, name: &str) {
        self.by_name.remove(name);
    }

    /// Those of what a function calls.
    pub fn of_calls(&self, function: &Function) -> BTreeMap<String, Rc<Summary>> {
        let names = function.insts.iter().filter_map(|inst| inst.callee_name());
        names.filter_map(|name| Some((name.to_owned(), Rc::clone(self.by_name.get(name)?)))).collect()
    }
}

impl Summary {
    pub fn depends(&self, output: &Output) -> impl Iterator<Item = &Input> {
        self.depends.get(output).into_iter().flatten()
    }

    pub fn carries(&self, output: &Output) -> impl Iterator<Item = &Input> {
        self.carries.get(output).into_iter().flatten()
    }
}
