//! Pieces of text that violate one invariant each, and the message that says so.

/// A valid program; each case below changes one piece of it.
pub const BASE: &str = r#"
file 0 "base.c"
global @g: double = double 1.0
declare @sin(double) -> double
declare @printf(ptr, ...) -> i32
function @f(%x: double, %p: ptr, %n: i64, %v: <2 x double>, %s: {i32, [2 x double]}) -> double {
^entry:
  %y: double = fmul %x, double 2.0
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^body: %next
  %c: i1 = icmp slt %i, %n
  br %c, ^body, ^exit
^body:
  %l: double = load %p
    memory reads pointer %p objects(param %p) address %p class 1 clobber %w
  %w = store %l, %p
    memory writes pointer %p objects(param %p) class 1
  %next: i64 = add %i, i64 1
  br ^head
^exit:
  %z: double = call @sin(%y)
  ret %z
loop 0 header ^head preheader ^entry blocks(^head, ^body) latches(^body) exiting(^head) exits(^exit) back_edges %n
alias must %l %w
}
"#;

/// Text to replace in `BASE`, what to put there, and the beginning of the message.
pub const TEXT_CASES: &[(&str, &str, &str)] = &[
    // Headers, blocks, symbols.
    ("-> double {\n^entry", "-> double declared {\n^entry", "A function is `declared` exactly when"),
    ("double 2.0\n", "double 2.0 at 3:1:1\n", "A location names one of the program's files."),
    ("  br ^head\n^head", "^head", "A block ends in a terminator."),
    (
        "  br ^head\n^head",
        "  unreachable\n  br ^head\n^head",
        "A terminator stands only at the end of its block.",
    ),
    ("  ret %z", "  br ^entry", "Nothing branches to the entry block."),
    (
        "%c: i1 = icmp",
        "%q: i64 = add %i, %i\n  %r: i64 = phi ^entry: i64 0, ^body: %n\n  %c: i1 = icmp",
        "Phis come before",
    ),
    (
        "phi ^entry: i64 0, ^body: %next",
        "phi ^entry: i64 0",
        "A phi has one operand for each edge into its block.",
    ),
    (
        "  br ^head\n^head",
        "  br i1 true, ^head, ^head\n^head",
        "A phi has one operand for each edge into its block.",
    ),
    ("declare @sin", "rule @f tangent @nowhere\ndeclare @sin", "A rule names functions of the program."),
    ("declare @sin", "rule @f tangent @sin\nrule @f\ndeclare @sin", "A function has one rule."),
    ("global @g: double = ", "global @g: double declared = ", "A global is `declared` exactly when"),
    (
        "global @g: double = ",
        "global @g: double shadow(@sin) = ",
        "The shadow of a global is a global of the program.",
    ),
    ("global @g: double = ", "global @g: float = ", "The initial value of a global has its type."),
    ("global @g", "global @sin", "A name belongs to one global or function."),
    ("global @g", "alias @a = i64 8\nglobal @g", "An alias stands for a constant address."),
    (
        "global @g",
        "alias @a declared = @g\nglobal @g",
        "An alias is never `declared`: what it stands for is here.",
    ),
    (
        "global @g",
        "alias @a = @nobody\nglobal @g",
        "A symbol is defined or declared in the program; @nobody is not.",
    ),
    ("call @sin", "call @cos", "A symbol is defined or declared in the program; @cos is not."),
    (
        "double = double 1.0",
        "ptr = offset(@h, 8)",
        "A symbol is defined or declared in the program; @h is not.",
    ),
    ("address %p", "address (value @k)", "A symbol is defined or declared in the program; @k is not."),
    // Constants and types.
    ("double = double 1.0", "[2 x i8] = [2 x i8] (i8 1)", "The parts of an aggregate are those of its type."),
    ("double = double 1.0", "i32 = i32 null", "Null is a pointer"),
    (
        "double = double 1.0",
        "i32 = offset(i32 1, 8)",
        "An offset is taken from a constant address that is no offset itself.",
    ),
    ("double = double 1.0", "i0 = i0 zero", "Integers have 1 to 2^23 bits"),
    ("%n: i64,", "%n: i64, %bad: <0 x i8>,", "Integers have 1 to 2^23 bits"),
    ("@printf(ptr, ...) -> i32", "@printf(ptr, ...) -> [1 x void]", "Integers have 1 to 2^23 bits"),
    ("global @g: double = double 1.0", "global @g: {void}", "Integers have 1 to 2^23 bits"),
    // Dominance.
    ("fmul %x, double 2.0", "fmul %y, double 2.0", "A definition dominates its uses; %5 does not."),
    ("fmul %x, double 2.0", "fmul %l, double 2.0", "A definition dominates its uses; %10 does not."),
    ("ret %z", "ret %l", "A definition dominates its uses; %10 does not."),
    ("phi ^entry: i64 0", "phi ^entry: %next", "A definition dominates its uses; %12 does not."),
    // Loops.
    ("blocks(^head, ^body)", "blocks(^head, ^body, ^body)", "The blocks of a loop are sorted, each once."),
    ("blocks(^head, ^body)", "blocks(^body)", "The header is among the blocks of its loop."),
    (
        "alias",
        "loop 1 header ^head blocks(^head, ^body) latches(^body) exiting(^head) exits(^exit)\nalias",
        "A block is the header of one loop only.",
    ),
    (
        "header ^head preheader",
        "header ^head parent 0 preheader",
        "An outer loop comes before the loops inside it.",
    ),
    ("alias", "loop 1 header ^exit parent 0 blocks(^exit)\nalias", "A loop's parent contains its blocks."),
    ("latches(^body)", "latches(^head)", "Latches are the blocks"),
    ("exiting(^head)", "exiting(^body)", "Exiting blocks are those"),
    ("exits(^exit)", "exits(^entry)", "Exits are the blocks"),
    ("preheader ^entry", "preheader ^body", "A preheader lies outside the loop"),
    ("back_edges %n", "back_edges (rec 4 %n i64 1)", "A recurrence belongs to a loop of this function."),
    ("back_edges %n", "back_edges (smax)", "A sum, product, maximum or minimum has a term."),
    // Memory facts.
    (
        "objects(param %p) address",
        "objects(param %p, param %p) address",
        "The objects of a memory fact are sorted",
    ),
    (
        "objects(param %p) address",
        "objects(param %y) address",
        "An object of a memory fact exists and is of its sort; `param %5`",
    ),
    (
        "objects(param %p) address",
        "objects(local %p) address",
        "An object of a memory fact exists and is of its sort; `local %1`",
    ),
    (
        "objects(param %p) address",
        "objects(global @h) address",
        "An object of a memory fact exists and is of its sort; `global @h`",
    ),
    ("clobber %w", "clobber %p", "A clobber is an instruction or block of this function."),
    (
        "memory writes pointer %p objects(param %p) class 1",
        "memory writes class 1 clobber entry",
        "Only a read has a clobber.",
    ),
    (
        "class 1 clobber",
        "class 2 clobber",
        "An alias answer joins two instructions with memory facts of one class",
    ),
    ("alias must %l %w", "alias must %l %l", "An alias answer joins two instructions"),
];

/// Instructions put in front of the store, and the beginning of the message.
pub const LINE_CASES: &[(&str, &str)] = &[
    ("%t: i0 = call @sin(%x)", "Integers have 1 to 2^23 bits"),
    ("%t: float = fneg %l", "A negation takes"),
    ("%t: i64 = fneg %n", "A negation takes"),
    ("%t: double = fadd %l, float 1.0", "Float arithmetic takes"),
    ("%t: i64 = fadd %n, %n", "Float arithmetic takes"),
    ("%t: float = fadd %l, %l", "Float arithmetic takes"),
    ("%t: double = fadd %l", "Float arithmetic takes"),
    ("%t: double = add %l, %l", "Integer arithmetic takes"),
    ("%t: i64 = trunc %n", "A trunc takes"),
    ("%t: i32 = zext %n", "An integer extension takes"),
    ("%t: double = fptrunc %l", "An fptrunc takes"),
    ("%t: float = fpext %l", "An fpext takes"),
    ("%t: double = fptosi %l", "A float is converted to an integer"),
    ("%t: i64 = sitofp %n", "An integer is converted to a float"),
    ("%t: double = ptrtoint %p", "A pointer is converted to an integer"),
    ("%t: i64 = inttoptr %n", "An integer is converted to a pointer"),
    ("%t: i32 = bitcast %l", "A bitcast keeps the number of bits."),
    ("%t: ptr = addrspacecast %p", "An address space cast takes"),
    ("%t: i64 = fptosi %v", "A float is converted to an integer"),
    ("%t: i1 = icmp eq %l, %l", "An integer comparison takes"),
    ("%t: i64 = icmp eq %n, %n", "An integer comparison takes"),
    ("%t: i1 = icmp eq %n, %p", "An integer comparison takes"),
    ("%t: i1 = fcmp olt %v, %v", "A float comparison takes"),
    ("%t: double = select %n, %l, %l", "A select takes"),
    ("%t: double = select %c, %l, float 1.0", "A select takes"),
    ("%t: double = freeze %n", "A freeze takes"),
    ("%t: i64 = detach %n", "An attachment takes"),
    ("%t: double = attach double 0.0, double 1.0", "An attachment takes"),
    ("%t: double = attach double 0.0, float 1.0, double 1.0", "An attachment takes"),
    ("%t: double = extractelement %l, i32 0", "An element is extracted"),
    ("%t: float = extractelement %v, i32 0", "An element is extracted"),
    ("%t: <2 x double> = insertelement %v, %n, i32 0", "An element of a vector's element type is inserted"),
    ("%t: <2 x double> = shufflevector %v, %v mask(0, 4)", "A shuffle takes"),
    ("%t: <2 x double> = shufflevector %v, %v mask(0)", "A shuffle takes"),
    ("%t: double = extractvalue %s path(1, 2)", "A part is extracted"),
    ("%t: double = extractvalue %s path(0)", "A part is extracted"),
    ("%t: {i32, [2 x double]} = extractvalue %s path()", "A part is extracted"),
    ("%t: {i32, [2 x double]} = insertvalue %s, %n path(0)", "A part is inserted"),
    ("%t: ptr = alloca %l of double", "An alloca takes"),
    ("%t: ptr = alloca i32 1 of double align 3", "An alignment is a power of two."),
    ("%t: double = load %n", "A load takes"),
    ("%t: double = load %p align 0", "An alignment is a power of two."),
    ("%t: double = load %p bytes 4", "An access touches the bytes that its type is stored in."),
    ("store %p, %l", "A store takes"),
    ("%t: ptr = gep %p, %l over i8 by(1)", "Address arithmetic takes"),
    ("%t: ptr = gep %p, %n over i8 by(1, 2)", "Address arithmetic takes"),
    ("%t: ptr = gep %n, %n over i8 by(1)", "Address arithmetic takes"),
    ("%t: double = atomicrmw fadd %p, %l", "An atomic update takes"),
    ("%t: float = atomicrmw fadd %p, %l seq_cst", "An atomic update takes"),
    ("%t: i64 = cmpxchg %p, %n, %n seq_cst", "A compare-exchange takes"),
    ("fence monotonic", "A fence takes nothing"),
    ("%t: i32 = va_arg %n", "va_arg takes"),
    ("%t: double = call %n()", "A call's operands are"),
    ("%t: double = call @sin()", "A call passes the arguments that its callee takes; @sin takes 1, not 0."),
    (
        "%t: i32 = call @printf()",
        "A call passes the arguments that its callee takes; @printf takes 1, not 0.",
    ),
    ("%t: {ptr, i32} = landingpad %p", "A landing pad gives a value"),
    (
        "%t: i32 = opaque \"x\" because \"y\" to(^exit)",
        "An opaque operation has successors only where it ends its block.",
    ),
    ("%u = store %l, %p\n  %t: i64 = freeze %u", "An instruction without result is no operand."),
    ("%t: double = freeze double undef\n  %u: i64 = freeze <2 x void> undef", "Integers have 1 to 2^23 bits"),
];

/// Terminators put at the end of `^exit`.
pub const END_CASES: &[(&str, &str)] = &[
    ("ret", "A return passes"),
    ("ret %n", "A return passes"),
    ("br %n, ^exit, ^exit", "A conditional branch takes"),
    ("switch %x default ^exit", "A switch takes"),
    ("switch %n cases(i32 1: ^exit) default ^exit", "A switch takes"),
    ("switch %n cases(i64 1: ^exit, i64 1: ^exit) default ^exit", "A switch takes"),
    ("indirectbr %n to(^exit)", "An indirect branch takes"),
    ("invoke %n() to ^exit unwind ^exit", "A call's operands are"),
    ("callbr %n() to ^exit or(^exit)", "A call's operands are"),
    ("resume", "A resume takes"),
    ("unreachable %n", "Unreachable takes nothing"),
];
