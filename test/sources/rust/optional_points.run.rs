// Points that may be missing, and the smallest and largest of a slice that may be empty.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Point {
    x: f64,
    y: f64,
    group: i32,
}
impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, o: Point) -> Point {
        Point { x: self.x + o.x, y: self.y + o.y, group: self.group }
    }
}
fn centroid(p: &[Point]) -> Option<Point> {
    let s = p.iter().copied().reduce(|a, b| a + b)?;
    Some(Point { x: s.x / p.len() as f64, y: s.y / p.len() as f64, ..s })
}
fn minmax(v: &[f64]) -> Option<(f64, f64)> {
    if v.is_empty() {
        return None;
    }
    Some(v.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x))))
}
fn f(x: &[f64]) -> f64 {
    let pts = [Point { x: x[0], y: x[1], group: 1 }, Point { x: x[2], y: x[3], group: 2 }];
    let mut sum = 0.0;
    for c in [centroid(&pts), centroid(&pts[1..]), centroid(&[])].into_iter().flatten() {
        sum += c.x * c.y + c.group as f64;
    }
    if let Some((lo, hi)) = minmax(x) {
        sum += hi * hi - lo;
    }
    sum
}
include!("../Inputs/requests.rs");
