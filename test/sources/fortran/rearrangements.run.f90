! Arrays reshaped, spread, shifted, packed, overlapping in an assignment, and allocatable ones that take the shape of what
! is assigned.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, a(4), m(2, 2), w(4, 3), u(4)
    real(c_double), allocatable :: p(:), q(:, :)
    integer :: i
    a = x(1:4)**2 + x(1:4)
    m = reshape(a, [2, 2])
    w = spread(a, 2, 3)
    u = cshift(a, 1) * a
    a(2:4) = a(1:3) * x(2)
    p = u
    p = reshape(matmul(transpose(m), m), [4])
    q = w
    q = q + w * q
    y = sum(p * a) + sum(pack(u, u > 0)) + maxval(sum(q, dim=2)) + sum(minval(q, dim=1)) + sum(product(w, dim=2))
    y = y + sum(q(:, 2), mask=q(:, 1) > 1) + u(maxloc(u, dim=1)) + norm2(m) + dot_product(p, u(4:1:-1))
    y = y + real(count(a > 0), c_double) * x(1) + size(p) + merge(1d0, 0d0, any(a > 100))
    do i = 1, 4
      y = y + u(i) / i
    end do
  end function
end module

include 'requests.inc'
