//! Where must a graph end, so that every read in it is of a known value?
//!
//! A write and a later read whose cells are the same or not, nobody knows, must not stand in one graph (the paper's
//! ambiguous edges), unless a write in between is certain to be what is read. Apart from that, a graph may take what it
//! can: in its reverse, the adjoints of all that it wrote are taken in reverse order before any is added to what it
//! read, so that two writes, or a read before a write, need no certainty.
//!
//! [`split_contiguous`] cuts the sequence; cutting as late as possible makes the fewest pieces, for each ambiguous pair
//! is an interval that some cut must hit. [`split_layered`] moves steps to other pieces where dependences allow; the
//! number of pieces is the largest number of ambiguous pairs on a chain of dependences, plus one, and no order of the
//! steps needs less. (The paper proves its number for contiguous pieces, and claims it for all.)

use super::code::{Action, Relation, Source};
use super::known::Known;

/// Steps of one graph, in their order.
pub type Part = Vec<usize>;

/// A part that grows beyond this is cut, so that pair tests stay affordable.
const LONGEST: usize = 2000;

/// The fewest contiguous parts; barriers stand between parts.
pub fn split_contiguous(known: &Known) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut part = Part::new();
    for at in 0..known.code.steps.len() {
        let barrier = known.code.steps[at].action == Action::Barrier;
        if barrier || part.len() == LONGEST || is_ambiguous(known, &part, at) {
            parts.push(std::mem::take(&mut part));
        }
        if !barrier {
            part.push(at);
        }
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The fewest parts over all orders that respect flow, anti and output dependences. To be run in this order.
pub fn split_layered(known: &Known) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut run = Part::new();
    for at in 0..known.code.steps.len() {
        let barrier = known.code.steps[at].action == Action::Barrier;
        if barrier || run.len() == LONGEST {
            parts.extend(layer(known, &std::mem::take(&mut run)));
        }
        if !barrier {
            run.push(at);
        }
    }
    parts.extend(layer(known, &run));
    parts
}

/// Whether a step would read something in doubt if it joined a part.
pub fn is_ambiguous(known: &Known, part: &[usize], at: usize) -> bool {
    !doubtful_writes(known, part, at).is_empty()
}

/// The writes among some earlier steps that a read may see or not.
fn doubtful_writes(known: &Known, earlier: &[usize], at: usize) -> Vec<usize> {
    let mut doubtful = Vec::new();
    if known.code.steps[at].action != Action::Read || known.is_constant(at) {
        return doubtful;
    }
    for write in earlier.iter().rev().filter(|earlier| known.code.steps[**earlier].action == Action::Write) {
        match known.relation(*write, at) {
            Relation::Apart => {}
            Relation::Same => break,
            Relation::Unclear => doubtful.push(*write),
        }
    }
    doubtful
}

fn layer(known: &Known, run: &[usize]) -> Vec<Part> {
    let mut level = vec![0usize; known.code.steps.len()];
    for (position, at) in run.iter().enumerate() {
        let earlier = &run[..position];
        let computed = known.code.steps[*at].operands.iter().filter_map(|(source, _)| match source {
            Source::Step(from) if earlier.binary_search(from).is_ok() => Some(level[*from]),
            Source::Step(_) | Source::Outside(_) => None,
        });
        let touching = earlier.iter().filter(|from| depends(known, **from, *at)).map(|from| level[*from]);
        let doubtful = doubtful_writes(known, earlier, *at).into_iter();
        let after = doubtful.map(|write| level[write] + 1);
        level[*at] = computed.chain(touching).chain(after).max().unwrap_or_default();
    }
    let height = run.iter().map(|at| level[*at] + 1).max().unwrap_or_default();
    (0..height).map(|height| run.iter().copied().filter(|at| level[*at] == height).collect()).collect()
}

/// Whether two accesses must keep their order: one writes, and they may meet.
fn depends(known: &Known, first: usize, second: usize) -> bool {
    let touches = |at: usize| matches!(known.code.steps[at].action, Action::Read | Action::Write);
    let writes = |at: usize| known.code.steps[at].action == Action::Write;
    touches(first)
        && touches(second)
        && (writes(first) || writes(second))
        && known.relation(first, second) != Relation::Apart
}
