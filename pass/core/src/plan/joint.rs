//! Calls that run twice: the forward sweep saves what the callee reads and runs it as it is, and the reverse sweep puts that
//! back and runs the callee's whole gradient. The tape holds what goes into a call, and the records of one call at a time;
//! the price is one more run of the callee.
//!
//! What is read and what is written has to be found when the callee is entered: ranges behind parameters, from the lowest
//! address to the highest, and whole globals. Bytes between them belong to the array; bytes beyond them may belong to nobody,
//! so both ends have to be places that some pass comes to. Where that shows only when the program runs it is asked there, and
//! the call records as it goes where it does not hold.
//! Running again has to do no more than the first time did: no input or output, no memory that outlives the call.
//! Safe error: not joint (costs tape, never truth).

use super::entry::{Entry, is_quiet};
use super::filled::find_fills;
use super::variants::letters_of;
use crate::analyses::control::Control;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::globals::Globals;
use crate::analyses::meaning::{Meaning, meaning};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::{Base, Pointers};
use crate::analyses::shared_words::SharedWords;
use crate::model::{
    BlockId, Function, Inst, Layout, Linkage, Loop, LoopId, Op, Operand, Ordering, PASSES_STRUCTS, Program,
    Scev, Stride, Type, ValueId,
};
use crate::request::{Activity, Fit, Mode, Request};
use crate::rules::Rules;

/// What one half of such a call goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    pub places: Vec<Place>,
    /// The half that answers where the places are not found.
    pub split: Request,
    /// What the second half calls.
    pub gradient: Request,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub memory: Memory,
    /// Whether it is read: then its contents are saved before the call. What is only written is kept while the gradient runs.
    pub read: bool,
    /// The touch that writes the place before anything is read there: what is read and lies between its ends is not saved.
    pub fill: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Behind a parameter.
    Param(ValueId, Vec<Touch>),
    /// A whole global, of that many bytes.
    Global(String, u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    pub id: ValueId,
    pub way: Way,
    pub address: Scev,
    pub length: Scev,
    /// The loops around it that ask at their headers whether there is another pass: it runs as often as they go round, and not
    /// once more.
    pub asked: Vec<LoopId>,
    pub runs: Runs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Read,
    Write,
}

/// Whether an access comes to its lowest and its highest address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runs {
    Perhaps,
    /// Where all of these hold and the loops that ask go round at all, and else not at all.
    Where(Vec<Test>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub value: ValueId,
    pub holds: bool,
}

/// More accesses than these are not worth asking for.
const MOST_TOUCHES: usize = 256;
const MOST_PLACES: usize = 32;

/// Nor are branches in branches.
const MOST_DECIDERS: usize = 32;

/// The places that a function touches, or why its calls cannot run twice.
pub fn find_places(
    function: &Function,
    program: &Program,
    rules: &Rules,
    steady: &[usize],
) -> Result<Vec<Place>, String> {
    let flow = Flow::of(function);
    if function.attributes.iter().any(|text| text == PASSES_STRUCTS) {
        return Err("a struct is passed by value".into());
    }
    let mut finder = Finder {
        function,
        program,
        rules,
        steady,
        layout: Layout::parse(&program.layout),
        pointers: Pointers::of(function, program),
        globals: Globals::of(program),
        control: Control::of(function, &flow),
        entry: Entry::of(function),
        flow,
        places: Vec::new(),
    };
    for (id, block) in blocks_of_values(function) {
        if let Some(inst) = function.inst(id).filter(|_| finder.flow.is_reachable(block)) {
            finder.visit(id, inst, block)?;
        }
    }
    let touches = |place: &Place| if let Memory::Param(_, all) = &place.memory { all.len() } else { 0 };
    if finder.places.len() > MOST_PLACES || finder.places.iter().map(touches).sum::<usize>() > MOST_TOUCHES {
        return Err("it touches too many places".into());
    }
    let mut places = finder.places;
    find_fills(function, program, &mut places);
    Ok(places)
}

struct Finder<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    /// The parameters behind which nobody writes until the second run.
    steady: &'a [usize],
    layout: Layout,
    pointers: Pointers,
    globals: Globals<'a>,
    control: Control,
    entry: Entry<'a>,
    flow: Flow,
    places: Vec<Place>,
}

impl Finder<'_> {
    fn visit(&mut self, id: ValueId, inst: &Inst, block: BlockId) -> Result<(), String> {
        match &inst.op {
            Op::Load(access) | Op::Store(access) => {
                if access.volatile || access.ordering != Ordering::NotAtomic {
                    return Err("it touches memory that others touch meanwhile".into());
                }
                let way = if matches!(inst.op, Op::Load(_)) { Way::Read } else { Way::Write };
                let pointer = &inst.operands[usize::from(way == Way::Write)];
                let bytes = self.function.accessed_type(inst).and_then(|ty| self.layout.size_of(&ty));
                let moved = self.function.accessed_type(inst).is_none_or(|ty| ty.holds_pointer());
                if moved && !self.is_own(pointer) && !self.is_constant(pointer) {
                    return Err("it finds pointers in memory, or leaves them there".into());
                }
                let address = self.function.memory.get(&id).and_then(|fact| fact.address.clone());
                let length = bytes.map(|bytes| word(i128::from(bytes)));
                self.touch(id, pointer, address.zip(length), (block, way))
            }
            Op::Call(_) => self.visit_call(id, inst, block),
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Fence { .. } => {
                Err("it touches memory that others touch meanwhile".into())
            }
            Op::VaArg
            | Op::LandingPad { .. }
            | Op::Invoke { .. }
            | Op::Resume
            | Op::CallBr { .. }
            | Op::IndirectBr { .. }
            | Op::Opaque { .. } => Err("it does more than compute".into()),
            Op::Ret if self.function.ret.holds_pointer() => Err("it returns a pointer".into()),
            _ => Ok(()),
        }
    }

    fn visit_call(&mut self, id: ValueId, inst: &Inst, block: BlockId) -> Result<(), String> {
        let pointers = || inst.arguments().iter().filter(|x| self.function.operand_type(x).holds_pointer());
        match memory_call(inst) {
            Some(MemoryCall::Allocate { .. }) => return Ok(()),
            Some(MemoryCall::Free { .. }) if pointers().all(|pointer| self.is_own(pointer)) => return Ok(()),
            Some(MemoryCall::Free { .. }) => return Err("it frees memory that it has not made".into()),
            Some(kind @ (MemoryCall::Copy | MemoryCall::Fill)) => {
                let length = self.length_of(&inst.operands[2]);
                let mut ways = vec![(inst.operands[0].clone(), Way::Write)];
                if kind == MemoryCall::Copy {
                    ways.push((inst.operands[1].clone(), Way::Read));
                }
                // Of such words the shadows tell what they are, in which there would be numbers by then.
                let shared = SharedWords::of(self.function, self.program);
                let told = |x: &Operand| !self.is_own(x) && shared.behind(x).is_some();
                if kind == MemoryCall::Copy && inst.operands[..2].iter().any(told) {
                    return Err("it copies what may be pointers".into());
                }
                for (pointer, way) in ways {
                    let address = self.address_of(&pointer);
                    self.touch(id, &pointer, address.zip(length.clone()), (block, way))?;
                }
                return Ok(());
            }
            None => {}
        }
        if is_quiet(inst) {
            return Ok(());
        }
        let own = pointers().all(|pointer| self.is_own(pointer));
        match meaning(inst, self.function, self.program, self.rules) {
            Meaning::Row { .. } | Meaning::Reduction(_) if own => Ok(()),
            _ => Err(match inst.callee_name() {
                Some(name) => format!("it calls `{name}`"),
                None => "it calls through a pointer".into(),
            }),
        }
    }

    /// Whether a pointer leads into memory that one call makes for itself.
    fn is_own(&self, pointer: &Operand) -> bool {
        self.pointers.of_operand(pointer).iter().all(|base| base.is_local() || *base == Base::Null)
    }

    fn is_constant(&self, pointer: &Operand) -> bool {
        let constant = |base: &Base| match base {
            Base::Global(name) => self.globals.get(name).is_some_and(|global| global.constant),
            base => base.is_local(),
        };
        self.pointers.of_operand(pointer).iter().all(constant)
    }

    fn touch(
        &mut self,
        id: ValueId,
        pointer: &Operand,
        range: Option<(Scev, Scev)>,
        (block, way): (BlockId, Way),
    ) -> Result<(), String> {
        let bases = self.pointers.of_operand(pointer);
        let others: Vec<&Base> =
            bases.iter().filter(|base| !base.is_local() && **base != Base::Null).collect();
        for base in &others {
            match base {
                Base::Param(param) if way == Way::Read && self.steady.contains(&(param.0 as usize)) => {}
                Base::Global(name) => self.touch_global(name, way)?,
                Base::Param(param) if bases.len() == 1 => {
                    let known = |(at, length): &(Scev, Scev)| {
                        self.entry.has_range(at) && self.entry.has_range(length)
                    };
                    let Some((address, length)) = range.clone().filter(known) else {
                        return Err(format!(
                            "which part of `{}` it touches is not known where it is entered",
                            self.name_of(*param)
                        ));
                    };
                    let ends = self.entry.has_ends(&address) && self.entry.has_ends(&length);
                    let asked = self.asking_around(block);
                    let runs = if ends { self.runs_of(block, &asked) } else { Runs::Perhaps };
                    self.touch_param(*param, Touch { id, way, address, length, asked, runs }, way);
                }
                Base::Param(param) => {
                    return Err(format!(
                        "`{}` is one of several that a pointer may lead to",
                        self.name_of(*param)
                    ));
                }
                _ => return Err("it follows pointers that it finds in memory".into()),
            }
        }
        Ok(())
    }

    fn name_of(&self, param: ValueId) -> String {
        let known = self.function.params.get(param.0 as usize).and_then(|param| param.name.clone());
        known.unwrap_or_else(|| format!("parameter {}", param.0 + 1))
    }

    fn touch_global(&mut self, name: &str, way: Way) -> Result<(), String> {
        let Some(global) = self.globals.get(name) else { return Err(format!("`{name}` is out of sight")) };
        if global.constant {
            return Ok(());
        }
        let bytes = self.globals.bytes(global).filter(|bytes| *bytes > 0);
        let fixed = global.space == 0 && !global.thread_local && global.linkage != Linkage::Declared;
        let Some(bytes) = bytes.filter(|_| fixed) else {
            return Err(format!("how large `{name}` is, or where, is not known here"));
        };
        let memory = Memory::Global(name.into(), bytes);
        match self.places.iter_mut().find(|place| place.memory == memory) {
            Some(place) => place.read |= way == Way::Read,
            // What is only partly written is there before.
            None => self.places.push(Place { memory, read: way == Way::Read, fill: None }),
        }
        Ok(())
    }

    fn touch_param(&mut self, param: ValueId, touch: Touch, way: Way) {
        let found = self.places.iter_mut().find_map(|place| match &mut place.memory {
            Memory::Param(known, touches) if *known == param => Some((&mut place.read, touches)),
            _ => None,
        });
        match found {
            Some((read, touches)) => {
                *read |= way == Way::Read;
                touches.push(touch);
            }
            None => {
                let memory = Memory::Param(param, vec![touch]);
                self.places.push(Place { memory, read: way == Way::Read, fill: None });
            }
        }
    }

    /// The bytes that a call copies, where they are known on entry and do not change.
    fn length_of(&self, operand: &Operand) -> Option<Scev> {
        match operand {
            Operand::Const(constant) => constant.as_signed().map(word),
            Operand::Value(value) => self.entry.is_known(*value).then(|| Scev::Value(operand.clone())),
        }
    }

    /// The same of a pointer: a parameter, or a place that is some steps behind it.
    fn address_of(&self, pointer: &Operand) -> Option<Scev> {
        let value = pointer.value()?;
        let Some(inst) = self.function.inst(value) else { return Some(Scev::Value(pointer.clone())) };
        let Op::Gep(gep) = &inst.op else { return None };
        let mut terms = vec![self.address_of(&inst.operands[0])?];
        for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
            terms.push(match (stride, index) {
                (Stride::Field(bytes), _) => word(i128::from(*bytes)),
                (Stride::Scale(bytes), Operand::Const(index)) => {
                    word(index.as_signed()? * i128::from(*bytes))
                }
                (Stride::Scale(bytes), Operand::Value(value)) if self.entry.is_known(*value) => {
                    let scale = word(i128::from(*bytes));
                    Scev::Mul(Default::default(), vec![scale, Scev::Value(index.clone())])
                }
                _ => return None,
            });
        }
        Some(Scev::Add(Default::default(), terms))
    }

    /// The loops around a block that ask at their headers, and nowhere else, whether there is another pass.
    fn asking_around(&self, block: BlockId) -> Vec<LoopId> {
        let loops = (0..).map(LoopId).zip(&self.function.loops);
        let asks = |around: &Loop| {
            let turns = around.back_edges.as_ref().is_some_and(|turns| self.entry.has_range(turns));
            turns
                && around.exiting == [around.header]
                && around.header != block
                && around.blocks.contains(&block)
        };
        loops.filter(|(_, around)| asks(around)).map(|(of, _)| of).collect()
    }

    /// What has to hold on entry for a block to run in every pass of the loops around it.
    fn runs_of(&self, block: BlockId, asked: &[LoopId]) -> Runs {
        let (mut tests, mut at) = (Vec::new(), block);
        for _ in 0..MOST_DECIDERS {
            let later = |by: &BlockId| self.goes_round(*by, at) || self.comes_first(at, *by);
            let others = |by: &BlockId| *by != at && !later(by);
            let deciders: Vec<BlockId> = self.control.deciders(at).iter().copied().filter(others).collect();
            let by = match deciders[..] {
                [] => return Runs::Where(tests),
                [by] => by,
                _ => return Runs::Perhaps,
            };
            let round = self.function.loops.iter().position(|around| around.header == by);
            match round
                .filter(|round| asked.contains(&LoopId(*round as u32)) && self.goes_round_alike(*round))
            {
                Some(_) => {}
                None if self.goes_in_first(by, at) => {}
                None => match self.test_of(by, at) {
                    Some(test) => tests.push(test),
                    None => return Runs::Perhaps,
                },
            }
            at = by;
        }
        Runs::Perhaps
    }

    /// Whether a block has run wherever control comes to another: then that only asks whether it runs once more, as at the end of
    /// a pass of a loop that nobody counts.
    fn comes_first(&self, block: BlockId, other: BlockId) -> bool {
        block == BlockId(0) || !self.flow.reach(BlockId(0), &[block]).contains(&other)
    }

    /// Whether the header of a loop goes on to a block the first time, as constants tell, whatever it does later.
    fn goes_in_first(&self, header: BlockId, block: BlockId) -> bool {
        let around = self.function.loops.iter().find(|around| around.header == header);
        let Some(around) = around.filter(|around| around.blocks.contains(&block)) else { return false };
        let last = self.function.terminator(header).and_then(|id| self.function.inst(id));
        let Some((Op::CondBr { yes, no }, Some(asked))) =
            last.map(|last| (last.op.clone(), last.operands[0].value()))
        else {
            return false;
        };
        let first = |operand: &Operand| match operand {
            Operand::Const(constant) => constant.as_signed(),
            Operand::Value(id) => {
                let phi =
                    self.function.inst(*id).filter(|_| self.function.block(header).insts.contains(id))?;
                let Op::Phi { from } = &phi.op else { return None };
                let mut starts = from.iter().zip(&phi.operands).filter(|(at, _)| !around.blocks.contains(at));
                let (Some((_, Operand::Const(start))), None) = (starts.next(), starts.next()) else {
                    return None;
                };
                start.as_signed()
            }
        };
        let Some(Inst { op: Op::ICmp(predicate), operands, .. }) = self.function.inst(asked) else {
            return false;
        };
        let (Some(x), Some(y), Type::Int(bits)) =
            (first(&operands[0]), first(&operands[1]), self.function.operand_type(&operands[0]))
        else {
            return false;
        };
        let to = if predicate.holds_of(bits, x, y) { yes } else { no };
        self.flow.reach(to, &[header]).contains(&block) && around.blocks.contains(&to)
    }

    /// Whether a loop goes round as often whenever control comes to it.
    fn goes_round_alike(&self, at: usize) -> bool {
        self.function.loops[at].back_edges.as_ref().is_some_and(|turns| !turns.moves())
    }

    /// Whether a branch only asks whether a loop around a block goes round once more, behind all that the pass does.
    fn goes_round(&self, by: BlockId, block: BlockId) -> bool {
        self.function
            .loops
            .iter()
            .any(|around| around.latches == [by] && around.exiting == [by] && around.blocks.contains(&block))
    }

    fn test_of(&self, by: BlockId, block: BlockId) -> Option<Test> {
        let inst = self.function.terminator(by).and_then(|id| self.function.inst(id))?;
        let Op::CondBr { yes, no } = inst.op else { return None };
        let value = inst.operands[0].value().filter(|value| self.entry.is_known(*value))?;
        let leads = |to: BlockId| self.flow.reach(to, &[by]).contains(&block);
        match (leads(yes), leads(no)) {
            (true, false) => Some(Test { value, holds: true }),
            (false, true) => Some(Test { value, holds: false }),
            _ => None,
        }
    }
}

/// A whole gradient of the callee of a half: nobody looks at what it leaves in memory, which is put back afterwards.
pub fn gradient_of(half: &Request) -> Request {
    let mut gradient = Request {
        mode: Mode::Gradient,
        tape: None,
        nested: false,
        primal_return: false,
        steady: Vec::new(),
        ..half.clone()
    };
    gradient.seeds = if half.active_return { (0..half.width as usize).collect() } else { Vec::new() };
    for argument in &mut gradient.arguments {
        if argument.activity == Activity::Dup {
            argument.activity = Activity::DupNoNeed;
        }
    }
    gradient.fit = Fit::Same;
    gradient
}

/// The name of such a gradient, which no request of a user's has.
pub fn gradient_name(request: &Request) -> String {
    format!("backsweep.joint.{}.{}", request.function, letters_of(request))
}

fn word(value: i128) -> Scev {
    Scev::Const { bits: 64, value }
}

/// So that the text of a plan says which bytes.
pub fn describe_place(place: &Place) -> String {
    let what = match &place.memory {
        Memory::Param(param, touches) => {
            let perhaps = touches.iter().filter(|touch| touch.runs == Runs::Perhaps).count();
            let asked = if perhaps > 0 { format!(", {perhaps} of them perhaps") } else { String::new() };
            format!("what {} accesses touch behind %{}{asked}", touches.len(), param.0)
        }
        Memory::Global(name, bytes) => format!("{bytes} bytes of @{name}"),
    };
    let how = match (place.read, place.fill) {
        (true, None) => "saved",
        (true, Some(_)) => "written before anything is read, and saved where more than that is read",
        (false, _) => "kept while the gradient runs",
    };
    format!("{what}, {how}")
}
