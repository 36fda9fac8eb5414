//! How far a derivative may be from the oracle's.

use backsweep_core::model::{Program, Type};

const TOLERANCE_DOUBLE: f64 = 1e-9;
const TOLERANCE_MIXED: f64 = 2e-3;

/// What may differ through rounding, relative to the sizes that were added up.
pub fn tolerance_for(program: &Program) -> f64 {
    if only_doubles(program) { TOLERANCE_DOUBLE } else { TOLERANCE_MIXED }
}

fn only_doubles(program: &Program) -> bool {
    let narrow = |ty: &Type| ty.holds_float() && format!("{ty}").contains("float");
    program.functions.iter().all(|function| {
        !function.insts.iter().any(|inst| narrow(&inst.ty))
            && !function.params.iter().any(|param| narrow(&param.ty))
    })
}
