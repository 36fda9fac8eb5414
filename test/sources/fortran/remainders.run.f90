! MOD and MODULO, which flang calls with the place in the source, into an array that is allocated here: the place is no operand of the
! remainder's rule.
! RUN: %levels %s double 0.3 0.7 1.1 0.45
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double), allocatable :: w(:)
    integer :: i
    allocate(w(n))
    do i = 1, n
      w(i) = mod(x(i)*5, 2d0)*modulo(-x(i)*x(1), 1.7d0 + x(2))
    end do
    y = sum(w)
  end function
end module

include 'requests.inc'
