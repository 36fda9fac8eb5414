! Each object takes its type from one that was assigned before, over more steps than objects lie in one another.
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
  type, extends(wide) :: owner
    real(dp), allocatable :: d(:)
  end type
  type :: box
    class(base), allocatable :: e
  end type
contains
  function val(e) result(v)
    class(base), intent(in) :: e
    real(dp) :: v
    v = e%r
    select type (e)
    type is (wide)
      v = v * e%b
    type is (owner)
      v = v * e%b + sum(e%d)
    end select
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(box), allocatable :: m(:)
    type(box) :: t
    integer :: i
    allocate(m(3))
    m(1)%e = wide(x(1), x(2))
    m(2) = box(owner(x(1), x(2), x))
    m(3)%e = m(1)%e
    t = m(1)
    m(1) = m(2)
    m(2) = t
    call move_alloc(m(1)%e, t%e)
    m(1) = box(base(x(4)))
    y = val(t%e)
    do i = 1, 3
      y = y + i * val(m(i)%e)
    end do
  end function
end module
include 'requests.inc'
