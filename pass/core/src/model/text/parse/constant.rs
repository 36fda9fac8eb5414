//! Constants and operands.

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::model::text::float::from_decimal;
use crate::model::{Constant, FloatKind, Operand, Type};

impl Parser {
    pub fn operand(&mut self) -> Parsed<Operand> {
        match self.peek() {
            Token::Value(_) => Ok(Operand::Value(self.value()?)),
            _ if self.is_operand() => Ok(Operand::Const(self.constant()?)),
            _ => Err(self.expected("an operand: a value such as `%0`, or a constant such as `double 1.5`")),
        }
    }

    pub fn is_operand(&self) -> bool {
        matches!(self.peek(), Token::Value(_) | Token::Symbol(_)) || self.is_word("offset") || self.is_type()
    }

    pub fn constant(&mut self) -> Parsed<Constant> {
        self.nested(Parser::bare_constant)
    }

    fn bare_constant(&mut self) -> Parsed<Constant> {
        if self.accept_word("offset") {
            self.mark("(")?;
            let base = self.constant()?;
            self.mark(",")?;
            let bytes = self.number()?;
            self.mark(")")?;
            return Ok(Constant::offset(base, bytes));
        }
        if let Token::Symbol(_) = self.peek() {
            let name = self.symbol()?;
            return Ok(Constant::Symbol { name, space: self.space()? });
        }
        let ty = self.ty()?;
        self.constant_of(ty)
    }

    /// `space(n)`, or 0 where it is left out.
    pub fn space(&mut self) -> Parsed<u32> {
        if !self.accept_word("space") {
            return Ok(0);
        }
        self.mark("(")?;
        let space = self.number()?;
        self.mark(")")?;
        Ok(space)
    }

    fn constant_of(&mut self, ty: Type) -> Parsed<Constant> {
        match (self.peek().clone(), &ty) {
            (Token::Number(text), Type::Int(bits)) => self.int(*bits, &text),
            (Token::Number(text), Type::Float(kind)) => self.float(*kind, &text),
            (Token::Mark("("), _) => Ok(Constant::Aggregate { ty, parts: self.list(Parser::constant)? }),
            (Token::Word(word), _) => self.worded(ty, &word),
            _ => Err(self.expected(&format!("a constant of type {ty}"))),
        }
    }

    fn worded(&mut self, ty: Type, word: &str) -> Parsed<Constant> {
        let plain = match (word, &ty) {
            ("true", Type::Int(1)) => Constant::bool(true),
            ("false", Type::Int(1)) => Constant::bool(false),
            ("null", _) => Constant::Null(ty),
            ("undef", _) => Constant::Undef(ty),
            ("poison", _) => Constant::Poison(ty),
            ("zero", _) => Constant::Zero(ty),
            ("opaque", _) => {
                self.advance();
                return Ok(Constant::Opaque { ty, text: self.text()? });
            }
            ("expr", _) => {
                self.advance();
                let mnemonic = self.accept_bare().ok_or_else(|| self.expected("a mnemonic"))?;
                return Ok(Constant::Expr { mnemonic, ty, operands: self.list(Parser::constant)? });
            }
            ("bytes", _) => return self.bytes(ty),
            _ => return Err(self.expected(&format!("a constant of type {ty}"))),
        };
        self.advance();
        Ok(plain)
    }

    fn int(&mut self, bits: u32, text: &str) -> Parsed<Constant> {
        let value = match (text.strip_prefix('-'), text.strip_prefix("0x")) {
            (Some(_), _) => text.parse::<i128>().ok().filter(|value| {
                let lowest = i128::MIN >> (128 - bits.clamp(1, 128));
                *value >= lowest
            }),
            (None, Some(digits)) => u128::from_str_radix(digits, 16).ok().map(|value| value as i128),
            (None, None) => text.parse::<u128>().ok().map(|value| value as i128),
        };
        let fits = |value: &i128| *value < 0 && text.starts_with('-') || fits_width(*value as u128, bits);
        let value = value.filter(|value| bits <= 128 && fits(value));
        let value = value.ok_or_else(|| self.expected(&format!("a whole number of {bits} bits")))?;
        self.advance();
        Ok(Constant::int(bits, value))
    }

    fn float(&mut self, kind: FloatKind, text: &str) -> Parsed<Constant> {
        let bits = match text.strip_prefix("0x") {
            Some(digits) => {
                u128::from_str_radix(digits, 16).ok().filter(|value| fits_width(*value, kind.bits()))
            }
            None => from_decimal(kind, text),
        };
        let wanted = || self.expected(&format!("a number that {kind} holds exactly, or its bits as 0x…"));
        let bits = bits.ok_or_else(wanted)?;
        self.advance();
        Ok(Constant::Float { kind, bits })
    }

    /// `[6 x i8] bytes "hello\u{0}"`: each character is the byte of its number.
    fn bytes(&mut self, ty: Type) -> Parsed<Constant> {
        self.advance();
        let Token::Text(text) = self.peek() else { return Err(self.expected("a quoted string")) };
        let byte = |c: char| u8::try_from(u32::from(c)).ok().map(|byte| Constant::int(8, i128::from(byte)));
        let parts: Option<Vec<Constant>> = text.chars().map(byte).collect();
        let parts = parts.ok_or_else(|| self.expected("characters up to \\u{ff}, one a byte"))?;
        self.advance();
        Ok(Constant::Aggregate { ty, parts })
    }
}

fn fits_width(value: u128, bits: u32) -> bool {
    bits >= 128 || value >> bits == 0
}
