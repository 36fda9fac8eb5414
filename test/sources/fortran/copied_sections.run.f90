! Rows of arrays for those who take contiguous memory: flang copies them in and out.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module kernels
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
contains
  subroutine filter1d(v, n, w)
    integer, intent(in) :: n
    real(dp), intent(inout) :: v(n)
    real(dp), intent(in) :: w
    real(dp) :: t(n)
    integer :: i
    t = v
    do i = 2, n - 1
      v(i) = (1 - w) * t(i) + 0.5_dp * w * (t(i - 1) + t(i + 1))
    end do
  end subroutine
  subroutine filter2d(a, w)
    real(dp), intent(inout) :: a(:, :)
    real(dp), intent(in) :: w
    integer :: i, j
    do i = 1, size(a, 1)
      call filter1d(a(i, :), size(a, 2), w)
    end do
    do j = 1, size(a, 2)
      call filter1d(a(:, j), size(a, 1), w)
    end do
  end subroutine
  function inner(a, b, n) result(s)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(*), b(*)
    real(dp) :: s
    integer :: i
    s = 0
    do i = 1, n
      s = s + a(i) * b(i)
    end do
  end function
  subroutine scale_contig(a, s)
    real(dp), intent(inout), contiguous :: a(:)
    real(dp), intent(in) :: s
    a = a * s
  end subroutine
  subroutine set_only(a, n, s)
    integer, intent(in) :: n
    real(dp), intent(out) :: a(n)
    real(dp), intent(in) :: s
    a = s
  end subroutine
  function trace(a, n) result(t)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(n, n)
    real(dp) :: t
    integer :: i
    t = sum([(a(i, i), i = 1, n)])
  end function
end module
module program_under_test
  use kernels
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    real(dp), allocatable :: a(:, :)
    complex(dp) :: z(6)
    integer :: i, j
    allocate(a(7, 6))
    do j = 1, 6
      do i = 1, 7
        a(i, j) = x(mod(i + 2 * j, n) + 1) * sin(real(i + j, dp))
      end do
      z(j) = cmplx(x(1) * j, x(2), dp)
    end do
    call filter2d(a, 0.3_dp * x(1))
    y = inner(a(2, :), a(:, 3), 6) + inner(a(1:5:2, 2), a(5:1:-2, 1), 3)
    call scale_contig(a(3, 1:6:2), x(4))
    call set_only(a(4, 2:5), 4, x(3))
    y = y + sum(a**2) + trace(a(1:5:2, 2:4), 3) + trace(matmul(a(1:6, :), a(2:7, :)), 6)
    y = y + inner(z%re, z%im, 6)
  end function
end module

include 'requests.inc'
