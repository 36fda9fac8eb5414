//! Called functions that put no pointer into memory but null and those of virtual tables, as a destructor does: they compute with numbers in
//! what they are given, as a sort does that calls itself, or also follow pointers there and free what they find, as who drops a tree
//! does.
//!
//! Call + the arguments that lead to some memory + program → as what the callee, and all that it calls, touches memory through
//! pointers that come from those arguments. What it does with its other arguments says nothing of that memory: the context that
//! comes with an array may hold pointers. One that reads no pointer comes to nothing but what it was given. Where one of them stores
//! such a pointer, calls what is not seen with one, or copies from or to anything but what it was given or has made, nothing is said.
//! Safe error: nothing.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::atomic_counts::counts_atomically;
use super::exceptions::is_marker;
use super::globals::{Globals, is_table_of_class};
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use crate::model::{Constant, Function, Inst, Op, Operand, Program, Type, ValueId};

/// Who is given a pointer and puts none anywhere, nor looks at a number: an end of the program with a message, where a pointer to a
/// function is none of those that are known, and who drops a text, as `free` drops memory, compares letters or counts them.
const TOUCH_NOTHING: [&str; 7] = [
    "memcmp",
    "bcmp",
    "strlen",
    "_ZSt11_Hash_bytesPKvmm",
    "bs_rt_unknown_function",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED1Ev",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED2Ev",
];

/// What is read or written, and at multiples of how many bytes.
pub type Touched = (Type, u64);

pub struct Handling {
    pub touched: Vec<Touched>,
    /// The arguments with whose memory that is done.
    pub of: BTreeSet<usize>,
}

pub fn find_handling(call: &Inst, leading: BTreeSet<usize>, program: &Program) -> Option<Handling> {
    let callee = call.callee_name()?;
    let mut reader = Reader::of(program, leading, callee);
    let read = reader.read_all();
    if !reader.copies {
        return read.map(|touched| Handling { touched, of: reader.given.remove(callee).unwrap_or_default() });
    }
    // What is copied may lead from any memory to any other.
    let all: BTreeSet<usize> = (0..call.arguments().len()).collect();
    let mut reader = Reader { everything: true, ..Reader::of(program, all.clone(), callee) };
    reader.read_all().map(|touched| Handling { touched, of: all })
}

struct Reader<'a> {
    program: &'a Program,
    /// Whether all pointers count, wherever they come from.
    everything: bool,
    /// Functions that are called, with the arguments that lead to the memory.
    given: BTreeMap<&'a str, BTreeSet<usize>>,
    waiting: Vec<&'a str>,
    touched: BTreeSet<Touched>,
    copies: bool,
    /// The constants from which no float can be reached, once they are asked for.
    empty: OnceCell<BTreeSet<String>>,
}

impl<'a> Reader<'a> {
    fn of(program: &'a Program, leading: BTreeSet<usize>, callee: &'a str) -> Reader<'a> {
        let given = BTreeMap::from([(callee, leading)]);
        Reader {
            program,
            everything: false,
            given,
            waiting: vec![callee],
            touched: BTreeSet::new(),
            copies: false,
            empty: OnceCell::new(),
        }
    }

    fn read_all(&mut self) -> Option<Vec<Touched>> {
        while let Some(name) = self.waiting.pop() {
            let body = self.program.function(name).filter(|body| !body.is_declaration());
            let body = body.filter(|_| self.program.custom_rule(name).is_none())?;
            let params = body.param_ids().filter(|id| self.given[name].contains(&(id.0 as usize)));
            let led = Led { everything: self.everything, values: find_led(body, params.collect()) };
            let pointers = Pointers::shared(body, self.program);
            for inst in &body.insts {
                self.read(body, inst, &led, &pointers)?;
            }
        }
        Some(std::mem::take(&mut self.touched).into_iter().collect())
    }

    fn read(&mut self, body: &Function, inst: &'a Inst, led: &Led, pointers: &Pointers) -> Option<()> {
        let (ty, align, address) = match &inst.op {
            Op::Load(access) => (inst.ty.clone(), access.align, &inst.operands[0]),
            Op::Store(access) => {
                let (value, ty) = (&inst.operands[0], body.operand_type(&inst.operands[0]));
                // Nobody takes the address of a table for a number, nor a member that is declared to be a pointer, which now leads
                // nowhere. Null needs no shadow.
                let null = matches!(value, Operand::Const(Constant::Null(_) | Constant::Zero(_)));
                let known = access.member && (null || self.is_table(&ty, value, pointers));
                let pointer = ty.holds_pointer() && !known;
                if pointer && (led.holds(value) || led.holds(&inst.operands[1])) {
                    return None;
                }
                (ty, access.align, &inst.operands[1])
            }
            op if op.call().is_some() => return self.read_call(body, inst, led, pointers),
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } if counts_atomically(body, inst) => {
                return Some(());
            }
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Opaque { .. } => {
                return inst.operands.iter().all(|x| !led.holds(x)).then_some(());
            }
            Op::VaArg => return None,
            _ => return Some(()),
        };
        if !led.holds(address) {
            return Some(());
        }
        if ty.holds_pointer() && !ty.is_pointer() {
            return None;
        }
        self.touched.insert((ty, align));
        Some(())
    }

    /// Whether a pointer leads to virtual tables and nothing else.
    fn is_table(&self, ty: &Type, value: &Operand, pointers: &Pointers) -> bool {
        let bases = pointers.of_operand(value);
        let is_table = |base: &Base| match base {
            Base::Global(name) => is_table_of_class(name) && self.empty().contains(name),
            _ => false,
        };
        ty.is_pointer() && !bases.is_empty() && bases.iter().all(is_table)
    }

    /// Whether a pointer leads to constants from which no float can be reached, as the place in the source that a panic tells, and
    /// nowhere else. Nobody makes memory there, so whoever is given it finds none.
    fn is_bare(&self, body: &Function, value: &Operand, pointers: &Pointers) -> bool {
        let bases = pointers.of_operand(value);
        let bare = |base: &Base| match base {
            Base::Null => true,
            Base::Global(name) => self.empty().contains(name),
            _ => false,
        };
        body.operand_type(value).is_pointer() && !bases.is_empty() && bases.iter().all(bare)
    }

    fn empty(&self) -> &BTreeSet<String> {
        self.empty.get_or_init(|| Globals::of(self.program).without_floats())
    }

    fn read_call(&mut self, body: &Function, inst: &'a Inst, led: &Led, pointers: &Pointers) -> Option<()> {
        // An exception in which such a pointer lies was given it by somebody who is asked.
        if inst.callee_name().is_some_and(is_marker) {
            return Some(());
        }
        let leads = |x: &Operand| led.holds(x) && !self.is_bare(body, x, pointers);
        let leading: BTreeSet<usize> =
            inst.arguments().iter().enumerate().filter(|(_, x)| leads(x)).map(|(at, _)| at).collect();
        if leading.is_empty() && !self.everything {
            return Some(());
        }
        match memory_call(inst) {
            Some(MemoryCall::Copy) => {
                self.copies = true;
                let known = |base: &Base| {
                    matches!(base, Base::Param(_) | Base::Stack(_) | Base::Heap(_) | Base::Null)
                };
                return inst.operands[..2]
                    .iter()
                    .all(|x| pointers.of_operand(x).iter().all(known))
                    .then_some(());
            }
            Some(MemoryCall::Fill | MemoryCall::Allocate { .. } | MemoryCall::Free { .. }) => return Some(()),
            None => {}
        }
        let name = inst.callee_name()?;
        if self.program.function(name).is_some_and(|callee| !callee.is_declaration()) {
            self.visit(name, leading);
            return Some(());
        }
        let pointer = |at: &usize| body.operand_type(&inst.arguments()[*at]).holds_pointer();
        (!leading.iter().any(pointer) || TOUCH_NOTHING.contains(&name)).then_some(())
    }

    fn visit(&mut self, name: &'a str, leading: BTreeSet<usize>) {
        let is_new = !self.given.contains_key(name);
        let known = self.given.entry(name).or_default();
        let before = known.len();
        known.extend(leading);
        if is_new || known.len() > before {
            self.waiting.push(name);
        }
    }
}

/// Values of a function that may be pointers to the memory.
struct Led {
    everything: bool,
    values: BTreeSet<ValueId>,
}

impl Led {
    fn holds(&self, operand: &Operand) -> bool {
        self.everything || operand.value().is_some_and(|id| self.values.contains(&id))
    }
}

/// What comes from some values in any way. Of an address that is where it starts, and not by how much it was moved.
fn find_led(body: &Function, mut led: BTreeSet<ValueId>) -> BTreeSet<ValueId> {
    loop {
        let before = led.len();
        for id in body.inst_ids() {
            let Some(inst) = body.inst(id) else { continue };
            let sources = if let Op::Gep(_) = inst.op { &inst.operands[..1] } else { &inst.operands[..] };
            if sources.iter().filter_map(Operand::value).any(|source| led.contains(&source)) {
                led.insert(id);
            }
        }
        if led.len() == before {
            return led;
        }
    }
}
