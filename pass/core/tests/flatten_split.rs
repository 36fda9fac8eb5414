//! Splitting: as few parts as there can be, found by trying all; and the graphs do what the code does, whatever the
//! addresses turn out to be.

mod exact;
mod straight;

use std::collections::{BTreeMap, BTreeSet};

use backsweep_core::model::ValueId;
use backsweep_core::preaccumulation::flatten::{
    Action, Flattened, Known, Part, Source, What, flatten_part, split_contiguous, split_layered,
};
use backsweep_core::preaccumulation::graph::{Role, Vertex};
use backsweep_core::preaccumulation::terms::{Label, Leaf, Terms};
use exact::{Random, number};
use num_rational::BigRational;
use straight::{ADDRESSES, Program};

fn constants(known: &Known) -> Vec<bool> {
    (0..known.code.steps.len()).map(|at| known.is_constant(at)).collect()
}

/// The write that each read sees, `None` for what was there before; and the last write to each address.
type Sights = (BTreeMap<usize, Option<usize>>, BTreeMap<u32, usize>);

fn sights(program: &Program, order: &[usize], choice: &[u32]) -> Sights {
    let (mut seen, mut last) = (BTreeMap::new(), BTreeMap::new());
    for at in order {
        let Some(address) = program.address(*at, choice) else { continue };
        match program.code.steps[*at].action {
            Action::Read => {
                seen.insert(*at, last.get(&address).copied());
            }
            Action::Write => {
                last.insert(address, *at);
            }
            Action::Compute | Action::Copy | Action::Barrier => {}
        }
    }
    (seen, last)
}

/// Every read sees the same write of the part, or none, wherever the pointers lead.
fn is_certain(program: &Program, constant: &[bool], part: &[usize]) -> bool {
    let within = |choice: &Vec<u32>| {
        let (mut seen, _) = sights(program, part, choice);
        seen.retain(|read, _| !constant[*read]);
        seen
    };
    let all: BTreeSet<_> = program.choices().iter().map(within).collect();
    all.len() <= 1
}

/// The fewest contiguous parts that are all certain, barriers standing alone, by trying every set of cuts.
fn fewest_contiguous(program: &Program, constant: &[bool]) -> usize {
    let count = program.code.steps.len();
    let try_cuts = |cuts: u32| {
        let mut parts = vec![vec![0]];
        for at in 1..count {
            if cuts & (1 << at) != 0 {
                parts.push(Vec::new());
            }
            parts.last_mut().expect("there is a part").push(at);
        }
        let is_barrier = |at: usize| program.code.steps[at].action == Action::Barrier;
        parts.retain(|part| part.len() > 1 || !is_barrier(part[0]));
        let good = parts
            .iter()
            .all(|part| !part.iter().any(|at| is_barrier(*at)) && is_certain(program, constant, part));
        good.then_some(parts.len())
    };
    (0..1u32 << count).filter(|cuts| cuts & 1 == 0).filter_map(try_cuts).min().expect("single steps will do")
}

/// The fewest parts over every way to deal the steps out to parts, that are certain and in which, run one after the
/// other, everything is seen that is seen in the code.
fn fewest_layers(program: &Program, constant: &[bool], at_most: usize) -> Option<usize> {
    let count = program.code.steps.len();
    (1..=at_most).find(|layers| {
        let deals = layers.pow(count as u32);
        (0..deals).any(|deal| {
            let mut left = deal;
            let level: Vec<usize> = (0..count)
                .map(|_| {
                    let level = left % layers;
                    left /= layers;
                    level
                })
                .collect();
            let parts: Vec<Part> =
                (0..*layers).map(|layer| (0..count).filter(|at| level[*at] == layer).collect()).collect();
            keeps_order(program, &level)
                && parts.iter().all(|part| is_certain(program, constant, part))
                && sees_the_same(program, &parts)
        })
    })
}

fn keeps_order(program: &Program, level: &[usize]) -> bool {
    program.code.steps.iter().enumerate().all(|(at, step)| {
        step.operands.iter().all(|(source, _)| match source {
            Source::Step(from) => level[*from] <= level[at],
            Source::Outside(_) => true,
        })
    })
}

fn sees_the_same(program: &Program, parts: &[Part]) -> bool {
    let code: Vec<usize> = (0..program.code.steps.len()).collect();
    let moved: Vec<usize> = parts.concat();
    program.choices().iter().all(|choice| sights(program, &code, choice) == sights(program, &moved, choice))
}

#[test]
fn no_fewer_contiguous_parts_will_do() {
    let random = &mut Random(11);
    let mut sizes = BTreeMap::new();
    for _ in 0..600 {
        let program = Program::random(random, 8);
        let known = Known::of(&program.code, &program);
        let constant = constants(&known);
        let parts = split_contiguous(&known);
        *sizes.entry(parts.len()).or_insert(0) += 1;
        assert_eq!(
            parts.len(),
            fewest_contiguous(&program, &constant),
            "{parts:?} of {:#?}",
            program.code.steps
        );
    }
    println!("parts: {sizes:?}");
    assert!(sizes.keys().any(|parts| *parts >= 4), "some codes are hard: {sizes:?}");
}

#[test]
fn no_fewer_layers_will_do() {
    let random = &mut Random(12);
    let mut sizes = BTreeMap::new();
    for _ in 0..600 {
        let mut program = Program::random(random, 7);
        program.code.steps.retain(|step| step.action != Action::Barrier);
        if program.code.steps.len() < 7 {
            continue;
        }
        let known = Known::of(&program.code, &program);
        let constant = constants(&known);
        let parts = split_layered(&known);
        let contiguous = split_contiguous(&known);
        *sizes.entry((contiguous.len(), parts.len())).or_insert(0) += 1;
        assert!(parts.len() <= contiguous.len());
        assert!(sees_the_same(&program, &parts), "{parts:?} of {:#?}", program.code.steps);
        if parts.len() <= 3 {
            let fewest = fewest_layers(&program, &constant, 3);
            assert_eq!(Some(parts.len()), fewest, "{parts:?} of {:#?}", program.code.steps);
        }
    }
    println!("contiguous and layered parts: {sizes:?}");
    assert!(
        sizes.keys().any(|(contiguous, layered)| layered < contiguous),
        "layers save something: {sizes:?}"
    );
}

/// `*p = x; y = sin(*q); *r = cos(x); z = exp(*s)` with p~q, p~s, r~s: the paper's proposition says two parts, and two
/// contiguous ones do not exist.
#[test]
fn the_proposition_counts_too_few() {
    let mut program = Program::new(&[&[1, 2, 3], &[2, 4], &[5, 6], &[3, 6]]);
    let x = Program::outside(0);
    program.write(0, Some(x));
    let q = program.read(1);
    program.compute(&[Source::Step(q)]);
    let cosine = program.compute(&[x]);
    program.write(2, Some(Source::Step(cosine)));
    let s = program.read(3);
    program.compute(&[Source::Step(s)]);
    let known = Known::of(&program.code, &program);
    let constant = constants(&known);
    assert_eq!(split_contiguous(&known), [vec![0], vec![1, 2, 3, 4], vec![5, 6]]);
    assert_eq!(fewest_contiguous(&program, &constant), 3);
    assert_eq!(split_layered(&known), [vec![0, 3, 4], vec![1, 2, 5, 6]]);
    assert_eq!(fewest_layers(&program, &constant, 3), Some(2));
}

/// Derivatives by everything from before: addresses, then outside values.
type Row = BTreeMap<Origin, BigRational>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Address(u32),
    Value(u32),
}

#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    memory: BTreeMap<u32, Row>,
    values: BTreeMap<u32, Row>,
}

impl State {
    /// What nobody wrote is its own derivative.
    fn at(&self, address: u32) -> Row {
        let untouched = || Row::from([(Origin::Address(address), number(1, 1))]);
        self.memory.get(&address).cloned().unwrap_or_else(untouched)
    }

    fn value(&self, id: u32) -> Row {
        let untouched = || Row::from([(Origin::Value(id), number(1, 1))]);
        self.values.get(&id).cloned().unwrap_or_else(untouched)
    }
}

fn add(row: &mut Row, factor: &BigRational, other: &Row) {
    for (origin, slope) in other {
        *row.entry(*origin).or_insert_with(|| number(0, 1)) += factor * slope;
    }
    row.retain(|_, slope| *slope != number(0, 1));
}

/// The number that each leaf stands for.
fn leaf_value(leaf: &Leaf) -> BigRational {
    match leaf {
        Leaf::Given(at) => number(i64::from(at % 17) + 2, i64::from(at % 5) + 1),
        other => panic!("{other:?} is no leaf of this code"),
    }
}

fn label_value(terms: &Terms, label: Label) -> BigRational {
    let values = terms.evaluate(leaf_value, number(1, 1));
    let value = label.term().map_or(number(1, 1), |term| values[term.0 as usize].clone());
    if label.negative { -value } else { value }
}

/// Runs the code step by step.
fn run_steps(program: &Program, choice: &[u32]) -> State {
    let mut state = State::default();
    for (at, step) in program.code.steps.iter().enumerate() {
        let mut row = Row::new();
        for (source, label) in &step.operands {
            add(&mut row, &label_value(&program.code.terms, *label), &state.value(id_of(*source)));
        }
        match (step.action, program.address(at, choice)) {
            (Action::Write, Some(address)) => {
                state.memory.insert(address, row);
            }
            (Action::Read, Some(address)) => {
                let row = state.at(address);
                state.values.insert(at as u32, row);
            }
            _ => {
                state.values.insert(at as u32, row);
            }
        }
    }
    state
}

fn id_of(source: Source) -> u32 {
    match source {
        Source::Step(at) => at as u32,
        Source::Outside(value) => value.id.0,
    }
}

/// Runs graph after graph: inputs are read, vertices computed in order, outputs written. A barrier is left out, as
/// nothing depends on one.
fn run_graphs(program: &Program, graphs: &[Flattened], choice: &[u32]) -> State {
    let mut state = State::default();
    for flattened in graphs {
        let mut rows: BTreeMap<Vertex, Row> = BTreeMap::new();
        for vertex in flattened.graph.vertices() {
            let mut row = Row::new();
            if flattened.graph.role(vertex) == Role::Input {
                row = match flattened.names[&vertex] {
                    What::Value(value) => state.value(value.id.0),
                    What::Cell(read) => {
                        state.at(program.address(read.0 as usize, choice).expect("a read has an address"))
                    }
                };
            }
            for from in flattened.graph.predecessors(vertex) {
                let label = flattened.graph.label(from, vertex).expect("an edge");
                add(&mut row, &label_value(&flattened.terms, *label), &rows[&from]);
            }
            rows.insert(vertex, row);
        }
        for output in &flattened.outputs {
            let row = output.vertex.map_or(Row::new(), |vertex| rows[&vertex].clone());
            match output.what {
                What::Value(value) => state.values.insert(value.id.0, row),
                What::Cell(write) => {
                    let address = program.address(write.0 as usize, choice).expect("a write has an address");
                    state.memory.insert(address, row)
                }
            };
        }
    }
    state
}

/// Numbers for addresses and values: adjoints.
#[derive(Clone, Debug, Default, PartialEq)]
struct Adjoints {
    memory: BTreeMap<u32, BigRational>,
    values: BTreeMap<u32, BigRational>,
}

fn take(adjoints: &mut BTreeMap<u32, BigRational>, of: u32) -> BigRational {
    adjoints.remove(&of).unwrap_or_else(|| number(0, 1))
}

/// Runs the graphs' reverses, the last first: the adjoints of outputs are taken from the last to the first, and then
/// the inputs are added to.
fn run_backward(program: &Program, graphs: &[Flattened], choice: &[u32], adjoints: &mut Adjoints) {
    let address =
        |access: ValueId| program.address(access.0 as usize, choice).expect("an access has an address");
    for flattened in graphs.iter().rev() {
        let mut taken: BTreeMap<Vertex, BigRational> = BTreeMap::new();
        for output in flattened.outputs.iter().rev() {
            let adjoint = match output.what {
                What::Value(value) => take(&mut adjoints.values, value.id.0),
                What::Cell(write) => take(&mut adjoints.memory, address(write)),
            };
            if let Some(vertex) = output.vertex {
                *taken.entry(vertex).or_insert_with(|| number(0, 1)) += adjoint;
            }
        }
        let vertices: Vec<Vertex> = flattened.graph.vertices().collect();
        for vertex in vertices.into_iter().rev() {
            let Some(adjoint) = taken.get(&vertex).cloned() else { continue };
            for from in flattened.graph.predecessors(vertex) {
                let label =
                    label_value(&flattened.terms, *flattened.graph.label(from, vertex).expect("an edge"));
                *taken.entry(from).or_insert_with(|| number(0, 1)) += label * &adjoint;
            }
            if flattened.graph.role(vertex) == Role::Input {
                let (side, key) = match flattened.names[&vertex] {
                    What::Value(value) => (&mut adjoints.values, value.id.0),
                    What::Cell(read) => (&mut adjoints.memory, address(read)),
                };
                *side.entry(key).or_insert_with(|| number(0, 1)) += adjoint;
            }
        }
    }
}

/// The adjoints of everything from before, from the rows of the code.
fn expected_adjoints(state: &State, seeds: &Adjoints) -> BTreeMap<Origin, BigRational> {
    let mut row = Row::new();
    seeds.memory.iter().for_each(|(address, seed)| add(&mut row, seed, &state.at(*address)));
    seeds.values.iter().for_each(|(value, seed)| add(&mut row, seed, &state.value(*value)));
    row
}

fn check_forward(
    program: &Program,
    constant: &[bool],
    found: &State,
    expected: &State,
) -> Result<(), String> {
    for address in 0..ADDRESSES {
        if found.at(address) != expected.at(address) {
            return Err(format!("address {address}"));
        }
    }
    for (at, step) in program.code.steps.iter().enumerate().filter(|(_, step)| step.action != Action::Write) {
        // A constant has no derivative, whatever the addresses, and no vertex.
        let found = if constant[at] { Row::new() } else { found.value(at as u32) };
        if (step.wanted || constant[at]) && found != expected.value(at as u32) {
            return Err(format!("value {at}"));
        }
    }
    Ok(())
}

fn check_backward(
    program: &Program,
    constant: &[bool],
    graphs: &[Flattened],
    choice: &[u32],
    expected: &State,
) -> Result<(), String> {
    let memory = (0..ADDRESSES).map(|address| (address, number(i64::from(address) + 2, 3)));
    let steps = program.code.steps.iter().enumerate();
    let wanted = steps.filter(|(at, step)| step.wanted && step.action != Action::Write && !constant[*at]);
    let values = wanted.map(|(at, _)| (at as u32, number(at as i64 * 2 - 7, 5)));
    let seeds = Adjoints { memory: memory.collect(), values: values.collect() };
    let mut adjoints = seeds.clone();
    run_backward(program, graphs, choice, &mut adjoints);
    let memory = adjoints.memory.into_iter().map(|(address, adjoint)| (Origin::Address(address), adjoint));
    let values = adjoints.values.into_iter().map(|(value, adjoint)| (Origin::Value(value), adjoint));
    let found: BTreeMap<Origin, BigRational> =
        memory.chain(values).filter(|(_, adjoint)| *adjoint != number(0, 1)).collect();
    let expected = expected_adjoints(expected, &seeds);
    if found == expected { Ok(()) } else { Err(format!("adjoints {found:?} instead of {expected:?}")) }
}

#[test]
fn graphs_do_what_the_code_does() {
    let random = &mut Random(13);
    for round in 0..1500 {
        let program = Program::random(random, 12);
        let known = Known::of(&program.code, &program);
        let constant = constants(&known);
        let contiguous = split_contiguous(&known);
        let layered = split_layered(&known);
        for parts in [contiguous, layered] {
            let graphs: Vec<Flattened> = parts.iter().map(|part| flatten_part(&known, part)).collect();
            for choice in program.choices() {
                let expected = run_steps(&program, &choice);
                let found = run_graphs(&program, &graphs, &choice);
                let forward = check_forward(&program, &constant, &found, &expected);
                let backward = check_backward(&program, &constant, &graphs, &choice, &expected);
                if let Err(problem) = forward.and(backward) {
                    let steps = &program.code.steps;
                    panic!(
                        "round {round}: {problem} in {parts:?} of {steps:#?} at {choice:?} {:?}",
                        program.pointer
                    );
                }
            }
        }
    }
}
