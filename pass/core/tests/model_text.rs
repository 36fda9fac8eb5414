//! Hand-written models are printed as expected. `BLESS=1 cargo test` writes the expectation anew.

use std::path::{Path, PathBuf};

use backsweep_core::model::{parse_program, verify};

#[test]
fn hand_written_models_print_as_expected() {
    let inputs = inputs();
    assert!(inputs.len() >= 2, "models are missing in tests/model");
    for input in inputs {
        let program = parse_program(&std::fs::read_to_string(&input).unwrap())
            .unwrap_or_else(|error| panic!("{}:{error}", input.display()));
        let violations: Vec<String> = verify(&program).iter().map(ToString::to_string).collect();
        assert!(violations.is_empty(), "{}:\n{}", input.display(), violations.join("\n"));
        let printed = program.to_string();
        let expected = input.with_extension("printed");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected, &printed).unwrap();
        }
        let expected = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(printed, expected, "{} prints differently now", input.display());
        assert_eq!(parse_program(&printed).as_ref(), Ok(&program), "{}", input.display());
    }
}

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/model");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    files
}
