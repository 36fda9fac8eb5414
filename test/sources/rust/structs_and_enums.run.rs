// Structs, enums and matches; tuples and options as results.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]

#[derive(Clone, Copy)]
enum Shape {
    Circle { radius: f64 },
    Box(f64, f64),
    Nothing,
}

struct Body {
    shape: Shape,
    density: f64,
}

impl Body {
    fn mass(&self) -> f64 {
        let area = match self.shape {
            Shape::Circle { radius } => std::f64::consts::PI * radius * radius,
            Shape::Box(a, b) => a * b,
            Shape::Nothing => 0.0,
        };
        area * self.density
    }
}

fn solve(a: f64, b: f64, c: f64) -> Option<(f64, f64)> {
    let inside = b * b - 4.0 * a * c;
    if inside < 0.0 {
        return None;
    }
    let root = inside.sqrt();
    Some(((-b - root) / (2.0 * a), (-b + root) / (2.0 * a)))
}

fn f(x: &[f64]) -> f64 {
    let bodies = [
        Body { shape: Shape::Circle { radius: x[0] }, density: x[1] },
        Body { shape: Shape::Box(x[2], x[3]), density: 2.0 },
        Body { shape: Shape::Nothing, density: x[0] },
    ];
    let mass: f64 = bodies.iter().map(Body::mass).sum();
    let (low, high) = solve(x[0], x[3], x[2]).unwrap_or((0.0, mass));
    mass + low * high + high.hypot(mass)
}

include!("../Inputs/requests.rs");
