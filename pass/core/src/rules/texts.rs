//! Library functions that are given texts, by name: which of their arguments lead to one, and which tells how long it may be.

use crate::model::Inst;

/// An argument that leads to a text.
pub struct Text {
    pub at: usize,
    /// The argument that tells how many bytes are there for it.
    pub size: Option<usize>,
}

const fn text(at: usize) -> Text {
    Text { at, size: None }
}

const fn sized(at: usize, size: usize) -> Text {
    Text { at, size: Some(size) }
}

const TEXTS: [(&str, Text); 28] = [
    ("sprintf", text(0)),
    ("vsprintf", text(0)),
    ("snprintf", sized(0, 1)),
    ("vsnprintf", sized(0, 1)),
    ("__sprintf_chk", text(0)),
    ("__vsprintf_chk", text(0)),
    ("__snprintf_chk", sized(0, 1)),
    ("__vsnprintf_chk", sized(0, 1)),
    ("strcpy", text(0)),
    ("stpcpy", text(0)),
    ("strcat", text(0)),
    ("strncat", text(0)),
    ("strncpy", sized(0, 2)),
    ("stpncpy", sized(0, 2)),
    ("strlcpy", sized(0, 2)),
    ("strlcat", sized(0, 2)),
    ("__strcpy_chk", text(0)),
    ("__stpcpy_chk", text(0)),
    ("__strcat_chk", text(0)),
    ("__strncat_chk", text(0)),
    ("__strncpy_chk", sized(0, 2)),
    ("__stpncpy_chk", sized(0, 2)),
    ("fgets", sized(0, 1)),
    ("strlen", text(0)),
    ("strcmp", text(0)),
    ("strcmp", text(1)),
    ("strncmp", text(0)),
    ("strncmp", text(1)),
];

/// The texts that a call of the library is given.
pub fn texts_of(inst: &Inst) -> impl Iterator<Item = &'static Text> {
    let library = inst.op.call().is_some_and(|call| call.library);
    let name = inst.callee_name().filter(|_| library);
    TEXTS.iter().filter(move |(known, _)| name == Some(*known)).map(|(_, text)| text)
}
