//! Copies in memory that several functions of a program make for each other, and that nobody else finds.
//!
//! The reverse sweep tells the floats in them from pointers by what is in the shadow (`copies_own_words`). So whoever touches the memory,
//! in whatever function, has to take each word for a double, a pointer or an integer, and what copies join with it has to be
//! such memory as well. Each function gives pointers that it leaves there to others a shadow, by an obligation of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Proof;
use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::own_words::starts_at_multiple;
use super::places::Place;
use super::stands::Stand;
use super::trail_walk::Whole;
use super::trails::{Origin, Origins};
use crate::model::{FloatKind, Function, Inst, Op, Operand, Type, ValueId};

/// Memory of all functions in which words may be moved, and the trails that tell so.
struct Shared {
    memories: BTreeSet<ValueId>,
    whole: Whole,
}

impl Proof<'_> {
    pub fn copies_shared_words(&self, copy: &Inst, varied: &Varied) -> bool {
        let has_shadow = |place: &Place| varied.shadowed.contains(place);
        let shadowed = |x: &Operand| {
            let places = self.places.lead(x);
            !places.is_empty() && places.iter().all(has_shadow)
        };
        let ends = &copy.operands[..2];
        let shared = self.find_shared();
        let whole = &shared.whole;
        let known = |place: &Place| has_shadow(place) || !self.may_hold_floats(place);
        let leads_there = |x: &Operand| {
            let origins = whole.trails.of(x);
            origins.keys().any(|origin| origin.own().is_some_and(|own| shared.memories.contains(&own)))
        };
        let stores = self.live_insts().into_iter().map(|(_, inst)| inst);
        let mut stores =
            stores.filter(|inst| matches!(inst.op, Op::Store(_)) && leads_there(&inst.operands[1]));
        ends.iter().all(|x| shadowed(x) && shared.holds(&whole.trails.of(x)))
            && stores.all(|store| self.places.lead(&store.operands[0]).iter().all(known))
    }

    fn find_shared(&self) -> Arc<Shared> {
        self.program.once_of(self.function, || find_shared(self))
    }
}

impl Shared {
    /// Whether all that is carried is the address of such memory.
    fn holds(&self, origins: &Origins) -> bool {
        let mut addresses = origins.keys().filter(|origin| may_be_address(**origin)).peekable();
        let inside = |origin: &Origin| origin.own().is_some_and(|own| self.memories.contains(&own));
        addresses.peek().is_some() && addresses.all(inside)
    }
}

fn find_shared(proof: &Proof) -> Shared {
    let walk = proof.walk_all().take_floats_for_floats();
    let whole = walk.find_whole();
    let mut search = Search { whole: &whole, proof, lost: whole.met.clone(), joined: BTreeMap::new() };
    for (function, start) in walk.functions() {
        search.lost.extend(function.param_ids().map(|id| ValueId(start + id.0)));
        for inst in &function.insts {
            search.look(function, start, inst, &|id| walk.inst(id));
        }
    }
    let memories: BTreeSet<ValueId> = whole.trails.lying.keys().copied().collect();
    // What is joined with what is lost is lost.
    let mut waiting: Vec<ValueId> = search.lost.iter().copied().collect();
    let mut lost = BTreeSet::new();
    while let Some(memory) = waiting.pop() {
        if lost.insert(memory) {
            waiting.extend(search.joined.get(&memory).into_iter().flatten());
        }
    }
    let memories = memories.difference(&lost).copied().collect();
    Shared { memories, whole }
}

struct Search<'a, 'p> {
    whole: &'a Whole,
    proof: &'a Proof<'p>,
    lost: BTreeSet<ValueId>,
    joined: BTreeMap<ValueId, BTreeSet<ValueId>>,
}

impl Search<'_, '_> {
    fn look<'a>(
        &mut self,
        function: &Function,
        start: u32,
        inst: &Inst,
        made_by: &dyn Fn(ValueId) -> Option<&'a Inst>,
    ) {
        let carried = |x: &Operand| {
            let id = x.value().map(|id| ValueId(start + id.0));
            id.and_then(|id| self.whole.trails.through.get(&id)).cloned().unwrap_or_default()
        };
        let own = |origins: &Origins| -> Vec<ValueId> { origins.keys().filter_map(|x| x.own()).collect() };
        let (pointer, ty, align) = match &inst.op {
            Op::Load(access) => (&inst.operands[0], inst.ty.clone(), access.align),
            Op::Store(access) => (&inst.operands[1], function.operand_type(&inst.operands[0]), access.align),
            _ if memory_call(inst) == Some(MemoryCall::Copy) => {
                let ends = [0, 1].map(|at| (&inst.arguments()[at], carried(&inst.arguments()[at])));
                let memories: Vec<ValueId> = ends.iter().flat_map(|(_, origins)| own(origins)).collect();
                let foreign = |(x, origins): &(&Operand, Origins)| match x {
                    Operand::Const(constant) if constant.is_nowhere() => false,
                    Operand::Const(constant) => constant
                        .symbol()
                        .is_none_or(|name| self.proof.may_hold_floats(&Place::Global(name.to_owned()))),
                    Operand::Value(_) => origins.keys().any(|x| may_be_address(*x) && x.own().is_none()),
                };
                if ends.iter().any(foreign) {
                    self.lost.extend(&memories);
                }
                for a in &memories {
                    self.joined.entry(*a).or_default().extend(&memories);
                }
                return;
            }
            _ => return,
        };
        let touched = carried(pointer);
        match (&ty, ty.scalar()) {
            (_, Type::Int(_)) => {}
            (Type::Ptr(_), _) | (_, Type::Float(FloatKind::Double)) => {
                let fits = |memory: ValueId, stand: Stand| {
                    let whole = stand.start % 8 == 0 && stand.step % 8 == 0;
                    align.is_multiple_of(8)
                        || whole && made_by(memory).is_some_and(|made| starts_at_multiple(made, 8))
                };
                let misses = touched.iter().filter_map(|(origin, stand)| Some((origin.own()?, *stand)));
                self.lost.extend(misses.filter(|(own, stand)| !fits(*own, *stand)).map(|(own, _)| own));
            }
            _ => self.lost.extend(own(&touched)),
        }
    }
}

/// A float is no address, though it may lie where one lies at other times; and a constant without floats has no shadow.
fn may_be_address(origin: Origin) -> bool {
    !matches!(origin, Origin::Bits | Origin::Fixed)
}
