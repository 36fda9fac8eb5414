//! Which functions a function may come back to by calls.
//!
//! Read on demand, and only as far as bodies lead; calls through pointers are not followed.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::llvm::Value;

#[derive(Default)]
pub struct CallGraph {
    called: RefCell<HashMap<Value, Rc<Vec<Value>>>>,
    reached: RefCell<HashMap<Value, Rc<HashSet<Value>>>>,
}

impl CallGraph {
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
        let callees = insts.filter(|inst| inst.is_call()).map(|call| call.callee());
        let called = Rc::new(callees.filter(|callee| callee.as_function().is_some()).collect::<Vec<_>>());
        self.called.borrow_mut().insert(function, called.clone());
        called
    }
}
