// A tape of nodes behind a counted pointer, which is swept back by the program itself: records that mix indices and floats in a vector that grows.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone, Copy)]
struct Node {
    op: u8,
    a: usize,
    b: usize,
    val: f64,
    grad: f64,
}

struct Tape {
    nodes: RefCell<Vec<Node>>,
}

#[derive(Clone)]
struct Var {
    tape: Rc<Tape>,
    id: usize,
}

impl Var {
    fn bin(&self, o: &Var, op: u8) -> Var {
        let mut n = self.tape.nodes.borrow_mut();
        let (p, q) = (n[self.id].val, n[o.id].val);
        let val = match op {
            1 => p + q,
            2 => p * q,
            _ => p - q,
        };
        n.push(Node { op, a: self.id, b: o.id, val, grad: 0.0 });
        Var { tape: self.tape.clone(), id: n.len() - 1 }
    }
    fn sin(&self) -> Var {
        let mut n = self.tape.nodes.borrow_mut();
        let val = n[self.id].val.sin();
        n.push(Node { op: 4, a: self.id, b: self.id, val, grad: 0.0 });
        Var { tape: self.tape.clone(), id: n.len() - 1 }
    }
}

pub fn f(x: &[f64]) -> f64 {
    let tape = Rc::new(Tape { nodes: RefCell::new(Vec::new()) });
    let vars: Vec<Var> = x
        .iter()
        .map(|v| {
            let mut n = tape.nodes.borrow_mut();
            n.push(Node { op: 0, a: 0, b: 0, val: *v, grad: 0.0 });
            Var { tape: tape.clone(), id: n.len() - 1 }
        })
        .collect();
    let mut s = vars[0].clone();
    for v in &vars[1..] {
        s = s.bin(v, 2).sin().bin(v, 1);
    }
    let mut n = tape.nodes.borrow_mut();
    let last = n.len() - 1;
    n[last].grad = 1.0;
    for i in (0..n.len()).rev() {
        let node = n[i];
        match node.op {
            1 => {
                n[node.a].grad += node.grad;
                n[node.b].grad += node.grad;
            }
            2 => {
                let (p, q) = (n[node.a].val, n[node.b].val);
                n[node.a].grad += node.grad * q;
                n[node.b].grad += node.grad * p;
            }
            3 => {
                n[node.a].grad += node.grad;
                n[node.b].grad -= node.grad;
            }
            4 => {
                let c = n[node.a].val.cos();
                n[node.a].grad += node.grad * c;
            }
            _ => {}
        }
    }
    (0..x.len()).map(|i| n[i].grad * (i as f64 + 1.0)).sum::<f64>() + n[last].val
}
