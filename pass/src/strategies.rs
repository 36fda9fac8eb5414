//! How calls are differentiated, where the user says it: inlined, recorded as they go (split), run twice (joint), or contracted to
//! their partial derivatives.
//!
//! Of a function by an annotation `backsweep_joint`, or by a list `__backsweep_joint*` of functions; of the calls under one hook by a
//! token with the function behind it. What a hook says goes before what is said of the function. Where nothing is said, one function may
//! be chosen by cost (`differentiate/weighed`).

use std::collections::HashMap;

use backsweep_core::model::{CALLED_CONTRACTED, CALLED_JOINTLY, CALLED_SPLIT, PASSES_STRUCTS, Program};
use backsweep_core::request::{CallWay, Token};

use crate::inactive::functions_in;
use crate::llvm::{Module, Value, llvm, shim};
use crate::requests::{HookSite, Targets, find_targets, read_token};

/// The words of annotations, and of the names of lists.
const WAYS: [(&str, CallWay); 4] = [
    ("backsweep_inline", CallWay::Inline),
    (CALLED_SPLIT, CallWay::Split),
    (CALLED_JOINTLY, CallWay::Joint),
    (CALLED_CONTRACTED, CallWay::Contract),
];

pub type Ways = HashMap<Value, CallWay>;

#[derive(Default)]
pub struct Strategies {
    of_functions: Ways,
    /// Of the hook that is answered.
    of_hook: Ways,
    /// What the hook that is answered does best with, where nobody says anything.
    chosen: Ways,
    /// Whether nothing is heeded, since a derivative can be made only without.
    set_aside: bool,
    /// The same for all of a module: derivatives that are differentiated once more do best without calls.
    unheeded: bool,
}

impl Strategies {
    pub fn of(module: Module) -> Strategies {
        let mut strategies = Strategies::default();
        for (function, text) in module.annotations() {
            if let Some((_, way)) = WAYS.iter().find(|(word, _)| *word == text) {
                strategies.of_functions.insert(function, *way);
            }
        }
        for global in module.globals() {
            let name = global.name();
            if let Some((_, way)) = WAYS.iter().find(|(word, _)| name.contains(&format!("__{word}"))) {
                strategies
                    .of_functions
                    .extend(functions_in(global).into_iter().map(|function| (function, *way)));
            }
        }
        strategies
    }

    /// Takes in what a hook says of the calls under it, in the place of what the last one said.
    pub fn ask(&mut self, site: &HookSite) {
        self.of_hook = wishes_of(site);
        self.chosen.clear();
        self.set_aside = self.unheeded;
    }

    pub fn leave_unheeded(&mut self) {
        (self.unheeded, self.set_aside) = (true, true);
    }

    /// Where the derivative is refused as it was asked for: a function that is not inlined is seen without its caller, and less is
    /// known of it. Returns whether there was anything to set aside.
    pub fn set_aside(&mut self) -> bool {
        let any = !self.of_functions.is_empty() || !self.of_hook.is_empty();
        let asked = any && !self.set_aside;
        self.set_aside |= asked;
        asked
    }

    /// What tells a derivative from one that was made for a hook with other wishes.
    pub fn describe_wishes(&self) -> String {
        let mut wishes: Vec<String> =
            self.of_hook.iter().map(|(function, way)| format!(" {way:?} {}", function.name())).collect();
        wishes.sort();
        wishes.concat()
    }

    fn get(&self, function: Value) -> Option<CallWay> {
        if self.set_aside {
            return None;
        }
        let told = self.of_hook.get(&function).or_else(|| self.of_functions.get(&function)).copied();
        told.or_else(|| self.chosen.get(&function).copied())
    }

    /// How each function is called, of those of which somebody says it.
    pub fn ways(&self) -> Ways {
        let functions = [&self.of_hook, &self.of_functions, &self.chosen].into_iter().flat_map(HashMap::keys);
        functions.filter_map(|function| Some((*function, self.get(*function)?))).collect()
    }

    /// Whether a way may be chosen for calls that nobody has said anything of: not where a derivative can be made only without.
    pub fn may_choose(&self) -> bool {
        !self.set_aside
    }

    /// Whether it is settled how a function is called, by the user or by choice.
    pub fn has_way(&self, function: Value) -> bool {
        [&self.of_hook, &self.of_functions, &self.chosen].iter().any(|ways| ways.contains_key(&function))
    }

    /// Has the calls of one more function differentiated in a way of their own.
    pub fn choose(&mut self, function: Value, way: CallWay) {
        self.chosen.insert(function, way);
    }

    /// Takes back what was chosen for a function.
    pub fn leave(&mut self, function: Value) {
        self.chosen.remove(&function);
    }

    /// Whether calls of a function stay calls.
    pub fn keeps(&self, function: Value) -> bool {
        matches!(self.get(function), Some(CallWay::Split | CallWay::Joint | CallWay::Contract))
    }

    /// Whether calls of a function are inlined, however large it is.
    pub fn opens(&self, function: Value) -> bool {
        self.get(function) == Some(CallWay::Inline)
    }

    /// Writes into the model what the user asked for, and what was chosen.
    pub fn mark(&self, program: &mut Program) {
        let functions = self.of_functions.keys().chain(self.of_hook.keys());
        let functions = functions.chain(self.chosen.keys());
        let asked: HashMap<String, (Value, Option<CallWay>)> =
            functions.map(|function| (function.name(), (*function, self.get(*function)))).collect();
        for function in &mut program.functions {
            let Some((value, way)) = asked.get(&function.name) else { continue };
            let word = match way {
                Some(CallWay::Joint) => CALLED_JOINTLY,
                Some(CallWay::Split) => CALLED_SPLIT,
                Some(CallWay::Contract) => CALLED_CONTRACTED,
                _ => continue,
            };
            function.attributes.push(word.into());
            if passes_structs(*value) {
                function.attributes.push(PASSES_STRUCTS.into());
            }
            function.attributes.sort();
            function.attributes.dedup();
        }
    }

    /// Keeps them from being inlined before a later stage differentiates their callers.
    pub fn keep_whole(&self) {
        let kept = self.of_functions.keys().filter(|function| self.keeps(**function));
        kept.for_each(|function| llvm!(shim::bs_shim_mark_noinline(function.0)));
    }
}

/// What a hook says of calls, in the order of its operands.
fn wishes_of(site: &HookSite) -> Ways {
    let operands = site.arguments();
    let pairs = operands.iter().zip(operands.iter().skip(1));
    let wish = |(token, function): (&Value, &Value)| {
        let Some(Token::Call(way)) = read_token(*token)?.token else { return None };
        match find_targets(*function) {
            Targets::One(function) => Some((function, way)),
            _ => None,
        }
    };
    pairs.filter_map(wish).collect()
}

fn passes_structs(function: Value) -> bool {
    let by_value = |index| llvm!(shim::bs_shim_takes_struct(function.0, index));
    (0..function.params().len() as u32).any(by_value) || llvm!(shim::bs_shim_returns_in_memory(function.0))
}
