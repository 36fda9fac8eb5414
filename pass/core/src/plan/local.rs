//! Straight-line code whose derivative goes through its local Jacobian and not through its instructions.
//!
//! A graph is a candidate where control may enter again, or another function goes back, so that what its instructions need in
//! reverse would be recorded, or where there are several directions, each of which would go through every edge. The function is planned with the
//! Jacobians attached and without, and the cheaper plan is taken; all graphs at once first, then the promising ones by
//! themselves. The factors are values like any other: the cut stores them, or computes them again where that is cheaper.
//! Safe error: not preaccumulated (costs tape or time, never truth).

use std::collections::BTreeSet;
use std::fmt;

use super::price::{Price, find_waiting, weigh};
use super::{Contracted, Given, Plan, Planner, Storage};
use crate::analyses::flow::Flow;
use crate::analyses::meaning::{Meaning, meaning};
use crate::config::{Config, Preaccumulate};
use crate::model::{Function, Operand, Program, ValueId};
use crate::preaccumulation::attached::{Attached, Attachments, attach};
use crate::preaccumulation::flatten::{Apart, Flattened, Reader, Split, What, flatten_function_with};
use crate::preaccumulation::graph::Role;
use crate::preaccumulation::jacobian::{
    LocalJacobian, accumulate_cheaply, accumulate_scarcely, cost_of_applying,
};
use crate::preaccumulation::terms::{Leaf, Term, TermId};
use crate::refusal::Refusal;
use crate::request::Mode;
use crate::rules::{Expr, Rules};

/// The function that is differentiated in place of the one that was given.
#[derive(Clone, Debug)]
pub struct Local {
    pub attached: Attached,
    /// The calls in it that give their partial derivatives.
    pub contracted: Vec<Contracted>,
    /// What the plans cost, without and with.
    pub prices: (Price, Price),
    /// For each graph: how it was eliminated.
    pub recipes: Vec<String>,
}

/// Graphs beyond this take long to eliminate.
const LARGEST: usize = 300;

/// So many vertices are eliminated in one function.
const VERTICES: usize = 2_000;

/// So many graphs are tried by themselves, in functions of up to so many instructions; of larger ones there is one plan with
/// all graphs, and of the largest none, so that our own time stays in proportion.
const TRIED: usize = 4;
const SMALL: usize = 600;
const LARGE: usize = 6_000;

/// The plan of the function as it is, or a cheaper one with local Jacobians.
pub fn plan_with_local(given: &Given, planner: &Planner) -> Result<Plan, Vec<Refusal>> {
    let Given { function, program, rules, config } = *given;
    let plain = planner(function, &|id| id)?;
    let always = config.analyses.preaccumulate == Preaccumulate::Always;
    let asked = match plain.request.mode {
        // Two halves ask the same of equal plans, and so agree on what is attached (`check_halves`).
        Mode::Gradient | Mode::Augmented | Mode::Reverse => true,
        Mode::Tangent => plain.width() > 1 || always,
    };
    if !asked || config.analyses.preaccumulate == Preaccumulate::Never || function.insts.len() > LARGE {
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
        if candidates.len() > 1 && self.function.insts.len() <= SMALL {
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
        let number = |id| attached.number(id).unwrap_or(id);
        let (mut plan, with) = {
            let _standing = program.stand_in(&attached.function);
            let plan = (self.planner)(&attached.function, &number).ok()?;
            let with = Price::of(&plan, &attached.function, program, rules);
            (plan, with)
        };
        let enough = if plan.width() == 1 { FASTER } else { FASTER_ABREAST };
        let faster = with.total() * 100 < without.total() * enough && with.bytes <= without.bytes;
        let shorter = with.bytes * 100 < without.bytes * FEWER && with.total() < without.total();
        let cheaper = faster || shorter && plan.width() == 1;
        let recipes = all.iter().map(|one| one.jacobian.recipe.by.clone()).collect();
        plan.local = Some(Local { attached, contracted: Vec::new(), prices: (without, with), recipes });
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
        let (strong_zero, asked) = (config.strong_zero, config.eliminate.as_ref());
        let reader = Reader { function, program, rules, activity: &plain.activity, strong_zero };
        let flow = Flow::of(function);
        let saved: BTreeSet<ValueId> = saved_floats(plain, function);
        let flats = flatten_function_with(&reader, Split::Contiguous, Some(&Apart));
        let waiting = find_waiting(plain, function, program, rules);
        // Each with whether the reverse of its loop waits for what the loop carries.
        let mut graphs: Vec<(&Flattened, bool)> = Vec::new();
        for flat in &flats {
            let again = flow.is_cyclic(flat.region.blocks[0]);
            if again || plain.is_half() || plain.width() > 1 || self.always() {
                let fit = flat.graphs.iter().filter(|graph| is_small(graph) && self.is_direct(graph));
                let waits = waiting.contains(&flat.region.blocks[0]);
                graphs.extend(fit.map(|graph| (graph, waits)));
            }
        }
        graphs.sort_by_key(|(graph, _)| std::cmp::Reverse(graph.graph.edge_count()));
        let mut left = VERTICES;
        let mut found = Vec::new();
        for (graph, waits) in graphs {
            let Some(rest) = left.checked_sub(graph.graph.vertices().count()) else { continue };
            let saved_here = self.saved_by(graph, &saved);
            left = rest;
            let jacobian = match plain.width() {
                1 if !saved_here.is_empty() => accumulate_scarcely(&graph.graph, &graph.terms, asked),
                width => accumulate_cheaply(&graph.graph, &graph.terms, asked, u64::from(width), &weigh),
            };
            if self.always() || waits || promises(graph, &jacobian, plain.width(), &saved, &saved_here) {
                found.extend(Attachments::of(function, graph, jacobian));
            }
        }
        found
    }

    /// The numbers that are saved for a graph: what its partials may be made of.
    fn saved_by(&self, graph: &Flattened, saved: &BTreeSet<ValueId>) -> BTreeSet<ValueId> {
        let named = graph.names.values().map(|what| match what {
            What::Value(value) => value.id,
            What::Cell(access) => *access,
        });
        let taken = named.flat_map(|id| {
            let operands = self.function.inst(id).into_iter().flat_map(|inst| &inst.operands);
            operands.filter_map(Operand::value).chain([id])
        });
        taken.filter(|id| saved.contains(id)).collect()
    }
}

/// Whether there may be less to record, or less to do in several directions. Only plans tell.
fn promises(
    graph: &Flattened,
    jacobian: &LocalJacobian,
    width: u32,
    saved: &BTreeSet<ValueId>,
    saved_here: &BTreeSet<ValueId>,
) -> bool {
    let recorded = |term: &TermId| match jacobian.terms.term(*term) {
        Term::Leaf(Leaf::Primal(operand)) => operand.value().is_some_and(|value| saved.contains(&value)),
        _ => true,
    };
    if jacobian.recorded().iter().filter(|term| recorded(term)).count() < saved_here.len() {
        return true;
    }
    let width = u64::from(width);
    let partials = graph.graph.edges().into_iter().filter_map(|(.., label)| label.term());
    let step_by_step =
        weigh(graph.terms.cost(partials)) + weigh(cost_of_applying(&graph.graph, &graph.terms)) * width;
    let at_once = weigh(jacobian.cost_of_computing()) + weigh(jacobian.cost_of_applying()) * width;
    at_once * 100 < step_by_step * FASTER
}

/// In hundredths of the plan without: a gain in bytes is not believed above this.
const FEWER: u64 = 90;

/// The same for time alone, which compilers find much to spare of.
const FASTER: u64 = 88;

/// The same for several directions, whose price knows the processor.
const FASTER_ABREAST: u64 = 92;

fn is_small(graph: &Flattened) -> bool {
    let between = graph.graph.with_role(Role::Between).count();
    graph.graph.vertices().count() <= LARGEST && between > 0
}

/// Floats that are saved in each iteration, or that one half leaves for the other.
fn saved_floats(plan: &Plan, function: &Function) -> BTreeSet<ValueId> {
    let is_saved = |stored: &Storage| match stored {
        Storage::SaveOnOverwrite => true,
        Storage::Keep => plan.is_half(),
        _ => false,
    };
    let saved = plan.storage.iter().filter(|(_, stored)| is_saved(&stored.choice));
    saved.map(|(value, _)| *value).filter(|value| function.value_type(*value).is_real()).collect()
}

impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for contracted in &self.contracted {
            writeln!(f, "  {contracted}")?;
        }
        if self.recipes.is_empty() {
            return Ok(());
        }
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
            let number =
                |operand: &Operand| operand.value().map_or("1".into(), |value| format!("%{}", value.0));
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
