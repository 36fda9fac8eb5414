//! Arrays of floats with tangents, put into a machine and read back.

use backsweep_core::model::{FloatKind, Type};

use crate::dual::{Dual, Tangent};
use crate::layout::size;
use crate::machine::Machine;
use crate::memory::Kind;
use crate::trap::Fault;
use crate::value::{Pointer, Value};

impl Machine<'_> {
    /// A new object with that many bytes, never written.
    pub fn allocate(&mut self, bytes: u64) -> Result<Pointer, Fault> {
        self.memory.allocate(Kind::Global, bytes)
    }

    /// A new array of floats of one kind.
    pub fn allocate_floats(&mut self, kind: FloatKind, content: &[Dual]) -> Result<Pointer, Fault> {
        let stride = Machine::stride(kind)?;
        let array = self.allocate(stride * content.len() as u64)?;
        for (index, dual) in content.iter().enumerate() {
            let at = array.plus((index as u64 * stride) as i64);
            self.memory.store(&Type::Float(kind), at, &Value::Float(*dual))?;
        }
        Ok(array)
    }

    /// A new array of doubles; the tangent is asked for by index.
    pub fn allocate_doubles(
        &mut self,
        content: &[f64],
        tangent: &dyn Fn(usize) -> Tangent,
    ) -> Result<Pointer, Fault> {
        let dual = |(index, primal): (usize, &f64)| Dual::new(FloatKind::Double, *primal, tangent(index));
        let duals: Vec<Dual> = content.iter().enumerate().map(dual).collect();
        self.allocate_floats(FloatKind::Double, &duals)
    }

    pub fn read_floats(&self, kind: FloatKind, array: Pointer, count: usize) -> Result<Vec<Dual>, Fault> {
        let stride = Machine::stride(kind)?;
        let at = |index: usize| array.plus((index as u64 * stride) as i64);
        (0..count).map(|index| self.memory.load(&Type::Float(kind), at(index))?.as_float()).collect()
    }

    pub fn read_doubles(&self, array: Pointer, count: usize) -> Result<Vec<Dual>, Fault> {
        self.read_floats(FloatKind::Double, array, count)
    }

    pub(crate) fn stride(kind: FloatKind) -> Result<u64, Fault> {
        size(&Type::Float(kind))
    }
}
