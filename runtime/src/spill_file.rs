//! A file that holds what does not fit in memory.
//!
//! Input → output: the directory of `BACKSWEEP_TAPE_SPILL` → an open file without a name.
//! Invariant: the file has no name from the start (or from the next system call on), so a crash leaves
//! nothing behind; blocks are allocated before they are mapped, so a full disk is an errno here and never a
//! SIGBUS in a sweep.

use crate::config::config;
use crate::region::{check, last_errno};
use std::ffi::CString;

pub struct SpillFile {
    descriptor: libc::c_int,
}

type Errno = i32;

impl SpillFile {
    /// Opens a nameless file in the spill directory.
    pub fn create() -> Result<SpillFile, Errno> {
        let Some(spill) = &config().spill else { return Err(libc::ENOTDIR) };
        let flags = libc::O_TMPFILE | libc::O_RDWR | libc::O_EXCL | libc::O_CLOEXEC;
        // SAFETY: a NUL-terminated path.
        let descriptor = unsafe { libc::open(spill.directory.as_ptr(), flags, 0o600) };
        if descriptor >= 0 {
            return Ok(SpillFile { descriptor });
        }
        match last_errno() {
            // Filesystems and kernels without O_TMPFILE.
            libc::EOPNOTSUPP | libc::EISDIR | libc::EINVAL => Self::create_and_unlink(),
            errno => Err(errno),
        }
    }

    fn create_and_unlink() -> Result<SpillFile, Errno> {
        let Some(spill) = &config().spill else { return Err(libc::ENOTDIR) };
        let mut template = spill.directory.as_bytes().to_vec();
        template.extend_from_slice(b"/backsweep-tape-XXXXXX");
        let path = CString::new(template).map_err(|_| libc::EINVAL)?.into_raw();
        // SAFETY: the path is writable and NUL-terminated; mkostemp replaces its last six letters.
        unsafe {
            let descriptor = libc::mkostemp(path, libc::O_CLOEXEC);
            let outcome = if descriptor < 0 {
                Err(last_errno())
            } else {
                // Unlinked at once: from here on the file lives only as long as its users.
                libc::unlink(path);
                Ok(SpillFile { descriptor })
            };
            drop(CString::from_raw(path));
            outcome
        }
    }

    /// Takes blocks from the disk for `[offset, offset + length)`.
    pub fn allocate(&mut self, offset: usize, length: usize) -> Result<(), Errno> {
        refuse_beyond_file_size_limit(offset + length)?;
        loop {
            // SAFETY: no memory is passed.
            let status = unsafe { libc::fallocate(self.descriptor, 0, to_offset(offset), to_offset(length)) };
            match check(status) {
                Err(libc::EINTR) => (),
                Err(libc::EOPNOTSUPP) => return self.write_zeros(offset, length),
                outcome => return outcome,
            }
        }
    }

    /// The slow way to blocks, for filesystems that have no fallocate.
    fn write_zeros(&mut self, offset: usize, length: usize) -> Result<(), Errno> {
        let zeros = [0_u8; 1 << 16];
        let end = offset + length;
        let mut at = offset;
        while at < end {
            at += self.write_some(zeros.as_ptr(), zeros.len().min(end - at), at)?;
        }
        Ok(())
    }

    /// Writes `length` bytes of memory to the start of the file.
    pub fn write(&mut self, from: *const u8, length: usize) -> Result<(), Errno> {
        let mut at = 0;
        while at < length {
            at += self.write_some(from.wrapping_add(at), length - at, at)?;
        }
        Ok(())
    }

    fn write_some(&self, from: *const u8, length: usize, offset: usize) -> Result<usize, Errno> {
        // SAFETY: callers pass readable memory of that length.
        let written = unsafe { libc::pwrite(self.descriptor, from.cast(), length, to_offset(offset)) };
        match usize::try_from(written) {
            Ok(0) => Err(libc::ENOSPC),
            Ok(bytes) => Ok(bytes),
            Err(_) if last_errno() == libc::EINTR => Ok(0),
            Err(_) => Err(last_errno()),
        }
    }

    /// Maps `[offset, offset + length)` over `at`, which belongs to the caller's reservation.
    pub fn map(&self, at: *mut u8, offset: usize, length: usize) -> Result<(), Errno> {
        // SAFETY: MAP_FIXED over addresses that the caller owns.
        let mapped = unsafe {
            libc::mmap(
                at.cast(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_FIXED,
                self.descriptor,
                to_offset(offset),
            )
        };
        if mapped == libc::MAP_FAILED { Err(last_errno()) } else { Ok(()) }
    }

    /// Starts writing a range to the disk without waiting, so that dirty pages do not pile up.
    pub fn start_writing(&self, offset: usize, length: usize) {
        // SAFETY: no memory is passed; a refusal only means that the kernel writes later.
        unsafe {
            libc::sync_file_range(
                self.descriptor,
                to_offset(offset),
                to_offset(length),
                libc::SYNC_FILE_RANGE_WRITE,
            );
        }
    }

    /// Gives the blocks beyond `keep` back to the disk.
    pub fn shrink(&mut self, keep: usize) {
        // SAFETY: no memory is passed; the caller has unmapped what lies beyond.
        unsafe { libc::ftruncate(self.descriptor, to_offset(keep)) };
    }
}

impl Drop for SpillFile {
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours; the mapping keeps the file alive on its own.
        unsafe { libc::close(self.descriptor) };
    }
}

/// The kernel answers a file beyond RLIMIT_FSIZE with a signal; we want an errno.
fn refuse_beyond_file_size_limit(end: usize) -> Result<(), Errno> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: a valid out-parameter.
    let status = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
    if status == 0 && end as u64 > limit.rlim_cur { Err(libc::EFBIG) } else { Ok(()) }
}

fn to_offset(bytes: usize) -> libc::off_t {
    // Addresses of user space fit in 47 bits, so in an off_t.
    bytes as libc::off_t
}
