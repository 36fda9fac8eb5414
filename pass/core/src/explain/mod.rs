//! What a plan means for the lines of the source: what is active there, what is recorded, and what stands in the way.
//!
//! Program + plan → [`Report`], a value, and its text (`text`), which the driver and the plugin's remarks are made from.
//! Decisions are read off the plan. Only *why* a value is recorded is found out here, by asking again what the planner asked.
//! Safe error: an obstacle less (it is a description and changes nothing).

mod blame;
mod crossing;
mod elements;
mod loops;
mod meeting;
mod notes;
mod strategies;
mod text;
mod words;

pub use text::{describe_files, describe_refusals, describe_report, name_kind};

use std::collections::BTreeSet;

use self::elements::name_global;
use crate::analyses::flow::Flow;
use crate::dependence::guarded::param_behind;
use crate::dependence::nest::{Dependences, find_dependences};
use crate::model::{BlockId, Function, Layout, LoopId, Program, ValueId};
use crate::plan::{Decision, Item, Local, Plan, Storage, Variant};
use crate::rules::Rules;

/// All there is to say about one derivative function.
pub struct Report<'a> {
    pub function: &'a Function,
    /// What the planner has put into the function.
    local: Option<&'a Local>,
    /// The mode, as requests name it.
    pub mode: &'static str,
    pub version: Version,
    pub loops: Vec<LoopNote>,
    pub notes: Vec<Note>,
    pub obstacles: Vec<Obstacle>,
}

/// A plan may have two versions, and a test on entry chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    Only,
    /// For parameters that overlap, or numbers that do not keep accesses apart, as is said here; the other version is for the
    /// opposite.
    Overlapping(String),
    /// For what is said here of parameters.
    Apart(String),
}

/// How a loop is reversed today, and at what price.
pub struct LoopNote {
    pub of: LoopId,
    pub parent: Option<LoopId>,
    /// An instruction that stands where the loop begins, and the lines that its body covers.
    pub at: Option<ValueId>,
    pub lines: Option<(u32, u32)>,
    pub retrace: Retrace,
    pub laid: Laid,
    /// What an iteration records at most, what loops inside it record not counted.
    pub bytes: u64,
    /// Whether the reverse of an iteration reads what another one has made; `None` where that was not looked at.
    pub crosses: Option<bool>,
    /// By which ways it does with less, in words that go on from "the loop".
    pub ways: Vec<String>,
    pub reason: String,
}

/// How the reverse sweep knows how often a loop ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retrace {
    Counted,
    /// The edge into each iteration is recorded.
    Recorded,
    /// Nothing that runs backwards is in it.
    None,
}

/// Where the records of a loop lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laid {
    Nowhere,
    /// One array for each run of the loop.
    Array,
    /// One behind the other on the tape.
    Stack,
}

/// What becomes of one instruction, or of the value it gives.
pub struct Note {
    pub at: ValueId,
    pub of: Option<LoopId>,
    pub fate: Fate,
    /// On the tape, whenever the instruction runs.
    pub bytes: u64,
    pub what: String,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Has a derivative.
    Active,
    /// Kept in a register or slot for the reverse sweep.
    Kept,
    Recorded,
    /// Computed or read again in the reverse sweep.
    Recomputed,
    CountedBack,
    /// What is overwritten is saved, and put back by the reverse sweep.
    Restored,
    LeftOut,
    /// Which way control came is recorded.
    Edge,
    /// A derivative of its own is called.
    Called,
    /// Its derivative is said by a local Jacobian, and what is between has none.
    Preaccumulated,
}

/// Why something is recorded, or why a loop cannot do with less.
pub struct Obstacle {
    pub at: ValueId,
    pub of: Option<LoopId>,
    pub kind: ObstacleKind,
    pub text: String,
    /// What the user can write to remove it, if anything.
    pub remedy: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObstacleKind {
    /// What was read is overwritten.
    Overwritten,
    /// Two names may be of one memory.
    Alias,
    /// A call may write it, or its derivative is called.
    Call,
    /// Too dear to compute again.
    Cost,
    /// Handed on from one iteration to the next.
    Carried,
    /// A branch decides.
    Branch,
    /// Memory that may not be read again.
    Memory,
    /// The two halves of a split derivative.
    Halves,
    /// The reverse of an iteration reads what another has made.
    Crossing,
}

/// The facts that all parts of a report are made from.
struct Subject<'a> {
    program: &'a Program,
    rules: &'a Rules,
    function: &'a Function,
    plan: &'a Plan,
    /// All plans of the request, also those of called functions.
    variants: &'a [Variant],
    flow: Flow,
    layout: Layout,
    dependences: Dependences<'a>,
}

/// The report of each variant that has a body here, in order.
pub fn explain<'a>(program: &'a Program, rules: &'a Rules, variants: &'a [Variant]) -> Vec<Report<'a>> {
    // Halves of calls that run twice record nothing themselves.
    let plans = variants.iter().map(|variant| &variant.plan).filter(|plan| plan.joint.is_none());
    plans.filter_map(|plan| Some(explain_plan(program, rules, plan.body(program)?, plan, variants))).collect()
}

fn explain_plan<'a>(
    program: &'a Program,
    rules: &'a Rules,
    function: &'a Function,
    plan: &'a Plan,
    variants: &'a [Variant],
) -> Report<'a> {
    let apart = plan.apart.as_ref().map(|test| test.params()).unwrap_or_default();
    let other = plan.local.is_some() || plan.apart.is_some();
    let declared = other.then(|| declare_apart(program, function, &apart));
    let studied = declared.as_ref().unwrap_or(program);
    let subject = Subject {
        program: studied,
        rules,
        function: studied.function(&plan.function).unwrap_or(function),
        plan,
        variants,
        flow: Flow::of(function),
        layout: Layout::parse(&program.layout),
        dependences: find_dependences(studied, studied.function(&plan.function).unwrap_or(function)),
    };
    let crossings = crossing::find_crossings(&subject);
    let mut obstacles = blame::find_obstacles(&subject);
    obstacles.extend(crossings.iter().flat_map(|found| crossing::describe(&subject, found)));
    Report {
        function,
        local: plan.local.as_ref(),
        mode: plan.request.mode.name(),
        version: find_version(&subject),
        loops: loops::describe_loops(&subject, &crossings),
        notes: notes::collect_notes(&subject),
        obstacles,
    }
}

/// The program as the version is made for that a test on entry leads to, the function as the plan has it: those parameters
/// of it are apart.
fn declare_apart(program: &Program, body: &Function, apart: &BTreeSet<ValueId>) -> Program {
    let mut program = program.clone();
    let mut function = program.functions.iter_mut().find(|function| function.name == body.name);
    if let Some(function) = &mut function {
        **function = body.clone();
    }
    for param in function.into_iter().flat_map(|function| {
        let params = function.params.iter_mut().enumerate();
        params.filter(|(at, _)| apart.contains(&ValueId(*at as u32))).map(|(_, param)| param)
    }) {
        param.attributes.push("noalias".into());
        param.attributes.sort();
        param.attributes.dedup();
    }
    program
}

impl Report<'_> {
    /// The number of a value in the function as it was given; `None` for what the planner has put in.
    pub fn written(&self, id: ValueId) -> Option<ValueId> {
        self.local.map_or(Some(id), |local| local.attached.origin(id))
    }

    /// Of two versions, the one for parameters that are apart runs nearly always.
    pub fn is_usual(&self) -> bool {
        !matches!(self.version, Version::Overlapping(_))
    }
}

fn find_version(subject: &Subject) -> Version {
    // What lies behind a parameter goes by its name, too, as variables of Fortran do.
    let param = |id: ValueId| {
        let load = subject.function.inst(id);
        let behind = load.and_then(|load| param_behind(subject.function, &load.operands[0]));
        words::name_param(subject, behind.unwrap_or(id))
    };
    let global = |global: &str| name_global(global).to_owned();
    match (&subject.plan.separation, &subject.plan.apart) {
        (Some(test), _) => Version::Overlapping(test.describe_failing(&param, &global)),
        (None, Some(test)) => Version::Apart(test.describe(&param, &global, "being apart")),
        (None, None) => Version::Only,
    }
}

impl Subject<'_> {
    /// The innermost loop around an instruction.
    fn loop_of(&self, id: ValueId) -> Option<LoopId> {
        self.dependences.nesting.innermost(self.dependences.nesting.home(id)?)
    }

    /// The block that lays an item on the tape whenever control enters it.
    fn recording_block(&self, item: Item) -> Option<BlockId> {
        self.plan.records.iter().find(|(_, items)| items.contains(&item)).map(|(block, _)| *block)
    }

    fn decision(&self, value: ValueId) -> Option<&Decision<Storage>> {
        self.plan.storage.get(&value)
    }
}
