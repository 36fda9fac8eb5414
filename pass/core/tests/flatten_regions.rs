//! Which stretches of a function become graphs, and what ends one.

mod checker;

use backsweep_core::analyses::activity::find_activity;
use backsweep_core::config::StrongZero;
use backsweep_core::preaccumulation::flatten::{Flat, Reader, Split, flatten_function};
use backsweep_core::request::Mode;
use checker::Case;

fn flatten(text: &str) -> Vec<Flat> {
    let case = Case::new(text);
    let activity = find_activity(&case.function, &case.program, &case.rules, &case.request(Mode::Gradient));
    let activity = activity.unwrap_or_else(|refusals| panic!("refused: {refusals:?}"));
    let Case { program, function, rules } = &case;
    let reader = Reader { function, program, rules, activity: &activity, strong_zero: StrongZero::Always };
    flatten_function(&reader, Split::Contiguous)
}

/// Blocks of each region, and the number of steps of each of its graphs.
fn shape(flats: &[Flat]) -> Vec<(Vec<u32>, Vec<usize>)> {
    let blocks = |flat: &Flat| flat.region.blocks.iter().map(|block| block.0).collect();
    let steps = |flat: &Flat| flat.graphs.iter().map(|graph| graph.steps.len()).collect();
    flats.iter().map(|flat| (blocks(flat), steps(flat))).collect()
}

/// Blocks that follow each other alone are one region; a phi there is a copy.
#[test]
fn a_chain_of_blocks_is_one_region() {
    let flats = flatten(
        "
function @f(%x: double) -> double {
^entry:
  %a: double = fmul %x, %x
  br ^next
^next:
  %b: double = phi ^entry: %a
  %c: double = fmul %b, %x
  br ^last
^last:
  %d: double = fadd %c, %a
  ret %d
}
",
    );
    assert_eq!(shape(&flats), [(vec![0, 1, 2], vec![4])]);
    let graph = &flats[0].graphs[0];
    // The copy has no vertex: x, a, c, d.
    assert_eq!(graph.graph.vertices().count(), 4);
    assert_eq!(graph.outputs.len(), 1);
}

/// Where control parts or meets, a region ends. What goes round a loop is an input and an output.
#[test]
fn branches_and_loops_end_regions() {
    let flats = flatten(
        "
function @f(%x: double, %n: i32) -> double {
^entry:
  %a: double = fmul %x, %x
  br ^head
^head:
  %i: i32 = phi ^entry: i32 0, ^head: %next
  %p: double = phi ^entry: %a, ^head: %r
  %q: double = fmul %p, %a
  %r: double = fmul %q, %p
  %next: i32 = add %i, i32 1
  %more: i1 = icmp slt %next, %n
  br %more, ^head, ^exit
^exit:
  %y: double = fmul %r, %r
  ret %y
}
",
    );
    assert_eq!(shape(&flats), [(vec![0], vec![1]), (vec![1], vec![2]), (vec![2], vec![1])]);
    let body = &flats[1].graphs[0];
    let inputs = body.graph.with_role(backsweep_core::preaccumulation::graph::Role::Input).count();
    assert_eq!((inputs, body.outputs.len()), (2, 1));
}

/// What is not looked into stands between graphs: vectors taken apart, copies of memory, volatile accesses.
#[test]
fn what_is_not_looked_into_ends_a_graph() {
    let flats = flatten(
        "
declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
function @f(%x: double, %p: ptr, %q: ptr) -> double {
^entry:
  %a: double = fmul %x, %x
  %v: <2 x double> = insertelement <2 x double> undef, %a, i32 0
  %b: double = extractelement %v, i32 0
  %c: double = fmul %b, %x
  store %c, %p
  call void @llvm.memcpy.p0.p0.i64(%q, %p, i64 8, i1 false)
  %d: double = load %p
  %e: double = fmul %d, %x
  ret %e
}
"
        .replace("  call void @llvm", "  %copy = call @llvm")
        .as_str(),
    );
    // a; c and its store; the load, which the copy may have overwritten, and e.
    assert_eq!(shape(&flats), [(vec![0], vec![1, 2, 2])]);
    // The first graph hands `a` to the vector, the second its cell to the copy.
    assert!(flats[0].graphs[..2].iter().all(|graph| graph.outputs.len() == 1));
}

/// Comparisons and what is printed ask for no derivative.
#[test]
fn only_derivatives_make_a_dependent() {
    let flats = flatten(
        "
declare @printf(ptr, ...) -> i32
global @format: [3 x i8] constant = [3 x i8] bytes \"%f\\u{0}\"
function @f(%x: double) -> double {
^entry:
  %a: double = fmul %x, %x
  %b: double = fmul %a, %x
  %told: i32 = call @printf(@format, %a)
  %big: i1 = fcmp ogt %a, double 1.0
  br %big, ^yes, ^no
^yes:
  ret %b
^no:
  ret double 0.0
}
",
    );
    let outputs: Vec<_> = flats[0].graphs[0].outputs.clone();
    assert_eq!(outputs.len(), 1, "{outputs:?}");
}
