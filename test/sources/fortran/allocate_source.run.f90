! ALLOCATE with SOURCE= and MOLD=.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double), allocatable :: a(:), b(:), c(:, :)
    allocate(a, source=x)
    allocate(b, mold=a)
    allocate(c(2, 2), source=x(1))
    b = a * a
    c(1, 2) = b(3)
    y = sum(b) + sum(c**2) + sum(a, dim=1)
    if (allocated(a)) deallocate(a)
    a = b(1:2)
    y = y + a(2) * size(a)
  end function
end module

include 'requests.inc'
