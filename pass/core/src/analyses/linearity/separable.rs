//! Is a number a sum of terms that depend on few inputs each?
//!
//! Value + function → its [`Term`]s, each with the inputs it depends on, element by element: the row of the Jacobian of the
//! vector of all terms. A sum over a loop is one term, once for each iteration. Such a function is partially separable
//! (section 3), and the rows say how sparse that Jacobian is.
//! Terms are what is left after sums, differences and factors that depend on no input, in registers and in memory.
//! Safe error: more inputs.

use std::collections::{BTreeMap, BTreeSet};

use super::algebra::{Algebra, algebra_of};
use super::carried::Iteration;
use super::trace::{Ground, Trace};
use crate::analyses::meaning::Meaning;
use crate::analyses::memory::touch::{Kind, Spot, TouchId};
use crate::analyses::pointers::Base;
use crate::dependence::access::name_operand;
use crate::dependence::atoms::Key;
use crate::dependence::nest::Dependences;
use crate::dependence::subscripts::{Named, find_subscript};
use crate::model::{Inst, LoopId, Op, Operand, ValueId};
use crate::rules::Shape;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub value: ValueId,
    /// The loops it is summed over, outermost first.
    pub loops: Vec<LoopId>,
    pub inputs: BTreeSet<Element>,
}

/// An input of a term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// A number behind a parameter, by its index, in which the loops' counters are `i`, `j`, `k` from the outside.
    Of { param: ValueId, index: String },
    /// One of them, which one the load knows at run time only.
    OneOf { param: ValueId, load: ValueId },
    /// A parameter that is a number.
    Whole(ValueId),
    /// Whatever other iterations, inner loops, called functions or earlier writes of memory made.
    Many(ValueId),
}

impl Term {
    /// How many numbers it depends on, where that is known.
    pub fn width(&self) -> Option<usize> {
        let many = self.inputs.iter().any(|input| matches!(input, Element::Many(_)));
        (!many).then_some(self.inputs.len())
    }
}

/// What a value is the sum of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// In the order of the program.
    pub terms: Vec<Term>,
    /// Whether a loop goes on with it.
    pub runs: bool,
}

pub fn find_sum(ground: &Ground, traced: &Trace, dependences: &Dependences, value: &Operand) -> Sum {
    let (seen, terms, runs) = (BTreeSet::new(), BTreeMap::new(), false);
    let mut splitter = Splitter { ground, traced, dependences, seen, terms, runs };
    splitter.split(value);
    let terms = std::mem::take(&mut splitter.terms);
    let terms = terms.into_iter().map(|(value, roots)| splitter.describe(value, &roots)).collect();
    Sum { terms, runs: splitter.runs }
}

/// The name of a loop's counter.
pub fn counter_name(depth: usize) -> String {
    let letters = ["i", "j", "k", "l", "m"];
    letters.get(depth).map_or_else(|| format!("i{}", depth + 1), |letter| (*letter).into())
}

struct Splitter<'s, 'b, 'a> {
    ground: &'s Ground<'b, 'a>,
    traced: &'s Trace<'s, 'b, 'a>,
    dependences: &'s Dependences<'a>,
    seen: BTreeSet<ValueId>,
    /// Each with what it is made of.
    terms: BTreeMap<ValueId, Vec<ValueId>>,
    runs: bool,
}

/// What one step of taking a sum apart leaves.
struct Parts {
    summands: Vec<Operand>,
    /// What is multiplied to one more summand.
    factors: Vec<Operand>,
}

impl Splitter<'_, '_, '_> {
    fn is_constant(&self, operand: &Operand) -> bool {
        self.traced.operand(operand).is_constant()
    }

    fn split(&mut self, operand: &Operand) {
        let Some(id) = operand.value().filter(|_| !self.is_constant(operand)) else { return };
        let parts = self.ground.body.function.inst(id).and_then(|inst| self.take_apart(id, inst));
        let Some(Parts { summands, factors }) = parts else {
            self.terms.insert(id, vec![id]);
            return;
        };
        if !self.seen.insert(id) {
            // A sum that a loop goes on with comes by here again.
            self.runs = true;
            return;
        }
        if !factors.is_empty() {
            self.terms.insert(id, factors.iter().filter_map(Operand::value).collect());
        }
        summands.iter().for_each(|part| self.split(part));
    }

    /// `None` where it is no sum.
    fn take_apart(&self, id: ValueId, inst: &Inst) -> Option<Parts> {
        let body = self.ground.body;
        let sum = |summands: Vec<Operand>| Some(Parts { summands, factors: Vec::new() });
        match inst.op {
            Op::Phi { .. } => {
                let home = body.nesting.home(id)?;
                let mut deciding = self.ground.steering.of_entering(home).iter();
                let free = deciding.all(|value| self.is_constant(&Operand::Value(*value)));
                return sum(inst.operands.clone()).filter(|_| free);
            }
            Op::Load(_) => return sum(self.stored(id, inst)?),
            _ => {}
        }
        let Meaning::Row { row, operands, shape: Shape::Value } = body.meaning(inst) else { return None };
        let [first, second] = [0, 1].map(|at| operands.get(at).is_none_or(|x| self.is_constant(x)));
        match algebra_of(row.name)? {
            Algebra::Sum => sum(operands),
            Algebra::Product if first || second => sum(operands),
            Algebra::Quotient | Algebra::Scaling if second => sum(operands),
            Algebra::ProductAndSum if first || second => sum(operands),
            Algebra::ProductAndSum => {
                Some(Parts { summands: operands[2..].to_vec(), factors: operands[..2].to_vec() })
            }
            Algebra::Choice if first => sum(operands[1..].to_vec()),
            _ => None,
        }
    }

    /// What a load finds, where stores have put it there, and no input decides which.
    fn stored(&self, load: ValueId, inst: &Inst) -> Option<Vec<Operand>> {
        let body = self.ground.body;
        let mut values = Vec::new();
        for read in body.touches_of(load, Kind::Read) {
            for found in self.ground.reaching.found(read) {
                let Some(writer) = body.touch(found.write).inst() else {
                    // What callers left is none of ours, if it matters.
                    if self.traced.touched(found.write).is_constant() {
                        continue;
                    }
                    return None;
                };
                let store = body.function.inst(writer).filter(|store| matches!(store.op, Op::Store(_)))?;
                let mut deciding = self.ground.steering.of_running(body.nesting.home(writer)?).iter();
                let free = deciding.all(|value| self.is_constant(&Operand::Value(*value)))
                    && self.is_constant(&store.operands[1]);
                if !free || !self.traced.reads_as_written(read, found.write) {
                    return None;
                }
                values.push(store.operands[0].clone());
            }
        }
        (self.is_constant(&inst.operands[0]) && !values.is_empty()).then_some(values)
    }

    fn describe(&self, value: ValueId, roots: &[ValueId]) -> Term {
        let body = self.ground.body;
        let loops = body.nesting.home(value).map_or_else(Vec::new, |home| body.nesting.chain(home));
        let iterations = loops.iter().map(|of| Iteration::of(self.ground, self.dependences, *of)).collect();
        let mut slice = Slice {
            splitter: self,
            loops: &loops,
            iterations,
            seen: BTreeSet::new(),
            inputs: BTreeSet::new(),
        };
        roots.iter().for_each(|root| slice.visit(*root));
        let inputs = slice.inputs;
        Term { value, loops, inputs }
    }
}

/// What goes into one term.
struct Slice<'s, 'i, 'b, 'a> {
    splitter: &'s Splitter<'i, 'b, 'a>,
    loops: &'s [LoopId],
    iterations: Vec<Iteration<'i, 'b, 'a>>,
    seen: BTreeSet<ValueId>,
    inputs: BTreeSet<Element>,
}

impl Slice<'_, '_, '_, '_> {
    fn visit(&mut self, id: ValueId) {
        let ground = self.splitter.ground;
        let body = ground.body;
        if self.splitter.is_constant(&Operand::Value(id)) || !self.seen.insert(id) {
            return;
        }
        let Some(inst) = body.function.inst(id) else { return self.note(Element::Whole(id)) };
        let reads: Vec<TouchId> = body.touches_of(id, Kind::Read).collect();
        let crossing = self.iterations.iter().any(|iteration| iteration.carried(id).is_some());
        if crossing || (!matches!(inst.op, Op::Load(_)) && !reads.is_empty()) {
            return self.note(Element::Many(id));
        }
        for read in reads {
            self.visit_read(id, read);
        }
        let home = body.nesting.home(id);
        let phi = home.filter(|_| matches!(inst.op, Op::Phi { .. }));
        let steering = phi.into_iter().flat_map(|block| ground.steering.of_entering(block)).copied();
        for value in inst.operands.iter().filter_map(Operand::value).chain(steering) {
            self.visit(value);
        }
    }

    fn note(&mut self, input: Element) {
        self.inputs.insert(input);
    }

    fn visit_read(&mut self, load: ValueId, read: TouchId) {
        let ground = self.splitter.ground;
        let body = ground.body;
        for found in ground.reaching.found(read) {
            let depends = self.splitter.traced.touched(found.write);
            if depends.is_constant() {
                continue;
            }
            let write = body.touch(found.write);
            match (write.spot, write.inst().and_then(|id| body.function.inst(id))) {
                (Spot::Entry, _) => {
                    let bases: Vec<Base> = body.touch(read).bases.iter().cloned().collect();
                    let element = match &bases[..] {
                        [Base::Param(param)] => self.element(load, *param),
                        _ => Element::Many(load),
                    };
                    self.note(element);
                }
                // Written in this very iteration: what was written is part of the term.
                (_, Some(store)) if matches!(store.op, Op::Store(_)) && found.level >= self.loops.len() => {
                    if self.is_written_before(found.write) {
                        self.note(Element::Many(load));
                    }
                    let home = body.home(found.write);
                    let deciding =
                        home.into_iter().flat_map(|home| ground.steering.of_running(home)).copied();
                    let values = store.operands.iter().filter_map(Operand::value).chain(deciding);
                    values.for_each(|value| self.visit(value));
                }
                _ => self.note(Element::Many(load)),
            }
        }
    }

    /// Whether a write stands in other loops than the term, so that it may be one of many.
    fn is_written_before(&self, write: TouchId) -> bool {
        let body = self.splitter.ground.body;
        body.home(write).is_none_or(|home| body.nesting.chain(home) != self.loops)
    }

    fn element(&self, load: ValueId, param: ValueId) -> Element {
        let nesting = &self.splitter.ground.body.nesting;
        let inside = nesting.home(load).map_or_else(Vec::new, |home| nesting.chain(home));
        // In other loops it reads one number after the other.
        if !self.loops.starts_with(&inside) {
            return Element::Many(load);
        }
        match self.index(load, param) {
            Some(index) => Element::Of { param, index },
            None => Element::OneOf { param, load },
        }
    }

    /// Where a load reads, counted in numbers of the size it reads.
    fn index(&self, load: ValueId, param: ValueId) -> Option<String> {
        let (body, accesses) = (self.splitter.ground.body, &self.splitter.dependences.accesses);
        let access = accesses.list.iter().find(|access| access.inst == load)?;
        let name = |key: &Key| match key {
            Key::Counter(of) => Some(Named::plainly(counter_name(body.nesting.depth(*of) - 1))),
            // A parameter has one value in all terms.
            Key::Value(operand) => {
                let fixed = operand.value().is_none_or(|id| body.function.inst(id).is_none());
                fixed.then(|| Named::plainly(name_operand(body.function, operand)))
            }
            Key::Wrap(..) | Key::Opaque(_) => None,
        };
        let (root, index) = find_subscript(body.function, accesses, access, &name)?;
        (*root == Operand::Value(param)).then(|| index.to_string())
    }
}
