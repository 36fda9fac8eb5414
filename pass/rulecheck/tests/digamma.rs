//! Digamma, from the runtime, against difference quotients of log Γ in quad.

use backsweep_core::rules::Rules;
use backsweep_rulecheck::{Point, evaluate, partial};

#[test]
fn digamma_holds_its_promise() {
    let rules = Rules::new();
    let row = rules.row("lgamma").expect("a row");
    let mut worst = (0.0, 0.0);
    // Steps that hit no pole; both sides of 0, the root at 1.4616 and the switch at 10.
    let sweep = (0..4000).map(|step| -20.0 + 0.012_3 * f64::from(step));
    for x in sweep.chain([1.461_632_144, 1.461_632_145, 1e-9, -1e-9, 1e6]) {
        let wanted = partial(row, &[x], 0, 0).value;
        let found = evaluate(row.form(0, 0), &Point::new(row, &[x]), 1.0);
        // Left of 0 two terms cancel between poles, and the promise is about the larger.
        let scale = if x > 0.0 { wanted.abs() } else { wanted.abs().max((1.0 - x).ln()) };
        let error = (found - wanted).abs() / scale;
        if error > worst.0 {
            worst = (error, x);
        }
    }
    println!("worst relative error {:e} at {}", worst.0, worst.1);
    assert!(worst.0 < 4e-15, "{worst:?}");
}
