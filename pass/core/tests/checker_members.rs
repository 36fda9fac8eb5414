//! Members of structs that are declared to be integers: they have no derivative where nobody is seen to touch them as
//! anything else, and the checker notices when that was claimed of others.

mod checker;

use backsweep_core::check::{Fault, check_plan};
use backsweep_core::config::Config;
use backsweep_core::kinds::find_integers;
use backsweep_core::model::{Op, Program, Type};
use backsweep_core::plan::{Plan, make_plan};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// The second struct becomes the first: an integer that nobody counts with, and a double.
const MOVED: &str = "function @f(%a: ptr) -> double {
^entry:
  %from: ptr = gep %a, i64 16 over i8 by(1)
  %k: i32 = load %from integer
  %p: ptr = gep %a, i64 24 over i8 by(1)
  %x: double = load %p
  store %k, %a integer
  %q: ptr = gep %a, i64 8 over i8 by(1)
  store %x, %q
  %y: double = load %q
  %z: double = fmul %y, %y
  ret %z
}";

/// The same, with a float that is read where the first integer is.
fn read_as_float() -> String {
    MOVED.replace(
        "%z: double = fmul %y, %y",
        "%w: float = load %a\n  %v: double = fpext %w\n  %z: double = fmul %y, %v",
    )
}

/// The program as nobody declared it.
fn undeclared(program: &Program) -> Program {
    let mut program = program.clone();
    for inst in program.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::Load(access) | Op::Store(access) = &mut inst.op {
            access.integer = false;
        }
    }
    program
}

fn faults_in(program: Program, plan: &Plan) -> Vec<Fault> {
    let case = Case::new(MOVED);
    let function = program.functions.last().expect("a program has a function");
    check_plan(plan, function, &program, &case.rules)
}

fn is_refused(text: &str) -> bool {
    let case = Case::new(text);
    let request = case.request(Mode::Gradient);
    make_plan(&case.function, &case.program, &case.rules, &request, &Config::default()).is_err()
}

#[test]
fn a_declared_integer_is_one() {
    let case = Case::new(MOVED);
    assert_eq!(find_integers(&case.function, &case.program).len(), 1);
    assert_none(&case.faults(&case.gradient()));
    assert!(is_refused(&MOVED.replace(" integer", "")), "nobody says what is moved");
}

#[test]
fn who_touches_it_as_a_float_counts_for_more() {
    let case = Case::new(&read_as_float());
    let from = Type::I32;
    let integers = find_integers(&case.function, &case.program);
    assert!(integers.iter().all(|id| *case.function.value_type(*id) == from), "{integers:?}");
    assert!(is_refused(&read_as_float()), "a float is read where an integer was written");
}

#[test]
fn an_index_beside_it_does_not() {
    let indexed = MOVED.replace(
        "%z: double = fmul %y, %y",
        "%n: i64 = fptosi %y\n  %r: ptr = gep %q, %n over double by(8)\n  %w: double = load %r\n  %z: double = fmul %y, %w",
    );
    let case = Case::new(&indexed);
    assert_eq!(find_integers(&case.function, &case.program).len(), 1);
    assert_none(&case.faults(&case.gradient()));
}

#[test]
fn the_checker_asks_who_declared_it() {
    let case = Case::new(MOVED);
    let plan = case.gradient();
    assert_ne!(
        faults_in(undeclared(&case.program), &plan),
        [],
        "nobody declared what the plan takes for an integer"
    );
}

#[test]
fn the_checker_asks_who_else_touches_it() {
    let case = Case::new(MOVED);
    let plan = case.gradient();
    // The integer is a float to somebody: the same accesses, one of them by another type.
    let other = MOVED.replace("%x: double = load %p", "%x: double = load %from");
    let planted = Case::new(&other).program;
    assert_ne!(faults_in(planted, &plan), [], "a double lies where the plan takes an integer");
}
