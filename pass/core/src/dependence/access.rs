//! Which memory does an instruction touch, as a function of the loops around it?
//!
//! The address is a polynomial. It is *exact* where every step from the object to the pointer promised not to wrap
//! (`inbounds`, `nusw`, `nuw` of the address computation, which holds since the access runs), or where LLVM's own
//! expression carries `nuw`; otherwise it is known modulo 2^64 only. Safe error: modulo, or not affine.

use std::collections::HashMap;

use super::affine::{ADDRESS_BITS, Affine};
use super::atoms::{Atoms, Poly};
use super::guards::{Scope, find_scope};
use super::induction::{evolution_of, header_phi, is_invariant};
use super::nesting::Nesting;
use crate::model::{
    BlockId, Constant, Flags, Function, Gep, Inst, LoopId, MemoryFact, Object, Op, Operand, Stride, Type,
    ValueId,
};

#[derive(Clone, Debug)]
pub struct Access {
    pub inst: ValueId,
    pub block: BlockId,
    /// The loops around it, outermost first.
    pub loops: Vec<LoopId>,
    pub reads: bool,
    pub writes: bool,
    pub bytes: Option<u64>,
    pub pointer: Option<Operand>,
    pub objects: Vec<Object>,
    pub address: Result<Address, String>,
}

#[derive(Clone, Debug)]
pub struct Address {
    pub form: Poly,
    /// Whether the form is the address itself, not only congruent to it.
    pub exact: bool,
}

/// All accesses of a function and what they are made of.
pub struct Accesses {
    pub atoms: Atoms,
    pub list: Vec<Access>,
    scopes: HashMap<BlockId, Scope>,
}

/// Calls that touch no memory a program can see, whatever their attributes say.
const SILENT: [&str; 5] =
    ["llvm.assume", "llvm.lifetime.", "llvm.dbg.", "llvm.experimental.noalias.scope.decl", "llvm.invariant."];

pub fn collect_accesses(nesting: &Nesting) -> Accesses {
    let mut accesses = Accesses { atoms: Atoms::default(), list: Vec::new(), scopes: HashMap::new() };
    for (id, fact) in &nesting.function.memory {
        let (Some(inst), Some(block)) = (nesting.function.inst(*id), nesting.home(*id)) else { continue };
        let silent = |name: &str| SILENT.iter().any(|start| name.starts_with(start));
        if !nesting.flow.is_reachable(block) || inst.callee_name().is_some_and(silent) {
            continue;
        }
        let access = accesses.read(nesting, *id, inst, fact, block);
        accesses.list.push(access);
    }
    accesses
}

impl Accesses {
    pub fn scope(&self, block: BlockId) -> &Scope {
        &self.scopes[&block]
    }

    fn read(
        &mut self,
        nesting: &Nesting,
        id: ValueId,
        inst: &Inst,
        fact: &MemoryFact,
        block: BlockId,
    ) -> Access {
        if !self.scopes.contains_key(&block) {
            let scope = find_scope(nesting, &mut self.atoms, block);
            self.scopes.insert(block, scope);
        }
        let Scope { ranges, facts } = self.scopes[&block].clone();
        let mut affine = Affine { nesting, atoms: &mut self.atoms, block, ranges, facts };
        Access {
            inst: id,
            block,
            loops: nesting.chain(block),
            reads: fact.reads,
            writes: fact.writes,
            bytes: inst.op.access().and_then(|access| access.bytes),
            pointer: fact.pointer.clone(),
            objects: fact.objects.clone(),
            address: find_address(&mut affine, fact),
        }
    }
}

fn find_address(affine: &mut Affine, fact: &MemoryFact) -> Result<Address, String> {
    let Some(pointer) = &fact.pointer else { return Err("it is no load or store".into()) };
    let plain = matches!(affine.nesting.function.known_type(pointer), Some(Type::Ptr(0)));
    if !plain {
        return Err("the address is no pointer into the default space".into());
    }
    let walked = accessed_address(affine, pointer).filter(|form| is_rooted(affine, pointer, form));
    if let Some(form) = &walked
        && !has_opaque(affine, form)
    {
        return Ok(Address { form: form.clone(), exact: true });
    }
    // LLVM may see through what the walk had to take as opaque.
    let better = fact.address.as_ref().and_then(|scev| affine.congruent(scev));
    if let (Some(form), None) = (walked, better.filter(|form| !has_opaque(affine, form))) {
        return Ok(Address { form, exact: true });
    }
    let Some(scev) = &fact.address else { return Err("the address has no symbolic form".into()) };
    let spread = |form: &Poly, affine: &Affine| {
        let wraps = |id| matches!(affine.atoms.get(id).key, super::atoms::Key::Wrap(..));
        form.atoms().any(wraps)
    };
    match affine.unsigned(scev) {
        Some(form) if !spread(&form, affine) => Ok(Address { form, exact: true }),
        _ => match affine.congruent(scev) {
            Some(form) => Ok(Address { form, exact: false }),
            None => Err("the address is not affine in the loop counters".into()),
        },
    }
}

/// Whether a value of unknown development stands in a form.
fn has_opaque(affine: &Affine, form: &Poly) -> bool {
    form.atoms().any(|id| {
        let atom = affine.atoms.get(id);
        atom.varies.is_some() && matches!(atom.key, super::atoms::Key::Value(_))
    })
}

/// The address of the access itself. Unlike any pointer on the way it lies in its object: a last step of known small
/// size from a pointer that is in bounds of the same object did not wrap, even where nothing promises so.
fn accessed_address(affine: &mut Affine, pointer: &Operand) -> Option<Poly> {
    let function = affine.nesting.function;
    let last = pointer.value().and_then(|id| function.inst(id));
    if let Some(inst) = last
        && let Op::Gep(gep) = &inst.op
        && let Some(base) = inst.operands.first().and_then(Operand::value).and_then(|id| function.inst(id))
        && matches!(base.op, Op::Gep(_))
        && base.flags.has(Flags::INBOUNDS)
        && let [Operand::Const(index)] = &inst.operands[1..]
        && let ([Stride::Scale(bytes)], Some(index)) = (&gep.strides[..], index.as_signed())
        && let Some(step) = index.checked_mul(i128::from(*bytes)).filter(|step| step.abs() < 1 << 62)
    {
        return exact_address(affine, inst.operands.first()?, 16)?.shift(step);
    }
    exact_address(affine, pointer, 16)
}

/// Whether walking the address computation led further than to an opaque pointer of this very access, of which LLVM
/// may know more.
fn is_rooted(affine: &Affine, pointer: &Operand, form: &Poly) -> bool {
    let id = pointer.value();
    let opaque = id.and_then(|id| affine.nesting.function.inst(id)).is_some_and(|inst| {
        !matches!(inst.op, Op::Gep(_) | Op::Alloca(_) | Op::Phi { .. })
            || form.0.len() == 1 && !matches!(inst.op, Op::Alloca(_))
    });
    !opaque
}

/// The address as an integer, where no step on the way can have wrapped.
fn exact_address(affine: &mut Affine, pointer: &Operand, fuel: usize) -> Option<Poly> {
    if let Operand::Const(Constant::Offset { base, bytes }) = pointer {
        return affine.value(&Operand::Const((**base).clone()))?.shift(i128::from(*bytes));
    }
    let function = affine.nesting.function;
    let inst = pointer.value().and_then(|id| Some((id, function.inst(id)?)));
    let Some((id, inst)) = inst.filter(|_| fuel > 0) else { return affine.value(pointer) };
    match &inst.op {
        Op::Gep(gep) => {
            let base = exact_address(affine, inst.operands.first()?, fuel - 1)?;
            base.plus(&offset(affine, inst, gep)?)
        }
        Op::Phi { from } => advancing(affine, id, inst, from, fuel).or_else(|| affine.value(pointer)),
        _ => affine.value(pointer),
    }
}

/// The bytes that one address computation adds, where it promised not to wrap.
fn offset(affine: &mut Affine, inst: &Inst, gep: &Gep) -> Option<Poly> {
    let signed = inst.flags.has(Flags::INBOUNDS) || inst.flags.has(Flags::NUSW);
    if !signed && !inst.flags.has(Flags::NUW) {
        return None;
    }
    let mut sum = Poly::default();
    for (index, stride) in inst.operands[1..].iter().zip(&gep.strides) {
        let part = match stride {
            Stride::Unknown => return None,
            Stride::Field(bytes) => Poly::constant(i128::from(*bytes)),
            Stride::Scale(bytes) => {
                let Type::Int(bits) = affine.nesting.function.operand_type(index) else { return None };
                let evolution = evolution_of(affine.nesting, index);
                let index = if signed && bits <= ADDRESS_BITS {
                    affine.signed(&evolution)?
                } else if bits == ADDRESS_BITS {
                    affine.unsigned(&evolution)?
                } else {
                    return None;
                };
                index.scale(i128::from(*bytes))?
            }
        };
        sum = sum.plus(&part)?;
    }
    Some(sum)
}

/// A pointer that the loop advances by the same amount each time.
fn advancing(affine: &mut Affine, id: ValueId, inst: &Inst, from: &[BlockId], fuel: usize) -> Option<Poly> {
    let nesting = affine.nesting;
    let (of, entry, next) = header_phi(nesting, id, inst, from)?;
    let step_inst = nesting.function.inst(next.value()?)?;
    let Op::Gep(gep) = &step_inst.op else { return None };
    let advances = step_inst.operands.first() == Some(&Operand::Value(id));
    if !advances || !step_inst.operands[1..].iter().all(|operand| is_invariant(nesting, operand, of)) {
        return None;
    }
    if !nesting.encloses(of, affine.block) {
        return None;
    }
    let step = offset(affine, step_inst, gep)?;
    let start = exact_address(affine, entry, fuel - 1)?;
    let counter = Poly::atom(affine.atoms.counter(of));
    start.plus(&step.times(&counter)?)
}

/// The name a person would use for a value.
pub fn name_operand(function: &Function, operand: &Operand) -> String {
    match operand {
        Operand::Value(id) => match function.params.get(id.0 as usize).and_then(|param| param.name.clone()) {
            Some(name) => name,
            None => format!("%{}", id.0),
        },
        Operand::Const(constant) => {
            constant.symbol().map_or_else(|| "a constant".into(), |name| format!("@{name}"))
        }
    }
}
