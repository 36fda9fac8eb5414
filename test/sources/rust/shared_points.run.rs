// Forces behind Box<dyn Trait> on points that are shared by Rc<RefCell>, whose borrows are counted, and a sort beside them.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#![no_main]

use std::cell::RefCell;
use std::rc::Rc;
trait Force {
    fn energy(&self, p: &[[f64; 3]]) -> f64;
}
struct Spring {
    a: usize,
    b: usize,
    k: f64,
    rest: f64,
}
struct Gravity {
    g: f64,
}
fn dist(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b.iter()).map(|(p, q)| (p - q) * (p - q)).sum::<f64>().sqrt()
}
impl Force for Spring {
    fn energy(&self, p: &[[f64; 3]]) -> f64 {
        0.5 * self.k * (dist(&p[self.a], &p[self.b]) - self.rest).powi(2)
    }
}
impl Force for Gravity {
    fn energy(&self, p: &[[f64; 3]]) -> f64 {
        p.iter().map(|q| self.g * q[2]).sum()
    }
}
struct World {
    points: Rc<RefCell<Vec<[f64; 3]>>>,
    forces: Vec<Box<dyn Force>>,
}
impl World {
    fn energy(&self) -> f64 {
        let p = self.points.borrow();
        self.forces.iter().map(|f| f.energy(&p)).sum()
    }
}
fn f(x: &[f64]) -> f64 {
    let pts = Rc::new(RefCell::new(Vec::with_capacity(2)));
    for i in 0..5 {
        pts.borrow_mut().push([x[i % 4] + i as f64, x[(i + 1) % 4] * 0.5, (x[(i + 2) % 4]).cos()]);
    }
    let mut w = World { points: pts.clone(), forces: vec![] };
    for i in 0..4 {
        w.forces.push(Box::new(Spring { a: i, b: i + 1, k: 1.0 + x[0], rest: 0.9 }));
    }
    w.forces.push(Box::new(Gravity { g: x[3] }));
    let e0 = w.energy();
    for p in pts.borrow_mut().iter_mut() {
        p[0] *= 1.1;
        p[1] += x[2];
    }
    let mut zs: Vec<f64> = w.points.borrow().iter().map(|p| p[2] * p[0]).collect();
    zs.sort_by(|a, b| a.partial_cmp(b).unwrap());
    e0 + w.energy() * zs[2] + zs.iter().rev().take(2).sum::<f64>()
}

include!("../Inputs/requests.rs");
