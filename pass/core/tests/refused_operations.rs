//! An active value in an operation that the model has no place for is refused, whatever it is.

mod checker;

use backsweep_core::config::Config;
use backsweep_core::plan::make_plan;
use backsweep_core::refusal::Code;
use backsweep_core::request::Mode;
use checker::Case;

#[test]
fn an_active_value_in_an_opaque_operation() {
    let case = Case::new(
        "function @f(%x: double) -> double {
^entry:
  %y: double = opaque \"twist\" %x because \"`twist` has no place in the model\"
  %z: double = fmul %y, %x
  ret %z
}",
    );
    let request = case.request(Mode::Gradient);
    let refusals = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    let refusals = refusals.err().unwrap_or_default();
    let found = refusals.iter().find(|refusal| refusal.code == Code::ActiveOpaque);
    let text = found.map(ToString::to_string).unwrap_or_default();
    assert!(text.contains("`twist`") && text.ends_with("[BS022]"), "{refusals:?}");
}
