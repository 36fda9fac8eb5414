//! Hooks: calls of undefined functions with these words in their names.

/// What kind of derivative code a hook asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Forward and reverse sweep in one function.
    Gradient,
    /// Forward mode.
    Tangent,
    /// The forward sweep of split mode, returning a tape.
    Augmented,
    /// The reverse sweep of split mode, consuming it.
    Reverse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    Derivative(Mode),
    /// A call of a function that carries no derivative at this place.
    Inactive,
    /// The bytes a tape takes where the caller keeps it: those of a handle.
    TapeSize,
    /// What stands for a function in the shadow of a table of functions: the function itself.
    ShadowOfFunction,
    /// The function itself, for several arguments at once.
    Batch,
    /// The prefix is ours, the rest is not a word we know.
    Unknown,
}

/// Forward mode that may take a tape, behind all else.
pub const SPLIT_TANGENT: &str = "__enzyme_fwdsplit";

/// A word is found inside the callee's name, so that mangled templates and Fortran's underscores count.
const HOOKS: [(&str, Hook); 17] = [
    ("__backsweep_gradient", Hook::Derivative(Mode::Gradient)),
    ("__enzyme_autodiff", Hook::Derivative(Mode::Gradient)),
    ("__backsweep_tangent", Hook::Derivative(Mode::Tangent)),
    ("__enzyme_fwddiff", Hook::Derivative(Mode::Tangent)),
    ("__backsweep_augmented", Hook::Derivative(Mode::Augmented)),
    ("__enzyme_augmentfwd", Hook::Derivative(Mode::Augmented)),
    ("__backsweep_reverse", Hook::Derivative(Mode::Reverse)),
    ("__enzyme_reverse", Hook::Derivative(Mode::Reverse)),
    (SPLIT_TANGENT, Hook::Derivative(Mode::Tangent)),
    ("__enzyme_augmentsize", Hook::TapeSize),
    ("__enzyme_virtualreverse", Hook::ShadowOfFunction),
    ("__enzyme_batch", Hook::Batch),
    ("__backsweep_batch", Hook::Batch),
    ("__backsweep_call_inactive", Hook::Inactive),
    ("__enzyme_call_inactive", Hook::Inactive),
    ("__backsweep_", Hook::Unknown),
    ("__enzyme_", Hook::Unknown),
];

/// Words that share the prefix and ask for no derivative: rules and annotations.
const OTHERS: [&str; 8] = [
    "__backsweep_function_like",
    "__backsweep_rule_",
    "__backsweep_inactive",
    "__enzyme_register_",
    "__enzyme_inactive",
    "__enzyme_nofree",
    "__enzyme_function_like",
    "__enzyme_allocation_like",
];

/// Words that tell what a piece of memory holds.
const TYPE_HINTS: [&str; 4] = ["__enzyme_float", "__enzyme_double", "__enzyme_integer", "__enzyme_pointer"];

pub fn is_type_hint(callee: &str) -> bool {
    TYPE_HINTS.iter().any(|word| callee.contains(word))
}

/// The hook whose word stands in the name of an undefined function.
pub fn find_hook(callee: &str) -> Option<Hook> {
    if OTHERS.iter().any(|word| callee.contains(word)) || is_type_hint(callee) {
        return None;
    }
    HOOKS.iter().find(|(word, _)| callee.contains(word)).map(|(_, hook)| *hook)
}

impl Mode {
    /// Whether derivatives run against the flow of the program.
    pub fn is_reverse(self) -> bool {
        self != Mode::Tangent
    }

    pub fn name(self) -> &'static str {
        match self {
            Mode::Gradient => "gradient",
            Mode::Tangent => "tangent",
            Mode::Augmented => "augmented",
            Mode::Reverse => "reverse",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_hooks_inside_mangled_names() {
        assert_eq!(find_hook("_Z17__enzyme_autodiffIdEvz"), Some(Hook::Derivative(Mode::Gradient)));
        assert_eq!(find_hook("foo__enzyme_autodiff_"), Some(Hook::Derivative(Mode::Gradient)));
        assert_eq!(find_hook("__backsweep_tangent_f"), Some(Hook::Derivative(Mode::Tangent)));
        assert_eq!(find_hook("__backsweep_gradeint"), Some(Hook::Unknown));
        assert_eq!(find_hook("__backsweep_rule_reverse_f"), None);
        assert_eq!(find_hook("_Z22__enzyme_call_inactivePvz"), Some(Hook::Inactive));
        assert_eq!(find_hook("sin"), None);
    }
}
