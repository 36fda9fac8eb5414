//! Straight-line code whose derivative goes through its local Jacobian and not through its instructions.
//!
//! A graph is a candidate where control may enter again, so that what its instructions need in reverse would be recorded,
//! or where there are several directions, each of which would go through every edge. The function is planned with the
//! Jacobians attached and without, and the cheaper plan is taken; all graphs at once first, then the promising ones by
//! themselves. The factors are values like any other: the cut stores them, or computes them again where that is cheaper.
//! Safe error: not preaccumulated (costs tape or time, never truth).

use std::collections::BTreeSet;
use std::fmt;

use super::price::Price;
use super::{Plan, Storage};
use crate::analyses::flow::Flow;
use crate::analyses::meaning::{Meaning, meaning};
use crate::config::{Config, Preaccumulate};
use crate::model::{Function, Operand, Program, ValueId};
use crate::preaccumulation::attached::{Attached, Attachments, attach};
use crate::preaccumulation::flatten::{Apart, Flattened, Reader, Split, flatten_function_with};
use crate::preaccumulation::graph::Role;
use crate::preaccumulation::jacobian::{Extent, accumulate};
use crate::refusal::Refusal;
use crate::request::Mode;
use crate::preaccumulation::terms::{Leaf, Term};
use crate::rules::{Expr, Rules};

/// The function that is differentiated in place of the one that was given.
#[derive(Clone, Debug)]
pub struct Local {
    pub attached: Attached,
    /// What the plans cost, without and with.
    pub prices: (Price, Price),
    /// For each graph: how it was eliminated.
    pub recipes: Vec<String>,
}

/// Graphs beyond this take long to eliminate.
const LARGEST: usize = 300;

/// So many graphs are tried by themselves.
const TRIED: usize = 4;

pub type Planner<'a> = dyn Fn(&Function, Option<&Attached>) -> Result<Plan, Vec<Refusal>> + 'a;

/// The plan of the function as it is, or a cheaper one with local Jacobians.
pub fn plan_with_local(
    function: &Function,
    program: &Program,
    rules: &Rules,
    config: &Config,
    planner: &Planner,
) -> Result<Plan, Vec<Refusal>> {
    let plain = planner(function, None)?;
    let always = config.analyses.preaccumulate == Preaccumulate::Always;
    let asked = match plain.request.mode {
        Mode::Gradient => true,
        Mode::Tangent => plain.width() > 1 || always,
        // Two halves have to agree on what is attached.
        Mode::Augmented | Mode::Reverse => false,
    };
    if !asked || config.analyses.preaccumulate == Preaccumulate::Never {
        return Ok(plain);
    }
    let choice = Choice { function, program, rules, config, planner };
    Ok(choice.improve(plain))
}

struct Choice<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    config: &'a Config,
    planner: &'a Planner<'a>,
}

impl Choice<'_> {
    fn improve(&self, plain: Plan) -> Plan {
        let candidates = self.find_candidates(&plain);
        if candidates.is_empty() {
            return plain;
        }
        let price = Price::of(&plain, self.function, self.program, self.rules);
        if let Some(plan) = self.plan(&candidates, price) {
            return plan;
        }
        let mut kept = Vec::new();
        if candidates.len() > 1 {
            let alone = candidates.iter().take(TRIED);
            kept.extend(alone.filter(|one| self.plan(std::slice::from_ref(one), price).is_some()).cloned());
        }
        let better = if kept.is_empty() { None } else { self.plan(&kept, price) };
        better.unwrap_or(plain)
    }

    /// The plan with these attached, where it is cheaper.
    fn plan(&self, all: &[Attachments], without: Price) -> Option<Plan> {
        let Choice { function, program, rules, .. } = *self;
        let attached = attach(function, program, rules, all, self.config.strong_zero);
        let mut plan = (self.planner)(&attached.function, Some(&attached)).ok()?;
        let with = Price::of(&plan, &attached.function, program, rules);
        let cheaper = with.total() * 100 < without.total() * WORTH && with.bytes <= without.bytes;
        let recipes = all.iter().map(|one| one.jacobian.recipe.by.clone()).collect();
        plan.local = Some(Local { attached, prices: (without, with), recipes });
        (cheaper || self.always()).then_some(plan)
    }

    /// Whether each partial is arithmetic and functions that have rows themselves: then the checker knows them again.
    fn is_direct(&self, graph: &Flattened) -> bool {
        let Choice { function, program, rules, .. } = *self;
        let mut direct = true;
        for (.., label) in graph.graph.edges() {
            let Some(term) = label.term().map(|term| graph.terms.term(term)) else { continue };
            let Term::Leaf(Leaf::Partial { inst, result, operand }) = term else { continue };
            let Some(inst) = function.inst(*inst) else { return false };
            let Meaning::Row { row, .. } = meaning(inst, function, program, rules) else { return false };
            row.form(usize::from(*result), usize::from(*operand)).visit(&mut |expr| {
                if let Expr::Call(name, _) = expr {
                    direct &= rules.row(name).is_some();
                }
            });
        }
        direct
    }

    fn always(&self) -> bool {
        self.config.analyses.preaccumulate == Preaccumulate::Always
    }

    /// The graphs that may be worth it, the largest first.
    fn find_candidates(&self, plain: &Plan) -> Vec<Attachments> {
        let Choice { function, program, rules, config, .. } = *self;
        let strong_zero = config.strong_zero;
        let reader = Reader { function, program, rules, activity: &plain.activity, strong_zero };
        let flow = Flow::of(function);
        let saved: BTreeSet<ValueId> = saved_floats(plain, function);
        let mut found: Vec<(usize, Attachments)> = Vec::new();
        for flat in flatten_function_with(&reader, Split::Contiguous, Some(&Apart)) {
            let insts = flat.region.blocks.iter().flat_map(|block| &function.block(*block).insts);
            let records = flow.is_cyclic(flat.region.blocks[0])
                && insts.filter_map(|id| function.inst(*id).map(|inst| (id, inst))).any(|(id, inst)| {
                    let operands = inst.operands.iter().filter_map(|x| x.value());
                    operands.chain([*id]).any(|value| saved.contains(&value))
                });
            if !records && plain.width() == 1 && !self.always() {
                continue;
            }
            let graphs = flat.graphs.iter().filter(|graph| is_small(graph) && self.is_direct(graph));
            for graph in graphs {
                let size = graph.graph.edge_count();
                let extent = if plain.width() == 1 { Extent::Scarcest } else { Extent::Complete };
                let jacobian = accumulate(&graph.graph, &graph.terms, extent);
                found.extend(Attachments::of(function, graph, jacobian).map(|one| (size, one)));
            }
        }
        found.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        found.into_iter().map(|(_, one)| one).collect()
    }
}

/// In hundredths: a gain below this is not believed.
const WORTH: u64 = 97;

fn is_small(graph: &Flattened) -> bool {
    let between = graph.graph.with_role(Role::Between).count();
    graph.graph.vertices().count() <= LARGEST && between > 0
}

/// Floats that are saved in each iteration.
fn saved_floats(plan: &Plan, function: &Function) -> BTreeSet<ValueId> {
    let saved = plan.storage.iter().filter(|(_, stored)| stored.choice == Storage::SaveOnOverwrite);
    saved.map(|(value, _)| *value).filter(|value| function.value_type(*value).is_real()).collect()
}

impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (without, with) = self.prices;
        writeln!(
            f,
            "  preaccumulated: local Jacobians by {}; {} bytes and {} of time in place of {} and {}",
            self.recipes.join("; by "),
            with.bytes,
            with.time,
            without.bytes,
            without.time
        )?;
        for end in &self.attached.ends {
            let number = |operand: &Operand| operand.value().map_or("1".into(), |value| format!("%{}", value.0));
            let terms = self.attached.terms(*end);
            let terms: Vec<String> =
                terms.iter().map(|(factor, of)| format!("{} d{}", number(factor), number(of))).collect();
            writeln!(f, "  d%{} = {}", end.0, terms.join(" + "))?;
        }
        Ok(())
    }
}

impl Plan {
    /// The function that this is a plan of: as it was given, or with local Jacobians attached.
    pub fn body<'a>(&'a self, program: &'a Program) -> Option<&'a Function> {
        match &self.local {
            Some(local) => Some(&local.attached.function),
            None => program.function(&self.function),
        }
    }
}
