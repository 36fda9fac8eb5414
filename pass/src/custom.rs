//! Derivatives that the user wrote himself: globals that list a function and its derivatives.
//!
//! A rule is read once for a module. C passes small structs in registers of other types, and large ones in memory; such
//! functions get an adapter that takes and returns the structs themselves, which is then what the model knows.

use std::collections::{HashMap, HashSet};

use backsweep_core::analyses::custom::expected_results;
use backsweep_core::model::{CustomHalves, CustomRule, Layout, Program};
use backsweep_core::refusal::{Code, Refusal};
use backsweep_core::request::{FloatPairs, is_same_members};
use llvm_sys::core::LLVMAliasGetAliasee;

use crate::emit::write_type;
use crate::extract::{extract_functions, read_type};
use crate::llvm::{Module, Ty, Value, c_string, llvm, shim};

/// Words in the names of globals that hold a function and derivatives of it, how many, and how such a list is written.
const LISTS: [(&str, usize, &str); 4] = [
    ("__backsweep_rule_reverse", 3, HALVES),
    ("__enzyme_register_gradient", 3, HALVES),
    ("__backsweep_rule_forward", 2, TANGENT),
    ("__enzyme_register_derivative", 2, TANGENT),
];
/// What other lists of rules begin with: of none of them is it known what to do.
const OTHERS: [&str; 2] = ["__enzyme_register_", "__backsweep_rule_"];
const HALVES: &str = "three functions { f, augmented, reverse }";
const TANGENT: &str = "two functions { f, tangent }";

/// The names of adapters begin so; messages leave it out.
pub const ADAPTER: &str = "backsweep.rule.";

#[derive(Default)]
pub struct CustomRules {
    rules: Vec<CustomRule>,
    /// The functions that rules are for, by name in the module.
    functions: HashMap<Value, String>,
    lists: Vec<Value>,
    adapters: Vec<Value>,
    problems: Vec<Problem>,
}

/// A list that says nothing that could be done.
struct Problem {
    list: Value,
    message: String,
}

impl CustomRules {
    pub fn of(module: Module, context: *mut shim::Context) -> CustomRules {
        let mut rules = CustomRules::read(module);
        if !rules.rules.is_empty() {
            rules.adapt(module, context);
        }
        rules
    }

    /// The rules as the lists name them. What functions name in metadata instead becomes a list first, which keeps the
    /// functions of the rule; else the module stays as it is.
    pub fn read(module: Module) -> CustomRules {
        llvm!(shim::bs_shim_list_rules(module.0));
        let mut found = CustomRules::default();
        for list in module.globals() {
            let name = list.name();
            let kind = LISTS.iter().find(|(word, ..)| name.contains(word));
            if let (Some((_, count, meant)), Some(content)) = (kind, list.initializer()) {
                let mut functions = Vec::new();
                let readable = collect_functions(content, &mut functions);
                if readable && functions.len() == *count {
                    found.add(list, &functions);
                } else {
                    let message =
                        format!("`{name}` registers a custom rule; expected {meant}, known when compiling");
                    found.problems.push(Problem { list, message });
                }
            } else if kind.is_none() && OTHERS.iter().any(|word| name.contains(word)) {
                let message = format!(
                    "`{name}` registers a rule of a kind that is not supported; rules for reverse mode are {HALVES} in \
                     `__backsweep_rule_reverse…` or `__enzyme_register_gradient…`, those for forward mode {TANGENT} in \
                     `__backsweep_rule_forward…` or `__enzyme_register_derivative…`"
                );
                found.problems.push(Problem { list, message });
            }
        }
        found
    }

    fn add(&mut self, list: Value, functions: &[Value]) {
        self.lists.push(list);
        let names: Vec<String> = functions.iter().map(|function| function.name()).collect();
        if functions.iter().any(|function| llvm!(shim::bs_shim_takes_apart(function.0))) {
            let message = format!(
                "`{}` registers a custom rule for `{}`, which takes a struct or complex number by value, in several \
                 registers; rules take pointers to those",
                list.name(),
                names[0]
            );
            return self.problems.push(Problem { list, message });
        }
        self.functions.insert(functions[0], names[0].clone());
        let at = self.rules.iter().position(|rule| rule.function == names[0]).unwrap_or_else(|| {
            self.rules.push(CustomRule { function: names[0].clone(), ..CustomRule::default() });
            self.rules.len() - 1
        });
        let rule = &mut self.rules[at];
        let clash = match names.as_slice() {
            [_, augmented, reverse] => {
                let halves = CustomHalves { augmented: augmented.clone(), reverse: reverse.clone() };
                rule.halves.replace(halves.clone()).is_some_and(|before| before != halves)
            }
            [_, tangent] => rule.tangent.replace(tangent.clone()).is_some_and(|before| before != *tangent),
            _ => false,
        };
        if clash {
            let message = format!("`{}` registers a second custom rule for `{}`", list.name(), names[0]);
            self.problems.push(Problem { list, message });
        }
    }

    /// Makes adapters for functions that return what is meant in other types.
    fn adapt(&mut self, module: Module, context: *mut shim::Context) {
        let mut program = extract_functions(module, context, &[]).program;
        let layout = Layout::parse(&module.layout());
        let pairs = if module.is_from_rust_or_fortran() { FloatPairs::Double } else { FloatPairs::Vector };
        let mut adapted: HashMap<String, String> = HashMap::new();
        let derivatives = self.rules.iter().flat_map(CustomRule::derivatives).map(str::to_owned);
        let in_memory: HashSet<String> =
            derivatives.filter(|name| pass_by_value(module, &mut program, name)).collect();
        for rule in &self.rules {
            for (name, expected) in expected_results(&program, rule) {
                let Some(function) = module.function(&name) else { continue };
                let Some(found) = program.function(&name).map(|function| function.ret.clone()) else {
                    continue;
                };
                let same = found == expected || is_same_members(&expected, &found, pairs, &layout);
                if (in_memory.contains(&name) || found != expected && same) && !adapted.contains_key(&name) {
                    let result = if same { &expected } else { &found };
                    let ty = write_type(module.context(), result);
                    let text = c_string(&format!("{ADAPTER}{name}"));
                    let adapter = Value(llvm!(shim::bs_shim_adapt_function(function.0, ty.0, text.as_ptr())));
                    self.adapters.push(adapter);
                    // LLVM adds a number where the name is taken.
                    adapted.insert(name, adapter.name());
                }
            }
        }
        let rename = |name: &mut String| {
            if let Some(adapter) = adapted.get(name) {
                adapter.clone_into(name);
            }
        };
        for rule in &mut self.rules {
            if let Some(halves) = &mut rule.halves {
                rename(&mut halves.augmented);
                rename(&mut halves.reverse);
            }
            rule.tangent.iter_mut().for_each(rename);
        }
    }

    /// Keeps the functions that rules are for from being inlined before a later stage differentiates their callers, and
    /// the rules from being dropped.
    pub fn keep_whole(&self, module: Module) {
        self.lists.iter().for_each(|list| llvm!(shim::bs_shim_append_used(module.0, list.0)));
        self.functions.keys().for_each(|function| llvm!(shim::bs_shim_mark_noinline(function.0)));
    }

    pub fn contains(&self, function: Value) -> bool {
        self.functions.contains_key(&function)
    }

    /// Whether the body of a function is of no use to any derivative.
    pub fn serves_every_mode(&self, function: Value) -> bool {
        let name = self.functions.get(&function);
        let rule = name.and_then(|name| self.rules.iter().find(|rule| rule.function == *name));
        rule.is_some_and(|rule| rule.halves.is_some() && rule.tangent.is_some())
    }

    /// Writes into the model what the user gave.
    pub fn mark(&self, program: &mut Program) {
        program.rules = self.rules.clone();
    }

    /// Refuses lists that cannot be read, at their own lines.
    pub fn report(&self, module: Module) {
        for Problem { list, message } in &self.problems {
            if let Some(function) = module.functions().first() {
                let refusal = Refusal::new(Code::BadRule, message);
                crate::report::error_at_global(*list, *function, &refusal.to_string());
            }
        }
    }

    /// Removes the adapters, for whoever leaves the module as it was.
    pub fn delete_adapters(&self, context: *mut shim::Context) {
        self.adapters.iter().for_each(|adapter| adapter.delete_function(context));
    }
}

/// In the model, structs that a function takes or returns in memory are values; whether there are any.
fn pass_by_value(module: Module, program: &mut Program, name: &str) -> bool {
    let model = program.functions.iter_mut().find(|function| function.name == name);
    let (Some(function), Some(model)) = (module.function(name), model) else { return false };
    let mut found = false;
    for (index, param) in (0..).zip(&mut model.params) {
        let passed = llvm!(shim::bs_shim_passed_in_memory(function.0, index));
        if !passed.is_null() {
            param.ty = read_type(Ty(passed));
            found = true;
        }
    }
    let returned = llvm!(shim::bs_shim_result_in_memory(function.0));
    if !returned.is_null() {
        model.params.remove(0);
        model.ret = read_type(Ty(returned));
        found = true;
    }
    found
}

/// Adds the functions that a constant is made of, in order; false where there is anything else.
fn collect_functions(constant: Value, functions: &mut Vec<Value>) -> bool {
    if constant.as_function().is_some() {
        functions.push(constant);
        return !constant.name().is_empty();
    }
    if constant.as_alias().is_some() {
        return collect_functions(Value(llvm!(LLVMAliasGetAliasee(constant.0))), functions);
    }
    (constant.is_constant_expr() || constant.is_aggregate_type())
        && constant.operands().into_iter().all(|part| collect_functions(part, functions))
}
