//! The example of the adjoint data-flow paper, `FLW2D1COL` (figure 1.2), with what the paper's section 1.5 says of it.

mod adjoint;

use std::collections::BTreeSet;

use adjoint::{Case, texts};
use backsweep_core::analyses::adjoint::liveness::Kept;
use backsweep_core::analyses::adjoint::study::{Facts, Setting};
use backsweep_core::analyses::adjoint::useful::Outputs;
use backsweep_core::analyses::adjoint::varied::Inputs;
use backsweep_core::analyses::memory::element::Element;
use backsweep_core::analyses::memory::touch::TouchId;

/// One gather-scatter loop; `ck` is nonlinear in `pm` and adds to `sq`. In `step` what `flw` read is overwritten later.
const FLW: &str = "declare @sin(double) -> double
function @ck(%pm: double, %sq: ptr) -> void {
^entry:
  %square: double = fmul %pm, %pm
  %sine: double = call @sin(%pm) library
  %term: double = fmul %square, %sine
  %old: double = load %sq
  %new: double = fadd %old, %term
  %add = store %new, %sq
  ret
}
function @flw(%nsg1: i64, %nsg2: i64, %nubo: ptr noalias, %t3: ptr noalias, %pres: ptr noalias, %vnocl: ptr noalias, %g3: ptr noalias, %g4: ptr noalias, %rh3: ptr noalias, %rh4: ptr noalias, %sq: ptr noalias) -> void {
^entry:
  br ^head
^head:
  %iseg: i64 = phi ^entry: %nsg1, ^body: %next
  %more: i1 = icmp slt %iseg, %nsg2
  %again = br %more, ^body, ^exit
^body:
  %twice: i64 = mul nsw %iseg, i64 2
  %odd: i64 = add nsw %twice, i64 1
  %pis1: ptr = gep inbounds %nubo, %twice over i64 by(8)
  %is1: i64 = load %pis1
  %pis2: ptr = gep inbounds %nubo, %odd over i64 by(8)
  %is2: i64 = load %pis2
  %pv: ptr = gep inbounds %vnocl, %odd over double by(8)
  %v: double = load %pv
  %pt1: ptr = gep inbounds %t3, %is1 over double by(8)
  %t1: double = load %pt1
  %qsor: double = fmul %t1, %v
  %pt2: ptr = gep inbounds %t3, %is2 over double by(8)
  %t2: double = load %pt2
  %qs: double = fmul %t2, %v
  %pg41: ptr = gep inbounds %g4, %is1 over double by(8)
  %g41: double = load %pg41
  %pg42: ptr = gep inbounds %g4, %is2 over double by(8)
  %g42: double = load %pg42
  %left4: double = fmul %qsor, %g41
  %right4: double = fmul %qs, %g42
  %dplim4: double = fadd %left4, %right4
  %p41: ptr = gep inbounds %rh4, %is1 over double by(8)
  %o41: double = load %p41
  %n41: double = fadd %o41, %dplim4
  %s41 = store %n41, %p41
  %p42: ptr = gep inbounds %rh4, %is2 over double by(8)
  %o42: double = load %p42
  %n42: double = fsub %o42, %dplim4
  %s42 = store %n42, %p42
  %pp1: ptr = gep inbounds %pres, %is1 over double by(8)
  %p1: double = load %pp1
  %pp2: ptr = gep inbounds %pres, %is2 over double by(8)
  %p2: double = load %pp2
  %pm: double = fadd %p1, %p2
  %pg31: ptr = gep inbounds %g3, %is1 over double by(8)
  %g31: double = load %pg31
  %pg32: ptr = gep inbounds %g3, %is2 over double by(8)
  %g32: double = load %pg32
  %left3: double = fmul %qsor, %g31
  %right3: double = fmul %qs, %g32
  %pressure: double = fmul %pm, %v
  %both3: double = fadd %left3, %right3
  %dplim3: double = fadd %both3, %pressure
  %p31: ptr = gep inbounds %rh3, %is1 over double by(8)
  %o31: double = load %p31
  %n31: double = fadd %o31, %dplim3
  %s31 = store %n31, %p31
  %p32: ptr = gep inbounds %rh3, %is2 over double by(8)
  %o32: double = load %p32
  %n32: double = fsub %o32, %dplim3
  %s32 = store %n32, %p32
  %call = call @ck(%pm, %sq)
  %next: i64 = add nsw %iseg, i64 1
  br ^head
^exit:
  ret
loop 0 header ^head preheader ^entry blocks(^head, ^body) latches(^body) exiting(^head) exits(^exit)
}
function @step(%n: i64, %nubo: ptr noalias, %t3: ptr noalias, %pres: ptr noalias, %vnocl: ptr noalias, %g3: ptr noalias, %g4: ptr noalias, %rh3: ptr noalias, %rh4: ptr noalias, %sq: ptr noalias) -> void {
^entry:
  %call = call @flw(i64 0, %n, %nubo, %t3, %pres, %vnocl, %g3, %g4, %rh3, %rh4, %sq)
  %over1 = store double 0.0, %t3
  %over2 = store double 0.0, %rh3
  %over3 = store double 0.0, %rh4
  ret
}";

const ARRAYS: [&str; 8] = ["t3", "pres", "vnocl", "g3", "g4", "rh3", "rh4", "sq"];

/// All floats active, and nothing looked at but derivatives.
fn setting(case: &Case, function: &str) -> Setting {
    let memory = case.memory(function, &ARRAYS);
    Setting {
        inputs: Inputs { values: BTreeSet::new(), memory: memory.clone() },
        outputs: Outputs { result: false, memory },
        kept: Kept { effects: true, ..Kept::default() },
    }
}

fn touches(facts: &Facts, bits: impl Iterator<Item = usize>) -> Vec<TouchId> {
    let touch = |bit| match facts.body.elements.element(bit) {
        Element::Touch(touch, _) => Some(touch),
        Element::Value(_) => None,
    };
    bits.filter_map(touch).collect()
}

#[test]
fn what_only_fed_results_does_not_run() {
    let case = Case::new(FLW);
    case.study("flw", &setting(&case, "flw"), &[], &mut |facts| {
        let is_live = |name: &str| facts.live.is_live(case.id("flw", name));
        for name in ["dplim3", "dplim4", "o31", "n31", "s31", "s32", "o41", "n41", "s41", "s42"] {
            assert!(!is_live(name), "{name} is not necessary in the adjoint");
        }
        assert!(!is_live("call"), "the call of ck is the last of its own sub-part and is removed");
        for name in ["qsor", "qs", "pm", "t1", "is1", "iseg", "again"] {
            assert!(is_live(name), "{name} is read by derivative instructions, or decides which there are");
        }
    });
}

#[test]
fn nothing_is_recorded_in_an_iteration_that_is_reversed_at_once() {
    let case = Case::new(FLW);
    case.study("flw", &setting(&case, "flw"), &[0], &mut |facts| {
        for (id, _) in facts.body.insts() {
            assert_eq!(facts.recorded.saved(id), None, "%{}", case.name("flw", id));
        }
    });
    // Reversed as a whole, the loop saves what the next iteration overwrites; dplim it never does.
    case.study("flw", &setting(&case, "flw"), &[], &mut |facts| {
        let saved: BTreeSet<String> = facts
            .body
            .insts()
            .filter(|(id, _)| facts.recorded.saved(*id).is_some())
            .map(|(id, _)| case.name("flw", id))
            .collect();
        assert_eq!(saved, texts(&["iseg", "qsor", "qs", "pm"]));
    });
}

#[test]
fn qsor_is_used_on_the_way_back_and_dplim_is_not() {
    let case = Case::new(FLW);
    case.study("flw", &setting(&case, "flw"), &[0], &mut |facts| {
        let mut used = BTreeSet::new();
        for block in facts.body.blocks() {
            facts.recorded.replay(block, &mut |_, _, _, after| {
                used.extend(after.iter().map(|bit| facts.body.elements.element(bit)));
            });
        }
        let uses = |name: &str| used.contains(&Element::Value(case.id("flw", name)));
        assert!(uses("qsor") && uses("qs") && uses("pm"));
        assert!(!uses("dplim3") && !uses("dplim4"));
    });
}

#[test]
fn the_derivative_reads_and_overwrites_less_than_the_function() {
    let case = Case::new(FLW);
    case.study("flw", &setting(&case, "flw"), &[], &mut |facts| {
        let reads = touches(facts, facts.live.at_entry().iter());
        let read = case.behind("flw", facts, reads);
        assert_eq!(read, texts(&["g3", "g4", "nubo", "pres", "t3", "vnocl"]), "neither rh3 nor rh4 nor sq");
        assert!(facts.written.at_entry().is_empty(), "out of the derivative is empty, out of flw is not");
        assert!(
            facts.written.snapshot(case.id("flw", "call")).is_empty(),
            "ck is given pm, and reads no memory"
        );
    });
}

#[test]
fn the_results_are_in_no_snapshot_of_the_caller() {
    let case = Case::new(FLW);
    let mut kept = setting(&case, "step");
    kept.kept.memory = case.memory("step", &["t3", "rh3", "rh4"]);
    case.study("step", &kept, &[], &mut |facts| {
        let call = case.id("step", "call");
        assert!(facts.uses.reruns(call), "flw computes and nothing else");
        let snapshot = case.behind("step", facts, facts.written.snapshot(call));
        assert_eq!(
            snapshot,
            texts(&["t3"]),
            "of what is overwritten in and behind the call, only t3 is read"
        );
        let overwritten = touches(facts, facts.written.at_entry().iter());
        assert_eq!(case.behind("step", facts, overwritten), texts(&["t3", "rh3", "rh4", "sq"]));
    });
}

#[test]
fn a_result_that_somebody_looks_at_runs() {
    let case = Case::new(FLW);
    let mut kept = setting(&case, "flw");
    kept.kept.memory = case.memory("flw", &["rh3"]);
    case.study("flw", &kept, &[], &mut |facts| {
        let is_live = |name: &str| facts.live.is_live(case.id("flw", name));
        assert!(is_live("dplim3") && is_live("s31") && is_live("s32"));
        assert!(!is_live("dplim4") && !is_live("call"));
    });
}

#[test]
fn without_noalias_the_arrays_may_be_one() {
    let case =
        Case::new(&FLW.replace("%rh4: ptr noalias", "%rh4: ptr").replace("%t3: ptr noalias", "%t3: ptr"));
    case.study("flw", &setting(&case, "flw"), &[0], &mut |facts| {
        assert!(
            facts.live.is_live(case.id("flw", "s41")),
            "t3 may be read through rh4 in the next iteration"
        );
        let saved = facts.recorded.saved(case.id("flw", "s41"));
        assert!(saved.is_some_and(|saved| !saved.memory.is_empty()), "what is overwritten may be t3");
    });
}
