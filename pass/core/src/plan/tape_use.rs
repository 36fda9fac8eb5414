//! What a planned derivative does with the tape, as a whole.

use super::{GlobalShadow, Item, Plan};
use crate::model::BlockId;
use crate::request::Mode;

impl Plan {
    /// Whether the edge into a merge goes on the tape, because the block is entered more than once.
    pub fn records_edge(&self, block: BlockId) -> bool {
        self.records.get(&block).is_some_and(|items| items.contains(&Item::Edge))
    }

    pub fn uses_tape(&self) -> bool {
        let records = !self.records.is_empty() || !self.slots.is_empty();
        records || !self.calls.is_empty() || self.request.nested || self.puts_off()
    }

    /// Whether something is put on the list of what is freed when the sweeps over the tape are done.
    pub fn puts_off(&self) -> bool {
        let lasting = self.activity.lasting();
        let globals = lasting.reverse_may_not_come
            && self.globals.values().any(|shadow| matches!(shadow.choice, GlobalShadow::Heap { .. }));
        self.request.mode.is_reverse() && (lasting.puts_off() || !lasting.listed.is_empty() || globals)
    }

    /// Whether the derivative opens that list and closes it. A half leaves that to who frees its tape, and what is called
    /// by a derivative to the derivative.
    pub fn opens_list(&self) -> bool {
        let ours = self.calls.values().any(|call| call.custom.is_none());
        self.request.mode == Mode::Gradient && !self.request.nested && (self.puts_off() || ours)
    }

    /// Whether what leaves by an exception has a tape to give back. What is called by a derivative leaves that to it.
    pub fn gives_back(&self) -> bool {
        let own = matches!(self.request.mode, Mode::Gradient | Mode::Augmented) && !self.request.nested;
        self.may_be_left && own && self.uses_tape()
    }

    /// What happens to the tape that a half was handed when it leaves by an exception.
    pub fn gives_up(&self) -> Option<&'static str> {
        let own = self.request.mode == Mode::Reverse && !self.request.nested;
        let function = if self.request.keep_tape { "bs_rt_tape_spoil" } else { "bs_rt_tape_free" };
        (self.may_be_left && own).then_some(function)
    }

    pub fn width(&self) -> u32 {
        self.request.width
    }

    /// Whether what this computes for the reverse sweep has to be left for another function, or is found as another left it.
    pub fn is_half(&self) -> bool {
        matches!(self.request.mode, Mode::Augmented | Mode::Reverse)
    }
}
