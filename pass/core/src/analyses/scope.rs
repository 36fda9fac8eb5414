//! The functions that are looked at together: one by itself, or all of a program that call each other.
//!
//! Of a program it has to be known who is called from outside: the one that nobody calls but itself, which is the user's, and those whose
//! address somebody may have who is not seen. Where there are several of the first, or functions that no call leads to, anybody may
//! have called anyone. What is asked about are derivatives: a function is called in its own right by whoever has its address, but its
//! derivative only by those of the functions that are looked at.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Constant, Function, Inst, Operand, Program};

pub struct Scope<'a> {
    pub functions: Vec<&'a Function>,
    /// The numbers of those whose calls are followed.
    called: BTreeMap<&'a str, usize>,
    entered: Vec<Option<By>>,
    /// Whether what is read as a float outside is one, and no address that is moved as a float.
    pub takes_floats_for_floats: bool,
}

/// Who calls a function from outside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    TheUser,
    Anyone,
}

impl<'a> Scope<'a> {
    pub fn of_one(function: &'a Function) -> Scope<'a> {
        Scope {
            functions: vec![function],
            called: BTreeMap::new(),
            entered: vec![Some(By::Anyone)],
            takes_floats_for_floats: false,
        }
    }

    /// `function` stands in for the one of the same name.
    pub fn of_all(function: &'a Function, program: &'a Program) -> Scope<'a> {
        let given: BTreeSet<&str> = program.rules.iter().flat_map(|rule| rule.names()).collect();
        let is_followed = |name: &str| program.is_followed(name) && !given.contains(name);
        let others = program.functions.iter().filter(|other| other.name != function.name);
        let others = others.filter(|other| !other.is_declaration() && is_followed(&other.name));
        let functions: Vec<&Function> = std::iter::once(function).chain(others).collect();
        let called =
            (0..).zip(&functions).map(|(number, function)| (function.name.as_str(), number)).collect();
        let mut scope = Scope { functions, called, entered: Vec::new(), takes_floats_for_floats: false };
        scope.entered = scope.find_entered(program);
        scope
    }

    pub fn taking_floats_for_floats(self) -> Scope<'a> {
        Scope { takes_floats_for_floats: true, ..self }
    }

    pub fn number_of(&self, function: &Function) -> usize {
        self.called.get(function.name.as_str()).copied().unwrap_or(0)
    }

    /// The function with a body that is called, if what it is given and what it returns is followed.
    pub fn callee(&self, call: &Inst) -> Option<usize> {
        self.called.get(call.callee_name()?).copied()
    }

    pub fn entered(&self, number: usize) -> Option<By> {
        self.entered[number]
    }

    fn find_entered(&self, program: &Program) -> Vec<Option<By>> {
        let named = self.find_named(program);
        let is_named = |number: &usize| named.contains(self.functions[*number].name.as_str());
        let calls: Vec<BTreeSet<usize>> =
            self.functions.iter().map(|function| self.calls_of(function)).collect();
        let is_called =
            |number: usize| (0..).zip(&calls).any(|(by, called)| by != number && called.contains(&number));
        let roots: Vec<usize> = (0..self.functions.len()).filter(|number| !is_called(*number)).collect();
        let mut own: Vec<usize> = roots.iter().copied().filter(|number| !is_named(number)).collect();
        if own.is_empty() {
            own.clone_from(&roots);
        }
        let (mut reached, mut waiting) = (BTreeSet::new(), roots.clone());
        while let Some(number) = waiting.pop() {
            if reached.insert(number) {
                waiting.extend(&calls[number]);
            }
        }
        let one = own.len() == 1 && reached.len() == self.functions.len();
        let through_pointers = self.functions.iter().any(|function| calls_through_pointer(function));
        let entered = |number: usize| match number {
            _ if !one => Some(By::Anyone),
            number if through_pointers && is_named(&number) => Some(By::Anyone),
            number if own.contains(&number) => Some(By::TheUser),
            number if roots.contains(&number) => Some(By::Anyone),
            _ => None,
        };
        (0..self.functions.len()).map(entered).collect()
    }

    fn calls_of(&self, function: &Function) -> BTreeSet<usize> {
        function.insts.iter().filter_map(|inst| self.callee(inst)).collect()
    }

    /// The functions whose names stand anywhere but where they are called.
    fn find_named(&self, program: &'a Program) -> BTreeSet<&'a str> {
        let mut named = BTreeSet::new();
        for inst in program.functions.iter().flat_map(|function| &function.insts) {
            let used = if inst.callee_name().is_some() { inst.arguments() } else { &inst.operands };
            for operand in used {
                if let Operand::Const(constant) = operand {
                    take_names(constant, &mut named);
                }
            }
        }
        let initial = program.globals.iter().filter_map(|global| global.initial.as_ref());
        initial.for_each(|constant| take_names(constant, &mut named));
        named
    }
}

/// Whether a function calls what has no name here.
fn calls_through_pointer(function: &Function) -> bool {
    function.insts.iter().any(|inst| inst.op.call().is_some() && inst.callee_name().is_none())
}

fn take_names<'a>(constant: &'a Constant, known: &mut BTreeSet<&'a str>) {
    constant.walk(&mut |part| {
        if let Constant::Symbol { name, .. } = part {
            known.insert(name);
        }
    });
}
