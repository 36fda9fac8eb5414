// Layers with nested Vecs and boxed closures, and a name: more code than is inlined at once, most of which goes when it is simplified.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#![no_main]

struct Layer {
    weights: Vec<Vec<f64>>,
    bias: Vec<f64>,
    act: Box<dyn Fn(f64) -> f64>,
}
struct Net {
    layers: Vec<Layer>,
    name: String,
}
impl Layer {
    fn new(n: usize, m: usize, p: &[f64], act: Box<dyn Fn(f64) -> f64>) -> Self {
        let weights = (0..m)
            .map(|i| (0..n).map(|j| p[(i * n + j) % p.len()] * 0.3 + 0.1 * i as f64).collect())
            .collect();
        let bias = (0..m).map(|i| p[i % p.len()].sin()).collect();
        Layer { weights, bias, act }
    }
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.weights
            .iter()
            .zip(self.bias.iter())
            .map(|(row, b)| (self.act)(row.iter().zip(x).map(|(w, v)| w * v).sum::<f64>() + b))
            .collect()
    }
}
impl Net {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        let mut h = x.to_vec();
        for l in &self.layers {
            h = l.forward(&h);
        }
        h
    }
}
fn f(x: &[f64]) -> f64 {
    let s = x[0];
    let mut net = Net { layers: Vec::new(), name: "n".to_string() };
    net.layers.push(Layer::new(4, 5, x, Box::new(|v: f64| v.tanh())));
    net.layers.push(Layer::new(5, 3, x, Box::new(move |v: f64| v * s + v * v)));
    net.layers.push(Layer::new(3, 1, x, Box::new(|v| v)));
    let out = net.run(x);
    out.first().copied().map_or(0.0, |v| v * v) + net.name.len() as f64
}

include!("../Inputs/requests.rs");
