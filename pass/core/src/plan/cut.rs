//! Which values to store, so that all that is needed can be had again: a minimum cut.
//!
//! A value is had again if it is stored, free, or computed again from operands that can be had again. Every way from a
//! value that nothing gives again to one that is needed has to pass a stored one. The cheapest such set is a minimum
//! vertex cut; of several the one nearest to the needs, which computes least again. What computing takes is a way into a
//! value that is cut, and paid for, where the value is computed again.

use std::collections::{BTreeMap, VecDeque};

use crate::model::ValueId;

/// The question: values with the price of storing each, what each can be computed again from, and what is needed.
#[derive(Default)]
pub struct Cut {
    /// The price of storing.
    pub price: BTreeMap<ValueId, u64>,
    /// Edges from a value to one that can be computed again from it.
    pub feeds: Vec<(ValueId, ValueId)>,
    /// The time of computing again, in the same money; none where it is not named.
    pub effort: BTreeMap<ValueId, u64>,
    /// What nothing gives again but storing it.
    pub roots: Vec<ValueId>,
    pub needed: Vec<ValueId>,
}

const WITHOUT_LIMIT: u64 = u64::MAX / 4;

/// A directed graph with capacities; edge `e` and its reverse `e ^ 1`.
#[derive(Default)]
struct Network {
    edges: Vec<(usize, u64)>,
    out: Vec<Vec<usize>>,
}

impl Cut {
    /// The values to store.
    pub fn solve(&self) -> Vec<ValueId> {
        let number: BTreeMap<ValueId, usize> = self.price.keys().copied().zip(0..).collect();
        let (source, sink) = (2 * number.len(), 2 * number.len() + 1);
        let mut network = Network { edges: Vec::new(), out: vec![Vec::new(); sink + 1] };
        for (value, at) in &number {
            network.connect(2 * at, 2 * at + 1, self.price[value]);
        }
        for (from, to) in &self.feeds {
            network.connect(2 * number[from] + 1, 2 * number[to], WITHOUT_LIMIT);
        }
        for root in &self.roots {
            network.connect(source, 2 * number[root], WITHOUT_LIMIT);
        }
        for (value, effort) in &self.effort {
            network.connect(source, 2 * number[value], *effort);
        }
        for needed in &self.needed {
            network.connect(2 * number[needed] + 1, sink, WITHOUT_LIMIT);
        }
        network.fill(source, sink);
        let behind = network.reaching(sink);
        let is_cut = |at: usize| !behind[2 * at] && behind[2 * at + 1];
        number.into_iter().filter(|(_, at)| is_cut(*at)).map(|(value, _)| value).collect()
    }
}

impl Network {
    fn connect(&mut self, from: usize, to: usize, capacity: u64) {
        self.out[from].push(self.edges.len());
        self.edges.push((to, capacity));
        self.out[to].push(self.edges.len());
        self.edges.push((from, 0));
    }

    /// Dinic's method: as long as the sink can be reached, a blocking flow along shortest ways.
    fn fill(&mut self, source: usize, sink: usize) {
        loop {
            let level = self.levels(source);
            if level[sink] == usize::MAX {
                return;
            }
            let mut next = vec![0; self.out.len()];
            while self.augment(source, sink, &level, &mut next) {}
        }
    }

    fn levels(&self, source: usize) -> Vec<usize> {
        let mut level = vec![usize::MAX; self.out.len()];
        level[source] = 0;
        let mut waiting = VecDeque::from([source]);
        while let Some(at) = waiting.pop_front() {
            for edge in &self.out[at] {
                let (to, capacity) = self.edges[*edge];
                if capacity > 0 && level[to] == usize::MAX {
                    level[to] = level[at] + 1;
                    waiting.push_back(to);
                }
            }
        }
        level
    }

    /// One way from source to sink along the levels; without recursion, for chains are as long as functions.
    fn augment(&mut self, source: usize, sink: usize, level: &[usize], next: &mut [usize]) -> bool {
        let mut path: Vec<usize> = Vec::new();
        let mut at = source;
        while at != sink {
            let step = self.out[at].get(next[at]).copied();
            match step {
                Some(edge) => {
                    let (to, capacity) = self.edges[edge];
                    if capacity > 0 && level[to] == level[at] + 1 {
                        path.push(edge);
                        at = to;
                    } else {
                        next[at] += 1;
                    }
                }
                None => {
                    let Some(edge) = path.pop() else { return false };
                    at = self.edges[edge ^ 1].0;
                    next[at] += 1;
                }
            }
        }
        let flow = path.iter().map(|edge| self.edges[*edge].1).min().unwrap_or(0);
        for edge in path {
            self.edges[edge].1 -= flow;
            self.edges[edge ^ 1].1 += flow;
        }
        flow > 0
    }

    /// From where the sink can still be reached.
    fn reaching(&self, sink: usize) -> Vec<bool> {
        let mut seen = vec![false; self.out.len()];
        seen[sink] = true;
        let mut waiting = vec![sink];
        while let Some(at) = waiting.pop() {
            for edge in &self.out[at] {
                let from = self.edges[*edge].0;
                if self.edges[edge ^ 1].1 > 0 && !seen[from] {
                    seen[from] = true;
                    waiting.push(from);
                }
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(id: u32) -> ValueId {
        ValueId(id)
    }

    fn cut(prices: &[u64], feeds: &[(u32, u32)], roots: &[u32], needed: &[u32]) -> Vec<u32> {
        let question = Cut {
            price: (0..).map(value).zip(prices.iter().copied()).collect(),
            feeds: feeds.iter().map(|(a, b)| (value(*a), value(*b))).collect(),
            effort: BTreeMap::new(),
            roots: roots.iter().copied().map(value).collect(),
            needed: needed.iter().copied().map(value).collect(),
        };
        question.solve().into_iter().map(|id| id.0).collect()
    }

    #[test]
    fn a_shared_operand_is_cheaper_than_what_is_made_of_it() {
        assert_eq!(cut(&[8, 8, 8], &[(0, 1), (0, 2)], &[0], &[1, 2]), [0]);
    }

    #[test]
    fn a_sum_is_cheaper_than_its_terms() {
        assert_eq!(cut(&[8, 8, 8], &[(0, 2), (1, 2)], &[0, 1], &[2]), [2]);
    }

    #[test]
    fn of_equal_cuts_the_one_at_the_needs() {
        assert_eq!(cut(&[8, 8, 8], &[(0, 1), (1, 2)], &[0], &[2]), [2]);
    }

    #[test]
    fn what_follows_from_nothing_unavailable_is_not_stored() {
        assert_eq!(cut(&[8, 8], &[(0, 1)], &[], &[1]), [0; 0]);
    }

    #[test]
    fn what_takes_longer_than_storing_is_stored() {
        let ask = |effort: u64| {
            let question = Cut {
                price: (0..2).map(|id| (value(id), 8)).collect(),
                effort: BTreeMap::from([(value(1), effort)]),
                feeds: vec![(value(0), value(1))],
                roots: Vec::new(),
                needed: vec![value(1)],
            };
            question.solve()
        };
        assert_eq!(ask(7), []);
        assert_eq!(ask(9), [value(1)]);
    }

    /// Against every subset, on small random questions.
    #[test]
    fn no_cheaper_set_exists() {
        let mut state = 1u64;
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        for _ in 0..300 {
            let count = 2 + next(7) as u32;
            let prices: Vec<u64> = (0..count).map(|_| 1 + next(9)).collect();
            let mut feeds = Vec::new();
            for to in 1..count {
                (0..to).filter(|_| next(3) == 0).for_each(|from| feeds.push((from, to)));
            }
            let root = |at: u32| !feeds.iter().any(|(_, to)| *to == at);
            let roots: Vec<u32> = (0..count).filter(|at| root(*at)).collect();
            let needed: Vec<u32> = (0..count).filter(|_| next(3) == 0).collect();
            let serves = |set: u32| {
                let mut had = vec![false; count as usize];
                for at in 0..count {
                    let computed = !roots.contains(&at)
                        && feeds.iter().filter(|(_, to)| *to == at).all(|(from, _)| had[*from as usize]);
                    had[at as usize] = set & (1 << at) != 0 || computed;
                }
                needed.iter().all(|at| had[*at as usize])
            };
            let price = |set: u32| -> u64 {
                (0..count).filter(|at| set & (1 << at) != 0).map(|at| prices[at as usize]).sum()
            };
            let best = (0..1u32 << count).filter(|set| serves(*set)).map(price).min();
            let found = cut(&prices, &feeds, &roots, &needed).into_iter().fold(0, |set, at| set | 1 << at);
            assert!(serves(found));
            assert_eq!(Some(price(found)), best);
        }
    }
}
