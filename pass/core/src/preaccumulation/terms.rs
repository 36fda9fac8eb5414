//! The program that an elimination writes: products and sums over local partial derivatives.
//!
//! A label on an edge is ±1 or ± a term. Terms are kept once: what two edges have in common is computed once. Trivial
//! factors leave no trace, and signs are pulled out, so that `-a` costs nothing.
//! Invariant: a term stands after the terms it is computed from.

use std::collections::{BTreeSet, HashMap};

use super::algebra::Algebra;
use super::cost::Cost;
use super::registers::Registers;
use super::tally::Kind;
use crate::config::StrongZero;
use crate::model::{FloatKind, Operand, Type, ValueId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    pub negative: bool,
    pub factor: Factor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Factor {
    One,
    Term(TermId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Leaf(Leaf),
    /// Guarded: zero where `outer` is exactly zero, whatever `inner` is.
    Product {
        outer: TermId,
        inner: TermId,
        guarded: bool,
    },
    Sum {
        left: Factor,
        right: Factor,
        sign: Sign,
    },
    /// `addend ± outer * inner`.
    Fused {
        addend: Factor,
        sign: Sign,
        outer: TermId,
        inner: TermId,
        guarded: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    Plus,
    Minus,
}

/// A local partial derivative.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// A value of the primal, or a constant in it: the partial of a product, for one.
    Primal(Operand),
    /// What a row says: the derivative of a result of an instruction by one of its operands, without its sign.
    Partial { inst: ValueId, result: u8, operand: u8 },
    /// A number that whoever made the graph knows.
    Given(u32),
}

/// What is known of a term.
#[derive(Clone, Debug)]
pub struct Facts {
    pub kind: Kind,
    /// It holds a partial that may be infinite: a factor of exactly zero must not meet it.
    pub singular: bool,
    pub ty: Type,
    /// Of computing a leaf; zero for the others, whose cost follows from what they are.
    pub cost: Cost,
}

#[derive(Clone, Debug)]
pub struct Terms {
    terms: Vec<(Term, Facts)>,
    known: HashMap<Term, TermId>,
    strong_zero: StrongZero,
    /// What numbers are computed in where no partial tells.
    unit_type: Type,
}

impl Label {
    pub const ONE: Label = Label { negative: false, factor: Factor::One };

    pub fn of(term: TermId) -> Label {
        Label { negative: false, factor: Factor::Term(term) }
    }

    pub fn signed(self, negative: bool) -> Label {
        Label { negative: self.negative != negative, ..self }
    }

    pub fn term(self) -> Option<TermId> {
        self.factor.term()
    }
}

impl Factor {
    pub fn term(self) -> Option<TermId> {
        match self {
            Factor::One => None,
            Factor::Term(term) => Some(term),
        }
    }
}

impl Term {
    /// The terms it is computed from.
    pub fn operands(&self) -> Vec<TermId> {
        match self {
            Term::Leaf(_) => Vec::new(),
            Term::Product { outer, inner, .. } => vec![*outer, *inner],
            Term::Sum { left, right, .. } => left.term().into_iter().chain(right.term()).collect(),
            Term::Fused { addend, outer, inner, .. } => {
                addend.term().into_iter().chain([*outer, *inner]).collect()
            }
        }
    }
}

impl Terms {
    pub fn strong_zero(&self) -> StrongZero {
        self.strong_zero
    }

    pub fn new(strong_zero: StrongZero, unit_type: Type) -> Terms {
        Terms { terms: Vec::new(), known: HashMap::new(), strong_zero, unit_type }
    }

    pub fn leaf(&mut self, leaf: Leaf, facts: Facts) -> TermId {
        self.intern(Term::Leaf(leaf), facts)
    }

    /// No terms, computed as these are.
    pub fn empty(&self) -> Terms {
        Terms::new(self.strong_zero, self.unit_type.clone())
    }

    /// The label of other terms, a leaf or none, among these.
    pub fn import(&mut self, label: Label, from: &Terms) -> Label {
        let Some(id) = label.term() else { return label };
        let (term, facts) = &from.terms[id.0 as usize];
        assert!(matches!(term, Term::Leaf(_)), "labels are imported as they were read");
        Label::of(self.intern(term.clone(), facts.clone())).signed(label.negative)
    }

    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id.0 as usize].0
    }

    pub fn facts(&self, id: TermId) -> &Facts {
        &self.terms[id.0 as usize].1
    }

    pub fn kind(&self, label: Label) -> Kind {
        label.term().map_or(Kind::Unit, |term| self.facts(term).kind)
    }

    /// The terms that some others are computed from, those included, in an order in which they can be computed.
    pub fn needed(&self, roots: impl IntoIterator<Item = TermId>) -> BTreeSet<TermId> {
        let mut needed = BTreeSet::new();
        let mut waiting: Vec<TermId> = roots.into_iter().collect();
        while let Some(term) = waiting.pop() {
            if needed.insert(term) {
                waiting.extend(self.term(term).operands());
            }
        }
        needed
    }

    /// What it costs to compute some terms and everything they need, leaves included.
    pub fn cost(&self, roots: impl IntoIterator<Item = TermId>) -> Cost {
        let mut registers = Registers::default();
        let mut cost = Cost::default();
        for id in self.needed(roots) {
            let (term, facts) = &self.terms[id.0 as usize];
            if facts.kind == Kind::Constant {
                continue;
            }
            let variable = |term: &TermId| self.facts(*term).kind == Kind::Variable;
            term.operands().into_iter().filter(variable).for_each(|operand| registers.read(operand));
            // A leaf is computed where it is first read.
            if !matches!(term, Term::Leaf(_)) {
                registers.write(id);
            }
            cost += facts.cost + own_cost(term);
        }
        cost.traffic += registers.reloads();
        cost
    }

    /// Every term as a number of some arithmetic, given the leaves.
    pub fn evaluate<N>(&self, mut leaf: impl FnMut(&Leaf) -> N, one: N) -> Vec<N>
    where
        N: Clone + std::ops::Add<Output = N> + std::ops::Sub<Output = N> + std::ops::Mul<Output = N>,
    {
        let mut values: Vec<N> = Vec::new();
        for (term, _) in &self.terms {
            let of = |term: &TermId| values[term.0 as usize].clone();
            let factor = |factor: &Factor| factor.term().map_or(one.clone(), |term| of(&term));
            let add = |x: N, sign: &Sign, y: N| if *sign == Sign::Plus { x + y } else { x - y };
            let value = match term {
                Term::Leaf(given) => leaf(given),
                Term::Product { outer, inner, .. } => of(outer) * of(inner),
                Term::Sum { left, right, sign } => add(factor(left), sign, factor(right)),
                Term::Fused { addend, sign, outer, inner, .. } => {
                    add(factor(addend), sign, of(outer) * of(inner))
                }
            };
            values.push(value);
        }
        values
    }

    fn intern(&mut self, term: Term, facts: Facts) -> TermId {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let id = TermId(self.terms.len() as u32);
        self.known.insert(term.clone(), id);
        self.terms.push((term, facts));
        id
    }

    fn make_product(&mut self, outer: TermId, inner: TermId) -> TermId {
        let facts = self.joint_facts([Factor::Term(outer), Factor::Term(inner)], Kind::Constant);
        self.intern(self.product_of(outer, inner), facts)
    }

    fn product_of(&self, outer: TermId, inner: TermId) -> Term {
        let guarded = self.strong_zero != StrongZero::Never && self.facts(inner).singular;
        // Without a guard the factors are alike, so that either order is the same product.
        let (outer, inner) = if guarded || outer <= inner { (outer, inner) } else { (inner, outer) };
        Term::Product { outer, inner, guarded }
    }

    fn make_sum(&mut self, x: Label, y: Label) -> Label {
        let ((left, right), sign, negative) = match (x.negative, y.negative) {
            (false, false) => (ordered(x.factor, y.factor), Sign::Plus, false),
            (true, true) => (ordered(x.factor, y.factor), Sign::Plus, true),
            (false, true) => ((x.factor, y.factor), Sign::Minus, false),
            (true, false) => ((y.factor, x.factor), Sign::Minus, false),
        };
        let facts = self.joint_facts([left, right], Kind::Constant);
        Label::of(self.intern(Term::Sum { left, right, sign }, facts)).signed(negative)
    }

    /// Facts of what is computed from some factors; `floor` is the least that its kind can be.
    fn joint_facts<const N: usize>(&self, factors: [Factor; N], floor: Kind) -> Facts {
        let parts = factors.iter().filter_map(|factor| factor.term()).map(|term| self.facts(term));
        let start = Facts { kind: floor, singular: false, ty: self.unit_type.clone(), cost: Cost::default() };
        let mut typed = false;
        parts.fold(start, |mut joint, part| {
            joint.kind = joint.kind.max(part.kind);
            joint.singular |= part.singular;
            if !std::mem::replace(&mut typed, true) || is_wider(&part.ty, &joint.ty) {
                joint.ty = part.ty.clone();
            }
            joint
        })
    }
}

impl Algebra for Terms {
    type Label = Label;

    fn product(&mut self, outer: &Label, inner: &Label) -> Label {
        let factor = match (outer.factor, inner.factor) {
            (Factor::One, factor) | (factor, Factor::One) => factor,
            (Factor::Term(outer), Factor::Term(inner)) => Factor::Term(self.make_product(outer, inner)),
        };
        Label { negative: outer.negative != inner.negative, factor }
    }

    fn sum(&mut self, x: &Label, y: &Label) -> Label {
        self.make_sum(*x, *y)
    }

    fn absorb(&mut self, label: &Label, outer: &Label, inner: &Label) -> Label {
        let (Factor::Term(left), Factor::Term(right)) = (outer.factor, inner.factor) else {
            let product = self.product(outer, inner);
            return self.make_sum(*label, product);
        };
        let product = self.product_of(left, right);
        let constant = self.facts(left).kind.max(self.facts(right).kind) == Kind::Constant;
        if constant || self.known.contains_key(&product) {
            let product = self.product(outer, inner);
            return self.make_sum(*label, product);
        }
        let Term::Product { outer: first, inner: second, guarded } = product else { return *label };
        let same = label.negative == (outer.negative != inner.negative);
        let sign = if same { Sign::Plus } else { Sign::Minus };
        let facts =
            self.joint_facts([label.factor, Factor::Term(first), Factor::Term(second)], Kind::Variable);
        let term = Term::Fused { addend: label.factor, sign, outer: first, inner: second, guarded };
        Label::of(self.intern(term, facts)).signed(label.negative)
    }
}

fn own_cost(term: &Term) -> Cost {
    match term {
        Term::Leaf(_) => Cost::default(),
        Term::Product { guarded, .. } => {
            Cost { multiplications: 1, guards: u64::from(*guarded), ..Cost::default() }
        }
        Term::Sum { .. } => Cost { additions: 1, ..Cost::default() },
        Term::Fused { guarded, .. } => Cost { fused: 1, guards: u64::from(*guarded), ..Cost::default() },
    }
}

fn ordered(x: Factor, y: Factor) -> (Factor, Factor) {
    if x <= y { (x, y) } else { (y, x) }
}

/// Whether a float type holds more digits than another of the same shape.
fn is_wider(ty: &Type, than: &Type) -> bool {
    let digits = |ty: &Type| match ty.scalar() {
        Type::Float(FloatKind::Half | FloatKind::BFloat) => 1,
        Type::Float(FloatKind::Single) => 2,
        Type::Float(FloatKind::Double) => 3,
        Type::Float(FloatKind::X87) => 4,
        Type::Float(FloatKind::Quad | FloatKind::DoubleDouble) => 5,
        _ => 0,
    };
    digits(ty) > digits(than)
}
