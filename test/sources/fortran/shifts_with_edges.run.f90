! EOSHIFT with a boundary for each row, of dummies of several ranks.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  interface smooth
    module procedure smooth2, smooth3
  end interface
contains
  subroutine smooth2(a, c)
    real(dp), intent(inout) :: a(:, :)
    real(dp), intent(in) :: c
    a = a + c*(eoshift(a, 1, dim=2) + eoshift(a, -1, boundary=a(:, 1), dim=2) + eoshift(a, 1, a(2, :), 1) - 4*a)
  end subroutine
  subroutine smooth3(a, c)
    real(dp), intent(inout) :: a(:, :, :)
    real(dp), intent(in) :: c
    real(dp) :: edge(size(a, 1), size(a, 2))
    integer :: k
    do k = lbound(a, 3), ubound(a, 3)
      call smooth2(a(:, :, k), c)
    end do
    edge = c*a(:, :, 1)
    a = a + eoshift(a, 1, boundary=edge, dim=3)*a
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(dp), allocatable :: d(:, :, :), e(:, :)
    allocate (d(4, 3, 2), e(3, 3))
    d = x(1)
    e = x(2)
    e(2, 2) = x(3)
    d(:, 2, 1) = x(4)
    d(3, :, 2) = x(2)*x(3)
    call smooth(d, 0.1d0)
    call smooth(e, 0.2d0)
    y = sum(d**2) + sum(e**2)
  end function
end module
include 'requests.inc'
