//! Writes the functions that the driver's C program calls: LLVM IR that is appended to the IR of the user's file.
//!
//! Standing in the same module, they reach functions of internal linkage and need no declaration in the user's language.
//! `program.h` is the other side: value, gradient and tangent without arguments, and a table of the float parameters with
//! their points, shadows and directions, one row a parameter in the order of the parameters.

use std::fmt::Write;

use crate::point::{Point, Values};
use crate::signature::{Float, Param, Shape, Signature};

/// Which derivatives a program needs. What is not asked for is not refused either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    Reverse,
    ReverseAndForward,
}

const GRADIENT: &str = "__backsweep_gradient_backsweep_driver";
const TANGENT: &str = "__backsweep_tangent_backsweep_driver";
const TOKENS: [&str; 3] = ["bs_out", "bs_dup", "bs_const"];

/// What each number of the table is, row after row: `x`, `y[0]`, `y[1]`.
pub fn name_numbers(signature: &Signature, point: &Point) -> Vec<String> {
    let mut names = Vec::new();
    for (index, param, _) in floats(signature) {
        match length(&point.values[index]) {
            // A scalar by reference, as Fortran passes them, is no array to its user.
            1 => names.push(param.name.clone()),
            count => names.extend((0..count).map(|i| format!("{}[{i}]", param.name))),
        }
    }
    names
}

/// The user's module with our functions added.
pub fn append_program(text: &str, signature: &Signature, point: &Point, modes: Modes) -> String {
    // The user's own `main` gets out of the way.
    let mut module = text.replace("@main(", "@backsweep.user.main(");
    module.push('\n');
    let mut harness = Harness { out: module, signature, point };
    let written = harness.write_globals(text).and_then(|()| harness.write_functions(modes));
    written.expect("writing to a string succeeds");
    harness.out
}

struct Harness<'a> {
    out: String,
    signature: &'a Signature,
    point: &'a Point,
}

impl Harness<'_> {
    /// All of them visible to the other module: the optimiser must not compute the answer for this one point by itself.
    fn write_globals(&mut self, text: &str) -> std::fmt::Result {
        let mut rows = Vec::new();
        for (index, (param, values)) in self.signature.params.iter().zip(&self.point.values).enumerate() {
            let (count, ty) = (length(values), element_type(param.shape));
            writeln!(
                self.out,
                "@backsweep.point{index} = global [{count} x {ty}] {}",
                write_values(param.shape, values)
            )?;
            if is_memory(param.shape) {
                // The function may overwrite its arguments, and is called more than once.
                writeln!(self.out, "@backsweep.work{index} = global [{count} x {ty}] zeroinitializer")?;
            }
            let Some(float) = param.shape.float() else { continue };
            for name in ["shadow", "direction", "pushed"] {
                writeln!(self.out, "@backsweep.{name}{index} = global [{count} x {ty}] zeroinitializer")?;
            }
            let kind = match float {
                Float::Single => 0,
                Float::Double => 1,
                Float::Extended => 2,
            };
            rows.push(format!(
                "{{ ptr, ptr, ptr, i64, i64 }} {{ ptr @backsweep.point{index}, ptr @backsweep.shadow{index}, \
                 ptr @backsweep.direction{index}, i64 {count}, i64 {kind} }}"
            ));
        }
        writeln!(self.out, "@backsweep_driver_input_count = constant i64 {}", rows.len())?;
        writeln!(
            self.out,
            "@backsweep_driver_inputs = constant [{} x {{ ptr, ptr, ptr, i64, i64 }}] [{}]",
            rows.len(),
            rows.join(", ")
        )?;
        for token in TOKENS {
            // The user's file may declare it too.
            if !text.contains(&format!("@{token} = ")) {
                writeln!(self.out, "@{token} = external global i32")?;
            }
        }
        writeln!(self.out, "declare void @backsweep_driver_copy(ptr, ptr, i64)")?;
        writeln!(self.out, "declare void @backsweep_driver_clear(ptr, i64)")
    }

    fn write_functions(&mut self, modes: Modes) -> std::fmt::Result {
        self.write_value()?;
        self.write_gradient()?;
        match modes {
            Modes::Reverse => Ok(()),
            Modes::ReverseAndForward => self.write_tangent(),
        }
    }

    fn write_value(&mut self) -> std::fmt::Result {
        writeln!(self.out, "define double @backsweep_driver_value() {{")?;
        self.write_inputs()?;
        let mut arguments = Vec::new();
        for (index, param) in self.signature.params.iter().enumerate() {
            let extension = param.extension.as_deref().map(|e| format!(" {e}")).unwrap_or_default();
            match param.shape {
                Shape::Float(_) | Shape::Integer(_) => {
                    arguments.push(format!("{}{extension} %x{index}", element_type(param.shape)));
                }
                Shape::Floats(_) | Shape::Integers(_) => {
                    arguments.push(format!("ptr @backsweep.work{index}"))
                }
                Shape::Slice(_) => {
                    arguments.push(format!("ptr @backsweep.work{index}"));
                    arguments.push(format!("i64 {}", length(&self.point.values[index])));
                }
            }
        }
        let (ty, symbol) = (self.signature.ret.ir(), &self.signature.symbol);
        writeln!(self.out, "  %result = call {ty} @\"{symbol}\"({})", arguments.join(", "))?;
        self.write_return()
    }

    fn write_gradient(&mut self) -> std::fmt::Result {
        writeln!(self.out, "define void @backsweep_driver_gradient() {{")?;
        self.write_inputs()?;
        for (index, _, float) in floats(self.signature) {
            let bytes = length(&self.point.values[index]) * bytes_of(float.ir());
            writeln!(
                self.out,
                "  call void @backsweep_driver_clear(ptr @backsweep.shadow{index}, i64 {bytes})"
            )?;
        }
        let outs: Vec<(usize, Float)> =
            floats(self.signature).filter(|(_, p, _)| !is_memory(p.shape)).map(|(i, _, f)| (i, f)).collect();
        let types: Vec<&str> = outs.iter().map(|(_, float)| float.ir()).collect();
        let returned = match types[..] {
            [] => "void".to_string(),
            [one] => one.to_string(),
            _ => format!("{{ {} }}", types.join(", ")),
        };
        let result = if outs.is_empty() { "" } else { "%result = " };
        let arguments = self.hook_arguments("bs_out", "shadow");
        writeln!(self.out, "  {result}call {returned} @{GRADIENT}({})", arguments.join(", "))?;
        for (position, (index, float)) in outs.iter().enumerate() {
            let mut value = "%result".to_string();
            if outs.len() > 1 {
                value = format!("%out{index}");
                writeln!(self.out, "  {value} = extractvalue {returned} %result, {position}")?;
            }
            writeln!(self.out, "  store {} {value}, ptr @backsweep.shadow{index}", float.ir())?;
        }
        writeln!(self.out, "  ret void\n}}")?;
        writeln!(self.out, "declare {returned} @{GRADIENT}({})", types_of(&arguments))
    }

    fn write_tangent(&mut self) -> std::fmt::Result {
        writeln!(self.out, "define double @backsweep_driver_tangent() {{")?;
        self.write_inputs()?;
        for (index, param, float) in floats(self.signature) {
            if is_memory(param.shape) {
                let bytes = length(&self.point.values[index]) * bytes_of(float.ir());
                self.write_copy(&format!("pushed{index}"), &format!("direction{index}"), bytes)?;
            } else {
                writeln!(self.out, "  %d{index} = load {}, ptr @backsweep.direction{index}", float.ir())?;
            }
        }
        let ty = self.signature.ret.ir();
        let arguments = self.hook_arguments("bs_dup", "pushed");
        writeln!(self.out, "  %result = call {ty} @{TANGENT}({})", arguments.join(", "))?;
        self.write_return()?;
        writeln!(self.out, "declare {ty} @{TANGENT}({})", types_of(&arguments))
    }

    fn write_inputs(&mut self) -> std::fmt::Result {
        for token in TOKENS {
            writeln!(self.out, "  %{token} = load i32, ptr @{token}")?;
        }
        for (index, param) in self.signature.params.iter().enumerate() {
            let ty = element_type(param.shape);
            if is_memory(param.shape) {
                let bytes = length(&self.point.values[index]) * bytes_of(&ty);
                self.write_copy(&format!("work{index}"), &format!("point{index}"), bytes)?;
            } else {
                writeln!(self.out, "  %x{index} = load {ty}, ptr @backsweep.point{index}")?;
            }
        }
        Ok(())
    }

    fn write_copy(&mut self, to: &str, from: &str, bytes: usize) -> std::fmt::Result {
        writeln!(
            self.out,
            "  call void @backsweep_driver_copy(ptr @backsweep.{to}, ptr @backsweep.{from}, i64 {bytes})"
        )
    }

    fn write_return(&mut self) -> std::fmt::Result {
        let conversion = match self.signature.ret {
            Float::Double => return writeln!(self.out, "  ret double %result\n}}"),
            Float::Single => "fpext",
            Float::Extended => "fptrunc",
        };
        writeln!(self.out, "  %double = {conversion} {} %result to double", self.signature.ret.ir())?;
        writeln!(self.out, "  ret double %double\n}}")
    }

    /// Every parameter with its token, so that nothing depends on what a hook assumes without one. A float by value is
    /// `bs_out` in reverse mode and has a direction in forward mode.
    fn hook_arguments(&self, by_value: &str, shadows: &str) -> Vec<String> {
        let mut arguments = vec![format!("ptr @\"{}\"", self.signature.symbol)];
        for (index, param) in self.signature.params.iter().enumerate() {
            let ty = element_type(param.shape);
            match param.shape {
                Shape::Float(_) => {
                    arguments.extend([format!("i32 %{by_value}"), format!("{ty} %x{index}")]);
                    if by_value == "bs_dup" {
                        arguments.push(format!("{ty} %d{index}"));
                    }
                }
                Shape::Integer(_) => arguments.extend(["i32 %bs_const".into(), format!("{ty} %x{index}")]),
                Shape::Floats(_) | Shape::Slice(_) => arguments.extend([
                    "i32 %bs_dup".into(),
                    format!("ptr @backsweep.work{index}"),
                    format!("ptr @backsweep.{shadows}{index}"),
                ]),
                Shape::Integers(_) => {
                    arguments.extend(["i32 %bs_const".into(), format!("ptr @backsweep.work{index}")]);
                }
            }
            if let Shape::Slice(_) = param.shape {
                arguments.push("i32 %bs_const".into());
                arguments.push(format!("i64 {}", length(&self.point.values[index])));
            }
        }
        arguments
    }
}

/// The types of arguments that are written as IR has them, each before its value.
fn types_of(arguments: &[String]) -> String {
    let types: Vec<&str> = arguments.iter().filter_map(|argument| argument.split(' ').next()).collect();
    types.join(", ")
}

fn floats(signature: &Signature) -> impl Iterator<Item = (usize, &Param, Float)> {
    let params = signature.params.iter().enumerate();
    params.filter_map(|(index, param)| param.shape.float().map(|float| (index, param, float)))
}

fn is_memory(shape: Shape) -> bool {
    !matches!(shape, Shape::Float(_) | Shape::Integer(_))
}

fn element_type(shape: Shape) -> String {
    match shape {
        Shape::Float(float) | Shape::Floats(float) | Shape::Slice(float) => float.ir().to_string(),
        Shape::Integer(bits) | Shape::Integers(bits) => format!("i{bits}"),
    }
}

/// What one element takes in memory.
fn bytes_of(ty: &str) -> usize {
    match ty {
        "float" => 4,
        "double" => 8,
        "x86_fp80" => 16,
        _ => {
            let bits: usize = ty.trim_start_matches('i').parse().unwrap_or(64);
            bits.div_ceil(8).next_power_of_two()
        }
    }
}

fn length(values: &Values) -> usize {
    match values {
        Values::Floats(values) => values.len(),
        Values::Integers(values) => values.len(),
    }
}

fn write_values(shape: Shape, values: &Values) -> String {
    let ty = element_type(shape);
    let list: Vec<String> = match (shape.float(), values) {
        (Some(float), Values::Floats(values)) => {
            values.iter().map(|&value| format!("{ty} {}", write_float(float, value))).collect()
        }
        (None, Values::Integers(values)) => values.iter().map(|value| format!("{ty} {value}")).collect(),
        _ => unreachable!("bind_point reads whole numbers for integers and floats for floats"),
    };
    format!("[{}]", list.join(", "))
}

/// IR writes a float as the bits of the double of the same value, and the 80-bit one as its own bits.
fn write_float(float: Float, value: f64) -> String {
    match float {
        Float::Single => format!("0x{:016X}", f64::from(value as f32).to_bits()),
        Float::Double => format!("0x{:016X}", value.to_bits()),
        Float::Extended => write_extended(value),
    }
}

/// Sign and exponent in 16 bits, then the mantissa with its leading one.
fn write_extended(value: f64) -> String {
    let bits = value.to_bits();
    let (sign, exponent, fraction) = (bits >> 63, bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (exponent, mantissa) = match exponent {
        0 if fraction == 0 => (0, 0),
        // A number too small for a leading one in a double has one here.
        0 => {
            let shift = fraction.leading_zeros();
            (16383 - 1011 - u64::from(shift), fraction << shift)
        }
        0x7ff => (0x7fff, 1 << 63 | fraction << 11),
        _ => (exponent + 16383 - 1023, 1 << 63 | fraction << 11),
    };
    format!("0xK{:04X}{mantissa:016X}", sign << 15 | exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Signature, Point) {
        let param = |name: &str, shape| Param { name: name.into(), shape, extension: None };
        let signature = Signature {
            name: "f".into(),
            qualified: "f".into(),
            symbol: "f".into(),
            ret: Float::Double,
            params: vec![
                param("x", Shape::Float(Float::Double)),
                param("v", Shape::Slice(Float::Single)),
                param("w", Shape::Float(Float::Single)),
                param("n", Shape::Integer(32)),
            ],
        };
        let values = vec![
            Values::Floats(vec![1.0]),
            Values::Floats(vec![0.5, 0.1]),
            Values::Floats(vec![2.0]),
            Values::Integers(vec![-3]),
        ];
        (signature, Point { values })
    }

    #[test]
    fn every_number_has_a_name() {
        let (signature, point) = example();
        assert_eq!(name_numbers(&signature, &point), ["x", "v[0]", "v[1]", "w"]);
        let module = append_program("", &signature, &point, Modes::Reverse);
        assert!(module.contains("@backsweep_driver_input_count = constant i64 3"));
        assert!(!module.contains("__backsweep_tangent"));
    }

    #[test]
    fn the_request_carries_tokens_and_exact_types() {
        let (signature, point) = example();
        let declared = "@bs_out = external global i32\n";
        let module = append_program(declared, &signature, &point, Modes::ReverseAndForward);
        assert!(module.contains(
            "call { double, float } @__backsweep_gradient_backsweep_driver(ptr @\"f\", i32 %bs_out, double %x0, \
             i32 %bs_dup, ptr @backsweep.work1, ptr @backsweep.shadow1, i32 %bs_const, i64 2, \
             i32 %bs_out, float %x2, i32 %bs_const, i32 %x3)"
        ));
        assert!(module.contains(
            "declare double @__backsweep_tangent_backsweep_driver(ptr, i32, double, double, i32, ptr, ptr, i32, i64, \
             i32, float, float, i32, i32)"
        ));
        assert_eq!(module.matches("@bs_out = ").count(), 1);
        assert!(module.contains("[2 x float] [float 0x3FE0000000000000, float 0x3FB99999A0000000]"));
    }

    #[test]
    fn the_users_main_is_renamed() {
        let (signature, point) = example();
        let text = "define i32 @main() {\n ret i32 0\n}\ndeclare i32 @main2()";
        let module = append_program(text, &signature, &point, Modes::Reverse);
        assert_eq!(module.matches("define i32 @main(").count(), 0);
        assert!(module.contains("@main2"));
    }

    #[test]
    fn extended_numbers_have_their_own_bits() {
        assert_eq!(write_extended(1.0), "0xK3FFF8000000000000000");
        assert_eq!(write_extended(-0.75), "0xKBFFEC000000000000000");
        assert_eq!(write_extended(0.0), "0xK00000000000000000000");
        // 2^-1074, which is no subnormal here: 16383 - 1074 is 0x3bcd.
        assert_eq!(write_extended(5e-324), "0xK3BCD8000000000000000");
        assert_eq!(write_extended(f64::INFINITY), "0xK7FFF8000000000000000");
    }
}
