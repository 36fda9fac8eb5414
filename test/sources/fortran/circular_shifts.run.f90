! Waves on a ring, by CSHIFT both ways: inlined by flang at -O2.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine advance(h, u)
    real(c_double), intent(inout) :: h(:), u(:)
    u = u - 0.1d0 * (cshift(h, 1) - cshift(h, -1))
    h = h - 0.1d0 * h * (cshift(u, 1) - cshift(u, -1))
  end subroutine

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double) :: h(n), u(n)
    integer :: t
    h = x
    u = 0
    do t = 1, 4
      call advance(h, u)
    end do
    y = sum(h * h) + sum(u * cshift(x, -2))
  end function
end module

include 'requests.inc'
