//! What a copy moves between memory that this call made and nobody else finds, told by all who touch it under any name.
//!
//! Copy + activity → where the floats are, or that there are pointers and no floats. Of such memory the shadows are ours, and
//! nothing is ever added to a word of them in which nobody reads a float: so what lies between floats of one kind may be moved
//! with them. Before the reverse sweep there are no numbers in such shadows at all, only pointers, which the forward sweep moves.
//! Where there are doubles and pointers, or it is not known where a copy starts, the reverse sweep moves what is a number by then:
//! an address, taken for a double, would be next to nothing.
//! Where loads of pointers are not told apart by where they read, a pointer may seem to lead to a virtual table: nobody copies those.
//! Whoever is joined with the memory by other copies counts as well: what nobody reads here may be read there.
//! The same tells what an integer overwrites there.
//! What was found once is kept with the activity ([`KnownWords`]): many copies are of the same memory.
//! Safe error: nothing.

use super::atomic_counts::counts_atomically;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::accessed::Accessed;
use super::activity::Activity;
use super::globals::{Globals, is_table_of_class};
use super::memory_calls::{MemoryCall, is_freed_by_size, memory_call};
use super::offsets::{Offset, Offsets};
use super::overlap::Overwrites;
use super::own_texts::OwnTexts;
use super::plain_callees::{Handling, find_handling};
use super::pointers::Base;
use super::shared_words::{Class, SharedWords};
use super::whole_origins::WholeOrigins;
use crate::kinds::Spaced;
use crate::model::{Constant, FloatKind, Function, Inst, Op, Operand, Program, Type, ValueId};

pub struct OwnWords<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub activity: &'a Activity,
    /// The kind of the floats that a copy from or to foreign memory moves, where that is told without this.
    pub kind_of_foreign: &'a dyn Fn(&Inst) -> Option<FloatKind>,
}

/// What somebody touches in the memory.
#[derive(Default)]
struct Contents {
    floats: BTreeSet<FloatKind>,
    pointers: bool,
}

/// Memory with all that is joined with it, and what lies there.
type Around = (BTreeSet<Base>, Contents);

/// A callee, how many arguments it is called with, and those that lead to the memory.
type Handed = (String, usize, BTreeSet<usize>);

/// Answers of one activity, which say the same as long as it does. A program has as many copies as its objects have members, and nearly all of
/// them are of the same few classes of memory.
#[derive(Default)]
pub struct KnownWords {
    /// By the memory that is asked about.
    around: RefCell<BTreeMap<BTreeSet<Base>, Option<Rc<Around>>>>,
    handlings: RefCell<BTreeMap<Handed, Option<Rc<Handling>>>>,
    /// Of memory, whether it holds texts and nothing else.
    pub(super) texts: RefCell<BTreeMap<Base, bool>>,
    /// The constants from which no float can be reached.
    bare: OnceCell<BTreeSet<String>>,
    /// What can be found from each argument of each call with a derivative.
    reached: OnceCell<BTreeMap<ValueId, Vec<BTreeSet<Base>>>>,
    /// What each copy moves, see `copied`.
    pub(super) copied: OnceCell<BTreeMap<ValueId, Spaced>>,
    pub(super) accessed: OnceCell<Accessed>,
}

impl OwnWords<'_> {
    pub fn find(&self, copy: &Inst) -> Option<Spaced> {
        if self.activity.is_own(&copy.operands[0]) && self.is_text(&copy.operands[1]) {
            return Some(Spaced::text());
        }
        let around = self.find_around(&copy.operands[..2])?;
        let (places, contents) = &*around;
        let shadowed = copy.operands[..2].iter().all(|x| self.activity.is_shadowed(x));
        let moves_shadows = || {
            let all = places.iter().all(|place| self.activity.has_shadow(place));
            shadowed && all && self.keeps_shadows(places)
        };
        match Vec::from_iter(&contents.floats)[..] {
            [] if contents.pointers => moves_shadows().then(Spaced::pointers),
            // Integers, or what nobody looks at.
            [] => Some(Spaced::sought(false)),
            [kind] if !contents.pointers => {
                let size = u64::from(kind.bits() / 8);
                let ends =
                    self.ends_at_word(copy, size) && self.stands_at_words(&copy.operands[..2], places, size);
                if ends {
                    return Some(Spaced::array(*kind));
                }
                (*kind == FloatKind::Double).then(|| Spaced::sought(false))
            }
            [FloatKind::Double] => moves_shadows().then(|| Spaced::sought(true)),
            _ => None,
        }
    }

    fn shared(&self) -> Arc<SharedWords> {
        SharedWords::of(self.function, self.program)
    }

    /// What an integer of so many bytes overwrites that is stored behind a pointer: nothing that has a derivative, or what may
    /// be a float and nothing else with a shadow.
    pub fn overwritten(
        &self,
        value: &Operand,
        pointer: &Operand,
        bytes: u64,
        align: u64,
    ) -> Option<Overwrites> {
        let words = bytes.is_multiple_of(8) && align.is_multiple_of(8);
        let shared = || match self.shared().behind(pointer)? {
            Class { doubles: false, .. } => Some(Overwrites::Integer),
            _ if self.may_bring_float(value) => None,
            _ if words => Some(Overwrites::Float),
            _ => Some(Overwrites::Part),
        };
        let pointer = std::slice::from_ref(pointer);
        let Some(around) = self.find_around(pointer) else { return shared() };
        let (places, contents) = &*around;
        match Vec::from_iter(&contents.floats)[..] {
            [] => Some(Overwrites::Integer),
            [kind] if !contents.pointers && bytes * 8 == u64::from(kind.bits()) => {
                self.stands_at_words(pointer, places, bytes).then_some(Overwrites::Float)
            }
            // Whatever lay in whole words has no influence any more; a pointer was found before the reverse sweep.
            [FloatKind::Double] if words => Some(Overwrites::Float),
            [FloatKind::Double] => Some(Overwrites::Part),
            _ => None,
        }
    }

    /// Whether an integer may be the bits of a float, wherever it comes from in the program.
    fn may_bring_float(&self, value: &Operand) -> bool {
        let whole = || WholeOrigins::of(self.function, self.program);
        value.value().is_some_and(|id| whole().may_be_float(id))
    }

    /// The memory behind these pointers with all that is joined with it, and what lies there.
    fn find_around(&self, pointers: &[Operand]) -> Option<Rc<Around>> {
        let places: BTreeSet<Base> = pointers.iter().flat_map(|x| self.memory_behind(x)).collect();
        if pointers.iter().any(|x| self.is_table(x)) {
            return None;
        }
        let known = &self.activity.known_words().around;
        if let Some(around) = known.borrow().get(&places) {
            return around.clone();
        }
        let around = self.look_around(places.clone()).map(Rc::new);
        known.borrow_mut().insert(places, around.clone());
        around
    }

    fn look_around(&self, mut places: BTreeSet<Base>) -> Option<Around> {
        let mut contents = Contents::default();
        loop {
            places = self.find_joined(places, &mut contents)?;
            let given = self.find_given(&places, &mut contents)?;
            if given.is_subset(&places) {
                break;
            }
            places.extend(given);
        }
        if !self.is_unseen(&places) {
            return None;
        }
        self.collect(&places, &mut contents)?;
        Some((places, contents))
    }

    /// Where a pointer leads, virtual tables apart.
    fn memory_behind(&self, pointer: &Operand) -> BTreeSet<Base> {
        let is_table =
            |base: &Base| matches!(base, Base::Global(name) if is_table_of_class(name)) && self.is_bare(base);
        self.activity.allocations(pointer).into_iter().filter(|base| !is_table(base)).collect()
    }

    /// Whether a pointer leads to virtual tables and nothing else, so that somebody does mean them.
    fn is_table(&self, pointer: &Operand) -> bool {
        self.memory_behind(pointer).is_empty() && !self.activity.allocations(pointer).is_empty()
    }

    fn insts(&self) -> impl Iterator<Item = (ValueId, &Inst)> {
        self.function.inst_ids().filter_map(|id| Some((id, self.function.inst(id)?)))
    }

    /// These allocations, and all that are joined with them by copies.
    fn find_joined(&self, mut places: BTreeSet<Base>, contents: &mut Contents) -> Option<BTreeSet<Base>> {
        let is_own = |places: &BTreeSet<Base>| places.iter().all(Base::is_local);
        let ends =
            |copy: &Inst| -> [BTreeSet<Base>; 2] { [0, 1].map(|at| self.memory_behind(&copy.operands[at])) };
        if places.is_empty() || !is_own(&places) {
            return None;
        }
        loop {
            let before = places.len();
            for (_, other) in self.insts().filter(|(_, inst)| memory_call(inst) == Some(MemoryCall::Copy)) {
                let ends = ends(other);
                if ends.iter().all(|end| end.is_disjoint(&places)) {
                    continue;
                }
                if other.operands[..2].iter().any(|x| self.is_table(x)) {
                    return None;
                }
                // What overwrites with constants that are no floats joins nothing.
                if !ends.iter().all(is_own) && !self.is_text(&other.operands[1]) {
                    contents.floats.insert((self.kind_of_foreign)(other)?);
                }
                places.extend(ends.into_iter().flatten().filter(Base::is_local));
            }
            if places.len() == before {
                return Some(places);
            }
        }
    }

    /// What calls are given that are given some of this memory; what they touch is counted. Nothing where a callee does more
    /// with it than to read and write numbers.
    fn find_given(&self, places: &BTreeSet<Base>, contents: &mut Contents) -> Option<BTreeSet<Base>> {
        let mut given = BTreeSet::new();
        for (id, reached) in self.reached() {
            let Some(call) = self.function.inst(*id) else { continue };
            let leading: BTreeSet<usize> =
                (0..reached.len()).filter(|at| !reached[*at].is_disjoint(places)).collect();
            if leading.is_empty() {
                continue;
            }
            let handling = self.find_handling(call, leading)?;
            for (ty, align) in &handling.touched {
                contents.add(ty, *align)?;
            }
            // Who follows pointers comes to whatever they lead to.
            let follows = handling.touched.iter().any(|(ty, _)| ty.is_pointer());
            for at in &handling.of {
                if follows {
                    given.extend(reached[*at].iter().filter(|base| !self.is_bare(base)).cloned());
                }
                for base in self.activity.allocations(&call.arguments()[*at]) {
                    // What is constant is only read. Pointers that may be copied from there count, and there are no floats.
                    if self.is_bare(&base) {
                        contents.pointers = true;
                    } else {
                        given.insert(base);
                    }
                }
            }
        }
        Some(given)
    }

    fn reached(&self) -> &BTreeMap<ValueId, Vec<BTreeSet<Base>>> {
        self.activity.known_words().reached.get_or_init(|| {
            let reach = |x: &Operand| self.activity.reached_from(&self.activity.bases(x));
            let calls = self.activity.calls().filter_map(|id| Some((id, self.function.inst(id)?)));
            calls.map(|(id, call)| (id, call.arguments().iter().map(reach).collect())).collect()
        })
    }

    fn find_handling(&self, call: &Inst, leading: BTreeSet<usize>) -> Option<Rc<Handling>> {
        let key = (call.callee_name()?.to_owned(), call.arguments().len(), leading);
        let known = &self.activity.known_words().handlings;
        if let Some(handling) = known.borrow().get(&key) {
            return handling.clone();
        }
        let handling = find_handling(call, key.2.clone(), self.program).map(Rc::new);
        known.borrow_mut().insert(key, handling.clone());
        handling
    }

    /// Whether what a pointer leads to carries nothing along where it is copied.
    fn is_text(&self, pointer: &Operand) -> bool {
        OwnTexts { function: self.function, program: self.program, activity: self.activity }.is_text(pointer)
    }

    /// Whether nobody else finds this memory.
    fn is_unseen(&self, places: &BTreeSet<Base>) -> bool {
        self.activity.reached_from(&BTreeSet::from([Base::Unknown])).is_disjoint(places)
    }

    fn collect(&self, places: &BTreeSet<Base>, contents: &mut Contents) -> Option<()> {
        let offsets = OnceCell::new();
        for (id, inst) in self.insts() {
            let touches = |x: &Operand| !self.activity.allocations(x).is_disjoint(places);
            let stand = |align, x: &Operand, ty: &Type| self.stand_of(align, x, ty, &offsets);
            match &inst.op {
                _ if self.is_idle(id, inst) => {}
                Op::Load(access) if touches(&inst.operands[0]) => {
                    contents.add(&inst.ty, stand(access.align, &inst.operands[0], &inst.ty))?;
                }
                Op::Store(access) if touches(&inst.operands[1]) => {
                    let ty = self.function.operand_type(&inst.operands[0]);
                    contents.add(&ty, stand(access.align, &inst.operands[1], &ty))?;
                }
                Op::AtomicRmw { .. } | Op::CompareExchange { .. }
                    if counts_atomically(self.function, inst) => {}
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. }
                    if inst.operands.iter().any(touches) =>
                {
                    return None;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Whether a number goes from or to memory that has no derivative, so that nothing is ever added to its shadow for it: the load
    /// factor of a table, as an integer.
    fn is_idle(&self, id: ValueId, inst: &Inst) -> bool {
        let float = |ty: &Type| matches!(ty.scalar(), Type::Float(_));
        match &inst.op {
            Op::Load(_) => float(&inst.ty) && !self.activity.is_active(id),
            Op::Store(_) => {
                let value = &inst.operands[0];
                float(&self.function.operand_type(value)) && !self.activity.is_varied(value)
            }
            _ => false,
        }
    }

    fn bare(&self) -> &BTreeSet<String> {
        self.activity.known_words().bare.get_or_init(|| Globals::of(self.program).without_floats())
    }

    /// Whether memory is a constant from which no float can be reached.
    fn is_bare(&self, base: &Base) -> bool {
        matches!(base, Base::Global(name) if self.bare().contains(name))
    }

    /// Whether each pointer that is stored there has a shadow, or leads to no float: what a shadow held before stays where a
    /// pointer without one is stored, and a copy would spread it.
    fn keeps_shadows(&self, places: &BTreeSet<Base>) -> bool {
        let empty = self.bare();
        let known = |base: &Base| match base {
            Base::Null => true,
            Base::Global(name) if empty.contains(name) => true,
            _ => self.activity.has_shadow(base),
        };
        self.insts().filter(|(_, inst)| matches!(inst.op, Op::Store(_))).all(|(_, store)| {
            let beside = self.activity.allocations(&store.operands[1]).is_disjoint(places);
            beside || self.activity.bases(&store.operands[0]).iter().all(known)
        })
    }

    /// Whether a copy that starts where a float of that size may start ends where one may end.
    fn ends_at_word(&self, copy: &Inst, size: u64) -> bool {
        match &copy.operands[2] {
            Operand::Const(bytes) => bytes.as_signed().is_some_and(|bytes| bytes % i128::from(size) == 0),
            Operand::Value(_) => true,
        }
    }

    /// At multiples of how many bytes an access stands: as it says itself, or, where it was made of a copy of bytes, as is known of its
    /// address.
    fn stand_of(&self, align: u64, pointer: &Operand, ty: &Type, offsets: &OnceCell<Offsets>) -> u64 {
        let Type::Float(kind) = ty.scalar() else { return align };
        let size = u64::from(kind.bits() / 8);
        if align.is_multiple_of(size) {
            return align;
        }
        let offsets = offsets.get_or_init(|| Offsets::of(self.function));
        let stands =
            self.stands_by(offsets, std::slice::from_ref(pointer), &self.memory_behind(pointer), size);
        if stands { size } else { align }
    }

    /// Whether pointers into such memory stand where a float of that size may start.
    fn stands_at_words(&self, pointers: &[Operand], places: &BTreeSet<Base>, size: u64) -> bool {
        self.stands_by(&Offsets::of(self.function), pointers, places, size)
    }

    fn stands_by(&self, offsets: &Offsets, pointers: &[Operand], places: &BTreeSet<Base>, size: u64) -> bool {
        let whole =
            |at: Offset| at.start % i128::from(size) == 0 && at.stride.is_multiple_of(u128::from(size));
        let stands = |pointer: &Operand| whole(offsets.of_operand(pointer));
        // What is found in memory stands where it stood when it was put there.
        let mut stored = self
            .insts()
            .filter(|(_, inst)| matches!(inst.op, Op::Store(_)))
            .filter(|(_, inst)| !self.activity.allocations(&inst.operands[0]).is_disjoint(places));
        places.iter().all(|place| self.is_aligned(place, size))
            && pointers.iter().all(stands)
            && stored.all(|(_, inst)| stands(&inst.operands[0]))
    }

    fn is_aligned(&self, place: &Base, size: u64) -> bool {
        let made = place.made_by().and_then(|id| self.function.inst(id));
        made.is_some_and(|made| starts_at_multiple(made, size))
    }
}

/// Whether memory starts at a multiple of so many bytes, by who makes it.
pub(super) fn starts_at_multiple(made: &Inst, size: u64) -> bool {
    match &made.op {
        Op::Alloca(slot) => slot.align.is_multiple_of(size),
        _ if is_freed_by_size(made) => match made.operands.get(1) {
            Some(Operand::Const(Constant::Int { value, .. })) => value.is_multiple_of(u128::from(size)),
            _ => false,
        },
        _ => matches!(memory_call(made), Some(MemoryCall::Allocate { .. })),
    }
}

impl Contents {
    /// Nothing where such an access tells of more than one thing, or of a float that may start anywhere.
    fn add(&mut self, ty: &Type, align: u64) -> Option<()> {
        match ty.scalar() {
            Type::Float(kind @ (FloatKind::Single | FloatKind::Double)) => {
                self.floats.insert(*kind);
                align.is_multiple_of(u64::from(kind.bits() / 8)).then_some(())
            }
            Type::Ptr(_) if ty.is_pointer() => {
                self.pointers = true;
                Some(())
            }
            Type::Int(_) => Some(()),
            _ => None,
        }
    }
}
