//! `backsweep grad FILE --function F --at name=v1,v2,…`: the value and the gradient at one point, and what they cost.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;

use crate::harness::Modes;
use crate::json::quote;
use crate::point::Missing;
use crate::refusal::Refusal;
use crate::subject::{Program, Subject, refuse_report};

const MAIN_C: &str = include_str!("grad.c");

#[derive(Args)]
pub struct GradRequest {
    #[command(flatten)]
    subject: Subject,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What the program reports, in its order.
struct Report {
    value: f64,
    gradient: Vec<f64>,
    /// Seconds of one call, the median of several.
    value_seconds: f64,
    gradient_seconds: f64,
    tape_bytes: u64,
}

pub fn print_gradient(request: &GradRequest) -> Result<ExitCode, Refusal> {
    let program = request.subject.build_program(Modes::Reverse, MAIN_C, Missing::Refused)?;
    let report = read_report(&program.run(&[])?, program.names.len()).ok_or_else(refuse_report)?;
    print!("{}", if request.json { write_json(&program, &report) } else { write_text(&program, &report) });
    Ok(ExitCode::SUCCESS)
}

fn read_report(lines: &[String], count: usize) -> Option<Report> {
    let numbers: Vec<f64> = lines.iter().map(|line| line.parse().ok()).collect::<Option<_>>()?;
    let (value, rest) = numbers.split_first()?;
    let (gradient, costs) = rest.split_at_checked(count)?;
    let [value_seconds, gradient_seconds, tape] = *costs else { return None };
    Some(Report {
        value: *value,
        gradient: gradient.to_vec(),
        value_seconds,
        gradient_seconds,
        tape_bytes: tape as u64,
    })
}

fn write_text(program: &Program, report: &Report) -> String {
    let width = program.names.iter().map(String::len).max().unwrap_or(0).max("value".len());
    let mut text = format!("{:width$}  {}\n", "value", report.value);
    for (name, derivative) in program.names.iter().zip(&report.gradient) {
        let _ = writeln!(text, "{name:width$}  {derivative}");
    }
    let times = match report.value_seconds > 0.0 {
        true => format!(" ({:.1} times the value)", report.gradient_seconds / report.value_seconds),
        false => String::new(),
    };
    let _ = write!(
        text,
        "\ntime of the value     {}\ntime of the gradient  {}{times}\ntape                  {} bytes\n",
        write_seconds(report.value_seconds),
        write_seconds(report.gradient_seconds),
        report.tape_bytes
    );
    text
}

fn write_seconds(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    match units.into_iter().find(|(unit, _)| seconds >= *unit) {
        Some((unit, name)) => format!("{:.3} {name}", seconds / unit),
        None => format!("{:.1} ns", seconds * 1e9),
    }
}

/// `gradient` has a number for a scalar and a list for an array.
fn write_json(program: &Program, report: &Report) -> String {
    let mut members: Vec<(&str, Vec<String>, bool)> = Vec::new();
    for (name, derivative) in program.names.iter().zip(&report.gradient) {
        let (param, is_array) = match name.split_once('[') {
            Some((param, _)) => (param, true),
            None => (name.as_str(), false),
        };
        match members.last_mut() {
            Some((last, numbers, true)) if is_array && *last == param => {
                numbers.push(write_number(*derivative))
            }
            _ => members.push((param, vec![write_number(*derivative)], is_array)),
        }
    }
    let gradient: Vec<String> = members
        .iter()
        .map(|(param, numbers, is_array)| match is_array {
            true => format!("{}: [{}]", quote(param), numbers.join(", ")),
            false => format!("{}: {}", quote(param), numbers[0]),
        })
        .collect();
    format!(
        "{{\"function\": {}, \"value\": {}, \"gradient\": {{{}}}, \"seconds\": {{\"value\": {}, \"gradient\": {}}}, \
         \"tape_bytes\": {}}}\n",
        quote(&program.signature.name),
        write_number(report.value),
        gradient.join(", "),
        write_number(report.value_seconds),
        write_number(report.gradient_seconds),
        report.tape_bytes
    )
}

/// JSON has no word for what is not finite; a string is better than a null, which says nothing.
fn write_number(value: f64) -> String {
    if value.is_finite() { format!("{value:?}") } else { quote(&value.to_string()) }
}
