! Fields with a name, dimensions and a pointer to their data, in an allocatable component.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: field
    character(len=16) :: name
    integer :: dims(2)
    real(dp), pointer :: data(:, :) => null()
  end type
  type :: state
    type(field), allocatable :: fields(:)
    real(dp) :: t
  end type
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(state), target :: s
    real(dp), pointer :: u(:, :)
    integer :: k, i, j
    allocate(s%fields(2))
    do k = 1, 2
      s%fields(k)%name = 'temperature'
      s%fields(k)%dims = [5, 4]
      allocate(s%fields(k)%data(5, 4))
      s%fields(k)%data = 0
    end do
    s%t = x(1)
    u => s%fields(1)%data
    do j = 1, 4
      do i = 1, 5
        u(i, j) = x(j) * i
      end do
    end do
    y = sum(s%fields(1)%data) * s%t
  end function
end module
include 'requests.inc'
