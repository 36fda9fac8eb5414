//! Program → text. Every printed piece is the `Display` of its type, so that messages can quote it.

mod constant;
mod facts;
mod function;
mod op;
mod types;

use std::fmt::{self, Display, Formatter};

use super::quote::{Quoted, Symbol};
use crate::model::{Alias, CustomRule, Global, GlobalDerivative, Layout, Linkage, Program, Stands};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            writeln!(f, "program {}", Quoted(&self.name))?;
        }
        if !self.layout.is_empty() {
            writeln!(f, "layout {}", Quoted(&self.layout))?;
        }
        if self.short_floats {
            writeln!(f, "short floats")?;
        }
        for (index, file) in self.files.iter().enumerate() {
            writeln!(f, "file {index} {}", Quoted(file))?;
        }
        for global in &self.globals {
            writeln!(f, "{global}")?;
        }
        for alias in &self.aliases {
            writeln!(f, "{alias}")?;
        }
        for rule in &self.rules {
            writeln!(f, "{rule}")?;
        }
        let layout = Layout::parse(&self.layout);
        for function in &self.functions {
            write!(f, "\n{}", function::Text { function, layout: Some(&layout) })?;
        }
        Ok(())
    }
}

impl Display for Global {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "global {}: {}", Symbol(&self.name), self.ty)?;
        let usual = if self.initial.is_some() { Linkage::External } else { Linkage::Declared };
        if self.linkage != usual {
            write!(f, " {}", self.linkage)?;
        }
        if self.constant {
            write!(f, " constant")?;
        }
        if self.thread_local {
            write!(f, " thread_local")?;
        }
        if self.address_taken {
            write!(f, " address_taken")?;
        }
        if self.only_named {
            write!(f, " only_named")?;
        }
        match &self.derivative {
            GlobalDerivative::Made => {}
            GlobalDerivative::Nothing => write!(f, " inactive")?,
            GlobalDerivative::Declared(shadow) => write!(f, " shadow({})", Symbol(shadow))?,
        }
        if self.space != 0 {
            write!(f, " space({})", self.space)?;
        }
        match &self.initial {
            Some(initial) => write!(f, " = {initial}"),
            None => Ok(()),
        }
    }
}

impl Display for Alias {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let word = match self.stands {
            Stands::ForAddress => "alias",
            Stands::ForResult => "ifunc",
        };
        write!(f, "{word} {}", Symbol(&self.name))?;
        if self.linkage != Linkage::External {
            write!(f, " {}", self.linkage)?;
        }
        if self.space != 0 {
            write!(f, " space({})", self.space)?;
        }
        write!(f, " = {}", self.to)
    }
}

impl Display for CustomRule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "rule {}", Symbol(&self.function))?;
        if let Some(halves) = &self.halves {
            write!(f, " augmented {} reverse {}", Symbol(&halves.augmented), Symbol(&halves.reverse))?;
        }
        match &self.tangent {
            Some(tangent) => write!(f, " tangent {}", Symbol(tangent)),
            None => Ok(()),
        }
    }
}

/// Items between commas.
pub struct List<'a, T>(pub &'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
