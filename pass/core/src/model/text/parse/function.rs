//! Functions: header, blocks, and the facts behind them.

use super::lexer::Token;
use super::memory::Missing;
use super::op::Read;
use super::scope::is_number;
use super::{Parsed, Parser};
use crate::model::{Access, Block, Function, Linkage, Loc, Name, Op, Param, Type, ValueId};

impl Parser {
    pub fn function(&mut self) -> Parsed<Function> {
        let declared = self.is_word("declare");
        self.advance();
        self.open_scope();
        let mut function = self.header(declared)?;
        if !declared {
            self.mark("{")?;
            self.scan_body();
            self.body(&mut function)?;
        }
        Ok(function)
    }

    fn header(&mut self, declared: bool) -> Parsed<Function> {
        let name = self.symbol()?;
        let mut variadic = false;
        self.mark("(")?;
        let params = self.items(")", |parser| {
            if variadic {
                return Err(parser.expected("`)` after `...`"));
            }
            variadic = parser.accept_mark("...");
            if variadic { Ok(None) } else { parser.param(declared).map(Some) }
        })?;
        let usual = if declared { Linkage::Declared } else { Linkage::External };
        Ok(Function {
            name,
            params: params.into_iter().flatten().collect(),
            variadic,
            ret: if self.accept_mark("->") { self.ty()? } else { Type::Void },
            linkage: self.accept_known(Linkage::from_word).unwrap_or(usual),
            attributes: self.attributes()?,
            loc: self.accept_loc()?,
            blocks: Vec::new(),
            insts: Vec::new(),
            loops: Vec::new(),
            memory: Default::default(),
            aliases: Vec::new(),
            names: Default::default(),
        })
    }

    /// `%0 name: type attribute…`; a name may stand in the number's place, and a declaration may leave both out.
    fn param(&mut self, declared: bool) -> Parsed<Param> {
        let mut name = None;
        match self.peek().clone() {
            Token::Value(label) => {
                self.check_label(&label, self.defined_values())?;
                self.advance();
                self.define_value(Some(&label));
                name = self.accept_bare().or_else(|| (!is_number(&label)).then_some(label));
                self.mark(":")?;
            }
            _ if declared => self.define_value(None),
            _ => return Err(self.expected("a parameter such as `%0 x: double`")),
        }
        let ty = self.ty()?;
        let mut attributes: Vec<String> = std::iter::from_fn(|| self.accept_bare()).collect();
        attributes.sort();
        Ok(Param { name, ty, attributes })
    }

    /// `attributes(…)` in any order, or none.
    pub fn attributes(&mut self) -> Parsed<Vec<String>> {
        let mut attributes = self.optional_list("attributes", |parser| {
            parser.accept_bare().ok_or_else(|| parser.expected("an attribute, quoted if it is not one word"))
        })?;
        attributes.sort();
        Ok(attributes)
    }

    /// `at file:line:column`, if it comes next.
    pub fn accept_loc(&mut self) -> Parsed<Option<Loc>> {
        if !self.accept_word("at") {
            return Ok(None);
        }
        let file = self.number()?;
        self.mark(":")?;
        let line = self.number()?;
        self.mark(":")?;
        Ok(Some(Loc { file, line, column: self.number()? }))
    }

    fn body(&mut self, function: &mut Function) -> Parsed<()> {
        let mut missing = Vec::new();
        loop {
            if !self.open_line()? {
                return Err(self.expected("`}` at the end of the function"));
            }
            match self.peek().clone() {
                Token::Mark("}") => break,
                Token::Block(label) => self.block_line(function, &label)?,
                Token::Word(word) if word == "memory" => self.memory_line(function)?,
                Token::Word(word) if word == "loop" => {
                    self.advance();
                    let found = self.natural_loop(function.loops.len() as u32)?;
                    function.loops.push(found);
                }
                Token::Word(word) if word == "alias" => {
                    self.advance();
                    function.aliases.push(self.alias_pair()?);
                }
                Token::Word(word) if word == "name" => self.name_line(function)?,
                _ => missing.extend(self.inst_line(function)?),
            }
        }
        self.advance();
        self.fill_usual(function, &missing);
        Ok(())
    }

    /// `^0 entry:` or `^entry:`.
    fn block_line(&mut self, function: &mut Function, label: &str) -> Parsed<()> {
        self.check_label(label, function.blocks.len() as u32)?;
        self.advance();
        let name = self.accept_bare().or_else(|| (!is_number(label)).then(|| label.to_string()));
        self.mark(":")?;
        function.blocks.push(Block { name, insts: Vec::new() });
        Ok(())
    }

    fn memory_line(&mut self, function: &mut Function) -> Parsed<()> {
        let id = function.inst_ids().last();
        let id =
            id.ok_or_else(|| self.error("expected an instruction before its `memory` line".to_string()))?;
        if function.memory.contains_key(&id) {
            return Err(self.error(format!("expected one `memory` line for {id}, found a second")));
        }
        self.advance();
        let fact = self.memory_fact()?;
        function.memory.insert(id, fact);
        Ok(())
    }

    /// `name %5 i`, with ` from 1` for an array that is counted from 1 in round brackets.
    fn name_line(&mut self, function: &mut Function) -> Parsed<()> {
        self.advance();
        let id = self.value()?;
        let text = self.accept_bare().ok_or_else(|| self.expected("a name"))?;
        let first = if self.accept_word("from") { Some(self.number()?) } else { None };
        if function.names.insert(id, Name { text, first }).is_some() {
            return Err(self.error(format!("expected one name for {id}, found a second")));
        }
        Ok(())
    }

    fn inst_line(&mut self, function: &mut Function) -> Parsed<Option<(ValueId, Missing)>> {
        let id = ValueId((function.params.len() + function.insts.len()) as u32);
        if function.blocks.is_empty() {
            return Err(self.expected("a block such as `^0:` before the first instruction"));
        }
        let ty = self.inst_label(id)?;
        let Read { mut inst, missing } = self.inst()?;
        inst.ty = ty;
        function.insts.push(inst);
        if let Some(block) = function.blocks.last_mut() {
            block.insts.push(id);
        }
        Ok(missing.map(|missing| (id, missing)))
    }

    /// `%5: double =`, `%5 =`, or nothing before an instruction without result.
    fn inst_label(&mut self, id: ValueId) -> Parsed<Type> {
        let Token::Value(label) = self.peek().clone() else { return Ok(Type::Void) };
        self.check_label(&label, id.0)?;
        self.advance();
        let ty = if self.accept_mark(":") { self.ty()? } else { Type::Void };
        self.mark("=")?;
        Ok(ty)
    }

    /// Gives accesses the size and alignment their line left out. Only now are all types known.
    fn fill_usual(&self, function: &mut Function, missing: &[(ValueId, Missing)]) {
        for (id, missing) in missing {
            let index = id.0 as usize - function.params.len();
            let accessed = function.accessed_type(&function.insts[index]);
            let op: &mut Op = &mut function.insts[index].op;
            if let Some(access) = op.access_mut() {
                let usual = Access::usual(accessed, &self.layout);
                if missing.bytes {
                    access.bytes = usual.bytes;
                }
                if missing.align {
                    access.align = usual.align;
                }
            }
        }
    }
}
