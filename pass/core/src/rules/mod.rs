//! What the derivative of each operation and function is: rows of data, parsed and checked once.
//!
//! Input: an operation of the model, or a callee's symbol. Output: its [`Row`], or a reason why there is none
//! to look for, or nothing, which means *refuse when active*.
//!
//! Invariant: nothing is zero by default. A derivative of zero is a row that says so, or a name in the inactive
//! list with its reason.
//! Invariant: knows nothing of LLVM's interface, and nothing of how forms become instructions.

mod doc;
mod every_op;
mod expr;
mod families;
mod inactive;
mod library;
mod links;
mod number;
mod operations;
mod parse;
mod quick;
mod row;
mod spelling;
mod table;
mod texts;
mod validity;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::{Op, Type};

pub use doc::write_document;
pub use every_op::one_of_each;
pub use expr::{BinaryOp, Condition, Expr, Indices, Needs};
pub use inactive::{INACTIVE, InactiveGroup, Pattern, is_known_inactive};
pub use library::only_reads_for_program;
pub use number::{NamedConstant, float_constant};
pub use operations::{OpRule, Place, place_of};
pub use quick::is_quick;
pub use row::{Edge, EdgePoint, Entry, OperandKind, Row, TableError};
pub use spelling::{Precision, Shape, Spelling, SymbolKind};
pub use texts::texts_of;

use families::{FAMILIES, Family};
use inactive::InactiveIndex;
use links::Links;
use validity::Signature;

/// Before the name of a library function: the same function, taking and returning complex numbers part by part.
pub const PARTS_PREFIX: &str = "backsweep.parts.";

/// Every rule. Built once and passed around.
#[derive(Clone, Debug)]
pub struct Rules {
    rows: Vec<Row>,
    by_name: HashMap<&'static str, usize>,
    /// Library symbols. Intrinsics are found by the name between `llvm.` and the types.
    symbols: HashMap<String, (usize, SymbolKind, Shape)>,
    intrinsics: HashMap<&'static str, (usize, Shape)>,
    inactive: InactiveIndex,
    links: Links,
}

/// A symbol recognised as the function of a row.
#[derive(Clone, Copy, Debug)]
pub struct Spelled<'a> {
    pub row: &'a Row,
    pub kind: SymbolKind,
    pub shape: Shape,
}

/// What the rules say of a callee.
#[derive(Clone, Copy, Debug)]
pub enum CalleeRule<'a> {
    Row(Spelled<'a>),
    /// Folds the lanes of a vector into one number; emission knows how.
    Reduction(Reduction),
    Inactive(&'static str),
    /// In no table: needs a body, a custom rule, or an annotation.
    Unknown,
}

/// `llvm.vector.reduce.*` over floats. Rows work lane by lane, so these are not rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Operands: start, vector. Every lane and the start get `d`.
    Add,
    /// Operands: start, vector. Each gets `d` times the product of the others.
    Mul,
    /// The first lane equal to the result gets `d`.
    Extremum,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::new()
    }
}

impl Rules {
    /// The rules of the standard tables.
    pub fn new() -> Rules {
        let entries = table::TABLES.iter().flat_map(|(_, entries)| entries.iter());
        Rules::from_entries(entries).unwrap_or_else(|error| panic!("the tables hold a fault: {error}"))
    }

    /// The standard tables, read once: for who is given none, and asks of every function.
    pub fn shared() -> &'static Rules {
        static SHARED: LazyLock<Rules> = LazyLock::new(Rules::new);
        &SHARED
    }

    /// The standard tables by topic: what is documented, in that order.
    pub fn topics(&self) -> impl Iterator<Item = (&'static str, Vec<&Row>)> {
        table::TABLES.iter().map(|(topic, entries)| {
            (*topic, entries.iter().filter_map(|entry| self.row(entry.name)).collect())
        })
    }

    pub fn from_entries<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Result<Rules, TableError> {
        let rows = entries.into_iter().map(Row::new).collect::<Result<Vec<_>, _>>()?;
        let mut rules = Rules {
            rows,
            by_name: HashMap::new(),
            symbols: HashMap::new(),
            intrinsics: HashMap::new(),
            inactive: InactiveIndex::new(),
            links: Links::new()?,
        };
        for (index, row) in rules.rows.iter().enumerate() {
            if rules.by_name.insert(row.name, index).is_some() {
                return Err(fault(row.name, "stands in two tables"));
            }
        }
        rules.check_kinds()?;
        for family in FAMILIES {
            rules.add_family(family)?;
        }
        Ok(rules)
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub fn row(&self, name: &str) -> Option<&Row> {
        self.by_name.get(name).map(|index| &self.rows[*index])
    }

    /// The row a symbol stands for.
    pub fn lookup(&self, symbol: &str) -> Option<Spelled<'_>> {
        let symbol = symbol.strip_prefix(PARTS_PREFIX).unwrap_or(symbol);
        if let Some((index, kind, shape)) = self.symbols.get(symbol) {
            return Some(Spelled { row: &self.rows[*index], kind: *kind, shape: *shape });
        }
        let (index, shape) = spelling::intrinsic_bases(symbol).find_map(|base| self.intrinsics.get(base))?;
        Some(Spelled { row: &self.rows[*index], kind: SymbolKind::Intrinsic, shape: *shape })
    }

    /// What is known of a callee, by its symbol. The caller has made sure that it is the library's function.
    pub fn lookup_callee(&self, symbol: &str) -> CalleeRule<'_> {
        if let Some(reason) = self.inactive.reason(symbol) {
            return CalleeRule::Inactive(reason);
        }
        if let Some(reduction) = Reduction::of(symbol) {
            return CalleeRule::Reduction(reduction);
        }
        self.lookup(symbol).map_or(CalleeRule::Unknown, CalleeRule::Row)
    }

    /// Whether a function without a body ends the program, or unwinds, with a message: it keeps nothing of what it is given.
    pub fn ends_with_message(&self, symbol: &str) -> bool {
        self.inactive.is_ending(symbol)
    }

    /// What is known of an operation.
    pub fn lookup_op(&self, op: &Op) -> OpRule<'_> {
        match operations::place_of(op) {
            Place::Row(name) => OpRule::Row(self.row(name).expect("every place of a row names a row")),
            Place::Link(link) => OpRule::Row(self.links.row(link)),
            Place::Structural(how) => OpRule::Structural(how),
            Place::Inactive(why) => OpRule::Inactive(why),
            Place::Control(how) => OpRule::Control(how),
            Place::Callee => OpRule::Callee,
            Place::Opaque => OpRule::Opaque,
        }
    }

    /// How to compute the function that a form calls by `name`, on operands of those types.
    /// `None` where no table has the name, or where no operand is real.
    pub fn spell(&self, name: &str, operands: &[Type]) -> Option<Spelling> {
        if let Some(op) = operations::instruction_of(name) {
            return Some(Spelling::Instruction(op));
        }
        let family = FAMILIES.iter().find(|family| family.row == name)?;
        spelling::spell_family(family, operands)
    }

    /// What the operands of a row or helper are; empty for a name in no table.
    pub fn operand_kinds(&self, name: &str) -> &'static [OperandKind] {
        self.signature(name).map_or(&[], |signature| signature.operands)
    }

    /// The symbols of libraries that stand for rows, sorted.
    pub fn library_symbols(&self) -> Vec<&str> {
        let mut symbols: Vec<&str> = self.symbols.keys().map(String::as_str).collect();
        symbols.sort_unstable();
        symbols
    }

    fn add_family(&mut self, family: &Family) -> Result<(), TableError> {
        // A helper has a spelling and no row.
        let Some(&index) = self.by_name.get(family.row) else { return Ok(()) };
        for (symbol, kind, shape) in spelling::list_symbols(family) {
            if self.symbols.insert(symbol.clone(), (index, kind, shape)).is_some() {
                return Err(fault(family.row, format!("symbol `{symbol}` is taken by another row")));
            }
        }
        if let Some(base) = family.intrinsic
            && self.intrinsics.insert(base, (index, family.intrinsic_shape)).is_some()
        {
            return Err(fault(family.row, format!("intrinsic `{base}` is taken by another row")));
        }
        Ok(())
    }

    fn check_kinds(&self) -> Result<(), TableError> {
        let signature_of = |name: &str| self.signature(name);
        for row in &self.rows {
            let own = Signature { operands: row.operands, results: row.results };
            for result in 0..row.results.len() {
                for operand in 0..row.operands.len() {
                    validity::check_kinds(row.form(result, operand), own, &signature_of)
                        .map_err(|problem| fault(row.name, problem))?;
                }
            }
        }
        Ok(())
    }

    fn signature(&self, name: &str) -> Option<Signature> {
        if let Some((_, signature)) = HELPERS.iter().find(|(helper, _)| *helper == name) {
            return Some(*signature);
        }
        self.row(name).map(|row| Signature { operands: row.operands, results: row.results })
    }
}

/// Functions that forms call and users do not.
const HELPERS: [(&str, Signature); 1] =
    [("digamma", Signature { operands: &[OperandKind::Real], results: &[OperandKind::Real] })];

impl Reduction {
    fn of(symbol: &str) -> Option<Reduction> {
        let (name, _types) = symbol.strip_prefix("llvm.vector.reduce.")?.split_once('.')?;
        match name {
            "fadd" => Some(Reduction::Add),
            "fmul" => Some(Reduction::Mul),
            "fmax" | "fmin" | "fmaximum" | "fminimum" => Some(Reduction::Extremum),
            _ => None,
        }
    }
}

fn fault(row: &str, problem: impl Into<String>) -> TableError {
    TableError { row: row.to_owned(), problem: problem.into() }
}
