//! The functions that were written for requests, and when they are cleaned up.

use std::cell::RefCell;

use crate::llvm::{Value, shim};
use crate::prepare::{clean_up, clean_up_between};

/// Where a derivative is differentiated once more, all are cleaned up when all of them are there.
#[derive(Default)]
pub struct Written {
    nested: bool,
    waiting: RefCell<Vec<Value>>,
}

impl Written {
    pub fn of(nested: bool) -> Written {
        Written { nested, ..Written::default() }
    }

    pub fn add(&self, context: *mut shim::Context, function: Value) {
        if self.nested {
            clean_up_between(context, function);
            self.waiting.borrow_mut().push(function);
        } else {
            clean_up(context, function);
        }
    }

    pub fn clean_up_all(&self, context: *mut shim::Context) {
        self.waiting.take().into_iter().for_each(|function| clean_up(context, function));
    }
}
