//! Descriptors of Fortran's arrays in globals, by their type: what flang writes for `ISO_Fortran_binding.h`.
//!
//! Global → where in it descriptors begin. A type tells no more than the shape, so whoever reads one at run time asks for its
//! version first. Safe error: too few, whose arrays have no shadow.

use crate::model::{Global, Layout, Type};

/// A global with more of them than this is not looked through.
const MOST: usize = 1024;

/// How many bytes behind its start each descriptor stands; none where there are too many.
pub fn find_descriptors(global: &Global, layout: &Layout) -> Vec<u64> {
    let mut found = Vec::new();
    match find_in(&global.ty, 0, layout, &mut found) {
        Some(()) => found,
        None => Vec::new(),
    }
}

fn find_in(ty: &Type, at: u64, layout: &Layout, found: &mut Vec<u64>) -> Option<()> {
    if !ty.holds_pointer() {
        return Some(());
    }
    if is_descriptor(ty) {
        found.push(at);
        return (found.len() <= MOST).then_some(());
    }
    match ty {
        Type::Array(count, element) => (0..*count).try_for_each(|index| {
            let place = layout.field_offset(ty, index)?;
            find_in(element, at + place, layout, found)
        }),
        Type::Struct { fields, .. } => (0..).zip(fields).try_for_each(|(index, field)| {
            let place = layout.field_offset(ty, index)?;
            find_in(field, at + place, layout, found)
        }),
        _ => Some(()),
    }
}

/// The address, the size of an element, a version, rank, type, attribute and more; the dimensions; of what derived type.
fn is_descriptor(ty: &Type) -> bool {
    let Type::Struct { fields, packed: false } = ty else { return false };
    let [base, head @ ..] = fields.as_slice() else { return false };
    let Some((head, rest)) = head.split_at_checked(6) else { return false };
    let sizes = [64, 32, 8, 8, 8, 8].map(Type::Int);
    let is_dims = |ty: &Type| match ty {
        Type::Array(_, dim) => matches!(&**dim, Type::Array(3, of) if **of == Type::I64),
        _ => false,
    };
    let is_addendum = |of: &[Type]| match of {
        [] => true,
        [ty, lengths] => ty.is_pointer() && matches!(lengths, Type::Array(_, of) if **of == Type::I64),
        _ => false,
    };
    let behind = match rest {
        [dims, behind @ ..] if is_dims(dims) => behind,
        _ => rest,
    };
    base.is_pointer() && head == sizes && is_addendum(behind)
}
