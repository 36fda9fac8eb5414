//! Allocation, and copies and fills of memory.

use super::out::size;
use crate::memory::{Kind, Memory, PLAIN};
use crate::trap::Fault;
use crate::value::{Pointer, Value};

#[derive(Clone, Copy, Debug)]
pub enum Heap {
    /// The size is argument `size`.
    Malloc {
        size: usize,
    },
    /// The size is the product of arguments 0 and 1.
    Calloc,
    ZeroedAlloc,
    /// The new size is argument `size`.
    Realloc {
        size: usize,
    },
    Free,
    /// Stores the address through argument 0.
    PosixMemalign,
    Copy,
    Fill,
    /// Less, equal or greater, byte by byte.
    Compare,
    /// The size is not known.
    ObjectSize,
}

pub fn call(heap: Heap, memory: &mut Memory, x: &[Value]) -> Result<Value, Fault> {
    let pointer = |index: usize| x.get(index).unwrap_or(&Value::Undef).as_pointer();
    match heap {
        Heap::Malloc { size: index } => allocate(memory, size(x, index)?).map(Value::Pointer),
        Heap::Calloc => zeroed(memory, size(x, 0)?.saturating_mul(size(x, 1)?)),
        Heap::ZeroedAlloc => zeroed(memory, size(x, 0)?),
        Heap::Realloc { size: index } => reallocate(memory, pointer(0)?, size(x, index)?),
        Heap::Free => memory.free(pointer(0)?).map(|()| Value::Undef),
        Heap::PosixMemalign => {
            let block = allocate(memory, size(x, 2)?)?;
            memory.store(&backsweep_core::model::Type::PTR, pointer(0)?, &Value::Pointer(block))?;
            Ok(Value::int(32, 0))
        }
        Heap::Copy => {
            memory.copy(pointer(0)?, pointer(1)?, size(x, 2)?)?;
            Ok(x[0].clone())
        }
        Heap::Fill => {
            let content = vec![x[1].as_int()?.value as u8; size(x, 2)? as usize];
            if !content.is_empty() {
                memory.write(pointer(0)?, &content, PLAIN)?;
            }
            Ok(x[0].clone())
        }
        Heap::Compare => {
            let count = size(x, 2)?;
            let (a, b) = (memory.read(pointer(0)?, count)?.0, memory.read(pointer(1)?, count)?.0);
            Ok(Value::int(32, a.cmp(b) as i128))
        }
        Heap::ObjectSize => {
            let smallest = x.get(1).is_some_and(|flag| matches!(flag, Value::Int(int) if int.value == 1));
            Ok(Value::int(64, if smallest { 0 } else { -1 }))
        }
    }
}

fn allocate(memory: &mut Memory, bytes: u64) -> Result<Pointer, Fault> {
    memory.allocate(Kind::Heap, bytes)
}

fn zeroed(memory: &mut Memory, bytes: u64) -> Result<Value, Fault> {
    let block = allocate(memory, bytes)?;
    memory.write(block, &vec![0; bytes as usize], PLAIN)?;
    Ok(Value::Pointer(block))
}

fn reallocate(memory: &mut Memory, old: Pointer, bytes: u64) -> Result<Value, Fault> {
    let block = allocate(memory, bytes)?;
    if old != Pointer::NULL {
        let kept = memory.object_size(old).ok_or(Fault::InvalidFree)?;
        memory.copy(block, old, kept.min(bytes))?;
        memory.free(old)?;
    }
    Ok(Value::Pointer(block))
}
