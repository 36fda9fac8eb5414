//! Text → program, by recursive descent. Each file reads one kind of thing as methods of [`Parser`].

mod constant;
mod cursor;
mod facts;
mod function;
mod lexer;
mod memory;
mod op;
mod program;
mod scope;
mod types;

use std::fmt::{self, Display, Formatter};

use crate::model::{Layout, Program};
use scope::Scope;

/// Where the text is no model, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// Reads a program. What it says is not verified; `verify` does that.
pub fn parse_program(text: &str) -> Result<Program, ParseError> {
    let tokens = lexer::lex(text)?;
    Parser { tokens, next: 0, open: usize::MAX, depth: 0, layout: Layout::default(), scope: Scope::default() }
        .program()
}

struct Parser {
    tokens: Vec<lexer::Lexed>,
    next: usize,
    /// The token that begins the current line; any other one that begins a line ends it.
    open: usize,
    /// How many types, constants and expressions are open around the next token.
    depth: u32,
    layout: Layout,
    /// The names of the function being read.
    scope: Scope,
}

type Parsed<T> = Result<T, ParseError>;

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
