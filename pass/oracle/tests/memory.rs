//! Memory: copies keep tangents, and what is out of bounds or dead is noticed.

mod common;

use backsweep_core::model::{
    Constant, FloatKind, FloatOp, Gep, Global, GlobalDerivative, Linkage, Op, Operand, Program, Stride, Type,
};
use backsweep_oracle::build::{self, Builder, double, int, symbol};
use backsweep_oracle::{Argument, Fault, Machine, Value, direction, jacobian};
use common::run;

fn offset(f: &mut Builder, base: Operand, bytes: i128) -> Operand {
    let gep = Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] };
    f.push(Op::Gep(gep), Type::PTR, vec![base, int(64, bytes)])
}

fn fault(fill: &dyn Fn(&mut Builder) -> Operand) -> Fault {
    run(&[], Type::DOUBLE, &[], fill).unwrap_err().fault
}

/// A float copied byte by byte, as an integer, and by memcpy, to an odd address.
#[test]
fn copies_keep_tangents() {
    let x = Value::dual(-3.25, direction(1));
    let copied = run(&[Type::DOUBLE], Type::DOUBLE, std::slice::from_ref(&x), &|f| {
        let x = f.param(0);
        let places: Vec<Operand> = (0..4).map(|_| f.alloca(Type::Int(8), 16)).collect();
        f.store(x, places[0].clone());
        for byte in 0..8 {
            let from = offset(f, places[0].clone(), byte);
            let to = offset(f, places[1].clone(), byte + 3);
            let content = f.load(Type::Int(8), from);
            f.store(content, to);
        }
        let odd = offset(f, places[1].clone(), 3);
        let word = f.load(Type::I64, odd);
        f.store(word, places[2].clone());
        let sizes = vec![places[3].clone(), places[2].clone(), int(64, 8), int(1, 0)];
        f.call("llvm.memcpy.p0.p0.i64", Type::Void, sizes, false);
        f.load(Type::DOUBLE, places[3].clone())
    });
    assert_eq!(copied, Ok(x));
}

/// Half of a double is no float, and overwriting half of one ends its tangent.
#[test]
fn pieces_of_floats_have_no_tangent() {
    let cut = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::dual(1.5, direction(0))], &|f| {
        let (x, place) = (f.param(0), f.alloca(Type::DOUBLE, 1));
        f.store(x, place.clone());
        f.store(int(32, 0), place.clone());
        f.load(Type::DOUBLE, place)
    });
    assert_eq!(cut, Ok(Value::double(1.5)));
    let single = Type::Float(FloatKind::Single);
    let half = run(&[Type::DOUBLE], single.clone(), &[Value::dual(1.5, direction(0))], &|f| {
        let (x, place) = (f.param(0), f.alloca(Type::DOUBLE, 1));
        f.store(x, place.clone());
        f.load(single.clone(), place)
    });
    assert_eq!(half, Ok(Value::float(FloatKind::Single, 0.0, [0.0; 4])));
}

#[test]
fn wrong_accesses_trap() {
    let beyond = fault(&|f| {
        let place = f.alloca(Type::DOUBLE, 2);
        let end = offset(f, place, 12);
        f.load(Type::DOUBLE, end)
    });
    assert!(matches!(beyond, Fault::OutOfBounds { offset: 12, bytes: 8, size: 16, .. }));
    let null = fault(&|f| f.load(Type::DOUBLE, Operand::Const(Constant::Null(Type::PTR))));
    assert_eq!(null, Fault::NullAccess);
    let dead = fault(&|f| {
        let block = f.call("malloc", Type::PTR, vec![int(64, 8)], true);
        f.store(double(1.0), block.clone());
        f.call("free", Type::Void, vec![block.clone()], true);
        f.load(Type::DOUBLE, block)
    });
    assert!(matches!(dead, Fault::UseAfterFree { .. }));
    let unwritten = fault(&|f| {
        let place = f.alloca(Type::DOUBLE, 1);
        let x = f.load(Type::DOUBLE, place);
        f.same(Op::Float(FloatOp::Add), vec![x, double(1.0)])
    });
    assert_eq!(unwritten, Fault::UndefUsed("arithmetic"));
    let twice = fault(&|f| {
        let block = f.call("malloc", Type::PTR, vec![int(64, 8)], true);
        f.call("free", Type::Void, vec![block.clone()], true);
        f.call("free", Type::Void, vec![block], true);
        double(0.0)
    });
    assert_eq!(twice, Fault::InvalidFree);
}

#[test]
fn the_heap() {
    let grown = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::dual(2.0, direction(0))], &|f| {
        let x = f.param(0);
        let block = f.call("calloc", Type::PTR, vec![int(64, 1), int(64, 8)], true);
        let zero = f.load(Type::DOUBLE, block.clone());
        f.store(x, block.clone());
        let larger = f.call("realloc", Type::PTR, vec![block, int(64, 80)], true);
        let kept = f.load(Type::DOUBLE, larger.clone());
        f.call("free", Type::Void, vec![larger], true);
        f.same(Op::Float(FloatOp::Add), vec![kept, zero])
    });
    assert_eq!(grown, Ok(Value::dual(2.0, direction(0))));
}

/// A table of numbers and a table of functions, as C writes them.
#[test]
fn globals_are_initialised() {
    let mut square = Builder::new("square", &[Type::DOUBLE], Type::DOUBLE);
    let x = square.param(0);
    let y = square.same(Op::Float(FloatOp::Mul), vec![x.clone(), x]);
    square.ret(y);
    let mut f = Builder::new("f", &[Type::DOUBLE], Type::DOUBLE);
    let entry = offset(&mut f, symbol("table"), 8);
    let function = f.load(Type::PTR, entry);
    let factor = f.load(Type::DOUBLE, symbol("factor"));
    let call = backsweep_core::model::Call { arguments: 1, library: false, attributes: vec![] };
    let x = f.param(0);
    let squared = f.push(Op::Call(call), Type::DOUBLE, vec![x, function]);
    let y = f.same(Op::Float(FloatOp::Mul), vec![squared, factor]);
    f.ret(y);
    let global = |name: &str, ty: Type, initial: Constant| Global {
        name: name.into(),
        ty,
        space: 0,
        constant: true,
        linkage: Linkage::Local,
        thread_local: false,
        address_taken: false,
        only_named: false,
        derivative: GlobalDerivative::Made,
        initial: Some(initial),
    };
    let table = Type::Array(2, Box::new(Type::PTR));
    let square_at = Constant::Symbol { name: "square".into(), space: 0 };
    let parts = vec![Constant::Null(Type::PTR), square_at];
    let program = Program {
        globals: vec![
            global("table", table.clone(), Constant::Aggregate { ty: table, parts }),
            global("factor", Type::DOUBLE, Constant::double(10.0)),
        ],
        ..build::program(vec![square.finish(), f.finish()])
    };
    let result = Machine::new(&program).call("f", &[Value::dual(3.0, direction(0))]);
    assert_eq!(result, Ok(Value::dual(90.0, [60.0, 0.0, 0.0, 0.0])));
}

/// `frexp`, `modf` and `sincos` as C has them: one result comes back through a pointer.
#[test]
fn results_through_pointers() {
    let sum = run(&[Type::DOUBLE], Type::DOUBLE, &[Value::dual(10.5, direction(0))], &|f| {
        let x = f.param(0);
        let (whole, exponent) = (f.alloca(Type::DOUBLE, 1), f.alloca(Type::I32, 1));
        let fraction = f.call("modf", Type::DOUBLE, vec![x.clone(), whole.clone()], true);
        let mantissa = f.call("frexp", Type::DOUBLE, vec![x, exponent.clone()], true);
        let exponent = f.load(Type::I32, exponent);
        let back = f.call("ldexp", Type::DOUBLE, vec![mantissa, exponent], true);
        let whole = f.load(Type::DOUBLE, whole);
        let sum = f.same(Op::Float(FloatOp::Add), vec![fraction, whole]);
        f.same(Op::Float(FloatOp::Add), vec![sum, back])
    });
    assert_eq!(sum, Ok(Value::dual(21.0, [2.0, 0.0, 0.0, 0.0])));
}

/// In-place updates through two pointers into one array: the second sees what the first wrote.
#[test]
fn aliasing_arguments() {
    let mut f = Builder::new("f", &[Type::PTR, Type::PTR], Type::Void);
    let (p, q) = (f.param(0), f.param(1));
    for (from, to) in [(&p, &q), (&q, &p)] {
        let x = f.load(Type::DOUBLE, from.clone());
        let y = f.same(Op::Float(FloatOp::Mul), vec![x.clone(), x]);
        let next = f.element(Type::DOUBLE, to.clone(), int(64, 1));
        f.store(y, next);
    }
    f.push(Op::Ret, Type::Void, vec![]);
    let program = build::program(vec![f.finish()]);
    let arguments =
        [Argument::Array(FloatKind::Double, vec![3.0, 1.0, 1.0]), Argument::Alias { of: 0, elements: 1 }];
    // a[2] = a[0]², then a[1] = a[1]².
    let found = jacobian(&program, "f", &arguments).unwrap();
    assert_eq!(found.outputs, [3.0, 1.0, 9.0]);
    assert_eq!(found.rows, [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [6.0, 0.0, 0.0]]);
}
