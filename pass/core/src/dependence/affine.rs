//! What integer does a symbolic expression stand for, as a polynomial in counters and symbols?
//!
//! Arithmetic in a [`Scev`] is modulo 2^bits. A sum, product or recurrence *is* its mathematical value where
//! * a no-wrap flag says so (`nsw` for the signed, `nuw` for the unsigned reading), or
//! * ranges of what it is made of (types, loop bounds, guards) say so.
//!
//! Without such a fact it is its mathematical value plus an unknown multiple of 2^bits, with the reading's range as a
//! fact about that multiple: still exact, and harmless, since the multiple is one more variable.
//! `None`: not a polynomial we understand. Safe error: `None`, or a variable too many.

use std::collections::HashMap;

use super::atoms::{AtomId, Atoms, Key, Poly, Reading};
use super::linear::{Interval, ceil_div, floor_div};
use super::nesting::Nesting;
use crate::model::{BlockId, Constant, LoopId, Operand, Scev, Type, Wrap};

/// Addresses of all spaces are read as integers of this width; spaces with narrower ones are not analysed.
pub const ADDRESS_BITS: u32 = 64;

/// Evaluates expressions as they are at one block.
pub struct Affine<'a> {
    pub nesting: &'a Nesting<'a>,
    pub atoms: &'a mut Atoms,
    pub block: BlockId,
    /// What the guards of the block say about single atoms.
    pub ranges: HashMap<AtomId, Interval>,
    /// What they say about several; each is at least zero.
    pub facts: Vec<Poly>,
    /// Loops that are in their first iteration.
    pub first: Vec<LoopId>,
}

/// The integers of a width under a reading.
pub fn range_of(bits: u32, reading: Reading) -> Option<(i128, i128)> {
    if bits == 0 || bits > 100 {
        return None;
    }
    Some(match reading {
        Reading::Signed => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        Reading::Unsigned => (0, (1i128 << bits) - 1),
    })
}

impl Affine<'_> {
    pub fn range(&self, id: AtomId) -> Interval {
        let own = self.atoms.get(id).range;
        self.ranges.get(&id).map_or(own, |known| known.meet(own))
    }

    pub fn interval(&self, poly: &Poly) -> Interval {
        poly.interval(&|id| self.range(id))
    }

    pub fn bits(&self, scev: &Scev) -> Option<u32> {
        match scev {
            Scev::Const { bits, .. } | Scev::ZExt(bits, _) | Scev::SExt(bits, _) => Some(*bits),
            Scev::Trunc(bits, _) | Scev::PtrToInt(bits, _) => Some(*bits),
            Scev::Value(operand) => match self.nesting.function.known_type(operand)? {
                Type::Int(bits) => Some(bits),
                Type::Ptr(_) => Some(ADDRESS_BITS),
                _ => None,
            },
            Scev::Add(_, parts) | Scev::Mul(_, parts) => self.bits(parts.first()?),
            Scev::SMax(parts) | Scev::UMax(parts) | Scev::SMin(parts) | Scev::UMin(parts) => {
                self.bits(parts.first()?)
            }
            Scev::UDiv(x, _) | Scev::Rec { start: x, .. } => self.bits(x),
            Scev::Unknown => None,
        }
    }

    pub fn signed(&mut self, scev: &Scev) -> Option<Poly> {
        self.read(scev, Reading::Signed)
    }

    pub fn unsigned(&mut self, scev: &Scev) -> Option<Poly> {
        self.read(scev, Reading::Unsigned)
    }

    /// The value under a reading.
    pub fn read(&mut self, scev: &Scev, reading: Reading) -> Option<Poly> {
        let holds = |wrap: &Wrap| if reading == Reading::Signed { wrap.nsw } else { wrap.nuw };
        match scev {
            Scev::Const { bits, value } => Some(Poly::constant(match reading {
                Reading::Unsigned if *value < 0 => {
                    value.checked_add(1i128.checked_shl(*bits).filter(|x| *x > 0)?)?
                }
                _ => *value,
            })),
            Scev::Add(wrap, parts) if holds(wrap) => {
                self.sum(parts, &mut |this, part| this.read(part, reading))
            }
            Scev::Mul(wrap, parts) if holds(wrap) => {
                self.product(parts, &mut |this, part| this.read(part, reading))
            }
            Scev::Rec { wrap, start, step, of } if holds(wrap) && self.is_inside(*of) => {
                let (start, step) = (self.read(start, reading)?, self.read(step, reading)?);
                self.recurrence(start, step, *of)
            }
            Scev::SExt(_, inner) if reading == Reading::Signed => self.signed(inner),
            Scev::ZExt(_, inner) => self.unsigned(inner),
            _ => self.wrap(scev, reading),
        }
    }

    fn wrap(&mut self, scev: &Scev, reading: Reading) -> Option<Poly> {
        let bits = self.bits(scev)?;
        let (low, high) = range_of(bits, reading)?;
        let other = if reading == Reading::Signed { Reading::Unsigned } else { Reading::Signed };
        let told = match scev {
            Scev::Add(wrap, _) | Scev::Mul(wrap, _) => Some(*wrap),
            Scev::Rec { wrap, of, .. } if self.is_inside(*of) => Some(*wrap),
            _ => None,
        };
        // The flag of the other reading gives its exact value, which is ours where the two agree.
        let candidate = match told {
            Some(wrap) if other == Reading::Signed && wrap.nsw => self.signed(scev)?,
            Some(wrap) if other == Reading::Unsigned && wrap.nuw => self.unsigned(scev)?,
            _ => self.congruent(scev)?,
        };
        let spare = (candidate.shift(low.checked_neg()?)?, Poly::constant(high).minus(&candidate)?);
        if self.is_natural(&spare.0) && self.is_natural(&spare.1) {
            return Some(candidate);
        }
        let modulus = 1i128 << bits;
        let facts = |multiple: AtomId| {
            let value = candidate.add_scaled(&Poly::atom(multiple), modulus)?;
            Some(vec![value.shift(low.checked_neg()?)?, Poly::constant(high).minus(&value)?])
        };
        let varies = self.varies(&candidate);
        // low ≤ candidate + modulus·multiple ≤ high.
        let reach = self.interval(&candidate);
        let least = reach.high.and_then(|most| low.checked_sub(most));
        let most = reach.low.and_then(|least| high.checked_sub(least));
        let range =
            Interval { low: least.map(|x| ceil_div(x, modulus)), high: most.map(|x| floor_div(x, modulus)) };
        if let (Some(only), true) = (range.low, range.low == range.high) {
            return candidate.shift(only.checked_mul(modulus)?);
        }
        let key = Key::Wrap(scev.clone(), reading);
        let multiple = self.atoms.auxiliary(key, varies, Interval::ANY, &facts)?;
        self.narrow(multiple, range);
        candidate.add_scaled(&Poly::atom(multiple), modulus)
    }

    /// Notes a range that holds here.
    pub fn narrow(&mut self, id: AtomId, range: Interval) {
        let known = self.range(id).meet(range);
        self.ranges.insert(id, known);
    }

    /// Whether ranges, or ranges and some multiple of one fact, say that a polynomial is at least zero.
    pub fn is_natural(&self, poly: &Poly) -> bool {
        let natural = |poly: &Poly| self.interval(poly).low.is_some_and(|low| low >= 0);
        let own = poly.atoms().flat_map(|id| &self.atoms.get(id).facts);
        natural(poly) || self.facts.iter().chain(own).any(|fact| rests(poly, fact).iter().any(natural))
    }

    /// A polynomial equal to the value modulo 2^bits; no fact is needed.
    pub fn congruent(&mut self, scev: &Scev) -> Option<Poly> {
        match scev {
            Scev::Const { value, .. } => Some(Poly::constant(*value)),
            Scev::Value(operand) => self.value(operand),
            Scev::Add(_, parts) => self.sum(parts, &mut |this, part| this.congruent(part)),
            Scev::Mul(_, parts) => self.product(parts, &mut |this, part| this.congruent(part)),
            Scev::Rec { start, step, of, .. } if self.is_inside(*of) => {
                let (start, step) = (self.congruent(start)?, self.congruent(step)?);
                self.recurrence(start, step, *of)
            }
            Scev::SExt(_, inner) => self.signed(inner),
            Scev::ZExt(_, inner) => self.unsigned(inner),
            Scev::Trunc(_, inner) | Scev::PtrToInt(_, inner) => self.congruent(inner),
            Scev::UDiv(x, y) => self.quotient(scev, x, y),
            Scev::SMax(parts) => self.extreme(scev, parts, Reading::Signed, 1),
            Scev::SMin(parts) => self.extreme(scev, parts, Reading::Signed, -1),
            Scev::UMax(parts) => self.extreme(scev, parts, Reading::Unsigned, 1),
            Scev::UMin(parts) => self.extreme(scev, parts, Reading::Unsigned, -1),
            Scev::Rec { .. } | Scev::Unknown => None,
        }
    }

    /// A counter means something only inside its loop.
    fn is_inside(&self, of: LoopId) -> bool {
        self.nesting.encloses(of, self.block)
    }

    fn recurrence(&mut self, start: Poly, step: Poly, of: LoopId) -> Option<Poly> {
        if self.first.contains(&of) {
            return Some(start);
        }
        let counter = Poly::atom(self.atoms.counter(of));
        start.plus(&step.times(&counter)?)
    }

    fn sum(
        &mut self,
        parts: &[Scev],
        read: &mut dyn FnMut(&mut Self, &Scev) -> Option<Poly>,
    ) -> Option<Poly> {
        parts.iter().try_fold(Poly::default(), |sum, part| sum.plus(&read(self, part)?))
    }

    fn product(
        &mut self,
        parts: &[Scev],
        read: &mut dyn FnMut(&mut Self, &Scev) -> Option<Poly>,
    ) -> Option<Poly> {
        parts.iter().try_fold(Poly::constant(1), |product, part| product.times(&read(self, part)?))
    }

    /// An integer as signed, an address as unsigned.
    pub fn value(&mut self, operand: &Operand) -> Option<Poly> {
        if let Operand::Const(constant) = operand {
            match constant {
                // Each use of what is undefined may be another number.
                Constant::Undef(_) | Constant::Poison(_) => return None,
                _ => {}
            }
            if let Some(value) = constant.as_signed() {
                return Some(Poly::constant(value));
            }
        }
        let (bits, reading) = match self.nesting.function.known_type(operand)? {
            Type::Int(bits) => (bits, Reading::Signed),
            Type::Ptr(_) => (ADDRESS_BITS, Reading::Unsigned),
            _ => return None,
        };
        let (low, high) = range_of(bits, reading)?;
        let operand = match operand {
            Operand::Value(id) => &Operand::Value(self.nesting.representative(*id)),
            constant => constant,
        };
        let varies = operand.value().and_then(|id| self.nesting.varies(id, self.block));
        Some(Poly::atom(self.atoms.value(operand, varies, Interval::between(low, high))))
    }

    /// `q` with `0 ≤ x - d·q ≤ d - 1`, for a constant divisor.
    fn quotient(&mut self, scev: &Scev, x: &Scev, y: &Scev) -> Option<Poly> {
        let divisor = self.unsigned(y)?.as_constant().filter(|divisor| *divisor > 0)?;
        let dividend = self.unsigned(x)?;
        let facts = |quotient: AtomId| {
            let rest = dividend.add_scaled(&Poly::atom(quotient), -divisor)?;
            Some(vec![rest.clone(), Poly::constant(divisor - 1).minus(&rest)?])
        };
        let divided = |end: Option<i128>| end.map(|end| end.div_euclid(divisor));
        let reach = self.interval(&dividend);
        let range = Interval { low: divided(reach.low).or(Some(0)), high: divided(reach.high) };
        if let (Some(low), true) = (range.low, range.low == range.high) {
            return Some(Poly::constant(low));
        }
        let varies = self.varies(&dividend);
        let natural = Interval { low: Some(0), high: None };
        let quotient = self.atoms.auxiliary(Key::Opaque(scev.clone()), varies, natural, &facts)?;
        // An atom's own range holds everywhere, this one here.
        self.narrow(quotient, range);
        Some(Poly::atom(quotient))
    }

    /// A minimum or maximum: on the right side of each of its parts, and within their joint range; a part that is known to
    /// be on the right side of all others is it.
    fn extreme(&mut self, scev: &Scev, parts: &[Scev], reading: Reading, sign: i128) -> Option<Poly> {
        let parts: Option<Vec<Poly>> = parts.iter().map(|part| self.read(part, reading)).collect();
        let parts = parts?;
        let beats = |one: &Poly, other: &Poly| {
            one.minus(other).and_then(|gap| gap.scale(sign)).is_some_and(|gap| self.is_natural(&gap))
        };
        if let Some(best) = parts.iter().find(|one| parts.iter().all(|other| beats(one, other))) {
            return Some(best.clone());
        }
        let (low, high) = range_of(self.bits(scev)?, reading)?;
        let reach = |part: &Poly| self.interval(part).meet(Interval::between(low, high));
        let ranges: Vec<Interval> = parts.iter().map(reach).collect();
        let lows: Option<Vec<i128>> = ranges.iter().map(|range| range.low).collect();
        let highs: Option<Vec<i128>> = ranges.iter().map(|range| range.high).collect();
        let best = |ends: Option<Vec<i128>>| {
            let ends = ends?.into_iter();
            if sign > 0 { ends.max() } else { ends.min() }
        };
        let range = Interval { low: best(lows), high: best(highs) };
        let facts = |extreme: AtomId| {
            parts
                .iter()
                .map(|part| Poly::atom(extreme).minus(part)?.scale(sign))
                .collect::<Option<Vec<Poly>>>()
        };
        let varies =
            parts.iter().filter_map(|part| self.varies(part)).max_by_key(|of| self.nesting.depth(*of));
        let extreme = self.atoms.auxiliary(Key::Opaque(scev.clone()), varies, Interval::ANY, &facts)?;
        self.narrow(extreme, range);
        Some(Poly::atom(extreme))
    }

    /// The innermost loop in whose iterations a polynomial can change.
    pub fn varies(&self, poly: &Poly) -> Option<LoopId> {
        let loops = poly.atoms().filter_map(|id| self.atoms.get(id).varies);
        loops.max_by_key(|of| self.nesting.depth(*of))
    }
}

/// What is left of a polynomial without the multiples of a fact that take one of its terms away.
fn rests(poly: &Poly, fact: &Poly) -> Vec<Poly> {
    let terms = poly.0.iter().filter(|(product, _)| !product.is_empty());
    let exact = |(product, factor): (&Vec<AtomId>, &i128)| {
        let own = fact.0.get(product)?;
        let times = factor.checked_div(*own)?;
        (times > 0 && times.checked_mul(*own)? == *factor).then_some(times)
    };
    let mut times: Vec<i128> = terms.filter_map(exact).collect();
    times.dedup();
    times.into_iter().filter_map(|times| poly.add_scaled(fact, -times)).collect()
}
