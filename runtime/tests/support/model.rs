//! The oracle: a tape is a Vec of records, each with its bytes.
//!
//! Shares nothing with the runtime but the ABI: the fast path is written out here again from the header's words.

use backsweep_rt::exports::{objects::*, settings::*, snapshots::*, stack::*};
use backsweep_rt::{Figures, State};
use std::ffi::{CStr, c_void};

const ME: &CStr = c"model";

#[derive(Clone, Debug)]
pub enum Operation {
    Push { bytes: usize, fast: bool },
    Pop { fast: bool },
    Block { count: usize, size: usize, align: usize },
    Save { ranges: Vec<usize> },
    RestoreKeep,
    Mark,
    Release { which: usize },
    Rewind { entries: usize, fast: bool },
    Trim,
    Use { tape: usize },
}

#[derive(Clone)]
enum Entry {
    Record(Vec<u8>),
    Block { count: usize, size: usize, align: usize, content: Vec<u8> },
    Snapshot { memory: Vec<Box<[u8]>>, content: Vec<Vec<u8>> },
}

/// The first fields of a state block, as generated code sees them.
#[repr(C)]
struct Front {
    top: *mut u8,
    limit: *mut u8,
    floor: *mut u8,
    peak: *mut u8,
    pushes: usize,
    origin: *mut u8,
    popped: usize,
    spilled: usize,
}

struct Tape {
    state: *mut State,
    entries: Vec<Entry>,
    marks: Vec<(*mut c_void, usize)>,
    pushes: usize,
    current: usize,
    peak: usize,
    total: usize,
}

pub struct Model {
    tapes: Vec<Tape>,
    current: usize,
    seed: u8,
}

impl Model {
    /// The thread's tape and two objects.
    pub fn new() -> Model {
        let states = [bs_tape_of_thread(), bs_tape_new(), bs_tape_new()];
        let tapes = states
            .into_iter()
            .map(|state| {
                let Figures { pushes, current, peak, total, .. } = figures(state);
                Tape { state, entries: Vec::new(), marks: Vec::new(), pushes, current, peak, total }
            })
            .collect();
        Model { tapes, current: 0, seed: 0 }
    }

    pub fn apply(&mut self, step: &Operation) {
        match step {
            Operation::Push { bytes, fast } => {
                let content = self.content(*bytes);
                self.tape().push(content, *fast);
            }
            Operation::Pop { fast } => self.tape().pop(*fast),
            Operation::Block { count, size, align } => {
                let content = self.content(count * size);
                self.tape().push_block(*count, *size, *align, content);
            }
            Operation::Save { ranges } => {
                let content = ranges.iter().map(|bytes| self.content(*bytes)).collect();
                self.tape().save(content);
            }
            Operation::RestoreKeep => self.tape().restore_keep(),
            Operation::Mark => self.tape().mark(),
            Operation::Release { which } => self.tape().release(*which),
            Operation::Rewind { entries, fast } => self.tape().rewind(*entries, *fast),
            // SAFETY: trims this thread's tape.
            Operation::Trim => bs_tape_trim(),
            Operation::Use { tape } => self.current = *tape,
        }
        self.tape().check_figures();
    }

    /// Pops everything that is left, then frees the objects.
    pub fn drain(mut self) {
        for tape in &mut self.tapes {
            while !tape.entries.is_empty() {
                tape.pop(true);
            }
            assert_eq!(figures(tape.state).current, 0, "an emptied tape holds nothing");
        }
        for tape in &self.tapes[1..] {
            // SAFETY: made by `new`, freed once.
            unsafe { bs_tape_free(tape.state, ME.as_ptr()) };
        }
    }

    fn tape(&mut self) -> &mut Tape {
        &mut self.tapes[self.current]
    }

    fn content(&mut self, bytes: usize) -> Vec<u8> {
        self.seed = self.seed.wrapping_add(37);
        (0..bytes).map(|i| self.seed.wrapping_add((i * 7) as u8)).collect()
    }
}

impl Tape {
    fn front(&mut self) -> &'static mut Front {
        // SAFETY: the front is the first field of a state block; the block is used by this thread only.
        unsafe { &mut *self.state.cast::<Front>() }
    }

    fn push(&mut self, content: Vec<u8>, fast: bool) {
        let (front, rounded) = (self.front(), content.len().next_multiple_of(8));
        let place = if fast && front.limit.addr() - front.top.addr() >= rounded {
            let place = front.top;
            front.top = place.wrapping_add(rounded);
            front.pushes += 1;
            place
        } else {
            // SAFETY: a live tape of this thread.
            unsafe { bs_tape_push_slow(self.state, content.len(), ME.as_ptr()) }.cast()
        };
        assert_eq!(place.addr() % 8, 0, "records are aligned");
        write(place, &content);
        self.pushes += 1;
        self.entries.push(Entry::Record(content));
    }

    fn pop(&mut self, fast: bool) {
        if let Some(mut entry) = self.entries.pop() {
            self.take_off(&mut entry, fast);
        }
        self.forget_marks();
    }

    fn take_off(&mut self, entry: &mut Entry, fast: bool) {
        match entry {
            Entry::Record(content) => self.pop_record(content, fast),
            Entry::Block { count, size, align, content } => {
                // SAFETY: a live tape of this thread.
                let place = unsafe { bs_tape_pop_block(self.state, *count, *size, *align, ME.as_ptr()) };
                compare(place.cast(), content);
            }
            Entry::Snapshot { memory, content } => {
                scribble(memory);
                // SAFETY: the memory of the snapshot is still alive.
                unsafe { bs_tape_restore(self.state, ME.as_ptr()) };
                compare_all(memory, content);
            }
        }
    }

    /// Pops some entries, and puts them back.
    fn rewind(&mut self, entries: usize, fast: bool) {
        // SAFETY: a live tape of this thread.
        let mark = unsafe { bs_tape_mark(self.state) };
        let mut popped = self.entries.split_off(self.entries.len().saturating_sub(entries));
        for entry in popped.iter_mut().rev() {
            self.take_off(entry, fast);
        }
        // SAFETY: the mark was the top, and nothing was pushed since then.
        unsafe { bs_tape_rewind(self.state, mark, ME.as_ptr()) };
        self.entries.append(&mut popped);
    }

    fn pop_record(&mut self, content: &[u8], fast: bool) {
        let (front, rounded) = (self.front(), content.len().next_multiple_of(8));
        let place = if fast && front.top.addr() - front.floor.addr() >= rounded {
            front.peak = front.peak.max(front.top);
            front.top = front.top.wrapping_sub(rounded);
            front.popped += rounded;
            front.top
        } else {
            // SAFETY: a live tape of this thread.
            unsafe { bs_tape_pop_slow(self.state, content.len(), ME.as_ptr()) }.cast()
        };
        compare(place, content);
    }

    fn push_block(&mut self, count: usize, size: usize, align: usize, content: Vec<u8>) {
        // SAFETY: a live tape of this thread.
        let place = unsafe { bs_tape_push_block(self.state, count, size, align, ME.as_ptr()) };
        assert!(content.is_empty() || place.addr() % align == 0, "blocks are aligned to {align}");
        write(place.cast(), &content);
        self.pushes += 1;
        self.entries.push(Entry::Block { count, size, align, content });
    }

    fn save(&mut self, content: Vec<Vec<u8>>) {
        let mut memory: Vec<Box<[u8]>> = content.iter().map(|c| c.clone().into_boxed_slice()).collect();
        let ranges: Vec<(*mut u8, usize)> = memory.iter_mut().map(|m| (m.as_mut_ptr(), m.len())).collect();
        // SAFETY: pairs of a pointer and a size have the layout of struct bs_tape_range on this target, which
        // the C tests check; the memory lives as long as the entry.
        unsafe { bs_tape_save(self.state, ranges.as_ptr().cast(), ranges.len(), ME.as_ptr()) };
        self.pushes += 2;
        self.entries.push(Entry::Snapshot { memory, content });
    }

    fn restore_keep(&mut self) {
        if let Some(Entry::Snapshot { memory, content }) = self.entries.last_mut() {
            scribble(memory);
            // SAFETY: the memory of the snapshot is still alive.
            unsafe { bs_tape_restore_keep(self.state, ME.as_ptr()) };
            compare_all(memory, content);
            self.pushes += 1;
            // Its summary is popped and pushed again.
            self.total += SUMMARY + if is_checked() { TAG } else { 0 };
        }
    }

    fn mark(&mut self) {
        // SAFETY: a live tape of this thread.
        let mark = unsafe { bs_tape_mark(self.state) };
        self.marks.push((mark, self.entries.len()));
    }

    fn release(&mut self, which: usize) {
        if self.marks.is_empty() {
            return;
        }
        let (mark, depth) = self.marks[which % self.marks.len()];
        // SAFETY: the mark is still on the tape: `forget_marks` dropped the others.
        unsafe { bs_tape_release(self.state, mark, ME.as_ptr()) };
        self.entries.truncate(depth);
        self.forget_marks();
    }

    fn forget_marks(&mut self) {
        let depth = self.entries.len();
        self.marks.retain(|mark| mark.1 <= depth);
    }

    fn check_figures(&mut self) {
        let figures = figures(self.state);
        self.peak = self.peak.max(figures.current);
        assert_eq!(figures.peak, self.peak, "the peak is exact");
        // Every operation but one only rises or only falls.
        self.total += figures.current.saturating_sub(self.current);
        self.current = figures.current;
        assert_eq!(figures.total, self.total, "the total is exact");
        if !is_checked() {
            assert_eq!(figures.pushes, self.pushes, "every push is counted once");
            let least: usize = self.entries.iter().map(Entry::bytes).sum();
            assert!(figures.current >= least, "{figures:?} holds at least {least} bytes");
        }
    }
}

/// What stands above a snapshot, and behind every record of a checked run.
const SUMMARY: usize = 16;
const TAG: usize = 32;

fn is_checked() -> bool {
    std::env::var_os("BACKSWEEP_TAPE_CHECK").is_some()
}

impl Entry {
    fn bytes(&self) -> usize {
        match self {
            Entry::Record(content) | Entry::Block { content, .. } => content.len(),
            Entry::Snapshot { content, .. } => content.iter().map(Vec::len).sum(),
        }
    }
}

fn figures(state: *mut State) -> Figures {
    let mut figures = Figures::default();
    // SAFETY: a live tape and a valid place.
    unsafe { bs_tape_stats(state, &mut figures) };
    figures
}

fn write(place: *mut u8, content: &[u8]) {
    // SAFETY: the tape gave this many bytes; a null place comes with none.
    unsafe { std::ptr::copy(content.as_ptr(), place, content.len()) };
}

fn compare(place: *mut u8, content: &[u8]) {
    if !content.is_empty() {
        // SAFETY: a popped record stays readable until the next push.
        assert_eq!(unsafe { std::slice::from_raw_parts(place, content.len()) }, content);
    }
}

fn scribble(memory: &mut [Box<[u8]>]) {
    memory.iter_mut().for_each(|range| range.fill(0xEE));
}

fn compare_all(memory: &[Box<[u8]>], content: &[Vec<u8>]) {
    for (range, expected) in memory.iter().zip(content) {
        assert_eq!(&range[..], &expected[..], "a restored range has its old contents");
    }
}
