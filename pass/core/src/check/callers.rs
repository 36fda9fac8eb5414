//! Who calls the functions of a program: each other, the user, or somebody who is not seen.
//!
//! What a function is given by calls that are gone through is known. The user calls the one that nobody else calls, nor knows by its
//! address. It is the derivative of a function that is asked about: who has the function's address calls it by itself.
//! Safe error: somebody who is not seen.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Constant, Function, Operand, Program};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    User,
    Unseen,
}

pub struct Callers<'a> {
    /// Those that calls are gone into.
    inside: BTreeSet<&'a str>,
    /// What calls them beside those, if anything does.
    from: BTreeMap<&'a str, Caller>,
}

impl<'a> Callers<'a> {
    /// Of a function by itself nobody's call is gone through.
    pub fn nobody() -> Callers<'a> {
        Callers { inside: BTreeSet::new(), from: BTreeMap::new() }
    }

    /// `function` is asked in place of the one of the same name.
    pub fn of(function: &'a Function, program: &'a Program) -> Callers<'a> {
        let ruled = |name: &str| program.rules.iter().any(|rule| rule.names().any(|other| other == name));
        let has_body =
            |x: &&Function| !x.blocks.is_empty() && program.is_followed(&x.name) && !ruled(&x.name);
        let all =
            program.functions.iter().map(|other| if other.name == function.name { function } else { other });
        let all: Vec<&Function> = all.collect();
        let bodies = all.iter().copied().filter(has_body).chain([function]);
        let inside: BTreeSet<&str> = bodies.map(|body| body.name.as_str()).collect();
        let mut calling: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut named = BTreeSet::new();
        let mut through_pointers = false;
        for caller in all {
            let seen = inside.contains(caller.name.as_str());
            for inst in &caller.insts {
                let callee = inst.callee_name();
                if let Some(callee) = callee.filter(|_| seen) {
                    calling.entry(&caller.name).or_default().insert(callee);
                }
                through_pointers |= seen && callee.is_none() && inst.op.call().is_some();
                let count = inst.operands.len() - usize::from(callee.is_some());
                inst.operands[..count].iter().for_each(|operand| {
                    if let Operand::Const(constant) = operand {
                        each_name(constant, &mut |name| _ = named.insert(name));
                    }
                });
            }
        }
        for initial in program.globals.iter().filter_map(|global| global.initial.as_ref()) {
            each_name(initial, &mut |name| _ = named.insert(name));
        }
        let is_called =
            |name: &str| calling.iter().any(|(by, callees)| *by != name && callees.contains(name));
        let first: Vec<&str> = inside.iter().copied().filter(|name| !is_called(name)).collect();
        let (mut reached, mut waiting) = (BTreeSet::new(), first.clone());
        while let Some(name) = waiting.pop() {
            if reached.insert(name) {
                waiting
                    .extend(calling.get(name).into_iter().flatten().filter(|name| inside.contains(**name)));
            }
        }
        let by_name_alone: Vec<&str> = first.iter().copied().filter(|name| !named.contains(name)).collect();
        let user_calls = match (&by_name_alone[..], &first[..]) {
            ([one], _) | ([], [one]) if reached == inside => Some(*one),
            _ => None,
        };
        let enter = |name: &&'a str| match user_calls {
            None => Some((*name, Caller::Unseen)),
            Some(_) if through_pointers && named.contains(name) => Some((*name, Caller::Unseen)),
            Some(one) if one == *name => Some((*name, Caller::User)),
            Some(_) => first.contains(name).then_some((*name, Caller::Unseen)),
        };
        let from = inside.iter().filter_map(enter).collect();
        Callers { inside, from }
    }

    pub fn is_gone_into(&self, name: &str) -> bool {
        self.inside.contains(name)
    }

    pub fn enter(&self, name: &str) -> Option<Caller> {
        if self.inside.is_empty() { Some(Caller::Unseen) } else { self.from.get(name).copied() }
    }
}

fn each_name<'a>(constant: &'a Constant, take: &mut dyn FnMut(&'a str)) {
    constant.walk(&mut |part| {
        if let Constant::Symbol { name, .. } = part {
            take(name);
        }
    });
}
