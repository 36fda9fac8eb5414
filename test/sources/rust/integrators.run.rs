// An integrator over a trait, generic and dyn, with const generics arrays and error estimate.
// RUN: %levels %s conditioned 0.8 1.3 -0.4 2.1
#![no_main]
trait System<const N: usize> { fn rhs(&self, t: f64, y: &[f64; N]) -> [f64; N]; }
struct Lorenz { sigma: f64, rho: f64, beta: f64 }
struct Pendulum { length: f64, damping: f64 }
impl System<3> for Lorenz { fn rhs(&self, _t: f64, y: &[f64; 3]) -> [f64; 3] { [self.sigma * (y[1] - y[0]), y[0] * (self.rho - y[2]) - y[1], y[0] * y[1] - self.beta * y[2]] } }
impl System<2> for Pendulum { fn rhs(&self, t: f64, y: &[f64; 2]) -> [f64; 2] { [y[1], -y[0].sin() / self.length - self.damping * y[1] + 0.1 * t.cos()] } }
fn axpy<const N: usize>(a: f64, x: &[f64; N], y: &[f64; N]) -> [f64; N] { std::array::from_fn(|i| a * x[i] + y[i]) }
fn rk4<const N: usize>(sys: &dyn System<N>, mut y: [f64; N], h: f64, steps: usize) -> Vec<[f64; N]> {
    let mut out = Vec::with_capacity(steps + 1);
    out.push(y);
    for k in 0..steps {
        let t = k as f64 * h;
        let k1 = sys.rhs(t, &y);
        let k2 = sys.rhs(t + h / 2.0, &axpy(h / 2.0, &k1, &y));
        let k3 = sys.rhs(t + h / 2.0, &axpy(h / 2.0, &k2, &y));
        let k4 = sys.rhs(t + h, &axpy(h, &k3, &y));
        for i in 0..N { y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]); }
        out.push(y);
    }
    out
}
fn f(x: &[f64]) -> f64 {
    let l = Lorenz { sigma: 2.0 * x[0], rho: x[1], beta: x[3] };
    let a = rk4(&l, [x[0], x[1], x[2]], 0.02, 10);
    let p = Pendulum { length: x[3], damping: 0.1 * x[1] };
    let b = rk4(&p, [x[2], 0.0], 0.05, 12);
    let last = a.last().unwrap();
    last.iter().sum::<f64>() + b.iter().map(|y| y[0] * y[0]).fold(0.0, f64::max) + a.windows(2).map(|w| (w[1][0] - w[0][0]).powi(2)).sum::<f64>()
}
include!("../Inputs/requests.rs");
