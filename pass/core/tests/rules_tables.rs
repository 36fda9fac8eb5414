//! The tables are complete, and no two of them claim the same thing.

use std::collections::{BTreeMap, BTreeSet};

use backsweep_core::model::Op;
use backsweep_core::rules::{CalleeRule, INACTIVE, OpRule, Pattern, Rules, one_of_each};

/// Functions that issue 2 names, with what their spellings are: `i` an intrinsic, `c` the three C precisions.
const DEMANDED: &str = "
    fma:ic fmuladd:i sqrt:ic cbrt:c hypot:c sin:ic cos:ic tan:ic asin:ic acos:ic atan:ic sincos:ic sincospi:i
    sinpi:c cospi:c atan2:ic sinh:ic cosh:ic tanh:ic asinh:c acosh:c atanh:c exp:ic exp2:ic exp10:ic expm1:c
    log:ic log2:ic log10:ic log1p:c pow:ic powi:i fabs:ic copysign:ic fmin:c fmax:c minnum:i maxnum:i minimum:i
    maximum:i minimumnum:i maximumnum:i fdim:c floor:ic ceil:ic trunc:ic round:ic rint:ic nearbyint:ic
    roundeven:ic lround:ic llround:ic lrint:ic llrint:ic fmod:c remainder:c remquo:c ldexp:ic scalbn:c scalbln:c
    frexp:ic modf:ic logb:c ilogb:c nextafter:c nexttoward:c erf:c erfc:c tgamma:c lgamma:c j0:c j1:c jn:c y0:c
    y1:c yn:c canonicalize:i arithmetic.fence:i";

#[test]
fn every_function_demanded_has_a_row_in_every_spelling() {
    let rules = Rules::new();
    for demand in DEMANDED.split_whitespace() {
        let (name, spellings) = demand.split_once(':').expect("name:spellings");
        if spellings.contains('i') {
            for types in ["f32", "f64", "f80", "v4f32", "nxv2f64"] {
                let symbol = format!("llvm.{name}.{types}");
                assert!(rules.lookup(&symbol).is_some(), "{symbol}");
            }
        }
        if spellings.contains('c') {
            let rows: Vec<_> = ["", "f", "l"]
                .map(|suffix| rules.lookup(&format!("{name}{suffix}")).map(|spelled| spelled.row.name))
                .into();
            assert!(rows[0].is_some() && rows.iter().all(|row| *row == rows[0]), "{name}: {rows:?}");
        }
    }
    for instruction in
        ["fneg", "fadd", "fsub", "fmul", "fdiv", "frem", "fpext", "fptrunc", "select", "fmuladd", "powi"]
    {
        assert!(rules.row(instruction).is_some(), "{instruction}");
    }
}

#[test]
fn every_operation_has_a_place() {
    let rules = Rules::new();
    let mut seen = BTreeSet::new();
    for (name, op) in one_of_each() {
        seen.insert(number_of(&op));
        // Panics when a place names a row that is not there.
        let rule = rules.lookup_op(&op);
        assert_eq!(matches!(rule, OpRule::Opaque), name.contains("no place") || name.contains("other"));
    }
    assert_eq!(seen, (0..OPERATIONS).collect(), "`one_of_each` misses an operation");
}

const OPERATIONS: usize = 35;

/// Numbers the variants of `Op`, so that a new one cannot be left out of `one_of_each`.
fn number_of(op: &Op) -> usize {
    match op {
        Op::FNeg => 0,
        Op::Float(_) => 1,
        Op::Int(_) => 2,
        Op::Cast(_) => 3,
        Op::ICmp(_) => 4,
        Op::FCmp(_) => 5,
        Op::Select => 6,
        Op::Freeze => 7,
        Op::Phi { .. } => 8,
        Op::ExtractElement => 9,
        Op::InsertElement => 10,
        Op::ShuffleVector { .. } => 11,
        Op::ExtractValue { .. } => 12,
        Op::InsertValue { .. } => 13,
        Op::Alloca(_) => 14,
        Op::Load(_) => 15,
        Op::Store(_) => 16,
        Op::Gep(_) => 17,
        Op::AtomicRmw { .. } => 18,
        Op::CompareExchange { .. } => 19,
        Op::Fence { .. } => 20,
        Op::VaArg => 21,
        Op::Call(_) => 22,
        Op::LandingPad { .. } => 23,
        Op::Ret => 24,
        Op::Br { .. } => 25,
        Op::CondBr { .. } => 26,
        Op::Switch { .. } => 27,
        Op::IndirectBr { .. } => 28,
        Op::Invoke { .. } => 29,
        Op::Resume => 30,
        Op::Unreachable => 31,
        Op::Opaque { .. } => 32,
        Op::CallBr { .. } => 33,
        Op::Attach(_) => 34,
    }
}

#[test]
fn no_symbol_stands_in_two_tables() {
    let rules = Rules::new();
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    let patterns = || INACTIVE.iter().flat_map(|group| group.patterns().map(move |p| (p, group.reason)));
    for (pattern, reason) in patterns() {
        let (Pattern::Name(text) | Pattern::Prefix(text) | Pattern::RustPath(text)) = pattern;
        assert!(rules.lookup(text).is_none(), "`{text}` is a row and inactive: {reason}");
        if let Some(other) = owners.insert(text, reason) {
            panic!("`{text}` is inactive twice: {other}; {reason}");
        }
    }
    for (pattern, reason) in patterns() {
        let Pattern::Name(name) = pattern else { continue };
        for (other, _) in patterns() {
            assert!(
                pattern == other || !other.matches(name),
                "`{name}` ({reason}) also falls under {other:?}"
            );
        }
    }
    for symbol in rules.library_symbols() {
        assert!(matches!(rules.lookup_callee(symbol), CalleeRule::Row(_)), "{symbol}");
    }
}

#[test]
fn inactive_functions_have_their_reasons() {
    let rules = Rules::new();
    for (symbol, part) in [
        ("printf", "text"),
        ("clock_gettime", "clock"),
        ("rand", "random"),
        ("__assert_fail", "ends the program"),
        ("llvm.dbg.value", "tells the compiler"),
        ("llvm.lifetime.start.p0", "tells the compiler"),
        ("_FortranAioOutputReal64", "Fortran"),
        ("__ubsan_handle_out_of_bounds", "ends the program"),
        ("_ZNSolsEd", "C++ stream"),
        ("_ZNSo9_M_insertIdEERSoT_", "C++ stream"),
        ("_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE", "panic"),
        ("_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check", "panic"),
        ("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6__print", "printing"),
        ("_ZSt24__throw_out_of_range_fmtPKcz", "ends the program"),
        ("__cxa_begin_catch", "exception"),
        ("llvm.is.fpclass.f64", "truth value"),
        ("strlen", "text"),
    ] {
        let CalleeRule::Inactive(reason) = rules.lookup_callee(symbol) else {
            panic!("`{symbol}` is not inactive")
        };
        assert!(reason.contains(part), "{symbol}: {reason}");
    }
    // These write floats, or nobody knows what they do.
    for symbol in [
        "fread",
        "scanf",
        "_FortranARandomNumber",
        "_FortranAioInputReal64",
        "_ZNSirsERd",
        "mystery",
        "_RNvCs12_4mine3sin",
    ] {
        assert!(matches!(rules.lookup_callee(symbol), CalleeRule::Unknown), "{symbol}");
    }
}
