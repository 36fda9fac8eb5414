//! Reads the operands of a hook call from left to right: tokens, arguments, shadows, then seed and tape.

use super::describe::describe;
use super::parse::{HookCall, HookOperand};
use super::tail::{read_place_of_tape, read_seed_behind, read_seeds, read_tail};
use super::together::read_struct;
use super::token::{Token, known_tokens};
use super::{Activity, Argument, Mode, Refusals};
use crate::model::{FloatKind, Function, Layout, Type};
use crate::refusal::{Code, Refusal};

/// Where the reading stands, and what the tokens said so far.
pub struct Cursor<'a> {
    pub(super) call: &'a HookCall,
    pub(super) function: &'a Function,
    layout: &'a Layout,
    pub(super) next: usize,
    pub width: u32,
    pub seeds: Vec<usize>,
    /// Whether the seed lies behind a pointer: the shadow of a result that is returned in memory.
    pub seed_behind: bool,
    pub tape: Option<usize>,
    pub tape_in_memory: bool,
    /// Whether the shadows stand behind all the values.
    pub(super) interleaved: bool,
    pub primal_return: bool,
    pub const_return: bool,
    pub keep_tape: bool,
    pub refusals: Refusals,
}

/// More directions than this are a mistake, not a wish.
const WIDEST: i128 = 1024;

impl<'a> Cursor<'a> {
    pub fn new(call: &'a HookCall, function: &'a Function, layout: &'a Layout) -> Cursor<'a> {
        let mut cursor = Cursor {
            call,
            function,
            layout,
            next: 0,
            width: 1,
            seeds: Vec::new(),
            seed_behind: false,
            tape: None,
            tape_in_memory: false,
            interleaved: call.operands.iter().any(|operand| token_of(operand) == Some(Token::Interleave)),
            primal_return: false,
            const_return: false,
            keep_tape: false,
            refusals: Vec::new(),
        };
        cursor.read_width();
        cursor
    }

    /// The width decides how many shadows follow a dup, so it is looked for first.
    fn read_width(&mut self) {
        let operands = &self.call.operands;
        let Some(at) = (0..operands.len()).find(|at| token_of(&operands[*at]) == Some(Token::Width)) else {
            return;
        };
        match operands.get(at + 1).and_then(|operand| operand.constant) {
            Some(width @ 1..=WIDEST) => self.width = width as u32,
            other => {
                let found =
                    other.map_or("a value not known at compile time".into(), |width| width.to_string());
                let message =
                    format!("bs_width is followed by {found}; expected a constant from 1 to {WIDEST}");
                self.refuse(Code::TokenDoesNotFit, message);
            }
        }
    }

    pub(super) fn refuse(&mut self, code: Code, message: impl Into<String>) {
        self.refusals.push(Refusal::new(code, message));
    }

    pub(super) fn peek(&self) -> Option<&'a HookOperand> {
        self.call.operands.get(self.next)
    }

    /// The next plain operand, for `what`; a refusal where there is none or a token stands in its place.
    pub(super) fn take(&mut self, what: &str) -> Option<usize> {
        match self.peek() {
            Some(operand) if operand.token.is_none() => {
                self.next += 1;
                Some(self.next - 1)
            }
            found => {
                let found = match found.and_then(|operand| operand.token.as_ref()) {
                    Some(token) => format!("the token {}", token.text),
                    None => "the end of the call".into(),
                };
                let message = format!(
                    "too few arguments to {}: expected {what}, found {found}{}",
                    self.call.hook,
                    self.usage()
                );
                self.refuse(Code::TooFewArguments, message);
                None
            }
        }
    }

    /// How a call for this function is written, for messages.
    pub(super) fn usage(&self) -> String {
        let params: Vec<String> = (0..self.function.params.len())
            .map(|param| {
                let name = param_name(self.function, param);
                match default_activity(&self.function.params[param].ty, self.call.mode) {
                    Activity::Dup => format!("bs_dup, {name}, d_{name}"),
                    Activity::Out => format!("bs_out, {name}"),
                    _ => format!("bs_const, {name}"),
                }
            })
            .collect();
        format!("; write {}({}, {})", self.call.hook, self.function.name, params.join(", "))
    }
}

/// Reads everything, one argument for each parameter of the function.
pub fn read_arguments(cursor: &mut Cursor) -> Vec<Argument> {
    let mut arguments = Vec::new();
    if cursor.seed_behind && read_seed_behind(cursor).is_none() {
        return arguments;
    }
    while arguments.len() < cursor.function.params.len() {
        let param = arguments.len();
        let Some(members) = read_struct(cursor, param) else { return arguments };
        match members.or_else(|| Some(vec![read_argument(cursor, param)?])) {
            Some(read) => arguments.extend(read),
            None => return arguments,
        }
    }
    if cursor.interleaved && read_shadows_behind(cursor, &mut arguments).is_none() {
        return arguments;
    }
    read_tail(cursor);
    arguments
}

/// After the word for it the shadows of all arguments, in order.
fn read_shadows_behind(cursor: &mut Cursor, arguments: &mut [Argument]) -> Option<()> {
    while let Some(token) = read_token(cursor)? {
        if let Token::Activity(_) | Token::Strided(_) = token {
            refuse_surplus(cursor);
            return None;
        }
    }
    for (param, argument) in arguments.iter_mut().enumerate() {
        argument.shadows = read_shadows(cursor, param, argument)?;
    }
    Some(())
}

fn read_argument(cursor: &mut Cursor, param: usize) -> Option<Argument> {
    let ty = cursor.function.params[param].ty.clone();
    let mut activity = default_activity(&ty, cursor.call.mode);
    let mut named = None;
    let (mut strided, mut by_reference) = (false, false);
    while let Some(token) = read_token(cursor)? {
        match token {
            Token::Interleave => {
                refuse_early_interleave(cursor, param);
                return None;
            }
            // A second one stands where a value should.
            Token::Activity(_) | Token::Strided(_) if named.is_some() => {
                cursor.next -= 1;
                break;
            }
            Token::Activity(asked) | Token::Strided(asked) => {
                activity = asked;
                strided = token == Token::Strided(asked);
                named = Some(cursor.next - 1);
            }
            Token::ByReference => {
                read_size(cursor, param, &ty)?;
                by_reference = true;
            }
            _ => {}
        }
    }
    if let Some(at) = named {
        let text = cursor.call.operands[at].token.as_ref().map_or("", |token| token.text.as_str()).to_owned();
        check_fit(cursor, activity, &text, param, &ty);
    }
    let mixed = ty.holds_pointer() && !ty.is_pointer();
    if mixed && activity != Activity::Const {
        let name = param_name(cursor.function, param);
        let message = format!(
            "parameter `{name}` is {} by value, whose pointers have no place for shadows; pass a pointer to it",
            describe(&ty)
        );
        cursor.refuse(Code::NotSupported, message);
    }
    let name = param_name(cursor.function, param);
    let stride = if strided { Some(read_stride(cursor, &name, &ty)?) } else { None };
    let primal = cursor.take(&format!("the value of parameter `{name}` ({})", describe(&ty)))?;
    // Front ends pass a pointer to a struct where the function that is asked for takes the struct itself.
    by_reference |= cursor.call.operands[primal].by_value && !ty.is_pointer();
    check_value(cursor, primal, param, if by_reference { &Type::PTR } else { &ty });
    let mut argument = Argument { activity, primal, shadows: Vec::new(), stride, by_reference };
    if !cursor.interleaved {
        argument.shadows = read_shadows(cursor, param, &argument)?;
    }
    Some(argument)
}

/// How large the value behind a pointer is.
fn read_size(cursor: &mut Cursor, param: usize, ty: &Type) -> Option<()> {
    let name = param_name(cursor.function, param);
    let size = cursor.take(&format!("the size of parameter `{name}`"))?;
    let (given, known) = (cursor.call.operands[size].constant, cursor.layout.size_of(ty));
    if given != known.map(i128::from) {
        let message = format!(
            "the size given for parameter `{name}` is {}; expected {}, that of {}",
            given.map_or("not known at compile time".into(), |size| size.to_string()),
            known.unwrap_or_default(),
            describe(ty)
        );
        cursor.refuse(Code::TokenDoesNotFit, message);
    }
    Some(())
}

/// Read on, shadows would be taken for values.
fn refuse_early_interleave(cursor: &mut Cursor, param: usize) {
    let name = param_name(cursor.function, param);
    let message = format!(
        "bs_interleave stands before the value of parameter `{name}`; write all values, then bs_interleave, then all \
         shadows"
    );
    cursor.refuse(Code::TokenDoesNotFit, message);
}

/// The bytes from one direction's shadow to the next.
fn read_stride(cursor: &mut Cursor, name: &str, ty: &Type) -> Option<usize> {
    let stride = cursor.take(&format!("the bytes from one shadow of parameter `{name}` to the next"))?;
    let found = cursor.call.operands[stride].ty.clone();
    if !matches!(found, Type::Int(_)) || !ty.is_pointer() {
        let message = format!(
            "the bytes from one shadow of parameter `{name}` ({}) to the next are {}; expected an integer, and a \
             parameter that is a pointer",
            describe(ty),
            describe(&found)
        );
        cursor.refuse(Code::TokenDoesNotFit, message);
    }
    Some(stride)
}

fn read_shadows(cursor: &mut Cursor, param: usize, argument: &Argument) -> Option<Vec<usize>> {
    let ty = match argument.by_reference {
        true => Type::PTR,
        false => cursor.function.params[param].ty.clone(),
    };
    let name = param_name(cursor.function, param);
    let count = match (argument.activity.has_shadow(), argument.stride) {
        (false, _) => 0,
        (true, Some(_)) => 1,
        (true, None) => cursor.width,
    };
    let mut shadows = Vec::new();
    for _ in 0..count {
        let shadow = cursor.take(&format!("the shadow of parameter `{name}` ({})", describe(&ty)))?;
        check_shadow(cursor, shadow, param, &ty);
        shadows.push(shadow);
    }
    Some(shadows)
}

/// The next token, acted upon; `Some(None)` where a plain operand or the end comes next, `None` after an error
/// that makes further reading pointless.
pub(super) fn read_token(cursor: &mut Cursor) -> Option<Option<Token>> {
    let Some(name) = cursor.peek().and_then(|operand| operand.token.clone()) else { return Some(None) };
    cursor.next += 1;
    let Some(token) = name.token else {
        let message = format!("unknown token {}; the tokens are {}", name.text, known_tokens());
        cursor.refuse(Code::UnknownToken, message);
        return None;
    };
    match token {
        Token::Activity(_)
        | Token::Strided(_)
        | Token::ActiveReturn
        | Token::NoReturn
        | Token::NotOverwritten
        | Token::ByReference
        | Token::Interleave => {}
        Token::Each | Token::All => {
            cursor.refuse(Code::TokenDoesNotFit, format!("{} is a word of __enzyme_batch", name.text));
            return None;
        }
        Token::Width => {
            cursor.take("the number of directions after bs_width")?;
        }
        Token::Allocated => {
            cursor.take("the number of bytes after bs_allocated")?;
        }
        Token::Call(_) => read_call(cursor, &name.text)?,
        Token::TapeAt => read_place_of_tape(cursor, &name.text)?,
        Token::Seed => read_seeds(cursor)?,
        Token::PrimalReturn => cursor.primal_return = true,
        Token::ConstReturn => cursor.const_return = true,
        Token::NoFree => cursor.keep_tape = true,
        Token::Unsupported => {
            let hint = match name.text.as_str() {
                "enzyme_runtime_activity" => {
                    "; what is active is told when compiling: drop the word, and give memory that is not active \
                     enzyme_const instead of itself as its shadow"
                }
                _ => "",
            };
            cursor.refuse(Code::NotSupported, format!("{} is not supported{hint}", name.text));
            return None;
        }
    }
    Some(Some(token))
}

/// How calls of a function are differentiated. Both halves of split mode have to be of one mind, and each reads only its own hook.
fn read_call(cursor: &mut Cursor, text: &str) -> Option<()> {
    if matches!(cursor.call.mode, Mode::Augmented | Mode::Reverse) {
        let word = text.trim_start_matches("bs_");
        let message = format!(
            "{text} does not fit split mode, whose halves have to agree: annotate the function itself, as \
             __attribute__((annotate(\"backsweep_{word}\"))), or list it in a global `__backsweep_{word}_…`"
        );
        cursor.refuse(Code::TokenDoesNotFit, message);
        return None;
    }
    let at = cursor.take(&format!("a function after {text}"))?;
    if !cursor.call.operands[at].names_function {
        let message =
            format!("{text} is followed by something else than a function that is known when compiling");
        cursor.refuse(Code::TokenDoesNotFit, message);
    }
    Some(())
}

pub(super) fn refuse_surplus(cursor: &mut Cursor) {
    let count = cursor.function.params.len();
    let message = format!(
        "too many arguments to {}: `{}` has {count} parameter{}{}",
        cursor.call.hook,
        cursor.function.name,
        if count == 1 { "" } else { "s" },
        cursor.usage()
    );
    cursor.refuse(Code::TooManyArguments, message);
}

pub(super) fn check_fit(cursor: &mut Cursor, activity: Activity, text: &str, param: usize, ty: &Type) {
    let forward = cursor.call.mode == Mode::Tangent;
    let advice = match activity {
        Activity::Const => return,
        Activity::Out if forward => "forward mode has no bs_out; write bs_dup with a tangent",
        Activity::Out if ty.holds_pointer() => "a pointer's derivative lies in its shadow; write bs_dup",
        Activity::Out if !ty.holds_float() => "it carries no derivative; write bs_const",
        Activity::Dup | Activity::DupNoNeed | Activity::DupFresh if ty.holds_pointer() => return,
        Activity::Dup | Activity::DupNoNeed | Activity::DupFresh if forward && ty.holds_float() => return,
        Activity::Dup | Activity::DupNoNeed | Activity::DupFresh if ty.holds_float() => {
            "a float by value has no shadow in reverse mode; write bs_out, or bs_const"
        }
        Activity::Dup | Activity::DupNoNeed | Activity::DupFresh => {
            "it carries no derivative; write bs_const"
        }
        Activity::Out => return,
    };
    let name = param_name(cursor.function, param);
    let message = format!("{text} does not fit parameter `{name}` of type {}: {advice}", describe(ty));
    cursor.refuse(Code::TokenDoesNotFit, message);
}

pub(super) fn check_value(cursor: &mut Cursor, operand: usize, param: usize, ty: &Type) {
    let found = cursor.call.operands[operand].ty.clone();
    let takes_struct = |text: &String| text.starts_with("byval");
    if cursor.call.operands[operand].by_value
        && cursor.function.params[param].ty.is_pointer()
        && !cursor.function.params[param].attributes.iter().any(takes_struct)
    {
        let name = param_name(cursor.function, param);
        let message = format!(
            "argument for parameter `{name}` is a struct by value; expected {}{}",
            describe(ty),
            cursor.usage()
        );
        return cursor.refuse(Code::WrongArgumentType, message);
    }
    if !converts(&found, ty) {
        let name = param_name(cursor.function, param);
        let message = format!(
            "argument for parameter `{name}` is {}; expected {}{}",
            describe(&found),
            describe(ty),
            cursor.usage()
        );
        cursor.refuse(Code::WrongArgumentType, message);
    }
}

pub(super) fn check_shadow(cursor: &mut Cursor, operand: usize, param: usize, ty: &Type) {
    let found = cursor.call.operands[operand].ty.clone();
    if cursor.call.operands[operand].by_value && cursor.call.mode.is_reverse() {
        let name = param_name(cursor.function, param);
        let message = format!(
            "shadow of parameter `{name}` is a struct by value, to which nothing can be added; expected a pointer to it"
        );
        return cursor.refuse(Code::WrongShadowType, message);
    }
    if !converts(&found, ty) {
        let name = param_name(cursor.function, param);
        let message = format!(
            "shadow of parameter `{name}` is {}; expected {}, the type of the parameter{}",
            describe(&found),
            describe(ty),
            cursor.usage()
        );
        cursor.refuse(Code::WrongShadowType, message);
    }
}

/// Whether a variadic argument of one type is what C passes for a parameter of the other.
pub fn converts(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Float(FloatKind::Double), Type::Float(FloatKind::Single)) => true,
        (Type::Int(from), Type::Int(to)) => from >= to && *from <= 32 || from == to,
        _ => from == to,
    }
}

fn default_activity(ty: &Type, mode: Mode) -> Activity {
    if ty.holds_pointer() {
        Activity::Dup
    } else if !ty.holds_float() {
        Activity::Const
    } else if mode == Mode::Tangent {
        Activity::Dup
    } else {
        Activity::Out
    }
}

pub(super) fn token_of(operand: &HookOperand) -> Option<Token> {
    operand.token.as_ref().and_then(|name| name.token)
}

pub(super) fn param_name(function: &Function, param: usize) -> String {
    function.params[param].name.clone().unwrap_or_else(|| format!("x{param}"))
}
