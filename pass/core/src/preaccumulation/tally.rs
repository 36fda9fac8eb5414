//! Counting what an elimination costs, without writing it down.

use super::algebra::Algebra;
use super::cost::Cost;

/// What is known of a label before the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// One or minus one: multiplying by it is free.
    Unit,
    /// A number known at compile time: two of them make a third, for free.
    Constant,
    Variable,
}

/// Adds up the operations that an elimination would write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub cost: Cost,
}

impl Kind {
    /// The kind of a product, and whether it has to be computed.
    pub fn times(self, other: Kind) -> (Kind, bool) {
        match (self, other) {
            (Kind::Unit, kind) | (kind, Kind::Unit) => (kind, false),
            (Kind::Constant, Kind::Constant) => (Kind::Constant, false),
            _ => (Kind::Variable, true),
        }
    }

    /// The kind of a sum, and whether it has to be computed.
    pub fn plus(self, other: Kind) -> (Kind, bool) {
        match (self, other) {
            (Kind::Variable, _) | (_, Kind::Variable) => (Kind::Variable, true),
            _ => (Kind::Constant, false),
        }
    }
}

impl Algebra for Tally {
    type Label = Kind;

    fn product(&mut self, outer: &Kind, inner: &Kind) -> Kind {
        let (kind, computed) = outer.times(*inner);
        self.cost.multiplications += u64::from(computed);
        kind
    }

    fn sum(&mut self, x: &Kind, y: &Kind) -> Kind {
        let (kind, computed) = x.plus(*y);
        self.cost.additions += u64::from(computed);
        kind
    }

    fn absorb(&mut self, label: &Kind, outer: &Kind, inner: &Kind) -> Kind {
        let (product, computed) = outer.times(*inner);
        if !computed {
            return self.sum(label, &product);
        }
        self.cost.fused += 1;
        label.plus(product).0
    }
}
