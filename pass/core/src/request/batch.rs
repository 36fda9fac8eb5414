//! A function called several times at once: `batch(f, width, N, vector, x1 … xN, scalar, y)` returns N results.

use super::arguments::{converts, param_name, token_of};
use super::describe::describe;
use super::{HookCall, Refusals, Token, is_same_members};
use crate::model::{Function, Layout, Type};
use crate::refusal::{Code, Refusal};

/// Operand numbers of what is passed for one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// One value for each call.
    Each(Vec<usize>),
    /// One value for all calls.
    All(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// One for each parameter.
    pub passed: Vec<Passed>,
    /// The number of calls.
    pub width: usize,
}

/// Reads a hook call against the signature of the function that it calls.
pub fn parse_batch(call: &HookCall, function: &Function, layout: &Layout) -> Result<Batch, Refusals> {
    let width = read_width(call).map_err(|refusal| vec![refusal])?;
    let mut batch = Batch { passed: Vec::new(), width };
    let mut at = 0;
    for param in 0..function.params.len() {
        batch
            .passed
            .push(read_passed(call, function, param, (&mut at, width)).map_err(|refusal| vec![refusal])?);
    }
    skip_width(call, &mut at);
    if at < call.operands.len() {
        let message = format!("too many arguments to {}: `{}` takes no more", call.hook, function.name);
        return Err(vec![Refusal::new(Code::TooManyArguments, message)]);
    }
    let expected = Type::structure(vec![function.ret.clone(); width]);
    let fits = function.ret == Type::Void || is_same_members(&expected, &call.result, call.pairs, layout);
    if fits {
        return Ok(batch);
    }
    let message = format!(
        "mismatched return type: the hook is declared to return {}; expected {width} times {}",
        describe(&call.result),
        describe(&function.ret)
    );
    Err(vec![Refusal::new(Code::WrongResultType, message)])
}

const WIDEST: i128 = 1024;

fn read_width(call: &HookCall) -> Result<usize, Refusal> {
    let at = call.operands.iter().position(|operand| token_of(operand) == Some(Token::Width));
    match at.and_then(|at| call.operands.get(at + 1)?.constant) {
        Some(width @ 1..=WIDEST) => Ok(width as usize),
        _ => Err(Refusal::new(
            Code::TokenDoesNotFit,
            format!("{} needs enzyme_width, followed by a constant from 1 to {WIDEST}", call.hook),
        )),
    }
}

fn skip_width(call: &HookCall, at: &mut usize) {
    while call.operands.get(*at).and_then(token_of) == Some(Token::Width) {
        *at += 2;
    }
}

fn read_passed(
    call: &HookCall,
    function: &Function,
    param: usize,
    (at, width): (&mut usize, usize),
) -> Result<Passed, Refusal> {
    skip_width(call, at);
    let name = param_name(function, param);
    let token = call.operands.get(*at).and_then(token_of);
    let count = match token {
        Some(Token::Each) => width,
        Some(Token::All) => 1,
        _ => {
            let message = format!(
                "{}: write enzyme_vector and {width} values for parameter `{name}`, or enzyme_scalar and one",
                call.hook
            );
            return Err(Refusal::new(Code::TooFewArguments, message));
        }
    };
    let first = *at + 1;
    *at = first + count;
    let ty = &function.params[param].ty;
    for index in first..*at {
        let fits = |operand: &super::HookOperand| operand.token.is_none() && converts(&operand.ty, ty);
        if !call.operands.get(index).is_some_and(fits) {
            let message =
                format!("{}: expected {count} values for parameter `{name}` ({})", call.hook, describe(ty));
            return Err(Refusal::new(Code::WrongArgumentType, message));
        }
    }
    Ok(if token == Some(Token::Each) { Passed::Each((first..*at).collect()) } else { Passed::All(first) })
}
