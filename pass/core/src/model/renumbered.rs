//! A function's values under other numbers, with all that is known of them.

use std::collections::BTreeMap;

use super::{AliasPair, Clobber, Function, Inst, MemoryFact, Object, Operand, Scev, ValueId};

pub struct Renumbered {
    pub new: BTreeMap<ValueId, ValueId>,
}

impl Renumbered {
    /// Memory facts, loops, alias answers and names of a function, as they stand before: all but what is said of instructions that
    /// are `gone`.
    pub fn facts(&self, function: &mut Function, gone: &dyn Fn(ValueId) -> bool) {
        let facts = function.memory.iter().filter(|(id, _)| !gone(**id));
        function.memory = facts.map(|(id, fact)| (self.value(*id), self.fact(fact, gone))).collect();
        for found in &mut function.loops {
            found.back_edges = found.back_edges.as_ref().map(|count| self.scev(count));
        }
        let kept = function.aliases.iter().filter(|pair| !gone(pair.first) && !gone(pair.second));
        let renamed = kept.map(|pair| AliasPair {
            first: self.value(pair.first),
            second: self.value(pair.second),
            answer: pair.answer,
        });
        function.aliases = renamed.collect();
        let names = function.names.iter().filter(|(id, _)| !gone(**id));
        function.names = names.map(|(id, name)| (self.value(*id), name.clone())).collect();
    }

    pub fn value(&self, id: ValueId) -> ValueId {
        self.new[&id]
    }

    pub fn operand(&self, operand: &Operand) -> Operand {
        match operand {
            Operand::Value(id) => Operand::Value(self.value(*id)),
            Operand::Const(_) => operand.clone(),
        }
    }

    pub fn inst(&self, inst: &Inst) -> Inst {
        let operands = inst.operands.iter().map(|x| self.operand(x)).collect();
        Inst { operands, ..inst.clone() }
    }

    /// What is known of an access; `gone` are instructions that others stand for.
    pub fn fact(&self, fact: &MemoryFact, gone: &dyn Fn(ValueId) -> bool) -> MemoryFact {
        let object = |object: &Object| match object {
            Object::Local(id) => Object::Local(self.value(*id)),
            Object::Through(id) => Object::Through(self.value(*id)),
            other => other.clone(),
        };
        let clobber = match fact.clobber {
            // What one of several stores wrote is not written down.
            Some(Clobber::Inst(id)) if gone(id) => None,
            Some(Clobber::Inst(id)) => Some(Clobber::Inst(self.value(id))),
            other => other,
        };
        MemoryFact {
            pointer: fact.pointer.as_ref().map(|pointer| self.operand(pointer)),
            objects: fact.objects.iter().map(object).collect(),
            address: fact.address.as_ref().map(|address| self.scev(address)),
            clobber,
            ..fact.clone()
        }
    }

    pub fn scev(&self, scev: &Scev) -> Scev {
        let all = |terms: &[Scev]| terms.iter().map(|term| self.scev(term)).collect();
        let one = |term: &Scev| Box::new(self.scev(term));
        match scev {
            Scev::Value(operand) => Scev::Value(self.operand(operand)),
            Scev::Add(wrap, terms) => Scev::Add(*wrap, all(terms)),
            Scev::Mul(wrap, terms) => Scev::Mul(*wrap, all(terms)),
            Scev::UDiv(x, y) => Scev::UDiv(one(x), one(y)),
            Scev::Rec { wrap, start, step, of } => {
                Scev::Rec { wrap: *wrap, start: one(start), step: one(step), of: *of }
            }
            Scev::ZExt(bits, x) => Scev::ZExt(*bits, one(x)),
            Scev::SExt(bits, x) => Scev::SExt(*bits, one(x)),
            Scev::Trunc(bits, x) => Scev::Trunc(*bits, one(x)),
            Scev::SMax(terms) => Scev::SMax(all(terms)),
            Scev::UMax(terms) => Scev::UMax(all(terms)),
            Scev::SMin(terms) => Scev::SMin(all(terms)),
            Scev::UMin(terms) => Scev::UMin(all(terms)),
            Scev::PtrToInt(bits, x) => Scev::PtrToInt(*bits, one(x)),
            Scev::Const { .. } | Scev::Unknown => scev.clone(),
        }
    }
}
