//! Gives every symbol an address, and every function something to run.

use std::rc::Rc;

use backsweep_core::model::{Program, Stands, Type};

use crate::code::Code;
use crate::constant::evaluate;
use crate::layout::size;
use crate::machine::{Host, Machine};
use crate::memory::Kind;
use crate::native::{self, Native};
use crate::value::{Pointer, Value};

pub(crate) struct Callee<'p> {
    pub name: String,
    pub ret: Type,
    pub target: Target<'p>,
}

#[derive(Clone)]
pub(crate) enum Target<'p> {
    Defined(Rc<Code<'p>>),
    /// A library function or intrinsic that the oracle knows by name.
    Native(Native),
    Host(Host),
    Unknown,
}

impl<'p> Machine<'p> {
    pub(crate) fn link(&mut self, program: &'p Program) {
        for function in &program.functions {
            self.add_function(&function.name, function.ret.clone());
        }
        for global in &program.globals {
            let bytes = size(&global.ty).unwrap_or(0);
            if let Ok(pointer) = self.memory.allocate(Kind::Global, bytes) {
                self.symbols.insert(global.name.clone(), pointer);
            }
        }
        self.link_aliases(program);
        for global in &program.globals {
            let Some(initial) = &global.initial else { continue };
            let value = evaluate(initial, &mut |name| self.resolve(name));
            let Some(pointer) = self.symbols.get(&global.name).copied() else { continue };
            // What cannot be stored stays unwritten, and traps when it is read.
            let _ = self.memory.store(&global.ty, pointer, &value);
            if global.constant {
                self.memory.seal(pointer.object);
            }
        }
        for function in program.functions.iter().filter(|function| !function.is_declaration()) {
            let code = Code::new(function, &mut |name| self.resolve(name));
            let pointer = self.resolve(&function.name);
            if let Some(index) = self.memory.function_at(pointer) {
                self.callees[index as usize].target = Target::Defined(Rc::new(code));
            }
        }
    }

    /// An alias has the address that it stands for; it may stand for another alias.
    fn link_aliases(&mut self, program: &Program) {
        for _ in &program.aliases {
            for alias in program.aliases.iter().filter(|alias| alias.stands == Stands::ForAddress) {
                let known = alias.to.symbol().is_some_and(|name| self.symbols.contains_key(name));
                if !known || self.symbols.contains_key(&alias.name) {
                    continue;
                }
                if let Value::Pointer(address) = evaluate(&alias.to, &mut |name| self.resolve(name)) {
                    self.symbols.insert(alias.name.clone(), address);
                }
            }
        }
    }

    /// Makes a function of the host callable by name; it goes before whatever had the name.
    pub fn provide(&mut self, name: &str, host: Host) {
        let pointer = self.resolve(name);
        if let Some(index) = self.memory.function_at(pointer) {
            self.callees[index as usize].target = Target::Host(host);
        }
    }

    /// The address of a global or function, where the program has one of that name.
    pub fn symbol(&self, name: &str) -> Option<Pointer> {
        self.symbols.get(name).copied()
    }

    fn resolve(&mut self, name: &str) -> Pointer {
        match self.symbols.get(name) {
            Some(pointer) => *pointer,
            None => self.add_function(name, Type::DOUBLE),
        }
    }

    fn add_function(&mut self, name: &str, ret: Type) -> Pointer {
        let index = self.callees.len() as u32;
        let target = native::resolve(name).map_or(Target::Unknown, Target::Native);
        self.callees.push(Callee { name: name.into(), ret, target });
        let pointer = self.memory.allocate(Kind::Function(index), 0).unwrap_or(Pointer::NULL);
        self.symbols.insert(name.into(), pointer);
        pointer
    }
}
