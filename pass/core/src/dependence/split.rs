//! Where would cutting a loop's iterations separate two accesses?
//!
//! * A weak-zero subscript meets in one iteration `p` on one side: `0..p-1`, `p`, `p+1..` are free of the dependence
//!   each, the parts run one after the other, and `p` has to be clamped to the iterations that exist.
//! * A weak-crossing one has `i + j = s`: iterations up to `⌊s/2⌋` and those after it.

use std::ops::Range;

use super::linear::{Linear, Var};
use super::problem::{Problem, Role};
use super::siv::Siv;
use super::verdict::Test;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    pub level: usize,
    /// Twice the iteration for a crossing, the iteration itself otherwise; counted from 0.
    pub at: Linear,
    pub crossing: bool,
}

/// The split of the first subscript that has one.
pub fn find_split(problem: &Problem) -> Option<Split> {
    problem.subscripts.iter().find_map(|subscript| {
        let siv = Siv::of(problem, &subscript.clone().normalised())?;
        let symbols = siv.rest.terms.iter().all(|(var, _)| problem.role(*var) == Role::Symbol);
        // a·i + rest = 0, rest = b·j, or a·(i + j) + rest = 0.
        let (factor, crossing) = match siv.kind() {
            Test::WeakZeroSiv if siv.b == 0 => (siv.a, false),
            Test::WeakZeroSiv => (siv.b.checked_neg()?, false),
            Test::WeakCrossingSiv => (siv.a, true),
            _ => return None,
        };
        let at = siv.rest.scale(-factor.signum()).filter(|_| factor.abs() == 1 && symbols)?;
        Some(Split { level: siv.level, at, crossing })
    })
}

impl Split {
    /// The parts of a loop with so many iterations, in order, given the value of `at`. Empty parts are left out.
    pub fn parts(&self, at: i128, trips: i128) -> Vec<Range<i128>> {
        let clamp = |x: i128| x.clamp(0, trips);
        let cuts = if self.crossing {
            let middle = clamp(at.div_euclid(2).saturating_add(1));
            vec![0..middle, middle..trips]
        } else {
            let (first, next) = (clamp(at), clamp(at.saturating_add(1)));
            vec![0..first, first..next, next..trips]
        };
        cuts.into_iter().filter(|part| !part.is_empty()).collect()
    }

    pub fn describe(&self, name: &dyn Fn(Var) -> String) -> String {
        let mut text = String::new();
        for (var, factor) in &self.at.terms {
            let sign = if *factor < 0 { " - " } else { " + " };
            let size = if factor.abs() == 1 { String::new() } else { format!("{}*", factor.abs()) };
            let sign = if text.is_empty() && *factor > 0 { "" } else { sign };
            text += &format!("{sign}{size}{}", name(*var));
        }
        match self.at.constant {
            0 if !text.is_empty() => {}
            value if text.is_empty() => text = value.to_string(),
            value if value < 0 => text += &format!(" - {}", -value),
            value => text += &format!(" + {value}"),
        }
        let level = self.level + 1;
        if self.crossing {
            format!("split level {level} after iteration ({text})/2, clamped")
        } else {
            format!("split level {level} at iteration {text}, clamped")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_split_is_clamped() {
        // A(i) = A(L) + B for i = 1..N: iteration L - 1 of N.
        let split = Split { level: 0, at: Linear::constant(0), crossing: false };
        assert_eq!(split.parts(2, 5), vec![0..2, 2..3, 3..5]);
        // L = N + 1 leaves the first part only, L = 0 and L = N + 7 one part each, and nothing runs twice.
        assert_eq!(split.parts(5, 5), vec![0..5]);
        assert_eq!(split.parts(-1, 5), vec![0..5]);
        assert_eq!(split.parts(12, 5), vec![0..5]);
        assert_eq!(split.parts(0, 5), vec![0..1, 1..5]);
    }

    #[test]
    fn a_crossing_is_cut_in_the_middle() {
        let split = Split { level: 0, at: Linear::constant(0), crossing: true };
        assert_eq!(split.parts(9, 10), vec![0..5, 5..10]);
        assert_eq!(split.parts(40, 10), vec![0..10]);
    }
}
