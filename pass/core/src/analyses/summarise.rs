//! Summaries of functions, found from the called to the calling.
//!
//! Body → [`Summary`], with the place of the summary that each of its touches became. Functions that call each other are
//! summarised in rounds until nothing changes, starting from nothing; where that takes too long they have no summary.
//! Safe error: a place used, written, or an input of an output too many; a place killed too few.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::adjoint::liveness::{Kept, find_live};
use super::adjoint::useful::{Outputs, find_useful};
use super::adjoint::uses::Uses;
use super::bits::Bits;
use super::meaning::{Meaning, meaning};
use super::memory::address::Span;
use super::memory::body::Body;
use super::memory::element::Element;
use super::memory::touch::{Kind, TouchId};
use super::pointers::Base;
use super::solver::{Analysis, Direction, Edge, solve};
use super::summary::{Input, Output, Place, Summaries, Summary};
use crate::model::{BlockId, Function, Inst, Op, Program, ValueId};
use crate::rules::Rules;

/// Rounds after which functions that call each other are given up.
const MOST_ROUNDS: usize = 8;

/// Beyond so many places a function counts as touching everything.
const MOST_PLACES: usize = 64;

/// The functions that one function may reach, each with its body and its summary.
pub struct Bodies<'a> {
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub summaries: Summaries,
    bodies: BTreeMap<String, Body<'a>>,
    places: BTreeMap<String, BTreeMap<TouchId, usize>>,
}

impl<'a> Bodies<'a> {
    pub fn of(program: &'a Program, rules: &'a Rules, root: &str) -> Bodies<'a> {
        let (summaries, bodies, places) = (Summaries::default(), BTreeMap::new(), BTreeMap::new());
        let mut all = Bodies { program, rules, summaries, bodies, places };
        for (group, recursive) in all.groups(root) {
            all.add(&group, recursive);
        }
        all
    }

    pub fn body(&self, name: &str) -> Option<&Body<'a>> {
        self.bodies.get(name)
    }

    /// The place of a function's summary that one of its touches became.
    pub fn place(&self, name: &str, touch: TouchId) -> Option<usize> {
        self.places.get(name)?.get(&touch).copied()
    }

    /// Those that call each other together, called ones first; and whether they do call each other.
    fn groups(&self, root: &str) -> Vec<(Vec<&'a Function>, bool)> {
        let mut graph = DiGraph::<&'a Function, ()>::new();
        let mut nodes: BTreeMap<&str, NodeIndex> = BTreeMap::new();
        let mut waiting: Vec<&'a Function> = self.program.function(root).into_iter().collect();
        let mut edges = Vec::new();
        while let Some(function) = waiting.pop() {
            if nodes.contains_key(function.name.as_str()) {
                continue;
            }
            nodes.insert(&function.name, graph.add_node(function));
            for callee in self.callees(function) {
                edges.push((function.name.as_str(), callee.name.as_str()));
                waiting.push(callee);
            }
        }
        for (from, to) in &edges {
            graph.add_edge(nodes[from], nodes[to], ());
        }
        let loops = |group: &[NodeIndex]| group.len() > 1 || graph.contains_edge(group[0], group[0]);
        let groups = tarjan_scc(&graph);
        groups.into_iter().map(|group| (group.iter().map(|at| graph[*at]).collect(), loops(&group))).collect()
    }

    fn callees(&self, function: &'a Function) -> Vec<&'a Function> {
        let called = function.insts.iter().filter_map(|inst| {
            match meaning(inst, function, self.program, self.rules) {
                Meaning::Call(name) => self.program.function(&name),
                _ => None,
            }
        });
        called.collect()
    }

    fn add(&mut self, group: &[&'a Function], recursive: bool) {
        if recursive {
            for function in group {
                self.summaries.insert(&function.name, Summary::default());
            }
        }
        for _ in 0..MOST_ROUNDS {
            let news: Vec<bool> = group.iter().map(|function| self.add_one(function)).collect();
            if !recursive || !news.contains(&true) {
                return;
            }
        }
        group.iter().for_each(|function| self.summaries.remove(&function.name));
        group.iter().for_each(|function| self.forget(function));
    }

    /// Returns whether its summary is news.
    fn add_one(&mut self, function: &'a Function) -> bool {
        let body = Body::of(self.program, self.rules, function, &self.summaries);
        let (summary, places) = summarise(&body);
        let news = self.summaries.insert(&function.name, summary);
        self.bodies.insert(function.name.clone(), body);
        self.places.insert(function.name.clone(), places);
        news
    }

    /// A body without its own summary, nor those of what calls it and is called by it.
    fn forget(&mut self, function: &'a Function) {
        let body = Body::of(self.program, self.rules, function, &self.summaries);
        self.bodies.insert(function.name.clone(), body);
        self.places.remove(&function.name);
    }
}

fn summarise(body: &Body) -> (Summary, BTreeMap<TouchId, usize>) {
    let (mut list, places) = find_places(body);
    let used = exposed_reads(body);
    for (touch, at) in &places {
        match body.touch(*touch).kind {
            Kind::Read => list[*at].used |= body.elements.has(&used, *touch),
            Kind::Write => {
                list[*at].written = true;
                list[*at].killed |= always_writes(body, *touch);
            }
        }
    }
    let mut summary = Summary { places: list, ..Summary::default() };
    // What is never seen outside is no place of the caller's.
    let outputs: Vec<Output> =
        (0..summary.places.len()).filter(|at| summary.places[*at].written).map(Output::Place).collect();
    let result = (body.function.ret != crate::model::Type::Void).then_some(Output::Result);
    let mut memory: BTreeMap<Base, [BTreeSet<Input>; 2]> = BTreeMap::new();
    for output in outputs.into_iter().chain(result) {
        let [depends, carries] = match &output {
            Output::Result => inputs_of(body, &places, true, None),
            Output::Place(at) => {
                let base = &summary.places[*at].base;
                let known = memory.entry(base.clone());
                known.or_insert_with(|| inputs_of(body, &places, false, Some(base))).clone()
            }
        };
        summary.depends.insert(output.clone(), depends);
        summary.carries.insert(output, carries);
    }
    let steering = Uses::of_steering(body);
    summary.steers = inputs_in(body, &places, &find_live(body, &steering, &Kept::default()).at_entry());
    summary.captures = (0..body.function.params.len())
        .filter(|at| body.captured.contains(&Base::Param(ValueId(*at as u32))))
        .collect();
    summary.effects = body.insts().any(|(_, inst)| body.has_effects(inst) || body.flow_ends_badly(inst));
    (summary, places)
}

/// What an output depends on, and what its derivative goes back to.
fn inputs_of(
    body: &Body,
    places: &BTreeMap<TouchId, usize>,
    result: bool,
    memory: Option<&Base>,
) -> [BTreeSet<Input>; 2] {
    let exits = body.touches.iter().flat_map(|touch| touch.bases.iter());
    let memory: BTreeSet<Base> =
        exits.filter(|base| outer_base(body, base).as_ref() == memory && memory.is_some()).cloned().collect();
    let (uses, kept) = (Uses::default(), Kept { result, memory: memory.clone(), effects: false });
    let depends = inputs_in(body, places, &find_live(body, &uses, &kept).at_entry());
    let useful_outputs = Outputs { result, memory };
    let useful = find_useful(body, &useful_outputs);
    let mut carries = inputs_in(body, places, &useful.at_entry());
    let params = body.function.param_ids().filter(|id| useful.is_useful(*id));
    carries.extend(params.map(|id| Input::Param(id.0 as usize)));
    [depends, carries]
}

fn inputs_in(body: &Body, places: &BTreeMap<TouchId, usize>, state: &Bits) -> BTreeSet<Input> {
    let input = |bit| match body.elements.element(bit) {
        Element::Value(id) => Some(Input::Param(id.0 as usize)),
        Element::Touch(touch, _) => places.get(&touch).copied().map(Input::Place),
    };
    state.iter().filter_map(input).collect()
}

/// One place for each part of the caller's memory that is touched, and which touch is in which.
fn find_places(body: &Body) -> (Vec<Place>, BTreeMap<TouchId, usize>) {
    let mut keys: Vec<(Base, Span)> = Vec::new();
    let mut places = BTreeMap::new();
    let inner = body.touch_ids().filter(|touch| body.touch(*touch).inst().is_some());
    for touch in inner {
        let found = body.touch(touch);
        let mut bases = found.bases.iter().filter_map(|base| outer_base(body, base));
        let Some(base) = bases.next() else { continue };
        // What may be in several places is anywhere.
        let key = match bases.all(|other| other == base) {
            true if base != Base::Unknown => (base, found.span),
            _ => (Base::Unknown, Span::ANY),
        };
        let at = keys.iter().position(|known| *known == key).unwrap_or(keys.len());
        if at == keys.len() {
            keys.push(key);
        }
        places.insert(touch, at);
    }
    if keys.len() > MOST_PLACES {
        keys = vec![(Base::Unknown, Span::ANY)];
        places.values_mut().for_each(|at| *at = 0);
    }
    let place = |(base, span)| Place { base, span, used: false, written: false, killed: false };
    (keys.into_iter().map(place).collect(), places)
}

/// A base as the caller knows it; `None` for what it never sees.
fn outer_base(body: &Body, base: &Base) -> Option<Base> {
    match base {
        Base::Param(_) | Base::Global(_) => Some(base.clone()),
        Base::Heap(_) if body.captured.contains(base) => Some(Base::Unknown),
        Base::Stack(_) | Base::Heap(_) | Base::Null => None,
        Base::Loaded(_) | Base::Returned(_) | Base::Unknown => Some(Base::Unknown),
    }
}

/// Whether a write overwrites its place whenever the function returns.
fn always_writes(body: &Body, write: TouchId) -> bool {
    let touch = body.touch(write);
    let Some(home) = body.home(write) else { return false };
    let mut ends = body.blocks().filter(|block| body.flow().successors(*block).is_empty());
    touch.sure
        && touch.span.stride == 0
        && touch.span.bytes.is_some()
        && touch.bases.len() == 1
        && ends.all(|end| body.nesting.dominates(home, end))
}

/// The reads that may find what was there on entry.
fn exposed_reads(body: &Body) -> Bits {
    let analysis = Exposed { body };
    solve(&analysis, body.function, body.flow()).exit(&analysis, body.function, BlockId(0))
}

/// Lattice: sets of reads still to come, by inclusion. Direction: backward. Transfer (equation 1.4):
/// `use(A;B) = use(A) ∪ (use(B) \ kill(A))`.
struct Exposed<'b, 'a> {
    body: &'b Body<'a>,
}

impl Analysis for Exposed<'_, '_> {
    type State = Bits;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> Bits {
        Bits::default()
    }

    fn boundary(&self) -> Bits {
        Bits::default()
    }

    fn apply(&self, id: ValueId, _: &Inst, state: &mut Bits) {
        let body = self.body;
        body.touches_of(id, Kind::Write).for_each(|write| body.remove_overwritten(write, state));
        state.extend(body.touches_of(id, Kind::Read).map(|read| body.elements.fresh(read)));
    }

    fn cross(&self, edge: Edge, state: &mut Bits) {
        self.body.remove_ahead(edge, &|_| true, state);
        self.body.pass_edge(edge, state);
    }
}

impl Body<'_> {
    /// Whether control may leave the function otherwise than by returning.
    fn flow_ends_badly(&self, inst: &Inst) -> bool {
        matches!(inst.op, Op::Resume)
    }
}
