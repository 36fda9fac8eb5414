//! Circular functions and their inverses.

use crate::rules::row::Entry;
use crate::rules::row::write::{REAL, binary, edge, general, unary};

const CIRCLE: &[f64] = &[-100.0, -4.0, -1.2, -1e-7, 0.0, 1e-300, 0.7, 2.0, 3.0, 1e4];
const TURNS: &[f64] = &[-7.3, -0.9, -1e-7, 0.0, 0.2, 0.6, 1.1, 33.3];
const UNIT: &[f64] = &[-0.999999, -0.5, -1e-9, 0.0, 0.1, 0.75, 0.9999999];
const LINE: &[f64] = &[-1e8, -3.0, -1e-9, 0.0, 0.4, 1.0, 20.0, 1e12];
const Y: &[f64] = &[-1e150, -3.0, -1e-9, 0.2, 1.0, 5e5];
const X: &[f64] = &[-2e160, -0.7, -1e-6, 1e-150, 1.5, 40.0];

const AT_POLES: &str = "The slope is infinite at ±1: the IEEE limit. NaN outside [-1, 1], as the function.";

pub const ROWS: &[Entry] = &[
    unary("sin", "sin' x = cos x", &["d * cos(x)"]).at(&[CIRCLE]),
    unary("cos", "cos' x = -sin x", &["-(d * sin(x))"]).at(&[CIRCLE]),
    unary("tan", "tan' x = 1 + tan² x", &["d * (1 + y * y)"]).at(&[CIRCLE]),
    general(
        "sincos",
        "y0 = sin x, y1 = cos x; y0' = y1, y1' = -y0",
        &[REAL],
        &[REAL, REAL],
        &["d0 * y1", "-(d1 * y0)"],
    )
    .at(&[CIRCLE]),
    unary("sinpi", "y = sin πx, y' = π cos πx", &["d * (pi * cospi(x))"]).at(&[TURNS]),
    unary("cospi", "y = cos πx, y' = -π sin πx", &["-(d * (pi * sinpi(x)))"]).at(&[TURNS]),
    unary("tanpi", "y = tan πx, y' = π (1 + y²)", &["d * (pi * (1 + y * y))"])
        .at(&[TURNS])
        .singular("Poles at k + 1/2: the IEEE limit.", &[edge(&[0.5], &[f64::INFINITY])]),
    general(
        "sincospi",
        "y0 = sin πx, y1 = cos πx; y0' = π y1, y1' = -π y0",
        &[REAL],
        &[REAL, REAL],
        &["d0 * (pi * y1)", "-(d1 * (pi * y0))"],
    )
    .at(&[TURNS]),
    // (1 - x)(1 + x) keeps its digits near ±1, where 1 - x² loses them.
    unary("asin", "asin' x = 1 / √(1 - x²)", &["d / sqrt((1 - x) * (1 + x))"]).at(&[UNIT]).singular(
        AT_POLES,
        &[edge(&[1.0], &[f64::INFINITY]), edge(&[-1.0], &[f64::INFINITY]), edge(&[1.5], &[f64::NAN])],
    ),
    unary("acos", "acos' x = -1 / √(1 - x²)", &["-d / sqrt((1 - x) * (1 + x))"]).at(&[UNIT]).singular(
        AT_POLES,
        &[
            edge(&[1.0], &[f64::NEG_INFINITY]),
            edge(&[-1.0], &[f64::NEG_INFINITY]),
            edge(&[-1.5], &[f64::NAN]),
        ],
    ),
    unary("atan", "atan' x = 1 / (1 + x²)", &["d / (1 + x * x)"]).at(&[LINE]),
    // x1 / (x0² + x1²) with nothing squared: any two finite operands but the origin give the right limit.
    binary(
        "atan2",
        "∂0 = x1 / (x0² + x1²), ∂1 = -x0 / (x0² + x1²)",
        &[
            "if(x0 == 0 and x1 == 0, 0, d / (x1 + x0 * (x0 / x1)))",
            "if(x0 == 0 and x1 == 0, 0, -d / (x0 + x1 * (x1 / x0)))",
        ],
    )
    .at(&[Y, X])
    .edge(
        "0 at the origin, where the angle jumps. On the axes the one formula reaches its limit through x/0.",
        &[
            edge(&[0.0, 0.0], &[0.0, 0.0]),
            edge(&[0.0, 2.0], &[0.5, 0.0]),
            edge(&[0.0, -2.0], &[-0.5, 0.0]),
            edge(&[2.0, 0.0], &[0.0, -0.5]),
            edge(&[-2.0, 0.0], &[0.0, 0.5]),
            edge(&[1e200, 1e200], &[0.5e-200, -0.5e-200]),
            edge(&[1e-200, -1e-200], &[-0.5e200, -0.5e200]),
        ],
    ),
];
