//! Trait objects, generics over traits, enums with data, matching and default methods.

trait Layer {
    fn apply(&self, v: f64) -> f64;
    fn twice(&self, v: f64) -> f64 {
        self.apply(self.apply(v))
    }
}

struct Affine {
    slope: f64,
    shift: f64,
}

enum Gate {
    Tanh,
    Soft(f64),
    Cubic { a: f64, b: f64 },
}

impl Layer for Affine {
    fn apply(&self, v: f64) -> f64 {
        self.slope.mul_add(v, self.shift)
    }
}

impl Layer for Gate {
    fn apply(&self, v: f64) -> f64 {
        match self {
            Gate::Tanh => v.tanh(),
            Gate::Soft(sharp) => (sharp * v).exp().ln_1p() / sharp,
            Gate::Cubic { a, b } => a * v * v * v - b * v,
        }
    }
    fn twice(&self, v: f64) -> f64 {
        0.5 * self.apply(2.0 * v)
    }
}

fn compose<L: Layer>(layers: &[L], v: f64) -> f64 {
    layers.iter().fold(v, |v, layer| layer.twice(v))
}

/// # Safety
/// `x` points to `n` readable numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn f(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let network: Vec<Box<dyn Layer>> = vec![
        Box::new(Affine { slope: x[0], shift: x[1] }),
        Box::new(Gate::Tanh),
        Box::new(Gate::Cubic { a: x[2], b: 0.3 }),
        Box::new(Affine { slope: 1.5, shift: x[3] }),
    ];
    let gates = [Gate::Soft(1.0 + x[0] * x[0]), Gate::Tanh, Gate::Cubic { a: 0.2, b: x[1] }];
    let through: f64 = x.iter().map(|v| network.iter().fold(*v, |v, layer| layer.twice(v))).sum();
    through + compose(&gates, x[2])
}

fn main() {
    let x = [0.5, -0.25, 0.75, 1.25];
    println!("{:.9}", unsafe { f(x.as_ptr(), 4) });
}
