//! Which orders of iterations does the exact test leave?
//!
//! The problem becomes a system in the distances δ (each sink counter is written as source + δ). Everything but the
//! distances is removed first where that is exact, so that the questions "is δ_k > 0, = 0, < 0 possible" are asked of a
//! small system, level by level. Distances that no row couples are read off without a question.
//! Safe error: a direction that is not possible.

use super::direction::{Box, Directions};
use super::linear::{Interval, Linear, Var, ceil_div, floor_div};
use super::omega::{Answer, Budget, Stop, System, decide, reduce_to, settle};
use super::problem::{Level, Problem, Role};

pub enum Orders {
    /// The accesses never meet.
    None,
    Some {
        boxes: Vec<Box>,
        distances: Vec<Option<i128>>,
    },
}

/// `allowed` is what cheaper tests left of each level.
pub fn refine_orders(problem: &Problem, allowed: &[Directions], budget: &mut Budget) -> Orders {
    let levels = problem.levels.len();
    let gave_up = || Orders::Some { boxes: vec![allowed.to_vec()], distances: vec![None; levels] };
    let Some(system) = build_system(problem) else { return gave_up() };
    let mut search = Search { problem, allowed, budget, boxes: Vec::new(), distances: vec![None; levels] };
    search.descend(system, &mut Vec::new());
    if search.boxes.is_empty() {
        Orders::None
    } else {
        Orders::Some { boxes: search.boxes, distances: search.distances }
    }
}

fn column(var: Var) -> usize {
    var.0 as usize + 1
}

/// The rows of the problem; the column of a sink counter is that of the distance of its level.
pub fn build_system(problem: &Problem) -> Option<System> {
    let mut system = System::new(problem.roles.len());
    let row = |form: &Linear| {
        let mut row = vec![0i128; problem.roles.len() + 1];
        row[0] = form.constant;
        for (var, factor) in &form.terms {
            row[column(*var)] = row[column(*var)].checked_add(*factor)?;
            if let Role::Sink(level) = problem.role(*var) {
                let source = column(problem.levels[level].source);
                row[source] = row[source].checked_add(*factor)?;
            }
        }
        Some(row)
    };
    for subscript in &problem.subscripts {
        match subscript.equation() {
            Some(form) => system.equal.push(row(&form)?),
            None => {
                system.positive.push(row(&subscript.form.plus(subscript.low.checked_neg()?)?)?);
                system.positive.push(row(&subscript.form.scale(-1)?.plus(subscript.high)?)?);
            }
        }
    }
    for (at, range) in problem.ranges.iter().enumerate() {
        let form = Linear::var(Var(at as u32));
        if let Some(low) = range.low {
            system.positive.push(row(&form.plus(low.checked_neg()?)?)?);
        }
        if let Some(high) = range.high {
            system.positive.push(row(&form.scale(-1)?.plus(high)?)?);
        }
    }
    for constraint in &problem.constraints {
        system.positive.push(row(constraint)?);
    }
    Some(system)
}

/// The distance that an equality of the system alone forces.
fn fixed_distance(system: &System, column: usize) -> Option<i128> {
    let alone = |row: &&Vec<i128>| {
        row[column] != 0 && row.iter().enumerate().skip(1).all(|(at, x)| at == column || *x == 0)
    };
    let row = system.equal.iter().find(alone)?;
    row[0].checked_neg()?.checked_div(row[column])
}

struct Search<'a> {
    problem: &'a Problem,
    allowed: &'a [Directions],
    budget: &'a mut Budget,
    boxes: Vec<Box>,
    distances: Vec<Option<i128>>,
}

impl Search<'_> {
    /// Refines the levels below a prefix of directions, which the system already contains.
    fn descend(&mut self, mut system: System, prefix: &mut Box) {
        let depth = prefix.len();
        let keep = self.tie(&mut system, prefix);
        if depth == 0 && self.simplify(&mut system) {
            return;
        }
        system = match reduce_to(system.clone(), &keep, self.budget) {
            Ok(smaller) => smaller,
            Err(Stop::Empty) => return,
            Err(Stop::GaveUp) => return self.give_up(prefix),
        };
        if depth == 0 {
            let fixed = |level: &Level| fixed_distance(&system, column(level.sink));
            self.distances = self.problem.levels.iter().map(fixed).collect();
        }
        if let Some(ranges) = self.read_off(&system, depth) {
            return self.push_product(prefix, &ranges);
        }
        match decide(system.clone(), self.budget) {
            Answer::Infeasible => return,
            Answer::Unknown => return self.give_up(prefix),
            Answer::Feasible => {}
        }
        let Some(level) = self.problem.levels.get(depth) else { return self.boxes.push(prefix.clone()) };
        for direction in Directions::EACH {
            if self.allowed[depth].has(direction) {
                let narrowed = restrict(&system, column(level.sink), direction);
                prefix.push(direction);
                self.descend(narrowed, prefix);
                prefix.pop();
            }
        }
    }

    /// Puts in auxiliary variables that have one value only; whether nothing is left.
    fn simplify(&mut self, system: &mut System) -> bool {
        let mut simpler = system.clone();
        match settle(&mut simpler, self.budget) {
            Err(Stop::Empty) => return true,
            Err(Stop::GaveUp) => return false,
            // A distance must stay to be asked for: its column is pinned again by an equality.
            Ok(ranges) => {
                for at in self.problem.levels.iter().map(|level| column(level.sink)) {
                    if let Interval { low: Some(low), high: Some(high) } = ranges[at] {
                        let mut row = vec![0; simpler.width];
                        (row[0], row[at]) = (-low, 1);
                        if low == high {
                            simpler.equal.push(row);
                        }
                    }
                }
                let tied = |at: usize| ranges[at].low.is_some() && ranges[at].low == ranges[at].high;
                let loses_tie =
                    self.problem.ties.iter().any(|tie| tied(column(tie.first)) != tied(column(tie.second)));
                if !loses_tie {
                    *system = simpler;
                }
            }
        }
        false
    }

    /// Adds the ties that a prefix of equal iterations brings into force; answers which columns are still asked for:
    /// the distances below, and variables that more equal iterations would tie.
    fn tie(&self, system: &mut System, prefix: &Box) -> Vec<bool> {
        let depth = prefix.len();
        let mut keep = vec![false; system.width];
        self.problem.levels[depth..].iter().for_each(|level| keep[column(level.sink)] = true);
        if prefix.iter().any(|direction| *direction != Directions::EQUAL) {
            return keep;
        }
        for tie in &self.problem.ties {
            let (first, second) = (column(tie.first), column(tie.second));
            if tie.depth == depth {
                let mut row = vec![0; system.width];
                (row[first], row[second]) = (1, -1);
                system.equal.push(row);
            } else if tie.depth > depth {
                (keep[first], keep[second]) = (true, true);
            }
        }
        keep
    }

    /// The range of each distance below, where each row speaks of one of them only.
    fn read_off(&self, system: &System, depth: usize) -> Option<Vec<Interval>> {
        let asked: Vec<usize> = self.problem.levels[depth..].iter().map(|level| column(level.sink)).collect();
        let mut ranges = vec![Interval::ANY; system.width];
        let rows = system.equal.iter().map(|row| (row, true));
        for (row, equal) in rows.chain(system.positive.iter().map(|row| (row, false))) {
            let mut places = (1..row.len()).filter(|at| row[*at] != 0);
            let at = places.next()?;
            if places.next().is_some() || !asked.contains(&at) {
                return None;
            }
            let size = row[at].checked_abs()?;
            let bound = row[0].checked_neg()?.checked_mul(row[at].signum())?;
            if equal || row[at] > 0 {
                ranges[at] = ranges[at].meet(Interval { low: Some(ceil_div(bound, size)), high: None });
            }
            if equal || row[at] < 0 {
                ranges[at] = ranges[at].meet(Interval { low: None, high: Some(floor_div(bound, size)) });
            }
        }
        Some(asked.into_iter().map(|at| ranges[at]).collect())
    }

    /// A box of all signs that the ranges allow.
    fn push_product(&mut self, prefix: &Box, ranges: &[Interval]) {
        let depth = prefix.len();
        let mut product = prefix.clone();
        for (at, range) in ranges.iter().enumerate() {
            if range.is_empty() {
                return;
            }
            let directions = Directions::of_interval(range.low, range.high).meet(self.allowed[depth + at]);
            if directions.is_none() {
                return;
            }
            product.push(directions);
            if depth == 0 && range.low == range.high {
                self.distances[at] = range.low;
            }
        }
        self.boxes.push(product);
    }

    fn give_up(&mut self, prefix: &Box) {
        let mut rest = prefix.clone();
        rest.extend(&self.allowed[prefix.len()..]);
        self.boxes.push(rest);
    }
}

fn restrict(system: &System, column: usize, direction: Directions) -> System {
    let mut narrowed = system.clone();
    let mut row = vec![0; narrowed.width];
    match direction {
        Directions::EQUAL => {
            row[column] = 1;
            narrowed.equal.push(row);
            return narrowed;
        }
        Directions::LESS => (row[0], row[column]) = (-1, 1),
        _ => (row[0], row[column]) = (-1, -1),
    }
    narrowed.positive.push(row);
    narrowed
}
