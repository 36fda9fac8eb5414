//! An explanation as one page of HTML that needs nothing else: the loop tree, and the source with what is said of each line.

use std::fmt::Write;

use super::annotated::{
    AnnotatedLine, LETTERS, annotate, crossings_of, describe_loop, describe_version, loops_in, name_loop,
};
use super::report::{Explained, Record};

const STYLE: &str = include_str!("page.css");

pub fn write_page(explained: &[Explained]) -> String {
    let names: Vec<&str> = explained.iter().map(|found| found.head.get("name")).collect();
    let title = escape(&format!("Derivative of {}", names.first().unwrap_or(&"")));
    let sections = explained.iter().enumerate();
    let sections: String = sections.map(|(at, explained)| Section { at, explained }.write()).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{sections}</body>\n</html>\n"
    )
}

/// One derivative function.
struct Section<'a> {
    at: usize,
    explained: &'a Explained,
}

impl Section<'_> {
    fn write(&self) -> String {
        let head = &self.explained.head;
        let (file, line) = head.place();
        let path = self.explained.shown_file(file);
        let version =
            describe_version(self.explained).map(|version| format!(", {version}")).unwrap_or_default();
        let mut mode = head.get("mode").to_string();
        mode[..1].make_ascii_uppercase();
        format!(
            "<section>\n<h1>{mode} of <code>{}</code></h1>\n<p class=\"soft\">{}:{line}{}</p>\n{}{}{}</section>\n",
            escape(head.get("name")),
            escape(path),
            escape(&version),
            self.write_tiles(),
            self.write_tree(),
            self.write_files()
        )
    }

    fn write_tiles(&self) -> String {
        let loops = &self.explained.loops;
        let free = loops.iter().filter(|of| of.number("bytes") == 0).count();
        let most = loops.iter().map(|of| of.number("bytes")).max().unwrap_or(0);
        let told: std::collections::BTreeSet<&str> =
            self.explained.obstacles.iter().map(|x| x.get("text")).collect();
        let tile =
            |number: String, words: &str| format!("<div class=\"tile\"><b>{number}</b>{words}</div>\n");
        format!(
            "<div class=\"tiles\">\n{}{}{}</div>\n",
            tile(format!("{free} of {}", loops.len()), "loops record nothing"),
            tile(format!("{most} bytes"), "recorded by the dearest iteration"),
            tile(told.len().to_string(), "things stand in the way")
        )
    }

    fn write_tree(&self) -> String {
        if self.explained.loops.is_empty() {
            return "<h2>No loops</h2>\n".into();
        }
        format!("<h2>Loops</h2>\n{}", self.write_loops("-"))
    }

    fn write_loops(&self, parent: &str) -> String {
        let items: String =
            loops_in(self.explained, parent).into_iter().map(|of| self.write_loop(of)).collect();
        if items.is_empty() { items } else { format!("<ul class=\"loops\">\n{items}</ul>\n") }
    }

    fn write_loop(&self, of: &Record) -> String {
        let badge = match of.number("bytes") {
            0 => "<span class=\"badge good\">no tape</span>".to_string(),
            bytes => format!("<span class=\"badge tape\">{bytes} bytes</span>"),
        };
        let crossings = crossings_of(self.explained, of);
        let told = match of.get("crosses") {
            "no" => {
                "<p class=\"soft\">no iteration's reverse needs what another one has made</p>\n".to_string()
            }
            _ if crossings.is_empty() => String::new(),
            _ => {
                let items: String = crossings.iter().map(|found| write_obstacle(found)).collect();
                format!("<details><summary>what iterations need of each other</summary>{items}</details>\n")
            }
        };
        let (file, line) = of.place();
        format!(
            "<li><a href=\"#{}\">{}</a> {badge} {}\n{told}{}</li>\n",
            self.anchor(file, line),
            escape(&name_loop(self.explained, of)),
            escape(&describe_loop(of)),
            self.write_loops(of.get("loop"))
        )
    }

    fn anchor(&self, file: usize, line: u32) -> String {
        format!("s{}-f{file}-l{line}", self.at)
    }

    fn write_files(&self) -> String {
        let letters: Vec<String> =
            LETTERS.iter().map(|(letter, _, words)| format!("{} {words}", mark(*letter))).collect();
        let mut text = format!("<h2>Source</h2>\n<p class=\"soft\">{}</p>\n", letters.join(" &ensp; "));
        let files = annotate(self.explained);
        let most = files.iter().flat_map(|file| &file.lines).map(AnnotatedLine::bytes).max().unwrap_or(0);
        for file in &files {
            let rows: String =
                file.lines.iter().map(|line| self.write_line(file.number, line, most)).collect();
            let _ = write!(text, "<h2><code>{}</code></h2>\n<table>\n{rows}</table>\n", escape(file.path));
        }
        text
    }

    fn write_line(&self, file: usize, line: &AnnotatedLine, most: u64) -> String {
        let marks: String = line.letters().chars().map(mark).collect();
        let (class, bytes) = match line.bytes() {
            0 => ("", String::new()),
            bytes => {
                let width = 4 * bytes / most.max(1);
                (" class=\"tape\"", format!("<span class=\"bar\" style=\"width:{width}em\"></span>{bytes} B"))
            }
        };
        let row = format!(
            "<tr id=\"{}\"{class}><td class=\"number\">{}</td><td class=\"marks\">{marks}</td><td class=\"bytes\">{bytes}</td>\
             <td class=\"source\">{}</td></tr>\n",
            self.anchor(file, line.number),
            line.number,
            escape(&line.source)
        );
        row + &write_said(line)
    }
}

/// What is said of a line, below it.
fn write_said(line: &AnnotatedLine) -> String {
    if line.notes.is_empty() && line.obstacles.is_empty() {
        return String::new();
    }
    let obstacles: String = line.obstacles.iter().map(|found| write_obstacle(found)).collect();
    let recorded = match line.recorded() {
        none if none.is_empty() => String::new(),
        recorded => format!("<p>records {}</p>", write_quoted(&recorded.join(", "))),
    };
    let mut notes: Vec<String> = Vec::new();
    for note in &line.notes {
        let text = format!(
            "<li>{}, column {}: <b>{}</b>, {}</li>",
            write_quoted(note.get("what")),
            note.get("column"),
            escape(&note.get("fate").replace('-', " ")),
            write_quoted(note.get("reason"))
        );
        if !notes.contains(&text) {
            notes.push(text);
        }
    }
    let all = match notes.is_empty() {
        true => String::new(),
        false => format!("<details><summary>every decision</summary><ul>{}</ul></details>", notes.concat()),
    };
    format!("<tr><td></td><td></td><td></td><td class=\"said\">{recorded}{obstacles}{all}</td></tr>\n")
}

fn write_obstacle(found: &Record) -> String {
    let remedy = match found.get("remedy") {
        "-" => String::new(),
        remedy => format!("<br><span class=\"remedy\">To change that: {}</span>", write_quoted(remedy)),
    };
    format!("<div class=\"obstacle\">{}{remedy}</div>", write_quoted(found.get("text")))
}

fn mark(letter: char) -> String {
    format!("<span class=\"mark {letter}\">{letter}</span>")
}

/// Backquotes as code.
fn write_quoted(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let write = |(at, part): (usize, &str)| match at % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.map(write).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_text_and_no_markup() {
        assert_eq!(escape("a<b && \"c\">d"), "a&lt;b &amp;&amp; &quot;c&quot;&gt;d");
        assert_eq!(write_quoted("read `x<y>` at"), "read <code>x&lt;y&gt;</code> at");
    }
}
