! RUN: mkdir -p %t.mods && cd %t.mods
! RUN: %clang -O1 -c %S/../Inputs/check.c -o %t.o
! RUN: %flang -O0 -fstack-arrays -I%S/../Inputs %pass %s %t.o -o %t.O0 %runtime
! RUN: %t.O0 double 0.8 1.3 0.4 2.1 -0.6 1.7
! RUN: %flang -Ofast -I%S/../Inputs %pass %s %t.o -o %t.fast %runtime
! RUN: %t.fast double 0.8 1.3 0.4 2.1 -0.6 1.7
! What an array constructor is filled into lies on the stack, and nobody frees it.
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(dp) :: v(6), w(12)
    v = x * 2
    w = [v, x(n:1:-1)]
    y = sum(w(1:12:3) * w(12:1:-3)) + sum(w, mask=w > 0)
  end function
end module
include "requests.inc"
