//! Memory facts, alias answers and symbolic expressions speak of things that exist.

use super::{Check, Place};
use crate::model::{Clobber, MemoryFact, Object, Operand, Scev, ValueId};

impl Check<'_> {
    pub fn check_memory(&mut self) {
        for (id, fact) in &self.function.memory {
            let place = || Place::Value(*id);
            self.require(self.is_inst(*id), place(), "A memory fact belongs to an instruction.");
            let pointer = fact.pointer.as_ref().is_none_or(|pointer| self.exists(pointer));
            self.require(
                pointer,
                place(),
                "The pointer of a memory fact is a constant or a value of this function.",
            );
            self.check_objects(*id, fact);
            self.check_clobber(*id, fact);
            if let Some(address) = &fact.address {
                self.check_scev(place(), address);
            }
            if let Some(Operand::Const(constant)) = &fact.pointer {
                self.check_constant(place(), constant);
                self.check_symbols_in(place(), constant);
            }
        }
    }

    fn check_objects(&mut self, id: ValueId, fact: &MemoryFact) {
        let strictly = fact.objects.is_sorted_by(|x, y| x < y);
        self.require(strictly, Place::Value(id), "The objects of a memory fact are sorted, each once.");
        for object in &fact.objects {
            let fits = match object {
                Object::Local(value) => self.is_inst(*value),
                Object::Param(value) => (value.0 as usize) < self.function.params.len(),
                Object::Through(value) => self.function.known_type(&Operand::Value(*value)).is_some(),
                Object::Global(name) => self.symbols.contains(name),
            };
            if !fits {
                self.report(
                    Place::Value(id),
                    format!("An object of a memory fact exists and is of its sort; `{object}` is not."),
                );
            }
        }
    }

    fn check_clobber(&mut self, id: ValueId, fact: &MemoryFact) {
        let fits = match fact.clobber {
            None | Some(Clobber::Entry) => true,
            Some(Clobber::Inst(value)) => self.is_inst(value),
            Some(Clobber::Merge(block)) => (block.0 as usize) < self.function.blocks.len(),
        };
        self.require(fits, Place::Value(id), "A clobber is an instruction or block of this function.");
        let reads = fact.clobber.is_none() || fact.reads;
        self.require(reads, Place::Value(id), "Only a read has a clobber.");
    }

    pub fn check_aliases(&mut self) {
        for pair in &self.function.aliases {
            let class = |id| self.function.memory.get(&id).map(|fact| fact.class);
            let (first, second) = (class(pair.first), class(pair.second));
            let fits = pair.first != pair.second && first.is_some() && first == second;
            if !fits {
                self.report(
                    Place::Function,
                    format!("An alias answer joins two instructions with memory facts of one class; `{pair}` does not."),
                );
            }
        }
    }

    pub fn check_names(&mut self) {
        for id in self.function.names.keys() {
            let exists = self.exists(&Operand::Value(*id));
            self.require(exists, Place::Value(*id), "A name belongs to a value of this function.");
        }
    }

    pub fn check_scev(&mut self, place: Place, scev: &Scev) {
        let mut exists = true;
        let mut complete = true;
        let mut loops = true;
        scev.walk(&mut |part| match part {
            Scev::Value(operand) => exists &= self.exists(operand),
            Scev::Rec { of, .. } => loops &= (of.0 as usize) < self.function.loops.len(),
            Scev::Add(_, terms) | Scev::Mul(_, terms) => complete &= !terms.is_empty(),
            Scev::SMax(terms) | Scev::UMax(terms) | Scev::SMin(terms) | Scev::UMin(terms) => {
                complete &= !terms.is_empty();
            }
            Scev::Const { .. } | Scev::UDiv(..) | Scev::Unknown => {}
            Scev::ZExt(..) | Scev::SExt(..) | Scev::Trunc(..) | Scev::PtrToInt(..) => {}
        });
        self.require(exists, place.clone(), "A symbolic expression speaks of values of this function.");
        self.require(loops, place.clone(), "A recurrence belongs to a loop of this function.");
        self.require(complete, place.clone(), "A sum, product, maximum or minimum has a term.");
        scev.walk(&mut |part| {
            if let Scev::Value(Operand::Const(constant)) = part {
                self.check_constant(place.clone(), constant);
                self.check_symbols_in(place.clone(), constant);
            }
        });
    }

    fn is_inst(&self, value: ValueId) -> bool {
        self.function.inst(value).is_some()
    }

    fn exists(&self, operand: &Operand) -> bool {
        self.function.known_type(operand).is_some()
    }
}
