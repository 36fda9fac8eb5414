//! What was found out about a program, for those who ask again: of each function that is differentiated the same is asked about the
//! whole program, and of many functions that would take as often as long.
//!
//! Invariant: nothing is remembered but while somebody holds a [`Remembering`], which borrows the program: so nobody changes it
//! meanwhile. It holds values that the analyses make, of which it knows nothing.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::function::Function;
use super::program::Program;

type Value = Arc<dyn Any + Send + Sync>;

/// Of what kind it is, and what it is about.
type Key = (TypeId, String);

#[derive(Default)]
pub struct Remembered {
    /// Nothing where nobody remembers.
    known: Mutex<Option<HashMap<Key, Value>>>,
    /// The addresses of functions that stand in for some of the program, each as often as somebody says so.
    standing: Mutex<Vec<usize>>,
}

/// As long as this lives it is remembered what is found out about a program.
pub struct Remembering<'a> {
    program: &'a Program,
    first: bool,
}

/// As long as this lives it is remembered, too, what is found out about a function that stands in for one of the program. It borrows the
/// function: so nobody changes it meanwhile, or has another at its address.
pub struct StandingIn<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Program {
    /// Says that a function is asked about in the place of the one of the program that bears its name.
    pub fn stand_in<'a>(&'a self, function: &'a Function) -> StandingIn<'a> {
        self.remembered.standing().push(address_of(function));
        StandingIn { program: self, function }
    }

    pub fn remember(&self) -> Remembering<'_> {
        let mut known = self.remembered.lock();
        let first = known.is_none();
        known.get_or_insert_default();
        Remembering { program: self, first }
    }

    /// What was found, or is found now, about the program, or a part or aspect of it that has a name. Facts are told apart by their
    /// types.
    pub fn once<T: Any + Send + Sync>(&self, about: &str, find: impl FnOnce() -> T) -> Arc<T> {
        let key = (TypeId::of::<T>(), about.to_owned());
        let known = self.remembered.lock().as_ref().and_then(|known| known.get(&key).cloned());
        if let Some(found) = known.and_then(|known| known.downcast::<T>().ok()) {
            return found;
        }
        let found = Arc::new(find());
        if let Some(known) = self.remembered.lock().as_mut() {
            known.insert(key, found.clone());
        }
        found
    }

    /// The same about one function. What stands in for a function of the program bears its name, and is another.
    pub fn once_of<T: Any + Send + Sync>(&self, function: &Function, find: impl FnOnce() -> T) -> Arc<T> {
        if self.function(&function.name).is_some_and(|own| std::ptr::eq(own, function)) {
            return self.once(&function.name, find);
        }
        if self.remembered.standing().contains(&address_of(function)) {
            return self.once(&name_in_place(function), find);
        }
        Arc::new(find())
    }
}

fn address_of(function: &Function) -> usize {
    std::ptr::from_ref(function).addr()
}

/// A name that no function of a program has.
fn name_in_place(function: &Function) -> String {
    format!("{}\0{}", function.name, address_of(function))
}

impl Remembered {
    fn lock(&self) -> MutexGuard<'_, Option<HashMap<Key, Value>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn standing(&self) -> MutexGuard<'_, Vec<usize>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StandingIn<'_> {
    fn drop(&mut self) {
        let address = address_of(self.function);
        let mut standing = self.program.remembered.standing();
        if let Some(at) = standing.iter().position(|known| *known == address) {
            standing.swap_remove(at);
        }
        if !standing.contains(&address) {
            let name = name_in_place(self.function);
            if let Some(known) = self.program.remembered.lock().as_mut() {
                known.retain(|(_, about), _| *about != name);
            }
        }
    }
}

impl Drop for Remembering<'_> {
    fn drop(&mut self) {
        if self.first {
            self.program.remembered.lock().take();
        }
    }
}

/// A copy may be changed.
impl Clone for Remembered {
    fn clone(&self) -> Remembered {
        Remembered::default()
    }
}

impl fmt::Debug for Remembered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remembered")
    }
}

/// What is remembered is no part of the program.
impl PartialEq for Remembered {
    fn eq(&self, _: &Remembered) -> bool {
        true
    }
}

impl Eq for Remembered {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_found_once_while_it_is_remembered() {
        let program = Program::default();
        assert_eq!((*program.once("", || 1), *program.once("", || 2)), (1, 2));
        {
            let _outer = program.remember();
            assert_eq!(*program.once("", || 3), 3);
            drop(program.remember());
            assert_eq!((*program.once("", || 4), *program.once("other", || 5)), (3, 5));
        }
        assert_eq!(*program.once("", || 6), 6);
    }

    #[test]
    fn is_found_once_of_what_stands_in_as_long_as_it_does() {
        let text = "function @f(%x: double) -> double {\n^entry:\n  ret %x\n}";
        let program = crate::model::parse_program(text).expect("it parses");
        let (function, _remembering) = (program.functions[0].clone(), program.remember());
        assert_eq!((*program.once_of(&function, || 1), *program.once_of(&function, || 2)), (1, 2));
        {
            let _outer = program.stand_in(&function);
            assert_eq!(*program.once_of(&function, || 3), 3);
            drop(program.stand_in(&function));
            assert_eq!(*program.once_of(&function, || 4), 3);
        }
        assert_eq!(*program.once_of(&function, || 5), 5);
    }
}
