//! Which memory does an instruction touch, as a function of the loops around it?
//!
//! The address is a polynomial. It is *exact* where every step from the object to the pointer promised not to wrap
//! (`inbounds`, `nusw`, `nuw` of the address computation, which holds since the access runs), or where LLVM's own
//! expression carries `nuw`; otherwise it is known modulo 2^64 only, and [`super::drift`] says which of those are off by
//! the same multiple. Safe error: modulo, or not affine.

use std::collections::HashMap;

use super::affine::{ADDRESS_BITS, Affine};
use super::atoms::{AtomId, Atoms, Key, Poly};
use super::drift::{Class, find_drifts};
use super::guards::{Scope, find_scope, settle};
use super::induction::{evolution_of, header_phi};
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
    /// Congruent to the address modulo 2^64.
    pub form: Poly,
    /// The part of it behind the pointer it starts from, where every step on the way is in bounds of the object.
    pub reach: Option<Poly>,
    /// By which multiple of 2^64 the address may be off: the same one for all of a class, an unknown one without.
    pub drift: Option<Class>,
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
        if !nesting.flow.is_reachable(block) || is_silent(inst) {
            continue;
        }
        let access = accesses.read(nesting, *id, inst, fact, block);
        accesses.list.push(access);
    }
    // What objects have room for may simplify addresses, and those tell more of the objects.
    for _ in 0..ROUNDS {
        if !find_drifts(nesting, &mut accesses) {
            return accesses;
        }
        accesses.read_again(nesting);
    }
    find_drifts(nesting, &mut accesses);
    accesses
}

/// How often addresses are read anew.
const ROUNDS: usize = 2;

/// Whether an instruction is such a call.
pub fn is_silent(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| SILENT.iter().any(|start| name.starts_with(start)))
}

impl Accesses {
    pub fn scope(&self, block: BlockId) -> &Scope {
        &self.scopes[&block]
    }

    fn locate(&mut self, nesting: &Nesting, block: BlockId, fact: &MemoryFact) -> Result<Address, String> {
        let mut scope = self.scopes.remove(&block).unwrap_or_default();
        let mut affine = scope.affine(nesting, &mut self.atoms, block);
        let address = find_address(&mut affine, fact);
        // Ranges of what came up on the way hold wherever the block runs.
        scope.ranges = affine.ranges;
        self.scopes.insert(block, scope);
        address
    }

    /// Reads the addresses anew in blocks where sizes are known.
    fn read_again(&mut self, nesting: &Nesting) {
        for at in 0..self.list.len() {
            let Access { inst, block, .. } = self.list[at];
            if !self.scopes[&block].sizes.is_empty() {
                self.list[at].address = self.locate(nesting, block, &nesting.function.memory[&inst]);
            }
        }
    }

    /// Adds what the sizes of objects say of a block; whether that was news.
    pub fn note_sizes(&mut self, nesting: &Nesting, block: BlockId, sizes: Vec<Poly>) -> bool {
        let mut scope = self.scopes.remove(&block).unwrap_or_default();
        let mut affine = scope.affine(nesting, &mut self.atoms, block);
        let news: Vec<Poly> = sizes.into_iter().filter(|size| !affine.is_natural(size)).collect();
        affine.facts.extend(news.iter().cloned());
        settle(&mut affine);
        scope.ranges = affine.ranges;
        scope.sizes.extend(news.iter().cloned());
        self.scopes.insert(block, scope);
        !news.is_empty()
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
        let address = self.locate(nesting, block, fact);
        Access {
            inst: id,
            block,
            loops: nesting.chain(block),
            reads: fact.reads,
            writes: fact.writes,
            bytes: inst.op.access().and_then(|access| access.bytes),
            pointer: fact.pointer.clone(),
            objects: fact.objects.clone(),
            address,
        }
    }
}

fn find_address(affine: &mut Affine, fact: &MemoryFact) -> Result<Address, String> {
    let Some(pointer) = &fact.pointer else { return Err("it is no load or store".into()) };
    let plain = matches!(affine.nesting.function.known_type(pointer), Some(Type::Ptr(0)));
    if !plain {
        return Err("the address is no pointer into the default space".into());
    }
    let walked = exact_address(affine, pointer, 16).filter(|form| is_rooted(affine, pointer, form));
    let reach = walked.as_ref().and_then(|form| form.minus(&affine.value(root_in_bounds(affine, pointer)?)?));
    let scev = fact.address.as_ref();
    let read = scev.and_then(|scev| affine.unsigned(scev));
    let congruent = scev.and_then(|scev| affine.congruent(scev));
    if walked.is_none() && congruent.is_none() {
        let reason =
            if scev.is_none() { "has no symbolic form" } else { "is not affine in the loop counters" };
        return Err(format!("the address {reason}"));
    }
    // LLVM may see through what the walk had to take as opaque, and a form modulo 2^64 needs no multiples of it.
    let exact = [walked, read].into_iter().flatten().map(|form| (form, Some(Class::EXACT)));
    let best = exact.chain(congruent.map(|form| (form, None))).min_by_key(|(form, _)| unknowns(affine, form));
    best.map(|(form, drift)| Address { form, reach, drift }).ok_or_else(|| "numbers too large".into())
}

/// The pointer that address computations start from, if all of them stay in bounds.
fn root_in_bounds<'a>(affine: &Affine<'a>, pointer: &'a Operand) -> Option<&'a Operand> {
    let mut at = pointer;
    while let Some(inst) = at.value().and_then(|id| affine.nesting.function.inst(id))
        && matches!(inst.op, Op::Gep(_))
    {
        if !inst.flags.has(Flags::INBOUNDS) {
            return None;
        }
        at = inst.operands.first()?;
    }
    (at != pointer).then_some(at)
}

/// How many values of unknown development, and multiples of a modulus, stand in a form.
fn unknowns(affine: &Affine, form: &Poly) -> usize {
    let mut ids: Vec<AtomId> = form.atoms().collect();
    ids.sort_unstable();
    ids.dedup();
    let unknown = |id: &&AtomId| {
        let atom = affine.atoms.get(**id);
        match atom.key {
            Key::Value(_) => atom.varies.is_some(),
            Key::Wrap(..) => true,
            Key::Counter(_) | Key::Opaque(_) => false,
        }
    };
    ids.iter().filter(unknown).count()
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
    if !advances || !step_inst.operands[1..].iter().all(|operand| nesting.is_invariant(operand, of)) {
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
