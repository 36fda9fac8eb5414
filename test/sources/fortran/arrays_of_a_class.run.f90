! Arrays of a class are assigned whole: they take type and shape of what they are given, and what stays of one type and shape stays where it is.
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
    real(dp), allocatable :: d(:)
  end type
contains
  function total(e) result(v)
    class(base), intent(in) :: e(:)
    real(dp) :: v
    integer :: i
    v = 0
    select type (e)
    type is (wide)
      do i = 1, size(e)
        v = v + i * e(i)%r * e(i)%b + sum(e(i)%d)
      end do
    class default
      do i = 1, size(e)
        v = v + i * e(i)%r
      end do
    end select
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    class(base), allocatable, target :: a(:)
    class(base), pointer :: p(:)
    a = [base(x(1)), base(x(2) * x(3)), base(x(4))]
    y = total(a)
    a = [wide(x(1), x(2), x), wide(x(4), y, x(1:2))]
    p => a
    y = y + total(a)
    a = [wide(x(3), x(1), x(2:3)), wide(x(2), x(3), x * y)]
    y = y + total(p) * x(1)
    a = [base(y)]
    y = total(a) + x(2)
  end function
end module
include 'requests.inc'
