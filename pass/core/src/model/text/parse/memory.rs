//! Operations on memory and addresses: what stands behind their operands.

use super::op::Parts;
use super::{Parsed, Parser};
use crate::model::{Access, Alloca, AtomicOp, Gep, Op, Ordering, Stride};

/// What an access leaves to the layout.
#[derive(Clone, Copy)]
pub struct Missing {
    pub bytes: bool,
    pub align: bool,
}

impl Parser {
    pub fn alloca(&mut self) -> Parsed<Parts> {
        let parts = self.plain(Op::Unreachable)?;
        self.word("of")?;
        let mut alloca = Alloca::usual(&self.ty()?, &self.layout);
        if self.accept_word("bytes") {
            alloca.bytes = self.number()?;
        }
        if self.accept_word("align") {
            alloca.align = self.number()?;
        }
        Ok(Parts { op: Op::Alloca(alloca), ..parts })
    }

    pub fn memory_op(&mut self, word: &str) -> Parsed<Parts> {
        self.advance();
        let atomic = match word {
            "atomicrmw" => Some(self.known("an operation such as `fadd`", AtomicOp::from_word)?),
            _ => None,
        };
        let parts = self.plain(Op::Unreachable)?;
        let (access, missing) = self.access()?;
        let op = match (atomic, word) {
            (Some(op), _) => Op::AtomicRmw { op, access },
            (None, "load") => Op::Load(access),
            (None, "store") => Op::Store(access),
            (None, _) => Op::CompareExchange { access },
        };
        Ok(Parts { op, missing: Some(missing), ..parts })
    }

    fn access(&mut self) -> Parsed<(Access, Missing)> {
        let mut access = Access {
            bytes: None,
            align: 1,
            volatile: false,
            ordering: Ordering::NotAtomic,
            integer: false,
            member: false,
            stepped: false,
            untyped: false,
            typed: false,
            number: false,
        };
        let mut missing = Missing { bytes: true, align: true };
        loop {
            if self.accept_word("bytes") {
                missing.bytes = false;
                access.bytes = if self.accept_word("unknown") { None } else { Some(self.number()?) };
            } else if self.accept_word("align") {
                missing.align = false;
                access.align = self.number()?;
            } else if self.accept_word("volatile") {
                access.volatile = true;
            } else if self.accept_word("integer") {
                access.integer = true;
            } else if self.accept_word("member") {
                access.member = true;
            } else if self.accept_word("stepped") {
                access.stepped = true;
            } else if self.accept_word("untyped") {
                access.untyped = true;
            } else if self.accept_word("typed") {
                access.typed = true;
            } else if self.accept_word("number") {
                access.number = true;
            } else if let Some(ordering) = self.accept_known(Ordering::from_word) {
                access.ordering = ordering;
            } else {
                return Ok((access, missing));
            }
        }
    }

    pub fn gep(&mut self) -> Parsed<Parts> {
        let parts = self.plain(Op::Unreachable)?;
        self.word("over")?;
        let source = self.ty()?;
        let strides = self.optional_list("by", |parser| {
            if parser.accept_word("unknown") {
                Ok(Stride::Unknown)
            } else if parser.accept_word("field") {
                Ok(Stride::Field(parser.number()?))
            } else {
                Ok(Stride::Scale(parser.number()?))
            }
        })?;
        Ok(Parts { op: Op::Gep(Gep { source, strides }), ..parts })
    }
}
