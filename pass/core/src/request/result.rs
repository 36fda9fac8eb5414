//! What a derivative function returns, and how that becomes what the hook is declared to return.

use super::describe::describe;
use super::packing::is_same_members;
use super::{Activity, HookCall, Mode, Request, ResultUse};
use crate::model::{Function, Layout, Type};
use crate::refusal::{Code, Refusal};

/// One member of the result, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Tape,
    Primal,
    /// The tangent of the result in one direction.
    Shadow {
        lane: u32,
    },
    /// The derivative of an `out` parameter in one direction.
    Gradient {
        param: usize,
        lane: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// There is nothing to return; what the hook is declared to return is zero.
    Nothing,
    /// The same type.
    Same,
    /// A float returned as a wider one.
    Widen,
    /// Only the first part is asked for: a tape without the primal beside it.
    First,
    /// Another shape of the same bytes: stored as the one, loaded as the other.
    Memory,
}

/// What a request has returned, in order.
pub fn expected_parts(request: &Request, function: &Function) -> Vec<Part> {
    let mut parts = Vec::new();
    let lanes = 0..request.width;
    if request.mode == Mode::Augmented && !request.nested {
        parts.push(Part::Tape);
    }
    // The augmented call stands in for the primal, so it returns what the primal does.
    let returns = function.ret != Type::Void;
    if returns && (request.primal_return || request.mode == Mode::Augmented) && request.mode != Mode::Reverse
    {
        parts.push(Part::Primal);
    }
    match request.mode {
        Mode::Tangent if request.active_return || request.shadow_return => {
            parts.extend(lanes.map(|lane| Part::Shadow { lane }));
        }
        Mode::Gradient | Mode::Reverse => {
            let outs =
                (0..).zip(&request.arguments).filter(|(_, argument)| argument.activity == Activity::Out);
            for (param, _) in outs {
                parts.extend(lanes.clone().map(|lane| Part::Gradient { param, lane }));
            }
        }
        Mode::Augmented if request.shadow_return => {
            parts.extend(lanes.map(|lane| Part::Shadow { lane }));
        }
        Mode::Tangent | Mode::Augmented => {}
    }
    parts
}

/// The type of a list of parts: nothing, the one, or a struct of them.
pub fn parts_type(parts: &[Part], function: &Function) -> Type {
    let mut types: Vec<Type> = parts.iter().map(|part| part_type(*part, function)).collect();
    match types.len() {
        0 => Type::Void,
        1 => types.remove(0),
        _ => Type::structure(types),
    }
}

pub fn part_type(part: Part, function: &Function) -> Type {
    match part {
        Part::Tape => Type::PTR,
        Part::Primal | Part::Shadow { .. } => function.ret.clone(),
        Part::Gradient { param, .. } => function.params[param].ty.clone(),
    }
}

/// How the result fits the declared type, or the refusal that says it does not.
pub fn fit_result(
    request: &Request,
    function: &Function,
    call: &HookCall,
    layout: &Layout,
) -> Result<Fit, Refusal> {
    let (declared, pairs) = (&call.result, call.pairs);
    let mut parts = expected_parts(request, function);
    if request.tape_in_memory {
        parts.retain(|part| *part != Part::Tape);
    }
    let expected = parts_type(&parts, function);
    if parts.is_empty() {
        // Zero handed over as a derivative would be wrong without a word; a result nobody reads is no claim.
        let claimed = *declared != Type::Void && call.result_use == ResultUse::Read;
        return if claimed { Err(refuse_nothing(request, function, declared)) } else { Ok(Fit::Nothing) };
    }
    // With its tape put away, an augmented call may be made for what it does, and not for what it returns.
    if expected == *declared || request.tape_in_memory && *declared == Type::Void {
        return Ok(Fit::Same);
    }
    if request.mode == Mode::Augmented && *declared == part_type(parts[0], function) {
        return Ok(Fit::First);
    }
    if let (Type::Float(from), Type::Float(to)) = (&expected, declared)
        && from < to
        && layout.size_of(&expected) < layout.size_of(declared)
    {
        return Ok(Fit::Widen);
    }
    if is_same_members(&expected, declared, pairs, layout) {
        return Ok(Fit::Memory);
    }
    // What nobody reads may be of any shape, or not there: the gradient of an array may be all that is asked for.
    let dropped = *declared == Type::Void || call.result_use == ResultUse::Ignored;
    if dropped && (request.mode != Mode::Augmented || request.tape_in_memory) {
        return Ok(Fit::Nothing);
    }
    let described: Vec<String> = parts.iter().map(|part| describe_part(*part, function)).collect();
    Err(Refusal::new(
        Code::WrongResultType,
        format!(
            "mismatched return type: the hook is declared to return {}; expected {}; declare one with a suffix that \
             returns it, as in `{} __backsweep_{}_f(void *, ...)`",
            describe(declared),
            described.join(", then "),
            spell_c(&expected),
            request.mode.name(),
        ),
    ))
}

fn refuse_nothing(request: &Request, function: &Function, declared: &Type) -> Refusal {
    let packed = function.params.iter().any(|param| matches!(param.ty, Type::Int(_)));
    let hint = if packed && !function.params.iter().any(|param| param.ty.holds_float()) {
        " (a small struct that holds an integer travels as one integer: pass its floats by themselves)"
    } else {
        ""
    };
    let wanted = match request.mode {
        Mode::Tangent => "a function that returns a float, and a declaration with return type void otherwise",
        _ => "a float argument with bs_out, and a declaration with return type void where there is none",
    };
    let message = format!(
        "mismatched return type: the hook is declared to return {} and its result is read, but this call has no \
         derivative to return; expected {wanted}{hint}",
        describe(declared),
    );
    Refusal::new(Code::WrongResultType, message)
}

fn describe_part(part: Part, function: &Function) -> String {
    let ty = describe(&part_type(part, function));
    let name = |param: usize| function.params[param].name.clone().unwrap_or_else(|| format!("x{param}"));
    match part {
        Part::Tape => "the tape (a pointer)".into(),
        Part::Primal => format!("the primal result ({ty})"),
        Part::Shadow { .. } => format!("the tangent of the result ({ty})"),
        Part::Gradient { param, .. } => format!("the derivative of `{}` ({ty})", name(param)),
    }
}

fn spell_c(ty: &Type) -> &'static str {
    match ty {
        Type::Float(crate::model::FloatKind::Single) => "float",
        Type::Float(crate::model::FloatKind::Double) => "double",
        Type::Float(_) => "long double",
        Type::Ptr(_) => "void *",
        _ => "struct result",
    }
}
