//! The lists of what derived functions put off, each of its tape: what is freed too early, or twice, is found by the machine.
//!
//! Shadows that go with memory stay: the machine does not know which of them were made by derivatives.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use backsweep_oracle::{Fault, Host, Machine, Memory, Pointer, Value};

type Lists = Rc<RefCell<HashMap<u32, Vec<Pointer>>>>;

/// Symbols that begin so are functions that free memory, `RELEASES` those that need not be in the program.
pub const RELEASE: &str = backsweep_core::derive::RELEASE;
pub const RELEASES: [&str; 3] = ["free", "_ZdlPv", "_ZdaPv"];

pub fn provide_lists(machine: &mut Machine) {
    let lists = Lists::default();
    let open = |lists: &Lists, _: &mut Memory, x: &[Value]| {
        Ok(Value::int(64, lists.borrow_mut().entry(tape_of(x)?).or_default().len() as i128))
    };
    let add = |lists: &Lists, _: &mut Memory, x: &[Value]| {
        lists.borrow_mut().entry(tape_of(x)?).or_default().push(x[1].as_pointer()?);
        Ok(Value::Undef)
    };
    let close = |lists: &Lists, memory: &mut Memory, x: &[Value]| {
        let opened = x[1].as_int()?.value as usize;
        free_behind(lists, memory, tape_of(x)?, opened)
    };
    let end = |lists: &Lists, memory: &mut Memory, x: &[Value]| free_behind(lists, memory, tape_of(x)?, 0);
    let room = |_: &Lists, _: &mut Memory, _: &[Value]| Ok(Value::Undef);
    type Action = dyn Fn(&Lists, &mut Memory, &[Value]) -> Result<Value, Fault>;
    let actions: [(&str, Rc<Action>); 6] = [
        ("bs_rt_make_room", Rc::new(room)),
        ("bs_rt_put_off_open", Rc::new(open)),
        ("bs_rt_put_off", Rc::new(add)),
        ("bs_rt_put_off_sized", Rc::new(add)),
        ("bs_rt_put_off_close", Rc::new(close)),
        ("bs_tape_free", Rc::new(end)),
    ];
    for (name, action) in actions {
        let lists = Rc::clone(&lists);
        let host: Host = Rc::new(move |memory, arguments| action(&lists, memory, arguments));
        machine.provide(name, host);
    }
}

fn tape_of(arguments: &[Value]) -> Result<u32, Fault> {
    Ok(arguments[0].as_pointer()?.object)
}

fn free_behind(lists: &Lists, memory: &mut Memory, tape: u32, opened: usize) -> Result<Value, Fault> {
    let freed = lists.borrow_mut().get_mut(&tape).map(|list| list.split_off(opened.min(list.len())));
    freed.into_iter().flatten().try_for_each(|block| memory.free(block))?;
    Ok(Value::Undef)
}
