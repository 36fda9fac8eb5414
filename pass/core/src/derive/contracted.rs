//! Calls that give partial derivatives, in a derivative: the callee's gradient stands in their place.

use super::Source;
use crate::model::{Call, Constant, Flags, Function, Inst, Op, Operand};
use crate::plan::variant_name;

/// Has each copy of such a call go to the gradient that the plan names. What was promised of the callee is not promised of that.
pub fn call_gradients(source: &Source, derived: &mut Function) {
    let Some(local) = &source.plan.local else { return };
    for inst in derived.insts.iter_mut().filter(|inst| inst.gives_partials()) {
        let planned = local.contracted.iter().find(|contracted| Some(contracted.at.call) == inst.origin);
        let Some(contracted) = planned else {
            unreachable!("the checker has proved that each call that gives partials is planned")
        };
        go_to(inst, &variant_name(&contracted.request));
    }
}

fn go_to(inst: &mut Inst, name: &str) {
    let arguments = inst.arguments().len() as u32;
    inst.op = Op::Call(Call { arguments, library: true, attributes: Vec::new() });
    inst.flags = Flags::default();
    if let Some(callee) = inst.operands.last_mut() {
        *callee = Operand::Const(Constant::Symbol { name: name.into(), space: 0 });
    }
}
