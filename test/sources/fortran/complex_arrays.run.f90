! Complex matrices: products, folds, conjugates.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    complex(c_double) :: a(2, 2), b(2, 2), v(2), z
    a(1, 1) = cmplx(x(1), x(2), c_double)
    a(1, 2) = cmplx(x(3), 0.5d0, c_double)
    a(2, 1) = conjg(a(1, 2)) * 2
    a(2, 2) = exp(a(1, 1))
    b = matmul(a, transpose(conjg(a)))
    v = matmul(b, [a(1, 1), a(2, 1)])
    z = dot_product(v, v) + sum(b) + product(v)
    y = abs(z) + real(sqrt(z)) + aimag(log(z)) + sum(abs(sum(b, 1))) * 1d-1
  end function
end module

include 'requests.inc'
