//! The function definitions in LLVM's textual IR.
//!
//! The driver reads text rather than linking libLLVM: LLVM's C interface does not tell which parameter a debug
//! variable describes, and the text does. Input is always what a tool of LLVM 22 printed, never handwritten.

/// A `define` line, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Without the `@` and without quotes.
    pub symbol: String,
    pub ret: String,
    pub params: Vec<IrParam>,
    pub variadic: bool,
    /// The number of the attached `DISubprogram`.
    pub debug: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrParam {
    pub ty: String,
    /// Attributes between the type and the name, such as `noalias` and `byval(%struct.s)`.
    pub attributes: Vec<String>,
    /// Without the `%`; a number where the IR gives none.
    pub name: String,
}

pub fn read_definitions(text: &str) -> Vec<Definition> {
    text.lines().filter(|line| line.starts_with("define ")).filter_map(read_definition).collect()
}

fn read_definition(line: &str) -> Option<Definition> {
    let at = find_outside(line, '@')?;
    let (symbol, rest) = read_symbol(&line[at + 1..])?;
    let ret = split_outside(line[..at].trim(), char::is_whitespace).last()?.to_string();
    let rest = rest.strip_prefix('(')?;
    let close = find_outside(rest, ')')?;
    let (mut params, mut variadic) = (Vec::new(), false);
    for text in split_outside(&rest[..close], |c| c == ',') {
        match text.trim() {
            "..." => variadic = true,
            text => params.push(read_param(text, params.len())?),
        }
    }
    let debug = rest[close..].split("!dbg !").nth(1).and_then(leading_number);
    Some(Definition { symbol, ret, params, variadic, debug })
}

fn read_param(text: &str, index: usize) -> Option<IrParam> {
    let mut words = split_outside(text, char::is_whitespace);
    let ty = words.first()?.to_string();
    words.remove(0);
    let name = match words.last().and_then(|word| word.strip_prefix('%')) {
        Some(name) => {
            words.pop();
            name.trim_matches('"').to_string()
        }
        None => index.to_string(),
    };
    Some(IrParam { ty, attributes: words.iter().map(|word| word.to_string()).collect(), name })
}

/// A name after `@` and what follows it.
fn read_symbol(text: &str) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (name, rest) = quoted.split_once('"')?;
        return Some((name.to_string(), rest));
    }
    let end = text.find(|c: char| !is_name_char(c)).unwrap_or(text.len());
    Some((text[..end].to_string(), &text[end..]))
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-')
}

/// What stands behind each `@`, without quotes.
pub fn symbols_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('@').skip(1).map(|part| match part.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => part.split(|c| !is_name_char(c)).next().unwrap_or_default(),
    })
}

pub fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The first `wanted` that stands outside quotes and brackets. A closing bracket that was not opened is outside.
fn find_outside(text: &str, wanted: char) -> Option<usize> {
    let mut nesting = Nesting::default();
    text.char_indices().find(|&(_, c)| nesting.is_outside(c) && c == wanted).map(|(index, _)| index)
}

/// The non-empty parts between separators that stand outside quotes and brackets.
pub fn split_outside(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut nesting = Nesting::default();
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, c) in text.char_indices() {
        if nesting.is_outside(c) && is_separator(c) {
            parts.push(&text[start..index]);
            start = index + c.len_utf8();
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[derive(Default)]
struct Nesting {
    depth: u32,
    quoted: bool,
}

impl Nesting {
    /// Steps over one character and tells whether it stands at the top level.
    fn is_outside(&mut self, c: char) -> bool {
        if c == '"' {
            self.quoted = !self.quoted;
            return false;
        }
        if self.quoted {
            return false;
        }
        match c {
            '(' | '[' | '{' | '<' => self.depth += 1,
            // At depth 0 the bracket closes something opened before the text began.
            ')' | ']' | '}' | '>' if self.depth > 0 => {
                self.depth -= 1;
                return false;
            }
            _ => {}
        }
        self.depth == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_definition() {
        let text = "define dso_local double @f(double noundef %x, ptr noundef %y.addr) #0 !dbg !13 {\n";
        let [f] = &read_definitions(text)[..] else { panic!("one definition expected") };
        assert_eq!((f.symbol.as_str(), f.ret.as_str(), f.debug), ("f", "double", Some(13)));
        assert_eq!(
            f.params[0],
            IrParam { ty: "double".into(), attributes: vec!["noundef".into()], name: "x".into() }
        );
        assert_eq!(f.params[1].name, "y.addr");
    }

    #[test]
    fn aggregates_attributes_and_quotes() {
        let text = "define internal noundef { double, i64 } @\"a$b c\"(ptr byval({ i32, float }) align 8 %0, i32, ...) {";
        let [f] = &read_definitions(text)[..] else { panic!("one definition expected") };
        assert_eq!((f.symbol.as_str(), f.ret.as_str(), f.debug), ("a$b c", "{ double, i64 }", None));
        assert_eq!(f.params[0].attributes, ["byval({ i32, float })", "align", "8"]);
        assert_eq!(f.params[1], IrParam { ty: "i32".into(), attributes: vec![], name: "1".into() });
        assert!(f.variadic);
    }

    #[test]
    fn no_parameters_and_no_definitions() {
        assert!(read_definitions("define void @f() {").first().is_some_and(|f| f.params.is_empty()));
        assert!(read_definitions("declare void @f()\n; define void @g() {").is_empty());
    }
}
