! Rows that close to a ring, and walls: the first and last passes of loops ask for other neighbours.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.6
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine turn(u, v, n)
    integer, intent(in) :: n
    real(c_double), intent(in) :: u(n)
    real(c_double), intent(out) :: v(n)
    integer :: i, next, before
    do i = 1, n
      next = mod(i, n) + 1
      before = i - 1
      if (before < 1) before = n
      v(i) = u(i) + 0.1d0 * (u(next) - 2 * u(i) + u(before)) * u(i)
    end do
    do i = 2, n - 1
      if (i == 2 .or. i == n - 1) then
        v(i) = 0.5d0 * v(i)
      else
        v(i) = v(i) + 0.01d0 * v(max(i - 2, 3)) * u(min(i + 2, n))
      end if
    end do
    do i = 1, n
      v(i) = v(i) + 0.05d0 * u(modulo(i - 2, n) + 1) * u(modulo(i, n) + 1)
    end do
  end subroutine

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double) :: u(40), v(40)
    integer :: i, step, length
    y = 0
    do length = 1, 40, 13
      do i = 1, length
        u(i) = x(mod(i, n) + 1) + 0.02d0 * i
      end do
      do step = 1, 3
        call turn(u, v, length)
        u(1:length) = 0.9d0 * v(1:length)
      end do
      y = y + sum(u(1:length) ** 2)
    end do
  end function
end module

include 'requests.inc'
