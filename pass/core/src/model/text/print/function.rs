//! Functions: the header, then blocks with one instruction a line, then loops and alias answers.

use std::fmt::{self, Display, Formatter};

use super::List;
use super::op::Line;
use crate::model::text::quote::{Bare, Symbol};
use crate::model::{BlockId, Function, Layout, Linkage, Loc, Operand, Param, ValueId};

/// A function in the light of a layout. Sizes and alignments that follow from it are left out; without one, none are.
pub struct Text<'a> {
    pub function: &'a Function,
    pub layout: Option<&'a Layout>,
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Text { function: self, layout: None })
    }
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_header(f)?;
        if self.function.is_declaration() {
            return writeln!(f);
        }
        writeln!(f, " {{")?;
        for block in self.function.block_ids() {
            self.write_block(f, block)?;
        }
        for (index, found) in self.function.loops.iter().enumerate() {
            writeln!(f, "loop {index} {found}")?;
        }
        for pair in &self.function.aliases {
            writeln!(f, "{pair}")?;
        }
        for (id, name) in &self.function.names {
            write!(f, "name {id} {}", Bare(&name.text))?;
            if let Some(first) = name.first {
                write!(f, " from {first}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "}}")
    }
}

impl Function {
    /// One instruction as it stands in the text.
    pub fn line(&self, id: ValueId) -> String {
        match self.inst(id) {
            Some(inst) => Line { function: self, layout: None, id, inst }.to_string(),
            None => format!("{id}"),
        }
    }
}

impl Text<'_> {
    fn write_header(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = self.function;
        let declared = function.is_declaration();
        let (word, usual) =
            if declared { ("declare", Linkage::Declared) } else { ("function", Linkage::External) };
        write!(f, "{word} {}(", Symbol(&function.name))?;
        for (index, param) in function.params.iter().enumerate() {
            write!(f, "{}", if index == 0 { "" } else { ", " })?;
            self.write_param(f, ValueId(index as u32), param)?;
        }
        if function.variadic {
            write!(f, "{}...", if function.params.is_empty() { "" } else { ", " })?;
        }
        write!(f, ") -> {}", function.ret)?;
        if function.linkage != usual {
            write!(f, " {}", function.linkage)?;
        }
        write!(f, "{}", Attributes(&function.attributes))?;
        match function.loc {
            Some(loc) => write!(f, " at {loc}"),
            None => Ok(()),
        }
    }

    fn write_param(&self, f: &mut Formatter<'_>, id: ValueId, param: &Param) -> fmt::Result {
        match &param.name {
            Some(name) => write!(f, "{id} {}: {}", Bare(name), param.ty)?,
            None if self.function.is_declaration() => write!(f, "{}", param.ty)?,
            None => write!(f, "{id}: {}", param.ty)?,
        }
        param.attributes.iter().try_for_each(|attribute| write!(f, " {}", Bare(attribute)))
    }

    fn write_block(&self, f: &mut Formatter<'_>, id: BlockId) -> fmt::Result {
        let block = self.function.block(id);
        match &block.name {
            Some(name) => writeln!(f, "{id} {}:", Bare(name))?,
            None => writeln!(f, "{id}:")?,
        }
        for id in &block.insts {
            let Some(inst) = self.function.inst(*id) else {
                writeln!(f, "  ; {id} does not exist")?;
                continue;
            };
            writeln!(f, "  {}", Line { function: self.function, layout: self.layout, id: *id, inst })?;
            if let Some(fact) = self.function.memory.get(id) {
                writeln!(f, "    {fact}")?;
            }
        }
        Ok(())
    }
}

/// ` attributes(…)`, or nothing where there are none.
pub struct Attributes<'a>(pub &'a [String]);

impl Display for Attributes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        let attributes: Vec<Bare> = self.0.iter().map(|attribute| Bare(attribute)).collect();
        write!(f, " attributes({})", List(&attributes))
    }
}

impl Display for ValueId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl Display for BlockId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "^{}", self.0)
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Value(value) => write!(f, "{value}"),
            Operand::Const(constant) => write!(f, "{constant}"),
        }
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
