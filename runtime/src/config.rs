//! What the environment asks of the tape.
//!
//! Input → output: `BACKSWEEP_TAPE_*` → one `Config`, read once, at the first use or before `main`.
//! Invariant: a setting that cannot be read ends the program with a message; it is never ignored.

use crate::failure::{FailureKind, fail};
use crate::function::Function;
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStringExt;
use std::sync::OnceLock;

/// Whether records carry tags that are compared when they are popped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checking {
    Off,
    On,
}

/// Whether the statistics are printed when the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reporting {
    Silent,
    AtExit,
}

/// Where a tape goes that does not fit in memory, and how much of it may stay there.
#[derive(Debug)]
pub struct Spill {
    pub directory: CString,
    pub resident: usize,
}

#[derive(Debug)]
pub struct Config {
    pub limit: Option<usize>,
    pub spill: Option<Spill>,
    pub checking: Checking,
    pub reporting: Reporting,
    /// Addresses to reserve for a thread's stack; 0 means chunks from the start.
    pub reserve: usize,
    /// Up to which offset a region asks for huge pages.
    pub huge: usize,
}

const MIN_RESERVE: usize = 16 << 30;
const MAX_RESERVE: usize = 1 << 40;

/// A kept tape gains from huge pages; a first fill of gigabytes may lose, where a hypervisor has to find each of
/// them first (measured: between 0.4 and 3 times the price of small pages). So the large tail has small ones.
const HUGE_PAGES_BELOW: usize = 256 << 20;

static CONFIG: OnceLock<Config> = OnceLock::new();

/// The one configuration of this process.
pub fn config() -> &'static Config {
    CONFIG.get_or_init(read_environment)
}

/// The configuration if it could be read: for what also runs while reading it fails.
pub fn config_if_read() -> Option<&'static Config> {
    CONFIG.get()
}

fn read_environment() -> Config {
    let physical = physical_memory();
    let resident = read_bytes("BACKSWEEP_TAPE_RESIDENT");
    let spill = std::env::var_os("BACKSWEEP_TAPE_SPILL").filter(|dir| !dir.is_empty()).map(|dir| Spill {
        directory: to_path(dir),
        // Without a cap, half of the machine: the other half is the program's.
        resident: resident.unwrap_or(physical / 2),
    });
    Config {
        limit: read_bytes("BACKSWEEP_TAPE_LIMIT"),
        spill,
        checking: if read_switch("BACKSWEEP_TAPE_CHECK") { Checking::On } else { Checking::Off },
        reporting: if read_switch("BACKSWEEP_TAPE_STATS") { Reporting::AtExit } else { Reporting::Silent },
        reserve: read_bytes("BACKSWEEP_TAPE_RESERVE")
            .unwrap_or((physical * 4).clamp(MIN_RESERVE, MAX_RESERVE)),
        huge: read_bytes("BACKSWEEP_TAPE_HUGE").unwrap_or(HUGE_PAGES_BELOW),
    }
}

fn to_path(directory: OsString) -> CString {
    // An environment string cannot contain NUL.
    CString::new(directory.into_vec()).unwrap_or_default()
}

fn read_switch(name: &str) -> bool {
    match std::env::var_os(name).as_deref().and_then(|v| v.to_str()) {
        None | Some("" | "0") => false,
        Some("1") => true,
        Some(other) => refuse(name, other, "it must be 0 or 1"),
    }
}

fn read_bytes(name: &str) -> Option<usize> {
    let value = std::env::var_os(name).filter(|v| !v.is_empty())?;
    let text = value.to_string_lossy();
    match parse_bytes(&text) {
        Some(bytes) => Some(bytes),
        None => refuse(name, &text, "it must be a number of bytes, with or without K, M, G or T"),
    }
}

/// Reads `123`, `64K`, `2M`, `1G` or `1T` (powers of 1024).
fn parse_bytes(text: &str) -> Option<usize> {
    let (digits, shift) = match text.as_bytes().last()? {
        b'k' | b'K' => (&text[..text.len() - 1], 10),
        b'm' | b'M' => (&text[..text.len() - 1], 20),
        b'g' | b'G' => (&text[..text.len() - 1], 30),
        b't' | b'T' => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse::<usize>().ok()?.checked_mul(1 << shift)
}

fn refuse(name: &str, value: &str, why: &str) -> ! {
    fail(FailureKind::Setting, Function::unknown(), 0, format_args!("{name}={value} cannot be read: {why}"))
}

fn physical_memory() -> usize {
    // SAFETY: sysconf has no preconditions.
    let (pages, page) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    usize::try_from(pages).unwrap_or(0).saturating_mul(usize::try_from(page).unwrap_or(4096))
}

#[cfg(test)]
mod tests {
    use super::parse_bytes;

    #[test]
    fn bytes_are_read_with_and_without_a_unit() {
        assert_eq!(parse_bytes("4096"), Some(4096));
        assert_eq!(parse_bytes("64K"), Some(65536));
        assert_eq!(parse_bytes("2g"), Some(2 << 30));
    }

    #[test]
    fn what_is_not_a_number_of_bytes_is_refused() {
        for text in ["", "K", "-1", "+1", "1 ", "0x10", "1e6", "99999999999999999999", "99999999999999T"] {
            assert_eq!(parse_bytes(text), None, "{text}");
        }
    }
}
