pub mod functions {
    pub fn rosenbrock(x: f64, y: f64) -> f64 {
        let a = 1.0 - x;
        let b = y - x * x;
        a * a + 100.0 * b * b
    }
}
