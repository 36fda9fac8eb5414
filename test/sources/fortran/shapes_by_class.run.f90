! Objects of different types in components of an abstract type, and a polymorphic variable that is assigned.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type, abstract :: shape
    real(dp) :: scale = 1
  contains
    procedure(area_of), deferred :: area
  end type
  type, extends(shape) :: circle
    real(dp) :: r
  contains
    procedure :: area => circle_area
  end type
  type, extends(shape) :: box
    real(dp) :: w, h
  contains
    procedure :: area => box_area
  end type
  abstract interface
    function area_of(self) result(a)
      import shape, dp
      class(shape), intent(in) :: self
      real(dp) :: a
    end function
  end interface
  type :: holder
    class(shape), allocatable :: s
  end type
contains
  function circle_area(self) result(a)
    class(circle), intent(in) :: self
    real(dp) :: a
    a = 3.14159_dp * self%r**2 * self%scale
  end function
  function box_area(self) result(a)
    class(box), intent(in) :: self
    real(dp) :: a
    a = self%w * self%h * self%scale
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(holder) :: hs(2)
    class(shape), allocatable :: one
    integer :: i
    allocate(hs(1)%s, source=circle(x(1), x(2)))
    allocate(hs(2)%s, source=box(x(2), x(3), x(4)))
    y = 0
    do i = 1, 2
      y = y + hs(i)%s%area() * i
    end do
    one = box(1.0_dp, x(1), x(3))
    select type (one)
    type is (box)
      y = y + one%w
    class is (circle)
      y = y - one%r
    end select
  end function
end module
include 'requests.inc'
