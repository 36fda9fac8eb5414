//! Random programs with calls that are contracted to their partial derivatives, against the oracle, in several directions: callees that
//! go round, that call one another, and that are called with the same number twice, with constants, and with what other calls gave.

use std::cell::Cell;
use std::fmt::Write;

use backsweep_core::config::Config;
use backsweep_core::model::{FloatKind, parse_program};
use backsweep_core::plan::Plan;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::{Rng, Sample};
use backsweep_oracle::{Argument, Value};
use backsweep_random::{Verdict, check_both_ways};

const OPTIONS: [&str; 3] = ["preaccumulate=on", "preaccumulate=always", "disable=contract"];

/// How many programs are tried, if the environment does not say otherwise.
const PROGRAMS: u64 = 12;

/// What a body is made of: its lines, and the numbers that they have given.
struct Body {
    text: String,
    numbers: Vec<String>,
    next: usize,
}

impl Body {
    fn of(numbers: &[&str]) -> Body {
        let numbers = numbers.iter().map(|name| (*name).to_string()).collect();
        Body { text: String::new(), numbers, next: 0 }
    }

    fn pick(&self, rng: &mut Rng) -> String {
        if rng.chance(10) {
            return ["double 0.5", "double -1.25", "double 0.0"][rng.below(3)].into();
        }
        self.numbers[rng.below(self.numbers.len())].clone()
    }

    fn add(&mut self, line: &str) {
        let name = format!("%v{}", self.next);
        self.next += 1;
        writeln!(self.text, "  {name}: double = {line}").expect("a string takes everything");
        self.numbers.push(name);
    }

    /// One more number, which stays small as long as its operands do.
    fn compute(&mut self, rng: &mut Rng) {
        let (x, y) = (self.pick(rng), self.pick(rng));
        let line = match rng.below(6) {
            0 => format!("fadd {x}, {y}"),
            1 => format!("fsub {x}, {y}"),
            2 | 3 => format!("fmul {x}, {y}"),
            4 => format!("call @llvm.sin.f64({x})"),
            _ => format!("call @llvm.cos.f64({x})"),
        };
        self.add(&line);
    }

    /// The last number, kept from growing from pass to pass.
    fn last(&mut self) -> String {
        let last = self.numbers.last().cloned().unwrap_or_default();
        self.add(&format!("call @llvm.sin.f64({last})"));
        self.numbers.last().cloned().unwrap_or_default()
    }

    fn call(&mut self, rng: &mut Rng, callees: usize) {
        let (x, y, passes) = (self.pick(rng), self.pick(rng), rng.below(5));
        let y = if rng.chance(30) { x.clone() } else { y };
        self.add(&format!("call @g{}({x}, {y}, i64 {passes})", rng.below(callees)));
    }
}

/// A function of two numbers that goes round as often as it is told, and may call those before it.
fn write_callee(rng: &mut Rng, index: usize, text: &mut String) {
    let mut body = Body::of(&["%a", "%b", "%y", "%z"]);
    for _ in 0..rng.between(2, 8) {
        if index > 0 && rng.chance(20) { body.call(rng, index) } else { body.compute(rng) }
    }
    let (first, second) = (body.last(), body.last());
    let marked = if rng.chance(80) { "backsweep_contract, nounwind" } else { "nounwind" };
    write!(
        text,
        "function @g{index}(%a: double, %b: double, %n: i64) -> double attributes({marked}) {{
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %y: double = phi ^entry: %a, ^loop: {first}
  %z: double = phi ^entry: %b, ^loop: {second}
{}  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  %out: double = fadd {first}, {second}
  ret %out
}}
",
        body.text
    )
    .expect("a string takes everything");
}

/// A loop over two arrays, one of which it writes, around calls of those.
fn write_program(rng: &mut Rng) -> String {
    let mut text =
        "declare @llvm.sin.f64(double) -> double\ndeclare @llvm.cos.f64(double) -> double\n".to_string();
    let callees = rng.between(1, 3);
    (0..callees).for_each(|index| write_callee(rng, index, &mut text));
    let mut body = Body::of(&["%s", "%x", "%w"]);
    for _ in 0..rng.between(3, 10) {
        if rng.chance(40) { body.call(rng, callees) } else { body.compute(rng) }
    }
    body.call(rng, callees);
    let (sum, stored) = (body.last(), body.pick(rng));
    write!(
        text,
        "function @f(%p: ptr, %q: ptr, %n: i64) -> double {{
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %s: double = phi ^entry: double 0.5, ^loop: {sum}
  %k: i64 = and %i, i64 7
  %at: ptr = gep %p, %k over double by(8)
  %by: ptr = gep %q, %k over double by(8)
  %x: double = load %at
  %w: double = load %by
{}  store {stored}, %at
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret {sum}
}}
",
        body.text
    )
    .expect("a string takes everything");
    text
}

fn make_sample(seed: u64) -> Sample {
    let mut rng = Rng::new(Rng::new(seed).draw());
    let text = write_program(&mut rng);
    let program = parse_program(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    let array = |rng: &mut Rng| Argument::Array(FloatKind::Double, (0..8).map(|_| rng.real(1.0)).collect());
    let arrays = [array(&mut rng), array(&mut rng)];
    let count = Argument::Fixed(Value::int(64, rng.below(20) as i128));
    Sample { seed, program, function: "f".into(), arguments: arrays.into_iter().chain([count]).collect() }
}

#[test]
fn fuzz_contracted() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = number("BACKSWEEP_FUZZ_PROGRAMS").unwrap_or(PROGRAMS);
    let first = number("BACKSWEEP_FUZZ_FIRST").unwrap_or(7_000_000);
    let (rules, calls, mut agreed) = (Rules::new(), Cell::new(0), 0);
    let seen = |plan: &Plan| {
        let here = plan.local.as_ref().map_or(0, |local| local.contracted.len());
        calls.set(calls.get() + here);
    };
    for seed in first..first + count {
        let sample = make_sample(seed);
        for options in OPTIONS {
            let config = Config::default().read(options).unwrap_or_else(|error| panic!("{error}"));
            match check_both_ways(&sample, &rules, config, 2, &seen) {
                Verdict::Agreed => agreed += 1,
                Verdict::Unjudged => {}
                Verdict::Refused(how) | Verdict::Wrong(how) => {
                    panic!("seed {seed}, {options}: {how}\n{}", sample.program)
                }
            }
        }
    }
    println!("{first}..{}: {agreed} agreed, {} contracted calls", first + count, calls.get());
    assert!(agreed > 0 && calls.get() > 0, "nothing was tried");
}
