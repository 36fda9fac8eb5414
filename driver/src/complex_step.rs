//! The complex step: a derivative to all digits from the user's own source, with `double` compiled as a complex type.
//!
//! The imaginary part of f(x + ihd) is h times the derivative along d, for any h however small, so nothing cancels. No code of it
//! is shared with the plugin. It is possible for C that neither compares active numbers nor looks at their bits: what does
//! the compiler refuses, or its value is another.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::install::{self, Install};
use crate::point::{Point, Values};
use crate::scratch::Scratch;
use crate::signature::{Float, Shape, Signature};

/// The program, where there is one.
pub struct ComplexStep {
    program: PathBuf,
}

/// What stands before the user's source. `fabs` would give the modulus, which has no derivative of this kind.
const BEFORE: &str = "#include <complex.h>\n#include <float.h>\n#include <limits.h>\n#include <stddef.h>\n#include <stdint.h>\n\
                      #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <tgmath.h>\n\
                      typedef double backsweep_real;\n#undef fabs\n#define fabs(x) backsweep_has_no_complex_fabs(x)\n\
                      #define double _Complex double\n#define main backsweep_user_main\n";

/// Small enough that its square is nothing beside one.
const STEP: &str = "0x1p-300";

impl ComplexStep {
    /// `None` where the source cannot be compiled this way.
    pub fn build(
        source: &Path,
        signature: &Signature,
        point: &Point,
        flags: &[OsString],
        install: &Install,
        scratch: &Scratch,
    ) -> Option<ComplexStep> {
        let text = write_program(source, signature, point)?;
        let (file, program) = (scratch.path("complex.c"), scratch.path("complex"));
        fs::write(&file, text).ok()?;
        let mut command = Command::new(install::find_tool("clang").ok()?);
        command
            .args(["-O1", "-w", "-Werror=implicit-function-declaration", "-I"])
            .arg(install.include().ok()?);
        command.args(flags).arg(&file).arg("-o").arg(&program).arg("-lm");
        let status =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        status.success().then_some(ComplexStep { program })
    }

    /// The value and the derivative, at a point along a direction: for each number the one and the other, as C reads them.
    pub fn derivative(&self, numbers: &str, scratch: &Scratch) -> Option<(f64, f64)> {
        let (asked, answer) = (scratch.path("complex.in"), scratch.path("complex.out"));
        fs::write(&asked, numbers).ok()?;
        let mut command = Command::new(&self.program);
        command.arg(&asked).arg(&answer).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if !command.status().ok()?.success() {
            return None;
        }
        let answer = fs::read_to_string(answer).ok()?;
        let (value, derivative) = answer.trim().split_once(' ')?;
        Some((value.parse().ok()?, derivative.parse().ok()?))
    }
}

fn write_program(source: &Path, signature: &Signature, point: &Point) -> Option<String> {
    let source = source.canonicalize().ok()?;
    let mut main = String::new();
    let mut arguments = Vec::new();
    for (at, (param, values)) in signature.params.iter().zip(&point.values).enumerate() {
        let name = format!("backsweep_x{at}");
        // Writing to a string cannot fail.
        let _ = match (param.shape, values) {
            (Shape::Float(Float::Double) | Shape::Floats(Float::Double), Values::Floats(numbers)) => {
                let count = numbers.len();
                writeln!(
                    main,
                    "  static _Complex double {name}[{count}];\n  read_numbers(asked, {name}, {count});"
                )
            }
            (Shape::Integer(bits) | Shape::Integers(bits), Values::Integers(numbers)) => {
                let bits = if bits == 1 { 8 } else { bits };
                let numbers: Vec<String> = numbers.iter().map(i128::to_string).collect();
                writeln!(main, "  static int{bits}_t {name}[] = {{{}}};", numbers.join(", "))
            }
            _ => return None,
        };
        let scalar = matches!(param.shape, Shape::Float(_) | Shape::Integer(_));
        arguments.push(if scalar { format!("{name}[0]") } else { name });
    }
    let readable =
        signature.ret == Float::Double && signature.name.chars().all(|c| c.is_alphanumeric() || c == '_');
    readable.then(|| {
        format!(
            "{BEFORE}#include \"{}\"\n#undef double\n#undef main\n\
             static void read_numbers(FILE *asked, _Complex double *x, int count)\n{{\n  for (int i = 0; i < count; i++) {{\n    \
             double at, along;\n    if (fscanf(asked, \"%la %la\", &at, &along) != 2)\n      exit(1);\n    \
             x[i] = at + {STEP} * along * I;\n  }}\n}}\n\
             int main(int count, char **names)\n{{\n  FILE *asked = fopen(names[1], \"r\"), *answer = fopen(names[2], \"w\");\n{main}  \
             _Complex double y = {}({});\n  fprintf(answer, \"%.17g %.17g\\n\", __real__ y, __imag__ y / {STEP});\n  \
             return fclose(answer);\n}}\n",
            source.display(),
            signature.name,
            arguments.join(", ")
        )
    })
}
