//! Tells the user what was refused, at the line where it stands.

use backsweep_core::refusal::Refusal;

use crate::extract::Extraction;
use crate::llvm::{Value, c_string, c_text, llvm, shim};
use crate::requests::HookSite;

/// Refuses a request at its own line.
pub fn refuse_request(site: &HookSite, refusals: &[Refusal]) {
    for refusal in refusals {
        error(site.function(), Some(site.call), &refusal.to_string());
    }
}

/// Refuses what a function does: each refusal at its own line in that function, where lines are known. `name` is that of its model.
pub fn refuse_function(
    function: Value,
    (copy, name): (Value, &str),
    extraction: &Extraction,
    refusals: &[Refusal],
) {
    let model = extraction.program.function(name);
    let index = extraction.index.function(name);
    for refusal in refusals {
        let mut message = refusal.to_string();
        let at = refusal.loc.and_then(|loc| {
            let (model, index) = (model?, index?);
            model
                .inst_ids()
                .find(|id| model.inst(*id).is_some_and(|inst| inst.loc == Some(loc)))
                .map(|id| index.value(id))
        });
        if at.is_none() {
            message = format!("{message} (in `{}`; compile with -g to see the line)", function.name());
        }
        // The copy's name means nothing to the front end, which looks functions up by name where lines are missing.
        let owner = if at.is_some() { copy } else { function };
        error(owner, at, &message);
    }
}

pub fn error(function: Value, instruction: Option<Value>, message: &str) {
    let at = instruction.map_or(std::ptr::null_mut(), |instruction| instruction.0);
    llvm!(shim::bs_shim_error(function.0, at, c_string(&write_source_names(message)).as_ptr()));
}

/// An error at the line of a global; the function is one that has to do with it.
pub fn error_at_global(global: Value, function: Value, message: &str) {
    let text = c_string(&write_source_names(message));
    llvm!(shim::bs_shim_error_at_global(global.0, function.0, text.as_ptr()));
}

/// Replaces the symbols of C++ functions by the names that stand in the source.
fn write_source_names(message: &str) -> String {
    let message = message.replace(crate::custom::ADAPTER, "");
    let is_word = |c: char| c.is_alphanumeric() || "_.$".contains(c);
    let mut written = String::new();
    let mut rest = message.as_str();
    while let Some(start) = rest.find("_Z") {
        let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |length| start + length);
        let symbol = &rest[start..end];
        let alone = !rest[..start].ends_with(is_word);
        written.push_str(&rest[..start]);
        written.push_str(&source_name(symbol).filter(|_| alone).unwrap_or_else(|| symbol.into()));
        rest = &rest[end..];
    }
    written + rest
}

fn source_name(symbol: &str) -> Option<String> {
    let text = llvm!(shim::bs_shim_source_name(c_string(symbol).as_ptr()));
    let name = c_text(text.cast_const());
    llvm!(shim::bs_shim_text_free(text));
    name
}
