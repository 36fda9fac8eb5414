//! Whether a declared return type is another spelling of the same members at the same places.
//!
//! Front ends return small structs in registers: clang gives two floats as `<2 x float>`, three as
//! `{ <2 x float>, float }`, an integer beside a float as `i64`; rustc and flang give two floats as a `double`.
//! Safe error: no, which is a refusal. A yes that is wrong would hand over bits of one type as another.

use crate::model::{FloatKind, Layout, Type};

/// How the front end returns two single floats in one register, as far as the caller's reading of them tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatPairs {
    Vector,
    Double,
}

/// A scalar, or a vector that stands for what lies in its bytes.
struct Leaf {
    start: u64,
    end: u64,
    ty: Type,
}

pub fn is_same_members(expected: &Type, declared: &Type, pairs: FloatPairs, layout: &Layout) -> bool {
    let (mut members, mut registers) = (Vec::new(), Vec::new());
    let known = collect(expected, 0, layout, Vectors::Split, &mut members)
        && collect(declared, 0, layout, Vectors::Whole, &mut registers);
    let mixed = members.iter().any(|member| !member.ty.holds_float());
    let covered = members.iter().all(|member| {
        registers.iter().any(|register| register.start <= member.start && member.end <= register.end)
    });
    let all_integers = registers.iter().all(|register| matches!(register.ty, Type::Int(_)));
    known
        && covered
        && registers.iter().all(|register| {
            let held: Vec<&Leaf> =
                members.iter().filter(|at| at.start < register.end && register.start < at.end).collect();
            // Some targets return a struct in integer registers only, as soon as one member is no float.
            let integers = mixed && all_integers || held.iter().any(|member| !member.ty.holds_float());
            holds(register, &held, pairs, integers)
        })
}

fn holds(register: &Leaf, held: &[&Leaf], pairs: FloatPairs, integers: bool) -> bool {
    if let [only] = held
        && only.start == register.start
        && only.ty == register.ty
    {
        return true;
    }
    match &register.ty {
        Type::Int(_) => integers,
        Type::Vector(_, element) => held
            .iter()
            .all(|member| member.ty == **element || (is_small_float(&member.ty) && is_small_float(element))),
        Type::Float(FloatKind::Double) if pairs == FloatPairs::Double => {
            held.iter().all(|member| is_small_float(&member.ty))
        }
        _ => false,
    }
}

fn is_small_float(ty: &Type) -> bool {
    matches!(ty, Type::Float(FloatKind::Single | FloatKind::Half | FloatKind::BFloat))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Vectors {
    Split,
    Whole,
}

/// More parts than this are not compared one by one.
const MOST_LEAVES: usize = 4096;

/// Adds the scalars of a type; false where their places are not known.
fn collect(ty: &Type, start: u64, layout: &Layout, vectors: Vectors, leaves: &mut Vec<Leaf>) -> bool {
    let parts: Vec<&Type> = match ty {
        Type::Vector(lanes, element) if vectors == Vectors::Split => vec![&**element; lanes.count as usize],
        Type::Struct { .. } | Type::Array(..) => ty.parts().unwrap_or_default(),
        _ => {
            let Some(bytes) = layout.store_size(ty) else { return false };
            leaves.push(Leaf { start, end: start + bytes, ty: ty.clone() });
            return leaves.len() <= MOST_LEAVES;
        }
    };
    (0..).zip(parts).all(|(index, part)| {
        let offset = layout.field_offset(ty, index);
        offset.is_some_and(|offset| collect(part, start + offset, layout, vectors, leaves))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Lanes;

    const FLOAT: Type = Type::Float(FloatKind::Single);

    fn same(expected: &[Type], declared: &[Type], pairs: FloatPairs) -> bool {
        let whole = |parts: &[Type]| match parts {
            [only] => only.clone(),
            _ => Type::structure(parts.to_vec()),
        };
        is_same_members(&whole(expected), &whole(declared), pairs, &Layout::default())
    }

    fn pair() -> Type {
        Type::Vector(Lanes { count: 2, scalable: false }, Box::new(FLOAT))
    }

    #[test]
    fn registers_hold_what_lies_in_their_bytes() {
        use FloatPairs::{Double, Vector};
        assert!(same(&[FLOAT, FLOAT], &[pair()], Vector));
        assert!(same(&[FLOAT, FLOAT, FLOAT], &[pair(), FLOAT], Vector));
        assert!(same(&[FLOAT, FLOAT, FLOAT, FLOAT], &[pair(), pair()], Vector));
        assert!(same(&[FLOAT, Type::I32], &[Type::I64], Vector));
        assert!(same(&[FLOAT, FLOAT, FLOAT], &[Type::DOUBLE, FLOAT], Double));
        assert!(same(&[Type::DOUBLE, FLOAT], &[Type::DOUBLE, Type::DOUBLE], Double));
        assert!(same(&[Type::PTR, Type::DOUBLE], &[Type::PTR, Type::DOUBLE], Vector));
        assert!(same(&[Type::PTR, Type::DOUBLE], &[Type::I64, Type::I64], Vector));
    }

    #[test]
    fn other_members_of_the_same_size_are_not_the_same() {
        use FloatPairs::Vector;
        assert!(!same(&[FLOAT, FLOAT], &[Type::DOUBLE], Vector));
        assert!(!same(&[Type::DOUBLE, Type::DOUBLE], &[Type::DOUBLE, Type::I64], Vector));
        assert!(!same(&[Type::DOUBLE, FLOAT], &[FLOAT, Type::DOUBLE], Vector));
        assert!(!same(&[Type::DOUBLE], &[pair()], Vector));
        assert!(!same(&[Type::PTR, Type::DOUBLE], &[Type::DOUBLE, Type::PTR], Vector));
        assert!(!same(&[FLOAT, FLOAT, FLOAT], &[pair()], Vector));
    }
}
