//! Puts a probe before every use of a number in the functions of a module, so that a running program can tell where two
//! derivatives part.
//!
//! Textual IR → the same with calls of `backsweep_driver_probe`, which gives back what it is given, and the [`Site`] of each.
//! `locate.h` has the other side: what the probe adds to tangents, and what adjoints it sees. Functions with derivatives of the
//! user's own are left as they are, with all that they call, since one derivative runs them and the other does not.

use std::collections::{BTreeMap, BTreeSet};

use crate::debug_info::DebugInfo;
use crate::ir_text::{leading_number, read_definitions, split_outside, symbols_in};
use crate::signature::name_in_source;

/// Where a probe stands, and what uses the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub file: String,
    pub line: u32,
    pub user: User,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum User {
    /// A call, by the name of the callee.
    Call(String),
    /// What the number goes on from through memory, or out of the function.
    Store,
    Return,
    Arithmetic,
}

/// Marks sites of calls that are given pointers, so that the program can tell which came next.
pub const POINTER_CALL: usize = 1 << 30;

const DECLARATIONS: &str = "
declare double @backsweep_driver_probe(double, i32)
declare { i64, double } @backsweep_driver_probe_kept(double, i32)
declare double @backsweep_driver_probe_back(double, i32, double, i64)
declare { double, double } @backsweep_driver_probe_along(double, double, i32)
declare void @backsweep_driver_tick(i32) nounwind willreturn memory(inaccessiblemem: readwrite)
@__backsweep_rule_reverse_driver_probe = global [3 x ptr] [ptr @backsweep_driver_probe, ptr @backsweep_driver_probe_kept, ptr @backsweep_driver_probe_back]
@__backsweep_rule_forward_driver_probe = global [2 x ptr] [ptr @backsweep_driver_probe, ptr @backsweep_driver_probe_along]
@__backsweep_inactive_driver_tick = global ptr @backsweep_driver_tick
";

const ARITHMETIC: [&str; 8] = ["fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fpext", "fptrunc"];

pub fn add_probes(text: &str) -> (String, Vec<Site>) {
    let spared = find_spared(text);
    let mut probes = Probes { info: DebugInfo::read(text), out: String::new(), sites: Vec::new() };
    let mut inside = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("define ") {
            let symbol = read_definitions(line).pop().map(|definition| definition.symbol);
            inside = symbol.is_some_and(|symbol| !spared.contains(&symbol));
        }
        inside &= line != "}";
        // The end of an invoke, with its place, is on a line of its own.
        let place = if line.contains(" invoke ") || line.trim_start().starts_with("invoke ") {
            lines.peek().copied().unwrap_or_default()
        } else {
            line
        };
        let written = if inside && line.starts_with("  ") { probes.write(line, place) } else { None };
        probes.out += written.as_deref().unwrap_or(line);
        probes.out.push('\n');
    }
    name_callees(&mut probes.sites, text, &probes.info);
    (probes.out + DECLARATIONS, probes.sites)
}

/// Called functions by the names that the user has for them, where their bodies tell.
fn name_callees(sites: &mut [Site], text: &str, info: &DebugInfo) {
    let definitions = read_definitions(text);
    for site in sites {
        if let User::Call(callee) = &mut site.user
            && let Some(name) = name_in_source(&definitions, info, callee)
        {
            *callee = name;
        }
    }
}

/// The functions that rules of the user's own name, and what those call. The driver's own are spared too.
fn find_spared(text: &str) -> BTreeSet<String> {
    let mut bodies: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut waiting, mut current) = (Vec::new(), None);
    for line in text.lines() {
        let rule =
            ["@__backsweep_rule_", "@__enzyme_register_"].iter().any(|prefix| line.starts_with(prefix));
        if line.starts_with("define ") {
            current = read_definitions(line).pop().map(|definition| definition.symbol);
        } else if line == "}" {
            current = None;
        } else if rule {
            let value = line.split_once(" = ").map_or("", |(_, value)| value);
            waiting.extend(symbols_in(value).map(str::to_string));
        } else if let Some(function) = &current {
            bodies.entry(function.clone()).or_default().extend(symbols_in(line).map(str::to_string));
        }
    }
    waiting.extend(bodies.keys().filter(|name| name.starts_with("backsweep_driver_")).cloned());
    let mut spared = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let own = name.starts_with("backsweep_driver_");
        if spared.insert(name.clone()) && !own {
            waiting.extend(bodies.get(&name).into_iter().flatten().cloned());
        }
    }
    spared
}

struct Probes {
    info: DebugInfo,
    out: String,
    sites: Vec<Site>,
}

impl Probes {
    /// The instruction with its operands replaced; the probes go before it. `None` where there is nothing to probe.
    fn write(&mut self, line: &str, place: &str) -> Option<String> {
        let (file, number) = self.info.location(place.split("!dbg !").nth(1).and_then(leading_number)?)?;
        let (result, body) = match line.trim_start().split_once(" = ") {
            Some((result, body)) if result.starts_with('%') => (format!("{result} = "), body),
            _ => (String::new(), line.trim_start()),
        };
        let site = |user: User| Site { file: file.clone(), line: number, user };
        let opcode = body.split(' ').next()?;
        let call =
            ["call ", "tail call ", "notail call ", "invoke "].iter().any(|word| body.starts_with(word));
        let written = match opcode {
            _ if call => self.write_call(body, &site)?,
            "store" => self.write_operands(body, &site(User::Store), 1)?,
            "ret" => self.write_operands(body, &site(User::Return), 1)?,
            _ if ARITHMETIC.contains(&opcode) => self.write_operands(body, &site(User::Arithmetic), 2)?,
            _ => return None,
        };
        Some(format!("  {result}{written}"))
    }

    /// `WORD… TYPE A, B, …`: the first operands behind the type.
    fn write_operands(&mut self, body: &str, site: &Site, most: usize) -> Option<String> {
        let (start, ty) =
            ["double ", "float "].iter().find_map(|ty| Some((body.find(&format!(" {ty}"))?, *ty)))?;
        let (head, rest) = body.split_at(start + 1 + ty.len());
        let mut parts: Vec<String> = rest.split(", ").map(str::to_string).collect();
        for part in parts.iter_mut().take(most).filter(|part| part.starts_with('%')) {
            let (name, behind) = part.split_once(' ').map_or((part.as_str(), None), |(a, b)| (a, Some(b)));
            let probe = self.probe(name, ty.trim_end(), site);
            *part = behind.map_or(probe.clone(), |behind| format!("{probe} {behind}"));
        }
        Some(format!("{head}{}", parts.join(", ")))
    }

    fn write_call(&mut self, body: &str, site: &dyn Fn(User) -> Site) -> Option<String> {
        let at = body.find('@')?;
        let callee = symbols_in(&body[at..]).next()?.to_string();
        let left_alone = ["llvm.dbg", "llvm.lifetime", "__backsweep", "__enzyme"];
        if left_alone.iter().any(|prefix| callee.starts_with(prefix)) {
            return None;
        }
        let open = at + body[at..].find('(')?;
        let close = open + find_close(&body[open..])?;
        let intrinsic = callee.starts_with("llvm.");
        let user = if intrinsic { User::Arithmetic } else { User::Call(callee) };
        let mut pointers = false;
        let arguments: Vec<String> = split_outside(&body[open + 1..close], |c| c == ',')
            .into_iter()
            .map(|argument| {
                let argument = argument.trim();
                pointers |= argument.starts_with("ptr ");
                let ty = ["double", "float"].into_iter().find(|ty| argument.starts_with(&format!("{ty} ")));
                match (ty, argument.rsplit_once(' ')) {
                    (Some(ty), Some((head, name))) if name.starts_with('%') => {
                        format!("{head} {}", self.probe(name, ty, &site(user.clone())))
                    }
                    _ => argument.to_string(),
                }
            })
            .collect();
        if pointers && !intrinsic {
            self.sites.push(site(user.clone()));
            let number = POINTER_CALL | (self.sites.len() - 1);
            self.out += &format!("  call void @backsweep_driver_tick(i32 {number})\n");
        }
        Some(format!("{}({}{}", &body[..open], arguments.join(", "), &body[close..]))
    }

    /// Writes a probe of a number, and returns what takes its place.
    fn probe(&mut self, name: &str, ty: &str, site: &Site) -> String {
        let number = self.sites.len();
        self.sites.push(site.clone());
        let probe = format!("%backsweep.probe.{number}");
        let call = |result: &str, x: &str| {
            format!("  {result} = call double @backsweep_driver_probe(double {x}, i32 {number})\n")
        };
        if ty == "double" {
            self.out += &call(&probe, name);
            return probe;
        }
        // Every float is a double, and comes back as it was.
        self.out += &format!("  {probe}.wide = fpext float {name} to double\n");
        self.out += &call(&format!("{probe}.same"), &format!("{probe}.wide"));
        self.out += &format!("  {probe} = fptrunc double {probe}.same to float\n");
        probe
    }
}

/// Where the bracket closes that the text begins with.
fn find_close(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"@__backsweep_rule_reverse_g = global [3 x ptr] [ptr @g, ptr @kept, ptr @back]
define double @f(double %x, ptr %p) !dbg !1 {
  %y = call double @g(double noundef %x), !dbg !3
  %z = fmul fast double %y, %y, !dbg !3
  store double %z, ptr %p, align 8, !dbg !3
  call void @h(ptr noundef %p), !dbg !3
  ret double 1.0, !dbg !3
}
define double @g(double %x) !dbg !4 {
  %y = call double @inner(double %x), !dbg !3
}
define double @inner(double %x) !dbg !5 {
  %y = fneg double %x, !dbg !3
}
!1 = distinct !DISubprogram(name: "f", file: !2)
!2 = !DIFile(filename: "a.c", directory: "/")
!3 = !DILocation(line: 7, column: 2, scope: !1)
!4 = distinct !DISubprogram(name: "g", file: !2)
!5 = distinct !DISubprogram(name: "inner", file: !2)
"#;

    #[test]
    fn every_use_has_a_probe() {
        let (text, sites) = add_probes(TEXT);
        let users: Vec<&User> = sites.iter().map(|site| &site.user).collect();
        let call = |name: &str| User::Call(name.into());
        let expected = [call("g"), User::Arithmetic, User::Arithmetic, User::Store, call("h")];
        assert_eq!(users, expected.iter().collect::<Vec<_>>());
        assert_eq!((sites[0].file.as_str(), sites[0].line), ("a.c", 7));
        assert!(
            text.contains("  %y = call double @g(double noundef %backsweep.probe.0), !dbg !3\n"),
            "{text}"
        );
        assert!(
            text.contains("  %z = fmul fast double %backsweep.probe.1, %backsweep.probe.2, !dbg !3\n"),
            "{text}"
        );
        assert!(text.contains("  store double %backsweep.probe.3, ptr %p, align 8, !dbg !3\n"), "{text}");
        let tick = format!(
            "  call void @backsweep_driver_tick(i32 {})\n  call void @h(ptr noundef %p)",
            POINTER_CALL | 4
        );
        assert!(text.contains(&tick), "{text}");
    }

    #[test]
    fn functions_with_rules_are_left_alone() {
        let (text, _) = add_probes(TEXT);
        assert!(
            text.contains("  %y = call double @inner(double %x), !dbg !3\n  }")
                || text.contains("@inner(double %x), !dbg !3\n}")
        );
        assert!(text.contains("  %y = fneg double %x, !dbg !3\n"), "{text}");
    }
}
