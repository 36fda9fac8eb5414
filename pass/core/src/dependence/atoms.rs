//! What do addresses depend on, within one function?
//!
//! An *atom* is an integer we do not look into: the counter of a loop, the value of an instruction or parameter, or an
//! auxiliary integer (the multiple of 2^bits that wrapping took away, the quotient of a division). A [`Poly`] is an
//! integer polynomial in atoms. `varies` is the innermost loop in whose iterations an atom can differ; two instances
//! of an access in the same iteration of it (and of all loops around it) see the same number.

use std::collections::{BTreeMap, HashMap};

use super::linear::{Interval, floor_div, gcd};
use crate::model::{LoopId, Operand, Scev};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Counter(LoopId),
    /// An integer read as signed, or an address read as unsigned.
    Value(Operand),
    /// What has to be added to an expression, times its modulus, to get its value under a reading.
    Wrap(Scev, Reading),
    /// A division, or a minimum or maximum.
    Opaque(Scev),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    Signed,
    Unsigned,
}

#[derive(Clone, Debug)]
pub struct Atom {
    pub key: Key,
    pub varies: Option<LoopId>,
    pub range: Interval,
    /// Each is at least zero wherever the atom has a meaning.
    pub facts: Vec<Poly>,
}

#[derive(Clone, Debug, Default)]
pub struct Atoms {
    pub list: Vec<Atom>,
    values: HashMap<(Operand, Option<LoopId>), AtomId>,
    counters: HashMap<LoopId, AtomId>,
    auxiliaries: HashMap<(Key, Option<LoopId>), Vec<AtomId>>,
}

/// A sum of products of atoms; a product is sorted, the empty one is the constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Poly(pub BTreeMap<Vec<AtomId>, i128>);

/// Beyond so many terms or factors an expression is not worth being understood.
const MOST_TERMS: usize = 32;
const MOST_FACTORS: usize = 4;

impl Atoms {
    pub fn get(&self, id: AtomId) -> &Atom {
        &self.list[id.0 as usize]
    }

    pub fn counter(&mut self, of: LoopId) -> AtomId {
        if let Some(id) = self.counters.get(&of) {
            return *id;
        }
        let range = Interval { low: Some(0), high: None };
        let id = self.push(Atom { key: Key::Counter(of), varies: Some(of), range, facts: Vec::new() });
        self.counters.insert(of, id);
        id
    }

    pub fn value(&mut self, operand: &Operand, varies: Option<LoopId>, range: Interval) -> AtomId {
        let place = (operand.clone(), varies);
        if let Some(id) = self.values.get(&place) {
            return *id;
        }
        let id = self.push(Atom { key: Key::Value(operand.clone()), varies, range, facts: Vec::new() });
        self.values.insert(place, id);
        id
    }

    /// An auxiliary atom, made once for each key, loop and set of facts.
    pub fn auxiliary(
        &mut self,
        key: Key,
        varies: Option<LoopId>,
        range: Interval,
        facts: &dyn Fn(AtomId) -> Option<Vec<Poly>>,
    ) -> Option<AtomId> {
        let place = (key, varies);
        // The facts differ with what the place knew (a quotient already ruled out, for example).
        let same = |id: &&AtomId| Some(&self.get(**id).facts) == facts(**id).as_ref();
        if let Some(id) = self.auxiliaries.get(&place).and_then(|known| known.iter().find(same)) {
            return Some(*id);
        }
        let facts = facts(AtomId(self.list.len() as u32))?;
        let id = self.push(Atom { key: place.0.clone(), varies, range, facts });
        self.auxiliaries.entry(place).or_default().push(id);
        Some(id)
    }

    fn push(&mut self, atom: Atom) -> AtomId {
        self.list.push(atom);
        AtomId(self.list.len() as u32 - 1)
    }
}

impl Poly {
    pub fn constant(value: i128) -> Poly {
        Poly::term(Vec::new(), value)
    }

    pub fn atom(id: AtomId) -> Poly {
        Poly::term(vec![id], 1)
    }

    fn term(product: Vec<AtomId>, factor: i128) -> Poly {
        Poly(if factor == 0 { BTreeMap::new() } else { BTreeMap::from([(product, factor)]) })
    }

    pub fn add_scaled(&self, other: &Poly, factor: i128) -> Option<Poly> {
        let mut sum = self.0.clone();
        for (product, value) in &other.0 {
            let slot = sum.entry(product.clone()).or_insert(0);
            *slot = slot.checked_add(value.checked_mul(factor)?)?;
        }
        sum.retain(|_, value| *value != 0);
        (sum.len() <= MOST_TERMS).then_some(Poly(sum))
    }

    pub fn plus(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, 1)
    }

    pub fn minus(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, -1)
    }

    pub fn shift(&self, value: i128) -> Option<Poly> {
        self.plus(&Poly::constant(value))
    }

    pub fn scale(&self, factor: i128) -> Option<Poly> {
        Poly::default().add_scaled(self, factor)
    }

    pub fn times(&self, other: &Poly) -> Option<Poly> {
        let mut sum = Poly::default();
        for (x, a) in &self.0 {
            for (y, b) in &other.0 {
                let mut product = [x.clone(), y.clone()].concat();
                product.sort_unstable();
                if product.len() > MOST_FACTORS {
                    return None;
                }
                sum = sum.plus(&Poly::term(product, a.checked_mul(*b)?))?;
            }
        }
        Some(sum)
    }

    /// With a polynomial in place of an atom.
    pub fn put(&self, id: AtomId, value: &Poly) -> Option<Poly> {
        let mut sum = Poly::default();
        for (product, factor) in &self.0 {
            let rest: Vec<AtomId> = product.iter().copied().filter(|at| *at != id).collect();
            let power = product.len() - rest.len();
            let term = (0..power).try_fold(Poly::term(rest, *factor), |term, _| term.times(value))?;
            sum = sum.plus(&term)?;
        }
        Some(sum)
    }

    /// What is at least zero exactly where this is, with factors as small as they can be.
    pub fn reduced(&self) -> Poly {
        let terms = self.0.iter().filter(|(product, _)| !product.is_empty());
        let divisor = terms.fold(0, |sum, (_, factor)| gcd(sum, *factor)).max(1);
        let part = |(product, factor): (&Vec<AtomId>, &i128)| {
            let factor = if product.is_empty() { floor_div(*factor, divisor) } else { factor / divisor };
            (factor != 0).then(|| (product.clone(), factor))
        };
        Poly(self.0.iter().filter_map(part).collect())
    }

    pub fn atoms(&self) -> impl Iterator<Item = AtomId> {
        self.0.keys().flatten().copied()
    }

    pub fn as_constant(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The least and greatest value, each atom ranging on its own.
    pub fn interval(&self, range: &dyn Fn(AtomId) -> Interval) -> Interval {
        self.0.iter().fold(Interval::point(0), |sum, (product, factor)| {
            let product = product.iter().fold(Interval::point(1), |all, id| all.times(range(*id)));
            sum.plus(product.scale(*factor))
        })
    }
}
