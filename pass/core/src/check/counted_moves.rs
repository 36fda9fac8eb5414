//! Is an integer that is counted with, and moved as well, an integer wherever it is moved?
//!
//! It is read from memory, joined with others of its kind and with what was counted, and written as it is. Beside that it may be
//! compared, computed with and used as an index, as long as nothing that still has its bits goes anywhere. What lies in the memory
//! it comes from and goes to the accesses there say, and for each store some that a run may pass which passes the store: in one arm
//! a word of a union may be counted with, and in the other it is a float.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::bits::{is_extreme, use_lets_go};
use super::counted::Seeing;
use super::counting::Loaded;
use super::declared::is_plain;
use crate::model::{BlockId, CastOp, Constant, Function, Inst, Op, Operand, Stride, Type, ValueId};

/// Integers that are joined by being moved.
pub struct Moves<'a> {
    pub pointers: Vec<&'a Operand>,
    stores: Vec<ValueId>,
}

impl<'a> Seeing<'a> {
    /// Whether a load whose result is moved is counted with as well; `None` where nothing of the kind can be said.
    pub(super) fn counts_beside(&self, load: ValueId) -> Option<bool> {
        self.follow_counted_moves(load).map(|_| !self.find_counting(load).is_empty())
    }

    /// Whether all that touches the memory of such an integer says that integers are there.
    pub(super) fn is_moved_and_counted(&self, integer: ValueId) -> bool {
        let Some(moves) = self.follow_counted_moves(integer) else { return false };
        let sizes = self.sizes_of(self.function.value_type(integer));
        moves.stores.iter().all(|store| {
            let Some(home) = self.block_of(*store) else { return false };
            if self.went_by(*store, home) {
                return true;
            }
            let passed = self.find_passed_with(home);
            self.are_integers(&moves.pointers, sizes, &|by| {
                self.blocks_that_tell(by).iter().any(|block| passed.contains(block))
            })
        })
    }

    /// Whether each run that comes to the store has touched an address that is so many elements behind another as the number says
    /// that is stored. Nobody has as many elements as the bits of a float say.
    fn went_by(&self, store: ValueId, home: BlockId) -> bool {
        let users = |value| self.users.get(&value).into_iter().flatten();
        let stored = self.function.inst(store).and_then(|inst| inst.operands[0].value());
        let mut waiting: Vec<ValueId> = stored.into_iter().collect();
        let mut touching = Vec::new();
        while let Some(number) = waiting.pop() {
            for (user, at) in users(number) {
                match self.function.inst(*user).map(|inst| &inst.op) {
                    Some(Op::Cast(CastOp::SExt | CastOp::ZExt)) => waiting.push(*user),
                    Some(Op::Gep(gep)) if *at > 0 => {
                        let wide = matches!(gep.strides[*at - 1], Stride::Scale(bytes) if bytes > 0);
                        touching.extend(users(*user).filter(|_| wide));
                    }
                    _ => {}
                }
            }
        }
        touching.into_iter().any(|(user, at)| {
            let touches = match self.function.inst(user).map(|inst| &inst.op) {
                Some(Op::Load(_)) => true,
                Some(Op::Store(_)) => at == 1,
                _ => false,
            };
            touches && self.block_of(user).is_some_and(|block| self.is_always_passed(block, home))
        })
    }

    /// Whether there is no way to a block around another.
    fn is_always_passed(&self, through: BlockId, home: BlockId) -> bool {
        let around =
            |block| self.function.successors(block).into_iter().filter(|next| *next != through).collect();
        through == home || through == BlockId(0) || !walk(BlockId(0), around).contains(&home)
    }

    pub(super) fn follow_counted_moves(&self, integer: ValueId) -> Option<Rc<Moves<'a>>> {
        if let Some(known) = self.moves.borrow().get(&integer) {
            return known.clone();
        }
        let (mut met, mut moves) = (BTreeSet::new(), Moves { pointers: Vec::new(), stores: Vec::new() });
        let followed = self.walk_moves(integer, &mut met, &mut moves);
        // A byte may be a piece of anything, unless it is a number as it is.
        let short = matches!(self.function.value_type(integer), Type::Int(8 | 16));
        let told = !short || met.iter().any(|value| self.becomes_number(*value));
        // A store is what makes it one that is moved.
        let found = followed.filter(|()| told && !moves.stores.is_empty()).map(|()| Rc::new(moves));
        self.moves.borrow_mut().extend(met.into_iter().map(|value| (value, found.clone())));
        found
    }

    fn walk_moves(&self, integer: ValueId, met: &mut BTreeSet<ValueId>, moves: &mut Moves<'a>) -> Option<()> {
        let ty = self.function.value_type(integer);
        let mut waiting = vec![integer];
        while let Some(value) = waiting.pop() {
            if !met.insert(value) {
                continue;
            }
            let inst = self.function.inst(value).filter(|_| matches!(ty, Type::Int(8 | 16 | 32 | 64)))?;
            if matches!(inst.op, Op::Load(_)) {
                moves.pointers.push(&inst.operands[0]);
            }
            for operand in joined(inst)? {
                match operand.value() {
                    Some(other) if self.function.inst(other).is_some_and(|made| joined(made).is_some()) => {
                        waiting.push(other);
                    }
                    Some(other) => {
                        self.function.inst(other)?;
                        let counted = self.is_made_by_counting(operand, Loaded::Kept, &mut BTreeSet::new());
                        counted.then_some(())?;
                    }
                    None => is_known(operand).then_some(())?,
                }
            }
            for (user, at) in self.users.get(&value).into_iter().flatten() {
                let inst = self.function.inst(*user)?;
                match &inst.op {
                    Op::Store(access) if *at == 0 && is_plain(access) => {
                        moves.pointers.push(&inst.operands[1]);
                        moves.stores.push(*user);
                    }
                    Op::Phi { .. } | Op::Freeze if inst.ty == *ty => waiting.push(*user),
                    Op::Select if *at > 0 && inst.ty == *ty => waiting.push(*user),
                    Op::Call(_) if is_extreme(inst) => waiting.push(*user),
                    _ => {
                        (!use_lets_go(self.function, &self.users, self.program, (*user, *at))).then_some(())?
                    }
                }
            }
        }
        Some(())
    }

    fn becomes_number(&self, integer: ValueId) -> bool {
        self.find_counting(integer).into_iter().any(|user| {
            let user = self.function.inst(user).map(|inst| &inst.op);
            matches!(user, Some(Op::Cast(CastOp::SiToFp | CastOp::UiToFp)))
        })
    }

    /// Whether the bits of a load go anywhere but to memory, as they are.
    pub(super) fn lets_go(&self, load: ValueId) -> bool {
        let ty = self.function.value_type(load);
        let (mut met, mut waiting) = (BTreeSet::new(), vec![load]);
        while let Some(value) = waiting.pop() {
            if !met.insert(value) {
                continue;
            }
            for (user, at) in self.users.get(&value).into_iter().flatten() {
                let user_of = self.function.inst(*user);
                if user_of.is_some_and(is_extreme) {
                    waiting.push(*user);
                    continue;
                }
                match user_of.map(|inst| (&inst.op, &inst.ty)) {
                    Some((Op::Store(access), _)) if *at == 0 && is_plain(access) => {}
                    Some((Op::Phi { .. } | Op::Freeze, joined)) if joined == ty => waiting.push(*user),
                    Some((Op::Select, joined)) if *at > 0 && joined == ty => waiting.push(*user),
                    _ if use_lets_go(self.function, &self.users, self.program, (*user, *at)) => return true,
                    _ => {}
                }
            }
        }
        false
    }

    fn passing(&self) -> &Passing {
        self.passing.get_or_init(|| Passing::of(self.function))
    }

    fn block_of(&self, id: ValueId) -> Option<BlockId> {
        self.passing().homes.get(&id).copied()
    }

    /// The blocks of a run in which somebody says of a place that an integer is there: where a load that is moved, too, is counted
    /// with, and elsewhere where the access is.
    fn blocks_that_tell(&self, by: ValueId) -> BTreeSet<BlockId> {
        let counting = match self.counts_beside(by) {
            Some(true) => self.find_counting(by),
            _ => BTreeSet::from([by]),
        };
        counting.into_iter().filter_map(|id| self.block_of(id)).collect()
    }

    /// The blocks from which control comes to a block, and to which it comes from there.
    fn find_passed_with(&self, home: BlockId) -> Rc<BTreeSet<BlockId>> {
        let passing = self.passing();
        let mut known = passing.passed.borrow_mut();
        let passed = known.entry(home).or_insert_with(|| {
            let mut passed = walk(home, |block| self.function.successors(block));
            passed.extend(walk(home, |block| passing.before.get(&block).cloned().unwrap_or_default()));
            Rc::new(passed)
        });
        passed.clone()
    }
}

/// Which blocks a run may pass together, as far as was asked.
pub struct Passing {
    homes: BTreeMap<ValueId, BlockId>,
    /// From where control comes to each block.
    before: BTreeMap<BlockId, Vec<BlockId>>,
    passed: RefCell<BTreeMap<BlockId, Rc<BTreeSet<BlockId>>>>,
}

impl Passing {
    fn of(function: &Function) -> Passing {
        let (mut homes, mut before) = (BTreeMap::new(), BTreeMap::<BlockId, Vec<BlockId>>::new());
        for block in function.block_ids() {
            homes.extend(function.block(block).insts.iter().map(|id| (*id, block)));
            for next in function.successors(block) {
                before.entry(next).or_default().push(block);
            }
        }
        Passing { homes, before, passed: RefCell::default() }
    }
}

/// A constant that is no address.
fn is_known(operand: &Operand) -> bool {
    let Operand::Const(constant) = operand else { return false };
    matches!(constant, Constant::Int { .. } | Constant::Zero(_) | Constant::Undef(_) | Constant::Poison(_))
}

fn walk(home: BlockId, next: impl Fn(BlockId) -> Vec<BlockId>) -> BTreeSet<BlockId> {
    let (mut met, mut waiting) = (BTreeSet::new(), vec![home]);
    while let Some(block) = waiting.pop() {
        if met.insert(block) {
            waiting.extend(next(block));
        }
    }
    met
}

/// What is moved is one of these; `None` for what is made in another way than by moving.
fn joined(inst: &Inst) -> Option<&[Operand]> {
    match &inst.op {
        Op::Load(access) => is_plain(access).then_some(&[]),
        Op::Phi { .. } | Op::Freeze => Some(&inst.operands),
        Op::Select => Some(&inst.operands[1..]),
        Op::Call(_) if is_extreme(inst) => Some(inst.arguments()),
        _ => None,
    }
}
