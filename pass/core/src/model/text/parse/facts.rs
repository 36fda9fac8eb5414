//! Memory facts, loops, alias answers and symbolic expressions.

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::model::{
    AliasAnswer, AliasClass, AliasPair, Clobber, Loop, LoopId, MemoryFact, Object, Scev, Type, Wrap,
};

impl Parser {
    /// What follows `memory`.
    pub fn memory_fact(&mut self) -> Parsed<MemoryFact> {
        let mut fact = MemoryFact {
            reads: self.accept_word("reads"),
            writes: self.accept_word("writes"),
            pointer: if self.accept_word("pointer") { Some(self.operand()?) } else { None },
            objects: self.optional_list("objects", Parser::object)?,
            address: if self.accept_word("address") { Some(self.scev()?) } else { None },
            class: AliasClass(if self.accept_word("class") { self.number()? } else { 0 }),
            clobber: if self.accept_word("clobber") { Some(self.clobber()?) } else { None },
        };
        fact.objects.sort();
        Ok(fact)
    }

    fn object(&mut self) -> Parsed<Object> {
        if self.accept_word("local") {
            Ok(Object::Local(self.value()?))
        } else if self.accept_word("param") {
            Ok(Object::Param(self.value()?))
        } else if self.accept_word("through") {
            Ok(Object::Through(self.value()?))
        } else if self.accept_word("global") {
            Ok(Object::Global(self.symbol()?))
        } else {
            Err(self.expected("`local`, `param`, `global` or `through`"))
        }
    }

    fn clobber(&mut self) -> Parsed<Clobber> {
        if self.accept_word("entry") {
            Ok(Clobber::Entry)
        } else if self.accept_word("merge") {
            Ok(Clobber::Merge(self.block()?))
        } else {
            Ok(Clobber::Inst(self.value()?))
        }
    }

    /// What follows `alias`.
    pub fn alias_pair(&mut self) -> Parsed<AliasPair> {
        let answer = self.known("`no`, `partial` or `must`", AliasAnswer::from_word)?;
        Ok(AliasPair { first: self.value()?, second: self.value()?, answer })
    }

    /// What follows `loop`; `expected` is the number it must bear.
    pub fn natural_loop(&mut self, expected: u32) -> Parsed<Loop> {
        if self.number::<u32>()? != expected {
            return Err(
                self.error(format!("expected loop number {expected}: loops count up from 0 in order"))
            );
        }
        self.word("header")?;
        let mut found = Loop {
            header: self.block()?,
            parent: if self.accept_word("parent") { Some(LoopId(self.number()?)) } else { None },
            preheader: if self.accept_word("preheader") { Some(self.block()?) } else { None },
            blocks: self.optional_list("blocks", Parser::block)?,
            latches: self.optional_list("latches", Parser::block)?,
            exiting: self.optional_list("exiting", Parser::block)?,
            exits: self.optional_list("exits", Parser::block)?,
            back_edges: if self.accept_word("back_edges") { Some(self.scev()?) } else { None },
        };
        found.blocks.sort();
        Ok(found)
    }

    pub fn scev(&mut self) -> Parsed<Scev> {
        self.nested(Parser::bare_scev)
    }

    fn bare_scev(&mut self) -> Parsed<Scev> {
        if self.accept_word("unknown") {
            return Ok(Scev::Unknown);
        }
        if let Token::Value(_) = self.peek() {
            return Ok(Scev::Value(self.operand()?));
        }
        if self.accept_mark("(") {
            let form = self.scev_form()?;
            self.mark(")")?;
            return Ok(form);
        }
        let int = matches!(self.peek(), Token::Word(_)) && self.is_type();
        match int.then(|| self.ty()).transpose()? {
            Some(Type::Int(bits)) => Ok(Scev::Const { bits, value: self.number()? }),
            _ => Err(self.expected("an expression: `%0`, `i64 8`, `(add …)`, `(rec …)` or `unknown`")),
        }
    }

    fn scev_form(&mut self) -> Parsed<Scev> {
        let Token::Word(word) = self.peek().clone() else { return Err(self.expected("an operator")) };
        if !SCEV_WORDS.contains(&word.as_str()) {
            return Err(self.expected(&format!("one of {}", SCEV_WORDS.join(" "))));
        }
        self.advance();
        Ok(match word.as_str() {
            "value" => Scev::Value(self.operand()?),
            "add" => Scev::Add(self.wrap(), self.terms()?),
            "mul" => Scev::Mul(self.wrap(), self.terms()?),
            "udiv" => Scev::UDiv(self.term()?, self.term()?),
            "rec" => {
                let of = LoopId(self.number()?);
                Scev::Rec { of, wrap: self.wrap(), start: self.term()?, step: self.term()? }
            }
            "zext" => Scev::ZExt(self.number()?, self.term()?),
            "sext" => Scev::SExt(self.number()?, self.term()?),
            "trunc" => Scev::Trunc(self.number()?, self.term()?),
            "smax" => Scev::SMax(self.terms()?),
            "umax" => Scev::UMax(self.terms()?),
            "smin" => Scev::SMin(self.terms()?),
            "umin" => Scev::UMin(self.terms()?),
            _ => Scev::PtrToInt(self.number()?, self.term()?),
        })
    }

    fn term(&mut self) -> Parsed<Box<Scev>> {
        Ok(Box::new(self.scev()?))
    }

    fn terms(&mut self) -> Parsed<Vec<Scev>> {
        let mut terms = Vec::new();
        while !self.is_mark(")") {
            terms.push(self.scev()?);
        }
        Ok(terms)
    }

    fn wrap(&mut self) -> Wrap {
        Wrap { nuw: self.accept_word("nuw"), nsw: self.accept_word("nsw") }
    }
}

const SCEV_WORDS: [&str; 13] = [
    "value", "add", "mul", "udiv", "rec", "zext", "sext", "trunc", "smax", "umax", "smin", "umin", "ptrtoint",
];
