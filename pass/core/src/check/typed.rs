//! Shadows are of the types of their memory only where that is of one type all the time.

use super::{Obligation, Proof};
use crate::config::Switch;
use crate::model::{Op, ValueId};

impl Proof<'_> {
    pub fn check_typed(&mut self) {
        if self.plan.typed == Switch::Off {
            return;
        }
        let stores = self.live_insts().into_iter().filter(|(_, inst)| matches!(inst.op, Op::Store(_)));
        let changes = |id: ValueId| self.plan.activity.overwrites(id).is_some_and(|found| !found.is_beside());
        let changing: Vec<_> = stores.filter(|(id, _)| changes(*id)).collect();
        for (id, _) in changing {
            let message = format!("{} changes the type of memory whose shadow keeps it", self.describe(id));
            self.report(Obligation::Storage, message);
        }
    }
}
