//! A function with what every analysis of memory asks of it.
//!
//! Function + summaries of what it calls → [`Body`]. Nothing in it depends on what is differentiated.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::apart::{Apartness, find_captured};
use super::cover::{Cover, find_covers};
use super::effects::{has_effects, is_silent};
use super::element::Elements;
use super::touch::{Enumerator, Kind, Touch, TouchId};
use crate::analyses::flow::Flow;
use crate::analyses::meaning::{Meaning, meaning};
use crate::analyses::memory_calls::memory_call;
use crate::analyses::pointers::{Base, Pointers};
use crate::analyses::summary::{Summaries, Summary};
use crate::dependence::nesting::Nesting;
use crate::model::{BlockId, Function, Inst, Layout, Program, ValueId};
use crate::rules::Rules;

pub struct Body<'a> {
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub function: &'a Function,
    pub nesting: Nesting<'a>,
    pub pointers: Pointers,
    pub captured: BTreeSet<Base>,
    pub touches: Vec<Touch>,
    pub elements: Elements,
    pub covers: Vec<Cover>,
    /// What is known of the functions it calls.
    pub callees: BTreeMap<String, std::rc::Rc<Summary>>,
    by_inst: BTreeMap<ValueId, Range<usize>>,
    apartness: Apartness<'a>,
}

impl<'a> Body<'a> {
    pub fn of(
        program: &'a Program,
        rules: &'a Rules,
        function: &'a Function,
        summaries: &Summaries,
    ) -> Body<'a> {
        let nesting = Nesting::of(program, function);
        let pointers = Pointers::of(function, program);
        let captures = |inst: &Inst, at: usize| is_captured(inst, at, function, program, rules, summaries);
        let captured = find_captured(function, &pointers, &captures);
        let layout = Layout::parse(&program.layout);
        let enumerator = Enumerator {
            program,
            rules,
            function,
            nesting: &nesting,
            pointers: &pointers,
            summaries,
            layout,
        };
        let touches = enumerator.list();
        let mut by_inst: BTreeMap<ValueId, Range<usize>> = BTreeMap::new();
        for (at, touch) in touches.iter().enumerate() {
            if let Some(id) = touch.inst() {
                by_inst.entry(id).or_insert(at..at).end = at + 1;
            }
        }
        let elements = Elements::of(&nesting, &touches);
        let apartness = Apartness::new(program, function, &nesting, captured.clone());
        let callees = summaries.of_calls(function);
        let mut body = Body {
            program,
            rules,
            function,
            nesting,
            pointers,
            captured,
            touches,
            elements,
            covers: Vec::new(),
            callees,
            by_inst,
            apartness,
        };
        body.covers = find_covers(&body);
        body
    }

    pub fn flow(&self) -> &Flow {
        &self.nesting.flow
    }

    pub fn touch(&self, id: TouchId) -> &Touch {
        &self.touches[id.0 as usize]
    }

    pub fn touch_ids(&self) -> impl Iterator<Item = TouchId> + use<> {
        (0..self.touches.len() as u32).map(TouchId)
    }

    /// What an instruction touches, in order.
    pub fn touches_of(&self, id: ValueId, kind: Kind) -> impl Iterator<Item = TouchId> + '_ {
        let range = self.by_inst.get(&id).cloned().unwrap_or(0..0);
        range.map(|at| TouchId(at as u32)).filter(move |touch| self.touch(*touch).kind == kind)
    }

    /// The block a touch is in; `None` for those of callers.
    pub fn home(&self, touch: TouchId) -> Option<BlockId> {
        self.touch(touch).inst().and_then(|id| self.nesting.home(id))
    }

    /// Whether two touches may meet, at whatever moments.
    pub fn may_meet(&self, first: TouchId, second: TouchId) -> bool {
        self.apartness.may_meet(&self.nesting, &self.touches, first, second)
    }

    pub fn meaning(&self, inst: &Inst) -> Meaning<'_> {
        meaning(inst, self.function, self.program, self.rules)
    }

    /// What is known of the function that an instruction calls.
    pub fn callee(&self, inst: &Inst) -> Option<&Summary> {
        self.callees.get(inst.callee_name()?).map(|summary| &**summary)
    }

    /// Whether an instruction has to run, whoever looks at what it computes.
    pub fn has_effects(&self, inst: &Inst) -> bool {
        match self.meaning(inst) {
            Meaning::Call(_) if inst.op.call().is_some() => {
                self.callee(inst).is_none_or(|summary| summary.effects)
                    || has_effects(inst, self.function, self.program, self.rules)
            }
            _ => has_effects(inst, self.function, self.program, self.rules),
        }
    }

    /// Reachable blocks, in program order.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + '_ {
        self.function.block_ids().filter(|block| self.flow().is_reachable(*block))
    }

    /// Reachable instructions, in program order.
    pub fn insts(&self) -> impl Iterator<Item = (ValueId, &Inst)> + '_ {
        let ids = self.blocks().flat_map(|block| self.function.block(block).insts.iter().copied());
        ids.filter_map(|id| Some((id, self.function.inst(id)?)))
    }
}

/// Whether a call may keep the pointer that is its operand `at`.
fn is_captured(
    inst: &Inst,
    at: usize,
    function: &Function,
    program: &Program,
    rules: &Rules,
    summaries: &Summaries,
) -> bool {
    if memory_call(inst).is_some() || is_silent(inst) {
        return false;
    }
    match meaning(inst, function, program, rules) {
        Meaning::Row { .. } | Meaning::Reduction(_) => false,
        Meaning::Call(name) => summaries.get(&name).is_none_or(|summary| summary.captures.contains(&at)),
        _ => true,
    }
}
