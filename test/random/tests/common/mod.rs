//! Programs written by hand, judged by the oracle.
#![allow(dead_code, reason = "each test crate uses its part")]

use backsweep_core::model::parse_program;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::Sample;
use backsweep_oracle::{Argument, NO_TANGENT, Value};
use backsweep_random::{Verdict, check_sample};

/// What became of the first function with a body.
pub fn verdict(text: &str, arguments: Vec<Argument>) -> Verdict {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}"));
    let function = program.functions.iter().find(|function| !function.is_declaration());
    let function = function.unwrap_or_else(|| panic!("no function")).name.clone();
    check_sample(&Sample { seed: 0, program, function, arguments }, &Rules::new())
}

pub fn check(text: &str, arguments: Vec<Argument>) {
    match verdict(text, arguments) {
        Verdict::Agreed => {}
        Verdict::Refused(why) => panic!("refused: {why}"),
        Verdict::Unjudged => panic!("the oracle could not judge"),
        Verdict::Wrong(how) => panic!("{how}"),
    }
}

pub fn refused(text: &str, arguments: Vec<Argument>, part: &str) {
    match verdict(text, arguments) {
        Verdict::Refused(why) => assert!(why.contains(part), "{why}"),
        Verdict::Agreed => panic!("agreed"),
        Verdict::Unjudged => panic!("the oracle could not judge"),
        Verdict::Wrong(how) => panic!("{how}"),
    }
}

pub fn active(x: f64) -> Argument {
    Argument::Active(Value::dual(x, NO_TANGENT))
}

pub fn fixed(n: i128) -> Argument {
    Argument::Fixed(Value::int(32, n))
}

pub fn array(content: &[f64]) -> Argument {
    Argument::Array(backsweep_core::model::FloatKind::Double, content.to_vec())
}
