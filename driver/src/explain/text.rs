//! An explanation as text for a terminal.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::annotated::{
    AnnotatedLine, LETTERS, annotate, crossings_of, describe_loop, describe_version, loops_in, name_loop,
};
use super::report::Explained;

pub fn write_text(explained: &[Explained]) -> String {
    let mut text = String::new();
    for (at, found) in explained.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        match found.head.get("version") {
            "overlapping" => text += &sum_up(found),
            _ => text += &write_function(found),
        }
    }
    text
}

fn write_heading(explained: &Explained) -> String {
    let (file, line) = explained.head.place();
    let file = explained.shown_file(file);
    let place = if line > 0 { format!(" ({file}:{line})") } else { String::new() };
    let version = describe_version(explained).map(|version| format!(", {version}")).unwrap_or_default();
    format!("{} of {}{place}{version}\n", explained.head.get("mode"), explained.head.get("name"))
}

/// The version that hardly ever runs.
fn sum_up(explained: &Explained) -> String {
    let mut text = write_heading(explained);
    for of in explained.loops.iter().filter(|of| of.number("bytes") > 0) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}: {}", name_loop(explained, of), describe_loop(of));
    }
    text
}

fn write_function(explained: &Explained) -> String {
    let mut text = write_heading(explained);
    if explained.loops.is_empty() {
        text += "\nno loops\n";
    } else {
        text += "\nloops\n";
        write_loops(explained, "-", 1, &mut text);
    }
    let letters: Vec<String> = LETTERS.iter().map(|(letter, _, words)| format!("{letter} {words}")).collect();
    let _ = writeln!(text, "\nlines ({}; bytes are what goes on the tape each time)", letters.join(", "));
    let (files, mut told) = (annotate(explained), BTreeSet::new());
    for (at, file) in files.iter().enumerate() {
        if at > 0 {
            let _ = writeln!(text, "  in {}", file.path);
        }
        let mut before = None;
        for line in &file.lines {
            if before.is_some_and(|before| before + 1 < line.number) {
                text += "     …\n";
            }
            before = Some(line.number);
            write_line(line, &mut told, &mut text);
        }
    }
    text
}

fn write_loops(explained: &Explained, parent: &str, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for of in loops_in(explained, parent) {
        let _ = writeln!(text, "{indent}{}: {}", name_loop(explained, of), describe_loop(of));
        match of.get("crosses") {
            "no" => {
                let _ = writeln!(text, "{indent}  no iteration's reverse needs what another one has made");
            }
            _ => {
                for found in crossings_of(explained, of) {
                    let _ = writeln!(text, "{indent}  ! {}", found.get("text"));
                }
            }
        }
        write_loops(explained, of.get("loop"), depth + 1, text);
    }
}

/// Advice is given once, where it is first of use.
fn write_line<'a>(line: &AnnotatedLine<'a>, told: &mut BTreeSet<&'a str>, text: &mut String) {
    let bytes = match line.bytes() {
        0 => String::new(),
        bytes => bytes.to_string(),
    };
    let row = format!("{:>6}  {:<4} {bytes:>5}  {}", line.number, line.letters(), line.source);
    let _ = writeln!(text, "{}", row.trim_end());
    let indent = " ".repeat(21);
    if !line.recorded().is_empty() {
        let _ = writeln!(text, "{indent}records {}", line.recorded().join(", "));
    }
    for found in &line.obstacles {
        let _ = writeln!(text, "{indent}! {}", found.get("text"));
        if found.get("remedy") != "-" && told.insert(found.get("remedy")) {
            let _ = writeln!(text, "{indent}  to change that: {}", found.get("remedy"));
        }
    }
}
