//! Types.

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::model::{FloatKind, Lanes, Type};

impl Parser {
    pub fn ty(&mut self) -> Parsed<Type> {
        self.nested(Parser::bare_type)
    }

    fn bare_type(&mut self) -> Parsed<Type> {
        match self.peek().clone() {
            Token::Word(word) => self.named_type(&word),
            Token::Mark("[") => {
                self.advance();
                let count = self.number()?;
                self.word("x")?;
                let element = self.ty()?;
                self.mark("]")?;
                Ok(Type::Array(count, Box::new(element)))
            }
            Token::Mark("{") => self.fields(false),
            Token::Mark("<") => {
                self.advance();
                let ty = if self.is_mark("{") { self.fields(true)? } else { self.vector()? };
                self.mark(">")?;
                Ok(ty)
            }
            _ => Err(self.expected("a type")),
        }
    }

    /// Whether a type, and so perhaps a constant, comes next.
    pub fn is_type(&self) -> bool {
        match self.peek() {
            Token::Mark(mark) => ["[", "{", "<"].contains(mark),
            Token::Word(word) => word == "ptr" || word == "other" || plain_type(word).is_some(),
            _ => false,
        }
    }

    fn named_type(&mut self, word: &str) -> Parsed<Type> {
        let plain = plain_type(word);
        if plain.is_none() && word != "ptr" && word != "other" {
            return Err(self.expected("a type"));
        }
        self.advance();
        match (plain, word) {
            (Some(ty), _) => Ok(ty),
            (None, "other") => Ok(Type::Other(self.text()?)),
            (None, _) if self.accept_mark("(") => {
                let space = self.number()?;
                self.mark(")")?;
                Ok(Type::Ptr(space))
            }
            (None, _) => Ok(Type::PTR),
        }
    }

    fn fields(&mut self, packed: bool) -> Parsed<Type> {
        self.mark("{")?;
        Ok(Type::Struct { fields: self.items("}", Parser::ty)?, packed })
    }

    fn vector(&mut self) -> Parsed<Type> {
        let scalable = self.accept_word("scalable");
        let count = self.number()?;
        self.word("x")?;
        Ok(Type::Vector(Lanes { count, scalable }, Box::new(self.ty()?)))
    }
}

fn plain_type(word: &str) -> Option<Type> {
    match word {
        "void" => Some(Type::Void),
        "label" => Some(Type::Label),
        "token" => Some(Type::Token),
        "metadata" => Some(Type::Metadata),
        _ => FloatKind::from_word(word).map(Type::Float).or_else(|| {
            let bits = word.strip_prefix('i')?;
            bits.starts_with(|c: char| c.is_ascii_digit()).then(|| bits.parse().ok().map(Type::Int))?
        }),
    }
}
