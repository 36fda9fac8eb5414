//! Every operation once, so that documentation and tests can go over all of them.

use crate::model::{
    Access, Alloca, AtomicOp, BlockId, Call, CastOp, FloatOp, FloatPredicate, Gep, IntOp, IntPredicate, Link,
    Op, Ordering, Type,
};

/// An operation of each kind, under LLVM's name, for documentation and for tests that go over all of them.
pub fn one_of_each() -> Vec<(String, Op)> {
    let to = BlockId(0);
    let access = || Access {
        bytes: Some(8),
        align: 8,
        volatile: false,
        ordering: Ordering::Monotonic,
        integer: false,
        member: false,
        stepped: false,
        untyped: false,
        typed: false,
        number: false,
    };
    let call = || Call { arguments: 0, library: false, attributes: Vec::new() };
    let mut all: Vec<(String, Op)> = Vec::new();
    let mut add = |name: &str, op: Op| all.push((name.to_lowercase(), op));
    add("fneg", Op::FNeg);
    for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem] {
        add(&format!("f{op:?}"), Op::Float(op));
    }
    use IntOp::{AShr, Add, And, LShr, Mul, Or, SDiv, SRem, Shl, Sub, UDiv, URem, Xor};
    for op in [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor] {
        add(&format!("{op:?}"), Op::Int(op));
    }
    for cast in CASTS {
        add(&format!("{cast:?}"), Op::Cast(cast));
    }
    add("icmp", Op::ICmp(IntPredicate::Eq));
    add("fcmp", Op::FCmp(FloatPredicate::Oeq));
    add("select", Op::Select);
    add("freeze", Op::Freeze);
    add("detach", Op::Attach(Link::Start));
    add("attach", Op::Attach(Link::Term { guarded: false }));
    add("attach_guarded", Op::Attach(Link::Term { guarded: true }));
    add("phi", Op::Phi { from: vec![to] });
    add("extractelement", Op::ExtractElement);
    add("insertelement", Op::InsertElement);
    add("shufflevector", Op::ShuffleVector { mask: vec![0] });
    add("extractvalue", Op::ExtractValue { path: vec![0] });
    add("insertvalue", Op::InsertValue { path: vec![0] });
    add("alloca", Op::Alloca(Alloca { allocated: Type::DOUBLE, bytes: 8, align: 8 }));
    add("load", Op::Load(access()));
    add("store", Op::Store(access()));
    add("getelementptr", Op::Gep(Gep { source: Type::DOUBLE, strides: Vec::new() }));
    for op in ATOMICS {
        add(&format!("atomicrmw {op:?}"), Op::AtomicRmw { op, access: access() });
    }
    add("cmpxchg", Op::CompareExchange { access: access() });
    add("fence", Op::Fence { ordering: Ordering::AcquireRelease });
    add("va_arg", Op::VaArg);
    add("call", Op::Call(call()));
    add("invoke", Op::Invoke { call: call(), normal: to, unwind: to });
    add("callbr", Op::CallBr { call: call(), normal: to, others: vec![to] });
    add("landingpad", Op::LandingPad { cleanup: true });
    add("ret", Op::Ret);
    add("br", Op::Br { to });
    add("br on a condition", Op::CondBr { yes: to, no: to });
    add("switch", Op::Switch { cases: Vec::new(), default: to });
    add("indirectbr", Op::IndirectBr { targets: vec![to] });
    add("resume", Op::Resume);
    add("unreachable", Op::Unreachable);
    let (mnemonic, reason) = (String::new(), String::new());
    add(
        "what the model has no place for",
        Op::Opaque { mnemonic, reason, ends_block: false, successors: Vec::new() },
    );
    all
}

const CASTS: [CastOp; 14] = [
    CastOp::Trunc,
    CastOp::ZExt,
    CastOp::SExt,
    CastOp::FpTrunc,
    CastOp::FpExt,
    CastOp::FpToUi,
    CastOp::FpToSi,
    CastOp::UiToFp,
    CastOp::SiToFp,
    CastOp::PtrToInt,
    CastOp::PtrToAddr,
    CastOp::IntToPtr,
    CastOp::BitCast,
    CastOp::AddrSpaceCast,
];

const ATOMICS: [AtomicOp; 16] = [
    AtomicOp::Exchange,
    AtomicOp::Add,
    AtomicOp::Sub,
    AtomicOp::And,
    AtomicOp::Nand,
    AtomicOp::Or,
    AtomicOp::Xor,
    AtomicOp::Max,
    AtomicOp::Min,
    AtomicOp::UMax,
    AtomicOp::UMin,
    AtomicOp::FAdd,
    AtomicOp::FSub,
    AtomicOp::FMax,
    AtomicOp::FMin,
    AtomicOp::Other,
];
