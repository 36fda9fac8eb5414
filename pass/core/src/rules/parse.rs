//! From the text of a form to an [`Expr`].
//!
//! Binding, weakest first: `or`, `and`, comparisons (inside `if` only), `+ -`, `* /`, unary `-`.

use crate::model::{FloatPredicate, IntPredicate};

use super::expr::{BinaryOp, Condition, Expr};
use super::number::NamedConstant;
use super::row::OperandKind;

/// Reads one form. The kinds of operands and results tell `x0 < 1` over integers from the same over floats.
pub fn parse_form(text: &str, operands: &[OperandKind], results: &[OperandKind]) -> Result<Expr, String> {
    let mut parser = Parser { tokens: split_tokens(text)?, next: 0, operands, results };
    let expr = parser.parse_sum()?;
    match parser.peek() {
        None => Ok(expr),
        Some(token) => Err(format!("`{token}` after the end of the expression")),
    }
}

struct Parser<'a> {
    tokens: Vec<&'a str>,
    next: usize,
    operands: &'a [OperandKind],
    results: &'a [OperandKind],
}

impl<'a> Parser<'a> {
    fn parse_sum(&mut self) -> Result<Expr, String> {
        let mut left = self.parse_product()?;
        while let Some(op) = self.take_operator(&[("+", BinaryOp::Add), ("-", BinaryOp::Sub)]) {
            left = Expr::Binary(op, Box::new(left), Box::new(self.parse_product()?));
        }
        Ok(left)
    }

    fn parse_product(&mut self) -> Result<Expr, String> {
        let mut left = self.parse_factor()?;
        while let Some(op) = self.take_operator(&[("*", BinaryOp::Mul), ("/", BinaryOp::Div)]) {
            left = Expr::Binary(op, Box::new(left), Box::new(self.parse_factor()?));
        }
        Ok(left)
    }

    fn parse_factor(&mut self) -> Result<Expr, String> {
        let token = self.advance()?;
        match token {
            "-" => Ok(Expr::Neg(Box::new(self.parse_factor()?))),
            "(" => {
                let inner = self.parse_sum()?;
                self.expect(")")?;
                Ok(inner)
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => {
                token.parse().map(Expr::Number).map_err(|_| format!("`{token}` is no number"))
            }
            _ if self.peek() == Some("(") => self.parse_call(token),
            _ => self.parse_name(token),
        }
    }

    fn parse_call(&mut self, name: &str) -> Result<Expr, String> {
        self.expect("(")?;
        if name == "if" {
            return self.parse_if();
        }
        let mut arguments = vec![self.parse_sum()?];
        while self.peek() == Some(",") {
            self.next += 1;
            arguments.push(self.parse_sum()?);
        }
        self.expect(")")?;
        match (name, arguments.len()) {
            ("real", 1) => Ok(Expr::Real(Box::new(arguments.remove(0)))),
            ("convert", 1) => Ok(Expr::Convert(Box::new(arguments.remove(0)))),
            _ => Ok(Expr::Call(name.to_owned(), arguments)),
        }
    }

    fn parse_if(&mut self) -> Result<Expr, String> {
        let test = self.parse_any()?;
        self.expect(",")?;
        let yes = Box::new(self.parse_sum()?);
        self.expect(",")?;
        let no = Box::new(self.parse_sum()?);
        self.expect(")")?;
        Ok(Expr::If { test, yes, no })
    }

    fn parse_any(&mut self) -> Result<Condition, String> {
        let mut left = self.parse_all()?;
        while self.peek() == Some("or") {
            self.next += 1;
            left = Condition::Or(Box::new(left), Box::new(self.parse_all()?));
        }
        Ok(left)
    }

    fn parse_all(&mut self) -> Result<Condition, String> {
        let mut left = self.parse_comparison()?;
        while self.peek() == Some("and") {
            self.next += 1;
            left = Condition::And(Box::new(left), Box::new(self.parse_comparison()?));
        }
        Ok(left)
    }

    fn parse_comparison(&mut self) -> Result<Condition, String> {
        let left = self.parse_sum()?;
        let Some((_, float, int)) =
            COMPARISONS.iter().find(|(spelling, ..)| Some(*spelling) == self.peek()).copied()
        else {
            return match left {
                Expr::X(i) if self.operands[i as usize] == OperandKind::Bool => Ok(Condition::Operand(i)),
                _ => Err("a condition is a comparison or a truth value among the operands".to_owned()),
            };
        };
        self.next += 1;
        let right = self.parse_sum()?;
        let kinds = [self.kind_of(&left), self.kind_of(&right)];
        let (left, right) = (Box::new(left), Box::new(right));
        if kinds.contains(&Some(OperandKind::Int)) {
            Ok(Condition::Int(int, left, right))
        } else {
            Ok(Condition::Float(float, left, right))
        }
    }

    /// The kind of what an expression computes; `None` for a literal, which fits both. A mixture is found later.
    fn kind_of(&self, expr: &Expr) -> Option<OperandKind> {
        match expr {
            Expr::X(i) => Some(self.operands[*i as usize]),
            Expr::Y(k) => Some(self.results[*k as usize]),
            Expr::Number(_) => None,
            Expr::Neg(inner) => self.kind_of(inner),
            Expr::Binary(_, left, right) => self.kind_of(left).or_else(|| self.kind_of(right)),
            Expr::If { yes, no, .. } => self.kind_of(yes).or_else(|| self.kind_of(no)),
            Expr::D(_) | Expr::Named(_) | Expr::Call(..) | Expr::Real(_) | Expr::Convert(_) => {
                Some(OperandKind::Real)
            }
        }
    }

    fn parse_name(&self, name: &str) -> Result<Expr, String> {
        if let Some((constant, _)) = NamedConstant::ALL.iter().find(|(_, spelling)| *spelling == name) {
            return Ok(Expr::Named(*constant));
        }
        let (letter, digits) = name.split_at(1);
        let (count, make): (usize, fn(u8) -> Expr) = match letter {
            "x" => (self.operands.len(), Expr::X),
            "y" => (self.results.len(), Expr::Y),
            "d" => (self.results.len(), Expr::D),
            _ => return Err(format!("`{name}` is neither operand, result, derivative nor constant")),
        };
        // A bare letter is clear only where there is one of its kind.
        let index = match digits {
            "" if count == 1 => 0,
            "" => return Err(format!("`{name}` needs a number: there are {count}")),
            _ => digits.parse::<u8>().map_err(|_| format!("`{name}` is no operand"))?,
        };
        if usize::from(index) < count { Ok(make(index)) } else { Err(format!("there is no `{name}`")) }
    }

    fn take_operator(&mut self, choices: &[(&str, BinaryOp)]) -> Option<BinaryOp> {
        let token = self.peek()?;
        let (_, op) = choices.iter().find(|(spelling, _)| *spelling == token)?;
        self.next += 1;
        Some(*op)
    }

    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.next).copied()
    }

    fn advance(&mut self) -> Result<&'a str, String> {
        let token = self.peek().ok_or("the expression ends too early")?;
        self.next += 1;
        Ok(token)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let found = self.advance()?;
        if found == wanted { Ok(()) } else { Err(format!("expected `{wanted}`, found `{found}`")) }
    }
}

const COMPARISONS: [(&str, FloatPredicate, IntPredicate); 6] = [
    ("==", FloatPredicate::Oeq, IntPredicate::Eq),
    ("!=", FloatPredicate::Une, IntPredicate::Ne),
    ("<", FloatPredicate::Olt, IntPredicate::Slt),
    ("<=", FloatPredicate::Ole, IntPredicate::Sle),
    (">", FloatPredicate::Ogt, IntPredicate::Sgt),
    (">=", FloatPredicate::Oge, IntPredicate::Sge),
];

fn split_tokens(text: &str) -> Result<Vec<&str>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            number_length(rest)
        } else if first.is_ascii_alphabetic() {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if ["==", "!=", "<=", ">="].iter().any(|two| rest.starts_with(two)) {
            2
        } else if "+-*/(),<>".contains(first) {
            1
        } else {
            return Err(format!("`{first}` has no meaning in a form"));
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

/// Digits, point, and an exponent with its sign.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let signs_exponent = |at: usize| matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e');
    (1..bytes.len())
        .find(|&at| !(bytes[at].is_ascii_digit() || matches!(bytes[at], b'.' | b'e') || signs_exponent(at)))
        .unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: OperandKind = OperandKind::Real;

    fn parse(text: &str) -> Result<Expr, String> {
        parse_form(text, &[REAL, OperandKind::Int], &[REAL])
    }

    #[test]
    fn binding_is_that_of_mathematics() {
        assert_eq!(parse("d - x0 * y / 2"), parse("d - ((x0 * y) / 2)"));
        assert_eq!(parse("d - x0 - y"), parse("(d - x0) - y"));
        assert_eq!(parse("-d * y"), parse("(-d) * y"));
        assert_ne!(parse("d - x0 - y"), parse("d - (x0 - y)"));
    }

    #[test]
    fn kinds_choose_the_predicate() {
        let int = parse("if(x1 - 1 == 0, d, 0)").unwrap();
        assert!(matches!(int, Expr::If { test: Condition::Int(IntPredicate::Eq, ..), .. }));
        let float = parse("if(x0 <= 1e-3, d, 0)").unwrap();
        assert!(matches!(float, Expr::If { test: Condition::Float(FloatPredicate::Ole, ..), .. }));
    }

    #[test]
    fn calls_and_results_share_letters() {
        let single = parse_form("y0(x) * d", &[REAL], &[REAL]).unwrap();
        let Expr::Binary(_, call, _) = single else { panic!("a product") };
        assert_eq!(*call, Expr::Call("y0".into(), vec![Expr::X(0)]));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("d +", "ends too early"),
            ("d * x", "needs a number"),
            ("d * x2", "no `x2`"),
            ("d * tau", "neither operand"),
            ("d ^ 2", "no meaning"),
            ("d d", "after the end"),
            ("if(x0, d, 0)", "a condition is"),
            ("sin(x0", "ends too early"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
