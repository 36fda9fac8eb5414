//! The test that tells whether the memory behind some parameters is apart: interval arithmetic on entry.
//!
//! Every address is followed from the parameters on, in 128 bits, with its lowest and highest value over all passes of
//! the loops around it. Whatever might have wrapped in the program's own arithmetic makes the test fail, so it never
//! holds for another reason than that the bytes are apart.

use std::collections::BTreeMap;

use super::Source;
use super::builder::Builder;
use crate::dependence::guarded::{Asks, Either};
use crate::model::{CastOp, Constant, IntOp, IntPredicate, LoopId, Op, Operand, Scev, Type, ValueId};
use crate::plan::Separation;
use crate::plan::separation::choices_of;

pub const WIDE: Type = Type::Int(128);

pub type Interval = (Operand, Operand);

pub struct Ranges<'a> {
    source: &'a Source<'a>,
    pub builder: &'a mut Builder,
    /// The primal parameters, in the function being written.
    params: &'a [Operand],
    /// Whether nothing wrapped so far.
    pub valid: Operand,
    /// What has to hold for what is computed now to matter at all.
    given: Option<Operand>,
    /// The loops whose last arrival at their headers does not count.
    asked: Vec<LoopId>,
    /// Other numbers of the function that were computed on entry.
    values: BTreeMap<ValueId, Operand>,
    known: Vec<(Scev, Interval)>,
}

/// Whether all parameters of the separation that are written are apart from the others.
pub fn write_separation(
    source: &Source,
    builder: &mut Builder,
    params: &[Operand],
    separation: &Separation,
) -> Operand {
    let mut ranges = Ranges::of(source, builder, params, BTreeMap::new());
    let extents: Vec<(bool, Interval)> = separation
        .extents
        .iter()
        .map(|(param, extent)| {
            let place = ranges.address_of(*param);
            let range = ranges.join_accesses(&extent.accesses);
            (extent.written, ranges.shift(range, place))
        })
        .collect();
    // Globals are different already.
    for (name, bytes) in &separation.globals {
        let global = Operand::Const(Constant::Symbol { name: name.clone(), space: 0 });
        let start = ranges.widen_address(global);
        let whole = ranges.shift((wide(0), wide(i128::from(*bytes))), start);
        extents.iter().for_each(|(_, param)| ranges.require_apart(param, &whole));
    }
    for (at, (written, first)) in extents.iter().enumerate() {
        for (other, second) in &extents[at + 1..] {
            if *written || *other {
                ranges.require_apart(first, second);
            }
        }
    }
    for either in separation.clauses() {
        ranges.require_one_of(either);
    }
    ranges.valid
}

impl<'a> Ranges<'a> {
    pub fn of(
        source: &'a Source<'a>,
        builder: &'a mut Builder,
        params: &'a [Operand],
        values: BTreeMap<ValueId, Operand>,
    ) -> Ranges<'a> {
        let valid = Operand::Const(Constant::bool(true));
        Ranges { source, builder, params, valid, given: None, asked: Vec::new(), values, known: Vec::new() }
    }

    /// From here on nothing matters unless that holds, and what is asked about lies in those loops behind the question whether
    /// there is another pass.
    pub fn suppose(&mut self, given: Option<Operand>, asked: &[LoopId]) {
        self.given = given;
        self.asked = asked.to_vec();
        self.known.clear();
    }

    /// How often a loop goes round, where that is the same each time.
    pub fn turns_of(&self, of: LoopId) -> Option<Scev> {
        let turns = self.source.function.loops[of.0 as usize].back_edges.as_ref();
        turns.filter(|turns| !turns.moves()).cloned()
    }

    fn address_of(&mut self, param: ValueId) -> Operand {
        let pointer = self.params[param.0 as usize].clone();
        self.widen_address(pointer)
    }

    fn widen_address(&mut self, pointer: Operand) -> Operand {
        let address = self.builder.push(Op::Cast(CastOp::PtrToInt), Type::I64, vec![pointer]);
        self.builder.push(Op::Cast(CastOp::ZExt), WIDE, vec![address])
    }

    /// From the first byte accessed to behind the last, counted from the parameter.
    fn join_accesses(&mut self, accesses: &[(ValueId, Scev, u64)]) -> Interval {
        let mut all: Option<Interval> = None;
        let mut seen: Vec<(&Scev, u64)> = Vec::new();
        for (_, address, bytes) in accesses {
            if seen.contains(&(address, *bytes)) {
                continue;
            }
            seen.push((address, *bytes));
            let (low, high) = self.range_of(address);
            let end = self.int(IntOp::Add, high, wide(i128::from(*bytes)));
            all = Some(match all {
                None => (low, end),
                Some((first, last)) => {
                    (self.choose(IntPredicate::Slt, low, first), self.choose(IntPredicate::Sgt, end, last))
                }
            });
        }
        all.unwrap_or((wide(0), wide(0)))
    }

    fn shift(&mut self, (low, high): Interval, by: Operand) -> Interval {
        (self.int(IntOp::Add, low, by.clone()), self.int(IntOp::Add, high, by))
    }

    fn require_apart(&mut self, first: &Interval, second: &Interval) {
        let before = self.compare(IntPredicate::Sle, first.1.clone(), second.0.clone());
        let behind = self.compare(IntPredicate::Sle, second.1.clone(), first.0.clone());
        let apart = self.builder.push(Op::Int(IntOp::Or), Type::BOOL, vec![before, behind]);
        self.require(apart);
    }

    /// That one of the conditions holds, in numbers so wide that nothing wraps.
    fn require_one_of(&mut self, either: &Either) {
        let mut holds = Operand::Const(Constant::bool(false));
        for condition in either {
            let mut sum = wide(condition.constant);
            for (param, factor) in &condition.terms {
                let (value, _) = self.read_on_entry(*param);
                let term = self.int(IntOp::Mul, value, wide(*factor));
                sum = self.int(IntOp::Add, sum, term);
            }
            let predicate = match condition.asks {
                Asks::BelowZero => IntPredicate::Slt,
                Asks::NotZero => IntPredicate::Ne,
            };
            let one = self.compare(predicate, sum, wide(0));
            holds = self.builder.push(Op::Int(IntOp::Or), Type::BOOL, vec![holds, one]);
        }
        self.require(holds);
    }

    pub fn range_of(&mut self, scev: &Scev) -> Interval {
        if let Some((_, range)) = self.known.iter().find(|(known, _)| known == scev) {
            return range.clone();
        }
        let range = self.compute(scev);
        self.known.push((scev.clone(), range.clone()));
        range
    }

    fn compute(&mut self, scev: &Scev) -> Interval {
        match scev {
            Scev::Const { value, .. } => (wide(*value), wide(*value)),
            Scev::Value(Operand::Value(id)) if self.values.contains_key(id) => self.read_value(*id),
            Scev::Value(Operand::Value(id)) => match choices_of(self.source.function, *id) {
                Some(choices) => self.join_choices(&choices),
                None => self.read_param(*id),
            },
            Scev::Add(_, terms) => {
                let sum = self.fold(terms, |ranges, (a, b), (c, d)| {
                    (ranges.int(IntOp::Add, a, c), ranges.int(IntOp::Add, b, d))
                });
                self.within(sum, self.bits_of(scev))
            }
            Scev::Mul(_, factors) => {
                let bits = self.bits_of(scev);
                self.fold(factors, |ranges, a, b| {
                    let product = ranges.multiply(a, b);
                    ranges.within(product, bits)
                })
            }
            Scev::SMax(terms) => self.fold(terms, |ranges, (a, b), (c, d)| {
                (ranges.choose(IntPredicate::Sgt, a, c), ranges.choose(IntPredicate::Sgt, b, d))
            }),
            Scev::SMin(terms) => self.fold(terms, |ranges, (a, b), (c, d)| {
                (ranges.choose(IntPredicate::Slt, a, c), ranges.choose(IntPredicate::Slt, b, d))
            }),
            // Unsigned and signed agree on what is not negative.
            Scev::UMax(terms) => {
                terms.iter().for_each(|term| self.require_natural(term));
                self.compute(&Scev::SMax(terms.clone()))
            }
            Scev::UMin(terms) => {
                terms.iter().for_each(|term| self.require_natural(term));
                self.compute(&Scev::SMin(terms.clone()))
            }
            Scev::ZExt(_, x) => {
                self.require_natural(x);
                self.range_of(x)
            }
            Scev::SExt(_, x) => self.range_of(x),
            Scev::Trunc(bits, x) => {
                let range = self.range_of(x);
                self.within(range, *bits)
            }
            Scev::Rec { start, step, of, .. } => {
                let Some(turns) = self.source.function.loops[of.0 as usize].back_edges.clone() else {
                    return self.unknown();
                };
                self.require_natural(&turns);
                let (_, mut most) = self.range_of(&turns);
                if self.asked.contains(of) {
                    most = self.int(IntOp::Sub, most, wide(1));
                }
                let step = self.range_of(step);
                let moved = self.multiply((wide(0), most), step);
                let (low, high) = self.range_of(start);
                let range = (self.int(IntOp::Add, low, moved.0), self.int(IntOp::Add, high, moved.1));
                self.within(range, self.bits_of(scev))
            }
            Scev::Value(Operand::Const(_)) | Scev::UDiv(..) | Scev::PtrToInt(..) | Scev::Unknown => {
                self.unknown()
            }
        }
    }

    /// Wherever one of them leads.
    fn join_choices(&mut self, choices: &[Scev]) -> Interval {
        self.fold(choices, |ranges, (a, b), (c, d)| {
            (ranges.choose(IntPredicate::Slt, a, c), ranges.choose(IntPredicate::Sgt, b, d))
        })
    }

    /// A number of the caller's; a pointer is where distances are counted from.
    fn read_param(&mut self, id: ValueId) -> Interval {
        match self.source.function.value_type(id) {
            Type::Int(bits) if *bits < 128 => {
                let value = self.params[id.0 as usize].clone();
                let value = self.builder.push(Op::Cast(CastOp::SExt), WIDE, vec![value]);
                (value.clone(), value)
            }
            Type::Ptr(_) => (wide(0), wide(0)),
            _ => self.unknown(),
        }
    }

    /// A number of the caller's, or one that he has put behind a pointer.
    fn read_on_entry(&mut self, id: ValueId) -> Interval {
        let Some(inst) = self.source.function.inst(id) else { return self.read_param(id) };
        let address = self.write_address(&inst.operands[0]);
        let value = self.builder.push(inst.op.clone(), inst.ty.clone(), vec![address]);
        let value = self.builder.push(Op::Cast(CastOp::SExt), WIDE, vec![value]);
        (value.clone(), value)
    }

    /// Some constant steps behind a parameter.
    fn write_address(&mut self, address: &Operand) -> Operand {
        let steps = address.value().and_then(|id| self.source.function.inst(id));
        match (steps, address) {
            (Some(steps), _) => {
                let mut operands = steps.operands.clone();
                operands[0] = self.write_address(&steps.operands[0]);
                self.builder.push(steps.op.clone(), steps.ty.clone(), operands)
            }
            (None, Operand::Value(param)) => self.params[param.0 as usize].clone(),
            (None, Operand::Const(_)) => address.clone(),
        }
    }

    /// The same of what was computed on entry.
    fn read_value(&mut self, id: ValueId) -> Interval {
        let value = self.values[&id].clone();
        match self.source.function.value_type(id) {
            Type::Int(bits) if *bits < 128 => {
                let value = self.builder.push(Op::Cast(CastOp::SExt), WIDE, vec![value]);
                (value.clone(), value)
            }
            _ => self.unknown(),
        }
    }

    fn fold(
        &mut self,
        terms: &[Scev],
        mut join: impl FnMut(&mut Self, Interval, Interval) -> Interval,
    ) -> Interval {
        let mut terms = terms.iter();
        let Some(first) = terms.next() else { return self.unknown() };
        let mut range = self.range_of(first);
        for term in terms {
            let next = self.range_of(term);
            range = join(self, range, next);
        }
        range
    }

    /// The lowest and highest of the four products of the ends.
    fn multiply(&mut self, (a, b): Interval, (c, d): Interval) -> Interval {
        let ends = [(&a, &c), (&a, &d), (&b, &c), (&b, &d)];
        let products: Vec<Operand> =
            ends.into_iter().map(|(x, y)| self.int(IntOp::Mul, x.clone(), y.clone())).collect();
        let (mut low, mut high) = (products[0].clone(), products[0].clone());
        for product in &products[1..] {
            low = self.choose(IntPredicate::Slt, product.clone(), low);
            high = self.choose(IntPredicate::Sgt, product.clone(), high);
        }
        (low, high)
    }

    /// What lies in the range of a signed number of these bits did not wrap.
    fn within(&mut self, (low, high): Interval, bits: u32) -> Interval {
        let most = 1i128 << (bits.clamp(2, 64) - 1).min(62);
        let above = self.compare(IntPredicate::Sge, low.clone(), wide(-most));
        let below = self.compare(IntPredicate::Slt, high.clone(), wide(most));
        self.require(above);
        self.require(below);
        (low, high)
    }

    fn require_natural(&mut self, scev: &Scev) {
        let (low, _) = self.range_of(scev);
        let natural = self.compare(IntPredicate::Sge, low, wide(0));
        self.require(natural);
    }

    pub fn require(&mut self, mut condition: Operand) {
        if let Some(given) = self.given.clone() {
            let spared = self.builder.push(
                Op::Int(IntOp::Xor),
                Type::BOOL,
                vec![given, Operand::Const(Constant::bool(true))],
            );
            condition = self.builder.push(Op::Int(IntOp::Or), Type::BOOL, vec![spared, condition]);
        }
        let both = vec![self.valid.clone(), condition];
        self.valid = self.builder.push(Op::Int(IntOp::And), Type::BOOL, both);
    }

    fn unknown(&mut self) -> Interval {
        self.require(Operand::Const(Constant::bool(false)));
        (wide(0), wide(0))
    }

    pub fn int(&mut self, op: IntOp, a: Operand, b: Operand) -> Operand {
        self.builder.push(Op::Int(op), WIDE, vec![a, b])
    }

    pub fn compare(&mut self, predicate: IntPredicate, a: Operand, b: Operand) -> Operand {
        self.builder.push(Op::ICmp(predicate), Type::BOOL, vec![a, b])
    }

    pub fn choose(&mut self, predicate: IntPredicate, a: Operand, b: Operand) -> Operand {
        let test = self.compare(predicate, a.clone(), b.clone());
        self.builder.push(Op::Select, WIDE, vec![test, a, b])
    }

    /// The width in which the program computes this.
    fn bits_of(&self, scev: &Scev) -> u32 {
        match scev {
            Scev::Const { bits, .. } | Scev::ZExt(bits, _) | Scev::SExt(bits, _) | Scev::Trunc(bits, _) => {
                *bits
            }
            Scev::Value(operand) => match self.source.function.operand_type(operand) {
                Type::Int(bits) => bits,
                _ => 64,
            },
            // All have one width; a pointer among them counts for 64.
            Scev::Add(_, terms) | Scev::Mul(_, terms) => {
                terms.iter().map(|term| self.bits_of(term)).min().unwrap_or(2)
            }
            Scev::SMax(terms) | Scev::SMin(terms) | Scev::UMax(terms) | Scev::UMin(terms) => {
                terms.iter().map(|term| self.bits_of(term)).min().unwrap_or(2)
            }
            Scev::Rec { start, step, .. } => self.bits_of(start).min(self.bits_of(step)),
            Scev::UDiv(x, _) => self.bits_of(x),
            Scev::PtrToInt(bits, _) => *bits,
            Scev::Unknown => 2,
        }
    }
}

pub fn wide(value: i128) -> Operand {
    Operand::Const(Constant::int(128, value))
}
