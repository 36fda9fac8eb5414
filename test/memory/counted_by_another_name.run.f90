! Numbers that are moved as integers by a procedure that calls itself, and knows them by another name. One of them is counted with, which makes
! no index of it: what only seems to be an array of integers may hold the bits of floats. What is moved is told by who made it.
! RUN: mkdir -p %t.mods
! RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
! RUN: %flang -O0 -I%S/../sources/Inputs -module-dir %t.mods %pass -c %s -o %t.o && %flang %t.o %t.check.o -o %t %runtime
! RUN: %t double 0.9 1.1 0.7 1.3
! RUN: %flang -O2 -I%S/../sources/Inputs -module-dir %t.mods %pass -c %s -o %t.o && %flang %t.o %t.check.o -o %t %runtime
! RUN: %t double 0.9 1.1 0.7 1.3
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  recursive subroutine move(a, b, n)
    integer(8), intent(in) :: a(:)
    integer(8), intent(inout) :: b(:)
    integer, intent(in) :: n
    if (n == 0) return
    b(n) = a(n); if (a(n) + 1 == n) b(1) = 0
    call move(a, b, n-1)
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in), target :: x(n)
    real(c_double) :: y
    real(c_double), target :: v(4), w(4)
    integer(8), pointer :: p(:), q(:)
    v = x(1:4)**2
    w = 0
    call c_f_pointer(c_loc(v), p, [4])
    call c_f_pointer(c_loc(w), q, [4])
    call move(p, q, 4)
    y = sum(w*x(1:4))
  end function
end module
include 'requests.inc'
