//! Arrays that a program allocated before a derivative was called: shadows for what Fortran's modules hold on entry.
//!
//! Question answered: where does the derivative with respect to an element of such an array lie? What an array holds on entry
//! is a constant, as what any global holds, so its shadow is zero then, belongs to this call, and is given back at the end.
//! A descriptor says where the elements are and how many. Two descriptors may lead to the same elements (pointers, and
//! allocatable targets): places that meet have one shadow, laid out as they are.
//!
//! An array that a pointer leads to may be part of something larger which others know under another name. So a pointer is
//! followed into what is found by an allocatable, into globals with shadows, and into what flang's ALLOCATE made for a
//! pointer, which is marked behind its end; any other has no shadow, which is noticed when one is needed.
//! Invariant: no two shadows for one place; what is not understood has none.

mod described;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::c_void;

use crate::put_off;
use described::{Descriptor, Nested};

/// Where something with a shadow begins and ends.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
    shadow: usize,
}

/// What was found and has no shadow yet.
#[derive(Default)]
struct Search {
    globals: Vec<Place>,
    /// Descriptors in globals, with those in the shadows of these.
    roots: Vec<(usize, usize)>,
}

/// The shadows of one derivative, in one direction.
struct Made {
    block: usize,
    lane: usize,
    /// Descriptors in globals, with those in the shadows of these.
    roots: Vec<(usize, usize)>,
    /// By their start, apart from each other.
    places: Vec<Place>,
}

thread_local! {
    static SEARCH: RefCell<Search> = RefCell::new(Search::default());
    static MADE: RefCell<Vec<Made>> = const { RefCell::new(Vec::new()) };
}

/// A global has a shadow of so many bytes.
pub fn know_global(start: usize, bytes: usize, shadow: usize) {
    SEARCH.with_borrow_mut(|search| search.globals.push(Place { start, end: start + bytes, shadow }));
}

/// A descriptor stands in a global, and belongs into its shadow.
pub fn find_descriptor(descriptor: usize, shadow: usize) {
    SEARCH.with_borrow_mut(|search| search.roots.push((descriptor, shadow)));
}

/// Makes the shadows of all that was found, in one block that ends with the derivative; null where there is nothing to make.
/// `Err` has the bytes that the system does not have.
pub fn make(lane: usize) -> Result<*mut c_void, usize> {
    let search = SEARCH.with_borrow_mut(std::mem::take);
    let (kept, regions) = search.follow_roots();
    let mut places = merge(regions.into_iter().map(|(start, end)| Place { start, end, shadow: 0 }).collect());
    const ALIGNMENT: usize = 64;
    let mut bytes = 0;
    for place in &mut places {
        // As its elements are aligned, so are those of its shadow.
        bytes = usize::next_multiple_of(bytes, ALIGNMENT) + place.start % ALIGNMENT;
        place.shadow = bytes;
        bytes += place.end - place.start;
    }
    // SAFETY: `calloc` takes any numbers.
    let block = unsafe { libc::calloc(bytes + ALIGNMENT, 1) };
    if block.is_null() {
        return Err(bytes + ALIGNMENT);
    }
    let first = block.addr().next_multiple_of(ALIGNMENT);
    places.iter_mut().for_each(|place| place.shadow += first);
    let mut globals = search.globals;
    globals.sort_by_key(|place| place.start);
    let shadow_of = |address: usize| {
        let place = find_place(&places, address).or_else(|| find_place(&globals, address));
        place.map(|place| place.shadow + (address - place.start))
    };
    for (descriptor, cell) in kept {
        let cell = cell.or_else(|| shadow_of(descriptor));
        // SAFETY: both were read as descriptors, or lie in a shadow of one.
        unsafe {
            if let (Some(cell), Some(shadow)) = (cell, shadow_of(Descriptor::at(descriptor).base())) {
                *(cell as *mut usize) = shadow;
            }
        }
    }
    MADE.with_borrow_mut(|made| made.push(Made { block: block.addr(), lane, roots: search.roots, places }));
    Ok(block)
}

/// The derivative is over. What it allocated and left to a module's allocatable has another shadow the next time.
pub fn drop_made(block: *mut c_void) {
    let made = MADE.with_borrow_mut(|all| {
        let at = all.iter().rposition(|made| made.block == block.addr());
        at.map(|at| all.remove(at))
    });
    for (descriptor, cell) in made.into_iter().flat_map(|made| made.roots) {
        // SAFETY: both stand in globals, or in their shadows, which are there until the derivative ends.
        unsafe {
            if Descriptor::at(descriptor).is_allocatable() {
                put_off::free_shadow(*(cell as *const *mut c_void));
            }
        }
    }
    // SAFETY: `make` allocated it, and its derivative is over.
    unsafe { libc::free(block) };
}

/// The elements with this shadow are freed. Another array in their place is none that was found.
pub fn forget(shadow: usize) {
    MADE.with_borrow_mut(|all| {
        all.iter_mut().for_each(|made| made.places.retain(|place| place.shadow != shadow));
    });
}

/// Whether a pointer that comes from elsewhere leads into such an array and its shadow elsewhere.
pub fn is_lost(pointer: usize, shadow: usize, lane: usize) -> bool {
    MADE.with_borrow(|made| {
        let made = made.iter().rfind(|made| made.lane == lane);
        let place = made.and_then(|made| find_place(&made.places, pointer));
        place.is_some_and(|place| place.shadow + (pointer - place.start) != shadow)
    })
}

/// Where elements begin and end.
type Regions = BTreeSet<(usize, usize)>;
/// Descriptors to fill in (with their places in shadows, where they stand in globals), and where their elements are.
type Followed = (Vec<(usize, Option<usize>)>, Regions);

impl Search {
    /// A root is left alone where it leads to something that nobody understands.
    fn follow_roots(&self) -> Followed {
        let whole = self.find_allocatables();
        let (mut kept, mut regions) = (Vec::new(), BTreeSet::new());
        for (root, cell) in &self.roots {
            if let Some((found, places)) = self.follow(*root, &whole) {
                kept.extend(found.into_iter().map(|at| (at, (at == *root).then_some(*cell))));
                regions.extend(places);
            }
        }
        (kept, regions)
    }

    /// What allocatables among the roots lead to: pointers may lead there, too.
    fn find_allocatables(&self) -> Vec<Place> {
        let mut whole = Vec::new();
        for (root, _) in &self.roots {
            // SAFETY: a descriptor stands there, by the caller's contract.
            let descriptor = unsafe { Descriptor::at(*root) };
            if descriptor.is_allocatable()
                && let Some((start, end)) = descriptor.elements()
            {
                whole.push(Place { start, end, shadow: 0 });
            }
        }
        merge(whole)
    }

    /// A descriptor, those that are found through it, and where the elements of all lie.
    fn follow(&self, root: usize, whole: &[Place]) -> Option<(Vec<usize>, Regions)> {
        let (mut found, mut regions, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![root]);
        while let Some(at) = waiting.pop() {
            if !found.insert(at) {
                continue;
            }
            // SAFETY: a descriptor stands there: in a global by the caller's contract, or as its type says.
            let descriptor = unsafe { Descriptor::at(at) };
            if descriptor.is_null() {
                found.remove(&at);
                continue;
            }
            let (start, end) = descriptor.elements()?;
            if start == end {
                continue;
            }
            let inside = |place: &&Place| place.start <= start && end <= place.end;
            let in_global = self.globals.iter().any(|place| inside(&place));
            if !in_global && !descriptor.is_allocatable() && !whole.iter().any(|place| inside(&place)) {
                descriptor.was_allocated_alone().then_some(())?;
            }
            if in_global || !regions.insert((start, end)) {
                continue;
            }
            match descriptor.nested() {
                Nested::Nothing => {}
                Nested::At(places) => waiting.extend(places),
                Nested::Unknown => return None,
            }
        }
        Some((found.into_iter().collect(), regions))
    }
}

/// Places that meet become one.
fn merge(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by_key(|place| place.start);
    let mut merged: Vec<Place> = Vec::new();
    for place in places {
        match merged.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            _ => merged.push(place),
        }
    }
    merged
}

/// Of places that are sorted, and apart.
fn find_place(places: &[Place], address: usize) -> Option<&Place> {
    let at = places.partition_point(|place| place.start <= address);
    places.get(at.checked_sub(1)?).filter(|place| address < place.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A descriptor of one dimension, as flang lays it out.
    #[repr(C)]
    struct Array {
        base: usize,
        length: usize,
        version: i32,
        rank: i8,
        ty: i8,
        attribute: i8,
        extra: i8,
        dim: [isize; 3],
    }

    const ALLOCATABLE: i8 = 2;
    const POINTER: i8 = 1;

    fn describe(elements: &[f64], attribute: i8, stride: isize) -> Array {
        let extent = elements.len() as isize / stride.abs();
        let first = if stride < 0 { elements.len() - 1 } else { 0 };
        let base = elements.as_ptr().wrapping_add(first).addr();
        let dim = [1, extent, stride * 8];
        Array { base, length: 8, version: 20_240_719, rank: 1, ty: 28, attribute, extra: 0, dim }
    }

    fn shadows_of(arrays: &[Array]) -> (*mut c_void, Vec<usize>) {
        let mut shadows = vec![[0usize; 6]; arrays.len()];
        for (array, shadow) in arrays.iter().zip(&mut shadows) {
            find_descriptor(std::ptr::from_ref(array).addr(), shadow.as_mut_ptr().addr());
        }
        let block = make(0).expect("there is memory");
        let found = shadows.iter().map(|shadow| shadow[0]).collect();
        // What is made here lives longer than these shadows of globals.
        MADE.with_borrow_mut(|made| made.iter_mut().for_each(|made| made.roots.clear()));
        (block, found)
    }

    #[test]
    fn a_part_of_an_allocatable_has_a_part_of_its_shadow() {
        let (a, b) = ([1.0; 10], [2.0; 4]);
        let arrays = [
            describe(&a, ALLOCATABLE, 1),
            describe(&b, ALLOCATABLE, 1),
            describe(&a[2..8], POINTER, 2),
            describe(&a[1..5], POINTER, -1),
        ];
        let (block, found) = shadows_of(&arrays);
        assert_eq!(found[2], found[0] + 16);
        assert_eq!(found[3], found[0] + 32);
        assert!(found[1] >= found[0] + 80 || found[1] + 32 <= found[0], "they are apart");
        assert_eq!(found[0] % 64, a.as_ptr().addr() % 64);
        let start = a.as_ptr().addr();
        assert!(!is_lost(start + 8, found[0] + 8, 0) && is_lost(start + 8, found[0], 0));
        assert!(!is_lost(start + 8, 0, 1), "of another direction nothing was made");
        forget(found[0]);
        assert!(!is_lost(start + 8, found[0], 0), "another array may lie there");
        drop_made(block);
        assert!(!is_lost(start, 0, 0));
    }

    #[test]
    fn what_is_not_understood_has_no_shadow() {
        let a = [1.0; 10];
        let mut other = describe(&a, ALLOCATABLE, 1);
        other.version = 1;
        let (block, found) = shadows_of(&[describe(&a[2..8], POINTER, 1), other]);
        assert_eq!(found, [0, 0], "a pointer into something larger, and no descriptor of flang's");
        drop_made(block);
    }

    #[test]
    fn a_pointer_that_was_allocated_is_marked_behind_its_end() {
        let mut a = [1.0; 4];
        let start = a.as_ptr().addr();
        a[3] = f64::from_bits(!start as u64);
        let (block, found) = shadows_of(&[describe(&a[..3], POINTER, 1)]);
        assert_ne!(found[0], 0);
        drop_made(block);
    }
}
