//! Every row at each of its points, in both modes.

use backsweep_core::rules::{BinaryOp, Expr, OperandKind, Rules};
use backsweep_rulecheck::{Forms, Mismatch, Point, TOLERANCE, evaluate, partial};

#[test]
fn every_row_agrees_with_difference_quotients() {
    let rules = Rules::new();
    let mut report = String::new();
    for row in rules.rows() {
        for Mismatch { what, at, found, wanted } in Forms::of(row).check() {
            report += &format!("{} at {at:?}, {what}: {found:e}, not {wanted:e}\n", row.name);
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// A reference lost in rounding accepts anything. Each partial of each row has sharp points enough.
#[test]
fn quotients_are_sharp() {
    let rules = Rules::new();
    let (mut points, mut sharp_points) = (0, 0);
    for row in rules.rows() {
        for (k, i) in pairs(row.results.len(), row.operands.len()) {
            let is_sharp = |x: &Vec<f64>| {
                let partial = partial(row, x, k, i);
                partial.noise <= TOLERANCE * partial.value.abs()
            };
            let all = row.points();
            let sharp = all.iter().filter(|x| is_sharp(x)).count();
            (points, sharp_points) = (points + all.len(), sharp_points + sharp);
            if !row.form(k, i).is_zero() {
                assert!(2 * sharp >= all.len().min(6), "{}: {sharp} of {} points", row.name, all.len());
            }
        }
    }
    println!("{sharp_points} of {points} partials are sharp");
}

/// The check can fail: every form made wrong by one part in 10^9, or of the wrong sign, is caught.
#[test]
fn planted_faults_are_caught() {
    let rules = Rules::new();
    for row in rules.rows() {
        for (k, i) in pairs(row.results.len(), row.operands.len()) {
            let form = row.form(k, i);
            if form.is_zero() {
                continue;
            }
            let scaled =
                Expr::Binary(BinaryOp::Mul, Box::new(Expr::Number(1.0 + 1e-9)), Box::new(form.clone()));
            for fault in [scaled, Expr::Neg(Box::new(form.clone())), Expr::Number(0.0)] {
                let mut forms = Forms::of(row);
                forms.forms[k][i] = fault;
                assert!(!forms.check().is_empty(), "{}: a fault in form {k}, {i} went unseen", row.name);
            }
        }
    }
}

/// Zero forms are claims too: giving such a row an identity must be caught.
#[test]
fn planted_slopes_are_caught() {
    let rules = Rules::new();
    for row in rules.rows() {
        let real = |kind| kind == OperandKind::Real;
        for (k, i) in pairs(row.results.len(), row.operands.len()) {
            if row.form(k, i).is_zero() && real(row.operands[i]) && real(row.results[k]) {
                let mut forms = Forms::of(row);
                forms.forms[k][i] = Expr::D(k as u8);
                assert!(!forms.check().is_empty(), "{}: a slope in form {k}, {i} went unseen", row.name);
            }
        }
    }
}

#[test]
fn edge_points_follow_the_policy() {
    let rules = Rules::new();
    for row in rules.rows() {
        for edge in row.edges {
            let point = Point::new(row, edge.at);
            let found: Vec<f64> = pairs(row.results.len(), row.operands.len())
                .filter(|(_, i)| row.is_real_operand(*i))
                .map(|(k, i)| evaluate(row.form(k, i), &point, 1.0))
                .collect();
            assert_eq!(found.len(), edge.partials.len(), "{} at {:?}", row.name, edge.at);
            let agree = |(a, b): (&f64, &f64)| {
                a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-14 * b.abs()
            };
            let all = found.iter().zip(edge.partials).all(agree);
            assert!(all, "{} at {:?}: {found:?}, not {:?}", row.name, edge.at, edge.partials);
        }
    }
}

/// A zero derivative stays zero at any finite operands: by the guard in singular rows, by arithmetic in others.
#[test]
fn rows_that_break_zero_are_marked_singular() {
    let values = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        -2.5,
        2.0,
        1e-320,
        1e-200,
        -1e-200,
        30.0,
        800.0,
        -800.0,
        1e17,
        -1e17,
        1e200,
        f64::MAX,
        -f64::MAX,
    ];
    let rules = Rules::new();
    for row in rules.rows() {
        let mut points = vec![Vec::new()];
        for kind in row.operands {
            let list: &[f64] = match kind {
                OperandKind::Real => &values,
                OperandKind::Int => &[-3.0, -1.0, 0.0, 1.0, 2.0, 40.0],
                OperandKind::Bool => &[0.0, 1.0],
            };
            let longer = |x: &Vec<f64>, v: f64| x.iter().copied().chain([v]).collect::<Vec<f64>>();
            points = points.iter().flat_map(|x| list.iter().map(move |v| longer(x, *v))).collect();
        }
        let mut broken = None;
        for x in points {
            let point = Point::new(row, &x);
            for (k, i) in pairs(row.results.len(), row.operands.len()) {
                if evaluate(row.form(k, i), &point, 0.0) != 0.0 {
                    broken = Some((x.clone(), k, i));
                }
            }
        }
        match broken {
            Some(place) => assert!(row.is_singular(), "{} breaks zero at {place:?}", row.name),
            None => assert!(!row.is_singular(), "{} is marked singular and nothing breaks", row.name),
        }
    }
}

fn pairs(results: usize, operands: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..results).flat_map(move |k| (0..operands).map(move |i| (k, i)))
}
