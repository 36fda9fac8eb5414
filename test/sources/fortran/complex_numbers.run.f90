! COMPLEX scalars and arrays with their intrinsics, and a sum of residues.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function weigh(z) result(w)
    complex(c_double_complex), intent(in) :: z
    real(c_double) :: w
    w = real(z) * 0.7d0 - aimag(z) * 1.3d0
  end function

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    complex(c_double_complex) :: z, w, a(4)
    integer :: k
    z = cmplx(x(1), x(2), c_double)
    w = cmplx(x(3), x(n), c_double)
    do k = 1, 4
      a(k) = z**k / (w + k)
    end do
    a = a * conjg(w) + exp(z)
    y = weigh(sum(a)) + weigh(log(z)) + weigh(sqrt(w)) + weigh(sin(z)) + weigh(cos(w)) + weigh(z**w)
    y = y + abs(z) + weigh(dot_product(a, a)) + atan2(aimag(w), real(w)) + weigh(tan(z) + tanh(w) + sinh(z))
  end function
end module

include 'requests.inc'
