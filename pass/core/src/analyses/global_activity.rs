//! Which globals are active, beside those that active values are stored into: a pointer that is found in a global and
//! leads to active memory has its shadow in the shadow of that global, and so on through the pointers found there.

use super::activity::{Activity, Pass};
use super::pointers::Base;
use crate::model::{GlobalDerivative, Inst, Op, Operand, ValueId};

impl Pass<'_> {
    /// Where a shadow can be made for the time of the call.
    pub fn can_have_shadow(&self, base: &Base) -> bool {
        match base {
            Base::Global(name) => self.globals.refuse_shadow(name, self.request.width).is_none(),
            _ => base.is_local(),
        }
    }

    /// What the user declared to carry nothing is let go.
    pub fn is_declared_inactive(&self, base: &Base) -> bool {
        let Base::Global(name) = base else { return false };
        self.globals.get(name).is_some_and(|global| global.derivative == GlobalDerivative::Nothing)
    }

    /// The globals that are active on entry: those that the caller hands over shadows of, and those that the user
    /// declared shadows of, where the function or what it calls may touch them.
    pub fn active_globals(&self) -> Vec<Base> {
        let mut named = self.request.globals.clone();
        let declared = |name: &String| {
            let global = self.globals.get(name);
            global.is_some_and(|global| matches!(global.derivative, GlobalDerivative::Declared(_)))
        };
        for (_, inst) in self.live_insts() {
            for operand in &inst.operands {
                let Operand::Const(constant) = operand else { continue };
                let Some((name, _)) = self.globals.resolve(constant) else { continue };
                named.extend(self.globals.reachable(&name).into_iter().chain([name]).filter(declared));
            }
            let effect = self.effects.of_callee(inst);
            named.extend(
                effect.into_iter().flat_map(|effect| &effect.globals).filter(|name| declared(name)).cloned(),
            );
        }
        named.into_iter().map(Base::Global).collect()
    }

    /// What a load of a pointer from globals makes active among them.
    pub fn spread_through_globals(&self, id: ValueId, inst: &Inst, activity: &Activity) -> Vec<Base> {
        if !matches!(inst.op, Op::Load(_)) || !inst.ty.holds_pointer() {
            return Vec::new();
        }
        let found = activity.is_shadowed(&Operand::Value(id));
        if !found && !self.followed.contains(&id) {
            return Vec::new();
        }
        let mut reached = Vec::new();
        for base in activity.bases(&inst.operands[0]) {
            let Base::Global(name) = &base else { continue };
            let reachable = self.globals.reachable(name).into_iter().map(Base::Global);
            let reachable: Vec<Base> = reachable.filter(|base| self.can_have_shadow(base)).collect();
            if found || activity.has_shadow(&base) || reachable.iter().any(|base| activity.has_shadow(base)) {
                reached.extend(reachable);
                reached.push(base);
            }
        }
        reached.retain(|base| self.can_have_shadow(base));
        reached
    }
}
