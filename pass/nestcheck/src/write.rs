//! Writes a nest as a function of the model: blocks, induction variables, guards, and the facts LLVM would have found.

use std::collections::BTreeMap;

use backsweep_core::model::{
    Access as Touch, AliasClass, Block, BlockId, CastOp, Constant, Flags, Function, Gep, Inst, IntOp,
    IntPredicate, Linkage, Loop, LoopId, MemoryFact, Object, Op, Operand, Ordering, Param, Program, Scev,
    Stride, Type, ValueId, Wrap,
};

use crate::nest::{Expr, Nest, Tested};
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
        names: BTreeMap::new(),
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
    let program = Program { functions: vec![writer.function].into(), ..Program::default() };
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
            None => self.touch(which, block),
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
        let end = self.expr(self.nest.loops[of].end, before);
        match self.nest.loops[of].tested {
            Tested::Top => self.tested_on_top(of, before, end, body),
            Tested::Bottom => self.tested_at_bottom(of, before, end, body),
        }
    }

    /// `header: if goes on: body, again; after`.
    fn tested_on_top(
        &mut self,
        of: usize,
        before: BlockId,
        end: Operand,
        body: &mut dyn FnMut(&mut Self, BlockId) -> BlockId,
    ) -> BlockId {
        let header = self.open();
        self.jump(before, header);
        let phi = self.index(of, header, before);
        let goes = self.compare(of, header, Operand::Value(phi), end);
        let first = self.open();
        let latch = body(self, first);
        self.step(of, phi, latch);
        self.jump(latch, header);
        let after = self.open();
        self.branch(header, goes, first, after);
        self.note_loop(of, header, latch, header, after);
        after
    }

    /// `if goes on: { do body while it goes on }; after`.
    fn tested_at_bottom(
        &mut self,
        of: usize,
        before: BlockId,
        end: Operand,
        body: &mut dyn FnMut(&mut Self, BlockId) -> BlockId,
    ) -> BlockId {
        let guarded = self.trace.empty[of] || self.nest.told & 2 != 0;
        let start = self.constant(self.nest.loops[of].start);
        let guard = guarded.then(|| self.compare(of, before, start, end.clone()));
        let header = self.open();
        let phi = self.index(of, header, before);
        let latch = body(self, header);
        let next = self.step(of, phi, latch);
        let again = self.compare(of, latch, Operand::Value(next), end);
        let after = self.open();
        self.branch(latch, again, header, after);
        match guard {
            Some(guard) => self.branch(before, guard, header, after),
            None => self.jump(before, header),
        }
        self.note_loop(of, header, latch, latch, after);
        after
    }

    /// The index variable, which lacks its value from the latch.
    fn index(&mut self, of: usize, header: BlockId, before: BlockId) -> ValueId {
        let start = self.constant(self.nest.loops[of].start);
        let ty = Type::Int(self.nest.bits);
        let phi = self.push(header, Op::Phi { from: vec![before] }, ty, vec![start], Flags::default());
        self.phis[of] = Some(phi);
        phi
    }

    /// The increment, which is also the index variable's value from the latch.
    fn step(&mut self, of: usize, phi: ValueId, latch: BlockId) -> ValueId {
        let step = self.constant(self.nest.loops[of].step);
        let flags = self.flags(self.trace.increments[of], 3);
        let operands = vec![Operand::Value(phi), step];
        let next = self.push(latch, Op::Int(IntOp::Add), Type::Int(self.nest.bits), operands, flags);
        let inst = &mut self.function.insts[phi.0 as usize - self.function.params.len()];
        inst.operands.push(Operand::Value(next));
        if let Op::Phi { from } = &mut inst.op {
            from.push(latch);
        }
        next
    }

    fn compare(&mut self, of: usize, block: BlockId, index: Operand, end: Operand) -> ValueId {
        let predicate = if self.nest.loops[of].step > 0 { IntPredicate::Slt } else { IntPredicate::Sgt };
        self.push(block, Op::ICmp(predicate), Type::BOOL, vec![index, end], Flags::default())
    }

    fn jump(&mut self, from: BlockId, to: BlockId) {
        self.push(from, Op::Br { to }, Type::Void, Vec::new(), Flags::default());
    }

    fn branch(&mut self, from: BlockId, condition: ValueId, yes: BlockId, no: BlockId) {
        let operands = vec![Operand::Value(condition)];
        self.push(from, Op::CondBr { yes, no }, Type::Void, operands, Flags::default());
    }

    fn constant(&self, value: i64) -> Operand {
        Operand::Const(Constant::int(self.nest.bits, i128::from(value)))
    }

    fn note_loop(&mut self, of: usize, header: BlockId, latch: BlockId, exiting: BlockId, after: BlockId) {
        let outside = self.nest.outside(of);
        self.function.loops[of] = Loop {
            header,
            parent: outside.last().map(|at| LoopId(*at as u32)),
            preheader: None,
            blocks: (header.0..after.0).map(BlockId).collect(),
            latches: vec![latch],
            exiting: vec![exiting],
            exits: vec![after],
            back_edges: Some(self.count(of)),
        };
    }

    /// `(end - start - 1) / step`, as LLVM writes it; tested on top, `(max(start, end) - start + step - 1) / step`.
    fn count(&self, of: usize) -> Scev {
        let (bits, spec) = (self.nest.bits, &self.nest.loops[of]);
        let constant = |value: i64| Scev::Const { bits, value: i128::from(value) };
        let mut end = self.scev(spec.end);
        let size = spec.step.abs();
        let mut more = -1;
        if spec.tested == Tested::Top {
            let both = vec![constant(spec.start), end];
            end = if spec.step > 0 { Scev::SMax(both) } else { Scev::SMin(both) };
            more = size - 1;
        }
        // Wide and near zero: no subtraction wraps.
        let wrap = Wrap { nuw: false, nsw: bits >= 32 };
        let span = if spec.step > 0 {
            Scev::Add(wrap, vec![constant(more - spec.start), end])
        } else {
            let negated = Scev::Mul(wrap, vec![constant(-1), end]);
            Scev::Add(wrap, vec![constant(spec.start + more), negated])
        };
        if size == 1 { span } else { Scev::UDiv(span.into(), constant(size).into()) }
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
        let bits = self.nest.width(expr);
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
                use CastOp::{SExt, ZExt};
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

    /// The increments whose results the index variable takes.
    fn counted(&self, of: usize) -> Kept {
        match self.nest.loops[of].tested {
            Tested::Top => self.trace.increments[of],
            Tested::Bottom => self.trace.advances[of],
        }
    }

    fn scev(&self, expr: usize) -> Scev {
        let bits = self.nest.width(expr);
        let wrap = self.wrap(self.trace.kept[expr], 5 + expr as u32 % 32);
        let constant = |value: i64| Scev::Const { bits, value: i128::from(value) };
        match self.nest.exprs[expr] {
            Expr::Index(of) => Scev::Rec {
                wrap: self.wrap(self.counted(of), 3),
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

    /// The access, behind its guard; answers the block that control goes on in.
    fn touch(&mut self, which: usize, block: BlockId) -> BlockId {
        let Some((expr, limit)) = self.nest.accesses[which].guard else {
            self.touch_now(which, block);
            return block;
        };
        let value = self.expr(expr, block);
        let operands = vec![value, self.constant(limit)];
        let goes = self.push(block, Op::ICmp(IntPredicate::Sgt), Type::BOOL, operands, Flags::default());
        let inside = self.open();
        self.touch_now(which, inside);
        let after = self.open();
        self.jump(inside, after);
        self.branch(block, goes, inside, after);
        after
    }

    fn touch_now(&mut self, which: usize, block: BlockId) {
        let access = self.nest.accesses[which].clone();
        let pointer = if self.nest.chain {
            self.pointer(which, block)
        } else {
            // Of which nothing but LLVM's expression is known.
            let zero = Operand::Const(Constant::int(64, 0));
            let op = Op::Cast(CastOp::IntToPtr);
            Operand::Value(self.push(block, op, Type::PTR, vec![zero], Flags::default()))
        };
        let bytes = access.bytes as u64;
        let touch = Touch {
            bytes: Some(bytes),
            align: 1,
            volatile: false,
            integer: false,
            member: false,
            stepped: false,
            untyped: false,
            typed: false,
            number: false,
            ordering: Ordering::NotAtomic,
        };
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

    /// One address computation for all indices, or one for each, and one more for the offset.
    fn pointer(&mut self, which: usize, block: BlockId) -> Operand {
        let access = self.nest.accesses[which].clone();
        let inside = self.trace.inside[which].clone();
        let (last, indices) = inside.split_last().expect("the offset is a step too");
        let mut pointer = Operand::Value(ValueId(0));
        let size = if access.stepwise { 1 } else { access.indices.len().max(1) };
        for (at, (group, kept)) in access.indices.chunks(size).zip(indices.chunks(size)).enumerate() {
            let parts = group.iter().map(|(index, stride)| (self.expr(*index, block), *stride)).collect();
            pointer = self.advance(block, pointer, parts, kept.iter().all(|kept| *kept), at as u32);
        }
        if access.offset == 0 {
            return pointer;
        }
        let offset = Operand::Const(Constant::int(64, i128::from(access.offset)));
        self.advance(block, pointer, vec![(offset, 1)], *last, 3)
    }

    fn advance(
        &mut self,
        block: BlockId,
        base: Operand,
        parts: Vec<(Operand, i64)>,
        inside: bool,
        step: u32,
    ) -> Operand {
        let told = self.nest.told & 1 != 0 || self.nest.told >> (40 + step) & 1 != 0;
        let flags = if inside && told { Flags::INBOUNDS.with(Flags::NUSW) } else { Flags::default() };
        let strides = parts.iter().map(|(_, stride)| Stride::Scale(*stride as u64)).collect();
        let operands = std::iter::once(base).chain(parts.into_iter().map(|(index, _)| index)).collect();
        let op = Op::Gep(Gep { source: Type::Int(8), strides });
        Operand::Value(self.push(block, op, Type::PTR, operands, flags))
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
