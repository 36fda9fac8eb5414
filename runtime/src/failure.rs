//! How bad use ends: one message, one replaceable handler, one exit status.
//!
//! Input → output: a kind, the function, the bytes and a text → the handler, then the end of the process.
//! Invariant: `fail` is called with no lock held and before the tape has changed, so a handler may `longjmp`
//! out and the program may go on from a mark. Nothing here unwinds.

use crate::function::Function;
use std::ffi::{c_char, c_int};
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// The kinds of failure; the numbers are ABI (`BS_TAPE_FAILURE_*`).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    Limit = 1,
    Memory = 2,
    Spill = 3,
    UnmatchedPop = 4,
    Order = 5,
    Corrupt = 6,
    DoubleFree = 7,
    WrongThread = 8,
    BadMark = 9,
    Abi = 10,
    Setting = 11,
    Shadow = 12,
    Function = 13,
}

impl FailureKind {
    /// What the message ends with, under which `docs/diagnostics.md` explains it.
    pub const fn id(self) -> &'static str {
        match self {
            FailureKind::Limit => "BS201",
            FailureKind::Memory => "BS202",
            FailureKind::Spill => "BS203",
            FailureKind::UnmatchedPop => "BS204",
            FailureKind::Order => "BS205",
            FailureKind::Corrupt => "BS206",
            FailureKind::DoubleFree => "BS207",
            FailureKind::WrongThread => "BS208",
            FailureKind::BadMark => "BS209",
            FailureKind::Abi => "BS210",
            FailureKind::Setting => "BS211",
            FailureKind::Shadow => "BS212",
            FailureKind::Function => "BS213",
        }
    }
}

/// What a failure handler is told; the layout is ABI (`struct bs_tape_failure`).
#[repr(C)]
pub struct Failure {
    pub kind: FailureKind,
    pub os_error: c_int,
    pub function: *const c_char,
    pub bytes: usize,
    pub message: *const c_char,
}

pub type Handler = unsafe extern "C" fn(*const Failure);

/// The status a process ends with after a failure: EX_SOFTWARE, and never a signal.
pub const EXIT_STATUS: c_int = 70;

static HANDLER: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
static ENDING: AtomicBool = AtomicBool::new(false);

/// Exchanges the handler; `None` means the default one.
pub fn exchange_handler(handler: Option<Handler>) -> Option<Handler> {
    let raw = handler.map_or(std::ptr::null_mut(), |h| h as *mut ());
    let old = HANDLER.swap(raw, Ordering::AcqRel);
    // SAFETY: only function pointers of type Handler, or null, are ever stored.
    unsafe { std::mem::transmute::<*mut (), Option<Handler>>(old) }
}

/// Reports a failure and does not come back.
pub fn fail(kind: FailureKind, function: Function, bytes: usize, text: fmt::Arguments<'_>) -> ! {
    fail_with_os_error(kind, function, bytes, 0, text)
}

/// As `fail`, with the errno that caused it; its meaning is appended to the message.
pub fn fail_with_os_error(
    kind: FailureKind,
    function: Function,
    bytes: usize,
    os_error: c_int,
    text: fmt::Arguments<'_>,
) -> ! {
    let mut message = Message::new();
    // Message truncates instead of failing, so these writes cannot fail.
    let _ = write!(message, "backsweep tape: {text}");
    if os_error != 0 {
        let _ = write!(message, ": {}", std::io::Error::from_raw_os_error(os_error));
    }
    message.end_with(kind.id());
    let failure =
        Failure { kind, os_error, function: function.as_ptr(), bytes, message: message.as_c_string() };
    let raw = HANDLER.load(Ordering::Acquire);
    // SAFETY: only function pointers of type Handler, or null, are ever stored.
    if let Some(handler) = unsafe { std::mem::transmute::<*mut (), Option<Handler>>(raw) } {
        // SAFETY: the handler gets a value that lives for the call.
        unsafe { handler(&failure) };
    }
    // No handler, or one that returned: the push that failed has no memory to return, so the process ends.
    end_process(&message)
}

fn end_process(message: &Message) -> ! {
    if ENDING.swap(true, Ordering::AcqRel) {
        // Another thread is already reporting: one message, not two interleaved ones.
        loop {
            // SAFETY: pause has no preconditions.
            unsafe { libc::pause() };
        }
    }
    // SAFETY: flushing the C stream keeps what the program had printed so far, and in order.
    unsafe { libc::fflush(stdout) };
    print_line(message.text());
    crate::stats::print_if_asked();
    // SAFETY: `_exit` rather than `exit`, because destructors must not run over a sweep that stopped midway.
    unsafe { libc::_exit(EXIT_STATUS) }
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Writes one line on standard error in a single call, so that lines of several processes do not mix.
pub fn print_line(text: &str) {
    let mut line = Message::new();
    let _ = writeln!(line, "{text}");
    let bytes = line.text().as_bytes();
    // SAFETY: the buffer is valid for its length. A failing write has nowhere to be reported.
    unsafe { libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len()) };
}

/// A text of bounded length that needs no allocation: memory may be what has just run out.
pub struct Message {
    buffer: [u8; Message::CAPACITY],
    used: usize,
}

impl Message {
    const CAPACITY: usize = 768;

    pub fn new() -> Self {
        Message { buffer: [0; Self::CAPACITY], used: 0 }
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.buffer[..self.used]).unwrap_or("(message is not text)")
    }

    /// The id in brackets, also behind a text that was cut.
    fn end_with(&mut self, id: &str) {
        let mut kept = self.used.min(Self::CAPACITY - 1 - " []".len() - id.len());
        while !self.text().is_char_boundary(kept) {
            kept -= 1;
        }
        self.used = kept;
        let _ = write!(self, " [{id}]");
    }

    fn as_c_string(&self) -> *const c_char {
        // The last byte is never written, so the text always ends in NUL.
        self.buffer.as_ptr().cast()
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = Self::CAPACITY - 1 - self.used;
        let mut end = text.len().min(room);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.buffer[self.used..self.used + end].copy_from_slice(&text.as_bytes()[..end]);
        self.used += end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_ends_every_message_however_long() {
        for text in ["short".to_owned(), "ä".repeat(Message::CAPACITY), "x".repeat(2 * Message::CAPACITY)] {
            let mut message = Message::new();
            let _ = message.write_str(&text);
            message.end_with("BS201");
            assert!(message.text().ends_with(" [BS201]"), "{}", message.text());
            assert!(message.used < Message::CAPACITY, "the text ends in NUL");
        }
    }
}
