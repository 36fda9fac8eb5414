! Products of arrays of different types: integers with reals, reals with complex numbers.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    integer :: k(3), weights(2)
    complex(c_double) :: z(3)
    real(c_double) :: d(3)
    k = [1, 2, 3]
    weights = [1, 2]
    d = x(1:3)**2 * k
    z = d
    z(2) = z(2) * (0d0, 1d0)
    d = real(z * conjg(z)) + aimag(z)
    y = dot_product(k, x(1:3)) + dot_product(d, k) + sum(abs(z)) + real(dot_product(z, x(1:3)) * dot_product(d, z))
    d = k
    y = y + sum(d) + sum(matmul(reshape(x(1:4), [2, 2]), weights))
  end function
end module

include 'requests.inc'
