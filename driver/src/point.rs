//! The point that `--at` gives, bound to the parameters of a function.

use crate::near;
use crate::refusal::{Code, Refusal};
use crate::signature::{Shape, Signature};

/// One value list per parameter, in the order of the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub values: Vec<Values>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    Floats(Vec<f64>),
    Integers(Vec<i128>),
}

/// `name=v1,v2,…` as the user wrote it.
struct Assignment<'a> {
    name: &'a str,
    values: Vec<&'a str>,
}

/// What becomes of a parameter without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Refused,
    /// A float is zero, which is as good a middle for random numbers as any; the length of an array, or an integer, still
    /// has to be given.
    Zero,
}

pub fn bind_point(given: &[String], signature: &Signature, missing: Missing) -> Result<Point, Refusal> {
    let assignments = given.iter().map(|text| split_assignment(text)).collect::<Result<Vec<_>, _>>()?;
    refuse_foreign_names(&assignments, signature)?;
    let values = signature
        .params
        .iter()
        .map(|param| {
            let mut own = assignments.iter().filter(|assignment| assignment.name == param.name);
            match (own.next(), own.next()) {
                (Some(assignment), None) => read_values(assignment, param.shape),
                (Some(_), Some(_)) => {
                    Err(Refusal::new(Code::Point, format!("parameter `{}` is given twice", param.name)))
                }
                (None, _) if missing == Missing::Zero && matches!(param.shape, Shape::Float(_)) => {
                    Ok(Values::Floats(vec![0.0]))
                }
                (None, _) => Err(refuse_missing(&assignments, signature)),
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Point { values })
}

/// Some point, for programs that are looked at and never run.
pub fn stand_in(signature: &Signature) -> Point {
    let value = |shape: Shape| match shape.float() {
        Some(_) => Values::Floats(vec![0.0]),
        None => Values::Integers(vec![0]),
    };
    Point { values: signature.params.iter().map(|param| value(param.shape)).collect() }
}

fn split_assignment(text: &str) -> Result<Assignment<'_>, Refusal> {
    match text.split_once('=') {
        Some((name, values)) if !name.is_empty() && !values.is_empty() => {
            Ok(Assignment { name: name.trim(), values: values.split(',').map(str::trim).collect() })
        }
        _ => {
            Err(Refusal::new(Code::Point, format!("`{text}` is no point; write name=value or name=v1,v2,…")))
        }
    }
}

fn refuse_foreign_names(assignments: &[Assignment], signature: &Signature) -> Result<(), Refusal> {
    let known = || signature.params.iter().map(|param| param.name.as_str());
    match assignments.iter().find(|assignment| known().all(|name| name != assignment.name)) {
        None => Ok(()),
        Some(Assignment { name, .. }) => {
            let names = known().collect::<Vec<_>>().join("`, `");
            let has = match names.is_empty() {
                true => "has none".to_string(),
                false => format!("has `{names}`"),
            };
            let hint = near::hint(name, known());
            Err(Refusal::new(
                Code::Point,
                format!("`{}` has no parameter `{name}`; it {has}{hint}", signature.name),
            ))
        }
    }
}

fn refuse_missing(assignments: &[Assignment], signature: &Signature) -> Refusal {
    let missing: Vec<&str> = signature
        .params
        .iter()
        .map(|param| param.name.as_str())
        .filter(|name| assignments.iter().all(|assignment| assignment.name != *name))
        .collect();
    let example: Vec<String> = missing.iter().map(|name| format!("{name}=…")).collect();
    Refusal::new(
        Code::Point,
        format!(
            "`{}` needs a value for `{}`; add --at {}",
            signature.name,
            missing.join("`, `"),
            example.join(" ")
        ),
    )
}

fn read_values(assignment: &Assignment, shape: Shape) -> Result<Values, Refusal> {
    let scalar = matches!(shape, Shape::Float(_) | Shape::Integer(_));
    if scalar && assignment.values.len() != 1 {
        let (name, count) = (assignment.name, assignment.values.len());
        return Err(Refusal::new(
            Code::Point,
            format!("parameter `{name}` is one number, and {count} are given"),
        ));
    }
    match shape {
        Shape::Float(_) | Shape::Floats(_) | Shape::Slice(_) => {
            read_each(assignment, "number").map(Values::Floats)
        }
        Shape::Integer(bits) | Shape::Integers(bits) => {
            let values = read_each::<i128>(assignment, "whole number")?;
            match values.iter().find(|&&value| !fits(value, bits)) {
                None => Ok(Values::Integers(values)),
                Some(value) => {
                    let name = assignment.name;
                    Err(Refusal::new(
                        Code::Point,
                        format!("parameter `{name}` has {bits} bits, and {value} does not fit"),
                    ))
                }
            }
        }
    }
}

/// Debug information does not always tell the sign, so both readings are allowed.
fn fits(value: i128, bits: u32) -> bool {
    let bits = bits.min(64);
    (-(1i128 << (bits - 1))..(1i128 << bits)).contains(&value)
}

fn read_each<T: std::str::FromStr>(assignment: &Assignment, kind: &str) -> Result<Vec<T>, Refusal> {
    assignment
        .values
        .iter()
        .map(|text| {
            let name = assignment.name;
            text.parse().map_err(|_| Refusal::new(Code::Point, format!("`{text}` in `{name}` is no {kind}")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::{Float, Param};

    fn signature() -> Signature {
        let param = |name: &str, shape| Param { name: name.into(), shape, extension: None };
        Signature {
            name: "f".into(),
            qualified: "m::f".into(),
            symbol: "f".into(),
            ret: Float::Double,
            params: vec![
                param("alpha", Shape::Float(Float::Double)),
                param("x", Shape::Floats(Float::Double)),
                param("n", Shape::Integer(8)),
            ],
        }
    }

    fn bind(given: &[&str]) -> Result<Point, String> {
        let given: Vec<String> = given.iter().map(|text| text.to_string()).collect();
        let text = |refusal: Refusal| refusal.to_string().trim_end_matches(" [BS105]").to_string();
        bind_point(&given, &signature(), Missing::Refused).map_err(text)
    }

    #[test]
    fn values_follow_the_order_of_the_parameters() {
        let point = bind(&["n=2", "x=1,-2.5e3", "alpha=-1.2"]).unwrap();
        assert_eq!(
            point.values,
            [Values::Floats(vec![-1.2]), Values::Floats(vec![1.0, -2500.0]), Values::Integers(vec![2])]
        );
    }

    #[test]
    fn each_mistake_has_its_own_line() {
        let cases: [(&[&str], &str); 9] = [
            (&["alpha"], "`alpha` is no point; write name=value or name=v1,v2,…"),
            (&["alpha=1", "x=1"], "`f` needs a value for `n`; add --at n=…"),
            (&["alpha=1"], "`f` needs a value for `x`, `n`; add --at x=… n=…"),
            (&["alfa=1"], "`f` has no parameter `alfa`; it has `alpha`, `x`, `n`; did you mean `alpha`?"),
            (&["alpha=1,2", "x=1", "n=1"], "parameter `alpha` is one number, and 2 are given"),
            (&["alpha=one", "x=1", "n=1"], "`one` in `alpha` is no number"),
            (&["alpha=1", "x=1,", "n=1"], "`` in `x` is no number"),
            (&["alpha=1", "x=1", "n=1.5"], "`1.5` in `n` is no whole number"),
            (&["alpha=1", "x=1", "n=256"], "parameter `n` has 8 bits, and 256 does not fit"),
        ];
        for (given, expected) in cases {
            assert_eq!(bind(given).unwrap_err(), expected);
        }
        let zero = bind_point(&["x=1".into(), "n=2".into()], &signature(), Missing::Zero).unwrap();
        assert_eq!(zero.values[0], Values::Floats(vec![0.0]));
        assert!(bind_point(&["x=1".into()], &signature(), Missing::Zero).is_err());
        assert_eq!(
            bind(&["alpha=1", "alpha=2", "x=1", "n=1"]).unwrap_err(),
            "parameter `alpha` is given twice"
        );
    }
}
