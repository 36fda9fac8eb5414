//! Words that are moved through registers, and may be floats or pointers there.
//!
//! Function + program → webs: what is loaded, or put in as the bits of a float or an address, joined by phis, and stored, all of it in
//! memory that the program makes for itself, where a copy of bytes finds out by the shadow what is moved (`shared_words`). In a union
//! the name of one member does for all, and optimisers take integers: what has one type may be another by where it comes from.
//! Safe error: what is no web stays as it is, and `disputed` and `refusals` are asked about it.

use std::collections::{BTreeMap, BTreeSet};

use super::disputed::find_disputed;
use super::touches::is_stepped_to;
use super::webs::is_ordinary;
use crate::analyses::carriage::Of;
use crate::analyses::shared_words::SharedWords;
use crate::analyses::tape_records::record_call;
use crate::analyses::whole_origins::WholeOrigins;
use crate::model::{CastOp, Function, Inst, Layout, Op, Operand, Program, Type, ValueId};

/// Values that are moved, each with the bytes it has, and the stores that put them elsewhere.
#[derive(Default)]
pub struct WordWebs {
    pub values: BTreeMap<ValueId, u64>,
    pub stores: BTreeSet<ValueId>,
}

pub fn find_word_webs(function: &Function, program: &Program, layout: &Layout) -> WordWebs {
    let finder = Finder { function, program, layout };
    let mut webs = WordWebs::default();
    let disputed = find_disputed(function, program);
    // The words of the program are copied as bytes in a derivative that is differentiated once more; what comes from the tape there comes
    // from anywhere, and is what it was laid as.
    let of_derivative = function.insts.iter().any(|inst| record_call(inst).is_some());
    let stores = function.inst_ids().zip(&function.insts).filter(|(_, inst)| matches!(inst.op, Op::Store(_)));
    for (store, value) in stores.filter_map(|(store, inst)| Some((store, inst.operands[0].value()?))) {
        if !finder.is_of_words(value) || !finder.moves(value) {
            continue;
        }
        let is_disputed = disputed.contains(&store);
        if is_disputed || !of_derivative && finder.may_be_other(value) {
            let web = finder.follow(value).filter(|web| is_disputed || !finder.is_declared(web));
            finder.take(web.unwrap_or_default(), store, &mut webs);
        }
    }
    webs
}

struct Finder<'a> {
    function: &'a Function,
    program: &'a Program,
    layout: &'a Layout,
}

impl Finder<'_> {
    /// The loads that a word comes from, and what joins them; nothing where it is computed and may be another.
    fn follow(&self, value: ValueId) -> Option<BTreeSet<ValueId>> {
        let (mut web, mut waiting) = (BTreeSet::new(), vec![value]);
        while let Some(id) = waiting.pop() {
            let Some(inst) = self.function.inst(id).filter(|inst| self.is_followed(inst)) else {
                if self.is_what_it_says(id) {
                    continue;
                }
                return None;
            };
            if web.insert(id) && matches!(inst.op, Op::Phi { .. } | Op::Freeze) {
                waiting.extend(inst.operands.iter().filter_map(Operand::value));
            }
        }
        Some(web)
    }

    /// Whether all of it is read, where the type of its struct says what it is: it is that, whatever number chooses it.
    fn is_declared(&self, web: &BTreeSet<ValueId>) -> bool {
        let (mut insts, mut read) = (web.iter().filter_map(|id| self.function.inst(*id)), false);
        insts.all(|inst| match &inst.op {
            Op::Load(_) => {
                read = true;
                is_stepped_to(inst)
            }
            Op::Phi { .. } | Op::Freeze => true,
            _ => false,
        }) && read
    }

    /// Whether what is put in as a float, an address or an integer is that. Of what was chosen, or taken out of several, `disputed` asks
    /// where it was read, which it could not any more behind a slot.
    fn is_what_it_says(&self, value: ValueId) -> bool {
        let chosen = |inst: &Inst| {
            matches!(
                inst.op,
                Op::Select | Op::ExtractValue { .. } | Op::ExtractElement | Op::ShuffleVector { .. }
            )
        };
        if self.function.inst(value).is_some_and(chosen) {
            return false;
        }
        let whole = WholeOrigins::of(self.function, self.program);
        let none = |other: &dyn Fn(Of) -> bool| {
            whole.carried_by(value).is_none_or(|carried| !carried.keys().any(|of| other(*of)))
        };
        match self.function.value_type(value) {
            ty if *ty == Type::DOUBLE => none(&|of| of != Of::Float),
            ty if *ty == Type::PTR => none(&|of| of == Of::Float),
            ty if *ty == Type::Int(64) => none(&|of| !matches!(of, Of::Given | Of::Bare)),
            _ => false,
        }
    }

    fn bytes_of(&self, value: ValueId) -> u64 {
        self.layout.store_size(self.function.value_type(value)).unwrap_or(0)
    }

    fn is_of_words(&self, value: ValueId) -> bool {
        self.bytes_of(value) > 0 && self.bytes_of(value).is_multiple_of(8)
    }

    /// Whether a value is moved by the instruction that makes it. Of most, which are computed, nobody has to ask where they come from.
    fn moves(&self, value: ValueId) -> bool {
        self.function.inst(value).is_some_and(|inst| self.is_followed(inst))
    }

    /// What a slot can stand for: what is read, joined, or put in as a float or an address.
    fn is_followed(&self, inst: &Inst) -> bool {
        match &inst.op {
            Op::Load(access) => is_ordinary(access),
            Op::Phi { .. } | Op::Freeze => true,
            Op::Cast(CastOp::BitCast) => {
                inst.ty == Type::Int(64) && self.function.operand_type(&inst.operands[0]) == Type::DOUBLE
            }
            Op::Cast(CastOp::PtrToInt) => {
                inst.ty == Type::Int(64) && self.function.operand_type(&inst.operands[0]) == Type::PTR
            }
            _ => false,
        }
    }

    /// Takes a web if all that it is read from and written to is the program's own.
    fn take(&self, values: BTreeSet<ValueId>, store: ValueId, webs: &mut WordWebs) {
        let read = |id: &ValueId| match self.function.inst(*id) {
            Some(Inst { op: Op::Load(_), operands, .. }) => self.is_ours(&operands[0]),
            _ => true,
        };
        let written = self.function.inst(store).is_some_and(|store| self.writes_word(store));
        if written && !values.is_empty() && values.iter().all(read) {
            webs.values.extend(values.iter().map(|id| (*id, self.bytes_of(*id))));
            webs.stores.insert(store);
        }
    }

    fn writes_word(&self, store: &Inst) -> bool {
        matches!(&store.op, Op::Store(access) if is_ordinary(access)) && self.is_ours(&store.operands[1])
    }

    fn is_ours(&self, pointer: &Operand) -> bool {
        SharedWords::of(self.function, self.program).behind(pointer).is_some_and(|class| class.doubles)
    }

    /// Whether what has one type may be a word of another, by all that the whole program brings there: a number as an integer or a
    /// pointer, or an address as a number.
    fn may_be_other(&self, value: ValueId) -> bool {
        let whole = WholeOrigins::of(self.function, self.program);
        let Some(carried) = whole.carried_by(value) else { return false };
        match self.function.value_type(value) {
            ty if matches!(ty.scalar(), Type::Int(_)) => carried.contains_key(&Of::Float),
            _ if !whole.origins.tells_places => false,
            ty if ty.holds_pointer() => carried.contains_key(&Of::Float),
            _ => carried.keys().any(|of| of.own().is_some()),
        }
    }
}
