//! Which loops overwrite everything that a touch outside sees: a loop that writes a whole array kills it.
//!
//! Function → [`Cover`]s. Where control leaves the loop, all of the touch's bytes have been written anew; before it
//! enters, nobody will see what is in them now.
//! Safe error: a cover too few.

use std::collections::BTreeSet;

use super::body::Body;
use super::region::{Bound, Regions};
use super::touch::{Touch, TouchId};
use crate::analyses::bits::Bits;
use crate::analyses::solver::Edge;
use crate::model::LoopId;

/// The write `by`, in all its runs in the loop `whole`, overwrites what `of` touches in the present iteration of the
/// loops around both; and in earlier ones, as far as its level says that the bytes are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    pub by: TouchId,
    /// `None` for a single instruction that writes many bytes.
    pub whole: Option<LoopId>,
    pub of: TouchId,
    pub level: usize,
}

/// Beyond so many pairs in one function no further covers are looked for.
const MOST_PAIRS: usize = 20_000;

pub fn find_covers(body: &Body) -> Vec<Cover> {
    let (mut covers, mut pairs) = (Vec::new(), 0);
    if body.nesting.is_wild() {
        return covers;
    }
    let mut regions = Regions::of(body);
    for by in body.touch_ids().filter(|by| is_candidate(body.touch(*by))) {
        let Some(home) = body.home(by) else { continue };
        let chain = body.nesting.chain(home);
        let single = body.touch(by).length.is_some().then_some(chain.len());
        for kept in (0..chain.len()).chain(single) {
            let whole = chain.get(kept).copied();
            let Some(written) = regions.find(by, kept, Bound::Surely) else { continue };
            for of in body.touch_ids().filter(|of| *of != by && share_base(body, by, *of)) {
                if pairs >= MOST_PAIRS {
                    return covers;
                }
                pairs += 1;
                if whole.is_some_and(|whole| body.is_inside(of, whole)) {
                    continue;
                }
                // Callers touch what that touch touches in all its runs.
                let like = body.touch(of).like.unwrap_or(of);
                let Some(at) = body.home(like) else { continue };
                let others = body.nesting.chain(at);
                let common = chain[..kept].iter().zip(&others).take_while(|(x, y)| x == y).count();
                let common = if like == of { common } else { 0 };
                let Some(seen) = regions.find(like, common, Bound::AtMost) else { continue };
                let level = regions.depth(&written).max(regions.depth(&seen));
                if level <= common && written.covers(&seen) {
                    covers.push(Cover { by, whole, of, level });
                }
            }
        }
    }
    covers
}

fn is_candidate(touch: &Touch) -> bool {
    touch.kind == super::touch::Kind::Write && touch.sure && touch.bases.len() == 1
}

fn share_base(body: &Body, by: TouchId, of: TouchId) -> bool {
    body.touch(by).bases == body.touch(of).bases
}

impl Body<'_> {
    /// Takes away, where control leaves a loop, what the loop has overwritten as a whole by writes that count.
    pub fn remove_behind(&self, edge: Edge, counts: &dyn Fn(TouchId) -> bool, state: &mut Bits) {
        let leaves = |of: LoopId| self.nesting.encloses(of, edge.from) && !self.nesting.encloses(of, edge.to);
        self.remove_at(&leaves, counts, state);
    }

    /// Takes away, where control enters a loop, what the loop will overwrite as a whole.
    pub fn remove_ahead(&self, edge: Edge, counts: &dyn Fn(TouchId) -> bool, state: &mut Bits) {
        let enters = |of: LoopId| !self.nesting.encloses(of, edge.from) && self.nesting.encloses(of, edge.to);
        self.remove_at(&enters, counts, state);
    }

    fn remove_at(&self, passes: &dyn Fn(LoopId) -> bool, counts: &dyn Fn(TouchId) -> bool, state: &mut Bits) {
        for cover in self.covers.iter().filter(|cover| cover.whole.is_some_and(passes) && counts(cover.by)) {
            self.remove_covered(cover.of, cover.level, state);
        }
    }

    /// The touches that some loop covers.
    pub fn covered(&self) -> BTreeSet<TouchId> {
        self.covers.iter().map(|cover| cover.of).collect()
    }
}
