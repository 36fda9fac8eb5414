//! The passes of the host that a copy goes through on its way, and generated code behind it.

/// What stands in stack slots becomes values. How large an object is, and whether a value is a constant, is answered as far
/// as it is known by then: a question about a stack slot would keep it in memory.
pub const SCALARS: &str = "sroa,early-cse<memssa>,lower-constant-intrinsics";

/// The host turns no branch into a select: what stands behind a branch may be singular, and its derivative must not be
/// computed when the branch is not taken (what cannot be is selected by us). What leaves a loop leaves it through a phi of its own: only its last value is
/// needed behind the loop, and need not be saved at every turn. And every loop is entered from a block of its own, where
/// what belongs to a run of the loop is recorded once.
pub const PREPARATION: &str = "sccp,\
    simplifycfg<bonus-inst-threshold=0;no-forward-switch-cond;no-switch-to-lookup;keep-loops;\
    no-hoist-common-insts;no-sink-common-insts;no-speculate-blocks;no-speculate-unpredictables>,\
    instsimplify,sroa,early-cse<memssa>,adce,\
    simplifycfg<bonus-inst-threshold=0;no-forward-switch-cond;no-switch-to-lookup;keep-loops;\
    no-hoist-common-insts;no-sink-common-insts;no-speculate-blocks;no-speculate-unpredictables>,\
    loop-simplify,lcssa";

/// What a question with a known answer leaves behind.
pub const SETTLED: &str = "instsimplify,\
    simplifycfg<bonus-inst-threshold=0;no-forward-switch-cond;no-switch-to-lookup;keep-loops;\
    no-hoist-common-insts;no-sink-common-insts;no-speculate-blocks;no-speculate-unpredictables>,\
    sroa,early-cse<memssa>";

/// Short loops as what they do.
pub const WRITTEN_OUT: &str =
    "loop-simplify,lcssa,loop(loop-unroll-full),instsimplify,sroa,early-cse<memssa>";

/// A number that is an address on one way and something else on another is asked for a tag first: on the way behind the
/// question it is one of the two.
pub const UNTAGGED: &str = "lower-expect,instsimplify,jump-threading,instsimplify";

/// What wide counters leave behind: narrow ones that only count themselves.
pub const WIDENED: &str = "instsimplify,adce,lcssa";

/// What is computed elsewhere leaves nothing behind, and new loops are as others are.
pub const TABLED: &str = "instsimplify,adce,loop-simplify,lcssa";

/// What generated code goes through, so that it is small and fast even where the host does not optimise.
///
/// `instcombine` turns an index into an array that is a member of a struct into a number of elements, which may lead anywhere:
/// code that is differentiated once more goes without it until then.
pub const CLEAN_UP: &str = "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce";

/// What generated code goes through that is differentiated once more.
pub const CLEAN_UP_BETWEEN: &str = "sroa,early-cse<memssa>,simplifycfg,adce";
