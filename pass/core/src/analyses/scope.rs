//! The functions that are looked at together: one by itself, or all of a program that call each other.
//!
//! Of a program it has to be known who is called from outside: the one that nobody calls but itself, which is the user's. Where there are
//! several of these, or functions that no call leads to from there, anybody may have called anyone.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Constant, Function, Inst, Operand, Program};

pub struct Scope<'a> {
    pub functions: Vec<&'a Function>,
    /// The numbers of those whose calls are followed.
    called: BTreeMap<&'a str, usize>,
    entered: Vec<Option<By>>,
}

/// Who calls a function from outside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    TheUser,
    Anyone,
}

impl<'a> Scope<'a> {
    pub fn of_one(function: &'a Function) -> Scope<'a> {
        Scope { functions: vec![function], called: BTreeMap::new(), entered: vec![Some(By::Anyone)] }
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
        let mut scope = Scope { functions, called, entered: Vec::new() };
        scope.entered = scope.find_entered(program);
        scope
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
        let known = self.find_known_by_address(program);
        let calls: Vec<BTreeSet<usize>> =
            self.functions.iter().map(|function| self.calls_of(function)).collect();
        let is_called =
            |number: usize| (0..).zip(&calls).any(|(by, called)| by != number && called.contains(&number));
        let roots: Vec<usize> = (0..self.functions.len()).filter(|number| !is_called(*number)).collect();
        let (mut reached, mut waiting) = (BTreeSet::new(), roots.clone());
        while let Some(number) = waiting.pop() {
            if reached.insert(number) {
                waiting.extend(&calls[number]);
            }
        }
        let one = roots.len() == 1 && reached.len() == self.functions.len();
        let entered = |number: usize| match number {
            _ if !one || known.contains(self.functions[number].name.as_str()) => Some(By::Anyone),
            number if roots.contains(&number) => Some(By::TheUser),
            _ => None,
        };
        (0..self.functions.len()).map(entered).collect()
    }

    fn calls_of(&self, function: &Function) -> BTreeSet<usize> {
        function.insts.iter().filter_map(|inst| self.callee(inst)).collect()
    }

    /// The functions whose names stand anywhere but where they are called, or which are called by functions that are not looked at.
    fn find_known_by_address(&self, program: &'a Program) -> BTreeSet<&'a str> {
        let mut known = BTreeSet::new();
        let mut take = |constant: &'a Constant| take_names(constant, &mut known);
        let inside = |function: &Function| self.called.contains_key(function.name.as_str());
        for function in &program.functions {
            for inst in &function.insts {
                let followed = inst.callee_name().is_some() && inside(function);
                let used = if followed { inst.arguments() } else { &inst.operands };
                used.iter().for_each(|operand| {
                    if let Operand::Const(constant) = operand {
                        take(constant);
                    }
                });
            }
        }
        program.globals.iter().filter_map(|global| global.initial.as_ref()).for_each(take);
        known
    }
}

fn take_names<'a>(constant: &'a Constant, known: &mut BTreeSet<&'a str>) {
    match constant {
        Constant::Symbol { name, .. } => _ = known.insert(name),
        Constant::Offset { base, .. } => take_names(base, known),
        Constant::Aggregate { parts, .. } | Constant::Expr { operands: parts, .. } => {
            parts.iter().for_each(|part| take_names(part, known));
        }
        _ => {}
    }
}
