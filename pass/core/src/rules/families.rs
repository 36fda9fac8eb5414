//! For each row (and helper) the names it goes by. The suffixes for types are the business of `spelling`.

use crate::model::FloatKind;

use super::spelling::Shape;

/// The names of one row.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    pub row: &'static str,
    /// The name after `llvm.`, without types. Emission prefers it.
    pub intrinsic: Option<&'static str>,
    /// The C name, without `f` or `l`.
    pub library: Option<&'static str>,
    /// Older C names for the same.
    pub aliases: &'static [&'static str],
    /// Whether `__NAME_finite` exists.
    pub finite: bool,
    /// Flang's names: before and after the number of bytes.
    pub fortran: &'static [(&'static str, &'static str)],
    /// Names that follow no scheme.
    pub exact: &'static [(FloatKind, &'static str)],
    /// How the library's functions take operands and give results.
    pub shape: Shape,
    /// How the intrinsic does.
    pub intrinsic_shape: Shape,
}

pub const FAMILIES: &[Family] = &[
    // Instructions, which have a constrained intrinsic each.
    constrained("fadd", "experimental.constrained.fadd"),
    constrained("fsub", "experimental.constrained.fsub"),
    constrained("fmul", "experimental.constrained.fmul"),
    constrained("fdiv", "experimental.constrained.fdiv"),
    constrained("frem", "experimental.constrained.frem"),
    constrained("fpext", "experimental.constrained.fpext"),
    constrained("fptrunc", "experimental.constrained.fptrunc"),
    // Arithmetic and conversion.
    both("fma"),
    only_intrinsic("fmuladd"),
    only_intrinsic("canonicalize"),
    only_intrinsic("arithmetic_fence").named("arithmetic.fence"),
    // Magnitude.
    both("fabs"),
    both("copysign"),
    both("fmin").named("minnum"),
    both("fmax").named("maxnum"),
    both("minimum").library(Some("fminimum")),
    both("maximum").library(Some("fmaximum")),
    both("minimumnum").library(Some("fminimum_num")),
    both("maximumnum").library(Some("fmaximum_num")),
    library("fdim"),
    // Roots.
    both("sqrt").finite(),
    library("cbrt"),
    library("hypot").finite().aliases(&["cabs"]),
    // Exponential.
    both("exp").finite(),
    both("exp2").finite(),
    both("exp10").finite().aliases(&["pow10"]),
    library("expm1"),
    both("log").finite(),
    both("log2").finite(),
    both("log10").finite(),
    library("log1p"),
    both("pow").finite(),
    only_intrinsic("powi").fortran(&[("_FortranAFPow", "i")]),
    // Trigonometric.
    both("sin"),
    both("cos"),
    both("tan"),
    both("sincos").intrinsic_shape(Shape::Struct).stored(None, &[(1, 0), (2, 1)]),
    library("sinpi"),
    library("cospi"),
    library("tanpi"),
    both("sincospi").intrinsic_shape(Shape::Struct).stored(None, &[(1, 0), (2, 1)]),
    both("asin").finite(),
    both("acos").finite(),
    both("atan"),
    both("atan2").finite(),
    // Hyperbolic.
    both("sinh").finite(),
    both("cosh").finite(),
    both("tanh"),
    library("asinh"),
    library("acosh").finite(),
    library("atanh").finite(),
    // Rounding.
    both("floor"),
    both("ceil"),
    both("trunc"),
    both("round"),
    both("roundeven"),
    both("rint"),
    both("nearbyint"),
    both("lround"),
    both("llround"),
    both("lrint"),
    both("llrint"),
    // Remainder.
    library("fmod").finite().fortran(&[("_FortranAModReal", "")]),
    library("remainder").finite().aliases(&["drem"]),
    library("remquo").stored(Some(0), &[(2, 1)]),
    // Scaling.
    both("ldexp"),
    library("scalbn"),
    library("scalbln"),
    both("frexp").intrinsic_shape(Shape::Struct).stored(Some(0), &[(1, 1)]),
    both("modf").intrinsic_shape(Shape::Struct).stored(Some(0), &[(1, 1)]),
    library("logb"),
    library("ilogb"),
    library("nextafter"),
    library("nexttoward"),
    // Special.
    library("erf"),
    library("erfc"),
    library("tgamma"),
    library("lgamma").aliases(&["gamma"]),
    unnamed("lgamma_r").exact(LGAMMA_R).stored(Some(0), &[(1, 1)]),
    unnamed("digamma").exact(DIGAMMA),
    // Bessel.
    library("j0").finite(),
    library("j1").finite(),
    library("jn").finite(),
    library("y0").finite(),
    library("y1").finite(),
    library("yn").finite(),
    // Fortran.
    flang("fortran_modulo", &[("_FortranAModuloReal", "")]),
    flang("fortran_powk", &[("_FortranAFPow", "k")]),
    flang("fortran_scale", &[("_FortranAScale", "")]),
    flang("fortran_fraction", &[("_FortranAFraction", "")]),
    flang("fortran_set_exponent", &[("_FortranASetExponent", "")]),
    flang("fortran_nearest", &[("_FortranANearest", "")]),
    flang("fortran_spacing", &[("_FortranASpacing", "")]),
    flang("fortran_rrspacing", &[("_FortranARRSpacing", "")]),
    flang("fortran_erfc_scaled", &[("_FortranAErfcScaled", "")]),
    // Complex numbers, taken apart into reals.
    unnamed("complex_mul").exact(COMPLEX_MUL).pair(),
    unnamed("complex_div").exact(COMPLEX_DIV).pair(),
    unnamed("fortran_complex_powi").exact(COMPLEX_POWI).pair(),
    library("creal"),
    library("cimag"),
    library("carg"),
    library("cexp").pair(),
    library("clog").pair(),
    library("csqrt").pair(),
    library("cpow").pair(),
    library("csin").pair(),
    library("ccos").pair(),
    library("ctan").pair(),
    library("csinh").pair(),
    library("ccosh").pair(),
    library("ctanh").pair(),
    library("casin").pair(),
    library("cacos").pair(),
    library("catan").pair(),
    library("casinh").pair(),
    library("cacosh").pair(),
    library("catanh").pair(),
    library("conj").pair(),
    library("cproj").pair(),
];

// What compilers call where the parts of a product or quotient are not numbers, or always.
const COMPLEX_MUL: &[(FloatKind, &str)] = &[
    (FloatKind::Double, "__muldc3"),
    (FloatKind::Single, "__mulsc3"),
    (FloatKind::X87, "__mulxc3"),
    (FloatKind::Quad, "__multc3"),
];

const COMPLEX_DIV: &[(FloatKind, &str)] = &[
    (FloatKind::Double, "__divdc3"),
    (FloatKind::Single, "__divsc3"),
    (FloatKind::X87, "__divxc3"),
    (FloatKind::Quad, "__divtc3"),
];

const COMPLEX_POWI: &[(FloatKind, &str)] = &[
    (FloatKind::Double, "_FortranAzpowi"),
    (FloatKind::Double, "_FortranAzpowk"),
    (FloatKind::Single, "_FortranAcpowi"),
    (FloatKind::Single, "_FortranAcpowk"),
];

// `lgammaf_r`: the precision stands inside the name.
const LGAMMA_R: &[(FloatKind, &str)] = &[
    (FloatKind::Double, "lgamma_r"),
    (FloatKind::Single, "lgammaf_r"),
    (FloatKind::X87, "lgammal_r"),
    (FloatKind::Quad, "lgammaf128_r"),
];

const DIGAMMA: &[(FloatKind, &str)] =
    &[(FloatKind::Double, "bs_rt_digamma"), (FloatKind::Single, "bs_rt_digammaf")];

/// An intrinsic and C functions, both named like the row.
const fn both(row: &'static str) -> Family {
    Family {
        row,
        intrinsic: Some(row),
        library: Some(row),
        aliases: &[],
        finite: false,
        fortran: &[],
        exact: &[],
        shape: Shape::Value,
        intrinsic_shape: Shape::Value,
    }
}

const fn library(row: &'static str) -> Family {
    let mut family = both(row);
    family.intrinsic = None;
    family
}

const fn only_intrinsic(row: &'static str) -> Family {
    both(row).library(None)
}

/// An instruction, which becomes an intrinsic where the rounding mode is not the default.
const fn constrained(row: &'static str, intrinsic: &'static str) -> Family {
    unnamed(row).named(intrinsic)
}

const fn unnamed(row: &'static str) -> Family {
    library(row).library(None)
}

const fn flang(row: &'static str, names: &'static [(&'static str, &'static str)]) -> Family {
    unnamed(row).fortran(names)
}

impl Family {
    const fn named(mut self, intrinsic: &'static str) -> Family {
        self.intrinsic = Some(intrinsic);
        self
    }

    const fn library(mut self, name: Option<&'static str>) -> Family {
        self.library = name;
        self
    }

    const fn aliases(mut self, names: &'static [&'static str]) -> Family {
        self.aliases = names;
        self
    }

    const fn finite(mut self) -> Family {
        self.finite = true;
        self
    }

    const fn fortran(mut self, names: &'static [(&'static str, &'static str)]) -> Family {
        self.fortran = names;
        self
    }

    const fn exact(mut self, names: &'static [(FloatKind, &'static str)]) -> Family {
        self.exact = names;
        self
    }

    const fn stored(mut self, returned: Option<u8>, stored: &'static [(u8, u8)]) -> Family {
        self.shape = Shape::Stored { returned, stored };
        self
    }

    /// Two results, returned as a structure.
    const fn pair(mut self) -> Family {
        self.shape = Shape::Struct;
        self
    }

    const fn intrinsic_shape(mut self, shape: Shape) -> Family {
        self.intrinsic_shape = shape;
        self
    }
}
