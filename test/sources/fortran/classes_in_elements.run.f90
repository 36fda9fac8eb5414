! A component of a class in an element of a local array is assigned objects of several types, at an index that is known and at others:
! it is declared as what it is in every element, whatever one of them happens to hold.
! RUN: %levels %s double 0.53 1.37 0.21 0.83
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: base
    real(dp) :: r = 1
  end type
  type, extends(base) :: wide
    real(dp) :: b
  end type
  type :: box
    class(base), allocatable :: item
  end type
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(box) :: m(3), k(2)
    integer :: i
    k(1)%item = wide(x(1), x(2))
    do i = 1, 3
      if (x(i) > 0.5_dp) m(i)%item = wide(x(i), x(i + 1))
      if (.not. x(i) > 0.5_dp) m(i)%item = base(x(i) * x(2))
    end do
    y = k(1)%item%r * x(3)
    do i = 1, 3
      y = y + m(i)%item%r * x(4)
      select type (item => m(i)%item)
      type is (wide)
        y = y + item%b**2
      end select
    end do
  end function
end module
include 'requests.inc'
