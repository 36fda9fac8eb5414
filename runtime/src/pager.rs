//! Keeps single blocks that are larger than the resident cap from filling memory.
//!
//! Input → output: file-backed regions that hold such a block → their page frames are dropped whenever more than
//! the cap of them is in memory.
//! A sweep fills its block without entering the runtime, so windows that move with the stack (`residency`)
//! cannot see it. A thread looks instead, every few milliseconds, only in spill mode and only while there is
//! such a block. Dropping a frame of a shared file mapping never loses bytes, whoever is using them.
//! Invariant: a watched range is mapped by us: it is taken off the list, under the lock that also covers
//! dropping, before it is unmapped.

use crate::config::config;
use crate::lock::Lock;
use crate::region::page_size;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

pub static PAGER: Lock<Pager> = Lock::new(Pager { watched: Vec::new(), state: Running::No });

/// Between two looks a sweep touches a few megabytes.
const PERIOD: Duration = Duration::from_millis(3);

static DROPPED: AtomicUsize = AtomicUsize::new(0);

pub struct Pager {
    /// Base and length of each watched region.
    watched: Vec<(usize, usize)>,
    state: Running,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Running {
    No,
    Yes,
}

/// Bytes that the pager has dropped from memory so far.
pub fn dropped() -> usize {
    DROPPED.load(Relaxed)
}

/// Whether a block of this size is too large for the moving windows.
pub fn is_too_large(bytes: usize) -> bool {
    config().spill.as_ref().is_some_and(|spill| bytes > spill.resident / 2)
}

/// Watches a region until `forget`; a second call for the same region has no effect.
pub fn watch(base: usize, length: usize) {
    PAGER.with(|pager| {
        if !pager.watched.contains(&(base, length)) {
            pager.watched.push((base, length));
        }
        if pager.state == Running::No && spawn() {
            pager.state = Running::Yes;
        }
    });
}

pub fn forget(base: usize) {
    PAGER.with(|pager| pager.watched.retain(|region| region.0 != base));
}

/// In the child of a fork, with the lock held: the thread exists in the parent only.
pub fn restart_in_child(pager: &mut Pager) {
    pager.state = if !pager.watched.is_empty() && spawn() { Running::Yes } else { Running::No };
}

/// A refused thread is no error: the system then pages the file by itself.
fn spawn() -> bool {
    // SAFETY: signal sets are plain values; the mask is put back. The program's signals are not for our thread.
    unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let thread =
            std::thread::Builder::new().name("backsweep pager".into()).stack_size(64 << 10).spawn(look);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        thread.is_ok()
    }
}

fn look() {
    let cap = config().spill.as_ref().map_or(usize::MAX, |spill| spill.resident);
    // What the program itself has mapped from files is not ours to count.
    let mut others = file_pages_in_memory();
    loop {
        std::thread::sleep(PERIOD);
        let now = file_pages_in_memory();
        others = others.min(now);
        let goes_on = PAGER.with(|pager| {
            if pager.watched.is_empty() {
                pager.state = Running::No;
                return false;
            }
            if now - others > cap / 2 {
                pager.watched.iter().for_each(|&(base, length)| drop_frames(base, length));
            }
            true
        });
        if !goes_on {
            return;
        }
        if now - others > cap / 2 {
            let left = file_pages_in_memory();
            DROPPED.fetch_add(now.saturating_sub(left), Relaxed);
        }
    }
}

fn drop_frames(base: usize, length: usize) {
    // SAFETY: a watched region is ours and mapped; its contents are in the file. Where it has no file yet there
    // is no memory either.
    unsafe { libc::madvise(std::ptr::without_provenance_mut(base), length, libc::MADV_DONTNEED) };
}

/// From /proc/self/statm: total, resident, and of that file pages.
fn file_pages_in_memory() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_ascii_whitespace().nth(2).and_then(|n| n.parse::<usize>().ok());
    pages.unwrap_or(0) * page_size()
}
