//! What has to hold for two accesses of a function to meet?
//!
//! Two accesses → a [`Problem`]: variables for the atoms of each side (shared where they cannot differ, tied where they
//! agree within one iteration), the facts of both scopes, and the window `-(bytes of the sink) < sink - source < bytes
//! of the source` on the difference of the addresses, cut into subscripts. Where an address is known modulo 2^64 only,
//! a multiple of 2^64 is one more variable, unless ranges leave nothing but zero for it.
//! Safe error: a constraint too few.

use std::collections::{BTreeMap, HashMap};

use super::access::{Access, Accesses, Address};
use super::affine::ADDRESS_BITS;
use super::atoms::{AtomId, Key, Poly};
use super::breaking::{Clause, break_problem};
use super::delinearise::{Flat, Knowledge, Terms, delinearise, interval_of};
use super::guarded::{Asks, Condition, constrain, param_of_key, read_form};
use super::linear::{Interval, Linear, Var, ceil_div, floor_div};
use super::nesting::Nesting;
use super::omega::{Answer, Budget, decide};
use super::problem::{Level, Problem, Role, Subscript, Tie};
use super::refine::build_system;
use crate::model::{LoopId, Operand, Type, ValueId};

/// A problem, and what its variables stand for.
pub struct Question {
    pub problem: Problem,
    pub common: Vec<LoopId>,
    /// The atom of each variable that stands for one.
    pub meaning: BTreeMap<Var, AtomId>,
    /// Whether the difference of two base addresses is left in it.
    pub bases_differ: bool,
    /// Whether a multiple of 2^64 could not be ruled out.
    pub wraps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Side {
    Source,
    Sink,
}

struct Builder<'a> {
    nesting: &'a Nesting<'a>,
    accesses: &'a Accesses,
    sides: [&'a Access; 2],
    common: Vec<LoopId>,
    problem: Problem,
    vars: HashMap<(AtomId, Option<Side>), Var>,
    meaning: BTreeMap<Var, AtomId>,
    products: BTreeMap<Vec<Var>, Var>,
    /// Facts of atoms whose variables came up, still to be translated.
    waiting: Vec<(Poly, Side)>,
    supposed: &'a Supposed<'a>,
    /// What was supposed of the lengths of rows.
    rows: Vec<Condition>,
}

/// What a question may go by beside what the program says.
#[derive(Default)]
pub struct Supposed<'a> {
    /// Symbols of the address lie in ±this.
    pub assumed: Option<i128>,
    /// What is known of parameters.
    pub given: &'a [Condition],
    /// Whether rows may be taken to be as long as the places in them need, where parameters tell.
    pub rows: bool,
}

/// Builds the question for two accesses with known addresses and sizes. `assumed` bounds the symbols of the address.
pub fn build_question(
    nesting: &Nesting,
    accesses: &Accesses,
    source: &Access,
    sink: &Access,
    assumed: Option<i128>,
) -> Option<Question> {
    let supposed = Supposed { assumed, ..Supposed::default() };
    build_question_given(nesting, accesses, source, sink, &supposed).map(|(question, _)| question)
}

/// The same with more to go by, and what was supposed of the lengths of rows.
pub fn build_question_given(
    nesting: &Nesting,
    accesses: &Accesses,
    source: &Access,
    sink: &Access,
    supposed: &Supposed,
) -> Option<(Question, Vec<Condition>)> {
    let (Ok(from), Ok(to)) = (&source.address, &sink.address) else { return None };
    let window = (-(i128::from(sink.bytes?) - 1), i128::from(source.bytes?) - 1);
    let common: Vec<LoopId> =
        source.loops.iter().zip(&sink.loops).take_while(|(x, y)| x == y).map(|(x, _)| *x).collect();
    let mut builder = Builder {
        nesting,
        accesses,
        sides: [source, sink],
        common,
        problem: Problem::default(),
        vars: HashMap::new(),
        meaning: BTreeMap::new(),
        products: BTreeMap::new(),
        waiting: Vec::new(),
        supposed,
        rows: Vec::new(),
    };
    builder.open_levels();
    builder.ask(from, to, window)
}

impl Builder<'_> {
    fn access(&self, side: Side) -> &Access {
        self.sides[side as usize]
    }

    fn open_levels(&mut self) {
        for (number, of) in self.common.clone().into_iter().enumerate() {
            let Some(atom) = self.find_counter(of) else {
                let level = self.problem.add_level(None);
                debug_assert_eq!(self.problem.levels[number], level);
                continue;
            };
            let ranges = [Side::Source, Side::Sink].map(|side| self.range_at(atom, side));
            let source = self.problem.add(Role::Source(number), ranges[0]);
            let sink = self.problem.add(Role::Sink(number), ranges[1]);
            self.problem.levels.push(Level { source, sink });
            self.vars.insert((atom, Some(Side::Source)), source);
            self.vars.insert((atom, Some(Side::Sink)), sink);
            self.meaning.extend([(source, atom), (sink, atom)]);
        }
    }

    fn find_counter(&self, of: LoopId) -> Option<AtomId> {
        let at = self.accesses.atoms.list.iter().position(|atom| atom.key == Key::Counter(of))?;
        Some(AtomId(at as u32))
    }

    fn range_at(&self, atom: AtomId, side: Side) -> Interval {
        let own = self.accesses.atoms.get(atom).range;
        let scope = self.accesses.scope(self.access(side).block);
        scope.ranges.get(&atom).map_or(own, |known| known.meet(own))
    }

    /// How many of the common loops fix an atom, or `None` where a loop around one access only changes it.
    fn depth(&self, atom: AtomId) -> Option<usize> {
        match self.accesses.atoms.get(atom).varies {
            None => Some(0),
            Some(of) => self.common.iter().position(|at| *at == of).map(|at| at + 1),
        }
    }

    fn var(&mut self, atom: AtomId, side: Side) -> Var {
        let shared = self.depth(atom) == Some(0);
        let place = (atom, (!shared).then_some(side));
        if let Some(var) = self.vars.get(&place) {
            return *var;
        }
        let range = if shared {
            self.range_at(atom, Side::Source).meet(self.range_at(atom, Side::Sink))
        } else {
            self.range_at(atom, side)
        };
        let named = matches!(self.accesses.atoms.get(atom).key, Key::Value(_));
        let role = if shared { Role::Symbol } else { Role::Local };
        let var = self.problem.add(role, self.assume(atom, range, named && shared));
        self.vars.insert(place, var);
        self.meaning.insert(var, atom);
        let facts = &self.accesses.atoms.get(atom).facts;
        self.waiting.extend(facts.iter().map(|fact| (fact.clone(), side)));
        self.tie(atom, var);
        var
    }

    fn assume(&self, atom: AtomId, range: Interval, symbol: bool) -> Interval {
        match self.supposed.assumed.filter(|_| symbol && !self.is_address(atom)) {
            Some(most) => range.meet(Interval::between(-most, most)),
            None => range,
        }
    }

    fn is_address(&self, atom: AtomId) -> bool {
        match &self.accesses.atoms.get(atom).key {
            Key::Value(operand) => {
                matches!(self.nesting.function.known_type(operand), Some(Type::Ptr(_)))
            }
            _ => false,
        }
    }

    fn tie(&mut self, atom: AtomId, var: Var) {
        let Some(depth) = self.depth(atom).filter(|depth| *depth > 0) else { return };
        let pair = [Side::Source, Side::Sink].map(|side| self.vars.get(&(atom, Some(side))).copied());
        if let [Some(first), Some(second)] = pair
            && (first == var || second == var)
        {
            self.problem.ties.push(Tie { depth, first, second });
        }
    }

    fn translate(&mut self, poly: &Poly, side: Side) -> Option<Terms> {
        let mut terms = Terms::new();
        for (product, factor) in &poly.0 {
            let mut vars: Vec<Var> = product.iter().map(|atom| self.var(*atom, side)).collect();
            vars.sort_unstable();
            let slot = terms.entry(vars).or_insert(0);
            *slot = i128::checked_add(*slot, *factor)?;
        }
        terms.retain(|_, factor| *factor != 0);
        Some(terms)
    }

    fn ask(
        mut self,
        from: &Address,
        to: &Address,
        (low, high): (i128, i128),
    ) -> Option<(Question, Vec<Condition>)> {
        let mut terms = self.translate(&to.form, Side::Sink)?;
        for (product, factor) in self.translate(&from.form, Side::Source)? {
            let slot = terms.entry(product).or_insert(0);
            *slot = slot.checked_sub(factor)?;
        }
        terms.retain(|_, factor| *factor != 0);
        let bases_differ = terms.keys().flatten().any(|var| self.is_address(self.meaning[var]));
        self.narrow_given();
        let together = from.drift.is_some() && from.drift == to.drift;
        let wraps = !together && self.add_multiple(&mut terms, low, high)?;
        self.add_facts(&terms);
        self.add_given();
        let flats = delinearise(Flat { terms, low, high }, &mut self);
        for Flat { terms, low, high } in flats {
            let form = self.linear(&terms)?;
            self.problem.subscripts.push(Subscript { form, low, high }.normalised());
        }
        self.tie_products();
        let Builder { problem, common, meaning, rows, .. } = self;
        Some((Question { problem, common, meaning, bases_differ, wraps }, rows))
    }

    /// What is known of the parameters that came up.
    fn add_given(&mut self) {
        for condition in self.supposed.given {
            let known = constrain(condition, &|id| self.var_of(id));
            self.problem.constraints.extend(known);
        }
    }

    /// The same where it is about one of them.
    fn narrow_given(&mut self) {
        for condition in self.supposed.given.iter().filter(|condition| condition.asks == Asks::BelowZero) {
            let [(param, factor @ (1 | -1))] = condition.terms[..] else { continue };
            let Some(var) = self.var_of(param) else { continue };
            // factor · x + constant ≤ -1.
            let end = condition.constant.checked_add(1).and_then(i128::checked_neg);
            let range = match factor {
                1 => Interval { low: None, high: end },
                _ => Interval { low: end.and_then(i128::checked_neg), high: None },
            };
            let known = &mut self.problem.ranges[var.0 as usize];
            *known = known.meet(range);
        }
    }

    fn var_of(&self, param: ValueId) -> Option<Var> {
        let key = Key::Value(Operand::Value(param));
        let at = self.accesses.atoms.list.iter().position(|atom| atom.key == key && atom.varies.is_none())?;
        self.vars.get(&(AtomId(at as u32), None)).copied()
    }

    /// Supposes what keeps a proof from failing, where that is something about parameters alone.
    fn suppose(&mut self, failing: Linear) -> bool {
        let param = |var: Var| {
            let atom = self.accesses.atoms.get(*self.meaning.get(&var)?);
            let symbol = self.problem.role(var) == Role::Symbol;
            param_of_key(&atom.key, self.nesting.function).filter(|_| symbol)
        };
        // What fails is asked about; all else is what the question is asked in.
        let mut problem = self.problem.clone();
        problem.subscripts = vec![Subscript { form: failing, low: 0, high: 1 << 100 }];
        let ways = break_problem(&problem, &|var| param(var).is_some()).unwrap_or_default();
        let read = |clause: &Clause| match clause {
            Clause::Negative(form) => Some((read_form(form, Asks::BelowZero, &param)?, form.clone())),
            _ => None,
        };
        let Some((condition, form)) = ways.iter().find_map(read) else { return false };
        self.problem.constraints.extend(form.scale(-1).and_then(|form| form.plus(-1)));
        if !self.rows.contains(&condition) {
            self.rows.push(condition);
        }
        true
    }

    /// Adds `2^64·k` where the difference could be congruent to one in the window without being in it.
    fn add_multiple(&mut self, terms: &mut Terms, low: i128, high: i128) -> Option<bool> {
        let modulus = 1i128 << ADDRESS_BITS;
        let reach = interval_of(terms, &|var| self.problem.range(var));
        // low ≤ D + 2^64·k ≤ high.
        let least = match reach.high {
            Some(most) => Some(ceil_div(low.checked_sub(most)?, modulus)),
            None => None,
        };
        let most = match reach.low {
            Some(least) => Some(floor_div(high.checked_sub(least)?, modulus)),
            None => None,
        };
        let range = Interval { low: least, high: most };
        if range == Interval::point(0) {
            return Some(false);
        }
        let var = self.problem.add(Role::Local, range);
        terms.insert(vec![var], modulus);
        Some(true)
    }

    /// The facts of both scopes that speak of variables the question has, until nothing new comes up.
    fn add_facts(&mut self, terms: &Terms) {
        let mut left: Vec<(Poly, Side)> = Vec::new();
        for side in [Side::Source, Side::Sink] {
            let scope = self.accesses.scope(self.access(side).block);
            left.extend(scope.facts.iter().map(|fact| (fact.clone(), side)));
        }
        let known: Vec<Vec<Var>> = terms.keys().filter(|product| product.len() > 1).cloned().collect();
        for product in &known {
            self.product(product);
        }
        loop {
            let (now, later): (Vec<_>, Vec<_>) = left.into_iter().partition(|(fact, side)| {
                fact.as_constant().is_some() || fact.atoms().any(|atom| self.has(atom, *side))
            });
            let own = std::mem::take(&mut self.waiting);
            if now.is_empty() && own.is_empty() {
                return;
            }
            for (fact, side) in now.into_iter().chain(own) {
                if let Some(form) = self.translate(&fact, side).and_then(|terms| self.linear(&terms))
                    && !self.problem.constraints.contains(&form)
                {
                    self.problem.constraints.push(form);
                }
            }
            left = later;
        }
    }

    fn has(&self, atom: AtomId, side: Side) -> bool {
        self.vars.contains_key(&(atom, Some(side))) || self.vars.contains_key(&(atom, None))
    }

    /// Products become variables of their own.
    fn linear(&mut self, terms: &Terms) -> Option<Linear> {
        let mut form = Linear::default();
        for (product, factor) in terms {
            form = match product[..] {
                [] => form.plus(*factor)?,
                [var] => form.add_scaled(&Linear::var(var), *factor)?,
                _ => form.add_scaled(&Linear::var(self.product(product)), *factor)?,
            };
        }
        Some(form)
    }

    fn product(&mut self, product: &[Var]) -> Var {
        if let Some(var) = self.products.get(product) {
            return *var;
        }
        let range = product.iter().fold(Interval::point(1), |all, var| all.times(self.problem.range(*var)));
        let symbols = product.iter().all(|var| self.problem.role(*var) == Role::Symbol);
        let var = self.problem.add(if symbols { Role::Symbol } else { Role::Local }, range);
        self.products.insert(product.to_vec(), var);
        var
    }

    /// Products of the same atoms on both sides agree where all of these do.
    fn tie_products(&mut self) {
        let place: HashMap<Var, (AtomId, Option<Side>)> =
            self.vars.iter().map(|(place, var)| (*var, *place)).collect();
        for (product, var) in &self.products {
            let Some(parts) = product.iter().map(|var| place.get(var)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            if !parts.iter().any(|(_, side)| *side == Some(Side::Source)) {
                continue;
            }
            let depths: Option<Vec<usize>> = parts.iter().map(|(atom, _)| self.depth(*atom)).collect();
            let twin: Option<Vec<Var>> = parts
                .iter()
                .map(|(atom, side)| self.vars.get(&(*atom, side.map(|_| Side::Sink))).copied())
                .collect();
            let (Some(depths), Some(mut twin)) = (depths, twin) else { continue };
            twin.sort_unstable();
            if let Some(other) = self.products.get(&twin).filter(|other| *other != var) {
                let depth = depths.into_iter().max().unwrap_or(0);
                self.problem.ties.push(Tie { depth, first: *var, second: *other });
            }
        }
    }
}

impl Knowledge for Builder<'_> {
    fn range(&self, var: Var) -> Interval {
        self.problem.range(var)
    }

    fn is_symbol(&self, var: Var) -> bool {
        self.problem.role(var) == Role::Symbol
    }

    fn proves(&mut self, terms: &Terms) -> bool {
        let Some(form) = self.linear(terms) else { return false };
        if self.problem.interval(&form).low.is_some_and(|low| low >= 0) {
            return true;
        }
        // Proved where the opposite, -form - 1 ≥ 0, has no solution.
        let Some(opposite) = form.scale(-1).and_then(|form| form.plus(-1)) else { return false };
        let mut problem = self.problem.clone();
        problem.subscripts.clear();
        problem.constraints.push(opposite.clone());
        let proved = build_system(&problem)
            .is_some_and(|system| decide(system, &mut Budget::of_rows(PROOF_ROWS)) == Answer::Infeasible);
        proved || self.supposed.rows && self.suppose(opposite)
    }
}

/// The work one proof about an extent may cost.
const PROOF_ROWS: usize = 4000;
