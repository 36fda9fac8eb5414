//! What is asked of one pair of accesses?
//!
//! Are there integers for the counters of the source, the counters of the sink, the symbols and the auxiliary
//! variables that satisfy every constraint and every subscript? Level `k` has one counter of each side; their
//! difference `sink - source` is the distance of that level.

use super::linear::{Interval, Linear, Var, ceil_div, floor_div, gcd};

#[derive(Clone, Debug, Default)]
pub struct Problem {
    pub roles: Vec<Role>,
    /// What each variable alone can be.
    pub ranges: Vec<Interval>,
    /// The loops around both accesses, outermost first.
    pub levels: Vec<Level>,
    pub subscripts: Vec<Subscript>,
    /// Each is at least zero.
    pub constraints: Vec<Linear>,
    pub ties: Vec<Tie>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The source's counter of a level.
    Source(usize),
    /// The sink's counter of a level.
    Sink(usize),
    /// A counter of a loop around one access only, or an auxiliary integer.
    Local,
    /// The same for both accesses, in all iterations.
    Symbol,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    pub source: Var,
    pub sink: Var,
}

/// The accesses can only meet where `low ≤ form ≤ high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscript {
    pub form: Linear,
    pub low: i128,
    pub high: i128,
}

/// Two variables that are equal wherever the first `depth` levels are in the same iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    pub depth: usize,
    pub first: Var,
    pub second: Var,
}

impl Problem {
    pub fn add(&mut self, role: Role, range: Interval) -> Var {
        self.roles.push(role);
        self.ranges.push(range);
        Var(self.roles.len() as u32 - 1)
    }

    /// A loop around both accesses that runs its counter from 0 to `last` where that is known.
    pub fn add_level(&mut self, last: Option<i128>) -> Level {
        let number = self.levels.len();
        let range = Interval { low: Some(0), high: last };
        let level = Level {
            source: self.add(Role::Source(number), range),
            sink: self.add(Role::Sink(number), range),
        };
        self.levels.push(level);
        level
    }

    /// The largest coefficient anywhere in it.
    pub fn largest(&self) -> u128 {
        let forms = self.constraints.iter().chain(self.subscripts.iter().map(|subscript| &subscript.form));
        forms.flat_map(|form| &form.terms).map(|(_, factor)| factor.unsigned_abs()).max().unwrap_or(0)
    }

    pub fn range(&self, var: Var) -> Interval {
        self.ranges[var.0 as usize]
    }

    /// The last iteration that either side can be in; the larger, so that a bound for both holds for each.
    pub fn last(&self, level: Level) -> Option<i128> {
        Some(self.range(level.source).high?.max(self.range(level.sink).high?))
    }

    pub fn role(&self, var: Var) -> Role {
        self.roles[var.0 as usize]
    }

    pub fn interval(&self, form: &Linear) -> Interval {
        form.interval(&|var| self.range(var))
    }
}

impl Subscript {
    pub fn equal(form: Linear) -> Subscript {
        Subscript { form, low: 0, high: 0 }
    }

    /// Divided by what its coefficients have in common; an empty window says that no integers meet.
    pub fn normalised(mut self) -> Subscript {
        let divisor = self.form.terms.iter().fold(0, |sum, (_, factor)| gcd(sum, *factor));
        let (Some(low), Some(high)) =
            (self.low.checked_sub(self.form.constant), self.high.checked_sub(self.form.constant))
        else {
            return self;
        };
        let divisor = divisor.max(1);
        self.form.terms.iter_mut().for_each(|(_, factor)| *factor /= divisor);
        (self.low, self.high) = (ceil_div(low, divisor), floor_div(high, divisor));
        self.form.constant = 0;
        if self.low == self.high
            && let Some(constant) = self.low.checked_neg()
        {
            (self.form.constant, self.low, self.high) = (constant, 0, 0);
        }
        self
    }

    pub fn is_equation(&self) -> bool {
        self.low == self.high
    }

    /// The form as an equation `= 0`, where the window has one point.
    pub fn equation(&self) -> Option<Linear> {
        self.is_equation().then(|| self.form.plus(self.low.checked_neg()?))?
    }

    pub fn is_void(&self) -> bool {
        self.low > self.high
    }
}
