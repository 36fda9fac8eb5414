//! Is this a model at all? Program → every violation of the invariants that the other stages build on.
//!
//! Each message is a sentence that states the invariant. What a violation makes meaningless is not looked at: a
//! function whose ids are broken is checked for nothing else.
//! Safe error: accepts what LLVM's own verifier would refuse where no stage of ours relies on it.

mod constants;
mod dominance;
mod facts;
mod loops;
mod ops;
mod shape;
mod symbols;
mod typing;

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use super::{BlockId, Function, Inst, Layout, LoopId, Program, ValueId};

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// `None` for what concerns the program or a global.
    pub function: Option<String>,
    pub place: Place,
    /// A sentence that states the invariant.
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Global(String),
    Function,
    Block(BlockId),
    Value(ValueId),
    Loop(LoopId),
}

/// All violations, in the order of the program.
pub fn verify(program: &Program) -> Vec<Violation> {
    let layout = Layout::parse(&program.layout);
    let symbols = symbols::Symbols::of(program);
    let mut found = Vec::new();
    symbols.check_globals(program, &mut found);
    symbols.check_aliases(program, &mut found);
    check_rules(program, &mut found);
    for function in &program.functions {
        let mut check = Check { program, layout: &layout, symbols: &symbols, function, found: Vec::new() };
        check.function();
        found.append(&mut check.found);
    }
    found
}

fn check_rules(program: &Program, found: &mut Vec<Violation>) {
    let mut seen = BTreeSet::new();
    for rule in &program.rules {
        let mut report = |message: &str| {
            let place = Place::Global(rule.function.clone());
            found.push(Violation { function: None, place, message: message.into() });
        };
        if !rule.names().all(|name| program.function(name).is_some()) {
            report("A rule names functions of the program.");
        }
        if !seen.insert(&rule.function) {
            report("A function has one rule.");
        }
    }
}

/// One function under examination.
struct Check<'a> {
    program: &'a Program,
    layout: &'a Layout,
    symbols: &'a symbols::Symbols<'a>,
    function: &'a Function,
    found: Vec<Violation>,
}

impl<'a> Check<'a> {
    fn function(&mut self) {
        self.check_header();
        self.check_shape();
        if !self.found.is_empty() {
            return;
        }
        for (id, inst) in self.insts() {
            self.check_op(id, inst);
            self.check_constants(id, inst);
            self.check_symbols(id, inst);
        }
        self.check_phis();
        self.check_dominance();
        self.check_loops();
        self.check_memory();
        self.check_aliases();
        self.check_names();
    }

    fn insts(&self) -> impl Iterator<Item = (ValueId, &'a Inst)> + use<'a> {
        self.function.inst_ids().zip(&self.function.insts)
    }

    fn report(&mut self, place: Place, message: impl Into<String>) {
        let function = Some(self.function.name.clone());
        self.found.push(Violation { function, place, message: message.into() });
    }

    /// Reports the invariant at the place unless it holds.
    fn require(&mut self, holds: bool, place: Place, invariant: &str) {
        if !holds {
            self.report(place, invariant);
        }
    }
}

impl Display for Violation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(f, "@{function}, {}: {}", self.place, self.message),
            None => write!(f, "{}: {}", self.place, self.message),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Place::Global(name) => write!(f, "@{name}"),
            Place::Function => write!(f, "header"),
            Place::Block(block) => write!(f, "{block}"),
            Place::Value(value) => write!(f, "{value}"),
            Place::Loop(id) => write!(f, "loop {id}"),
        }
    }
}
