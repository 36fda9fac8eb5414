! The bits of a float are kept as the lower bound of a pointer and read as a float there: where somebody does that, no descriptor is
! believed to hold integers only, or the derivative goes astray. The program is optimised before the plugin sees it.
! RUN: mkdir -p %t.mods
! RUN: %flang -O1 -emit-llvm -I%S/../sources/Inputs -module-dir %t.mods -c %s -o %t.bc
! RUN: %opt -passes=backsweep %t.bc -o %t.made.bc
! RUN: %clang -O1 -fPIC -c %t.made.bc -o %t.o
! RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
! RUN: %flang %t.o %t.check.o -o %t %runtime
! RUN: %t conditioned 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int, c_int64_t
  implicit none
contains
  recursive subroutine hide(p, store, x)
    real(dp), pointer, intent(inout) :: p(:)
    real(dp), target, intent(in) :: store(4)
    real(dp), intent(in) :: x
    integer(c_int64_t) :: bits
    real(dp) :: same
    equivalence (bits, same)
    same = x
    if (x > 100) then
      call hide(p, store, x - 1)
      same = same + p(lbound(p, 1))
    end if
    p(bits:) => store
  end subroutine
  recursive function seek(p) result(x)
    real(dp), pointer, intent(in) :: p(:)
    real(dp) :: x
    integer(c_int64_t) :: bits
    real(dp) :: same
    equivalence (bits, same)
    bits = lbound(p, 1, kind=c_int64_t)
    x = same + 0.5_dp * p(bits + 4)
    if (p(bits) > 1000) x = x + seek(p) * seek(p)
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    real(dp), pointer :: p(:)
    real(dp), target :: store(4)
    store = x(1:4)
    call hide(p, store, x(2) * x(1))
    y = seek(p) ** 2
  end function
end module
include 'requests.inc'
