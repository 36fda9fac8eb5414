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
    pub aliases: Vec<Alias>,
    pub functions: Vec<Function>,
}

/// Another name of a global or function: C++ compilers emit one for a constructor that equals another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    pub name: String,
    pub space: u32,
    pub linkage: Linkage,
    pub stands: Stands,
    /// The constant address that it stands for, or the function that will choose one.
    pub to: Constant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// For that address.
    ForAddress,
    /// For what the function returns when the program is loaded.
    ForResult,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: String,
    pub ty: Type,
    pub space: u32,
    pub constant: bool,
    pub linkage: Linkage,
    pub thread_local: bool,
    /// Whether its address may be found in memory, though only this module knows its name.
    pub address_taken: bool,
    pub derivative: GlobalDerivative,
    /// `None` where it is defined elsewhere.
    pub initial: Option<Constant>,
}

/// Where the derivative of what a global holds is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GlobalDerivative {
    /// Nothing was declared: a shadow is made where one is needed.
    #[default]
    Made,
    /// The user declared that there is none.
    Nothing,
    /// The user declared that this global holds it.
    Declared(String),
}

impl Global {
    /// Whether pointers of unknown origin may lead here.
    pub fn is_exposed(&self) -> bool {
        self.address_taken || self.linkage != Linkage::Local
    }
}

impl Program {
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    pub fn global(&self, name: &str) -> Option<&Global> {
        self.globals.iter().find(|global| global.name == name)
    }

    pub fn alias(&self, name: &str) -> Option<&Alias> {
        self.aliases.iter().find(|alias| alias.name == name)
    }

    /// `file:line:column`, as compilers print it.
    pub fn describe_loc(&self, loc: Loc) -> String {
        let file = self.files.get(loc.file as usize).map_or("<unknown>", String::as_str);
        format!("{file}:{}:{}", loc.line, loc.column)
    }
}
