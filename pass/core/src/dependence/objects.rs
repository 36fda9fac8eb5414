//! Can two pointers lead into the same object at all, at whatever moments?
//!
//! LLVM's alias answers hold for one moment of execution, so that classes do not separate iterations. What separates
//! them for good: two different allocations or globals; a `noalias` parameter and another parameter, allocation or
//! global (nothing else leads there while the function runs, as far as one of the two accesses writes); a constant and
//! whatever is written.
//! Safe error: they can.

use super::access::Access;
use super::nesting::Nesting;
use crate::model::{Function, Linkage, Object, Op, Program, ValueId};

/// Whether two accesses, one of which writes, lead into different objects.
pub fn are_apart(program: &Program, nesting: &Nesting, first: &Access, second: &Access) -> bool {
    are_distinct_sets(program, nesting.function, &first.objects, &second.objects)
        || reads_constants(program, first) && second.writes
        || reads_constants(program, second) && first.writes
}

/// Whether an access reads what nothing may write.
fn reads_constants(program: &Program, access: &Access) -> bool {
    let is_constant = |object: &Object| match object {
        Object::Global(name) => program.global(name).is_some_and(|global| global.constant),
        Object::Local(_) | Object::Param(_) | Object::Through(_) => false,
    };
    !access.writes && !access.objects.is_empty() && access.objects.iter().all(is_constant)
}

/// The same for the objects that two pointers can lead into; none are all.
pub fn are_distinct_sets(
    program: &Program,
    function: &Function,
    first: &[Object],
    second: &[Object],
) -> bool {
    let apart = |x: &Object, y: &Object| x != y && are_distinct(program, function, x, y);
    let known = !first.is_empty() && !second.is_empty();
    known && first.iter().all(|x| second.iter().all(|y| apart(x, y)))
}

fn are_distinct(program: &Program, function: &Function, x: &Object, y: &Object) -> bool {
    use Object::{Global, Local, Param, Through};
    match (x, y) {
        // Two allocations, or an allocation and what existed before it.
        (Local(_), Local(_) | Global(_) | Param(_)) | (Global(_) | Param(_), Local(_)) => true,
        (Global(a), Global(b)) => is_storage(program, a) && is_storage(program, b),
        (Param(p), Param(q)) => is_alone(function, *p) || is_alone(function, *q),
        (Param(p), Global(g)) | (Global(g), Param(p)) => is_alone(function, *p) || is_only_named(program, g),
        // A loaded pointer may be a copy of any address that was ever stored.
        (Through(_), _) | (_, Through(_)) => false,
    }
}

/// A global that is memory of its own: an alias or a function is not, and one defined elsewhere may be an alias.
pub fn is_storage(program: &Program, name: &str) -> bool {
    program
        .global(name)
        .is_some_and(|global| global.linkage != Linkage::Declared && global.linkage != Linkage::Replaceable)
}

/// A global that no pointer leads to, however it came about.
pub fn is_only_named(program: &Program, name: &str) -> bool {
    program.global(name).is_some_and(|global| global.only_named)
}

pub fn is_alone(function: &Function, param: ValueId) -> bool {
    let attributes = &function.params[param.0 as usize].attributes;
    attributes.iter().any(|text| text == "noalias" || text.starts_with("byval"))
}

/// A stack slot outside all loops: one object however often its accesses run.
pub fn is_single_slot(nesting: &Nesting, id: ValueId) -> bool {
    let outside = nesting.home(id).is_some_and(|home| nesting.innermost(home).is_none());
    outside && nesting.function.inst(id).is_some_and(|inst| matches!(inst.op, Op::Alloca(_)))
}
