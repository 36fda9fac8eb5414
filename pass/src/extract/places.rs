//! Places in the user's source.

use std::ffi::c_char;

use backsweep_core::model::Loc;

use crate::llvm::{Value, c_text, llvm, shim};

/// Source files in the order they are met.
#[derive(Default)]
pub struct Files(Vec<String>);

impl Files {
    pub fn into_names(self) -> Vec<String> {
        self.0
    }

    fn number(&mut self, name: String) -> u32 {
        let at = self.0.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.0.push(name);
            self.0.len() - 1
        });
        at as u32
    }

    pub fn place_of(&mut self, instruction: Value) -> Option<Loc> {
        let mut names: [*const c_char; 2] = [std::ptr::null(); 2];
        let (mut line, mut column) = (0, 0);
        let [directory, file] = &mut names;
        if !llvm!(shim::bs_shim_location(instruction.0, directory, file, &mut line, &mut column)) {
            return None;
        }
        Some(Loc { file: self.number(c_text(*file)?), line, column })
    }

    pub fn place_of_function(&mut self, function: Value) -> Option<Loc> {
        let mut names: [*const c_char; 2] = [std::ptr::null(); 2];
        let mut line = 0;
        let [directory, file] = &mut names;
        if !llvm!(shim::bs_shim_function_location(function.0, directory, file, &mut line)) {
            return None;
        }
        Some(Loc { file: self.number(c_text(*file)?), line, column: 0 })
    }
}
