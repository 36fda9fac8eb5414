//! Is the plan right? Function + plan → every fault that could make the derivative wrong; none means proved.
//!
//! ```text
//! activity   nothing that carries a derivative is treated as zero
//! memory     what may hold something active has a shadow, and nothing active gets where there is none
//! reads      whatever the reverse sweep reads has a storage
//! storage    each storage holds, where it is read, the value it names
//! put back   memory that is read again holds what it held
//! left       who looks at such memory afterwards finds what the primal has left there
//! shadows    the reverse of what touches a shadow has a pointer to it
//! merges     the reverse sweep goes back by the edge that was taken
//! omitted    nobody misses what the forward sweep leaves out
//! reruns     a loop that runs again gives what it gave
//! recounts   a loop that is counted anew ran as often as is found
//! strips     a strip of a loop that runs again lays the records that it laid
//! fused      a pass that is reversed as soon as it has run says what it would have said later
//! idle       a loop that is passed by on the way back would have added nothing
//! joint      a call that runs twice finds what it found, and leaves memory as it was
//! rooms      a number that is kept in a shadow is still there when it is taken out
//! records    what a loop computes anew is on the tape before it is lost
//! local      what a local Jacobian says of a value is what the chain rule says
//! contracted a call that gives partial derivatives is the one that was given, and they are where they belong
//! signature  parameters and results are those that the request asks for
//! tape       between the two halves of split mode nothing is lost, and an exception leaves it as it was
//! ```
//!
//! [`check_derived`] holds the function that was written from the plan against the primal in the same way.
//!
//! Invariant: shares no code with `analyses`, `plan` and `derive`; it reads their values, the model and the table of
//! rules. An error would have to be made twice, in two ways, to pass.
//! Invariant: a fault is a fault of ours. The user's program is refused before there is a plan.
//! Safe error: rejects a plan that would have been right.

mod activity;
mod among_integers;
mod arrays;
mod atomic_counts;
mod bit_numbers;
mod bits;
mod callers;
mod calls;
mod contracted;
mod copied;
mod counted;
mod counted_moves;
mod counting;
mod custom;
mod declared;
mod derived;
mod either;
mod elements;
mod endings;
mod exceptions;
mod fault;
mod filled;
mod finds;
mod fractions;
mod freed;
mod fresh;
mod fused;
mod globals;
mod handed_back;
mod idle;
mod joint;
mod kept_bits;
mod lasting;
mod leading;
mod left;
mod left_outside;
mod memory;
mod memory_calls;
mod merges;
mod misread;
mod newer;
mod numbered;
mod numbers;
mod omitted;
mod order;
mod others;
mod otherwise;
mod out_of_slots;
mod own_texts;
mod own_words;
mod owned;
mod past;
mod paths;
mod places;
mod plain_callees;
mod preaccumulated;
mod put_back;
mod reads;
mod records;
mod recount;
mod regions;
mod repeated;
mod rerun;
mod residues;
mod role;
mod rooms;
mod rows;
mod settled;
mod shadows;
mod shape;
mod shared_words;
mod signature;
mod stale;
mod standing;
mod stands;
mod steady;
mod storage;
mod strip;
mod structs;
mod sums;
mod tape;
mod taped;
mod tellers;
mod texts;
mod trail_walk;
mod trails;
mod typed;
mod uncompute;
mod unfollowed;
mod users;
mod walks;
mod writers;

pub use derived::check_derived;
pub use fault::{Fault, Obligation};
pub use settled::check_settled;
pub use tape::{check_all_halves, check_halves};

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::dependence::overwriting::Overwriting;
use crate::model::{BlockId, Function, Op, Program, ValueId};
use crate::plan::Plan;
use crate::rules::Rules;
use counted::Seeing;
use owned::Owned;
use paths::Paths;
use places::{Place, Places};
use reads::Reads;
use repeated::Repeated;
use trails::Trails;
use users::Users;

/// Every way in which the plan could give a wrong derivative.
pub fn check_plan(plan: &Plan, function: &Function, program: &Program, rules: &Rules) -> Vec<Fault> {
    let _remembering = (program.remember(), program.stand_in(function));
    let (paths, places) = (Paths::of(function), Places::of(function, program));
    let owned = Owned::of(function, program, rules, &places, plan);
    let changed = calls::find_changed(function, program, rules, &plan.request.carried);
    let handed_on = RefCell::default();
    let mut proof = Proof {
        plan,
        function,
        program,
        rules,
        paths,
        places,
        owned,
        changed,
        handed_on,
        bodies: RefCell::default(),
        writers: RefCell::default(),
        all_writers: OnceCell::new(),
        seeing: OnceCell::new(),
        leading: OnceCell::new(),
        touches: OnceCell::new(),
        overwriting: OnceCell::new(),
        trails: OnceCell::new(),
        claimed: OnceCell::new(),
        repeated: OnceCell::new(),
        users: OnceCell::new(),
        asked: Default::default(),
        faults: Vec::new(),
    };
    if function.is_declaration() || plan.request.arguments.len() != function.params.len() {
        proof.report(Obligation::Signature, "the request is not for a function like this, with a body");
        return proof.faults;
    }
    if let Some(joint) = &plan.joint {
        proof.check_signature();
        proof.check_joint(joint);
        return proof.faults;
    }
    proof.check_preaccumulated();
    proof.check_contracted();
    proof.check_activity();
    proof.check_signature();
    proof.check_custom_calls();
    proof.check_exceptions();
    proof.check_typed();
    if plan.request.mode.is_reverse() {
        let mut reads = proof.find_reads();
        reads.extend(proof.find_rerun_reads());
        reads.extend(proof.find_recount_reads());
        reads.extend(proof.find_strip_reads());
        reads.extend(proof.find_uncompute_reads());
        let shadows = proof.find_shadow_reads(&mut reads);
        let (reads, shadows) = (Reads::of(reads), Reads::of(shadows));
        proof.check_reads(reads.all());
        proof.check_storage(reads.all());
        proof.check_shadows(shadows.all());
        proof.check_put_back(&reads, &shadows);
        proof.check_left();
        proof.check_fresh(&reads, &shadows);
        proof.check_reruns(&reads, &shadows);
        proof.check_recounts(&reads, &shadows);
        proof.check_orders(&reads, &shadows);
        proof.check_strips();
        proof.check_fused();
        proof.check_idle();
        proof.check_rooms(&reads, &shadows);
        proof.check_rows();
        proof.check_uncomputed();
        proof.check_slots();
        proof.check_merges();
        proof.check_records();
        proof.check_numbers();
        proof.check_omitted();
        proof.check_arrays();
        proof.check_separation();
        proof.check_steady();
        proof.check_tape();
    }
    proof.faults
}

/// A plan under examination.
struct Proof<'a> {
    plan: &'a Plan,
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    paths: Paths,
    places: Arc<Places>,
    owned: Owned,
    /// The parameters that functions with bodies may change something behind.
    changed: Arc<calls::Reaches>,
    /// Which places others may have the address of, as far as was asked.
    handed_on: RefCell<BTreeMap<Place, bool>>,
    /// The bodies of loops by their headers, as far as was asked.
    bodies: RefCell<BTreeMap<BlockId, Rc<BTreeSet<BlockId>>>>,
    /// Who may overwrite places, as far as was asked, and whoever writes at all.
    writers: RefCell<writers::Found>,
    all_writers: OnceCell<Vec<writers::Writer>>,
    /// What is known of integers in memory, as far as was asked.
    seeing: OnceCell<Seeing<'a>>,
    /// The pointers found in memory that lead to what may be derived, as soon as was asked.
    leading: OnceCell<BTreeSet<ValueId>>,
    /// The instructions that touch memory, as soon as was asked.
    touches: OnceCell<Vec<globals::Touching<'a>>>,
    /// What dependence testing goes by, as soon as was asked.
    overwriting: OnceCell<Overwriting<'a>>,
    trails: OnceCell<Trails>,
    /// The places that the plan gives a shadow, as soon as was asked.
    claimed: OnceCell<BTreeSet<Place>>,
    /// What is computed again from what, as soon as was asked.
    repeated: OnceCell<Repeated>,
    /// Who has a value as an operand, as soon as was asked.
    users: OnceCell<Users>,
    /// What callees do with memory that they are given, as far as was asked.
    asked: plain_callees::Asked<'a>,
    faults: Vec<Fault>,
}

impl<'a> Proof<'a> {
    fn report(&mut self, obligation: Obligation, message: impl Into<String>) {
        let function = self.function.name.clone();
        self.faults.push(Fault { obligation, function, message: message.into() });
    }

    /// Instructions that control can reach, in order.
    fn live_insts(&self) -> Vec<(ValueId, &'a crate::model::Inst)> {
        let function = self.function;
        let ids =
            function.inst_ids().filter(|id| self.paths.home(*id).is_some_and(|b| self.paths.is_live(b)));
        ids.filter_map(|id| Some((id, function.inst(id)?))).collect()
    }

    fn is_active(&self, value: ValueId) -> bool {
        self.plan.activity.is_active(value)
    }

    /// How messages name a value: its number, and what computes it.
    fn describe(&self, value: ValueId) -> String {
        match self.function.inst(value) {
            None => format!("%{} (a parameter)", value.0),
            Some(inst) => format!("%{} ({})", value.0, describe_op(&inst.op, inst.callee_name())),
        }
    }
}

fn describe_op(op: &Op, callee: Option<&str>) -> String {
    let text = format!("{op:?}");
    let word = text.split([' ', '{', '(']).next().unwrap_or_default().to_lowercase();
    callee.map_or(word, |name| format!("call of @{name}"))
}
