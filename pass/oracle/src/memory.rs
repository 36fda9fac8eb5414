//! Byte-addressed objects, with a shadow that holds tangents.
//!
//! Beside each byte stands a mark: never written, plain, or byte `k` of a float of `n` bytes that carries a
//! tangent; the tangent itself lies at the float's first byte. Whatever copies bytes copies marks and tangents
//! with them, so derivatives survive `memcpy`, byte loops and integers.
//! Invariant: an address is never used twice, so an access after the end of an object is always noticed.

use crate::dual::{NO_TANGENT, Tangent};
use crate::trap::Fault;
use crate::value::{Byte, Pointer};

pub const UNWRITTEN: u8 = 0;
pub const PLAIN: u8 = 1;

/// The mark of the first byte of a float of that many bytes; byte `k` has `k` more.
pub fn float_mark(bytes: u64) -> u8 {
    match bytes {
        2 => 0x10,
        4 => 0x20,
        8 => 0x30,
        10 => 0x40,
        _ => 0x50,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Stack,
    Heap,
    Global,
    Constant,
    /// A function, by its number in the machine's table.
    Function(u32),
}

#[derive(Clone, Debug)]
struct Object {
    kind: Kind,
    alive: bool,
    bytes: Vec<u8>,
    marks: Vec<u8>,
    /// Empty until the first tangent is stored, then one for each byte.
    tangents: Vec<Tangent>,
}

#[derive(Clone, Debug)]
pub struct Memory {
    objects: Vec<Object>,
    /// Bytes of live objects.
    live: u64,
}

/// No program of a test needs more; a wild size is a bug of the program.
const MEMORY_LIMIT: u64 = 1 << 30;

impl Default for Memory {
    fn default() -> Memory {
        let null =
            Object { kind: Kind::Global, alive: false, bytes: vec![], marks: vec![], tangents: vec![] };
        Memory { objects: vec![null], live: 0 }
    }
}

impl Memory {
    pub fn allocate(&mut self, kind: Kind, bytes: u64) -> Result<Pointer, Fault> {
        if bytes > MEMORY_LIMIT - self.live.min(MEMORY_LIMIT) {
            return Err(Fault::Unsupported(format!("an allocation of {bytes} bytes")));
        }
        self.live += bytes;
        let size = bytes as usize;
        let object = self.objects.len() as u32;
        let (bytes, marks) = (vec![0; size], vec![UNWRITTEN; size]);
        self.objects.push(Object { kind, alive: true, bytes, marks, tangents: vec![] });
        Ok(Pointer { object, offset: 0 })
    }

    /// Ends an object; its address stays taken.
    pub fn release(&mut self, object: u32) {
        let object = &mut self.objects[object as usize];
        object.alive = false;
        self.live -= object.bytes.len() as u64;
        object.bytes = vec![];
        object.marks = vec![];
        object.tangents = vec![];
    }

    pub fn free(&mut self, pointer: Pointer) -> Result<(), Fault> {
        if pointer == Pointer::NULL {
            return Ok(());
        }
        match self.objects.get(pointer.object as usize) {
            Some(object) if object.kind == Kind::Heap && object.alive && pointer.offset == 0 => {
                self.release(pointer.object);
                Ok(())
            }
            _ => Err(Fault::InvalidFree),
        }
    }

    /// The size of the object a pointer leads into, where it is alive.
    pub fn object_size(&self, pointer: Pointer) -> Option<u64> {
        self.objects.get(pointer.object as usize).filter(|o| o.alive).map(|o| o.bytes.len() as u64)
    }

    /// The function whose address this is.
    pub fn function_at(&self, pointer: Pointer) -> Option<u32> {
        match self.objects.get(pointer.object as usize)?.kind {
            Kind::Function(index) if pointer.offset == 0 => Some(index),
            Kind::Function(_) | Kind::Stack | Kind::Heap | Kind::Global | Kind::Constant => None,
        }
    }

    /// From now on the object may not be written.
    pub fn seal(&mut self, object: u32) {
        self.objects[object as usize].kind = Kind::Constant;
    }

    /// Heap objects alive now: what a leak test counts.
    pub fn live_heap_objects(&self) -> usize {
        self.objects.iter().filter(|object| object.alive && object.kind == Kind::Heap).count()
    }

    #[inline]
    fn locate(&self, at: Pointer, bytes: u64) -> Result<(&Object, usize), Fault> {
        let Some(object) = self.objects.get(at.object as usize) else { return Err(Fault::NullAccess) };
        let size = object.bytes.len() as u64;
        if !object.alive || at.offset < 0 || at.offset as u64 + bytes > size {
            return Err(self.explain(at, bytes));
        }
        Ok((object, at.offset as usize))
    }

    fn locate_mut(&mut self, at: Pointer, bytes: u64) -> Result<(&mut Object, usize), Fault> {
        self.locate(at, bytes)?;
        let object = &mut self.objects[at.object as usize];
        match object.kind {
            Kind::Constant | Kind::Function(_) => Err(Fault::WriteToConstant),
            Kind::Stack | Kind::Heap | Kind::Global => Ok((object, at.offset as usize)),
        }
    }

    #[cold]
    fn explain(&self, at: Pointer, bytes: u64) -> Fault {
        if at.object == 0 {
            return Fault::NullAccess;
        }
        let object = &self.objects[at.object as usize];
        if !object.alive {
            return Fault::UseAfterFree { object: at.object };
        }
        let size = object.bytes.len() as u64;
        Fault::OutOfBounds { object: at.object, offset: at.offset, bytes, size }
    }

    /// The content and marks of some bytes.
    #[inline]
    pub fn read(&self, at: Pointer, bytes: u64) -> Result<(&[u8], &[u8]), Fault> {
        let (object, start) = self.locate(at, bytes)?;
        let range = start..start + bytes as usize;
        Ok((&object.bytes[range.clone()], &object.marks[range]))
    }

    /// The tangent at a byte that is marked as the first of a float.
    pub fn tangent(&self, at: Pointer) -> Tangent {
        let object = &self.objects[at.object as usize];
        object.tangents.get(at.offset as usize).copied().unwrap_or(NO_TANGENT)
    }

    /// Writes bytes, all with the same mark.
    #[inline]
    pub fn write(&mut self, at: Pointer, content: &[u8], mark: u8) -> Result<(), Fault> {
        let (object, start) = self.locate_mut(at, content.len() as u64)?;
        let range = start..start + content.len();
        object.bytes[range.clone()].copy_from_slice(content);
        object.marks[range].fill(mark);
        Ok(())
    }

    /// Marks bytes just written as one float with that tangent.
    pub fn attach(&mut self, at: Pointer, bytes: u64, tangent: Tangent) -> Result<(), Fault> {
        let (object, start) = self.locate_mut(at, bytes)?;
        let first = float_mark(bytes);
        for byte in 0..bytes as usize {
            object.marks[start + byte] = first + byte as u8;
        }
        object.set_tangent(start, tangent);
        Ok(())
    }

    /// What is known of each byte beside its content.
    pub fn inspect(&self, at: Pointer, bytes: u64) -> Result<Vec<Byte>, Fault> {
        let (object, start) = self.locate(at, bytes)?;
        let tangent = |index| object.tangents.get(index).copied().unwrap_or(NO_TANGENT);
        let range = start..start + bytes as usize;
        Ok(range.map(|index| Byte { mark: object.marks[index], tangent: tangent(index) }).collect())
    }

    /// Replaces what is known of some bytes.
    pub fn annotate(&mut self, at: Pointer, known: &[Byte]) -> Result<(), Fault> {
        let (object, start) = self.locate_mut(at, known.len() as u64)?;
        for (index, byte) in known.iter().enumerate() {
            object.marks[start + index] = byte.mark;
            if byte.tangent != NO_TANGENT {
                object.set_tangent(start + index, byte.tangent);
            } else if let Some(cell) = object.tangents.get_mut(start + index) {
                *cell = NO_TANGENT;
            }
        }
        Ok(())
    }

    /// Copies bytes with everything known of them; the ranges may overlap.
    pub fn copy(&mut self, to: Pointer, from: Pointer, bytes: u64) -> Result<(), Fault> {
        if bytes == 0 {
            return Ok(());
        }
        let (source, start) = self.locate(from, bytes)?;
        let range = start..start + bytes as usize;
        let content = source.bytes[range.clone()].to_vec();
        let marks = source.marks[range.clone()].to_vec();
        let tangents = source.tangents.get(range).map(<[Tangent]>::to_vec);
        let (target, start) = self.locate_mut(to, bytes)?;
        let range = start..start + bytes as usize;
        target.bytes[range.clone()].copy_from_slice(&content);
        target.marks[range.clone()].copy_from_slice(&marks);
        if let Some(tangents) = tangents {
            target.shadow()[range].copy_from_slice(&tangents);
        }
        Ok(())
    }
}

impl Object {
    fn shadow(&mut self) -> &mut Vec<Tangent> {
        if self.tangents.is_empty() {
            self.tangents = vec![NO_TANGENT; self.bytes.len()];
        }
        &mut self.tangents
    }

    fn set_tangent(&mut self, index: usize, tangent: Tangent) {
        self.shadow()[index] = tangent;
    }
}
