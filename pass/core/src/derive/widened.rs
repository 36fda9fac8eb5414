//! Forward mode over a derivative with records on the tape: each record that carries something active is as many times as
//! wide as there are directions and the record itself, and the tangents lie behind it.

use super::builder::Builder;
use super::lasting::put_on_list;
use super::tangent::Writer;
use crate::analyses::tape_records::put_off_by;
use crate::model::{Constant, Gep, Inst, IntOp, Op, Operand, Stride, Type, ValueId};

impl Writer<'_> {
    /// Copies a push or pop with the wider record, in which each direction has its shadow.
    pub fn widen_record(&mut self, id: ValueId, inst: &Inst) {
        let width = u64::from(self.source.plan.width());
        let bytes = self.copies.operand(&inst.operands[1]);
        let mut operands: Vec<Operand> = inst.operands.iter().map(|x| self.copies.operand(x)).collect();
        operands[1] = times(&mut self.builder, &bytes, 1 + width);
        let record = self.builder.push_inst(Inst { operands, origin: Some(id), ..inst.clone() });
        self.copies.values.insert(id, record.clone());
        for lane in 0..self.source.plan.width() {
            let behind = times(&mut self.builder, &bytes, 1 + u64::from(lane));
            let gep = Op::Gep(Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] });
            let shadow = self.builder.push(gep, Type::PTR, vec![record.clone(), behind]);
            self.shadows.insert(id, lane, shadow);
        }
    }

    /// Where the derivative puts off freeing memory, the tangents' shadows of that memory, and of its shadow, are put off with it:
    /// those that are ours.
    pub fn put_shadow_off(&mut self, inst: &Inst) {
        let (tape, name) = (inst.operands.first(), inst.arguments().last());
        let [Some(tape), Some(name)] = [tape, name].map(|x| x.map(|x| self.copies.operand(x))) else {
            return;
        };
        let shadowed = put_off_by(inst).into_iter().filter(|x| self.source.plan.activity.is_shadowed(x));
        for pointer in shadowed.collect::<Vec<_>>() {
            for lane in 0..self.source.plan.width() {
                let shadow = self.shadows.of(pointer, lane);
                let nothing = Operand::Const(Constant::Null(Type::PTR));
                put_on_list(&mut self.builder, tape.clone(), nothing, "free", shadow, name.clone());
            }
        }
    }
}

fn times(builder: &mut Builder, bytes: &Operand, factor: u64) -> Operand {
    match bytes {
        Operand::Const(Constant::Int { value, .. }) => {
            Operand::Const(Constant::int(64, (*value as i128) * i128::from(factor)))
        }
        _ => {
            let factor = Operand::Const(Constant::int(64, i128::from(factor)));
            builder.push(Op::Int(IntOp::Mul), Type::I64, vec![bytes.clone(), factor])
        }
    }
}
