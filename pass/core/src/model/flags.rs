//! What an instruction promises, beyond what it computes.

/// The promises attached to an instruction, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u32);

impl Flags {
    pub const NNAN: Flags = Flags(1);
    pub const NINF: Flags = Flags(1 << 1);
    pub const NSZ: Flags = Flags(1 << 2);
    pub const ARCP: Flags = Flags(1 << 3);
    pub const CONTRACT: Flags = Flags(1 << 4);
    pub const AFN: Flags = Flags(1 << 5);
    pub const REASSOC: Flags = Flags(1 << 6);
    pub const NUW: Flags = Flags(1 << 7);
    pub const NSW: Flags = Flags(1 << 8);
    pub const EXACT: Flags = Flags(1 << 9);
    pub const DISJOINT: Flags = Flags(1 << 10);
    pub const NNEG: Flags = Flags(1 << 11);
    pub const SAMESIGN: Flags = Flags(1 << 12);
    pub const INBOUNDS: Flags = Flags(1 << 13);
    pub const NUSW: Flags = Flags(1 << 14);
    pub const TAIL: Flags = Flags(1 << 15);
    pub const MUSTTAIL: Flags = Flags(1 << 16);
    pub const NOTAIL: Flags = Flags(1 << 17);
    /// A store that adds to what it overwrites, where the order of such additions does not matter.
    pub const SUM: Flags = Flags(1 << 18);
    /// What looks at a derivative and does nothing where that is zero: right for the derivative, and not for its own.
    pub const ZERO: Flags = Flags(1 << 19);

    /// Each flag with its spelling, in the order they are printed.
    pub const NAMES: [(Flags, &'static str); 20] = [
        (Flags::REASSOC, "reassoc"),
        (Flags::NNAN, "nnan"),
        (Flags::NINF, "ninf"),
        (Flags::NSZ, "nsz"),
        (Flags::ARCP, "arcp"),
        (Flags::CONTRACT, "contract"),
        (Flags::AFN, "afn"),
        (Flags::NUW, "nuw"),
        (Flags::NSW, "nsw"),
        (Flags::EXACT, "exact"),
        (Flags::DISJOINT, "disjoint"),
        (Flags::NNEG, "nneg"),
        (Flags::SAMESIGN, "samesign"),
        (Flags::INBOUNDS, "inbounds"),
        (Flags::NUSW, "nusw"),
        (Flags::TAIL, "tail"),
        (Flags::MUSTTAIL, "musttail"),
        (Flags::NOTAIL, "notail"),
        (Flags::SUM, "sum"),
        (Flags::ZERO, "zero"),
    ];

    /// The seven fast-math flags; what generated arithmetic inherits from the operation it differentiates.
    pub const FAST_MATH: Flags = Flags(0x7f);

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub fn fast_math(self) -> Flags {
        Flags(self.0 & Flags::FAST_MATH.0)
    }
}
