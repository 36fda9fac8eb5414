//! `backsweep check FILE -f F --at …`: reverse mode against forward mode and against central differences. Where they part, a
//! second program with probes (`probes`) tells the line.
//!
//! Exit status 0 where they agree at every point, 1 where they part at one, or where there was nothing to compare.

use std::process::ExitCode;

use clap::Args;

use crate::complex_step::ComplexStep;
use crate::harness::Modes;
use crate::narrowing::{Narrow, Narrowing};
use crate::point::Missing;
use crate::probes::{Site, User};
use crate::refusal::{Code, Refusal};
use crate::signature::Float;
use crate::subject::{Program, Subject, refuse_report};

const MAIN_C: &str = include_str!("check.c");

#[derive(Args)]
pub struct CheckRequest {
    #[command(flatten)]
    subject: Subject,
    /// Check at N random points around the one that --at gives; scalars that it leaves out are taken from -1 to 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    random: Option<u32>,
    /// Another number gives other random points and directions
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u32,
}

pub fn check_gradient(request: &CheckRequest) -> Result<ExitCode, Refusal> {
    let missing = if request.random.is_some() { Missing::Zero } else { Missing::Refused };
    let program = request.subject.build_program(Modes::ReverseAndForward, MAIN_C, missing)?;
    let precision = if has_single(&program) { "single" } else { "double" };
    let narrowing = program.narrowing.as_ref().map_or("-", |narrowing| match narrowing.to {
        Narrow::Single if has_single(&program) => "-",
        Narrow::Single => "single",
        Narrow::Half => "half",
    });
    let points = request.random.unwrap_or(0).to_string();
    let arguments = [points, request.seed.to_string(), precision.to_string(), narrowing.to_string()];
    let run = |program: &Program, located: [String; 2]| program.run(&[&arguments[..], &located].concat());
    let lines = run(&program, ["-".into(), "0".into()])?;
    // A narrower float has no imaginary part, and C drops what has no place in it.
    let step = if program.narrowing.is_some() { None } else { program.build_complex_step(&request.subject) };
    let mut verdict = Verdict { step, ..Verdict::default() };
    let mut words = lines.iter().map(|line| line.split(' ').collect::<Vec<_>>());
    while let Some(first) = words.next() {
        verdict.print_point(&program, &first, &mut words).ok_or_else(refuse_report)?;
    }
    if verdict.points != request.random.unwrap_or(1) as usize {
        return Err(refuse_report());
    }
    if let Some((kind, point)) = verdict.parted {
        let probed = request.subject.build_probed(Modes::ReverseAndForward, MAIN_C, missing);
        let found = probed.and_then(|(program, sites)| {
            let lines = run(&program, [kind.into(), (point - 1).to_string()])?;
            Ok(describe_parting(lines.first().map_or("", String::as_str), &sites))
        });
        let lost = |refusal: Refusal| format!("{UNLOCATED}: {refusal} [{}]", Code::Unlocated);
        println!("{}", found.unwrap_or_else(lost));
    }
    Ok(verdict.print_sum())
}

/// Where two derivatives part, from what the program with probes found.
fn describe_parting(line: &str, sites: &[Site]) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let site = |word: &str| word.parse::<usize>().ok().and_then(|number| sites.get(number));
    let place = |site: &Site| format!("{}:{}", site.file, site.line);
    let call = |word: &str| match site(word) {
        Some(site @ Site { user: User::Call(callee), .. }) => {
            format!("; the next call that is given pointers is that of `{callee}` at {}", place(site))
        }
        _ => String::new(),
    };
    match words[..] {
        ["located", at, next] => match site(at) {
            Some(found) => match &found.user {
                User::Call(callee) => format!("  they part at {}, in the call of `{callee}`", place(found)),
                User::Arithmetic => format!("  they part at {}, in the arithmetic there", place(found)),
                User::Store => {
                    format!(
                        "  they part behind {}, between what is stored there and its use{}",
                        place(found),
                        call(next)
                    )
                }
                User::Return => format!("  they part behind {}, in what becomes of the result", place(found)),
            },
            None => format!("  they part before any number that the function computes with{}", call(next)),
        },
        _ => {
            let why = match words[..] {
                ["unlocated", "many"] => "the function computes for too long",
                ["unlocated", "astray"] => "the two derivatives do not run the same statements",
                _ => "they agree when each statement is watched",
            };
            format!("{UNLOCATED}: {why} [{}]", Code::Unlocated)
        }
    }
}

const UNLOCATED: &str = "  where they part cannot be told";

fn has_single(program: &Program) -> bool {
    let signature = &program.signature;
    signature.ret == Float::Single
        || signature.params.iter().any(|param| param.shape.float() == Some(Float::Single))
}

#[derive(Default)]
struct Verdict {
    points: usize,
    outside: usize,
    unsettled: usize,
    wrong: usize,
    /// What parted first, and at which point.
    parted: Option<(&'static str, usize)>,
    /// None where the complex step is not possible.
    step: Option<ComplexStep>,
}

/// The complex step has no error of its own, but functions of complex numbers round otherwise than those of real ones.
const COMPLEX_TOLERANCE: f64 = 1e-9;

/// Differences that agree tell that much.
const CONFIRMED_TOLERANCE: f64 = 1e-6;

/// Beyond this it is rounding, divided by the tiny step: some powers of negative numbers have that in their imaginary part.
const LARGEST_DERIVATIVE: f64 = 1e50;

impl Verdict {
    /// Prints what one point gave. `None` where the report is not as it should be.
    fn print_point<'a>(
        &mut self,
        program: &Program,
        first: &[&str],
        rest: &mut impl Iterator<Item = Vec<&'a str>>,
    ) -> Option<()> {
        self.points += 1;
        let point = self.points;
        match first {
            ["outside", value] => {
                self.outside += 1;
                println!("point {point}: the value is {value}; there is nothing to compare");
            }
            ["changing", value, again] => {
                self.wrong += 1;
                println!(
                    "point {point}: two calls with the same inputs gave {value} and {again}; a derivative needs a function \
                     whose value its inputs alone decide [{}]",
                    Code::Changing
                );
            }
            ["value", value] => {
                println!("point {point}: the value is {value}");
                let found = [rest.next()?, rest.next()?];
                for (line, (kind, other)) in
                    found.iter().zip([("forward", "forward mode"), ("differences", "central differences")])
                {
                    match line[..] {
                        [name, verdict, input, reverse, found, distance] if name == kind => {
                            let input = program.names.get(input.parse::<usize>().ok()?)?;
                            self.print_comparison(
                                program,
                                verdict,
                                other,
                                input,
                                [reverse, found, distance],
                            )?;
                            if verdict == "part" {
                                self.parted.get_or_insert((kind, point));
                            }
                        }
                        _ => return None,
                    }
                }
                let differences = found[1].get(1) == Some(&"agree");
                self.print_complex_step(program, value, differences, &rest.next()?)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Where the complex value is another, the function is not one that can be continued; nor is it where the complex step is
    /// far from what differences have confirmed, as with code that moves bits of a number.
    fn print_complex_step(
        &mut self,
        program: &Program,
        value: &str,
        confirmed: bool,
        line: &[&str],
    ) -> Option<()> {
        let ["along", reverse, scale, numbers @ ..] = line else { return None };
        let (value, reverse, scale): (f64, f64, f64) =
            (value.parse().ok()?, reverse.parse().ok()?, scale.parse().ok()?);
        let found = self.step.as_ref().and_then(|step| program.run_complex_step(step, &numbers.join(" ")));
        let same = |complex: f64| (complex - value).abs() <= 1e-12 * value.abs();
        let usable = |derivative: f64| derivative.abs() < LARGEST_DERIVATIVE;
        let Some((_, derivative)) =
            found.filter(|(complex, derivative)| same(*complex) && usable(*derivative))
        else {
            return Some(());
        };
        let size = scale + derivative.abs();
        let distance = if size == 0.0 { 0.0 } else { (reverse - derivative).abs() / size };
        // Written so that a NaN parts too.
        if distance <= COMPLEX_TOLERANCE {
            println!("  reverse mode and the complex step agree (relative difference {distance:.3e})");
        } else if !(confirmed && distance > CONFIRMED_TOLERANCE) {
            self.wrong += 1;
            println!(
                "  reverse mode and the complex step PART along the direction: {reverse} and {derivative} [{}]",
                Code::Parted
            );
        }
        Some(())
    }

    fn print_comparison(
        &mut self,
        program: &Program,
        verdict: &str,
        other: &str,
        input: &str,
        numbers: [&str; 3],
    ) -> Option<()> {
        let [reverse, found, distance] = numbers;
        match verdict {
            "agree" => println!("  reverse mode and {other} agree (relative difference {distance})"),
            "narrowed" => {
                let Narrowing { ty, place, .. } = program.narrowing.as_ref()?;
                println!(
                    "  reverse mode and {other} agree as far as the rounding to `{ty}` at {place} lets them \
                     (relative difference {distance})"
                );
            }
            "part" => {
                self.wrong += 1;
                println!(
                    "  reverse mode and {other} PART at `{input}`: {reverse} and {found} [{}]",
                    Code::Parted
                );
            }
            "unsettled" => {
                self.unsettled += 1;
                println!(
                    "  central differences do not settle with the step: a kink, a jump, noise or chaos nearby, and nothing to compare [{}]",
                    Code::Unsettled
                );
            }
            _ => return None,
        }
        Some(())
    }

    fn print_sum(&self) -> ExitCode {
        let compared = self.points - self.outside;
        if compared == 0 {
            println!("nothing was checked: the value is finite at no point [{}]", Code::NothingCompared);
            return ExitCode::FAILURE;
        }
        if self.wrong > 0 {
            println!(
                "the gradient is wrong, or the function is not what it seems: {} of the comparisons part",
                self.wrong
            );
            return ExitCode::FAILURE;
        }
        let mut left = Vec::new();
        if self.outside > 0 {
            left.push(format!("{} outside the domain", self.outside));
        }
        if self.unsettled > 0 {
            left.push(format!("{} without differences", self.unsettled));
        }
        let left = if left.is_empty() { String::new() } else { format!(" ({})", left.join(", ")) };
        println!("checked at {compared} of {} points, all agree{left}", self.points);
        ExitCode::SUCCESS
    }
}
