//! Straight-line code with pointers of which only sets of addresses are known, and what it does for each choice of
//! addresses: nothing here asks the code under test.
#![allow(dead_code, reason = "each test crate uses its part")]

use std::collections::{BTreeMap, BTreeSet};

use backsweep_core::config::StrongZero;
use backsweep_core::model::{Type, ValueId};
use backsweep_core::preaccumulation::cost::Cost;
use backsweep_core::preaccumulation::flatten::{Action, Cells, Code, Relation, Source, Step, Value};
use backsweep_core::preaccumulation::tally::Kind;
use backsweep_core::preaccumulation::terms::{Facts, Label, Leaf, Terms};

use crate::exact::Random;

/// Code whose accesses go through numbered pointers. A step's value is its number.
pub struct Program {
    pub code: Code,
    /// For each step the pointer it accesses memory through.
    pub pointer: BTreeMap<usize, usize>,
    /// For each pointer the addresses it may have: one is a certainty (the paper's alias sets).
    pub addresses: Vec<BTreeSet<u32>>,
}

/// Addresses that random code touches.
pub const ADDRESSES: u32 = 5;

/// Values from before the code have numbers from here on.
pub const OUTSIDE: u32 = 1000;

impl Program {
    pub fn new(addresses: &[&[u32]]) -> Program {
        Program {
            code: Code { steps: Vec::new(), terms: Terms::new(StrongZero::Always, Type::DOUBLE) },
            pointer: BTreeMap::new(),
            addresses: addresses.iter().map(|set| set.iter().copied().collect()).collect(),
        }
    }

    fn push(&mut self, action: Action, operands: Vec<(Source, Label)>) -> usize {
        let at = self.code.steps.len();
        let value = Value::whole(ValueId(at as u32));
        self.code.steps.push(Step { value, action, operands, wanted: action == Action::Write });
        at
    }

    pub fn read(&mut self, pointer: usize) -> usize {
        let at = self.push(Action::Read, Vec::new());
        self.pointer.insert(at, pointer);
        at
    }

    pub fn write(&mut self, pointer: usize, stored: Option<Source>) -> usize {
        let at = self.push(Action::Write, stored.into_iter().map(|source| (source, Label::ONE)).collect());
        self.pointer.insert(at, pointer);
        at
    }

    /// A function of some values, with a new local partial for each.
    pub fn compute(&mut self, operands: &[Source]) -> usize {
        let labelled = operands.iter().map(|source| {
            let number = self.code.steps.len() as u32 * 10
                + operands.iter().position(|x| x == source).unwrap_or(0) as u32;
            let facts =
                Facts { kind: Kind::Variable, singular: false, ty: Type::DOUBLE, cost: Cost::default() };
            (*source, Label::of(self.code.terms.leaf(Leaf::Given(number), facts)))
        });
        let labelled = labelled.collect();
        self.push(Action::Compute, labelled)
    }

    pub fn barrier(&mut self, operands: &[Source]) -> usize {
        self.push(Action::Barrier, operands.iter().map(|source| (*source, Label::ONE)).collect())
    }

    pub fn outside(number: u32) -> Source {
        Source::Outside(Value::whole(ValueId(OUTSIDE + number)))
    }

    /// Every choice of one address for each pointer.
    pub fn choices(&self) -> Vec<Vec<u32>> {
        self.addresses.iter().fold(vec![Vec::new()], |choices, set| {
            let extend = |choice: &Vec<u32>| {
                set.iter()
                    .map(|address| choice.iter().copied().chain([*address]).collect())
                    .collect::<Vec<_>>()
            };
            choices.iter().flat_map(extend).collect()
        })
    }

    /// The access of a step under a choice of addresses.
    pub fn address(&self, step: usize, choice: &[u32]) -> Option<u32> {
        Some(choice[*self.pointer.get(&step)?])
    }

    pub fn random(random: &mut Random, steps: usize) -> Program {
        let mut program = Program::new(&[]);
        for _ in 0..1 + random.below(5) {
            let first = random.below(ADDRESSES as usize) as u32;
            let mut set = BTreeSet::from([first]);
            while random.chance(55) && set.len() < 3 {
                set.insert(random.below(ADDRESSES as usize) as u32);
            }
            program.addresses.push(set);
        }
        let mut values: Vec<Source> = vec![Program::outside(0), Program::outside(1)];
        for _ in 0..steps {
            let pointer = random.below(program.addresses.len());
            let pick = values[random.below(values.len())];
            match random.below(20) {
                0..7 => values.push(Source::Step(program.read(pointer))),
                7..15 => {
                    let stored = (!random.chance(15)).then_some(pick);
                    program.write(pointer, stored);
                }
                15..19 => {
                    let other = values[random.below(values.len())];
                    let operands = if other == pick { vec![pick] } else { vec![pick, other] };
                    values.push(Source::Step(program.compute(&operands)));
                }
                _ => {
                    program.barrier(&[pick]);
                }
            };
        }
        for step in &mut program.code.steps {
            step.wanted |= step.action != Action::Barrier && random.chance(30);
        }
        program
    }
}

/// Section 4 of the paper: identified by one address or one pointer, kept apart by sets without a common address.
impl Cells for Program {
    fn relation(&self, first: ValueId, second: ValueId) -> Relation {
        let pointer = |id: ValueId| self.pointer.get(&(id.0 as usize)).copied();
        let (Some(p), Some(q)) = (pointer(first), pointer(second)) else { return Relation::Unclear };
        let (a, b) = (&self.addresses[p], &self.addresses[q]);
        if p == q || (a.len() == 1 && a == b) {
            Relation::Same
        } else if a.is_disjoint(b) {
            Relation::Apart
        } else {
            Relation::Unclear
        }
    }
}
