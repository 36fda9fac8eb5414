//! For every invariant of the model one program that violates it, and that is told so.

mod verify_cases;

use backsweep_core::model::*;
use verify_cases::{BASE, END_CASES, LINE_CASES, TEXT_CASES};

#[test]
fn the_base_is_valid() {
    assert_eq!(messages(&base()), [""; 0]);
}

#[test]
fn programs_that_violate_an_invariant_are_told_so() {
    for (old, new, expected) in TEXT_CASES {
        assert!(BASE.contains(old), "{old:?} is no part of the base");
        expect(&BASE.replacen(old, new, 1), expected);
    }
}

#[test]
fn instructions_that_violate_an_invariant_are_told_so() {
    for (line, expected) in LINE_CASES {
        expect(&BASE.replace("  %w = store", &format!("  {line}\n  %w = store")), expected);
    }
    for (line, expected) in END_CASES {
        expect(&BASE.replace("  ret %z", &format!("  {line}")), expected);
    }
}

/// What the parser would not let pass.
#[test]
fn broken_values_that_have_no_text_are_told_so() {
    type Break = fn(&mut Program);
    let cases: &[(Break, &str)] = &[
        (
            |p| f(p).insts[0].operands[0] = Operand::Value(ValueId(99)),
            "Every operand is a constant or a value",
        ),
        (|p| f(p).insts[1].op = Op::Br { to: BlockId(9) }, "Every block named by an operation"),
        (|p| f(p).insts[0].flags = Flags(1 << 30), "Every flag has a name."),
        (|p| f(p).blocks[0].insts.reverse(), "Every instruction stands in exactly one block"),
        (|p| f(p).blocks[3].insts.clear(), "Every instruction stands in exactly one block"),
        (|p| f(p).attributes = vec!["b".into(), "a".into()], "Attributes are sorted."),
        (|p| f(p).params[0].attributes = vec!["b".into(), "a".into()], "Attributes are sorted."),
        (|p| call(p).attributes = vec!["b".into(), "a".into()], "Attributes are sorted."),
        (|p| call(p).arguments = 7, "A call's operands are"),
        (|p| f(p).blocks.clear(), "A declaration has no instructions and no facts."),
        (|p| f(p).loops[0].exits = vec![BlockId(7)], "Every block named by a loop"),
        (|p| move_fact(p, ValueId(0)), "A memory fact belongs to an instruction."),
        (|p| fact(p).pointer = Some(Operand::Value(ValueId(99))), "The pointer of a memory fact is"),
        (
            |p| fact(p).address = Some(Scev::Value(Operand::Value(ValueId(99)))),
            "A symbolic expression speaks of",
        ),
        (|p| fact(p).clobber = Some(Clobber::Merge(BlockId(9))), "A clobber is an instruction or block"),
        (|p| fact(p).objects = vec![Object::Through(ValueId(99))], "An object of a memory fact exists"),
        (|p| operand(p, Constant::Int { bits: 8, value: 256 }), "An integer constant has 1 to 128 bits"),
        (|p| operand(p, Constant::Int { bits: 200, value: 0 }), "An integer constant has 1 to 128 bits"),
        (
            |p| operand(p, Constant::Float { kind: FloatKind::Half, bits: 1 << 16 }),
            "A float constant has no bits beyond",
        ),
        (|p| phi_from(p).push(BlockId(0)), "A phi gives the type of each of its operands"),
        (|p| f(p).insts[3].ty = Type::I32, "An integer comparison takes"),
        (|p| f(p).insts[2].ty = Type::I32, "A phi gives the type of each of its operands"),
        (|p| f(p).insts[1].operands.push(Operand::Value(ValueId(0))), "A branch takes no operand"),
        (name_of_nobody, "A name belongs to a value of this function."),
        (two_values_on_one_edge, "A phi has one value for each block that it names."),
    ];
    for (index, (change, expected)) in cases.iter().enumerate() {
        let mut program = base();
        change(&mut program);
        let found = messages(&program);
        assert!(
            found.iter().any(|m| m.starts_with(expected)),
            "case {index}: wanted {expected:?}, got {found:#?}"
        );
    }
}

#[test]
fn unreachable_uses_and_loops_back_are_fine() {
    let dead = BASE.replace(
        "loop 0",
        "^dead:\n  %d: double = fadd %e, %l\n  %e: double = fneg %d\n  unreachable\nloop 0",
    );
    assert_eq!(messages(&parse_program(&dead).unwrap()), [""; 0]);
}

/// Each sentence in the verifier's sources stands in a case above.
#[test]
fn every_invariant_has_a_case() {
    let mut expected: Vec<&str> = Vec::new();
    for cases in [LINE_CASES, END_CASES] {
        expected.extend(cases.iter().map(|(_, expected)| *expected));
    }
    expected.extend(TEXT_CASES.iter().map(|(_, _, expected)| *expected));
    // The cases in code are closures, which only the source of this file lists.
    expected.extend(
        include_str!("model_verify.rs").split('"').filter(|text| text.ends_with(' ') || text.len() > 20),
    );
    expected.retain(|expected| !expected.is_empty());
    let sentences = sentences();
    assert!(sentences.len() > 60, "only {} sentences found", sentences.len());
    for sentence in sentences {
        // A message is built from the part in front of its first blank.
        let stem = sentence.split(['{', ';']).next().unwrap_or_default();
        let covered = expected.iter().any(|case| case.starts_with(stem) || stem.starts_with(case));
        assert!(covered, "no case for: {sentence}");
    }
}

/// The string literals of the verifier that are sentences.
fn sentences() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/model/verify");
    let sources = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let literals: Vec<String> = sources
        .flat_map(|source| source.split('"').skip(1).step_by(2).map(String::from).collect::<Vec<_>>())
        .collect();
    let is_sentence =
        |text: &String| text.contains(' ') && text.starts_with(char::is_alphabetic) && text.ends_with('.');
    literals.into_iter().filter(is_sentence).collect()
}

fn expect(text: &str, expected: &str) {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error} in{text}"));
    let found = messages(&program);
    assert!(found.iter().any(|m| m.starts_with(expected)), "wanted {expected:?}, got {found:#?} for{text}");
}

fn messages(program: &Program) -> Vec<String> {
    verify(program).into_iter().map(|violation| violation.message).collect()
}

fn base() -> Program {
    parse_program(BASE).unwrap()
}

fn f(program: &mut Program) -> &mut Function {
    program.functions.last_mut().unwrap()
}

fn call(program: &mut Program) -> &mut Call {
    f(program)
        .insts
        .iter_mut()
        .find_map(|inst| if let Op::Call(call) = &mut inst.op { Some(call) } else { None })
        .unwrap()
}

fn phi_from(program: &mut Program) -> &mut Vec<BlockId> {
    f(program)
        .insts
        .iter_mut()
        .find_map(|inst| if let Op::Phi { from } = &mut inst.op { Some(from) } else { None })
        .unwrap()
}

fn fact(program: &mut Program) -> &mut MemoryFact {
    f(program).memory.first_entry().unwrap().into_mut()
}

fn move_fact(program: &mut Program, to: ValueId) {
    let (_, fact) = f(program).memory.pop_first().unwrap();
    f(program).memory.insert(to, fact);
}

fn operand(program: &mut Program, constant: Constant) {
    f(program).insts[0].operands[0] = Operand::Const(constant);
}

/// The entry leads to the phi's block twice, with two different values.
fn name_of_nobody(program: &mut Program) {
    let name = Name { text: "count".into(), first: None };
    f(program).names.insert(ValueId(99), name);
}

fn two_values_on_one_edge(program: &mut Program) {
    f(program).insts[1].op = Op::CondBr { yes: BlockId(1), no: BlockId(1) };
    f(program).insts[1].operands = vec![Operand::Const(Constant::bool(true))];
    phi_from(program).push(BlockId(0));
    f(program).insts[2].operands.push(Operand::Const(Constant::int(64, 1)));
}
