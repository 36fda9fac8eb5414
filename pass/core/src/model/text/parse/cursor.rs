//! Moving through the tokens of a line.

use std::str::FromStr;

use super::lexer::Token;
use super::{ParseError, Parsed, Parser};

/// Programs stay far below; the recursion of a debug build stays well within a thread's stack.
const DEEPEST: u32 = 500;

impl Parser {
    /// The next token of this line, or `End` after its last.
    pub fn peek(&self) -> &Token {
        let next = &self.tokens[self.next];
        if next.first && self.next != self.open { &Token::End } else { &next.token }
    }

    pub fn advance(&mut self) {
        if *self.peek() != Token::End {
            self.next += 1;
        }
    }

    /// Goes to the next line, if there is one.
    pub fn open_line(&mut self) -> Parsed<bool> {
        if *self.peek() != Token::End {
            return Err(self.expected("the end of the line"));
        }
        self.open = self.next;
        Ok(self.tokens[self.next].token != Token::End)
    }

    /// An error at the next token: this was expected, that was found.
    pub fn expected(&self, what: &str) -> ParseError {
        let found = match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Number(text) => format!("`{text}`"),
            Token::Value(name) => format!("`%{name}`"),
            Token::Block(name) => format!("`^{name}`"),
            Token::Symbol(name) => format!("`@{name}`"),
            Token::Text(text) => format!("{text:?}"),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::End => "the end of the line".to_string(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// An error at the next token, or behind the last one of a finished line.
    pub fn error(&self, message: String) -> ParseError {
        let place = match (self.peek(), self.next.checked_sub(1)) {
            (Token::End, Some(last)) => self.tokens[last].end,
            _ => self.tokens[self.next].start,
        };
        ParseError { line: place.line, column: place.column, message }
    }

    pub fn is_mark(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(found) if *found == mark)
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    pub fn accept_mark(&mut self, mark: &str) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.advance();
        }
        found
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// A word that the table knows, if one comes next.
    pub fn accept_known<T>(&mut self, table: fn(&str) -> Option<T>) -> Option<T> {
        let Token::Word(word) = self.peek() else { return None };
        let known = table(word)?;
        self.advance();
        Some(known)
    }

    pub fn known<T>(&mut self, what: &str, table: fn(&str) -> Option<T>) -> Parsed<T> {
        self.accept_known(table).ok_or_else(|| self.expected(what))
    }

    pub fn mark(&mut self, mark: &str) -> Parsed<()> {
        if self.accept_mark(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    pub fn word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub fn text(&mut self) -> Parsed<String> {
        let Token::Text(text) = self.peek() else { return Err(self.expected("a quoted string")) };
        let text = text.clone();
        self.advance();
        Ok(text)
    }

    /// A bare or quoted word, if one comes next.
    pub fn accept_bare(&mut self) -> Option<String> {
        let (Token::Word(text) | Token::Text(text)) = self.peek() else { return None };
        let text = text.clone();
        self.advance();
        Some(text)
    }

    pub fn symbol(&mut self) -> Parsed<String> {
        let Token::Symbol(name) = self.peek() else { return Err(self.expected("a symbol such as `@f`")) };
        let name = name.clone();
        self.advance();
        Ok(name)
    }

    pub fn number<T: FromStr>(&mut self) -> Parsed<T> {
        let number = match self.peek() {
            Token::Number(text) => text.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected("a whole number in range"))?;
        self.advance();
        Ok(number)
    }

    /// Reads something that may contain its like, as long as the stack surely holds.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.error(format!("expected fewer than {DEEPEST} levels of nesting")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// `(item, …)`.
    pub fn list<T>(&mut self, item: impl FnMut(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.mark("(")?;
        self.items(")", item)
    }

    /// `item, …` up to and with the closing mark.
    pub fn items<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Parser) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.accept_mark(close) {
            if !items.is_empty() && !self.accept_mark(",") {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `word(item, …)`, or nothing where the word is missing.
    pub fn optional_list<T>(
        &mut self,
        word: &str,
        item: impl FnMut(&mut Parser) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        if self.accept_word(word) { self.list(item) } else { Ok(Vec::new()) }
    }
}
