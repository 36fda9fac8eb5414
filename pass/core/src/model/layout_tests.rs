//! Expected values are those of clang and of LLVM's `DataLayout` for x86-64 Linux.

use super::Layout;
use crate::model::{FloatKind, Lanes, Type};

const X86_64: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

fn vector(count: u32, element: Type) -> Type {
    Type::Vector(Lanes { count, scalable: false }, Box::new(element))
}

fn array(count: u64, element: Type) -> Type {
    Type::Array(count, Box::new(element))
}

fn packed(fields: Vec<Type>) -> Type {
    Type::Struct { fields, packed: true }
}

/// Allocation size, store size and alignment.
fn measure(layout: &Layout, ty: &Type) -> Option<(u64, u64, u64)> {
    Some((layout.size_of(ty)?, layout.store_size(ty)?, layout.align_of(ty)?))
}

#[test]
fn scalars_on_x86_64() {
    let layout = Layout::parse(X86_64);
    let float = Type::Float;
    for (ty, expected) in [
        (Type::BOOL, (1, 1, 1)),
        (Type::Int(8), (1, 1, 1)),
        (Type::Int(24), (4, 3, 4)),
        (Type::I32, (4, 4, 4)),
        (Type::I64, (8, 8, 8)),
        (Type::Int(65), (16, 9, 16)),
        (Type::Int(128), (16, 16, 16)),
        (Type::Int(256), (32, 32, 16)),
        (float(FloatKind::Half), (2, 2, 2)),
        (float(FloatKind::BFloat), (2, 2, 2)),
        (float(FloatKind::Single), (4, 4, 4)),
        (Type::DOUBLE, (8, 8, 8)),
        (float(FloatKind::X87), (16, 10, 16)),
        (float(FloatKind::Quad), (16, 16, 16)),
        (float(FloatKind::DoubleDouble), (16, 16, 16)),
        (Type::PTR, (8, 8, 8)),
        (Type::Ptr(270), (4, 4, 4)),
        (Type::Ptr(272), (8, 8, 8)),
        (Type::Ptr(5), (8, 8, 8)),
    ] {
        assert_eq!(measure(&layout, &ty), Some(expected), "{ty}");
    }
}

#[test]
fn vectors_and_aggregates_on_x86_64() {
    let layout = Layout::parse(X86_64);
    let mixed = Type::structure(vec![Type::Int(8), Type::DOUBLE, Type::Int(16)]);
    for (ty, expected) in [
        (vector(2, Type::DOUBLE), (16, 16, 16)),
        (vector(3, Type::Float(FloatKind::Single)), (16, 12, 16)),
        (vector(8, Type::DOUBLE), (64, 64, 64)),
        (vector(8, Type::BOOL), (1, 1, 1)),
        (vector(9, Type::BOOL), (2, 2, 2)),
        (array(3, Type::Float(FloatKind::X87)), (48, 48, 16)),
        (array(0, Type::DOUBLE), (0, 0, 8)),
        (array(4, array(3, Type::Int(24))), (48, 48, 4)),
        (mixed.clone(), (24, 24, 8)),
        (array(2, mixed), (48, 48, 8)),
        (packed(vec![Type::Int(8), Type::DOUBLE, Type::Int(16)]), (11, 11, 1)),
        (Type::structure(vec![]), (0, 0, 1)),
        (Type::structure(vec![Type::Int(8), Type::Float(FloatKind::X87)]), (32, 32, 16)),
    ] {
        assert_eq!(measure(&layout, &ty), Some(expected), "{ty}");
    }
}

#[test]
fn fields_lie_where_llvm_puts_them() {
    let layout = Layout::parse(X86_64);
    let fields = vec![Type::Int(8), Type::DOUBLE, Type::Int(16), Type::Float(FloatKind::X87)];
    let offsets = |ty: &Type| (0..5).map(|index| layout.field_offset(ty, index)).collect::<Vec<_>>();
    assert_eq!(offsets(&Type::structure(fields.clone())), [Some(0), Some(8), Some(16), Some(32), None]);
    // A packed x86_fp80 still takes 16 bytes, but starts anywhere.
    assert_eq!(offsets(&packed(fields)), [Some(0), Some(1), Some(9), Some(11), None]);
    assert_eq!(layout.field_offset(&array(7, Type::Int(24)), 3), Some(12));
    assert_eq!(layout.field_offset(&vector(4, Type::I32), 3), Some(12));
    assert_eq!(layout.field_offset(&vector(16, Type::BOOL), 3), None);
}

#[test]
fn what_depends_on_run_time_or_does_not_fit_has_no_size() {
    let layout = Layout::default();
    let scalable = Type::Vector(Lanes { count: 4, scalable: true }, Box::new(Type::I32));
    for ty in [scalable, Type::Void, Type::Token, Type::Other("x86_amx".into()), array(u64::MAX, Type::I64)] {
        assert_eq!(layout.size_of(&ty), None, "{ty}");
    }
}

#[test]
fn an_empty_string_means_llvms_defaults() {
    let layout = Layout::parse("");
    assert_eq!(layout, Layout::default());
    assert_eq!(layout.align_of(&Type::I64), Some(4));
    assert_eq!(layout.align_of(&Type::Int(128)), Some(4));
    assert_eq!(layout.align_of(&Type::Float(FloatKind::X87)), Some(16));
    assert_eq!(layout.pointer_bits(3), 64);
}

#[test]
fn strings_of_other_targets_are_read() {
    let arm = Layout::parse("e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64");
    assert_eq!((arm.pointer_bits(0), arm.pointer_bits(9)), (32, 32));
    assert_eq!(arm.align_of(&vector(4, Type::I32)), Some(8));
    assert_eq!(arm.align_of(&Type::I64), Some(8));
    let amd = Layout::parse("p:64:64-p3:32:32-p7:160:256:256:32-v96:128-a:64");
    assert_eq!((amd.pointer_bits(3), amd.pointer_bits(7)), (32, 160));
    assert_eq!(amd.align_of(&vector(3, Type::I32)), Some(16));
    assert_eq!(amd.align_of(&Type::structure(vec![Type::Int(8)])), Some(8));
}
