//! Is an integer that is only moved positively an integer, and no float's bits?
//!
//! It is if somebody counts with what lies where it is read or written, or puts there what was counted, and nobody reads or
//! writes a float or a pointer there. A float takes a whole word, so it is enough to know one byte of each.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::Proof;
use super::atomic_counts::is_atomic_count;
use super::bits::{Users, find_stores, find_users, may_be_float};
use super::counted_moves::{Moves, Passing};
use super::counting::Loaded;
use super::declared::{is_declared, is_other_member, is_plain};
use super::endings::{ending_of, find_endings};
use super::others::Asked;
use super::places::{Place, Places};
use super::stands::{Stand, advance, divisor, join, meetings, reached};
use super::sums::Sum;
use super::tellers::{Moved, Teller, find_told};
use crate::model::{CastOp, Function, Inst, Layout, Op, Operand, Program, Type, ValueId};

/// One access of a scalar: by whom, where, how wide, and what it says of what is there.
pub struct Seen {
    pub by: ValueId,
    pub(super) places: BTreeSet<Place>,
    pub(super) stand: Stand,
    /// The same of one that counts, as far as the multiples tell that its indices are.
    pub(super) exact: Stand,
    /// It counts with each number and the one beside it.
    pub(super) walks: bool,
    pub bytes: i128,
    /// An integer that was counted, or is counted with.
    pub counted: bool,
    /// The type where it is no integer.
    pub ty: Option<Type>,
    /// A float or a pointer that the program declares to be a member of a struct.
    pub member: bool,
}

impl Seen {
    pub(super) fn teller(&self) -> Teller {
        Teller { stand: self.exact, bytes: self.bytes, jump: self.exact.step, walks: self.walks }
    }
}

/// How far an access is from a pointer: so many bytes, or any number of steps more.
pub struct Near {
    pub at: i128,
    pub step: i128,
}

impl Near {
    pub fn is_at(&self, bytes: i128) -> bool {
        let apart = bytes - self.at;
        if self.step == 0 { apart == 0 } else { apart % self.step == 0 }
    }
}

/// How a function touches memory.
pub struct Seeing<'a> {
    pub(super) function: &'a Function,
    pub(super) program: &'a Program,
    places: Arc<Places>,
    pub(super) users: Users,
    stands: BTreeMap<ValueId, Option<Stand>>,
    exact: BTreeMap<ValueId, Option<Stand>>,
    /// For each load of a pointer the first one that reads the same slot.
    same: BTreeMap<ValueId, ValueId>,
    pub(super) seen: Vec<Seen>,
    /// How the other functions of the program touch memory, by their names.
    pub(super) others: OnceCell<BTreeMap<String, Seeing<'a>>>,
    answers: RefCell<BTreeMap<ValueId, bool>>,
    /// For integers that are moved, and used otherwise as well, what they are moved with.
    pub(super) moves: RefCell<BTreeMap<ValueId, Option<Rc<Moves<'a>>>>>,
    pub(super) passing: OnceCell<Passing>,
}

impl<'a> Proof<'a> {
    /// Whether an integer that was read from memory, or came from a call, may be a float's bits.
    pub fn may_carry(&self, integer: ValueId) -> bool {
        self.seeing().may_carry(integer) && !self.is_number_all_the_way(integer)
    }

    pub fn seeing(&self) -> &Seeing<'a> {
        self.seeing.get_or_init(|| Seeing::of(self.function, self.program))
    }
}

impl<'a> Seeing<'a> {
    pub fn of(function: &'a Function, program: &'a Program) -> Seeing<'a> {
        let mut seeing = Seeing {
            function,
            program,
            places: Places::of(function, program),
            users: find_users(function),
            stands: BTreeMap::new(),
            exact: BTreeMap::new(),
            same: BTreeMap::new(),
            seen: Vec::new(),
            others: OnceCell::new(),
            answers: RefCell::default(),
            moves: RefCell::default(),
            passing: OnceCell::new(),
        };
        seeing.stands = seeing.find_stands(&|_| Stand::ANYWHERE);
        let endings = find_endings(function);
        seeing.exact = seeing.find_stands(&|index| ending_of(index, &endings));
        seeing.same = seeing.find_same_slots();
        let (seen, sums) = seeing.find_seen();
        seeing.seen = seen;
        seeing.settle_sums(sums);
        seeing
    }

    fn may_carry(&self, integer: ValueId) -> bool {
        may_be_float(self.function, &self.users, self.program, integer)
            && !self.is_counted(integer)
            && !self.is_member(integer)
    }

    /// Whether what is read is positively an integer.
    pub(super) fn is_integer(&self, integer: ValueId) -> bool {
        self.is_counted(integer) || self.is_member(integer)
    }

    /// Whether an integer is that member of a struct which the program declares to be one, or is put into such members only; it stays in
    /// memory and among integers, and nobody touches what is declared as a float or a pointer.
    fn is_member(&self, integer: ValueId) -> bool {
        let Some(load) = self.function.inst(integer).filter(|inst| matches!(inst.op, Op::Load(_))) else {
            return false;
        };
        let Some(stores) = find_stores(self.function, &self.users, self.program, integer) else {
            return false;
        };
        let takes_all = |(function, store): &(&Function, &Inst)| {
            is_declared(store) && function.operand_type(&store.operands[0]) == load.ty
        };
        let is_put = || !stores.is_empty() && stores.iter().all(takes_all);
        (is_declared(load) || is_put()) && !self.is_otherwise(load)
    }

    /// Whether what is declared to be an integer is touched as something else.
    fn is_otherwise(&self, load: &Inst) -> bool {
        let bytes = self.size_of(&load.ty) as u64;
        let stand = self.stand_of(&load.operands[0]);
        // An index into an array beside the member might be any number, and still stays in its array.
        let certain = |seen: &Seen| match stand.step {
            0 => seen.stand.step == 0,
            step => seen.stand.step % step == 0,
        };
        let apart = is_declared(load) && self.is_one_of_many(&load.operands[0]);
        // Whoever reads an integer there does not say what lies there; whoever puts one there may put a float's bits.
        let only_reads = |seen: &Seen| {
            seen.ty.is_none()
                && self.function.inst(seen.by).is_some_and(|inst| matches!(inst.op, Op::Load(_)))
        };
        // Of two members that are declared to be integers neither lies across the end of the other, whatever they are steps apart.
        let is_beside =
            |seen: &Seen| apart && stand.step > 0 && self.function.inst(seen.by).is_some_and(is_declared);
        let fits = |seen: &Seen, at: i128| at >= 0 && at + seen.bytes <= i128::from(bytes);
        self.meets(&load.operands[0], bytes, &|seen: &Seen, at: i128| {
            certain(seen)
                && !(seen.member && apart)
                && !only_reads(seen)
                && !(seen.counted && (fits(seen, at) || is_beside(seen)))
        })
    }

    /// Whether a pointer leads to none of the objects that have one name only: what is known of one pointer to them is not known
    /// of the next, and each may be of a type of its own.
    pub(super) fn is_one_of_many(&self, pointer: &Operand) -> bool {
        !self.named(pointer).iter().any(|place| matches!(place, Place::Slot(_) | Place::Global(_)))
    }

    fn is_counted(&self, integer: ValueId) -> bool {
        if let Some(answer) = self.answers.borrow().get(&integer) {
            return *answer;
        }
        let answer = self.is_known_integer(integer);
        self.answers.borrow_mut().insert(integer, answer);
        answer
    }

    /// Whether what lies behind a pointer is touched in a way, told how many bytes behind it.
    pub fn meets(&self, pointer: &Operand, bytes: u64, way: &dyn Fn(&Seen, i128) -> bool) -> bool {
        let (places, stand) = (self.named(pointer), self.stand_of(pointer));
        let here = self.seen.iter().filter(|seen| !seen.places.is_disjoint(&places));
        here.into_iter().any(|seen| {
            meetings(stand, bytes.into(), (seen.stand, seen.bytes)).into_iter().any(|at| way(seen, at))
        })
    }

    pub fn sees_pointers(&self) -> bool {
        self.seen.iter().any(|seen| seen.ty.as_ref().is_some_and(|ty| ty.is_pointer()))
    }

    /// The accesses of floats and pointers in the memory behind a pointer, told from there.
    pub fn near(&self, pointer: &Operand) -> Vec<Near> {
        let (places, stand) = (self.named(pointer), self.stand_of(pointer));
        let here = self.seen.iter().filter(|seen| seen.ty.is_some() && !seen.places.is_disjoint(&places));
        let apart = |seen: &Seen| Near {
            at: seen.stand.start - stand.start,
            step: divisor(stand.step, seen.stand.step),
        };
        here.map(apart).collect()
    }

    fn is_known_integer(&self, integer: ValueId) -> bool {
        let sizes = self.sizes_of(self.function.value_type(integer));
        match self.follow_moves(integer) {
            Some(pointers) => {
                self.are_integers(&pointers, sizes, &|_| true) || self.are_followed(&pointers, sizes)
            }
            None => self.is_moved_and_counted(integer),
        }
    }

    /// Whether all who touch the memory behind pointers count with what is there, and each word is told by one of those that say so.
    pub(super) fn are_integers(
        &self,
        pointers: &[&Operand],
        sizes: (i128, i128),
        tells: &dyn Fn(ValueId) -> bool,
    ) -> bool {
        let known = self.find_counted_words(pointers, sizes, tells);
        known.is_some_and(|known| self.words(0, sizes.0).all(|word| known.contains(&word)))
    }

    /// The same where those are asked as well who know the memory that these bytes are moved to and come from. In words of which nobody
    /// says anything there is nothing that anybody ever looks at, if none of that memory is the user's.
    fn are_followed(&self, pointers: &[&Operand], (bytes, piece): (i128, i128)) -> bool {
        let Some(mut known) = self.find_counted_words(pointers, (bytes, piece), &|_| true) else {
            return false;
        };
        let mut users = false;
        for pointer in pointers {
            let moved = Moved { stand: self.exactly(pointer), bytes, piece };
            let mut tellers = Vec::new();
            match self.ask_followers(pointer, moved, &mut tellers) {
                Some(Asked { is_users }) => users |= is_users,
                None => return false,
            }
            known.extend(find_told(moved, &tellers, |at, bytes| self.words(at, bytes)));
        }
        let all = self.words(0, bytes).all(|word| known.contains(&word));
        // What is shorter than any float fills a struct up.
        all || !users && (!known.is_empty() || bytes < self.least_float())
    }

    /// The words that somebody counts with; `None` where somebody takes them for anything else.
    fn find_counted_words(
        &self,
        pointers: &[&Operand],
        (bytes, piece): (i128, i128),
        tells: &dyn Fn(ValueId) -> bool,
    ) -> Option<BTreeSet<i128>> {
        let mut known = BTreeSet::new();
        for pointer in pointers {
            let places = self.named(pointer);
            if places.is_empty() || places.contains(&Place::Outside) {
                return None;
            }
            let moved = Moved { stand: self.exactly(pointer), bytes, piece };
            let mut tellers = Vec::new();
            for seen in self.seen.iter().filter(|seen| !seen.places.is_disjoint(&places)) {
                for at in meetings(moved.stand, bytes, (seen.exact, seen.bytes)) {
                    if !seen.counted || at < 0 || at + seen.bytes > bytes {
                        return None;
                    }
                }
                tellers.extend(tells(seen.by).then(|| seen.teller()));
            }
            if !self.others_agree(pointer, moved, &mut tellers) {
                return None;
            }
            known.extend(find_told(moved, &tellers, |at, bytes| self.words(at, bytes)));
        }
        Some(known)
    }

    /// The bytes of the smallest float that somebody may keep beside an integer.
    pub(super) fn least_float(&self) -> i128 {
        if self.program.short_floats { 2 } else { 4 }
    }

    /// The words that so many bytes lie in, each as long as the smallest float.
    pub(super) fn words(&self, at: i128, bytes: i128) -> std::ops::RangeInclusive<i128> {
        let word = self.least_float();
        at / word..=(at + bytes - 1) / word
    }

    /// The pointers through which an integer, and all that it is joined with, is read and written; `None` where one of
    /// them is used for anything but moving.
    pub(super) fn follow_moves(&self, integer: ValueId) -> Option<Vec<&'a Operand>> {
        let ty = self.function.value_type(integer);
        let (mut met, mut pointers, mut waiting) = (BTreeSet::new(), Vec::new(), vec![integer]);
        while let Some(value) = waiting.pop() {
            if !met.insert(value) {
                continue;
            }
            let inst = self.function.inst(value)?;
            let joined = match &inst.op {
                Op::Load(access) if is_plain(access) => {
                    pointers.push(&inst.operands[0]);
                    &[][..]
                }
                Op::Phi { .. } | Op::Freeze => &inst.operands[..],
                Op::Select => &inst.operands[1..],
                _ => return None,
            };
            waiting.extend(joined.iter().filter_map(Operand::value));
            for (user, at) in self.users.get(&value).into_iter().flatten() {
                let inst = self.function.inst(*user)?;
                match &inst.op {
                    Op::Store(access) if *at == 0 && is_plain(access) => pointers.push(&inst.operands[1]),
                    Op::Phi { .. } | Op::Freeze if inst.ty == *ty => waiting.push(*user),
                    Op::Select if *at > 0 && inst.ty == *ty => waiting.push(*user),
                    _ => return None,
                }
            }
        }
        Some(pointers)
    }

    /// Accesses that say something of what they touch. Those that only move are left out.
    fn find_seen(&self) -> (Vec<Seen>, Vec<Sum>) {
        let layout = Layout::parse(&self.program.layout);
        let (mut all, mut sums) = (Vec::new(), Vec::new());
        for (id, inst) in self.function.inst_ids().filter_map(|id| Some((id, self.function.inst(id)?))) {
            let moves = |value: ValueId| self.follow_moves(value).is_some();
            all.extend(self.find_characters(id, inst, &layout));
            // What is looked at as an integer only may be a float's bits, and may not.
            let looked =
                |id| !self.is_number(id) && !may_be_float(self.function, &self.users, self.program, id);
            let counts = |inst| is_atomic_count(self.function, inst);
            let (pointer, counted, only_moved) = match &inst.op {
                Op::Load(_) => {
                    let both = self.counts_beside(id);
                    let counted = self.is_number(id) || is_declared(inst) || both == Some(true);
                    let silent = moves(id) || looked(id) && both.is_none() || both == Some(false);
                    (&inst.operands[0], counted, !is_declared(inst) && silent)
                }
                Op::Store(_) => {
                    let value = &inst.operands[0];
                    let made = value.value().is_some_and(|id| {
                        self.function.inst(id).is_some() || self.is_short_argument_of_user(id)
                    });
                    let counted =
                        made && self.is_made_by_counting(value, Loaded::Counted, &mut BTreeSet::new());
                    let both = |id| self.follow_counted_moves(id).is_some();
                    let moved = !is_declared(inst) && value.value().is_none_or(|id| moves(id) || both(id));
                    (&inst.operands[1], counted || is_declared(inst), moved)
                }
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } => (&inst.operands[0], counts(inst), false),
                _ => continue,
            };
            let unknown = matches!(inst.op, Op::Store(_)) && !counted && !only_moved;
            let summed = unknown.then(|| self.find_summed(&inst.operands[0])).flatten();
            let (mut here, mut scalars) = (Vec::new(), Vec::new());
            let exactly = |offset: i128| {
                let stand = self.exactly(pointer);
                Stand { start: stand.start + offset, ..stand }
            };
            take_scalars(&self.function.accessed_type(inst).unwrap_or(Type::Void), 0, &layout, &mut scalars);
            for (offset, ty) in scalars {
                let integer = matches!(ty, Type::Int(_));
                if integer && only_moved {
                    continue;
                }
                let mut stand = self.stand_of(pointer);
                stand.start += offset;
                let exact = if integer && counted { exactly(offset) } else { stand };
                let (places, bytes) = (self.named(pointer), self.size_of(&ty));
                let ty = (!integer).then_some(ty);
                let member = is_other_member(inst);
                let counted = integer && counted;
                let walks = counted && self.walks(id, pointer, bytes);
                here.push(Seen { by: id, places, stand, exact, walks, bytes, counted, ty, member });
            }
            match summed {
                Some(loads) => sums.push(Sum { loads, seen: here }),
                None => all.extend(here),
            }
        }
        (all, sums)
    }

    /// Whether a value is handed over by the user alone, in fewer bytes than a struct with a float in it needs.
    fn is_short_argument_of_user(&self, value: ValueId) -> bool {
        self.function.inst(value).is_none()
            && self.size_of(self.function.value_type(value)) <= self.least_float()
            && !self.program.is_mentioned(&self.function.name)
    }

    /// How many bytes something takes, and each piece of it that is moved whole.
    pub(super) fn sizes_of(&self, ty: &Type) -> (i128, i128) {
        (self.size_of(ty), self.size_of(ty.scalar()))
    }

    pub(super) fn size_of(&self, ty: &Type) -> i128 {
        // What is of no known size may be as large as any.
        Layout::parse(&self.program.layout).store_size(ty).map_or(1 << 20, i128::from)
    }

    /// Where each pointer stands, found by walking from what it is made of until nothing changes.
    fn find_stands(&self, indices: &dyn Fn(&Operand) -> Stand) -> BTreeMap<ValueId, Option<Stand>> {
        let ids = self.function.inst_ids().filter(|id| self.function.value_type(*id).is_pointer());
        let mut stands: BTreeMap<ValueId, Option<Stand>> = ids.map(|id| (id, None)).collect();
        loop {
            let before = stands.clone();
            for id in before.keys() {
                let Some(inst) = self.function.inst(*id) else { continue };
                let from: &[Operand] = match &inst.op {
                    Op::Gep(_) | Op::Freeze | Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => {
                        &inst.operands[..1]
                    }
                    Op::Phi { .. } => &inst.operands,
                    Op::Select => &inst.operands[1..],
                    _ => &[],
                };
                let known = from.iter().filter_map(|x| reached(x, &stands)).reduce(join);
                let stand = if from.is_empty() { Some(Stand::default()) } else { known };
                let stand = stand.map(|stand| advance(stand, inst, indices));
                stands.insert(*id, stand);
            }
            if stands == before {
                return stands;
            }
        }
    }

    /// None as long as a slot holds a pointer that was moved from the start of what it leads to.
    fn find_same_slots(&mut self) -> BTreeMap<ValueId, ValueId> {
        let mut slots = BTreeMap::new();
        let function = self.function;
        let insts = || function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)));
        let moved = insts().any(|(_, inst)| {
            let stored = matches!(inst.op, Op::Store(_)).then(|| &inst.operands[0]);
            let pointer = stored.filter(|x| self.function.operand_type(x).is_pointer());
            pointer.is_some_and(|x| self.stand_of(x) != Stand::default())
        });
        for (id, inst) in insts().filter(|(_, inst)| !moved && matches!(inst.op, Op::Load(_))) {
            let places: Vec<Place> = self.named(&inst.operands[0]).into_iter().collect();
            let stand = self.stand_of(&inst.operands[0]);
            if let ([place], 0, true) = (&places[..], stand.step, inst.ty.is_pointer()) {
                let first = *slots.entry((place.clone(), stand.start)).or_insert(id);
                self.same.insert(id, first);
            }
        }
        std::mem::take(&mut self.same)
    }

    /// The places a pointer leads to, by the names of the first loads.
    pub(super) fn named(&self, pointer: &Operand) -> BTreeSet<Place> {
        let name = |place| match place {
            Place::Found(load) => Place::Found(self.same.get(&load).copied().unwrap_or(load)),
            other => other,
        };
        self.places.lead(pointer).into_iter().map(name).collect()
    }

    /// The same where it counts as well which multiples indices are.
    pub(super) fn exactly(&self, pointer: &Operand) -> Stand {
        reached(pointer, &self.exact).unwrap_or_default()
    }

    pub(super) fn stand_of(&self, pointer: &Operand) -> Stand {
        reached(pointer, &self.stands).unwrap_or_default()
    }
}

/// The scalars in a type, and where they lie.
fn take_scalars(ty: &Type, offset: i128, layout: &Layout, scalars: &mut Vec<(i128, Type)>) {
    let parts: Vec<(i128, Type)> = match ty {
        Type::Vector(lanes, element) if !lanes.scalable => {
            let step = layout.store_size(element).map_or(0, i128::from);
            (0..lanes.count).map(|lane| (i128::from(lane) * step, (**element).clone())).collect()
        }
        _ => match ty.parts() {
            Some(parts) => {
                let place = |at: usize| layout.field_offset(ty, at as u64).map_or(0, i128::from);
                parts.into_iter().enumerate().map(|(at, part)| (place(at), part.clone())).collect()
            }
            None => return scalars.push((offset, ty.clone())),
        },
    };
    parts.iter().for_each(|(at, part)| take_scalars(part, offset + at, layout, scalars));
}
