//! Under which names memory is found that this function made, and of which nobody else has the address.
//!
//! Function + pointers → for each place the memory of the function's own that it may be, where it can be nothing else. The
//! arrays behind two members of a struct are memory of two calls, whatever loads find their addresses; a place by itself does not
//! tell, since what is put there through the pointer that was made is found through the one that was loaded.
//! An address that is kept may lead into the middle of its memory: then what is found starts at any of so many steps.
//! Memory that is copied as it lies is one with what it is copied to.
//! Safe error: nothing is told of a place.

use std::collections::{BTreeMap, BTreeSet};

use super::places::{Place, Places};
use crate::analyses::held::Held;
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::offsets::{Offset, Offsets, gcd};
use crate::analyses::pointers::{Base, Pointers};
use crate::model::{Function, Inst, Op, Operand, Program, Type, ValueId};
use crate::rules::Rules;

/// In larger functions each access would be held against each.
const LARGEST: usize = 8_000;

/// Memory that is made by one call or slot.
type Own = BTreeSet<ValueId>;

#[derive(Default)]
pub struct Names {
    /// The memory that a place may be.
    own: BTreeMap<Place, Own>,
    /// The places that may be some memory.
    names: BTreeMap<ValueId, BTreeSet<Place>>,
    /// By how many bytes names of some memory may start apart, at least, if they do.
    steps: BTreeMap<ValueId, u128>,
    /// The memory at both ends of each copy; `None` where it may be other memory as well. And by how many bytes they start apart.
    copied: Vec<([Option<Own>; 2], u128)>,
}

/// All names of some memory.
pub struct Named {
    pub places: BTreeSet<Place>,
    /// They start any number of such steps apart; 0 where all start together.
    pub step: u128,
}

impl Names {
    pub fn of(
        function: &Function,
        program: &Program,
        (pointers, places): (&Pointers, &Places),
        offsets: &Offsets,
    ) -> Names {
        let mut names = Names::default();
        let bases = |x: &Operand| pointers.of_operand(x);
        if function.insts.len() > LARGEST {
            return names;
        }
        let Some(held) = Held::of(function, program, Rules::shared()) else { return names };
        let hides = |inst: &Inst| hides_address(function, &held, inst);
        if function.insts.iter().any(hides) {
            return names;
        }
        // One name stands for several loads.
        let mut open = BTreeSet::new();
        let all: BTreeSet<Base> =
            function.insts.iter().flat_map(|inst| &inst.operands).flat_map(bases).collect();
        for base in all {
            let Some(place) = places.name(base.clone()) else { continue };
            // What the caller has put into a parameter's memory is not seen.
            let made = |own: &Own| own.iter().all(|id| function.inst(*id).is_some());
            match held.own_memory(&base).filter(made) {
                Some(own) => names.own.entry(place).or_default().extend(own),
                None => drop(open.insert(place)),
            }
        }
        names.own.retain(|place, _| !open.contains(place));
        for (place, own) in &names.own {
            for memory in own {
                names.names.entry(*memory).or_default().insert(place.clone());
            }
        }
        for inst in &function.insts {
            names.read_steps(inst, (function, places, offsets));
        }
        names
    }

    fn read_steps(&mut self, inst: &Inst, (function, places, offsets): (&Function, &Places, &Offsets)) {
        let own = |x: &Operand| -> Option<Own> {
            let all = places.of_pointer(x).into_iter().map(|place| self.own.get(&place).cloned());
            Some(all.collect::<Option<Vec<Own>>>()?.into_iter().flatten().collect())
        };
        let step = |x: &Operand| step_of(offsets.of_operand(x));
        if memory_call(inst) == Some(MemoryCall::Copy) {
            let ends = [&inst.operands[0], &inst.operands[1]];
            let copied = (ends.map(own), gcd(step(ends[0]), step(ends[1])));
            self.copied.push(copied);
        } else if let Op::Store(_) = inst.op
            && function.operand_type(&inst.operands[0]).is_pointer()
        {
            let value = &inst.operands[0];
            let kept =
                places.of_pointer(value).into_iter().filter_map(|place| self.own.get(&place)).flatten();
            for memory in kept.copied().collect::<Own>() {
                let known = self.steps.entry(memory).or_default();
                *known = gcd(*known, step(value));
            }
        }
    }

    /// All names of the memory that a place may be, itself among them, and of what it is copied from and to.
    pub fn of_place(&self, place: &Place) -> Option<Named> {
        let (mut own, mut apart) = (self.own.get(place)?.clone(), 0);
        loop {
            let before = (own.len(), apart);
            for (ends, step) in &self.copied {
                let meets = |end: &Option<Own>| end.as_ref().is_some_and(|end| !end.is_disjoint(&own));
                if ends.iter().any(meets) {
                    for end in ends {
                        own.extend(end.as_ref()?);
                    }
                    apart = gcd(apart, *step);
                }
            }
            if (own.len(), apart) == before {
                break;
            }
        }
        let step =
            own.iter().filter_map(|memory| self.steps.get(memory)).fold(apart, |all, step| gcd(all, *step));
        let places = own.iter().filter_map(|memory| self.names.get(memory)).flatten().cloned().collect();
        Some(Named { places, step })
    }
}

/// Steps of so many bytes lead from the start of some memory to wherever a pointer leads in it.
fn step_of(offset: Offset) -> u128 {
    gcd(offset.start.unsigned_abs(), offset.stride)
}

/// Whether an address is put away otherwise than as a pointer: what is found there may start anywhere. Nothing is counted on to it
/// where it is moved as a float, and in less than a word it has no room.
fn hides_address(function: &Function, held: &Held, inst: &Inst) -> bool {
    match inst.op {
        Op::Store(_) => {
            let ty = function.operand_type(&inst.operands[0]);
            let plain = ty.is_pointer() || ty.holds_float() || matches!(ty, Type::Int(bits) if bits < 64);
            !plain && held.carries_address(&inst.operands[0])
        }
        Op::Load(_) => inst.ty.holds_pointer() && !inst.ty.is_pointer(),
        _ => false,
    }
}
