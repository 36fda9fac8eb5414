//! Every decision about one derivative function, with its reason. What `explain` prints is this.
//!
//! Function + request + activity → [`Plan`], or the refusals.
//! Invariant: a plan is complete. `derive` and emission look nothing up and decide nothing.

mod abreast;
mod allowed;
mod arrays;
mod arrivals;
mod calls;
mod contracted;
mod copies;
mod cut;
mod decisive;
mod depth;
mod effort;
mod entry;
mod extents;
mod filled;
mod fresh;
mod fused;
mod globals;
mod half;
mod idle;
pub mod joint;
mod laid;
mod lanes;
mod left;
mod local;
mod machine;
mod merges;
mod needs;
mod numbers;
mod omitted;
mod order;
mod partings;
mod price;
mod print;
mod records;
mod recount;
mod rerun;
mod resident;
mod restored;
mod revived;
mod rooms;
mod rows;
mod runs;
pub mod separation;
mod shape;
mod slots;
mod storage;
mod strip;
mod tape_use;
mod uncompute;
mod variants;
mod wait;
mod ways;
mod weight;

pub use arrays::RecordArray;
pub use arrivals::Arrival;
pub use calls::PlannedCall;
pub use contracted::{Contracted, contracted_name};
pub use fresh::Fetch;
pub use fused::Fused;
pub use globals::{GlobalShadow, LeadsTo, PointerIn};
pub use idle::Idle;
pub use joint::Joint;
pub use left::Told;
pub use local::Local;
pub use merges::{distinct_predecessors, plan_merges};
pub use needs::{Need, asks_shadow, needed_by, stores_float};
pub use recount::{Order, Recount, start_of};
pub use rerun::Rerun;
pub use resident::Resident;
pub use rooms::Room;
pub use rows::{AllRows, Row, Rows};
pub use separation::{Extent, Parting, Separation};
pub use strip::Strip;
pub use variants::{Refused, Variant, make_plans, parted_globals, variant_name, version_name};
pub use weight::{Weight, contracts_all, may_pass_by, tell_gain, tell_share};

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::activity::{Activity, find_activity};
use crate::analyses::exceptions::may_be_left;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::later::Later;
use crate::config::{Config, InMemory, Invert, StrongZero, Switch};
use crate::kinds::Spaced;
use crate::model::{BlockId, Constant, Function, Inst, Operand, Program, ValueId};
use crate::refusal::Refusal;
use crate::request::{Mode, Part, Request, expected_parts};
use crate::rules::Rules;
use allowed::{find_contraction, find_typed};
use laid::{Decided, Laid};
use omitted::{Sweep, Taken, find_omitted};
use storage::{Chosen, Question};

pub struct Plan {
    pub function: String,
    pub request: Request,
    pub params: Vec<Slot>,
    pub results: Vec<Part>,
    pub strong_zero: StrongZero,
    /// Whether additions to shadows may change places, as from one iteration to the next.
    pub sums: Switch,
    /// Whether products may be added without rounding them before, as the primal's may.
    pub contract: Switch,
    /// Whether what is said of the types of memory holds of shadows.
    pub typed: Switch,
    /// Whether forward mode computes the tangents in all directions at once.
    pub abreast: Switch,
    /// What may be taken back by undoing what changed it.
    pub invert: Invert,
    pub activity: Activity,
    /// For each value that the reverse sweep reads: how it gets there.
    pub storage: BTreeMap<ValueId, Decision<Storage>>,
    /// The same for shadow pointers, by the primal pointer they belong to.
    pub shadows: BTreeMap<ValueId, Decision<Storage>>,
    /// The instructions that the forward sweep leaves out, each with what it is and where it stands.
    pub omitted: BTreeMap<ValueId, Decision<String>>,
    /// The stores that save what they overwrite, so that the reverse sweep puts it back.
    pub restored: BTreeSet<ValueId>,
    /// What the runtime is told of those whose memory somebody looks at afterwards, so that he finds there what the primal
    /// has left.
    pub left: BTreeMap<ValueId, Told>,
    /// The loops that run once more, in the reverse of the block behind them, by their headers.
    pub reruns: BTreeMap<BlockId, Rerun>,
    /// For each block that the reverse sweep leaves by more than one edge: how it knows which.
    pub merges: BTreeMap<BlockId, Decision<Merge>>,
    /// For each active global: where its shadow lies.
    pub globals: BTreeMap<String, Decision<GlobalShadow>>,
    /// The pointers in them whose shadows are filled in at the start.
    pub pointers_in: Vec<PointerIn>,
    /// For each pointer from out of sight: what it is compared with.
    pub arrivals: BTreeMap<ValueId, Vec<Arrival>>,
    /// For each block that control may enter again: what is recorded on the tape each time.
    pub records: BTreeMap<BlockId, Vec<Item>>,
    /// The loops whose passes are counted anew each time the reverse sweep comes to them, by their headers.
    pub recounts: BTreeMap<BlockId, Recount>,
    /// For each loop, by its header, the records that lie in one array for each run of it.
    pub arrays: BTreeMap<BlockId, RecordArray>,
    /// What such records hold as it is when the block ends, and not as it was before, with where it comes back.
    pub fresh: BTreeMap<Item, Fetch>,
    /// The loops of which each pass is reversed as soon as it has run, by their headers.
    pub fused: BTreeMap<BlockId, Fused>,
    /// The rows of memory that stand in arrays for what loads of loops find, by the loops' headers.
    pub rows: AllRows,
    /// The numbers of loops that are kept in shadows, and not on the tape.
    pub rooms: BTreeMap<ValueId, Room>,
    /// The loops of which only a strip of iterations has its records at a time, by their headers.
    pub strips: BTreeMap<BlockId, Strip>,
    /// What is kept for the reverse sweep in memory, since there is much of it.
    pub resident: Resident,
    /// The integers in cells, which may be recorded, whose bits are a float to nobody.
    pub numbers: BTreeSet<ValueId>,
    /// The loops that the reverse sweep passes by where nothing is said about what they hand on, by their headers.
    pub idle: BTreeMap<BlockId, Idle>,
    /// The test on entry that leads to another version, planned for parameters that are apart.
    pub separation: Option<Separation>,
    /// The test that has led here.
    pub apart: Option<Separation>,
    /// For each call whose callee is differentiated by itself: which of its derivatives is called.
    pub calls: BTreeMap<ValueId, PlannedCall>,
    /// For one half of a call that runs twice: nothing else is in such a plan.
    pub joint: Option<Joint>,
    /// Whether an exception may leave the derivative: then it has to give back what it holds of the tape.
    pub may_be_left: bool,
    /// For each copy of active memory, where the floats are in it.
    pub copies: BTreeMap<ValueId, Spaced>,
    /// Stack slots whose shadows lie on the tape, because somebody may find them there after the first half is left.
    pub slots: BTreeSet<ValueId>,
    /// The function with local Jacobians attached, where that is what is planned.
    pub local: Option<Local>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<T> {
    pub choice: T,
    pub reason: String,
}

/// What one parameter of the derivative function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    Primal {
        param: usize,
    },
    Shadow {
        param: usize,
        lane: u32,
    },
    /// The shadow of a global that the caller hands over.
    Global {
        global: usize,
        lane: u32,
    },
    Seed {
        lane: u32,
    },
    Tape,
}

/// How a value of the forward sweep reaches the reverse sweep.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// An argument: both sweeps have it.
    Argument,
    /// A cell of its own, written once where the value is computed. A register, once LLVM has promoted it.
    Keep,
    /// A cell that always holds the current value; before it is overwritten the old one goes on the tape, and
    /// comes back when the reverse sweep has undone the overwriting instruction.
    SaveOnOverwrite,
    /// Computed again where it is read, from operands that are at hand.
    Recompute,
    /// A cell of its own, written where the loop runs again that computes it, and read in the reverse of that block alone.
    Rerun,
    /// A cell that the header of a loop advances by `step` in each pass, and its reverse takes back by the same.
    Invert { header: BlockId, step: Constant },
    /// A cell that each pass of the loop changes by what can be undone, and its reverse takes back by undoing that.
    Uncompute { header: BlockId },
}

/// How the reverse sweep finds the edge by which control entered a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// The branch at the end of `at` decides, and its condition is at hand: successor `i` of `at` leads here by
    /// `from[i]`, or never (`None`).
    Reevaluate { at: BlockId, from: Vec<Option<BlockId>> },
    /// The header of a loop: entered once from `entry`, then from `latch`; the passes are counted.
    Count { entry: BlockId, latch: BlockId },
    /// The number of the predecessor is recorded when the block is entered.
    Record { predecessors: Vec<BlockId> },
}

/// One thing that goes on the tape when control enters a block that it may enter again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// The value that a cell holds from the last time round.
    Value(ValueId),
    /// What memory held before that store ran the last time.
    Old(ValueId),
    /// The shadow pointers of a pointer that a cell holds from the last time round, one for each direction.
    Shadow(ValueId),
    /// The number of the edge by which the block is entered.
    Edge,
    /// The passes that a loop, entered from this block, made the last time.
    Counter { header: BlockId },
    /// Where the array of that loop's records lay the last time.
    Array { header: BlockId },
}

/// The number that stands for "the edge into the end of the function" in `merges`: which return was taken.
pub const EXIT: BlockId = BlockId(u32::MAX);

pub fn make_plan(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
    config: &Config,
) -> Result<Plan, Vec<Refusal>> {
    make_plan_apart(function, program, rules, request, config, None)
}

/// The same for parameters that a test may have found apart, with or without local Jacobians.
fn make_plan_apart(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
    config: &Config,
    apart: Option<Separation>,
) -> Result<Plan, Vec<Refusal>> {
    let given = Given { function, program, rules, config };
    contracted::plan_with_contracted(&given, &|function, number| {
        let apart = apart.as_ref().map(|apart| apart.renumbered(function, number));
        plan_function(function, program, rules, request, config, apart)
    })
}

/// What a plan is made for, before anything is put in the place of the function.
pub struct Given<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub config: &'a Config,
}

/// Plans a function that was written in the place of another, whose values have these numbers in it.
pub type Planner<'a> = dyn Fn(&Function, &dyn Fn(ValueId) -> ValueId) -> Result<Plan, Vec<Refusal>> + 'a;

/// The plan of a function as it stands.
fn plan_function(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
    config: &Config,
    apart: Option<Separation>,
) -> Result<Plan, Vec<Refusal>> {
    let flow = Flow::of(function);
    let mut refusals = shape::refuse_shape(function, &flow);
    let activity = match find_activity(function, program, rules, request) {
        Ok(activity) if refusals.is_empty() && config.analyses.activity == Switch::Off => {
            activity.widen(function, program, rules)
        }
        Ok(activity) if refusals.is_empty() => activity,
        Ok(_) => return Err(refusals),
        Err(more) => {
            refusals.extend(more);
            return Err(refusals);
        }
    };
    let results = expected_parts(request, function);
    let globals = globals::plan_globals(program, request, &activity);
    let arrivals = arrivals::plan_arrivals(function, program, &activity, &globals);
    let (mut chosen, mut merges) = (Chosen::default(), BTreeMap::new());
    let mut recounts = recount::Recounts::new();
    let mut rows = AllRows::new();
    let bases = |pointer: &Operand| activity.bases(pointer);
    let known = apart.as_ref().map(Separation::found).unwrap_or_default();
    let mut strips = BTreeMap::new();
    // Between two halves anybody may read and write memory.
    let one = request.mode == Mode::Gradient;
    let put_off = |inst: &Inst| activity.frees_later(inst);
    let later = one.then(|| Later::of(function, &flow, program, rules, &bases, &put_off, &known));
    let sweep = later.as_ref().map(|later| {
        let (flow, activity, results) = (&flow, &activity, results.as_slice());
        let homes = blocks_of_values(function);
        let makes_memory = left::makes_memory(function, program, rules);
        Sweep { function, program, rules, request, results, flow, activity, later, homes, makes_memory }
    });
    let may_be_left = may_be_left(function, program, rules);
    let runs = runs::Runs::of(function, &flow);
    let decisive = decisive::find_decisive(function, program, rules, &activity);
    let question = Question {
        function,
        program,
        rules,
        flow: &flow,
        activity: &activity,
        lasting: later.as_ref().filter(|_| config.analyses.write == Switch::On),
        sweep: sweep.as_ref().filter(|_| config.analyses.restore == Switch::On),
        tells: config.analyses.left == Switch::On && !may_be_left && !request.nested,
        analyses: config.analyses,
        runs: &runs,
        decisive: &decisive,
    };
    if request.mode.is_reverse() {
        merges = plan_merges(function, &flow, config.reevaluate);
        if config.analyses.notape == Switch::On && activity.memory().next().is_some() {
            recounts = recount::find_recounts(function, &flow, &merges);
        }
        if let Some(later) = later.as_ref().filter(|_| config.analyses.rows == Switch::On && !request.nested)
        {
            rows = rows::find_rows(&question, later, &merges, &|object| known.covers(object));
        }
        let lean = sweep.as_ref().filter(|_| config.analyses.liveness == Switch::On);
        let plan = |unneeded: BTreeSet<ValueId>| question.planner(&merges, &recounts, &rows, unneeded).plan();
        let mut unneeded = lean.map(|sweep| find_omitted(sweep, &Taken::default())).unwrap_or_default();
        if config.analyses.resident != InMemory::Never {
            resident::keep_long(function, &flow, &mut unneeded);
        }
        chosen = plan(unneeded.clone());
        if let Some(sweep) = lean {
            // What runs anyway, for what this plan stores, is not computed twice for nothing.
            let mut taken = Taken::of(function, (&chosen.storage, &chosen.shadows), &chosen.reruns);
            taken.values.extend(&chosen.restored);
            let omitted = find_omitted(sweep, &taken);
            let runs: BTreeSet<ValueId> = unneeded.difference(&omitted).copied().collect();
            if storage::counts_on(function, &chosen, &runs) {
                chosen = plan(omitted);
            }
        }
    }
    let Chosen { mut storage, shadows, restored, left, reruns, consumers } = chosen;
    recount::choose_counters(function, &flow, (&storage, &shadows), &reruns, &consumers, &mut recounts);
    let slots = slots::plan_slots(function, request, &activity, &shadows);
    if let Some(refusal) = slots::refuse_kept_slots(function, request, &activity, &slots) {
        return Err(vec![refusal]);
    }
    let decided = Decided {
        question: &question,
        request,
        later: later.as_ref(),
        storage: &storage,
        shadows: &shadows,
        restored: &restored,
        consumers: &consumers,
        merges: &merges,
        may_be_left,
    };
    let laid = decided.lay(config, &mut recounts, rows);
    if let (Some(later), Switch::On, true) = (question.lasting, config.analyses.strip, laid.fused.is_empty())
    {
        let none = AllRows::new();
        let planner = &question.planner(&merges, &recounts, &none, BTreeSet::new());
        let Laid { records, arrays, fresh, rows, .. } = &laid;
        let (recounts, bytes) = (&recounts, config.strip);
        let decided = strip::Decided { planner, later, records, arrays, fresh, rows, recounts, bytes };
        strips = strip::find_strips(&decided, &mut storage);
    }
    let idle = idle::Decided {
        question: &question,
        request,
        merges: &merges,
        stored: (&storage, &shadows),
        laid: &laid,
        recounts: &recounts,
        strips: &strips,
    };
    let idle = if config.analyses.idle == Switch::On { idle.find() } else { BTreeMap::new() };
    let Laid { records, arrays, fresh, fused, rooms, rows } = laid;
    let omitted = sweep.as_ref().filter(|_| config.analyses.liveness == Switch::On).map(|sweep| {
        let mut taken = Taken::of(function, (&storage, &shadows), &reruns);
        taken.add(&restored, &arrivals, &arrays);
        taken.add_strips(function, &strips);
        taken.add_rooms(function, &rooms);
        omitted::describe_omitted(function, find_omitted(sweep, &taken))
    });
    let calls = calls::plan_calls(&question, request, config, (later.as_ref(), &flow));
    let kept = resident::Kept {
        storage: &storage,
        shadows: &shadows,
        restored: &restored,
        merges: &merges,
        arrays: &arrays,
    };
    let resident = resident::find_resident(function, &flow, &kept, config.analyses.resident);
    Ok(Plan {
        function: function.name.clone(),
        params: plan_params(function, request),
        results,
        request: request.clone(),
        strong_zero: config.strong_zero,
        sums: config.sums,
        contract: find_contraction(function),
        typed: find_typed(function, &activity),
        abreast: abreast::Asked { function, program, rules, flow: &flow, activity: &activity }
            .are_abreast(request, config.analyses.abreast),
        invert: config.analyses.invert,
        resident,
        numbers: numbers::find_numbers(function, program, &storage, &strips),
        records,
        arrays,
        fresh,
        fused,
        rooms,
        rows,
        strips,
        idle,
        separation: None,
        apart,
        pointers_in: globals::find_pointers_in(program, &globals, request.mode),
        arrivals,
        omitted: omitted.unwrap_or_default(),
        reruns,
        recounts,
        restored,
        left,
        globals,
        calls,
        joint: None,
        may_be_left,
        copies: copies::plan_copies(function, program, &activity),
        slots,
        local: None,
        activity,
        storage,
        shadows,
        merges,
    })
}

/// The parameters of the derivative function: each primal one with its shadows after it, then seeds, then the tape.
fn plan_params(function: &Function, request: &Request) -> Vec<Slot> {
    let mut slots = Vec::new();
    for param in 0..function.params.len() {
        slots.push(Slot::Primal { param });
        if request.activity(param).has_shadow() {
            slots.extend((0..request.width).map(|lane| Slot::Shadow { param, lane }));
        }
    }
    for global in 0..request.globals.len() {
        slots.extend((0..request.width).map(|lane| Slot::Global { global, lane }));
    }
    if !request.seeds.is_empty() {
        slots.extend((0..request.width).map(|lane| Slot::Seed { lane }));
    }
    // An augmented call's operand says where its own tape goes; a nested one writes on its caller's.
    if request.tape.is_some() && (request.mode == Mode::Reverse || request.nested) {
        slots.push(Slot::Tape);
    }
    slots
}
