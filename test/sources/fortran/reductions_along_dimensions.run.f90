! Folds of whole arrays and along one dimension, with masks.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double) :: a(5, 3), s(3), r(5)
    integer :: i, j, k(2)
    do j = 1, 3
      do i = 1, 5
        a(i, j) = x(mod(i * j, n) + 1) + 0.1d0 * i - 0.05d0 * j
      end do
    end do
    s = sum(a, 1)
    r = maxval(a, 2)
    y = norm2(s) + product(r) + maxval(a) - minval(a, mask=a > 0.2d0) + sum(a, mask=a > 1)
    k = maxloc(a)
    y = y + a(k(1), k(2))**2
    k = minloc(a)
    y = y + a(k(1), k(2))**2 + sum(norm2(a, 1)) + sum(a(:, 2)) / size(a, 1)
    if (any(a > 100)) y = -1
    y = y * count(a > 0) + sum(maxloc(a, 1)) + sum(minval(a, dim=1, mask=a > -5)) + findloc(a(:, 1) > 0, .true., 1)
  end function
end module

include 'requests.inc'
