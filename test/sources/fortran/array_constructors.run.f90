! Array constructors of a length that is known only as they are filled.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double), allocatable :: a(:), b(:)
    integer :: i
    a = [x(1), x(2) * 2, 3d0]
    a = [a, x(3:4)]
    b = [(x(mod(i, n) + 1) * i, i = 1, 7)]
    b = [b(1:2), a, [sin(x(1)), cos(x(2))]]
    y = sum(a)**2 + dot_product(b, b) + size(b)
  end function
end module

include 'requests.inc'
