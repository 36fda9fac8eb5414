//! Programs, small enough to see what is right.

pub const QUOTIENT: &str = "declare @sin(double) -> double
function @f(%x: double, %y: double) -> double {
^entry:
  %a: double = fmul %x, %y
  %s: double = call @sin(%a) library
  %q: double = fdiv %s, %y
  ret %q
}";

/// One branch that tells the edge.
pub const BRANCH: &str = "function @f(%x: double, %y: double) -> double {
^entry:
  %c: i1 = fcmp olt %x, %y
  br %c, ^left, ^right
^left:
  %a: double = fmul %x, %x
  br ^join
^right:
  %b: double = fmul %x, %y
  br ^join
^join:
  %p: double = phi ^left: %a, ^right: %b
  %r: double = fmul %p, %p
  ret %r
}";

/// One arm of the branch leads to the join by two edges, so that the edge is recorded.
pub const NESTED: &str = "function @f(%x: double, %y: double, %n: i32) -> double {
^entry:
  %c: i1 = fcmp olt %x, %y
  br %c, ^left, ^join
^left:
  %a: double = fmul %x, %x
  %d: i1 = icmp slt %n, i32 3
  br %d, ^deep, ^join
^deep:
  %b: double = fmul %a, %y
  br ^join
^join:
  %p: double = phi ^entry: %x, ^left: %a, ^deep: %b
  %r: double = fmul %p, %y
  ret %r
}";

/// A switch with an arm that never arrives.
pub const SWITCH: &str = "function @f(%x: double, %n: i32) -> double {
^entry:
  switch %n cases(i32 0: ^zero, i32 1: ^one) default ^other
^zero:
  %a: double = fmul %x, %x
  br ^join
^one:
  %b: double = fneg %x
  br ^join
^other:
  unreachable
^join:
  %p: double = phi ^zero: %a, ^one: %b
  ret %p
}";

pub const RETURNS: &str = "function @f(%x: double, %n: i32) -> double {
^entry:
  %c: i1 = icmp sgt %n, i32 0
  br %c, ^up, ^down
^up:
  %a: double = fmul %x, %x
  ret %a
^down:
  %b: double = fneg %x
  ret %b
}";

/// `x` times itself, `n` times, with a branch in the body.
pub const LOOP: &str = "function @f(%x: double, %n: i32) -> double {
^entry:
  %twice: double = fmul %x, %x
  br ^loop
^loop:
  %i: i32 = phi ^entry: i32 0, ^latch: %next
  %v: double = phi ^entry: %x, ^latch: %w
  %odd: i32 = and %i, i32 1
  %c: i1 = icmp eq %odd, i32 0
  br %c, ^even, ^latch
^even:
  %e: double = fmul %v, %twice
  br ^latch
^latch:
  %m: double = phi ^loop: %v, ^even: %e
  %w: double = fmul %m, %m
  %next: i32 = add %i, i32 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %w
}";

/// A loop whose header is entered past a branch.
pub const GUARDED_LOOP: &str = "function @f(%x: double, %n: i32) -> double {
^entry:
  %c: i1 = icmp sgt %n, i32 0
  br %c, ^loop, ^exit
^loop:
  %i: i32 = phi ^entry: i32 0, ^loop: %next
  %v: double = phi ^entry: %x, ^loop: %w
  %w: double = fmul %v, %v
  %next: i32 = add %i, i32 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  %r: double = phi ^entry: %x, ^loop: %w
  ret %r
}";

/// A guarded loop that `continue` leads round too: its header is entered by three edges.
pub const TWO_LATCHES: &str = "function @f(%x: double, %n: i32) -> double {
^entry:
  %c: i1 = icmp sgt %n, i32 0
  br %c, ^loop, ^exit
^loop:
  %i: i32 = phi ^entry: i32 0, ^loop: %next, ^latch: %next
  %v: double = phi ^entry: %x, ^loop: %w, ^latch: %z
  %w: double = fmul %v, %v
  %next: i32 = add %i, i32 1
  %odd: i1 = trunc %i
  br %odd, ^loop, ^latch
^latch:
  %z: double = fmul %w, %x
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  %r: double = phi ^entry: %x, ^latch: %z
  ret %r
}";

/// A loop in a loop; both count, and the inner count is saved.
pub const NEST: &str = "function @f(%x: double, %n: i32) -> double {
^entry:
  br ^outer
^outer:
  %i: i32 = phi ^entry: i32 0, ^after: %inext
  %u: double = phi ^entry: %x, ^after: %w
  br ^inner
^inner:
  %j: i32 = phi ^outer: i32 0, ^inner: %jnext
  %v: double = phi ^outer: %u, ^inner: %w
  %w: double = fmul %v, %u
  %jnext: i32 = add %j, i32 1
  %jmore: i1 = icmp slt %jnext, %i
  br %jmore, ^inner, ^after
^after:
  %inext: i32 = add %i, i32 1
  %imore: i1 = icmp slt %inext, %n
  br %imore, ^outer, ^exit
^exit:
  ret %w
}";

pub const SELECT: &str = "function @f(%x: double, %y: double) -> double {
^entry:
  %c: i1 = fcmp ogt %x, %y
  %m: double = select %c, %x, %y
  %r: double = fmul %m, %m
  ret %r
}";

/// Vectors, with lanes chosen at run time.
pub const LANES: &str = "function @f(%v: <2 x double>, %x: double, %i: i32) -> double {
^entry:
  %j: i32 = xor %i, i32 1
  %w: <2 x double> = insertelement %v, %x, %j
  %s: <2 x double> = shufflevector %w, %v mask(1, 2)
  %p: <2 x double> = fmul %s, %w
  %r: double = extractelement %p, %i
  ret %r
}";

/// A call that gives two results, one of which is an integer.
pub const PARTS: &str = "declare @llvm.frexp.f64.i32(double) -> {double, i32}
function @f(%x: double) -> double {
^entry:
  %b: {double, i32} = call @llvm.frexp.f64.i32(%x)
  %m: double = extractvalue %b path(0)
  %e: i32 = extractvalue %b path(1)
  %z: double = sitofp %e
  %r: double = fmul %m, %z
  ret %r
}";

pub const ALL: [&str; 11] =
    [QUOTIENT, BRANCH, NESTED, SWITCH, RETURNS, SELECT, LANES, PARTS, LOOP, GUARDED_LOOP, NEST];
