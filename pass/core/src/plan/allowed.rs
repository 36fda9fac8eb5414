//! What a derivative may do because the program says that the function may.

use crate::analyses::activity::Activity;
use crate::config::Switch;
use crate::model::{Flags, Function, Inst, ValueId};

/// Whether the front end has let products and sums of a function be one operation. None says so of a derivative, whose
/// sums are written nowhere: it is read from what the function itself was allowed.
pub fn find_contraction(function: &Function) -> Switch {
    let fused = |inst: &Inst| {
        let together = inst.callee_name().is_some_and(|name| name.starts_with("llvm.fmuladd."));
        together || inst.flags.has(Flags::CONTRACT)
    };
    if function.insts.iter().any(fused) { Switch::On } else { Switch::Off }
}

/// Whether shadows are accessed as the types of which the program says that none is accessed as another. Not where memory is of one
/// type after another: the reverse sweep comes to them in another order, and clears what is left of the one for the other.
pub fn find_typed(function: &Function, activity: &Activity) -> Switch {
    let changes = |id: ValueId| activity.overwrites(id).is_some_and(|found| !found.is_beside());
    if function.inst_ids().any(changes) { Switch::Off } else { Switch::On }
}
