//! What the primal leaves in memory that the reverse sweep puts back: told, copied between the sweeps, written back behind them.
//!
//! The machine copies place by place, whatever was told of it before.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use backsweep_oracle::{Fault, Host, Kind, Machine, Memory, Pointer, Value};

/// Where the primal stored, in so many bytes, and where a copy of it is kept.
struct Place {
    at: Pointer,
    bytes: u64,
    copy: Option<Pointer>,
}

type Lists = Rc<RefCell<HashMap<u32, Vec<Place>>>>;

pub fn provide_left(machine: &mut Machine) {
    let lists = Lists::default();
    let open = |lists: &Lists, memory: &mut Memory, _: &[Value]| {
        let handle = memory.allocate(Kind::Heap, 8)?;
        lists.borrow_mut().insert(handle.object, Vec::new());
        Ok(Value::Pointer(handle))
    };
    let tell = |lists: &Lists, _: &mut Memory, x: &[Value]| {
        let (list, number) =
            (x[0].as_pointer()?.object, |at: usize| Ok::<_, Fault>(x[at].as_int()?.signed()));
        let (step, count, bytes) = (number(2)?, number(3)?, number(4)?);
        for back in 0..count {
            let at = x[1].as_pointer()?.plus(-(back * step) as i64);
            lists.borrow_mut().entry(list).or_default().push(Place { at, bytes: bytes as u64, copy: None });
        }
        Ok(Value::Undef)
    };
    let keep = |lists: &Lists, memory: &mut Memory, x: &[Value]| {
        for place in lists.borrow_mut().entry(x[0].as_pointer()?.object).or_default() {
            let copy = memory.allocate(Kind::Heap, place.bytes)?;
            memory.copy(copy, place.at, place.bytes)?;
            place.copy = Some(copy);
        }
        Ok(Value::Undef)
    };
    let close = |lists: &Lists, memory: &mut Memory, x: &[Value]| {
        let handle = x[0].as_pointer()?;
        for Place { at, bytes, copy } in lists.borrow_mut().remove(&handle.object).unwrap_or_default() {
            if let Some(copy) = copy {
                memory.copy(at, copy, bytes)?;
                memory.free(copy)?;
            }
        }
        memory.free(handle)?;
        Ok(Value::Undef)
    };
    type Action = dyn Fn(&Lists, &mut Memory, &[Value]) -> Result<Value, Fault>;
    let actions: [(&str, Rc<Action>); 4] = [
        ("bs_rt_left_open", Rc::new(open)),
        ("bs_rt_left_tell", Rc::new(tell)),
        ("bs_rt_left_keep", Rc::new(keep)),
        ("bs_rt_left_close", Rc::new(close)),
    ];
    for (name, action) in actions {
        let lists = Rc::clone(&lists);
        let host: Host = Rc::new(move |memory, arguments| action(&lists, memory, arguments));
        machine.provide(name, host);
    }
}
