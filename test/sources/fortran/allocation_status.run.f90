! Lower bounds, arrays without elements, and ALLOCATE and DEALLOCATE that fail and say so.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double), allocatable :: a(:), b(:), e(:)
    integer :: s, t
    allocate(a(-2:3), stat=s)
    a = [1d0, x(1), x(2), x(3), x(4), 2d0]
    allocate(a(4), stat=t)
    b = a
    y = b(lbound(b, 1)) * a(-1) + b(ubound(b, 1)) * a(0) + merge(x(1), x(2), t /= 0) + lbound(b, 1) * x(3)
    deallocate(a)
    deallocate(a, stat=t)
    if (t /= 0) y = y * x(4)
    allocate(e(0))
    e = [e, x(1), x(2)]
    y = y + sum(e**2) + sum(e(3:2)) + maxval(e)
    a = e
    a = 2 * a(2:1:-1) + a
    y = y + a(1) * size(a)
  end function
end module

include 'requests.inc'
