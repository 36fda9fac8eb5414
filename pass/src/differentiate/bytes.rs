//! Once more with bytes, where it cannot be told what it is that a program moves.
//!
//! Request + what was refused → its derivative, made of a copy in which less is said of what is moved: what moves bytes promises no more than
//! that, and so it may be judged by the memory it goes from and to.
//! Safe error: nothing.

use backsweep_core::refusal::{Code, Refusal};
use backsweep_core::request::Request;

use super::{Differentiation, Made, find_faults, plan_unproved};
use crate::extract::extract_prepared;
use crate::llvm::Value;
use crate::moved::Moved;
use crate::prepare::{Prepared, prepare_all};

impl Differentiation {
    /// The same for a copy of its own in which a float that is stored as an integer is stored as itself: what is known of other members
    /// may be lost with more. The same for one in which what is moved as an integer is moved as bytes: nobody who looks at such an
    /// integer may know what it is, and still it may be known of the memory. The same of floats and pointers where that is what was refused, or
    /// what is refused of such a copy. Where that does not help either, the first refusal says more.
    pub(super) fn make_of_bytes(
        &mut self,
        request: &Request,
        (function, refused_copies): (Value, &Prepared),
        refused: &[Refusal],
    ) -> Option<Made> {
        let mut disputed = refused.iter().any(|refusal| refusal.code == Code::ActiveMemory);
        for moved in [Moved::Stores, Moved::Integers, Moved::Everything] {
            if moved == Moved::Everything && !disputed {
                continue;
            }
            let prepared = match refused_copies.is_split.get() {
                true => prepare_all(self.module, self.context, function, &self.known),
                false => refused_copies.duplicate(),
            };
            let made = prepared.move_as_bytes(moved).then(|| {
                let extraction = extract_prepared(self.module, self.context, &prepared, &self.known);
                let name = prepared.copy.name();
                let program = &extraction.program;
                let planned = plan_unproved(program, &name, request, &self.known.rules, &self.config);
                planned.map(|variants| {
                    // Where less is said the planner may believe what the checker does not: then that does not help.
                    let proved = find_faults(&variants, program, &self.known.rules).is_empty();
                    proved.then(|| self.write(&variants, &extraction, function))
                })
            });
            prepared.delete(self.context);
            match made {
                Some(Ok(Some(made))) => return Some(made),
                Some(Err(refused)) => {
                    disputed |= refused.refusals.iter().any(|refusal| refusal.code == Code::ActiveMemory);
                }
                Some(Ok(None)) | None => {}
            }
        }
        None
    }
}
