//! What is wrong in a text is told with its line, its column and what was expected there.

use backsweep_core::model::parse_program;

/// A text and its error, as `line:column: message`.
const CASES: &[(&str, &str)] = &[
    (
        "fun @f()",
        "1:1: expected `program`, `layout`, `file`, `global`, `alias`, `ifunc`, `rule`, `function` or `declare`, found `fun`",
    ),
    ("program x", "1:9: expected a quoted string, found `x`"),
    ("program", "1:8: expected a quoted string, found the end of the line"),
    ("program \"x\" 5", "1:13: expected the end of the line, found `5`"),
    ("program \"x", "1:9: this quote is not closed on its line"),
    ("program \"\\q\"", "1:11: expected one of \\\\ \\\" \\' \\n \\t \\u{hex}"),
    ("program \"\\u{d800}\"", "1:11: expected one of \\\\ \\\" \\' \\n \\t \\u{hex}"),
    ("file 1 \"x\"", "1:6: expected file number 0, found `1`"),
    ("declare @f()\nlayout \"e\"", "2:1: expected the layout before the first function"),
    ("global g: i32", "1:8: expected a symbol such as `@f`, found `g`"),
    ("global @g: integer", "1:12: expected a type, found `integer`"),
    ("global @g: [3 double]", "1:15: expected `x`, found `double`"),
    ("global @g: <{i8}", "1:17: expected `>`, found the end of the line"),
    ("global @g: i99999999999", "1:12: expected a type, found `i99999999999`"),
    ("global @g: i8 = i8 256", "1:20: expected a whole number of 8 bits, found `256`"),
    ("global @g: i8 = i8 -129", "1:20: expected a whole number of 8 bits, found `-129`"),
    ("global @g: i8 = i8 true", "1:20: expected a constant of type i8, found `true`"),
    (
        "global @g: half = half 0.1",
        "1:24: expected a number that half holds exactly, or its bits as 0x…, found `0.1`",
    ),
    (
        "global @g: half = half 0x10000",
        "1:24: expected a number that half holds exactly, or its bits as 0x…, found `0x10000`",
    ),
    (
        "global @g: [1 x i8] = [1 x i8] bytes \"\u{100}\"",
        "1:38: expected characters up to \\u{ff}, one a byte, found \"Ā\"",
    ),
    ("global @g: [1 x i8] = [1 x i8] (i8 1 i8 2)", "1:38: expected `,` or `)`, found `i8`"),
    ("declare @f(..., i32)", "1:17: expected `)` after `...`, found `i32`"),
    ("declare @f() attributes(5)", "1:25: expected an attribute, quoted if it is not one word, found `5`"),
    ("function @f(double) {", "1:13: expected a parameter such as `%0 x: double`, found `double`"),
    ("function @f(%1: double) {", "1:13: expected number 0 here, found 1: they count up from 0 in order"),
    ("function @f()", "1:14: expected `{`, found the end of the line"),
    (
        "function @f() {\n^0:\n  unreachable\n",
        "3:14: expected `}` at the end of the function, found the end of the line",
    ),
    (
        "function @f() {\n  ret\n}",
        "2:3: expected a block such as `^0:` before the first instruction, found `ret`",
    ),
    ("function @f() {\n^1:\n}", "2:1: expected number 0 here, found 1: they count up from 0 in order"),
    ("function @f() {\n^0\n}", "2:3: expected `:`, found the end of the line"),
];

/// The same for one line in a function of two parameters, a double and a pointer; the column counts in that line.
const LINES: &[(&str, &str)] = &[
    ("fsum %0, %0", "1: expected an instruction, found `fsum`"),
    ("%5: double = fadd %0, %0", "1: expected number 2 here, found 5: they count up from 0 in order"),
    ("%2 double = fadd %0, %0", "4: expected `=`, found `double`"),
    ("%2: double = fadd %0 %0", "22: expected the end of the line, found `%0`"),
    ("%2: double = fadd %0, %9", "23: expected a value of this function, which has no `%9`"),
    ("%2: double = fadd %0, %q", "23: expected a value of this function, which has no `%q`"),
    (
        "%2: double = fadd %0, 1.5",
        "23: expected an operand: a value such as `%0`, or a constant such as `double 1.5`, found `1.5`",
    ),
    ("%2: double = fadd %, %0", "20: expected a number or name after `%`"),
    ("%2: double = fadd ~, %0", "19: unexpected character '~'"),
    ("br ^7", "4: expected a block of this function, which has no `^7`"),
    ("br %0", "6: expected `,`, found the end of the line"),
    ("%2: i1 = icmp lt %0, %0", "15: expected a predicate such as `slt`, found `lt`"),
    ("%2: i1 = fcmp lt %0, %0", "15: expected a predicate such as `olt`, found `lt`"),
    ("fence", "6: expected an ordering, found the end of the line"),
    ("atomicrmw plus %0, %1", "11: expected an operation such as `fadd`, found `plus`"),
    ("%2: double = phi 0: %0", "18: expected the end of the line, found `0`"),
    ("%2: double = phi ^0: %0, ", "25: expected a block such as `^0`, found the end of the line"),
    ("%2: ptr = alloca i32 1", "23: expected `of`, found the end of the line"),
    ("%2: ptr = gep %1, i64 1 by(8)", "25: expected `over`, found `by`"),
    ("%2: double = extractvalue %0", "29: expected `path`, found the end of the line"),
    ("%2: double = shufflevector %0, %0", "34: expected `mask`, found the end of the line"),
    ("switch %0", "10: expected `default`, found the end of the line"),
    ("invoke @f() unwind ^0", "13: expected `to`, found `unwind`"),
    ("opaque \"x\"", "11: expected `because`, found the end of the line"),
    ("call @f", "8: expected `(`, found the end of the line"),
    ("ret %0 at 0:1", "14: expected `:`, found the end of the line"),
    ("ret %0 at 0:1:99999999999", "15: expected a whole number in range, found `99999999999`"),
    ("ret %0 origin %x", "15: expected a numbered value such as `%5`, found `%x`"),
    ("memory reads", "1: expected an instruction before its `memory` line"),
    ("loop 1 header ^0", "8: expected loop number 0: loops count up from 0 in order"),
    ("loop 0 blocks(^0)", "8: expected `header`, found `blocks`"),
    (
        "loop 0 header ^0 back_edges 5",
        "29: expected an expression: `%0`, `i64 8`, `(add …)`, `(rec …)` or `unknown`, found `5`",
    ),
    (
        "loop 0 header ^0 back_edges (sub %0 %0)",
        "30: expected one of value add mul udiv rec zext sext trunc smax umax smin umin ptrtoint, found `sub`",
    ),
    ("loop 0 header ^0 back_edges (5)", "30: expected an operator, found `5`"),
    ("alias may %0 %1", "7: expected `no`, `partial` or `must`, found `may`"),
    ("store %0, %1\nmemory writes\nmemory writes", "1: expected one `memory` line for %2, found a second"),
    (
        "store %0, %1\nmemory writes objects(%1)",
        "23: expected `local`, `param`, `global` or `through`, found `%1`",
    ),
];

#[test]
fn errors_name_the_place_and_what_was_expected() {
    for (text, expected) in CASES {
        assert_eq!(error(text), *expected, "for:\n{text}");
    }
    for (line, expected) in LINES {
        let text = format!("function @f(%0: double, %1: ptr) {{\n^0:\n{line}\n}}");
        let number = 2 + line.lines().count();
        assert_eq!(error(&text), format!("{number}:{expected}"), "for:\n{line}");
    }
}

/// Every prefix of a valid text, and every text with one character lost, is read or refused, without a panic.
#[test]
fn damaged_texts_do_not_panic() {
    let text = include_str!("model/every-op.txt");
    for (at, c) in text.char_indices() {
        let _ = parse_program(&text[..at]);
        if at % 3 == 0 {
            let _ = parse_program(&format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
        }
    }
}

/// Nesting without end is refused before the stack ends.
#[test]
fn deep_nesting_is_refused() {
    let types = format!("global @g: {}", "[1 x ".repeat(100_000));
    assert!(error(&types).ends_with("expected fewer than 500 levels of nesting"));
    let constants = format!("global @g: i8 = {}", "offset(".repeat(100_000));
    assert!(error(&constants).ends_with("expected fewer than 500 levels of nesting"));
    let sums = format!(
        "function @f() {{\n^0:\n unreachable\nloop 0 header ^0 back_edges {}",
        "(add ".repeat(100_000)
    );
    assert!(error(&sums).ends_with("expected fewer than 500 levels of nesting"));
}

fn error(text: &str) -> String {
    parse_program(text).map(|_| "no error".to_string()).unwrap_or_else(|error| error.to_string())
}
