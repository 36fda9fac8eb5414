! Default REAL and COMPLEX, arrays of them, mixed with double precision.
! RUN: %levels %s float 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real :: a(4), b(4), m(4, 4)
    complex :: z(2), c
    a = real(x(1:4))
    b = sin(a) + a * 2
    m = matmul(spread(a, 2, 4), spread(b, 1, 4))
    z = cmplx(a(1:2), b(3:4))
    c = z(1) / z(2) + exp(z(1)) * conjg(z(2)) + z(2)**3
    y = sum(m) / 10 + dot_product(a, b) + norm2(b) + abs(c) + real(sum(z)) * x(2) + maxval(a) + product(b)
  end function
end module

include 'requests.inc'
