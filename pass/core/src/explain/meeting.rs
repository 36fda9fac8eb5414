//! When a read and a later write meet: what dependence testing found, in words of the loops around them.

use super::{Subject, elements, words};
use crate::dependence::direction::Vector;
use crate::dependence::finding::{Finding, Kind, Pair};
use crate::model::{LoopId, ValueId};

/// What is known of a read and a write of the same array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meeting {
    /// The write comes after the read and is of the same element.
    Overwrites,
    /// Nothing is known, or they share no loop.
    May,
    /// Never the same element, or before the read only.
    Never,
}

pub fn find_meeting(subject: &Subject, read: ValueId, write: ValueId) -> Meeting {
    let Some(pair) = find_pair(subject, read, write) else { return Meeting::May };
    match (&pair.finding, anti(pair)) {
        (Finding::Independent { .. }, _) | (Finding::Dependent { .. }, None) => Meeting::Never,
        (Finding::Dependent { .. }, Some(_)) => Meeting::Overwrites,
        (Finding::Unknown { .. }, _) => Meeting::May,
    }
}

/// `, in the next iteration of the loop over `i` (line 8)`, to stand behind the write; empty where there is nothing to add.
pub fn describe_meeting(subject: &Subject, read: ValueId, write: ValueId) -> String {
    let Some(pair) = find_pair(subject, read, write) else { return String::new() };
    match (&pair.finding, anti(pair)) {
        (Finding::Independent { .. }, _) => {
            ": never the same element, but the plan goes by whole arrays".into()
        }
        (Finding::Unknown { reason }, _) => {
            format!(": whether it is the same element is not known ({reason})")
        }
        (Finding::Dependent { .. }, Some(vector)) => describe_vector(subject, pair, vector),
        (Finding::Dependent { .. }, None) => {
            ": the same element before it is read only, but the plan goes by whole arrays".into()
        }
    }
}

fn find_pair<'s>(subject: &'s Subject, read: ValueId, write: ValueId) -> Option<&'s Pair> {
    let found = &subject.dependences;
    let inst = |at: usize| found.accesses.list[at].inst;
    found
        .pairs
        .iter()
        .find(|pair| [(read, write), (write, read)].contains(&(inst(pair.first), inst(pair.second))))
}

/// The part in which the read comes first.
fn anti(pair: &Pair) -> Option<&Vector> {
    pair.edges.iter().find(|edge| edge.kind == Kind::Anti).map(|edge| &edge.vector)
}

fn describe_vector(subject: &Subject, pair: &Pair, vector: &Vector) -> String {
    let mut parts = Vec::new();
    if vector.within {
        parts.push("in the same iteration".to_string());
    }
    // From the inside: that is when it comes first.
    for level in vector.carried.iter().rev() {
        let of = name_loop(subject, pair.common[*level]);
        parts.push(match vector.distances[*level] {
            Some(1) => format!("in the next iteration of {of}"),
            Some(distance) => format!("{distance} iterations of {of} later"),
            None => format!("in a later iteration of {of}"),
        });
    }
    if parts.is_empty() { String::new() } else { format!(", {}", parts.join(" or ")) }
}

/// `the loop over `i` (line 8)`.
pub fn name_loop(subject: &Subject, of: LoopId) -> String {
    let header = subject.function.loops[of.0 as usize].header;
    let end = subject.function.terminator(header);
    let line = end.map_or_else(String::new, |end| words::name_line(subject, end));
    match elements::name_counter(subject, of) {
        Some(counter) => format!("the loop over `{counter}` ({line})"),
        None => format!("the loop at {line}"),
    }
}
