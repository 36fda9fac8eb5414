fn main() {
    let g = backsweep::gradient(|x: &[f64]| x[0] * x[1] * x[1], &[2.0, 3.0]);
    assert_eq!(g, [9.0, 12.0]);
}
