//! TRANSPOSE, RESHAPE, SPREAD, CSHIFT, EOSHIFT, PACK and UNPACK: elements in another order.

use super::derived::{assign_one, initialize_at};
use super::descriptor::{
    Complex, DERIVED, DOUBLE, DOUBLE_COMPLEX, Descriptor, FLOAT, FLOAT_COMPLEX, INTEGER, Index, View,
};
use super::descriptor::{NO_DIMENSION, copy_elements, copy_integer, end_program, integer, is_wanted, unknown};

/// Every element of a new result is one of the source's.
unsafe fn fill(
    result: &mut Descriptor,
    x: &Descriptor,
    extents: Index,
    source: impl Fn(Index) -> Index,
) {
    let from = x.view();
    unsafe {
        let to = result.allocate(extents);
        if x.ty == DERIVED {
            initialize_at(to, x);
            to.visit(|index| assign_one(x, to.at(index), from.at(source(index))));
        } else {
            copy_elements(result.ty, result.bytes, to, from, source);
        }
    }
}

/// An array without elements is never asked for one.
fn remainder(a: i64, n: i64) -> i64 {
    if n > 0 { a % n } else { 0 }
}

fn quotient(a: i64, n: i64) -> i64 {
    if n > 0 { a / n } else { 0 }
}

#[unsafe(export_name = "backsweep.body._FortranATranspose")]
unsafe extern "C" fn transpose(result: &mut Descriptor, x: &Descriptor, _file: *const u8, _line: i32) {
    let from = x.view();
    let extents = [from.extents[1], from.extents[0], 1, 1];
    unsafe { fill(result, x, extents, |index| [index[1], index[0], 0, 0]) }
}

#[unsafe(export_name = "backsweep.body._FortranASpread")]
unsafe extern "C" fn spread(
    result: &mut Descriptor,
    x: &Descriptor,
    dim: i32,
    copies: i64,
    _file: *const u8,
    _line: i32,
) {
    let from = x.view();
    let e = from.extents;
    let copies = if copies > 0 { copies } else { 0 };
    unsafe {
        match dim {
            1 => fill(result, x, [copies, e[0], e[1], e[2]], |i| [i[1], i[2], i[3], 0]),
            2 => fill(result, x, [e[0], copies, e[1], e[2]], |i| [i[0], i[2], i[3], 0]),
            3 => fill(result, x, [e[0], e[1], copies, e[2]], |i| [i[0], i[1], i[3], 0]),
            4 => fill(result, x, [e[0], e[1], e[2], copies], |i| [i[0], i[1], i[2], 0]),
            _ => end_program(NO_DIMENSION),
        }
    }
}

/// An index with one of its numbers replaced.
fn moved(index: Index, dim: i32, to: i64) -> Index {
    match dim {
        1 => [to, index[1], index[2], index[3]],
        2 => [index[0], to, index[2], index[3]],
        3 => [index[0], index[1], to, index[3]],
        4 => [index[0], index[1], index[2], to],
        _ => end_program(NO_DIMENSION),
    }
}

/// An index without one of its numbers.
fn without(index: Index, dim: i32) -> Index {
    match dim {
        1 => [index[1], index[2], index[3], 0],
        2 => [index[0], index[2], index[3], 0],
        3 => [index[0], index[1], index[3], 0],
        4 => [index[0], index[1], index[2], 0],
        _ => end_program(NO_DIMENSION),
    }
}

fn number_at(index: Index, dim: i32) -> i64 {
    match dim {
        1 => index[0],
        2 => index[1],
        3 => index[2],
        4 => index[3],
        _ => end_program(NO_DIMENSION),
    }
}

unsafe fn shift_around(result: &mut Descriptor, x: &Descriptor, by: i64, dim: i32) {
    let from = x.view();
    let n = from.length(dim - 1);
    let around = |index: Index| {
        let at = remainder(number_at(index, dim) + by, n);
        moved(index, dim, if at < 0 { at + n } else { at })
    };
    unsafe { fill(result, x, from.extents, around) }
}

#[unsafe(export_name = "backsweep.body._FortranACshiftVector")]
unsafe extern "C" fn shift(result: &mut Descriptor, x: &Descriptor, by: i64, _file: *const u8, _line: i32) {
    unsafe { shift_around(result, x, by, 1) }
}

#[unsafe(export_name = "backsweep.body._FortranACshift")]
unsafe extern "C" fn shift_along(
    result: &mut Descriptor,
    x: &Descriptor,
    by: &Descriptor,
    dim: i32,
    _file: *const u8,
    _line: i32,
) {
    unsafe { shift_around(result, x, integer(by), dim) }
}

/// What is shifted out is gone; what comes in is the boundary, or zero.
unsafe fn shift_off(
    result: &mut Descriptor,
    x: &Descriptor,
    (by, dim): (i64, i32),
    boundary: *const Descriptor,
) {
    unsafe {
        match x.ty {
            DOUBLE => shift_off_as::<f64>(result, x, by, dim, boundary, 0.0),
            FLOAT => shift_off_as::<f32>(result, x, by, dim, boundary, 0.0),
            DOUBLE_COMPLEX => {
                shift_off_as::<Complex<f64>>(result, x, by, dim, boundary, Complex { re: 0.0, im: 0.0 })
            }
            FLOAT_COMPLEX => {
                shift_off_as::<Complex<f32>>(result, x, by, dim, boundary, Complex { re: 0.0, im: 0.0 })
            }
            INTEGER => shift_off_as::<i32>(result, x, by, dim, boundary, 0),
            _ => unknown(),
        }
    }
}

unsafe fn shift_off_as<T: Copy>(
    result: &mut Descriptor,
    x: &Descriptor,
    by: i64,
    dim: i32,
    boundary: *const Descriptor,
    zero: T,
) {
    let from = x.view();
    let n = from.length(dim - 1);
    let to = unsafe { result.allocate(from.extents) };
    // One for all of the array, or one for each row: a view of a scalar is the same at each index.
    let edge = if boundary.is_null() { None } else { Some(unsafe { (*boundary).view() }) };
    to.visit(|index| unsafe {
        let at = number_at(index, dim) + by;
        let outside = || edge.as_ref().map_or(zero, |edge| edge.read(without(index, dim)));
        let inside = at >= 0 && at < n;
        to.at::<T>(index).write(if inside { from.read(moved(index, dim, at)) } else { outside() });
    });
}

#[unsafe(export_name = "backsweep.body._FortranAEoshiftVector")]
unsafe extern "C" fn shift_vector_off(
    result: &mut Descriptor,
    x: &Descriptor,
    by: i64,
    boundary: *const Descriptor,
    _file: *const u8,
    _line: i32,
) {
    unsafe { shift_off(result, x, (by, 1), boundary) }
}

#[unsafe(export_name = "backsweep.body._FortranAEoshift")]
unsafe extern "C" fn shift_array_off(
    result: &mut Descriptor,
    x: &Descriptor,
    by: &Descriptor,
    boundary: *const Descriptor,
    dim: i32,
    _file: *const u8,
    _line: i32,
) {
    unsafe { shift_off(result, x, (integer(by), dim), boundary) }
}

/// Elements of a vector where the mask is true, in order; of the field elsewhere.
unsafe fn unpack_as<T>(to: View, from: View, mask: &Descriptor, field: &Descriptor) {
    let other = field.view();
    let mut next = 0;
    to.visit(|index| unsafe {
        if is_wanted(mask, index) {
            to.at::<T>(index).write(from.read([next, 0, 0, 0]));
            next += 1;
        } else {
            to.at::<T>(index).write(other.read(index));
        }
    });
}

#[unsafe(export_name = "backsweep.body._FortranAUnpack")]
unsafe extern "C" fn unpack(
    result: &mut Descriptor,
    vector: &Descriptor,
    mask: &Descriptor,
    field: &Descriptor,
    _file: *const u8,
    _line: i32,
) {
    unsafe {
        let to = result.allocate(mask.view().extents);
        let from = vector.view();
        match vector.ty {
            DOUBLE => unpack_as::<f64>(to, from, mask, field),
            FLOAT => unpack_as::<f32>(to, from, mask, field),
            DOUBLE_COMPLEX => unpack_as::<Complex<f64>>(to, from, mask, field),
            FLOAT_COMPLEX => unpack_as::<Complex<f32>>(to, from, mask, field),
            _ => unknown(),
        }
    }
}

/// One number of an INTEGER vector.
unsafe fn listed(vector: &Descriptor, at: usize) -> i64 {
    let at = [at as i64, 0, 0, 0];
    unsafe {
        match vector.bytes {
            4 => i64::from(vector.view().read::<i32>(at)),
            8 => vector.view().read::<i64>(at),
            _ => unknown(),
        }
    }
}

/// The dimension that runs so fast is one of those that there are.
fn chosen(extents: Index, dim: i64) -> i64 {
    match dim {
        1 => extents[0],
        2 => extents[1],
        3 => extents[2],
        _ => extents[3],
    }
}

/// What the source does not have comes from another array, again and again.
unsafe fn fill_padded(
    result: &mut Descriptor,
    extents: Index,
    (x, available): (&Descriptor, i64),
    pad: &Descriptor,
    number_of: impl Fn(Index) -> i64,
) {
    if pad.rank != 1 || pad.ty != x.ty {
        unknown()
    }
    unsafe {
        match x.ty {
            DOUBLE => fill_padded_as::<f64>(result, extents, (x, available), pad.view(), number_of),
            FLOAT => fill_padded_as::<f32>(result, extents, (x, available), pad.view(), number_of),
            _ => unknown(),
        }
    }
}

unsafe fn fill_padded_as<T>(
    result: &mut Descriptor,
    extents: Index,
    (x, available): (&Descriptor, i64),
    pad: View,
    number_of: impl Fn(Index) -> i64,
) {
    let from = x.view();
    let to = unsafe { result.allocate(extents) };
    to.visit(|index| unsafe {
        let number = number_of(index);
        let place = to.at::<T>(index);
        if number < available {
            place.write(from.read(numbered(x.rank, from.extents, number)));
        } else {
            place.write(pad.read([remainder(number - available, pad.extents[0]), 0, 0, 0]));
        }
    });
}

#[unsafe(export_name = "backsweep.body._FortranAReshape")]
unsafe extern "C" fn reshape(
    result: &mut Descriptor,
    x: &Descriptor,
    shape: &Descriptor,
    pad: *const Descriptor,
    order: *const Descriptor,
    _file: *const u8,
    _line: i32,
) {
    let mut extents = [1; 4];
    for d in 0..4 {
        if d < usize::from(result.rank) {
            extents[d] = unsafe { listed(shape, d) };
        }
    }
    // How far apart elements are in the source, along each dimension of the result.
    let mut steps = [1, extents[0], extents[0] * extents[1], extents[0] * extents[1] * extents[2]];
    if !order.is_null() {
        steps = [0; 4];
        let mut step = 1;
        for d in 0..4 {
            if d < usize::from(result.rank) {
                let fast = unsafe { listed(&*order, d) };
                for other in 0..4 {
                    if fast == other as i64 + 1 {
                        steps[other] = step;
                    }
                }
                step *= chosen(extents, fast);
            }
        }
    }
    let from = x.view();
    let available = from.extents[0] * from.extents[1] * from.extents[2] * from.extents[3];
    let number_of =
        |index: Index| index[0] * steps[0] + index[1] * steps[1] + index[2] * steps[2] + index[3] * steps[3];
    if !pad.is_null() {
        unsafe { fill_padded(result, extents, (x, available), &*pad, number_of) };
        return;
    }
    let source = |index: Index| numbered(x.rank, from.extents, number_of(index));
    unsafe { fill(result, x, extents, source) }
}

/// Where the element with a number stands in an array, counted in the order of its elements.
fn numbered(rank: u8, extents: Index, number: i64) -> Index {
    match rank {
        1 => [number, 0, 0, 0],
        2 => [remainder(number, extents[0]), quotient(number, extents[0]), 0, 0],
        3 => {
            let rest = quotient(number, extents[0]);
            let second = remainder(rest, extents[1]);
            [remainder(number, extents[0]), second, quotient(rest, extents[1]), 0]
        }
        _ => unknown(),
    }
}

#[unsafe(export_name = "backsweep.body._FortranAPack")]
unsafe extern "C" fn pack(
    result: &mut Descriptor,
    x: &Descriptor,
    mask: &Descriptor,
    vector: *const Descriptor,
    _file: *const u8,
    _line: i32,
) {
    let from = x.view();
    let mut count = 0;
    from.visit(|index| unsafe {
        if is_wanted(mask, index) {
            count += 1;
        }
    });
    unsafe {
        // Behind what is packed stands what stands there in the vector.
        let rest = if vector.is_null() { None } else { Some((*vector).view()) };
        let length = rest.map_or(count, |rest| rest.extents[0]);
        let to = result.allocate([length, 1, 1, 1]);
        initialize_at(to, x);
        let mut next = 0;
        from.visit(|index| {
            if is_wanted(mask, index) {
                copy_one(x, to.at([next, 0, 0, 0]), from.at(index));
                next += 1;
            }
        });
        if let Some(rest) = rest {
            while next < length {
                copy_one(x, to.at([next, 0, 0, 0]), rest.at([next, 0, 0, 0]));
                next += 1;
            }
        }
    }
}

/// One element, by its type.
unsafe fn copy_one(like: &Descriptor, to: *mut u8, from: *mut u8) {
    unsafe {
        match like.ty {
            DOUBLE => to.cast::<f64>().write(from.cast::<f64>().read()),
            FLOAT => to.cast::<f32>().write(from.cast::<f32>().read()),
            DOUBLE_COMPLEX => to.cast::<Complex<f64>>().write(from.cast::<Complex<f64>>().read()),
            FLOAT_COMPLEX => to.cast::<Complex<f32>>().write(from.cast::<Complex<f32>>().read()),
            DERIVED => assign_one(like, to, from),
            _ => copy_integer(like.ty, like.bytes, to, from),
        }
    }
}
