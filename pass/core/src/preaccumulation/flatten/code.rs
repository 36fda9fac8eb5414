//! Straight-line code as flattening sees it: what computes, what reads and writes memory, what cannot be looked into.
//!
//! Every step runs once, in order. Labels are terms over the local partial derivatives of the region.

use crate::model::ValueId;
use crate::preaccumulation::terms::{Label, Terms};

#[derive(Clone, Debug)]
pub struct Code {
    pub steps: Vec<Step>,
    pub terms: Terms,
}

/// A float of the function: a value, or a field of one that is a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value {
    pub id: ValueId,
    pub part: u8,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub value: Value,
    pub action: Action,
    /// What it depends on with a derivative that is not zero everywhere; active values only.
    pub operands: Vec<(Source, Label)>,
    /// Somebody beyond these steps asks for what it computes or writes; who among them does is not counted.
    pub wanted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Compute,
    /// The same value under another name.
    Copy,
    /// A cell of memory is read.
    Read,
    /// A cell is overwritten, by an active value or by a constant.
    Write,
    /// Something that is not looked into and may do anything: no graph goes beyond it.
    Barrier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// What an earlier step computed or read.
    Step(usize),
    /// A value from before these steps.
    Outside(Value),
}

/// How the cells of two accesses lie to each other, in one run of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They have no byte in common.
    Apart,
    /// They are the same cell, of the same type.
    Same,
    /// Neither is certain.
    Unclear,
}

/// What is known of the memory that steps touch. The safe answer is [`Relation::Unclear`].
pub trait Cells {
    fn relation(&self, first: ValueId, second: ValueId) -> Relation;
}

/// Memory that is left to those who read and write it: each read is an input of its own, and what is written an output.
pub struct Apart;

impl Cells for Apart {
    fn relation(&self, first: ValueId, second: ValueId) -> Relation {
        if first == second { Relation::Same } else { Relation::Apart }
    }
}

impl Value {
    pub fn whole(id: ValueId) -> Value {
        Value { id, part: 0 }
    }
}
