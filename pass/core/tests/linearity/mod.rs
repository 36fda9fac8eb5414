//! What the tests of linearity share: the table of a program, as words.

use backsweep_core::analyses::linearity::table::describe_linearity;
use backsweep_core::model::{parse_program, verify};
use backsweep_core::rules::Rules;

pub fn describe(text: &str) -> String {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error:?} in {text}"));
    assert_eq!(verify(&program), [], "a test program is a model");
    describe_linearity(&program, &Rules::new())
}

/// The words of each line, without what is only layout.
pub fn words(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}
