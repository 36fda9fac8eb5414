! Whole arrays, sections, masks, and the reductions.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, a(4), b(4), m(4, 4)
    integer :: i, j
    a = 2 * x(1:4) + x(4:1:-1) * x(2)
    b = merge(a, x(1:4)**2, a > 1)
    where (b > 2)
      b = sqrt(b)
    elsewhere
      b = b * a
    end where
    do i = 1, 4
      do j = 1, 4
        m(j, i) = a(j) * b(i) + i
      end do
    end do
    m(2, 1:3) = m(1, 2:4)
    y = sum(a) + dot_product(a, b) + maxval(b) - minval(a) + product(b) + sum(m, mask=m > 0)
    y = y + norm2(a) + sum(matmul(m, a)) + sum(transpose(m) * m) + sum(m(2, :)) + sum(sum(m, dim=1) * b)
  end function
end module

include 'requests.inc'
