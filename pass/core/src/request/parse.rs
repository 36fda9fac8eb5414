//! A hook call and the function it names → a [`Request`].

use std::collections::BTreeSet;

use std::fmt;

use super::arguments::{Cursor, read_arguments};
use super::packing::FloatPairs;
use super::result::{Fit, fit_result};
use super::{Activity, Argument, Mode, Refusals, TokenName};
use crate::model::{Function, Layout, Type};
use crate::refusal::{Code, Refusal};

/// A hook call as it stands in the program, the function operand taken off.
#[derive(Clone, Debug)]
pub struct HookCall {
    pub mode: Mode,
    /// The name of the hook, as the user wrote it.
    pub hook: String,
    pub operands: Vec<HookOperand>,
    /// Operands that are the members of one struct, which the front end passes one by one: the first, and how many.
    pub structs: Vec<(usize, usize)>,
    /// The same of the parameters of the function.
    pub split: Vec<(usize, usize)>,
    /// Whether the function takes a struct in parts, and which these are is not known.
    pub split_unseen: bool,
    /// What the hook is declared to return.
    pub result: Type,
    /// Whether the program reads what the hook returns.
    pub result_use: ResultUse,
    /// How the front end that declared it returns two floats.
    pub pairs: FloatPairs,
    /// Whether the function that is asked for returns its result in memory.
    pub result_in_memory: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultUse {
    Read,
    Ignored,
}

#[derive(Clone, Debug)]
pub struct HookOperand {
    pub ty: Type,
    /// The marker this operand is, if it is one.
    pub token: Option<TokenName>,
    /// The value, where it is an integer constant; zero for a null pointer.
    pub constant: Option<i128>,
    /// Whether it is a function that is known when compiling.
    pub names_function: bool,
    /// Whether it is a struct, which front ends pass as a pointer to it.
    pub by_value: bool,
}

/// A parsed hook call. Operand numbers count from the first operand after the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub mode: Mode,
    pub function: String,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    /// Number of directions.
    pub width: u32,
    /// Operands that hold the derivative of the returned value, one for each direction; 1.0 where empty.
    pub seeds: Vec<usize>,
    /// Whether that operand points to the derivative, which is zero afterwards.
    pub seed_behind: bool,
    /// The operand that holds the tape, in reverse mode, or points to where it is kept.
    pub tape: Option<usize>,
    /// Whether the caller keeps the tape in memory of his own.
    pub tape_in_memory: bool,
    pub primal_return: bool,
    /// Whether the derivative of the returned value is asked for, or given.
    pub active_return: bool,
    /// Whether the shadow of a returned pointer is asked for.
    pub shadow_return: bool,
    /// Globals whose shadows the caller hands over, in order: the function may touch them, and they are active.
    pub globals: Vec<String>,
    /// Where the halves of a derivative are differentiated: the places in their records at which pointers have shadows, see
    /// `analyses::carried`.
    pub carried: BTreeSet<String>,
    /// Globals that have a shadow in every function that touches them, because one of these cannot tell them from others, see
    /// `plan/variants`.
    pub shared: BTreeSet<String>,
    /// Whether the derivative is called by another one: its records then go on the tape of its caller.
    pub nested: bool,
    /// Whether it belongs to a call that runs twice, see `plan/joint`.
    pub joint: bool,
    /// Whether it stands in the place of a call, see `plan/contracted`.
    pub contracted: bool,
    /// The parameters behind which it then reads what nobody overwrites from the call on.
    pub steady: Vec<usize>,
    /// Whether the tape stays alive after the reverse sweep.
    pub keep_tape: bool,
    /// How the derivative function's result becomes the hook's.
    pub fit: Fit,
}

/// Reads a hook call against the signature of the function it differentiates.
pub fn parse_request(call: &HookCall, function: &Function, layout: &Layout) -> Result<Request, Refusals> {
    let plain = read_request(call, function, layout, Reading::Plain);
    let other = match call.mode {
        Mode::Gradient if call.result_in_memory => Reading::SeedBehind,
        Mode::Augmented | Mode::Tangent if function.ret.is_pointer() => Reading::ShadowReturned,
        _ => return plain,
    };
    match plain {
        Err(_) => read_request(call, function, layout, other).or(plain),
        plain => plain,
    }
}

/// What a call may mean beside the plain reading. Which it is, its operands and what the hook is declared to return say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Plain,
    /// The first operand is the shadow of a result that is returned in memory.
    SeedBehind,
    /// The shadow of the pointer that the function returns is returned, too.
    ShadowReturned,
}

fn read_request(
    call: &HookCall,
    function: &Function,
    layout: &Layout,
    reading: Reading,
) -> Result<Request, Refusals> {
    let seed_behind = reading == Reading::SeedBehind;
    let mut cursor = Cursor::new(call, function, layout);
    cursor.seed_behind = seed_behind;
    let arguments = read_arguments(&mut cursor);
    let returns_float = function.ret.holds_float();
    let mut request = Request {
        mode: call.mode,
        function: function.name.clone(),
        arguments,
        width: cursor.width,
        seeds: std::mem::take(&mut cursor.seeds),
        seed_behind,
        tape: cursor.tape,
        tape_in_memory: cursor.tape_in_memory,
        primal_return: cursor.primal_return,
        active_return: returns_float && !cursor.const_return,
        shadow_return: reading == Reading::ShadowReturned && !cursor.const_return,
        globals: Vec::new(),
        carried: BTreeSet::new(),
        shared: BTreeSet::new(),
        nested: false,
        joint: false,
        contracted: false,
        steady: Vec::new(),
        keep_tape: cursor.keep_tape,
        fit: Fit::Nothing,
    };
    let mut refusals = cursor.refusals;
    if refusals.is_empty() && may_misread_struct(call, &request, function) {
        refusals.push(Refusal::new(
            Code::NotSupported,
            format!(
                "`{}` takes a struct or complex number by value, which travels in parts, and in code that was optimised before it \
                 cannot be told which operands are the parts of its shadow; pass a pointer to it",
                function.name
            ),
        ));
    }
    if refusals.is_empty() {
        match fit_result(&request, function, call, layout) {
            Ok(fit) => request.fit = fit,
            Err(refusal) => refusals.push(refusal),
        }
    }
    if refusals.is_empty() { Ok(request) } else { Err(refusals) }
}

/// Whether what was read as a float and its tangent may be two members of one struct.
fn may_misread_struct(call: &HookCall, request: &Request, function: &Function) -> bool {
    let takes_tangent =
        |at: usize| function.params[at].ty.holds_float() && request.arguments[at].activity.has_shadow();
    call.mode == Mode::Tangent
        && call.split_unseen
        && (1..request.arguments.len()).any(|at| takes_tangent(at - 1) && takes_tangent(at))
}

impl Request {
    /// A key that tells derivative functions apart: equal keys share their code.
    pub fn variant(&self) -> String {
        let activities: Vec<&str> = self.arguments.iter().map(|argument| argument.activity.name()).collect();
        format!(
            "{} {} ({}) width {}{}{}{}{}{}{}{}{}",
            self.mode.name(),
            self.function,
            activities.join(", "),
            self.width,
            if self.primal_return { " primal" } else { "" },
            if self.active_return { "" } else { " constant-return" },
            if self.seeds.is_empty() { "" } else { " seeded" },
            if self.keep_tape { " kept" } else { "" },
            if self.shadow_return { " shadow-return" } else { "" },
            if self.nested { " nested" } else { "" },
            if self.joint { " joint" } else { "" },
            if self.contracted { " contracted" } else { "" },
        )
    }

    pub fn activity(&self, param: usize) -> Activity {
        self.arguments[param].activity
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.variant())
    }
}
