//! Names and strings: bare where that reads back as one word, else quoted with escapes.

use std::fmt::{self, Display, Formatter, Write};

/// A string between double quotes.
pub struct Quoted<'a>(pub &'a str);

/// A word, quoted only where it needs to be.
pub struct Bare<'a>(pub &'a str);

/// The name of a global or function after its `@`.
pub struct Symbol<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_quoted(f, self.0, '"')
    }
}

impl Display for Bare<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.starts_with(starts_word) && self.0.chars().all(continues_word) {
            return f.write_str(self.0);
        }
        // Attributes such as "target-cpu"="x" bring quotes of their own.
        write_quoted(f, self.0, if self.0.contains('"') { '\'' } else { '"' })
    }
}

impl Display for Symbol<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('@')?;
        let bare = !self.0.is_empty() && self.0.chars().all(continues_word);
        if bare { f.write_str(self.0) } else { write_quoted(f, self.0, '"') }
    }
}

pub fn starts_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

pub fn continues_word(c: char) -> bool {
    starts_word(c) || c.is_ascii_digit() || c == '.'
}

fn write_quoted(f: &mut Formatter<'_>, text: &str, quote: char) -> fmt::Result {
    f.write_char(quote)?;
    for c in text.chars() {
        match c {
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            c if c == quote => write!(f, "\\{c}")?,
            c if c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric() => f.write_char(c)?,
            c => write!(f, "\\u{{{:x}}}", u32::from(c))?,
        }
    }
    f.write_char(quote)
}
