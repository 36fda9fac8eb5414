//! flang's descriptors and descriptions of derived types, as they stand in memory (`ISO_Fortran_binding.h` and
//! `type-info.h` of flang 22; `pass/src/descriptors` reads the same while compiling).

/// What `CFI_VERSION` is there; another one is nothing that is known here.
const VERSION: i32 = 20_240_719;
const ALLOCATABLE: u8 = 2;
const POINTER: u8 = 1;
const OF_DERIVED_TYPE: u8 = 42;
const MOST_RANK: u8 = 15;

/// A description has its list of components here, and those of its procedure pointers.
const COMPONENTS: usize = 232;
const PROCEDURES: usize = 296;
/// One component, and what is said of it.
const COMPONENT: usize = 256;
const GENRE: usize = 24;
const CATEGORY: usize = 25;
const RANK: usize = 27;
const OFFSET: usize = 32;
const TYPE: usize = 56;
const BOUNDS: usize = 160;
const CATEGORY_DERIVED: u8 = 6;

#[derive(Clone, Copy)]
pub struct Descriptor(usize);

/// The descriptors among the elements of an array.
pub enum Nested {
    Nothing,
    At(Vec<usize>),
    Unknown,
}

impl Descriptor {
    /// # Safety
    /// Something of a descriptor's type stands there, and stays while this is used.
    pub unsafe fn at(address: usize) -> Descriptor {
        Descriptor(address)
    }

    /// # Safety
    /// `T` stands so many bytes behind the beginning.
    unsafe fn read<T: Copy>(self, offset: usize) -> T {
        // SAFETY: the caller's contract.
        unsafe { ((self.0 + offset) as *const T).read_unaligned() }
    }

    pub fn base(self) -> usize {
        // SAFETY: every descriptor begins so.
        unsafe { self.read(0) }
    }

    pub fn is_null(self) -> bool {
        self.base() == 0
    }

    fn attribute(self) -> u8 {
        // SAFETY: as above.
        unsafe { self.read(22) }
    }

    pub fn is_allocatable(self) -> bool {
        self.attribute() == ALLOCATABLE
    }

    fn rank(self) -> u8 {
        // SAFETY: as above.
        unsafe { self.read(20) }
    }

    /// Where the first element that it leads to begins, and the last ends; `None` for what is no such descriptor.
    pub fn elements(self) -> Option<(usize, usize)> {
        // SAFETY: as above.
        let (version, length): (i32, usize) = unsafe { (self.read(16), self.read(8)) };
        let known = version == VERSION && [ALLOCATABLE, POINTER].contains(&self.attribute());
        if !known || self.rank() > MOST_RANK || self.is_null() {
            return None;
        }
        let (mut low, mut high) = (0isize, 0isize);
        for (extent, stride) in self.dims() {
            if extent <= 0 {
                return Some((self.base(), self.base()));
            }
            let reach = (extent - 1).checked_mul(stride)?;
            low = low.checked_add(reach.min(0))?;
            high = high.checked_add(reach.max(0))?;
        }
        let start = self.base().checked_add_signed(low)?;
        Some((start, self.base().checked_add_signed(high)?.checked_add(length)?))
    }

    /// Extents and strides in bytes.
    fn dims(self) -> impl Iterator<Item = (isize, isize)> {
        // SAFETY: a descriptor has as many as its rank says.
        (0..usize::from(self.rank()))
            .map(move |dim| unsafe { (self.read(32 + 24 * dim), self.read(40 + 24 * dim)) })
    }

    /// Whether flang's ALLOCATE made it for a pointer, and nothing else: then its address is written behind it, inverted.
    pub fn was_allocated_alone(self) -> bool {
        let Some((start, end)) = self.elements() else { return false };
        let size = (end - start).next_multiple_of(size_of::<usize>());
        let Some(footer) = start.checked_add(size).filter(|_| start % size_of::<usize>() == 0) else {
            return false;
        };
        // SAFETY: the page is there.
        start == self.base() && is_mapped(footer) && unsafe { *(footer as *const usize) } == !start
    }

    /// Where descriptors stand among the elements.
    pub fn nested(self) -> Nested {
        // SAFETY: as above; what a derived type is stands behind the dimensions.
        let (code, extra): (u8, u8) = unsafe { (self.read(21), self.read(23)) };
        if code != OF_DERIVED_TYPE {
            return Nested::Nothing;
        }
        if extra & 1 == 0 {
            return Nested::Unknown;
        }
        // SAFETY: as above.
        let (of, length): (usize, usize) =
            unsafe { (self.read(24 + 24 * usize::from(self.rank())), self.read(8)) };
        let mut offsets = Vec::new();
        if of == 0 || !find_offsets(of, 0, &mut offsets) {
            return Nested::Unknown;
        }
        if offsets.is_empty() {
            return Nested::Nothing;
        }
        let mut elements = vec![self.base()];
        for (extent, stride) in self.dims() {
            let along = |start: &usize| {
                let start = *start;
                (0..extent)
                    .map(move |index| start.wrapping_add_signed(index * stride))
                    .collect::<Vec<usize>>()
            };
            elements = elements.iter().flat_map(along).collect();
        }
        debug_assert!(length > 0, "an object with components has a size");
        Nested::At(
            elements.iter().flat_map(|start| offsets.iter().map(move |offset| start + offset)).collect(),
        )
    }
}

/// How far behind the beginning of an object of a type its descriptors stand; `false` where that is not known.
fn find_offsets(of: usize, at: usize, offsets: &mut Vec<usize>) -> bool {
    // SAFETY: these are constants that flang wrote, laid out as above.
    let (components, procedures) =
        unsafe { (Descriptor::at(of + COMPONENTS), Descriptor::at(of + PROCEDURES)) };
    if procedures.dims().next().is_none_or(|(count, _)| count > 0) {
        return false;
    }
    let Some((count, _)) = components.dims().next() else { return false };
    (0..count.max(0).cast_unsigned()).all(|index| {
        // SAFETY: as above.
        let component = unsafe { Descriptor::at(components.base() + index * COMPONENT) };
        let (genre, category, rank): (u8, u8, u8) =
            // SAFETY: as above.
            unsafe { (component.read(GENRE), component.read(CATEGORY), component.read(RANK)) };
        // SAFETY: as above.
        let (offset, ty): (usize, usize) = unsafe { (component.read(OFFSET), component.read(TYPE)) };
        match genre {
            1 if category != CATEGORY_DERIVED => true,
            1 => {
                // SAFETY: as above.
                let size: usize = unsafe { ((ty + 88) as *const usize).read() };
                count_of(component, rank).is_some_and(|count| {
                    (0..count).all(|element| find_offsets(ty, at + offset + element * size, offsets))
                })
            }
            2 | 3 => {
                offsets.push(at + offset);
                true
            }
            _ => false,
        }
    })
}

/// How many elements a component has that stands in the object itself.
fn count_of(component: Descriptor, rank: u8) -> Option<usize> {
    const EXPLICIT: u8 = 2;
    // SAFETY: for each dimension there are the lower and the upper bound, each with what kind of number it is.
    let bounds: usize = unsafe { component.read(BOUNDS) };
    let bound = |index: usize| {
        // SAFETY: as above.
        let (kind, value): (u8, isize) = unsafe {
            let value = Descriptor::at(bounds + 16 * index);
            (value.read(0), value.read(8))
        };
        (kind == EXPLICIT).then_some(value)
    };
    (0..usize::from(rank)).try_fold(1usize, |count, dim| {
        let extent = bound(2 * dim + 1)? - bound(2 * dim)? + 1;
        count.checked_mul(extent.max(0).cast_unsigned())
    })
}

/// Whether there is memory in the page of an address.
fn is_mapped(address: usize) -> bool {
    const PAGE: usize = 4096;
    let mut resident = 0u8;
    // SAFETY: `mincore` looks at no memory; it says what there is.
    unsafe { libc::mincore((address / PAGE * PAGE) as *mut libc::c_void, 1, &mut resident) == 0 }
}
