//! The descriptor of an array, as `ISO_Fortran_binding.h` of flang 22 lays it out.

pub const INTEGER: i8 = 9;
pub const FLOAT: i8 = 27;
pub const DOUBLE: i8 = 28;
pub const FLOAT_COMPLEX: i8 = 34;
pub const DOUBLE_COMPLEX: i8 = 35;
const BOOL: i8 = 39;
pub const CHARACTER: i8 = 40;
pub const DERIVED: i8 = 42;
pub const ALLOCATABLE: u8 = 2;

/// The highest rank that bodies know; Fortran's is 15.
pub const RANKS: usize = 4;
pub type Index = [i64; RANKS];

#[repr(C)]
pub struct Dim {
    pub lower: i64,
    pub extent: i64,
    pub stride: i64,
}

#[repr(C)]
pub struct Descriptor {
    pub base: *mut u8,
    pub bytes: usize,
    pub version: i32,
    pub rank: u8,
    pub ty: i8,
    pub attribute: u8,
    pub extra: u8,
    /// As many as the rank says. To claim more would let the compiler read them early.
    dim: [Dim; 0],
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}

unsafe extern "C" {
    /// What a body ends in where it does not know what to do.
    #[link_name = "backsweep.fortran.unknown"]
    safe fn refuse() -> !;
    /// Of two numbers that are equal the one that is a constant.
    #[link_name = "backsweep.fortran.either.type"]
    safe fn either_type(a: i8, b: i8) -> i8;
    #[link_name = "backsweep.fortran.either.size"]
    safe fn either_size(a: usize, b: usize) -> usize;
    #[link_name = "_FortranAReportFatalUserError"]
    fn report(message: *const u8, file: *const u8, line: i32) -> !;
    pub fn malloc(bytes: usize) -> *mut u8;
    #[link_name = "bs_rt_fortran_pointer"]
    fn mark_pointer(base: *mut u8, bytes: usize);
    pub fn free(place: *mut u8);
}

pub fn unknown() -> ! {
    refuse()
}

/// Of two types that are the same the one that is known when the program is compiled.
pub fn known_type(a: i8, b: i8) -> i8 {
    either_type(a, b)
}

/// The type of an array, the usual one where it is not known when the program is compiled.
pub fn known_or_usual(ty: i8, usual: i8) -> i8 {
    const OTHER_TYPE: &[u8] =
        b"backsweep: an array is of another type than assumed, which is not differentiated\0";
    let known = either_type(ty, usual);
    if known != ty {
        end_program(OTHER_TYPE)
    }
    known
}

/// The rank of an array, where it is one that bodies know. One that is not known when the program is compiled is looked at
/// when it runs: that of a component, say, whose object an optimiser only finds by bytes.
fn low_rank(rank: u8) -> usize {
    const TOO_MANY: &[u8] = b"backsweep: an array of more than 4 dimensions, which is not differentiated\0";
    const LATER: i8 = -1;
    let known = either_type(rank as i8, LATER);
    if usize::from(rank) > RANKS {
        if known != LATER {
            unknown()
        }
        end_program(TOO_MANY)
    }
    usize::from(rank)
}

pub fn known_bytes(a: usize, b: usize) -> usize {
    either_size(a, b)
}

/// What the runtime library would end in as well, or what only shows when the program runs. The message ends with 0.
pub fn end_program(message: &'static [u8]) -> ! {
    unsafe { report(message.as_ptr(), core::ptr::null(), 0) }
}

/// Which dimension an array is reduced or moved along may be known only when the program runs.
pub const NO_DIMENSION: &[u8] = b"backsweep: DIM is no dimension of an array\0";

/// A place and how elements follow one another from there.
#[derive(Clone, Copy)]
pub struct View {
    pub base: *mut u8,
    pub extents: Index,
    pub strides: Index,
}

impl Descriptor {
    pub fn dim(&self, d: usize) -> *mut Dim {
        self.dim.as_ptr().cast_mut().wrapping_add(d)
    }

    pub fn view(&self) -> View {
        self.view_of(self.rank)
    }

    /// The same of a descriptor whose rank is known otherwise.
    pub fn view_of(&self, rank: u8) -> View {
        let rank = low_rank(rank);
        let mut view = View { base: self.base, extents: [1; RANKS], strides: [0; RANKS] };
        for d in 0..RANKS {
            if d < rank {
                let dim = self.dim(d);
                unsafe { (view.extents[d], view.strides[d]) = ((*dim).extent, (*dim).stride) };
            }
        }
        view
    }

    /// New memory of that shape, with lower bounds 1. The rank and the type stand in the descriptor.
    pub unsafe fn allocate(&mut self, extents: Index) -> View {
        unsafe { self.allocate_of(self.rank, extents) }
    }

    /// The same of a descriptor whose rank is known otherwise.
    pub unsafe fn allocate_of(&mut self, rank: u8, extents: Index) -> View {
        unsafe {
            let bytes = self.shape(rank, extents);
            self.base = malloc(if bytes > 0 { bytes } else { 1 });
        }
        self.view_of(rank)
    }

    /// The same for a pointer. flang writes behind such memory that it was made for one, and asks for it where a pointer is
    /// deallocated.
    pub unsafe fn allocate_for_pointer(&mut self, extents: Index) {
        const WORD: usize = size_of::<usize>();
        unsafe {
            let bytes = self.shape(self.rank, extents).div_ceil(WORD) * WORD;
            self.base = malloc(bytes + WORD);
            mark_pointer(self.base, bytes);
        }
    }

    /// How many bytes that are, without gaps.
    unsafe fn shape(&mut self, rank: u8, extents: Index) -> usize {
        let mut bytes = self.bytes as i64;
        for d in 0..RANKS {
            if d < usize::from(rank) {
                unsafe { self.dim(d).write(Dim { lower: 1, extent: extents[d], stride: bytes }) };
                bytes *= extents[d];
            }
        }
        bytes as usize
    }
}

/// The bounds and the stride of one dimension, as another has them.
pub unsafe fn copy_dim(to: &mut Descriptor, from: &Descriptor, d: usize) {
    unsafe {
        let Dim { lower, extent, stride } = from.dim(d).read();
        let number = |x: i64| counted_wide(x as u64) as i64;
        to.dim(d).write(Dim { lower: number(lower), extent: number(extent), stride: number(stride) });
    }
}

impl View {
    /// One element after the other, in new memory.
    pub unsafe fn packed(extents: Index, bytes: usize) -> View {
        let bytes = bytes as i64;
        let strides = [
            bytes,
            bytes * extents[0],
            bytes * extents[0] * extents[1],
            bytes * extents[0] * extents[1] * extents[2],
        ];
        let all = strides[3] * extents[3];
        View { base: unsafe { malloc(if all > 0 { all as usize } else { 1 }) }, extents, strides }
    }

    pub fn at<T>(&self, index: Index) -> *mut T {
        let mut offset = 0;
        for d in 0..RANKS {
            offset += index[d] * self.strides[d];
        }
        self.base.wrapping_offset(offset as isize).cast()
    }

    pub unsafe fn read<T>(&self, index: Index) -> T {
        unsafe { self.at::<T>(index).read() }
    }

    /// How many elements there are along one dimension, counted from 0.
    pub fn length(&self, at: i32) -> i64 {
        match at {
            0 => self.extents[0],
            1 => self.extents[1],
            2 => self.extents[2],
            3 => self.extents[3],
            _ => end_program(NO_DIMENSION),
        }
    }

    /// The indices of all elements, the first running fastest.
    pub fn visit(&self, mut see: impl FnMut(Index)) {
        let mut l = 0;
        while l < self.extents[3] {
            let mut k = 0;
            while k < self.extents[2] {
                let mut j = 0;
                while j < self.extents[1] {
                    let mut i = 0;
                    while i < self.extents[0] {
                        see([i, j, k, l]);
                        i += 1;
                    }
                    j += 1;
                }
                k += 1;
            }
            l += 1;
        }
    }
}

/// An index with another number inserted at one place.
pub fn inserted(index: Index, at: i32, k: i64) -> Index {
    match at {
        0 => [k, index[0], index[1], index[2]],
        1 => [index[0], k, index[1], index[2]],
        2 => [index[0], index[1], k, index[2]],
        3 => [index[0], index[1], index[2], k],
        _ => end_program(NO_DIMENSION),
    }
}

pub fn removed(index: Index, at: i32) -> Index {
    match at {
        0 => [index[1], index[2], index[3], 1],
        1 => [index[0], index[2], index[3], 1],
        2 => [index[0], index[1], index[3], 1],
        3 => [index[0], index[1], index[2], 1],
        _ => end_program(NO_DIMENSION),
    }
}

unsafe extern "C" {
    /// The same number, said to be an integer and no float's bits.
    #[link_name = "backsweep.fortran.integer.i32"]
    fn counted(integer: u32) -> u32;
    #[link_name = "backsweep.fortran.integer.i64"]
    fn counted_wide(integer: u64) -> u64;
}

/// Writes `to[index]` from `from[source(index)]`, for all elements of `to`, by the type of the elements.
pub unsafe fn copy_elements(ty: i8, bytes: usize, to: View, from: View, source: impl Fn(Index) -> Index) {
    unsafe {
        match ty {
            DOUBLE => copy_as::<f64>(to, from, source),
            FLOAT => copy_as::<f32>(to, from, source),
            DOUBLE_COMPLEX => copy_as::<Complex<f64>>(to, from, source),
            FLOAT_COMPLEX => copy_as::<Complex<f32>>(to, from, source),
            _ => to.visit(|index| copy_integer(ty, bytes, to.at(index), from.at(source(index)))),
        }
    }
}

/// An integer, a logical or a character.
pub unsafe fn copy_integer(ty: i8, bytes: usize, to: *mut u8, from: *mut u8) {
    unsafe {
        match (ty, bytes) {
            (1..=24 | BOOL, 1) => to.write(from.read()),
            (1..=24 | BOOL, 2) => to.cast::<u16>().write(from.cast::<u16>().read()),
            (1..=24 | BOOL, 4) => to.cast::<u32>().write(counted(from.cast::<u32>().read())),
            (1..=24 | BOOL, 8) => to.cast::<u64>().write(counted_wide(from.cast::<u64>().read())),
            _ => unknown(),
        }
    }
}

unsafe fn copy_as<T>(to: View, from: View, source: impl Fn(Index) -> Index) {
    to.visit(|index| unsafe { to.at::<T>(index).write(from.read(source(index))) });
}

/// The only element of an INTEGER that is no array.
pub unsafe fn integer(x: &Descriptor) -> i64 {
    if x.rank != 0 {
        unknown()
    }
    unsafe {
        match x.bytes {
            4 => i64::from(x.base.cast::<i32>().read()),
            8 => x.base.cast::<i64>().read(),
            _ => unknown(),
        }
    }
}

/// Whether the element of a LOGICAL array is true; an absent mask is true everywhere, a scalar one is the same everywhere.
pub unsafe fn is_wanted(mask: *const Descriptor, index: Index) -> bool {
    if mask.is_null() {
        return true;
    }
    let mask = unsafe { &*mask };
    unsafe { is_true(mask.view(), mask.bytes, index) }
}

pub unsafe fn is_true(view: View, bytes: usize, index: Index) -> bool {
    unsafe {
        match bytes {
            1 => view.read::<u8>(index) != 0,
            2 => view.read::<u16>(index) != 0,
            4 => view.read::<u32>(index) != 0,
            8 => view.read::<u64>(index) != 0,
            _ => unknown(),
        }
    }
}

/// Whether the last extent of an array is not known, as that of `x(*)`.
#[unsafe(export_name = "backsweep.body._FortranAIsAssumedSize")]
unsafe extern "C" fn is_assumed_size(x: &Descriptor) -> bool {
    const UNKNOWN: i64 = -1;
    x.rank > 0 && unsafe { (*x.dim(usize::from(x.rank) - 1)).extent } == UNKNOWN
}
