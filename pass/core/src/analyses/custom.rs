//! How the functions of a custom rule are called.
//!
//! ```text
//! arguments  those of the function, in order; behind each pointer its shadow, in `tangent` behind each float its tangent
//! augmented  arguments → {tape, result, shadow of the result}, of these members those that exist; one alone as itself
//! reverse    arguments, the derivative of the result if it is a float, the tape if there is one → the derivatives of
//!            float arguments in order; one alone as itself
//! tangent    arguments → {result, its derivative}; the result alone where it is neither float nor pointer
//! ```
//!
//! There is a tape if `reverse` takes one more argument. It may be of any type; with no result beside it, it is the
//! whole of what `augmented` returns. The shadow of a result that is no pointer does not exist.
//! Program + rule → [`CustomCall`], or why the functions do not fit; and what a call cannot give them.

use std::collections::BTreeSet;

use super::activity::{Activity, Pass};
use super::pointers::Base;
use super::refusals::{Found, name_of, refuse_pointer};
use crate::model::{
    CustomHalves, CustomRule, Function, Global, GlobalDerivative, Inst, Program, Type, ValueId,
};
use crate::refusal::Code;
use crate::request::Mode;

/// The functions of a rule, as they are called in one mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomCall {
    Halves {
        augmented: String,
        reverse: String,
        tape: Option<Type>,
        /// Whether the shadow of a returned pointer is returned.
        shadow: bool,
    },
    Tangent(String),
}

/// How the user's own derivative of a function is called; `None` where there is none for that mode.
pub fn find_custom_call(program: &Program, function: &str, mode: Mode) -> Option<Result<CustomCall, String>> {
    let rule = program.custom_rule(function)?;
    if mode.is_reverse() {
        rule.halves.as_ref().map(|halves| read_halves(program, rule, halves))
    } else {
        rule.tangent.as_deref().map(|tangent| read_tangent(program, rule, tangent))
    }
}

/// Constant memory and what was declared inactive get no shadow.
pub fn needs_shadow(program: &Program, base: &Base) -> bool {
    match base {
        Base::Null => false,
        Base::Global(name) => {
            program.function(name).is_none() && !program.global(name).is_some_and(has_no_derivative)
        }
        Base::Param(_)
        | Base::Stack(_)
        | Base::Heap(_)
        | Base::Loaded(_)
        | Base::Returned(_)
        | Base::Unknown => true,
    }
}

fn has_no_derivative(global: &Global) -> bool {
    global.constant || global.derivative == GlobalDerivative::Nothing
}

/// Constant floats, to whose shadow a rule would add if there were one.
fn find_constant_floats<'a>(program: &'a Program, bases: &'a BTreeSet<Base>) -> Option<&'a str> {
    bases.iter().find_map(|base| match base {
        Base::Global(name) => {
            let bare = |global: &&Global| has_no_derivative(global) && global.ty.holds_float();
            program.global(name).filter(bare).map(|_| &**name)
        }
        _ => None,
    })
}

/// What a rule of the user's cannot be given.
pub(super) fn refuse_custom_call(
    pass: &Pass,
    id: ValueId,
    inst: &Inst,
    activity: &Activity,
    custom: &CustomCall,
) -> Found {
    let name = name_of(inst);
    let callee = inst.callee_name().unwrap_or_default();
    let refuse = |problem: String| Some((Code::BadRule, problem));
    // A forward rule of numbers may be called once for each direction; what touches memory would touch it again.
    let once = inst.ty.is_pointer()
        || inst.arguments().iter().any(|argument| pass.function.operand_type(argument).is_pointer());
    if pass.request.width > 1 && (once || !matches!(custom, CustomCall::Tangent(_))) {
        return refuse(format!(
            "{name} has a custom rule, and rules are for one direction at a time unless they are of forward mode and take \
             no pointers; ask for bs_width 1"
        ));
    }
    for argument in inst.arguments() {
        let ty = pass.function.operand_type(argument);
        if activity.is_operand_active(argument) && !ty.holds_float() {
            return refuse(format!(
                "{name} passes the bits of an active value as an integer to a custom rule; pass them as a float"
            ));
        }
        if !ty.is_pointer() {
            continue;
        }
        let bases = activity.bases(argument);
        if let Some(table) = find_constant_floats(pass.program, &bases) {
            return refuse(format!(
                "{name} passes the constant or inactive `{table}` to a custom rule, which may add to its shadow, and it has none; \
                 copy it into a variable"
            ));
        }
        let params = bases.iter().filter_map(|base| match base {
            Base::Param(id) => Some(id.0 as usize),
            _ => None,
        });
        if let Some(param) = params.into_iter().find(|param| !pass.request.activity(*param).has_shadow()) {
            let param = pass.function.params[param].name.clone().unwrap_or_else(|| format!("x{param}"));
            return refuse(format!(
                "{name} passes `{param}`, which is bs_const, to a custom rule, which takes a shadow for each \
                 pointer; pass it as bs_dup"
            ));
        }
        if bases.iter().any(|base| needs_shadow(pass.program, base))
            && let Some(found) = refuse_pointer(pass, inst, argument, activity)
        {
            return Some(found);
        }
    }
    match custom {
        CustomCall::Halves { augmented, shadow: false, .. } if activity.has_shadow(&Base::Returned(id)) => {
            refuse(format!(
                "`{callee}` returns a pointer, and `{augmented}` of its custom rule returns no shadow for it"
            ))
        }
        CustomCall::Halves { tape: Some(tape), .. } if pass.request.keep_tape && tape.holds_pointer() => {
            refuse(format!(
                "the custom rule of `{callee}` may free what its tape leads to, so that the tape cannot be kept \
                 (bs_nofree)"
            ))
        }
        CustomCall::Halves { .. } | CustomCall::Tangent(_) => None,
    }
}

/// What the functions of a rule are meant to return, by name, as far as that can be told without them.
pub fn expected_results(program: &Program, rule: &CustomRule) -> Vec<(String, Type)> {
    let mut expected = Vec::new();
    if let Some(halves) = &rule.halves
        && let Ok((function, taken)) = read_function(program, rule, Mode::Reverse)
        && let Ok(reverse) = find(program, &halves.reverse)
    {
        let seeds = usize::from(function.ret.holds_float());
        let tape = reverse.params.get(taken.len() + seeds).map(|param| &param.ty);
        expected.push((halves.reverse.clone(), gradients_of(function)));
        let parts = tape.into_iter().chain(result_of(function));
        expected.push((halves.augmented.clone(), whole_of(parts.cloned().collect())));
    }
    if let Some(tangent) = &rule.tangent
        && let Ok(function) = find(program, &rule.function)
    {
        expected.push((tangent.clone(), result_with_derivative(function)));
    }
    expected
}

fn read_halves(program: &Program, rule: &CustomRule, halves: &CustomHalves) -> Result<CustomCall, String> {
    let (function, taken) = read_function(program, rule, Mode::Reverse)?;
    let augmented = find(program, &halves.augmented)?;
    let reverse = find(program, &halves.reverse)?;
    expect_params(augmented, &taken, "the arguments, each pointer with its shadow")?;
    let mut given_back = taken;
    given_back.extend(function.ret.holds_float().then(|| function.ret.clone()));
    let tape = reverse.params.get(given_back.len()).map(|param| param.ty.clone());
    given_back.extend(tape.clone());
    let order = "the arguments, each pointer with its shadow, then the derivative of the result if it is a float, \
                 then the tape";
    expect_params(reverse, &given_back, order)?;
    expect_result(reverse, &gradients_of(function), "the derivatives of float arguments")?;
    let without = whole_of(tape.iter().chain(result_of(function)).cloned().collect());
    let with = whole_of(tape.iter().chain(result_of(function)).chain([&function.ret]).cloned().collect());
    let shadow = function.ret.is_pointer() && augmented.ret == with;
    if !shadow {
        expect_result(augmented, &without, "the tape that the reverse function takes, then the result")?;
    }
    Ok(CustomCall::Halves { augmented: augmented.name.clone(), reverse: reverse.name.clone(), tape, shadow })
}

fn read_tangent(program: &Program, rule: &CustomRule, tangent: &str) -> Result<CustomCall, String> {
    let (function, taken) = read_function(program, rule, Mode::Tangent)?;
    let tangent = find(program, tangent)?;
    expect_params(
        tangent,
        &taken,
        "the arguments, behind each pointer its shadow and behind each float its tangent",
    )?;
    expect_result(tangent, &result_with_derivative(function), "the result and its derivative")?;
    Ok(CustomCall::Tangent(tangent.name.clone()))
}

/// The function, and the types of its arguments with their shadows.
fn read_function<'a>(
    program: &'a Program,
    rule: &CustomRule,
    mode: Mode,
) -> Result<(&'a Function, Vec<Type>), String> {
    let function = find(program, &rule.function)?;
    let mut taken = Vec::new();
    for param in &function.params {
        let in_memory =
            |text: &String| ["byval", "sret", "inalloca"].iter().any(|word| text.starts_with(word));
        if param.attributes.iter().any(in_memory) || param.ty.holds_pointer() && !param.ty.is_pointer() {
            return Err(format!(
                "`{}` has a custom rule, and takes or returns a struct by value; rules take pointers to structs",
                function.name
            ));
        }
        let duplicated = param.ty.is_pointer() || param.ty.holds_float() && !mode.is_reverse();
        taken.extend(std::iter::repeat_n(param.ty.clone(), if duplicated { 2 } else { 1 }));
    }
    Ok((function, taken))
}

fn find<'a>(program: &'a Program, name: &str) -> Result<&'a Function, String> {
    let function = program.function(name);
    let function = function.ok_or_else(|| format!("a custom rule names `{name}`, which is no function"))?;
    match function.variadic {
        true => Err(format!("a custom rule names `{name}`, which takes a variable number of arguments")),
        false => Ok(function),
    }
}

fn result_of(function: &Function) -> Option<&Type> {
    Some(&function.ret).filter(|ret| **ret != Type::Void)
}

fn gradients_of(function: &Function) -> Type {
    whole_of(function.params.iter().map(|param| param.ty.clone()).filter(Type::holds_float).collect())
}

fn result_with_derivative(function: &Function) -> Type {
    let varies = function.ret.holds_float() || function.ret.is_pointer();
    let derivative = varies.then_some(&function.ret);
    whole_of(result_of(function).into_iter().chain(derivative).cloned().collect())
}

fn whole_of(mut parts: Vec<Type>) -> Type {
    match parts.len() {
        0 => Type::Void,
        1 => parts.remove(0),
        _ => Type::structure(parts),
    }
}

fn expect_params(function: &Function, expected: &[Type], order: &str) -> Result<(), String> {
    let found: Vec<&Type> = function.params.iter().map(|param| &param.ty).collect();
    if found.iter().copied().eq(expected) {
        return Ok(());
    }
    let list = |types: Vec<&Type>| types.iter().map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ");
    Err(format!(
        "`{}` of a custom rule takes ({}); expected ({}): {order}",
        function.name,
        list(found),
        list(expected.iter().collect())
    ))
}

fn expect_result(function: &Function, expected: &Type, what: &str) -> Result<(), String> {
    if function.ret == *expected {
        return Ok(());
    }
    Err(format!("`{}` of a custom rule returns {}; expected {expected}: {what}", function.name, function.ret))
}
