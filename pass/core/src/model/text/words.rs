//! The spelling of every closed set of words, one table for printer and parser.

use crate::model::{
    AliasAnswer, AtomicOp, CastOp, FloatKind, FloatOp, FloatPredicate, IntOp, IntPredicate, Linkage, Ordering,
};

/// Writes the exhaustive `word` and its inverse: a new variant breaks the build here.
macro_rules! words {
    ($($ty:ident { $($variant:ident $text:literal),* $(,)? })*) => {$(
        impl $ty {
            pub const ALL: &'static [$ty] = &[$($ty::$variant),*];

            /// Its spelling in the text form.
            pub fn word(self) -> &'static str {
                match self { $($ty::$variant => $text),* }
            }

            pub fn from_word(word: &str) -> Option<$ty> {
                match word { $($text => Some($ty::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    )*};
}

words! {
    FloatKind {
        Half "half", BFloat "bfloat", Single "float", Double "double", X87 "x86_fp80", Quad "fp128",
        DoubleDouble "ppc_fp128",
    }
    FloatOp { Add "fadd", Sub "fsub", Mul "fmul", Div "fdiv", Rem "frem" }
    IntOp {
        Add "add", Sub "sub", Mul "mul", UDiv "udiv", SDiv "sdiv", URem "urem", SRem "srem", Shl "shl",
        LShr "lshr", AShr "ashr", And "and", Or "or", Xor "xor",
    }
    CastOp {
        Trunc "trunc", ZExt "zext", SExt "sext", FpTrunc "fptrunc", FpExt "fpext", FpToUi "fptoui",
        FpToSi "fptosi", UiToFp "uitofp", SiToFp "sitofp", PtrToInt "ptrtoint", PtrToAddr "ptrtoaddr",
        IntToPtr "inttoptr", BitCast "bitcast", AddrSpaceCast "addrspacecast",
    }
    IntPredicate {
        Eq "eq", Ne "ne", Ugt "ugt", Uge "uge", Ult "ult", Ule "ule", Sgt "sgt", Sge "sge", Slt "slt",
        Sle "sle",
    }
    FloatPredicate {
        False "false", Oeq "oeq", Ogt "ogt", Oge "oge", Olt "olt", Ole "ole", One "one", Ord "ord",
        Uno "uno", Ueq "ueq", Ugt "ugt", Uge "uge", Ult "ult", Ule "ule", Une "une", True "true",
    }
    Ordering {
        NotAtomic "not_atomic", Unordered "unordered", Monotonic "monotonic", Acquire "acquire",
        Release "release", AcquireRelease "acq_rel", SequentiallyConsistent "seq_cst",
    }
    AtomicOp {
        Exchange "xchg", Add "add", Sub "sub", And "and", Nand "nand", Or "or", Xor "xor", Max "max",
        Min "min", UMax "umax", UMin "umin", FAdd "fadd", FSub "fsub", FMax "fmax", FMin "fmin",
        Other "other",
    }
    Linkage { Local "local", External "external", Replaceable "replaceable", Declared "declared" }
    AliasAnswer { No "no", Partial "partial", Must "must" }
}
