//! Arrays that globals lead to, and that get a shadow when the derivative begins: a descriptor stands in the global, the shadow
//! of the global is made here, and the derivative ends here, by returning.

use super::Proof;
use crate::model::{Global, Layout, Type};
use crate::plan::{GlobalShadow, PointerIn};
use crate::request::Mode;

/// What a descriptor's type is written as, before and behind its dimensions, and what may stand behind these.
const HEAD: &str = "{ptr, i64, i32, i8, i8, i8, i8";
const DIMENSIONS: &str = " x [3 x i64]]";
const ADDENDUM: &str = ", ptr, [";

impl Proof<'_> {
    pub fn may_have_elements(&self, pointer: &PointerIn) -> bool {
        let Some(global) = self.program.global(&pointer.global).filter(|global| !global.constant) else {
            return false;
        };
        let made = self.plan.globals.get(&pointer.global).is_some_and(|decision| {
            matches!(decision.choice, GlobalShadow::Slot { .. } | GlobalShadow::Heap { .. })
        });
        let ends = matches!(self.plan.request.mode, Mode::Gradient | Mode::Tangent) && !self.plan.may_be_left;
        made && ends && self.described_in(global).contains(&pointer.offset)
    }

    /// Whether there are descriptors in a global whose shadow some derivative makes.
    pub fn holds_arrays(&self, name: &str) -> bool {
        let made = self.plan.globals.get(name).is_some_and(|decision| {
            !matches!(decision.choice, GlobalShadow::Declared(_))
        });
        let global = self.program.global(name).filter(|global| made && !global.constant);
        global.is_some_and(|global| !self.described_in(global).is_empty())
    }

    /// Where in a global descriptors begin; nowhere where there are more than anybody looks through.
    fn described_in(&self, global: &Global) -> Vec<u64> {
        let layout = Layout::parse(&self.program.layout);
        let (mut waiting, mut found) = (vec![(&global.ty, 0)], Vec::new());
        while let Some((ty, at)) = waiting.pop() {
            let parts: Vec<&Type> = match ty {
                Type::Array(count, element) if element.holds_pointer() => vec![&**element; *count as usize],
                Type::Struct { .. } if is_descriptor(&ty.to_string()) => {
                    found.push(at);
                    continue;
                }
                Type::Struct { fields, .. } => fields.iter().collect(),
                _ => continue,
            };
            let places = (0..).zip(parts).filter_map(|(index, part)| Some((part, layout.field_offset(ty, index)?)));
            waiting.extend(places.map(|(part, place)| (part, at + place)));
        }
        if found.len() > 1024 { Vec::new() } else { found }
    }
}

fn is_descriptor(ty: &str) -> bool {
    let Some(mut rest) = ty.strip_prefix(HEAD).and_then(|rest| rest.strip_suffix('}')) else { return false };
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((count, behind)) = rest.strip_prefix(", [").and_then(|rest| rest.split_once(DIMENSIONS))
        && is_count(count)
    {
        rest = behind;
    }
    let lengths = rest.strip_prefix(ADDENDUM).and_then(|rest| rest.strip_suffix(" x i64]"));
    rest.is_empty() || lengths.is_some_and(is_count)
}
