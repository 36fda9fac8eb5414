//! On which sources a value depends, and how: the paper's *DEPS*, for the sources that are asked about.
//!
//! What is not in it does not matter to the value. Beside the class of each source stands that of the value as a function
//! of all of them together: a fraction has one denominator, whichever source is looked at.
//! The methods are table 2, with what is damaged in print put right: a constant factor keeps the class, and a source that
//! neither factor depends on stays at ⊤.

use std::collections::BTreeMap;

use super::class::Class;

/// One of the things that dependence is asked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source(pub u32);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Depends {
    of: BTreeMap<Source, Class>,
    whole: Class,
}

impl Depends {
    /// The source itself.
    pub fn on(source: Source) -> Depends {
        Depends { of: BTreeMap::from([(source, Class::LINEAR)]), whole: Class::LINEAR }
    }

    pub fn class(&self, source: Source) -> Class {
        self.of.get(&source).copied().unwrap_or_default()
    }

    /// As a function of all sources.
    pub fn whole(&self) -> Class {
        self.whole
    }

    /// Whether it depends on nothing.
    pub fn is_constant(&self) -> bool {
        self.of.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (Source, Class)> + '_ {
        self.of.iter().map(|(source, class)| (*source, *class))
    }

    /// One or the other. Returns whether that is news.
    pub fn join(&mut self, other: &Depends) -> bool {
        let before = self.clone();
        self.whole = self.whole.join(other.whole);
        for (source, class) in other.iter() {
            let own = self.of.entry(source).or_default();
            *own = own.join(class);
        }
        *self != before
    }

    pub fn or(mut self, other: &Depends) -> Depends {
        self.join(other);
        self
    }

    /// Any function of it.
    pub fn nonlinear(&self) -> Depends {
        let whole = if self.is_constant() { Class::Independent } else { Class::Nonlinear };
        Depends { of: self.of.keys().map(|source| (*source, whole)).collect(), whole }
    }

    /// `e1 ± e2`.
    pub fn plus(&self, other: &Depends) -> Depends {
        let classes = self.with(other, |x, y| x.join(y));
        Depends { of: classes, whole: self.whole.plus(other.whole) }.settle()
    }

    /// `e1 * e2`: a source's products are its own of one factor, times all of the other.
    pub fn times(&self, other: &Depends) -> Depends {
        if self.is_constant() || other.is_constant() {
            return self.clone().or(other);
        }
        let times = |class: Class, whole: Class| match class {
            Class::Independent => class,
            class => class.times(whole),
        };
        let classes = self.with(other, |x, y| times(x, other.whole).join(times(y, self.whole)));
        Depends { of: classes, whole: self.whole.times(other.whole) }.settle()
    }

    /// `e1 / e2`.
    pub fn divided_by(&self, other: &Depends) -> Depends {
        if other.is_constant() {
            return self.clone();
        }
        let whole = self.whole.times(other.whole.reciprocal());
        Depends { of: self.with(other, |_, _| whole), whole }
    }

    /// `e1 power k`, with an exponent that is a number.
    pub fn power(&self, exponent: i128) -> Depends {
        let Ok(times) = u8::try_from(exponent.unsigned_abs()) else { return self.nonlinear() };
        let rest = (1..times).fold(Depends::default(), |product, _| match product.is_constant() {
            true => self.clone(),
            false => product.times(self),
        });
        match exponent {
            1 => self.clone(),
            2.. => self.times(&rest),
            // A power of 0 is 1 whatever the base, but for what a base of no value gives.
            0 => self.nonlinear(),
            _ => Depends::default().divided_by(&self.power(exponent.saturating_neg())),
        }
    }

    /// A function of several values, each of which stands for a source of `self`: what it depends on in the end.
    pub fn compose(&self, inputs: &BTreeMap<Source, Depends>) -> Depends {
        let used = || self.iter().filter_map(|(source, class)| Some((class, inputs.get(&source)?)));
        let largest = used().map(|(_, input)| input.whole).fold(Class::Independent, Class::join);
        used().fold(Depends::default(), |sum, (class, input)| {
            let part = match (class.degree(), largest.degree()) {
                (Some(0 | 1), _) => input.clone(),
                (Some(degree), Some(inner)) => input.raised(degree.saturating_mul(inner)),
                _ => input.nonlinear(),
            };
            sum.plus(&part)
        })
    }

    /// A polynomial of at most that degree.
    fn raised(&self, degree: u8) -> Depends {
        let class = (0..degree).fold(Class::Independent, |class, _| class.times(Class::LINEAR));
        Depends { of: self.of.keys().map(|source| (*source, class)).collect(), whole: class }
    }

    fn with(&self, other: &Depends, class: impl Fn(Class, Class) -> Class) -> BTreeMap<Source, Class> {
        let sources = self.of.keys().chain(other.of.keys());
        sources.map(|source| (*source, class(self.class(*source), other.class(*source)))).collect()
    }

    /// Where there is a denominator, it is that of all.
    fn settle(mut self) -> Depends {
        let whole = self.whole;
        self.of
            .values_mut()
            .filter(|class| !class.is_polynomial())
            .for_each(|class| *class = class.join(whole));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Source = Source(0);
    const Y: Source = Source(1);
    const Z: Source = Source(2);
    const W: Source = Source(3);

    fn number() -> Depends {
        Depends::default()
    }

    fn shown(depends: &Depends, source: Source) -> String {
        depends.class(source).to_string()
    }

    /// The paper's example behind figure 7: `x = 3*z + y**2 + w/(y*y)`.
    #[test]
    fn the_example_statement() {
        let [y, z, w] = [Y, Z, W].map(Depends::on);
        let x = number().times(&z).plus(&y.power(2)).plus(&w.divided_by(&y.times(&y)));
        assert_eq!(shown(&x, Z), "linear");
        assert_eq!(shown(&x, Y), "nonlinear (rational 4/2)");
        assert_eq!(shown(&x, W), "nonlinear (rational 4/2)");
        assert_eq!(shown(&x, X), "⊤");
    }

    #[test]
    fn products_have_the_degree_of_all_their_factors() {
        let [x, y, z] = [X, Y, Z].map(Depends::on);
        let product = x.times(&y).plus(&z);
        assert_eq!(
            [X, Y, Z].map(|at| shown(&product, at)),
            ["nonlinear (degree 2)", "nonlinear (degree 2)", "linear"]
        );
        let cube = product.times(&x);
        assert_eq!(shown(&cube, X), "nonlinear (degree 3)");
        assert_eq!(shown(&cube, Z), "nonlinear (degree 2)");
    }

    #[test]
    fn a_constant_keeps_the_class_and_an_unknown_function_takes_it() {
        let x = Depends::on(X);
        assert_eq!(x.times(&number()), x);
        assert_eq!(x.divided_by(&number()), x);
        assert_eq!(shown(&number().divided_by(&x), X), "nonlinear (rational 0/1)");
        assert_eq!(shown(&number().divided_by(&x).plus(&number()), X), "nonlinear (rational 1/1)");
        assert_eq!(shown(&x.nonlinear(), X), "nonlinear");
        assert_eq!(number().nonlinear(), number());
        assert_eq!(shown(&x.nonlinear().times(&Depends::on(Y)), Y), "nonlinear");
    }

    #[test]
    fn powers_are_products() {
        let x = Depends::on(X);
        assert_eq!(x.power(1), x);
        assert_eq!(x.power(2), x.times(&x));
        assert_eq!(x.power(3), x.times(&x).times(&x));
        assert_eq!(shown(&x.power(-2), X), "nonlinear (rational 0/2)");
        assert_eq!(shown(&x.power(0), X), "nonlinear");
        assert_eq!(shown(&x.power(100), X), "nonlinear");
    }

    #[test]
    fn a_function_of_functions() {
        let [x, y] = [X, Y].map(Depends::on);
        let outer = x.times(&y);
        let inputs = BTreeMap::from([(X, Depends::on(Z).power(2)), (Y, Depends::on(W))]);
        assert_eq!(shown(&outer.compose(&inputs), Z), "nonlinear (degree 4)");
        assert_eq!(shown(&x.compose(&inputs), Z), "nonlinear (degree 2)");
        assert_eq!(shown(&x.nonlinear().compose(&inputs), Z), "nonlinear");
    }
}
