! Arrays of explicit shape, loops, intrinsics of single numbers, a matrix product by hand.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine multiply(a, b, c, n)
    integer, intent(in) :: n
    real(c_double), intent(in) :: a(n, n), b(n, n)
    real(c_double), intent(out) :: c(n, n)
    integer :: i, j, k
    do j = 1, n
      do i = 1, n
        c(i, j) = 0
        do k = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, a(4, 4), b(4, 4), c(4, 4)
    integer :: i, j
    do j = 1, 4
      do i = 1, 4
        a(i, j) = x(mod(i + j, n) + 1) * i
        b(i, j) = sin(x(mod(i * j, n) + 1)) + max(x(1), real(j, c_double) / 3)
      end do
    end do
    call multiply(a, b, c, 4)
    y = 0
    do i = 1, 4
      y = y + c(i, i) * sign(1d0, x(i)) + abs(c(i, 1)) ** 1.5d0 + mod(c(2, i), 7d0) + atan2(x(i), 2d0) + x(i)**3
    end do
    y = y + exp(-dot(x, n)) + aint(x(2)) + nint(x(1))
  contains
    function dot(v, m) result(s)
      integer, intent(in) :: m
      real(c_double), intent(in) :: v(m)
      real(c_double) :: s
      integer :: k
      s = 0
      do k = 1, m
        s = s + v(k) * v(k)
      end do
    end function
  end function
end module

include 'requests.inc'
