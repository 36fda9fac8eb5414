! Another unit swaps two reals of a COMMON block by integers that it keeps in the same bytes: no integers are seen in them.
! RUN: mkdir -p %t.mods
! RUN: %refused %t.o %flang -g -O0 -I%S/../sources/Inputs -module-dir %t.mods %pass -c %s | FileCheck %s
! RUN: %refused %t.o %flang -g -O2 -I%S/../sources/Inputs -module-dir %t.mods %pass -c %s | FileCheck %s
! CHECK: writes bytes of active memory as an integer
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
contains
  subroutine flip2()
    integer k1, k2, k3, k4, k5(4)
    common /w/ k1, k2, k3, k4, k5
    integer t
    t = k2
    k2 = k4
    k4 = t
    t = k1
    k1 = k3
    k3 = t
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(dp) :: r(4)
    integer :: i
    common /w/ r
    do i = 1, n
      r(i) = x(i) * i
    end do
    call flip2()
    y = 0
    do i = 1, n
      y = y + r(i) * r(i) * i + r(i)
    end do
  end function
end module
include "requests.inc"
