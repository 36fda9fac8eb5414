//! A report as lines of words, one thing a line: what `print<backsweep-explain>` prints and `backsweep explain` reads.
//!
//! ```text
//! function<TAB>name=f<TAB>mode=gradient<TAB>version=only<TAB>params=<TAB>file=0<TAB>line=3
//! file<TAB>file=0<TAB>path=/home/me/f.c
//! loop<TAB>loop=0<TAB>parent=-<TAB>file=0<TAB>line=5<TAB>column=3<TAB>first=5<TAB>last=7<TAB>retrace=counted<TAB>records=array<TAB>bytes=8<TAB>crosses=no<TAB>reason=…
//! note<TAB>fate=recorded<TAB>loop=0<TAB>file=0<TAB>line=6<TAB>column=12<TAB>bytes=8<TAB>what=…<TAB>reason=…
//! obstacle<TAB>kind=overwritten<TAB>loop=0<TAB>file=0<TAB>line=6<TAB>column=12<TAB>text=…<TAB>remedy=…
//! refusal<TAB>name=f<TAB>file=0<TAB>line=6<TAB>column=12<TAB>text=…
//! ```
//!
//! The first word says what the line is about, the others are `key=value`, in this order, separated by tabs. A line that is
//! not known is 0, a loop or remedy that there is not is `-`. Order is stable: by place.

use super::{Fate, Laid, Note, Obstacle, ObstacleKind, Report, Retrace, Version};
use crate::model::{LoopId, Program, ValueId};
use crate::refusal::Refusal;

/// The files that the lines of a program's reports speak of.
pub fn describe_files(program: &Program) -> String {
    let files = program.files.iter().enumerate();
    files.map(|(at, path)| line("file", &[("file", at.to_string()), ("path", path.clone())])).collect()
}

/// What is refused in a function. There is nothing else to say of it then.
pub fn describe_refusals(shown: &str, refusals: &[Refusal]) -> String {
    let describe = |refusal: &Refusal| {
        let [file, line_number, column] = refusal.loc.map_or([0; 3], |loc| [loc.file, loc.line, loc.column]);
        line(
            "refusal",
            &[
                ("name", shown.into()),
                ("file", file.to_string()),
                ("line", line_number.to_string()),
                ("column", column.to_string()),
                ("text", refusal.to_string()),
            ],
        )
    };
    refusals.iter().map(describe).collect()
}

/// One function, which is shown by another name.
pub fn describe_report(report: &Report, shown: &str) -> String {
    let (version, params) = match &report.version {
        Version::Only => ("only", String::new()),
        Version::Overlapping(params) => ("overlapping", params.clone()),
        Version::Apart(params) => ("apart", params.clone()),
    };
    let loc = report.function.loc;
    let mut text = line(
        "function",
        &[
            ("name", shown.into()),
            ("mode", report.mode.into()),
            ("version", version.into()),
            ("params", params),
            ("file", loc.map_or("0".into(), |loc| loc.file.to_string())),
            ("line", loc.map_or("0".into(), |loc| loc.line.to_string())),
        ],
    );
    text.extend(report.loops.iter().map(|of| describe_loop(report, of)));
    let mut notes: Vec<(_, String)> =
        report.notes.iter().map(|note| (place(report, note.at), describe_note(report, note))).collect();
    notes.sort();
    notes.dedup();
    text.extend(notes.into_iter().map(|(_, line)| line));
    let mut obstacles: Vec<(_, String)> = report
        .obstacles
        .iter()
        .map(|found| (place(report, found.at), describe_obstacle(report, found)))
        .collect();
    obstacles.sort();
    obstacles.dedup();
    text.extend(obstacles.into_iter().map(|(_, line)| line));
    text
}

fn describe_loop(report: &Report, found: &super::LoopNote) -> String {
    let [file, line_number, column] = found.at.map_or([0; 3], |at| place(report, at));
    let (first, last) = found.lines.unwrap_or((line_number, line_number));
    let crosses = match found.crosses {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    };
    line(
        "loop",
        &[
            ("loop", found.of.0.to_string()),
            ("parent", name_loop(found.parent)),
            ("file", file.to_string()),
            ("line", line_number.to_string()),
            ("column", column.to_string()),
            ("first", first.to_string()),
            ("last", last.to_string()),
            ("retrace", name_retrace(found.retrace).into()),
            ("records", name_laid(found.laid).into()),
            ("bytes", found.bytes.to_string()),
            ("crosses", crosses.into()),
            ("ways", found.ways.join("; it ")),
            ("reason", found.reason.clone()),
        ],
    )
}

fn describe_note(report: &Report, note: &Note) -> String {
    let [file, line_number, column] = place(report, note.at);
    line(
        "note",
        &[
            ("fate", name_fate(note.fate).into()),
            ("loop", name_loop(note.of)),
            ("file", file.to_string()),
            ("line", line_number.to_string()),
            ("column", column.to_string()),
            ("bytes", note.bytes.to_string()),
            ("what", note.what.clone()),
            ("reason", note.reason.clone()),
        ],
    )
}

fn describe_obstacle(report: &Report, found: &Obstacle) -> String {
    let [file, line_number, column] = place(report, found.at);
    line(
        "obstacle",
        &[
            ("kind", name_kind(found.kind).into()),
            ("loop", name_loop(found.of)),
            ("file", file.to_string()),
            ("line", line_number.to_string()),
            ("column", column.to_string()),
            ("text", found.text.clone()),
            ("remedy", found.remedy.clone().unwrap_or("-".into())),
        ],
    )
}

fn line(word: &str, fields: &[(&str, String)]) -> String {
    let fields: String = fields.iter().map(|(key, value)| format!("\t{key}={}", one_line(value))).collect();
    format!("{word}{fields}\n")
}

/// Symbols may have any characters; the separators are none of them.
fn one_line(value: &str) -> String {
    value.replace(['\t', '\n', '\r'], " ")
}

/// File, line and column of an instruction.
fn place(report: &Report, at: ValueId) -> [u32; 3] {
    let loc = report.function.inst(at).and_then(|inst| inst.loc).or(report.function.loc);
    loc.map_or([0; 3], |loc| [loc.file, loc.line, loc.column])
}

fn name_loop(of: Option<LoopId>) -> String {
    of.map_or("-".into(), |of| of.0.to_string())
}

fn name_retrace(retrace: Retrace) -> &'static str {
    match retrace {
        Retrace::Counted => "counted",
        Retrace::Recorded => "recorded",
        Retrace::None => "none",
    }
}

fn name_laid(laid: Laid) -> &'static str {
    match laid {
        Laid::Nowhere => "none",
        Laid::Array => "array",
        Laid::Stack => "stack",
    }
}

fn name_fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Active => "active",
        Fate::Kept => "kept",
        Fate::Recorded => "recorded",
        Fate::Recomputed => "recomputed",
        Fate::CountedBack => "counted-back",
        Fate::Restored => "restored",
        Fate::LeftOut => "left-out",
        Fate::Edge => "edge",
        Fate::Called => "called",
        Fate::Preaccumulated => "preaccumulated",
    }
}

pub fn name_kind(kind: ObstacleKind) -> &'static str {
    match kind {
        ObstacleKind::Overwritten => "overwritten",
        ObstacleKind::Alias => "alias",
        ObstacleKind::Call => "call",
        ObstacleKind::Cost => "cost",
        ObstacleKind::Carried => "carried",
        ObstacleKind::Branch => "branch",
        ObstacleKind::Memory => "memory",
        ObstacleKind::Halves => "halves",
        ObstacleKind::Crossing => "crossing",
    }
}
