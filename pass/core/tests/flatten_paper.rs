//! Every example of *Flattening basic blocks*, as functions of the model. Figure 3 is lost but for its caption; the
//! alias sets it is about are those of `straight`.

mod checker;

use backsweep_core::analyses::activity::find_activity;
use backsweep_core::config::StrongZero;
use backsweep_core::preaccumulation::eliminate::{ByEdges, ByFaces, ByVertices, Reduction, Target};
use backsweep_core::preaccumulation::flatten::{Flat, Flattened, Reader, Split, flatten_function};
use backsweep_core::preaccumulation::graph::{Graph, Role};
use backsweep_core::preaccumulation::jacobian::{Extent, accumulate};
use backsweep_core::preaccumulation::report::Report;
use backsweep_core::preaccumulation::tally::{Kind, Tally};
use backsweep_core::preaccumulation::terms::Label;
use backsweep_core::request::Mode;
use checker::Case;

fn flatten(text: &str) -> (Vec<Flat>, String) {
    let case = Case::new(text);
    let request = case.request(Mode::Gradient);
    let activity = find_activity(&case.function, &case.program, &case.rules, &request);
    let activity = activity.unwrap_or_else(|refusals| panic!("refused: {refusals:?}"));
    let Case { program, function, rules } = &case;
    let reader = Reader { function, program, rules, activity: &activity, strong_zero: StrongZero::Always };
    let flats = flatten_function(&reader, Split::Contiguous);
    let text = flats.iter().map(|flat| Report { reader: &reader, flat, asked: None }.to_string()).collect();
    (flats, text)
}

/// The graphs alone, without what elimination makes of them.
fn graphs(text: &str) -> String {
    let mut shown = String::new();
    let mut inside = true;
    for line in text.lines() {
        inside = inside && !line.trim_start().starts_with("eliminated") || line.starts_with("  graph");
        if inside {
            shown += &format!("{}\n", line.trim());
        }
    }
    shown
}

fn assert_graphs(text: &str, expected: &str) {
    let (_, found) = flatten(text);
    let expected: String = expected.trim().lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(graphs(&found), expected, "{found}");
}

/// The only graph of a function.
fn only_graph(text: &str) -> Flattened {
    let (mut flats, found) = flatten(text);
    assert_eq!((flats.len(), flats[0].graphs.len()), (1, 1), "{found}");
    flats.remove(0).graphs.remove(0)
}

const FIGURE_1: &str = "
function @f(%z: ptr noalias, %x: ptr noalias, %y: ptr noalias) {
^entry:
  %a: double = load %z
  %b: double = load %x
  %m: double = fmul %a, %b
  %n: double = fneg %m
  store %n, %z
  %c: double = load %z
  %d: double = load %x
  %q: double = fdiv %c, %d
  store %q, %y
  ret
}
";

/// `z = -(z * x); y = z / x`: the use of z is its definition, x is the same both times, and z on entry is no longer z.
#[test]
fn figure_1() {
    assert_graphs(
        FIGURE_1,
        "region ^0: 1 graph
         graph 0: 2 inputs, 1 between, 2 outputs
         in v0: the cell read by %3
         in v1: the cell read by %4
         v2: %5
         out v3: %6, the cell written by %7
         out v4: %10, the cell written by %11
         v0 -> v2: %4
         v1 -> v2: %3
         v1 -> v4: -d%10/d%9
         v2 -> v3: -1
         v3 -> v4: d%10/d%8",
    );
}

/// The same with `*z`, and `z += k` in between: what the second statement reads is not known, so there are two graphs,
/// the right-hand sides (figure 5, and the first case of section 6.1).
#[test]
fn figures_2_and_5() {
    let ambiguous = FIGURE_1.replace("%y: ptr noalias)", "%y: ptr noalias, %k: i64)").replace(
        "  %c: double = load %z",
        "  %w: ptr = gep %z, %k over double by(8)\n  %c: double = load %w",
    );
    assert_graphs(
        &ambiguous,
        "region ^0: 2 graphs
         graph 0: 2 inputs, 1 between, 1 output
         in v0: the cell read by %4
         in v1: the cell read by %5
         v2: %6
         out v3: %7, the cell written by %8
         v0 -> v2: %5
         v1 -> v2: %4
         v2 -> v3: -1
         graph 1: 2 inputs, 0 between, 1 output
         in v0: the cell read by %10
         in v1: the cell read by %11
         out v2: %12, the cell written by %13
         v0 -> v2: d%12/d%10
         v1 -> v2: -d%12/d%11",
    );
    // The second case: were it known to be the same, the graph is figure 1's again.
    let certain = ambiguous
        .replace("store %n, %z", "store %n, %z\n    memory writes pointer %z class 0")
        .replace("load %w", "load %w\n    memory reads pointer %w class 0")
        .replace("  ret\n}", "  ret\nalias must %8 %10\n}");
    let (_, text) = flatten(&certain);
    assert!(text.contains("graph 0: 2 inputs, 1 between, 2 outputs"), "{text}");
    assert!(!text.contains("graph 1"), "{text}");
}

/// The reads of `*q + *r + *s`: one vertex where they are the same, three where nobody knows, and neither is a reason
/// to split.
#[test]
fn figure_4() {
    let text = "
function @f(%q: ptr, %r: ptr, %s: ptr) -> double {
^entry:
  %a: double = load %q
    memory reads pointer %q class 0
  %b: double = load %r
    memory reads pointer %r class 0
  %c: double = load %s
    memory reads pointer %s class 0
  %d: double = fadd %a, %b
  %e: double = fadd %d, %c
  ret %e
PAIRS
}
";
    // (a): all the same address. The edges from *q are parallel, their labels add up.
    assert_graphs(
        &text.replace("PAIRS", "alias must %3 %4\nalias must %3 %5\nalias must %4 %5"),
        "region ^0: 1 graph
         graph 0: 1 input, 1 between, 1 output
         in v0: the cell read by %3
         v1: %6
         out v2: %7
         t0 = 1 + 1, constant
         v0 -> v1: t0
         v0 -> v2: 1
         v1 -> v2: 1",
    );
    // (b): dashed edges among the reads only.
    assert_graphs(
        &text.replace("PAIRS", ""),
        "region ^0: 1 graph
         graph 0: 3 inputs, 1 between, 1 output
         in v0: the cell read by %3
         in v1: the cell read by %4
         in v2: the cell read by %5
         v3: %6
         out v4: %7
         v0 -> v3: 1
         v1 -> v3: 1
         v2 -> v4: 1
         v3 -> v4: 1",
    );
}

/// (c): `*z` and `x` may be the same cell, so x after the first statement may be z.
#[test]
fn figure_4_c() {
    let (_, text) = flatten(&FIGURE_1.replace(" noalias", ""));
    assert!(text.contains("region ^0: 2 graphs"), "{text}");
}

/// A dependent vertex that is not maximal, v on the way from u to w.
const FIGURE_6: &str = "
declare @llvm.sin.f64(double) -> double
declare @llvm.exp.f64(double) -> double
function @f(%u: double, %p: ptr noalias, %q: ptr noalias) {
^entry:
  %v: double = call @llvm.sin.f64(%u)
  store %v, %p
  %w: double = call @llvm.exp.f64(%v)
  store %w, %q
  ret
}
";

#[test]
fn figure_6_a_extends_the_graph() {
    let flattened = only_graph(FIGURE_6);
    let kinds = flattened.graph.map(|label| flattened.terms.kind(*label));
    let roles: Vec<Role> = kinds.vertices().map(|vertex| kinds.role(vertex)).collect();
    assert_eq!(roles, [Role::Input, Role::Output, Role::Output]);
    let vertices: Vec<_> = kinds.vertices().collect();
    let [u, v, w] = vertices.as_slice() else { panic!("three vertices") };

    // By vertices v becomes intermediate, and v' takes its place, at the end of an edge with label 1.
    let extended = ByVertices::new(kinds.clone(), Kind::Unit);
    assert_eq!(extended.targets(), [Target::Vertex(*v)]);
    let graph = extended.remainder(&mut Tally::default());
    let end = graph.with_role(Role::Output).last().expect("v'");
    assert_eq!(graph.label(*v, end), Some(&Kind::Unit));

    // By edges no in-edge of v is drawn forward; the edge out of it is drawn back.
    let by_edges = ByEdges::new(kinds.clone());
    assert_eq!(by_edges.targets(), [Target::Back(*v, *w)]);

    // (b): the line graph needs nothing: the edge into v meets the edge out of it, and v's end.
    let by_faces = ByFaces::new(kinds);
    assert_eq!(by_faces.targets().len(), 1);
    let mut eliminated = by_faces.clone();
    eliminated.eliminate(&mut Tally::default(), by_faces.targets()[0]);
    let edges = eliminated.remainder(&mut Tally::default()).edges();
    assert_eq!(edges, [(*u, *v, Kind::Variable), (*u, *w, Kind::Variable)]);
}

/// (c): `y = x` is one vertex, independent and dependent. It becomes two, with the derivative 1 between them.
#[test]
fn figure_6_c_separates_what_collapsed() {
    let flattened = only_graph(
        "
declare @llvm.sin.f64(double) -> double
function @f(%x: ptr noalias, %y: ptr noalias, %z: ptr noalias) {
^entry:
  %a: double = load %x
  store %a, %y
  %b: double = call @llvm.sin.f64(%a)
  store %b, %z
  ret
}
",
    );
    let roles: Vec<Role> = flattened.graph.vertices().map(|vertex| flattened.graph.role(vertex)).collect();
    assert_eq!(roles, [Role::Input, Role::Output, Role::Output]);
    let vertices: Vec<_> = flattened.graph.vertices().collect();
    assert_eq!(flattened.graph.label(vertices[0], vertices[2]), Some(&Label::ONE));
    assert_eq!(flattened.outputs[0].vertex, Some(vertices[2]));
}

/// Section 6.2: a cell that is overwritten in the graph is no dependent, nor is one that nobody reads again.
#[test]
fn dependents_are_what_is_used() {
    assert_graphs(
        "
declare @llvm.sin.f64(double) -> double
function @f(%x: double, %y: ptr) {
^entry:
  %slot: ptr = alloca i64 1 of double
  %a: double = fmul %x, %x
  store %a, %y
  store %a, %slot
  %b: double = load %slot
  %c: double = call @llvm.sin.f64(%b)
  store %c, %y
  ret
}
",
        "region ^0: 1 graph
         graph 0: 1 input, 1 between, 1 output
         in v0: %0
         v1: %3
         out v2: %7, the cell written by %8
         t1 = %0 + %0
         v0 -> v1: t1
         v1 -> v2: d%7/d%6",
    );
}

/// Section 7: `floor` is constant, what is computed from it is, and so is a cell that holds it, read under whatever name.
#[test]
fn constant_subgraphs_are_folded_across_statements() {
    assert_graphs(
        "
declare @llvm.floor.f64(double) -> double
function @f(%x: double, %p: ptr, %q: ptr, %r: ptr noalias) {
^entry:
  %a: double = call @llvm.floor.f64(%x)
  %b: double = fmul %a, double 3.0
  store %b, %p
  store double 1.0, %q
  %c: double = load %p
  %d: double = fmul %c, %x
  store %d, %r
  ret
}
",
        "region ^0: 1 graph
         graph 0: 1 input, 0 between, 1 output
         in v0: %0
         out v1: %9, the cell written by %10
         constant: the cell written by %6
         constant: the cell written by %7
         v0 -> v1: %8",
    );
}

/// Section 7.2: x = a bᵀ x over a scalar in between. The Jacobian has n² entries; a and b are 2n numbers.
#[test]
fn a_product_of_vectors_is_stored_as_two() {
    let n = 4;
    let params: Vec<String> = (0..n).map(|i| format!("%a{i}: double, %b{i}: double")).collect();
    let mut text = format!("function @f(%x: ptr noalias, {}) {{\n^entry:\n", params.join(", "));
    for i in 0..n {
        text += &format!("  %p{i}: ptr = gep %x, i64 {i} over double by(8)\n  %x{i}: double = load %p{i}\n");
        text += &format!("  %t{i}: double = fmul %b{i}, %x{i}\n");
    }
    let mut sum = "%t0".to_owned();
    for i in 1..n {
        text += &format!("  %s{i}: double = fadd {sum}, %t{i}\n");
        sum = format!("%s{i}");
    }
    for i in 0..n {
        text += &format!("  %y{i}: double = fmul %a{i}, {sum}\n  store %y{i}, %p{i}\n");
    }
    text += "  ret\n}\n";
    let mut case = Case::new(&text);
    // The vectors are given, so that only x is active.
    let mut request = case.request(Mode::Gradient);
    request.arguments.iter_mut().skip(1).for_each(|argument| {
        argument.activity = backsweep_core::request::Activity::Const;
    });
    case.function = case.program.functions[0].clone();
    let activity = find_activity(&case.function, &case.program, &case.rules, &request);
    let activity = activity.unwrap_or_else(|refusals| panic!("refused: {refusals:?}"));
    let Case { program, function, rules } = &case;
    let reader = Reader { function, program, rules, activity: &activity, strong_zero: StrongZero::Always };
    let flat = flatten_function(&reader, Split::Contiguous).remove(0);
    let graph: &Graph<Label> = &flat.graphs[0].graph;
    let complete = accumulate(graph, &flat.graphs[0].terms, Extent::Complete, None);
    assert!(complete.is_complete());
    assert_eq!(complete.recorded().len(), n * n);
    let scarce = accumulate(graph, &flat.graphs[0].terms, Extent::Scarcest, None);
    assert_eq!(scarce.recorded().len(), 2 * n);
}
