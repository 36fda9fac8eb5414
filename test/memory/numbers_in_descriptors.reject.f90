! The bits of a float are kept as the lower bound of a pointer, with a number added to them: what stands in a descriptor is an integer where
! somebody counts with it, and these bits are none.
! RUN: mkdir -p %t.mods
! RUN: %refused %t.o %flang -g -O0 -I%S/../sources/Inputs -module-dir %t.mods %pass -c %s | FileCheck %s
! RUN: %refused %t.o %flang -g -O2 -I%S/../sources/Inputs -module-dir %t.mods %pass -c %s | FileCheck %s
! RUN: %flang -g -O2 -emit-llvm -I%S/../sources/Inputs -module-dir %t.mods -c %s -o %t.bc
! RUN: %not %opt -passes=backsweep %t.bc -o /dev/null 2>&1 | FileCheck %s
! CHECK: writes bytes of active memory as an integer
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
    p(bits + 3:) => store
  end subroutine
  recursive function seek(p) result(x)
    real(dp), pointer, intent(in) :: p(:)
    real(dp) :: x
    integer(c_int64_t) :: bits
    real(dp) :: same
    equivalence (bits, same)
    bits = lbound(p, 1, kind=c_int64_t) - 3
    x = same + 0.5_dp * p(bits + 4)
    if (p(bits + 3) > 1000) x = x + seek(p) * seek(p)
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
