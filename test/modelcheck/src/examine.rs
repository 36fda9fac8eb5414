//! One file: text → program → the same text, and no violation.

use backsweep_core::model::{parse_program, verify};

use crate::tally::Tally;

pub struct Finding {
    pub tally: Tally,
    /// What makes the file an unfaithful text or no model.
    pub faults: Vec<String>,
}

pub fn examine(file: &str) -> Result<Finding, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let program = parse_program(&text).map_err(|error| error.to_string())?;
    let printed = program.to_string();
    let mut faults: Vec<String> = verify(&program).iter().map(ToString::to_string).collect();
    if printed != text {
        faults.push(first_difference(&text, &printed));
    }
    if text.is_empty() {
        faults.push("the file is empty, so nothing was extracted".to_string());
    }
    Ok(Finding { tally: Tally::of(&program), faults })
}

fn first_difference(text: &str, printed: &str) -> String {
    let lines = (1..).zip(text.lines().zip(printed.lines()));
    match lines.into_iter().find(|(_, (was, is))| was != is) {
        Some((line, (was, is))) => format!("line {line} is printed otherwise:\n  {was}\n  {is}"),
        None => "the text is printed with more or fewer lines".to_string(),
    }
}
