//! What extraction found out: memory facts, loops, alias answers, symbolic addresses.

use std::fmt::{self, Display, Formatter};

use super::List;
use crate::model::text::quote::Symbol;
use crate::model::{AliasPair, Clobber, Loop, LoopId, MemoryFact, Object, Operand, Scev, Wrap};

impl Display for MemoryFact {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "memory")?;
        if self.reads {
            write!(f, " reads")?;
        }
        if self.writes {
            write!(f, " writes")?;
        }
        if let Some(pointer) = &self.pointer {
            write!(f, " pointer {pointer}")?;
        }
        if !self.objects.is_empty() {
            write!(f, " objects({})", List(&self.objects))?;
        }
        if let Some(address) = &self.address {
            write!(f, " address {address}")?;
        }
        write!(f, " class {}", self.class.0)?;
        match &self.clobber {
            Some(clobber) => write!(f, " clobber {clobber}"),
            None => Ok(()),
        }
    }
}

impl Display for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Object::Local(value) => write!(f, "local {value}"),
            Object::Param(value) => write!(f, "param {value}"),
            Object::Global(name) => write!(f, "global {}", Symbol(name)),
            Object::Through(value) => write!(f, "through {value}"),
        }
    }
}

impl Display for Clobber {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Clobber::Entry => write!(f, "entry"),
            Clobber::Inst(value) => write!(f, "{value}"),
            Clobber::Merge(block) => write!(f, "merge {block}"),
        }
    }
}

impl Display for AliasPair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "alias {} {} {}", self.answer, self.first, self.second)
    }
}

impl Display for LoopId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// All but the keyword and the number, which the loop does not know.
impl Display for Loop {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "header {}", self.header)?;
        if let Some(parent) = self.parent {
            write!(f, " parent {parent}")?;
        }
        if let Some(preheader) = self.preheader {
            write!(f, " preheader {preheader}")?;
        }
        let lists = [
            ("blocks", &self.blocks),
            ("latches", &self.latches),
            ("exiting", &self.exiting),
            ("exits", &self.exits),
        ];
        for (word, blocks) in lists {
            if !blocks.is_empty() {
                write!(f, " {word}({})", List(blocks))?;
            }
        }
        match &self.back_edges {
            Some(count) => write!(f, " back_edges {count}"),
            None => Ok(()),
        }
    }
}

impl Display for Scev {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Scev::Const { bits, value } => write!(f, "i{bits} {value}"),
            Scev::Value(Operand::Value(value)) => write!(f, "{value}"),
            Scev::Value(Operand::Const(constant)) => write!(f, "(value {constant})"),
            Scev::Add(wrap, terms) => write_list(f, "add", *wrap, terms),
            Scev::Mul(wrap, terms) => write_list(f, "mul", *wrap, terms),
            Scev::UDiv(x, y) => write!(f, "(udiv {x} {y})"),
            Scev::Rec { wrap, start, step, of } => write!(f, "(rec {of}{wrap} {start} {step})"),
            Scev::ZExt(bits, x) => write!(f, "(zext {bits} {x})"),
            Scev::SExt(bits, x) => write!(f, "(sext {bits} {x})"),
            Scev::Trunc(bits, x) => write!(f, "(trunc {bits} {x})"),
            Scev::SMax(terms) => write_list(f, "smax", Wrap::default(), terms),
            Scev::UMax(terms) => write_list(f, "umax", Wrap::default(), terms),
            Scev::SMin(terms) => write_list(f, "smin", Wrap::default(), terms),
            Scev::UMin(terms) => write_list(f, "umin", Wrap::default(), terms),
            Scev::PtrToInt(bits, x) => write!(f, "(ptrtoint {bits} {x})"),
            Scev::Unknown => write!(f, "unknown"),
        }
    }
}

impl Display for Wrap {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.nuw { " nuw" } else { "" }, if self.nsw { " nsw" } else { "" })
    }
}

fn write_list(f: &mut Formatter<'_>, word: &str, wrap: Wrap, terms: &[Scev]) -> fmt::Result {
    write!(f, "({word}{wrap}")?;
    terms.iter().try_for_each(|term| write!(f, " {term}"))?;
    write!(f, ")")
}
