//! Branches, loops, switches, calls and recursion.

mod common;

use std::rc::Rc;

use backsweep_core::model::{
    Call, Constant, FloatOp, FloatPredicate, Function, IntOp, IntPredicate, Op, Operand, Type,
};
use backsweep_oracle::build::{self, Builder, double, int, symbol};
use backsweep_oracle::{Fault, Machine, Value, direction};
use common::run;

/// `xⁿ` by a loop; two phis, of which one feeds the other.
fn power() -> Function {
    let mut f = Builder::new("power", &[Type::DOUBLE, Type::I64], Type::DOUBLE);
    let (x, n) = (f.param(0), f.param(1));
    let (entry, head, exit) = (f.here(), f.add_block(), f.add_block());
    f.jump(head);
    f.go_to(head);
    let i = f.push(Op::Phi { from: vec![entry] }, Type::I64, vec![int(64, 0)]);
    let y = f.push(Op::Phi { from: vec![entry] }, Type::DOUBLE, vec![double(1.0)]);
    let y_next = f.same(Op::Float(FloatOp::Mul), vec![y.clone(), x]);
    let i_next = f.same(Op::Int(IntOp::Add), vec![i.clone(), int(64, 1)]);
    f.add_incoming(&i, i_next.clone(), head);
    f.add_incoming(&y, y_next.clone(), head);
    let more = f.push(Op::ICmp(IntPredicate::Ult), Type::BOOL, vec![i_next, n]);
    f.branch(more, head, exit);
    f.go_to(exit);
    f.ret(y_next);
    f.finish()
}

#[test]
fn a_loop_multiplies() {
    let program = build::program(vec![power()]);
    let mut machine = Machine::new(&program);
    let result = machine.call("power", &[Value::dual(2.0, direction(1)), Value::int(64, 5)]);
    assert_eq!(result, Ok(Value::dual(32.0, [0.0, 80.0, 0.0, 0.0])));
}

#[test]
fn endless_loops_end() {
    let mut f = Builder::new("f", &[], Type::DOUBLE);
    let block = f.add_block();
    f.jump(block);
    f.go_to(block);
    f.jump(block);
    let program = build::program(vec![f.finish()]);
    let mut machine = Machine::new(&program);
    machine.limits.steps = 1000;
    assert_eq!(machine.call("f", &[]).unwrap_err().fault, Fault::StepLimit);
}

/// Phis that swap must all read before any is written.
#[test]
fn phis_swap() {
    let mut f = Builder::new("f", &[Type::DOUBLE, Type::DOUBLE], Type::DOUBLE);
    let (entry, head, exit) = (f.here(), f.add_block(), f.add_block());
    let (x, y) = (f.param(0), f.param(1));
    f.jump(head);
    f.go_to(head);
    let i = f.push(Op::Phi { from: vec![entry] }, Type::I64, vec![int(64, 0)]);
    let a = f.push(Op::Phi { from: vec![entry] }, Type::DOUBLE, vec![x]);
    let b = f.push(Op::Phi { from: vec![entry] }, Type::DOUBLE, vec![y]);
    let next = f.same(Op::Int(IntOp::Add), vec![i.clone(), int(64, 1)]);
    f.add_incoming(&i, next.clone(), head);
    f.add_incoming(&a, b.clone(), head);
    f.add_incoming(&b, a.clone(), head);
    let more = f.push(Op::ICmp(IntPredicate::Slt), Type::BOOL, vec![next, int(64, 4)]);
    f.branch(more, head, exit);
    f.go_to(exit);
    let rest = f.same(Op::Float(FloatOp::Sub), vec![a, b]);
    f.ret(rest);
    let program = build::program(vec![f.finish()]);
    let mut machine = Machine::new(&program);
    assert_eq!(machine.call("f", &[Value::double(5.0), Value::double(3.0)]), Ok(Value::double(-2.0)));
}

#[test]
fn switches_and_undef_control() {
    let choose = |selector: Operand| {
        let mut f = Builder::new("f", &[], Type::DOUBLE);
        let (one, other) = (f.add_block(), f.add_block());
        let cases = vec![(Constant::int(8, -3), one)];
        f.push(Op::Switch { cases, default: other }, Type::Void, vec![selector]);
        f.go_to(one);
        f.ret(double(1.0));
        f.go_to(other);
        f.ret(double(2.0));
        let program = build::program(vec![f.finish()]);
        Machine::new(&program).call("f", &[]).map_err(|trap| trap.fault)
    };
    assert_eq!(choose(int(8, -3)), Ok(Value::double(1.0)));
    assert_eq!(choose(int(8, 3)), Ok(Value::double(2.0)));
    let poison = Operand::Const(Constant::Poison(Type::Int(8)));
    assert_eq!(choose(poison), Err(Fault::UndefUsed("a switch")));
}

/// The factorial of a float by recursion, deeper than the stack of the host would bear.
#[test]
fn recursion() {
    let mut f = Builder::new("f", &[Type::DOUBLE, Type::DOUBLE], Type::DOUBLE);
    let (base, step) = (f.add_block(), f.add_block());
    let (n, x) = (f.param(0), f.param(1));
    let small = f.push(Op::FCmp(FloatPredicate::Ole), Type::BOOL, vec![n.clone(), double(0.0)]);
    f.branch(small, base, step);
    f.go_to(base);
    f.ret(x.clone());
    f.go_to(step);
    let less = f.same(Op::Float(FloatOp::Sub), vec![n, double(1.0)]);
    let inner = f.call("f", Type::DOUBLE, vec![less, x.clone()], false);
    let sum = f.same(Op::Float(FloatOp::Add), vec![inner, x]);
    f.ret(sum);
    let program = build::program(vec![f.finish()]);
    let mut machine = Machine::new(&program);
    let deep = machine.call("f", &[Value::double(9000.0), Value::dual(2.0, direction(0))]);
    assert_eq!(deep, Ok(Value::dual(18002.0, [9001.0, 0.0, 0.0, 0.0])));
    machine.limits.depth = 100;
    let deeper = machine.call("f", &[Value::double(101.0), Value::double(0.0)]);
    assert_eq!(deeper.unwrap_err().fault, Fault::StackOverflow);
    assert_eq!(machine.call("f", &[Value::double(1.0), Value::double(1.0)]), Ok(Value::double(2.0)));
}

/// Invokes go on at their normal edge, with phis there seeing the block of the invoke.
#[test]
fn invoke_is_a_call() {
    let mut f = Builder::new("f", &[Type::DOUBLE], Type::DOUBLE);
    let (entry, normal, unwind) = (f.here(), f.add_block(), f.add_block());
    let call = Call { arguments: 2, library: false, attributes: vec![] };
    let x = f.param(0);
    let operands = vec![x.clone(), int(64, 3), symbol("power")];
    let cubed = f.push(Op::Invoke { call, normal, unwind }, Type::DOUBLE, operands);
    f.go_to(normal);
    let merged = f.push(Op::Phi { from: vec![entry] }, Type::DOUBLE, vec![x]);
    let sum = f.same(Op::Float(FloatOp::Add), vec![merged, cubed]);
    f.ret(sum);
    f.go_to(unwind);
    f.push(Op::Unreachable, Type::Void, vec![]);
    let program = build::program(vec![f.finish(), power()]);
    let result = Machine::new(&program).call("f", &[Value::dual(2.0, direction(0))]);
    assert_eq!(result, Ok(Value::dual(10.0, [13.0, 0.0, 0.0, 0.0])));
}

#[test]
fn unknown_callees_and_hosts() {
    let call = |f: &mut Builder| {
        let x = f.param(0);
        f.call("mystery", Type::DOUBLE, vec![x], false)
    };
    let trap = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::double(1.0)], &call).unwrap_err();
    assert_eq!(trap.fault, Fault::UnknownCallee("mystery".into()));
    assert_eq!(trap.to_string(), "nobody defines mystery in f at %1");
    let program = common::program(&[Type::DOUBLE], Type::DOUBLE, &call);
    let mut machine = Machine::new(&program);
    machine.provide("mystery", Rc::new(|_, x| Ok(Value::Float(-x[0].as_float()?))));
    assert_eq!(
        machine.call("f", &[Value::dual(1.0, direction(0))]),
        Ok(Value::dual(-1.0, [-1.0, 0.0, 0.0, 0.0]))
    );
}
