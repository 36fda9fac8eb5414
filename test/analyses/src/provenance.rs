//! Which iterations of a loop had a part in each value of a run.
//!
//! Trace + loop → for each value of the loop, whether some run of it was made of what another iteration of the same run of
//! the loop had computed. Data counts, through registers and memory; counters of loops and the paths taken do not.

use std::collections::{BTreeMap, BTreeSet};

use backsweep_core::model::{Function, LoopId, Op, Type, ValueId};

use crate::machine::{Cell, Step, Trace, Value};

/// Numbers of runs of the loop, with iterations.
type Tags = BTreeSet<(usize, usize)>;

/// The values of a loop that another iteration had a part in.
pub fn find_crossing(trace: &Trace, of: LoopId) -> BTreeSet<ValueId> {
    let mut follower = Follower { cells: BTreeMap::new(), watched: Some(Watched::of(trace.function, of)) };
    follower.follow(trace, &[]);
    follower.watched.map(|watched| watched.crossing).unwrap_or_default()
}

struct Watched {
    inside: BTreeSet<ValueId>,
    first: Option<ValueId>,
    now: (usize, usize),
    crossing: BTreeSet<ValueId>,
}

impl Watched {
    fn of(function: &Function, of: LoopId) -> Watched {
        let at = &function.loops[of.0 as usize];
        let inside =
            at.blocks.iter().flat_map(|block| function.block(*block).insts.iter().copied()).collect();
        let first = function.block(at.header).insts.first().copied();
        Watched { inside, first, now: (0, 0), crossing: BTreeSet::new() }
    }

    fn step(&mut self, step: &Step) {
        // The first edge into a header of a generated loop is that from outside.
        if Some(step.id) == self.first {
            self.now = if step.arrived == 0 { (self.now.0 + 1, 0) } else { (self.now.0, self.now.1 + 1) };
        }
    }
}

struct Follower {
    cells: BTreeMap<Cell, Tags>,
    watched: Option<Watched>,
}

impl Follower {
    /// Answers the tags of the result.
    fn follow(&mut self, trace: &Trace, arguments: &[Tags]) -> Tags {
        let mut values: BTreeMap<ValueId, Tags> = BTreeMap::new();
        for (at, tags) in arguments.iter().enumerate() {
            values.insert(ValueId(at as u32), tags.clone());
        }
        for step in &trace.steps {
            if let Some(watched) = &mut self.watched {
                watched.step(step);
            }
            let operands: Vec<Tags> =
                step.inst.operands.iter().map(|x| tags_of(x.value(), &values)).collect();
            let mut tags = self.tags_of_step(step, &operands);
            if matches!(step.inst.op, Op::Ret) {
                return tags;
            }
            tags = self.note(step, tags);
            for (cell, _) in &step.written {
                // What a call wrote it has tagged itself.
                let known =
                    self.cells.get(cell).filter(|_| step.inner.is_some()).cloned().unwrap_or_default();
                self.cells.insert(*cell, &known | &tags);
            }
            values.insert(step.id, tags);
        }
        Tags::new()
    }

    fn tags_of_step(&mut self, step: &Step, operands: &[Tags]) -> Tags {
        if matches!(step.inst.op, Op::Phi { .. }) {
            let counts = matches!(step.inst.ty, Type::Int(_));
            return if counts { Tags::new() } else { operands[step.arrived].clone() };
        }
        if let Some(inner) = &step.inner {
            let watched = self.watched.take();
            let result = self.follow(inner, operands);
            self.watched = watched;
            return result;
        }
        let read = step.read.iter().filter_map(|cell| self.cells.get(cell));
        operands.iter().chain(read).flatten().copied().collect()
    }

    /// Adds the iteration that this is, and notes what other iterations are in it.
    fn note(&mut self, step: &Step, mut tags: Tags) -> Tags {
        let Some(watched) = self.watched.as_mut().filter(|watched| watched.inside.contains(&step.id)) else {
            return tags;
        };
        let (run, iteration) = watched.now;
        if tags.iter().any(|(other, of)| *other == run && *of != iteration) && step.inst.ty != Type::Void {
            watched.crossing.insert(step.id);
        }
        // Integers that the program computes from counters are the same whoever computes them.
        let integer = matches!(step.result, Value::Int(_)) && tags.is_empty() && step.read.is_empty();
        if !integer && !matches!(step.result, Value::Pointer { .. }) {
            tags.insert(watched.now);
        }
        tags
    }
}

fn tags_of(id: Option<ValueId>, values: &BTreeMap<ValueId, Tags>) -> Tags {
    id.and_then(|id| values.get(&id)).cloned().unwrap_or_default()
}
