! Objects of a class with a text of deferred length, copied, assigned and given back: a text is letters, no object.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: law
    character(len=:), allocatable :: name
    real(dp) :: scale = 1
  contains
    procedure :: value => law_value
  end type
  type, extends(law) :: hardening
    real(dp), allocatable :: rates(:)
  contains
    procedure :: value => hardening_value
  end type
  type :: holder
    class(law), allocatable :: it
  end type
contains
  function law_value(self, t) result(v)
    class(law), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: v
    v = self%scale * t * len(self%name)
  end function
  function hardening_value(self, t) result(v)
    class(hardening), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: v
    v = self%scale * sin(t) + sum(self%rates) * t * t
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(holder) :: all(3)
    type(law) :: one, other
    integer :: i
    one%name = 'steel'
    one%scale = x(1)
    other = one
    other%name = other%name // '!'
    allocate(all(1)%it, source=one)
    allocate(all(2)%it, source=hardening('mild', x(2), [x(3), x(4), x(1)]))
    allocate(all(3)%it, source=all(2)%it)
    all(3)%it%name = 'none at all'
    all(3)%it%scale = x(4)
    y = other%value(x(2))
    do i = 1, 3
      y = y + all(i)%it%value(x(i)) * len(all(i)%it%name)
    end do
  end function
end module
include 'requests.inc'
