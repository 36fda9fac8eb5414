//! Text: assignment, TRIM, ADJUSTL, ADJUSTR, REPEAT and concatenation. It has no derivative; the bodies keep what is known of
//! descriptors that hold text.

use super::descriptor::{ALLOCATABLE, Descriptor, Index, View, end_program, free, unknown};

const NO_SHAPE: &[u8] = b"Assign: unallocated left-hand side and scalar right-hand side\0";
const NEGATIVE_COUNT: &[u8] = b"REPEAT: NCOPIES is negative\0";
const BLANK: u8 = b' ';
const NOWHERE: Index = [0; 4];

/// `a = b`: cut off, or filled with blanks, unless the length belongs to what is assigned.
pub unsafe fn assign_text(to: &mut Descriptor, from: &Descriptor) {
    let source = from.view();
    let mut old = core::ptr::null_mut();
    let differs = from.rank == to.rank && (0..4).any(|d| to.view().extents[d] != source.extents[d]);
    if to.attribute == ALLOCATABLE && (to.base.is_null() || to.bytes != from.bytes || differs) {
        if from.rank != to.rank {
            end_program(NO_SHAPE)
        }
        old = to.base;
        to.bytes = from.bytes;
        unsafe { to.allocate(source.extents) };
    }
    let target = to.view();
    let (length, available) = (to.bytes, from.bytes);
    target.visit(|index| unsafe { copy_text(target.at(index), length, source.at(index), available) });
    if !old.is_null() {
        unsafe { free(old) };
    }
}

unsafe extern "C" {
    /// The same letter, said to be one: beside numbers nothing else tells what is only moved.
    #[link_name = "backsweep.fortran.integer.i8"]
    safe fn letter(letter: u8) -> u8;
}

/// From the end where the two overlap so that it matters.
unsafe fn copy_text(to: *mut u8, length: usize, from: *const u8, available: usize) {
    let count = if length < available { length } else { available };
    unsafe {
        if to.cast_const() > from {
            let mut i = count;
            while i > 0 {
                i -= 1;
                to.wrapping_add(i).write(letter(from.wrapping_add(i).read()));
            }
        } else {
            let mut i = 0;
            while i < count {
                to.wrapping_add(i).write(letter(from.wrapping_add(i).read()));
                i += 1;
            }
        }
        let mut i = count;
        while i < length {
            to.wrapping_add(i).write(BLANK);
            i += 1;
        }
    }
}

/// How long a text is without the blanks at its end.
unsafe fn trimmed(text: *const u8, length: usize) -> usize {
    let mut length = length;
    unsafe {
        while length > 0 && text.wrapping_add(length - 1).read() == BLANK {
            length -= 1;
        }
    }
    length
}

/// How many blanks it begins with.
unsafe fn leading(text: *const u8, length: usize) -> usize {
    let mut count = 0;
    unsafe {
        while count < length && text.wrapping_add(count).read() == BLANK {
            count += 1;
        }
    }
    count
}

/// New memory for a result of that many characters an element.
unsafe fn allocate_text(result: &mut Descriptor, like: View, bytes: usize) -> View {
    result.bytes = bytes;
    unsafe { result.allocate(like.extents) }
}

#[unsafe(export_name = "backsweep.body._FortranATrim")]
unsafe extern "C" fn trim(result: &mut Descriptor, text: &Descriptor, _file: *const u8, _line: i32) {
    if text.rank != 0 {
        unknown()
    }
    unsafe {
        let length = trimmed(text.base, text.bytes);
        let to = allocate_text(result, text.view(), length);
        copy_text(to.at(NOWHERE), length, text.base, length);
    }
}

/// The text so many times, one behind the other.
#[unsafe(export_name = "backsweep.body._FortranARepeat")]
unsafe extern "C" fn repeat(
    result: &mut Descriptor,
    text: &Descriptor,
    count: i64,
    _file: *const u8,
    _line: i32,
) {
    if text.rank != 0 {
        unknown()
    }
    if count < 0 {
        end_program(NEGATIVE_COUNT)
    }
    unsafe {
        let (length, count) = (text.bytes, count as usize);
        let to = allocate_text(result, text.view(), length * count);
        let mut i = 0;
        while i < count {
            copy_text(to.at::<u8>(NOWHERE).wrapping_add(i * length), length, text.base, length);
            i += 1;
        }
    }
}

unsafe fn adjust(result: &mut Descriptor, text: &Descriptor, begin: impl Fn(*const u8) -> (usize, usize)) {
    let (from, length) = (text.view(), text.bytes);
    unsafe {
        let to = allocate_text(result, from, length);
        from.visit(|index| {
            let (source, target) = (from.at::<u8>(index), to.at::<u8>(index));
            let (skipped, blanks) = begin(source);
            copy_text(target, blanks, source, 0);
            copy_text(
                target.wrapping_add(blanks),
                length - blanks,
                source.wrapping_add(skipped),
                length - skipped - blanks,
            );
        });
    }
}

#[unsafe(export_name = "backsweep.body._FortranAAdjustl")]
unsafe extern "C" fn adjust_left(result: &mut Descriptor, text: &Descriptor, _file: *const u8, _line: i32) {
    let length = text.bytes;
    unsafe { adjust(result, text, |source| (leading(source, length), 0)) }
}

#[unsafe(export_name = "backsweep.body._FortranAAdjustr")]
unsafe extern "C" fn adjust_right(result: &mut Descriptor, text: &Descriptor, _file: *const u8, _line: i32) {
    let length = text.bytes;
    unsafe { adjust(result, text, |source| (0, length - trimmed(source, length))) }
}
