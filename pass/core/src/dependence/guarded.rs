//! For which numbers of the caller's does no later run of a store overwrite what a load has read?
//!
//! A load and a store → clauses; in each of them one condition has to hold. There is a problem for each order in which the
//! two may run: the store in a later pass of a loop around both, or behind the load in one pass of all. Each is projected
//! onto the integers among the parameters, and what it takes there is denied (a breaking condition). Where an address is a
//! row and a place in it (`a[i * ld + j]`), that rows are as long as the places may be a clause as well.
//! Who is told that clauses hold need not believe where they come from: `is_broken` asks the test itself under each of them.
//! Safe error: conditions that are too strong, or none.

use std::collections::BTreeSet;

use super::access::Access;
use super::atoms::{Atoms, Key};
use super::breaking::{Clause, break_problem};
use super::linear::{Linear, Var};
use super::omega::{Answer, Budget, decide};
use super::overwriting::Overwriting;
use super::pair::{Question, Supposed, build_question, build_question_given};
use super::problem::{Problem, Role};
use super::refine::build_system;
use crate::model::{BlockId, Function, Op, Operand, Ordering, Type, ValueId};

/// What is asked of numbers that are known where a function is entered, read as signed: integers among its parameters, and those
/// that it finds behind them first of all, as Fortran hands everything over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    pub terms: Vec<(ValueId, i128)>,
    pub constant: i128,
    pub asks: Asks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asks {
    BelowZero,
    NotZero,
}

/// One of these holds.
pub type Either = Vec<Condition>;

/// Factors and constants beyond this are not written into a test: as many products with numbers of 64 bits as a condition may
/// have then fit 128 bits together.
const LARGEST: i128 = 1 << 56;
const MOST_TERMS: usize = 8;
/// More ways than these to keep two accesses apart are not tried in turn.
const MOST_EITHER: usize = 4;
const MOST_CLAUSES: usize = 8;
/// A condition that leaves loops fewer passes is of no use to anybody.
const PASSES: i128 = 8;
/// The ranges tried for numbers of 64 bits, widest first; products of two of the last, as of rows and their length, fit an address.
const RANGES: [u32; 4] = [48, 40, 31, 28];

impl Overwriting<'_> {
    /// The clauses under which the store leaves alone what the load has read; none where there are no such, and no clause
    /// where it does so anyhow.
    pub fn find_clauses(&self, load: ValueId, store: ValueId) -> Option<Vec<Either>> {
        let (early, late) = self.two_accesses(load, store)?;
        let own = || build_question(&self.nesting, &self.accesses, early, late, None);
        let plain = self.clauses_of(&own()?, &[], early, late);
        plain
            .or_else(|| {
                RANGES.into_iter().find_map(|bits| {
                    let most = 1i128 << bits;
                    let supposed = Supposed { assumed: Some(most), given: &[], rows: true };
                    let (question, rows) =
                        build_question_given(&self.nesting, &self.accesses, early, late, &supposed)?;
                    let mut given = bounds_of(&question, &self.accesses.atoms, self.nesting.function, most)?;
                    given.extend(rows);
                    let mut clauses = self.clauses_of(&question, &given, early, late)?;
                    clauses.extend(given.into_iter().map(|condition| vec![condition]));
                    Some(clauses)
                })
            })
            .filter(|clauses| clauses.len() <= MOST_CLAUSES)
            // What was projected has to agree with what is asked under the conditions themselves.
            .filter(|clauses| self.is_broken(load, store, clauses))
    }

    /// Whether no later run of the store overwrites what the load has read, wherever all of the clauses hold.
    pub fn is_broken(&self, load: ValueId, store: ValueId, clauses: &[Either]) -> bool {
        let Some((early, late)) = self.two_accesses(load, store) else { return false };
        let alone = clauses.iter().filter(|either| either.len() == 1).flatten();
        let certain: Vec<Condition> = alone.cloned().collect();
        // Of the others any may be the one that holds, so some clause has to do whichever it is.
        let broken_by = |more: Option<&Condition>, depth: usize| {
            let mut given = certain.clone();
            given.extend(more.cloned());
            ways_of(&given).iter().all(|given| self.is_broken_at(early, late, given, depth))
        };
        let depths = 0..=self.common_loops(early, late);
        depths.into_iter().all(|depth| {
            broken_by(None, depth)
                || clauses.iter().any(|either| either.iter().all(|one| broken_by(Some(one), depth)))
        })
    }

    fn is_broken_at(&self, early: &Access, late: &Access, given: &[Condition], depth: usize) -> bool {
        let supposed = Supposed { assumed: None, given, rows: false };
        let question = build_question_given(&self.nesting, &self.accesses, early, late, &supposed);
        let Some((question, _)) = question else { return false };
        match self.problem_at(&question, early, late, depth) {
            Order::Never => true,
            Order::At(problem) => is_void(&problem),
            Order::Unknown => false,
        }
    }

    fn two_accesses(&self, load: ValueId, store: ValueId) -> Option<(&Access, &Access)> {
        let function = self.nesting.function;
        let is =
            |id: ValueId, found: &dyn Fn(&Op) -> bool| function.inst(id).is_some_and(|inst| found(&inst.op));
        let both = is(load, &|op| matches!(op, Op::Load(_))) && is(store, &|op| matches!(op, Op::Store(_)));
        let access = |id| self.places.get(&id).map(|at| &self.accesses.list[*at]);
        let known = |access: &&Access| access.address.is_ok() && access.bytes.is_some();
        (both && !self.nesting.is_wild())
            .then(|| Some((access(load).filter(known)?, access(store).filter(known)?)))?
    }

    fn common_loops(&self, early: &Access, late: &Access) -> usize {
        early.loops.iter().zip(&late.loops).take_while(|(x, y)| x == y).count()
    }

    fn clauses_of(
        &self,
        question: &Question,
        given: &[Condition],
        early: &Access,
        late: &Access,
    ) -> Option<Vec<Either>> {
        let (atoms, function) = (&self.accesses.atoms, self.nesting.function);
        if question.bases_differ || !leaves_passes(question, atoms, None) {
            return None;
        }
        let mut clauses: Vec<Either> = Vec::new();
        for depth in 0..=question.common.len() {
            let problem = match self.problem_at(question, early, late, depth) {
                Order::Never => continue,
                Order::At(problem) if is_void(&problem) => continue,
                Order::At(problem) => problem,
                Order::Unknown => return None,
            };
            let param = |var: Var| param_of(question, atoms, function, var);
            let found = break_problem(&problem, &|var| param(var).is_some())?;
            let useful = found.iter().filter(|clause| leaves_passes(question, atoms, Some(clause)));
            let either: Either = useful.filter_map(|clause| read_clause(clause, &param)).collect();
            if either.is_empty() {
                return None;
            }
            if !clauses.contains(&either) {
                clauses.push(either.into_iter().take(MOST_EITHER).collect());
            }
        }
        let news = |either: &Either| !either.iter().all(|one| given.contains(one));
        Some(clauses.into_iter().filter(news).collect())
    }

    /// What has to hold for the two to meet, the load first: in the same passes of so many loops around both, and the store
    /// in a later one of the next.
    fn problem_at(&self, question: &Question, early: &Access, late: &Access, depth: usize) -> Order {
        let levels = &question.problem.levels;
        let stands = |access: &Access| (self.nesting.position(access.block), access.inst);
        if depth == levels.len() && stands(late) < stands(early) {
            return Order::Never;
        }
        match order_problem(&question.problem, depth) {
            Some(problem) => Order::At(problem),
            None => Order::Unknown,
        }
    }
}

enum Order {
    /// They do not run in this order.
    Never,
    At(Problem),
    Unknown,
}

fn order_problem(problem: &Problem, depth: usize) -> Option<Problem> {
    let mut ordered = problem.clone();
    let mut equal = |first: Var, second: Var| {
        let gap = Linear::var(second).minus(&Linear::var(first))?;
        ordered.constraints.push(gap.scale(-1)?);
        ordered.constraints.push(gap);
        Some(())
    };
    for level in &problem.levels[..depth] {
        equal(level.source, level.sink)?;
    }
    for tie in problem.ties.iter().filter(|tie| tie.depth <= depth) {
        equal(tie.first, tie.second)?;
    }
    if let Some(level) = problem.levels.get(depth) {
        let later = Linear::var(level.sink).minus(&Linear::var(level.source))?;
        ordered.constraints.push(later.plus(-1)?);
    }
    Some(ordered)
}

/// Whether nothing can hold what is asked.
pub fn is_void(problem: &Problem) -> bool {
    let budget = &mut Budget::for_size(problem.largest());
    build_system(problem).is_some_and(|system| decide(system, budget) == Answer::Infeasible)
}

/// The parameter that a variable stands for, where it is an integer.
pub fn param_of(question: &Question, atoms: &Atoms, function: &Function, var: Var) -> Option<ValueId> {
    let symbol = question.problem.role(var) == Role::Symbol;
    param_of_key(&atoms.get(*question.meaning.get(&var)?).key, function).filter(|_| symbol)
}

pub fn param_of_key(key: &Key, function: &Function) -> Option<ValueId> {
    let Key::Value(Operand::Value(id)) = key else { return None };
    is_known_on_entry(function, *id).then_some(*id)
}

/// Whether an integer is a parameter, or is read behind one before anything is written.
pub fn is_known_on_entry(function: &Function, id: ValueId) -> bool {
    let whole = matches!(function.value_type(id), Type::Int(bits) if *bits <= 64);
    let param = (id.0 as usize) < function.params.len();
    whole && (param || is_read_first(function, id))
}

fn is_read_first(function: &Function, id: ValueId) -> bool {
    let entry = &function.block(BlockId(0)).insts;
    let Some(at) = entry.iter().position(|inst| *inst == id) else { return false };
    let quiet = |id: &ValueId| {
        function.inst(*id).is_some_and(|inst| match &inst.op {
            Op::Alloca(_) | Op::Gep(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::Select | Op::Freeze => {
                true
            }
            Op::Load(access) => !access.volatile && access.ordering == Ordering::NotAtomic,
            _ => false,
        })
    };
    let load = function.inst(id).filter(|inst| matches!(inst.op, Op::Load(_)));
    entry[..=at].iter().all(quiet)
        && load.is_some_and(|load| param_behind(function, &load.operands[0]).is_some())
}

/// The parameter from which an address is some constant steps away.
pub fn param_behind(function: &Function, address: &Operand) -> Option<ValueId> {
    let id = address.value()?;
    let Some(inst) = function.inst(id) else { return Some(id) };
    let fixed = inst.operands[1..].iter().all(|index| matches!(index, Operand::Const(_)));
    (matches!(inst.op, Op::Gep(_)) && fixed).then(|| param_behind(function, &inst.operands[0]))?
}

/// Whether loops may still run for some passes, of a question itself or where a clause holds as well.
fn leaves_passes(question: &Question, atoms: &Atoms, clause: Option<&Clause>) -> bool {
    let mut problem = question.problem.clone();
    problem.subscripts.clear();
    for (var, atom) in &question.meaning {
        if matches!(atoms.get(*atom).key, Key::Counter(_)) {
            let least = problem.range(*var).high.map_or(PASSES, |most| most.min(PASSES));
            let run = Linear::var(*var).plus(-least);
            problem.constraints.extend(run);
        }
    }
    let ways = match clause {
        Some(Clause::Negative(form)) => vec![below(form)],
        Some(Clause::NotZero(form)) => vec![below(form), form.scale(-1).and_then(|form| below(&form))],
        Some(Clause::Assumed) => return false,
        None => return !is_void(&problem),
    };
    ways.into_iter().flatten().any(|constraint| {
        let mut problem = problem.clone();
        problem.constraints.push(constraint);
        !is_void(&problem)
    })
}

/// `form < 0` as something that is at least zero.
fn below(form: &Linear) -> Option<Linear> {
    form.scale(-1)?.plus(-1)
}

fn read_clause(clause: &Clause, param: &dyn Fn(Var) -> Option<ValueId>) -> Option<Condition> {
    let (form, asks) = match clause {
        Clause::Negative(form) => (form, Asks::BelowZero),
        Clause::NotZero(form) => (form, Asks::NotZero),
        Clause::Assumed => return None,
    };
    read_form(form, asks, param)
}

pub fn read_form(form: &Linear, asks: Asks, param: &dyn Fn(Var) -> Option<ValueId>) -> Option<Condition> {
    let terms: Option<Vec<(ValueId, i128)>> =
        form.terms.iter().map(|(var, factor)| Some((param(*var)?, *factor))).collect();
    let condition = Condition { terms: terms?, constant: form.constant, asks };
    condition.is_small().then_some(condition)
}

/// That every number of the caller's which was supposed to be in a range is in it.
fn bounds_of(question: &Question, atoms: &Atoms, function: &Function, most: i128) -> Option<Vec<Condition>> {
    let mut params = BTreeSet::new();
    for (var, atom) in &question.meaning {
        let Key::Value(operand) = &atoms.get(*atom).key else { continue };
        let address = matches!(function.known_type(operand), Some(Type::Ptr(_)));
        if question.problem.role(*var) != Role::Symbol || address {
            continue;
        }
        // What was supposed of a number that is computed on the way cannot be asked on entry.
        params.insert(param_of(question, atoms, function, *var)?);
    }
    // What a type holds anyhow need not be asked.
    let narrow =
        |id: &ValueId| matches!(function.value_type(*id), Type::Int(bits) if 1 << (bits - 1) <= most);
    let ends = |id: ValueId| {
        let end =
            |factor| Condition { terms: vec![(id, factor)], constant: -most - 1, asks: Asks::BelowZero };
        [end(1), end(-1)]
    };
    Some(params.into_iter().filter(|id| !narrow(id)).flat_map(ends).collect())
}

/// What is not zero is below or above it: the conditions as such that are linear, each way by itself.
fn ways_of(given: &[Condition]) -> Vec<Vec<Condition>> {
    let mut ways = vec![Vec::new()];
    for condition in given {
        let mut each = vec![Condition { asks: Asks::BelowZero, ..condition.clone() }];
        if condition.asks == Asks::NotZero {
            let terms = condition.terms.iter().map(|(id, factor)| (*id, -factor)).collect();
            each.push(Condition { terms, constant: -condition.constant, asks: Asks::BelowZero });
        }
        ways = ways
            .iter()
            .flat_map(|way| each.iter().map(move |one| way.iter().chain([one]).cloned().collect()))
            .collect();
    }
    ways
}

impl Condition {
    /// Whether it can be asked where the function is entered, in sums that fit wide integers whatever the numbers are.
    pub fn can_be_asked(&self, function: &Function) -> bool {
        self.is_small() && self.terms.iter().all(|(id, _)| is_known_on_entry(function, *id))
    }

    fn is_small(&self) -> bool {
        let small = |number: i128| (-LARGEST..=LARGEST).contains(&number);
        self.terms.len() <= MOST_TERMS
            && small(self.constant)
            && self.terms.iter().all(|(_, factor)| small(*factor))
    }

    /// As text, with names for the parameters.
    pub fn describe(&self, name: &dyn Fn(ValueId) -> String) -> String {
        let clause =
            |form| if self.asks == Asks::BelowZero { Clause::Negative(form) } else { Clause::NotZero(form) };
        let terms: Vec<(Var, i128)> = self.terms.iter().map(|(id, factor)| (Var(id.0), *factor)).collect();
        match Linear::of(&terms, self.constant) {
            Some(form) => clause(form).describe(&|var| name(ValueId(var.0))),
            None => "false".into(),
        }
    }
}

/// What is given of the parameters, as constraints of a problem whose variables stand for them.
pub fn constrain(condition: &Condition, var: &dyn Fn(ValueId) -> Option<Var>) -> Option<Linear> {
    if condition.asks != Asks::BelowZero {
        return None;
    }
    let terms: Option<Vec<(Var, i128)>> =
        condition.terms.iter().map(|(id, factor)| Some((var(*id)?, *factor))).collect();
    below(&Linear::of(&terms?, condition.constant)?)
}
