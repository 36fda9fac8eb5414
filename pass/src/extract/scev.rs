//! Reads the S-expressions in which the shim writes scalar evolutions.

use backsweep_core::model::{LoopId, Operand, Scev, Wrap};

use crate::llvm::Value;

/// `operand` turns the address of an LLVM value into the model's operand. The empty text means nothing is known.
pub fn read_scev(text: &str, operand: &dyn Fn(Value) -> Operand) -> Option<Scev> {
    if text.is_empty() {
        return None;
    }
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace();
    let scev = read_node(words.next()?, &mut words, operand)?;
    (scev != Scev::Unknown).then_some(scev)
}

type Words<'a> = std::str::SplitWhitespace<'a>;

fn read_node(first: &str, words: &mut Words, operand: &dyn Fn(Value) -> Operand) -> Option<Scev> {
    if first != "(" {
        return Some(Scev::Unknown);
    }
    let head = words.next()?;
    let node = match head {
        "c" => Scev::Const { bits: number(words)?, value: words.next()?.parse().ok()? },
        "v" => {
            let address: usize = number(words)?;
            Scev::Value(operand(Value(address as llvm_sys::prelude::LLVMValueRef)))
        }
        "rec" => {
            let (wrap, of) = (wrap(words)?, LoopId(number(words)?));
            let mut parts = read_list(words, operand)?.into_iter();
            return Some(Scev::Rec {
                wrap,
                of,
                start: Box::new(parts.next()?),
                step: Box::new(parts.next()?),
            });
        }
        "+" => return Some(Scev::Add(wrap(words)?, read_list(words, operand)?)),
        "*" => return Some(Scev::Mul(wrap(words)?, read_list(words, operand)?)),
        "smax" => return Some(Scev::SMax(read_list(words, operand)?)),
        "umax" => return Some(Scev::UMax(read_list(words, operand)?)),
        "smin" => return Some(Scev::SMin(read_list(words, operand)?)),
        "umin" => return Some(Scev::UMin(read_list(words, operand)?)),
        "udiv" => {
            let mut parts = read_list(words, operand)?.into_iter();
            return Some(Scev::UDiv(Box::new(parts.next()?), Box::new(parts.next()?)));
        }
        cast => {
            let bits = number(words)?;
            let inner = Box::new(read_list(words, operand)?.into_iter().next()?);
            return Some(match cast {
                "zext" => Scev::ZExt(bits, inner),
                "sext" => Scev::SExt(bits, inner),
                "trunc" => Scev::Trunc(bits, inner),
                "ptrtoint" => Scev::PtrToInt(bits, inner),
                _ => Scev::Unknown,
            });
        }
    };
    (words.next()? == ")").then_some(node)
}

/// The nodes up to the closing parenthesis, which is taken too.
fn read_list(words: &mut Words, operand: &dyn Fn(Value) -> Operand) -> Option<Vec<Scev>> {
    let mut nodes = Vec::new();
    loop {
        match words.next()? {
            ")" => return Some(nodes),
            first => nodes.push(read_node(first, words, operand)?),
        }
    }
}

fn number<T: std::str::FromStr>(words: &mut Words) -> Option<T> {
    words.next()?.parse().ok()
}

fn wrap(words: &mut Words) -> Option<Wrap> {
    Some(match words.next()? {
        "nuw+nsw" => Wrap { nuw: true, nsw: true },
        "nuw" => Wrap { nuw: true, nsw: false },
        "nsw" => Wrap { nuw: false, nsw: true },
        _ => Wrap::default(),
    })
}
