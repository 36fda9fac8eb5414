//! Which steps have no derivative, whatever the activity of what they are made of?
//!
//! Code → a truth value for each step. A step is constant when all it depends on is: what `floor` returns, and what is
//! computed from that. A cell is when every write that may reach it stored a constant, the last certain one among them.
//! Direction: forward. Safe error: not constant.

use super::code::{Action, Cells, Code, Relation, Source};

pub fn find_constants(code: &Code, cells: &dyn Cells) -> Vec<bool> {
    let mut constant: Vec<bool> = Vec::new();
    for (at, step) in code.steps.iter().enumerate() {
        let is_constant = |source: &Source| match source {
            Source::Step(at) => constant[*at],
            Source::Outside(_) => false,
        };
        let found = match step.action {
            Action::Compute | Action::Copy | Action::Write => {
                step.operands.iter().all(|(source, _)| is_constant(source))
            }
            Action::Read => reads_constant(code, cells, at, &constant),
            Action::Barrier => false,
        };
        constant.push(found);
    }
    constant
}

fn reads_constant(code: &Code, cells: &dyn Cells, read: usize, constant: &[bool]) -> bool {
    for earlier in (read.saturating_sub(LOOKED_BACK)..read).rev() {
        match code.steps[earlier].action {
            Action::Barrier => return false,
            Action::Write => match code.relation(cells, earlier, read) {
                Relation::Apart => {}
                Relation::Same => return constant[earlier],
                Relation::Unclear if constant[earlier] => {}
                Relation::Unclear => return false,
            },
            Action::Compute | Action::Copy | Action::Read => {}
        }
    }
    false
}

/// Steps that are looked through for what a read sees. Beyond them it counts as active.
const LOOKED_BACK: usize = 500;
