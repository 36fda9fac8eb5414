//! Calls that are given memory of which a copy is to be judged: all that they touch of it has to be seen.
//!
//! A callee that reads no pointer in memory comes to nothing but what it was given; one that does, to what is reached from there; none
//! may put one there, but those of virtual tables, and null where a pointer is declared. Each access is followed back to the
//! parameters its address comes from, and from there to the arguments of whoever calls; those that do not lead to the memory say
//! nothing of it. A callee that copies may do so from one argument to another, so all of them are joined as by a copy.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Proof;
use super::atomic_counts::is_atomic_count;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places};
use crate::model::{Access, Constant, Function, Inst, Op, Operand, Type, ValueId};

const EXCEPTIONS: [&str; 3] = ["backsweep.threw", "backsweep.caught", "backsweep.resume"];

/// How a callee and all that it calls touch what its arguments lead to.
type Touched<'a> = Rc<Vec<(&'a Access, Type)>>;

/// A call that is given some of the memory.
pub struct Given<'a> {
    pub touched: Touched<'a>,
    /// The arguments that lead to the memory, or with which it is joined.
    pub arguments: Vec<&'a Operand>,
}

/// Parameters of a function, by their number.
type Params = BTreeSet<u32>;

/// A call with a derivative, and what can be found from each of its arguments.
type Call<'a> = (&'a Inst, Vec<BTreeSet<Place>>);

/// A callee, how many arguments it is called with, and the parameters from which the pointers come.
type Handed<'a> = (&'a str, usize, Params);

/// A copy, with the memory at both ends.
type Copied<'a> = (&'a Inst, [BTreeSet<Place>; 2]);

/// What has been asked of callees. Each copy asks the same of each call, and nothing of it depends on the copy.
#[derive(Default)]
pub struct Asked<'a> {
    calls: OnceCell<Vec<Call<'a>>>,
    /// What a callee touches, and whether it copies.
    touched: RefCell<BTreeMap<Handed<'a>, Option<(Touched<'a>, bool)>>>,
    /// By the memory behind its pointers, what accesses memory here otherwise than by a call.
    pub(super) touching: OnceCell<BTreeMap<Place, Vec<ValueId>>>,
    /// All copies.
    pub(super) copies: OnceCell<Vec<Copied<'a>>>,
}

/// What a body does by pointers that come from some of its parameters.
enum Deed<'a> {
    Touches(&'a Access, Type),
    /// Hands them to a function by these parameters of its.
    Hands(&'a Function, Params),
    /// Copies between memory of which it is known that it was given or made.
    Copies,
}

impl<'a> Proof<'a> {
    /// The calls with derivatives that are given some of this memory, or what leads there; `None` where one of them does with it what
    /// is not seen, or puts pointers there.
    pub fn calls_given(&self, joined: &BTreeSet<Place>) -> Option<Vec<Given<'a>>> {
        let mut found = Vec::new();
        for (call, reached) in self.calls_with_reach() {
            let ways: Params =
                (0..).zip(reached).filter(|(_, x)| !x.is_disjoint(joined)).map(|(at, _)| at).collect();
            if !ways.is_empty() {
                found.push(self.handling_of(call, ways)?);
            }
        }
        Some(found)
    }

    fn calls_with_reach(&self) -> &[Call<'a>] {
        self.asked.calls.get_or_init(|| {
            let insts = self.live_insts().into_iter();
            let calls = insts.filter(|(id, _)| self.plan.calls.contains_key(id));
            let reach = |x: &Operand| self.reached_from(&self.made_behind(x));
            calls.map(|(_, call)| (call, call.arguments().iter().map(reach).collect())).collect()
        })
    }

    pub(super) fn handling_of(&self, call: &'a Inst, ways: Params) -> Option<Given<'a>> {
        let body = self.callee_body(call.callee_name()?)?;
        let count = call.arguments().len();
        let key = (body.name.as_str(), count, ways.clone());
        let known = self.asked.touched.borrow().get(&key).cloned();
        let touched = known.unwrap_or_else(|| {
            let found = self.touched_from(body, &ways, count);
            self.asked.touched.borrow_mut().insert(key, found.clone());
            found
        });
        let (touched, copies) = touched?;
        let arguments = (0..).zip(call.arguments()).filter(|(at, _)| copies || ways.contains(at));
        Some(Given { touched, arguments: arguments.map(|(_, x)| x).collect() })
    }

    fn touched_from(&self, body: &'a Function, ways: &Params, count: usize) -> Option<(Touched<'a>, bool)> {
        let (touched, copies) = self.deeds_from(body, ways.clone(), false)?;
        if !copies {
            return Some((Rc::new(touched), false));
        }
        let (touched, _) = self.deeds_from(body, (0..count as u32).collect(), true)?;
        Some((Rc::new(touched), true))
    }

    /// The accesses of a body and of all that it calls, and whether one of them copies.
    fn deeds_from(
        &self,
        body: &'a Function,
        ways: Params,
        any: bool,
    ) -> Option<(Vec<(&'a Access, Type)>, bool)> {
        let (mut touched, mut copies) = (Vec::new(), false);
        let mut entered: BTreeMap<&str, Params> = BTreeMap::new();
        let mut open = vec![(body, ways)];
        while let Some((body, ways)) = open.pop() {
            let known = entered.get(body.name.as_str());
            if known.is_some_and(|known| ways.is_subset(known)) {
                continue;
            }
            let ways: Params = known.into_iter().flatten().copied().chain(ways).collect();
            entered.insert(&body.name, ways.clone());
            for deed in self.deeds(body, &ways, any)? {
                match deed {
                    Deed::Touches(access, ty) => touched.push((access, ty)),
                    Deed::Hands(callee, params) => open.push((callee, params)),
                    Deed::Copies => copies = true,
                }
            }
        }
        Some((touched, copies))
    }

    fn deeds(&self, body: &'a Function, ways: &Params, any: bool) -> Option<Vec<Deed<'a>>> {
        let places = Places::of(body, self.program);
        let comes = |x: &Operand| any || !sources(body, x).is_disjoint(ways);
        let mut deeds = Vec::new();
        for inst in &body.insts {
            deeds.extend(self.deed(body, inst, &places, &comes)?);
        }
        Some(deeds)
    }

    fn deed(
        &self,
        body: &Function,
        inst: &'a Inst,
        places: &Places,
        comes: &dyn Fn(&Operand) -> bool,
    ) -> Option<Option<Deed<'a>>> {
        let pointer = |x: &Operand| body.operand_type(x).holds_pointer();
        match &inst.op {
            Op::Load(_) if !comes(&inst.operands[0]) => Some(None),
            Op::Load(access) if inst.ty.is_pointer() || !inst.ty.holds_pointer() => {
                Some(Some(Deed::Touches(access, inst.ty.clone())))
            }
            Op::Store(access)
                if !pointer(&inst.operands[0])
                    || access.member
                        && (is_null(&inst.operands[0]) || self.is_bare_address(body, inst, places)) =>
            {
                let ty = body.operand_type(&inst.operands[0]);
                Some(comes(&inst.operands[1]).then_some(Deed::Touches(access, ty)))
            }
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } if is_atomic_count(body, inst) => Some(None),
            op if op.call().is_some() => self.deed_of_call(body, inst, places, comes),
            Op::Load(_)
            | Op::Store(_)
            | Op::AtomicRmw { .. }
            | Op::CompareExchange { .. }
            | Op::Opaque { .. } => (!inst.operands.iter().any(comes)).then_some(None),
            Op::VaArg => None,
            _ => Some(None),
        }
    }

    /// Whether the address of a virtual table is stored, which nobody takes for a number.
    fn is_bare_address(&self, body: &Function, store: &Inst, places: &Places) -> bool {
        let led = places.lead(&store.operands[0]);
        let bare = |place: &Place| self.is_table(place);
        body.operand_type(&store.operands[0]).is_pointer() && !led.is_empty() && led.iter().all(bare)
    }

    fn deed_of_call(
        &self,
        body: &Function,
        call: &'a Inst,
        places: &Places,
        comes: &dyn Fn(&Operand) -> bool,
    ) -> Option<Option<Deed<'a>>> {
        // The words for exceptions hand on what somebody else has put there.
        if call.callee_name().is_some_and(|name| EXCEPTIONS.contains(&name)) {
            return Some(None);
        }
        let leads = |x: &Operand| comes(x) && !self.is_constant_without_floats(x, places);
        let ways: Params = (0..).zip(call.arguments()).filter(|(_, x)| leads(x)).map(|(at, _)| at).collect();
        match memory_call(call) {
            _ if ways.is_empty() => return Some(None),
            Some(MemoryCall::Copy) => {
                let near = |place: &Place| matches!(place, Place::Param(_) | Place::Slot(_) | Place::Made(_));
                let ends = call.operands[..2].iter().flat_map(|x| places.lead(x));
                return ends.into_iter().all(|place| near(&place)).then_some(Some(Deed::Copies));
            }
            Some(MemoryCall::Fill | MemoryCall::Allocate | MemoryCall::Free) => return Some(None),
            None => {}
        }
        let called = call.callee_name()?;
        if self.program.function(called).is_some_and(|callee| !callee.blocks.is_empty()) {
            return self.callee_body(called).map(|callee| Some(Deed::Hands(callee, ways)));
        }
        let given = |at: &u32| body.operand_type(&call.arguments()[*at as usize]).holds_pointer();
        (is_harmless(called) || !ways.iter().any(given)).then_some(None)
    }

    /// Whether there is nothing behind a pointer but constants from which nobody comes to a float.
    fn is_constant_without_floats(&self, pointer: &Operand, places: &Places) -> bool {
        let led = places.lead(pointer);
        let constant = |place: &Place| matches!(place, Place::Global(_)) && !self.may_hold_floats(place);
        (is_null(pointer) || !led.is_empty()) && led.iter().all(constant)
    }

    fn callee_body(&self, name: &str) -> Option<&'a Function> {
        let ruled = self.program.custom_rule(name).is_some();
        self.program.function(name).filter(|body| !ruled && !body.blocks.is_empty())
    }
}

/// A pointer that leads nowhere: its shadow leads nowhere, too.
fn is_null(value: &Operand) -> bool {
    matches!(value, Operand::Const(Constant::Null(_) | Constant::Zero(_)))
}

/// The parameters from which a value comes, by whatever way; an address comes from where its steps began.
fn sources(body: &Function, value: &Operand) -> Params {
    let (mut params, mut seen, mut open) = (Params::new(), BTreeSet::new(), Vec::from_iter(value.value()));
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match body.inst(id) {
            None => {
                params.insert(id.0);
            }
            Some(Inst { op: Op::Gep(_), operands, .. }) => open.extend(operands[0].value()),
            Some(inst) => open.extend(inst.operands.iter().filter_map(Operand::value)),
        }
    }
    params
}

/// What ends the program after printing an address of code, what looks at bytes and returns a number, and destructors of `std::string`,
/// whose text holds neither numbers nor addresses.
fn is_harmless(callee: &str) -> bool {
    let drops_text = callee
        .strip_prefix("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE")
        .is_some_and(|member| matches!(member, "D1Ev" | "D2Ev"));
    let looks = matches!(callee, "memcmp" | "bcmp" | "strlen" | "_ZSt11_Hash_bytesPKvmm");
    drops_text || looks || callee == "bs_rt_unknown_function"
}
