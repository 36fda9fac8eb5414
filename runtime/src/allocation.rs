//! Fixed-size tapes for split mode: the caller knows how many bytes it needs.
//!
//! Input → output: a number of bytes → memory aligned to 64, which any thread may use and free.
//! It may own a growing tape object with the records of the same sweep: both are freed at once, also when nobody
//! consumed them.
//! Invariant: every allocation stands behind a header whose seal tells a live one from a freed one. In a checked
//! run a ledger knows all live addresses and freed ones wait before they are used again, so that a second free
//! is recognised for certain.

use crate::chunk::reserve_region;
use crate::config::{Checking, config};
use crate::failure::{FailureKind, fail, fail_with_os_error};
use crate::function::Function;
use crate::pager;
use crate::quota;
use crate::region::{Refusal, Region};
use crate::registry::{Allocation, Figures, REGISTRY, Registry};
use crate::state::State;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Stands in the 128 bytes before the memory handed out.
struct Header {
    seal: usize,
    bytes: usize,
    function: Function,
    storage: Storage,
    records: *mut State,
}

enum Storage {
    Heap,
    Mapped(Region),
}

impl Storage {
    fn is_spilled(&self) -> bool {
        matches!(self, Storage::Mapped(region) if region.is_file_backed())
    }
}

const HEADER: usize = 128;
const _: () = assert!(size_of::<Header>() <= HEADER);

const LIVE: usize = 0x6c69_7665_7461_7065;
const FREED: usize = 0x6465_6164_7461_7065;
/// Live, but an exception has left the reverse sweep over it half done.
const SPOILED: usize = 0x7370_6f69_6c65_6421;

/// From here on a tape gets pages of its own, which the cache keeps for the next call.
const MAPPED_FROM: usize = 256 << 10;

/// How much freed memory a checked run holds back.
const QUARANTINE_BYTES: usize = 64 << 20;
const QUARANTINE_ENTRIES: usize = 4096;

static CURRENT: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static TOTAL: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

pub fn figures() -> Figures {
    Figures {
        current: CURRENT.load(Relaxed),
        peak: PEAK.load(Relaxed),
        total: TOTAL.load(Relaxed),
        pushes: COUNT.load(Relaxed),
        spilled: pager::dropped(),
    }
}

pub fn allocate(bytes: usize, function: Function) -> *mut u8 {
    quota::take_exactly(bytes, function);
    let Some(whole) = bytes.checked_add(HEADER).filter(|w| *w <= isize::MAX as usize) else {
        refuse_memory(bytes, function, libc::ENOMEM)
    };
    let (start, storage) =
        if whole < MAPPED_FROM { from_heap(whole, function) } else { from_pages(whole, function) };
    let listed = config().checking == Checking::On || storage.is_spilled();
    // SAFETY: `start` has room for the header and is aligned to 64.
    let payload = unsafe {
        start.cast::<Header>().write(Header { seal: LIVE, bytes, function, storage, records: null_mut() });
        start.add(HEADER)
    };
    count_up(bytes);
    if listed {
        REGISTRY.with(|registry| registry.live.insert(payload.addr(), Allocation(payload)));
    }
    payload
}

/// Makes the allocation the owner of a tape object.
///
/// # Safety
/// `payload` is live, and `records` a live tape object that nobody else frees.
pub unsafe fn own(payload: *mut u8, records: *mut State) {
    // SAFETY: guaranteed by the caller.
    unsafe { (*payload.wrapping_sub(HEADER).cast::<Header>()).records = records };
}

/// Fails unless `payload` is live and was made with the same size for the same function.
///
/// # Safety
/// `payload` is null or came from `allocate`; one that was freed is recognised as the module says.
pub unsafe fn check(payload: *mut u8, bytes: usize, function: Function) {
    if !payload.is_null()
        && config().checking == Checking::On
        && !REGISTRY.with(|registry| registry.live.contains_key(&payload.addr()))
    {
        refuse_use(payload, function);
    }
    let header = payload.wrapping_sub(HEADER).cast::<Header>();
    // SAFETY: guaranteed by the caller, or checked against the ledger just now.
    if !payload.is_null() && unsafe { (*header).seal } == SPOILED {
        refuse_spoiled(payload, function);
    }
    // SAFETY: the same.
    if payload.is_null() || unsafe { (*header).seal } != LIVE {
        refuse_use(payload, function);
    }
    // SAFETY: it is live.
    let (made_with, made_for) = unsafe { ((*header).bytes, (*header).function) };
    if made_with != bytes || !made_for.is_same_as(function) {
        fail(
            FailureKind::Order,
            function,
            bytes,
            format_args!(
                "wrong order: {function} sweeps back over {bytes} bytes, but the tape at {payload:p} has {made_with} bytes \
                 of {made_for}"
            ),
        );
    }
}

/// From now on the allocation may be freed and nothing else.
///
/// # Safety
/// `payload` is null or live.
pub unsafe fn spoil(payload: *mut u8) {
    if !payload.is_null() {
        // SAFETY: guaranteed by the caller.
        unsafe { (*payload.wrapping_sub(HEADER).cast::<Header>()).seal = SPOILED };
    }
}

/// Returns the tape object that it owned, which is the caller's now, or null.
///
/// # Safety
/// `payload` came from `allocate` (a second free is recognised, see the module), and nobody uses it any more.
pub unsafe fn free(payload: *mut u8) -> *mut State {
    if payload.is_null() {
        return null_mut();
    }
    check_ledger(payload);
    let header = payload.wrapping_sub(HEADER).cast::<Header>();
    // SAFETY: guaranteed by the caller, or checked against the ledger just now.
    let (bytes, records, is_spilled) = unsafe {
        if (*header).seal != LIVE && (*header).seal != SPOILED {
            refuse_free(
                payload,
                if (*header).seal == FREED { (*header).function } else { Function::unknown() },
            );
        }
        (*header).seal = FREED;
        ((*header).bytes, (*header).records, (*header).storage.is_spilled())
    };
    if is_spilled {
        REGISTRY.with(|registry| registry.live.remove(&payload.addr()));
    }
    CURRENT.fetch_sub(bytes, Relaxed);
    quota::give_back_exactly(bytes);
    match config().checking {
        // SAFETY: the header was live, and is freed once.
        Checking::Off => unsafe { release_memory(header) },
        Checking::On => hold_back(payload, bytes),
    }
    records
}

/// The memory of live allocations that a fork would share, for its handlers.
///
/// # Safety
/// The registry's lock is held for as long as the iterator lives, and no other reference to a region.
pub unsafe fn spilled_regions(registry: &Registry) -> impl Iterator<Item = &mut Region> {
    registry.live.values().filter_map(|live| {
        // SAFETY: what is listed is live, so its header is there.
        match unsafe { &mut (*live.0.wrapping_sub(HEADER).cast::<Header>()).storage } {
            Storage::Mapped(region) if region.is_file_backed() => Some(region),
            _ => None,
        }
    })
}

fn from_heap(whole: usize, function: Function) -> (*mut u8, Storage) {
    // SAFETY: aligned_alloc wants a size that is a multiple of the alignment.
    let start = unsafe { libc::aligned_alloc(HEADER, (whole + HEADER - 1) & !(HEADER - 1)) };
    if start.is_null() {
        refuse_memory(whole, function, libc::ENOMEM)
    }
    (start.cast(), Storage::Heap)
}

fn from_pages(whole: usize, function: Function) -> (*mut u8, Storage) {
    let kept = REGISTRY.with(|registry| registry.cache.take(whole));
    let region = kept.map_or_else(|| map_pages(whole), Ok);
    match region {
        Ok(region) => (region.base(), Storage::Mapped(region)),
        Err(Refusal::Memory(errno)) => refuse_memory(whole, function, errno),
        Err(Refusal::Spill(errno)) => fail_with_os_error(
            FailureKind::Spill,
            function,
            whole,
            errno,
            format_args!("the spill file could not hold {whole} bytes for {function}"),
        ),
    }
}

fn map_pages(whole: usize) -> Result<Region, Refusal> {
    let mut region = reserve_region(whole)?;
    region.commit(whole, 0)?;
    if pager::is_too_large(whole) {
        region.watch();
    }
    Ok(region)
}

/// # Safety
/// The header is one that `allocate` wrote; it is not used afterwards.
unsafe fn release_memory(header: *mut Header) {
    // SAFETY: guaranteed by the caller; the storage is taken out of the memory before the memory goes.
    match unsafe { std::ptr::read(&raw const (*header).storage) } {
        // SAFETY: `start` of `from_heap`.
        Storage::Heap => unsafe { libc::free(header.cast()) },
        Storage::Mapped(region) => drop(REGISTRY.with(|registry| registry.cache.put(region))),
    }
}

/// In a checked run: only an address in the ledger may be freed.
fn check_ledger(payload: *mut u8) {
    if config().checking == Checking::Off {
        return;
    }
    let (was_live, was_freed) = REGISTRY.with(|registry| {
        let live = registry.live.remove(&payload.addr()).is_some();
        (live, registry.quarantine.iter().any(|held| held.0 == payload.addr() - HEADER))
    });
    if was_live {
        return;
    }
    let mut function = Function::unknown();
    if was_freed {
        // SAFETY: memory in quarantine is still ours, header and all.
        function = unsafe { (*payload.wrapping_sub(HEADER).cast::<Header>()).function };
    }
    refuse_free(payload, function)
}

/// Keeps freed memory for a while, so that its address is not handed out again.
fn hold_back(payload: *mut u8, bytes: usize) {
    let mut too_much = Vec::new();
    REGISTRY.with(|registry| {
        // The block's own address, so that a leak checker sees that we still hold it.
        registry.quarantine.push_back((payload.addr() - HEADER, bytes));
        let mut held: usize = registry.quarantine.iter().map(|h| h.1).sum();
        while held > QUARANTINE_BYTES || registry.quarantine.len() > QUARANTINE_ENTRIES {
            let Some(oldest) = registry.quarantine.pop_front() else { break };
            held -= oldest.1;
            too_much.push(oldest.0);
        }
    });
    for address in too_much {
        let header = payload.with_addr(address).cast::<Header>();
        // SAFETY: it was freed by its user, and has just left the quarantine, which alone knew it.
        unsafe { release_memory(header) };
    }
}

fn count_up(bytes: usize) {
    let now = CURRENT.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(now, Relaxed);
    TOTAL.fetch_add(bytes, Relaxed);
    COUNT.fetch_add(1, Relaxed);
}

fn refuse_memory(bytes: usize, function: Function, errno: i32) -> ! {
    fail_with_os_error(
        FailureKind::Memory,
        function,
        bytes,
        errno,
        format_args!("the system refused memory for a tape of {bytes} bytes for {function}"),
    )
}

fn refuse_use(payload: *mut u8, function: Function) -> ! {
    fail(
        FailureKind::DoubleFree,
        function,
        0,
        format_args!(
            "use after free: {function} sweeps back over the tape at {payload:p}, which is not live"
        ),
    )
}

fn refuse_spoiled(payload: *mut u8, function: Function) -> ! {
    fail(
        FailureKind::Order,
        function,
        0,
        format_args!(
            "wrong order: {function} sweeps back over the tape at {payload:p} again, and an exception has left the sweep \
             before half done"
        ),
    )
}

fn refuse_free(payload: *mut u8, function: Function) -> ! {
    fail(
        FailureKind::DoubleFree,
        function,
        0,
        format_args!("double free: the tape at {payload:p}, made for {function}, is not live"),
    )
}
