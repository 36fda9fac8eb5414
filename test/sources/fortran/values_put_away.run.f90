! FORALL and WHERE that read what they write: flang puts all values, and masks, away before it assigns any.
! RUN: %levels %s double 0.8317 1.3123 0.4719 1.1231 0.6637 0.9341
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(dp) :: w(n, n), b(n), z(2, 20)
    integer :: i, k, m(n)
    m = [(n + 1 - i, i = 1, n)]
    do i = 1, n
      w(:, i) = x * i - 2
    end do
    b = x
    do k = 1, 3
      forall (i = 1:n, i /= k) w(i, k+1:) = w(i, k+1:) - w(i, k) * w(k, k+1:)
    end do
    y = 0.001_dp * sum(w)
    do i = 1, n
      w(:, i) = x * i * merge(1, -1, mod(m + i, 2) == 0)
    end do
    forall (i = 1:n) b(m(i)) = b(m(n+1-i)) * 2 + x(1)
    y = y + sum(b * x)
    forall (i = 1:n)
      where (w(:, i) > 0)
        w(:, i) = w(n:1:-1, m(i)) * x(i)
      elsewhere
        w(:, i) = b * w(:, i)
      end where
    end forall
    y = y + sum(w * w)
    where (b > 3) b = b(n:1:-1) * b
    b(m) = b
    w(1:n-1, :) = w(2:n, :) * spread(b, 1, n - 1)
    y = y + 0.01_dp * sum(w)
    do i = 1, 20
      z(:, i) = x(1:2) * i
    end do
    forall (i = 1:20) z(:, i) = z(2:1:-1, 21 - i) * z(:, i) * x(3)
    y = y + 0.001_dp * sum(z * z)
  end function
end module
include 'requests.inc'
