//! Memory that functions of a program make for each other and nobody else finds, and which of it copies may move word by word.
//!
//! The same as `own_words` tells of one function's memory, by all who touch it in any of them: where there is nothing but doubles,
//! pointers and integers, each double at the start of a word, the reverse sweep finds the doubles by what is in the shadow then.
//! What copies join is one class, since a word that nobody reads here may be read where it is moved to.
//! Safe error: nothing is moved like that.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::carriage::{Carried, Of, Place};
use super::globals::Globals;
use super::memory_calls::{MemoryCall, memory_call};
use super::offsets::Offset;
use super::own_words::starts_at_multiple;
use super::scope::Scope;
use super::whole_origins::WholeOrigins;
use crate::model::{Constant, FloatKind, Function, Inst, Op, Operand, Program, Type};

/// The bytes of a double, and of a pointer.
const WORD: u64 = 8;

pub struct SharedWords {
    whole: WholeOrigins,
    /// Memory in which copies may move words, with what there is in its class.
    classes: BTreeMap<Place, Class>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Class {
    pub doubles: bool,
    /// Whether something is copied there from or to anywhere.
    pub copied: bool,
}

impl SharedWords {
    /// Several ask.
    pub fn of(function: &Function, program: &Program) -> Arc<SharedWords> {
        program.once_of(function, || SharedWords::find(function, program))
    }

    /// The class of all that a pointer may lead to, if that is such memory and nothing else.
    pub fn behind(&self, pointer: &Operand) -> Option<Class> {
        let addresses = self.whole.carried_by(pointer.value()?)?.keys().filter(|of| may_be_address(**of));
        let classes: Option<Vec<Class>> = addresses.map(|of| self.classes.get(&of.own()?).copied()).collect();
        let join =
            |a: Class, b: Class| Class { doubles: a.doubles || b.doubles, copied: a.copied || b.copied };
        classes?.into_iter().reduce(join)
    }

    fn find(function: &Function, program: &Program) -> SharedWords {
        let scope = Scope::of_all(function, program).taking_floats_for_floats();
        let whole = WholeOrigins::find(&scope, function, program);
        let mut search = Search {
            scope: &scope,
            program,
            whole: &whole,
            joined: BTreeMap::new(),
            lost: whole.left_behind.clone(),
            doubles: BTreeSet::new(),
            copied: BTreeSet::new(),
            bare: OnceCell::new(),
        };
        for (number, function) in scope.functions.iter().enumerate() {
            let made = whole.origins.contents.keys().filter(|place| place.0 == number);
            search.lost.extend(made.filter(|place| function.inst(place.1).is_none()));
            for inst in &function.insts {
                search.read(number, function, inst);
            }
        }
        let classes = search.classes();
        SharedWords { whole, classes }
    }
}

struct Search<'a> {
    scope: &'a Scope<'a>,
    program: &'a Program,
    whole: &'a WholeOrigins,
    /// What copies join directly.
    joined: BTreeMap<Place, BTreeSet<Place>>,
    /// Memory with anything else in it, or of which not all is seen.
    lost: BTreeSet<Place>,
    doubles: BTreeSet<Place>,
    copied: BTreeSet<Place>,
    bare: OnceCell<BTreeSet<String>>,
}

impl Search<'_> {
    fn read(&mut self, number: usize, function: &Function, inst: &Inst) {
        match &inst.op {
            Op::Load(access) => self.touch(number, &inst.operands[0], &inst.ty, access.align),
            Op::Store(access) => {
                let ty = function.operand_type(&inst.operands[0]);
                self.touch(number, &inst.operands[1], &ty, access.align);
            }
            _ if memory_call(inst) == Some(MemoryCall::Copy) => self.join(number, inst),
            // Of what others are given `origins` knows.
            _ => {}
        }
    }

    fn carried(&self, number: usize, pointer: &Operand) -> Carried {
        let carried = pointer.value().and_then(|id| self.whole.origins.carried.get(&(number, id)));
        carried.cloned().unwrap_or_default()
    }

    fn touch(&mut self, number: usize, pointer: &Operand, ty: &Type, align: u64) {
        let places = self.carried(number, pointer);
        let places = places.into_iter().filter_map(|(of, at)| Some((of.own()?, at)));
        match ty.scalar() {
            Type::Int(_) => {}
            Type::Ptr(_) | Type::Float(FloatKind::Double) if ty.is_pointer() || !ty.holds_pointer() => {
                for (place, at) in places {
                    if ty.holds_float() {
                        self.doubles.insert(place);
                    }
                    let fits = align.is_multiple_of(WORD) || is_whole(at) && self.is_aligned(place);
                    if !fits {
                        self.lost.insert(place);
                    }
                }
            }
            _ => self.lost.extend(places.map(|(place, _)| place)),
        }
    }

    fn join(&mut self, number: usize, copy: &Inst) {
        let ends = [0, 1].map(|at| self.carried(number, &copy.arguments()[at]));
        let all: Vec<Place> = ends.iter().flat_map(Carried::keys).filter_map(|of| of.own()).collect();
        let is_foreign = |at: usize| match &copy.arguments()[at] {
            Operand::Const(constant) => at == 0 && !constant.is_nowhere() || !self.is_bare(constant),
            Operand::Value(_) => ends[at].keys().any(|of| may_be_address(*of) && of.own().is_none()),
        };
        if is_foreign(0) || is_foreign(1) {
            self.lost.extend(&all);
        }
        self.copied.extend(&all);
        for (one, other) in all.iter().zip(all.iter().skip(1)) {
            self.joined.entry(*one).or_default().insert(*other);
            self.joined.entry(*other).or_default().insert(*one);
        }
    }

    /// Whether a constant is memory from which no float can be reached.
    fn is_bare(&self, constant: &Constant) -> bool {
        let bare = self.bare.get_or_init(|| Globals::of(self.program).without_floats());
        constant.is_nowhere() || constant.symbol().is_some_and(|name| bare.contains(name))
    }

    fn is_aligned(&self, (number, id): Place) -> bool {
        self.scope.functions[number].inst(id).is_some_and(|made| starts_at_multiple(made, WORD))
    }

    fn classes(&self) -> BTreeMap<Place, Class> {
        let mut classes = BTreeMap::new();
        let mut seen: BTreeSet<Place> = BTreeSet::new();
        for start in self.whole.origins.contents.keys() {
            let (mut class, mut waiting) = (BTreeSet::new(), vec![*start]);
            while let Some(place) = waiting.pop().filter(|_| !seen.contains(start)) {
                if class.insert(place) {
                    waiting.extend(self.joined.get(&place).into_iter().flatten());
                }
            }
            seen.extend(&class);
            if class.is_disjoint(&self.lost) {
                let doubles = !class.is_disjoint(&self.doubles);
                let copied = !class.is_disjoint(&self.copied);
                classes.extend(class.into_iter().map(|place| (place, Class { doubles, copied })));
            }
        }
        classes
    }
}

/// A float is none, though it lies where an address may lie at other times; nor does a constant without floats count, which has no shadow
/// that somebody might want.
fn may_be_address(of: Of) -> bool {
    !matches!(of, Of::Float | Of::Bare)
}

fn is_whole(at: Offset) -> bool {
    at.start % i128::from(WORD) == 0 && at.stride.is_multiple_of(WORD.into())
}
