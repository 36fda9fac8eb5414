; In LLVM's own language a token may be a string.
; RUN: %opt -passes=backsweep -S %s -o %t.ll
; RUN: %clang -O1 %t.ll -o %t %runtime && %t

declare double @__enzyme_autodiff(ptr, ...)

define double @product(double %x, double %y) {
  %p = fmul double %x, %y
  ret double %p
}

define i32 @main() {
  %y = call double (ptr, ...) @__enzyme_autodiff(ptr @product, metadata !"enzyme_const", double 3.0, metadata !"enzyme_out", double 2.0)
  %x = call double (ptr, ...) @__enzyme_autodiff(ptr @product, metadata !"enzyme_out", double 3.0, metadata !"enzyme_const", double 2.0)
  %a = fcmp oeq double %y, 3.0
  %b = fcmp oeq double %x, 2.0
  %both = and i1 %a, %b
  %status = select i1 %both, i32 0, i32 1
  ret i32 %status
}
