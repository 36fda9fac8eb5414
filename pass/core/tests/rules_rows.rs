//! What rows tell about themselves, and which rows the tables refuse.

use backsweep_core::rules::{EdgePoint, Entry, OperandKind, Rules};

const REAL: OperandKind = OperandKind::Real;

const SOUND: Entry = Entry {
    name: "twice",
    equation: "y = 2 x",
    operands: &[REAL],
    results: &[REAL],
    forms: &["2 * d"],
    policy: "",
    singular: false,
    edges: &[],
    samples: &[&[1.0]],
};

fn problem(entry: Entry) -> String {
    match Rules::from_entries([&entry]) {
        Ok(_) => "none".into(),
        Err(error) => error.problem,
    }
}

#[test]
fn faulty_rows_are_refused() {
    const POINTS: &[EdgePoint] = &[EdgePoint { at: &[0.0], partials: &[0.0] }];
    assert_eq!(problem(SOUND), "none");
    assert_eq!(problem(Entry { singular: true, policy: "0 at 0", edges: POINTS, ..SOUND }), "none");
    assert!(problem(Entry { singular: true, edges: POINTS, ..SOUND }).contains("no edge policy"));
    assert!(problem(Entry { singular: true, policy: "0 at 0", ..SOUND }).contains("no edge policy"));
    assert!(problem(Entry { samples: &[], ..SOUND }).contains("sample values"));
    assert!(problem(Entry { forms: &[], ..SOUND }).contains("one form for each"));
    assert!(problem(Entry { forms: &["d", "d"], ..SOUND }).contains("one form for each"));
    for (form, part) in [
        ("x", "does not depend on d"),
        ("d * d", "squared"),
        ("x / d", "divisor"),
        ("d + 1", "beside a term without"),
        ("if(d > 0, d, 0)", "a condition"),
        ("if(x > 0, d, 1)", "beside a term without"),
        ("d * sin(d)", "argument"),
        ("d * sin(x)", "no table has"),
        ("d1", "no `d1`"),
        ("d *", "ends too early"),
    ] {
        let form = Box::leak(Box::new([form]));
        let found = problem(Entry { forms: form, ..SOUND });
        assert!(found.contains(part), "{form:?}: {found}");
    }
    assert!(Rules::from_entries([&SOUND, &SOUND]).is_err_and(|error| error.problem.contains("two tables")));
}

#[test]
fn kinds_are_kept_apart() {
    let powers = Entry { operands: &[REAL, OperandKind::Int], samples: &[&[1.0], &[1.0]], ..SOUND };
    for (form, part) in [
        ("d * real(x1)", "none"),
        ("d * x1", "Real beside Int"),
        ("d * real(x0)", "Int expected"),
        ("d * real(x1 / 2)", "division of integers"),
        ("if(x1 > 0, d, 0)", "none"),
        ("if(x1 > x0, d, 0)", "Int expected"),
        ("d * convert(x1)", "Real expected"),
    ] {
        let form = Box::leak(Box::new([form]));
        let found = problem(Entry { forms: form, ..powers });
        assert!(found.contains(part), "{form:?}: {found}");
    }
    let whole = Entry { results: &[OperandKind::Int], ..SOUND };
    assert!(problem(whole).contains("derivative 0"));
    assert_eq!(problem(Entry { forms: &["0"], ..whole }), "none");
}

#[test]
fn needs_are_read_off_the_forms() {
    let rules = Rules::new();
    let needs = |name: &str, result: usize, operand: usize| {
        let needs = rules.row(name).expect(name).needs(result, operand);
        (needs.operands.iter().collect::<Vec<_>>(), needs.results.iter().collect::<Vec<_>>())
    };
    assert_eq!(needs("fadd", 0, 0), (vec![], vec![]));
    assert_eq!(needs("fmul", 0, 0), (vec![1], vec![]));
    assert_eq!(needs("fdiv", 0, 0), (vec![1], vec![]));
    assert_eq!(needs("fdiv", 0, 1), (vec![1], vec![0]));
    assert_eq!(needs("sin", 0, 0), (vec![0], vec![]));
    assert_eq!(needs("exp", 0, 0), (vec![], vec![0]));
    assert_eq!(needs("sqrt", 0, 0), (vec![], vec![0]));
    assert_eq!(needs("tanh", 0, 0), (vec![], vec![0]));
    assert_eq!(needs("select", 0, 1), (vec![0], vec![]));
    assert_eq!(needs("pow", 0, 1), (vec![0], vec![0]));
    assert_eq!(needs("sincos", 0, 0), (vec![], vec![1]));
    assert_eq!(needs("frexp", 0, 0), (vec![], vec![1]));
    assert_eq!(needs("floor", 0, 0), (vec![], vec![]));
    assert_eq!(needs("fmax", 0, 0), (vec![0], vec![0]));
}

#[test]
fn linearity_is_read_off_the_forms() {
    let rules = Rules::new();
    let row = |name: &str| rules.row(name).unwrap_or_else(|| panic!("no row `{name}`"));
    for name in ["fadd", "fsub", "fneg", "fpext", "fptrunc", "canonicalize"] {
        assert!(row(name).is_linear(), "{name}");
    }
    for name in ["fmul", "fdiv", "sin", "select", "fabs", "ldexp"] {
        assert!(!row(name).is_linear(), "{name}");
    }
    let linear_in = |name: &str| {
        let row = row(name);
        (0..row.operands.len())
            .filter(|i| row.is_real_operand(*i) && row.is_linear_in(*i))
            .collect::<Vec<_>>()
    };
    assert_eq!(linear_in("fmul"), [0, 1]);
    assert_eq!(linear_in("fdiv"), [0]);
    assert_eq!(linear_in("fma"), [0, 1, 2]);
    assert_eq!(linear_in("select"), [1, 2]);
    assert_eq!(linear_in("ldexp"), [0]);
    assert_eq!(linear_in("pow"), [0; 0]);
    assert!(row("floor").is_inactive() && !row("modf").is_inactive());
    assert!(row("fdiv").is_singular() && !row("fmul").is_singular());
}
