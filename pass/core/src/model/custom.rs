//! Derivatives of functions that the user wrote by hand.

/// A function and its derivatives, by name. What those take and return is told in `analyses/custom.rs`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomRule {
    pub function: String,
    /// For reverse mode.
    pub halves: Option<CustomHalves>,
    /// For forward mode.
    pub tangent: Option<String>,
}

/// The two functions of reverse mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomHalves {
    /// Called in the place of the function, in the forward sweep.
    pub augmented: String,
    /// Called at the matching place of the reverse sweep.
    pub reverse: String,
}

impl CustomRule {
    /// The functions that it names: that it is for, and its derivatives.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.function.as_str()).chain(self.derivatives())
    }

    pub fn derivatives(&self) -> impl Iterator<Item = &str> {
        let halves = self.halves.iter().flat_map(|halves| [&halves.augmented, &halves.reverse]);
        halves.chain(&self.tangent).map(String::as_str)
    }
}
