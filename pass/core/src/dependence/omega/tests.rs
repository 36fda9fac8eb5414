//! The test against plain enumeration, and the places where other implementations overflowed.

use super::*;

/// A small generator, so that a failing number can be written down as a test.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> i128 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        i128::from((self.0 >> 33) % bound)
    }

    fn between(&mut self, low: i128, high: i128) -> i128 {
        low + self.below((high - low + 1) as u64)
    }
}

fn holds(system: &System, point: &[i128]) -> bool {
    let value = |row: &Row| row[0] + row[1..].iter().zip(point).map(|(a, x)| a * x).sum::<i128>();
    system.equal.iter().all(|row| value(row) == 0) && system.positive.iter().all(|row| value(row) >= 0)
}

fn enumerate(system: &System, size: i128) -> bool {
    let columns = system.width - 1;
    let total = (size as usize).pow(columns as u32);
    (0..total).any(|mut index| {
        let point: Vec<i128> = (0..columns)
            .map(|_| {
                let x = (index % size as usize) as i128;
                index /= size as usize;
                x
            })
            .collect();
        holds(system, &point)
    })
}

fn random_system(random: &mut Random, columns: usize, size: i128) -> System {
    let mut system = System::new(columns);
    for column in 1..=columns {
        let mut low = vec![0; columns + 1];
        low[column] = 1;
        let mut high = vec![0; columns + 1];
        (high[0], high[column]) = (size - 1, -1);
        system.positive.extend([low, high]);
    }
    for _ in 0..random.between(0, 2) {
        system.equal.push((0..=columns).map(|_| random.between(-9, 9)).collect());
    }
    for _ in 0..random.between(0, 4) {
        system.positive.push((0..=columns).map(|_| random.between(-9, 9)).collect());
    }
    system
}

#[test]
fn agrees_with_enumeration() {
    let mut random = Random(7);
    let mut undecided = 0;
    for round in 0..6000 {
        let columns = 1 + round % 4;
        let size = [12, 9, 6, 4][columns - 1];
        let system = random_system(&mut random, columns, size);
        let truth = if enumerate(&system, size) { Answer::Feasible } else { Answer::Infeasible };
        match decide(system.clone(), &mut Budget::default()) {
            Answer::Unknown => undecided += 1,
            answer => assert_eq!(answer, truth, "round {round}: {system:?}"),
        }
    }
    assert!(undecided <= 10, "{undecided} of these dense systems are left open")
}

#[test]
fn a_real_solution_between_integers_is_none() {
    // 27 ≤ 11x + 13y ≤ 45 and -10 ≤ 7x - 9y ≤ 4: Pugh's example, which only splinters refute.
    let mut system = System::new(2);
    system.positive = vec![vec![-27, 11, 13], vec![45, -11, -13], vec![10, 7, -9], vec![4, -7, 9]];
    assert_eq!(decide(system, &mut Budget::default()), Answer::Infeasible);
}

#[test]
fn huge_numbers_are_left_open_not_wrapped() {
    let mut system = System::new(2);
    let big = i128::MAX / 3;
    system.positive = vec![vec![0, big, -(big - 1)], vec![-1, -(big - 4), big - 7], vec![5, -1, big - 9]];
    assert_eq!(decide(system, &mut Budget::default()), Answer::Unknown);
}

#[test]
fn a_spent_budget_is_told() {
    let mut budget = Budget::of_rows(3);
    let mut system = System::new(2);
    system.positive = vec![vec![-27, 11, 13], vec![45, -11, -13], vec![10, 7, -9], vec![4, -7, 9]];
    assert_eq!(decide(system, &mut budget), Answer::Unknown);
    assert!(budget.is_spent());
}

#[test]
fn projection_contains_exactly_what_has_a_solution() {
    // 0 ≤ i ≤ n - 1 and i = m: so 0 ≤ m ≤ n - 1.
    let mut system = System::new(3);
    system.equal = vec![vec![0, 1, 0, -1]];
    system.positive = vec![vec![0, 1, 0, 0], vec![-1, -1, 1, 0]];
    let shadow = project(system, &[true, false, true, true], &mut Budget::default()).expect("small");
    assert!(shadow.exact);
    let mut rows = shadow.system.positive;
    rows.sort();
    assert_eq!(rows, vec![vec![-1, 0, 1, -1], vec![0, 0, 0, 1]]);
}
