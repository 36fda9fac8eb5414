// A search tree of boxes that recursion builds, walks and drops.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

#[derive(Default)]
struct Node {
    key: i32,
    value: f64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Node {
    fn insert(&mut self, key: i32, value: f64) {
        if key == self.key {
            self.value += value;
            return;
        }
        let side = if key < self.key { &mut self.left } else { &mut self.right };
        match side {
            Some(child) => child.insert(key, value),
            None => *side = Some(Box::new(Node { key, value, ..Default::default() })),
        }
    }

    fn sum(&self, weight: f64) -> f64 {
        let left = self.left.as_ref().map_or(0.0, |child| child.sum(weight + 1.0));
        let right = self.right.as_deref().map_or(0.0, |child| child.sum(weight * 1.5));
        self.value * self.value * weight + left + right
    }
}

fn f(x: &[f64]) -> f64 {
    let mut root = Node { key: 5, value: x[0], left: None, right: None };
    for i in 0..12 {
        root.insert((i * 7) % 11, x[i as usize % x.len()] * f64::from(i + 1));
    }
    root.sum(1.0)
}
