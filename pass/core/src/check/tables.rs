//! What pointers lead to that are found in memory of this call, by the checker's own reckoning.
//!
//! Memory is *told* where others may know its address, or where what stands in it was not put there as a pointer by this call: then
//! what is told in it is anybody's, and so is whatever is found there. From nothing being told, rounds tell what the round before
//! makes told, until one tells nothing new.
//! Safe error: told.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use crate::model::{CastOp, FloatKind, Inst, IntOp, Op, Operand, Type, ValueId};

type Set = BTreeSet<Place>;

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tables {
    /// For each pointer that is found every memory that it may lead to.
    names: BTreeMap<ValueId, Set>,
    told: Set,
}

/// With more pointers that are found nothing is known of any; the planner has the same limit.
const MOST: usize = 500;

impl<'a> Proof<'a> {
    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| self.find_tables())
    }

    /// Everything that a place may be.
    pub fn names_of(&self, place: &Place) -> Set {
        self.tables().names(place)
    }

    /// Whether a place is memory of this call that nobody else can have come to, whatever it stands in.
    pub fn is_untold(&self, place: &Place) -> bool {
        let tables = self.tables();
        !tables.names.is_empty() && is_own(place) && !tables.told.contains(place)
    }

    fn find_tables(&self) -> Tables {
        let insts: Vec<(ValueId, &Inst)> =
            self.function.inst_ids().filter_map(|id| Some((id, self.function.inst(id)?))).collect();
        let finds = |inst: &Inst| matches!(inst.op, Op::Load(_)) && inst.ty.holds_pointer();
        let found: Vec<(ValueId, &Inst)> = insts.iter().filter(|(_, inst)| finds(inst)).copied().collect();
        if found.is_empty() || found.len() > MOST {
            return Tables::default();
        }
        let names = found.iter().map(|(id, _)| (*id, self.name_stored(*id))).collect();
        let mut tables = Tables { names, told: Set::new() };
        loop {
            let next = Tables {
                names: found.iter().map(|(id, load)| (*id, self.name(*id, load, &tables))).collect(),
                told: self.find_told(&insts, &tables),
            };
            if next == tables {
                return tables;
            }
            tables = next;
        }
    }

    fn behind(&self, pointer: &Operand, tables: &Tables) -> Set {
        self.places.lead(pointer).iter().flat_map(|place| tables.names(place)).collect()
    }

    /// What one pointer that is found may lead to, after a round.
    fn name(&self, id: ValueId, load: &Inst, tables: &Tables) -> Set {
        let mut names = self.name_stored(id);
        let from = self.behind(&load.operands[0], tables);
        if from.is_empty() || from.iter().any(|place| !is_own(place) || tables.told.contains(place)) {
            names.insert(Place::Found(id));
        }
        names
    }

    /// The same as far as it was stored as a pointer.
    fn name_stored(&self, id: ValueId) -> Set {
        let mut names = self.owned.found_by(id);
        if names.remove(&Place::Outside) || names.is_empty() {
            names.insert(Place::Found(id));
        }
        names
    }

    fn find_told(&self, insts: &[(ValueId, &Inst)], tables: &Tables) -> Set {
        let mut told = tables.told.clone();
        let pointers_in = self.find_memory_with_pointers(insts, tables);
        for (id, inst) in insts {
            let behind = |at: usize| self.behind(&inst.operands[at], tables);
            let open = |places: &Set| places.iter().any(|x| !is_own(x) || tables.told.contains(x));
            match (&inst.op, memory_call(inst)) {
                (Op::Load(_), _) if carries_address(&inst.ty) => {
                    told.extend(behind(0).intersection(&pointers_in).cloned())
                }
                (Op::Load(_), _) => {}
                (Op::Store(_), _) => {
                    let (ty, to) = (self.function.operand_type(&inst.operands[0]), behind(1));
                    if ty.holds_pointer() && (to.is_empty() || open(&to)) {
                        told.extend(behind(0));
                    } else if carries_address(&ty) && inst.operands[0].value().is_some() {
                        told.extend(to.intersection(&pointers_in).cloned());
                    }
                }
                (_, Some(MemoryCall::Copy)) => {
                    let both: Set = behind(0).union(&behind(1)).cloned().collect();
                    if open(&both) {
                        told.extend(both);
                    }
                }
                (_, Some(_)) => {}
                _ if self.keeps_addresses_here(*id, inst) => {}
                _ => told.extend(inst.operands.iter().flat_map(|x| self.behind(x, tables))),
            }
        }
        told.retain(is_own);
        told
    }

    /// The memory in which pointers are put, or looked for.
    fn find_memory_with_pointers(&self, insts: &[(ValueId, &Inst)], tables: &Tables) -> Set {
        let mut with = Set::new();
        for (_, inst) in insts {
            let at = match inst.op {
                Op::Load(_) if inst.ty.holds_pointer() => &inst.operands[0],
                Op::Store(_) if self.function.operand_type(&inst.operands[0]).holds_pointer() => {
                    &inst.operands[1]
                }
                _ => continue,
            };
            with.extend(self.behind(at, tables));
        }
        loop {
            let before = with.len();
            for (_, inst) in insts.iter().filter(|(_, inst)| memory_call(inst) == Some(MemoryCall::Copy)) {
                let [to, from] = [0, 1].map(|at| self.behind(&inst.operands[at], tables));
                if !from.is_disjoint(&with) {
                    with.extend(to);
                }
            }
            if with.len() == before {
                return with;
            }
        }
    }

    /// Whether nobody learns an address from an instruction but those who use its result as one.
    fn keeps_addresses_here(&self, id: ValueId, inst: &Inst) -> bool {
        match inst.op {
            Op::Gep(_) | Op::Freeze | Op::Phi { .. } | Op::Select | Op::ICmp(_) => true,
            Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => true,
            Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => true,
            Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr) => self.is_only_a_distance(id),
            _ => inst
                .callee_name()
                .is_some_and(|name| name.contains("llvm.lifetime.") || name.starts_with("llvm.stackrestore")),
        }
    }

    /// Whether the number of an address is only held against those of other addresses.
    fn is_only_a_distance(&self, number: ValueId) -> bool {
        let is_number = |x: &Operand| {
            let made = x.value().and_then(|id| self.function.inst(id));
            made.is_some_and(|made| matches!(made.op, Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr)))
        };
        let users = self.function.insts.iter().filter(|user| user.operands.contains(&Operand::Value(number)));
        let mut users = users.map(|user| match user.op {
            Op::ICmp(_) => true,
            Op::Int(IntOp::Sub) => user.operands.iter().all(is_number),
            _ => false,
        });
        users.all(|distance| distance)
    }
}

impl Tables {
    fn names(&self, place: &Place) -> Set {
        let known = match place {
            Place::Found(load) => self.names.get(load),
            _ => None,
        };
        known.cloned().unwrap_or_else(|| Set::from([place.clone()]))
    }
}

fn is_own(place: &Place) -> bool {
    matches!(place, Place::Slot(_) | Place::Made(_))
}

/// Whether values of a type that is no pointer are enough to move one: not where they are as wide as no part that is moved alone.
fn carries_address(ty: &Type) -> bool {
    let narrow = matches!(ty, Type::Int(1 | 16 | 32) | Type::Float(FloatKind::Single));
    !ty.holds_pointer() && !narrow
}
