//! Arrays that globals lead to, and that get a shadow when the derivative begins: a descriptor stands in the global, the shadow
//! of the global is made here, and the derivative ends here.

use super::Proof;
use super::globals::{pointers_in, target_of};
use crate::model::{Global, Layout, Operand, Program, Type};
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
        let ends = matches!(self.plan.request.mode, Mode::Gradient | Mode::Tangent);
        let layout = Layout::parse(&self.program.layout);
        made && ends && described_in(global, &layout).contains(&pointer.offset)
    }

    /// Whether there are descriptors in a global whose shadow some derivative makes.
    pub fn holds_arrays(&self, name: &str) -> bool {
        let made = self
            .plan
            .globals
            .get(name)
            .is_some_and(|decision| !matches!(decision.choice, GlobalShadow::Declared(_)));
        let global = self.program.global(name).filter(|global| made && !global.constant);
        let layout = Layout::parse(&self.program.layout);
        global.is_some_and(|global| !described_in(global, &layout).is_empty())
    }
}

/// Where in a global descriptors begin; nowhere where there are more than anybody looks through.
fn described_in(global: &Global, layout: &Layout) -> Vec<u64> {
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
        let places =
            (0..).zip(parts).filter_map(|(index, part)| Some((part, layout.field_offset(ty, index)?)));
        waiting.extend(places.map(|(part, place)| (part, at + place)));
    }
    if found.len() > 1024 { Vec::new() } else { found }
}

pub fn holds_descriptor(program: &Program, global: &Global) -> bool {
    !described_in(global, &Layout::parse(&program.layout)).is_empty()
}

/// Whether an address is that of the pointer in a descriptor of a global that leads nowhere to begin with.
pub fn leads_to_elements(program: &Program, address: &Operand) -> bool {
    let Operand::Const(constant) = address else { return false };
    let Some((name, at)) = target_of(program, constant) else { return false };
    let layout = Layout::parse(&program.layout);
    let Some(global) = program.global(&name) else { return false };
    let at = at.cast_unsigned();
    described_in(global, &layout).contains(&at)
        && global.initial.as_ref().is_some_and(|initial| {
            let mut pointers = Vec::new();
            pointers_in(&global.ty, initial, 0, &layout, &mut pointers);
            !pointers.iter().any(|(place, to)| *place == at && target_of(program, to).is_some())
        })
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
