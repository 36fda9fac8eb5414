//! Builds a function in the model: blocks in any order, instructions at their ends, values numbered at the end.

use std::collections::BTreeSet;

use crate::model::{
    Access, Block, BlockId, Constant, Flags, FloatKind, Function, Inst, Layout, Linkage, Loc, Op, Operand,
    Param, Type, ValueId,
};

pub struct Builder {
    function: Function,
    /// Where new instructions go.
    at: BlockId,
    /// The place in the user's source that new instructions belong to.
    pub loc: Option<Loc>,
    /// Fast-math flags of new float arithmetic.
    pub flags: Flags,
    /// What all of it is allowed beside that.
    pub allowed: Flags,
    /// Sizes and alignments of the memory that is touched.
    pub layout: Layout,
    /// The cells that stay in memory.
    pub resident: BTreeSet<ValueId>,
}

impl Builder {
    pub fn new(name: String, params: Vec<Param>, ret: Type, layout: Layout) -> Builder {
        let function = Function {
            name,
            linkage: Linkage::Local,
            params,
            variadic: false,
            ret,
            attributes: Vec::new(),
            blocks: Vec::new(),
            insts: Vec::new(),
            loops: Vec::new(),
            memory: Default::default(),
            aliases: Vec::new(),
            names: Default::default(),
            loc: None,
        };
        Builder::of(function, layout)
    }

    /// Writes on in a function that is there.
    pub fn of(function: Function, layout: Layout) -> Builder {
        Builder {
            function,
            at: BlockId(0),
            loc: None,
            flags: Flags::default(),
            allowed: Flags::default(),
            layout,
            resident: BTreeSet::new(),
        }
    }

    pub fn add_block(&mut self, name: impl Into<String>) -> BlockId {
        self.function.blocks.push(Block { name: Some(name.into()), insts: Vec::new() });
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    pub fn move_to(&mut self, block: BlockId) {
        self.at = block;
    }

    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.function.blocks.len() as u32).map(BlockId)
    }

    /// How many instructions there are beside those of the function that it was begun with.
    pub fn added(&self, start: &Function) -> usize {
        self.function.insts.len() - start.insts.len()
    }

    pub fn function(&self) -> &Function {
        &self.function
    }

    pub fn function_mut(&mut self) -> &mut Function {
        &mut self.function
    }

    pub fn inst(&self, id: ValueId) -> Option<&Inst> {
        self.function.insts.get((id.0 as usize).checked_sub(self.function.params.len())?)
    }

    /// Empties a block to write it anew, and moves there; [`Builder::place`] takes what it held.
    pub fn reopen(&mut self, block: BlockId) -> Vec<ValueId> {
        self.at = block;
        std::mem::take(&mut self.function.blocks[block.0 as usize].insts)
    }

    /// Appends an instruction that a reopened block held.
    pub fn place(&mut self, id: ValueId) {
        self.function.blocks[self.at.0 as usize].insts.push(id);
    }

    pub fn here(&self) -> BlockId {
        self.at
    }

    /// Of the function that is built.
    pub fn name(&self) -> &str {
        &self.function.name
    }

    pub fn param(&self, index: usize) -> Operand {
        Operand::Value(ValueId(index as u32))
    }

    pub fn type_of(&self, operand: &Operand) -> Type {
        self.function.operand_type(operand)
    }

    /// Appends an instruction to the current block.
    pub fn push(&mut self, op: Op, ty: Type, operands: Vec<Operand>) -> Operand {
        let inst = Inst { op, ty, operands, flags: Flags::default(), loc: self.loc, origin: None };
        self.push_inst(inst)
    }

    pub fn push_inst(&mut self, inst: Inst) -> Operand {
        let id = ValueId((self.function.params.len() + self.function.insts.len()) as u32);
        self.function.insts.push(inst);
        self.function.blocks[self.at.0 as usize].insts.push(id);
        Operand::Value(id)
    }

    /// Float arithmetic, under the current flags.
    pub fn push_float(&mut self, op: Op, ty: Type, operands: Vec<Operand>) -> Operand {
        let flags = self.flags.with(self.allowed);
        let inst = Inst { op, ty, operands, flags, loc: self.loc, origin: None };
        self.push_inst(inst)
    }

    /// Adds a promise to the newest instruction.
    pub fn flag_last(&mut self, flags: Flags) {
        if let Some(inst) = self.function.insts.last_mut() {
            inst.flags = inst.flags.with(flags);
        }
    }

    /// What was read may have been narrowed to a truth value since.
    fn newest_access(&mut self) -> Option<&mut Access> {
        self.function.insts.iter_mut().rev().find_map(|inst| match &mut inst.op {
            Op::Load(access) | Op::Store(access) => Some(access),
            _ => None,
        })
    }

    /// Says that the newest access is of an integer, whatever else may be met at such a place.
    pub fn mark_last_integer(&mut self) {
        if let Some(access) = self.newest_access() {
            access.integer = true;
        }
    }

    /// Says that the newest access is of an integer whose bits are a float to nobody.
    pub fn mark_last_number(&mut self) {
        self.mark_last_integer();
        if let Some(access) = self.newest_access() {
            access.number = true;
        }
    }

    /// Lowers the alignment that the newest access promises.
    pub fn limit_last_alignment(&mut self, most: u64) {
        if let Some(Inst { op: Op::Load(access) | Op::Store(access), .. }) = self.function.insts.last_mut() {
            access.align = access.align.min(most);
        }
    }

    /// Changes an instruction made earlier: phis get their operands when all blocks exist.
    pub fn inst_mut(&mut self, operand: &Operand) -> Option<&mut Inst> {
        let Operand::Value(id) = operand else { return None };
        let index = (id.0 as usize).checked_sub(self.function.params.len())?;
        self.function.insts.get_mut(index)
    }

    /// The finished function, its values renumbered in program order.
    pub fn finish(self) -> Function {
        self.finish_with_numbers().0
    }

    /// The same, and the new number of each value.
    pub fn finish_with_numbers(self) -> (Function, Vec<ValueId>) {
        let mut function = self.function;
        let params = function.params.len();
        let order: Vec<ValueId> =
            function.blocks.iter().flat_map(|block| block.insts.iter().copied()).collect();
        let mut renamed = vec![ValueId(0); params + function.insts.len()];
        for (index, slot) in renamed.iter_mut().take(params).enumerate() {
            *slot = ValueId(index as u32);
        }
        for (position, old) in order.iter().enumerate() {
            renamed[old.0 as usize] = ValueId((params + position) as u32);
        }
        let mut old_insts: Vec<Option<Inst>> = function.insts.into_iter().map(Some).collect();
        let take = |old: &ValueId| old_insts[old.0 as usize - params].take();
        function.insts = order.iter().filter_map(take).collect();
        for inst in &mut function.insts {
            for operand in &mut inst.operands {
                if let Operand::Value(value) = operand {
                    *value = renamed[value.0 as usize];
                }
            }
        }
        for block in &mut function.blocks {
            block.insts.iter_mut().for_each(|id| *id = renamed[id.0 as usize]);
        }
        (function, renamed)
    }
}

/// The zero of a type.
pub fn zero_of(ty: &Type) -> Constant {
    match ty {
        // Wider ones have no constants in the model. No derivative is an integer, so any content will do.
        Type::Int(bits) if *bits > 128 => Constant::Undef(ty.clone()),
        Type::Int(bits) => Constant::int(*bits, 0),
        Type::Float(kind) => Constant::Float { kind: *kind, bits: 0 },
        Type::Ptr(_) => Constant::Null(ty.clone()),
        _ => Constant::Zero(ty.clone()),
    }
}

/// What adds nothing to any number, not even a sign: minus zero in every float. LLVM folds such additions away.
pub fn nothing_of(ty: &Type) -> Constant {
    match ty {
        // A pair of doubles has two signs.
        Type::Float(FloatKind::DoubleDouble) => zero_of(ty),
        Type::Float(kind) => crate::rules::float_constant(*kind, -0.0),
        Type::Vector(lanes, element) if ty.is_real() && !lanes.scalable => {
            Constant::Aggregate { ty: ty.clone(), parts: vec![nothing_of(element); lanes.count as usize] }
        }
        _ => zero_of(ty),
    }
}
