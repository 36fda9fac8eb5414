//! `BACKSWEEP_TAPE_LIMIT`: the bytes that all tapes of the process may hold together.
//!
//! Input → output: requests to hold more bytes → granted, or refused.
//! Invariant: the sum of all grants never exceeds the limit. A stack asks for a little more than it needs, so
//! that its fast path seldom comes here, and hands back what it has left behind; for one thread the limit is
//! exact to the byte.

use crate::config::config;
use crate::failure::{FailureKind, fail};
use crate::function::Function;
use std::sync::atomic::{AtomicUsize, Ordering};

static GRANTED: AtomicUsize = AtomicUsize::new(0);

const MIN_GRANULE: usize = 64;
const MAX_GRANULE: usize = 64 << 10;

/// How far ahead a stack may ask, so that threads under one limit do not starve each other.
pub fn granule(limit: usize) -> usize {
    (limit / 16).clamp(MIN_GRANULE, MAX_GRANULE) & !7
}

/// Takes `wanted` bytes, or at least `needed`; says how many, or None.
pub fn take(limit: usize, needed: usize, wanted: usize) -> Option<usize> {
    let mut granted = GRANTED.load(Ordering::Relaxed);
    loop {
        let rest = limit - granted.min(limit);
        if needed > rest {
            return None;
        }
        let taken = wanted.clamp(needed, rest);
        match GRANTED.compare_exchange_weak(granted, granted + taken, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return Some(taken),
            Err(now) => granted = now,
        }
    }
}

pub fn give_back(bytes: usize) {
    GRANTED.fetch_sub(bytes, Ordering::Relaxed);
}

/// Takes exactly `bytes` for a tape object; without a limit there is nothing to count.
pub fn take_exactly(bytes: usize, function: Function) {
    if let Some(limit) = config().limit
        && take(limit, bytes, bytes).is_none()
    {
        refuse(limit, bytes, GRANTED.load(Ordering::Relaxed), function)
    }
}

pub fn give_back_exactly(bytes: usize) {
    if config().limit.is_some() {
        give_back(bytes);
    }
}

/// The one message for a limit that is reached.
pub fn refuse(limit: usize, bytes: usize, held: usize, function: Function) -> ! {
    fail(
        FailureKind::Limit,
        function,
        bytes,
        format_args!(
            "limit of {limit} bytes (BACKSWEEP_TAPE_LIMIT) reached: {function} asked for {bytes} bytes \
             while {held} are held"
        ),
    )
}
