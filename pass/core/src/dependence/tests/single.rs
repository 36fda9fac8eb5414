//! Each single-subscript test against enumeration of its own small box, and named corner cases.

use crate::dependence::banerjee::test_banerjee;
use crate::dependence::direction::Directions;
use crate::dependence::gcd::test_gcd;
use crate::dependence::linear::{Linear, Var};
use crate::dependence::problem::{Problem, Subscript};
use crate::dependence::siv::{Siv, test_siv};
use crate::dependence::verdict::{Test, Verdict};

fn problem(last: i128) -> (Problem, Var, Var) {
    let mut problem = Problem::default();
    let level = problem.add_level(Some(last));
    (problem, level.source, level.sink)
}

/// The directions in which `a·i - b·j + c = 0` has solutions with both in `0..=last`.
fn enumerate(a: i128, b: i128, c: i128, last: i128) -> Directions {
    let mut found = Directions::NONE;
    for i in 0..=last {
        for j in 0..=last {
            if a * i - b * j + c == 0 {
                found = found.join(Directions::of_distance(j - i));
            }
        }
    }
    found
}

#[test]
fn siv_tests_are_exact_without_symbols() {
    for last in [0, 1, 2, 5] {
        for a in -4..=4 {
            for b in -4..=4 {
                for c in -12..=12 {
                    let (problem, i, j) = problem(last);
                    let form = Linear::of(&[(i, a), (j, -b)], c).expect("small");
                    let subscript = Subscript::equal(form).normalised();
                    let Some(siv) = Siv::of(&problem, &subscript) else { continue };
                    let truth = enumerate(a, b, c, last);
                    match test_siv(&problem, &siv) {
                        Verdict::Independent(_) => assert_eq!(truth, Directions::NONE, "{a} {b} {c} {last}"),
                        Verdict::Limits(_, limits) => {
                            assert_eq!(limits[0].directions, truth, "{a} {b} {c} {last} {:?}", siv.kind());
                        }
                        Verdict::Open => panic!("{a} {b} {c} {last}"),
                    }
                }
            }
        }
    }
}

#[test]
fn banerjee_never_excludes_what_happens() {
    for a in -4..=4 {
        for b in -4..=4 {
            for c in -12..=12 {
                let (problem, i, j) = problem(4);
                let form = Linear::of(&[(i, a), (j, -b)], c).expect("small");
                let truth = enumerate(a, b, c, 4);
                match test_banerjee(&problem, &Subscript::equal(form)) {
                    Verdict::Independent(_) => assert_eq!(truth, Directions::NONE, "{a} {b} {c}"),
                    Verdict::Limits(_, limits) => {
                        let kept = limits.first().map_or(Directions::ALL, |limit| limit.directions);
                        assert_eq!(kept.meet(truth), truth, "{a} {b} {c}");
                    }
                    Verdict::Open => {}
                }
            }
        }
    }
}

#[test]
fn divisibility_separates_even_from_odd() {
    let (_, i, j) = problem(100);
    let subscript = |c| Subscript::equal(Linear::of(&[(i, 2), (j, -4)], c).expect("small"));
    assert_eq!(test_gcd(&subscript(1)), Verdict::Independent(Test::Gcd));
    assert_eq!(test_gcd(&subscript(2)), Verdict::Open);
}

#[test]
fn bytes_of_different_sizes_meet_in_a_window() {
    // 8 bytes at 16i and 4 bytes at 16j + 8 never overlap; at 16j + 4 they do.
    let (_, i, j) = problem(100);
    let window =
        |c| Subscript { form: Linear::of(&[(j, 16), (i, -16)], c).expect("small"), low: -3, high: 7 };
    assert_eq!(test_gcd(&window(8)), Verdict::Independent(Test::Gcd));
    assert_eq!(test_gcd(&window(4)), Verdict::Open);
}

#[test]
fn extreme_coefficients_leave_the_question_open_or_right() {
    // LLVM's exact SIV and Banerjee overflowed on such: i128 does not wrap here, it gives up.
    let (problem, i, j) = problem(i128::MAX);
    for (a, b, c) in [(i128::MAX, i128::MAX - 1, i128::MIN + 1), (i128::MIN + 1, 3, 7), (1, 1, i128::MIN + 1)]
    {
        let Some(form) = Linear::of(&[(i, a), (j, b)], c) else { continue };
        let subscript = Subscript::equal(form);
        let _ = test_banerjee(&problem, &subscript);
        if let Some(siv) = Siv::of(&problem, &subscript) {
            assert!(
                !matches!(test_siv(&problem, &siv), Verdict::Limits(_, limits) if limits.first().is_some_and(|limit| limit.directions.is_none()))
            );
        }
    }
}
