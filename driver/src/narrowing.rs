//! Where a function of `double` rounds to a narrower float on the way.
//!
//! Textual IR → the narrowest such place that can be reached from the function. Behind it derivatives have as many digits as the
//! narrow type, in every mode, and differences with small steps see nothing but stairs: `check` has to know. Whether an active
//! value is rounded there is not told. Safe error: a place that does not matter.

use std::collections::{BTreeMap, BTreeSet};

use crate::debug_info::DebugInfo;
use crate::ir_text::{leading_number, symbols_in};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Narrow {
    Half,
    Single,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowing {
    pub to: Narrow,
    /// As LLVM calls it.
    pub ty: &'static str,
    /// `FILE:LINE` where debug information tells, or the function's symbol.
    pub place: String,
}

/// The narrow types, the narrowest first.
const TYPES: [(Narrow, &str); 3] =
    [(Narrow::Half, "half"), (Narrow::Half, "bfloat"), (Narrow::Single, "float")];

pub fn find_narrowing(text: &str, symbol: &str) -> Option<Narrowing> {
    let bodies = Bodies::read(text);
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![symbol]);
    let mut found: Option<(Narrow, &str, &str, &str)> = None;
    while let Some(name) = waiting.pop() {
        if !seen.insert(name) {
            continue;
        }
        for line in bodies.lines_of(name) {
            if let Some((to, ty)) = narrowed_type(line)
                && found.is_none_or(|(least, ..)| to < least)
            {
                found = Some((to, ty, *line, name));
            }
            waiting.extend(symbols_in(line).filter(|name| bodies.0.contains_key(name)));
        }
    }
    let (to, ty, line, name) = found?;
    let place = place_of(line, text).unwrap_or_else(|| format!("`{name}`"));
    Some(Narrowing { to, ty, place })
}

/// The lines of each function, and the initial value of each global: tables of functions lead on as calls do.
struct Bodies<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Bodies<'a> {
    fn read(text: &'a str) -> Bodies<'a> {
        let mut bodies: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut current = None;
        for line in text.lines() {
            if line.starts_with("define ") {
                current = symbols_in(line).next();
            } else if line == "}" {
                current = None;
            } else if let Some(global) = symbols_in(line).next().filter(|_| line.starts_with('@')) {
                bodies.entry(global).or_default().push(line);
            } else if let Some(function) = current {
                bodies.entry(function).or_default().push(line);
            }
        }
        Bodies(bodies)
    }

    fn lines_of(&self, name: &str) -> &[&'a str] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// What an instruction rounds to, or what vector code of x86 calls for that. `fptrunc x86_fp80 %x to double` is none.
fn narrowed_type(line: &str) -> Option<(Narrow, &'static str)> {
    if line.contains("cvtpd2ps") || line.contains("cvtsd2ss") {
        return Some((Narrow::Single, "float"));
    }
    let (_, operands) = line.split_once(" = fptrunc ")?;
    let (_, result) = operands.split_once(" to ")?;
    let result = result.split([',', '>']).next()?.rsplit(' ').next()?;
    TYPES.into_iter().find(|&(_, ty)| ty == result)
}

fn place_of(line: &str, text: &str) -> Option<String> {
    let number = line.split("!dbg !").nth(1).and_then(leading_number)?;
    let (file, line) = DebugInfo::read(text).location(number)?;
    Some(format!("{file}:{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"@table = constant [1 x ptr] [ptr @g]
define double @f(double %x) !dbg !1 {
  %t = load ptr, ptr @table, align 8, !dbg !3
  %y = call double %t(double %x), !dbg !3
  ret double %y, !dbg !3
}
define double @g(double %x) !dbg !4 {
  %n = fptrunc double %x to float, !dbg !3
  %w = fpext float %n to double, !dbg !3
  ret double %w, !dbg !3
}
define double @wide(x86_fp80 %x) {
  %n = fptrunc x86_fp80 %x to double, !dbg !3
  %w = fpext float 1.0 to double
  ret double %n
}
define float @packed(<2 x double> %x) {
  %n = call <4 x float> @llvm.x86.sse2.cvtpd2ps(<2 x double> %x)
  ret float 1.0
}
define double @both(<2 x double> %x) {
  %n = fptrunc <2 x double> %x to <2 x float>
  %w = fptrunc contract <2 x double> %x to <2 x bfloat>
  ret double 1.0
}
!1 = distinct !DISubprogram(name: "f", file: !2)
!2 = !DIFile(filename: "a.c", directory: "/")
!3 = !DILocation(line: 7, column: 2, scope: !1)
!4 = distinct !DISubprogram(name: "g", file: !2)
"#;

    #[test]
    fn what_can_be_reached_counts() {
        let single = |place: &str| Some(Narrowing { to: Narrow::Single, ty: "float", place: place.into() });
        assert_eq!(find_narrowing(TEXT, "f"), single("a.c:7"));
        assert_eq!(find_narrowing(TEXT, "packed"), single("`packed`"));
    }

    #[test]
    fn the_narrowest_is_told() {
        let found = find_narrowing(TEXT, "both").map(|narrowing| (narrowing.to, narrowing.ty));
        assert_eq!(found, Some((Narrow::Half, "bfloat")));
    }

    #[test]
    fn rounding_to_double_is_none() {
        assert_eq!(find_narrowing(TEXT, "wide"), None);
    }
}
