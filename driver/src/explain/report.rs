//! What `print<backsweep-explain>` prints, read: one record a line, `word<TAB>key=value<TAB>…`.

use std::path::{Path, PathBuf};

use crate::debug_info::DebugInfo;
use crate::json::quote;
use crate::refusal::{Code, Refusal};

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub word: String,
    fields: Vec<(String, String)>,
}

/// What was printed of one request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The function's symbol.
    pub function: String,
    pub explained: Vec<Explained>,
    /// Messages with their places, where there is no plan.
    pub refused: Vec<String>,
}

/// The files that the user's file was compiled from.
pub struct Sources {
    pub info: DebugInfo,
    /// The user's file, as it was given.
    pub given: PathBuf,
}

/// One of them: what it is called, and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub shown: String,
    pub path: PathBuf,
}

/// One derivative function.
#[derive(Debug, PartialEq, Eq)]
pub struct Explained {
    pub files: Vec<SourceFile>,
    pub head: Record,
    pub loops: Vec<Record>,
    pub notes: Vec<Record>,
    pub obstacles: Vec<Record>,
}

impl Record {
    pub fn get(&self, key: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == key).map_or("", |(_, value)| value)
    }

    pub fn number(&self, key: &str) -> u64 {
        self.get(key).parse().unwrap_or(0)
    }

    /// The file and line that it is about.
    pub fn place(&self) -> (usize, u32) {
        (self.number("file") as usize, self.number("line") as u32)
    }

    fn read(line: &str) -> Option<Record> {
        let mut parts = line.split('\t');
        let word = parts.next()?.to_string();
        let fields = parts.map(|part| part.split_once('=').map(|(key, value)| (key.into(), value.into())));
        Some(Record { word, fields: fields.collect::<Option<_>>()? })
    }

    fn write_json(&self) -> String {
        let is_number = |value: &str| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        let field = |(key, value): &(String, String)| match value.as_str() {
            "-" => format!("{}: null", quote(key)),
            value if is_number(value) => format!("{}: {value}", quote(key)),
            value => format!("{}: {}", quote(key), quote(value)),
        };
        let fields: Vec<String> = self.fields.iter().map(field).collect();
        format!("{{{}}}", fields.join(", "))
    }
}

impl Sources {
    /// The user's own file is called as he does; the compiler may have taken its path apart.
    fn find(&self, file: &str) -> SourceFile {
        let path = self.info.path_of(file);
        let real = |path: &Path| path.canonicalize().ok();
        let own = real(&path).is_some_and(|found| real(&self.given) == Some(found));
        SourceFile { shown: if own { self.given.display().to_string() } else { file.into() }, path }
    }
}

impl Explained {
    pub fn shown_file(&self, file: usize) -> &str {
        self.files.get(file).map_or("", |found| &found.shown)
    }
}

impl Request {
    /// Shows functions by the names that the user has for them.
    pub fn rename(&mut self, name_of: &dyn Fn(&str) -> Option<String>) {
        for found in &mut self.explained {
            for (_, value) in found.head.fields.iter_mut().filter(|(key, _)| key == "name") {
                *value = name_of(value).unwrap_or_else(|| value.clone());
            }
            let records = found.notes.iter_mut().chain(&mut found.obstacles);
            let told = |key: &str| ["what", "reason", "text", "remedy"].contains(&key);
            for (_, value) in records.flat_map(|record| &mut record.fields).filter(|(key, _)| told(key)) {
                *value = rename_quoted(value, name_of);
            }
        }
    }
}

/// A sentence with the user's names for the symbols between back quotes.
fn rename_quoted(text: &str, name_of: &dyn Fn(&str) -> Option<String>) -> String {
    let parts = text.split('`').enumerate();
    let renamed = parts.map(|(at, part)| match at % 2 {
        1 => name_of(part).unwrap_or_else(|| part.into()),
        _ => part.into(),
    });
    renamed.collect::<Vec<_>>().join("`")
}

/// The requests of a module, in order.
pub fn read_requests(text: &str, sources: &Sources) -> Result<Vec<Request>, Refusal> {
    let mut requests: Vec<Request> = Vec::new();
    let mut files: Vec<SourceFile> = Vec::new();
    for line in text.lines() {
        let record = Record::read(line)
            .ok_or_else(|| Refusal::new(Code::Fault, format!("the plugin says: {line}")))?;
        match (record.word.as_str(), requests.last_mut()) {
            ("file", _) if record.number("file") == 0 => {
                files = vec![sources.find(record.get("path"))];
                requests.push(Request::default());
            }
            ("file", _) => files.push(sources.find(record.get("path"))),
            ("refusal", Some(request)) => {
                request.function = record.get("name").to_string();
                request.refused.push(describe_refusal(&record, &files));
            }
            ("function", Some(request)) => {
                if request.explained.is_empty() {
                    request.function = record.get("name").to_string();
                }
                let (loops, notes, obstacles) = Default::default();
                request.explained.push(Explained {
                    files: files.clone(),
                    head: record,
                    loops,
                    notes,
                    obstacles,
                });
            }
            (word, request) => {
                let found = request.and_then(|request| request.explained.last_mut());
                let list = found.and_then(|found| match word {
                    "loop" => Some(&mut found.loops),
                    "note" => Some(&mut found.notes),
                    "obstacle" => Some(&mut found.obstacles),
                    _ => None,
                });
                let list =
                    list.ok_or_else(|| Refusal::new(Code::Fault, format!("the plugin says: {line}")))?;
                list.push(record);
            }
        }
    }
    requests.retain(|request| !request.explained.is_empty() || !request.refused.is_empty());
    Ok(requests)
}

fn describe_refusal(record: &Record, files: &[SourceFile]) -> String {
    let (file, line) = record.place();
    match files.get(file).filter(|_| line > 0) {
        Some(file) => {
            format!("{}:{line}:{}: error: {}", file.shown, record.get("column"), record.get("text"))
        }
        None => format!("error: {}", record.get("text")),
    }
}

/// Everything, by the same words as in the plugin's lines.
pub fn write_json(explained: &[Explained]) -> String {
    let list = |records: &[Record]| {
        let records: Vec<String> = records.iter().map(Record::write_json).collect();
        format!("[{}]", records.join(", "))
    };
    let functions: Vec<String> = explained
        .iter()
        .map(|found| {
            let head = found.head.write_json();
            let files: Vec<String> = found.files.iter().map(|file| quote(&file.shown)).collect();
            format!(
                "{}, \"files\": [{}], \"loops\": {}, \"notes\": {}, \"obstacles\": {}}}",
                head.trim_end_matches('}'),
                files.join(", "),
                list(&found.loops),
                list(&found.notes),
                list(&found.obstacles)
            )
        })
        .collect();
    format!("{{\"functions\": [{}]}}\n", functions.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "file\tfile=0\tpath=a.c\nfile\tfile=1\tpath=b.h\nfunction\tname=f\tmode=gradient\tfile=0\tline=3\n\
                        loop\tloop=0\tparent=-\tline=4\nnote\tfate=active\twhat=a=b\n\
                        file\tfile=0\tpath=a.c\nrefusal\tname=g\tfile=0\tline=9\tcolumn=2\ttext=no [BS021]\n";

    fn read(text: &str) -> Result<Vec<Request>, Refusal> {
        read_requests(text, &Sources { info: DebugInfo::read(""), given: "a.c".into() })
    }

    #[test]
    fn requests_begin_with_their_files() {
        let requests = read(TEXT).unwrap();
        assert_eq!(requests.len(), 2);
        assert_eq!((requests[0].function.as_str(), requests[0].explained[0].files.len()), ("f", 2));
        assert_eq!(requests[0].explained[0].notes[0].get("what"), "a=b");
        assert_eq!(requests[1].refused, ["a.c:9:2: error: no [BS021]"]);
    }

    #[test]
    fn json_has_numbers_and_nulls() {
        let mut requests = read(TEXT).unwrap();
        requests[0].rename(&|name| (name == "f").then(|| "m::f".into()));
        let json = write_json(&requests[0].explained);
        assert!(json.contains("\"name\": \"m::f\""), "{json}");
        assert!(json.contains("{\"loop\": 0, \"parent\": null, \"line\": 4}"), "{json}");
    }

    #[test]
    fn symbols_in_sentences_are_renamed() {
        let name_of = |symbol: &str| (symbol == "_Z1fd").then(|| "f<double>".to_string());
        let text = "`x` may be overwritten by the call of `_Z1fd`";
        assert_eq!(rename_quoted(text, &name_of), "`x` may be overwritten by the call of `f<double>`");
    }

    #[test]
    fn what_is_no_record_is_shown() {
        assert!(read("oh dear\n").unwrap_err().to_string().contains("oh dear"));
    }
}
