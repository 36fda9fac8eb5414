//! What is known of one pair of accesses of a function?
//!
//! The pair → a [`Pair`]: independent with the reason, dependent with directions and distances, or unknown with the
//! reason (then everything is possible). Its edges are the dependences in execution order, with their kinds.
//! Safe error: unknown.

use std::fmt;

use super::access::{Access, Accesses, name_operand};
use super::breaking::{Breaking, find_breaking};
use super::direction::{Relation, Vector};
use super::indirect::describe_indirection;
use super::nesting::Nesting;
use super::objects::are_apart;
use super::omega::Budget;
use super::pair::build_question;
use super::solve::{Outcome, solve};
use super::verdict::Test;
use crate::model::{LoopId, Program};

#[derive(Clone, Debug)]
pub struct Pair {
    /// Indices into the accesses; the first stands earlier in the body, or is the same.
    pub first: usize,
    pub second: usize,
    pub common: Vec<LoopId>,
    pub finding: Finding,
    pub breaking: Option<Breaking>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    Independent {
        by: Proof,
    },
    Dependent {
        by: Test,
    },
    /// Everything is possible.
    Unknown {
        reason: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    Test(Test),
    Objects,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Flow,
    Anti,
    Output,
    Input,
}

/// A dependence from one access to another that runs later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub kind: Kind,
    pub vector: Vector,
}

/// Tests two accesses, given by their places in the list; the first must not stand later in the body.
pub fn test_pair(
    program: &Program,
    nesting: &Nesting,
    accesses: &Accesses,
    first: usize,
    second: usize,
) -> Pair {
    let (a, b) = (&accesses.list[first], &accesses.list[second]);
    let common: Vec<LoopId> =
        a.loops.iter().zip(&b.loops).take_while(|(x, y)| x == y).map(|(x, _)| *x).collect();
    let (finding, relation, breaking) = find(program, nesting, accesses, (a, b), common.len());
    // Where control goes round in ways that are no loops, either may run first at any time.
    let either = nesting.is_wild();
    let edges =
        relation.map(|relation| edges((a, first), (b, second), &relation, either)).unwrap_or_default();
    let finding = match finding {
        // Only the access itself in the same iteration: that is no dependence.
        Finding::Dependent { by } if edges.is_empty() => Finding::Independent { by: Proof::Test(by) },
        finding => finding,
    };
    Pair { first, second, common, finding, breaking, edges }
}

type Found = (Finding, Option<Relation>, Option<Breaking>);

fn find(
    program: &Program,
    nesting: &Nesting,
    accesses: &Accesses,
    (a, b): (&Access, &Access),
    levels: usize,
) -> Found {
    let unknown = |reason: String| (Finding::Unknown { reason }, Some(Relation::everything(levels)), None);
    if are_apart(program, nesting, a, b) {
        return (Finding::Independent { by: Proof::Objects }, None, None);
    }
    if nesting.is_wild() {
        return unknown("control flow has a cycle that is no natural loop".into());
    }
    for access in [a, b] {
        if let Err(reason) = &access.address {
            return unknown(describe_indirection(nesting, access).unwrap_or_else(|| reason.clone()));
        }
        if access.bytes.is_none() {
            return unknown("the size of the access is not known".into());
        }
    }
    let Some(question) = build_question(nesting, accesses, a, b, None) else {
        return unknown("numbers too large".into());
    };
    match solve(&question.problem, &mut Budget::for_size(question.problem.largest())) {
        Outcome::Independent { by } => (Finding::Independent { by: Proof::Test(by) }, None, None),
        Outcome::Dependent { relation, by, open } => {
            let breaking = find_breaking(nesting, accesses, a, b, &question);
            let indirect = [a, b].into_iter().find_map(|access| describe_indirection(nesting, access));
            let finding = if let Some(reason) = indirect {
                Finding::Unknown { reason }
            } else if question.bases_differ {
                Finding::Unknown { reason: describe_bases(nesting, a, b) }
            } else if open {
                Finding::Unknown { reason: "may depend: the budget of the exact test is spent".into() }
            } else {
                Finding::Dependent { by }
            };
            (finding, Some(relation), breaking)
        }
    }
}

fn describe_bases(nesting: &Nesting, a: &Access, b: &Access) -> String {
    use crate::model::Object;
    let name = |access: &Access| match &access.objects[..] {
        [Object::Global(name)] => format!("@{name}"),
        [Object::Local(id) | Object::Param(id) | Object::Through(id)] => {
            name_operand(nesting.function, &crate::model::Operand::Value(*id))
        }
        _ => "a pointer".into(),
    };
    format!("{} and {} may overlap", name(a), name(b))
}

fn edges(
    (a, first): (&Access, usize),
    (b, second): (&Access, usize),
    relation: &Relation,
    either: bool,
) -> Vec<Edge> {
    let forward = relation.forward(first != second).map(|vector| Edge {
        from: first,
        to: second,
        kind: kind(a, b),
        vector,
    });
    // The same access with itself: the backward part is the forward part again.
    let backward = relation.backward(either).filter(|_| first != second);
    let backward = backward.map(|vector| Edge { from: second, to: first, kind: kind(b, a), vector });
    forward.into_iter().chain(backward).collect()
}

fn kind(from: &Access, to: &Access) -> Kind {
    match (from.writes, to.writes) {
        (true, true) => Kind::Output,
        (true, false) => Kind::Flow,
        (false, true) => Kind::Anti,
        (false, false) => Kind::Input,
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Flow => "flow",
            Kind::Anti => "anti",
            Kind::Output => "output",
            Kind::Input => "input",
        })
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Test(test) => test.fmt(f),
            Proof::Objects => f.write_str("different objects"),
        }
    }
}
