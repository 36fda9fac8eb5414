//! The forward sweep computes what the primal does: walked side by side, the copies are the primal, but for what the plan
//! leaves out.

use super::Derivative;
use crate::check::Obligation::Forward;
use crate::model::{BlockId, Call, Constant, Flags, Inst, Op, Operand, ValueId};
use crate::plan::Storage;
use crate::request::Mode;

impl Derivative<'_> {
    pub fn check_forward(&mut self) {
        if self.plan.request.mode != Mode::Reverse {
            self.pair_blocks();
        }
        self.find_copies();
        let copies: Vec<(ValueId, ValueId)> = self.values.iter().map(|(from, to)| (*from, *to)).collect();
        for (from, to) in copies {
            if !self.is_attachment(from) && !self.has_same_operands(from, to) {
                self.report(Forward, format!("%{}, the copy of %{}, has other operands", to.0, from.0));
            }
        }
    }

    /// Finds each instruction's copy: the same operation, and one at most in the forward sweep. Outside of it the
    /// instruction is computed again, if the plan says so.
    fn find_copies(&mut self) {
        for id in self.derived.inst_ids() {
            let Some((inst, origin)) = self.derived.inst(id).and_then(|inst| Some((inst, inst.origin?)))
            else {
                continue;
            };
            let same = self.function.inst(origin).is_some_and(|primal| match primal.gives_partials() {
                true => self.is_gradient_of(origin, primal, inst),
                false => {
                    is_same_op(&primal.op, &inst.op) && primal.ty == inst.ty && primal.flags == inst.flags
                }
            });
            if !same {
                self.report(Forward, format!("%{} is called a copy of %{}, and is none", id.0, origin.0));
            }
            let forward = self.homes.home(id).is_some_and(|home| self.copies.contains(&home));
            let decision = self.plan.storage.get(&origin).map(|decision| &decision.choice);
            if !forward && decision == Some(&Storage::Recompute) {
                self.again.push((id, origin));
            } else if !forward {
                self.report(Forward, format!("%{} is computed again, which is not planned", origin.0));
            } else if self.values.insert(origin, id).is_some() {
                self.report(Forward, format!("%{} is copied twice", origin.0));
            }
        }
        let attachments: Vec<ValueId> =
            self.function.inst_ids().filter(|id| self.is_attachment(*id)).collect();
        for id in attachments {
            let number = self.function.inst(id).and_then(|inst| self.image(&inst.operands[0]));
            self.values.extend(number.and_then(|number| number.value()).map(|number| (id, number)));
        }
    }

    /// Whether the copy of a call that gives partials calls the gradient of the same function, without the callee's promises.
    fn is_gradient_of(&self, id: ValueId, primal: &Inst, copy: &Inst) -> bool {
        let mut planned = self.plan.local.iter().flat_map(|local| &local.contracted);
        let called = planned.find(|contracted| contracted.at.call == id).map(|found| &found.request.function);
        let begin = called.map(|name| format!("backsweep.contracted.{name}."));
        let plain =
            Call { arguments: primal.arguments().len() as u32, library: true, attributes: Vec::new() };
        let named = copy.callee_name().zip(begin).is_some_and(|(name, begin)| name.starts_with(&begin));
        named && copy.op == Op::Call(plain) && copy.ty == primal.ty && copy.flags == Flags::default()
    }

    /// What derivatives are attached to stands for its number, and has no copy of its own.
    fn is_attachment(&self, id: ValueId) -> bool {
        self.function.inst(id).is_some_and(|inst| matches!(inst.op, Op::Attach(_)))
    }

    /// Walks both functions from their entries along the same edges.
    fn pair_blocks(&mut self) {
        let mut waiting = vec![(BlockId(0), self.find_start())];
        while let Some((primal, copy)) = waiting.pop() {
            let Some(copy) = copy else {
                self.report(Forward, format!("control does not go to a copy of ^{}", primal.0));
                return;
            };
            match self.blocks.insert(primal, copy) {
                Some(before) if before == copy => continue,
                Some(_) => return self.report(Forward, format!("^{} has two copies", primal.0)),
                None => {}
            }
            if !self.copies.insert(copy) {
                return self.report(Forward, format!("^{} is the copy of two blocks", copy.0));
            }
            self.compare_block(primal, copy);
            let successors = self.derived.successors(copy);
            let targets = self.function.successors(primal);
            waiting.extend((0..targets.len()).map(|at| (targets[at], successors.get(at).copied())));
        }
    }

    /// The copy of the entry is what the entry jumps to when the cells are made.
    fn find_start(&self) -> Option<BlockId> {
        match self.terminator(BlockId(0))?.op {
            Op::Br { to } => Some(to),
            _ => None,
        }
    }

    fn compare_block(&mut self, primal: BlockId, copy: BlockId) {
        let returns = self.paths.returns().contains(&primal);
        let mut expected = self.function.block(primal).insts.clone();
        expected.retain(|id| !self.plan.omitted.contains_key(id) && !self.is_attachment(*id));
        if returns {
            expected.pop();
        }
        let copied: Vec<ValueId> = self.insts(copy).filter_map(|(_, inst)| inst.origin).collect();
        if expected != copied {
            let message = format!("^{} runs %{expected:?}, and its copy %{copied:?}", primal.0);
            self.report(Forward, message.replace("ValueId", ""));
        }
        if !returns {
            return;
        }
        match (self.terminator(copy).map(|inst| &inst.op), self.plan.request.mode) {
            (Some(Op::Ret), Mode::Tangent) => {}
            (Some(Op::Br { to }), mode)
                if mode != Mode::Tangent && self.seam.is_none_or(|seam| seam == *to) =>
            {
                self.seam = Some(*to);
            }
            _ => self.report(Forward, format!("the copy of ^{} does not end where returns meet", primal.0)),
        }
    }

    fn has_same_operands(&self, from: ValueId, to: ValueId) -> bool {
        let (Some(primal), Some(copy)) = (self.function.inst(from), self.derived.inst(to)) else {
            return false;
        };
        if let (Op::Phi { from: blocks }, Op::Phi { from: copies }) = (&primal.op, &copy.op) {
            return self.has_same_edges(primal, blocks, copy, copies);
        }
        let mut images: Option<Vec<Operand>> = primal.operands.iter().map(|x| self.image(x)).collect();
        if let (true, Some(images)) = (primal.gives_partials(), &mut images) {
            // Whom it calls is proved with what it is.
            images.truncate(primal.arguments().len());
            images.extend(copy.operands.last().cloned());
        }
        if let (true, Some(images)) = (self.asks_for_room(primal), &mut images) {
            images.truncate(1);
            images.push(Operand::Const(Constant::Symbol { name: "bs_rt_block_room".into(), space: 0 }));
        }
        images.as_ref() == Some(&copy.operands)
    }

    /// How large a block without a shadow was made nobody need have told: the copy asks how much room there is.
    fn asks_for_room(&self, primal: &Inst) -> bool {
        primal.asks_block_size() && !self.plan.activity.is_shadowed(&primal.operands[0])
    }

    /// A phi has no particular order, and edges that no control takes are left out of the copy.
    fn has_same_edges(&self, primal: &Inst, blocks: &[BlockId], copy: &Inst, copies: &[BlockId]) -> bool {
        let mut expected: Vec<(BlockId, Option<Operand>)> = blocks
            .iter()
            .zip(&primal.operands)
            .filter_map(|(block, x)| Some((*self.blocks.get(block)?, self.image(x))))
            .collect();
        let mut found: Vec<(BlockId, Option<Operand>)> =
            copies.iter().copied().zip(copy.operands.iter().cloned().map(Some)).collect();
        // Edges from one block carry one value, so the order of equal blocks does not matter.
        expected.sort_by_key(|(block, _)| *block);
        found.sort_by_key(|(block, _)| *block);
        expected == found
    }
}

/// The same operation, whatever its labels are.
fn is_same_op(primal: &Op, copy: &Op) -> bool {
    match (primal, copy) {
        (Op::Br { .. }, Op::Br { .. })
        | (Op::CondBr { .. }, Op::CondBr { .. })
        | (Op::Phi { .. }, Op::Phi { .. }) => true,
        (Op::Switch { cases, .. }, Op::Switch { cases: copies, .. }) => {
            cases.iter().map(|(value, _)| value).eq(copies.iter().map(|(value, _)| value))
        }
        _ => primal == copy,
    }
}
