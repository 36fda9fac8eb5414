! Arrays of any rank that are told apart by `select rank`, sections and scalars among them.
! RUN: %levels %s double 0.8317 1.3123 0.4719 1.1231 0.6637 0.9341
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  subroutine collect(v, mean, low)
    real(dp), intent(in) :: v(..)
    real(dp), intent(out) :: mean, low
    select rank (v)
    rank (0)
      mean = v; low = v * v
    rank (1)
      mean = sum(v) / size(v); low = minval(v)
    rank (2)
      mean = sum(v * v) / size(v); low = sum(v(1, :)) + v(2, 2)
    rank default
      error stop 'rank'
    end select
  end subroutine
  subroutine scale(v, s)
    real(dp), intent(inout) :: v(..)
    real(dp), intent(in) :: s
    select rank (v)
    rank (1)
      v = v * s
    rank (2)
      v(:, 1) = v(:, 1) * s
    end select
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(dp) :: a, b, m(3, 2)
    call collect(x, a, b)
    y = a * b
    m = reshape(x, [3, 2])
    call scale(m, x(2))
    call scale(m(:, 2), x(3))
    call scale(m(2, 1:2), x(1))
    call collect(m, a, b)
    y = y + a + sin(b)
    call collect(x(n:1:-2), a, b)
    y = y + a * b
    call collect(x(3), a, b)
    y = y + a * b
  end function
end module
include 'requests.inc'
