//! Derivatives of called functions, which requests share where each would write the same.
//!
//! What the derivative of a callee does may hang on who calls it: what its copies move is told by callers too. So one that an
//! earlier request wrote is called only if it says the same, and so do those that it calls; another gets a name of its own.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use backsweep_core::model::{Constant, Function, Operand};

/// The names that derivatives are planned with, and those of the functions that stand for them.
type Names = BTreeMap<String, String>;

#[derive(Default)]
pub struct Shared(RefCell<HashMap<String, Vec<Body>>>);

struct Body {
    name: String,
    /// As it was planned, without places in the source.
    function: Function,
    /// The derivatives that it calls.
    calls: Names,
}

impl Shared {
    /// Of the derivatives that a request needs, those that are to be written, by their numbers and under the names they get. `caller`
    /// calls them by these; `is_taken` tells which names the module has already.
    pub fn settle(
        &self,
        caller: &mut Function,
        called: Vec<Function>,
        is_taken: &dyn Fn(&str) -> bool,
    ) -> Vec<(usize, Function)> {
        let mut known = self.0.borrow_mut();
        let found = find_written(&known, &called);
        let mut names = found.clone();
        for function in called.iter().filter(|function| !found.contains_key(&function.name)) {
            names.insert(function.name.clone(), free_name(&function.name, is_taken));
        }
        rename(caller, &names);
        let mut new = Vec::new();
        for (number, mut function) in called.into_iter().enumerate() {
            let (planned, name) = (function.name.clone(), names[&function.name].clone());
            if found.contains_key(&planned) {
                continue;
            }
            let body = Body {
                name: name.clone(),
                function: without_places(&function),
                calls: calls_of(&function, &names),
            };
            known.entry(planned).or_default().push(body);
            rename(&mut function, &names);
            function.name = name;
            new.push((number, function));
        }
        new
    }
}

/// The functions that stand for derivatives already. They may call each other, so each stands until one that it calls does not.
fn find_written(known: &HashMap<String, Vec<Body>>, called: &[Function]) -> Names {
    let mut candidates: BTreeMap<&str, Vec<&Body>> = BTreeMap::new();
    for function in called {
        let plain = without_places(function);
        let written = known.get(&function.name).into_iter().flatten();
        candidates.insert(&function.name, written.filter(|body| body.function == plain).collect());
    }
    loop {
        let first = |name: &str| candidates.get(name).and_then(|bodies| bodies.first().copied());
        let stands =
            |(planned, name): (&String, &String)| first(planned).is_some_and(|body| body.name == *name);
        let broken = called
            .iter()
            .find(|function| first(&function.name).is_some_and(|body| !body.calls.iter().all(stands)));
        let Some(broken) = broken else {
            let names = candidates
                .iter()
                .filter_map(|(planned, bodies)| Some(((*planned).to_owned(), bodies.first()?.name.clone())));
            return names.collect();
        };
        if let Some(bodies) = candidates.get_mut(broken.name.as_str()) {
            bodies.remove(0);
        }
    }
}

fn free_name(name: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number: u32| format!("{name}.{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_else(|| name.to_owned())
}

/// What makes two derivatives the same: not where each was asked for.
fn without_places(function: &Function) -> Function {
    let mut function = Function { loc: None, names: BTreeMap::new(), ..function.clone() };
    function.insts.iter_mut().for_each(|inst| inst.loc = None);
    function
}

fn calls_of(function: &Function, names: &Names) -> Names {
    let called = function.insts.iter().filter_map(|inst| inst.callee_name());
    called.filter_map(|planned| Some((planned.to_owned(), names.get(planned)?.clone()))).collect()
}

fn rename(function: &mut Function, names: &Names) {
    for operand in function.insts.iter_mut().flat_map(|inst| &mut inst.operands) {
        if let Operand::Const(Constant::Symbol { name, .. }) = operand
            && let Some(new) = names.get(name)
        {
            name.clone_from(new);
        }
    }
}
