//! How many bytes the tapes hold, held at most, and took altogether.
//!
//! Input → output: one stack, or none for all → `Figures`; and the line at exit.
//! Invariant: the line's format is fixed: `backsweep tape: peak N bytes, total N bytes, spilled N bytes`.

use crate::allocation;
use crate::config::{Reporting, config_if_read};
use crate::failure::print_line;
use crate::registry::{Figures, REGISTRY};
use std::fmt::Write;

/// Sums over all stacks, living and ended, and over the fixed-size tapes of split mode.
pub fn summed() -> Figures {
    let mut sum = REGISTRY.with(|registry| {
        registry.note_peak();
        let mut sum = registry.ended;
        for figures in registry.living() {
            sum.current += figures.current;
            sum.total += figures.total;
            sum.pushes += figures.pushes;
            sum.spilled += figures.spilled;
        }
        sum
    });
    let allocated = allocation::figures();
    sum.current += allocated.current;
    sum.peak += allocated.peak;
    sum.total += allocated.total;
    sum.pushes += allocated.pushes;
    sum.spilled += allocated.spilled;
    sum
}

pub fn print_if_asked() {
    if config_if_read().is_none_or(|config| config.reporting == Reporting::Silent) {
        return;
    }
    let sum = summed();
    let mut line = crate::failure::Message::new();
    let _ = write!(
        line,
        "backsweep tape: peak {} bytes, total {} bytes, spilled {} bytes",
        sum.peak, sum.total, sum.spilled
    );
    print_line(line.text());
}
