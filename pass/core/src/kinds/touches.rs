//! How memory is touched: what each load and store says of the bytes it moves.
//!
//! Function + pointers → touches, by the place they lead to. Of a place reached by a pointer found in memory the name is
//! where it was found, so that two loads of one pointer lead to one place.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analyses::atomic_counts::counts_atomically;
use crate::analyses::carriers::find_movers;
use crate::analyses::flow::blocks_of_values;
use crate::analyses::memory_calls::memory_call;
use crate::analyses::offsets::{Extent, Offset};
use crate::analyses::pointers::Pointers;
use crate::analyses::users::{Users, find_users};
use crate::model::{
    BlockId, CastOp, Constant, Function, Inst, IntOp, Layout, Op, Operand, Program, Type, ValueId,
};

use super::arms::Arms;
use super::distance::Distance;
use super::names::{Named, Names};
use super::places::{Place, Places};
use super::relayed::{ByPlace, Relayed};
use super::scalars::take_apart;
use super::seen::{Said, Seen};
use super::sums::Sum;
use super::texts::find_texts;
use super::webs::{Web, find_webs};

/// What bytes are, by one who touches them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Float(crate::model::FloatKind),
    Pointer,
    /// Counted with, computed, or declared to be one: positively no float.
    Integer,
    /// Only looked at as an integer: its bits may be a float's all the same.
    Looked,
    /// One thing or another; who touches it so does not tell.
    Unclear,
    /// What the function was given as an integer. Its caller may not hand over the bits of an active float so, but to this function it
    /// is as unclear.
    Given,
}

/// A part of what a load or store moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    pub extent: Extent,
    pub kind: Kind,
    /// Where what is counted with is, as far as the last bits of indices tell as well.
    pub exact: Offset,
    /// The stride of that where it is touched. As others see it, it may be nearer to the next than it is.
    pub jump: u128,
    /// What is counted with is gone through, element by element.
    pub walks: bool,
    /// Where somebody says that it is an integer, and so has no derivative.
    pub block: Option<BlockId>,
    /// A member that is declared to be a float or a pointer.
    pub member: bool,
    /// An element of an array in a struct, or a pointer there, that was stepped to by the type of the struct.
    pub stepped: bool,
}

pub struct Touches<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    layout: &'a Layout,
    pub arms: Arms<'a>,
    pub seen: Arc<Seen>,
    pointers: &'a Pointers,
    places: Places<'a>,
    pub by_place: ByPlace,
    /// Places of which all who touch them were heard.
    told: BTreeSet<Place>,
    /// Those of which all were heard who touch what is moved there, or from there.
    followed: BTreeSet<Place>,
}

impl<'a> Touches<'a> {
    pub fn of(
        function: &'a Function,
        program: &'a Program,
        pointers: &'a Pointers,
        layout: &'a Layout,
    ) -> Touches<'a> {
        Touches::with(function, program, (pointers, layout), find_movers(function, program))
    }

    /// The same, where it is known which integers may be bits of floats.
    pub fn with(
        function: &'a Function,
        program: &'a Program,
        (pointers, layout): (&'a Pointers, &'a Layout),
        carriers: BTreeSet<ValueId>,
    ) -> Touches<'a> {
        let read = |carriers| Touches::read((function, program), pointers, layout, carriers);
        let mut said = program.once_of(function, || read(carriers.clone()));
        if said.carriers != carriers {
            said = Arc::new(read(carriers));
        }
        let mut touches = Touches::before((function, program), pointers, layout, said.seen.clone());
        touches.by_place = said.by_place.clone();
        touches
    }

    /// Before anybody has said anything.
    fn before(
        (function, program): (&'a Function, &'a Program),
        pointers: &'a Pointers,
        layout: &'a Layout,
        seen: Arc<Seen>,
    ) -> Touches<'a> {
        Touches {
            function,
            program,
            layout,
            arms: Arms::of(function),
            places: seen.places(pointers),
            seen,
            pointers,
            by_place: BTreeMap::new(),
            told: BTreeSet::new(),
            followed: BTreeSet::new(),
        }
    }

    /// What the function itself says.
    fn read(
        (function, program): (&'a Function, &'a Program),
        pointers: &'a Pointers,
        layout: &'a Layout,
        carriers: BTreeSet<ValueId>,
    ) -> Said {
        let mut reader = Reader {
            function,
            layout,
            moved: find_webs(function, layout).into_iter().flat_map(|web: Web| web.values).collect(),
            counted_moves: BTreeSet::new(),
            carriers,
            users: find_users(function),
            blocks: blocks_of_values(function),
            each_time: RefCell::default(),
            is_users: !program.is_mentioned(&function.name),
            least_float: program.least_float(),
        };
        let seen = Arc::new(Seen::of((function, program), pointers, layout, &mut reader));
        let mut touches = Touches::before((function, program), pointers, layout, seen.clone());
        touches.read_accesses(&reader);
        Said { carriers: reader.carriers, seen, by_place: touches.by_place }
    }

    fn read_accesses(&mut self, reader: &Reader) {
        let function = self.function;
        let mut sums = Vec::new();
        let placed = |block| function.block(block).insts.iter().map(move |id| (block, *id));
        for (block, id) in function.block_ids().flat_map(placed) {
            let Some(inst) = function.inst(id) else { continue };
            for (pointer, bytes) in find_texts(function, inst, self.layout) {
                let characters = Type::Array(bytes, Type::Int(8).into());
                self.add((pointer, &characters), Some(Kind::Integer), (block, inst), false);
            }
            let (pointer, kind) = match &inst.op {
                Op::Load(_) => (&inst.operands[0], reader.kind_of_load(id, inst)),
                Op::Store(_) => (&inst.operands[1], reader.kind_of_store(inst)),
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } if counts_atomically(function, inst) => {
                    (&inst.operands[0], Some(Kind::Integer))
                }
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } => (&inst.operands[0], Some(Kind::Unclear)),
                _ => continue,
            };
            if let (Op::Store(_), Some(Kind::Unclear)) = (&inst.op, kind)
                && let Some(loads) = reader.find_summed(&inst.operands[0])
            {
                sums.push(Sum { store: id, block, loads });
                continue;
            }
            let ty = function.accessed_type(inst).unwrap_or(Type::Void);
            // It may be counted with in one arm, and stored in another. What is declared is an integer wherever it is read.
            let counted = kind == Some(Kind::Integer) && !is_declared(inst);
            let beside = reader.blocks_of_counting(id).filter(|_| counted);
            // Of what is no number it is not asked.
            let walks = kind == Some(Kind::Integer) && reader.counts_each_time((id, inst), pointer);
            for block in beside.unwrap_or_else(|| BTreeSet::from([block])) {
                self.add((pointer, &ty), kind, (block, inst), walks);
            }
        }
        self.settle_sums(sums);
    }

    /// `whole` is what an integer in it is, `None` where it says nothing.
    pub(super) fn add(
        &mut self,
        (pointer, ty): (&Operand, &Type),
        whole: Option<Kind>,
        (block, access): (BlockId, &Inst),
        walks: bool,
    ) {
        let mut parts = Vec::new();
        take_apart(ty, 0, whole, self.layout, &mut parts);
        let (extent, exact) = (self.seen.offsets.extent(pointer, ty), self.stands(pointer).exact);
        let (walks, member) = (walks && whole == Some(Kind::Integer), is_other_member(access));
        let stepped = is_stepped_to(access);
        for place in self.places.of_pointer(pointer) {
            let touches = self.by_place.entry(place).or_default();
            for (offset, bytes, kind) in &parts {
                let behind = |mut at: Offset| {
                    at.start += i128::from(*offset);
                    at
                };
                let block = (*kind == Kind::Integer).then_some(block);
                let (extent, exact) = (Extent { at: behind(extent.at), bytes: *bytes }, behind(exact));
                let jump = exact.stride;
                touches.insert(Touch { extent, kind: *kind, exact, jump, walks, block, member, stepped });
            }
        }
    }

    /// How far a pointer is from the start of what it leads to.
    pub fn stands(&self, pointer: &Operand) -> Distance {
        Distance {
            rough: self.seen.offsets.of_operand(pointer),
            exact: self.seen.exactly.of_operand(pointer),
        }
    }

    pub fn places_of(&self, pointer: &Operand) -> BTreeSet<Place> {
        self.places.of_pointer(pointer)
    }

    /// Whether this memory has one name only, so that whoever touches it here is seen.
    pub fn is_closed(&self, place: &Place) -> bool {
        let named = matches!(place, Place::Stack(_) | Place::Heap(_) | Place::Param(_) | Place::Global(_));
        // What copies, clears and frees memory keeps no address of it.
        let keeps = |call: ValueId| self.function.inst(call).is_none_or(|call| memory_call(call).is_none());
        named
            && !self.seen.stored.contains(place)
            && !(self.calls_at(place).any(keeps) && self.callees_store_pointers())
    }

    /// All names of memory that this function made, and of which nobody else has the address, by one of them.
    pub fn all_names(&self, place: &Place) -> Option<Named> {
        let names = self.seen.names.get_or_init(|| {
            Names::of(self.function, self.program, (self.pointers, &self.places), &self.seen.offsets)
        });
        names.of_place(place)
    }

    pub fn is_stored(&self, place: &Place) -> bool {
        self.seen.stored.contains(place)
    }

    /// Whether all who touch this memory are seen, in whatever function.
    pub fn is_told(&self, place: &Place) -> bool {
        self.told.contains(place)
    }

    /// Whether nobody but this function touches this memory: what nobody touches here is dead.
    pub fn is_own(&self, place: &Place) -> bool {
        let mut calls = self.calls_at(place).filter_map(|call| self.function.inst(call));
        matches!(place, Place::Stack(_) | Place::Heap(_))
            && self.is_closed(place)
            && calls.all(|call| memory_call(call).is_some())
    }

    fn callees_store_pointers(&self) -> bool {
        *self.seen.others_store_pointers.get_or_init(|| self.do_others_store_pointers())
    }

    fn do_others_store_pointers(&self) -> bool {
        let others = self.program.functions.iter().filter(|other| other.name != self.function.name);
        others.flat_map(|other| other.insts.iter().map(move |inst| (other, inst))).any(|(other, inst)| {
            // Null is the address of nothing.
            let null = || matches!(&inst.operands[0], Operand::Const(Constant::Null(_)));
            let is_store = matches!(inst.op, Op::Store(_));
            is_store && other.operand_type(&inst.operands[0]).holds_pointer() && !null()
        })
    }

    /// Whether other functions are differentiated with this one: they may touch what this one is given.
    pub fn has_others(&self) -> bool {
        let bodies = self.program.functions.iter().filter(|other| !other.is_declaration());
        bodies.filter(|other| other.name != self.function.name).count() > 0
    }

    pub fn layout(&self) -> &Layout {
        self.layout
    }

    pub fn least_float(&self) -> u64 {
        self.program.least_float()
    }

    /// The same, with what other functions say.
    pub fn hear(&mut self, relayed: &Relayed) {
        for (place, touches) in relayed.to(&self.function.name) {
            self.by_place.entry(place.clone()).or_default().extend(touches);
        }
    }

    /// The same, with what is said of one place, of which others may know more.
    pub fn hear_more(&mut self, place: &Place, said: BTreeSet<Touch>) {
        self.by_place.entry(place.clone()).or_default().extend(said);
    }

    /// The same, with what all others say who touch a place.
    pub fn hear_all(&mut self, place: &Place, others: BTreeSet<Touch>) {
        self.by_place.entry(place.clone()).or_default().extend(others);
        self.told.insert(place.clone());
    }

    /// Says that all were heard who touch what comes from there or goes there.
    pub fn follow(&mut self, place: &Place) {
        self.followed.insert(place.clone());
    }

    /// Whether all are seen who touch what lies in this memory, wherever it is moved.
    pub fn is_followed(&self, place: &Place) -> bool {
        self.followed.contains(place)
    }

    pub fn at(&self, place: &Place) -> impl Iterator<Item = &Touch> {
        self.by_place.get(place).into_iter().flatten()
    }

    pub fn calls_at(&self, place: &Place) -> impl Iterator<Item = ValueId> {
        self.seen.calls.get(place).into_iter().flatten().copied()
    }
}

/// Tells what an integer in memory is.
pub(super) struct Reader<'a> {
    pub(super) function: &'a Function,
    pub(super) layout: &'a Layout,
    /// Values that are only moved say nothing.
    pub(super) moved: BTreeSet<ValueId>,
    /// Values that are moved, and counted with or looked at as well.
    pub(super) counted_moves: BTreeSet<ValueId>,
    pub(super) carriers: BTreeSet<ValueId>,
    /// Who uses a value, and as which operand.
    users: Users,
    pub(super) blocks: BTreeMap<ValueId, BlockId>,
    /// Whether the loop of a header comes back by a block only, where that was asked.
    pub(super) each_time: RefCell<BTreeMap<(BlockId, BlockId), bool>>,
    /// Nobody here calls the function, but the user.
    is_users: bool,
    /// The bytes of the smallest float of the program.
    least_float: u64,
}

impl Reader<'_> {
    /// The blocks in which a load is counted with that is moved as well.
    fn blocks_of_counting(&self, load: ValueId) -> Option<BTreeSet<BlockId>> {
        let counting = self.counted_moves.contains(&load).then(|| self.find_counting(load))?;
        Some(counting.iter().filter_map(|user| self.blocks.get(user).copied()).collect())
    }

    fn kind_of_load(&self, id: ValueId, inst: &Inst) -> Option<Kind> {
        match inst.ty.scalar() {
            _ if is_declared(inst) => Some(Kind::Integer),
            Type::Int(_) if self.moved.contains(&id) => None,
            Type::Int(_) if self.counted_moves.contains(&id) => {
                Some(if self.find_counting(id).is_empty() { Kind::Looked } else { Kind::Integer })
            }
            Type::Int(_) if self.carriers.contains(&id) => Some(Kind::Unclear),
            Type::Int(_) if !self.is_counted_with(id) => Some(Kind::Looked),
            Type::Int(_) => Some(Kind::Integer),
            _ => Some(Kind::Unclear),
        }
    }

    fn kind_of_store(&self, inst: &Inst) -> Option<Kind> {
        match &inst.operands[0] {
            _ if is_declared(inst) => Some(Kind::Integer),
            // What constants may mean everything else tells.
            Operand::Const(_) => None,
            Operand::Value(value) if self.moved.contains(value) || self.counted_moves.contains(value) => None,
            Operand::Value(value) if self.function.inst(*value).is_none() => Some(self.kind_of_param(*value)),
            value if self.is_computed(value, true, &mut BTreeSet::new()) => Some(Kind::Integer),
            _ => Some(Kind::Unclear),
        }
    }

    /// What the user hands over as an integer no longer than an `int` is one: a struct of a float and an integer is passed in eight bytes,
    /// and a float alone as what it is. A half and a short take four.
    fn kind_of_param(&self, param: ValueId) -> Kind {
        let Type::Int(bits @ (8 | 16 | 32)) = self.function.value_type(param) else { return Kind::Given };
        let short = u64::from(*bits) <= 8 * self.least_float;
        if self.is_users && short { Kind::Integer } else { Kind::Given }
    }

    /// Whether an integer is used as only integers are. Floats may be compared by their bits, hashed and sorted by them;
    /// nobody takes them for an index, makes floats of their value, or adds a count to them. What is shorter than any float is no float.
    pub(super) fn is_counted_with(&self, integer: ValueId) -> bool {
        let short = |bits: u32| matches!(bits, 8 | 16) && u64::from(bits) < 8 * self.least_float;
        if matches!(self.function.value_type(integer), Type::Int(bits) if short(*bits)) {
            return true;
        }
        !self.find_counting(integer).is_empty()
    }

    /// Who uses an integer, or what is made of it unchanged, as only integers are used.
    pub(super) fn find_counting(&self, integer: ValueId) -> BTreeSet<ValueId> {
        let (mut seen, mut waiting, mut counting) = (BTreeSet::new(), vec![integer], BTreeSet::new());
        while let Some(value) = waiting.pop() {
            if !seen.insert(value) {
                continue;
            }
            for (user, at) in self.users.get(&value).into_iter().flatten() {
                let Some(inst) = self.function.inst(*user) else { continue };
                let counts = match &inst.op {
                    Op::Cast(CastOp::SiToFp | CastOp::UiToFp) | Op::Switch { .. } => true,
                    Op::Gep(_) => *at > 0,
                    Op::ICmp(_) => self.is_number(&inst.operands[1 - at], 1),
                    // Nobody divides by the bits of a float, or divides them, as numbers with a sign.
                    Op::Int(IntOp::SDiv | IntOp::SRem) => true,
                    Op::Int(op) => !is_bitwise(*op) && self.is_number(&inst.operands[1 - at], 0),
                    Op::Call(_) if inst.picks_integer() || inst.compares_integers() => {
                        self.is_number(&inst.operands[1 - at], 1)
                    }
                    Op::Call(_) if inst.saturates() || inst.checks_overflow() => {
                        self.is_number(&inst.operands[1 - at], 0)
                    }
                    _ => false,
                };
                match &inst.op {
                    _ if counts => drop(counting.insert(*user)),
                    Op::Cast(CastOp::SExt | CastOp::ZExt) | Op::Phi { .. } | Op::Freeze => {
                        waiting.push(*user)
                    }
                    Op::Select if *at > 0 => waiting.push(*user),
                    Op::Call(_) if inst.picks_integer() => waiting.push(*user),
                    _ => {}
                }
            }
        }
        counting
    }

    /// Whether an integer meets what no float's bits meet: a small constant, or the result of counting.
    fn is_number(&self, operand: &Operand, least: u128) -> bool {
        match operand {
            Operand::Const(constant) => {
                constant.as_signed().is_some_and(|value| (least..=1 << 16).contains(&value.unsigned_abs()))
            }
            counted => self.is_computed(counted, false, &mut BTreeSet::new()),
        }
    }

    /// Whether an integer is the result of counting, whatever way control went; of what was loaded, too, if `loads`.
    pub(super) fn is_computed(&self, value: &Operand, loads: bool, seen: &mut BTreeSet<ValueId>) -> bool {
        let Operand::Value(id) = value else { return true };
        if !seen.insert(*id) {
            return true;
        }
        // What is passed as an integer has no derivative, so arithmetic on it has none.
        let Some(inst) = self.function.inst(*id) else { return true };
        let mut all = |operands: &[Operand]| operands.iter().all(|x| self.is_computed(x, loads, seen));
        match &inst.op {
            Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => true,
            Op::Load(_) => {
                let known = !self.carriers.contains(id) || self.counted_moves.contains(id);
                loads && (is_declared(inst) || known && self.is_counted_with(*id))
            }
            Op::Int(_) | Op::Phi { .. } | Op::Freeze => all(&inst.operands),
            Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => all(&inst.operands),
            Op::Select => all(&inst.operands[1..]),
            Op::Call(_) if inst.compares_integers() => true,
            Op::Call(_) if inst.picks_integer() || inst.saturates() => all(inst.arguments()),
            Op::ExtractValue { .. } if is_checked_result(self.function, inst) => all(&inst.operands),
            Op::Call(_) if inst.checks_overflow() => all(inst.arguments()),
            _ => false,
        }
    }
}

/// Whether a value is a part of what checked arithmetic gives.
fn is_checked_result(function: &Function, part: &Inst) -> bool {
    let whole = part.operands[0].value().and_then(|id| function.inst(id));
    whole.is_some_and(Inst::checks_overflow)
}

pub fn is_declared(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Load(access) | Op::Store(access) if access.integer)
}

pub fn is_other_member(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Load(access) | Op::Store(access) if access.member)
}

/// Or a pointer that is known to be kept in front of what it leads to, which says where an allocation begins.
pub fn is_stepped_to(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Load(access) | Op::Store(access) if access.stepped || access.integer)
}

fn is_bitwise(op: IntOp) -> bool {
    matches!(op, IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::LShr | IntOp::AShr)
}
