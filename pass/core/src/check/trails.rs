//! How far the address of each memory gets: through which values it goes, and in which memory it lies. And how far the bits of floats
//! get, since an integer to which none of either comes is a number.
//!
//! An address goes on with its distance from where its memory begins, and what lies somewhere keeps its distance where it is copied.
//! Whenever more is learnt of a value, its users are looked at again, and whenever more is learnt of a memory, whoever reads it.
//! A trail that leaves the function's own memory is one of those outside: what code does that is not seen, nobody follows.
//! Safe error: trails cross.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::given_counts::GivenCounts;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::stands::{Stand, advance, divisor, join, meetings};
use crate::model::{CastOp, Constant, Flags, Inst, IntOp, Layout, Op, Operand, Type, ValueId};

/// What goes a way: the address of memory of the function's own, by the value that leads to it first; the bits of a float; a number that
/// the function was given, which may have been made of an address; or anything at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Own(ValueId),
    Bits,
    Handed,
    Unseen,
}

/// An address stands so far from the start of its memory.
type Origins = BTreeMap<Origin, Stand>;

/// Where in a memory something was put, and how many bytes of it; anywhere where that is not known.
type Part = Option<(Stand, i128)>;

/// Bytes of memory as they are seen in a copy: more of them are not told apart.
const MOST_TURNS: i128 = 8;

/// In memory with more parts they are not told apart, and in larger functions none are.
const MOST_PARTS: usize = 256;
const LARGEST: usize = 10_000;

#[derive(Default)]
pub struct Trails {
    through: BTreeMap<ValueId, Origins>,
    lying: BTreeMap<ValueId, BTreeMap<Part, Origins>>,
    out: BTreeSet<ValueId>,
    /// Where whoever goes on behind the function may come.
    met: BTreeSet<ValueId>,
    memory_grew: bool,
    /// What is to be looked at again.
    waiting: BTreeSet<ValueId>,
    /// The function is too large to tell parts apart.
    is_large: bool,
}

impl Proof<'_> {
    /// Whether no pointer ever leads to both places, as their addresses never lie in the same memory.
    pub fn have_own_trails(&self, a: &Place, b: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        trails.ends(a).is_disjoint(&trails.ends(b))
    }

    /// Whether no code that is not seen comes to a place.
    pub fn is_kept_from_outside(&self, place: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        !trails.ends(place).contains(&None)
    }

    /// Whether a place is only ever memory that the call made itself, that lasts as long as the call, and to which no trail leads from what
    /// the caller gets or gave.
    pub fn is_never_met(&self, place: &Place) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        trails.ends(place).into_iter().all(|end| {
            let lasts = |id: ValueId| match self.function.inst(id) {
                Some(inst) if matches!(inst.op, Op::Alloca(_)) => self.is_alive_at_the_end(&Place::Slot(id)),
                Some(_) => true,
                None => false,
            };
            end.is_some_and(|id| lasts(id) && !trails.met.contains(&id))
        })
    }

    /// Whether an integer is no float's bits, nor an address, wherever it comes from.
    pub fn is_number_all_the_way(&self, integer: ValueId) -> bool {
        let trails = self.trails.get_or_init(|| self.find_trails());
        let through = trails.through.get(&integer);
        through.is_none_or(|through| through.keys().all(|origin| *origin == Origin::Handed))
    }

    fn find_trails(&self) -> Trails {
        let mut trails = Trails { is_large: self.function.insts.len() > LARGEST, ..Trails::default() };
        let mut users: BTreeMap<ValueId, BTreeSet<ValueId>> = BTreeMap::new();
        let mut readers = BTreeSet::new();
        for id in self.function.inst_ids() {
            let Some(inst) = self.function.inst(id) else { continue };
            for used in inst.operands.iter().filter_map(Operand::value) {
                users.entry(used).or_default().insert(id);
            }
            if matches!(inst.op, Op::Load(_)) || memory_call(inst) == Some(MemoryCall::Copy) {
                readers.insert(id);
            }
            trails.waiting.insert(id);
        }
        let counts = GivenCounts::of(self.program);
        for id in self.function.param_ids() {
            self.begin_at(id, &counts, &mut trails);
        }
        while !trails.waiting.is_empty() {
            while let Some(id) = trails.waiting.pop_first() {
                let Some(inst) = self.function.inst(id) else { continue };
                if self.follow_trail(id, inst, &mut trails) {
                    trails.waiting.extend(users.get(&id).into_iter().flatten());
                }
            }
            // All that was put somewhere meanwhile is read at once.
            if std::mem::take(&mut trails.memory_grew) {
                trails.waiting.extend(&readers);
            }
        }
        let handed = |inst: &&Inst| matches!(inst.op, Op::Ret | Op::Resume);
        for inst in self.function.insts.iter().filter(handed) {
            trails.meet(trails.of_all(&inst.operands));
        }
        trails.meet(self.function.param_ids().flat_map(|id| trails.of(&Operand::Value(id))).collect());
        trails.meet(trails.out.iter().map(|own| (Origin::Own(*own), Stand::ANYWHERE)).collect());
        trails
    }

    fn begin_at(&self, param: ValueId, counts: &GivenCounts, trails: &mut Trails) {
        let ty = self.function.value_type(param);
        let promised = self.function.params[param.0 as usize].attributes.iter().any(|text| text == "noalias");
        if ty.holds_pointer() && promised {
            trails.through.insert(param, one(Origin::Own(param)));
            trails.lying.insert(param, BTreeMap::from([(None, one(Origin::Unseen))]));
        } else if counts.is_count(self.function, param) {
            trails.through.insert(param, one(Origin::Handed));
        } else if matches!(ty, Type::Int(bits) if *bits < 64) {
            trails.through.insert(param, one(Origin::Bits));
        } else if !ty.scalar().is_float() {
            trails.through.insert(param, one(Origin::Unseen));
        }
    }

    /// Whether the program ends in a call, by the promises of the call and of who is called.
    fn never_goes_on(&self, call: &Inst) -> bool {
        let of_call = call.op.call().map_or(&[][..], |call| &call.attributes);
        let callee = call.callee_name().and_then(|name| self.program.function(name));
        let of_callee = callee.map_or(&[][..], |callee| &callee.attributes);
        ["noreturn", "nounwind"]
            .iter()
            .all(|promise| of_call.iter().chain(of_callee).any(|text| text == promise))
    }

    fn bytes_of(&self, ty: &Type) -> i128 {
        Layout::parse(&self.program.layout).store_size(ty).map_or(1 << 20, i128::from)
    }

    /// Follows what comes through an instruction; whether more goes on through its result.
    fn follow_trail(&self, id: ValueId, inst: &Inst, trails: &mut Trails) -> bool {
        let call = memory_call(inst);
        match &inst.op {
            Op::Alloca(_) => return trails.begin(id),
            _ if call == Some(MemoryCall::Allocate) => return trails.begin(id),
            _ if call == Some(MemoryCall::Free) => return false,
            _ if call == Some(MemoryCall::Fill) => {
                trails.leave(&trails.of(&inst.arguments()[1]), &inst.arguments()[0], None);
                return trails.pass(id, trails.of(&inst.arguments()[0]));
            }
            _ if call == Some(MemoryCall::Copy) => {
                trails.bring(&inst.arguments()[1], &inst.arguments()[0], length_of(inst));
                return trails.pass(id, trails.of(&inst.arguments()[0]));
            }
            Op::Load(_) => {
                return trails.pass(id, trails.read(&inst.operands[0], self.bytes_of(&inst.ty)));
            }
            Op::Store(_) => {
                let ty = self.function.operand_type(&inst.operands[0]);
                let mut stored = trails.of(&inst.operands[0]);
                if ty.holds_float() && inst.operands[0].value().is_some() {
                    stored.extend(one(Origin::Bits));
                }
                trails.leave(&stored, &inst.operands[1], Some((Stand::default(), self.bytes_of(&ty))));
                return false;
            }
            Op::Gep(_) if inst.operands[0].value().is_some() => return trails.step(id, inst),
            Op::Ret | Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => return false,
            Op::Unreachable | Op::Fence { .. } => return false,
            _ => {}
        }
        if inst.op.call().is_some() {
            // The end of a slot, or the size of an allocation, of which the runtime keeps account.
            let word = inst.callee_name().is_some_and(|name| {
                name.contains("lifetime") || name.contains("stackrestore") || name.starts_with("bs_rt_block")
            });
            if word || self.never_goes_on(inst) {
                return false;
            }
            if self.leaves_memory_alone(inst) {
                let number = inst.ty.scalar().is_float();
                return !number && trails.pass(id, trails.made_of(inst.arguments()));
            }
            trails.let_out(trails.of_all(inst.arguments()));
            return trails.pass(id, one(Origin::Unseen));
        }
        let floats = |operand: &Operand| self.function.operand_type(operand).holds_float();
        match goes_on_as(inst) {
            GoesOn::Whole(operands) => {
                let mut all = trails.of_all(operands);
                // What was a float may go on as an integer.
                if !inst.ty.scalar().is_float() && operands.iter().any(floats) {
                    all.extend(one(Origin::Bits));
                }
                trails.pass(id, all)
            }
            GoesOn::Bits(_) if trails.is_distance(inst) => false,
            GoesOn::Bits(operands) => trails.pass(id, trails.made_of(operands)),
            GoesOn::Nothing => false,
            GoesOn::Anything => {
                trails.let_out(trails.of_all(&inst.operands));
                trails.pass(id, one(Origin::Unseen))
            }
        }
    }
}

fn one(origin: Origin) -> Origins {
    Origins::from([(origin, Stand::default())])
}

/// How many bytes a copy moves, where that is a constant.
fn length_of(copy: &Inst) -> Option<i128> {
    if let Operand::Const(length) = &copy.arguments()[2] { length.as_signed() } else { None }
}

enum GoesOn<'a> {
    /// These operands, or parts of them, as they are.
    Whole(&'a [Operand]),
    /// What is made of their bits.
    Bits(&'a [Operand]),
    Nothing,
    Anything,
}

/// What of an address is in the result of an instruction that neither touches memory nor calls.
fn goes_on_as(inst: &Inst) -> GoesOn<'_> {
    use CastOp::{AddrSpaceCast, BitCast, IntToPtr, PtrToAddr, PtrToInt, SExt, Trunc, ZExt};
    match &inst.op {
        // A step leads to no other memory than the pointer it begins at, unless that is a number.
        Op::Gep(_) | Op::Int(_) => GoesOn::Bits(&inst.operands),
        Op::Cast(Trunc | ZExt | SExt | PtrToInt | PtrToAddr) => GoesOn::Bits(&inst.operands),
        Op::Select | Op::Freeze | Op::Attach(_) | Op::Phi { .. } => GoesOn::Whole(&inst.operands),
        Op::Cast(BitCast | AddrSpaceCast) => GoesOn::Whole(&inst.operands),
        Op::Cast(IntToPtr) => GoesOn::Anything,
        Op::ExtractElement
        | Op::InsertElement
        | Op::ShuffleVector { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. } => GoesOn::Whole(&inst.operands),
        Op::FNeg | Op::Float(_) | Op::ICmp(_) | Op::FCmp(_) | Op::Cast(_) => GoesOn::Nothing,
        _ => GoesOn::Anything,
    }
}

impl Origin {
    fn own(self) -> Option<ValueId> {
        if let Origin::Own(id) = self { Some(id) } else { None }
    }
}

impl Trails {
    /// Where pointers to a place come from, by the memory of the function's own; that nothing is known comes from outside.
    fn ends(&self, place: &Place) -> BTreeSet<Option<ValueId>> {
        let own = |id: &ValueId| self.lying.contains_key(id).then(|| BTreeSet::from([Some(*id)]));
        // A float is no address.
        let addresses = |through: &Origins| {
            let all = through.keys().filter(|origin| **origin != Origin::Bits);
            all.map(|origin| origin.own()).collect::<BTreeSet<_>>()
        };
        let known = match place {
            Place::Param(id) | Place::Slot(id) | Place::Made(id) => own(id),
            Place::Found(id) => self.through.get(id).map(addresses).filter(|found| !found.is_empty()),
            Place::Returned(_) | Place::Global(_) | Place::Outside => None,
        };
        let mut ends = known.unwrap_or(BTreeSet::from([None]));
        if ends.iter().flatten().any(|own| self.out.contains(own)) {
            ends.insert(None);
        }
        ends
    }

    fn begin(&mut self, id: ValueId) -> bool {
        self.lying.entry(id).or_default();
        self.pass(id, one(Origin::Own(id)))
    }

    fn pass(&mut self, id: ValueId, origins: Origins) -> bool {
        // Of what nothing comes there is no trail.
        !origins.is_empty() && add_all(self.through.entry(id).or_default(), &origins)
    }

    /// A step that stays in its memory leads as far as it says; one that may wrap around leads as far as powers of two tell.
    fn step(&mut self, id: ValueId, inst: &Inst) -> bool {
        let mut origins = self.of(&inst.operands[0]);
        for stand in origins.values_mut() {
            *stand = advance(*stand, inst, &|_| Stand { start: 0, step: 1 });
            if !inst.ty.is_pointer() {
                *stand = Stand::ANYWHERE;
            } else if !inst.flags.has(Flags::INBOUNDS) && stand.step != 0 {
                *stand = Stand { step: stand.step & -stand.step, ..*stand }.plain();
            }
        }
        self.pass(id, origins)
    }

    /// The difference of two addresses in the same memory: it leads to it from nowhere else.
    fn is_distance(&self, inst: &Inst) -> bool {
        let memory = |at: usize| -> Option<BTreeSet<ValueId>> {
            self.of(&inst.operands[at]).keys().map(|origin| origin.own()).collect()
        };
        inst.op == Op::Int(IntOp::Sub)
            && memory(0).is_some_and(|own| !own.is_empty() && Some(own) == memory(1))
    }

    fn of(&self, operand: &Operand) -> Origins {
        match operand {
            Operand::Value(id) => self.through.get(id).cloned().unwrap_or_default(),
            Operand::Const(constant) => {
                let number = matches!(constant, Constant::Int { .. } | Constant::Float { .. });
                let nothing =
                    matches!(constant, Constant::Zero(_) | Constant::Undef(_) | Constant::Poison(_));
                if number || nothing || constant.is_nowhere() { Origins::new() } else { one(Origin::Unseen) }
            }
        }
    }

    fn of_all(&self, operands: &[Operand]) -> Origins {
        let mut all = Origins::new();
        for operand in operands {
            add_all(&mut all, &self.of(operand));
        }
        all
    }

    /// The same of what is computed with them, so that addresses lead anywhere.
    fn made_of(&self, operands: &[Operand]) -> Origins {
        let origins = operands.iter().flat_map(|operand| self.of(operand));
        origins.map(|(origin, _)| (origin, Stand::ANYWHERE)).collect()
    }

    /// The memory a pointer leads to, if it is the function's own, and where it stands there.
    fn behind(&self, pointer: &Operand) -> Vec<(Option<ValueId>, Stand)> {
        let origins = self.of(pointer).into_iter().filter(|(origin, _)| *origin != Origin::Bits);
        origins.map(|(origin, stand)| (origin.own(), stand)).collect()
    }

    fn is_told(&self, stand: Stand) -> bool {
        !self.is_large && stand.step != 1
    }

    fn read(&self, pointer: &Operand, bytes: i128) -> Origins {
        let mut found = Origins::new();
        for (own, stand) in self.behind(pointer) {
            let Some(own) = own else {
                add_all(&mut found, &one(Origin::Unseen));
                continue;
            };
            for (part, origins) in self.lying.get(&own).into_iter().flatten() {
                let missed = part.filter(|_| self.is_told(stand));
                if missed.is_none_or(|put| !meetings(stand, bytes, put).is_empty()) {
                    add_all(&mut found, origins);
                }
            }
        }
        found
    }

    /// Copies what lies behind one pointer to behind another.
    fn bring(&mut self, from: &Operand, to: &Operand, length: Option<i128>) {
        for (own, stand) in self.behind(from) {
            let everywhere = length.map(|length| (Stand::default(), length));
            let Some(own) = own else {
                self.leave(&one(Origin::Unseen), to, everywhere);
                continue;
            };
            for (part, origins) in self.lying.get(&own).cloned().unwrap_or_default() {
                match part.filter(|_| self.is_told(stand)) {
                    Some(part) => {
                        for part in seen_from(stand, part, length) {
                            self.leave(&origins, to, Some(part));
                        }
                    }
                    None => self.leave(&origins, to, everywhere),
                }
            }
        }
    }

    /// Leaves something behind a pointer: so far from it, so many bytes.
    fn leave(&mut self, origins: &Origins, pointer: &Operand, part: Part) {
        if origins.is_empty() {
            return;
        }
        for (own, stand) in self.behind(pointer) {
            if let Some(own) = own {
                let told = part.filter(|_| self.is_told(stand)).map(|(at, bytes)| (shift(stand, at), bytes));
                self.lay(own, told.filter(|(stand, _)| self.is_told(*stand)), origins);
            }
            if own.is_none_or(|own| self.out.contains(&own)) {
                self.let_out(origins.clone());
            }
        }
    }

    fn lay(&mut self, own: ValueId, part: Part, origins: &Origins) {
        let lying = self.lying.entry(own).or_default();
        let has_room = lying.len() < MOST_PARTS || lying.contains_key(&part);
        self.memory_grew |= add_all(lying.entry(part.filter(|_| has_room)).or_default(), origins);
    }

    fn meet(&mut self, origins: Origins) {
        for own in origins.into_keys().filter_map(Origin::own) {
            if self.met.insert(own) {
                self.meet(self.all_in(own));
            }
        }
    }

    fn let_out(&mut self, origins: Origins) {
        for own in origins.into_keys().filter_map(Origin::own) {
            if self.out.insert(own) {
                self.memory_grew = true;
                add_all(self.lying.entry(own).or_default().entry(None).or_default(), &one(Origin::Unseen));
                self.let_out(self.all_in(own));
            }
        }
    }

    fn all_in(&self, own: ValueId) -> Origins {
        let mut all = Origins::new();
        self.lying.get(&own).into_iter().flat_map(BTreeMap::values).for_each(|x| _ = add_all(&mut all, x));
        all
    }
}

/// Whether anything is new.
fn add_all(known: &mut Origins, found: &Origins) -> bool {
    let mut grew = false;
    for (origin, stand) in found {
        let joined = match known.get(origin) {
            // Where something stands that is no address says nothing.
            _ if origin.own().is_none() => Stand::default(),
            Some(before) => join(*before, *stand),
            None => *stand,
        };
        grew |= known.insert(*origin, joined) != Some(joined);
    }
    grew
}

/// A distance further.
fn shift(stand: Stand, by: Stand) -> Stand {
    Stand { start: stand.start + by.start, step: divisor(stand.step, by.step).abs() }.plain()
}

/// Where a part lies as seen from a pointer, as far as it is among so many bytes from there on.
fn seen_from(pointer: Stand, (part, bytes): (Stand, i128), length: Option<i128>) -> Vec<(Stand, i128)> {
    let step = divisor(pointer.step, part.step).abs();
    let any = (Stand { start: part.start - pointer.start, step }.plain(), bytes);
    match length {
        Some(length) if step == 0 || length / step < MOST_TURNS => {
            let places = meetings(pointer, length, (part, bytes)).into_iter();
            places.map(|at| (Stand { start: at, step: 0 }, bytes)).collect()
        }
        _ => vec![any],
    }
}
