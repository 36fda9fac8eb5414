//! Counts of operations, and of what the model carries without understanding it.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

use backsweep_core::model::{AtomicOp, Constant, Function, Inst, Op, Operand, Program, Type};

#[derive(Default)]
pub struct Tally {
    programs: usize,
    functions: usize,
    operations: usize,
    /// By mnemonic, reason and what they touch.
    opaque: BTreeMap<Opaque, usize>,
    /// Opaque constants among operands, by sort.
    constants: BTreeMap<&'static str, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opaque {
    touches: Touches,
    mnemonic: String,
    reason: String,
}

/// What must never be opaque, and the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Touches {
    Floats,
    Memory,
    Control,
    Nothing,
}

impl Tally {
    pub fn of(program: &Program) -> Tally {
        let mut tally = Tally { programs: 1, ..Tally::default() };
        for function in program.functions.iter().filter(|function| !function.is_declaration()) {
            tally.functions += 1;
            tally.operations += function.insts.len();
            function.insts.iter().for_each(|inst| tally.count_inst(function, inst));
        }
        tally
    }

    pub fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.functions += other.functions;
        self.operations += other.operations;
        for (opaque, count) in &other.opaque {
            *self.opaque.entry(opaque.clone()).or_default() += count;
        }
        for (sort, count) in &other.constants {
            *self.constants.entry(sort).or_default() += count;
        }
    }

    /// In percent of all operations.
    pub fn opaque_share(&self) -> f64 {
        100.0 * self.opaque.values().sum::<usize>() as f64 / self.operations.max(1) as f64
    }

    /// Opaque operations where none may be.
    pub fn misplaced(&self) -> Vec<&Opaque> {
        self.opaque.keys().filter(|opaque| opaque.touches != Touches::Nothing).collect()
    }

    /// A line for each sort of opaque operation and constant.
    pub fn details(&self) -> String {
        let mut text = String::new();
        for (Opaque { touches, mnemonic, reason }, count) in &self.opaque {
            let _ =
                writeln!(text, "  opaque operation {mnemonic:<14} {count:>7}  touches {touches:?}: {reason}");
        }
        for (sort, count) in &self.constants {
            let _ = writeln!(text, "  opaque constant  {sort:<14} {count:>7}");
        }
        text
    }

    fn count_inst(&mut self, function: &Function, inst: &Inst) {
        let found = match &inst.op {
            Op::Opaque { mnemonic, reason, ends_block, .. } => {
                Some((touches(function, inst, *ends_block), mnemonic.clone(), reason.clone()))
            }
            Op::AtomicRmw { op: AtomicOp::Other, .. } => {
                Some((Touches::Memory, "atomicrmw".to_string(), "a rare update, not told apart".to_string()))
            }
            _ => None,
        };
        if let Some((touches, mnemonic, reason)) = found {
            *self.opaque.entry(Opaque { touches, mnemonic, reason }).or_default() += 1;
        }
        for operand in &inst.operands {
            if let Operand::Const(constant) = operand {
                self.count_constant(constant);
            }
        }
    }

    fn count_constant(&mut self, constant: &Constant) {
        constant.walk(&mut |part| {
            if let Constant::Opaque { ty, text } = part {
                *self.constants.entry(sort_of(ty, text)).or_default() += 1;
            }
        });
    }
}

fn touches(function: &Function, inst: &Inst, ends_block: bool) -> Touches {
    let float = |ty: &Type| ty.holds_float();
    let mut types = inst.operands.iter().map(|operand| function.operand_type(operand));
    if float(&inst.ty) || types.any(|ty| float(&ty)) {
        Touches::Floats
    } else if ends_block {
        Touches::Control
    } else if inst.operands.iter().any(|operand| function.operand_type(operand).is_pointer()) {
        Touches::Memory
    } else {
        Touches::Nothing
    }
}

fn sort_of(ty: &Type, text: &str) -> &'static str {
    match ty {
        Type::Metadata => "metadata",
        Type::Token => "token",
        Type::Int(_) => "wide integer",
        _ if text.contains("asm ") => "assembly",
        _ if text.contains("blockaddress") => "block address",
        _ => "other",
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let opaque: usize = self.opaque.values().sum();
        write!(
            f,
            "{:>4} models {:>6} functions {:>8} operations {opaque:>5} opaque ({:.4} %) {:>4} of them among floats, memory, control",
            self.programs,
            self.functions,
            self.operations,
            self.opaque_share(),
            self.opaque
                .iter()
                .filter(|(opaque, _)| opaque.touches != Touches::Nothing)
                .map(|(_, count)| count)
                .sum::<usize>(),
        )
    }
}
