//! Integers that are only moved: what is loaded, joined by phis and selects, and stored.
//!
//! Function → webs: values that are connected by such moves; and constants that are stored. An integer that is computed, or used for anything else,
//! makes its whole web one that is not only moved, and that is left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Access, CastOp, Constant, Function, Inst, Layout, Op, Operand, Ordering, Type, ValueId};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Web {
    /// The integers, all of one type.
    pub values: Vec<ValueId>,
    /// The stores of such integers.
    pub stores: Vec<ValueId>,
    /// Floats whose bits are put in or taken out.
    pub floats: Vec<Type>,
    pub bytes: u64,
}

/// Webs in the order of their first values.
pub fn find_webs(function: &Function, layout: &Layout) -> Vec<Web> {
    let mut groups = Groups::default();
    let mut spoiled: BTreeSet<ValueId> = function.param_ids().collect();
    for (id, inst) in insts(function) {
        let made = is_carried(&inst.ty);
        if made && !only_moves(function, inst) {
            spoiled.insert(id);
        }
        for (at, value) in inst.operands.iter().enumerate().filter_map(|(at, x)| Some((at, x.value()?))) {
            match is_carried(function.value_type(value)) {
                true if !is_moved(inst, at) => drop(spoiled.insert(value)),
                true if made => groups.join(id, value),
                _ => {}
            }
        }
    }
    let spoiled: BTreeSet<ValueId> = spoiled.into_iter().map(|id| groups.root(id)).collect();
    let mut webs: BTreeMap<ValueId, Web> = BTreeMap::new();
    for (id, inst) in insts(function).filter(|(_, inst)| is_carried(&inst.ty)) {
        let root = groups.root(id);
        if !spoiled.contains(&root) {
            let web = webs.entry(root).or_default();
            web.values.push(id);
            web.bytes = layout.store_size(&inst.ty).unwrap_or(0);
        }
    }
    for (id, inst) in insts(function) {
        let moved = inst.operands.first().and_then(Operand::value).map(|value| groups.root(value));
        match inst.op {
            Op::Store(_) => {
                if let Some(web) = moved.and_then(|root| webs.get_mut(&root)) {
                    web.stores.push(id);
                }
            }
            Op::Cast(CastOp::BitCast) => {
                if let Some(web) = moved.and_then(|root| webs.get_mut(&root)) {
                    web.floats.push(inst.ty.clone());
                } else if let Some(web) = webs.get_mut(&groups.root(id)) {
                    web.floats.push(function.operand_type(&inst.operands[0]));
                }
            }
            _ => {}
        }
    }
    webs.into_values().chain(find_stored_constants(function, layout)).collect()
}

/// The constants that are stored as integers, each a web of its own without values.
fn find_stored_constants(function: &Function, layout: &Layout) -> Vec<Web> {
    let stores = insts(function).filter_map(|(id, inst)| match (&inst.op, inst.operands.first()) {
        (Op::Store(access), Some(Operand::Const(constant))) => {
            let ty = constant.ty();
            let moved = is_ordinary(access) && is_carried(&ty) && is_plain(constant);
            moved.then(|| (id, layout.store_size(&ty).unwrap_or(0)))
        }
        _ => None,
    });
    stores.map(|(id, bytes)| Web { stores: vec![id], bytes, ..Web::default() }).collect()
}

/// Integers of whole bytes, alone or in a vector.
fn is_carried(ty: &Type) -> bool {
    match ty {
        Type::Int(bits) => matches!(bits, 8 | 16 | 32 | 64 | 128),
        Type::Vector(lanes, element) => {
            !lanes.scalable && matches!(**element, Type::Int(8 | 16 | 32 | 64 | 128))
        }
        _ => false,
    }
}

/// Whether an integer is made by moving alone.
fn only_moves(function: &Function, inst: &Inst) -> bool {
    let movable = |at: usize| match &inst.operands[at] {
        Operand::Const(constant) => is_plain(constant),
        Operand::Value(_) => true,
    };
    match &inst.op {
        Op::Load(access) => is_ordinary(access),
        Op::Phi { .. } => (0..inst.operands.len()).all(movable),
        Op::Select => is_one_bit(&function.operand_type(&inst.operands[0])) && (1..3).all(movable),
        Op::Freeze => movable(0),
        Op::Cast(CastOp::BitCast) => function.operand_type(&inst.operands[0]).is_real(),
        _ => false,
    }
}

/// Whether an operand is moved on by an instruction, and nothing else.
fn is_moved(inst: &Inst, at: usize) -> bool {
    match &inst.op {
        Op::Store(access) => at == 0 && is_ordinary(access),
        Op::Phi { .. } | Op::Freeze => true,
        Op::Select => at > 0,
        Op::Cast(CastOp::BitCast) => inst.ty.is_real(),
        _ => false,
    }
}

/// Lanes that are chosen one by one need as many lanes.
fn is_one_bit(condition: &Type) -> bool {
    *condition == Type::BOOL
}

pub fn is_ordinary(access: &Access) -> bool {
    !access.volatile && access.ordering == Ordering::NotAtomic
}

/// Whether a constant's bits are known.
pub fn is_plain(constant: &Constant) -> bool {
    match constant {
        Constant::Int { .. } | Constant::Zero(_) | Constant::Undef(_) | Constant::Poison(_) => true,
        Constant::Aggregate { parts, .. } => parts.iter().all(|part| matches!(part, Constant::Int { .. })),
        _ => false,
    }
}

fn insts(function: &Function) -> impl Iterator<Item = (ValueId, &Inst)> {
    function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)))
}

/// Values that belong together, found by following each to the one that stands for all.
#[derive(Default)]
pub struct Groups(BTreeMap<ValueId, ValueId>);

impl Groups {
    pub fn root(&mut self, mut value: ValueId) -> ValueId {
        while let Some(next) = self.0.get(&value).copied() {
            // Halving the way keeps it short.
            if let Some(after) = self.0.get(&next).copied() {
                self.0.insert(value, after);
            }
            value = next;
        }
        value
    }

    pub fn join(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.0.insert(a.max(b), a.min(b));
        }
    }
}
