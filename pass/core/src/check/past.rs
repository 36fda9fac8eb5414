//! Where control can come to without running a block.

use std::collections::BTreeSet;

use super::Proof;
use crate::model::{BlockId, Op, Operand, Type};
use crate::plan::joint::Test;

impl Proof<'_> {
    /// The blocks that control can come to without running one, where the tests hold.
    pub(super) fn reach_past(
        &self,
        from: BlockId,
        wall: BlockId,
        (tests, entered): (&[Test], &[BlockId]),
        inside: Option<&BTreeSet<BlockId>>,
    ) -> BTreeSet<BlockId> {
        // Control may have been where it starts before; at a header it has if it comes by a back edge.
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![(from, true)]);
        while let Some((block, again)) = waiting.pop() {
            let away = inside.is_some_and(|inside| !inside.contains(&block));
            if block == wall || away || !seen.insert((block, again)) {
                continue;
            }
            let last = self.function.terminator(block).and_then(|id| self.function.inst(id));
            let forced = last.and_then(|last| {
                let Op::CondBr { yes, no } = last.op else { return None };
                let test = tests.iter().find(|test| last.operands[0].value() == Some(test.value))?;
                Some(if test.holds { yes } else { no })
            });
            let enters = || {
                let around = self.function.loops.iter().find(|around| around.header == block)?;
                let mut within =
                    around.blocks.iter().filter(|to| self.function.successors(block).contains(to));
                within.next().copied()
            };
            let first = || if again { None } else { self.first_way(block) };
            let only = forced.or_else(|| if entered.contains(&block) { enters() } else { first() });
            let onwards = only.map_or_else(|| self.function.successors(block), |only| vec![only]);
            waiting.extend(onwards.into_iter().map(|to| (to, self.comes_back(block, to))));
        }
        seen.into_iter().map(|(block, _)| block).collect()
    }

    fn comes_back(&self, from: BlockId, to: BlockId) -> bool {
        self.function.loops.iter().any(|around| around.header == to && around.blocks.contains(&from))
    }

    /// Where the header of a loop leads to when control comes from outside: constants are compared there.
    fn first_way(&self, header: BlockId) -> Option<BlockId> {
        let around = self.function.loops.iter().find(|around| around.header == header)?;
        let last = self.function.inst(self.function.terminator(header)?)?;
        let Op::CondBr { yes, no } = last.op else { return None };
        let compared = self.function.inst(last.operands[0].value()?)?;
        let Op::ICmp(predicate) = compared.op else { return None };
        let Type::Int(bits) = self.function.operand_type(&compared.operands[0]) else { return None };
        let mut sides = compared.operands.iter().map(|operand| {
            let start = match operand.value() {
                None => operand,
                Some(id) => {
                    let phi = self.function.inst(id).filter(|_| self.paths.home(id) == Some(header))?;
                    let Op::Phi { from } = &phi.op else { return None };
                    let outside = (0..from.len()).filter(|at| !around.blocks.contains(&from[*at]));
                    let [only] = outside.collect::<Vec<usize>>()[..] else { return None };
                    &phi.operands[only]
                }
            };
            if let Operand::Const(constant) = start { constant.as_signed() } else { None }
        });
        let (x, y) = (sides.next()??, sides.next()??);
        Some(if predicate.holds_of(bits, x, y) { yes } else { no })
    }
}
