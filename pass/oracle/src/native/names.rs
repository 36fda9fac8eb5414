//! From the name of a library function or intrinsic to what it does.
//!
//! Invariant: a name that is not here is unknown, and a call to it is a trap.

use super::bits::{Arithmetic, Bits, Sign};
use super::heap::Heap;
use super::out::Out;
use super::{Native, partials as p, reduce, slopes as s};

pub fn resolve(name: &str) -> Option<Native> {
    match name.strip_prefix("llvm.") {
        Some(rest) => intrinsic(rest),
        None => library(name),
    }
}

/// Intrinsics carry the types they are overloaded on behind their name: try ever shorter prefixes.
fn intrinsic(name: &str) -> Option<Native> {
    let mut stem = name;
    loop {
        let found = stem
            .strip_prefix("vector.reduce.")
            .and_then(|kind| reduce::named(kind).map(Native::Reduce))
            .or_else(|| integer_intrinsic(stem))
            .or_else(|| other_intrinsic(stem))
            .or_else(|| math(stem));
        if found.is_some() {
            return found;
        }
        stem = stem.rsplit_once('.')?.0;
    }
}

fn library(name: &str) -> Option<Native> {
    // `sin` is exact before `sinf` and `sinl` lose their last letter: `modf` and `erf` end in f by themselves.
    math(name)
        .or_else(|| name.strip_suffix(['f', 'l']).and_then(math))
        .or_else(|| name.strip_suffix("f128").and_then(math))
        .or_else(|| memory(name))
        .or_else(|| effect(name))
}

fn math(name: &str) -> Option<Native> {
    unary(name).map(Native::Unary).or_else(|| binary(name).map(Native::Binary)).or_else(|| mixed(name))
}

fn unary(name: &str) -> Option<fn(f64) -> [f64; 2]> {
    Some(match name {
        "sqrt" => s::sqrt,
        "cbrt" => s::cbrt,
        "fabs" => s::fabs,
        "sin" => s::sin,
        "cos" => s::cos,
        "tan" => s::tan,
        "asin" => s::asin,
        "acos" => s::acos,
        "atan" => s::atan,
        "sinh" => s::sinh,
        "cosh" => s::cosh,
        "tanh" => s::tanh,
        "asinh" => s::asinh,
        "acosh" => s::acosh,
        "atanh" => s::atanh,
        "sinpi" => s::sinpi,
        "cospi" => s::cospi,
        "tanpi" => s::tanpi,
        "exp" => s::exp,
        "exp2" => s::exp2,
        "exp10" | "pow10" => s::exp10,
        "expm1" => s::expm1,
        "log" => s::log,
        "log2" => s::log2,
        "log10" => s::log10,
        "log1p" => s::log1p,
        "erf" => s::erf,
        "erfc" => s::erfc,
        "tgamma" => s::tgamma,
        "lgamma" | "gamma" => s::lgamma,
        "j0" => s::j0,
        "j1" => s::j1,
        "y0" => s::y0,
        "y1" => s::y1,
        "floor" => s::floor,
        "ceil" => s::ceil,
        "trunc" => s::trunc,
        "round" => s::round,
        "rint" | "nearbyint" | "roundeven" => s::roundeven,
        "logb" => s::logb,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<fn(f64, f64) -> [f64; 3]> {
    Some(match name {
        "hypot" => p::hypot,
        "atan2" => p::atan2,
        "pow" => p::pow,
        "fmax" | "maxnum" => p::fmax,
        "fmin" | "minnum" => p::fmin,
        "maximum" | "fmaximum" => p::maximum,
        "minimum" | "fminimum" => p::minimum,
        "maximumnum" | "fmaximum_num" => p::maximumnum,
        "minimumnum" | "fminimum_num" => p::minimumnum,
        "fdim" => p::fdim,
        "fmod" => p::fmod,
        "remainder" | "drem" => p::remainder,
        "copysign" => p::copysign,
        "nextafter" | "nexttoward" => p::nextafter,
        _ => return None,
    })
}

fn mixed(name: &str) -> Option<Native> {
    Some(match name {
        "fma" | "fmuladd" => Native::Fma,
        "powi" | "__powidf2" | "__powisf2" | "__powixf2" => Native::Power(s::powi),
        "ldexp" | "scalbn" | "scalbln" => Native::Power(s::ldexp),
        "jn" => Native::Order(s::jn),
        "yn" => Native::Order(s::yn),
        "ilogb" => Native::Whole(s::ilogb),
        "lround" | "llround" => Native::Whole(f64::round),
        "lrint" | "llrint" => Native::Whole(f64::round_ties_even),
        "sincos" => Native::Out(Out::SinCos),
        "sincospi" => Native::Out(Out::SinCosPi),
        "frexp" => Native::Out(Out::Frexp),
        "modf" => Native::Out(Out::Modf),
        "remquo" => Native::Out(Out::RemQuo),
        "lgamma_r" => Native::Out(Out::LgammaR),
        "__muldc3" | "__mulsc3" | "__mulxc3" => Native::Out(Out::ComplexMul),
        "__divdc3" | "__divsc3" | "__divxc3" => Native::Out(Out::ComplexDiv),
        _ => return None,
    })
}

fn integer_intrinsic(name: &str) -> Option<Native> {
    let arithmetic = |name: &str| match name {
        "add" => Some(Arithmetic::Add),
        "sub" => Some(Arithmetic::Sub),
        "mul" => Some(Arithmetic::Mul),
        _ => None,
    };
    let signed = |name: &str| match name.split_at_checked(1)? {
        ("s", rest) => Some((Sign::Signed, arithmetic(rest)?)),
        ("u", rest) => Some((Sign::Unsigned, arithmetic(rest)?)),
        _ => None,
    };
    if let Some((sign, op)) = name.strip_suffix(".with.overflow").and_then(signed) {
        return Some(Native::Bits(Bits::Overflow(sign, op)));
    }
    if let Some((sign, op)) = name.strip_suffix(".sat").and_then(signed) {
        return Some(Native::Bits(Bits::Saturate(sign, op)));
    }
    Some(Native::Bits(match name {
        "smax" => Bits::SMax,
        "smin" => Bits::SMin,
        "umax" => Bits::UMax,
        "umin" => Bits::UMin,
        "abs" => Bits::Abs,
        "ctpop" => Bits::Popcount,
        "ctlz" => Bits::LeadingZeros,
        "cttz" => Bits::TrailingZeros,
        "bswap" => Bits::ByteSwap,
        "bitreverse" => Bits::Reverse,
        "fshl" => Bits::FunnelLeft,
        "fshr" => Bits::FunnelRight,
        "ptrmask" => Bits::PointerMask,
        _ => return None,
    }))
}

fn other_intrinsic(name: &str) -> Option<Native> {
    Some(match name {
        "fptosi.sat" => Native::Saturate { signed: true },
        "fptoui.sat" => Native::Saturate { signed: false },
        "is.fpclass" => Native::Class,
        "memcpy" | "memmove" => Native::Heap(Heap::Copy),
        "memset" => Native::Heap(Heap::Fill),
        "objectsize" => Native::Heap(Heap::ObjectSize),
        "expect"
        | "expect.with.probability"
        | "ssa.copy"
        | "threadlocal.address"
        | "canonicalize"
        | "arithmetic.fence"
        | "launder.invariant.group"
        | "strip.invariant.group" => Native::First,
        "is.constant" | "stacksave" => Native::Silent,
        "trap" | "debugtrap" | "ubsantrap" => Native::Abort("llvm.trap"),
        "lifetime.start"
        | "lifetime.end"
        | "invariant.start"
        | "invariant.end"
        | "assume"
        | "dbg"
        | "donothing"
        | "sideeffect"
        | "stackrestore"
        | "prefetch"
        | "experimental.noalias.scope.decl"
        | "pseudoprobe"
        | "fake.use"
        | "var.annotation" => Native::Ignored,
        _ => return None,
    })
}

fn memory(name: &str) -> Option<Native> {
    let heap = match name {
        "malloc" | "_Znwm" | "_Znam" | "_ZnwmRKSt9nothrow_t" | "_ZnwmSt11align_val_t" => {
            Heap::Malloc { size: 0 }
        }
        "aligned_alloc" | "memalign" => Heap::Malloc { size: 1 },
        "calloc" | "bs_rt_lasting_shadow" => Heap::Calloc,
        "realloc" => Heap::Realloc { size: 1 },
        "posix_memalign" => Heap::PosixMemalign,
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => Heap::Copy,
        "memset" | "__memset_chk" => Heap::Fill,
        "memcmp" | "bcmp" => Heap::Compare,
        "free" => Heap::Free,
        // Our own runtime, so that derived functions run: a tape block is a heap block, not yet written.
        "bs_rt_tape_alloc" => Heap::Malloc { size: 0 },
        "bs_rt_tape_free" => Heap::Free,
        _ if name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv") => Heap::Free,
        _ if name.ends_with("__rust_alloc") => Heap::Malloc { size: 0 },
        _ if name.ends_with("__rust_alloc_zeroed") => Heap::ZeroedAlloc,
        _ if name.ends_with("__rust_realloc") => Heap::Realloc { size: 3 },
        _ if name.ends_with("__rust_dealloc") => Heap::Free,
        _ => return None,
    };
    Some(Native::Heap(heap))
}

fn effect(name: &str) -> Option<Native> {
    Some(match name {
        "printf" | "puts" | "putchar" | "fprintf" | "fputs" | "fputc" | "fwrite" | "fflush"
        | "__printf_chk" | "__fprintf_chk" => Native::Silent,
        "bs_rt_tape_check" | "bs_rt_tape_own" => Native::Ignored,
        "bs_rt_lasting_shadow_free" => Native::Ignored,
        _ if name.contains("no_alloc_shim_is_unstable") => Native::Ignored,
        "abort" => Native::Abort("abort"),
        "exit" | "_exit" => Native::Abort("exit"),
        "__assert_fail" => Native::Abort("a failed assertion"),
        _ => return None,
    })
}
