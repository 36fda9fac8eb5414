//! Runs functions of the model on values with tangents.
//!
//! Program and arguments → result, or the reason why there is none. Calls keep their own stack here, so that the
//! depth of recursion does not depend on the stack of the host.
//! Invariant: knows nothing of derivative rules, plans or emission; it only does what each operation means.

use std::collections::HashMap;
use std::rc::Rc;

use backsweep_core::model::{BlockId, Op, Program, ValueId};

use crate::code::{Code, Operands, Slot};
use crate::link::{Callee, Target};
use crate::memory::Memory;
use crate::native;
use crate::step::{Context, Flow, OnUndef, execute};
use crate::trap::{Fault, Trap};
use crate::value::{Pointer, Value};

/// A function of the host that programs may call by name: the runtime library, or a probe of a test.
pub type Host = Rc<dyn Fn(&mut Memory, &[Value]) -> Result<Value, Fault>>;

pub struct Machine<'p> {
    pub memory: Memory,
    pub limits: Limits,
    pub on_undef: OnUndef,
    pub(crate) callees: Vec<Callee<'p>>,
    pub(crate) symbols: HashMap<String, Pointer>,
    frames: Vec<Frame<'p>>,
    /// Value stacks of calls that returned, to be used again.
    spare: Vec<Vec<Value>>,
    arguments: Vec<Value>,
    incoming: Vec<Value>,
    steps: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of one `call` from outside.
    pub steps: u64,
    /// Nested calls.
    pub depth: usize,
}

struct Frame<'p> {
    code: Rc<Code<'p>>,
    values: Vec<Value>,
    /// The step that runs next.
    next: usize,
    block: BlockId,
    locals: Vec<u32>,
}

impl<'p> Machine<'p> {
    /// A machine with the program's globals initialised.
    pub fn new(program: &'p Program) -> Machine<'p> {
        let mut machine = Machine {
            memory: Memory::default(),
            limits: Limits { steps: 100_000_000, depth: 10_000 },
            on_undef: OnUndef::Trap,
            callees: Vec::new(),
            symbols: HashMap::new(),
            frames: Vec::new(),
            spare: Vec::new(),
            arguments: Vec::new(),
            incoming: Vec::new(),
            steps: 0,
        };
        machine.link(program);
        machine
    }

    /// Runs a function of the program, of the library the machine knows, or of the host.
    pub fn call(&mut self, function: &str, arguments: &[Value]) -> Result<Value, Trap> {
        let pointer = *self.symbols.get(function).ok_or_else(|| Fault::UnknownCallee(function.into()))?;
        self.steps = 0;
        let callee = self.callee_at(pointer)?;
        let Target::Defined(code) = self.callees[callee].target.clone() else {
            let ty = self.callees[callee].ret.clone();
            return Ok(self.call_native(callee, arguments, &ty)?);
        };
        if arguments.len() != code.function.params.len() {
            return Err(Fault::Malformed(format!("{} arguments for {function}", arguments.len())).into());
        }
        let mut frame = self.enter(code)?;
        frame.values[..arguments.len()].clone_from_slice(arguments);
        let result = self.run(frame);
        // After a trap the calls in progress end like returns, so that the machine can be used again.
        while let Some(frame) = self.frames.pop() {
            self.leave(frame);
        }
        result
    }

    /// Instructions that the last `call` took.
    pub fn steps_taken(&self) -> u64 {
        self.steps
    }

    fn run(&mut self, mut frame: Frame<'p>) -> Result<Value, Trap> {
        loop {
            match self.run_until_call(&mut frame) {
                Ok(Event::Call { callee, code }) => {
                    let mut inner = self.enter(code).map_err(|fault| locate(&frame, fault))?;
                    self.pass_arguments(&frame, &mut inner, callee).map_err(|fault| locate(&frame, fault))?;
                    self.frames.push(std::mem::replace(&mut frame, inner));
                }
                Ok(Event::Return(value)) => {
                    self.leave(frame);
                    let Some(mut outer) = self.frames.pop() else { return Ok(value) };
                    self.finish_call(&mut outer, value).map_err(|fault| locate(&outer, fault))?;
                    frame = outer;
                }
                Err(fault) => {
                    let trap = locate(&frame, fault);
                    self.leave(frame);
                    return Err(trap);
                }
            }
        }
    }

    /// Runs instructions of one frame until it returns or calls another defined function.
    fn run_until_call(&mut self, frame: &mut Frame<'p>) -> Result<Event<'p>, Fault> {
        let code = Rc::clone(&frame.code);
        loop {
            let Some(step) = code.steps.get(frame.next) else {
                return Err(Fault::Malformed("a block without a terminator".into()));
            };
            frame.next += 1;
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(Fault::StepLimit);
            }
            let operands = Operands { slots: &step.slots, values: &frame.values, constants: &code.constants };
            let mut context =
                Context { memory: &mut self.memory, locals: &mut frame.locals, on_undef: self.on_undef };
            match execute(step, operands, &mut context)? {
                Flow::Next(value) => frame.values[step.id.0 as usize] = value,
                Flow::Jump(to) => self.jump(frame, to)?,
                Flow::Return(value) => return Ok(Event::Return(value)),
                Flow::Call => {
                    let callee = self.callee_at(operands.get(operands.len() - 1).as_pointer()?)?;
                    if let Target::Defined(code) = &self.callees[callee].target {
                        return Ok(Event::Call { callee, code: Rc::clone(code) });
                    }
                    let count = step.inst.arguments().len();
                    let mut arguments = std::mem::take(&mut self.arguments);
                    arguments.clear();
                    arguments.extend((0..count).map(|index| operands.get(index).clone()));
                    let result = self.call_native(callee, &arguments, &step.inst.ty);
                    self.arguments = arguments;
                    self.finish_call(frame, result?)?;
                }
            }
        }
    }

    fn call_native(
        &mut self,
        callee: usize,
        arguments: &[Value],
        ty: &backsweep_core::model::Type,
    ) -> Result<Value, Fault> {
        match &self.callees[callee].target {
            Target::Host(host) => Rc::clone(host)(&mut self.memory, arguments),
            Target::Native(native) => native::call(*native, &mut self.memory, arguments, ty),
            Target::Unknown | Target::Defined(_) => {
                Err(Fault::UnknownCallee(self.callees[callee].name.clone()))
            }
        }
    }

    /// Puts the result of the call just done in its place, and goes on where an invoke says.
    fn finish_call(&mut self, frame: &mut Frame<'p>, value: Value) -> Result<(), Fault> {
        let code = Rc::clone(&frame.code);
        let step = &code.steps[frame.next - 1];
        frame.values[step.id.0 as usize] = value;
        if let Op::Invoke { normal, .. } = &step.inst.op { self.jump(frame, *normal) } else { Ok(()) }
    }

    fn jump(&mut self, frame: &mut Frame<'p>, to: BlockId) -> Result<(), Fault> {
        let code = Rc::clone(&frame.code);
        let block = code.blocks.get(to.0 as usize).ok_or_else(|| Fault::Malformed("no such block".into()))?;
        let phis = &code.steps[block.start..block.start + block.phis];
        // All phis read before any is written: they may swap.
        self.incoming.clear();
        for step in phis {
            let Op::Phi { from } = &step.inst.op else { continue };
            let edge = from.iter().position(|block| *block == frame.block);
            let edge = edge.ok_or_else(|| Fault::Malformed("a phi lacks an edge".into()))?;
            self.incoming.push(match step.slots[edge] {
                Slot::Value(value) => frame.values[value as usize].clone(),
                Slot::Constant(constant) => code.constants[constant as usize].clone(),
            });
        }
        for (step, value) in phis.iter().zip(self.incoming.drain(..)) {
            frame.values[step.id.0 as usize] = value;
        }
        self.steps += block.phis as u64;
        frame.block = to;
        frame.next = block.start + block.phis;
        Ok(())
    }

    fn enter(&mut self, code: Rc<Code<'p>>) -> Result<Frame<'p>, Fault> {
        if self.frames.len() >= self.limits.depth {
            return Err(Fault::StackOverflow);
        }
        let mut values = self.spare.pop().unwrap_or_default();
        values.clear();
        values.resize(code.values, Value::Undef);
        Ok(Frame { code, values, next: 0, block: BlockId(0), locals: Vec::new() })
    }

    fn pass_arguments(&self, from: &Frame<'p>, to: &mut Frame<'p>, callee: usize) -> Result<(), Fault> {
        let step = &from.code.steps[from.next - 1];
        let operands = Operands { slots: &step.slots, values: &from.values, constants: &from.code.constants };
        let (given, wanted) = (step.inst.arguments().len(), to.code.function.params.len());
        if given < wanted {
            let name = &self.callees[callee].name;
            return Err(Fault::Malformed(format!("{given} arguments for {wanted} of {name}")));
        }
        for index in 0..wanted {
            to.values[index] = operands.get(index).clone();
        }
        Ok(())
    }

    fn leave(&mut self, frame: Frame<'p>) {
        for object in frame.locals {
            self.memory.release(object);
        }
        self.spare.push(frame.values);
    }

    fn callee_at(&self, pointer: Pointer) -> Result<usize, Fault> {
        let index = self.memory.function_at(pointer);
        index.map(|index| index as usize).ok_or_else(|| Fault::Malformed("a call of no function".into()))
    }
}

enum Event<'p> {
    Call { callee: usize, code: Rc<Code<'p>> },
    Return(Value),
}

fn locate(frame: &Frame, fault: Fault) -> Trap {
    let id = frame.next.checked_sub(1).map_or(ValueId(0), |index| frame.code.steps[index].id);
    Trap { fault, at: Some((frame.code.function.name.clone(), id)) }
}
