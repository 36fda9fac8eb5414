//! A value's cell is written once, behind the value's copy; the number of an edge where it is entered.

use std::collections::BTreeMap;

use super::Derivative;
use crate::check::Obligation::Cells;
use crate::model::{BlockId, Constant, Op, Operand, Type, ValueId};
use crate::plan::{EXIT, Item, Merge, Storage};
use crate::request::{Mode, Part};

/// What a stack slot of the derived function holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// Where the records of loops lie, in split mode.
    Tape,
    /// What the function keeps of the tape to itself between calls.
    Cursor,
    Kept(ValueId),
    /// The passes of the loop with that header.
    Counter(BlockId),
    /// The number of the edge by which that block was entered.
    Edge(BlockId),
    Returned,
    Adjoint(ValueId, u32),
}

/// One access of a cell.
#[derive(Clone)]
pub struct Use {
    pub block: BlockId,
    pub at: ValueId,
    /// What is stored, or `None` for a load.
    pub stored: Option<Operand>,
}

impl Derivative<'_> {
    /// Tells the stack slots apart by their order. Returns whether that was possible.
    pub fn find_cells(&mut self) -> bool {
        let expected = self.expected_cells();
        let mut found = Vec::new();
        for id in self.derived.inst_ids() {
            let Some(inst) = self.derived.inst(id).filter(|inst| inst.origin.is_none()) else { continue };
            if let Op::Alloca(alloca) = &inst.op {
                found.push((id, alloca.allocated.clone()));
            }
        }
        let types = found.iter().map(|(_, ty)| ty).eq(expected.iter().map(|(_, ty)| ty));
        let entry = found.iter().all(|(id, _)| self.homes.home(*id) == Some(BlockId(0)));
        if !types || !entry {
            let message =
                format!("{} cells are expected at the entry, {} found", expected.len(), found.len());
            self.report(Cells, message);
            return false;
        }
        self.cells = found.into_iter().zip(expected).map(|((id, _), (cell, _))| (id, cell)).collect();
        let strays: Vec<ValueId> = self.derived.inst_ids().filter(|id| self.uses_as_value(*id)).collect();
        for id in strays {
            self.report(Cells, format!("%{} uses the address of a cell", id.0));
        }
        true
    }

    fn expected_cells(&self) -> Vec<(Cell, Type)> {
        let (plan, function) = (self.plan, self.function);
        let cell = |choice: &Storage| !matches!(choice, Storage::Argument | Storage::Recompute);
        let kept = plan.storage.iter().filter(|(_, decision)| cell(&decision.choice));
        let mut cells: Vec<(Cell, Type)> =
            kept.map(|(value, _)| (Cell::Kept(*value), function.value_type(*value).clone())).collect();
        cells.extend(plan.merges.iter().filter_map(|(block, decision)| match decision.choice {
            Merge::Record { .. } if self.is_on_tape(*block, Item::Edge) => None,
            Merge::Record { .. } => Some((Cell::Edge(*block), Type::I32)),
            Merge::Count { .. } => Some((Cell::Counter(*block), Type::I64)),
            Merge::Reevaluate { .. } => None,
        }));
        if plan.results.contains(&Part::Primal) {
            cells.push((Cell::Returned, function.ret.clone()));
        }
        if plan.request.mode != Mode::Augmented {
            for value in plan.activity.values() {
                let ty = function.value_type(value);
                cells.extend((0..plan.request.width).map(|lane| (Cell::Adjoint(value, lane), ty.clone())));
            }
        }
        if plan.request.mode != Mode::Gradient && !plan.records.is_empty() {
            cells.push((Cell::Tape, Type::PTR));
        }
        if !plan.records.is_empty() {
            cells.push((Cell::Cursor, super::cursor::cursor_type()));
        }
        cells
    }

    pub fn is_on_tape(&self, block: BlockId, item: Item) -> bool {
        self.plan.records.get(&block).is_some_and(|items| items.contains(&item))
    }

    fn uses_as_value(&self, id: ValueId) -> bool {
        let Some(inst) = self.derived.inst(id) else { return false };
        let place = match inst.op {
            Op::Load(_) => Some(0),
            Op::Store(_) => Some(1),
            _ => None,
        };
        // The cursor is handed to the tape's fast path; the proof of the tape looks at that.
        let is_cell = |x: &Operand| {
            let cell = x.value().and_then(|value| self.cells.get(&value));
            cell.is_some_and(|cell| *cell != Cell::Cursor)
        };
        inst.operands.iter().enumerate().any(|(at, x)| is_cell(x) && Some(at) != place)
    }

    /// The cell that a load or store touches.
    pub fn touched(&self, id: ValueId) -> Option<(Cell, Option<&Operand>)> {
        let inst = self.derived.inst(id)?;
        let (place, stored) = match inst.op {
            Op::Load(_) => (inst.operands.first()?, None),
            Op::Store(_) => (inst.operands.get(1)?, inst.operands.first()),
            _ => return None,
        };
        Some((*self.cells.get(&place.value()?)?, stored))
    }

    /// The loads and stores of each cell, in order.
    pub fn find_uses(&self) -> BTreeMap<Cell, Vec<Use>> {
        let mut uses: BTreeMap<Cell, Vec<Use>> = BTreeMap::new();
        self.cells.values().for_each(|cell| {
            uses.insert(*cell, Vec::new());
        });
        for at in self.derived.inst_ids() {
            if let (Some((cell, stored)), Some(block)) = (self.touched(at), self.homes.home(at)) {
                uses.entry(cell).or_default().push(Use { block, at, stored: stored.cloned() });
            }
        }
        uses
    }

    pub fn check_cells(&mut self) {
        for (cell, uses) in self.find_uses() {
            let (stores, loads): (Vec<Use>, Vec<Use>) =
                uses.into_iter().partition(|place| place.stored.is_some());
            let problem = match cell {
                Cell::Adjoint(..) | Cell::Tape | Cell::Cursor => continue,
                _ if self.plan.request.mode == Mode::Reverse => self.check_restored(&stores),
                Cell::Kept(value) if self.is_saved(value) => self.check_saved(value, &stores, &loads),
                Cell::Kept(value) if self.inverted(value).is_some() => {
                    self.check_inverted(value, &stores, &loads)
                }
                Cell::Counter(header) => self.check_counter(header, &stores),
                Cell::Kept(value) => self.check_kept(value, &stores),
                Cell::Edge(block) => self.check_edge(block, &stores),
                Cell::Returned => self.check_returned(&stores),
            };
            let carried = match cell {
                Cell::Kept(value) => self.is_saved(value) || self.inverted(value).is_some(),
                Cell::Counter(_) => true,
                Cell::Tape | Cell::Cursor | Cell::Edge(_) | Cell::Returned | Cell::Adjoint(..) => false,
            };
            let early = !carried && loads.iter().any(|load| self.copies.contains(&load.block));
            let problem = problem.or(early.then_some("is read in the forward sweep"));
            if let Some(problem) = problem {
                self.report(Cells, format!("the cell of {} {problem}", self.name_cell(cell)));
            }
        }
    }

    fn name_cell(&self, cell: Cell) -> String {
        match cell {
            Cell::Kept(value) => format!("%{}", value.0),
            Cell::Tape => "the tape".into(),
            Cell::Cursor => "the cursor".into(),
            Cell::Counter(header) => format!("the passes of ^{}", header.0),
            Cell::Edge(EXIT) => "the edge into the exit".into(),
            Cell::Edge(block) => format!("the edge into ^{}", block.0),
            Cell::Returned => "the result".into(),
            Cell::Adjoint(value, lane) => format!("the adjoint {lane} of %{}", value.0),
        }
    }

    fn is_saved(&self, value: ValueId) -> bool {
        let decision = self.plan.storage.get(&value);
        decision.is_some_and(|decision| decision.choice == Storage::SaveOnOverwrite)
    }

    /// A cell that is overwritten: in the forward sweep written by its value alone, and read before that to be saved.
    fn check_saved(&self, value: ValueId, stores: &[Use], loads: &[Use]) -> Option<&'static str> {
        let forward: Vec<Use> = stores.iter().filter(|at| self.copies.contains(&at.block)).cloned().collect();
        let problem = self.check_kept(value, &forward);
        let store = forward.first()?;
        let late = |load: &&Use| {
            self.copies.contains(&load.block) && (load.block != store.block || load.at > store.at)
        };
        problem.or(loads.iter().find(late).map(|_| "is read in the forward sweep after it was overwritten"))
    }

    /// Counted at the header, started at the entry, and nowhere else in the forward sweep.
    fn check_counter(&self, header: BlockId, stores: &[Use]) -> Option<&'static str> {
        let Some(Merge::Count { entry, .. }) = self.plan.merges.get(&header).map(|merge| &merge.choice)
        else {
            return Some("are not planned");
        };
        let forward: Vec<&Use> = stores.iter().filter(|at| self.copies.contains(&at.block)).collect();
        let (starts, counts): (Vec<&Use>, Vec<&Use>) =
            forward.into_iter().partition(|at| at.stored.as_ref().is_some_and(super::events::is_zero));
        let at = |uses: &[&Use], block: &BlockId| {
            uses.len() == 1 && uses.iter().all(|place| self.blocks.get(block) == Some(&place.block))
        };
        (!at(&starts, entry) || !at(&counts, &header)).then_some("are not counted from the loop's entry on")
    }

    /// The store stands behind the copy; behind a phi come the other phis and what records are made of, too, and behind
    /// a call the cursor is loaded.
    pub fn check_kept(&self, value: ValueId, stores: &[Use]) -> Option<&'static str> {
        let [store] = stores else { return Some("is not written exactly once") };
        let copy = self.values.get(&value).copied();
        if store.stored.as_ref().and_then(Operand::value) != copy {
            return Some("holds another value");
        }
        if copy.and_then(|copy| self.homes.home(copy)) != Some(store.block) {
            return Some("is not written in the block that computes its value");
        }
        let is_phi =
            |id: ValueId| self.derived.inst(id).is_some_and(|inst| matches!(inst.op, Op::Phi { .. }));
        let copied = |id: ValueId| self.derived.inst(id).is_some_and(|inst| inst.origin.is_some());
        let behind_phi = copy.is_some_and(is_phi);
        let between = self.insts(store.block).map(|(id, _)| id).skip_while(|id| Some(*id) != copy).skip(1);
        let between = between.take_while(|id| *id != store.at).filter(|id| !self.loads_cursor(*id));
        let mut between = between.filter(|id| !behind_phi || copied(*id) && !is_phi(*id));
        between.next().map(|_| "is not written directly behind its value")
    }

    /// The number stored where a block is entered is that of the block it was entered from.
    fn check_edge(&self, block: BlockId, stores: &[Use]) -> Option<&'static str> {
        let [store] = stores else { return Some("is not written exactly once") };
        let place = if block == EXIT { self.seam } else { self.blocks.get(&block).copied() };
        let phi = store.stored.as_ref().and_then(Operand::value);
        let home = phi.and_then(|phi| self.homes.home(phi));
        if Some(store.block) != place || home != place {
            return Some("is not written where the edge ends");
        }
        let Some(Merge::Record { predecessors }) = self.plan.merges.get(&block).map(|merge| &merge.choice)
        else {
            return Some("is not planned");
        };
        let number = |number| Operand::Const(Constant::int(32, number));
        let mut numbered: Vec<(BlockId, Operand)> = (0..)
            .zip(predecessors)
            .filter_map(|(at, from)| Some((*self.blocks.get(from)?, number(at))))
            .collect();
        numbered.sort_by_key(|(from, _)| *from);
        let inst = phi.and_then(|phi| self.derived.inst(phi))?;
        let Op::Phi { from } = &inst.op else { return Some("holds no choice between edges") };
        let mut found: Vec<(BlockId, Operand)> =
            from.iter().copied().zip(inst.operands.iter().cloned()).collect();
        found.sort_by_key(|(from, _)| *from);
        // Control may come from a block by two edges, which have one number.
        found.dedup();
        (found != numbered).then_some("holds the number of another edge")
    }

    /// Each return stores what it returned.
    fn check_returned(&self, stores: &[Use]) -> Option<&'static str> {
        let returns = self.paths.returns();
        if stores.len() != returns.len() {
            return Some("is not written once by each return");
        }
        let wrong = returns.iter().any(|block| {
            let ret = self.function.terminator(*block).and_then(|id| self.function.inst(id));
            let image = ret.and_then(|ret| self.image(ret.operands.first()?));
            let copy = self.blocks.get(block);
            !stores.iter().any(|store| Some(&store.block) == copy && store.stored == image)
        });
        wrong.then_some("holds something else than what is returned")
    }

    /// In the reverse half a cell is filled from the tape before anything else happens.
    fn check_restored(&self, stores: &[Use]) -> Option<&'static str> {
        let filled =
            |at: &&Use| at.block == BlockId(0) && !at.stored.as_ref().is_some_and(super::events::is_zero);
        let [store] = stores.iter().filter(filled).collect::<Vec<_>>()[..] else {
            return Some("is not filled exactly once");
        };
        let from_tape = store.stored.as_ref().and_then(Operand::value).and_then(|id| self.tape_offset(id));
        if store.block != BlockId(0) || from_tape.is_none() {
            return Some("is not filled from the tape at the start");
        }
        None
    }
}
