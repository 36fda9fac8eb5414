//! Numbers that lie beside others, and are counted with at some index while they are moved. Who goes from each to the next says that all are
//! numbers; who jumps over every second says nothing of those, and in a word that is moved whole they may be floats.

mod checker;

use backsweep_core::config::Config;
use backsweep_core::plan::make_plan;
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// A loop that moves something, and takes what is read at an index from the same memory for an index.
fn moves(index: &str, moved: &str) -> String {
    let text = "function @f(%in: ptr, %out: ptr, %n: i64) -> void {
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %j: i64 = INDEX
  %at: ptr = gep inbounds %in, %j over i32 by(4)
  %k: i32 = load %at
  %wide: i64 = sext %k
MOVED
  %next: i64 = add nuw nsw %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret
}";
    text.replace("INDEX", index).replace("MOVED", moved)
}

const WORDS: &str = "  %from: ptr = gep inbounds %in, %i over i64 by(8)
  %word: i64 = load %from
  %to: ptr = gep inbounds %out, %wide over i64 by(8)
  store %word, %to";

const HALVES: &str = "  %two: i64 = shl %i, i64 1
  %odd: i64 = or %two, i64 1
  %from: ptr = gep inbounds %in, %odd over i32 by(4)
  %half: i32 = load %from
  %to: ptr = gep inbounds %out, %wide over i32 by(4)
  store %half, %to";

const EACH: &str = "add %i, i64 1";

/// Indices that leave every second number out.
const JUMPS: [&str; 3] = ["shl %i, i64 1", "mul %i, i64 2", "and %n, i64 -2"];

#[test]
fn who_counts_with_each_number_says_that_all_are_numbers() {
    for moved in [WORDS, HALVES] {
        let case = Case::new(&moves(EACH, moved));
        let request = case.request(Mode::Gradient);
        let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
        assert_none(&case.faults(&plan.expect("a plan")));
    }
}

#[test]
fn who_jumps_says_nothing_of_what_lies_between() {
    for (moved, jump) in [WORDS, HALVES].iter().flat_map(|moved| JUMPS.iter().map(move |jump| (moved, jump)))
    {
        let case = Case::new(&moves(jump, moved));
        let request = case.request(Mode::Gradient);
        let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
        assert!(plan.is_err(), "{jump}: taken for numbers");
    }
}

/// The plan for one is laid beside the other: what moves floats is taken for what moves numbers.
#[test]
fn the_checker_finds_floats_that_are_taken_for_numbers() {
    for (moved, jump) in [WORDS, HALVES].iter().flat_map(|moved| JUMPS.iter().map(move |jump| (moved, jump)))
    {
        let (each, jumps) = (Case::new(&moves(EACH, moved)), Case::new(&moves(jump, moved)));
        let request = each.request(Mode::Gradient);
        let plan = make_plan(&each.function, &each.program, &each.rules, &request, &Config::default());
        assert!(!jumps.faults(&plan.expect("a plan")).is_empty(), "{jump}: not found");
    }
}

/// Whether one in every second pass alone is a number, or all are.
fn chosen(chosen: bool) -> String {
    let each = moves(EACH, WORDS)
        .replace("load %at", "load %at\n  %bit: i64 = and %i, i64 1\n  %odd: i1 = icmp eq %bit, i64 0");
    if chosen {
        each.replace("sext %k", "sext %l").replace("  %wide", "  %l: i32 = select %odd, %k, i32 0\n  %wide")
    } else {
        each
    }
}

#[test]
fn what_is_chosen_in_every_second_pass_is_no_walk() {
    let plan = |case: &Case| {
        let request = case.request(Mode::Gradient);
        make_plan(&case.function, &case.program, &case.rules, &request, &Config::default())
    };
    let (each, some) = (Case::new(&chosen(false)), Case::new(&chosen(true)));
    assert_none(&each.faults(&plan(&each).expect("a plan")));
    assert!(plan(&some).is_err(), "taken for numbers");
}

/// Two who share the work count with all numbers, each with every second one.
#[test]
fn two_who_jump_tell_together() {
    let both = HALVES.replace("%odd over", "%i over")
        + "
  %beside: ptr = gep inbounds %in, %odd over i32 by(4)
  %other: i32 = load %beside
  %wider: i64 = sext %other
  %there: ptr = gep inbounds %out, %wider over i32 by(4)
  store i32 1, %there";
    let case = Case::new(&moves("shl %i, i64 1", &both));
    let request = case.request(Mode::Gradient);
    let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    assert_none(&case.faults(&plan.expect("a plan")));
}
