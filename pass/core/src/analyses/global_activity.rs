//! Which globals are active, beside those that active values are stored into: a pointer that is found in a global and
//! leads to active memory has its shadow in the shadow of that global, and so on through the pointers found there.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::{Activity, Pass};
use super::descriptors::find_descriptors;
use super::globals::Globals;
use super::pointers::{Base, Pointers};
use crate::model::{Function, GlobalDerivative, Inst, Op, Operand, ValueId};

impl Pass<'_> {
    /// Where a shadow can be made for the time of the call.
    pub fn can_have_shadow(&self, base: &Base) -> bool {
        match base {
            Base::Global(name) => self.globals.refuse_shadow(name, self.request.width).is_none(),
            // A callee with a derivative of its own hands the shadow back with the pointer.
            Base::Returned(call) => self
                .function
                .inst(*call)
                .is_some_and(|inst| self.is_followed(inst) && self.find_custom_call(inst).is_none()),
            _ => base.is_local(),
        }
    }

    /// What the user declared to carry nothing is let go.
    pub fn is_declared_inactive(&self, base: &Base) -> bool {
        let Base::Global(name) = base else { return false };
        self.globals.get(name).is_some_and(|global| global.derivative == GlobalDerivative::Nothing)
    }

    /// The globals that are active on entry: those that the caller hands over shadows of, and those that the user
    /// declared shadows of or that all functions share one of, where the function or what it calls may touch them.
    pub fn active_globals(&self) -> Vec<Base> {
        let mut named = self.request.globals.clone();
        let has_one = |name: &String| {
            let global = self.globals.get(name);
            global.is_some_and(|global| matches!(global.derivative, GlobalDerivative::Declared(_)))
                || self.request.shared.contains(name)
        };
        for (_, inst) in self.live_insts() {
            for operand in &inst.operands {
                let Operand::Const(constant) = operand else { continue };
                let Some((name, _)) = self.globals.resolve(constant) else { continue };
                named.extend(self.globals.reachable(&name).into_iter().chain([name]).filter(has_one));
            }
            let touched = self.effect_of(inst).into_iter().flat_map(|effect| effect.globals);
            named.extend(touched.filter(|name| has_one(name)));
        }
        named.into_iter().map(Base::Global).collect()
    }

    /// What a load of a pointer from globals makes active among them: those that it is found in, and those that it leads
    /// to if nobody has changed it, all where one is.
    pub fn spread_through_globals(&self, id: ValueId, inst: &Inst, activity: &Activity) -> Vec<Base> {
        let found = activity.is_shadowed(&Operand::Value(id));
        if !matches!(inst.op, Op::Load(_))
            || !inst.ty.holds_pointer()
            || !found && !self.followed.contains(&id)
        {
            return Vec::new();
        }
        let mut family: BTreeSet<Base> = BTreeSet::new();
        for base in activity.bases(&inst.operands[0]) {
            match base {
                Base::Global(_) => drop(family.insert(base)),
                Base::Loaded(load) => {
                    family.extend(self.found_at_start(load));
                    family.extend(self.found_in_tables(activity));
                }
                _ => {}
            }
        }
        family.extend(self.found_at_start(id));
        family.retain(|base| self.can_have_shadow(base));
        match found || family.iter().any(|base| activity.has_shadow(base)) {
            true => family.into_iter().collect(),
            false => Vec::new(),
        }
    }

    /// Where the active constants lead, as tables of types do. Their addresses may have been put where a pointer was found. What is its own
    /// shadow leads to nothing that has another.
    fn found_in_tables(&self, activity: &Activity) -> Vec<Base> {
        let active = activity.memory.iter().filter_map(|base| match base {
            Base::Global(name) => self.globals.get(name),
            _ => None,
        });
        let tables = active.filter(|global| global.constant && !self.globals.stands_for_itself(&global.name));
        tables.flat_map(|global| self.globals.contents(global)).map(Base::Global).collect()
    }

    fn found_at_start(&self, load: ValueId) -> impl Iterator<Item = Base> {
        self.at_start.get(&load).into_iter().flatten().cloned().map(Base::Global)
    }
}

/// Where the pointers lead that are found in globals, as long as nobody has changed what these hold from the start.
pub fn find_at_start(
    function: &Function,
    pointers: &Pointers,
    globals: &Globals,
) -> BTreeMap<ValueId, BTreeSet<String>> {
    let contents =
        |name: &String| globals.get(name).map(|global| globals.contents(global)).unwrap_or_default();
    let mut found: BTreeMap<ValueId, BTreeSet<String>> = BTreeMap::new();
    loop {
        let before: usize = found.values().map(BTreeSet::len).sum();
        for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
            let elements = || leads_to_elements(&inst.operands[0], globals);
            if !matches!(inst.op, Op::Load(_)) || !inst.ty.holds_pointer() || elements() {
                continue;
            }
            for base in pointers.of_operand(&inst.operands[0]) {
                let holders = match base {
                    Base::Global(name) => BTreeSet::from([name]),
                    Base::Loaded(load) => found.get(&load).cloned().unwrap_or_default(),
                    _ => continue,
                };
                found.entry(id).or_default().extend(holders.iter().flat_map(contents));
            }
        }
        if found.values().map(BTreeSet::len).sum::<usize>() == before {
            return found;
        }
    }
}

/// Whether an address is where a descriptor in a global says where the elements are, which nothing lies there of on start: what
/// the descriptor holds beside that is of what type they are.
fn leads_to_elements(address: &Operand, globals: &Globals) -> bool {
    let Operand::Const(constant) = address else { return false };
    let place = globals.resolve(constant).and_then(|(name, bytes)| Some((globals.get(&name)?, bytes)));
    place.is_some_and(|(global, bytes)| {
        let descriptors = find_descriptors(global, globals.layout());
        let Some(at) = u64::try_from(bytes).ok().filter(|at| descriptors.contains(at)) else { return false };
        let cells = globals.pointer_cells(global).unwrap_or_default();
        cells.iter().any(|cell| cell.offset == at && cell.leads_to.is_none())
    })
}
