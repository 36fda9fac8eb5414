//! Globals as memory: where constant addresses lead, which globals hold pointers to which, and which can have a shadow.
//!
//! Program → [`Globals`]. A global's shadow belongs to one call of the derivative: it starts at zero, since what the
//! global holds on entry is a constant to the function, and what is left in it at the end is the derivative with
//! respect to that constant, which nobody asked for. A shadow that the user declared is theirs, like that of an argument.
//!
//! Knows what initial values say, not what was stored since: the contents of a global that is not `constant` are looked
//! at when the derivative runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Constant, Global, GlobalDerivative, Inst, Layout, Program, Stands, Type};

pub struct Globals<'a> {
    program: &'a Program,
    by_name: BTreeMap<&'a str, &'a Global>,
    layout: Layout,
}

/// A place in a global that holds a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerCell {
    /// Bytes from the start of the global.
    pub offset: u64,
    /// The data that the initial value leads to: a global, and the bytes from its start.
    pub leads_to: Option<(String, i64)>,
}

/// A global with more pointers in it than this is not looked through.
const MOST_POINTERS: usize = 1024;

/// Aliases of aliases; a circle of them is no program.
const MOST_ALIASES: usize = 16;

impl<'a> Globals<'a> {
    pub fn of(program: &'a Program) -> Globals<'a> {
        let by_name = program.globals.iter().map(|global| (global.name.as_str(), global)).collect();
        Globals { program, by_name, layout: Layout::parse(&program.layout) }
    }

    pub fn get(&self, name: &str) -> Option<&'a Global> {
        self.by_name.get(name).copied()
    }

    /// The name of the global (or function) that a constant address leads into, and the bytes from its start.
    pub fn resolve(&self, address: &Constant) -> Option<(String, i64)> {
        let (mut address, mut offset) = (address.clone(), 0i64);
        for _ in 0..MOST_ALIASES {
            match address {
                Constant::Offset { base, bytes } => {
                    offset = offset.checked_add(bytes)?;
                    address = *base;
                }
                Constant::Symbol { name, .. } => {
                    let Some(alias) = self.program.alias(&name) else { return Some((name, offset)) };
                    if alias.stands != Stands::ForAddress {
                        return None;
                    }
                    address = alias.to.clone();
                }
                _ => return None,
            }
        }
        None
    }

    /// The pointers in a global; `None` where there are too many, or its type does not tell.
    pub fn pointer_cells(&self, global: &Global) -> Option<Vec<PointerCell>> {
        let mut cells = Vec::new();
        self.find_pointers(&global.ty, global.initial.as_ref(), 0, &mut cells)?;
        Some(cells)
    }

    fn find_pointers(
        &self,
        ty: &Type,
        initial: Option<&Constant>,
        offset: u64,
        cells: &mut Vec<PointerCell>,
    ) -> Option<()> {
        if !ty.holds_pointer() {
            return Some(());
        }
        if cells.len() >= MOST_POINTERS {
            return None;
        }
        if ty.is_pointer() {
            let leads_to = initial.and_then(|initial| self.resolve(initial));
            let leads_to = leads_to.filter(|(name, _)| self.get(name).is_some());
            cells.push(PointerCell { offset, leads_to });
            return Some(());
        }
        let count = match ty {
            Type::Array(count, _) => *count,
            Type::Vector(lanes, _) => u64::from(lanes.count),
            _ => ty.parts()?.len() as u64,
        };
        if count > MOST_POINTERS as u64 {
            return None;
        }
        for index in 0..count {
            let part_type = match ty {
                Type::Array(_, element) | Type::Vector(_, element) => element,
                _ => *ty.parts()?.get(index as usize)?,
            };
            let part = match initial {
                Some(Constant::Aggregate { parts, .. }) => parts.get(index as usize),
                _ => None,
            };
            self.find_pointers(part_type, part, offset + self.layout.field_offset(ty, index)?, cells)?;
        }
        Some(())
    }

    /// The data globals whose addresses stand in a global's initial value.
    pub fn contents(&self, global: &Global) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut collect = |part: &Constant| {
            if let Constant::Symbol { .. } = part
                && let Some((name, _)) = self.resolve(part)
                && self.get(&name).is_some()
            {
                found.insert(name);
            }
        };
        if let Some(initial) = &global.initial {
            initial.walk(&mut collect);
        }
        found
    }

    /// Whether a global's initial value holds a pointer that cannot be followed.
    pub fn holds_unknown(&self, global: &Global) -> bool {
        let mut unknown = global.initial.is_none();
        if let Some(initial) = &global.initial {
            initial.walk(&mut |part| {
                let address = matches!(part, Constant::Symbol { .. } | Constant::Offset { .. });
                unknown |= match part {
                    Constant::Expr { .. } => true,
                    Constant::Opaque { ty, .. } => ty.holds_pointer(),
                    _ => address && self.resolve(part).is_none(),
                };
            });
        }
        unknown
    }

    /// Those, and what can be reached through them in turn.
    pub fn reachable(&self, name: &str) -> BTreeSet<String> {
        let (mut reached, mut waiting) = (BTreeSet::new(), vec![name.to_owned()]);
        while let Some(global) = waiting.pop().and_then(|name| self.get(&name)) {
            waiting.extend(self.contents(global).into_iter().filter(|name| reached.insert(name.clone())));
        }
        reached
    }

    /// The constants from which no float can be reached, as texts and tables of functions. Of what is defined elsewhere it is
    /// known of what C++ compilers lay out by themselves.
    pub fn without_floats(&self) -> BTreeSet<String> {
        let bare = |name: &String| {
            is_of_type_information(name)
                || self.get(name).is_some_and(|global| {
                    let known = global.initial.is_some() && !self.holds_unknown(global);
                    global.constant && !global.ty.holds_float() && (known || name.starts_with("_ZT"))
                })
        };
        let names = self.program.globals.iter().map(|global| global.name.clone()).filter(bare);
        names.filter(|name| self.reachable(name).iter().all(bare)).collect()
    }

    /// Whether a global is its own shadow: a table of C++'s from which only such tables, names of types and code can be reached. Nobody reads a number there
    /// or writes one, and wherever its address is found, in whichever derivative, so is its shadow.
    pub fn stands_for_itself(&self, name: &str) -> bool {
        let bare = |name: &str| {
            let fixed = |global: &Global| {
                global.constant && !global.ty.holds_float() && global.derivative == GlobalDerivative::Made
            };
            let is_laid_out = is_table_of_class(name) || name.starts_with("_ZTS");
            is_of_type_information(name) || is_laid_out && self.get(name).is_some_and(fixed)
        };
        bare(name) && self.reachable(name).iter().all(|name| bare(name))
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Bytes of a global, where they are known here.
    pub fn bytes(&self, global: &Global) -> Option<u64> {
        self.layout.size_of(&global.ty).filter(|bytes| *bytes > 0)
    }

    /// Why a global that active values are stored into can have no shadow; `None` where it can.
    pub fn refuse_shadow(&self, name: &str, width: u32) -> Option<String> {
        let Some(global) = self.get(name) else {
            return Some("it is no variable".into());
        };
        match &global.derivative {
            GlobalDerivative::Nothing => Some("it was declared inactive".into()),
            GlobalDerivative::Declared(shadow) => self.refuse_declared(global, shadow, width),
            GlobalDerivative::Made if global.space != 0 => {
                Some("it lies in an address space of its own".into())
            }
            GlobalDerivative::Made => {
                self.bytes(global).is_none().then(|| "its size is not known in this file".into())
            }
        }
    }

    fn refuse_declared(&self, global: &Global, shadow: &str, width: u32) -> Option<String> {
        let wanted = self.bytes(global).and_then(|bytes| bytes.checked_mul(u64::from(width)));
        let given = self.get(shadow).and_then(|shadow| self.bytes(shadow));
        (wanted.is_none() || given < wanted).then(|| {
            let copies = if width == 1 { String::new() } else { format!(" {width} times") };
            format!("its declared shadow `{shadow}` is not as large as it is{copies}")
        })
    }
}

/// The address of a thread's own copy of a global: the same memory as its operand, as far as derivatives go.
pub fn is_thread_address(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(|name| name.starts_with("llvm.threadlocal.address"))
}

/// The tables behind what the C++ runtime says of types. It is never written to, though compilers declare it as if it were, and leads to
/// nothing but code.
pub fn is_of_type_information(name: &str) -> bool {
    name.starts_with("_ZTVN10__cxxabiv1")
}

/// What C++ compilers lay out for calls of virtual functions and for types, and read in the code they make for these. Nobody copies it.
pub fn is_table_of_class(name: &str) -> bool {
    ["_ZTV", "_ZTI", "_ZTT", "_ZTC"].iter().any(|start| name.starts_with(start))
}
