//! The functions of a program, in order, and found by name.
//!
//! Invariant: the index is of the list as it stands; whoever may change the list or a name has it made anew.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use super::function::Function;

#[derive(Clone, Debug, Default)]
pub struct Functions {
    list: Vec<Function>,
    index: OnceLock<HashMap<String, usize>>,
}

impl Functions {
    /// The first function of that name.
    pub fn find(&self, name: &str) -> Option<&Function> {
        self.index().get(name).map(|at| &self.list[*at])
    }

    pub fn push(&mut self, function: Function) {
        self.index.take();
        self.list.push(function);
    }

    pub fn remove(&mut self, at: usize) -> Function {
        self.index.take();
        self.list.remove(at)
    }

    fn index(&self) -> &HashMap<String, usize> {
        self.index.get_or_init(|| {
            let named = self.list.iter().enumerate().rev();
            named.map(|(at, function)| (function.name.clone(), at)).collect()
        })
    }
}

impl Deref for Functions {
    type Target = [Function];

    fn deref(&self) -> &[Function] {
        &self.list
    }
}

impl DerefMut for Functions {
    fn deref_mut(&mut self) -> &mut [Function] {
        self.index.take();
        &mut self.list
    }
}

impl From<Vec<Function>> for Functions {
    fn from(list: Vec<Function>) -> Functions {
        Functions { list, index: OnceLock::new() }
    }
}

impl FromIterator<Function> for Functions {
    fn from_iter<I: IntoIterator<Item = Function>>(functions: I) -> Functions {
        functions.into_iter().collect::<Vec<Function>>().into()
    }
}

impl Extend<Function> for Functions {
    fn extend<I: IntoIterator<Item = Function>>(&mut self, functions: I) {
        self.index.take();
        self.list.extend(functions);
    }
}

impl<'a> IntoIterator for &'a Functions {
    type Item = &'a Function;
    type IntoIter = std::slice::Iter<'a, Function>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl<'a> IntoIterator for &'a mut Functions {
    type Item = &'a mut Function;
    type IntoIter = std::slice::IterMut<'a, Function>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for Functions {
    fn eq(&self, other: &Functions) -> bool {
        self.list == other.list
    }
}

impl Eq for Functions {}
