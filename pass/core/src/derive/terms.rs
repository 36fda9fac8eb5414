//! Writes the program of a local Jacobian: products and sums over local partials become instructions.
//!
//! Terms + primal values → an operand for each term asked for. Nothing is chosen here: the terms are the elimination's,
//! the partials are the rows'.

use std::collections::BTreeMap;

use super::builder::Builder;
use super::expand::{Scope, convert_float, expand_value, guard};
use super::gradient::one_of;
use super::{derived_flags, results_of};
use crate::analyses::meaning::{Meaning, meaning};
use crate::config::StrongZero;
use crate::model::{Flags, FloatOp, Function, Inst, Op, Operand, Program, Type, ValueId};
use crate::preaccumulation::flatten::partial_of;
use crate::preaccumulation::terms::{Factor, Label, Leaf, Sign, Term, TermId, Terms};
use crate::rules::Rules;

pub struct TermWriter<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub terms: &'a Terms,
    /// Where the primal values are that partials are computed from.
    pub primal: &'a dyn Fn(&mut Builder, &Operand) -> Operand,
    /// The fast-math promises that products and sums may rely on: what all the operations they differentiate have.
    pub flags: Flags,
}

impl TermWriter<'_> {
    /// Writes some terms and all they need, in order.
    pub fn write(
        &self,
        builder: &mut Builder,
        roots: impl IntoIterator<Item = TermId>,
    ) -> BTreeMap<TermId, Operand> {
        let mut written = BTreeMap::new();
        self.write_missing(builder, roots, &mut written);
        written
    }

    /// Writes those of them that are not written yet.
    pub fn write_missing(
        &self,
        builder: &mut Builder,
        roots: impl IntoIterator<Item = TermId>,
        written: &mut BTreeMap<TermId, Operand>,
    ) {
        for id in self.terms.needed(roots) {
            if written.contains_key(&id) {
                continue;
            }
            let value = match self.terms.term(id) {
                Term::Leaf(leaf) => self.write_leaf(builder, leaf, id),
                term => {
                    builder.flags = self.flags;
                    self.write_term(builder, term, id, written)
                }
            };
            written.insert(id, value);
        }
    }

    fn write_leaf(&self, builder: &mut Builder, leaf: &Leaf, id: TermId) -> Operand {
        match leaf {
            Leaf::Primal(operand) => (self.primal)(builder, operand),
            Leaf::Partial { inst, result, operand } => {
                let (place, wanted) = (usize::from(*operand), &self.terms.facts(id).ty);
                self.write_partial(builder, *inst, usize::from(*result), place, wanted)
            }
            Leaf::Given(number) => unreachable!("no graph of a function has a given number ({number})"),
        }
    }

    fn write_partial(
        &self,
        builder: &mut Builder,
        id: ValueId,
        k: usize,
        i: usize,
        wanted: &Type,
    ) -> Operand {
        let inst: &Inst =
            self.function.inst(id).unwrap_or_else(|| unreachable!("a partial has an operation"));
        let Meaning::Row { row, operands, shape } = meaning(inst, self.function, self.program, self.rules)
        else {
            unreachable!("a partial is a row's")
        };
        builder.loc = inst.loc;
        builder.flags = derived_flags(inst.flags);
        let partial = partial_of(row.form(k, i));
        let expr = partial.expr.unwrap_or_else(|| unreachable!("a trivial partial is no term"));
        let needs = expr.needs();
        let take = |builder: &mut Builder, at: usize| {
            needs.operands.contains(at as u8).then(|| (self.primal)(builder, &operands[at]))
        };
        let at_hand: Vec<Option<Operand>> = (0..operands.len()).map(|at| take(builder, at)).collect();
        let results = if needs.results.is_empty() {
            vec![None; row.results.len()]
        } else {
            let whole = (self.primal)(builder, &Operand::Value(id));
            results_of(builder, row, shape, &whole)
        };
        let scope = Scope {
            rules: self.rules,
            strong_zero: StrongZero::Never,
            row,
            operands: &at_hand,
            results: &results,
            incoming: &vec![None; row.results.len()],
            wanted: wanted.clone(),
        };
        let value = expand_value(builder, &scope, &expr, wanted);
        convert_float(builder, value, wanted)
    }

    fn write_term(
        &self,
        builder: &mut Builder,
        term: &Term,
        id: TermId,
        written: &BTreeMap<TermId, Operand>,
    ) -> Operand {
        let ty = &self.terms.facts(id).ty;
        let of = |builder: &mut Builder, term: &TermId| convert_float(builder, written[term].clone(), ty);
        let factor = |builder: &mut Builder, factor: &Factor| match factor {
            Factor::One => Operand::Const(one_of(ty)),
            Factor::Term(term) => of(builder, term),
        };
        match term {
            Term::Leaf(_) => unreachable!("leaves are written from the primal"),
            Term::Product { outer, inner, guarded } => {
                let (outer, inner) = (of(builder, outer), of(builder, inner));
                self.multiply(builder, ty, (outer, inner), *guarded)
            }
            Term::Sum { left, right, sign } => {
                let (left, right) = (factor(builder, left), factor(builder, right));
                builder.push_float(Op::Float(add_or_subtract(*sign)), ty.clone(), vec![left, right])
            }
            Term::Fused { addend, sign, outer, inner, guarded } => {
                let addend = factor(builder, addend);
                let (outer, inner) = (of(builder, outer), of(builder, inner));
                let product = self.multiply(builder, ty, (outer, inner), *guarded);
                builder.push_float(Op::Float(add_or_subtract(*sign)), ty.clone(), vec![addend, product])
            }
        }
    }

    /// A product; where guarded, zero if the factor nearer the outputs is exactly zero.
    fn multiply(
        &self,
        builder: &mut Builder,
        ty: &Type,
        (outer, inner): (Operand, Operand),
        guarded: bool,
    ) -> Operand {
        let product = builder.push_float(Op::Float(FloatOp::Mul), ty.clone(), vec![outer.clone(), inner]);
        if guarded { guard(builder, self.terms.strong_zero(), &outer, product) } else { product }
    }
}

/// What a label stands for, given its term: ± the term, or ± 1 in the type asked for.
pub fn write_label(
    builder: &mut Builder,
    label: Label,
    written: &BTreeMap<TermId, Operand>,
    ty: &Type,
) -> Operand {
    let value = match label.factor {
        Factor::One => Operand::Const(one_of(ty)),
        Factor::Term(term) => written[&term].clone(),
    };
    let ty = builder.type_of(&value);
    if label.negative { builder.push_float(Op::FNeg, ty, vec![value]) } else { value }
}

fn add_or_subtract(sign: Sign) -> FloatOp {
    match sign {
        Sign::Plus => FloatOp::Add,
        Sign::Minus => FloatOp::Sub,
    }
}
