//! Every math function: its tangent against differences of its value, under its C and its LLVM name.

use backsweep_core::model::{FloatKind, Type};
use backsweep_oracle::build::{self, Builder};
use backsweep_oracle::{Argument, Value, finite_differences, jacobian};

/// A function, its floats at each point, and whether an integer stands first or last.
struct Row {
    name: &'static str,
    points: &'static [&'static [f64]],
    integer: Integer,
}

enum Integer {
    None,
    First(i128),
    Last(i128),
}

const ANY: &[&[f64]] = &[&[0.35], &[-1.7], &[2.9], &[0.15]];
const POSITIVE: &[&[f64]] = &[&[0.35], &[1.7], &[12.5]];
const UNIT: &[&[f64]] = &[&[0.3], &[-0.8], &[0.01]];
const PAIRS: &[&[f64]] = &[&[0.7, 1.3], &[-2.1, 0.4], &[3.3, -1.2], &[-0.6, -0.9]];

const UNARY: &[(&[&str], &[&[f64]])] = &[
    (
        &[
            "sin",
            "cos",
            "tan",
            "sinh",
            "cosh",
            "tanh",
            "atan",
            "asinh",
            "exp",
            "exp2",
            "exp10",
            "expm1",
            "erf",
            "erfc",
            "fabs",
            "floor",
            "ceil",
            "trunc",
            "round",
            "rint",
            "nearbyint",
            "roundeven",
            "cbrt",
            "sinpi",
            "cospi",
            "tanpi",
            "j0",
            "j1",
            "logb",
            "tgamma",
            "lgamma",
        ],
        ANY,
    ),
    (&["sqrt", "log", "log2", "log10", "log1p", "y0", "y1"], POSITIVE),
    (&["asin", "acos", "atanh"], UNIT),
    (&["acosh"], &[&[1.4], &[5.0]]),
];

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (names, points) in UNARY {
        rows.extend(names.iter().map(|name| Row { name, points, integer: Integer::None }));
    }
    let binary =
        ["hypot", "atan2", "fmin", "fmax", "fminimum", "fmaximum", "fdim", "fmod", "remainder", "copysign"];
    rows.extend(binary.iter().map(|name| Row { name, points: PAIRS, integer: Integer::None }));
    rows.push(Row { name: "pow", points: &[&[0.7, 1.3], &[2.2, -0.4]], integer: Integer::None });
    rows.push(Row { name: "fma", points: &[&[0.7, 1.3, -2.0]], integer: Integer::None });
    for (name, n) in [("ldexp", 3), ("scalbn", -2), ("llvm.powi.f64.i32", 4), ("llvm.powi.f64.i32", -3)] {
        rows.push(Row { name, points: ANY, integer: Integer::Last(n) });
    }
    rows.push(Row { name: "jn", points: ANY, integer: Integer::First(3) });
    rows.push(Row { name: "yn", points: POSITIVE, integer: Integer::First(2) });
    rows
}

fn worst_error(name: &str, point: &[f64], integer: &Integer, kind: FloatKind, step: f64) -> f64 {
    let real = Type::Float(kind);
    let mut types = vec![real.clone(); point.len()];
    let mut arguments: Vec<Argument> =
        point.iter().map(|x| Argument::Active(Value::float(kind, *x, [0.0; 4]))).collect();
    match integer {
        Integer::None => {}
        Integer::First(n) => {
            types.insert(0, Type::I32);
            arguments.insert(0, Argument::Fixed(Value::int(32, *n)));
        }
        Integer::Last(n) => {
            types.push(Type::I32);
            arguments.push(Argument::Fixed(Value::int(32, *n)));
        }
    }
    let mut builder = Builder::new("f", &types, real.clone());
    let operands = (0..types.len()).map(|index| builder.param(index)).collect();
    let result = builder.call(name, real, operands, true);
    builder.ret(result);
    let program = build::program(vec![builder.finish()]);
    let exact = jacobian(&program, "f", &arguments).unwrap_or_else(|trap| panic!("{name}: {trap}"));
    let close = finite_differences(&program, "f", &arguments, step).unwrap();
    assert!(exact.outputs[0].is_finite(), "{name} at {point:?} is {}", exact.outputs[0]);
    let errors = exact.rows[0].iter().zip(&close.rows[0]).map(|(a, b)| (a - b).abs() / (1.0 + a.abs()));
    errors.fold(0.0, f64::max)
}

#[test]
fn tangents_match_differences() {
    let mut wrong = Vec::new();
    for row in rows() {
        for point in row.points {
            let error = worst_error(row.name, point, &row.integer, FloatKind::Double, 2e-4);
            if error.is_nan() || error > 1e-9 {
                wrong.push(format!("{} at {point:?}: {error:e}", row.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The comparison above can fail: a function whose tangent is known to differ from its slope is noticed.
#[test]
fn a_wrong_tangent_is_noticed() {
    // sin of a product, where the product's tangent is cut by a round trip through an integer.
    let mut builder = Builder::new("f", &[Type::DOUBLE], Type::DOUBLE);
    let x = builder.param(0);
    let doubled = builder.same(
        backsweep_core::model::Op::Float(backsweep_core::model::FloatOp::Mul),
        vec![x.clone(), build::double(1e6)],
    );
    let whole = builder.push(
        backsweep_core::model::Op::Cast(backsweep_core::model::CastOp::FpToSi),
        Type::I64,
        vec![doubled],
    );
    let back = builder.push(
        backsweep_core::model::Op::Cast(backsweep_core::model::CastOp::SiToFp),
        Type::DOUBLE,
        vec![whole],
    );
    builder.ret(back);
    let program = build::program(vec![builder.finish()]);
    let arguments = [Argument::Active(Value::double(0.4))];
    let exact = jacobian(&program, "f", &arguments).unwrap();
    let close = finite_differences(&program, "f", &arguments, 1e-2).unwrap();
    assert_eq!(exact.rows[0][0], 0.0);
    assert!((close.rows[0][0] - 1e6).abs() < 1e3);
}

#[test]
fn every_spelling_is_known() {
    for row in rows().iter().filter(|row| !row.name.starts_with("llvm.")) {
        for (suffix, kind, step, tolerance) in
            [("f", FloatKind::Single, 0.02, 0.03), ("l", FloatKind::X87, 2e-4, 1e-8)]
        {
            let name = format!("{}{suffix}", row.name);
            let error = worst_error(&name, row.points[0], &row.integer, kind, step);
            assert!(error < tolerance, "{name}: {error}");
        }
    }
}

#[test]
fn intrinsics_are_known() {
    let names = [
        "sqrt",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "exp2",
        "exp10",
        "log",
        "log2",
        "log10",
        "fabs",
        "floor",
        "ceil",
        "trunc",
        "rint",
        "nearbyint",
        "round",
        "roundeven",
    ];
    for name in names {
        let error = worst_error(&format!("llvm.{name}.f64"), &[0.3], &Integer::None, FloatKind::Double, 2e-4);
        assert!(error < 1e-9, "{name}: {error}");
    }
    for name in
        ["pow", "copysign", "minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum", "atan2"]
    {
        let point = [0.7, 1.3];
        let error = worst_error(&format!("llvm.{name}.f64"), &point, &Integer::None, FloatKind::Double, 2e-4);
        assert!(error < 1e-9, "{name}: {error}");
    }
    for name in ["llvm.fma.f64", "llvm.fmuladd.f64"] {
        assert!(worst_error(name, &[0.7, 1.3, 2.0], &Integer::None, FloatKind::Double, 2e-4) < 1e-9);
    }
}

/// The written policy for singular points.
#[test]
fn singular_points_follow_the_policy() {
    let slopes = |name: &str, point: &[f64]| {
        let types = vec![Type::DOUBLE; point.len()];
        let mut builder = Builder::new("f", &types, Type::DOUBLE);
        let operands = (0..point.len()).map(|index| builder.param(index)).collect();
        let result = builder.call(name, Type::DOUBLE, operands, true);
        builder.ret(result);
        let program = build::program(vec![builder.finish()]);
        let arguments: Vec<Argument> = point.iter().map(|x| Argument::Active(Value::double(*x))).collect();
        jacobian(&program, "f", &arguments).unwrap().rows[0].clone()
    };
    assert_eq!(slopes("sqrt", &[0.0]), [0.0]);
    assert_eq!(slopes("fabs", &[0.0]), [0.0]);
    assert_eq!(slopes("fabs", &[-0.0]), [0.0]);
    assert_eq!(slopes("hypot", &[0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(slopes("atan2", &[0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(slopes("pow", &[0.0, 0.5]), [0.0, 0.0]);
    assert_eq!(slopes("pow", &[0.0, 1.0])[0], 1.0);
    assert_eq!(slopes("pow", &[0.0, 2.0])[0], 0.0);
    assert_eq!(slopes("pow", &[0.0, -1.0])[0], f64::NEG_INFINITY);
    assert_eq!(slopes("fmax", &[2.0, 2.0]), [1.0, 0.0]);
    assert_eq!(slopes("fmin", &[2.0, 2.0]), [1.0, 0.0]);
    assert_eq!(slopes("llvm.maximum.f64", &[2.0, 2.0]), [1.0, 0.0]);
    assert_eq!(slopes("log", &[0.0]), [f64::INFINITY]);
    assert_eq!(slopes("cbrt", &[0.0]), [0.0]);
}

/// Tangents of the gamma functions against digits computed elsewhere: differences would share libm's errors.
#[test]
fn digamma_is_accurate() {
    let mut builder = Builder::new("f", &[Type::DOUBLE], Type::DOUBLE);
    let x = builder.param(0);
    let result = builder.call("lgamma", Type::DOUBLE, vec![x], true);
    builder.ret(result);
    let program = build::program(vec![builder.finish()]);
    // ψ(1) = -γ, ψ(1/2) = -γ - 2 ln 2, ψ(-1/2) = ψ(1/2) + 2, ψ(10).
    const GAMMA: f64 = 0.577_215_664_901_532_9;
    let half = -GAMMA - 2.0 * std::f64::consts::LN_2;
    for (x, digamma) in [(1.0, -GAMMA), (0.5, half), (-0.5, half + 2.0), (10.0, 2.251_752_589_066_721)] {
        let found = jacobian(&program, "f", &[Argument::Active(Value::double(x))]).unwrap().rows[0][0];
        assert!((found - digamma).abs() < 4e-15 * (1.0 + digamma.abs()), "ψ({x}) = {found}, not {digamma}");
    }
}
