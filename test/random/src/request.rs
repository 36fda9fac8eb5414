//! The requests that a sample is tried with.

use backsweep_core::model::Function;
use backsweep_core::request::{Activity, Argument as Asked, Fit, Mode, Request};
use backsweep_oracle::Argument;

/// A gradient of which nobody takes the result, nor what is left in the arrays: in all of them in one direction, in two in
/// every other one.
pub fn ask_lean(function: &Function, arguments: &[Argument], width: u32) -> Request {
    let mut request = ask(function, arguments, Mode::Gradient, width);
    request.primal_return = false;
    let shadowed = request.arguments.iter_mut().filter(|argument| argument.activity == Activity::Dup);
    shadowed.step_by(width as usize).for_each(|argument| argument.activity = Activity::DupNoNeed);
    request
}

/// Asks for the derivative with respect to every active argument, seeded in reverse mode.
pub fn ask(function: &Function, arguments: &[Argument], mode: Mode, width: u32) -> Request {
    let asked = arguments.iter().enumerate().map(|(primal, argument)| {
        let activity = match argument {
            Argument::Active(_) if mode == Mode::Tangent => Activity::Dup,
            Argument::Active(_) => Activity::Out,
            Argument::Fixed(_) => Activity::Const,
            Argument::Array(..) | Argument::Alias { .. } => Activity::Dup,
        };
        let shadows = if activity.has_shadow() { (0..width as usize).collect() } else { Vec::new() };
        Asked { activity, primal, shadows, stride: None, by_reference: false }
    });
    Request {
        mode,
        function: function.name.clone(),
        arguments: asked.collect(),
        width,
        seed_behind: false,
        seeds: if matches!(mode, Mode::Gradient | Mode::Reverse) {
            (0..width as usize).collect()
        } else {
            vec![]
        },
        tape: (mode == Mode::Reverse).then_some(0),
        tape_in_memory: false,
        primal_return: mode == Mode::Gradient,
        active_return: function.ret.holds_float(),
        keep_tape: false,
        shadow_return: false,
        globals: Vec::new(),
        carried: Default::default(),
        shared: Default::default(),
        nested: false,
        joint: false,
        contracted: false,
        steady: Vec::new(),
        fit: Fit::Nothing,
    }
}
