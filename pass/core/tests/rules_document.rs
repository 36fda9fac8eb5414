//! `docs/rules.md` is what the tables say. `BLESS=1 cargo test -p backsweep-core` rewrites it.

use std::path::Path;

use backsweep_core::rules::{Rules, write_document};

#[test]
fn document_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let fresh = write_document(&Rules::new());
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("docs")).expect("docs can be made");
        std::fs::write(&path, &fresh).expect("docs/rules.md can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(fresh.lines()).find(|(old, new)| old != new);
    assert!(kept == fresh, "docs/rules.md is stale; run with BLESS=1. First difference: {differs:?}");
}
