//! What is known of straight-line code before it is taken apart: which steps are constant, and who uses which.
//!
//! A step is constant, so that it has no derivative whatever the activity of what it is made of, when all it depends on
//! is: what `floor` returns, and what is computed from that. A cell is when every write that may reach it stored a
//! constant, the last certain one among them. Direction: forward. Safe error: not constant.

use super::code::{Action, Cells, Code, Relation, Source};

pub struct Known<'a> {
    pub code: &'a Code,
    pub cells: &'a dyn Cells,
    constant: Vec<bool>,
    /// The steps that use each step, in order.
    users: Vec<Vec<usize>>,
}

impl<'a> Known<'a> {
    pub fn of(code: &'a Code, cells: &'a dyn Cells) -> Known<'a> {
        let mut known =
            Known { code, cells, constant: Vec::new(), users: vec![Vec::new(); code.steps.len()] };
        for (at, step) in code.steps.iter().enumerate() {
            for (source, _) in &step.operands {
                if let Source::Step(from) = source {
                    known.users[*from].push(at);
                }
            }
            known.constant.push(known.find_constant(at));
        }
        known
    }

    pub fn is_constant(&self, step: usize) -> bool {
        self.constant[step]
    }

    pub fn users(&self, step: usize) -> &[usize] {
        &self.users[step]
    }

    pub fn relation(&self, first: usize, second: usize) -> Relation {
        self.cells.relation(self.code.steps[first].value.id, self.code.steps[second].value.id)
    }

    fn find_constant(&self, at: usize) -> bool {
        let step = &self.code.steps[at];
        let constant = |source: &Source| match source {
            Source::Step(at) => self.constant[*at],
            Source::Outside(_) => false,
        };
        match step.action {
            Action::Compute | Action::Copy | Action::Write => {
                step.operands.iter().all(|(source, _)| constant(source))
            }
            Action::Read => self.reads_constant(at),
            Action::Barrier => false,
        }
    }

    fn reads_constant(&self, read: usize) -> bool {
        for earlier in (read.saturating_sub(LOOKED_BACK)..read).rev() {
            match self.code.steps[earlier].action {
                Action::Barrier => return false,
                Action::Write => match self.relation(earlier, read) {
                    Relation::Apart => {}
                    Relation::Same => return self.constant[earlier],
                    Relation::Unclear if self.constant[earlier] => {}
                    Relation::Unclear => return false,
                },
                Action::Compute | Action::Copy | Action::Read => {}
            }
        }
        false
    }
}

/// Steps that are looked through for what a read sees. Beyond them it counts as active.
const LOOKED_BACK: usize = 500;
