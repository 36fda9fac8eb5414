//! Rust source without its comments and without what stands in string and character literals.
//!
//! Lines are kept, so that a finding can name its line.

/// `text` with every character of a comment or literal replaced by a space.
pub fn blank_comments_and_literals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let blank = comment_length(rest).or_else(|| literal_length(rest, &out));
        let (part, tail) = rest.split_at(blank.unwrap_or(first.len_utf8()));
        match blank {
            Some(_) => out.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' })),
            None => out.push_str(part),
        }
        rest = tail;
    }
    out
}

fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    // Block comments nest in Rust.
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let tail = &text[at..];
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    Some(text.len())
}

fn literal_length(text: &str, before: &str) -> Option<usize> {
    let in_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if text.starts_with('"') {
        return Some(quoted_length(text, '"'));
    }
    if !in_name && let Some(length) = raw_length(text) {
        return Some(length);
    }
    // A character literal has a closing quote after one character or an escape; a lifetime has none.
    let inner = text.strip_prefix('\'')?;
    let mut chars = inner.chars();
    let is_char = match chars.next()? {
        '\\' => true,
        _ => chars.next() == Some('\''),
    };
    is_char.then(|| quoted_length(text, '\''))
}

/// The length of a literal that begins with `quote`, up to the same quote outside an escape.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return index + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// `r"…"`, `r#"…"#`, also with a leading `b` or `c`.
fn raw_length(text: &str) -> Option<usize> {
    let start = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let after = start.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&close).map_or(body.len(), |index| index + close.len());
    Some(text.len() - body.len() + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left, without the spaces that replace the rest.
    fn code(text: &str) -> String {
        blank_comments_and_literals(text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_go() {
        assert_eq!(code("a // b\nc /* d /* e */ f */ g"), "a c g");
        assert_eq!(code("//! only a comment"), "");
    }

    #[test]
    fn literals_go() {
        assert_eq!(code(r#"f("a // b", 'c', '"', '\'', "\"d")e"#), "f( , , , , )e");
        assert_eq!(code(r###"f(r#"a "b" "#, br"c\")d"###), "f( , )d");
    }

    #[test]
    fn lifetimes_and_names_stay() {
        assert_eq!(code("fn f<'a>(for_r: &'a str) {}"), "fn f<'a>(for_r: &'a str) {}");
        assert_eq!(code("attr\"x\""), "attr");
    }

    #[test]
    fn lines_are_kept() {
        assert_eq!(blank_comments_and_literals("/*\n\n*/a\n\"\n\"b").lines().count(), 5);
    }
}
