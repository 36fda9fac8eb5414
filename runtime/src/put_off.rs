//! Memory that the primal frees before the reverse sweep has looked at it for the last time, and what derivatives made.
//!
//! Question answered: when may active memory be freed that is not freed where the reverse sweep reaches its allocation? Each
//! tape has a list of such memory. A derivative of one call opens the list of its thread's tape, whatever is put off goes on
//! the list of the tape that its records are on, and when it closes the list after its reverse sweep, or an exception leaves
//! it, all that is on it since is freed. The list of a tape object is freed with the object, consumed or not. Lists nest as
//! calls do.
//! The shadow of memory that others may free lives as long as that memory. Only shadows that were made here are freed: one that
//! the user made may be anything.
//! Invariant: an address is in `SHADOWS` from its allocation to its release.

use std::collections::BTreeSet;
use std::ffi::c_void;

use crate::lock::Lock;

pub type Release = unsafe extern "C" fn(*mut c_void);
/// A release that is told size and alignment again.
pub type SizedRelease = unsafe extern "C" fn(*mut c_void, usize, usize);

/// Memory, and how it is freed.
pub enum Entry {
    Plain(*mut c_void, Release),
    Sized(*mut c_void, SizedRelease, usize, usize),
}

impl Entry {
    fn release(self) {
        // SAFETY: whoever put it off promised that this frees it, and that nobody else does.
        unsafe {
            match self {
                Entry::Plain(memory, release) => release(memory),
                Entry::Sized(memory, release, size, align) => release(memory, size, align),
            }
        }
    }
}

/// What waits on one tape.
#[derive(Default)]
pub struct PutOff(Vec<Entry>);

static SHADOWS: Lock<BTreeSet<usize>> = Lock::new(BTreeSet::new());

/// A shadow that lives as long as its memory, filled with zeros; null where the system has none.
pub fn make_shadow(count: usize, size: usize) -> *mut c_void {
    // SAFETY: `calloc` takes any numbers.
    let shadow = unsafe { libc::calloc(count.max(1), size.max(1)) };
    if !shadow.is_null() {
        SHADOWS.with(|shadows| shadows.insert(shadow.addr()));
    }
    shadow
}

/// Whether a shadow was made here, and is not to be freed by anybody else any more.
fn take_shadow(shadow: *mut c_void) -> bool {
    !shadow.is_null() && SHADOWS.with(|shadows| shadows.remove(&shadow.addr()))
}

impl PutOff {
    /// How many are on the list: what closes it again.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Puts off the release of memory and of its shadow, where there are such.
    pub fn add(&mut self, memory: *mut c_void, release: Release, shadow: *mut c_void) {
        if !memory.is_null() {
            self.0.push(Entry::Plain(memory, release));
        }
        self.add_shadow(shadow);
    }

    /// The same of memory that is freed by telling its size and alignment again.
    pub fn add_sized(
        &mut self,
        memory: *mut c_void,
        release: SizedRelease,
        size: usize,
        align: usize,
        shadow: *mut c_void,
    ) {
        if !memory.is_null() {
            self.0.push(Entry::Sized(memory, release, size, align));
        }
        self.add_shadow(shadow);
    }

    fn add_shadow(&mut self, shadow: *mut c_void) {
        if take_shadow(shadow) {
            self.0.push(Entry::Plain(shadow, libc::free));
        }
    }

    /// The newest that was put off since the list had this many.
    fn take(&mut self, opened: usize) -> Option<Entry> {
        if self.0.len() > opened { self.0.pop() } else { None }
    }
}

/// Frees what was put off since the list had this many. The list is asked for anew for each: a release of the user's may
/// use a derivative itself.
pub fn close(opened: usize, mut list: impl FnMut(&mut dyn FnMut(&mut PutOff))) {
    loop {
        let mut next = None;
        list(&mut |list| next = list.take(opened));
        match next {
            Some(entry) => entry.release(),
            None => return,
        }
    }
}

/// Frees a shadow at once if it was made here.
pub fn free_shadow(shadow: *mut c_void) {
    if take_shadow(shadow) {
        // SAFETY: it came from `calloc`, and was in the set until now.
        unsafe { libc::free(shadow) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static RELEASED: Cell<usize> = const { Cell::new(0) };
    }

    unsafe extern "C" fn count(_: *mut c_void) {
        RELEASED.with(|count| count.set(count.get() + 1));
    }

    unsafe extern "C" fn count_size(_: *mut c_void, size: usize, align: usize) {
        RELEASED.with(|count| count.set(count.get() + size + align));
    }

    fn released() -> usize {
        RELEASED.with(Cell::get)
    }

    #[test]
    fn what_is_put_off_is_freed_when_its_own_list_closes() {
        let some = std::ptr::dangling_mut::<c_void>();
        let mut list = PutOff::default();
        list.add(some, count, std::ptr::null_mut());
        let inner = list.len();
        list.add(some, count, std::ptr::null_mut());
        list.add(std::ptr::null_mut(), count, std::ptr::null_mut());
        assert_eq!(released(), 0);
        close(inner, |with| with(&mut list));
        assert_eq!(released(), 1);
        list.add_sized(some, count_size, 16, 8, std::ptr::null_mut());
        close(0, |with| with(&mut list));
        assert_eq!(released(), 26);
    }

    #[test]
    fn only_shadows_made_here_are_freed() {
        let shadow = make_shadow(3, 8);
        let mut of_user = [0.0; 3];
        free_shadow(of_user.as_mut_ptr().cast());
        let mut list = PutOff::default();
        list.add(std::ptr::null_mut(), count, of_user.as_mut_ptr().cast());
        assert_eq!(list.len(), 0, "nobody here made it");
        list.add(std::ptr::null_mut(), count, shadow);
        assert!(!take_shadow(shadow), "it is on the list and nowhere else");
        close(0, |with| with(&mut list));
    }
}
