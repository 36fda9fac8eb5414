//! A contiguous range of addresses that is reserved whole and given memory from its bottom up.
//!
//! Input → output: a length and a backing → addresses `[base, base + reserved)`, of which
//! `[base, base + committed)` can be used.
//! Invariant: memory below `committed` is readable and writable and, with a file behind it, has its blocks
//! allocated, so touching it can neither fault nor meet a full disk. Above it lies nothing, and above the whole
//! a guard page: a stray store stops there, and the end of one region is never the base of another.

use crate::config::config;
use crate::pager;
use crate::spill_file::SpillFile;
use std::ptr::{NonNull, null_mut};

/// Where the bytes go when the kernel wants the page frames back.
pub enum Backing {
    Anonymous,
    File(SpillFile),
}

/// What the system refused, with its errno.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    Memory(i32),
    Spill(i32),
}

pub struct Region {
    base: NonNull<u8>,
    reserved: usize,
    committed: usize,
    backing: Backing,
    watching: Watching,
}

/// Whether the pager knows of a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Watching {
    No,
    Yes,
}

/// The size of a transparent huge page, and the step of everything that is large.
pub const HUGE_PAGE: usize = 2 << 20;

/// The first megabytes keep small pages: a thread that tapes a few kilobytes should not hold 2 MiB.
const HUGE_PAGES_FROM: usize = HUGE_PAGE;

impl Region {
    /// Reserves addresses only; no memory is accounted or touched.
    pub fn reserve(bytes: usize, backing: Backing) -> Result<Region, Refusal> {
        let reserved = round_up(bytes, page_size()).ok_or(Refusal::Memory(libc::ENOMEM))?;
        let slack = if reserved >= HUGE_PAGE { HUGE_PAGE } else { 0 };
        let whole = reserved.checked_add(slack + page_size()).ok_or(Refusal::Memory(libc::ENOMEM))?;
        let start = map_nothing(null_mut(), whole)?;
        let base = trim_to_alignment(start, whole, reserved + page_size(), slack);
        let region = Region { base, reserved, committed: 0, backing, watching: Watching::No };
        region.advise_huge_pages();
        Ok(region)
    }

    pub fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    pub fn reserved(&self) -> usize {
        self.reserved
    }

    pub fn committed(&self) -> usize {
        self.committed
    }

    pub fn is_file_backed(&self) -> bool {
        matches!(self.backing, Backing::File(_))
    }

    /// Makes the first `bytes` usable, and a step ahead of them when the system allows it: `ahead` bytes of a
    /// file, whose blocks are taken from the disk at once; anonymous steps double, being free until touched.
    pub fn commit(&mut self, bytes: usize, ahead: usize) -> Result<(), Refusal> {
        debug_assert!(bytes <= self.reserved, "a commit stays within its reservation");
        if bytes <= self.committed {
            return Ok(());
        }
        let needed = round_up(bytes, page_size()).ok_or(Refusal::Memory(libc::ENOMEM))?;
        let wanted = match self.backing {
            Backing::Anonymous => needed.max(self.committed.saturating_mul(2)).max(16 * HUGE_PAGE),
            Backing::File(_) => round_up(needed.saturating_add(ahead), page_size()).unwrap_or(needed),
        };
        let wanted = wanted.min(self.reserved);
        // Under strict overcommit or on a nearly full disk the step may be refused where the need is not.
        self.commit_exactly(wanted).or_else(|_| self.commit_exactly(needed))
    }

    fn commit_exactly(&mut self, bytes: usize) -> Result<(), Refusal> {
        let start = self.base().wrapping_add(self.committed);
        let length = bytes - self.committed;
        match &mut self.backing {
            Backing::Anonymous => {
                // SAFETY: the range lies in our own reservation, above everything in use.
                let status =
                    unsafe { libc::mprotect(start.cast(), length, libc::PROT_READ | libc::PROT_WRITE) };
                check(status).map_err(Refusal::Memory)?;
            }
            Backing::File(file) => {
                file.allocate(self.committed, length).map_err(Refusal::Spill)?;
                file.map(start, self.committed, length).map_err(Refusal::Memory)?;
            }
        }
        self.committed = bytes;
        Ok(())
    }

    /// Has the pager bound what is resident of this region; for a block that the caller fills in one go.
    pub fn watch(&mut self) {
        if self.is_file_backed() {
            pager::watch(self.base().addr(), self.reserved);
            self.watching = Watching::Yes;
        }
    }

    /// Gives everything from `keep` on back to the system; the addresses stay reserved.
    pub fn discard_from(&mut self, keep: usize) {
        let Some(keep) = round_up(keep, page_size()).filter(|k| *k < self.committed) else { return };
        let start = self.base().wrapping_add(keep);
        // A refused remap changes nothing: the memory merely stays committed.
        if map_nothing(start, self.committed - keep).is_ok() {
            self.committed = keep;
            self.advise_huge_pages();
            if let Backing::File(file) = &mut self.backing {
                file.shrink(keep);
            }
        }
    }

    /// Drops page frames of `[from, to)`; their contents stay in the file. No effect without one. The system takes whole
    /// pages only, and losing a little more costs time and no bytes.
    pub fn evict(&self, from: usize, to: usize) {
        let from = from & !(page_size() - 1);
        if let Backing::File(file) = &self.backing
            && from < to
        {
            file.start_writing(from, to - from);
            // SAFETY: a shared file mapping keeps its contents under MADV_DONTNEED; the range is committed.
            unsafe {
                libc::madvise(self.base().wrapping_add(from).cast(), to - from, libc::MADV_DONTNEED);
            }
        }
    }

    /// Asks for `[from, to)` to be read ahead, before a reverse sweep enters it.
    pub fn read_ahead(&self, from: usize, to: usize) {
        if self.is_file_backed() && from < to {
            // SAFETY: advice on our own committed range.
            unsafe {
                libc::madvise(self.base().wrapping_add(from).cast(), to - from, libc::MADV_WILLNEED);
            }
        }
    }

    /// Before a fork: copies the first `used` bytes to a file of the child's own.
    pub fn copy_for_child(&self, used: usize) -> Result<Option<SpillFile>, Refusal> {
        let Backing::File(_) = &self.backing else { return Ok(None) };
        let mut copy = SpillFile::create().map_err(Refusal::Spill)?;
        copy.allocate(0, self.committed).map_err(Refusal::Spill)?;
        copy.write(self.base(), used).map_err(Refusal::Spill)?;
        Ok(Some(copy))
    }

    /// In the child of a fork: puts the copy in place of the file that is the parent's.
    pub fn adopt(&mut self, copy: SpillFile) -> Result<(), Refusal> {
        copy.map(self.base(), 0, self.committed).map_err(Refusal::Memory)?;
        self.backing = Backing::File(copy);
        Ok(())
    }

    fn advise_huge_pages(&self) {
        let end = self.reserved.min(config().huge);
        if let Backing::Anonymous = self.backing
            && end > HUGE_PAGES_FROM
        {
            let start = self.base().wrapping_add(HUGE_PAGES_FROM);
            // SAFETY: advice on our own reservation; a kernel without huge pages refuses, which is harmless.
            unsafe { libc::madvise(start.cast(), end - HUGE_PAGES_FROM, libc::MADV_HUGEPAGE) };
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if self.watching == Watching::Yes {
            pager::forget(self.base().addr());
        }
        // SAFETY: the range is ours alone and nobody uses a tape after it was freed.
        unsafe { libc::munmap(self.base().cast(), self.reserved + page_size()) };
    }
}

/// Addresses without memory: at a place of the kernel's choice, or over `at`.
fn map_nothing(at: *mut u8, bytes: usize) -> Result<NonNull<u8>, Refusal> {
    let fixed = if at.is_null() { 0 } else { libc::MAP_FIXED };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | fixed;
    // SAFETY: a fresh mapping, or one over a part of a reservation that the caller owns.
    let start = unsafe { libc::mmap(at.cast(), bytes, libc::PROT_NONE, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return Err(Refusal::Memory(last_errno()));
    }
    NonNull::new(start.cast()).ok_or(Refusal::Memory(libc::ENOMEM))
}

/// Cuts the slack off both ends so that huge pages can begin at the base.
fn trim_to_alignment(start: NonNull<u8>, whole: usize, kept: usize, slack: usize) -> NonNull<u8> {
    if slack == 0 {
        return start;
    }
    let head = start.as_ptr().align_offset(HUGE_PAGE);
    let tail = whole - head - kept;
    // SAFETY: both ranges lie in the mapping just made and outside the part that is kept.
    unsafe {
        if head > 0 {
            libc::munmap(start.as_ptr().cast(), head);
        }
        if tail > 0 {
            libc::munmap(start.as_ptr().wrapping_add(head + kept).cast(), tail);
        }
        NonNull::new_unchecked(start.as_ptr().wrapping_add(head))
    }
}

pub fn page_size() -> usize {
    // SAFETY: sysconf has no preconditions.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Rounds up to a power of two's multiple, or says that there is no such number.
pub fn round_up(bytes: usize, step: usize) -> Option<usize> {
    Some(bytes.checked_add(step - 1)? & !(step - 1))
}

pub fn last_errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Turns a C status into a Result with errno.
pub fn check(status: libc::c_int) -> Result<(), i32> {
    if status == 0 { Ok(()) } else { Err(last_errno()) }
}
