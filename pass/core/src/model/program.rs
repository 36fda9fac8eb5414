//! A program: the functions and globals of one module, or those reachable from a request.

use super::constant::Constant;
use super::function::{Function, Linkage, Loc};
use super::types::Type;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    /// LLVM's data layout string.
    pub layout: String,
    /// Source files, as debug information names them.
    pub files: Vec<String>,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: String,
    pub ty: Type,
    pub space: u32,
    pub constant: bool,
    pub linkage: Linkage,
    pub thread_local: bool,
    /// `None` where it is defined elsewhere.
    pub initial: Option<Constant>,
}

impl Program {
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    pub fn global(&self, name: &str) -> Option<&Global> {
        self.globals.iter().find(|global| global.name == name)
    }

    /// `file:line:column`, as compilers print it.
    pub fn describe_loc(&self, loc: Loc) -> String {
        let file = self.files.get(loc.file as usize).map_or("<unknown>", String::as_str);
        format!("{file}:{}:{}", loc.line, loc.column)
    }
}
