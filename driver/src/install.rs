//! Where the plugin, the runtime, the headers and LLVM's tools are.
//!
//! The driver stands either in `target/release` beside what cargo built, or in `PREFIX/bin` of an installation.
//! `BACKSWEEP_PLUGIN`, `BACKSWEEP_RUNTIME`, `BACKSWEEP_INCLUDE` and `BACKSWEEP_LLVM_BIN` override what it finds.

use std::env;
use std::path::{Path, PathBuf};

use crate::refusal::{Code, Refusal};

/// What the runtime library needs of the system.
pub const SYSTEM_LIBRARIES: [&str; 3] = ["-lm", "-lpthread", "-ldl"];

const LLVM_BIN: &str = "/usr/lib/llvm-22/bin";

pub struct Install {
    /// The directory of the driver itself, with symbolic links resolved.
    directory: PathBuf,
}

impl Install {
    pub fn find() -> Result<Install, Refusal> {
        let executable = env::current_exe().and_then(|path| path.canonicalize()).map_err(|error| {
            Refusal::new(Code::Installation, format!("cannot tell where the driver is installed: {error}"))
        })?;
        let directory = executable.parent().unwrap_or(Path::new("/")).to_path_buf();
        Ok(Install { directory })
    }

    pub fn plugin(&self) -> Result<PathBuf, Refusal> {
        self.locate("BACKSWEEP_PLUGIN", "libbacksweep.so", &[".", "../lib/backsweep"])
    }

    pub fn runtime(&self) -> Result<PathBuf, Refusal> {
        self.locate("BACKSWEEP_RUNTIME", "libbacksweep_rt.a", &[".", "../lib/backsweep"])
    }

    /// The directory that holds `backsweep.h`.
    pub fn include(&self) -> Result<PathBuf, Refusal> {
        if let Some(given) = env::var_os("BACKSWEEP_INCLUDE") {
            return Ok(PathBuf::from(given));
        }
        // The installation's own first: what lies beside the prefix is somebody else's.
        let header = self.locate("BACKSWEEP_INCLUDE", "backsweep.h", &["../include", "../../include"])?;
        Ok(header.parent().unwrap_or(Path::new(".")).to_path_buf())
    }

    /// The directory that holds `backsweep.mod`; none where there was no flang to write it.
    pub fn fortran_modules(&self) -> Option<PathBuf> {
        let places = [".", "../include"].map(|place| self.directory.join(place));
        places.into_iter().find(|place| place.join("backsweep.mod").is_file())
    }

    fn locate(&self, variable: &str, name: &str, places: &[&str]) -> Result<PathBuf, Refusal> {
        if let Some(given) = env::var_os(variable).map(PathBuf::from) {
            return match given.is_file() {
                true => Ok(given),
                false => Err(Refusal::new(
                    Code::Installation,
                    format!("{variable} names {}, which is no file", given.display()),
                )),
            };
        }
        places
            .iter()
            .filter_map(|place| self.directory.join(place).join(name).canonicalize().ok())
            .find(|path| path.is_file())
            .ok_or_else(|| {
                let here = self.directory.display();
                Refusal::new(
                    Code::Installation,
                    format!(
                        "{name} is not installed beside {here}; build it with `make build` or set {variable}"
                    ),
                )
            })
    }
}

/// A tool of LLVM 22: `clang`, `opt`, `flang`, …
pub fn find_tool(name: &str) -> Result<PathBuf, Refusal> {
    let directory = env::var_os("BACKSWEEP_LLVM_BIN").unwrap_or_else(|| LLVM_BIN.into());
    let inside = Path::new(&directory).join(name);
    let suffixed = format!("{name}-22");
    let on_path = env::var_os("PATH")
        .map(|path| env::split_paths(&path).map(|entry| entry.join(&suffixed)).collect::<Vec<_>>())
        .unwrap_or_default();
    std::iter::once(inside).chain(on_path).find(|path| path.is_file()).ok_or_else(|| {
        Refusal::new(
            Code::Installation,
            format!("{suffixed} is missing; on Debian: apt-get install {}", package_of(name)),
        )
    })
}

fn package_of(tool: &str) -> &'static str {
    match tool {
        "flang" => "flang-22",
        "clang" | "clang++" => "clang-22",
        _ => "llvm-22",
    }
}
