//! Runs generated functions and writes down each step.
//!
//! Program + arguments + memory → [`Trace`]. Values may be *spoiled*: what was not computed. Arithmetic on them is
//! spoiled; a branch or an address on them ends the run.
//! Floats carry a mark that says whether they depend on an active input; it travels with them through memory.
//! Invariant: memory is cells of 8 bytes; every access is one cell.

use backsweep_core::model::{
    BlockId, CastOp, Constant, FloatOp, FloatPredicate, Function, Inst, IntOp, IntPredicate, Op, Operand,
    Program, Stride, ValueId,
};

#[derive(Clone, Copy, Debug)]
pub enum Value {
    Real { value: f64, varied: bool },
    Int(i64),
    Pointer { object: usize, offset: i64 },
    Spoiled,
}

pub type Cell = (usize, usize);

/// The cells of each object.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub Vec<Vec<Value>>);

/// The run of one function.
#[derive(Clone, Debug)]
pub struct Trace<'p> {
    pub function: &'p Function,
    pub arguments: Vec<Value>,
    pub before: Memory,
    pub steps: Vec<Step<'p>>,
    pub result: Value,
}

#[derive(Clone, Debug)]
pub struct Step<'p> {
    pub id: ValueId,
    pub inst: &'p Inst,
    /// What the operands were; of a phi, the one that arrived.
    pub operands: Vec<Value>,
    /// Which operand of a phi arrived.
    pub arrived: usize,
    pub result: Value,
    pub read: Vec<Cell>,
    /// With what was there before.
    pub written: Vec<(Cell, Value)>,
    /// What a copy moved.
    pub moved: Vec<Value>,
    pub inner: Option<Trace<'p>>,
    /// How many objects there were before.
    pub objects: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    OutOfBounds,
    Spoiled,
    TooLong,
    Unknown(String),
}

const MOST_STEPS: usize = 20_000;

impl Value {
    pub fn real(value: f64) -> Value {
        Value::Real { value, varied: false }
    }

    pub fn is_varied(self) -> bool {
        matches!(self, Value::Real { varied: true, .. })
    }

    /// Equal to the last bit; marks do not count, spoiled equals nothing.
    pub fn same(self, other: Value) -> bool {
        match (self, other) {
            (Value::Real { value: x, .. }, Value::Real { value: y, .. }) => x.to_bits() == y.to_bits(),
            (Value::Int(x), Value::Int(y)) => x == y,
            (Value::Pointer { object: a, offset: b }, Value::Pointer { object: c, offset: d }) => {
                a == c && b == d
            }
            _ => false,
        }
    }
}

impl Memory {
    pub fn cell(&self, pointer: Value) -> Result<Cell, Fault> {
        let Value::Pointer { object, offset } = pointer else { return Err(Fault::Spoiled) };
        let cells = self.0.get(object).ok_or(Fault::OutOfBounds)?;
        let index = usize::try_from(offset).map_err(|_| Fault::OutOfBounds)?;
        if index % 8 != 0 || index / 8 >= cells.len() {
            return Err(Fault::OutOfBounds);
        }
        Ok((object, index / 8))
    }

    pub fn get(&self, cell: Cell) -> Value {
        self.0[cell.0][cell.1]
    }

    pub fn set(&mut self, cell: Cell, value: Value) -> Value {
        std::mem::replace(&mut self.0[cell.0][cell.1], value)
    }
}

/// Runs a function on memory that it changes.
pub fn run<'p>(
    program: &'p Program,
    function: &'p Function,
    arguments: Vec<Value>,
    memory: &mut Memory,
) -> Result<Trace<'p>, Fault> {
    let mut frame =
        Frame { program, function, env: vec![Value::Spoiled; total(function)], arguments: &arguments };
    let before = memory.clone();
    let mut steps: Vec<Step<'p>> = Vec::new();
    let (mut block, mut from) = (BlockId(0), None);
    loop {
        let mut arrived = Vec::new();
        for id in &function.block(block).insts {
            let Some(inst) = function.inst(*id) else { continue };
            if let Op::Phi { from: blocks } = &inst.op {
                let at = blocks.iter().position(|known| Some(*known) == from).unwrap_or(0);
                let value = frame.value(&inst.operands[at]);
                arrived.push((id.0 as usize, value));
                steps.push(step(*id, inst, vec![value], at, value));
                continue;
            }
            arrived.drain(..).for_each(|(id, value)| frame.env[id] = value);
            if steps.len() > MOST_STEPS {
                return Err(Fault::TooLong);
            }
            let operands: Vec<Value> = inst.operands.iter().map(|x| frame.value(x)).collect();
            match &inst.op {
                Op::Ret => {
                    let result = operands.first().copied().unwrap_or(Value::Spoiled);
                    steps.push(step(*id, inst, operands, 0, Value::Spoiled));
                    return Ok(Trace { function, arguments, before, steps, result });
                }
                Op::Br { to } => {
                    steps.push(step(*id, inst, operands, 0, Value::Spoiled));
                    (from, block) = (Some(block), *to);
                    break;
                }
                Op::CondBr { yes, no } => {
                    let Value::Int(taken) = operands[0] else { return Err(Fault::Spoiled) };
                    steps.push(step(*id, inst, operands, 0, Value::Spoiled));
                    (from, block) = (Some(block), if taken != 0 { *yes } else { *no });
                    break;
                }
                _ => {
                    let done = frame.execute(*id, inst, operands, memory)?;
                    frame.env[id.0 as usize] = done.result;
                    steps.push(done);
                }
            }
        }
    }
}

fn step<'p>(id: ValueId, inst: &'p Inst, operands: Vec<Value>, arrived: usize, result: Value) -> Step<'p> {
    Step {
        id,
        inst,
        operands,
        arrived,
        result,
        read: vec![],
        written: vec![],
        moved: vec![],
        inner: None,
        objects: 0,
    }
}

fn total(function: &Function) -> usize {
    function.params.len() + function.insts.len()
}

/// One activation: what each value holds now.
pub struct Frame<'p, 'f> {
    pub program: &'p Program,
    pub function: &'p Function,
    pub env: Vec<Value>,
    pub arguments: &'f [Value],
}

impl<'p> Frame<'p, '_> {
    pub fn value(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Value(id) => match self.arguments.get(id.0 as usize) {
                Some(argument) => *argument,
                None => self.env[id.0 as usize],
            },
            Operand::Const(constant @ Constant::Int { .. }) => {
                constant.as_signed().map_or(Value::Spoiled, |value| Value::Int(value as i64))
            }
            Operand::Const(Constant::Float { bits, .. }) => Value::real(f64::from_bits(*bits as u64)),
            Operand::Const(_) => Value::Spoiled,
        }
    }

    /// Any instruction but phis and terminators.
    pub fn execute(
        &self,
        id: ValueId,
        inst: &'p Inst,
        operands: Vec<Value>,
        memory: &mut Memory,
    ) -> Result<Step<'p>, Fault> {
        let mut done = step(id, inst, operands, 0, Value::Spoiled);
        done.objects = memory.0.len();
        let operands = done.operands.clone();
        match &inst.op {
            Op::Load(_) => {
                let cell = memory.cell(operands[0])?;
                done.result = memory.get(cell);
                done.read.push(cell);
            }
            Op::Store(_) => {
                let cell = memory.cell(operands[1])?;
                done.written.push((cell, memory.set(cell, operands[0])));
            }
            Op::Alloca(alloca) => {
                let cells = alloca.bytes.div_ceil(8) as usize;
                memory.0.push(vec![Value::Spoiled; cells]);
                done.result = Value::Pointer { object: memory.0.len() - 1, offset: 0 };
            }
            Op::Call(_) => self.call(&mut done, memory)?,
            _ => done.result = compute(inst, &operands),
        }
        Ok(done)
    }

    fn call(&self, done: &mut Step<'p>, memory: &mut Memory) -> Result<(), Fault> {
        let name = done.inst.callee_name().unwrap_or_default();
        match name {
            "sin" => {
                done.result = match done.operands[0] {
                    Value::Real { value, varied } => Value::Real { value: value.sin(), varied },
                    _ => Value::Spoiled,
                };
                Ok(())
            }
            "llvm.memmove.p0.p0.i64" | "llvm.memset.p0.i64" => fill(done, memory, name.contains("move")),
            _ => {
                let function = self.program.function(name).ok_or_else(|| Fault::Unknown(name.into()))?;
                let count = done.inst.arguments().len();
                let before = memory.clone();
                let inner = run(self.program, function, done.operands[..count].to_vec(), memory)?;
                done.result = inner.result;
                for (object, cells) in before.0.iter().enumerate() {
                    for (index, old) in cells.iter().enumerate() {
                        let touched = inner.writes((object, index));
                        if touched {
                            done.written.push(((object, index), *old));
                        }
                    }
                }
                done.inner = Some(inner);
                Ok(())
            }
        }
    }
}

impl Trace<'_> {
    /// The objects that the run made, and the runs inside it.
    pub fn made(&self) -> Vec<usize> {
        let of = |step: &Step| match (&step.inst.op, step.result, &step.inner) {
            (Op::Alloca(_), Value::Pointer { object, .. }, _) => vec![object],
            (.., Some(inner)) => inner.made(),
            _ => vec![],
        };
        self.steps.iter().flat_map(of).collect()
    }

    /// Whether a cell is written anywhere in the run.
    pub fn writes(&self, cell: Cell) -> bool {
        self.steps.iter().any(|step| step.written.iter().any(|(written, _)| *written == cell))
    }
}

fn fill(done: &mut Step, memory: &mut Memory, moves: bool) -> Result<(), Fault> {
    let Value::Int(bytes) = done.operands[2] else { return Err(Fault::Spoiled) };
    let at = |pointer: Value, cell: i64| match pointer {
        Value::Pointer { object, offset } => Value::Pointer { object, offset: offset + 8 * cell },
        other => other,
    };
    let (mut content, mut places) = (Vec::new(), Vec::new());
    for cell in 0..bytes / 8 {
        places.push(memory.cell(at(done.operands[0], cell))?);
        content.push(match moves {
            true => {
                let from = memory.cell(at(done.operands[1], cell))?;
                done.read.push(from);
                done.moved.push(memory.get(from));
                memory.get(from)
            }
            false => Value::real(0.0),
        });
    }
    for (place, value) in places.into_iter().zip(content) {
        done.written.push((place, memory.set(place, value)));
    }
    Ok(())
}

fn compute(inst: &Inst, operands: &[Value]) -> Value {
    let integers = || match operands {
        [Value::Int(x), Value::Int(y), ..] => Some((*x, *y)),
        _ => None,
    };
    let reals = || match operands {
        [Value::Real { value: x, varied: v }, Value::Real { value: y, varied: w }, ..] => {
            Some((*x, *y, *v || *w))
        }
        _ => None,
    };
    let found = match &inst.op {
        Op::Float(op) => reals().map(|(x, y, varied)| {
            let value = match op {
                FloatOp::Add => x + y,
                FloatOp::Sub => x - y,
                FloatOp::Mul => x * y,
                FloatOp::Div => x / y,
                FloatOp::Rem => x % y,
            };
            Value::Real { value, varied }
        }),
        Op::FCmp(FloatPredicate::Olt) => reals().map(|(x, y, _)| Value::Int(i64::from(x < y))),
        Op::ICmp(IntPredicate::Slt) => integers().map(|(x, y)| Value::Int(i64::from(x < y))),
        Op::Int(op) => integers().map(|(x, y)| {
            Value::Int(match op {
                IntOp::Add => x + y,
                IntOp::Mul => x * y,
                IntOp::And => x & y,
                _ => x - y,
            })
        }),
        Op::Cast(CastOp::SExt) => operands.first().copied(),
        Op::Gep(gep) => address(gep.strides.as_slice(), operands),
        _ => None,
    };
    found.unwrap_or(Value::Spoiled)
}

fn address(strides: &[Stride], operands: &[Value]) -> Option<Value> {
    let Value::Pointer { object, mut offset } = operands[0] else { return None };
    for (stride, index) in strides.iter().zip(&operands[1..]) {
        offset += match (stride, index) {
            (Stride::Field(bytes), _) => *bytes as i64,
            (Stride::Scale(bytes), Value::Int(index)) => *bytes as i64 * index,
            _ => return None,
        };
    }
    Some(Value::Pointer { object, offset })
}
