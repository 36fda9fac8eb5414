//! Instructions: mnemonic, flags, operands, payload, then place and origin.

use super::lexer::Token;
use super::memory::Missing;
use super::{Parsed, Parser};
use crate::model::{
    BlockId, Call, CastOp, Constant, Flags, FloatOp, FloatPredicate, Inst, IntOp, IntPredicate, Link, Op,
    Operand, Ordering, Type, ValueId,
};

/// An instruction whose type stands to the left of it, and what its access left to the layout.
pub struct Read {
    pub inst: Inst,
    pub missing: Option<Missing>,
}

/// Flags, operands and operation of a line, as far as it is read.
pub struct Parts {
    pub op: Op,
    pub flags: Flags,
    pub operands: Vec<Operand>,
    pub missing: Option<Missing>,
}

impl Parser {
    pub fn inst(&mut self) -> Parsed<Read> {
        let Token::Word(word) = self.peek().clone() else { return Err(self.expected("an instruction")) };
        let parts = match self.plain_op(&word) {
            Some(op) => {
                self.advance();
                self.plain(op)?
            }
            None => self.special(&word)?,
        };
        let loc = self.accept_loc()?;
        let origin = if self.accept_word("origin") { Some(self.foreign_value()?) } else { None };
        let Parts { op, flags, operands, missing } = parts;
        Ok(Read { inst: Inst { op, ty: Type::Void, operands, flags, loc, origin }, missing })
    }

    /// Operations that are their mnemonic and nothing else.
    fn plain_op(&self, word: &str) -> Option<Op> {
        match word {
            "fneg" => Some(Op::FNeg),
            "select" => Some(Op::Select),
            "freeze" => Some(Op::Freeze),
            "detach" => Some(Op::Attach(Link::Start)),
            "attach" => Some(Op::Attach(Link::Term { guarded: false })),
            "attach_guarded" => Some(Op::Attach(Link::Term { guarded: true })),
            "extractelement" => Some(Op::ExtractElement),
            "insertelement" => Some(Op::InsertElement),
            "va_arg" => Some(Op::VaArg),
            "ret" => Some(Op::Ret),
            "resume" => Some(Op::Resume),
            "unreachable" => Some(Op::Unreachable),
            _ => FloatOp::from_word(word)
                .map(Op::Float)
                .or_else(|| IntOp::from_word(word).map(Op::Int))
                .or_else(|| CastOp::from_word(word).map(Op::Cast)),
        }
    }

    fn special(&mut self, word: &str) -> Parsed<Parts> {
        let read: fn(&mut Parser) -> Parsed<Parts> = match word {
            "icmp" => |p| {
                let predicate = p.known("a predicate such as `slt`", IntPredicate::from_word)?;
                p.plain(Op::ICmp(predicate))
            },
            "fcmp" => |p| {
                let predicate = p.known("a predicate such as `olt`", FloatPredicate::from_word)?;
                p.plain(Op::FCmp(predicate))
            },
            "fence" => |p| {
                let ordering = p.known("an ordering", Ordering::from_word)?;
                p.plain(Op::Fence { ordering })
            },
            "phi" => Parser::phi,
            "shufflevector" => Parser::shuffle,
            "extractvalue" | "insertvalue" => return self.part(word),
            "alloca" => Parser::alloca,
            "load" | "store" | "cmpxchg" | "atomicrmw" => return self.memory_op(word),
            "gep" => Parser::gep,
            "call" => |p| p.call_op().map(|(call, parts)| Parts { op: Op::Call(call), ..parts }),
            "landingpad" => Parser::landing_pad,
            "br" => Parser::branch,
            "switch" => Parser::switch,
            "indirectbr" => Parser::indirect_branch,
            "invoke" => Parser::invoke,
            "callbr" => Parser::branching_call,
            "opaque" => Parser::opaque,
            _ => return Err(self.expected("an instruction")),
        };
        self.advance();
        read(self)
    }

    /// Flags and operands.
    pub fn plain(&mut self, op: Op) -> Parsed<Parts> {
        let flags = self.flags();
        let mut operands = Vec::new();
        if self.is_operand() {
            operands.push(self.operand()?);
            while self.accept_mark(",") {
                operands.push(self.operand()?);
            }
        }
        Ok(Parts { op, flags, operands, missing: None })
    }

    fn flags(&mut self) -> Flags {
        let named = |word: &str| match word {
            "fast" => Some(Flags::FAST_MATH),
            _ => Flags::NAMES.iter().find(|(_, name)| *name == word).map(|(flag, _)| *flag),
        };
        std::iter::from_fn(|| self.accept_known(named)).fold(Flags::default(), Flags::with)
    }

    fn phi(&mut self) -> Parsed<Parts> {
        let flags = self.flags();
        let (mut from, mut operands) = (Vec::new(), Vec::new());
        while matches!(self.peek(), Token::Block(_)) || (!from.is_empty() && self.accept_mark(",")) {
            from.push(self.block()?);
            self.mark(":")?;
            operands.push(self.operand()?);
        }
        Ok(Parts { op: Op::Phi { from }, flags, operands, missing: None })
    }

    fn shuffle(&mut self) -> Parsed<Parts> {
        let parts = self.plain(Op::Unreachable)?;
        self.word("mask")?;
        Ok(Parts { op: Op::ShuffleVector { mask: self.list(Parser::number)? }, ..parts })
    }

    /// `extractvalue` and `insertvalue`.
    fn part(&mut self, word: &str) -> Parsed<Parts> {
        self.advance();
        let parts = self.plain(Op::Unreachable)?;
        self.word("path")?;
        let path = self.list(Parser::number)?;
        let op = if word == "extractvalue" { Op::ExtractValue { path } } else { Op::InsertValue { path } };
        Ok(Parts { op, ..parts })
    }

    /// `flags callee(argument, …) bundles(…) library attributes(…)`.
    fn call_op(&mut self) -> Parsed<(Call, Parts)> {
        let flags = self.flags();
        let callee = self.operand()?;
        let mut operands = self.list(Parser::operand)?;
        let arguments = operands.len() as u32;
        operands.extend(self.optional_list("bundles", Parser::operand)?);
        operands.push(callee);
        let library = self.accept_word("library");
        let call = Call { arguments, library, attributes: self.attributes()? };
        Ok((call, Parts { op: Op::Unreachable, flags, operands, missing: None }))
    }

    fn landing_pad(&mut self) -> Parsed<Parts> {
        let parts = self.plain(Op::Unreachable)?;
        Ok(Parts { op: Op::LandingPad { cleanup: self.accept_word("cleanup") }, ..parts })
    }

    /// `br ^to` or `br %condition, ^yes, ^no`.
    fn branch(&mut self) -> Parsed<Parts> {
        let flags = self.flags();
        if let Token::Block(_) = self.peek() {
            let op = Op::Br { to: self.block()? };
            return Ok(Parts { op, flags, operands: Vec::new(), missing: None });
        }
        let operands = vec![self.operand()?];
        self.mark(",")?;
        let yes = self.block()?;
        self.mark(",")?;
        Ok(Parts { op: Op::CondBr { yes, no: self.block()? }, flags, operands, missing: None })
    }

    fn switch(&mut self) -> Parsed<Parts> {
        let parts = self.plain(Op::Unreachable)?;
        let cases: Vec<(Constant, BlockId)> = self.optional_list("cases", |parser| {
            let value = parser.constant()?;
            parser.mark(":")?;
            Ok((value, parser.block()?))
        })?;
        self.word("default")?;
        Ok(Parts { op: Op::Switch { cases, default: self.block()? }, ..parts })
    }

    fn indirect_branch(&mut self) -> Parsed<Parts> {
        let parts = self.plain(Op::Unreachable)?;
        Ok(Parts { op: Op::IndirectBr { targets: self.optional_list("to", Parser::block)? }, ..parts })
    }

    fn invoke(&mut self) -> Parsed<Parts> {
        let (call, parts) = self.call_op()?;
        self.word("to")?;
        let normal = self.block()?;
        self.word("unwind")?;
        Ok(Parts { op: Op::Invoke { call, normal, unwind: self.block()? }, ..parts })
    }

    fn branching_call(&mut self) -> Parsed<Parts> {
        let (call, parts) = self.call_op()?;
        self.word("to")?;
        let normal = self.block()?;
        let others = self.optional_list("or", Parser::block)?;
        Ok(Parts { op: Op::CallBr { call, normal, others }, ..parts })
    }

    fn opaque(&mut self) -> Parsed<Parts> {
        let mnemonic = self.text()?;
        let parts = self.plain(Op::Unreachable)?;
        self.word("because")?;
        let reason = self.text()?;
        let ends_block = self.accept_word("ends");
        let successors = self.optional_list("to", Parser::block)?;
        Ok(Parts { op: Op::Opaque { mnemonic, reason, ends_block, successors }, ..parts })
    }

    /// A value of another function, so a number that is not looked up.
    fn foreign_value(&mut self) -> Parsed<ValueId> {
        let number = match self.peek() {
            Token::Value(name) => name.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected("a numbered value such as `%5`"))?;
        self.advance();
        Ok(ValueId(number))
    }
}
