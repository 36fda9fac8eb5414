//! A mutex that can be held across `fork`.
//!
//! Invariant: what is inside is touched only while the lock is held. std's Mutex would do, but its guard
//! cannot be kept from the prepare handler of a fork to the child's; a pthread mutex can.

use std::cell::UnsafeCell;

pub struct Lock<T> {
    raw: UnsafeCell<libc::pthread_mutex_t>,
    value: UnsafeCell<T>,
}

// SAFETY: `with` serialises every access to the value.
unsafe impl<T> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub const fn new(value: T) -> Self {
        Lock { raw: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER), value: UnsafeCell::new(value) }
    }

    /// Runs `body` on the value. `body` must not fail through `failure::fail`: a handler that jumps out
    /// would leave the lock held.
    pub fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        self.hold();
        // SAFETY: the lock is held, so this is the only reference.
        let result = body(unsafe { &mut *self.value.get() });
        self.let_go();
        result
    }

    /// Takes the lock until `let_go`: only for the fork handlers.
    pub fn hold(&self) {
        // SAFETY: the mutex was statically initialised and never moves (Locks are statics).
        let status = unsafe { libc::pthread_mutex_lock(self.raw.get()) };
        assert_eq!(status, 0, "a default pthread mutex can be locked");
    }

    pub fn let_go(&self) {
        // SAFETY: only called by the thread that holds it, or by its copy in a forked child.
        unsafe { libc::pthread_mutex_unlock(self.raw.get()) };
    }

    /// The value, for a thread that has called `hold`.
    ///
    /// # Safety
    /// The calling thread holds the lock and keeps no other reference to the value.
    #[expect(clippy::mut_from_ref, reason = "the lock is what makes the reference unique")]
    pub unsafe fn held(&self) -> &mut T {
        // SAFETY: passed on to the caller.
        unsafe { &mut *self.value.get() }
    }
}
