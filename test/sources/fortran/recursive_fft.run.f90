! A recursive subroutine with automatic arrays and sections of its argument.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  recursive subroutine fft(z)
    complex(c_double), intent(inout) :: z(:)
    complex(c_double) :: even(size(z) / 2), odd(size(z) / 2), t
    integer :: k, m
    m = size(z)
    if (m <= 1) return
    even = z(1::2)
    odd = z(2::2)
    call fft(even)
    call fft(odd)
    do k = 1, m / 2
      t = exp(cmplx(0d0, -2 * acos(-1d0) * (k - 1) / m, c_double)) * odd(k)
      z(k) = even(k) + t
      z(k + m / 2) = even(k) - t
    end do
  end subroutine

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    complex(c_double) :: z(8)
    integer :: i
    do i = 1, 8
      z(i) = cmplx(x(mod(i, n) + 1), 0.1d0 * i, c_double)
    end do
    call fft(z)
    y = sum(abs(z)**2 * [(i, i = 1, 8)])
  end function
end module

include 'requests.inc'
