//! One instruction: `%5: double = mnemonic flags operands payload at file:line:column origin %3`.

use std::fmt::{self, Display, Formatter};

use super::List;
use super::function::Attributes;
use crate::model::text::quote::Quoted;
use crate::model::{
    Access, Alloca, BlockId, Call, Constant, Flags, Function, Gep, Inst, Layout, Link, Op, Operand, Ordering,
    Stride, Type, ValueId,
};

pub struct Line<'a> {
    pub function: &'a Function,
    pub layout: Option<&'a Layout>,
    pub id: ValueId,
    pub inst: &'a Inst,
}

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let inst = self.inst;
        match inst.ty {
            Type::Void => write!(f, "{} = ", self.id)?,
            _ => write!(f, "{}: {} = ", self.id, inst.ty)?,
        }
        write!(f, "{}{}", Mnemonic(&inst.op), inst.flags)?;
        self.write_operands(f)?;
        self.write_payload(f)?;
        if let Some(loc) = inst.loc {
            write!(f, " at {loc}")?;
        }
        match inst.origin {
            Some(origin) => write!(f, " origin {origin}"),
            None => Ok(()),
        }
    }
}

/// The first words of an instruction.
struct Mnemonic<'a>(&'a Op);

impl Display for Mnemonic<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Op::FNeg => write!(f, "fneg"),
            Op::Float(op) => write!(f, "{op}"),
            Op::Int(op) => write!(f, "{op}"),
            Op::Cast(op) => write!(f, "{op}"),
            Op::ICmp(predicate) => write!(f, "icmp {predicate}"),
            Op::FCmp(predicate) => write!(f, "fcmp {predicate}"),
            Op::Select => write!(f, "select"),
            Op::Freeze => write!(f, "freeze"),
            Op::Attach(Link::Start) => write!(f, "detach"),
            Op::Attach(Link::Term { guarded: false }) => write!(f, "attach"),
            Op::Attach(Link::Term { guarded: true }) => write!(f, "attach_guarded"),
            Op::Phi { .. } => write!(f, "phi"),
            Op::ExtractElement => write!(f, "extractelement"),
            Op::InsertElement => write!(f, "insertelement"),
            Op::ShuffleVector { .. } => write!(f, "shufflevector"),
            Op::ExtractValue { .. } => write!(f, "extractvalue"),
            Op::InsertValue { .. } => write!(f, "insertvalue"),
            Op::Alloca(_) => write!(f, "alloca"),
            Op::Load(_) => write!(f, "load"),
            Op::Store(_) => write!(f, "store"),
            Op::Gep(_) => write!(f, "gep"),
            Op::AtomicRmw { op, .. } => write!(f, "atomicrmw {op}"),
            Op::CompareExchange { .. } => write!(f, "cmpxchg"),
            Op::Fence { ordering } => write!(f, "fence {ordering}"),
            Op::VaArg => write!(f, "va_arg"),
            Op::Call(_) => write!(f, "call"),
            Op::LandingPad { .. } => write!(f, "landingpad"),
            Op::Ret => write!(f, "ret"),
            Op::Br { .. } | Op::CondBr { .. } => write!(f, "br"),
            Op::Switch { .. } => write!(f, "switch"),
            Op::IndirectBr { .. } => write!(f, "indirectbr"),
            Op::Invoke { .. } => write!(f, "invoke"),
            Op::CallBr { .. } => write!(f, "callbr"),
            Op::Resume => write!(f, "resume"),
            Op::Unreachable => write!(f, "unreachable"),
            Op::Opaque { mnemonic, .. } => write!(f, "opaque {}", Quoted(mnemonic)),
        }
    }
}

impl Line<'_> {
    fn write_operands(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let operands = self.inst.operands.as_slice();
        match &self.inst.op {
            Op::Phi { from } => write_arrivals(f, from, operands),
            Op::Call(call) | Op::Invoke { call, .. } | Op::CallBr { call, .. } => {
                write_call(f, call, operands)
            }
            _ if operands.is_empty() => Ok(()),
            _ => write!(f, " {}", List(operands)),
        }
    }

    /// What the operation carries beside its operands, each part behind its own word.
    fn write_payload(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.inst.op {
            Op::ShuffleVector { mask } => write!(f, " mask({})", List(mask)),
            Op::ExtractValue { path } | Op::InsertValue { path } => write!(f, " path({})", List(path)),
            Op::Alloca(alloca) => self.write_alloca(f, alloca),
            Op::Load(access) | Op::Store(access) => self.write_access(f, access),
            Op::AtomicRmw { access, .. } | Op::CompareExchange { access } => self.write_access(f, access),
            Op::Gep(gep) => write_gep(f, gep),
            Op::LandingPad { cleanup } => write!(f, "{}", if *cleanup { " cleanup" } else { "" }),
            Op::Br { to } => write!(f, " {to}"),
            Op::CondBr { yes, no } => write!(f, ", {yes}, {no}"),
            Op::Switch { cases, default } => write_switch(f, cases, *default),
            Op::IndirectBr { targets } => write!(f, " to({})", List(targets)),
            Op::Invoke { normal, unwind, .. } => write!(f, " to {normal} unwind {unwind}"),
            Op::CallBr { normal, others, .. } => write!(f, " to {normal} or({})", List(others)),
            Op::Opaque { reason, ends_block, successors, .. } => {
                write!(f, " because {}", Quoted(reason))?;
                write!(f, "{}", if *ends_block { " ends" } else { "" })?;
                if successors.is_empty() { Ok(()) } else { write!(f, " to({})", List(successors)) }
            }
            Op::FNeg | Op::Float(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::FCmp(_) => Ok(()),
            Op::Attach(_) => Ok(()),
            Op::Select | Op::Freeze | Op::Phi { .. } | Op::ExtractElement | Op::InsertElement => Ok(()),
            Op::Fence { .. } | Op::VaArg | Op::Call(_) => Ok(()),
            Op::Ret | Op::Resume | Op::Unreachable => Ok(()),
        }
    }

    fn write_alloca(&self, f: &mut Formatter<'_>, alloca: &Alloca) -> fmt::Result {
        write!(f, " of {}", alloca.allocated)?;
        let usual = self.layout.map(|layout| Alloca::usual(&alloca.allocated, layout));
        if usual.as_ref().map(|usual| usual.bytes) != Some(alloca.bytes) {
            write!(f, " bytes {}", alloca.bytes)?;
        }
        if usual.as_ref().map(|usual| usual.align) != Some(alloca.align) {
            write!(f, " align {}", alloca.align)?;
        }
        Ok(())
    }

    fn write_access(&self, f: &mut Formatter<'_>, access: &Access) -> fmt::Result {
        let usual = self.layout.map(|layout| Access::usual(self.function.accessed_type(self.inst), layout));
        if usual.as_ref().map(|usual| usual.bytes) != Some(access.bytes) {
            match access.bytes {
                Some(bytes) => write!(f, " bytes {bytes}")?,
                None => write!(f, " bytes unknown")?,
            }
        }
        if usual.as_ref().map(|usual| usual.align) != Some(access.align) {
            write!(f, " align {}", access.align)?;
        }
        if access.volatile {
            write!(f, " volatile")?;
        }
        if access.integer {
            write!(f, " integer")?;
        }
        if access.member {
            write!(f, " member")?;
        }
        if access.stepped {
            write!(f, " stepped")?;
        }
        if access.untyped {
            write!(f, " untyped")?;
        }
        if access.typed {
            write!(f, " typed")?;
        }
        if access.number {
            write!(f, " number")?;
        }
        match access.ordering {
            Ordering::NotAtomic => Ok(()),
            ordering => write!(f, " {ordering}"),
        }
    }
}

fn write_arrivals(f: &mut Formatter<'_>, from: &[BlockId], operands: &[Operand]) -> fmt::Result {
    for (index, (block, operand)) in from.iter().zip(operands).enumerate() {
        write!(f, "{} {block}: {operand}", if index == 0 { "" } else { "," })?;
    }
    Ok(())
}

fn write_call(f: &mut Formatter<'_>, call: &Call, operands: &[Operand]) -> fmt::Result {
    let Some((callee, rest)) = operands.split_last() else { return write!(f, " ; no callee") };
    let (arguments, bundles) = rest.split_at(rest.len().min(call.arguments as usize));
    write!(f, " {callee}({})", List(arguments))?;
    if !bundles.is_empty() {
        write!(f, " bundles({})", List(bundles))?;
    }
    if call.library {
        write!(f, " library")?;
    }
    write!(f, "{}", Attributes(&call.attributes))
}

fn write_gep(f: &mut Formatter<'_>, gep: &Gep) -> fmt::Result {
    write!(f, " over {}", gep.source)?;
    if gep.strides.is_empty() { Ok(()) } else { write!(f, " by({})", List(&gep.strides)) }
}

fn write_switch(f: &mut Formatter<'_>, cases: &[(Constant, BlockId)], default: BlockId) -> fmt::Result {
    let cases: Vec<String> = cases.iter().map(|(value, block)| format!("{value}: {block}")).collect();
    write!(f, " cases({}) default {default}", List(&cases))
}

impl Display for Stride {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Stride::Scale(bytes) => write!(f, "{bytes}"),
            Stride::Field(bytes) => write!(f, "field {bytes}"),
            Stride::Unknown => write!(f, "unknown"),
        }
    }
}

/// Each flag after a space; the seven of fast-math together are `fast`.
impl Display for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let fast = self.has(Flags::FAST_MATH);
        if fast {
            write!(f, " fast")?;
        }
        for (flag, name) in Flags::NAMES {
            if self.has(flag) && !(fast && Flags::FAST_MATH.has(flag)) {
                write!(f, " {name}")?;
            }
        }
        Ok(())
    }
}
