//! What the tests of the adjoint analyses share: a program as text, a setting in its own names, and the facts.
#![allow(dead_code, reason = "each test crate uses its part")]

use std::collections::{BTreeMap, BTreeSet};

use backsweep_core::analyses::adjoint::study::{Facts, Reruns, Setting, Study};
use backsweep_core::analyses::memory::touch::TouchId;
use backsweep_core::analyses::pointers::Base;
use backsweep_core::analyses::summarise::Bodies;
use backsweep_core::model::{LoopId, Program, ValueId, parse_program, verify};
use backsweep_core::rules::Rules;

pub struct Case {
    pub program: Program,
    pub rules: Rules,
    names: BTreeMap<(String, String), ValueId>,
}

impl Case {
    pub fn new(text: &str) -> Case {
        let program = parse_program(text).unwrap_or_else(|error| panic!("{error:?} in {text}"));
        assert_eq!(verify(&program), [], "a test program is a model");
        Case { program, rules: Rules::new(), names: read_names(text) }
    }

    pub fn id(&self, function: &str, name: &str) -> ValueId {
        let key = (function.to_owned(), name.to_owned());
        *self.names.get(&key).unwrap_or_else(|| panic!("@{function} has no %{name}"))
    }

    pub fn name(&self, function: &str, id: ValueId) -> String {
        let found = self.names.iter().find(|((owner, _), known)| owner == function && **known == id);
        found.map_or_else(|| id.to_string(), |((_, name), _)| name.clone())
    }

    pub fn memory(&self, function: &str, names: &[&str]) -> BTreeSet<Base> {
        names.iter().map(|name| Base::Param(self.id(function, name))).collect()
    }

    pub fn values(&self, function: &str, names: &[&str]) -> BTreeSet<ValueId> {
        names.iter().map(|name| self.id(function, name)).collect()
    }

    /// The facts of a function, each iteration of the `fused` loops reversed right behind itself.
    pub fn study<T>(
        &self,
        function: &str,
        setting: &Setting,
        fused: &[u32],
        ask: &mut dyn FnMut(&Facts) -> T,
    ) -> T {
        let bodies = Bodies::of(&self.program, &self.rules, function);
        let study = Study::of(&bodies, Reruns::WherePossible);
        let fused: BTreeSet<LoopId> = fused.iter().copied().map(LoopId).collect();
        study.facts(function, setting, &fused, ask).expect("the function has a body")
    }

    /// The parameters that some touches are behind, by name.
    pub fn behind(
        &self,
        function: &str,
        facts: &Facts,
        touches: impl IntoIterator<Item = TouchId>,
    ) -> BTreeSet<String> {
        let bases = touches.into_iter().flat_map(|touch| facts.body.touch(touch).bases.clone());
        let name = |base: Base| match base {
            Base::Param(id) | Base::Stack(id) => self.name(function, id),
            other => format!("{other:?}"),
        };
        bases.map(name).collect()
    }
}

pub fn texts(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Values are numbered as they stand in the text: parameters, then every instruction.
fn read_names(text: &str) -> BTreeMap<(String, String), ValueId> {
    let mut names = BTreeMap::new();
    let (mut function, mut next) = (String::new(), 0);
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("function @") {
            let (name, rest) = rest.split_once('(').expect("a function has parameters");
            function = name.into();
            next = 0;
            let params = rest.split(')').next().unwrap_or_default();
            for param in params.split(", ").filter(|param| !param.is_empty()) {
                let name = param.trim_start_matches('%').split(':').next().unwrap_or_default();
                names.insert((function.clone(), name.to_owned()), ValueId(next));
                next += 1;
            }
            continue;
        }
        let quiet = ["declare", "}", "^", "memory", "loop", "global", ";"];
        if line.is_empty() || quiet.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        if let Some((name, _)) = line.strip_prefix('%').and_then(|rest| rest.split_once([':', ' '])) {
            names.insert((function.clone(), name.to_owned()), ValueId(next));
        }
        next += 1;
    }
    names
}
