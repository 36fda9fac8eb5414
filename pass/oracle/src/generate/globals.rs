//! Global arrays, and tables of pointers to them: constant, or changed by the program.

use backsweep_core::model::{Constant, Global, GlobalDerivative, IntOp, Linkage, Op, Type};

use super::scope::{STORED, Scope};
use super::{ARRAY, Rng};
use crate::build::{int, symbol};

/// The globals of a program: arrays as long as those that are arguments, and tables of two of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globals {
    pub arrays: Vec<Global>,
    pub tables: Vec<Global>,
}

/// Pointers in a table.
const ROWS: usize = 2;

pub(crate) fn make_globals(rng: &mut Rng) -> Globals {
    let mut globals = Globals::default();
    if rng.chance(50) {
        return globals;
    }
    for index in 0..rng.between(1, 3) {
        let content = (0..ARRAY).map(|_| Constant::double(rng.real(STORED))).collect();
        let ty = Type::Array(ARRAY as u64, Box::new(Type::DOUBLE));
        let initial = Constant::Aggregate { ty: ty.clone(), parts: content };
        globals.arrays.push(make_global(rng, format!("a{index}"), ty, false, initial));
    }
    for index in 0..rng.below(3) {
        let row = |rng: &mut Rng| rng.pick(&globals.arrays).name.clone();
        let rows: Vec<String> = (0..ROWS).map(|_| row(rng)).collect();
        let address = |name: String| Constant::Symbol { name, space: 0 };
        let ty = Type::Array(ROWS as u64, Box::new(Type::PTR));
        let parts = rows.into_iter().map(address).collect();
        let initial = Constant::Aggregate { ty: ty.clone(), parts };
        let constant = rng.chance(50);
        globals.tables.push(make_global(rng, format!("t{index}"), ty, constant, initial));
    }
    globals
}

fn make_global(rng: &mut Rng, name: String, ty: Type, constant: bool, initial: Constant) -> Global {
    let local = rng.chance(50);
    Global {
        name,
        ty,
        space: 0,
        constant,
        linkage: if local { Linkage::Local } else { Linkage::External },
        thread_local: false,
        // The program may store any address that it knows.
        address_taken: local,
        only_named: false,
        derivative: GlobalDerivative::Made,
        initial: Some(initial),
    }
}

impl Scope<'_> {
    pub fn use_globals(&mut self, globals: &Globals) {
        self.arrays.extend(globals.arrays.iter().map(|global| symbol(&global.name)));
        self.tables = globals.tables.clone();
    }

    /// Takes a row out of a table, or puts an array in.
    pub fn make_table_access(&mut self) {
        let table = self.rng.pick(&self.tables).clone();
        let any = self.index(ARRAY);
        let index = self.f.same(Op::Int(IntOp::And), vec![any, int(64, ROWS as i128 - 1)]);
        let place = self.f.element(Type::PTR, symbol(&table.name), index);
        if table.constant || self.rng.chance(60) {
            let row = self.f.load(Type::PTR, place);
            self.arrays.push(row);
        } else {
            let index = self.rng.below(self.arrays.len());
            let array = self.arrays[index].clone();
            self.f.store(array, place);
        }
    }
}
