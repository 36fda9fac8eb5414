//! The top level: name, layout, files, globals, functions.

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::model::{
    Alias, CustomHalves, CustomRule, Global, GlobalDerivative, Layout, Linkage, Program, Stands,
};

impl Parser {
    pub fn program(mut self) -> Parsed<Program> {
        let mut program = Program::default();
        while self.open_line()? {
            let Token::Word(word) = self.peek().clone() else { return Err(self.expected(ITEMS)) };
            match word.as_str() {
                "program" => {
                    self.advance();
                    program.name = self.text()?;
                }
                "layout" => self.layout_line(&mut program)?,
                "short" => {
                    self.advance();
                    self.word("floats")?;
                    program.short_floats = true;
                }
                "file" => self.file_line(&mut program)?,
                "global" => program.globals.push(self.global()?),
                "alias" => program.aliases.push(self.alias(Stands::ForAddress)?),
                "ifunc" => program.aliases.push(self.alias(Stands::ForResult)?),
                "rule" => program.rules.push(self.custom_rule()?),
                "function" | "declare" => program.functions.push(self.function()?),
                _ => return Err(self.expected(ITEMS)),
            }
        }
        Ok(program)
    }

    fn layout_line(&mut self, program: &mut Program) -> Parsed<()> {
        if !program.functions.is_empty() {
            return Err(self.error("expected the layout before the first function".to_string()));
        }
        self.advance();
        program.layout = self.text()?;
        self.layout = Layout::parse(&program.layout);
        Ok(())
    }

    fn file_line(&mut self, program: &mut Program) -> Parsed<()> {
        self.advance();
        let expected = program.files.len();
        if !matches!(self.peek(), Token::Number(number) if number.parse() == Ok(expected)) {
            return Err(self.expected(&format!("file number {expected}")));
        }
        self.advance();
        program.files.push(self.text()?);
        Ok(())
    }

    fn custom_rule(&mut self) -> Parsed<CustomRule> {
        self.advance();
        let mut rule = CustomRule { function: self.symbol()?, ..CustomRule::default() };
        if self.accept_word("augmented") {
            let augmented = self.symbol()?;
            self.word("reverse")?;
            rule.halves = Some(CustomHalves { augmented, reverse: self.symbol()? });
        }
        if self.accept_word("tangent") {
            rule.tangent = Some(self.symbol()?);
        }
        Ok(rule)
    }

    fn alias(&mut self, stands: Stands) -> Parsed<Alias> {
        self.advance();
        let name = self.symbol()?;
        let linkage = self.accept_known(Linkage::from_word).unwrap_or(Linkage::External);
        let space = self.space()?;
        self.mark("=")?;
        Ok(Alias { name, space, linkage, stands, to: self.constant()? })
    }

    fn global(&mut self) -> Parsed<Global> {
        self.advance();
        let name = self.symbol()?;
        self.mark(":")?;
        let ty = self.ty()?;
        let linkage = self.accept_known(Linkage::from_word);
        let mut global = Global {
            name,
            ty,
            linkage: linkage.unwrap_or(Linkage::External),
            constant: self.accept_word("constant"),
            thread_local: self.accept_word("thread_local"),
            address_taken: self.accept_word("address_taken"),
            only_named: self.accept_word("only_named"),
            derivative: self.derivative()?,
            space: self.space()?,
            initial: if self.accept_mark("=") { Some(self.constant()?) } else { None },
        };
        if global.initial.is_none() && linkage.is_none() {
            global.linkage = Linkage::Declared;
        }
        Ok(global)
    }
}

impl Parser {
    /// `inactive` or `shadow(@name)`.
    fn derivative(&mut self) -> Parsed<GlobalDerivative> {
        if self.accept_word("inactive") {
            return Ok(GlobalDerivative::Nothing);
        }
        if !self.accept_word("shadow") {
            return Ok(GlobalDerivative::Made);
        }
        self.mark("(")?;
        let name = self.symbol()?;
        self.mark(")")?;
        Ok(GlobalDerivative::Declared(name))
    }
}

const ITEMS: &str =
    "`program`, `layout`, `file`, `global`, `alias`, `ifunc`, `rule`, `function` or `declare`";
