//! The complex step: a derivative to all digits from the user's own C or C++, with `double` compiled as a complex type.
//!
//! The imaginary part of f(x + ihd) is h times the derivative along d, for any h however small, so nothing cancels. No code of it
//! is shared with the plugin. It is possible for C that neither compares active numbers nor looks at their bits: what does
//! the compiler refuses, or its value is another. In C++ the type is one of ours, which compares real parts.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::install::{self, Install};
use crate::point::{Point, Values};
use crate::scratch::Scratch;
use crate::signature::{Float, Shape, Signature};
use crate::translate::Language;

/// The program, where there is one.
pub struct ComplexStep {
    program: PathBuf,
}

/// `fabs` would give the modulus, which has no derivative of this kind.
const BEFORE_C: &str = "#include <complex.h>\n#include <float.h>\n#include <limits.h>\n#include <stddef.h>\n#include <stdint.h>\n\
                      #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <tgmath.h>\n\
                      typedef double backsweep_real;\n#undef fabs\n#define fabs(x) backsweep_has_no_complex_fabs(x)\n\
                      #define double _Complex double\n#define main backsweep_user_main\n";

/// Small enough that its square is nothing beside one.
const STEP: &str = "0x1p-300";

impl ComplexStep {
    /// `None` where the source cannot be compiled this way.
    pub fn build(
        source: &Path,
        language: Language,
        signature: &Signature,
        point: &Point,
        flags: &[OsString],
        install: &Install,
        scratch: &Scratch,
    ) -> Option<ComplexStep> {
        let dialect = Dialect::of(language)?;
        let text = dialect.write_program(source, signature, point)?;
        let (file, program) = (scratch.path(dialect.file), scratch.path("complex"));
        fs::write(&file, text).ok()?;
        let mut command = Command::new(install::find_tool(dialect.compiler).ok()?);
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

/// What differs between the two languages.
struct Dialect {
    file: &'static str,
    compiler: &'static str,
    /// What stands before the user's source.
    before: &'static str,
    number: &'static str,
    /// A number, from the point and the direction.
    join: &'static str,
    /// The parts of the value.
    parts: &'static str,
}

const C: Dialect = Dialect {
    file: "complex.c",
    compiler: "clang",
    before: BEFORE_C,
    number: "_Complex double",
    join: "at + step * along * I",
    parts: "__real__ y, __imag__ y",
};

const CPP: Dialect = Dialect {
    file: "complex.cpp",
    compiler: "clang++",
    before: include_str!("complex_step.hpp"),
    number: "backsweep_number",
    join: "{at, step * along}",
    parts: "y.real(), y.imaginary()",
};

impl Dialect {
    fn of(language: Language) -> Option<&'static Dialect> {
        match language {
            Language::C => Some(&C),
            Language::Cpp => Some(&CPP),
            Language::Fortran | Language::Rust | Language::Ir => None,
        }
    }

    /// The user's source, and a `main` that calls the function.
    fn write_program(&self, source: &Path, signature: &Signature, point: &Point) -> Option<String> {
        let source = source.canonicalize().ok()?;
        let cpp = self.file == CPP.file;
        let number = self.number;
        let (mut main, mut arguments) = (String::new(), Vec::new());
        for (at, (param, values)) in signature.params.iter().zip(&point.values).enumerate() {
            let name = format!("backsweep_x{at}");
            // Writing to a string cannot fail.
            let element = match (param.shape, values) {
                (Shape::Float(Float::Double) | Shape::Floats(Float::Double), Values::Floats(numbers)) => {
                    let count = numbers.len();
                    let _ = writeln!(
                        main,
                        "  static {number} {name}[{count}];\n  read_numbers(asked, {name}, {count});"
                    );
                    number.to_string()
                }
                (Shape::Integer(bits) | Shape::Integers(bits), Values::Integers(numbers)) => {
                    let integer = format!("int{}_t", if bits == 1 { 8 } else { bits });
                    let numbers: Vec<String> = numbers.iter().map(i128::to_string).collect();
                    let _ = writeln!(main, "  static {integer} {name}[] = {{{}}};", numbers.join(", "));
                    integer
                }
                _ => return None,
            };
            arguments.push(match param.shape {
                Shape::Float(_) | Shape::Integer(_) => format!("{name}[0]"),
                // C++ may want a reference.
                _ if cpp => format!("backsweep_passed<{element}>{{{name}}}"),
                _ => name,
            });
        }
        // Template arguments are told from the arguments, and what has no name is in this file.
        let function = match cpp {
            true => signature.qualified.split('<').next()?.replace("(anonymous namespace)::", ""),
            false => signature.name.clone(),
        };
        let readable = |c: char| c.is_alphanumeric() || c == '_' || (cpp && c == ':');
        (signature.ret == Float::Double && function.chars().all(readable)).then(|| {
            format!(
                "{}\n#include \"{}\"\n#undef double\n#undef main\n\
                 static const double step = {STEP};\n\
                 static void read_numbers(FILE *asked, {number} *x, int count)\n{{\n  for (int i = 0; i < count; i++) {{\n    \
                 double at, along;\n    if (fscanf(asked, \"%la %la\", &at, &along) != 2)\n      exit(1);\n    \
                 x[i] = {};\n  }}\n}}\n\
                 int main(int count, char **names)\n{{\n  FILE *asked = fopen(names[1], \"r\"), *answer = fopen(names[2], \"w\");\n{main}  \
                 {number} y = {function}({});\n  const double parts[] = {{{}}};\n  \
                 fprintf(answer, \"%.17g %.17g\\n\", parts[0], parts[1] / step);\n  return fclose(answer);\n}}\n",
                self.before,
                source.display(),
                self.join,
                arguments.join(", "),
                self.parts,
            )
        })
    }
}
