! What is assigned to an object of a class stays where the object lies if it is of the same type, and a pointer to it sees that; an object of
! another type has memory of its own.
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
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    class(base), allocatable, target :: object
    class(base), pointer :: p
    object = base(x(2))
    object = wide(x(1), x(2))
    p => object
    object = wide(x(3), x(4))
    y = p%r * x(1)
    select type (p)
    type is (wide)
      y = y + p%b * x(2)
      p%b = x(1) * x(3)
    end select
    select type (object)
    type is (wide)
      y = y + object%b
    end select
  end function
end module
include 'requests.inc'
