//! The local Jacobian of one graph: which program computes it, what that costs, and what there is to record.
//!
//! Graph + recipe → [`LocalJacobian`]. What remains may be the Jacobian itself, or a graph that holds the same in
//! fewer numbers: the product of a column and a row has `m n` entries and is `m + n` numbers (scarcity).

use std::collections::{BTreeMap, BTreeSet};

use super::cost::Cost;
use super::graph::{Graph, Role, Vertex};
use super::portfolio::{Recipe, find_recipe, find_recipe_by_vertices, follow_steps};
use super::tally::{Kind, Tally};
use super::terms::{Label, TermId, Terms};
use crate::elimination::{Elimination, Technique};
use crate::model::Layout;

#[derive(Clone, Debug)]
pub struct LocalJacobian {
    pub recipe: Recipe,
    /// How many of the recipe's steps were taken.
    pub steps: usize,
    /// Inputs, outputs, and what was not worth eliminating. Labels are terms of the program.
    pub remainder: Graph<Label>,
    /// The program.
    pub terms: Terms,
    /// Outputs that others depend on, with the vertices that took their places in the remainder.
    ends: BTreeMap<Vertex, Vertex>,
}

/// How far elimination goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Until inputs and outputs are left.
    Complete,
    /// As far as there is least to record.
    Scarcest,
}

/// Eliminates as is asked for, or as the cheapest recipe says.
pub fn accumulate(
    graph: &Graph<Label>,
    terms: &Terms,
    extent: Extent,
    asked: Option<&Elimination>,
) -> LocalJacobian {
    let recipe = find_recipe(&graph.map(|label| terms.kind(*label)), asked);
    accumulate_by(graph, terms, recipe, extent)
}

/// As far as there is least to record, and so that what is left is a derivative for each vertex.
pub fn accumulate_scarcely(
    graph: &Graph<Label>,
    terms: &Terms,
    asked: Option<&Elimination>,
) -> LocalJacobian {
    match find_recipe_by_vertices(&graph.map(|label| terms.kind(*label)), asked) {
        Some(recipe) => accumulate_by(graph, terms, recipe, Extent::Scarcest),
        None => accumulate(graph, terms, Extent::Complete, asked),
    }
}

/// As far as computing what is left and applying it to so many directions costs least.
pub fn accumulate_cheaply(
    graph: &Graph<Label>,
    terms: &Terms,
    asked: Option<&Elimination>,
    width: u64,
    weigh: &dyn Fn(Cost) -> u64,
) -> LocalJacobian {
    let kinds = graph.map(|label| terms.kind(*label));
    let price = |jacobian: &LocalJacobian| {
        weigh(jacobian.cost_of_computing()) + width * weigh(jacobian.cost_of_applying())
    };
    let complete = accumulate(graph, terms, Extent::Complete, asked);
    let Some(recipe) = find_recipe_by_vertices(&kinds, asked) else { return complete };
    let all = recipe.steps.len();
    let partly = (0..all).filter(|steps| steps.is_multiple_of(1 + all / LOOKS));
    let partly = partly.map(|steps| accumulate_some(graph, terms, recipe.clone(), steps));
    partly.chain([complete]).min_by_key(price).unwrap_or_else(|| unreachable!("one of them is complete"))
}

/// Eliminates as a recipe says.
pub fn accumulate_by(graph: &Graph<Label>, terms: &Terms, recipe: Recipe, extent: Extent) -> LocalJacobian {
    let steps = match extent {
        Extent::Complete => recipe.steps.len(),
        Extent::Scarcest => scarcest(&graph.map(|label| terms.kind(*label)), &recipe),
    };
    accumulate_some(graph, terms, recipe, steps)
}

fn accumulate_some(graph: &Graph<Label>, terms: &Terms, recipe: Recipe, steps: usize) -> LocalJacobian {
    let (mut graph, mut terms) = (graph.clone(), terms.clone());
    let ends = match recipe.technique {
        Technique::Vertices => graph.separate(Label::ONE).into_iter().collect(),
        Technique::Edges | Technique::Faces => BTreeMap::new(),
    };
    let remainder = follow_steps(&graph, &mut terms, recipe.technique, &recipe.steps[..steps], Label::ONE);
    LocalJacobian { recipe, steps, remainder, terms, ends }
}

/// The number of steps after which the fewest numbers are left, and of those the one with the fewest edges. Of many
/// steps, some are looked at.
fn scarcest(graph: &Graph<Kind>, recipe: &Recipe) -> usize {
    let all = recipe.steps.len();
    let looked_at = |steps: &usize| steps.is_multiple_of(1 + all / LOOKS) || *steps == all;
    let size = |graph: &Graph<Kind>| {
        let edges = graph.edges();
        (edges.iter().filter(|(.., kind)| *kind == Kind::Variable).count(), edges.len())
    };
    let after = |steps: usize| {
        let taken = &recipe.steps[..steps];
        follow_steps(graph, &mut Tally::default(), recipe.technique, taken, Kind::Unit)
    };
    // By faces only all steps together make a graph.
    let first = if recipe.technique == Technique::Faces { all } else { 0 };
    (first..=all).filter(looked_at).min_by_key(|steps| size(&after(*steps))).unwrap_or(all)
}

/// How many remainders are compared at most.
const LOOKS: usize = 32;

impl LocalJacobian {
    /// The vertex of the remainder that an output of the graph is.
    pub fn end_of(&self, output: Vertex) -> Vertex {
        self.ends.get(&output).copied().unwrap_or(output)
    }

    /// The terms that the reverse sweep needs: each variable label once.
    pub fn recorded(&self) -> BTreeSet<TermId> {
        let labels = self.remainder.edges().into_iter().filter_map(|(.., label)| label.term());
        labels.filter(|term| self.terms.facts(*term).kind == Kind::Variable).collect()
    }

    pub fn recorded_bytes(&self, layout: &Layout) -> u64 {
        let size = |term: TermId| layout.store_size(&self.terms.facts(term).ty).unwrap_or_default();
        self.recorded().into_iter().map(size).sum()
    }

    /// What the forward sweep pays: the partials, and the products and sums of them.
    pub fn cost_of_computing(&self) -> Cost {
        self.terms.cost(self.recorded())
    }

    pub fn cost_of_applying(&self) -> Cost {
        cost_of_applying(&self.remainder, &self.terms)
    }

    pub fn is_complete(&self) -> bool {
        self.remainder.with_role(Role::Between).next().is_none() && self.remainder.is_bipartite()
    }
}

/// What the reverse sweep pays for one direction, and so does a tangent: a multiply-add an edge.
pub fn cost_of_applying(graph: &Graph<Label>, terms: &Terms) -> Cost {
    let mut cost = Cost::default();
    for (.., label) in graph.edges() {
        match label.term() {
            Some(term) => {
                cost.fused += 1;
                cost.guards += u64::from(terms.facts(term).singular);
            }
            None => cost.additions += 1,
        }
    }
    cost
}
