//! Memory that the primal frees before the reverse sweep has looked at it for the last time.
//!
//! Question answered: when may active memory be freed, whose allocation and whose release are in different functions?
//! A derivative opens a list, whatever is freed in its forward sweep goes on the list of the thread, and when it closes
//! the list after its reverse sweep all that is on it is freed. Lists nest as calls do.
//! The shadow of such memory lives as long as the memory. Only shadows that were made here are freed: one that the user
//! made may be anything.
//! Invariant: an address is in `SHADOWS` from its allocation to its release.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::c_void;

use crate::lock::Lock;

pub type Release = unsafe extern "C" fn(*mut c_void);

enum Entry {
    Open,
    Freed(*mut c_void, Release),
}

thread_local! {
    static LIST: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

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

pub fn open() {
    LIST.with(|list| list.borrow_mut().push(Entry::Open));
}

/// Puts off the release of memory and of its shadow, where there are such.
pub fn add(memory: *mut c_void, release: Release, shadow: *mut c_void) {
    LIST.with(|list| {
        let mut list = list.borrow_mut();
        if !memory.is_null() {
            list.push(Entry::Freed(memory, release));
        }
        if take_shadow(shadow) {
            list.push(Entry::Freed(shadow, libc::free));
        }
    });
}

/// Frees what was put off since the list was opened.
pub fn close() {
    // Each is taken off before it is freed: a release of the user's may use a derivative itself.
    while let Some(Entry::Freed(memory, release)) = LIST.with(|list| list.borrow_mut().pop()) {
        // SAFETY: the primal called `release` with this address, and nobody has since.
        unsafe { release(memory) };
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

    fn released() -> usize {
        RELEASED.with(Cell::get)
    }

    #[test]
    fn what_is_put_off_is_freed_when_its_own_list_closes() {
        let some = std::ptr::dangling_mut::<c_void>();
        open();
        add(some, count, std::ptr::null_mut());
        open();
        add(some, count, std::ptr::null_mut());
        add(std::ptr::null_mut(), count, std::ptr::null_mut());
        assert_eq!(released(), 0);
        close();
        assert_eq!(released(), 1);
        close();
        assert_eq!(released(), 2);
    }

    #[test]
    fn only_shadows_made_here_are_freed() {
        let shadow = make_shadow(3, 8);
        let mut of_user = [0.0; 3];
        free_shadow(of_user.as_mut_ptr().cast());
        open();
        add(std::ptr::null_mut(), count, of_user.as_mut_ptr().cast());
        add(std::ptr::null_mut(), count, shadow);
        assert!(!take_shadow(shadow), "it is on the list and nowhere else");
        close();
    }
}
