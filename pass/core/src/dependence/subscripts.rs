//! Which element does an access touch, as the source would write it?
//!
//! Address of an access → the pointer it starts from, and an index counted in elements of the size that is accessed, a
//! polynomial in names: `i*n + j - 1`. What atoms are called the caller says. It is for readers; nothing is decided by it.

use std::collections::BTreeMap;
use std::fmt;

use super::access::{Access, Accesses};
use super::atoms::Key;
use crate::model::{Function, Operand, Type};

/// A sum of products of names, and the constant where there is no name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index(BTreeMap<Vec<String>, i128>);

/// A name for an atom, or what it is made of: an index, divided by a number.
pub struct Named {
    pub index: Index,
    pub divisor: i128,
}

/// Where an access begins, and the index. `None` where an atom has no name, or an element is not hit as a whole.
pub fn find_subscript<'a>(
    function: &Function,
    accesses: &'a Accesses,
    access: &Access,
    name: &dyn Fn(&Key) -> Option<Named>,
) -> Option<(&'a Operand, Index)> {
    let (bytes, address) = (i128::from(access.bytes?), access.address.as_ref().ok()?);
    let (mut root, mut index) = (None, Index::default());
    for (product, factor) in &address.form.0 {
        let keys: Vec<&Key> = product.iter().map(|atom| &accesses.atoms.get(*atom).key).collect();
        match keys[..] {
            [Key::Value(operand)] if is_pointer(function, operand) => {
                if root.replace(operand).is_some() || *factor != 1 {
                    return None;
                }
            }
            _ => {
                let (mut part, mut divisor) = (Index::constant(*factor), bytes);
                for key in keys {
                    let named = name(key)?;
                    part = part.times(&named.index)?;
                    divisor = divisor.checked_mul(named.divisor)?;
                }
                index = index.plus(&part.divided(divisor)?)?;
            }
        }
    }
    Some((root?, index))
}

fn is_pointer(function: &Function, operand: &Operand) -> bool {
    matches!(function.known_type(operand), Some(Type::Ptr(_)))
}

impl Named {
    pub fn plainly(name: impl Into<String>) -> Named {
        Named { index: Index::name(name), divisor: 1 }
    }
}

impl Index {
    pub fn constant(value: i128) -> Index {
        Index(BTreeMap::from([(Vec::new(), value)])).tidied()
    }

    pub fn name(name: impl Into<String>) -> Index {
        Index(BTreeMap::from([(vec![name.into()], 1)]))
    }

    pub fn plus(&self, other: &Index) -> Option<Index> {
        let mut sum = self.0.clone();
        for (product, factor) in &other.0 {
            let found = sum.entry(product.clone()).or_default();
            *found = found.checked_add(*factor)?;
        }
        Some(Index(sum).tidied())
    }

    pub fn times(&self, other: &Index) -> Option<Index> {
        let mut all = Index::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut product: Vec<String> = a.iter().chain(b).cloned().collect();
                product.sort();
                all = all.plus(&Index(BTreeMap::from([(product, x.checked_mul(*y)?)])))?;
            }
        }
        Some(all)
    }

    pub fn minus(&self, other: &Index) -> Option<Index> {
        self.plus(&other.times(&Index::constant(-1))?)
    }

    /// `None` where something is left over.
    pub fn divided(&self, divisor: i128) -> Option<Index> {
        let quotient = |(product, factor): (&Vec<String>, &i128)| {
            let whole = factor.checked_rem(divisor)? == 0;
            whole.then(|| (product.clone(), factor / divisor))
        };
        self.0.iter().map(quotient).collect::<Option<_>>().map(Index)
    }

    fn tidied(mut self) -> Index {
        self.0.retain(|_, factor| *factor != 0);
        self
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        // The constant has no name, so it comes first in the map, and last in the text.
        let (constant, terms): (Vec<_>, Vec<_>) = self.0.iter().partition(|(product, _)| product.is_empty());
        for (at, (product, factor)) in terms.into_iter().chain(constant).enumerate() {
            f.write_str(match (at == 0, *factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            })?;
            match (factor.unsigned_abs(), product.join("*")) {
                (size, name) if name.is_empty() => write!(f, "{size}")?,
                (1, name) => f.write_str(&name)?,
                (size, name) => write!(f, "{size}*{name}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_written_as_in_a_program() {
        let (i, n) = (Index::name("i"), Index::name("n"));
        let row = i.minus(&Index::constant(1)).unwrap().times(&n).unwrap();
        let at = row.plus(&Index::name("j")).unwrap().plus(&Index::constant(-3)).unwrap();
        assert_eq!(at.to_string(), "i*n + j - n - 3");
        assert_eq!(i.minus(&i).unwrap().to_string(), "0");
        assert_eq!(Index::constant(-2).times(&i).unwrap().to_string(), "-2*i");
        let eight = at.times(&Index::constant(8)).unwrap();
        assert_eq!(eight.divided(8).unwrap(), at);
        assert_eq!(eight.plus(&i).unwrap().divided(8), None);
    }
}
