! EOSHIFT, CSHIFT along a dimension, UNPACK, and RESHAPE with PAD= and ORDER=.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double) :: m(2, 3), t(3, 2), v(6), w(2, 3, 2), q(3, 3)
    integer :: i
    v = [(x(mod(i, n) + 1) + i, i = 1, 6)]
    m = reshape(v, [2, 3])
    t = transpose(m)
    w = spread(m, 3, 2)
    w = eoshift(w, 1, dim=2)
    w = w + cshift(w, 1, dim=3)
    q = matmul(t, m)
    q = reshape(v, [3, 3], pad=[0d0, 1d0, x(1)])
    v = reshape(transpose(t), [6])
    y = sum(q * q) + sum(w) + sum(v * v) + sum(unpack(v, [.true., .false., .true., .true., .true., .true., .true.], spread(x(1), 1, 7)))
    m = reshape(v, [2, 3], order=[2, 1])
    y = y + m(1, 2) * m(2, 1) + sum(eoshift(v, 2, x(2)))+ sum(cshift(m, -1, 2) * m)
  end function
end module

include 'requests.inc'
