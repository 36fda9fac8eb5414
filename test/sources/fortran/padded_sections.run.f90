! RESHAPE with PAD= of a section of two and of three dimensions, whose elements count in their order.
! RUN: %levels %s double 0.53 1.37 0.21 0.83
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, a(4, 4), c(2, 2, 3), w(12), v(4, 4)
    integer :: i, j
    do j = 1, 4
      do i = 1, 4
        a(i, j) = x(1 + mod(i + j, n)) * i
      end do
    end do
    c = reshape(a(1:4, 1:3), [2, 2, 3])
    w = reshape(a(1:3, 1:3), [12], pad=[x(1), x(2)])
    v = reshape(c(:, 2:1:-1, 1:3), [4, 4], pad=[x(4)], order=[2, 1])
    y = sum(w(1:8) * w(5:12)) + sum(v * a)
  end function
end module
include 'requests.inc'
