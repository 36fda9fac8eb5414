//! Which orders of iterations does the exact test leave?
//!
//! The problem becomes a system in the distances δ (each sink counter is written as source + δ). Everything but the
//! distances is removed first where that is exact, so that the questions "is δ_k > 0, = 0, < 0 possible" are asked of a
//! small system, level by level. Distances that no row couples are read off without a question.
//! Safe error: a direction that is not possible.

use super::direction::{Box, Directions};
use super::linear::{Interval, Linear, Var, ceil_div, floor_div};
use super::omega::{Answer, Budget, Stop, System, decide, reduce_to};
use super::problem::{Problem, Role};

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
    let mut keep = vec![false; system.width];
    problem.levels.iter().for_each(|level| keep[column(level.sink)] = true);
    problem.ties.iter().for_each(|tie| (keep[column(tie.first)], keep[column(tie.second)]) = (true, true));
    let system = match reduce_to(system.clone(), &keep, budget) {
        Ok(system) => system,
        Err(Stop::Empty) => return Orders::None,
        Err(Stop::GaveUp) => system,
    };
    if let Some(orders) = read_off(problem, &system, allowed) {
        return orders;
    }
    let mut search = Search { problem, allowed, budget, boxes: Vec::new() };
    let distances = problem.levels.iter().map(|level| fixed_distance(&system, column(level.sink))).collect();
    search.descend(&system, &mut Vec::new());
    if search.boxes.is_empty() { Orders::None } else { Orders::Some { boxes: search.boxes, distances } }
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

/// Where each row speaks of one distance only, the orders are a product of intervals.
fn read_off(problem: &Problem, system: &System, allowed: &[Directions]) -> Option<Orders> {
    if !problem.ties.is_empty() {
        return None;
    }
    let mut ranges = vec![Interval::ANY; system.width];
    let rows = system.equal.iter().map(|row| (row, true));
    for (row, equal) in rows.chain(system.positive.iter().map(|row| (row, false))) {
        let mut places = (1..row.len()).filter(|at| row[*at] != 0);
        let at = places.next()?;
        if places.next().is_some() || !problem.levels.iter().any(|level| column(level.sink) == at) {
            return None;
        }
        let bound = row[0].checked_neg()?;
        let (factor, size) = (row[at], row[at].checked_abs()?);
        let bound = bound.checked_mul(factor.signum())?;
        let low = Interval { low: Some(ceil_div(bound, size)), high: None };
        let high = Interval { low: None, high: Some(floor_div(bound, size)) };
        if equal || factor > 0 {
            ranges[at] = ranges[at].meet(low);
        }
        if equal || factor < 0 {
            ranges[at] = ranges[at].meet(high);
        }
    }
    let found: Vec<Interval> = problem.levels.iter().map(|level| ranges[column(level.sink)]).collect();
    if found.iter().any(|range| range.is_empty()) {
        return Some(Orders::None);
    }
    let directions = |(range, allowed): (&Interval, &Directions)| {
        Directions::of_interval(range.low, range.high).meet(*allowed)
    };
    let directions: Box = found.iter().zip(allowed).map(directions).collect();
    if directions.iter().any(|set| set.is_none()) {
        return Some(Orders::None);
    }
    let distance = |range: &Interval| range.low.filter(|low| range.high == Some(*low));
    Some(Orders::Some { boxes: vec![directions], distances: found.iter().map(distance).collect() })
}

struct Search<'a> {
    problem: &'a Problem,
    allowed: &'a [Directions],
    budget: &'a mut Budget,
    boxes: Vec<Box>,
}

impl Search<'_> {
    /// Refines the levels below a prefix of directions, which the system already contains.
    fn descend(&mut self, system: &System, prefix: &mut Box) {
        let depth = prefix.len();
        let tied = self.tie(system, prefix);
        match decide(tied.clone(), self.budget) {
            Answer::Infeasible => return,
            Answer::Unknown => {
                let mut rest = prefix.clone();
                rest.extend(&self.allowed[depth..]);
                self.boxes.push(rest);
                return;
            }
            Answer::Feasible => {}
        }
        let Some(level) = self.problem.levels.get(depth) else {
            self.boxes.push(prefix.clone());
            return;
        };
        for direction in Directions::EACH {
            if self.allowed[depth].has(direction) {
                let narrowed = restrict(&tied, column(level.sink), direction);
                prefix.push(direction);
                self.descend(&narrowed, prefix);
                prefix.pop();
            }
        }
    }

    /// Adds the ties that a prefix of equal iterations brings into force.
    fn tie(&self, system: &System, prefix: &Box) -> System {
        let mut tied = system.clone();
        if prefix.iter().all(|direction| *direction == Directions::EQUAL) {
            for tie in self.problem.ties.iter().filter(|tie| tie.depth == prefix.len()) {
                let mut row = vec![0; tied.width];
                row[column(tie.first)] = 1;
                row[column(tie.second)] = -1;
                tied.equal.push(row);
            }
        }
        tied
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
