//! How an access goes on from pass to pass of the innermost loop around it, and how far another of the same pass is away.
//!
//! Both modulo 2^64, as addresses are. Safe error: not known.

use super::access::Access;
use super::atoms::{AtomId, Key};
use super::overwriting::Overwriting;
use crate::model::ValueId;

impl Overwriting<'_> {
    pub(super) fn access(&self, id: ValueId) -> Option<&Access> {
        self.places.get(&id).map(|at| &self.accesses.list[*at])
    }

    /// By how many bytes an access is further on in the next pass.
    pub fn find_step(&self, id: ValueId) -> Option<i128> {
        let access = self.access(id)?;
        let (around, form) = (*access.loops.last()?, &access.address.as_ref().ok()?.form);
        let atoms = &self.accesses.atoms;
        let is_counter = |atom: AtomId| atoms.get(atom).key == Key::Counter(around);
        let moves = |atom: &AtomId| is_counter(*atom) || atoms.get(*atom).varies == Some(around);
        let mut moving = form.0.iter().filter(|(product, _)| product.iter().any(moves));
        let (Some((product, step)), None) = (moving.next(), moving.next()) else { return None };
        matches!(product[..], [atom] if is_counter(atom)).then_some(*step)
    }

    /// By how many bytes one access lies behind another of the same pass of all loops.
    pub fn find_distance(&self, from: ValueId, to: ValueId) -> Option<i128> {
        let (from, to) = (self.access(from)?, self.access(to)?);
        let forms = from.address.as_ref().ok().zip(to.address.as_ref().ok());
        let (from, to) = forms.filter(|_| from.loops == to.loops)?;
        to.form.minus(&from.form)?.as_constant()
    }
}
