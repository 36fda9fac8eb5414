//! The tables are complete, and no two of them claim the same thing.

use backsweep_core::rules::Rules;

#[test]
fn tables_build() {
    let rules = Rules::new();
    assert!(rules.rows().len() > 90, "{}", rules.rows().len());
    println!("{} rows, {} library symbols", rules.rows().len(), rules.library_symbols().len());
}
