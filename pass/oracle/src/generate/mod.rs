//! Random programs of the model, to differentiate and compare with the oracle.
//!
//! Seed and options → a well-formed program, its entry function, and arguments to try it at.
//! Every float carries a bound on its size, and operations are applied within their domain only: values and slopes
//! stay moderate, so that what differs is a bug and not an overflow.
//! Invariant: definitions dominate their uses and phis have one entry for each edge; every run ends.

mod arithmetic;
mod branches;
mod calls;
mod globals;
mod integers;
mod loops;
mod mathematics;
mod rng;
mod scope;
mod shapes;
mod storage;

use backsweep_core::model::{FloatKind, Function, Program, Type};

pub use rng::Rng;

use crate::build::{self, Builder};
use crate::dual::NO_TANGENT;
use crate::jacobian::Argument;
use crate::value::Value;
use calls::Helper;
use globals::Globals;
use scope::Scope;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Scalars, vectors and structs, with branches but neither loops nor memory.
    Scalars,
    /// Also loops, arrays that may alias, local memory, calls and recursion.
    Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub stage: Stage,
    /// How many instructions the entry function has, roughly.
    pub smallest: usize,
    pub largest: usize,
    /// Float and other kinds beside double. Differences are coarse where these are mixed in.
    pub mixed_kinds: bool,
    /// Operations with kinks and jumps (floor, fmod, minimum, …) and conditions on floats.
    pub kinks: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { stage: Stage::Scalars, smallest: 5, largest: 200, mixed_kinds: true, kinks: true }
    }
}

/// A program with a point to differentiate it at.
#[derive(Clone, Debug)]
pub struct Sample {
    pub seed: u64,
    pub program: Program,
    pub function: String,
    pub arguments: Vec<Argument>,
}

/// Elements of each array argument and local array that a program may touch.
pub(crate) const ARRAY: usize = 8;

pub fn generate(seed: u64, options: &Options) -> Sample {
    // Seeds in sequence must not give related programs.
    let mut rng = Rng::new(Rng::new(seed).draw());
    let mut functions = Vec::new();
    let (mut helpers, mut globals) = (Vec::new(), Globals::default());
    if options.stage == Stage::Memory {
        globals = globals::make_globals(&mut rng);
        for index in 0..rng.below(3) {
            let (function, helper) = calls::make_helper(&mut rng, options, index, &helpers, &globals);
            functions.push(function);
            helpers.push(helper);
        }
    }
    let (function, arguments) = make_entry(&mut rng, options, &helpers, &globals);
    functions.insert(0, function);
    let mut program = build::program(functions);
    program.globals = globals.arrays.into_iter().chain(globals.tables).collect();
    Sample { seed, program, function: "f".into(), arguments }
}

fn make_entry(
    rng: &mut Rng,
    options: &Options,
    helpers: &[Helper],
    globals: &Globals,
) -> (Function, Vec<Argument>) {
    let mut types = Vec::new();
    let mut arguments = Vec::new();
    for _ in 0..rng.between(1, 4) {
        let kind = real_kind(rng, options);
        types.push(Type::Float(kind));
        arguments.push(Argument::Active(Value::float(kind, rng.real(2.0), NO_TANGENT)));
    }
    for _ in 0..rng.below(3) {
        types.push(Type::I32);
        arguments.push(Argument::Fixed(Value::int(32, rng.below(100) as i128 - 50)));
    }
    if options.stage == Stage::Memory {
        add_arrays(rng, &mut types, &mut arguments);
    }
    let ret = result_type(rng, options);
    let size = rng.between(options.smallest, options.largest);
    let mut scope = Scope::new(Builder::new("f", &types, ret), rng, *options, helpers);
    scope.use_globals(globals);
    if options.stage == Stage::Memory {
        scope.make_local_array();
        // Loops are what this stage is for: left to chance alone, most programs would have none.
        for _ in 0..scope.rng.below(5) {
            scope.fill(size / 10);
            scope.make_loop(size / 8);
        }
    }
    scope.fill(size.saturating_sub(scope.f.len()).max(options.smallest));
    scope.make_return();
    (scope.finish(), arguments)
}

/// One to three pointers; later ones may lead into the array of an earlier one.
fn add_arrays(rng: &mut Rng, types: &mut Vec<Type>, arguments: &mut Vec<Argument>) {
    let mut owners = Vec::new();
    for _ in 0..rng.between(1, 3) {
        types.push(Type::PTR);
        if !owners.is_empty() && rng.chance(50) {
            arguments.push(Argument::Alias { of: *rng.pick(&owners), elements: rng.below(ARRAY) as i64 });
        } else {
            owners.push(arguments.len());
            // Twice the length that is touched, so that an alias has room behind its start.
            let content = (0..2 * ARRAY).map(|_| rng.real(2.0)).collect();
            arguments.push(Argument::Array(FloatKind::Double, content));
        }
    }
}

fn real_kind(rng: &mut Rng, options: &Options) -> FloatKind {
    if options.mixed_kinds && rng.chance(15) { FloatKind::Single } else { FloatKind::Double }
}

fn result_type(rng: &mut Rng, options: &Options) -> Type {
    let first = Type::Float(real_kind(rng, options));
    let second = Type::Float(real_kind(rng, options));
    match rng.below(10) {
        0 => Type::structure(vec![first, second]),
        1 => Type::Array(2, Box::new(first)),
        _ => first,
    }
}
