//! Circles and dominators of control flow, as the checker finds them: its own, and nothing of `analyses::flow`.
//!
//! Successors of each block → which blocks lie on a circle together, and which is passed on every way from the entry. A test
//! holds both against plain search.

use std::cmp::Ordering;

use crate::model::BlockId;

/// Blocks are numbered in the order in which a walk from the entry leaves them last first: only ways round go to smaller numbers.
pub struct Shape {
    /// For each block its number, if control comes there at all.
    number: Vec<Option<usize>>,
    /// For each number where the block and all that it dominates stand in a row in which these are never apart.
    spans: Vec<(usize, usize)>,
    /// For each number its circle: control never goes from one to another with a smaller number.
    circle: Vec<usize>,
    repeats: Vec<bool>,
}

impl Shape {
    pub fn of(successors: &[Vec<BlockId>]) -> Shape {
        let order = number_blocks(successors);
        let mut number = vec![None; successors.len()];
        order.iter().enumerate().for_each(|(at, block)| number[*block] = Some(at));
        let next: Vec<Vec<usize>> = order
            .iter()
            .map(|block| successors[*block].iter().filter_map(|to| number[to.0 as usize]).collect())
            .collect();
        let mut before = vec![Vec::new(); order.len()];
        for (from, to) in next.iter().enumerate() {
            to.iter().for_each(|to| before[*to].push(from));
        }
        let spans = line_up(&find_dominators(&before));
        let circle = find_circles(&before);
        let mut members = vec![0; order.len()];
        circle.iter().for_each(|circle| members[*circle] += 1);
        let repeats = (0..order.len()).map(|at| members[circle[at]] > 1 || next[at].contains(&at)).collect();
        Shape { number, spans, circle, repeats }
    }

    fn number(&self, block: BlockId) -> Option<usize> {
        self.number.get(block.0 as usize).copied().flatten()
    }

    /// Whether every way from the entry to `block` passes `through`; of blocks where control never comes, no.
    pub fn dominates(&self, through: BlockId, block: BlockId) -> bool {
        let (Some(through), Some(at)) = (self.number(through), self.number(block)) else { return false };
        let (first, end) = self.spans[through];
        (first..end).contains(&self.spans[at].0)
    }

    pub fn repeats(&self, block: BlockId) -> bool {
        self.number(block).is_some_and(|at| self.repeats[at])
    }

    /// Whether control can come from the end of one to the other, where their circles alone tell.
    pub fn leads(&self, from: BlockId, to: BlockId) -> Option<bool> {
        let (from, to) = (self.number(from)?, self.number(to)?);
        match self.circle[from].cmp(&self.circle[to]) {
            Ordering::Equal => Some(self.repeats[from]),
            Ordering::Greater => Some(false),
            Ordering::Less => None,
        }
    }
}

/// The blocks where control comes, each before all behind it that do not lead back.
fn number_blocks(successors: &[Vec<BlockId>]) -> Vec<usize> {
    let (mut seen, mut order) = (vec![false; successors.len()], Vec::new());
    let mut stack: Vec<(usize, usize)> = (0..successors.len().min(1)).map(|entry| (entry, 0)).collect();
    stack.iter().for_each(|(entry, _)| seen[*entry] = true);
    while let Some((block, at)) = stack.pop() {
        let Some(next) = successors[block].get(at) else {
            order.push(block);
            continue;
        };
        stack.push((block, at + 1));
        let next = next.0 as usize;
        if !std::mem::replace(&mut seen[next], true) {
            stack.push((next, 0));
        }
    }
    order.reverse();
    order
}

/// A block is dominated by what dominates all it is entered from; circles are gone round until nothing changes.
/// Of each number that of the nearest other; the entry stands for itself.
fn find_dominators(before: &[Vec<usize>]) -> Vec<usize> {
    let mut above: Vec<Option<usize>> = vec![None; before.len()];
    if let Some(entry) = above.first_mut() {
        *entry = Some(0);
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for at in 1..before.len() {
            let known = before[at].iter().copied().filter(|from| above[*from].is_some());
            let found = known.reduce(|a, b| meet(&above, a, b));
            changed |= found != above[at];
            above[at] = found;
        }
    }
    above.into_iter().map(Option::unwrap_or_default).collect()
}

/// Each block behind the one that is above it and in front of all that are not below; blocks have smaller numbers than those below.
fn line_up(above: &[usize]) -> Vec<(usize, usize)> {
    let mut sizes = vec![1; above.len()];
    (1..above.len()).rev().for_each(|at| sizes[above[at]] += sizes[at]);
    let mut spans: Vec<(usize, usize)> = sizes.iter().map(|size| (0, *size)).collect();
    let mut free = vec![1; above.len()];
    for at in 1..above.len() {
        let first = free[above[at]];
        free[above[at]] += sizes[at];
        free[at] = first + 1;
        spans[at] = (first, first + sizes[at]);
    }
    spans
}

/// The last block that lies above both.
fn meet(above: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let lower = if a > b { &mut a } else { &mut b };
        *lower = above[*lower].unwrap_or_default();
    }
    a
}

/// The blocks of a circle are those from which its first is reached, of those that no circle before has taken.
fn find_circles(before: &[Vec<usize>]) -> Vec<usize> {
    let mut circle: Vec<Option<usize>> = vec![None; before.len()];
    for first in 0..before.len() {
        let mut waiting = vec![first];
        while let Some(at) = waiting.pop() {
            if circle[at].is_none() {
                circle[at] = Some(first);
                waiting.extend(&before[at]);
            }
        }
    }
    circle.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks from which control comes to `to`, or the other way, without `wall`.
    fn walk(successors: &[Vec<BlockId>], starts: &[BlockId], wall: Option<usize>) -> Vec<bool> {
        let mut seen = vec![false; successors.len()];
        let mut waiting = starts.to_vec();
        while let Some(block) = waiting.pop() {
            let at = block.0 as usize;
            if Some(at) != wall && !std::mem::replace(&mut seen[at], true) {
                waiting.extend(&successors[at]);
            }
        }
        seen
    }

    #[test]
    fn random_graphs_are_what_plain_search_says() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for round in 0..400 {
            let count = 1 + round % 13;
            let successors: Vec<Vec<BlockId>> =
                (0..count).map(|_| (0..random(4)).map(|_| BlockId(random(count) as u32)).collect()).collect();
            let shape = Shape::of(&successors);
            let live = walk(&successors, &[BlockId(0)], None);
            for from in 0..count {
                let (block, without) = (BlockId(from as u32), walk(&successors, &[BlockId(0)], Some(from)));
                let behind = walk(&successors, &successors[from], None);
                assert_eq!(shape.repeats(block), live[from] && behind[from], "{successors:?} {from}");
                for to in 0..count {
                    let other = BlockId(to as u32);
                    assert_eq!(
                        shape.dominates(block, other),
                        live[to] && !without[to],
                        "{successors:?} {from} {to}"
                    );
                    if let Some(leads) = shape.leads(block, other) {
                        assert_eq!(leads, behind[to], "{successors:?} {from} {to}");
                    }
                }
            }
        }
    }
}
