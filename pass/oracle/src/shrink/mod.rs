//! From a program that fails to the smallest one that still does.
//!
//! Program and predicate → a program on which the predicate holds too, where no single step makes it smaller.
//! Facts that LLVM gave about a function are dropped: they would not be true of the changed one.
//! Invariant: each program that is tried is well-formed if the first one was.

mod edit;
mod graph;

use backsweep_core::model::{BlockId, Constant, Op, Operand, Program, Type, ValueId};

use crate::build::renumber;
use edit::{constants_for, remove_value, replacements, simplify_operand};
use graph::{merge_blocks, repair, retarget};

/// Greedy: takes every step after which the predicate still holds, until none is left.
pub fn shrink(program: &Program, still_fails: &dyn Fn(&Program) -> bool) -> Program {
    let mut best = program.clone();
    for function in &mut best.functions {
        function.loops.clear();
        function.memory.clear();
        function.aliases.clear();
    }
    if !still_fails(&best) {
        return program.clone();
    }
    loop {
        let mut search = Search { best, still_fails, progress: false };
        search.drop_functions();
        for index in 0..search.best.functions.len() {
            search.collapse_branches(index);
            search.merge(index);
            search.remove_values(index);
            search.simplify_operands(index);
        }
        best = search.best;
        if !search.progress {
            return best;
        }
    }
}

struct Search<'a> {
    best: Program,
    still_fails: &'a dyn Fn(&Program) -> bool,
    progress: bool,
}

impl Search<'_> {
    /// Tries a changed copy; whether it was taken.
    fn attempt(&mut self, change: &dyn Fn(&mut Program)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate);
        let taken = candidate != self.best && (self.still_fails)(&candidate);
        if taken {
            self.best = candidate;
            self.progress = true;
        }
        taken
    }

    /// Functions and globals that nothing names any more.
    fn drop_functions(&mut self) {
        for index in (1..self.best.functions.len()).rev() {
            let name = self.best.functions[index].name.clone();
            if !is_named(&self.best, &name) {
                self.attempt(&|program| drop(program.functions.remove(index)));
            }
        }
        for index in (0..self.best.globals.len()).rev() {
            let name = self.best.globals[index].name.clone();
            if !is_named(&self.best, &name) {
                self.attempt(&|program| drop(program.globals.remove(index)));
            }
        }
    }

    /// A branch that always goes one way.
    fn collapse_branches(&mut self, index: usize) {
        let mut block = 0;
        while block < self.best.functions[index].blocks.len() {
            let targets = self.best.functions[index].successors(BlockId(block as u32));
            let conditional = targets.len() > 1;
            let mut taken = false;
            for target in targets {
                taken = conditional
                    && self.attempt(&|program| {
                        let function = &mut program.functions[index];
                        retarget(function, BlockId(block as u32), target);
                        repair(function);
                        renumber(function);
                    });
                if taken {
                    break;
                }
            }
            block += usize::from(!taken);
        }
    }

    fn merge(&mut self, index: usize) {
        self.attempt(&|program| {
            let function = &mut program.functions[index];
            merge_blocks(function);
            renumber(function);
        });
    }

    /// Each instruction replaced by one of its operands or a constant, last ones first.
    fn remove_values(&mut self, index: usize) {
        let mut at = self.best.functions[index].insts.len();
        while at > 0 {
            at -= 1;
            let function = &self.best.functions[index];
            let id = ValueId((function.params.len() + at) as u32);
            let Some(inst) = function.inst(id).filter(|inst| !inst.op.is_terminator()) else { continue };
            for replacement in replacements(function, id, inst) {
                let taken = self.attempt(&|program| {
                    let function = &mut program.functions[index];
                    remove_value(function, id, replacement.as_ref());
                    renumber(function);
                });
                if taken {
                    break;
                }
            }
        }
    }

    /// Operands replaced by simple constants, and constants by simpler ones.
    fn simplify_operands(&mut self, index: usize) {
        for at in 0..self.best.functions[index].insts.len() {
            for operand in 0..self.best.functions[index].insts[at].operands.len() {
                let function = &self.best.functions[index];
                let ty = function.operand_type(&function.insts[at].operands[operand]);
                if matches!(ty, Type::Ptr(_)) || matches!(function.insts[at].op, Op::Gep(_)) {
                    continue;
                }
                for constant in constants_for(&ty) {
                    let change =
                        |program: &mut Program| simplify_operand(program, index, at, operand, &constant);
                    if self.attempt(&change) {
                        break;
                    }
                }
            }
        }
    }
}

fn is_named(program: &Program, name: &str) -> bool {
    let named = |constant: &Constant| mentions(constant, name);
    let by_globals = program.globals.iter().filter_map(|global| global.initial.as_ref()).any(named);
    let operands =
        program.functions.iter().flat_map(|function| &function.insts).flat_map(|inst| &inst.operands);
    by_globals || operands.into_iter().any(|operand| matches!(operand, Operand::Const(c) if named(c)))
}

fn mentions(constant: &Constant, name: &str) -> bool {
    match constant {
        Constant::Symbol { name: symbol, .. } => symbol == name,
        Constant::Offset { base, .. } => mentions(base, name),
        Constant::Aggregate { parts, .. } => parts.iter().any(|part| mentions(part, name)),
        Constant::Expr { operands, .. } => operands.iter().any(|part| mentions(part, name)),
        Constant::Opaque { text, .. } => text.contains(name),
        Constant::Int { .. }
        | Constant::Float { .. }
        | Constant::Null(_)
        | Constant::Undef(_)
        | Constant::Poison(_)
        | Constant::Zero(_) => false,
    }
}
