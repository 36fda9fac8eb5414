//! Every example of `dependence-testing.txt`, with the paper's answer under the paper's assumptions.
//!
//! The paper's loops run `i = 1..N`; with the counter from 0, `i` is counter + 1. Arrays of the paper do not overlap and
//! subscripts do not wrap. Symbolic upper bounds are 9 where the paper leaves them open and says nothing that hangs on
//! them.

use crate::dependence::breaking::{Clause, break_problem};
use crate::dependence::delta::test_delta;
use crate::dependence::direction::{Directions, Relation};
use crate::dependence::linear::{Interval, Linear, Var};
use crate::dependence::omega::Budget;
use crate::dependence::partition::partition;
use crate::dependence::problem::{Problem, Role, Subscript};
use crate::dependence::solve::{Outcome, solve};
use crate::dependence::split::find_split;
use crate::dependence::verdict::{Limit, Test, Verdict};

/// A subscript pair: the source's and the sink's form, in counters.
fn subscript(source: (&[(Var, i128)], i128), sink: (&[(Var, i128)], i128)) -> Subscript {
    let source = Linear::of(source.0, source.1).expect("small");
    let sink = Linear::of(sink.0, sink.1).expect("small");
    Subscript::equal(source.minus(&sink).expect("small"))
}

fn levels(count: usize) -> Problem {
    let mut problem = Problem::default();
    for _ in 0..count {
        problem.add_level(Some(9));
    }
    problem
}

fn relation(problem: &Problem) -> (Relation, Test) {
    match solve(problem, &mut Budget::default()) {
        Outcome::Dependent { relation, by, open: false } => (relation, by),
        other => panic!("{other:?}"),
    }
}

/// Source and sink counters of a level.
fn counters(problem: &Problem, level: usize) -> (Var, Var) {
    (problem.levels[level].source, problem.levels[level].sink)
}

#[test]
fn separable_and_coupled() {
    // A(i+1, j+k, j) = A(i, k, k): the first is separable, the second and third are tied by j and k.
    let mut problem = levels(3);
    let ((i, di), (j, _), (k, dk)) = (counters(&problem, 0), counters(&problem, 1), counters(&problem, 2));
    problem.subscripts = vec![
        subscript((&[(i, 1)], 2), (&[(di, 1)], 1)),
        subscript((&[(j, 1), (k, 1)], 2), (&[(dk, 1)], 1)),
        subscript((&[(j, 1)], 1), (&[(dk, 1)], 1)),
    ];
    assert_eq!(partition(&problem), vec![vec![0], vec![1, 2]]);
}

#[test]
fn coupled_by_one_index() {
    // A(k+1, j, j) = A(i, j, 1), and the fourth, ZIV subscript of A(k+1, j, j, 1) = A(i, j, 1, N).
    let mut problem = levels(3);
    let n = problem.add(Role::Symbol, Interval::ANY);
    let ((_, di), (j, dj), (k, _)) = (counters(&problem, 0), counters(&problem, 1), counters(&problem, 2));
    problem.subscripts = vec![
        subscript((&[(k, 1)], 2), (&[(di, 1)], 1)),
        subscript((&[(j, 1)], 1), (&[(dj, 1)], 1)),
        subscript((&[(j, 1)], 1), (&[], 1)),
        subscript((&[], 1), (&[(n, 1)], 0)),
    ];
    assert_eq!(partition(&problem), vec![vec![0], vec![1, 2], vec![3]]);
}

#[test]
fn directions_by_product() {
    // A(i+1, j-1, 1) and A(i, j, N): (<, >, *), if nothing rules out N = 1.
    let mut problem = levels(3);
    let n = problem.add(Role::Symbol, Interval { low: Some(1), high: None });
    let ((i, di), (j, dj)) = (counters(&problem, 0), counters(&problem, 1));
    problem.subscripts = vec![
        subscript((&[(i, 1)], 2), (&[(di, 1)], 1)),
        subscript((&[(j, 1)], 0), (&[(dj, 1)], 1)),
        subscript((&[], 1), (&[(n, 1)], 0)),
    ];
    let (found, by) = relation(&problem);
    assert_eq!(found.boxes, vec![vec![Directions::LESS, Directions::GREATER, Directions::ALL]]);
    assert_eq!(
        (found.forward(true).expect("a true dependence").to_string(), by),
        ("[1 -1 *]".into(), Test::StrongSiv)
    );
    // "If we can prove that N is never equal to 1, no dependence can exist."
    problem.ranges[n.0 as usize].low = Some(2);
    assert_eq!(solve(&problem, &mut Budget::default()), Outcome::Independent { by: Test::Ziv });
    // Seen from the second statement the leftmost direction would be >: the assumption was wrong, not the vector.
    assert_eq!(found.backward(true), None);
}

#[test]
fn delta_test() {
    // A(i+1, i+j) and A(i, i+j-1): the distance is (1, 0).
    let mut problem = levels(2);
    let ((i, di), (j, dj)) = (counters(&problem, 0), counters(&problem, 1));
    problem.subscripts = vec![
        subscript((&[(i, 1)], 2), (&[(di, 1)], 1)),
        subscript((&[(i, 1), (j, 1)], 2), (&[(di, 1), (dj, 1)], 1)),
    ];
    let limit = |level, distance: i128| Limit {
        level,
        directions: Directions::of_distance(distance),
        distance: Some(distance),
    };
    assert_eq!(test_delta(&problem, &[0, 1]), Verdict::Limits(Test::Delta, vec![limit(0, 1), limit(1, 0)]));
    let (found, by) = relation(&problem);
    assert_eq!((found.distances, by), (vec![Some(1), Some(0)], Test::Delta));
    // A contradiction is independence: A(i+1, i+j) and A(i, i+j-1) with a third subscript i against i.
    problem.subscripts.push(subscript((&[(i, 1)], 1), (&[(di, 1)], 1)));
    assert_eq!(test_delta(&problem, &[0, 1, 2]), Verdict::Independent(Test::Delta));
}

/// `for i = 1:L { A(i+N) = A(i) + B }`, with `L ≥ 1` because the loop runs.
fn first_example(n_range: Interval) -> (Problem, Var, Var) {
    let mut problem = Problem::default();
    let level = problem.add_level(None);
    let l = problem.add(Role::Symbol, Interval { low: Some(1), high: None });
    let n = problem.add(Role::Symbol, n_range);
    for counter in [level.source, level.sink] {
        problem.constraints.push(Linear::of(&[(l, 1), (counter, -1)], -1).expect("small"));
    }
    problem.subscripts = vec![subscript((&[(level.source, 1), (n, 1)], 1), (&[(level.sink, 1)], 1))];
    (problem, l, n)
}

fn clauses(problem: &Problem, names: &[(Var, &str)]) -> Vec<String> {
    let keep = |var: Var| names.iter().any(|(at, _)| *at == var);
    let name = |var: Var| {
        names.iter().find(|(at, _)| *at == var).map_or("?".into(), |(_, name)| (*name).to_string())
    };
    let clauses: Vec<Clause> = break_problem(problem, &keep).unwrap_or_default();
    clauses.iter().map(|clause| clause.describe(&name)).collect()
}

#[test]
fn breaking_condition_of_the_first_example() {
    // The paper's `L ≤ N` assumes N ≥ 1: with N = 0 source and sink are one cell, and L ≤ 0 never runs.
    let (problem, l, n) = first_example(Interval { low: Some(1), high: None });
    assert_eq!(clauses(&problem, &[(l, "L"), (n, "N")]), vec!["L <= N"]);
    // Without that assumption a dependence of the other direction has to be excluded too.
    let (problem, l, n) = first_example(Interval::ANY);
    let mut both = clauses(&problem, &[(l, "L"), (n, "N")]);
    both.sort();
    assert_eq!(both, vec!["L + N < 1", "L <= N"]);
}

#[test]
fn breaking_condition_of_the_second_example() {
    // `for i = 1:N { A(i) = A(L) + B }`: L < 1 or L > N; the split is at i = L, iteration L - 1.
    let mut problem = Problem::default();
    let level = problem.add_level(None);
    let l = problem.add(Role::Symbol, Interval::ANY);
    let n = problem.add(Role::Symbol, Interval { low: Some(1), high: None });
    for counter in [level.source, level.sink] {
        problem.constraints.push(Linear::of(&[(n, 1), (counter, -1)], -1).expect("small"));
    }
    problem.subscripts = vec![subscript((&[(level.source, 1)], 1), (&[(l, 1)], 0))];
    assert_eq!(clauses(&problem, &[(l, "L"), (n, "N")]), vec!["L < 1", "L > N"]);
    let split = find_split(&problem).expect("it is weak-zero");
    assert_eq!(
        split.describe(&|var| if var == l { "L".into() } else { "?".into() }),
        "split level 1 at iteration L - 1, clamped"
    );
    // The printed split `1:L-1, L, L+1:N` holds for L in 1..N+1; outside it is clamped, and nothing runs twice.
    for (value, trips) in [(-5, 4), (0, 4), (1, 4), (3, 4), (4, 4), (5, 4), (9, 4)] {
        let parts = split.parts(value - 1, trips);
        let all: Vec<i128> = parts.into_iter().flatten().collect();
        assert_eq!(all, (0..trips).collect::<Vec<i128>>(), "L = {value}");
    }
}
