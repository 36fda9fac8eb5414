//! Text → tokens with places. A line ends an instruction; inside `(…)` and `[…]` lines do not matter.

use super::ParseError;
use crate::model::text::quote::{continues_word, starts_word};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    /// Digits with what hangs on to them: `12`, `-1.5e-7`, `0x7ff0`.
    Number(String),
    /// `%7` or `%name`.
    Value(String),
    /// `^2` or `^name`.
    Block(String),
    /// `@name`.
    Symbol(String),
    Text(String),
    Mark(&'static str),
    /// The end of the line or of the text.
    End,
}

#[derive(Clone, Debug)]
pub struct Lexed {
    pub token: Token,
    pub start: Place,
    pub end: Place,
    /// Whether it begins a line.
    pub first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// Longer marks before those they start with.
const MARKS: [&str; 13] = ["...", "->", "(", ")", "[", "]", "{", "}", "<", ">", ",", ":", "="];

/// All tokens of the text; the last is `End`.
pub fn lex(text: &str) -> Result<Vec<Lexed>, ParseError> {
    let mut lexer = Lexer { rest: text, place: Place { line: 1, column: 1 } };
    let mut tokens: Vec<Lexed> = Vec::new();
    let mut depth = 0usize;
    loop {
        lexer.skip_space();
        let start = lexer.place;
        let token = lexer.token()?;
        let first = depth == 0 && tokens.last().is_none_or(|last| last.end.line < start.line);
        match token {
            Token::Mark("(" | "[") => depth += 1,
            Token::Mark(")" | "]") => depth = depth.saturating_sub(1),
            _ => {}
        }
        let done = token == Token::End;
        tokens.push(Lexed { token, start, end: lexer.place, first: first || done });
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    place: Place,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        match c {
            '\n' => self.place = Place { line: self.place.line + 1, column: 1 },
            _ => self.place.column += 1,
        }
        Some(c)
    }

    fn skip_space(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                ';' | '#' => drop(self.take_while(|c| c != '\n')),
                c if c.is_whitespace() => drop(self.bump()),
                _ => return,
            }
        }
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|c| keep(*c)) {
            taken.push(c);
            self.bump();
        }
        taken
    }

    fn token(&mut self) -> Result<Token, ParseError> {
        let Some(c) = self.peek() else { return Ok(Token::End) };
        let after = self.rest[c.len_utf8()..].chars().next();
        match c {
            '%' | '^' | '@' => {
                self.bump();
                self.named(c)
            }
            '"' | '\'' => Ok(Token::Text(self.quoted()?)),
            c if starts_word(c) => Ok(Token::Word(self.take_while(continues_word))),
            c if c.is_ascii_digit() || (c == '-' && after.is_some_and(|c| c.is_ascii_digit())) => {
                Ok(Token::Number(self.number()))
            }
            _ => self.mark(),
        }
    }

    fn named(&mut self, sigil: char) -> Result<Token, ParseError> {
        let name = match self.peek() {
            Some('"') if sigil == '@' => self.quoted()?,
            _ => self.take_while(continues_word),
        };
        match sigil {
            '@' => Ok(Token::Symbol(name)),
            _ if name.is_empty() => Err(self.error(format!("expected a number or name after `{sigil}`"))),
            '%' => Ok(Token::Value(name)),
            _ => Ok(Token::Block(name)),
        }
    }

    fn number(&mut self) -> String {
        let mut text = String::from(self.bump().unwrap_or('0'));
        text += &self.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
        let exponent = text.ends_with(['e', 'E']) && !text.contains('x');
        if let Some(sign) = self.peek().filter(|c| exponent && (*c == '-' || *c == '+')) {
            text.push(sign);
            self.bump();
            text += &self.take_while(|c| c.is_ascii_digit());
        }
        text
    }

    fn mark(&mut self) -> Result<Token, ParseError> {
        let Some(mark) = MARKS.iter().find(|mark| self.rest.starts_with(**mark)) else {
            let found = self.peek().unwrap_or(' ');
            return Err(self.error(format!("unexpected character {found:?}")));
        };
        for _ in mark.chars() {
            self.bump();
        }
        Ok(Token::Mark(mark))
    }

    fn quoted(&mut self) -> Result<String, ParseError> {
        let open = self.error("this quote is not closed on its line".to_string());
        let quote = self.bump();
        let mut text = String::new();
        loop {
            match self.bump() {
                None | Some('\n') => return Err(open),
                Some('\\') => text.push(self.escape()?),
                found if found == quote => return Ok(text),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let error = self.error("expected one of \\\\ \\\" \\' \\n \\t \\u{hex}".to_string());
        match self.bump() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some(c @ ('\\' | '"' | '\'')) => Ok(c),
            Some('u') if self.bump() == Some('{') => {
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                let c = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                c.filter(|_| self.bump() == Some('}')).ok_or(error)
            }
            _ => Err(error),
        }
    }

    fn error(&self, message: String) -> ParseError {
        ParseError { line: self.place.line, column: self.place.column, message }
    }
}
