//! Which addresses known modulo 2^64 may be compared: nests whose rows lie about half the address space apart.

use crate::dependence::find_dependences;
use crate::dependence::finding::Pair;
use crate::model::{ValueId, parse_program};

/// What is found of two accesses of the only function.
fn test(text: &str, first: u32, second: u32) -> Pair {
    let program = parse_program(text).expect("it is a program");
    let found = find_dependences(&program, &program.functions[0]);
    let name = |at: usize| found.accesses.list[at].inst;
    let wanted = (ValueId(first), ValueId(second));
    let pair = found.pairs.iter().find(|pair| (name(pair.first), name(pair.second)) == wanted);
    pair.expect("the pair is tested").clone()
}

/// The store %18 runs in the first iteration of loop 0 only, at p - 8, p, p + 8 and p + 16; the store %29 of the second
/// iteration is at p + 8·(2^63 - 1), which is p - 8.
const ONE_ROW_ONLY: &str = "
function @rows(%0 p: ptr, %1 n0: i64, %2 n1: i64) -> void {
^0:
  %3: i1 = icmp slt i64 0, i64 2
  %4 = br %3, ^1, ^10
^1:
  %5: i64 = phi ^0: i64 0, ^9: %32
  %6 = br ^2
^2:
  %7: i64 = phi ^1: i64 0, ^5: %20
  %8: i1 = icmp slt %7, i64 4
  %9 = br %8, ^3, ^6
^3:
  %10: i64 = add nuw nsw %5, i64 7
  %11: i64 = and %10, i64 7
  %12: i1 = icmp sgt %11, i64 0
  %13 = br %12, ^4, ^5
^4:
  %14: i64 = mul nuw nsw %5, i64 9223372036854775807
  %15: ptr = gep inbounds nusw %0, %14 over i8 by(8)
  %16: i64 = add nsw %7, i64 -1
  %17: ptr = gep inbounds nusw %15, %16 over i8 by(8)
  %18 = store i64 undef, %17 align 1
    memory writes pointer %17 objects(param %0) address (add %0 (mul i64 8 (mul nuw nsw (rec 0 nuw nsw i64 0 i64 1) i64 9223372036854775807)) (mul i64 8 (add nsw (rec 1 nuw nsw i64 0 i64 1) i64 -1)) i64 0) class 0
  %19 = br ^5
^5:
  %20: i64 = add nuw nsw %7, i64 1
  %21 = br ^2
^6:
  %22 = br ^7
^7:
  %23: i64 = phi ^6: i64 0, ^8: %30
  %24: i1 = icmp slt %23, i64 1
  %25 = br %24, ^8, ^9
^8:
  %26: i64 = mul nuw nsw %5, i64 9223372036854775807
  %27: ptr = gep %0, %26 over i8 by(8)
  %28: ptr = gep inbounds nusw %27, %23 over i8 by(8)
  %29 = store i32 undef, %28 align 1
    memory writes pointer %28 objects(param %0) address (add %0 (mul i64 8 (mul nuw nsw (rec 0 nuw nsw i64 0 i64 1) i64 9223372036854775807)) (mul i64 8 (rec 2 nuw nsw i64 0 i64 1)) i64 0) class 0
  %30: i64 = add nuw nsw %23, i64 1
  %31 = br ^7
^9:
  %32: i64 = add nuw nsw %5, i64 1
  %33: i1 = icmp slt %32, i64 2
  %34 = br %33, ^1, ^10
^10:
  %35 = ret
loop 0 header ^1 blocks(^1, ^2, ^3, ^4, ^5, ^6, ^7, ^8, ^9) latches(^9) exiting(^9) exits(^10) back_edges (add nsw i64 -1 i64 2)
loop 1 header ^2 parent 0 blocks(^2, ^3, ^4, ^5) latches(^5) exiting(^2) exits(^6) back_edges (add nsw i64 0 (smax i64 0 i64 4))
loop 2 header ^7 parent 0 blocks(^7, ^8) latches(^8) exiting(^7) exits(^9) back_edges (add nsw i64 0 (smax i64 0 i64 1))
}
";

#[test]
fn an_access_left_out_of_some_rows_carries_no_drift_there() {
    // The way through loop 1 that skips %18 ended where that loop begins its second iteration, so that it seemed to run
    // in every row.
    let pair = test(ONE_ROW_ONLY, 18, 29);
    let carried = |pair: &Pair| pair.edges.iter().any(|edge| edge.vector.carried.contains(&0));
    assert!(carried(&pair), "{pair:?}");
}

/// The stores %10 and %16 are both of p[n] and p[m] with n < m, the store %13 of p[n] runs where m < n + 6. With n = 0 and
/// m = 2^61 the first and the last one meet, and the one between does not run.
const TIED_BY_ONE_THAT_NEED_NOT_RUN: &str = "
function @tied(%0 p: ptr, %1 n: i64, %2 m: i64) -> void {
^0:
  %3: i1 = icmp slt %1, %2
  %4 = br %3, ^1, ^5
^1:
  %5: i1 = icmp sge %1, i64 0
  %6 = br %5, ^2, ^5
^2:
  %7: i64 = phi ^1: i64 0, ^4: %17
  %8: ptr = gep %0, %1 over i8 by(8)
  %9: i64 = sub nsw %2, %1
  %10 = store i64 undef, %8 align 1
    memory writes pointer %8 objects(param %0) address (add %0 (mul i64 8 %1)) class 0
  %11: i1 = icmp slt %9, i64 6
  %12 = br %11, ^3, ^4
^3:
  %13 = store i64 undef, %8 align 1
    memory writes pointer %8 objects(param %0) address (add %0 (mul i64 8 %1)) class 0
  %14 = br ^4
^4:
  %15: ptr = gep %0, %2 over i8 by(8)
  %16 = store i64 undef, %15 align 1
    memory writes pointer %15 objects(param %0) address (add %0 (mul i64 8 %2)) class 0
  %17: i64 = add nuw nsw %7, i64 1
  %18: i1 = icmp slt %17, i64 9
  %19 = br %18, ^2, ^5
^5:
  %20 = ret
loop 0 header ^2 blocks(^2, ^3, ^4) latches(^4) exiting(^4) exits(^5) back_edges i64 8
}
";

#[test]
fn an_access_that_need_not_run_ties_no_others() {
    let pair = test(TIED_BY_ONE_THAT_NEED_NOT_RUN, 10, 16);
    assert!(!pair.edges.is_empty(), "{pair:?}");
    // Where it runs, it may be compared with either.
    let pair = test(TIED_BY_ONE_THAT_NEED_NOT_RUN, 13, 16);
    assert!(pair.edges.is_empty(), "{pair:?}");
}
