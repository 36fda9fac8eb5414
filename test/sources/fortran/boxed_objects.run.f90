! Objects of one type or of another that extends it, in components that are copied with the arrays they own.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: base
    real(dp) :: a = 1
    integer :: tag = 0
  end type
  type, extends(base) :: wide
    real(dp) :: b(3) = 2
    real(dp), allocatable :: c(:)
  end type
  type :: box
    class(base), allocatable :: item
    real(dp) :: w
  end type
contains
  function value(p) result(v)
    class(base), intent(in) :: p
    real(dp) :: v
    select type (p)
    type is (base)
      v = p%a * p%a
    type is (wide)
      v = p%a * sum(p%b) + sum(p%c)
    class default
      v = 0
    end select
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(box) :: bx(3), cp(3)
    type(wide) :: w
    integer :: i
    w%a = x(1)
    w%b = x(2) * [1.0_dp, 2.0_dp, 3.0_dp]
    w%c = [x(3), x(4)]
    do i = 1, 3
      bx(i)%w = x(i)
      if (mod(i, 2) == 0) then
        allocate(bx(i)%item, source=w)
      else
        allocate(base :: bx(i)%item)
        bx(i)%item%a = x(4) * i
        bx(i)%item%tag = i
      end if
    end do
    cp = bx
    cp(1)%item%a = 5 * x(2)
    y = 0
    do i = 1, 3
      y = y + value(bx(i)%item) * bx(i)%w + value(cp(i)%item)
    end do
  end function
end module
include 'requests.inc'
