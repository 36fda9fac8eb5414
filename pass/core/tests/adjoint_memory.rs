//! What loops, fields and calls do to facts about memory.

mod adjoint;

use std::collections::BTreeSet;

use adjoint::{Case, texts};
use backsweep_core::analyses::adjoint::liveness::Kept;
use backsweep_core::analyses::adjoint::study::{Facts, Setting};
use backsweep_core::analyses::adjoint::useful::Outputs;
use backsweep_core::analyses::adjoint::varied::Inputs;
use backsweep_core::analyses::memory::element::Element;
use backsweep_core::analyses::summarise::Bodies;
use backsweep_core::analyses::summary::{Input, Output};

/// `for (i = 0; i < n; i++)` around some lines that see `%i` and end in block `^latch` of that name.
fn sweep(name: &str, count: &str, before: &str, after: &str, lines: &str) -> String {
    format!(
        "^{name}head:
  %{name}: i64 = phi ^{before}: i64 0, ^{name}body: %{name}next
  %{name}more: i1 = icmp slt %{name}, {count}
  br %{name}more, ^{name}body, ^{after}
^{name}body:
{lines}
  %{name}next: i64 = add nsw %{name}, i64 1
  br ^{name}head
"
    )
}

fn facts_of_loop(number: u32, name: &str, count: &str, after: &str) -> String {
    let back = match count.starts_with('%') {
        true => format!("(smax i64 0 {count})"),
        false => count.to_owned(),
    };
    format!(
        "loop {number} header ^{name}head blocks(^{name}head, ^{name}body) latches(^{name}body) \
         exiting(^{name}head) exits(^{after}) back_edges {back}\n"
    )
}

fn all_active(case: &Case, function: &str, names: &[&str]) -> Setting {
    let memory = case.memory(function, names);
    Setting {
        inputs: Inputs { values: BTreeSet::new(), memory: memory.clone() },
        outputs: Outputs { result: true, memory },
        kept: Kept { effects: true, ..Kept::default() },
    }
}

/// The instructions that save memory, by name.
fn savers(case: &Case, facts: &Facts) -> BTreeSet<String> {
    let saves = |id| facts.recorded.saved(id).is_some_and(|saved| !saved.memory.is_empty());
    let insts = facts.body.insts().filter(|(id, _)| saves(*id));
    insts.map(|(id, _)| case.name("f", id)).collect()
}

/// `a` is read nonlinearly, overwritten by a loop of `first` iterations with what was active before, read again for another
/// result, and overwritten again.
fn twice_overwritten(first: &str) -> Case {
    let read = |name: &str, value: &str, to: &str, before: &str, after: &str| {
        let lines = format!(
            "  %p{name}: ptr = gep inbounds %a, %{name} over double by(8)
  %{value}: double = load %p{name}
  %w{name}: double = fmul %{value}, %{value}
  %q{name}: ptr = gep inbounds %{to}, %{name} over double by(8)
  %out{name} = store %w{name}, %q{name}"
        );
        sweep(name, "%n", before, after, &lines)
    };
    let write = |name: &str, count: &str, before: &str, after: &str, store: &str| {
        let lines = format!(
            "  %p{name}: ptr = gep inbounds %a, %{name} over double by(8)\n  %d{name}: ptr = gep inbounds %d, %{name} over double by(8)
  %x{name}: double = load %d{name}
  %{store} = store %x{name}, %p{name}"
        );
        sweep(name, count, before, after, &lines)
    };
    let loops = [
        facts_of_loop(0, "i", "%n", "jhead"),
        facts_of_loop(1, "j", first, "mhead"),
        facts_of_loop(2, "m", "%n", "khead"),
        facts_of_loop(3, "k", "%n", "exit"),
    ];
    Case::new(&format!(
        "function @f(%a: ptr noalias, %b: ptr noalias, %c: ptr noalias, %d: ptr noalias, %n: i64) -> void {{\n^entry:\n  \
         br ^ihead\n{}{}{}{}^exit:\n  ret\n{}}}",
        read("i", "v", "b", "entry", "jhead"),
        write("j", first, "ihead", "mhead", "one"),
        read("m", "u", "c", "jhead", "khead"),
        write("k", "%n", "mhead", "exit", "two"),
        loops.concat()
    ))
}

/// Of two loads, those that the way back still reads where the last loop begins.
fn used_before_the_end(case: &Case) -> BTreeSet<String> {
    let mut setting = all_active(case, "f", &["a", "b", "c", "d"]);
    setting.kept.memory = case.memory("f", &["a"]);
    case.study("f", &setting, &[], &mut |facts| {
        assert_eq!(savers(case, facts), texts(&["one", "two"]));
        let mut used = BTreeSet::new();
        let block = facts.body.nesting.home(case.id("f", "k")).expect("it stands in a block");
        facts.recorded.replay(block, &mut |id, _, before, _| {
            for bit in before.iter().filter(|_| id == case.id("f", "k")) {
                if let Element::Touch(touch, _) = facts.body.elements.element(bit) {
                    used.extend(facts.body.touch(touch).inst().map(|id| case.name("f", id)));
                }
            }
        });
        used
    })
}

#[test]
fn a_loop_that_writes_a_whole_array_kills_it() {
    assert_eq!(used_before_the_end(&twice_overwritten("%n")), texts(&["u"]));
}

#[test]
fn a_loop_that_writes_part_of_an_array_does_not_kill_it() {
    assert_eq!(used_before_the_end(&twice_overwritten("i64 4")), texts(&["u", "v"]));
}

/// A time loop over a buffer and back.
const PING_PONG: &str = "function @f(%a: ptr noalias, %b: ptr noalias, %n: i64, %steps: i64) -> double {
^entry:
  br ^thead
^thead:
  %t: i64 = phi ^entry: i64 0, ^jexit: %tnext
  %tmore: i1 = icmp slt %t, %steps
  br %tmore, ^ihead, ^exit
^ihead:
  %i: i64 = phi ^thead: i64 0, ^ibody: %inext
  %imore: i1 = icmp slt %i, %n
  br %imore, ^ibody, ^jhead
^ibody:
  %p: ptr = gep inbounds %a, %i over double by(8)
  %v: double = load %p
  %w: double = fmul %v, %v
  %q: ptr = gep inbounds %b, %i over double by(8)
  %fill = store %w, %q
  %inext: i64 = add nsw %i, i64 1
  br ^ihead
^jhead:
  %j: i64 = phi ^ihead: i64 0, ^jbody: %jnext
  %jmore: i1 = icmp slt %j, %n
  br %jmore, ^jbody, ^jexit
^jbody:
  %r: ptr = gep inbounds %b, %j over double by(8)
  %x: double = load %r
  %s: ptr = gep inbounds %a, %j over double by(8)
  %back = store %x, %s
  %jnext: i64 = add nsw %j, i64 1
  br ^jhead
^jexit:
  %tnext: i64 = add nsw %t, i64 1
  br ^thead
^exit:
  %y: double = load %a
  ret %y
loop 0 header ^thead preheader ^entry blocks(^thead, ^ihead, ^ibody, ^jhead, ^jbody, ^jexit) latches(^jexit) exiting(^thead) exits(^exit) back_edges (smax i64 0 %steps)
loop 1 header ^ihead parent 0 blocks(^ihead, ^ibody) latches(^ibody) exiting(^ihead) exits(^jhead) back_edges (smax i64 0 %n)
loop 2 header ^jhead parent 0 blocks(^jhead, ^jbody) latches(^jbody) exiting(^jhead) exits(^jexit) back_edges (smax i64 0 %n)
}";

#[test]
fn a_buffer_is_dead_between_time_steps_and_saved_once_where_it_is_overwritten() {
    let case = Case::new(PING_PONG);
    let setting = all_active(&case, "f", &["a"]);
    case.study("f", &setting, &[], &mut |facts| {
        assert_eq!(
            savers(&case, facts),
            texts(&["back"]),
            "b is only copied, so nobody reads it on the way back"
        );
        let entry = facts.live.at_entry();
        let live = entry.iter().filter_map(|bit| match facts.body.elements.element(bit) {
            Element::Touch(touch, _) => Some(touch),
            Element::Value(_) => None,
        });
        assert_eq!(case.behind("f", facts, live), texts(&["a"]), "b is written before it is read");
    });
}

#[test]
fn order_tells_an_active_buffer_from_the_same_one_later() {
    let text = "declare @sin(double) -> double
function @f(%x: ptr noalias, %y: ptr noalias) -> double {
^entry:
  %slot: ptr = alloca i32 1 of double
  %v: double = load %x
  %put = store %v, %slot
  %a: double = load %slot
  %b: double = fmul %a, %a
  %clear = store double 3.0, %slot
  %c: double = load %slot
  %d: double = call @sin(%c) library
  %e: double = fmul %b, %d
  ret %e
}";
    let case = Case::new(text);
    let setting = all_active(&case, "f", &["x"]);
    case.study("f", &setting, &[], &mut |facts| {
        let active = |name: &str| facts.active.is_active(case.id("f", name));
        assert!(active("a") && active("b") && active("e"));
        assert!(!active("c") && !active("d"), "by then the slot holds a constant");
        assert!(facts.active.has_adjoint(case.id("f", "clear")), "what was there before is cut off");
    });
}

#[test]
fn fields_are_memory_of_their_own() {
    let text = "function @f(%p: ptr noalias, %i: i64, %j: i64) -> double {
^entry:
  %x: ptr = gep inbounds %p, %i, i32 0 over {double, double, double} by(24, field 0)
  %v: double = load %x
  %w: double = fmul %v, %v
  %y: ptr = gep inbounds %p, %j, i32 1 over {double, double, double} by(24, field 8)
  %other = store %w, %y
  %z: ptr = gep inbounds %p, %j, i32 0 over {double, double, double} by(24, field 0)
  %same = store %w, %z
  ret %w
}";
    let case = Case::new(text);
    let mut setting = all_active(&case, "f", &["p"]);
    setting.kept.memory = case.memory("f", &["p"]);
    case.study("f", &setting, &[], &mut |facts| assert_eq!(savers(&case, facts), texts(&["same"])));
}

#[test]
fn summaries_say_what_a_call_reads_writes_and_kills() {
    let text = "function @g(%p: ptr, %q: ptr, %n: i64, %x: double) -> double {
^entry:
  %second: ptr = gep inbounds %p, i64 1 over double by(8)
  %v: double = load %second
  %w: double = fmul %v, %x
  %set = store %w, %q
  %small: i1 = icmp slt %n, i64 3
  br %small, ^some, ^end
^some:
  %third: ptr = gep inbounds %q, i64 2 over double by(8)
  %maybe = store double 1.0, %third
  br ^end
^end:
  ret %v
}
function @f(%p: ptr, %q: ptr) -> double {
^entry:
  %y: double = call @g(%p, %q, i64 1, double 2.0)
  ret %y
}";
    let case = Case::new(text);
    let bodies = Bodies::of(&case.program, &case.rules, "f");
    let summary = bodies.summaries.get("g").expect("g has a body");
    let places: Vec<(i128, bool, bool, bool)> = summary
        .places
        .iter()
        .map(|place| (place.span.offset, place.used, place.written, place.killed))
        .collect();
    assert_eq!(places, [(8, true, false, false), (0, false, true, true), (16, false, true, false)]);
    let of = |output| summary.carries(&output).cloned().collect::<Vec<Input>>();
    assert_eq!(of(Output::Result), [Input::Place(0)]);
    assert_eq!(of(Output::Place(1)), [Input::Param(3), Input::Place(0)]);
    assert!(summary.captures.is_empty() && !summary.effects);
    assert!(summary.steers.contains(&Input::Param(2)), "n decides where it goes");
}

#[test]
fn functions_that_call_each_other_come_to_an_end() {
    let text = "function @even(%p: ptr, %n: i64) -> double {
^entry:
  %end: i1 = icmp slt %n, i64 1
  br %end, ^stop, ^on
^stop:
  %v: double = load %p
  ret %v
^on:
  %m: i64 = add nsw %n, i64 -1
  %w: double = call @odd(%p, %m)
  ret %w
}
function @odd(%p: ptr, %n: i64) -> double {
^entry:
  %m: i64 = add nsw %n, i64 -1
  %w: double = call @even(%p, %m)
  %s: double = fmul %w, %w
  %put = store %s, %p
  ret %s
}
function @f(%p: ptr) -> double {
^entry:
  %y: double = call @even(%p, i64 4)
  ret %y
}";
    let case = Case::new(text);
    let bodies = Bodies::of(&case.program, &case.rules, "f");
    let summary = bodies.summaries.get("even").expect("it is known after some rounds");
    assert_eq!(summary.places.len(), 1, "the first element is all they touch: {:?}", summary.places);
    assert!(summary.places[0].used && summary.places[0].written && !summary.places[0].killed);
    case.study("f", &all_active(&case, "f", &["p"]), &[], &mut |facts| {
        assert!(facts.uses.touches_of(case.id("f", "y")).next().is_some());
    });
}
