//! Every symbol that is named is a global or a function of the program, once.

use std::collections::BTreeSet;

use super::{Check, Place, Violation, constants};
use crate::model::{Alias, Constant, GlobalDerivative, Inst, Linkage, Op, Operand, Program, ValueId};

pub struct Symbols<'a> {
    names: BTreeSet<&'a str>,
}

impl<'a> Symbols<'a> {
    pub fn of(program: &'a Program) -> Symbols<'a> {
        Symbols { names: names(program).collect() }
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub fn check_globals(&self, program: &Program, found: &mut Vec<Violation>) {
        let mut report = |name: &str, message: String| {
            found.push(Violation { function: None, place: Place::Global(name.to_string()), message });
        };
        let mut seen = BTreeSet::new();
        for name in names(program).filter(|name| !seen.insert(*name)) {
            report(name, "A name belongs to one global or function.".to_string());
        }
        for global in &program.globals {
            if (global.linkage == Linkage::Declared) == global.initial.is_some() {
                report(
                    &global.name,
                    "A global is `declared` exactly when it has no initial value.".to_string(),
                );
            }
            if !constants::type_is_sound(&global.ty) {
                report(&global.name, constants::SOUND_TYPE.to_string());
            }
            if let GlobalDerivative::Declared(shadow) = &global.derivative
                && !program.globals.iter().any(|other| other.name == *shadow)
            {
                report(&global.name, "The shadow of a global is a global of the program.".to_string());
            }
            let Some(initial) = &global.initial else { continue };
            if initial.ty() != global.ty {
                report(&global.name, "The initial value of a global has its type.".to_string());
            }
            constants::faults(initial).into_iter().for_each(|fault| report(&global.name, fault));
            self.missing(initial).into_iter().for_each(|fault| report(&global.name, fault));
        }
    }

    pub fn check_aliases(&self, program: &Program, found: &mut Vec<Violation>) {
        for Alias { name, linkage, to, .. } in &program.aliases {
            let mut faults = constants::faults(to);
            faults.extend(self.missing(to));
            if !to.ty().is_pointer() {
                faults.push("An alias stands for a constant address.".to_string());
            }
            if *linkage == Linkage::Declared {
                faults.push("An alias is never `declared`: what it stands for is here.".to_string());
            }
            let place = || Place::Global(name.clone());
            found.extend(faults.into_iter().map(|message| Violation {
                function: None,
                place: place(),
                message,
            }));
        }
    }

    /// A sentence for each symbol in the constant that the program lacks.
    fn missing(&self, constant: &Constant) -> Vec<String> {
        let mut missing = Vec::new();
        constant.walk(&mut |part| {
            if let Constant::Symbol { name, .. } = part
                && !self.contains(name)
            {
                missing.push(format!("A symbol is defined or declared in the program; @{name} is not."));
            }
        });
        missing
    }
}

fn names(program: &Program) -> impl Iterator<Item = &str> {
    let globals = program.globals.iter().map(|global| global.name.as_str());
    let globals = globals.chain(program.aliases.iter().map(|alias| alias.name.as_str()));
    globals.chain(program.functions.iter().map(|function| function.name.as_str()))
}

impl Check<'_> {
    pub fn check_symbols(&mut self, id: ValueId, inst: &Inst) {
        for operand in &inst.operands {
            if let Operand::Const(constant) = operand {
                self.check_symbols_in(Place::Value(id), constant);
            }
        }
        if let Op::Switch { cases, .. } = &inst.op {
            cases.iter().for_each(|(value, _)| self.check_symbols_in(Place::Value(id), value));
        }
    }

    pub fn check_symbols_in(&mut self, place: Place, constant: &Constant) {
        for fault in self.symbols.missing(constant) {
            self.report(place.clone(), fault);
        }
    }
}
