//! The examples of *Flattening basic blocks*, on functions of the model.
mod checker;

use backsweep_core::analyses::activity::find_activity;
use backsweep_core::config::Switch;
use backsweep_core::preaccumulation::flatten::{Flat, Reader, Split, flatten_function};
use backsweep_core::preaccumulation::report::Report;
use backsweep_core::request::Mode;
use checker::Case;

fn show(text: &str) {
    let case = Case::new(text);
    let activity = find_activity(&case.function, &case.program, &case.rules, &case.request(Mode::Gradient))
        .unwrap_or_else(|r| panic!("{r:?}"));
    let reader = Reader {
        function: &case.function,
        program: &case.program,
        rules: &case.rules,
        activity: &activity,
        strong_zero: Switch::On,
    };
    for flat in flatten_function(&reader, Split::Contiguous) {
        println!("{}", Report { reader: &reader, flat: &flat });
    }
}
#[test]
fn figure_1() {
    show(
        "
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
",
    );
}
