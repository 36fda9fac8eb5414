//! What elimination asks of the labels on edges: a product along a path, a sum over parallel paths.
//!
//! Elimination is written once. With [`Terms`](super::terms::Terms) it writes a program, with
//! [`Tally`](super::tally::Tally) it counts operations, with numbers it computes.

pub trait Algebra {
    type Label: Clone;

    /// The label of a path: `outer` is nearer the outputs, `inner` nearer the inputs.
    fn product(&mut self, outer: &Self::Label, inner: &Self::Label) -> Self::Label;

    fn sum(&mut self, x: &Self::Label, y: &Self::Label) -> Self::Label;

    /// A product added to what an edge carries already.
    fn absorb(&mut self, label: &Self::Label, outer: &Self::Label, inner: &Self::Label) -> Self::Label {
        let product = self.product(outer, inner);
        self.sum(label, &product)
    }
}
