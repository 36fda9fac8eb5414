//! What the tests of operations share: a function of one block, built and run.

use backsweep_core::model::{Operand, Program, Type};
use backsweep_oracle::build::{self, Builder};
use backsweep_oracle::{Machine, Trap, Value};

/// A program of one function `f` whose entry block the closure fills; its operand is returned.
pub fn program(params: &[Type], ret: Type, fill: &dyn Fn(&mut Builder) -> Operand) -> Program {
    let mut builder = Builder::new("f", params, ret);
    let result = fill(&mut builder);
    builder.ret(result);
    build::program(vec![builder.finish()])
}

pub fn run(
    params: &[Type],
    ret: Type,
    arguments: &[Value],
    fill: &dyn Fn(&mut Builder) -> Operand,
) -> Result<Value, Trap> {
    let program = program(params, ret, fill);
    let mut machine = Machine::new(&program);
    machine.call("f", arguments)
}
