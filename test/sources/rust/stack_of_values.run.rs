// A machine with a stack of numbers, of pairs in boxes and of nothing, that goes through its instructions by recursion: what is pushed, cloned
// and swapped may be any of them.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

#[derive(Clone)]
enum Value {
    Number(f64),
    Pair(Box<(Value, Value)>),
    Nothing,
}
use Value::*;

fn sum_of(value: &Value) -> f64 {
    match value {
        Number(number) => *number,
        Pair(pair) => sum_of(&pair.0) + 2.0 * sum_of(&pair.1),
        Nothing => 1.0,
    }
}

enum Step {
    Push(usize),
    Join,
    Double,
    Swap,
    Multiply,
}
use Step::*;

fn run(steps: &[Step], mut stack: Vec<Value>, x: &[f64]) -> Vec<Value> {
    let Some((step, rest)) = steps.split_first() else { return stack };
    match step {
        Push(index) => stack.push(Number(x[*index])),
        Join => {
            let first = stack.pop().unwrap_or(Nothing);
            let second = stack.pop().unwrap_or(Nothing);
            stack.push(Pair(Box::new((first, second))));
        }
        Double => {
            let value = stack.pop().unwrap_or(Nothing);
            let sum = sum_of(&value);
            stack.push(Number(sum * sum));
            stack.push(value.clone());
            stack.push(value);
        }
        Swap => {
            let end = stack.len();
            if end > 1 {
                stack.swap(end - 1, end - 2);
            }
        }
        Multiply => {
            let first = stack.pop().unwrap_or(Nothing);
            let second = stack.pop().unwrap_or(Nothing);
            stack.push(Number(sum_of(&first) * sum_of(&second)));
        }
    }
    run(rest, stack, x)
}

pub fn f(x: &[f64]) -> f64 {
    let steps =
        [Push(0), Push(1), Join, Push(2), Swap, Join, Double, Push(3), Multiply, Swap, Multiply, Join];
    let stack = run(&steps, Vec::new(), x);
    stack.iter().map(sum_of).sum::<f64>() + stack.len() as f64
}
