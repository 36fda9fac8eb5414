//! The names of one function, found before its body is read, so that a phi may name what comes later.

use std::collections::HashMap;

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::model::{BlockId, ValueId};

#[derive(Default)]
pub struct Scope {
    values: HashMap<String, ValueId>,
    blocks: HashMap<String, BlockId>,
    value_count: u32,
    block_count: u32,
}

/// Words that begin a line of the body which is no instruction.
const FACT_WORDS: [&str; 4] = ["memory", "loop", "alias", "name"];

impl Parser {
    /// Forgets the previous function.
    pub fn open_scope(&mut self) {
        self.scope = Scope::default();
    }

    /// How many values have their number by now.
    pub fn defined_values(&self) -> u32 {
        self.scope.value_count
    }

    /// Gives the next value its number; `label` is what stands after its `%`, where it has one.
    pub fn define_value(&mut self, label: Option<&str>) {
        let id = ValueId(self.scope.value_count);
        self.scope.value_count += 1;
        if let Some(label) = label.filter(|label| !is_number(label)) {
            self.scope.values.insert(label.to_string(), id);
        }
    }

    /// Walks the lines of the body ahead of the parser and numbers its blocks and instructions.
    pub fn scan_body(&mut self) {
        for line in self.next..self.tokens.len() {
            if !self.tokens[line].first {
                continue;
            }
            match self.tokens[line].token.clone() {
                Token::Mark("}") | Token::End => return,
                Token::Block(label) => self.define_block(label, line),
                Token::Value(label) => self.define_value(Some(&label)),
                Token::Word(word) if FACT_WORDS.contains(&word.as_str()) => {}
                _ => self.define_value(None),
            }
        }
    }

    fn define_block(&mut self, label: String, line: usize) {
        let id = BlockId(self.scope.block_count);
        self.scope.block_count += 1;
        if let Some(Token::Word(name)) = self.tokens.get(line + 1).map(|next| &next.token) {
            self.scope.blocks.entry(name.clone()).or_insert(id);
        }
        if !is_number(&label) {
            self.scope.blocks.insert(label, id);
        }
    }

    pub fn value(&mut self) -> Parsed<ValueId> {
        let Token::Value(name) = self.peek() else { return Err(self.expected("a value such as `%0`")) };
        let known = match name.parse() {
            Ok(number) => Some(ValueId(number)).filter(|id| id.0 < self.scope.value_count),
            Err(_) => self.scope.values.get(name).copied(),
        };
        let id = known.ok_or_else(|| {
            self.error(format!("expected a value of this function, which has no `%{name}`"))
        })?;
        self.advance();
        Ok(id)
    }

    pub fn block(&mut self) -> Parsed<BlockId> {
        let Token::Block(name) = self.peek() else { return Err(self.expected("a block such as `^0`")) };
        let known = match name.parse() {
            Ok(number) => Some(BlockId(number)).filter(|id| id.0 < self.scope.block_count),
            Err(_) => self.scope.blocks.get(name).copied(),
        };
        let id = known.ok_or_else(|| {
            self.error(format!("expected a block of this function, which has no `^{name}`"))
        })?;
        self.advance();
        Ok(id)
    }

    /// Whether the label that comes next is a name or the number expected; anything else is an error.
    pub fn check_label(&self, label: &str, expected: u32) -> Parsed<()> {
        if !is_number(label) || label.parse() == Ok(expected) {
            return Ok(());
        }
        Err(self
            .error(format!("expected number {expected} here, found {label}: they count up from 0 in order")))
    }
}

pub fn is_number(label: &str) -> bool {
    label.bytes().all(|byte| byte.is_ascii_digit())
}
