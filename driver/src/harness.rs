//! Writes the `main` that asks for the gradient: LLVM IR that is appended to the IR of the user's file.
//!
//! Standing in the same module, it reaches functions of internal linkage and needs no declaration in the user's
//! language. The numbers it reports are, in order: the value; the derivative of each float by value; the shadow of
//! each array, element by element (`plan_report` says so for the reader).

use std::fmt::Write;

use crate::point::{Point, Values};
use crate::signature::{Float, Param, Shape, Signature};

/// Prints to a file of its own, so that what the user's function prints does not mix with the answer.
pub const REPORT_C: &str = include_str!("report.c");

const HOOK: &str = "__backsweep_gradient_backsweep_driver";

/// What each reported number after the value is: `x`, `y[0]`, `y[1]`.
pub fn plan_report(signature: &Signature, point: &Point) -> Vec<String> {
    let mut labels: Vec<String> = outs(signature).map(|(_, param, _)| param.name.clone()).collect();
    for (index, param, _) in shadowed(signature) {
        match length(&point.values[index]) {
            // A scalar by reference, as Fortran passes them, is no array to its user.
            1 => labels.push(param.name.clone()),
            count => labels.extend((0..count).map(|i| format!("{}[{i}]", param.name))),
        }
    }
    labels
}

/// The user's module with our `main` added.
pub fn append_main(text: &str, signature: &Signature, point: &Point) -> String {
    let mut module = rename_main(text);
    module.push('\n');
    write_globals(&mut module, text, signature, point).expect("writing to a string succeeds");
    write_main(&mut module, signature, point).expect("writing to a string succeeds");
    module
}

/// The user's own `main` gets out of the way.
fn rename_main(text: &str) -> String {
    text.replace("@main(", "@backsweep.user.main(")
}

fn write_globals(out: &mut String, text: &str, signature: &Signature, point: &Point) -> std::fmt::Result {
    for (index, (param, values)) in signature.params.iter().zip(&point.values).enumerate() {
        let initial = write_values(param.shape, values);
        writeln!(out, "@backsweep.arg{index} = internal global {initial}")?;
        if is_memory(param.shape) {
            // The function may overwrite its arguments; the call for the value gets its own copy.
            writeln!(out, "@backsweep.primal{index} = internal global {initial}")?;
        }
    }
    for (index, _, float) in shadowed(signature) {
        let (count, ty) = (length(&point.values[index]), float.ir());
        writeln!(out, "@backsweep.shadow{index} = internal global [{count} x {ty}] zeroinitializer")?;
    }
    for token in ["bs_out", "bs_dup", "bs_const"] {
        // The user's file may declare it too.
        if !text.contains(&format!("@{token} = ")) {
            writeln!(out, "@{token} = external global i32")?;
        }
    }
    writeln!(out, "declare void @backsweep_driver_open(ptr)")?;
    writeln!(out, "declare void @backsweep_driver_report(double)")?;
    writeln!(out, "declare void @backsweep_driver_close()")?;
    let types: Vec<&str> = pass_arguments(signature, point).iter().map(|argument| argument.ty).collect();
    writeln!(out, "declare {} @{HOOK}({})", returned_type(signature), types.join(", "))
}

fn write_main(out: &mut String, signature: &Signature, point: &Point) -> std::fmt::Result {
    writeln!(out, "define i32 @main(i32 %argc, ptr %argv) {{")?;
    writeln!(out, "  call void @backsweep_driver_open(ptr %argv)")?;
    for (index, param) in signature.params.iter().enumerate() {
        write_load(out, index, param)?;
    }
    for token in ["bs_out", "bs_dup", "bs_const"] {
        writeln!(out, "  %{token} = load i32, ptr @{token}")?;
    }
    write_value(out, signature, point)?;
    write_gradient(out, signature, point)?;
    writeln!(out, "  call void @backsweep_driver_close()")?;
    writeln!(out, "  ret i32 0\n}}")
}

/// A volatile load: the optimiser must not compute the answer for this one point by itself.
fn write_load(out: &mut String, index: usize, param: &Param) -> std::fmt::Result {
    match param.shape {
        Shape::Float(Float::Extended) => {
            writeln!(out, "  %wide{index} = load volatile double, ptr @backsweep.arg{index}")?;
            writeln!(out, "  %arg{index} = fpext double %wide{index} to x86_fp80")
        }
        Shape::Float(float) => {
            writeln!(out, "  %arg{index} = load volatile {}, ptr @backsweep.arg{index}", float.ir())
        }
        Shape::Integer(bits) => {
            writeln!(out, "  %arg{index} = load volatile i{bits}, ptr @backsweep.arg{index}")
        }
        Shape::Floats(_) | Shape::Integers(_) | Shape::Slice(_) => Ok(()),
    }
}

fn write_value(out: &mut String, signature: &Signature, point: &Point) -> std::fmt::Result {
    let mut arguments = Vec::new();
    for (index, param) in signature.params.iter().enumerate() {
        let extension = param.extension.as_deref().map(|e| format!(" {e}")).unwrap_or_default();
        match param.shape {
            Shape::Float(float) => arguments.push(format!("{} %arg{index}", float.ir())),
            Shape::Integer(bits) => arguments.push(format!("i{bits}{extension} %arg{index}")),
            Shape::Floats(_) | Shape::Integers(_) => arguments.push(format!("ptr @backsweep.primal{index}")),
            Shape::Slice(_) => {
                arguments.push(format!("ptr @backsweep.primal{index}"));
                arguments.push(format!("i64 {}", length(&point.values[index])));
            }
        }
    }
    let (ty, symbol) = (signature.ret.ir(), &signature.symbol);
    writeln!(out, "  %value = call {ty} @\"{symbol}\"({})", arguments.join(", "))?;
    write_report(out, signature.ret, "value")
}

fn write_gradient(out: &mut String, signature: &Signature, point: &Point) -> std::fmt::Result {
    let returned = returned_type(signature);
    let result = if returned == "void" { "" } else { "%gradient = " };
    let arguments: Vec<String> =
        pass_arguments(signature, point).iter().map(|a| format!("{} {}", a.ty, a.text)).collect();
    writeln!(out, "  {result}call {returned} @{HOOK}({})", arguments.join(", "))?;
    let count = outs(signature).count();
    for (position, (index, _, float)) in outs(signature).enumerate() {
        if count == 1 {
            write_report(out, float, "gradient")?;
        } else {
            writeln!(out, "  %out{index} = extractvalue {returned} %gradient, {position}")?;
            write_report(out, float, &format!("out{index}"))?;
        }
    }
    for (index, _, float) in shadowed(signature) {
        for element in 0..length(&point.values[index]) {
            let name = format!("s{index}.{element}");
            let ty = float.ir();
            writeln!(out, "  %{name}.p = getelementptr {ty}, ptr @backsweep.shadow{index}, i64 {element}")?;
            writeln!(out, "  %{name} = load {ty}, ptr %{name}.p")?;
            write_report(out, float, &name)?;
        }
    }
    Ok(())
}

fn write_report(out: &mut String, float: Float, value: &str) -> std::fmt::Result {
    let conversion = match float {
        Float::Double => {
            return writeln!(out, "  call void @backsweep_driver_report(double %{value})");
        }
        Float::Single => "fpext",
        Float::Extended => "fptrunc",
    };
    writeln!(out, "  %{value}.d = {conversion} {} %{value} to double", float.ir())?;
    writeln!(out, "  call void @backsweep_driver_report(double %{value}.d)")
}

struct Argument {
    ty: &'static str,
    text: String,
}

/// Every parameter with its token, so that nothing depends on what a hook assumes without one.
fn pass_arguments(signature: &Signature, point: &Point) -> Vec<Argument> {
    let mut arguments = vec![Argument { ty: "ptr", text: format!("@\"{}\"", signature.symbol) }];
    let mut pass = |ty, text: String| arguments.push(Argument { ty, text });
    for (index, param) in signature.params.iter().enumerate() {
        match param.shape {
            Shape::Float(float) => {
                pass("i32", "%bs_out".into());
                pass(float.ir(), format!("%arg{index}"));
            }
            Shape::Integer(bits) => {
                pass("i32", "%bs_const".into());
                pass(integer_type(bits), format!("%arg{index}"));
            }
            Shape::Floats(_) | Shape::Slice(_) => {
                pass("i32", "%bs_dup".into());
                pass("ptr", format!("@backsweep.arg{index}"));
                pass("ptr", format!("@backsweep.shadow{index}"));
            }
            Shape::Integers(_) => {
                pass("i32", "%bs_const".into());
                pass("ptr", format!("@backsweep.arg{index}"));
            }
        }
        if let Shape::Slice(_) = param.shape {
            pass("i32", "%bs_const".into());
            pass("i64", length(&point.values[index]).to_string());
        }
    }
    arguments
}

fn integer_type(bits: u32) -> &'static str {
    match bits {
        1 => "i1",
        8 => "i8",
        16 => "i16",
        32 => "i32",
        64 => "i64",
        _ => "i128",
    }
}

fn returned_type(signature: &Signature) -> String {
    let types: Vec<&str> = outs(signature).map(|(_, _, float)| float.ir()).collect();
    match types[..] {
        [] => "void".to_string(),
        [one] => one.to_string(),
        _ => format!("{{ {} }}", types.join(", ")),
    }
}

fn outs(signature: &Signature) -> impl Iterator<Item = (usize, &Param, Float)> {
    signature.params.iter().enumerate().filter_map(|(index, param)| match param.shape {
        Shape::Float(float) => Some((index, param, float)),
        _ => None,
    })
}

fn shadowed(signature: &Signature) -> impl Iterator<Item = (usize, &Param, Float)> {
    signature.params.iter().enumerate().filter_map(|(index, param)| match param.shape {
        Shape::Floats(float) | Shape::Slice(float) => Some((index, param, float)),
        _ => None,
    })
}

fn is_memory(shape: Shape) -> bool {
    !matches!(shape, Shape::Float(_) | Shape::Integer(_))
}

fn length(values: &Values) -> usize {
    match values {
        Values::Floats(values) => values.len(),
        Values::Integers(values) => values.len(),
    }
}

/// Type and initial value of a global.
fn write_values(shape: Shape, values: &Values) -> String {
    match (shape, values) {
        // An 80-bit literal has a form of its own; the harness widens a double instead.
        (Shape::Float(float), Values::Floats(values)) => write_float(float, values[0]),
        (_, Values::Integers(values)) => write_integers(shape, values),
        (Shape::Floats(float) | Shape::Slice(float), Values::Floats(values)) => {
            let list: Vec<String> = values.iter().map(|&value| write_float(float, value)).collect();
            format!("[{} x {}] [{}]", values.len(), float.ir(), list.join(", "))
        }
        (Shape::Integer(_) | Shape::Integers(_), Values::Floats(_)) => {
            unreachable!("bind_point reads whole numbers for integers")
        }
    }
}

fn write_integers(shape: Shape, values: &[i128]) -> String {
    match shape {
        Shape::Integers(bits) => {
            let list: Vec<String> = values.iter().map(|value| format!("i{bits} {value}")).collect();
            format!("[{} x i{bits}] [{}]", values.len(), list.join(", "))
        }
        Shape::Integer(bits) => format!("i{bits} {}", values[0]),
        Shape::Float(_) | Shape::Floats(_) | Shape::Slice(_) => {
            unreachable!("bind_point reads floats for floats")
        }
    }
}

/// IR writes a float as the bits of the double of the same value.
fn write_float(float: Float, value: f64) -> String {
    let rounded = if float == Float::Single { f64::from(value as f32) } else { value };
    let ty = if float == Float::Single { "float" } else { "double" };
    format!("{ty} 0x{:016X}", rounded.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Signature, Point) {
        let param = |name: &str, shape| Param { name: name.into(), shape, extension: None };
        let signature = Signature {
            name: "f".into(),
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
    fn the_report_names_every_number() {
        let (signature, point) = example();
        assert_eq!(plan_report(&signature, &point), ["x", "w", "v[0]", "v[1]"]);
        let module = append_main("", &signature, &point);
        assert_eq!(module.matches("call void @backsweep_driver_report").count(), 1 + 4);
    }

    #[test]
    fn the_request_carries_tokens_and_exact_types() {
        let (signature, point) = example();
        let module = append_main("@bs_out = external global i32\n", &signature, &point);
        assert!(module.contains(
            "call { double, float } @__backsweep_gradient_backsweep_driver(ptr @\"f\", i32 %bs_out, double %arg0, \
             i32 %bs_dup, ptr @backsweep.arg1, ptr @backsweep.shadow1, i32 %bs_const, i64 2, \
             i32 %bs_out, float %arg2, i32 %bs_const, i32 %arg3)"
        ));
        assert_eq!(module.matches("@bs_out = ").count(), 1);
        assert!(module.contains("[2 x float] [float 0x3FE0000000000000, float 0x3FB99999A0000000]"));
    }

    #[test]
    fn the_users_main_is_renamed() {
        let (signature, point) = example();
        let module =
            append_main("define i32 @main() {\n ret i32 0\n}\ndeclare i32 @main2()", &signature, &point);
        assert_eq!(module.matches("define i32 @main(").count(), 1);
        assert!(module.contains("@main2"));
    }
}
