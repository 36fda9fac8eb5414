//! Words that are moved through registers, and may be floats or pointers there.
//!
//! Function + program → webs: what is loaded, joined by phis, and stored, all of it between memory that the program makes for itself, where
//! a copy of bytes finds out by the shadow what is moved (`shared_words`). Who reads a number and writes it elsewhere says what it
//! is; in a union the name of one member does for all, and optimisers take integers.

use std::collections::{BTreeMap, BTreeSet};

use super::disputed::find_disputed;
use super::webs::{find_webs, is_ordinary};
use crate::analyses::shared_words::SharedWords;
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
    for store in find_disputed(function, program) {
        let value = function.inst(store).and_then(|inst| inst.operands[0].value());
        let web = value.and_then(|value| finder.follow(value));
        finder.take(web.unwrap_or_default(), BTreeSet::from([store]), &mut webs);
    }
    for web in find_webs(function, layout) {
        let whole = web.bytes % 8 == 0 && web.floats.iter().all(|ty| *ty.scalar() == Type::DOUBLE);
        let joined = |id: &ValueId| function.inst(*id).is_some_and(is_followed);
        if whole && web.values.iter().all(joined) && web.values.iter().any(|id| finder.brings_float(*id)) {
            let values = web.values.iter().copied().collect();
            finder.take(values, web.stores.iter().copied().collect(), &mut webs);
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
    /// The loads that a float or a pointer comes from, and what joins them; nothing where it is made in any other way.
    fn follow(&self, value: ValueId) -> Option<BTreeSet<ValueId>> {
        let (mut web, mut waiting) = (BTreeSet::new(), vec![value]);
        while let Some(id) = waiting.pop() {
            if web.insert(id) {
                let inst = self.function.inst(id).filter(|inst| is_followed(inst))?;
                if !matches!(inst.op, Op::Load(_)) {
                    waiting.extend(inst.operands.iter().filter_map(Operand::value));
                }
            }
        }
        Some(web)
    }

    /// Takes a web of whole words if all that it is read from and written to is the program's own.
    fn take(&self, values: BTreeSet<ValueId>, stores: BTreeSet<ValueId>, webs: &mut WordWebs) {
        let ours = |pointer: &Operand| {
            SharedWords::of(self.function, self.program).behind(pointer).is_some_and(|class| class.doubles)
        };
        let bytes = |id: &ValueId| self.layout.store_size(self.function.value_type(*id)).unwrap_or(0);
        let read = |id: &ValueId| match self.function.inst(*id) {
            Some(Inst { op: Op::Load(_), operands, .. }) => ours(&operands[0]),
            _ => true,
        };
        let written = |id: &ValueId| {
            let store = self.function.inst(*id);
            store.is_some_and(|store| {
                matches!(&store.op, Op::Store(access) if is_ordinary(access)) && ours(&store.operands[1])
            })
        };
        let whole = |id: &ValueId| bytes(id) > 0 && bytes(id) % 8 == 0;
        let moved = !values.is_empty() && !stores.is_empty();
        if moved && values.iter().all(|id| whole(id) && read(id)) && stores.iter().all(written) {
            webs.values.extend(values.iter().map(|id| (*id, bytes(id))));
            webs.stores.extend(stores);
        }
    }

    fn brings_float(&self, value: ValueId) -> bool {
        WholeOrigins::of(self.function, self.program).may_be_float(value)
    }
}

/// What a slot can stand for: what is read, joined, or put in as a float.
fn is_followed(inst: &Inst) -> bool {
    match &inst.op {
        Op::Load(access) => is_ordinary(access),
        Op::Phi { .. } | Op::Freeze => true,
        Op::Cast(CastOp::BitCast) => inst.ty == Type::Int(64),
        _ => false,
    }
}
