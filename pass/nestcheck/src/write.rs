//! Writes a nest as a function of the model: blocks, induction variables, guards, and the facts LLVM would have found.

use std::collections::BTreeMap;

use backsweep_core::model::{
    Access as Touch, AliasClass, Block, BlockId, Constant, Flags, Function, Gep, Inst, IntOp, IntPredicate,
    Linkage, Loop, LoopId, MemoryFact, Object, Op, Operand, Ordering, Param, Program, Scev, Stride, Type,
    ValueId, Wrap,
};

use crate::nest::{Expr, Nest};
use crate::run::{Kept, Trace};

struct Writer<'a> {
    nest: &'a Nest,
    trace: &'a Trace,
    function: Function,
    /// The phi of each loop that is open.
    phis: Vec<Option<ValueId>>,
    accesses: [ValueId; 2],
}

/// The program, and the two access instructions.
pub fn write_program(nest: &Nest, trace: &Trace) -> (Program, [ValueId; 2]) {
    let param = |ty: Type, name: &str| Param { name: Some(name.into()), ty, attributes: Vec::new() };
    let mut params = vec![param(Type::PTR, "p")];
    params.extend((0..nest.symbols.len()).map(|at| param(Type::Int(nest.bits), &format!("n{at}"))));
    let function = Function {
        name: "nest".into(),
        linkage: Linkage::External,
        params,
        variadic: false,
        ret: Type::Void,
        attributes: Vec::new(),
        blocks: vec![Block::default()],
        insts: Vec::new(),
        loops: vec![],
        memory: BTreeMap::new(),
        aliases: Vec::new(),
        loc: None,
    };
    let phis = vec![None; nest.loops.len()];
    let mut writer = Writer { nest, trace, function, phis, accesses: [ValueId(0); 2] };
    let empty = Loop {
        header: BlockId(0),
        parent: None,
        preheader: None,
        blocks: Vec::new(),
        latches: Vec::new(),
        exiting: Vec::new(),
        exits: Vec::new(),
        back_edges: None,
    };
    writer.function.loops = vec![empty; nest.loops.len()];
    let end = writer.common(0, BlockId(0));
    writer.push(end, Op::Ret, Type::Void, Vec::new(), Flags::default());
    let program = Program { functions: vec![writer.function], ..Program::default() };
    (program, writer.accesses)
}

impl Writer<'_> {
    fn push(&mut self, block: BlockId, op: Op, ty: Type, operands: Vec<Operand>, flags: Flags) -> ValueId {
        let id = ValueId((self.function.params.len() + self.function.insts.len()) as u32);
        self.function.insts.push(Inst { op, ty, operands, flags, loc: None, origin: None });
        self.function.blocks[block.0 as usize].insts.push(id);
        id
    }

    fn open(&mut self) -> BlockId {
        self.function.blocks.push(Block::default());
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    fn common(&mut self, at: usize, block: BlockId) -> BlockId {
        if at < self.nest.common {
            return self.repeat(at, block, &mut |this, block| this.common(at + 1, block));
        }
        let mut block = block;
        for which in 0..2 {
            let chain = self.nest.chain_of(which);
            block = self.chain(&chain[self.nest.common..], which, block);
        }
        block
    }

    fn chain(&mut self, chain: &[usize], which: usize, block: BlockId) -> BlockId {
        match chain.split_first() {
            None => {
                self.touch(which, block);
                block
            }
            Some((first, rest)) => {
                self.repeat(*first, block, &mut |this, block| this.chain(rest, which, block))
            }
        }
    }

    fn repeat(
        &mut self,
        of: usize,
        before: BlockId,
        body: &mut dyn FnMut(&mut Self, BlockId) -> BlockId,
    ) -> BlockId {
        let (bits, spec) = (self.nest.bits, self.nest.loops[of].clone());
        let guarded = self.trace.empty[of] || self.nest.told & 2 != 0;
        let end = self.expr(spec.end, before);
        let start = Operand::Const(Constant::int(bits, i128::from(spec.start)));
        let predicate = if spec.step > 0 { IntPredicate::Sgt } else { IntPredicate::Slt };
        let guard = guarded.then(|| {
            self.push(before, Op::ICmp(predicate), Type::BOOL, vec![end, start.clone()], Flags::default())
        });
        let header = self.open();
        let phi =
            self.push(header, Op::Phi { from: vec![before] }, Type::Int(bits), vec![start], Flags::default());
        self.phis[of] = Some(phi);
        let latch = body(self, header);
        let step = Operand::Const(Constant::int(bits, i128::from(spec.step)));
        let flags = self.flags(self.trace.increments[of], 3);
        let next =
            self.push(latch, Op::Int(IntOp::Add), Type::Int(bits), vec![Operand::Value(phi), step], flags);
        let again = Op::Opaque {
            mnemonic: "goes on".into(),
            reason: "the test's".into(),
            ends_block: false,
            successors: Vec::new(),
        };
        let again = self.push(latch, again, Type::BOOL, Vec::new(), Flags::default());
        let after = self.open();
        self.push(
            latch,
            Op::CondBr { yes: header, no: after },
            Type::Void,
            vec![Operand::Value(again)],
            Flags::default(),
        );
        match guard {
            Some(guard) => self.push(
                before,
                Op::CondBr { yes: header, no: after },
                Type::Void,
                vec![Operand::Value(guard)],
                Flags::default(),
            ),
            None => self.push(before, Op::Br { to: header }, Type::Void, Vec::new(), Flags::default()),
        };
        let phi_at = phi.0 as usize - self.function.params.len();
        self.function.insts[phi_at].op = Op::Phi { from: vec![before, latch] };
        self.function.insts[phi_at].operands.push(Operand::Value(next));
        let outside = self.nest.outside(of);
        self.function.loops[of] = Loop {
            header,
            parent: outside.last().map(|at| LoopId(*at as u32)),
            preheader: None,
            blocks: (header.0..after.0).map(BlockId).collect(),
            latches: vec![latch],
            exiting: vec![latch],
            exits: vec![after],
            back_edges: Some(self.count(of)),
        };
        after
    }

    /// `(end - start - 1) / step`, as LLVM writes it.
    fn count(&self, of: usize) -> Scev {
        let (bits, spec) = (self.nest.bits, &self.nest.loops[of]);
        let constant = |value: i64| Scev::Const { bits, value: i128::from(value) };
        let end = self.scev(spec.end);
        // Wide and near zero: no subtraction wraps.
        let wrap = Wrap { nuw: false, nsw: bits >= 32 };
        let span = if spec.step > 0 {
            Scev::Add(wrap, vec![constant(-spec.start - 1), end])
        } else {
            let negated = Scev::Mul(wrap, vec![constant(-1), end]);
            Scev::Add(wrap, vec![constant(spec.start - 1), negated])
        };
        match spec.step.abs() {
            1 => span,
            step => Scev::UDiv(span.into(), constant(step).into()),
        }
    }

    fn flags(&self, kept: Kept, bit: u32) -> Flags {
        let told = self.nest.told >> bit;
        let mut flags = Flags::default();
        if kept.nuw && told & 1 != 0 {
            flags = flags.with(Flags::NUW);
        }
        if kept.nsw && told & 2 != 0 {
            flags = flags.with(Flags::NSW);
        }
        flags
    }

    fn wrap(&self, kept: Kept, bit: u32) -> Wrap {
        let flags = self.flags(kept, bit);
        Wrap { nuw: flags.has(Flags::NUW), nsw: flags.has(Flags::NSW) }
    }

    fn expr(&mut self, expr: usize, block: BlockId) -> Operand {
        let bits = self.nest.bits;
        let flags = self.flags(self.trace.kept[expr], 5 + expr as u32 % 32);
        let ty = Type::Int(bits);
        let constant = |value: i128| Operand::Const(Constant::int(bits, value));
        let id = match self.nest.exprs[expr].clone() {
            Expr::Index(of) => self.phis[of].expect("the loop is open"),
            Expr::Const(value) => return constant(i128::from(value)),
            Expr::Symbol(at) => ValueId(at as u32 + 1),
            Expr::Add(x, y) => {
                let operands = vec![self.expr(x, block), self.expr(y, block)];
                self.push(block, Op::Int(IntOp::Add), ty, operands, flags)
            }
            Expr::Mul(x, y) => {
                let operands = vec![self.expr(x, block), self.expr(y, block)];
                self.push(block, Op::Int(IntOp::Mul), ty, operands, flags)
            }
            Expr::Half(x) => {
                let operands = vec![self.expr(x, block), constant(1)];
                self.push(block, Op::Int(IntOp::LShr), ty, operands, Flags::default())
            }
            Expr::Low(x) => {
                let operands = vec![self.expr(x, block), constant(7)];
                self.push(block, Op::Int(IntOp::And), ty, operands, Flags::default())
            }
            Expr::Widen { signed, of } => {
                use backsweep_core::model::CastOp::{SExt, ZExt};
                let operand = self.expr(of, block);
                self.push(
                    block,
                    Op::Cast(if signed { SExt } else { ZExt }),
                    Type::I64,
                    vec![operand],
                    Flags::default(),
                )
            }
        };
        Operand::Value(id)
    }

    fn scev(&self, expr: usize) -> Scev {
        let bits = self.nest.bits;
        let wrap = self.wrap(self.trace.kept[expr], 5 + expr as u32 % 32);
        let constant = |value: i64| Scev::Const { bits, value: i128::from(value) };
        match self.nest.exprs[expr] {
            Expr::Index(of) => Scev::Rec {
                wrap: self.wrap(self.trace.advances[of], 3),
                start: constant(self.nest.loops[of].start).into(),
                step: constant(self.nest.loops[of].step).into(),
                of: LoopId(of as u32),
            },
            Expr::Const(value) => Scev::Const { bits, value: crate::run::signed(i128::from(value), bits) },
            Expr::Symbol(at) => Scev::Value(Operand::Value(ValueId(at as u32 + 1))),
            Expr::Add(x, y) => Scev::Add(wrap, vec![self.scev(x), self.scev(y)]),
            Expr::Mul(x, y) => Scev::Mul(wrap, vec![self.scev(x), self.scev(y)]),
            Expr::Half(x) => Scev::UDiv(self.scev(x).into(), constant(2).into()),
            Expr::Low(x) => Scev::ZExt(bits, Scev::Trunc(3, self.scev(x).into()).into()),
            Expr::Widen { signed: true, of } => Scev::SExt(64, self.scev(of).into()),
            Expr::Widen { signed: false, of } => Scev::ZExt(64, self.scev(of).into()),
        }
    }

    fn touch(&mut self, which: usize, block: BlockId) {
        let access = self.nest.accesses[which].clone();
        let pointer = if self.nest.chain {
            self.pointer(which, block)
        } else {
            let op = Op::Opaque {
                mnemonic: "somewhere".into(),
                reason: "the test's".into(),
                ends_block: false,
                successors: Vec::new(),
            };
            Operand::Value(self.push(block, op, Type::PTR, Vec::new(), Flags::default()))
        };
        let bytes = access.bytes as u64;
        let touch = Touch { bytes: Some(bytes), align: 1, volatile: false, ordering: Ordering::NotAtomic };
        let ty = Type::Int(8 * bytes as u32);
        let id = if access.writes {
            let operands = vec![Operand::Const(Constant::Undef(ty)), pointer.clone()];
            self.push(block, Op::Store(touch), Type::Void, operands, Flags::default())
        } else {
            self.push(block, Op::Load(touch), ty, vec![pointer.clone()], Flags::default())
        };
        let fact = MemoryFact {
            reads: !access.writes,
            writes: access.writes,
            pointer: Some(pointer),
            objects: vec![Object::Param(ValueId(0))],
            address: Some(self.address(which)),
            class: AliasClass(0),
            clobber: None,
        };
        self.function.memory.insert(id, fact);
        self.accesses[which] = id;
    }

    fn pointer(&mut self, which: usize, block: BlockId) -> Operand {
        let access = self.nest.accesses[which].clone();
        let inbounds = self.trace.addresses[which] && self.nest.told & 1 != 0;
        let flags = if inbounds { Flags::INBOUNDS.with(Flags::NUSW) } else { Flags::default() };
        let mut operands = vec![Operand::Value(ValueId(0))];
        let mut strides = Vec::new();
        for (index, stride) in &access.indices {
            operands.push(self.expr(*index, block));
            strides.push(Stride::Scale(*stride as u64));
        }
        let source = Type::Int(8);
        let id =
            self.push(block, Op::Gep(Gep { source: source.clone(), strides }), Type::PTR, operands, flags);
        if access.offset == 0 {
            return Operand::Value(id);
        }
        let operands = vec![Operand::Value(id), Operand::Const(Constant::int(64, i128::from(access.offset)))];
        let gep = Gep { source, strides: vec![Stride::Scale(1)] };
        Operand::Value(self.push(block, Op::Gep(gep), Type::PTR, operands, flags))
    }

    fn address(&self, which: usize) -> Scev {
        let access = &self.nest.accesses[which];
        let mut parts = vec![Scev::Value(Operand::Value(ValueId(0)))];
        for (index, stride) in &access.indices {
            let stride = Scev::Const { bits: 64, value: i128::from(*stride) };
            parts.push(Scev::Mul(Wrap::default(), vec![stride, self.scev(*index)]));
        }
        parts.push(Scev::Const { bits: 64, value: i128::from(access.offset) });
        Scev::Add(Wrap::default(), parts)
    }
}
