! A grid of a module that is computed once, and read ever after.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module grid
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  real(dp), allocatable :: ddx(:), area(:,:)
  integer :: nn = 0
contains
  subroutine init(n)
    integer, intent(in) :: n
    integer :: i, j
    if (allocated(ddx)) return
    nn = n
    allocate(ddx(n), area(n, n))
    do i = 1, n
      ddx(i) = 1.0_dp + 0.1_dp * i
      do j = 1, n
        area(i, j) = i * 0.5_dp + j
      end do
    end do
  end subroutine
end module
module program_under_test
  use grid
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer :: i, j
    call init(n)
    y = 0
    do i = 1, n
      do j = 1, n
        y = y + sin(x(i)) * x(j) * area(i, j) / ddx(i)
      end do
    end do
    y = y + sum(ddx * x**2)
  end function
end module

include 'requests.inc'
