//! A forked child gets tapes of its own.
//!
//! Private memory is copied by the kernel. A spill file is shared, so the forking thread copies what its tape,
//! the tape objects and the split-mode tapes have in theirs before the fork, and the child puts the copies in place.
//! Invariant: after a fork no byte of a tape is shared between parent and child; the stacks of threads that do
//! not exist in the child are freed there.
//! Does not know: objects that another thread is using during the fork; their contents in the child are as
//! undefined as every other object in the middle of a change.

use crate::allocation;
use crate::failure::{FailureKind, fail_with_os_error};
use crate::function::Function;
use crate::pager::{self, PAGER};
use crate::region::{Refusal, Region};
use crate::registry::{REGISTRY, Registry};
use crate::spill_file::SpillFile;
use crate::state::{Owner, State};
use crate::thread;
use std::cell::UnsafeCell;

/// Copies made before a fork, in the order in which the walk meets their regions.
struct Copies(UnsafeCell<Vec<Option<SpillFile>>>);

// SAFETY: filled and emptied only between prepare and parent or child, with the registry's lock held.
unsafe impl Sync for Copies {}

static COPIES: Copies = Copies(UnsafeCell::new(Vec::new()));

pub fn install() {
    // SAFETY: three functions that live as long as the program.
    unsafe { libc::pthread_atfork(Some(prepare), Some(in_parent), Some(in_child)) };
}

unsafe extern "C" fn prepare() {
    REGISTRY.hold();
    PAGER.hold();
    // SAFETY: the lock is held until `in_parent` or `in_child`.
    let registry = unsafe { REGISTRY.held() };
    // SAFETY: as above.
    let copies = unsafe { &mut *COPIES.0.get() };
    let mut refused = None;
    for state in stacks_of_child(registry) {
        // SAFETY: listed stacks are alive; the forking thread owns its own, and objects are quiet by contract.
        let (front, inner) = unsafe { (&(*state).front, &mut *(*state).inner.get()) };
        let (top, current) = (front.top(), inner.chunks.current_index());
        for (index, chunk) in inner.chunks.iter_mut().enumerate() {
            let used = match index.cmp(&current) {
                std::cmp::Ordering::Less => chunk.used,
                std::cmp::Ordering::Equal => top.addr() - chunk.region.base().addr(),
                std::cmp::Ordering::Greater => 0,
            };
            match chunk.region.copy_for_child(used) {
                Ok(copy) => copies.push(copy),
                Err(refusal) => refused = Some(refusal),
            }
        }
    }
    // SAFETY: the lock is held, and split-mode tapes are quiet by contract.
    for region in unsafe { allocation::spilled_regions(registry) } {
        match region.copy_for_child(region.committed()) {
            Ok(copy) => copies.push(copy),
            Err(refusal) => refused = Some(refusal),
        }
    }
    if let Some(Refusal::Memory(errno) | Refusal::Spill(errno)) = refused {
        copies.clear();
        PAGER.let_go();
        REGISTRY.let_go();
        fail_with_os_error(
            FailureKind::Spill,
            Function::unknown(),
            0,
            errno,
            format_args!("the spill file could not be copied for a forked child"),
        );
    }
}

unsafe extern "C" fn in_parent() {
    // SAFETY: the lock is still held from `prepare`.
    unsafe { (*COPIES.0.get()).clear() };
    PAGER.let_go();
    REGISTRY.let_go();
}

unsafe extern "C" fn in_child() {
    // SAFETY: the child's only thread is the copy of the one that took the lock.
    let registry = unsafe { REGISTRY.held() };
    // SAFETY: as above.
    let mut copies = std::mem::take(unsafe { &mut *COPIES.0.get() }).into_iter();
    for state in stacks_of_child(registry) {
        // SAFETY: as in `prepare`.
        for chunk in unsafe { (*(*state).inner.get()).chunks.iter_mut() } {
            adopt(&mut chunk.region, copies.next().flatten());
        }
    }
    // SAFETY: as in `prepare`.
    for region in unsafe { allocation::spilled_regions(registry) } {
        adopt(region, copies.next().flatten());
    }
    // SAFETY: held since `prepare`.
    pager::restart_in_child(unsafe { PAGER.held() });
    PAGER.let_go();
    let strangers: Vec<*mut State> =
        registry.stacks.iter().map(|l| l.0).filter(|&s| !is_of_child(s)).collect();
    REGISTRY.let_go();
    for state in strangers {
        // SAFETY: its thread does not exist in this process; what that thread was changing is left alone.
        unsafe {
            if !(*(*state).inner.get()).chunks.is_changing() {
                thread::destroy(state);
            }
        }
    }
}

fn adopt(region: &mut Region, copy: Option<SpillFile>) {
    if copy.is_some_and(|copy| region.adopt(copy).is_err()) {
        // Without its copy the tape would be shared with the parent: better no child than that.
        crate::failure::print_line("backsweep tape: a forked child could not map its spill file [BS203]");
        // SAFETY: ends the child only.
        unsafe { libc::_exit(crate::failure::EXIT_STATUS) };
    }
}

/// The stacks that live on in the child: the forking thread's own, and every object.
fn stacks_of_child(registry: &Registry) -> impl Iterator<Item = *mut State> {
    registry.stacks.iter().map(|listed| listed.0).filter(|&state| is_of_child(state))
}

fn is_of_child(state: *mut State) -> bool {
    // SAFETY: listed stacks are alive and `owner` never changes.
    state == thread::current_if_any() || unsafe { (*state).owner } == Owner::Object
}
