! A factory that gives an object of one type or of another, which only shows when the program runs.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type, abstract :: law
  contains
    procedure(ev), deferred :: eval
  end type
  type, extends(law) :: powerlaw
    real(dp) :: a, b
  contains
    procedure :: eval => power_eval
  end type
  type, extends(law) :: explaw
    real(dp) :: c
  contains
    procedure :: eval => exp_eval
  end type
  abstract interface
    function ev(self, t) result(v)
      import law, dp
      class(law), intent(in) :: self
      real(dp), intent(in) :: t
      real(dp) :: v
    end function
  end interface
contains
  function power_eval(self, t) result(v)
    class(powerlaw), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: v
    v = self%a * t ** self%b
  end function
  function exp_eval(self, t) result(v)
    class(explaw), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: v
    v = exp(-self%c * t)
  end function
  subroutine make(kind, x, l)
    integer, intent(in) :: kind
    real(dp), intent(in) :: x(:)
    class(law), allocatable, intent(out) :: l
    select case (kind)
    case (1)
      allocate(l, source=powerlaw(x(1), x(2)))
    case default
      allocate(l, source=explaw(x(3)))
    end select
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    class(law), allocatable :: l
    integer :: i
    y = 0
    do i = 1, 2
      call make(i, x(1:n), l)
      y = y + l%eval(x(4))
      deallocate(l)
    end do
  end function
end module
include 'requests.inc'
