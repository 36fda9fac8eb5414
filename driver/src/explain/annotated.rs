//! The lines of a source, each with what a report says of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::report::{Explained, Record};

/// One file of which there is something to say.
pub struct AnnotatedFile<'a> {
    pub number: usize,
    pub path: &'a str,
    pub lines: Vec<AnnotatedLine<'a>>,
}

#[derive(Default)]
pub struct AnnotatedLine<'a> {
    pub number: u32,
    /// Empty where the file cannot be read.
    pub source: String,
    pub notes: Vec<&'a Record>,
    /// What stands in the way at this line, each thing once.
    pub obstacles: Vec<&'a Record>,
}

impl AnnotatedLine<'_> {
    pub fn has(&self, fate: &str) -> bool {
        self.notes.iter().any(|note| note.get("fate") == fate)
    }

    /// What goes on the tape each time the line runs.
    pub fn bytes(&self) -> u64 {
        self.notes.iter().map(|note| note.number("bytes")).sum()
    }

    /// What goes on the tape, with its bytes, in the order of the line.
    pub fn recorded(&self) -> Vec<String> {
        let recorded = self.notes.iter().filter(|note| note.number("bytes") > 0);
        recorded.map(|note| format!("{} ({})", note.get("what"), note.number("bytes"))).collect()
    }

    /// A letter for each thing that happens here: see `LETTERS`.
    pub fn letters(&self) -> String {
        LETTERS.iter().filter(|(_, fate, _)| self.has(fate)).map(|(letter, _, _)| *letter).collect()
    }
}

/// The letters of the text, what they stand for, and that in words.
pub const LETTERS: [(char, &str, &str); 7] = [
    ('a', "active", "active"),
    ('k', "kept", "kept for the reverse sweep"),
    ('c', "recomputed", "computed or read again"),
    ('r', "restored", "saved and put back"),
    ('o', "left-out", "left out of the forward sweep"),
    ('d', "called", "a derivative of its own is called"),
    ('j', "preaccumulated", "differentiated by a local Jacobian"),
];

/// The function's own file in full from its first line to its last, of other files the lines that are spoken of.
pub fn annotate(explained: &Explained) -> Vec<AnnotatedFile<'_>> {
    let mut places: BTreeMap<(usize, u32), AnnotatedLine> = BTreeMap::new();
    let known = |record: &Record| Some(record.place()).filter(|(_, line)| *line > 0);
    for note in &explained.notes {
        if let Some(place) = known(note) {
            places.entry(place).or_default().notes.push(note);
        }
    }
    for obstacle in explained.obstacles.iter().filter(|found| found.get("kind") != "crossing") {
        if let Some(place) = known(obstacle) {
            let line = places.entry(place).or_default();
            if line.obstacles.iter().all(|told| told.get("text") != obstacle.get("text")) {
                line.obstacles.push(obstacle);
            }
        }
    }
    let (own, start) = explained.head.place();
    if start > 0 {
        let of_own = places.keys().filter(|(file, line)| *file == own && *line >= start);
        let last = of_own.map(|(_, line)| *line).max().unwrap_or(start);
        for line in start..=last {
            places.entry((own, line)).or_default();
        }
    }
    let mut files: Vec<AnnotatedFile> = Vec::new();
    // The function's own file first.
    let order = |(file, line): &(usize, u32)| (*file != own, *file, *line);
    let mut found: Vec<_> = places.into_iter().collect();
    found.sort_by_key(|(place, _)| order(place));
    let mut sources: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut current = usize::MAX;
    for ((file, number), line) in found {
        let read = || explained.files.get(file).map(|found| read_lines(&found.path)).unwrap_or_default();
        let source = sources.entry(file).or_insert_with(read);
        let source = source.get(number as usize - 1).cloned().unwrap_or_default();
        if file != current {
            files.push(AnnotatedFile { number: file, path: explained.shown_file(file), lines: Vec::new() });
            current = file;
        }
        if let Some(open) = files.last_mut() {
            open.lines.push(AnnotatedLine { number, source, ..line });
        }
    }
    files
}

fn read_lines(path: &Path) -> Vec<String> {
    let text = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().map(|line| line.replace('\t', "    ")).collect()
}

/// The loops directly inside another, or in none.
pub fn loops_in<'a>(explained: &'a Explained, parent: &str) -> Vec<&'a Record> {
    explained.loops.iter().filter(|of| of.get("parent") == parent).collect()
}

/// What iterations of a loop need of each other, each thing once.
pub fn crossings_of<'a>(explained: &'a Explained, of: &Record) -> Vec<&'a Record> {
    let own = explained.obstacles.iter();
    let own = own.filter(|found| found.get("kind") == "crossing" && found.get("loop") == of.get("loop"));
    let mut found: Vec<&Record> = Vec::new();
    for record in own {
        if found.iter().all(|known| known.get("text") != record.get("text")) {
            found.push(record);
        }
    }
    found
}

/// `lines 5 to 8`, with the file where it is not the function's own. Where functions from further up are inlined, the loop's
/// own line has to do.
pub fn name_loop(explained: &Explained, of: &Record) -> String {
    let (line, first, last) = (of.number("line"), of.number("first"), of.number("last"));
    let lines = match first == line && first != last {
        true => format!("lines {first} to {last}"),
        false => format!("line {line}"),
    };
    match of.place().0 {
        file if file != explained.head.place().0 => format!("{lines} of {}", explained.shown_file(file)),
        _ => lines,
    }
}

/// How a loop is reversed and what an iteration records, in a sentence.
pub fn describe_loop(of: &Record) -> String {
    let retrace = match of.get("retrace") {
        "counted" => "passes are counted",
        "recorded" => "the way into each iteration is recorded",
        _ => return "nothing in it is reversed".into(),
    };
    let records = match (of.get("records"), of.number("bytes")) {
        (_, 0) => "nothing is recorded".to_string(),
        ("array", bytes) => format!("an iteration records {bytes} bytes, in one array"),
        (_, bytes) => format!("an iteration records up to {bytes} bytes, on the tape"),
    };
    let ways = match of.get("ways") {
        "" => String::new(),
        ways => format!("; it {ways}"),
    };
    format!("{records}; {retrace}{ways}")
}

/// What another version does, of which only this is told.
pub fn describe_version(explained: &Explained) -> Option<String> {
    let params = explained.head.get("params").replace('`', "");
    match explained.head.get("version") {
        "apart" => Some(format!("for {params}, which is tested on entry")),
        "overlapping" => Some(format!("for {params}, which is tested on entry")),
        _ => None,
    }
}
