//! What is known of functions before anybody looks into them: by their names, and by what the user declared.

use backsweep_core::config::{Config, Switch};
use backsweep_core::rules::{CalleeRule, PARTS_PREFIX, Rules};
use llvm_sys::LLVMLinkage;

use crate::custom::CustomRules;
use crate::inactive::Inactive;
use crate::likes::Likes;
use crate::llvm::{Module, Value, llvm, shim};
use crate::loggers::find_loggers;
use crate::strategies::Strategies;

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
    pub likes: Likes,
    pub strategies: Strategies,
    /// Somewhere floats are taken for integers by their bits: that a member is declared to be an integer says nothing then.
    pub takes_bits: bool,
    /// Whether a float of two bytes occurs anywhere in the module.
    pub short_floats: bool,
    /// Whether unions lay structs of floats over structs of something else.
    pub overlays: bool,
    /// Whether what an outer loop computes anew in each pass may be computed in front of it, see `shim/tables.cpp`.
    pub makes_tables: bool,
    /// Whether what a loop only chooses may be read again behind it, see `shim/chosen.cpp`.
    pub reads_chosen: bool,
    /// Whether pointers that loops walk with may be steps that are counted, see `shim/walked.cpp`.
    pub counts_walks: bool,
    /// Whether passes at the edges of loops are parted from the others, see `shim/edges.cpp`.
    pub parts_edges: bool,
    /// Whether loops of a few passes are written out, see `shim/short_loops.cpp`.
    pub writes_out: bool,
    /// Nothing was optimised yet: an access has the type that the program gives it.
    pub as_written: bool,
}

impl Known {
    pub fn of(module: Module, context: *mut shim::Context) -> Known {
        let custom = CustomRules::of(module, context);
        let (rules, likes) = (Rules::new(), Likes::of(module));
        let mut inactive = Inactive::of(module);
        inactive.add(find_loggers(module, &rules));
        let takes_bits = llvm!(shim::bs_shim_takes_bits(module.0));
        let overlays = llvm!(shim::bs_shim_overlays(module.0));
        Known {
            rules,
            inactive,
            custom,
            likes,
            strategies: Strategies::of(module),
            takes_bits,
            short_floats: llvm!(shim::bs_shim_has_short_floats(module.0)),
            overlays,
            makes_tables: true,
            reads_chosen: true,
            counts_walks: true,
            parts_edges: true,
            writes_out: true,
            calls: Calls::Inline,
            as_written: true,
        }
    }

    /// Marks what is told to be integers by all of the module, as the front end has written it.
    pub fn mark_numbers(&self, module: Module) {
        if self.as_written && !self.takes_bits {
            llvm!(shim::bs_shim_mark_numbers(module.0));
        }
    }

    /// The same, with what the user switched off.
    pub fn with(self, config: &Config) -> Known {
        let analyses = &config.analyses;
        Known {
            makes_tables: analyses.tables == Switch::On,
            reads_chosen: analyses.chosen == Switch::On,
            counts_walks: analyses.walks == Switch::On,
            parts_edges: analyses.edges == Switch::On,
            writes_out: analyses.short == Switch::On,
            ..self
        }
    }

    /// What the user declared of functions says nothing of their bodies, where those are inlined: they are kept whole for
    /// a later stage.
    pub fn keep_whole(module: Module) {
        CustomRules::read(module).keep_whole(module);
        Likes::of(module).keep_whole(module);
        Inactive::of(module).keep_whole();
        Strategies::of(module).keep_whole();
    }

    /// Refuses declarations that cannot be read.
    pub fn report(&self, module: Module) {
        self.custom.report(module);
        self.likes.report(module, &self.rules);
    }

    /// Whether the derivative of a function is told without its body.
    pub fn is_told(&self, function: Value) -> bool {
        self.custom.contains(function) || self.likes.contains(function)
    }

    /// Whether a call of a function is all that is needed to differentiate it: its derivative is told, or it is a library's
    /// and has a rule.
    pub fn is_known_by_call(&self, function: Value) -> bool {
        let has_rule = || matches!(self.rules.lookup_callee(&function.name()), CalleeRule::Row(_));
        self.is_told(function) || function.is_declaration() && has_rule()
    }

    /// Whether a call of a function is replaced by its body before anything else.
    pub fn is_inlinable(&self, callee: Value) -> bool {
        let stays = self.calls == Calls::AsMarked && is_marked(callee) || self.strategies.keeps(callee);
        self.has_body_to_follow(callee) && !self.is_told(callee) && !stays
    }

    /// Whether a copy may take the place of a function: what the user told of it is told of the function itself.
    pub fn may_be_untied(&self, callee: Value) -> bool {
        self.is_followed(callee) && !self.is_told(callee) && !self.strategies.keeps(callee)
    }

    /// Whether the body of a function that stays a call may be differentiated.
    pub fn is_followed(&self, callee: Value) -> bool {
        self.has_body_to_follow(callee)
            && !self.likes.contains(callee)
            && !self.custom.serves_every_mode(callee)
    }

    fn has_body_to_follow(&self, callee: Value) -> bool {
        if callee.as_function().is_none() || callee.is_declaration() || self.inactive.contains(callee) {
            return false;
        }
        let replaceable =
            matches!(callee.linkage(), LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage);
        // A body that only repeats what a library name means (an `inline sin` of a header) is the body all the same. What is listed needs
        // no body, unless it is the program's own function, which only bears such a name.
        let listed =
            matches!(self.rules.lookup_callee(&callee.name()), CalleeRule::Inactive(_)) && !is_own(callee);
        // A bridge to a library function is known by the function's rule, one to assembly tells nothing of active values.
        let bridge = [PARTS_PREFIX, ASSEMBLY_PREFIX, ERROR_NUMBER_PREFIX]
            .iter()
            .any(|prefix| callee.name().starts_with(prefix));
        !replaceable && !listed && !bridge
    }

    /// Whether the derivative of a function is known or can be made: others end the program if a pointer leads there.
    pub fn has_derivative(&self, function: Value) -> bool {
        !function.is_declaration()
            || self.is_told(function)
            || !matches!(self.rules.lookup_callee(&function.name()), CalleeRule::Unknown)
    }
}

/// The names of functions that `shim/jumps` makes of assembly begin so.
const ASSEMBLY_PREFIX: &str = "backsweep.assembly";
/// And those that only leave error numbers so, see `shim/error_numbers`.
const ERROR_NUMBER_PREFIX: &str = "backsweep.error_number.";

/// Whether a function with a body is one that the program defines under a name of C's: a library's headers define theirs for inlining
/// only, and those of C++ and Rust have names that nobody else takes.
fn is_own(function: Value) -> bool {
    let defines = matches!(
        function.linkage(),
        LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
    );
    let name = function.name();
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    defines
        && is_plain
        && !name.starts_with('_')
        && !name.starts_with("bs_")
        && !name.starts_with("backsweep")
}

fn is_marked(callee: Value) -> bool {
    callee.as_function().is_some()
        && callee.has_function_attribute("noinline")
        && !callee.has_function_attribute("optnone")
}
