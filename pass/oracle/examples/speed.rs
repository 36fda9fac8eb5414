//! How many instructions the oracle runs in a second: `cargo run --release -p backsweep-oracle --example speed`.

use std::time::Instant;

use backsweep_core::model::{FloatOp, IntOp, IntPredicate, Op, Type};
use backsweep_oracle::build::{self, Builder, double, int};
use backsweep_oracle::{Machine, Value, direction};

fn main() {
    let mut f = Builder::new("f", &[Type::DOUBLE, Type::I64], Type::DOUBLE);
    let (x, n) = (f.param(0), f.param(1));
    let (entry, head, exit) = (f.here(), f.add_block(), f.add_block());
    let place = f.alloca(Type::DOUBLE, 8);
    f.store(double(1.0), place.clone());
    f.jump(head);
    f.go_to(head);
    let i = f.push(Op::Phi { from: vec![entry] }, Type::I64, vec![int(64, 0)]);
    let i_next = f.same(Op::Int(IntOp::Add), vec![i.clone(), int(64, 1)]);
    let y = f.load(Type::DOUBLE, place.clone());
    let product = f.same(Op::Float(FloatOp::Mul), vec![y.clone(), x]);
    let sum = f.same(Op::Float(FloatOp::Add), vec![product, double(0.25)]);
    f.store(sum, place.clone());
    f.add_incoming(&i, i_next.clone(), head);
    let more = f.push(Op::ICmp(IntPredicate::Ult), Type::BOOL, vec![i_next, n]);
    f.branch(more, head, exit);
    f.go_to(exit);
    f.ret(y);
    let program = build::program(vec![f.finish()]);
    for (what, x) in
        [("without tangents", Value::double(0.5)), ("with tangents", Value::dual(0.5, direction(0)))]
    {
        let mut machine = Machine::new(&program);
        let start = Instant::now();
        let result = machine.call("f", &[x, Value::int(64, 2_000_000)]);
        let rate = machine.steps_taken() as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!("{what}: {rate:.1} million instructions a second ({})", result.is_ok());
    }
}
