//! Which functions a function may come back to by calls.
//!
//! Read on demand, and only as far as bodies lead; calls through pointers are followed where that is asked for. And which
//! functions are better not inlined into a function that would become too large.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use llvm_sys::LLVMTypeKind;

use crate::indirect::targets_of;
use crate::known::Known;
use crate::llvm::{Ty, Value};

#[derive(Default)]
pub struct CallGraph<'a> {
    /// What is known of functions, where calls through pointers count as calls of all that they may lead to.
    pointers: Option<&'a Known>,
    called: RefCell<HashMap<Value, Rc<Vec<Value>>>>,
    reached: RefCell<HashMap<Value, Rc<HashSet<Value>>>>,
    sizes: RefCell<HashMap<Value, usize>>,
}

impl<'a> CallGraph<'a> {
    pub fn through_pointers(known: &'a Known) -> CallGraph<'a> {
        CallGraph { pointers: Some(known), ..CallGraph::default() }
    }

    /// Whether calling a function may, in the end, call one of these.
    pub fn comes_back(&self, from: Value, to: &[Value]) -> bool {
        let reached = self.reached(from);
        to.iter().any(|function| reached.contains(function))
    }

    fn reached(&self, from: Value) -> Rc<HashSet<Value>> {
        if let Some(known) = self.reached.borrow().get(&from) {
            return known.clone();
        }
        let (mut reached, mut waiting) = (HashSet::new(), vec![from]);
        while let Some(function) = waiting.pop() {
            waiting.extend(self.called(function).iter().filter(|callee| reached.insert(**callee)));
        }
        let reached = Rc::new(reached);
        self.reached.borrow_mut().insert(from, reached.clone());
        reached
    }

    fn called(&self, function: Value) -> Rc<Vec<Value>> {
        if let Some(known) = self.called.borrow().get(&function) {
            return known.clone();
        }
        let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
        let callees = insts.filter(|inst| inst.is_call()).flat_map(|call| match self.pointers {
            Some(known) if call.callee().as_function().is_none() => targets_of(call, known),
            _ => vec![call.callee()],
        });
        let called = Rc::new(callees.filter(|callee| callee.as_function().is_some()).collect::<Vec<_>>());
        self.called.borrow_mut().insert(function, called.clone());
        called
    }
}

/// A function is worth being a call only from this size, and where it takes one part in so many of what there is room for:
/// what classes and templates are made of is understood where it is called, and mostly goes away there.
const LARGE: usize = 400;
const PART: usize = 20;

impl CallGraph<'_> {
    /// The functions that stay calls where not everything fits into so many instructions: those that take most of the room, and
    /// as few as will do.
    pub fn left_out(&self, root: Value, most: usize) -> HashSet<Value> {
        let mut left_out = HashSet::new();
        loop {
            let shares = self.shares(root, &left_out);
            let whole = shares.iter().map(|(_, size, _)| *size).fold(0, usize::saturating_add);
            let large = shares.iter().skip(1).filter(|(_, size, own)| *own > LARGE && *size > most / PART);
            // Of numbers of others a derivative knows more where they are used, and mostly nothing of it is left there.
            let worth = |entry: &(Value, usize, usize)| (touches_floats(entry.0), entry.1);
            match large.reduce(|best, other| if worth(other) > worth(best) { other } else { best }) {
                Some((function, ..)) if whole > most => drop(left_out.insert(*function)),
                _ => return left_out,
            }
        }
    }

    /// What each function has in the whole, in all its copies, beside its own size; callers come before what they call.
    fn shares(&self, root: Value, left_out: &HashSet<Value>) -> Vec<(Value, usize, usize)> {
        let mut order = Vec::new();
        self.list_callees_first(root, left_out, &mut HashSet::new(), &mut order);
        order.reverse();
        let place: HashMap<Value, usize> =
            order.iter().enumerate().map(|(place, function)| (*function, place)).collect();
        let mut copies = vec![0usize; order.len()];
        copies[0] = 1;
        for (at, function) in order.iter().enumerate() {
            // What leads back is not inlined.
            for called in self.called(*function).iter().filter_map(|callee| place.get(callee)) {
                if *called > at {
                    copies[*called] = copies[*called].saturating_add(copies[at]);
                }
            }
        }
        let share = |(function, copies): (&Value, usize)| {
            let own = *self.sizes.borrow_mut().entry(*function).or_insert_with(|| size_of(*function));
            (*function, own.saturating_mul(copies), own)
        };
        order.iter().zip(copies).map(share).collect()
    }

    fn list_callees_first(
        &self,
        function: Value,
        left_out: &HashSet<Value>,
        met: &mut HashSet<Value>,
        order: &mut Vec<Value>,
    ) {
        if !met.insert(function) || left_out.contains(&function) {
            return;
        }
        for callee in self.called(function).iter() {
            self.list_callees_first(*callee, left_out, met, order);
        }
        order.push(function);
    }
}

pub fn size_of(function: Value) -> usize {
    function.blocks().into_iter().map(|block| block.instructions().len()).sum()
}

/// Whether a function itself loads, stores or computes with floats, or calls somebody with them.
fn touches_floats(function: Value) -> bool {
    let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
    insts.flat_map(|inst| inst.operands().into_iter().chain([inst])).any(|value| is_real(value.ty()))
}

fn is_real(ty: Ty) -> bool {
    match ty.kind() {
        LLVMTypeKind::LLVMVectorTypeKind | LLVMTypeKind::LLVMScalableVectorTypeKind => is_real(ty.element()),
        LLVMTypeKind::LLVMArrayTypeKind => is_real(ty.element()),
        LLVMTypeKind::LLVMStructTypeKind => ty.fields().into_iter().any(is_real),
        kind => !matches!(
            kind,
            LLVMTypeKind::LLVMVoidTypeKind
                | LLVMTypeKind::LLVMLabelTypeKind
                | LLVMTypeKind::LLVMMetadataTypeKind
                | LLVMTypeKind::LLVMTokenTypeKind
                | LLVMTypeKind::LLVMFunctionTypeKind
                | LLVMTypeKind::LLVMIntegerTypeKind
                | LLVMTypeKind::LLVMPointerTypeKind
        ),
    }
}
