//! What called functions make of what they are given.
//!
//! A called function is traced from those of its inputs that depend on a source at the call, so that a factor which is
//! constant there is a constant, and what comes out is put together with what went in. Each combination is traced once.
//! Functions that call each other again with the same inputs, while these are traced, are taken for nonlinear.
//! Safe error: nonlinear.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::depends::{Depends, Source};
use super::trace::{Ground, Seed, Seeds, Trace, trace};
use crate::analyses::memory::touch::{Kind, Spot, TouchId};
use crate::analyses::summarise::Bodies;
use crate::analyses::summary::{Input, Output};
use crate::model::{Inst, Op, ValueId};

/// Knows called functions.
pub trait Callees {
    /// What a call returns and leaves in each place that it writes; empty where nothing is known.
    fn called(&self, at: &Trace, id: ValueId, inst: &Inst) -> BTreeMap<Output, Depends>;
}

/// Traces the functions that one function may reach.
pub struct Linearity<'b, 'a> {
    bodies: &'b Bodies<'a>,
    grounds: RefCell<BTreeMap<String, Rc<Ground<'b, 'a>>>>,
    known: RefCell<BTreeMap<Question, Option<Rc<Outputs>>>>,
}

/// What a function makes of some inputs; the answer is `None` while it is being found.
type Question = (String, BTreeSet<Input>);

/// By each output, how it depends on the inputs, which are numbered as they stand in their set.
type Outputs = BTreeMap<Output, Depends>;

impl<'b, 'a> Linearity<'b, 'a> {
    pub fn of(bodies: &'b Bodies<'a>) -> Linearity<'b, 'a> {
        Linearity { bodies, grounds: RefCell::default(), known: RefCell::default() }
    }

    /// `None` where the function has no body.
    pub fn ground(&self, name: &str) -> Option<Rc<Ground<'b, 'a>>> {
        if let Some(known) = self.grounds.borrow().get(name) {
            return Some(Rc::clone(known));
        }
        let ground = Rc::new(Ground::of(self.bodies.body(name)?));
        self.grounds.borrow_mut().insert(name.to_owned(), Rc::clone(&ground));
        Some(ground)
    }

    pub fn trace<'g>(&self, ground: &'g Ground<'b, 'a>, seeds: Seeds) -> Trace<'g, 'b, 'a> {
        trace(ground, seeds, self)
    }

    fn outputs(&self, name: &str, inputs: &BTreeSet<Input>) -> Option<Rc<Outputs>> {
        let key = (name.to_owned(), inputs.clone());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        self.known.borrow_mut().insert(key.clone(), None);
        let found = self.find_outputs(name, inputs).map(Rc::new);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_outputs(&self, name: &str, inputs: &BTreeSet<Input>) -> Option<Outputs> {
        let ground = self.ground(name)?;
        let (body, summary) = (ground.body, self.bodies.summaries.get(name)?);
        let place = |touch: TouchId| self.bodies.place(name, touch);
        let finds_callers = |read: TouchId| {
            let found = ground.reaching.found(read);
            found.iter().any(|found| body.touch(found.write).spot == Spot::Entry)
        };
        let mut seeds = Seeds::new();
        for (number, input) in inputs.iter().enumerate() {
            let source = BTreeSet::from([Source(number as u32)]);
            match input {
                Input::Param(at) => drop(seeds.insert(Seed::Value(ValueId(*at as u32)), source)),
                Input::Place(at) => {
                    let reads = body.touch_ids().filter(|touch| body.touch(*touch).kind == Kind::Read);
                    let reads = reads.filter(|read| place(*read) == Some(*at) && finds_callers(*read));
                    seeds.extend(reads.map(|read| (Seed::Touch(read), source.clone())));
                }
            }
        }
        let traced = self.trace(&ground, seeds);
        let mut outputs = BTreeMap::new();
        for write in body.touch_ids().filter(|touch| body.touch(*touch).kind == Kind::Write) {
            if let Some(at) = place(write) {
                outputs.entry(Output::Place(at)).or_insert_with(Depends::default).join(traced.touch(write));
            }
        }
        for (at, _) in summary.places.iter().enumerate().filter(|(_, place)| place.written) {
            outputs.entry(Output::Place(at)).or_default();
        }
        outputs.insert(Output::Result, returned(&traced));
        Some(outputs)
    }
}

/// What a function returns.
pub fn returned(traced: &Trace) -> Depends {
    let body = traced.body();
    let returns: Vec<(ValueId, &Inst)> =
        body.insts().filter(|(_, inst)| matches!(inst.op, Op::Ret)).collect();
    returns.iter().fold(Depends::default(), |all, (id, inst)| {
        let value = inst.operands.first().map_or_else(Depends::default, |value| traced.operand(value));
        // Which of several is reached is decided on the way.
        let block = body.nesting.home(*id).filter(|_| returns.len() > 1);
        all.or(&value).or(&block.map_or_else(Depends::default, |block| traced.steering(block)))
    })
}

impl Callees for Linearity<'_, '_> {
    fn called(&self, at: &Trace, id: ValueId, inst: &Inst) -> BTreeMap<Output, Depends> {
        let none = BTreeMap::new();
        let body = at.body();
        let (Some(name), Some(_)) = (inst.callee_name(), body.callee(inst)) else { return none };
        let mut given: BTreeMap<Input, Depends> = BTreeMap::new();
        for (number, argument) in inst.arguments().iter().enumerate() {
            given.insert(Input::Param(number), at.operand(argument));
        }
        for read in body.touches_of(id, Kind::Read) {
            let Some(place) = body.touch(read).place else { return none };
            given.entry(Input::Place(place)).or_default().join(&at.touched(read));
        }
        given.retain(|_, depends| !depends.is_constant());
        let inputs: BTreeSet<Input> = given.keys().cloned().collect();
        let Some(outputs) = self.outputs(name, &inputs) else { return none };
        let given = given.into_values().enumerate().map(|(number, depends)| (Source(number as u32), depends));
        let given: BTreeMap<Source, Depends> = given.collect();
        outputs.iter().map(|(output, depends)| (output.clone(), depends.compose(&given))).collect()
    }
}
