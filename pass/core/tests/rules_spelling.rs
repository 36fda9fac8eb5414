//! From symbols to rows and back.

use backsweep_core::model::{FloatKind, Lanes, Type};
use backsweep_core::rules::{
    CalleeRule, Condition, Expr, OperandKind, Precision, Reduction, Row, Rules, Shape, Spelling, SymbolKind,
};

const KINDS: [FloatKind; 7] = [
    FloatKind::Half,
    FloatKind::BFloat,
    FloatKind::Single,
    FloatKind::Double,
    FloatKind::X87,
    FloatKind::Quad,
    FloatKind::DoubleDouble,
];

fn vector(count: u32, scalable: bool, kind: FloatKind) -> Type {
    Type::Vector(Lanes { count, scalable }, Box::new(Type::Float(kind)))
}

#[test]
fn symbols_name_rows() {
    let rules = Rules::new();
    let library = |precision| SymbolKind::Library(precision);
    for (symbol, row, kind) in [
        ("sin", "sin", library(Precision::Double)),
        ("sinf", "sin", library(Precision::Single)),
        ("sinl", "sin", library(Precision::LongDouble)),
        ("sinf128", "sin", library(Precision::Quad)),
        ("sinq", "sin", library(Precision::Quad)),
        ("__exp_finite", "exp", library(Precision::Double)),
        ("__powf_finite", "pow", library(Precision::Single)),
        ("llvm.sin.f64", "sin", SymbolKind::Intrinsic),
        ("llvm.sin.v4f32", "sin", SymbolKind::Intrinsic),
        ("llvm.powi.f64.i32", "powi", SymbolKind::Intrinsic),
        ("llvm.minnum.f32", "fmin", SymbolKind::Intrinsic),
        ("llvm.arithmetic.fence.f64", "arithmetic_fence", SymbolKind::Intrinsic),
        ("llvm.experimental.constrained.fadd.f64", "fadd", SymbolKind::Intrinsic),
        ("llvm.experimental.constrained.sqrt.v2f64", "sqrt", SymbolKind::Intrinsic),
        ("llvm.experimental.constrained.fptrunc.f32.f64", "fptrunc", SymbolKind::Intrinsic),
        ("drem", "remainder", library(Precision::Double)),
        ("lgammaf_r", "lgamma_r", library(Precision::Single)),
        ("_FortranAFPow8i", "powi", library(Precision::Double)),
        ("_FortranAFPow4k", "fortran_powk", library(Precision::Single)),
        ("_FortranAModReal8", "fmod", library(Precision::Double)),
        ("_FortranAModuloReal10", "fortran_modulo", library(Precision::LongDouble)),
    ] {
        let spelled = rules.lookup(symbol).unwrap_or_else(|| panic!("`{symbol}` is not known"));
        assert_eq!((spelled.row.name, spelled.kind), (row, kind), "{symbol}");
    }
    for symbol in
        ["sine", "my_sin", "llvm.x86.sse.sqrt.ss", "llvm", "llvm.", "bs_rt_digamma", "sinff", "", "vsin"]
    {
        assert!(rules.lookup(symbol).is_none(), "{symbol}");
    }
}

#[test]
fn shapes_tell_where_results_go() {
    let rules = Rules::new();
    let shape = |symbol| rules.lookup(symbol).map(|spelled| spelled.shape);
    let stored = |returned, stored| Some(Shape::Stored { returned, stored });
    assert_eq!(shape("sincos"), stored(None, &[(1, 0), (2, 1)]));
    assert_eq!(shape("llvm.sincos.f64"), Some(Shape::Struct));
    assert_eq!(shape("modff"), stored(Some(0), &[(1, 1)]));
    assert_eq!(shape("llvm.modf.f32"), Some(Shape::Struct));
    assert_eq!(shape("frexp"), stored(Some(0), &[(1, 1)]));
    assert_eq!(shape("remquol"), stored(Some(0), &[(2, 1)]));
    assert_eq!(shape("lgamma_r"), stored(Some(0), &[(1, 1)]));
    assert_eq!(shape("hypot"), Some(Shape::Value));
}

#[test]
fn rows_are_spelled_for_types() {
    let rules = Rules::new();
    let real = |kind| Type::Float(kind);
    let intrinsic = |name: &str| Some(Spelling::Intrinsic(name.into()));
    let library = |name: &str| Some(Spelling::Library(name.into()));
    assert_eq!(rules.spell("cos", &[Type::DOUBLE]), intrinsic("llvm.cos.f64"));
    assert_eq!(rules.spell("cos", &[vector(4, false, FloatKind::Single)]), intrinsic("llvm.cos.v4f32"));
    assert_eq!(rules.spell("cos", &[vector(2, true, FloatKind::Double)]), intrinsic("llvm.cos.nxv2f64"));
    assert_eq!(rules.spell("powi", &[Type::DOUBLE, Type::I32]), intrinsic("llvm.powi.f64.i32"));
    assert_eq!(rules.spell("ldexp", &[real(FloatKind::X87), Type::I32]), intrinsic("llvm.ldexp.f80.i32"));
    assert_eq!(rules.spell("erf", &[real(FloatKind::Single)]), library("erff"));
    assert_eq!(rules.spell("erf", &[real(FloatKind::X87)]), library("erfl"));
    assert_eq!(rules.spell("hypot", &[real(FloatKind::Quad), real(FloatKind::Quad)]), library("hypotf128"));
    assert_eq!(rules.spell("erf", &[vector(4, false, FloatKind::Single)]), Some(Spelling::Scalarize));
    assert_eq!(rules.spell("erf", &[real(FloatKind::Half)]), Some(Spelling::Through(FloatKind::Single)));
    assert_eq!(rules.spell("jn", &[Type::I32, Type::DOUBLE]), library("jn"));
    assert_eq!(rules.spell("fortran_powk", &[Type::DOUBLE, Type::I64]), library("_FortranAFPow8k"));
    assert_eq!(rules.spell("digamma", &[real(FloatKind::Single)]), library("bs_rt_digammaf"));
    assert_eq!(rules.spell("digamma", &[real(FloatKind::X87)]), Some(Spelling::Through(FloatKind::Double)));
    assert_eq!(rules.spell("digamma", &[real(FloatKind::Half)]), Some(Spelling::Through(FloatKind::Single)));
    assert_eq!(rules.spell("cos", &[Type::I32]), None);
    assert_eq!(rules.spell("mystery", &[Type::DOUBLE]), None);
}

/// What a row is spelled as is recognised as that row.
#[test]
fn spellings_lead_back() {
    let rules = Rules::new();
    for row in rules.rows() {
        for kind in KINDS {
            match rules.spell(row.name, &operand_types(row, &Type::Float(kind))) {
                Some(Spelling::Intrinsic(symbol) | Spelling::Library(symbol)) => {
                    let back = rules.lookup(&symbol).map(|spelled| spelled.row.name);
                    assert_eq!(back, Some(row.name), "{symbol}");
                }
                Some(Spelling::Instruction(_) | Spelling::Scalarize | Spelling::Through(_)) => {}
                None => panic!("`{}` has no spelling for {kind:?}", row.name),
            }
        }
    }
}

/// Forms can be written in every float format and over vectors: each call in them has a spelling.
#[test]
fn forms_can_be_spelled_in_every_type() {
    let rules = Rules::new();
    let types: Vec<Type> = KINDS
        .into_iter()
        .flat_map(|kind| [Type::Float(kind), vector(4, false, kind), vector(2, true, kind)])
        .collect();
    for row in rules.rows() {
        let forms = (0..row.results.len()).flat_map(|k| (0..row.operands.len()).map(move |i| row.form(k, i)));
        for form in forms {
            form.visit(&mut |expr| {
                let Expr::Call(name, arguments) = expr else { return };
                for ty in &types {
                    let kinds = arguments.iter().map(|argument| match argument {
                        argument if is_integer(argument, row) => Type::I32,
                        _ => ty.clone(),
                    });
                    let spelled = rules.spell(name, &kinds.collect::<Vec<_>>());
                    assert!(spelled.is_some(), "{}: {name} over {ty:?}", row.name);
                }
            });
        }
    }
}

#[test]
fn reductions_are_told_apart() {
    let rules = Rules::new();
    for (symbol, wanted) in [
        ("llvm.vector.reduce.fadd.v4f64", Reduction::Add),
        ("llvm.vector.reduce.fmul.v2f32", Reduction::Mul),
        ("llvm.vector.reduce.fmax.v4f64", Reduction::Extremum),
        ("llvm.vector.reduce.fminimum.nxv2f64", Reduction::Extremum),
    ] {
        let CalleeRule::Reduction(found) = rules.lookup_callee(symbol) else { panic!("{symbol}") };
        assert_eq!(found, wanted);
    }
    assert!(matches!(rules.lookup_callee("llvm.vector.reduce.add.v4i32"), CalleeRule::Inactive(_)));
}

fn operand_types(row: &Row, real: &Type) -> Vec<Type> {
    let of = |kind: &OperandKind| match kind {
        OperandKind::Real => real.clone(),
        OperandKind::Int => Type::I32,
        OperandKind::Bool => Type::BOOL,
    };
    row.operands.iter().map(of).collect()
}

fn is_integer(expr: &Expr, row: &Row) -> bool {
    let mut found = false;
    expr.visit(&mut |inner| match inner {
        Expr::X(i) => found |= row.operands[*i as usize] == OperandKind::Int,
        Expr::Y(k) => found |= row.results[*k as usize] == OperandKind::Int,
        Expr::If { test: Condition::Int(..), .. } => {}
        _ => {}
    });
    found
}
