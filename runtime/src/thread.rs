//! Which stack belongs to the calling thread.
//!
//! Input → output: the calling thread → its state block, made on first use and freed when the thread ends.
//! Invariant: a thread's stack is used by that thread only; `enter` refuses any other.

use crate::failure::{FailureKind, fail};
use crate::function::Function;
use crate::put_off;
use crate::quota;
use crate::registry::{Listed, REGISTRY};
use crate::start::start;
use crate::state::{Owner, Stack, State};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::OnceLock;

thread_local! {
    // Without a destructor of its own: the key's destructor below runs later than those of C++ thread-locals,
    // which may still use the tape.
    static CURRENT: Cell<*mut State> = const { Cell::new(null_mut()) };
}

/// The calling thread's stack.
pub fn current() -> *mut State {
    let state = CURRENT.get();
    if state.is_null() { create() } else { state }
}

/// The calling thread's stack if it has one.
pub fn current_if_any() -> *mut State {
    CURRENT.get()
}

/// Checks that the caller may use `state`, and gives it out for one call.
///
/// # Safety
/// `state` came from this library, was not freed, and no other thread uses it during `'a`.
pub unsafe fn enter<'a>(state: *mut State, function: Function) -> Stack<'a> {
    // SAFETY: guaranteed by the caller; `owner` never changes.
    if state.is_null() || (unsafe { (*state).owner } == Owner::Thread && state != CURRENT.get()) {
        fail(
            FailureKind::WrongThread,
            function,
            0,
            format_args!("wrong thread: {function} uses the tape of another thread"),
        );
    }
    // SAFETY: the caller guarantees exclusive use; the front is shared, the rest is not.
    unsafe { Stack { front: &(*state).front, inner: &mut *(*state).inner.get(), function } }
}

fn create() -> *mut State {
    start();
    let key = exit_key();
    let state = Box::into_raw(State::new(Owner::Thread));
    REGISTRY.with(|registry| registry.stacks.insert(Listed(state)));
    CURRENT.set(state);
    // SAFETY: the key was created; its destructor takes the pointer back.
    let status = unsafe { libc::pthread_setspecific(key, state.cast()) };
    if status != 0 {
        fail(FailureKind::Memory, Function::unknown(), 0, format_args!("no memory for a thread's tape"));
    }
    state
}

fn exit_key() -> libc::pthread_key_t {
    static KEY: OnceLock<libc::pthread_key_t> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: a valid out-parameter and a destructor of the right type.
        let status = unsafe { libc::pthread_key_create(&mut key, Some(thread_ends)) };
        if status != 0 {
            fail(FailureKind::Memory, Function::unknown(), 0, format_args!("no thread key is left"));
        }
        key
    })
}

unsafe extern "C" fn thread_ends(state: *mut c_void) {
    // Another key's destructor may use the tape after this one: it gets a new one, and we run again.
    CURRENT.set(null_mut());
    // SAFETY: the pointer was set by `create`, and pthreads passes it exactly once.
    unsafe { end(state.cast()) };
}

/// Ends a stack of this process: what was put off on it is freed, and then the stack.
///
/// # Safety
/// `state` came from `Box::into_raw` and nobody uses it any more.
pub unsafe fn end(state: *mut State) {
    // SAFETY: guaranteed by the caller; what is freed does not know of this stack.
    put_off::close(0, |with| with(unsafe { &mut (*(*state).inner.get()).put_off }));
    // SAFETY: guaranteed by the caller.
    unsafe { destroy(state) };
}

/// The same for the stack of a thread that a fork has left behind, whose memory others may have been changing: its figures
/// stay, its memory goes.
///
/// # Safety
/// `state` came from `Box::into_raw` and nobody uses it any more.
pub unsafe fn destroy(state: *mut State) {
    REGISTRY.with(|registry| registry.retire(state));
    // SAFETY: guaranteed by the caller.
    let mut state = unsafe { Box::from_raw(state) };
    let inner = state.inner.get_mut();
    quota::give_back(inner.granted);
    if state.owner == Owner::Object {
        for region in inner.chunks.take_regions() {
            // What the cache does not keep is unmapped here, outside the lock.
            drop(REGISTRY.with(|registry| registry.cache.put(region)));
        }
    }
}
