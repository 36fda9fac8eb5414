! Lists of objects of a class that hold what follows them, taken apart from the front: the right side of the assignment is a part of the left.
! RUN: %levels %s double 0.53 1.37 0.21 0.83
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: node
    class(node), allocatable :: next
    real(dp) :: v = 0
  end type
  type, extends(node) :: weighed
    real(dp) :: w = 1
  end type
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    class(node), allocatable :: first, before
    integer :: i
    y = 0
    allocate(node :: first)
    first%v = x(1)
    do i = 2, n
      if (mod(i, 3) == 0) then
        allocate(weighed :: before)
      else
        allocate(node :: before)
      end if
      before%v = x(i) * x(i - 1)
      select type (before)
      type is (weighed)
        before%w = x(i)
      end select
      call move_alloc(first, before%next)
      call move_alloc(before, first)
    end do
    do i = 1, n
      y = y + first%v * first%v * i
      select type (first)
      type is (weighed)
        y = y + first%w * first%v
      end select
      if (.not. allocated(first%next)) exit
      first = first%next
    end do
  end function
end module
include 'requests.inc'
