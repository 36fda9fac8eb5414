//! Builds functions of the model instruction by instruction: for the generator and for tests.
//!
//! Blocks may be filled in any order; `finish` numbers values in program order, as the model demands.

use std::collections::BTreeMap;

use backsweep_core::model::{
    Access, Alloca, Block, BlockId, Call, Constant, Flags, Function, Gep, Inst, Linkage, Op, Operand,
    Ordering, Param, Program, Stride, Type, ValueId,
};

use crate::layout::{align, size};

pub struct Builder {
    function: Function,
    at: BlockId,
}

impl Builder {
    /// A function with those parameters and an empty entry block.
    pub fn new(name: &str, params: &[Type], ret: Type) -> Builder {
        let param = |ty: &Type| Param { name: None, ty: ty.clone(), attributes: vec![] };
        let function = Function {
            name: name.into(),
            linkage: Linkage::External,
            params: params.iter().map(param).collect(),
            variadic: false,
            ret,
            attributes: vec![],
            blocks: vec![Block::default()],
            insts: vec![],
            loops: vec![],
            memory: BTreeMap::new(),
            aliases: vec![],
            loc: None,
            names: BTreeMap::new(),
        };
        Builder { function, at: BlockId(0) }
    }

    pub fn param(&self, index: usize) -> Operand {
        Operand::Value(ValueId(index as u32))
    }

    pub fn add_block(&mut self) -> BlockId {
        self.function.blocks.push(Block::default());
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    pub fn params(&self) -> usize {
        self.function.params.len()
    }

    pub fn ret_type(&self) -> Type {
        self.function.ret.clone()
    }

    /// From now on instructions go to the end of that block.
    pub fn go_to(&mut self, block: BlockId) {
        self.at = block;
    }

    pub fn here(&self) -> BlockId {
        self.at
    }

    pub fn type_of(&self, operand: &Operand) -> Type {
        self.function.operand_type(operand)
    }

    /// How many instructions there are.
    pub fn len(&self) -> usize {
        self.function.insts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.function.insts.is_empty()
    }

    pub fn push(&mut self, op: Op, ty: Type, operands: Vec<Operand>) -> Operand {
        let id = ValueId((self.function.params.len() + self.function.insts.len()) as u32);
        self.function.insts.push(Inst { op, ty, operands, flags: Flags::default(), loc: None, origin: None });
        self.function.blocks[self.at.0 as usize].insts.push(id);
        Operand::Value(id)
    }

    /// Completes a phi made before its last edge was known.
    pub fn add_incoming(&mut self, phi: &Operand, value: Operand, block: BlockId) {
        let first = self.function.params.len();
        let inst =
            phi.value().and_then(|id| self.function.insts.get_mut((id.0 as usize).checked_sub(first)?));
        if let Some(Inst { op: Op::Phi { from }, operands, .. }) = inst {
            from.push(block);
            operands.push(value);
        }
    }

    /// An operation whose result has the type of its first operand.
    pub fn same(&mut self, op: Op, operands: Vec<Operand>) -> Operand {
        let ty = self.type_of(&operands[0]);
        self.push(op, ty, operands)
    }

    /// A call of a function by name; `library` where the name means what C says.
    pub fn call(&mut self, name: &str, ret: Type, mut arguments: Vec<Operand>, library: bool) -> Operand {
        let call = Call { arguments: arguments.len() as u32, library, attributes: vec![] };
        arguments.push(symbol(name));
        self.push(Op::Call(call), ret, arguments)
    }

    pub fn load(&mut self, ty: Type, pointer: Operand) -> Operand {
        let access = access(&ty);
        self.push(Op::Load(access), ty, vec![pointer])
    }

    pub fn store(&mut self, value: Operand, pointer: Operand) {
        let access = access(&self.type_of(&value));
        self.push(Op::Store(access), Type::Void, vec![value, pointer]);
    }

    pub fn alloca(&mut self, ty: Type, count: u32) -> Operand {
        let (bytes, align) = (size(&ty).unwrap_or(0), align(&ty).unwrap_or(1));
        let alloca = Alloca { allocated: ty, bytes, align };
        self.push(Op::Alloca(alloca), Type::PTR, vec![Operand::Const(Constant::int(32, i128::from(count)))])
    }

    /// The address of an element of an array.
    pub fn element(&mut self, element: Type, base: Operand, index: Operand) -> Operand {
        let strides = vec![Stride::Scale(size(&element).unwrap_or(0))];
        self.push(Op::Gep(Gep { source: element, strides }), Type::PTR, vec![base, index])
    }

    pub fn ret(&mut self, value: Operand) {
        self.push(Op::Ret, Type::Void, vec![value]);
    }

    pub fn jump(&mut self, to: BlockId) {
        self.push(Op::Br { to }, Type::Void, vec![]);
    }

    pub fn branch(&mut self, condition: Operand, yes: BlockId, no: BlockId) {
        self.push(Op::CondBr { yes, no }, Type::Void, vec![condition]);
    }

    pub fn finish(mut self) -> Function {
        renumber(&mut self.function);
        self.function
    }
}

/// Drops instructions that stand in no block, and numbers the others in program order.
pub fn renumber(function: &mut Function) {
    let params = function.params.len() as u32;
    let mut renamed: BTreeMap<ValueId, ValueId> = function.param_ids().map(|id| (id, id)).collect();
    let mut insts = Vec::with_capacity(function.insts.len());
    let order: Vec<ValueId> = function.blocks.iter().flat_map(|block| block.insts.iter().copied()).collect();
    for id in order {
        renamed.insert(id, ValueId(params + insts.len() as u32));
        insts.extend(function.inst(id).cloned());
    }
    for id in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        *id = renamed[id];
    }
    for operand in insts.iter_mut().flat_map(|inst| &mut inst.operands) {
        if let Operand::Value(id) = operand {
            // A value that no block defines is a bug of the caller; it stays visible as an unknown number.
            *id = renamed.get(id).copied().unwrap_or(ValueId(u32::MAX));
        }
    }
    function.insts = insts;
}

/// A program of those functions, with declarations of whatever else they call.
pub fn program(functions: Vec<Function>) -> Program {
    let mut program = Program { name: "generated".into(), functions: functions.into(), ..Program::default() };
    let mut declared = Vec::new();
    for function in &program.functions {
        for inst in &function.insts {
            let Some(name) = inst.callee_name() else { continue };
            let known = |function: &Function| function.name == name;
            if !program.functions.iter().chain(&declared).any(known) {
                declared.push(declaration(function, inst, name));
            }
        }
    }
    program.functions.extend(declared);
    program
}

fn declaration(caller: &Function, call: &Inst, name: &str) -> Function {
    let params: Vec<Type> = call.arguments().iter().map(|x| caller.operand_type(x)).collect();
    let mut function = Builder::new(name, &params, call.ty.clone()).function;
    function.blocks.clear();
    function.linkage = Linkage::Declared;
    function
}

pub fn symbol(name: &str) -> Operand {
    Operand::Const(Constant::Symbol { name: name.into(), space: 0 })
}

pub fn double(value: f64) -> Operand {
    Operand::Const(Constant::double(value))
}

pub fn int(bits: u32, value: i128) -> Operand {
    Operand::Const(Constant::int(bits, value))
}

fn access(ty: &Type) -> Access {
    let bytes = crate::layout::bits(ty).ok().map(|bits| bits.div_ceil(8));
    Access {
        bytes,
        align: align(ty).unwrap_or(1),
        volatile: false,
        ordering: Ordering::NotAtomic,
        integer: false,
        member: false,
        stepped: false,
        untyped: false,
        typed: false,
        number: false,
    }
}
