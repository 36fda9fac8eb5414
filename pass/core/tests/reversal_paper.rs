//! Section 3 of *Control flow reversal*: equations 3 to 6, figures 3 and 4. Where (3) says cos and (4) says sin, sin.

mod checker;
mod exact;

use std::collections::BTreeMap;

use backsweep_core::analyses::activity::find_activity;
use backsweep_core::config::StrongZero;
use backsweep_core::model::{Op, Operand, ValueId};
use backsweep_core::preaccumulation::eliminate::{ByEdges, Reduction, Target};
use backsweep_core::preaccumulation::flatten::{Flattened, Reader, Split, What, flatten_function};
use backsweep_core::preaccumulation::graph::{Graph, Role, Vertex};
use backsweep_core::preaccumulation::jacobian::{Extent, LocalJacobian, accumulate_by};
use backsweep_core::preaccumulation::portfolio::follow;
use backsweep_core::preaccumulation::tally::Tally;
use backsweep_core::preaccumulation::terms::{Label, Leaf, Terms};
use backsweep_core::request::Mode;
use checker::Case;
use exact::number;
use num_rational::BigRational;

/// "Every vertex with more than one out-edge must be considered an output": 3 and 4 are, beside 6 and 7. The
/// function returns all four, so that du-information says so too.
const EQUATION_3: &str = "
declare @llvm.sin.f64(double) -> double
function @f(%v1: double, %v2: double) -> {double, double, double, double} {
^entry:
  %v3: double = fmul %v1, %v2
  %v4: double = fmul %v1, %v3
  %v6: double = call @llvm.sin.f64(%v4)
  %t: double = fmul %v3, %v2
  %v7: double = fmul %t, %v4
  %a: {double, double, double, double} = insertvalue {double, double, double, double} undef, %v3 path(0)
  %b: {double, double, double, double} = insertvalue %a, %v4 path(1)
  %c: {double, double, double, double} = insertvalue %b, %v6 path(2)
  %d: {double, double, double, double} = insertvalue %c, %v7 path(3)
  ret %d
}
";

/// Values of the example by their numbers in the paper.
#[derive(Clone, Copy)]
struct Numbered {
    v1: Vertex,
    v2: Vertex,
    v3: Vertex,
    v4: Vertex,
    v6: Vertex,
    t: Vertex,
    v7: Vertex,
}

struct Example {
    flattened: Flattened,
    at: Numbered,
    sine: ValueId,
}

fn example() -> Example {
    let case = Case::new(EQUATION_3);
    let activity = find_activity(&case.function, &case.program, &case.rules, &case.request(Mode::Gradient));
    let activity = activity.unwrap_or_else(|refusals| panic!("refused: {refusals:?}"));
    let Case { program, function, rules } = &case;
    let reader = Reader { function, program, rules, activity: &activity, strong_zero: StrongZero::Always };
    let flattened = flatten_function(&reader, Split::Contiguous).remove(0).graphs.remove(0);
    let vertex = |id: u32| {
        let named = |(vertex, what): (&Vertex, &What)| match what {
            What::Value(value) if value.id.0 == id => Some(*vertex),
            _ => None,
        };
        flattened.names.iter().find_map(named).expect("every value has a vertex")
    };
    let [v1, v2, v3, v4, v6, t, v7] = [0, 1, 2, 3, 4, 5, 6].map(vertex);
    let sine = case.find(0, |op| matches!(op, Op::Call(_)));
    Example { at: Numbered { v1, v2, v3, v4, v6, t, v7 }, flattened, sine }
}

/// v1 = 2, v2 = 3, and the cosine of v4 is 1/7, as if.
fn values() -> BTreeMap<u32, BigRational> {
    [(0, 2), (1, 3), (2, 6), (3, 12), (5, 18)].into_iter().map(|(id, value)| (id, number(value, 1))).collect()
}

fn evaluate(example: &Example, graph: &Graph<Label>, terms: &Terms) -> Graph<BigRational> {
    let leaf = |leaf: &Leaf| match leaf {
        Leaf::Primal(Operand::Value(value)) => values()[&value.0].clone(),
        Leaf::Partial { inst, .. } if *inst == example.sine => number(1, 7),
        other => panic!("{other:?} is no partial of the example"),
    };
    let values = terms.evaluate(leaf, number(1, 1));
    graph.map(|label| {
        let value = label.term().map_or(number(1, 1), |term| values[term.0 as usize].clone());
        if label.negative { -value } else { value }
    })
}

/// Equation 4 and figure 3 (a): the edges with their labels.
#[test]
fn equation_4_is_the_graph() {
    let example = example();
    let Numbered { v1, v2, v3, v4, v6, t, v7 } = example.at;
    let graph = &example.flattened.graph;
    let inputs: Vec<Vertex> = graph.with_role(Role::Input).collect();
    let outputs: Vec<Vertex> = graph.with_role(Role::Output).collect();
    assert_eq!((inputs, outputs), (vec![v1, v2], vec![v3, v4, v6, v7]));
    assert_eq!(graph.role(t), Role::Between);
    let labels: Vec<(Vertex, Vertex, BigRational)> =
        evaluate(&example, graph, &example.flattened.terms).edges();
    let mut expected = vec![
        (v1, v3, number(3, 1)),  // c31 = v2
        (v2, v3, number(2, 1)),  // c32 = v1
        (v1, v4, number(6, 1)),  // c41 = v3
        (v3, v4, number(2, 1)),  // c43 = v1
        (v4, v6, number(1, 7)),  // c64 = cos v4
        (v3, t, number(3, 1)),   // ct3 = v2
        (v2, t, number(6, 1)),   // ct2 = v3
        (t, v7, number(12, 1)),  // c7t = v4
        (v4, v7, number(18, 1)), // c74 = t
    ];
    expected.sort_by_key(|(from, to, _)| (*from, *to));
    assert_eq!(labels, expected);
}

/// Section 3.3: LM leaves (3,t) and (2,t), front; the last in topological order is (3,t). Then its sibling (4,7), back,
/// as (3,4), front, leads to a dependent. Figures 3 (b) and 4 (b) are the graphs after each.
#[test]
fn the_sequence_of_the_paper() {
    let example = example();
    let Numbered { v1, v2, v3, v4, v6, t, v7 } = example.at;
    let kinds = example.flattened.graph.map(|label| example.flattened.terms.kind(*label));
    let recipe = follow(&kinds, &"edges:HS,LM,R".parse().expect("an elimination"));
    assert_eq!(recipe.steps[..2], [Target::Front(v3, t), Target::Back(v4, v7)]);

    let mut system = ByEdges::new(kinds);
    assert!(!system.targets().contains(&Target::Front(v3, v4)), "4 is a dependent");
    let edges = |system: &ByEdges<_>| -> Vec<(Vertex, Vertex)> {
        let graph = system.remainder(&mut Tally::default());
        graph.edges().into_iter().map(|(from, to, _)| (from, to)).collect()
    };
    let sorted = |mut edges: Vec<(Vertex, Vertex)>| {
        edges.sort();
        edges
    };
    let rest = [(v1, v3), (v2, v3), (v1, v4), (v3, v4), (v4, v6), (v2, t), (t, v7), (v3, v7)];
    let mut tally = Tally::default();
    system.eliminate(&mut tally, recipe.steps[0]);
    assert_eq!(edges(&system), sorted([&rest[..], &[(v4, v7)]].concat()));
    assert_eq!(tally.cost.products(), 1, "(3,t) front is a single expression");
    system.eliminate(&mut tally, recipe.steps[1]);
    assert_eq!(edges(&system), sorted([&rest[..], &[(v1, v7)]].concat()));
    assert_eq!(
        (tally.cost.multiplications, tally.cost.fused),
        (2, 1),
        "(4,7) back is fill-in and absorption"
    );
}

fn jacobian(example: &Example) -> LocalJacobian {
    let kinds = example.flattened.graph.map(|label| example.flattened.terms.kind(*label));
    let recipe = follow(&kinds, &"edges:HS,LM,R".parse().expect("an elimination"));
    accumulate_by(&example.flattened.graph, &example.flattened.terms, recipe, Extent::Complete)
}

/// Figure 4 (c) and equation 5: the complete bipartite graph. For (1,3) and (2,3) the labels of (4) are entries as they
/// are; six more are computed.
#[test]
fn figure_4_is_the_jacobian() {
    let example = example();
    let Numbered { v1, v2, v3, v4, v6, v7, .. } = example.at;
    let jacobian = jacobian(&example);
    assert!(jacobian.is_complete());
    let entries = evaluate(&example, &jacobian.remainder, &jacobian.terms).edges();
    let mut expected = vec![
        (v1, v3, number(3, 1)),   // v2
        (v2, v3, number(2, 1)),   // v1
        (v1, v4, number(12, 1)),  // 2 v1 v2
        (v2, v4, number(4, 1)),   // v1²
        (v1, v6, number(12, 7)),  // cos(v4) 2 v1 v2
        (v2, v6, number(4, 7)),   // cos(v4) v1²
        (v1, v7, number(324, 1)), // v7 = v1³ v2³
        (v2, v7, number(216, 1)),
    ];
    expected.sort_by_key(|(from, to, _)| (*from, *to));
    assert_eq!(entries, expected);
    for (from, leaf) in [(v1, 1), (v2, 0)] {
        let label = jacobian.remainder.label(from, v3).expect("an entry");
        let term = jacobian.terms.term(label.term().expect("no trivial entry"));
        let primal =
            backsweep_core::preaccumulation::terms::Term::Leaf(Leaf::Primal(Operand::Value(ValueId(leaf))));
        assert_eq!(*term, primal);
    }
    // Every entry is a number of its own, and at most two of them are there anyway.
    assert_eq!(jacobian.recorded().len(), 8);
}

/// Equation 6: the adjoints of 1 and 2 are the transposed Jacobian times those of 3, 4, 6 and 7, as the reverse of
/// the statements one by one gives them.
#[test]
fn equation_6_is_the_reverse_of_the_block() {
    let example = example();
    let at = example.at;
    let jacobian = jacobian(&example);
    let entries = evaluate(&example, &jacobian.remainder, &jacobian.terms);
    let seeds = [(at.v3, number(5, 1)), (at.v4, number(-2, 1)), (at.v6, number(7, 1)), (at.v7, number(1, 3))];
    let product = |input: Vertex| -> BigRational {
        let entry = |output: &Vertex| entries.label(input, *output).cloned().expect("the Jacobian is full");
        seeds.iter().map(|(output, seed)| entry(output) * seed).sum()
    };

    let v = values();
    let (v1, v2, v3, v4, t) = (&v[&0], &v[&1], &v[&2], &v[&3], &v[&5]);
    let [b3, b4, b6, b7] = seeds.clone().map(|(_, seed)| seed);
    let b4 = b4 + &b7 * t + b6 * number(1, 7); // v7 = t v4, v6 = sin v4
    let bt = b7 * v4;
    let b3 = b3 + &bt * v2 + &b4 * v1; // t = v3 v2, v4 = v1 v3
    let b2 = bt * v3 + &b3 * v1; // v3 = v1 v2
    let b1 = b4 * v3 + b3 * v2;
    assert_eq!((product(at.v1), product(at.v2)), (b1, b2));
}
