//! A program: the functions and globals of one module, or those reachable from a request.

use std::collections::HashSet;

use super::constant::Constant;
use super::custom::CustomRule;
use super::function::{Function, Inst, Linkage, Loc, Operand};
use super::functions::Functions;
use super::remembered::Remembered;
use super::types::Type;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    /// LLVM's data layout string.
    pub layout: String,
    /// Whether a float of two bytes occurs anywhere in the module: in a function, a global or a struct.
    pub short_floats: bool,
    /// Source files, as debug information names them.
    pub files: Vec<String>,
    pub globals: Vec<Global>,
    pub aliases: Vec<Alias>,
    pub functions: Functions,
    /// Derivatives of some of the functions, written by the user; one rule for each.
    pub rules: Vec<CustomRule>,
    pub remembered: Remembered,
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
    /// Whether nothing leads to it but its name: its address is kept nowhere, and handed to nobody.
    pub only_named: bool,
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

fn constant_of(operand: &Operand) -> Option<&Constant> {
    match operand {
        Operand::Const(constant) => Some(constant),
        Operand::Value(_) => None,
    }
}

impl Global {
    /// Whether pointers of unknown origin may lead here.
    pub fn is_exposed(&self) -> bool {
        self.address_taken || self.linkage != Linkage::Local
    }
}

/// The attribute of functions, and of calls, that the user declared to carry no derivative.
pub const DECLARED_INACTIVE: &str = "backsweep_inactive";

/// The attribute of functions that the user declared to behave like another, whose name follows.
pub const BEHAVES_LIKE: &str = "backsweep_like=";

/// The attributes of functions whose calls the user wants to run twice, to record as they go, where they are not inlined, or to be
/// contracted to their partial derivatives.
pub const CALLED_JOINTLY: &str = "backsweep_joint";
pub const CALLED_SPLIT: &str = "backsweep_split";
pub const CALLED_CONTRACTED: &str = "backsweep_contract";

/// The attribute of calls that give the result of the callee and its partial derivatives together.
pub const GIVES_PARTIALS: &str = "backsweep_partials";

/// The attribute of functions that are given structs by value, or return them in memory: what calls them has to say so.
pub const PASSES_STRUCTS: &str = "backsweep_structs";

/// LLVM writes the attributes of its users in quotation marks.
fn is_declaration_of_inactive(attribute: &str) -> bool {
    attribute.trim_start_matches('"').starts_with(DECLARED_INACTIVE)
        && attribute.trim_matches('"') == DECLARED_INACTIVE
}

/// The names of globals and functions whose addresses are taken, calls included.
struct Mentioned(HashSet<String>);

impl Program {
    /// Whether the lowest byte of a number comes first in memory.
    pub fn starts_with_lowest(&self) -> bool {
        !self.layout.starts_with('E')
    }

    /// The bytes of the smallest float that may lie in bytes of which nobody says anything. Where no half and no bfloat is mentioned
    /// anywhere it is a `float`: two bytes that nobody touches fill a word up, beside a `short`.
    pub fn least_float(&self) -> u64 {
        if self.short_floats { 2 } else { 4 }
    }

    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.find(name)
    }

    pub fn custom_rule(&self, function: &str) -> Option<&CustomRule> {
        self.rules.iter().find(|rule| rule.function == function)
    }

    /// Whether derivatives follow calls of a function: its body is here and means what it says, or the user gave a rule
    /// for it.
    pub fn is_followed(&self, function: &str) -> bool {
        let body = self.function(function).is_some_and(|function| !function.is_declaration());
        self.custom_rule(function).is_some() || body && self.known_name(function) == function
    }

    /// Whether somebody here calls a function, or has its address.
    pub fn is_mentioned(&self, function: &str) -> bool {
        self.once("", || self.find_mentioned()).0.contains(function)
    }

    fn find_mentioned(&self) -> Mentioned {
        let mut names = HashSet::new();
        let insts = self.functions.iter().flat_map(|function| &function.insts);
        let constants = insts.flat_map(|inst| &inst.operands).filter_map(constant_of);
        for constant in constants.chain(self.globals.iter().filter_map(|global| global.initial.as_ref())) {
            constant.walk(&mut |part| {
                if let Constant::Symbol { name, .. } = part
                    && !names.contains(name)
                {
                    names.insert(name.clone());
                }
            });
        }
        Mentioned(names)
    }

    /// The name by which a function is known: its own, or that of the function it was declared to behave like.
    pub fn known_name<'a>(&'a self, function: &'a str) -> &'a str {
        let attributes = self.function(function).into_iter().flat_map(|function| &function.attributes);
        attributes.filter_map(|text| text.strip_prefix(BEHAVES_LIKE)).next().unwrap_or(function)
    }

    /// Whether the user declared that a call carries no derivative, by itself or through its callee.
    pub fn is_declared_inactive(&self, call: &Inst) -> bool {
        let callee = call.callee_name().and_then(|name| self.function(name));
        let of_callee = callee.into_iter().flat_map(|callee| &callee.attributes);
        let of_call = call.op.call().into_iter().flat_map(|call| &call.attributes);
        of_callee.chain(of_call).any(|text| is_declaration_of_inactive(text))
    }

    /// Whether the user declared that a function carries no derivative, whoever calls it.
    pub fn is_always_inactive(&self, function: &Function) -> bool {
        function.attributes.iter().any(|text| is_declaration_of_inactive(text))
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
