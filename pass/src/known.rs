//! What is known of functions before anybody looks into them: by their names, and by what the user declared.

use backsweep_core::rules::{CalleeRule, PARTS_PREFIX, Rules};
use llvm_sys::LLVMLinkage;

use crate::custom::CustomRules;
use crate::inactive::Inactive;
use crate::llvm::{Module, Value, shim};

/// Which calls are inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// All that can be.
    Inline,
    /// Those of functions that are not marked `noinline`. Without optimisation every function is marked, and none means
    /// it.
    AsMarked,
}

pub struct Known {
    pub rules: Rules,
    pub inactive: Inactive,
    pub custom: CustomRules,
    pub calls: Calls,
}

impl Known {
    pub fn of(module: Module, context: *mut shim::Context) -> Known {
        let custom = CustomRules::of(module, context);
        Known { rules: Rules::new(), inactive: Inactive::of(module), custom, calls: Calls::Inline }
    }

    /// Whether a call of a function is replaced by its body before anything else.
    pub fn is_inlinable(&self, callee: Value) -> bool {
        let stays = self.calls == Calls::AsMarked && is_marked(callee);
        self.has_body_to_follow(callee) && !self.custom.contains(callee) && !stays
    }

    /// Whether the body of a function that stays a call may be differentiated.
    pub fn is_followed(&self, callee: Value) -> bool {
        self.has_body_to_follow(callee) && !self.custom.serves_every_mode(callee)
    }

    fn has_body_to_follow(&self, callee: Value) -> bool {
        if callee.as_function().is_none() || callee.is_declaration() || self.inactive.contains(callee) {
            return false;
        }
        let replaceable =
            matches!(callee.linkage(), LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage);
        // A body that only repeats what a library name means (an `inline sin` of a header) is the body all the same.
        let listed = matches!(self.rules.lookup_callee(&callee.name()), CalleeRule::Inactive(_));
        // A bridge to a library function is known by the function's rule.
        let bridge = callee.name().starts_with(PARTS_PREFIX);
        !replaceable && !listed && !bridge
    }

    /// Whether the derivative of a function is known or can be made: others end the program if a pointer leads there.
    pub fn has_derivative(&self, function: Value) -> bool {
        !function.is_declaration()
            || self.custom.contains(function)
            || !matches!(self.rules.lookup_callee(&function.name()), CalleeRule::Unknown)
    }
}

fn is_marked(callee: Value) -> bool {
    callee.as_function().is_some()
        && callee.has_function_attribute("noinline")
        && !callee.has_function_attribute("optnone")
}
